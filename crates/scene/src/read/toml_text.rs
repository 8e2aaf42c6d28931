//! A tree as TOML that reads back as the same tree, for scenes that come from several files or from JSON.

use super::source_value::{Key, SourceValue, Value};

impl SourceValue {
    /// The text of a table: its plain values, then its tables and lists of tables.
    pub(crate) fn to_toml(&self) -> String {
        let Value::Table(entries) = &self.value else { return String::new() };
        let mut text = String::new();
        for (key, node) in entries.iter().filter(|(_, node)| !is_section(node)) {
            line(key, node, &mut text);
        }
        for (key, node) in entries.iter().filter(|(_, node)| is_section(node)) {
            match &node.value {
                Value::List(list) => list.iter().for_each(|node| section(key, node, "[[", "]]", &mut text)),
                _ => section(key, node, "[", "]", &mut text),
            }
        }
        text
    }
}

fn is_section(node: &SourceValue) -> bool {
    match &node.value {
        Value::Table(_) => true,
        Value::List(list) => {
            !list.is_empty() && list.iter().all(|node| matches!(node.value, Value::Table(_)))
        }
        _ => false,
    }
}

fn section(key: &Key, node: &SourceValue, open: &str, close: &str, text: &mut String) {
    *text += &format!("\n{open}{}{close}\n", name(key));
    if let Value::Table(entries) = &node.value {
        entries.iter().for_each(|(key, node)| line(key, node, text));
    }
}

fn line(key: &Key, node: &SourceValue, text: &mut String) {
    *text += &format!("{} = ", name(key));
    inline(node, text);
    text.push('\n');
}

fn name(key: &Key) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if !key.name.is_empty() && key.name.chars().all(is_bare) { key.name.clone() } else { quoted(&key.name) }
}

/// A basic string: JSON's escapes are TOML's, which has no plain DEL.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}

fn inline(node: &SourceValue, text: &mut String) {
    match &node.value {
        Value::Table(entries) => {
            text.push_str("{ ");
            for (k, (key, node)) in entries.iter().enumerate() {
                *text += &format!("{}{} = ", if k > 0 { ", " } else { "" }, name(key));
                inline(node, text);
            }
            text.push_str(" }");
        }
        Value::List(list) => {
            text.push('[');
            for (k, node) in list.iter().enumerate() {
                text.push_str(if k > 0 { ", " } else { "" });
                inline(node, text);
            }
            text.push(']');
        }
        Value::Float(x) if x.is_nan() => text.push_str("nan"),
        // Rust writes the digits that read back as the same number.
        Value::Float(x) => *text += &format!("{x:?}"),
        Value::Integer(x) => *text += &x.to_string(),
        Value::Text(own) => *text += &quoted(own),
        Value::Bool(b) => *text += &b.to_string(),
        Value::Date(date) => text.push_str(date),
        // Nothing that is read has it.
        Value::Null => text.push_str("{}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree without its places.
    fn plain(node: &SourceValue) -> SourceValue {
        let value = match &node.value {
            Value::Table(entries) => Value::Table(
                entries
                    .iter()
                    .map(|(key, node)| (Key { name: key.name.clone(), span: 0..0 }, plain(node)))
                    .collect(),
            ),
            Value::List(list) => Value::List(list.iter().map(plain).collect()),
            value => value.clone(),
        };
        SourceValue { span: 0..0, turn: 0, value }
    }

    #[test]
    fn what_is_written_reads_back_as_the_same_tree() {
        let text = r##"
a = "x\"\\\n\u0001é"
"b c" = [1, 2.5, -1e-300, inf, 1e22, true, [], {}, {x = 1}]
d = 1979-05-27
[empty]
[t]
x = { y = [1, { z = "=2*r" }], "ü" = 3 }
[[l]]
[[l]]
q = 0.1
"##;
        let (tree, complaints) = SourceValue::from_toml(text);
        assert!(complaints.is_empty(), "{complaints:?}");
        let written = tree.to_toml();
        let (again, complaints) = SourceValue::from_toml(&written);
        assert!(complaints.is_empty(), "{complaints:?}: {written}");
        assert_eq!(plain(&again), plain(&tree), "{written}");
    }
}
