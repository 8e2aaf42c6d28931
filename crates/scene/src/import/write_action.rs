//! What acts on the coordinates of a joint.
//!
//! Limits are springs. Theirs is the stiffness k = J (2π f)²: J is the inertia of all that the joint moves, about its
//! axis at the start (for slides, the mass), so that it swings against its stop at the frequency f.

use super::joints::Holding;
use super::log::Log;
use super::robot::{Drive, DriveKind, Freedom, RobotJoint, steiner};
use super::toml::{angle, number, remark};
use super::write::Scenery;
use std::f64::consts::TAU;
use std::fmt::Write;

/// The frequency f of limits in Hz: steps of a millisecond resolve it, and gravity bends it by g/(L (2πf)²), a few
/// millirad.
const LIMIT_HZ: f64 = 15.0;
/// The frequency of the control that holds a joint where it begins, in Hz, critically damped.
const HOLD_HZ: f64 = 5.0;
/// The rate at which 76 % of a joint's friction act, in rad/s or m/s.
const TRANSITION: f64 = 0.01;

/// Entries of a joint, by their key.
#[derive(Default)]
pub(super) struct Acting {
    motor: Vec<String>,
    spring: Vec<String>,
    damper: Vec<String>,
    friction: Vec<String>,
    limits: Vec<String>,
    effort: Vec<String>,
    remarks: Vec<String>,
}

impl Acting {
    pub(super) fn add(
        &mut self,
        scenery: &Scenery<'_>,
        k: usize,
        joint: &RobotJoint,
        on: &str,
        shift: f64,
        log: &mut Log,
    ) {
        let entry = |keys: &[(&str, f64)]| {
            let is_angle = |key: &str| {
                joint.freedom == Freedom::Hinge && ["lower", "upper", "start", "rest"].contains(&key)
            };
            let said = |key: &str, x: f64| if is_angle(key) { angle(x) } else { number(x) };
            let mut keys: Vec<String> =
                keys.iter().map(|(key, x)| format!("{key} = {}", said(key, *x))).collect();
            if let ([one], true) = (keys.as_slice(), on.is_empty())
                && let Some(value) = one.strip_prefix("value = ")
            {
                return value.to_owned();
            }
            if !on.is_empty() {
                keys.push(format!("on = \"{on}\""));
            }
            format!("{{ {} }}", keys.join(", "))
        };
        let moved = moved_inertia(scenery, k, joint);
        if let Some([lower, upper]) = joint.range {
            let stiffness = rounded(moved * (TAU * LIMIT_HZ).powi(2));
            let damping = if joint.freedom == Freedom::Slide { 10.0 } else { 1.0 };
            let ends = [("lower", lower - shift), ("upper", upper - shift)];
            self.limits.push(entry(&[ends[0], ends[1], ("stiffness", stiffness), ("damping", damping)]));
        }
        if let Some([stiffness, rest]) = joint.spring {
            self.spring.push(entry(&[("stiffness", stiffness), ("rest", rest - shift)]));
        }
        if joint.damping != 0.0 {
            self.damper.push(entry(&[("damping", joint.damping)]));
        }
        if joint.friction != 0.0 {
            self.friction.push(entry(&[("effort", joint.friction), ("transition", TRANSITION)]));
        }
        for drive in &joint.drives {
            self.drive(drive, &entry, shift, log);
        }
        self.hold(scenery, joint, moved, &entry, shift);
    }

    /// A drive as it acts while its signal is that of the source at rest.
    fn drive(&mut self, drive: &Drive, entry: &impl Fn(&[(&str, f64)]) -> String, shift: f64, log: &mut Log) {
        let mut control = |first: [(&str, f64); 2], others: &[(&str, f64)]| {
            if !self.motor.is_empty() {
                log.lose(
                    &drive.spot,
                    format!("actuator \"{}\" is left out: its joint has another control", drive.name),
                );
                return;
            }
            let limit = drive.limit.map(|limit| ("limit", limit));
            let keys: Vec<(&str, f64)> =
                first.into_iter().chain(others.iter().copied()).chain(limit).collect();
            self.motor.push(entry(&keys));
        };
        match drive.kind {
            DriveKind::Effort(effort) => {
                self.effort.push(entry(&[("value", effort)]));
            }
            DriveKind::Position { stiffness, damping, target } => {
                control(
                    [("rate", 0.0), ("start", target - shift)],
                    &[("stiffness", stiffness), ("damping", damping)],
                );
            }
            DriveKind::Velocity { damping, rate } => {
                control([("rate", rate), ("damping", damping)], &[]);
            }
        }
        let limit =
            drive.limit.map_or_else(String::new, |limit| format!(", at most {} in size", number(limit)));
        let what = match drive.kind {
            DriveKind::Effort(_) => "effort",
            DriveKind::Position { .. } | DriveKind::Velocity { .. } => "motor",
        };
        self.remarks.push(format!("{what}: actuator \"{}\" with its signal at rest{limit}", drive.name));
    }

    /// A control that keeps the joint where it begins, where it was asked for and nothing else does.
    fn hold(
        &mut self,
        scenery: &Scenery<'_>,
        joint: &RobotJoint,
        moved: f64,
        entry: &impl Fn(&[(&str, f64)]) -> String,
        shift: f64,
    ) {
        let mut given = Vec::new();
        given.extend(joint.greatest_effort.map(|effort| format!("effort {}", number(effort))));
        given.extend(joint.greatest_rate.map(|rate| format!("rate {}", number(rate))));
        if !given.is_empty() {
            self.remarks.push(format!("by its source at most {}", given.join(" and ")));
        }
        if scenery.options.hold && self.motor.is_empty() {
            let omega = TAU * HOLD_HZ;
            let mut keys = vec![("rate", 0.0), ("start", joint.value - shift)];
            keys.extend([
                ("stiffness", rounded(moved * omega * omega)),
                ("damping", rounded(2.0 * moved * omega)),
            ]);
            keys.extend(joint.greatest_effort.map(|effort| ("limit", effort)));
            self.motor.push(entry(&keys));
        }
    }

    pub(super) fn write(self, out: &mut String) {
        for (key, entries) in [
            ("motor", self.motor),
            ("spring", self.spring),
            ("damper", self.damper),
            ("friction", self.friction),
            ("limits", self.limits),
            ("effort", self.effort),
        ] {
            match entries.as_slice() {
                [] => {}
                [one] => _ = writeln!(out, "{key} = {one}"),
                several => _ = writeln!(out, "{key} = [{}]", several.join(", ")),
            }
        }
        for said in self.remarks {
            writeln!(out, "# {}", remark(&said)).ok();
        }
    }
}

/// Three digits: stiffnesses that are chosen here are no measurements.
fn rounded(x: f64) -> f64 {
    format!("{x:.2e}").parse().unwrap_or(x)
}

/// The inertia about a joint's axis of all that hangs on it, at the start; of a slide, the mass.
fn moved_inertia(scenery: &Scenery<'_>, k: usize, joint: &RobotJoint) -> f64 {
    let (point, axis) =
        (scenery.poses[k].point_to_world(&joint.point), scenery.poses[k].vector_to_world(&joint.axis));
    let bodies = &scenery.robot.bodies;
    let mut hangs = vec![false; bodies.len()];
    let mut sum = joint.armature;
    for (i, body) in bodies.iter().enumerate().skip(k) {
        let is_free = matches!(scenery.holdings[i], Holding::Free);
        hangs[i] = i == k || (!is_free && body.parent.is_some_and(|parent| hangs[parent]));
        let Some(inertial) = body.inertial.filter(|_| hangs[i]) else { continue };
        let inertial = inertial.moved(&scenery.poses[i]);
        let turning = inertial.inertia + inertial.mass * steiner(&(inertial.centre - point));
        sum += if joint.freedom == Freedom::Slide { inertial.mass } else { axis.dot(&(turning * axis)) };
    }
    // Where a large mass is on the axis rounding may leave less than nothing.
    sum.max(0.0)
}

/// Tells what of a joint is lost because nothing can act on it.
pub(super) fn lose_actions(joint: &RobotJoint, reason: &str, log: &mut Log) {
    let mut lost = Vec::new();
    for (is_there, what) in [
        (joint.range.is_some(), "limits"),
        (joint.damping != 0.0, "damping"),
        (joint.friction != 0.0, "friction"),
        (joint.spring.is_some(), "spring"),
    ] {
        lost.extend(is_there.then(|| what.to_owned()));
    }
    lost.extend(joint.drives.iter().map(|drive| format!("actuator \"{}\"", drive.name)));
    if !lost.is_empty() {
        log.lose(&joint.spot, format!("{} of joint \"{}\": left out, {reason}", lost.join(", "), joint.name));
    }
}
