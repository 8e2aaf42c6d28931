//! What can stand in a file: each type reads itself and describes itself.

use super::complaint::Complaint;
use super::quantity::{number_schema, read_number};
use super::reader::{Reader, Step, is_expression};
use super::schema::{Definitions, Property};
use super::source_value::{SourceValue, Span, Value};
use serde_json::{Value as Json, json};
use std::path::PathBuf;

/// A type that can stand in a file.
pub trait Field: Sized {
    /// The value of a node; what is wrong is told to the reader, and where nothing usable is left there is none.
    fn read(node: &SourceValue, reader: &mut Reader) -> Option<Self>;

    /// Its JSON Schema.
    fn schema(definitions: &mut Definitions) -> Json;

    /// The value where the key is absent; none where the key must be there.
    fn absent() -> Option<Self> {
        None
    }
}

/// A table with given keys, which may carry the tag of a choice.
pub trait Entry: Field {
    /// What it is, in a sentence.
    const MEANING: &'static str;

    /// Its value, where the key `tag` was read before.
    fn read_tagged(node: &SourceValue, tag: &str, reader: &mut Reader) -> Option<Self>;

    /// Its keys.
    fn properties(definitions: &mut Definitions) -> Vec<Property>;
}

/// A value with its place.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct At<T> {
    /// The value.
    pub value: T,
    /// Its key.
    pub key: String,
    /// Where it stands.
    pub span: Span,
}

impl<T> At<T> {
    /// A complaint about it.
    pub fn complaint(&self, message: String) -> Complaint {
        Complaint { span: self.span.clone(), key: self.key.clone(), message, help: None }
    }
}

/// Values by names of the user's choice, in the order of the file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Named<T>(pub Vec<(String, T)>);

impl Field for f64 {
    fn read(node: &SourceValue, reader: &mut Reader) -> Option<Self> {
        read_number(node, "a number", reader)
    }

    fn schema(definitions: &mut Definitions) -> Json {
        number_schema("Number", json!({"type": "number"}), definitions)
    }
}

impl Field for usize {
    fn read(node: &SourceValue, reader: &mut Reader) -> Option<Self> {
        if let Value::Integer(x) = node.value
            && let Ok(x) = Self::try_from(x)
        {
            return Some(x);
        }
        let expected = "a whole number, zero or above";
        if let Value::Text(text) = &node.value
            && is_expression(text)
        {
            let found = read_number(node, expected, reader)?;
            // Quotients of quantities are whole but for rounding; beyond 2⁵³ not every whole number is a double.
            let whole = found.round();
            if (found - whole).abs() <= 1e-9 * whole.abs() && (0.0..=9.0e15).contains(&whole) {
                return Some(whole as Self);
            }
            reader.refuse(&node.span, format!("found \"{text}\", which is {found}; expected {expected}"));
            return None;
        }
        reader.expected(node, expected);
        None
    }

    fn schema(definitions: &mut Definitions) -> Json {
        number_schema("Count", json!({"type": "integer", "minimum": 0}), definitions)
    }
}

impl Field for bool {
    fn read(node: &SourceValue, reader: &mut Reader) -> Option<Self> {
        if let Value::Bool(b) = node.value {
            return Some(b);
        }
        reader.expected(node, "true or false");
        None
    }

    fn schema(_: &mut Definitions) -> Json {
        json!({"type": "boolean"})
    }
}

impl Field for String {
    fn read(node: &SourceValue, reader: &mut Reader) -> Option<Self> {
        let Value::Text(text) = &node.value else {
            reader.expected(node, "text in quotation marks");
            return None;
        };
        is_plain(text, &node.span, reader).then(|| text.clone())
    }

    fn schema(_: &mut Definitions) -> Json {
        json!({"type": "string"})
    }
}

/// Whether a text can be shown as it is; control characters other than blanks and line breaks are complained of.
fn is_plain(text: &str, span: &Span, reader: &mut Reader) -> bool {
    let wrong = text.chars().find(|c| c.is_control() && !matches!(c, '\t' | '\n' | '\r'));
    if let Some(wrong) = wrong {
        let found = u32::from(wrong);
        reader.refuse(
            span,
            format!("found the control character U+{found:04X}; expected text that can be shown"),
        );
    }
    wrong.is_none()
}

impl Field for PathBuf {
    fn read(node: &SourceValue, reader: &mut Reader) -> Option<Self> {
        String::read(node, reader).map(Self::from)
    }

    fn schema(definitions: &mut Definitions) -> Json {
        String::schema(definitions)
    }
}

impl<T: Field> Field for Option<T> {
    fn read(node: &SourceValue, reader: &mut Reader) -> Option<Self> {
        T::read(node, reader).map(Some)
    }

    fn schema(definitions: &mut Definitions) -> Json {
        T::schema(definitions)
    }

    fn absent() -> Option<Self> {
        Some(None)
    }
}

impl<T: Field> Field for Box<T> {
    fn read(node: &SourceValue, reader: &mut Reader) -> Option<Self> {
        T::read(node, reader).map(Box::new)
    }

    fn schema(definitions: &mut Definitions) -> Json {
        T::schema(definitions)
    }
}

/// The entries of a list, all of which are read before any failure counts.
fn entries<T: Field>(list: &[SourceValue], reader: &mut Reader) -> Option<Vec<T>> {
    let mut read = Vec::with_capacity(list.len());
    for (i, node) in list.iter().enumerate() {
        read.extend(reader.within(Step::Index(i), |reader| T::read(node, reader)));
    }
    (read.len() == list.len()).then_some(read)
}

impl<T: Field> Field for Vec<T> {
    fn read(node: &SourceValue, reader: &mut Reader) -> Option<Self> {
        if let Value::List(list) = &node.value {
            return entries(list, reader);
        }
        reader.expected(node, "a list");
        None
    }

    fn schema(definitions: &mut Definitions) -> Json {
        json!({"type": "array", "items": T::schema(definitions)})
    }
}

impl<T: Field, const N: usize> Field for [T; N] {
    fn read(node: &SourceValue, reader: &mut Reader) -> Option<Self> {
        match &node.value {
            Value::List(list) if list.len() == N => entries(list, reader)?.try_into().ok(),
            _ => {
                reader.expected(node, &format!("a list of {N}"));
                None
            }
        }
    }

    fn schema(definitions: &mut Definitions) -> Json {
        json!({"type": "array", "items": T::schema(definitions), "minItems": N, "maxItems": N})
    }
}

impl<T: Field> Field for At<T> {
    fn read(node: &SourceValue, reader: &mut Reader) -> Option<Self> {
        let key = reader.key();
        T::read(node, reader).map(|value| Self { value, key, span: node.span.clone() })
    }

    fn schema(definitions: &mut Definitions) -> Json {
        T::schema(definitions)
    }
}

impl<T: Field> Field for Named<T> {
    fn read(node: &SourceValue, reader: &mut Reader) -> Option<Self> {
        let Value::Table(table) = &node.value else {
            reader.expected(node, "a table of names");
            return None;
        };
        let read: Vec<Option<(String, T)>> = table
            .iter()
            .map(|(key, node)| {
                if !is_plain(&key.name, &key.span, reader) {
                    return None;
                }
                let value = reader.within(Step::Key(key.name.clone().into()), |reader| T::read(node, reader));
                value.map(|value| (key.name.clone(), value))
            })
            .collect();
        read.into_iter().collect::<Option<_>>().map(Self)
    }

    fn schema(definitions: &mut Definitions) -> Json {
        json!({"type": "object", "additionalProperties": T::schema(definitions)})
    }

    fn absent() -> Option<Self> {
        Some(Self(Vec::new()))
    }
}
