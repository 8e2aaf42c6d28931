//! Frequencies of what swings, as angular frequencies: in Hz, in rad/s or in revolutions, whichever the source of the numbers has.

use crate::read::unit::{Dimension, parse};
use crate::read::{Definitions, Field, Node, Reader, Value};
use serde_json::{Value as Json, json};
use std::f64::consts::TAU;

/// An angular frequency in rad/s: a number in Hz, or text in Hz, rad/s or rpm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CircularFrequency(pub f64);

impl Field for CircularFrequency {
    fn read(node: &Node, reader: &mut Reader) -> Option<Self> {
        let expected = "a frequency in Hz or with a unit, such as \"2 Hz\", \"3 rad/s\" or \"60 rpm\"";
        match &node.value {
            Value::Float(x) => Some(Self(TAU * x)),
            Value::Integer(x) => Some(Self(TAU * *x as f64)),
            Value::Text(text) => match parse(text) {
                Ok(found) if found.dimension == Dimension([0.0, 0.0, -1.0, 0.0]) => {
                    Some(Self(TAU * found.value))
                }
                Ok(found) if found.dimension == Dimension([0.0, 0.0, -1.0, 1.0]) => Some(Self(found.value)),
                Ok(found) => {
                    let name = found.dimension.name();
                    reader.refuse(&node.span, format!("found \"{text}\", {name}; expected {expected}"));
                    None
                }
                Err(reason) => {
                    reader.refuse(&node.span, format!("found \"{text}\": {reason}; expected {expected}"));
                    None
                }
            },
            _ => {
                reader.expected(node, expected);
                None
            }
        }
    }

    fn schema(definitions: &mut Definitions) -> Json {
        definitions.define("CircularFrequency", |_| {
            json!({
                "description": "A number in Hz, or text with a unit, such as \"2 Hz\", \"3 rad/s\" or \"60 rpm\".",
                "anyOf": [
                    {"type": "number"},
                    {"type": "string", "pattern": r"^\s*[-+]?[0-9.]+([eE][-+]?[0-9]+)?\s*\S.*$"},
                ],
            })
        })
    }
}
