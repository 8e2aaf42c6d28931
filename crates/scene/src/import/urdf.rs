//! URDF: links and the joints between them.
//!
//! A joint's frame is that of its child link: `origin` is its pose in the parent link at the coordinate zero, `axis` is in
//! it. A fixed joint is one without coordinates, which makes the child part of its parent.

use super::log::{Log, Spot};
use super::mesh::Meshes;
use super::robot::{
    Coupling, Freedom, Inertial, PartShape, Robot, RobotBody, RobotJoint, RobotPart, SurfaceKind,
};
use super::xml::Element;
use super::{ImportOptions, package};
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::{Mat3, Pose, Vec3};
use std::collections::BTreeMap;

/// The friction of links on each other and on the ground, of which URDF says nothing.
const FRICTION: f64 = 0.8;

/// A file under way.
struct Reading<'r> {
    log: &'r mut Log,
    meshes: &'r mut Meshes,
    options: &'r ImportOptions,
    /// Colours of the robot's materials by name.
    colours: BTreeMap<&'r str, [u8; 3]>,
}

/// The robot of a URDF file.
pub(super) fn read(root: &Element, options: &ImportOptions, meshes: &mut Meshes, log: &mut Log) -> Robot {
    let mut reading = Reading { log, meshes, options, colours: BTreeMap::new() };
    for material in root.all("material") {
        if let (Some(name), Some(colour)) = (material.value("name"), reading.colour(material)) {
            reading.colours.insert(name, colour);
        }
    }
    let mut links: BTreeMap<&str, &Element> = BTreeMap::new();
    let mut joints: Vec<&Element> = Vec::new();
    for child in &root.children {
        match child.tag.as_str() {
            "link" => {
                let Some(name) = child.needed("name", reading.log) else { continue };
                if links.insert(&name.value, child).is_some() {
                    reading.log.refuse(&name.spot, format!("the name \"{}\" is taken already", name.value));
                }
            }
            "joint" => joints.push(child),
            "material" => {}
            tag if tag.starts_with("xacro:") => {
                let help = "expand the file first: xacro robot.urdf.xacro > robot.urdf";
                reading.log.refuse_with_help(
                    &child.spot,
                    "found a macro of xacro; expected plain URDF",
                    help,
                );
            }
            _ => reading.log.lose(&child.spot, format!("{}: not taken over", child.title())),
        }
    }
    if links.is_empty() && reading.log.is_content() {
        reading.log.refuse(&root.spot, "found no link; expected one at least");
    }
    let bodies = reading.tree(root, &links, &joints);
    let couplings = reading.mimics(&bodies, &joints);
    let is_self_touching = reading.options.self_contacts;
    let kind = SurfaceKind {
        name: "robot".to_owned(),
        kind: 1,
        touches: u32::from(is_self_touching),
        friction: FRICTION,
    };
    Robot {
        name: root.value("name").unwrap_or("robot").to_owned(),
        gravity: Vec3::new(0.0, 0.0, -9.81),
        bodies,
        couplings,
        closures: Vec::new(),
        surfaces: vec![kind],
        excluded: Vec::new(),
        world_touches: false,
    }
}

impl<'r> Reading<'r> {
    /// The bodies, parents before children, from the one link that is nobody's child.
    fn tree(
        &mut self,
        root: &Element,
        links: &BTreeMap<&str, &Element>,
        joints: &[&Element],
    ) -> Vec<RobotBody> {
        let mut below: BTreeMap<&str, Vec<(&Element, &str)>> = BTreeMap::new();
        let mut above: BTreeMap<&str, &Element> = BTreeMap::new();
        let mut names: BTreeMap<&str, ()> = BTreeMap::new();
        for joint in joints {
            let Some(name) = joint.needed("name", self.log) else { continue };
            if names.insert(&name.value, ()).is_some() {
                self.log.refuse(&name.spot, format!("the name \"{}\" is taken already", name.value));
            }
            let (Some(parent), Some(child)) =
                (self.link(joint, "parent", links), self.link(joint, "child", links))
            else {
                continue;
            };
            if above.insert(child, joint).is_some() {
                let message = format!("link \"{child}\" is the child of two joints; expected a tree");
                self.log.refuse(&joint.spot, message);
            }
            below.entry(parent).or_default().push((joint, child));
        }
        let mut roots = links.iter().filter(|(name, _)| !above.contains_key(*name));
        let (Some((first, element)), other) = (roots.next(), roots.next()) else {
            if self.log.is_content() {
                self.log.refuse(
                    &root.spot,
                    "every link is the child of a joint; expected one that is not, the root",
                );
            }
            return Vec::new();
        };
        if let Some((second, _)) = other {
            let message = format!("links \"{first}\" and \"{second}\" are nobody's child; expected one root");
            self.log.refuse(&element.spot, message);
            return Vec::new();
        }
        let mut bodies: Vec<RobotBody> = Vec::new();
        let mut left: Vec<(&str, Option<(&Element, usize)>)> = vec![(first, None)];
        while let Some((name, joint)) = left.pop() {
            let Some(link) = links.get(name) else { continue };
            let mut body = self.body(name, link);
            match joint {
                Some((joint, parent)) => {
                    body.parent = Some(parent);
                    self.joint(joint, &mut body);
                }
                None if self.options.free => {
                    body.joints.push(RobotJoint::new("root".to_owned(), link.spot.clone(), Freedom::Free));
                }
                None => {}
            }
            let number = bodies.len();
            bodies.push(body);
            let children = below.get(name).into_iter().flatten().rev();
            left.extend(children.map(|(joint, child)| (*child, Some((*joint, number)))));
        }
        if bodies.len() < links.len() && self.log.is_content() {
            let reached = |name: &str| bodies.iter().any(|body| body.name == name);
            if let Some((name, link)) = links.iter().find(|(name, _)| !reached(name)) {
                self.log.refuse(&link.spot, format!("link \"{name}\" hangs on itself; expected a tree"));
            }
        }
        bodies
    }

    /// The link that a joint names.
    fn link<'e>(
        &mut self,
        joint: &'e Element,
        end: &str,
        links: &BTreeMap<&str, &'e Element>,
    ) -> Option<&'e str> {
        let Some(element) = joint.child(end) else {
            self.log.refuse(&joint.spot, format!("missing element <{end}> of {}", joint.title()));
            return None;
        };
        let name = element.needed("link", self.log)?;
        if !links.contains_key(name.value.as_str()) {
            self.log.refuse(&name.spot, format!("no link is named \"{}\"", name.value));
            return None;
        }
        Some(&name.value)
    }

    fn body(&mut self, name: &str, link: &Element) -> RobotBody {
        let inertial = link.child("inertial").and_then(|inertial| self.inertial(inertial));
        let mut parts: Vec<RobotPart> = Vec::new();
        for collision in link.all("collision") {
            parts.extend(self.part(collision, Some(0), link));
        }
        // What has nothing to touch is drawn as it is seen.
        if link.child("collision").is_none() {
            for visual in link.all("visual") {
                parts.extend(self.part(visual, None, link));
            }
        }
        for child in &link.children {
            if !["inertial", "collision", "visual"].contains(&child.tag.as_str()) {
                self.log.lose(&child.spot, format!("{} of link \"{name}\": not taken over", child.title()));
            }
        }
        let materials = link.all("visual").filter_map(|visual| visual.child("material"));
        let colour = materials.into_iter().find_map(|material| {
            self.colour(material).or_else(|| self.colours.get(material.value("name")?).copied())
        });
        RobotBody {
            name: name.to_owned(),
            spot: link.spot.clone(),
            parent: None,
            pose: Pose::identity(),
            joints: Vec::new(),
            inertial,
            parts,
            colour,
            merged: Vec::new(),
            remarks: Vec::new(),
        }
    }

    fn colour(&mut self, material: &Element) -> Option<[u8; 3]> {
        let rgba = material.child("color")?.get("rgba")?.numbers(3, 4, self.log)?;
        Some([0, 1, 2].map(|k| (rgba[k].clamp(0.0, 1.0) * 255.0).round() as u8))
    }

    /// The pose of an `origin`; its angles are turns about the fixed axes x, y, z: R = R_z(yaw) R_y(pitch) R_x(roll).
    fn origin(&mut self, of: &Element) -> Pose {
        let Some(origin) = of.child("origin") else { return Pose::identity() };
        let xyz = origin.get("xyz").and_then(|xyz| xyz.triple(self.log)).unwrap_or_default();
        let [roll, pitch, yaw] = origin.get("rpy").and_then(|rpy| rpy.triple(self.log)).unwrap_or_default();
        Pose::new(Vec3::from(xyz), UnitQuaternion::from_euler_angles(roll, pitch, yaw))
    }

    fn inertial(&mut self, element: &Element) -> Option<Inertial> {
        let pose = self.origin(element);
        let mass = element.child("mass").and_then(|mass| mass.needed("value", self.log)?.number(self.log));
        let mut moments = [0.0; 6];
        if let Some(inertia) = element.child("inertia") {
            for (k, name) in ["ixx", "ixy", "ixz", "iyy", "iyz", "izz"].into_iter().enumerate() {
                moments[k] = inertia.get(name).and_then(|moment| moment.number(self.log)).unwrap_or_default();
            }
        }
        let [xx, xy, xz, yy, yz, zz] = moments;
        let inertia = Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
        let mass = mass?;
        if mass < 0.0 {
            self.log
                .refuse(&element.spot, format!("found the mass {mass}; expected one that is not negative"));
            return None;
        }
        (mass > 0.0).then(|| Inertial { mass, centre: Vec3::zeros(), inertia }.moved(&pose))
    }

    /// The shape of a `collision` or `visual` element.
    fn part(&mut self, of: &Element, surface: Option<usize>, link: &Element) -> Option<RobotPart> {
        let pose = self.origin(of);
        let shapes = of.child("geometry").map(|geometry| geometry.children.as_slice()).unwrap_or_default();
        let Some(shape) = shapes.first() else {
            self.log.refuse(&of.spot, format!("found no geometry in a {} of {}", of.tag, link.title()));
            return None;
        };
        let mut size = |name: &str| {
            let found = shape.needed(name, self.log)?;
            let number = found.number(self.log)?;
            if !(number > 0.0) {
                self.log
                    .refuse(&found.spot, format!("`{name}`: found {number}; expected a number above zero"));
                return None;
            }
            Some(number)
        };
        let shape = match shape.tag.as_str() {
            "sphere" => PartShape::Sphere { radius: size("radius")? },
            "cylinder" => {
                let (radius, length) = (size("radius"), size("length"));
                PartShape::Cylinder { radius: radius?, half_length: length? / 2.0 }
            }
            "capsule" => {
                let (radius, length) = (size("radius"), size("length"));
                PartShape::Capsule { radius: radius?, half_length: length? / 2.0 }
            }
            "box" => {
                let attribute = shape.needed("size", self.log)?;
                let size = attribute.triple(self.log)?;
                if size.iter().any(|length| !(*length > 0.0)) {
                    self.log.refuse(&attribute.spot, "`size`: expected three lengths above zero");
                    return None;
                }
                PartShape::Box(size)
            }
            "mesh" => return self.mesh(shape, of, link).map(|shape| RobotPart { shape, pose, surface }),
            _ => {
                let message = format!(
                    "the {} of {}, a {}, is left out: no such shape is known",
                    of.tag,
                    link.title(),
                    shape.tag
                );
                self.log.lose(&shape.spot, message);
                return None;
            }
        };
        Some(RobotPart { shape, pose, surface })
    }

    fn mesh(&mut self, shape: &Element, of: &Element, link: &Element) -> Option<PartShape> {
        let name = shape.needed("filename", self.log)?;
        let scale = shape.get("scale").map_or(Some([1.0; 3]), |scale| scale.triple(self.log))?;
        let path = package::find(&name.value, self.log.path(name.spot.file), &self.options.packages);
        match path.and_then(|path| self.meshes.find(&path, scale)) {
            Ok(usable) => Some(usable.shape),
            Err(reason) => {
                let message =
                    format!("the {} of {} is left out: {} {reason}", of.tag, link.title(), name.value);
                self.log.lose(&name.spot, message);
                None
            }
        }
    }

    /// Reads the joint above a body into it.
    fn joint(&mut self, element: &Element, body: &mut RobotBody) {
        body.pose = self.origin(element);
        let Some(kind) = element.needed("type", self.log) else { return };
        let freedom = match kind.value.as_str() {
            "fixed" => return,
            "revolute" | "continuous" => Freedom::Hinge,
            "prismatic" => Freedom::Slide,
            "planar" => Freedom::Plane,
            "floating" => Freedom::Free,
            other => {
                let known = "fixed, revolute, continuous, prismatic, planar or floating";
                self.log.refuse(&kind.spot, format!("found the type \"{other}\"; expected {known}"));
                return;
            }
        };
        let name = element.value("name").unwrap_or_default().to_owned();
        let mut joint = RobotJoint::new(name, element.spot.clone(), freedom);
        let axis = element.child("axis").and_then(|axis| axis.get("xyz"));
        let along = axis.map_or(Some([1.0, 0.0, 0.0]), |axis| axis.triple(self.log));
        let Some(along) = along.map(Vec3::from) else { return };
        match along.try_normalize(1e-9) {
            Some(along) => joint.axis = along,
            None if freedom == Freedom::Free => {}
            None => {
                let spot = axis.map_or(&element.spot, |axis| &axis.spot);
                self.log.refuse(spot, "found an axis of length zero; expected a direction");
            }
        }
        self.limits(element, kind.value == "continuous", &mut joint);
        if let Some(dynamics) = element.child("dynamics") {
            let mut number = |name| dynamics.get(name).and_then(|x| x.number(self.log)).unwrap_or_default();
            (joint.damping, joint.friction) = (number("damping"), number("friction"));
            if joint.damping < 0.0 || joint.friction < 0.0 {
                self.log.refuse(&dynamics.spot, "found damping or friction below zero; expected none");
            }
        }
        let known = ["origin", "parent", "child", "axis", "limit", "dynamics", "mimic"];
        for other in element.children.iter().filter(|child| !known.contains(&child.tag.as_str())) {
            self.log.lose(&other.spot, format!("{} of {}: not taken over", other.tag, element.title()));
        }
        body.joints.push(joint);
    }

    fn limits(&mut self, element: &Element, is_endless: bool, joint: &mut RobotJoint) {
        let Some(limit) = element.child("limit") else { return };
        let mut number = |name| limit.get(name).and_then(|x| x.number(self.log));
        let (lower, upper) = (number("lower"), number("upper"));
        joint.greatest_effort = number("effort").filter(|effort| *effort > 0.0);
        joint.greatest_rate = number("velocity").filter(|rate| *rate > 0.0);
        if is_endless || !joint.is_single() || (lower.is_none() && upper.is_none()) {
            return;
        }
        let range = [lower.unwrap_or_default(), upper.unwrap_or_default()];
        // What programs write of a joint that was given no limits.
        if range == [0.0, 0.0] {
            self.log.lose(&limit.spot, format!("limits of joint \"{}\", both zero: it has none", joint.name));
            return;
        }
        if range[0] > range[1] {
            let message = format!("found the upper limit {} below the lower {}", range[1], range[0]);
            self.log.refuse(&limit.spot, message);
            return;
        }
        joint.range = Some(range);
    }

    /// Joints that follow others.
    fn mimics(&mut self, bodies: &[RobotBody], joints: &[&Element]) -> Vec<Coupling> {
        let find = |name: &str| {
            let at = |body: &RobotBody| body.joints.iter().position(|joint| joint.name == name);
            bodies.iter().enumerate().find_map(|(k, body)| Some((k, at(body)?)))
        };
        let mut found = Vec::new();
        for element in joints {
            let Some(mimic) = element.child("mimic") else { continue };
            let Some(other) = mimic.needed("joint", self.log) else { continue };
            let mut number = |name, usual: f64| mimic.get(name).map_or(Some(usual), |x| x.number(self.log));
            let (factor, offset) = (number("multiplier", 1.0), number("offset", 0.0));
            if !joints.iter().any(|joint| joint.value("name") == Some(&other.value)) {
                let title = element.value("name").unwrap_or_default();
                self.lost_mimic(&mimic.spot, title, &other.value, "there is no such joint");
                continue;
            }
            let name = element.value("name").unwrap_or_default();
            let (Some(driven), Some(by), Some(factor), Some(offset)) =
                (find(name), find(&other.value), factor, offset)
            else {
                self.lost_mimic(&mimic.spot, name, &other.value, "one of them is fixed");
                continue;
            };
            let coupling = Coupling {
                name: format!("{name} follows {}", other.value),
                spot: mimic.spot.clone(),
                driven,
                by,
                factor,
                offset,
            };
            found.push(coupling);
        }
        found
    }

    fn lost_mimic(&mut self, spot: &Spot, name: &str, other: &str, reason: &str) {
        self.log.lose(spot, format!("joint \"{name}\" does not follow \"{other}\": {reason}"));
    }
}
