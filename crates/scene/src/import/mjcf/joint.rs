//! Joints of a body.

use super::super::robot::{Freedom, RobotJoint};
use super::super::xml::Element;
use super::Reading;
use rattleback_geom::Vec3;

/// What MuJoCo's solver of constraints is told of limits and friction.
const SOFT: [&str; 5] = ["solreflimit", "solimplimit", "solreffriction", "solimpfriction", "margin"];

impl Reading<'_> {
    /// The joint of an element in a body; `usual` is its name where it has none.
    pub(super) fn joint(
        &mut self,
        element: &Element,
        class: Option<&str>,
        usual: String,
    ) -> Option<RobotJoint> {
        let name = element.value("name").map_or(usual, str::to_owned);
        let spot = element.spot.clone();
        if element.tag == "freejoint" {
            return Some(RobotJoint::new(name, spot, Freedom::Free));
        }
        let view = self.defaults.view(element, "joint", class);
        let log = &mut *self.log;
        let freedom = match view.value("type").unwrap_or("hinge") {
            "hinge" => Freedom::Hinge,
            "slide" => Freedom::Slide,
            "ball" => Freedom::Ball,
            "free" => Freedom::Free,
            other => {
                log.refuse(&spot, format!("found the type \"{other}\"; expected hinge, slide, ball or free"));
                return None;
            }
        };
        let mut joint = RobotJoint::new(name, spot, freedom);
        if freedom == Freedom::Free {
            return Some(joint);
        }
        joint.point = Vec3::from(view.get("pos").and_then(|pos| pos.triple(log)).unwrap_or_default());
        let axis = view.get("axis").map_or(Some([0.0, 0.0, 1.0]), |axis| axis.triple(log));
        match Vec3::from(axis?).try_normalize(1e-9) {
            Some(axis) => joint.axis = axis,
            None => log.refuse(&joint.spot, "found an axis of length zero; expected a direction"),
        }
        self.acting(&mut joint, element, class);
        Some(joint)
    }

    /// What acts on a joint, and its range.
    fn acting(&mut self, joint: &mut RobotJoint, element: &Element, class: Option<&str>) {
        let view = self.defaults.view(element, "joint", class);
        let log = &mut *self.log;
        let unit = if joint.freedom == Freedom::Slide { 1.0 } else { self.compiler.angle };
        joint.zero = view.number("ref", 0.0, log) * unit;
        joint.value = joint.zero;
        let range = view.get("range").and_then(|range| range.numbers(2, 2, log));
        let is_limited = match view.value("limited") {
            Some("true") => true,
            Some("false") => false,
            _ => self.compiler.autolimits && range.is_some(),
        };
        joint.range = range.filter(|_| is_limited).map(|range| [range[0] * unit, range[1] * unit]);
        if joint.range.is_some_and(|[lower, upper]| lower > upper) {
            log.refuse(&joint.spot, "found a range whose end is below its beginning");
            joint.range = None;
        }
        let mut first = |name| view.get(name).and_then(|x| x.numbers(1, 3, log)).map_or(0.0, |x| x[0]);
        let (stiffness, damping, friction) = (first("stiffness"), first("damping"), first("frictionloss"));
        let rest = view.number("springref", 0.0, log) * unit;
        joint.spring = (stiffness > 0.0).then_some([stiffness, rest]);
        (joint.damping, joint.friction) = (damping.max(0.0), friction.max(0.0));
        joint.armature = view.number("armature", 0.0, log).max(0.0);
        let effort = view.get("actuatorfrcrange").and_then(|range| range.numbers(2, 2, log));
        joint.greatest_effort = effort.map(|range| range[0].abs().max(range[1].abs()));
        let soft: Vec<&str> = SOFT.into_iter().filter(|name| view.get(name).is_some()).collect();
        let springdamper = view.get("springdamper").map(|found| found.spot.clone());
        for name in soft {
            self.unused(&format!("joint {name}: limits and friction are those of the scene"), &element.spot);
        }
        if let Some(spot) = springdamper {
            self.unused("joint springdamper: left out", &spot);
        }
    }
}
