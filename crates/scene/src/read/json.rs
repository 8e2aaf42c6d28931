//! JSON as a tree, read straight from its text. Documents know the places of their keys and values, lines of pairs, of
//! which there are millions, do not.

use super::complaint::Complaint;
use super::source_value::{Key, SourceValue, Span, Value};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

impl SourceValue {
    /// The tree of a JSON document.
    pub(crate) fn from_json(text: &str) -> Result<Self, Complaint> {
        let root = parse(text, Tree { apart: None }).map_err(|error| {
            // The line begins after the line breaks before it; the column counts the bytes up to the one at fault.
            let before: usize =
                text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
            let at = before + error.column().saturating_sub(1);
            Complaint {
                span: at..at + 1,
                key: String::new(),
                message: without_place(&error.to_string()).to_owned(),
                help: None,
            }
        });
        let mut root = root?;
        Walk { text: text.as_bytes(), at: 0 }.value(&mut root);
        Ok(root)
    }

    /// The tree of a JSON document, and the value of one key of its outermost table as it is written: whatever that is,
    /// the tree has null in its place.
    pub(crate) fn from_json_apart(
        text: &str,
        key: &'static str,
    ) -> serde_json::Result<(Self, Option<Box<RawValue>>)> {
        let mut value = None;
        let root = parse(text, Tree { apart: Some((key, &mut value)) })?;
        Ok((root, value))
    }
}

fn parse(text: &str, tree: Tree<'_>) -> serde_json::Result<SourceValue> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let root = tree.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(root)
}

/// Goes through the text of a tree, whose syntax is known to be right, and notes where everything stands.
struct Walk<'t> {
    text: &'t [u8],
    at: usize,
}

impl Walk<'_> {
    /// Goes on to the next byte that is neither blank nor one of the marks given.
    fn skip(&mut self, marks: &[u8]) {
        let is_between = |byte: &u8| byte.is_ascii_whitespace() || marks.contains(byte);
        while self.text.get(self.at).is_some_and(is_between) {
            self.at += 1;
        }
    }

    /// The place of the string that begins here.
    fn string(&mut self) -> Span {
        let begin = self.at;
        self.at += 1;
        while let Some(&byte) = self.text.get(self.at).filter(|byte| **byte != b'"') {
            // What is escaped does not end it.
            self.at += if byte == b'\\' { 2 } else { 1 };
        }
        self.at = (self.at + 1).min(self.text.len());
        begin..self.at
    }

    fn value(&mut self, node: &mut SourceValue) {
        self.skip(b"");
        let begin = self.at;
        match &mut node.value {
            Value::Table(entries) => {
                self.at += 1;
                for (key, value) in entries {
                    self.skip(b",");
                    key.span = self.string();
                    self.skip(b":");
                    self.value(value);
                }
                self.skip(b"");
                self.at += 1;
            }
            Value::List(list) => {
                self.at += 1;
                for value in list {
                    self.skip(b",");
                    self.value(value);
                }
                self.skip(b"");
                self.at += 1;
            }
            Value::Text(_) => _ = self.string(),
            _ => {
                let ends = |byte: &u8| byte.is_ascii_whitespace() || b",]}".contains(byte);
                while self.text.get(self.at).is_some_and(|byte| !ends(byte)) {
                    self.at += 1;
                }
            }
        }
        node.span = begin..self.at.min(self.text.len());
    }
}

/// What serde_json says, without line and column.
pub(crate) fn without_place(message: &str) -> &str {
    message.rfind(" at line ").map_or(message, |end| &message[..end])
}

/// Reads a value.
struct Tree<'v> {
    /// The key whose value is kept as it is written, and where to.
    apart: Option<(&'static str, &'v mut Option<Box<RawValue>>)>,
}

fn node<E>(value: Value) -> Result<SourceValue, E> {
    Ok(SourceValue { span: 0..0, turn: 0, value })
}

impl<'de> DeserializeSeed<'de> for Tree<'_> {
    type Value = SourceValue;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<SourceValue, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Tree<'_> {
    type Value = SourceValue;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<SourceValue, E> {
        node(Value::Null)
    }

    fn visit_bool<E>(self, b: bool) -> Result<SourceValue, E> {
        node(Value::Bool(b))
    }

    fn visit_i64<E>(self, n: i64) -> Result<SourceValue, E> {
        node(Value::Integer(n))
    }

    fn visit_u64<E>(self, n: u64) -> Result<SourceValue, E> {
        node(i64::try_from(n).map_or(Value::Float(n as f64), Value::Integer))
    }

    fn visit_f64<E>(self, x: f64) -> Result<SourceValue, E> {
        node(Value::Float(x))
    }

    fn visit_str<E>(self, text: &str) -> Result<SourceValue, E> {
        node(Value::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<SourceValue, A::Error> {
        // Most lists are vectors and quaternions.
        let mut list = Vec::with_capacity(4);
        while let Some(node) = access.next_element_seed(Tree { apart: None })? {
            list.push(node);
        }
        node(Value::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut access: A) -> Result<SourceValue, A::Error> {
        let mut entries: Vec<(Key, SourceValue)> = Vec::with_capacity(4);
        while let Some(name) = access.next_key::<String>()? {
            if entries.iter().any(|(key, _)| key.name == name) {
                return Err(A::Error::custom(format!("duplicate key `{name}`")));
            }
            let value = match &mut self.apart {
                Some((key, value)) if *key == name => {
                    **value = access.next_value()?;
                    SourceValue { span: 0..0, turn: 0, value: Value::Null }
                }
                _ => access.next_value_seed(Tree { apart: None })?,
            };
            entries.push((Key { name, span: 0..0 }, value));
        }
        node(Value::Table(entries))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn a_tree_keeps_the_order_and_the_kinds_of_its_values() {
        let root =
            SourceValue::from_json(r#"{"b": [1, 2.5, 18446744073709551615], "a": {"x": "é", "y": null}}"#)
                .unwrap();
        let Value::Table(entries) = &root.value else { panic!("no table") };
        let names: Vec<_> = entries.iter().map(|(key, _)| key.name.as_str()).collect();
        assert_eq!(names, ["b", "a"]);
        let Value::List(list) = &root.get("b").unwrap().value else { panic!("no list") };
        let kinds: Vec<_> = list.iter().map(|node| node.value.clone()).collect();
        assert_eq!(kinds, [Value::Integer(1), Value::Float(2.5), Value::Float(18446744073709551615.0)]);
        assert_eq!(root.get("a").unwrap().get("x").unwrap().value, Value::Text("é".to_owned()));
        assert_eq!(root.get("a").unwrap().get("y").unwrap().value, Value::Null);
    }

    #[test]
    fn a_document_knows_the_places_of_its_keys_and_values() {
        let text = r#" { "a\"b" : [ 1, {"x":-2.5e3 , "y":"é,]" } ,true], "c":null}"#;
        let root = SourceValue::from_json(text).unwrap();
        assert_eq!(&text[root.span.clone()], text.trim());
        let Value::Table(entries) = &root.value else { panic!("no table") };
        assert_eq!(&text[entries[0].0.span.clone()], r#""a\"b""#);
        let Value::List(list) = &entries[0].1.value else { panic!("no list") };
        let places =
            [&list[0], list[1].get("x").unwrap(), list[1].get("y").unwrap(), &list[2], &entries[1].1];
        let written = places.map(|node| &text[node.span.clone()]);
        assert_eq!(written, ["1", "-2.5e3", "\"é,]\"", "true", "null"]);
    }

    #[test]
    fn what_is_no_json_is_told_where_it_stands() {
        let text = "{\n  \"a\": 1,\n  \"b\": x\n}\n";
        let complaint = SourceValue::from_json(text).unwrap_err();
        assert_eq!((complaint.message.as_str(), &text[complaint.span]), ("expected value", "x"));
        let complaint = SourceValue::from_json("{\"a\": 1, \"a\": 2}").unwrap_err();
        assert_eq!(complaint.message, "duplicate key `a`");
        let complaint = SourceValue::from_json("1 2").unwrap_err();
        assert_eq!((complaint.message.as_str(), complaint.span), ("trailing characters", 2..3));
        assert_eq!(SourceValue::from_json("").unwrap_err().message, "EOF while parsing a value");
    }

    #[test]
    fn a_value_apart_may_be_anything_and_is_kept_as_it_is_written() {
        let (root, id) = SourceValue::from_json_apart(r#"{"id": 1e999, "a": 1}"#, "id").unwrap();
        assert_eq!(root.get("id").unwrap().value, Value::Null);
        assert_eq!(id.unwrap().get(), "1e999");
        assert!(
            SourceValue::from_json_apart(r#"{"a": {"id": 1e999}}"#, "id").is_err(),
            "the outermost table alone"
        );
    }
}
