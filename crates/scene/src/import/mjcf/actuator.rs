//! Actuators on joints, with their signals at rest.
//!
//! An actuator exerts gear · f on its joint's coordinate q, f = gain(u) + bias(ℓ, ℓ̇), ℓ = gear · q, within
//! `forcerange`:
//!
//! | actuator | f | taken as |
//! |---|---|---|
//! | `motor` | u | an effort |
//! | `position` | kp (u − ℓ) − kv ℓ̇ | a control of stiffness gear² kp and damping gear² kv about u/gear |
//! | `velocity` | kv (u − ℓ̇) | a control of damping gear² kv |
//! | `general`, affine | g u + b₀ + b₁ ℓ + b₂ ℓ̇ | one of these, by its coefficients |
//!
//! The signal u is zero, or the end of `ctrlrange` that is nearest to it.

use super::super::robot::{Drive, DriveKind};
use super::super::xml::Element;
use super::Reading;

/// What an actuator says: its ranges where they are in force, and what of it is left out.
struct Given {
    gear: f64,
    force: Affine,
    signals: Option<[f64; 2]>,
    forces: Option<[f64; 2]>,
    left_out: Vec<&'static str>,
}

/// f = gain u + b₀ + b₁ ℓ + b₂ ℓ̇.
struct Affine {
    gain: f64,
    bias: [f64; 3],
}

impl Reading<'_> {
    pub(super) fn actuators(&mut self, section: &Element) {
        for element in &section.children {
            if let Err(reason) = self.actuator(element) {
                self.log.lose(&element.spot, format!("actuator {}: left out, {reason}", element.title()));
            }
        }
    }

    fn actuator(&mut self, element: &Element) -> Result<(), String> {
        if !["motor", "position", "velocity", "general"].contains(&element.tag.as_str()) {
            return Err(format!("a {} is no drive of a joint", element.tag));
        }
        let joint = element.value("joint").or(element.value("jointinparent"));
        let Some(on) = joint.map(str::to_owned) else { return Err("it acts on no joint".to_owned()) };
        let given = self.given(element)?;
        for what in given.left_out {
            self.unused(what, &element.spot);
        }
        let signal =
            given.signals.filter(|[a, b]| a <= b).map_or(0.0, |[lower, upper]| 0f64.clamp(lower, upper));
        let kind = given.force.drive(signal, given.gear)?;
        let most = |[a, b]: [f64; 2]| a.abs().max(b.abs());
        let by_signal = given.signals.filter(|_| matches!(kind, DriveKind::Effort(_)));
        let by_signal = by_signal.map(|signals| most(signals) * given.force.gain.abs());
        let limit = [given.forces.map(most), by_signal].into_iter().flatten().reduce(f64::min);
        let limit = limit.map(|limit| limit * given.gear.abs()).filter(|limit| *limit > 0.0);
        let mut joints = self.robot.bodies.iter_mut().flat_map(|body| &mut body.joints);
        let Some(joint) = joints.find(|joint| joint.name == on) else {
            self.log.refuse(&element.spot, format!("no joint is named \"{on}\""));
            return Ok(());
        };
        if !joint.is_single() {
            return Err("its joint has no single coordinate".to_owned());
        }
        let name = element.value("name").unwrap_or(&on).to_owned();
        joint.drives.push(Drive { name, spot: element.spot.clone(), kind, limit });
        Ok(())
    }

    /// What an actuator says, with its defaults.
    fn given(&mut self, element: &Element) -> Result<Given, String> {
        let (tag, log) = (element.tag.as_str(), &mut *self.log);
        let own = self.defaults.view(element, tag, None);
        // All actuators are `general` ones beneath, and share its defaults.
        let general = self.defaults.view(element, "general", None);
        let get = |name: &str| own.get(name).or_else(|| general.get(name));
        let text = |name: &str| get(name).map(|found| found.value.as_str());
        let autolimits = self.compiler.autolimits;
        let mut list = |name: &str| get(name).and_then(|found| found.numbers(1, 10, log));
        let mut range = |name: &str, limited: &str| {
            let found = list(name).filter(|range| range.len() == 2).map(|range| [range[0], range[1]]);
            let is_limited = match text(limited) {
                Some("true") => true,
                Some("false") => false,
                _ => autolimits,
            };
            found.filter(|_| is_limited)
        };
        let (signals, forces) = (range("ctrlrange", "ctrllimited"), range("forcerange", "forcelimited"));
        let mut first = |name: &str, usual: f64| list(name).map_or(usual, |numbers| numbers[0]);
        let (gear, kp, dampratio) = (first("gear", 1.0), first("kp", 1.0), first("dampratio", 0.0));
        let mut left_out = Vec::new();
        let is_dynamic =
            tag != "general" && get("timeconst").is_some() || !matches!(text("dyntype"), None | Some("none"));
        left_out.extend(is_dynamic.then_some("actuator dynamics: signals act at once"));
        left_out.extend((dampratio != 0.0).then_some("actuator dampratio: left out"));
        let force = match tag {
            "motor" => Affine { gain: 1.0, bias: [0.0; 3] },
            "position" => Affine { gain: kp, bias: [0.0, -kp, -first("kv", 0.0)] },
            "velocity" => {
                let kv = first("kv", 1.0);
                Affine { gain: kv, bias: [0.0, 0.0, -kv] }
            }
            _ => {
                let (gains, biases) = (text("gaintype"), text("biastype"));
                if !matches!(gains, None | Some("fixed")) || !matches!(biases, None | Some("none" | "affine"))
                {
                    return Err("its gain or bias is not affine".to_owned());
                }
                let bias = list("biasprm").filter(|_| biases == Some("affine")).unwrap_or_default();
                let bias = [0, 1, 2].map(|k| bias.get(k).copied().unwrap_or(0.0));
                Affine { gain: list("gainprm").map_or(1.0, |gain| gain[0]), bias }
            }
        };
        Ok(Given { gear, force, signals, forces, left_out })
    }
}

impl Affine {
    /// How it drives a coordinate at a constant signal.
    fn drive(&self, signal: f64, gear: f64) -> Result<DriveKind, String> {
        let [b0, b1, b2] = self.bias;
        let constant = self.gain * signal + b0;
        if gear == 0.0 {
            return Err("its gear is zero".to_owned());
        }
        if b1 > 0.0 || b2 > 0.0 {
            return Err("its bias drives the joint away".to_owned());
        }
        let damping = -b2 * gear * gear;
        Ok(match (b1 < 0.0, b2 < 0.0) {
            (true, _) => {
                DriveKind::Position { stiffness: -b1 * gear * gear, damping, target: constant / -b1 / gear }
            }
            (false, true) => DriveKind::Velocity { damping, rate: constant / -b2 / gear },
            (false, false) => DriveKind::Effort(constant * gear),
        })
    }
}
