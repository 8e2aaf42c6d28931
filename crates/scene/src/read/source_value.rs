//! The tree of a file, in which every key and value knows where it stands.

use super::complaint::{Complaint, Source};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A range of bytes of the text; empty at zero where the place is not known.
pub type Span = std::ops::Range<usize>;

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceValue {
    /// Where it stands.
    pub span: Span,
    /// The turn of a loop that it belongs to, which says what the loop's index is; zero outside of loops.
    pub turn: u32,
    /// What it is.
    pub value: Value,
}

/// What stands there.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// In the order of the file.
    Table(Vec<(Key, SourceValue)>),
    /// A list.
    List(Vec<SourceValue>),
    /// A number with a point or an exponent.
    Float(f64),
    /// A whole number.
    Integer(i64),
    /// Text.
    Text(String),
    /// True or false.
    Bool(bool),
    /// A date or time, which nothing here takes.
    Date(String),
    /// JSON's null.
    Null,
}

/// The name of a value in a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Key {
    /// The name.
    pub name: String,
    /// Where it stands.
    pub span: Span,
}

impl SourceValue {
    /// The tree of a TOML document; what is no TOML is complained of, and the rest is kept.
    pub fn from_toml(text: &str) -> (Self, Vec<Complaint>) {
        let (document, errors) = DeTable::parse_recoverable(text);
        let mut complaints: Vec<Complaint> = errors
            .iter()
            .map(|error| Complaint {
                // An empty place at zero would be taken for none.
                span: error.span().map_or(0..1, |span| span.start..span.end.max(span.start + 1)),
                key: String::new(),
                message: error.message().to_owned(),
                help: None,
            })
            .collect();
        // The whole has no place of its own; what it lacks is told at its beginning.
        let span = 0..1;
        let mut unread = Vec::new();
        let value = table(document.get_ref(), &mut unread);
        // Where the syntax is wrong, what is left of a number may be none.
        if complaints.is_empty() {
            complaints = unread;
        }
        (Self { span, turn: 0, value }, complaints)
    }

    /// The tree of a file in JSON, if its path ends so, or else in TOML, with complaints of what is neither.
    pub fn from_source(source: &Source) -> (Self, Vec<Complaint>) {
        if !source.path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json")) {
            return Self::from_toml(&source.text);
        }
        match Self::from_json(&source.text) {
            Ok(tree) => (tree, Vec::new()),
            Err(complaint) => (Self { span: 0..1, turn: 0, value: Value::Null }, vec![complaint]),
        }
    }

    /// The value of a key, if this is a table that has it.
    pub fn get(&self, name: &str) -> Option<&SourceValue> {
        let Value::Table(entries) = &self.value else { return None };
        entries.iter().find(|(key, _)| key.name == name).map(|(_, node)| node)
    }

    /// The value in words, for messages.
    pub fn words(&self) -> String {
        match &self.value {
            Value::Table(_) => "a table".to_owned(),
            Value::List(list) => format!("a list of {}", list.len()),
            Value::Float(x) => format!("the number {x}"),
            Value::Integer(x) => format!("the number {x}"),
            Value::Text(text) if text.chars().count() > 40 => {
                format!("the text \"{}…\"", text.chars().take(40).collect::<String>())
            }
            Value::Text(text) => format!("the text \"{text}\""),
            Value::Bool(b) => b.to_string(),
            Value::Date(text) => format!("the date {text}"),
            Value::Null => "null".to_owned(),
        }
    }
}

fn table(entries: &DeTable<'_>, complaints: &mut Vec<Complaint>) -> Value {
    let mut list: Vec<(Key, SourceValue)> = Vec::with_capacity(entries.len());
    for (key, value) in entries {
        let name = Key { name: key.get_ref().to_string(), span: key.span() };
        list.push((name, node(value, complaints)));
    }
    // The parser sorts keys by name; results follow the order of declaration.
    list.sort_by_key(|(key, _)| key.span.start);
    Value::Table(list)
}

fn node(value: &Spanned<DeValue<'_>>, complaints: &mut Vec<Complaint>) -> SourceValue {
    let span = value.span();
    let mut wrong = |found: &str, why: &str| {
        complaints.push(Complaint {
            span: span.clone(),
            key: String::new(),
            message: format!("{found} {why}"),
            help: None,
        });
        f64::NAN
    };
    let value = match value.get_ref() {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(n) => match i64::from_str_radix(n.as_str(), n.radix()) {
            Ok(n) => Value::Integer(n),
            Err(_) => Value::Float(wrong(n.as_str(), "is too large for an integer; write it with a point")),
        },
        DeValue::Float(x) => match x.as_str().parse::<f64>() {
            Ok(x) => Value::Float(x),
            Err(_) => Value::Float(wrong(x.as_str(), "is no number")),
        },
        DeValue::Boolean(b) => Value::Bool(*b),
        DeValue::Datetime(date) => Value::Date(date.to_string()),
        DeValue::Array(list) => Value::List(list.iter().map(|value| node(value, complaints)).collect()),
        DeValue::Table(entries) => table(entries, complaints),
    };
    SourceValue { span, turn: 0, value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_come_in_the_order_of_the_file_and_know_their_places() {
        let text = "b = 1\na = \"x\"\n[t]\nz = [1.5, 2]\n";
        let (root, complaints) = SourceValue::from_toml(text);
        assert!(complaints.is_empty());
        let Value::Table(entries) = &root.value else { panic!("no table") };
        let names: Vec<_> = entries.iter().map(|(key, _)| key.name.as_str()).collect();
        assert_eq!(names, ["b", "a", "t"]);
        let list = root.get("t").and_then(|t| t.get("z")).expect("z");
        assert_eq!(&text[list.span.clone()], "[1.5, 2]");
    }

    #[test]
    fn every_syntax_error_is_told() {
        let (_, complaints) = SourceValue::from_toml("velocity = [1, .3, 1]\n");
        assert_eq!(complaints.len(), 1, "{complaints:?}");
        let (root, complaints) = SourceValue::from_toml("a = \nb = 2\nc = = 3\n");
        assert!(complaints.len() >= 2, "{complaints:?}");
        assert!(root.get("b").is_some(), "what is right is kept");
    }
}
