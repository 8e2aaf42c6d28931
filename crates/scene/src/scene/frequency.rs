//! Frequencies of what swings, as angular frequencies: in Hz, in rad/s or in revolutions, whichever the source of the
//! numbers has.

use crate::read::quantity::{given, schema};
use crate::read::unit::Dimension;
use crate::read::{Definitions, Field, Reader, SourceValue};
use serde_json::Value as Json;
use std::f64::consts::TAU;

/// An angular frequency in rad/s: a number in Hz, or text in Hz, rad/s or rpm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CircularFrequency(pub f64);

impl Field for CircularFrequency {
    fn read(node: &SourceValue, reader: &mut Reader) -> Option<Self> {
        let expected = "a frequency in Hz or with a unit, such as \"2 Hz\", \"3 rad/s\" or \"60 rpm\"";
        let found = given(node, expected, reader)?;
        match found.unit {
            None => Some(Self(TAU * found.value)),
            Some((_, Dimension([0.0, 0.0, -1.0, 0.0]))) => Some(Self(TAU * found.value)),
            Some((_, Dimension([0.0, 0.0, -1.0, 1.0]))) => Some(Self(found.value)),
            Some((text, dimension)) => {
                let name = dimension.name();
                reader.refuse(&node.span, format!("found \"{text}\", {name}; expected {expected}"));
                None
            }
        }
    }

    fn schema(definitions: &mut Definitions) -> Json {
        definitions.define("CircularFrequency", &mut |_| {
            schema("A number in Hz, or text with a unit, such as \"2 Hz\", \"3 rad/s\" or \"60 rpm\".")
        })
    }
}
