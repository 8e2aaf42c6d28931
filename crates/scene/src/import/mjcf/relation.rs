//! What relates bodies and joints beside the tree: equalities, and contacts that there are not.

use super::super::log::Spot;
use super::super::robot::{Closure, Coupling};
use super::super::xml::{Attribute, Element};
use super::Reading;
use rattleback_geom::Vec3;

impl Reading<'_> {
    pub(super) fn relations(&mut self, root: &Element) {
        for element in root.all("equality").flat_map(|section| &section.children) {
            if element.value("active") == Some("false") {
                self.log
                    .lose(&element.spot, format!("equality {}: left out, it is not active", element.title()));
                continue;
            }
            let outcome = match element.tag.as_str() {
                "connect" => self.closure(element, true),
                "weld" => self.closure(element, false),
                "joint" => self.coupling(element),
                _ => Err("no joint of a scene does it".to_owned()),
            };
            if let Err(reason) = outcome {
                self.log.lose(&element.spot, format!("equality {}: left out, {reason}", element.title()));
            }
        }
        for element in root.all("contact").flat_map(|section| &section.children) {
            if element.tag != "exclude" {
                self.log.lose(
                    &element.spot,
                    format!("contact {}: left out, pairs touch by their surfaces", element.title()),
                );
                continue;
            }
            let [a, b] = ["body1", "body2"].map(|key| element.needed(key, self.log).cloned());
            if let (Some(a), Some(b)) = (a, b)
                && let (Some(a), Some(b)) = (self.find_body(&a), self.find_body(&b))
            {
                self.robot.excluded.push(([a, b], "excluded by the source".to_owned()));
            }
        }
    }

    fn find_body(&mut self, name: &Attribute) -> Option<usize> {
        let found = self.robot.bodies.iter().position(|body| body.name == name.value);
        if found.is_none() {
            self.log.refuse(&name.spot, format!("no body is named \"{}\"", name.value));
        }
        found
    }

    /// Two bodies held at a point, or as they stand.
    fn closure(&mut self, element: &Element, at_point: bool) -> Result<(), String> {
        let Some(one) = element.get("body1") else { return Err("it is between sites".to_owned()) };
        let other = element.get("body2").map_or(Some(0), |other| self.find_body(other));
        let (Some(one), Some(other)) = (self.find_body(one), other) else { return Ok(()) };
        let anchor = element.get("anchor").filter(|_| at_point).map(|anchor| anchor.triple(self.log));
        let point = match anchor {
            Some(None) => return Ok(()),
            Some(Some(point)) => Some(Vec3::from(point)),
            None => at_point.then(Vec3::zeros),
        };
        if element
            .get("relpose")
            .is_some_and(|pose| pose.value.split_whitespace().skip(3).take(1).any(|w| w.parse() != Ok(0.0)))
        {
            self.log.lose(
                &element.spot,
                format!("relpose of {}: the bodies are held as they stand", element.title()),
            );
        }
        let usual = format!("{} {}", element.tag, self.robot.closures.len() + 1);
        let name = element.value("name").map_or(usual, str::to_owned);
        self.robot.closures.push(Closure { name, bodies: [one, other], point });
        Ok(())
    }

    /// q₁ − q₁⁰ = c₀ + c₁ (q₂ − q₂⁰).
    fn coupling(&mut self, element: &Element) -> Result<(), String> {
        let (Some(one), Some(other)) = (element.value("joint1"), element.value("joint2")) else {
            return Err("it names one joint".to_owned());
        };
        let coefficients =
            element.get("polycoef").map_or(Some(vec![0.0, 1.0]), |found| found.numbers(1, 5, self.log));
        let Some(c) = coefficients else { return Ok(()) };
        if c.iter().skip(2).any(|c| *c != 0.0) {
            return Err("its polynomial is no straight line".to_owned());
        }
        let (factor, constant) = (c.get(1).copied().unwrap_or(0.0), c[0]);
        let (Some(driven), Some(by)) =
            (self.find_joint(one, &element.spot), self.find_joint(other, &element.spot))
        else {
            return Ok(());
        };
        let zero = |(body, joint): (usize, usize)| self.robot.bodies[body].joints[joint].zero;
        let offset = zero(driven) + constant - factor * zero(by);
        let name = format!("{one} follows {other}");
        let spot = element.spot.clone();
        self.robot.couplings.push(Coupling { name, spot, driven, by, factor, offset });
        Ok(())
    }

    fn find_joint(&mut self, name: &str, spot: &Spot) -> Option<(usize, usize)> {
        let mut bodies = self.robot.bodies.iter().enumerate();
        let at =
            bodies.find_map(|(k, body)| Some((k, body.joints.iter().position(|joint| joint.name == name)?)));
        if at.is_none() {
            self.log.refuse(spot, format!("no joint is named \"{name}\""));
        }
        at
    }
}
