//! One of something, or a list of them.

use crate::read::{Definitions, Field, Reader, SourceValue, Value};
use serde_json::{Value as Json, json};

/// What may stand in a file as one or as a list, or not at all.
#[derive(Debug, Clone, PartialEq)]
pub struct Several<T>(pub Vec<T>);

impl<T> Default for Several<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Field> Field for Several<T> {
    fn read(node: &SourceValue, reader: &mut Reader) -> Option<Self> {
        match node.value {
            Value::List(_) => Vec::read(node, reader).map(Self),
            _ => T::read(node, reader).map(|one| Self(vec![one])),
        }
    }

    fn schema(definitions: &mut Definitions) -> Json {
        let one = T::schema(definitions);
        json!({"anyOf": [one, {"type": "array", "items": one}]})
    }

    fn absent() -> Option<Self> {
        Some(Self::default())
    }
}
