//! Quantities: numbers in SI units, text with a unit, or text that begins with `=` and is an expression.

use super::reader::{Reader, is_expression};
use super::schema::Definitions;
use super::source_value::{SourceValue, Value};
use super::unit::{Dimension, parse};
use serde_json::{Value as Json, json};

/// A number as a file gives it.
pub(crate) struct Given<'n> {
    /// In SI units.
    pub(crate) value: f64,
    /// The text and its dimension; none for a plain number.
    pub(crate) unit: Option<(&'n str, Dimension)>,
}

/// Reads a number or text with a unit, of whatever dimension; `expected` says what it should be.
pub(crate) fn given<'n>(node: &'n SourceValue, expected: &str, reader: &mut Reader) -> Option<Given<'n>> {
    match &node.value {
        Value::Float(x) => Some(Given { value: *x, unit: None }),
        Value::Integer(x) => Some(Given { value: *x as f64, unit: None }),
        Value::Text(text) if is_expression(text) => {
            let found = reader.evaluate(node, text)?;
            // A result without unit is in SI units, as a number is.
            let unit = (found.dimension != Dimension::NONE).then_some((text.as_str(), found.dimension));
            Some(Given { value: found.value, unit })
        }
        Value::Text(text) => match parse(text) {
            Ok(found) => Some(Given { value: found.value, unit: Some((text, found.dimension)) }),
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

/// The schema of a number or text with a unit.
pub(crate) fn schema(description: &str) -> Json {
    json!({
        "description": description,
        "anyOf": [
            {"type": "number"},
            {"type": "string", "pattern": r"^\s*(=|[-+]?[0-9.]+([eE][-+]?[0-9]+)?\s*\S).*$"},
        ],
    })
}

/// Reads a number without unit, which may be an expression; `expected` says what it should be.
pub(crate) fn read_number(node: &SourceValue, expected: &str, reader: &mut Reader) -> Option<f64> {
    match &node.value {
        Value::Float(x) => Some(*x),
        Value::Integer(x) => Some(*x as f64),
        Value::Text(text) if is_expression(text) => {
            let found = reader.evaluate(node, text)?;
            if found.dimension == Dimension::NONE {
                return Some(found.value);
            }
            let name = found.dimension.described();
            reader.refuse(&node.span, format!("found \"{text}\", {name}; expected {expected} without unit"));
            None
        }
        _ => {
            reader.expected(node, expected);
            None
        }
    }
}

/// The schema of a number without unit or an expression.
pub(crate) fn number_schema(name: &str, number: Json, definitions: &mut Definitions) -> Json {
    definitions.define(name, &mut |_| {
        json!({
            "description": "A number, or text with an expression after `=`, such as \"=2*n + 1\".",
            "anyOf": [number, {"type": "string", "pattern": r"^\s*="}],
        })
    })
}

/// Reads a number of the given dimension; `what` names it and `example` shows one.
pub(crate) fn read(
    node: &SourceValue,
    dimension: &Dimension,
    what: &str,
    example: &str,
    reader: &mut Reader,
) -> Option<f64> {
    let expected = format!("{what} in SI units or with a unit, such as \"{example}\"");
    let found = given(node, &expected, reader)?;
    match found.unit {
        Some((text, own)) if !own.serves(dimension) => {
            let own = own.described();
            reader.refuse(&node.span, format!("found \"{text}\", {own}; expected {expected}"));
            None
        }
        _ => Some(found.value),
    }
}

/// Reads text outside of a file.
pub(crate) fn from_text(text: &str, dimension: &Dimension, what: &str, example: &str) -> Result<f64, String> {
    if let Ok(number) = text.trim().parse::<f64>() {
        return Ok(number);
    }
    let found = parse(text)?;
    if found.dimension.serves(dimension) {
        return Ok(found.value);
    }
    Err(format!("it is {}; expected {what} such as {example}", found.dimension.name()))
}

/// A quantity: its type, what it is called, an example, and its powers of metre, kilogram, second and radian.
macro_rules! quantity {
    ($(#[doc = $doc:literal])+ $name:ident, $what:literal, $example:literal, $powers:expr) => {
        $(#[doc = $doc])+
        #[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
        pub struct $name(pub f64);

        impl $name {
            /// From text with a unit, or a number in SI units.
            #[allow(dead_code, reason = "not every quantity stands on a command line")]
            pub(crate) fn parse(text: &str) -> std::result::Result<f64, String> {
                $crate::read::quantity::from_text(text, &$crate::read::unit::Dimension($powers), $what, $example)
            }
        }

        impl $crate::read::Field for $name {
            fn read(node: &$crate::read::SourceValue, reader: &mut $crate::read::Reader) -> Option<Self> {
                let dimension = $crate::read::unit::Dimension($powers);
                $crate::read::quantity::read(node, &dimension, $what, $example, reader).map(Self)
            }

            fn schema(definitions: &mut $crate::read::Definitions) -> serde_json::Value {
                definitions.define(stringify!($name), &mut |_| {
                    $crate::read::quantity::schema(concat!(
                        "A number in SI units, or text with a unit, such as \"",
                        $example,
                        "\"."
                    ))
                })
            }
        }
    };
}

quantity! {
    /// A length in m.
    Length, "a length", "37.5 mm", [1.0, 0.0, 0.0, 0.0]
}
quantity! {
    /// A mass in kg.
    Mass, "a mass", "250 g", [0.0, 1.0, 0.0, 0.0]
}
quantity! {
    /// A time in s.
    Time, "a time", "20 ms", [0.0, 0.0, 1.0, 0.0]
}
quantity! {
    /// An angle in rad.
    Angle, "an angle", "30 deg", [0.0, 0.0, 0.0, 1.0]
}
quantity! {
    /// A velocity in m/s.
    Velocity, "a velocity", "12 mm/s", [1.0, 0.0, -1.0, 0.0]
}
quantity! {
    /// An angular velocity in rad/s.
    AngularVelocity, "an angular velocity", "60 rpm", [0.0, 0.0, -1.0, 1.0]
}
quantity! {
    /// An acceleration in m/s².
    Acceleration, "an acceleration", "9.81 m/s^2", [1.0, 0.0, -2.0, 0.0]
}
quantity! {
    /// A force in N.
    Force, "a force", "2 kN", [1.0, 1.0, -2.0, 0.0]
}
quantity! {
    /// A torque in N m.
    Torque, "a torque", "0.3 N m", [2.0, 1.0, -2.0, 0.0]
}
quantity! {
    /// A pressure or a modulus in Pa.
    Pressure, "a pressure", "210 GPa", [-1.0, 1.0, -2.0, 0.0]
}
quantity! {
    /// A density in kg/m³.
    Density, "a density", "7800 kg/m^3", [-3.0, 1.0, 0.0, 0.0]
}
quantity! {
    /// A moment of inertia in kg m².
    Inertia, "a moment of inertia", "2e-4 kg m^2", [2.0, 1.0, 0.0, 0.0]
}
quantity! {
    /// A stiffness in N/m.
    Stiffness, "a stiffness", "4.5 kN/m", [0.0, 1.0, -2.0, 0.0]
}
quantity! {
    /// A damping in N s/m.
    Damping, "a damping", "12 N s/m", [0.0, 1.0, -1.0, 0.0]
}
quantity! {
    /// A stiffness against turning in N m/rad.
    TurningStiffness, "a stiffness against turning", "3 N m/rad", [2.0, 1.0, -2.0, -1.0]
}
quantity! {
    /// A damping against turning in N m s/rad.
    TurningDamping, "a damping against turning", "0.1 N m s/rad", [2.0, 1.0, -1.0, -1.0]
}
