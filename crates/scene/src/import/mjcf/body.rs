//! The tree of bodies.

use super::super::robot::{Inertial, RobotBody};
use super::super::xml::Element;
use super::Reading;
use rattleback_geom::{Mat3, Pose, Vec3};
use std::collections::BTreeSet;

/// Where in the tree an element stands: its body, the pose of frames between both, the class around it.
#[derive(Clone, Copy)]
struct Within<'e> {
    body: usize,
    pose: Pose,
    class: Option<&'e str>,
}

impl Reading<'_> {
    /// The world and all bodies in it.
    pub(super) fn world(&mut self, root: &Element) {
        let spot = root.child("worldbody").map_or(&root.spot, |world| &world.spot).clone();
        self.robot.bodies.push(RobotBody {
            name: "world".to_owned(),
            spot,
            parent: None,
            pose: Pose::identity(),
            joints: Vec::new(),
            inertial: None,
            parts: Vec::new(),
            colour: None,
            merged: Vec::new(),
            remarks: Vec::new(),
        });
        for world in root.all("worldbody") {
            self.children(
                world,
                Within { body: 0, pose: Pose::identity(), class: world.value("childclass") },
            );
        }
        self.check_weights();
        self.check_names(root);
        if let Some(total) = self.compiler.total_mass {
            let found: f64 =
                self.robot.bodies.iter().filter_map(|body| body.inertial).map(|inertial| inertial.mass).sum();
            for inertial in self.robot.bodies.iter_mut().filter_map(|body| body.inertial.as_mut()) {
                inertial.mass *= total / found;
                inertial.inertia *= total / found;
            }
        }
    }

    fn children(&mut self, element: &Element, within: Within<'_>) {
        for child in &element.children {
            if let Some(class) = child.get("class").or(child.get("childclass"))
                && !self.defaults.has(&class.value)
            {
                self.log.refuse(&class.spot, format!("no class is named \"{}\"", class.value));
                continue;
            }
            match child.tag.as_str() {
                "body" => self.body(child, within),
                "frame" => {
                    let inner = self.frame(child);
                    let class = child.value("childclass").or(within.class);
                    self.children(child, Within { pose: within.pose.compose(&inner), class, ..within });
                }
                "geom" => self.geom(child, within.class, within.body, &within.pose),
                "joint" | "freejoint" if within.body == 0 => {
                    self.log.refuse(&child.spot, "found a joint of the world; expected one of a body");
                }
                "joint" | "freejoint" => {
                    let body = &self.robot.bodies[within.body];
                    let number = body.joints.len();
                    let usual =
                        if number == 0 { body.name.clone() } else { format!("{} {}", body.name, number + 1) };
                    if let Some(joint) = self.joint(child, within.class, usual) {
                        self.robot.bodies[within.body].joints.push(joint.seen_from(&within.pose.inverse()));
                    }
                }
                "inertial" => {}
                "site" => self.log.lose(&child.spot, format!("{}: not taken over", child.title())),
                "camera" | "light" => self.unused(&format!("{}: not taken over", child.tag), &child.spot),
                "composite" | "flexcomp" | "replicate" | "attach" => {
                    self.log.refuse(
                        &child.spot,
                        format!("found <{}>; expected bodies that are written out", child.tag),
                    );
                }
                _ => self.log.lose(&child.spot, format!("{}: not taken over", child.title())),
            }
        }
    }

    fn frame(&mut self, element: &Element) -> Pose {
        let view = self.defaults.view(element, "frame", None);
        self.compiler.pose(&view, self.log)
    }

    fn body(&mut self, element: &Element, within: Within<'_>) {
        let number = self.robot.bodies.len();
        let pose = within.pose.compose(&self.frame(element));
        let name = element.value("name").map_or_else(|| format!("body {number}"), str::to_owned);
        let class = element.value("childclass").or(within.class);
        for (name, what) in [("mocap", "stands still"), ("gravcomp", "has its whole weight")] {
            if let Some(found) =
                element.get(name).filter(|found| !["0", "false"].contains(&found.value.as_str()))
            {
                self.log.lose(&found.spot, format!("{name} of {}: it {what}", element.title()));
            }
        }
        self.robot.bodies.push(RobotBody {
            name,
            spot: element.spot.clone(),
            parent: Some(within.body),
            pose,
            joints: Vec::new(),
            inertial: None,
            parts: Vec::new(),
            colour: None,
            merged: Vec::new(),
            remarks: Vec::new(),
        });
        let inner = Within { body: number, pose: Pose::identity(), class };
        self.children(element, inner);
        if let Some(inertial) = element.child("inertial")
            && self.compiler.inertia_from_geoms != Some(true)
        {
            self.robot.bodies[number].inertial = self.inertial(inertial);
            self.unweighed.retain(|(body, _)| *body != number);
        } else if self.compiler.inertia_from_geoms == Some(false) {
            self.robot.bodies[number].inertial = None;
        }
        let (least, least_inertia) = (self.compiler.least_mass, self.compiler.least_inertia);
        if let Some(inertial) = &mut self.robot.bodies[number].inertial {
            inertial.mass = inertial.mass.max(least);
            for k in 0..3 {
                inertial.inertia[(k, k)] = inertial.inertia[(k, k)].max(least_inertia);
            }
        }
    }

    fn inertial(&mut self, element: &Element) -> Option<Inertial> {
        let view = self.defaults.view(element, "inertial", None);
        let pose = self.compiler.pose(&view, self.log);
        let mass = element.needed("mass", self.log)?.number(self.log)?;
        let inertia = match (element.get("fullinertia"), element.get("diaginertia")) {
            (Some(full), _) => {
                let n = full.numbers(6, 6, self.log)?;
                Mat3::new(n[0], n[3], n[4], n[3], n[1], n[5], n[4], n[5], n[2])
            }
            (None, Some(moments)) => Mat3::from_diagonal(&Vec3::from(moments.triple(self.log)?)),
            (None, None) => Mat3::zeros(),
        };
        if mass < 0.0 {
            self.log
                .refuse(&element.spot, format!("found the mass {mass}; expected one that is not negative"));
            return None;
        }
        (mass > 0.0).then(|| Inertial { mass, centre: Vec3::zeros(), inertia }.moved(&pose))
    }

    /// Complains of bodies that move and whose mass lacks that of a geom.
    fn check_weights(&mut self) {
        let bodies = &self.robot.bodies;
        let mut moves = vec![false; bodies.len()];
        for (k, body) in bodies.iter().enumerate() {
            moves[k] = !body.joints.is_empty() || body.parent.is_some_and(|parent| moves[parent]);
        }
        for (body, spot) in std::mem::take(&mut self.unweighed) {
            if moves[body] {
                let message = format!(
                    "the mass of body \"{}\" lacks that of a mesh that is left out",
                    self.robot.bodies[body].name
                );
                self.log.refuse_with_help(
                    &spot,
                    message,
                    "an <inertial> of the body says its mass without it",
                );
            }
        }
    }

    /// Names must tell bodies and joints apart.
    fn check_names(&mut self, root: &Element) {
        let (mut bodies, mut joints) = (BTreeSet::new(), BTreeSet::new());
        for body in &self.robot.bodies {
            if !bodies.insert(&body.name) {
                self.log.refuse(&body.spot, format!("the name \"{}\" is taken already", body.name));
            }
            for joint in &body.joints {
                if !joints.insert(&joint.name) {
                    self.log.refuse(&joint.spot, format!("the name \"{}\" is taken already", joint.name));
                }
            }
        }
        if self.robot.bodies.len() == 1 && self.log.is_content() {
            self.log.refuse(&root.spot, "found no body; expected one at least");
        }
    }
}
