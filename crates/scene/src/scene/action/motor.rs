//! Motors: a joint's coordinate as a given function of time, in one of three ways.
//!
//! | keys | coordinate |
//! |---|---|
//! | `rate`, `start` | start + rate · t |
//! | `amplitude`, `frequency`, `phase`, `mean` | mean + amplitude · sin(2π frequency · t + phase) |
//! | `times`, `values` | the natural cubic spline through them, straight on beyond its ends |

use super::super::amount::{Amount, Aspect, as_many, times};
use super::super::frequency::CircularFrequency;
use super::{Coordinate, Coordinates, JointFreedomSpec, or};
use crate::read::{
    Angle, At, Definitions, Field, Place, Range, Reader, SourceValue, Time, Value, entry, number,
};
use rattleback_dynamics::joint::{Action, Freedom, MotionLaw, Table};
use serde_json::{Value as Json, json};

entry! {
    /// A motor of constant rate.
    pub struct MotorRateSpec {
        /// The angular velocity or velocity.
        rate: At<Amount>,
        /// The angle or length at time zero; that at the start by default.
        start: Option<At<Amount>>,
        /// The coordinate.
        on: Option<JointFreedomSpec>,
    }
}

entry! {
    /// A motor that swings.
    pub struct MotorHarmonicSpec {
        /// The angle or length by which it swings to either side.
        amplitude: At<Amount>,
        /// How often it swings.
        frequency: CircularFrequency,
        /// The phase of the sine at time zero.
        phase: Angle = Angle(0.0),
        /// The middle; zero by default.
        mean: Option<At<Amount>>,
        /// The coordinate.
        on: Option<JointFreedomSpec>,
    }
}

entry! {
    /// A motor that follows a table.
    pub struct MotorTableSpec {
        /// Two times at least, each after the one before it.
        times: Vec<Time>,
        /// The angle or length at each time.
        values: Vec<At<Amount>>,
        /// The coordinate.
        on: Option<JointFreedomSpec>,
    }
}

/// A motor, in one of three ways.
#[derive(Debug, Clone, PartialEq)]
pub enum MotorSpec {
    /// By its rate.
    Rate(MotorRateSpec),
    /// By amplitude and frequency.
    Harmonic(MotorHarmonicSpec),
    /// By times and values.
    Table(MotorTableSpec),
}

impl Field for MotorSpec {
    fn read(node: &SourceValue, reader: &mut Reader) -> Option<Self> {
        let ways: [&[&str]; 3] =
            [&["rate", "start"], &["amplitude", "frequency", "phase", "mean"], &["times", "values"]];
        let has = |keys: &&[&str]| keys.iter().any(|key| node.get(key).is_some());
        let chosen: Vec<usize> = (0..3).filter(|way| has(&ways[*way])).collect();
        match (&node.value, chosen.as_slice()) {
            (Value::Table(_), [0]) => Field::read(node, reader).map(Self::Rate),
            (Value::Table(_), [1]) => Field::read(node, reader).map(Self::Harmonic),
            (Value::Table(_), [2]) => Field::read(node, reader).map(Self::Table),
            _ => {
                reader.expected(
                    node,
                    "a motor by `rate`, by `amplitude` and `frequency`, or by `times` and `values`",
                );
                None
            }
        }
    }

    fn schema(definitions: &mut Definitions) -> Json {
        let ways = [
            MotorRateSpec::schema(definitions),
            MotorHarmonicSpec::schema(definitions),
            MotorTableSpec::schema(definitions),
        ];
        definitions.define("MotorSpec", |_| {
            json!({"description": "A motor: by its rate, by amplitude and frequency, or by times and values.", "anyOf": ways})
        })
    }
}

impl MotorSpec {
    /// Where it stands.
    pub(super) fn place(&self) -> &Place {
        match self {
            Self::Rate(spec) => &spec.place,
            Self::Harmonic(spec) => &spec.place,
            Self::Table(spec) => &spec.place,
        }
    }

    pub(super) fn lower(&self, joint: &Coordinates<'_>, reader: &mut Reader) -> Option<(Freedom, Action)> {
        let on = match self {
            Self::Rate(spec) => spec.on,
            Self::Harmonic(spec) => spec.on,
            Self::Table(spec) => spec.on,
        };
        let coordinate = joint.find(on, self.place(), reader)?;
        let law = match self {
            Self::Rate(spec) => spec.law(&coordinate, reader),
            Self::Harmonic(spec) => spec.law(&coordinate, reader),
            Self::Table(spec) => spec.law(&coordinate, reader),
        };
        Some((coordinate.freedom, Action::Motor(law?)))
    }
}

impl MotorRateSpec {
    fn law(&self, &Coordinate { measure, start, .. }: &Coordinate, reader: &mut Reader) -> Option<MotionLaw> {
        let rate = self.rate.take(Aspect::Rate, measure, Range::Finite, reader);
        let start = or(self.start.as_ref(), start, |x| x.take(Aspect::Value, measure, Range::Finite, reader));
        Some(MotionLaw::Rate { start: start?, rate: rate? })
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
        let moments = times(&self.place, &self.times, reader);
        let values: Vec<Option<f64>> = self
            .values
            .iter()
            .map(|value| value.take(Aspect::Value, measure, Range::Finite, reader))
            .collect();
        let values: Option<Vec<f64>> = values.into_iter().collect();
        as_many(&self.place, "values", self.values.len(), self.times.len(), reader)?;
        match Table::new(&moments?, &values?) {
            Ok(table) => Some(MotionLaw::Table(table)),
            Err(error) => {
                reader.wrong(&self.place, "values", error.to_string());
                None
            }
        }
    }
}
