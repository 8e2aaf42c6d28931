//! What acts on a joint's coordinate: motors, springs, dampers, friction, limits, constant efforts.
//!
//! Each stands under its name in the joint, as one table or as a list of them. It acts on the joint's turn, or on its
//! slide where it has no turn; `on` says otherwise where a joint has several coordinates. What is left out is as at the
//! start: a spring rests where the joint stands, a motor of a given rate sets out from there.
//!
//! | key | fields |
//! |---|---|
//! | `motor` | `motor.rs` |
//! | `spring` | `stiffness`, `rest` |
//! | `damper` | `damping` |
//! | `friction` | `effort`, `transition`, `viscous` |
//! | `bearing` | `coefficient`, `radius`, `transition` |
//! | `limits` | `lower`, `upper`, `stiffness`, `damping` |
//! | `effort` | a number, or `value` and `on`, or `times` and `values` with `interpolation`, `ends`, `beyond` and `on`, or `expression` and `on` |

mod bearing;
mod motor;
mod several;

pub use bearing::JointBearingSpec;
pub use motor::MotorSpec;
pub use several::Several;

use super::amount::{Amount, Aspect, Measure};
use super::force::{BeyondSpec, EndsSpec, InterpolationSpec, interpolation};
use super::formula::FormulaSpec;
use super::joint_frame::JointFrames;
use crate::read::{At, Definitions, Field, Place, Range, Reader, SourceValue, Time, Value, entry, words};
use rattleback_dynamics::Ends;
use rattleback_dynamics::joint::{Action, Freedom, Table};
use serde_json::{Value as Json, json};

words! {
    /// A coordinate of a joint.
    pub enum JointFreedomSpec {
        /// The angle about the joint's axis; of a universal joint, about its first axis.
        "turn" => Turn,
        /// The angle about the second axis of a universal joint.
        "second_turn" => SecondTurn,
        /// The distance along the joint's axis.
        "slide" => Slide,
    }
}

entry! {
    /// A linear spring on a joint's coordinate.
    pub struct JointSpringSpec {
        /// Torque per angle, or force per length.
        stiffness: At<Amount>,
        /// The angle or length at which it is at rest; that at the start by default.
        rest: Option<At<Amount>>,
        /// The coordinate.
        on: Option<JointFreedomSpec>,
    }
}

entry! {
    /// A linear damper on a joint's coordinate.
    pub struct JointDamperSpec {
        /// Torque per angular velocity, or force per velocity.
        damping: At<Amount>,
        /// The coordinate.
        on: Option<JointFreedomSpec>,
    }
}

entry! {
    /// Coulomb friction in a joint, smooth about zero rate, with a viscous part.
    pub struct JointFrictionSpec {
        /// The torque or force at large rates.
        effort: At<Amount>,
        /// The rate at which 76 % of it act.
        transition: At<Amount>,
        /// Torque or force per rate, added to it; none by default.
        viscous: Option<At<Amount>>,
        /// The coordinate.
        on: Option<JointFreedomSpec>,
    }
}

entry! {
    /// Springs at the ends of a joint's range.
    pub struct JointLimitsSpec {
        /// The lower end; none by default.
        lower: Option<At<Amount>>,
        /// The upper end; none by default.
        upper: Option<At<Amount>>,
        /// Torque or force per angle or length beyond an end.
        stiffness: At<Amount>,
        /// Hunt and Crossley's damping, in seconds per angle or length; none by default.
        damping: Option<At<Amount>>,
        /// The coordinate.
        on: Option<JointFreedomSpec>,
    }
}

entry! {
    /// A constant torque or force on a joint's coordinate.
    pub struct JointEffortOnSpec {
        /// The torque or force.
        value: At<Amount>,
        /// The coordinate.
        on: Option<JointFreedomSpec>,
    }
}

entry! {
    /// A torque or force over time on a joint's coordinate.
    pub struct JointEffortTableSpec {
        /// Two times at least, each after the one before it.
        times: Vec<Time>,
        /// The torque or force at each time.
        values: Vec<At<Amount>>,
        /// What lies between the times.
        interpolation: InterpolationSpec = InterpolationSpec::Linear,
        /// How cubics begin and end; natural by default.
        ends: Option<EndsSpec>,
        /// What lies before the first time and after the last.
        beyond: BeyondSpec = BeyondSpec::Hold,
        /// The coordinate.
        on: Option<JointFreedomSpec>,
    }
}

entry! {
    /// A torque or force on a joint's coordinate by an expression of time.
    pub struct JointEffortFormulaSpec {
        /// The torque or force as an expression of the time `t`.
        expression: At<FormulaSpec>,
        /// The coordinate.
        on: Option<JointFreedomSpec>,
    }
}

/// A torque or force: the number alone, a table that says on which coordinate, values over time or an expression of it.
#[derive(Debug, Clone, PartialEq)]
pub enum JointEffortSpec {
    /// The number.
    Plain(At<Amount>),
    /// With the coordinate.
    On(JointEffortOnSpec),
    /// Over time.
    Table(JointEffortTableSpec),
    /// By an expression of time.
    Formula(JointEffortFormulaSpec),
}

impl Field for JointEffortSpec {
    fn read(node: &SourceValue, reader: &mut Reader) -> Option<Self> {
        match node.value {
            Value::Table(_) if node.get("times").is_some() => Field::read(node, reader).map(Self::Table),
            Value::Table(_) if node.get("expression").is_some() => {
                Field::read(node, reader).map(Self::Formula)
            }
            Value::Table(_) => Field::read(node, reader).map(Self::On),
            _ => Field::read(node, reader).map(Self::Plain),
        }
    }

    fn schema(definitions: &mut Definitions) -> Json {
        let ways = [
            Amount::schema(definitions),
            JointEffortOnSpec::schema(definitions),
            JointEffortTableSpec::schema(definitions),
            JointEffortFormulaSpec::schema(definitions),
        ];
        definitions.define(
            "JointEffortSpec",
            &mut |_| json!({"description": "A torque or force on a joint's coordinate, constant or over time.", "anyOf": ways}),
        )
    }
}

/// The coordinates of a joint and where they stand at the start.
pub(crate) struct Coordinates<'j> {
    /// The joint's type.
    pub(crate) kind: &'static str,
    /// What it has, the usual one at first.
    pub(crate) freedoms: &'static [Freedom],
    pub(crate) joint_frames: &'j JointFrames,
}

/// The coordinate on which something acts.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Coordinate {
    freedom: Freedom,
    measure: Measure,
    /// Its value at the start.
    start: f64,
}

/// All that acts on a joint.
pub(crate) struct Actions<'j> {
    pub(crate) motor: &'j Several<MotorSpec>,
    pub(crate) spring: &'j Several<JointSpringSpec>,
    pub(crate) damper: &'j Several<JointDamperSpec>,
    pub(crate) friction: &'j Several<JointFrictionSpec>,
    pub(crate) bearing: &'j Several<JointBearingSpec>,
    pub(crate) limits: &'j Several<JointLimitsSpec>,
    pub(crate) effort: &'j Several<JointEffortSpec>,
}

impl Coordinates<'_> {
    fn find(&self, on: Option<JointFreedomSpec>, place: &Place, reader: &mut Reader) -> Option<Coordinate> {
        let freedom = match on {
            None => self.freedoms[0],
            Some(JointFreedomSpec::Turn) => Freedom::Turn,
            Some(JointFreedomSpec::SecondTurn) => Freedom::SecondTurn,
            Some(JointFreedomSpec::Slide) => Freedom::Slide,
        };
        if !self.freedoms.contains(&freedom) {
            let known: Vec<String> = self.freedoms.iter().map(|f| format!("`{}`", word(*f))).collect();
            let message =
                format!("a {} joint has no {}; expected {}", self.kind, word(freedom), known.join(" or "));
            reader.wrong(place, "on", message);
            return None;
        }
        Some(self.coordinate(freedom))
    }

    fn coordinate(&self, freedom: Freedom) -> Coordinate {
        // Columns are the axes of B in those of A.
        let (r, universal) = (self.joint_frames.apart.rotation(), self.kind == "universal");
        let start = match freedom {
            Freedom::Slide => self.joint_frames.apart.position.z,
            Freedom::SecondTurn => r[(0, 2)].atan2(r[(0, 0)]),
            Freedom::Turn if universal => r[(2, 1)].atan2(r[(1, 1)]),
            Freedom::Turn => r[(1, 0)].atan2(r[(0, 0)]),
        };
        let measure = if freedom == Freedom::Slide { Measure::Length } else { Measure::Angle };
        Coordinate { freedom, measure, start }
    }
}

fn word(freedom: Freedom) -> &'static str {
    match freedom {
        Freedom::Turn => "turn",
        Freedom::SecondTurn => "second_turn",
        Freedom::Slide => "slide",
    }
}

/// The number, or `default` where there is none.
fn or(
    amount: Option<&At<Amount>>,
    default: f64,
    mut take: impl FnMut(&At<Amount>) -> Option<f64>,
) -> Option<f64> {
    amount.map_or(Some(default), &mut take)
}

type Acting = Option<(Freedom, Action)>;

impl JointSpringSpec {
    fn lower(&self, joint: &Coordinates<'_>, reader: &mut Reader) -> Acting {
        let Coordinate { freedom, measure, start } = joint.find(self.on, &self.place, reader)?;
        let stiffness = self.stiffness.take(Aspect::Stiffness, measure, Range::NotNegative, reader);
        let rest = or(self.rest.as_ref(), start, |x| x.take(Aspect::Value, measure, Range::Finite, reader));
        Some((freedom, Action::Spring { stiffness: stiffness?, rest: rest? }))
    }
}

impl JointDamperSpec {
    fn lower(&self, joint: &Coordinates<'_>, reader: &mut Reader) -> Acting {
        let Coordinate { freedom, measure, .. } = joint.find(self.on, &self.place, reader)?;
        let damping = self.damping.take(Aspect::Damping, measure, Range::NotNegative, reader)?;
        Some((freedom, Action::Damper { damping }))
    }
}

impl JointFrictionSpec {
    fn lower(&self, joint: &Coordinates<'_>, reader: &mut Reader) -> Acting {
        let Coordinate { freedom, measure, .. } = joint.find(self.on, &self.place, reader)?;
        let effort = self.effort.take(Aspect::Effort, measure, Range::NotNegative, reader);
        let rate = self.transition.take(Aspect::Rate, measure, Range::Positive, reader);
        let viscous =
            or(self.viscous.as_ref(), 0.0, |x| x.take(Aspect::Damping, measure, Range::NotNegative, reader));
        Some((freedom, Action::Friction { effort: effort?, rate: rate?, viscous: viscous? }))
    }
}

impl JointLimitsSpec {
    fn lower(&self, joint: &Coordinates<'_>, reader: &mut Reader) -> Acting {
        let Coordinate { freedom, measure, .. } = joint.find(self.on, &self.place, reader)?;
        let mut end = |at: Option<&At<Amount>>, none: f64| {
            or(at, none, |x| x.take(Aspect::Value, measure, Range::Finite, reader))
        };
        let lower = end(self.lower.as_ref(), f64::NEG_INFINITY);
        let upper = end(self.upper.as_ref(), f64::INFINITY);
        let stiffness = self.stiffness.take(Aspect::Stiffness, measure, Range::NotNegative, reader);
        let damping =
            or(self.damping.as_ref(), 0.0, |x| x.take(Aspect::Slowness, measure, Range::NotNegative, reader));
        if self.lower.is_none() && self.upper.is_none() {
            reader.wrong(&self.place, "", "found no end; expected `lower`, `upper` or both");
            return None;
        }
        let (lower, upper) = (lower?, upper?);
        if lower > upper {
            let message = format!("found {upper}, below the lower end {lower}; expected an end above it");
            reader.wrong(&self.place, "upper", message);
            return None;
        }
        Some((freedom, Action::Limit { lower, upper, stiffness: stiffness?, damping: damping? }))
    }
}

impl JointEffortSpec {
    fn lower(&self, joint: &Coordinates<'_>, reader: &mut Reader) -> Acting {
        let (value, Coordinate { freedom, measure, .. }) = match self {
            Self::Plain(value) => (value, joint.coordinate(joint.freedoms[0])),
            Self::On(spec) => (&spec.value, joint.find(spec.on, &spec.place, reader)?),
            Self::Table(spec) => return spec.lower(joint, reader),
            Self::Formula(spec) => {
                let Coordinate { freedom, measure, .. } = joint.find(spec.on, &spec.place, reader)?;
                let formula = spec.expression.take(Aspect::Effort, measure, reader)?;
                return Some((freedom, Action::EffortFormula(formula)));
            }
        };
        let effort = value.take(Aspect::Effort, measure, Range::Finite, reader)?;
        Some((freedom, Action::Effort(effort)))
    }
}

impl JointEffortTableSpec {
    fn lower(&self, joint: &Coordinates<'_>, reader: &mut Reader) -> Acting {
        let Coordinate { freedom, measure, .. } = joint.find(self.on, &self.place, reader)?;
        let between = interpolation(self.interpolation, self.ends, Ends::Natural, &self.place, reader);
        let (times, values) =
            motor::table((&self.times, &self.values), Aspect::Effort, measure, &self.place, reader)?;
        let table = Table::new(&times, &values, between?, self.beyond.into());
        Some((freedom, Action::EffortTable(motor::made(table, &self.place, reader)?)))
    }
}

impl Actions<'_> {
    /// All of them: motors, springs, dampers, friction, bearings, limits, efforts.
    pub(crate) fn lower(
        &self,
        joint: &Coordinates<'_>,
        reader: &mut Reader,
    ) -> Option<Vec<(Freedom, Action)>> {
        let mut found: Vec<Acting> = Vec::new();
        let mut driven: Vec<Freedom> = Vec::new();
        for motor in &self.motor.0 {
            let action = motor.lower(joint, reader);
            if let Some((freedom, _)) = &action {
                // The coordinates of a screw move together.
                if driven.contains(freedom) || joint.kind == "screw" && !driven.is_empty() {
                    let message = format!("found a second motor on the {}; expected one", word(*freedom));
                    reader.wrong(motor.place(), "on", message);
                }
                driven.push(*freedom);
            }
            found.push(action);
        }
        found.extend(self.spring.0.iter().map(|spec| spec.lower(joint, reader)));
        found.extend(self.damper.0.iter().map(|spec| spec.lower(joint, reader)));
        found.extend(self.friction.0.iter().map(|spec| spec.lower(joint, reader)));
        found.extend(self.bearing.0.iter().map(|spec| spec.lower(joint, reader)));
        found.extend(self.limits.0.iter().map(|spec| spec.lower(joint, reader)));
        found.extend(self.effort.0.iter().map(|spec| spec.lower(joint, reader)));
        found.into_iter().collect()
    }
}
