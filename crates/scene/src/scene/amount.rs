//! Numbers of joints, forces and courses: amounts whose dimension depends on what they act on, and tables over time.
//!
//! A joint's coordinate is an angle or a length, and what acts on it has the dimensions that go with it. An [`Amount`]
//! keeps the unit that the file gives until it is known which is wanted.
//!
//! | of | angle | length |
//! |---|---|---|
//! | value | rad | m |
//! | rate | rad/s | m/s |
//! | effort | N m | N |
//! | stiffness | N m/rad | N/m |
//! | damping | N m s/rad | N s/m |
//! | slowness, the damping of limits | s/rad | s/m |
//! | per length, what answers waves | rad/m | m/m |

use crate::read::quantity::{given, schema};
use crate::read::unit::Dimension;
use crate::read::{At, Definitions, Field, Place, Range, Reader, SourceValue, Time, number};
use serde_json::Value as Json;

/// A number in SI units, or text with a unit, of an angle's dimension or of a length's.
#[derive(Debug, Clone, PartialEq)]
pub struct Amount {
    /// In SI units.
    pub value: f64,
    /// The text and its dimension; none where the file has a plain number.
    unit: Option<(String, Dimension)>,
}

/// What a coordinate is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Measure {
    Angle,
    Length,
}

/// What is asked about a coordinate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Aspect {
    Value,
    Rate,
    Effort,
    Stiffness,
    Damping,
    Slowness,
    PerLength,
}

/// What an aspect is called, an example, and its dimension.
pub(super) fn wanted(aspect: Aspect, measure: Measure) -> (&'static str, &'static str, [f64; 4]) {
    use {Aspect as A, Measure as M};
    match (aspect, measure) {
        (A::Value, M::Angle) => ("an angle", "30 deg", [0.0, 0.0, 0.0, 1.0]),
        (A::Value, M::Length) => ("a length", "37.5 mm", [1.0, 0.0, 0.0, 0.0]),
        (A::Rate, M::Angle) => ("an angular velocity", "60 rpm", [0.0, 0.0, -1.0, 1.0]),
        (A::Rate, M::Length) => ("a velocity", "12 mm/s", [1.0, 0.0, -1.0, 0.0]),
        (A::Effort, M::Angle) => ("a torque", "0.3 N m", [2.0, 1.0, -2.0, 0.0]),
        (A::Effort, M::Length) => ("a force", "2 kN", [1.0, 1.0, -2.0, 0.0]),
        (A::Stiffness, M::Angle) => ("a stiffness against turning", "3 N m/rad", [2.0, 1.0, -2.0, -1.0]),
        (A::Stiffness, M::Length) => ("a stiffness", "4.5 kN/m", [0.0, 1.0, -2.0, 0.0]),
        (A::Damping, M::Angle) => ("a damping against turning", "0.1 N m s/rad", [2.0, 1.0, -1.0, -1.0]),
        (A::Damping, M::Length) => ("a damping", "12 N s/m", [0.0, 1.0, -1.0, 0.0]),
        (A::Slowness, M::Angle) => ("a time per angle", "0.5 s/rad", [0.0, 0.0, 1.0, -1.0]),
        (A::PerLength, M::Angle) => ("an angle per length", "1.5 deg/m", [-1.0, 0.0, 0.0, 1.0]),
        (A::PerLength, M::Length) => ("a number", "0.8 m/m", [0.0; 4]),
        (A::Slowness, M::Length) => ("a time per length", "0.5 s/m", [-1.0, 0.0, 1.0, 0.0]),
    }
}

impl Field for Amount {
    fn read(node: &SourceValue, reader: &mut Reader) -> Option<Self> {
        let expected = "a number in SI units or with a unit, such as \"30 deg\" or \"37.5 mm\"";
        let found = given(node, expected, reader)?;
        Some(Self {
            value: found.value,
            unit: found.unit.map(|(text, dimension)| (text.to_owned(), dimension)),
        })
    }

    fn schema(definitions: &mut Definitions) -> Json {
        definitions.define("Amount", &mut |_| {
            schema(
                "A number in SI units, or text with a unit, such as \"30 deg\" for what turns or \"37.5 mm\" for what slides.",
            )
        })
    }
}

impl At<Amount> {
    /// The number, if its unit is that of the aspect and the range has it.
    pub(crate) fn take(
        &self,
        aspect: Aspect,
        measure: Measure,
        range: Range,
        reader: &mut Reader,
    ) -> Option<f64> {
        let (what, example, dimension) = wanted(aspect, measure);
        if let Some((text, found)) = &self.value.unit
            && !found.serves(&Dimension(dimension))
        {
            let expected = format!("{what} in SI units or with a unit, such as \"{example}\"");
            let found = found.described();
            reader.refuse_at(self, format!("found \"{text}\", {found}; expected {expected}"));
            return None;
        }
        let value = self.value.value;
        if !range.has(value) {
            reader.refuse_at(self, range.refusal(value));
            return None;
        }
        Some(value)
    }
}

/// The times of a table: two at least, each after the one before it.
pub(crate) fn times(place: &Place, times: &[Time], reader: &mut Reader) -> Option<Vec<f64>> {
    let times: Vec<f64> = times.iter().map(|time| time.0).collect();
    if times.len() < 2 {
        reader.wrong(place, "times", format!("found {} of them; expected two at least", times.len()));
        return None;
    }
    for (i, time) in times.iter().enumerate() {
        number(place, &format!("times[{i}]"), *time, Range::Finite, reader)?;
    }
    if let Some(i) = times.windows(2).position(|t| t[1] <= t[0]) {
        let found = format!("found {} after {}", times[i + 1], times[i]);
        reader.wrong(place, &format!("times[{}]", i + 1), format!("{found}; expected times that increase"));
        return None;
    }
    Some(times)
}

/// As many entries of `field` as times.
pub(crate) fn as_many(
    place: &Place,
    field: &str,
    found: usize,
    times: usize,
    reader: &mut Reader,
) -> Option<()> {
    if found != times {
        reader.wrong(place, field, format!("found {found} of them for {times} times; expected as many"));
        return None;
    }
    Some(())
}
