//! What acts on a relative coordinate φ of a joint (an angle or a distance): the generalised force Q and its
//! derivatives.
//!
//! | action | Q | stored, S | dissipated, −Q φ̇ − Ṡ |
//! |---|---|---|---|
//! | motor | none: the equation φ = f(t) of `motor.rs` | 0 | 0 here: its work is that of its equation |
//! | effort, also over time | T | 0 | −T φ̇ |
//! | control | k (f − φ) + c (ḟ − φ̇), at most ±T, f(t) as of a motor | 0 | −Q φ̇ |
//! | spring | −k (φ − φ₀) | ½k (φ − φ₀)² | 0 |
//! | damper | −c φ̇ | 0 | c φ̇² |
//! | friction | −T tanh(φ̇/w) − c φ̇ | 0 | T φ̇ tanh(φ̇/w) + c φ̇² |
//! | bearing | −μ r N tanh(φ̇/w) | 0 | μ r N φ̇ tanh(φ̇/w) |
//! | limit | ∓k δ (1 + c δ̇), never pulling; δ the depth beyond the limit | ½k δ² | k δ c δ̇², or −k δ δ̇ where it would pull |
//!
//! Friction is Coulomb's law made smooth: w is the rate at which 76 % of T act. That of a bearing of radius r grows
//! with the force N that the joint carries, as its multipliers say at the beginning of the step; N is constant within
//! the step, so that the derivatives stay symmetric. The damping of a limit is Hunt and Crossley's, which begins and
//! ends at zero force (K. H. Hunt, F. R. E. Crossley, J. Appl. Mech. 42 (1975) 440–445).

use super::motor::{MotionLaw, Table};
use super::{Joint, JointId, JointKind};
use crate::error::{DynamicsError, Result};
use crate::formula::Formula;

/// Which relative coordinate of a joint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Freedom {
    /// The angle from x of A to x of B about z; of a universal joint, from y of A to y of B about x of A.
    Turn,
    /// The second angle of a universal joint, from x of A to x of B about y of B.
    SecondTurn,
    /// The distance from A to B along z of A.
    Slide,
}

/// What acts on a relative coordinate. Forces are in N or N m, coordinates in m or rad.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Moves it as a function of time, whatever force that takes.
    Motor(MotionLaw),
    /// A constant force or torque.
    Effort(f64),
    /// A force or torque over time.
    EffortTable(Table),
    /// A force or torque by a formula of time.
    EffortFormula(Formula),
    /// Follows a motion by a force or torque with limited strength.
    Control(Control),
    /// A linear spring.
    Spring {
        /// k.
        stiffness: f64,
        /// φ₀.
        rest: f64,
    },
    /// A linear damper.
    Damper {
        /// c.
        damping: f64,
    },
    /// Smooth Coulomb friction and a viscous part.
    Friction {
        /// T.
        effort: f64,
        /// w, per second.
        rate: f64,
        /// c.
        viscous: f64,
    },
    /// Smooth Coulomb friction in a bearing that is loaded by the force in the joint.
    Bearing {
        /// μ.
        coefficient: f64,
        /// r, in m.
        radius: f64,
        /// w, per second.
        rate: f64,
    },
    /// One-sided springs at both ends of a range.
    Limit {
        /// The lower end; −∞ for none.
        lower: f64,
        /// The upper end; +∞ for none.
        upper: f64,
        /// k.
        stiffness: f64,
        /// c, in seconds per unit of the coordinate.
        damping: f64,
    },
}

/// A proportional and derivative control: Q = k (f − φ) + c (ḟ − φ̇), within ±T.
#[derive(Debug, Clone, PartialEq)]
pub struct Control {
    /// f(t).
    pub target: MotionLaw,
    /// k.
    pub stiffness: f64,
    /// c.
    pub damping: f64,
    /// T; infinite for no limit.
    pub limit: f64,
}

impl Control {
    fn effort(&self, time: f64, value: f64, rate: f64) -> Effort {
        let [target, target_rate, _] = self.target.at(time);
        let wanted = self.stiffness * (target - value) + self.damping * (target_rate - rate);
        if wanted.abs() >= self.limit {
            let force = self.limit.copysign(wanted);
            return Effort { force, dissipated: -force * rate, ..Effort::default() };
        }
        Effort {
            force: wanted,
            by_value: -self.stiffness,
            by_rate: -self.damping,
            dissipated: -wanted * rate,
            ..Effort::default()
        }
    }
}

/// An action on a joint.
#[derive(Debug, Clone, PartialEq)]
pub struct JointAction {
    /// The joint.
    pub joint: JointId,
    /// The coordinate.
    pub freedom: Freedom,
    /// What acts.
    pub action: Action,
}

/// Q, ∂Q/∂φ, ∂Q/∂φ̇, the energy stored and the power dissipated.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Effort {
    /// Of dry friction T tanh(φ̇/w)/φ̇ − T/(w cosh²(φ̇/w)) ≥ 0: what the slope lacks of that of a parabola which
    /// touches the dissipation potential T w ln cosh(φ̇/w) at φ̇, has its least value at zero and nowhere lies below
    /// it.
    pub(crate) steeper: f64,
    pub(crate) force: f64,
    pub(crate) by_value: f64,
    pub(crate) by_rate: f64,
    pub(crate) stored: f64,
    pub(crate) dissipated: f64,
}

impl Action {
    /// What acts at a time, φ and φ̇ while the joint carries the force `carried`.
    pub(crate) fn effort(&self, time: f64, value: f64, rate: f64, carried: f64) -> Effort {
        match *self {
            Self::Motor(_) => Effort::default(),
            Self::EffortTable(ref table) => {
                let force = table.at(time)[0];
                Effort { force, dissipated: -force * rate, ..Effort::default() }
            }
            Self::EffortFormula(ref formula) => {
                let force = formula.at(time)[0];
                Effort { force, dissipated: -force * rate, ..Effort::default() }
            }
            Self::Control(ref control) => control.effort(time, value, rate),
            Self::Effort(force) => Effort { force, dissipated: -force * rate, ..Effort::default() },
            Self::Spring { stiffness, rest } => {
                let x = value - rest;
                Effort {
                    force: -stiffness * x,
                    by_value: -stiffness,
                    stored: 0.5 * stiffness * x * x,
                    ..Effort::default()
                }
            }
            Self::Damper { damping } => {
                let dissipated = damping * rate * rate;
                Effort { force: -damping * rate, by_rate: -damping, dissipated, ..Effort::default() }
            }
            Self::Friction { effort, rate: w, viscous } => friction(effort, rate, w, viscous),
            Self::Bearing { coefficient, radius, rate: w } => {
                friction(coefficient * radius * carried, rate, w, 0.0)
            }
            Self::Limit { lower, upper, stiffness, damping } => {
                if value > upper {
                    push(value - upper, rate, stiffness, damping, -1.0)
                } else if value < lower {
                    push(lower - value, -rate, stiffness, damping, 1.0)
                } else {
                    Effort::default()
                }
            }
        }
    }

    /// Whether it says anything of a time: a table that refuses what lies beyond its times says nothing there.
    pub fn is_within(&self, time: f64) -> bool {
        match self {
            Self::Motor(law) | Self::Control(Control { target: law, .. }) => law.is_within(time),
            Self::EffortTable(table) => table.is_within(time),
            _ => true,
        }
    }

    /// Whether it is dry friction, whose force all but jumps where the motion turns back.
    pub(crate) fn is_dry_friction(&self) -> bool {
        matches!(self, Self::Friction { effort, .. } if *effort > 0.0) || matches!(self, Self::Bearing { .. })
    }

    /// The times at which the acceleration that it asks for jumps.
    pub fn corners(&self) -> Vec<f64> {
        match self {
            Self::Motor(law) | Self::Control(Control { target: law, .. }) => law.corners(),
            _ => Vec::new(),
        }
    }

    /// The formula of time that it follows, if it is one.
    pub fn formula(&self) -> Option<&Formula> {
        match self {
            Self::Motor(MotionLaw::Formula(formula))
            | Self::Control(Control { target: MotionLaw::Formula(formula), .. })
            | Self::EffortFormula(formula) => Some(formula),
            _ => None,
        }
    }

    /// Whether its numbers make sense.
    fn check(&self, what: &str) -> Result<()> {
        let refuse = |field: &str, value: f64, allowed: &'static str| {
            Err(DynamicsError::OutOfRange { field: format!("{field} of {what}"), value, allowed })
        };
        let finite = |field: &str, value: f64| match value.is_finite() {
            true => Ok(()),
            false => refuse(field, value, "finite"),
        };
        let not_negative = |field: &str, value: f64| match value >= 0.0 && value.is_finite() {
            true => Ok(()),
            false => refuse(field, value, "not negative and finite"),
        };
        match *self {
            Self::Motor(ref law) => law.check(what),
            Self::Effort(effort) => finite("effort", effort),
            Self::EffortTable(_) | Self::EffortFormula(_) => Ok(()),
            Self::Control(Control { ref target, stiffness, damping, limit }) => {
                not_negative("stiffness", stiffness)?;
                not_negative("damping", damping)?;
                if !(limit > 0.0) {
                    return refuse("limit", limit, "above zero");
                }
                target.check(what)
            }
            Self::Spring { stiffness, rest } => {
                not_negative("stiffness", stiffness)?;
                finite("rest", rest)
            }
            Self::Damper { damping } => not_negative("damping", damping),
            Self::Friction { effort, rate, viscous } => {
                not_negative("effort", effort)?;
                not_negative("viscous", viscous)?;
                if rate > 0.0 { Ok(()) } else { refuse("rate", rate, "above zero") }
            }
            Self::Bearing { coefficient, radius, rate } => {
                not_negative("coefficient", coefficient)?;
                not_negative("radius", radius)?;
                if rate > 0.0 { Ok(()) } else { refuse("rate", rate, "above zero") }
            }
            Self::Limit { lower, upper, stiffness, damping } => {
                not_negative("stiffness", stiffness)?;
                not_negative("damping", damping)?;
                if lower <= upper { Ok(()) } else { refuse("upper", upper, "not below the lower end") }
            }
        }
    }
}

/// T tanh(φ̇/w) + c φ̇ against the rate.
fn friction(effort: f64, rate: f64, w: f64, viscous: f64) -> Effort {
    let (x, t) = (rate / w, libm::tanh(rate / w));
    let secant = if x == 0.0 { 1.0 } else { t / x };
    Effort {
        force: -effort * t - viscous * rate,
        by_rate: -effort * (1.0 - t * t) / w - viscous,
        steeper: effort * (secant - (1.0 - t * t)) / w,
        dissipated: (effort * t + viscous * rate) * rate,
        ..Effort::default()
    }
}

/// k δ (1 + c δ̇) in the direction `sign` of the coordinate, nothing where it would pull.
fn push(depth: f64, rate: f64, stiffness: f64, damping: f64, sign: f64) -> Effort {
    let factor = 1.0 + damping * rate;
    let stored = 0.5 * stiffness * depth * depth;
    if factor <= 0.0 {
        return Effort { stored, dissipated: -stiffness * depth * rate, ..Effort::default() };
    }
    // δ and δ̇ grow against the direction of the push, hence minus for both ends.
    Effort {
        force: sign * stiffness * depth * factor,
        by_value: -stiffness * factor,
        by_rate: -stiffness * depth * damping,
        stored,
        dissipated: stiffness * depth * damping * rate * rate,
        ..Effort::default()
    }
}

impl JointAction {
    /// Whether the joint has the coordinate and the numbers make sense.
    pub(crate) fn check(&self, joints: &[Joint]) -> Result<()> {
        let Some(joint) = joints.get(self.joint.0) else {
            return Err(DynamicsError::Invalid {
                what: "an action".to_owned(),
                reason: format!("joint number {} does not exist", self.joint.0),
            });
        };
        use Freedom::{SecondTurn, Slide, Turn};
        let has = match joint.kind {
            JointKind::Revolute => self.freedom == Turn,
            JointKind::Universal => matches!(self.freedom, Turn | SecondTurn),
            JointKind::Cylindrical | JointKind::Screw { .. } => matches!(self.freedom, Turn | Slide),
            JointKind::Prismatic => self.freedom == Slide,
            _ => false,
        };
        if !has {
            return Err(DynamicsError::Invalid {
                what: format!("an action on joint {}", joint.name),
                reason: format!("the joint has no coordinate {:?}", self.freedom),
            });
        }
        let held = matches!(joint.kind, JointKind::Revolute | JointKind::Universal);
        if matches!(self.action, Action::Bearing { .. }) && !held {
            return Err(DynamicsError::Invalid {
                what: format!("a bearing in joint {}", joint.name),
                reason: "only revolute and universal joints have bearings".to_owned(),
            });
        }
        self.action.check(&format!("an action on joint {}", joint.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives_agree_with_differences_and_limits_never_pull() {
        let limit = Action::Limit { lower: -0.5, upper: 0.4, stiffness: 50.0, damping: 0.8 };
        let target = MotionLaw::Rate { start: 0.1, rate: 0.3 };
        let control = Control { target, stiffness: 4.0, damping: 0.5, limit: 3.0 };
        let actions = [
            Action::Effort(-1.5),
            Action::Spring { stiffness: 3.0, rest: 0.2 },
            Action::Damper { damping: 0.7 },
            Action::Friction { effort: 2.0, rate: 0.1, viscous: 0.3 },
            Action::Bearing { coefficient: 0.2, radius: 0.5, rate: 0.1 },
            Action::Control(control.clone()),
            limit.clone(),
        ];
        let h = 1e-6;
        for action in &actions {
            for (x, v) in [(0.1, 0.05), (0.6, 0.3), (0.6, -0.7), (-0.8, 0.2), (-0.8, -0.9), (0.7, -2.0)] {
                let e = action.effort(0.2, x, v, 7.0);
                let by_value = (action.effort(0.2, x + h, v, 7.0).force
                    - action.effort(0.2, x - h, v, 7.0).force)
                    / (2.0 * h);
                let by_rate = (action.effort(0.2, x, v + h, 7.0).force
                    - action.effort(0.2, x, v - h, 7.0).force)
                    / (2.0 * h);
                assert!((e.by_value - by_value).abs() < 1e-6, "{action:?}");
                assert!((e.by_rate - by_rate).abs() < 1e-6, "{action:?}");
                // The parabola above the potential of friction has its least value at zero.
                assert!(e.steeper >= 0.0, "{action:?} at {v}");
                let parabola = (e.by_rate - e.steeper) * v;
                assert!(!action.is_dry_friction() || (e.force - parabola).abs() < 1e-12, "{action:?} at {v}");
                // What the work does not store is dissipated, and never negative but for a drive's.
                let storing = (action.effort(0.2, x + h, v, 7.0).stored
                    - action.effort(0.2, x - h, v, 7.0).stored)
                    / (2.0 * h)
                    * v;
                assert!((e.dissipated + e.force * v + storing).abs() < 1e-6, "{action:?} at {x}, {v}");
                assert!(
                    e.dissipated >= 0.0 || matches!(action, Action::Effort(_) | Action::Control(_)),
                    "{action:?}"
                );
            }
        }
        for (x, v) in [(0.6, -5.0), (0.6, 5.0), (-0.8, 5.0), (-0.8, -5.0)] {
            assert!(limit.effort(0.2, x, v, 7.0).force * x <= 0.0);
        }
    }
}
