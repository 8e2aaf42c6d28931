//! Motors: a joint's coordinate as a given function f of time, in one of five ways.
//!
//! | keys | f |
//! |---|---|
//! | `rate`, `start`; `ramp`, `profile` | start + rate · t; the rate grows from none within the time `ramp` |
//! | `to`, `duration`; `from`, `begin`, `profile` | from one value to another, at rest before and after |
//! | `amplitude`, `frequency`, `phase`, `mean` | mean + amplitude · sin(2π frequency · t + phase) |
//! | `times`, `values`; `interpolation`, `ends`, `beyond` | a curve through them |
//! | `expression` | an expression of `t` |
//!
//! A motor moves the coordinate whatever that takes. With `stiffness` k, `damping` c or both it is a control that
//! follows f: it exerts k (f − φ) + c (ḟ − φ̇), no more than `limit`.
//!
//! Tables stay between their values (`interpolation` = "monotone") and hold the last one; where they do, they begin and
//! end at rest, so that no rate jumps.

use super::super::amount::{Amount, Aspect, Measure, as_many, times};
use super::super::force::{EndsSpec, InterpolationSpec, interpolation};
use super::super::formula::FormulaSpec;
use super::super::frequency::CircularFrequency;
use super::{Coordinate, Coordinates, JointFreedomSpec, or};
use crate::read::{
    Angle, At, Definitions, Field, Place, Range, Reader, SourceValue, Time, Value, entry, number, words,
};
use rattleback_dynamics::joint::{Action, Control, Freedom, MotionLaw, Profile, Table};
use rattleback_dynamics::{Beyond, Ends};
use serde_json::{Value as Json, json};

words! {
    /// How a motion begins and ends.
    pub enum ProfileSpec {
        /// With constant acceleration; a move has a third of its time each to speed up, to go on and to slow down.
        "ramp" => Ramp,
        /// With an acceleration that does not jump.
        "s_curve" => SCurve,
    }
}

words! {
    /// What lies before the first time of a motor's table and after the last.
    pub enum MotorBeyondSpec {
        /// The first and the last value.
        "hold" => Hold,
        /// Straight on, with the rate at the end.
        "continue" => Continue,
        /// The table again and again; its last value is the first.
        "repeat" => Repeat,
        /// Nothing: a run that is longer is refused.
        "refuse" => Refuse,
    }
}

/// A motor's table: its own keys, and what every motor has.
macro_rules! motor {
    ($(#[doc = $doc:literal])+ $name:ident { $($own:tt)* }) => {
        entry! {
            $(#[doc = $doc])+
            pub struct $name {
                $($own)*
                /// The coordinate.
                on: Option<JointFreedomSpec>,
                /// Torque or force per angle or length behind the motion; the motor is then a control.
                stiffness: Option<At<Amount>>,
                /// Torque or force per rate behind that of the motion; the motor is then a control.
                damping: Option<At<Amount>>,
                /// The greatest torque or force of a control; none by default.
                limit: Option<At<Amount>>,
            }
        }

        impl $name {
            fn gains(&self) -> Gains<'_> {
                let gains = [&self.stiffness, &self.damping, &self.limit].map(Option::as_ref);
                Gains { gains, on: self.on, place: &self.place }
            }
        }
    };
}

motor! {
    /// A motor of constant rate.
    MotorRateSpec {
        /// The angular velocity or velocity.
        rate: At<Amount>,
        /// The angle or length at time zero; that at the start by default.
        start: Option<At<Amount>>,
        /// The time within which the rate grows from none; at once by default.
        ramp: Option<Time>,
        /// How it grows: with constant acceleration by default.
        profile: Option<ProfileSpec>,
    }
}

motor! {
    /// A motor that moves from one value to another.
    MotorMoveSpec {
        /// The angle or length at the end.
        to: At<Amount>,
        /// That at the beginning; that at the start by default.
        from: Option<At<Amount>>,
        /// When it begins.
        begin: Time = Time(0.0),
        /// How long it takes.
        duration: Time,
        /// How it begins and ends.
        profile: ProfileSpec = ProfileSpec::SCurve,
    }
}

motor! {
    /// A motor that swings.
    MotorHarmonicSpec {
        /// The angle or length by which it swings to either side.
        amplitude: At<Amount>,
        /// How often it swings.
        frequency: CircularFrequency,
        /// The phase of the sine at time zero.
        phase: Angle = Angle(0.0),
        /// The middle; zero by default.
        mean: Option<At<Amount>>,
    }
}

motor! {
    /// A motor that follows a table.
    MotorTableSpec {
        /// Two times at least, each after the one before it.
        times: Vec<Time>,
        /// The angle or length at each time.
        values: Vec<At<Amount>>,
        /// What lies between the times; straight lines for a control alone.
        interpolation: InterpolationSpec = InterpolationSpec::Monotone,
        /// How cubics begin and end: at rest by default, and natural where they continue or nothing lies beyond.
        ends: Option<EndsSpec>,
        /// What lies before the first time and after the last.
        beyond: MotorBeyondSpec = MotorBeyondSpec::Hold,
    }
}

motor! {
    /// A motor that follows an expression of time.
    MotorFormulaSpec {
        /// The angle or length as an expression of the time `t`.
        expression: At<FormulaSpec>,
    }
}

/// A motor, in one of five ways.
#[derive(Debug, Clone, PartialEq)]
pub enum MotorSpec {
    /// By its rate.
    Rate(MotorRateSpec),
    /// By where it goes.
    Move(MotorMoveSpec),
    /// By amplitude and frequency.
    Harmonic(MotorHarmonicSpec),
    /// By times and values.
    Table(MotorTableSpec),
    /// By an expression of time.
    Formula(MotorFormulaSpec),
}

/// What makes a motor a control, and where it acts.
struct Gains<'s> {
    /// Stiffness, damping, limit.
    gains: [Option<&'s At<Amount>>; 3],
    on: Option<JointFreedomSpec>,
    place: &'s Place,
}

/// How a motor may be given.
const ONE_WAY: &str = "by `rate`, by `to` and `duration`, by `amplitude` and `frequency`, by `times` and `values`, or by \
                       an `expression` of `t`";

impl Field for MotorSpec {
    fn read(node: &SourceValue, reader: &mut Reader) -> Option<Self> {
        let ways: [&[&str]; 5] = [
            &["rate", "start", "ramp"],
            &["to", "from", "begin", "duration"],
            &["amplitude", "frequency", "phase", "mean"],
            &["times", "values", "interpolation", "ends", "beyond"],
            &["expression"],
        ];
        let has = |keys: &&[&str]| keys.iter().any(|key| node.get(key).is_some());
        let chosen: Vec<usize> = (0..5).filter(|way| has(&ways[*way])).collect();
        match (&node.value, chosen.as_slice()) {
            (Value::Table(_), [0]) => Field::read(node, reader).map(Self::Rate),
            (Value::Table(_), [1]) => Field::read(node, reader).map(Self::Move),
            (Value::Table(_), [2]) => Field::read(node, reader).map(Self::Harmonic),
            (Value::Table(_), [3]) => Field::read(node, reader).map(Self::Table),
            (Value::Table(_), [4]) => Field::read(node, reader).map(Self::Formula),
            (Value::Table(_), [first, second, ..]) => {
                let key = |way: &usize| ways[*way].iter().find(|key| node.get(key).is_some());
                let (first, second) = (key(first).copied(), key(second).copied());
                let (first, second) = (first.unwrap_or_default(), second.unwrap_or_default());
                let place = node.get(second).unwrap_or(node);
                let message = format!(
                    "found `{first}` and `{second}`, which say the motion in two ways; expected one of them"
                );
                reader.refuse(&place.span, message);
                None
            }
            _ => {
                reader.expected(node, &format!("a motor {ONE_WAY}"));
                None
            }
        }
    }

    fn schema(definitions: &mut Definitions) -> Json {
        let ways = [
            MotorRateSpec::schema(definitions),
            MotorMoveSpec::schema(definitions),
            MotorHarmonicSpec::schema(definitions),
            MotorTableSpec::schema(definitions),
            MotorFormulaSpec::schema(definitions),
        ];
        definitions.define("MotorSpec", &mut |_| {
            json!({"description": "A motor: by its rate, by where it goes, by amplitude and frequency, by times and values, or by an expression of time.", "anyOf": ways})
        })
    }
}

impl MotorSpec {
    fn gains(&self) -> Gains<'_> {
        match self {
            Self::Rate(spec) => spec.gains(),
            Self::Move(spec) => spec.gains(),
            Self::Harmonic(spec) => spec.gains(),
            Self::Table(spec) => spec.gains(),
            Self::Formula(spec) => spec.gains(),
        }
    }

    /// Where it stands.
    pub(super) fn place(&self) -> &Place {
        self.gains().place
    }

    pub(super) fn lower(&self, joint: &Coordinates<'_>, reader: &mut Reader) -> Option<(Freedom, Action)> {
        let gains = self.gains();
        let coordinate = joint.find(gains.on, gains.place, reader)?;
        let law = match self {
            Self::Rate(spec) => spec.law(&coordinate, reader),
            Self::Move(spec) => spec.law(&coordinate, reader),
            Self::Harmonic(spec) => spec.law(&coordinate, reader),
            Self::Table(spec) => spec.law(&coordinate, reader),
            Self::Formula(spec) => spec.law(&coordinate, reader),
        };
        Some((coordinate.freedom, gains.action(law?, coordinate.measure, reader)?))
    }
}

impl Gains<'_> {
    /// The motor, or the control that follows the same motion.
    fn action(&self, law: MotionLaw, measure: Measure, reader: &mut Reader) -> Option<Action> {
        let [stiffness, damping, limit] = self.gains;
        if stiffness.is_none() && damping.is_none() {
            if limit.is_some() {
                let message = "found the limit of a motor that moves whatever it takes; expected it with `stiffness` or \
                               `damping`, which make it a control";
                reader.wrong(self.place, "limit", message);
                return None;
            }
            return Some(Action::Motor(law));
        }
        let mut take = |amount: Option<&At<Amount>>, aspect, none: f64, range| {
            or(amount, none, |x| x.take(aspect, measure, range, reader))
        };
        let stiffness = take(stiffness, Aspect::Stiffness, 0.0, Range::NotNegative);
        let damping = take(damping, Aspect::Damping, 0.0, Range::NotNegative);
        let limit = take(limit, Aspect::Effort, f64::INFINITY, Range::Positive);
        let control = Control { target: law, stiffness: stiffness?, damping: damping?, limit: limit? };
        Some(Action::Control(control))
    }
}

impl From<ProfileSpec> for Profile {
    fn from(profile: ProfileSpec) -> Self {
        match profile {
            ProfileSpec::Ramp => Self::Ramp,
            ProfileSpec::SCurve => Self::SCurve,
        }
    }
}

impl MotorRateSpec {
    fn law(&self, &Coordinate { measure, start, .. }: &Coordinate, reader: &mut Reader) -> Option<MotionLaw> {
        let rate = self.rate.take(Aspect::Rate, measure, Range::Finite, reader);
        let start = or(self.start.as_ref(), start, |x| x.take(Aspect::Value, measure, Range::Finite, reader));
        let Some(ramp) = self.ramp else {
            if self.profile.is_some() {
                reader.wrong(
                    &self.place,
                    "profile",
                    "found a profile of a rate that is there at once; expected it with `ramp`",
                );
                return None;
            }
            return Some(MotionLaw::Rate { start: start?, rate: rate? });
        };
        let ramp = number(&self.place, "ramp", ramp.0, Range::Positive, reader);
        let profile = self.profile.map_or(Profile::Ramp, Profile::from);
        Some(MotionLaw::RampedRate { start: start?, rate: rate?, ramp: ramp?, profile })
    }
}

impl MotorMoveSpec {
    fn law(&self, &Coordinate { measure, start, .. }: &Coordinate, reader: &mut Reader) -> Option<MotionLaw> {
        let to = self.to.take(Aspect::Value, measure, Range::Finite, reader);
        let from = or(self.from.as_ref(), start, |x| x.take(Aspect::Value, measure, Range::Finite, reader));
        let begin = number(&self.place, "begin", self.begin.0, Range::Finite, reader);
        let duration = number(&self.place, "duration", self.duration.0, Range::Positive, reader);
        let (begin, duration, profile) = (begin?, duration?, self.profile.into());
        Some(MotionLaw::Move { ends: [from?, to?], begin, duration, profile })
    }
}

impl MotorHarmonicSpec {
    fn law(&self, &Coordinate { measure, .. }: &Coordinate, reader: &mut Reader) -> Option<MotionLaw> {
        let amplitude = self.amplitude.take(Aspect::Value, measure, Range::Finite, reader);
        let frequency = number(&self.place, "frequency", self.frequency.0, Range::Finite, reader);
        let phase = number(&self.place, "phase", self.phase.0, Range::Finite, reader);
        let mean = or(self.mean.as_ref(), 0.0, |x| x.take(Aspect::Value, measure, Range::Finite, reader));
        Some(MotionLaw::Harmonic { mean: mean?, amplitude: amplitude?, frequency: frequency?, phase: phase? })
    }
}

impl MotorTableSpec {
    fn law(&self, &Coordinate { measure, .. }: &Coordinate, reader: &mut Reader) -> Option<MotionLaw> {
        let (beyond, ends) = match self.beyond {
            MotorBeyondSpec::Hold => (Beyond::Hold, Ends::AtRest),
            MotorBeyondSpec::Continue => (Beyond::Continue, Ends::Natural),
            MotorBeyondSpec::Repeat => (Beyond::Repeat, Ends::Periodic),
            MotorBeyondSpec::Refuse => (Beyond::Refuse, Ends::Natural),
        };
        let is_control = self.stiffness.is_some() || self.damping.is_some();
        if self.interpolation == InterpolationSpec::Linear && self.times.len() > 2 && !is_control {
            reader.wrong(
                &self.place,
                "interpolation",
                "found straight lines for a motor that moves whatever it takes: its rate jumps, which takes an \
                 infinite force; expected \"monotone\" or \"spline\", or `stiffness` or `damping` of a control",
            );
            return None;
        }
        let between = interpolation(self.interpolation, self.ends, ends, &self.place, reader);
        let values = (&self.times[..], &self.values[..]);
        table(values, Aspect::Value, measure, &self.place, reader)
            .and_then(|(times, values)| {
                made(Table::new(&times, &values, between?, beyond), &self.place, reader)
            })
            .map(MotionLaw::Table)
    }
}

impl MotorFormulaSpec {
    fn law(&self, &Coordinate { measure, .. }: &Coordinate, reader: &mut Reader) -> Option<MotionLaw> {
        let is_control = self.stiffness.is_some() || self.damping.is_some();
        let help = ", or `stiffness` or `damping` of a control";
        let formula = match is_control {
            true => self.expression.take(Aspect::Value, measure, reader),
            false => self.expression.take_smooth(Aspect::Value, measure, help, reader),
        };
        formula.map(MotionLaw::Formula)
    }
}

/// Times and as many values of an aspect.
pub(super) fn table(
    (moments, values): (&[Time], &[At<Amount>]),
    aspect: Aspect,
    measure: Measure,
    place: &Place,
    reader: &mut Reader,
) -> Option<(Vec<f64>, Vec<f64>)> {
    let taken: Vec<Option<f64>> =
        values.iter().map(|value| value.take(aspect, measure, Range::Finite, reader)).collect();
    let fit = as_many(place, "values", values.len(), moments.len(), reader);
    let moments = times(place, moments, reader);
    let taken: Option<Vec<f64>> = taken.into_iter().collect();
    fit?;
    Some((moments?, taken?))
}

/// A table that the engine accepts.
pub(super) fn made(
    table: rattleback_dynamics::Result<Table>,
    place: &Place,
    reader: &mut Reader,
) -> Option<Table> {
    match table {
        Ok(table) => Some(table),
        Err(error) => {
            reader.wrong(place, "values", error.to_string());
            None
        }
    }
}
