//! URDF: links and the joints between them.
//!
//! A joint's frame is that of its child link: `origin` is its pose in the parent link at the coordinate zero, `axis`
//! is in it. A fixed joint is one without coordinates, which makes the child part of its parent. Links are read in
//! `link.rs`, joints in `joint.rs`; here they become a tree.

mod joint;
mod link;

use super::ImportOptions;
use super::log::Log;
use super::mesh::Meshes;
use super::robot::{Freedom, Robot, RobotBody, RobotJoint, SurfaceKind};
use super::xml::Element;
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::{Pose, Vec3};
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
        let bodies = self.follow(first, links, &below);
        if bodies.len() < links.len() && self.log.is_content() {
            let reached = |name: &str| bodies.iter().any(|body| body.name == name);
            if let Some((name, link)) = links.iter().find(|(name, _)| !reached(name)) {
                self.log.refuse(&link.spot, format!("link \"{name}\" hangs on itself; expected a tree"));
            }
        }
        bodies
    }

    /// The bodies from a link on, parents before children.
    fn follow(
        &mut self,
        first: &str,
        links: &BTreeMap<&str, &Element>,
        below: &BTreeMap<&str, Vec<(&Element, &str)>>,
    ) -> Vec<RobotBody> {
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
}
