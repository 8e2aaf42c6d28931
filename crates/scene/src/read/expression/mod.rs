//! Expressions: numbers with units, parameters, constants and functions, whose dimensions are checked.
//!
//! 1. `token.rs` finds the words of a text, `parse.rs` puts them into postfix order, so that neither evaluation nor
//!    release goes deeper than the text is nested, and that is bounded.
//! 2. `evaluate.rs` gives the value in SI units and the dimension, and checks both at every operation: what is added
//!    has one dimension, functions take numbers or angles, and no number is infinite.
//! 3. Where `t` is the time, what depends on it becomes a [`Formula`](rattleback_dynamics::formula::Formula), with
//!    everything else folded into numbers.
//!
//! | names | |
//! |---|---|
//! | those of [`Scope`] | parameters, and indices of loops |
//! | `pi`, `tau`, `e`, `g0` | g0 = 9.80665 m/s² |
//! | units | as in text with a unit, one of each |

mod evaluate;
mod parse;
mod token;

pub(crate) use evaluate::Evaluated;
pub(crate) use token::is_name;

use super::unit::{Dimension, Measured, known};
use rattleback_dynamics::formula::Function;
use std::collections::BTreeMap;
use std::ops::Range;

/// The name of the time in formulas of it.
const TIME: &str = "t";

/// What is wrong with an expression.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Mistake {
    /// Where, in bytes of the text.
    pub(crate) span: Range<usize>,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

/// An operation and the part of the text that it covers with its operands.
#[derive(Debug, Clone, PartialEq)]
struct Item {
    kind: Kind,
    span: Range<usize>,
}

#[derive(Debug, Clone, PartialEq)]
enum Kind {
    Number(f64),
    /// In SI units.
    Measured(f64, [f64; 4]),
    Name(String),
    Call(Function),
}

/// An expression that was read.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Expression {
    items: Vec<Item>,
    has_time: bool,
}

/// What names stand for. A parameter that is wrong has no value, and what uses it is not complained of again.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scope {
    parameters: BTreeMap<String, Option<Measured>>,
    /// The indices of loops in each turn of one, by the turn's number from one.
    indices: Vec<Vec<(String, f64)>>,
}

impl Expression {
    /// Reads an expression of constants and parameters.
    pub(crate) fn parse(text: &str) -> Result<Self, Mistake> {
        Self::read(text, false)
    }

    /// Reads an expression in which `t` is the time.
    pub(crate) fn parse_of_time(text: &str) -> Result<Self, Mistake> {
        Self::read(text, true)
    }

    fn read(text: &str, has_time: bool) -> Result<Self, Mistake> {
        Ok(Self { items: parse::parse(text, &token::tokens(text)?, has_time)?, has_time })
    }

    /// The names that it uses and that are not its own.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.items.iter().filter_map(|item| match &item.kind {
            Kind::Name(name) => Some(name.as_str()),
            _ => None,
        })
    }
}

impl Scope {
    /// Adds a parameter, which may be wrong.
    pub(crate) fn set(&mut self, name: &str, value: Option<Measured>) {
        self.parameters.insert(name.to_owned(), value);
    }

    /// Whether a parameter has that name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.parameters.contains_key(name)
    }

    /// The parameters that have values.
    pub(crate) fn parameters(&self) -> impl Iterator<Item = (&str, Measured)> {
        self.parameters.iter().filter_map(|(name, value)| Some((name.as_str(), (*value)?)))
    }

    /// A turn of a loop inside of another one, with an index of its own.
    pub(crate) fn inside(&mut self, turn: u32, index: &str, value: f64) -> u32 {
        let mut indices = self.indices(turn).to_vec();
        indices.push((index.to_owned(), value));
        self.indices.push(indices);
        // Turns are bounded by the nodes of a tree.
        u32::try_from(self.indices.len()).unwrap_or(u32::MAX)
    }

    /// The indices in a turn, outermost first.
    pub(crate) fn indices(&self, turn: u32) -> &[(String, f64)] {
        turn.checked_sub(1).and_then(|k| self.indices.get(k as usize)).map_or(&[], Vec::as_slice)
    }

    /// The value of a name in a turn of a loop; none where it is not known, and an empty one where it is wrong.
    fn find(&self, name: &str, turn: u32) -> Option<Option<Measured>> {
        let index = self.indices(turn).iter().find(|(other, _)| other == name);
        if let Some((_, value)) = index {
            return Some(Some(Measured { value: *value, dimension: Dimension::NONE }));
        }
        if let Some(value) = self.parameters.get(name) {
            return Some(*value);
        }
        let (value, dimension) = constant(name).or_else(|| known(name))?;
        Some(Some(Measured { value, dimension: Dimension(dimension) }))
    }

    /// All names but those of units.
    fn names(&self, turn: u32) -> Vec<&str> {
        let indices = self.indices(turn).iter().map(|(name, _)| name.as_str());
        let own = indices.chain(self.parameters.keys().map(String::as_str));
        own.chain(CONSTANTS.iter().map(|(name, ..)| *name)).collect()
    }
}

const CONSTANTS: [(&str, f64, [f64; 4]); 4] = [
    ("pi", std::f64::consts::PI, [0.0; 4]),
    ("tau", std::f64::consts::TAU, [0.0; 4]),
    ("e", std::f64::consts::E, [0.0; 4]),
    // The standard acceleration of gravity (3rd CGPM, 1901).
    ("g0", 9.806_65, [1.0, 0.0, -2.0, 0.0]),
];

fn constant(name: &str) -> Option<(f64, [f64; 4])> {
    let found = CONSTANTS.iter().find(|(other, ..)| *other == name);
    found.map(|(_, value, dimension)| (*value, *dimension))
}

/// What a name is already, so that no parameter and no index can have it.
pub(crate) fn taken(name: &str) -> Option<&'static str> {
    if constant(name).is_some() {
        Some("a constant")
    } else if known(name).is_some() {
        Some("a unit")
    } else if Function::NAMED.iter().any(|(other, _)| *other == name) {
        Some("a function")
    } else {
        None
    }
}

#[cfg(test)]
mod tests;
