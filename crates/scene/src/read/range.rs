//! The ranges in which numbers make sense, and what is said of those outside.

use super::reader::{Place, Reader};
use rattleback_geom::Brief;

/// The range in which a number makes sense. None includes infinities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Range {
    /// Any number.
    Finite,
    /// Zero or above.
    NotNegative,
    /// Above zero.
    Positive,
    /// Any but zero.
    NotZero,
}

impl Range {
    /// Whether a number is in it.
    pub fn has(self, value: f64) -> bool {
        value.is_finite()
            && match self {
                Self::Finite => true,
                Self::NotNegative => value >= 0.0,
                Self::Positive => value > 0.0,
                Self::NotZero => value != 0.0,
            }
    }

    /// What is said of a number that is not in it.
    pub fn refusal(self, value: f64) -> String {
        let expected = match self {
            Self::Finite => "a finite number",
            Self::NotNegative => "a finite number, zero or above",
            Self::Positive => "a finite number above zero",
            Self::NotZero => "a finite number other than zero",
        };
        format!("found {}; expected {expected}", Brief(value))
    }
}

/// The value of `field`, if the range has it.
pub fn number(place: &Place, field: &str, value: f64, range: Range, reader: &mut Reader) -> Option<f64> {
    if range.has(value) {
        return Some(value);
    }
    reader.wrong(place, field, range.refusal(value));
    None
}

/// Three finite numbers.
pub fn triple(place: &Place, field: &str, value: [f64; 3], reader: &mut Reader) -> Option<[f64; 3]> {
    for (k, x) in value.into_iter().enumerate().filter(|(_, x)| !x.is_finite()) {
        reader.wrong(place, &format!("{field}[{k}]"), Range::Finite.refusal(x));
    }
    value.iter().all(|x| x.is_finite()).then_some(value)
}
