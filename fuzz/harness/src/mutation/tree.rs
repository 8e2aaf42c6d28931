//! The tree of a TOML or JSON file. Numbers are kept as texts: what stands in a mutated file need not be one.

use serde_json::Value as Json;
use std::fmt::Write;

/// A value of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tree {
    /// A table; keys may occur twice.
    Table(Vec<(String, Tree)>),
    /// A list.
    List(Vec<Tree>),
    /// Text between quotes.
    Text(String),
    /// A number, true, false, or what stands in their place, as it is written.
    Token(String),
}

impl Tree {
    /// The tree of a TOML document; none where it is no TOML.
    pub fn from_toml(text: &str) -> Option<Self> {
        text.parse::<toml::Table>().ok().map(|table| Self::from(&toml::Value::Table(table)))
    }

    /// The tree of a JSON document; none where it is no JSON.
    pub fn from_json(text: &str) -> Option<Self> {
        serde_json::from_str::<Json>(text).ok().map(|value| Self::from(&value))
    }

    /// As JSON.
    pub fn json(&self) -> String {
        let mut text = String::new();
        self.write(&mut text, ':', &mut |text, key| quote(text, key));
        text
    }

    /// As TOML: tables and lists of tables of the first floor have headings, all that is below stands in one line.
    pub fn toml(&self) -> String {
        let Self::Table(entries) = self else { return self.json() };
        let mut text = String::new();
        let heading = |value: &Self| match value {
            Self::Table(_) => true,
            Self::List(list) => !list.is_empty() && list.iter().all(|each| matches!(each, Self::Table(_))),
            _ => false,
        };
        for (key, value) in entries.iter().filter(|(_, value)| !heading(value)) {
            value.line(key, &mut text);
        }
        for (key, value) in entries.iter().filter(|(_, value)| heading(value)) {
            let (tables, marks) = match value {
                Self::List(list) => (list.as_slice(), ["[[", "]]"]),
                one => (std::slice::from_ref(one), ["[", "]"]),
            };
            for table in tables {
                text.push_str(marks[0]);
                key_of_toml(&mut text, key);
                text.push_str(marks[1]);
                text.push('\n');
                if let Self::Table(entries) = table {
                    entries.iter().for_each(|(key, value)| value.line(key, &mut text));
                }
            }
        }
        text
    }

    /// Key and value in a line of TOML.
    fn line(&self, key: &str, text: &mut String) {
        key_of_toml(text, key);
        text.push_str(" = ");
        self.write(text, '=', &mut |text, key| key_of_toml(text, key));
        text.push('\n');
    }

    fn write(&self, text: &mut String, between: char, key: &mut impl FnMut(&mut String, &str)) {
        match self {
            Self::Token(token) => text.push_str(token),
            Self::Text(words) => quote(text, words),
            Self::List(list) => {
                text.push('[');
                for (k, each) in list.iter().enumerate() {
                    text.push_str(if k == 0 { "" } else { ", " });
                    each.write(text, between, key);
                }
                text.push(']');
            }
            Self::Table(entries) => {
                text.push('{');
                for (k, (name, value)) in entries.iter().enumerate() {
                    text.push_str(if k == 0 { "" } else { ", " });
                    key(text, name);
                    text.push(between);
                    value.write(text, between, key);
                }
                text.push('}');
            }
        }
    }

    /// The value of a key, if this is a table that has it.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Self> {
        let Self::Table(entries) = self else { return None };
        entries.iter_mut().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// Puts the fingerprint of one value, as it will be written, under another key: what was changed on purpose is then
    /// not refused for having been changed.
    pub fn seal(&mut self, content: &str, seal: &str) {
        let Some(text) = self.get_mut(content).map(|value| value.json()) else { return };
        // FNV-1a with 64 bits.
        let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325, step);
        if let Some(place) = self.get_mut(seal) {
            *place = Self::Text(format!("{hash:016x}"));
        }
    }

    /// How many values there are, this one and all below.
    pub fn count(&self) -> usize {
        1 + match self {
            Self::Table(entries) => entries.iter().map(|(_, value)| value.count()).sum(),
            Self::List(list) => list.iter().map(Self::count).sum::<usize>(),
            _ => 0,
        }
    }

    /// The value at a place in the order of the file, this one being 0, and the key under which it stands.
    pub fn find(&mut self, mut place: usize) -> Option<(&mut Self, String)> {
        self.seek(&mut place, "")
    }

    fn seek(&mut self, place: &mut usize, key: &str) -> Option<(&mut Self, String)> {
        if *place == 0 {
            return Some((self, key.to_owned()));
        }
        *place -= 1;
        match self {
            Self::Table(entries) => entries.iter_mut().find_map(|(name, value)| value.seek(place, name)),
            Self::List(list) => list.iter_mut().find_map(|each| each.seek(place, key)),
            _ => None,
        }
    }
}

impl From<&Json> for Tree {
    fn from(value: &Json) -> Self {
        match value {
            Json::Object(map) => {
                Self::Table(map.iter().map(|(key, value)| (key.clone(), value.into())).collect())
            }
            Json::Array(list) => Self::List(list.iter().map(Self::from).collect()),
            Json::String(text) => Self::Text(text.clone()),
            other => Self::Token(other.to_string()),
        }
    }
}

impl From<&toml::Value> for Tree {
    fn from(value: &toml::Value) -> Self {
        match value {
            toml::Value::Table(map) => {
                Self::Table(map.iter().map(|(key, value)| (key.clone(), value.into())).collect())
            }
            toml::Value::Array(list) => Self::List(list.iter().map(Self::from).collect()),
            toml::Value::String(text) => Self::Text(text.clone()),
            toml::Value::Float(x) => Self::Token(format!("{x:?}")),
            other => Self::Token(other.to_string()),
        }
    }
}

/// A text between quotes, as both TOML and JSON have it.
fn quote(text: &mut String, words: &str) {
    text.push('"');
    for letter in words.chars() {
        match letter {
            '"' | '\\' => text.extend(['\\', letter]),
            letter if letter.is_control() => {
                // Writing to memory does not fail.
                let _ = write!(text, "\\u{:04x}", letter as u32);
            }
            letter => text.push(letter),
        }
    }
    text.push('"');
}

fn key_of_toml(text: &mut String, key: &str) {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !key.is_empty() && key.chars().all(bare) { text.push_str(key) } else { quote(text, key) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_comes_back_from_what_is_written() {
        let text = "a = 1.5\n\"b c\" = \"x\\\"y\\u0000\"\n[t]\nk = [1, {z = true}]\n[[l]]\nq = 1\n[[l]]\n";
        let tree = Tree::from_toml(text).expect("TOML");
        assert_eq!(Tree::from_toml(&tree.toml()), Some(tree.clone()), "{}", tree.toml());
        let json = r#"{"a":[1,2.5,null],"b":{"c":"\u0007"}}"#;
        let tree = Tree::from_json(json).expect("JSON");
        assert_eq!(Tree::from_json(&tree.json()), Some(tree.clone()), "{}", tree.json());
    }

    #[test]
    fn every_place_up_to_the_count_is_found_once() {
        let mut tree = Tree::from_json(r#"{"a":[1,2],"b":{"c":3}}"#).expect("JSON");
        let keys: Vec<String> = (0..tree.count()).map(|k| tree.find(k).expect("a place").1).collect();
        assert_eq!(keys, ["", "a", "a", "a", "b", "c"]);
        let count = tree.count();
        assert!(tree.find(count).is_none());
    }
}
