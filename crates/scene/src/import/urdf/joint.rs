//! Joints, and those that follow others.

use super::super::log::Spot;
use super::super::robot::{Coupling, Freedom, RobotBody, RobotJoint};
use super::super::xml::{Element, LARGEST};
use super::Reading;
use rattleback_geom::Vec3;

impl Reading<'_> {
    /// Reads the joint above a body into it.
    pub(super) fn joint(&mut self, element: &Element, body: &mut RobotBody) {
        body.pose = self.origin(element);
        let Some(kind) = element.needed("type", self.log) else { return };
        let freedom = match kind.value.as_str() {
            "fixed" => return,
            "revolute" | "continuous" => Freedom::Hinge,
            "prismatic" => Freedom::Slide,
            "planar" => Freedom::Plane,
            "floating" => Freedom::Free,
            // Not of the format's own words; PyBullet and others read it.
            "spherical" => Freedom::Ball,
            other => {
                let known = "fixed, revolute, continuous, prismatic, planar, spherical or floating";
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
            None if matches!(freedom, Freedom::Free | Freedom::Ball) => {}
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
        let mut number = |name| limit.get(name).and_then(|x| x.bound(self.log));
        let (lower, upper) = (number("lower"), number("upper"));
        let mut greatest = |name| number(name).filter(|bound| *bound > 0.0 && *bound < LARGEST);
        (joint.greatest_effort, joint.greatest_rate) = (greatest("effort"), greatest("velocity"));
        if is_endless || (lower.is_none() && upper.is_none()) {
            return;
        }
        if !joint.is_single() {
            let message =
                format!("limits of joint \"{}\", which has several coordinates: not taken over", joint.name);
            self.log.lose(&limit.spot, message);
            return;
        }
        let range = [lower.unwrap_or_default(), upper.unwrap_or_default()];
        // What programs write of a joint that was given no limits.
        if range == [0.0, 0.0] {
            self.log.lose(&limit.spot, format!("limits of joint \"{}\", both zero: it has none", joint.name));
            return;
        }
        if range == [-LARGEST, LARGEST] {
            let message = format!("limits of joint \"{}\", beyond {LARGEST:e}: it has none", joint.name);
            self.log.lose(&limit.spot, message);
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
    pub(super) fn mimics(&mut self, bodies: &[RobotBody], joints: &[&Element]) -> Vec<Coupling> {
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
