//! Changes of a scene by its keys, as a form makes them: the rest of the text, comments included, stays as it is.

use serde::Deserialize;
use serde_json::Value;
use toml_edit::{ArrayOfTables, DocumentMut, Item, TableLike};

/// Keys and places of a path at most.
const DEEPEST: usize = 64;

/// A step along a path.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(super) enum Step {
    Place(usize),
    Key(String),
}

/// What is done at the end of a path.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Action {
    /// The value is put there.
    Set,
    /// What is there goes.
    Remove,
    /// What is there, an entry of a list, is there twice.
    Duplicate,
    /// A table is appended to the list that is there, which begins with it where there is none.
    Append,
}

/// A change.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Edit {
    path: Vec<Step>,
    action: Action,
    #[serde(default)]
    value: Value,
}

/// What a text says, as JSON; null where it is no TOML.
pub(super) fn tree(text: &str) -> Value {
    match text.parse::<DocumentMut>() {
        Ok(document) => of_table(document.as_table()),
        Err(_) => Value::Null,
    }
}

fn of_table(table: &dyn TableLike) -> Value {
    table.iter().map(|(key, item)| (key.to_owned(), of_item(item))).collect()
}

fn of_item(item: &Item) -> Value {
    match item {
        Item::None => Value::Null,
        Item::Table(table) => of_table(table),
        Item::ArrayOfTables(list) => list.iter().map(|table| of_table(table)).collect(),
        Item::Value(value) => of_value(value),
    }
}

fn of_value(value: &toml_edit::Value) -> Value {
    match value {
        toml_edit::Value::String(text) => text.value().as_str().into(),
        toml_edit::Value::Integer(number) => (*number.value()).into(),
        toml_edit::Value::Float(number) => (*number.value()).into(),
        toml_edit::Value::Boolean(bit) => (*bit.value()).into(),
        toml_edit::Value::Datetime(time) => time.value().to_string().into(),
        toml_edit::Value::Array(list) => list.iter().map(of_value).collect(),
        toml_edit::Value::InlineTable(table) => of_table(table),
    }
}

/// A value of JSON as one of TOML, in one line.
fn to_value(value: &Value) -> Result<toml_edit::Value, String> {
    Ok(match value {
        Value::Null => return Err("a value is missing".to_owned()),
        Value::Bool(bit) => (*bit).into(),
        Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => whole.into(),
            (None, Some(number)) => number.into(),
            (None, None) => return Err(format!("{number} is no number of a scene")),
        },
        Value::String(text) => text.as_str().into(),
        Value::Array(list) => {
            let values = list.iter().map(to_value).collect::<Result<Vec<_>, _>>()?;
            toml_edit::Value::Array(values.into_iter().collect())
        }
        Value::Object(map) => {
            let mut table = toml_edit::InlineTable::new();
            for (key, value) in in_order(map) {
                table.insert(key, to_value(value)?);
            }
            table.into()
        }
    })
}

/// The keys of a table, those first that say what it is.
fn in_order(map: &serde_json::Map<String, Value>) -> Vec<(&String, &Value)> {
    let mut entries: Vec<(&String, &Value)> = map.iter().collect();
    entries.sort_by_key(|(key, _)| !matches!(key.as_str(), "type" | "law" | "name"));
    entries
}

fn to_table(value: &Value) -> Result<toml_edit::Table, String> {
    let Value::Object(map) = value else { return Err("expected a table".to_owned()) };
    let mut table = toml_edit::Table::new();
    for (key, value) in in_order(map) {
        table.insert(key, Item::Value(to_value(value)?));
    }
    Ok(table)
}

impl Edit {
    /// The text after the change.
    pub(super) fn apply(&self, text: &str) -> Result<String, String> {
        let mut document = text.parse::<DocumentMut>().map_err(|error| error.to_string())?;
        if self.path.len() > DEEPEST {
            return Err("the path is too long".to_owned());
        }
        let Some((last, before)) = self.path.split_last() else { return Err("the path is empty".to_owned()) };
        let mut item = document.as_item_mut();
        for (k, step) in before.iter().enumerate() {
            let is_tables = matches!(self.path.get(k + 1), Some(Step::Key(_)));
            item = enter(item, step, is_tables)?;
        }
        match (self.action, last) {
            (Action::Set, step) => set(item, step, &self.value)?,
            (Action::Remove, Step::Key(key)) => {
                let table = item.as_table_like_mut().ok_or("there is no table")?;
                table.remove(key);
            }
            (Action::Append, Step::Key(key)) => append(item, key, &self.value)?,
            (Action::Append, Step::Place(_)) => return Err("a list is named by its key".to_owned()),
            (Action::Remove | Action::Duplicate, Step::Place(place)) => {
                change_list(item, *place, self.action)?
            }
            (Action::Duplicate, Step::Key(_)) => {
                return Err("only entries of lists are duplicated".to_owned());
            }
        }
        Ok(document.to_string())
    }
}

fn enter<'a>(item: &'a mut Item, step: &Step, make: bool) -> Result<&'a mut Item, String> {
    match step {
        Step::Key(key) => {
            let table = item.as_table_like_mut().ok_or_else(|| format!("{key}: there is no table"))?;
            if make && !table.contains_key(key) {
                table.insert(key, Item::Table(toml_edit::Table::new()));
            }
            table.get_mut(key).ok_or_else(|| format!("{key}: is not there"))
        }
        Step::Place(place) => item.get_mut(*place).ok_or_else(|| format!("entry {place} is not there")),
    }
}

fn set(item: &mut Item, step: &Step, wanted: &Value) -> Result<(), String> {
    let mut value = to_value(wanted)?;
    let old = match step {
        Step::Key(key) => item.as_table_like_mut().ok_or("there is no table")?.get_mut(key),
        Step::Place(place) => item.get_mut(*place),
    };
    match (old, step) {
        (Some(Item::Value(old)), _) => {
            *value.decor_mut() = old.decor().clone();
            *old = value;
        }
        // A table with a heading of its own keeps that.
        (Some(Item::Table(old)), _) if wanted.is_object() => {
            old.clear();
            old.extend(to_table(wanted)?);
        }
        (Some(_), _) => return Err("a table stands there; its keys are set one by one".to_owned()),
        (None, Step::Key(key)) => {
            item.as_table_like_mut().ok_or("there is no table")?.insert(key, Item::Value(value));
        }
        (None, Step::Place(_)) => item.as_array_mut().ok_or("there is no list")?.push(value),
    }
    Ok(())
}

fn append(item: &mut Item, key: &str, value: &Value) -> Result<(), String> {
    let table = item.as_table_like_mut().ok_or("there is no table")?;
    match table.get_mut(key) {
        None => {
            let mut list = ArrayOfTables::new();
            list.push(to_table(value)?);
            table.insert(key, Item::ArrayOfTables(list));
        }
        Some(Item::ArrayOfTables(list)) => list.push(to_table(value)?),
        Some(Item::Value(toml_edit::Value::Array(list))) => list.push(to_value(value)?),
        Some(_) => return Err(format!("{key}: is no list")),
    }
    Ok(())
}

fn change_list(item: &mut Item, place: usize, action: Action) -> Result<(), String> {
    let absent = || format!("entry {place} is not there");
    match item {
        Item::ArrayOfTables(list) => {
            let mut own = list.get(place).ok_or_else(absent)?.clone();
            if matches!(action, Action::Remove) {
                list.remove(place);
            } else {
                let names: Vec<&str> = list.iter().filter_map(|table| table.get("name")?.as_str()).collect();
                if let Some(name) = own.get("name").and_then(Item::as_str).map(|own| free_name(own, &names)) {
                    own.insert("name", toml_edit::value(name));
                }
                // A copy comes last, wherever in the text the first one stands.
                own.set_position(None);
                list.push(own);
            }
        }
        Item::Value(toml_edit::Value::Array(list)) => {
            let own = list.get(place).ok_or_else(absent)?.clone();
            if matches!(action, Action::Remove) {
                list.remove(place);
            } else {
                list.push(own);
            }
        }
        _ => return Err("there is no list".to_owned()),
    }
    Ok(())
}

/// A name that no other has: "ball" becomes "ball 2".
fn free_name(name: &str, taken: &[&str]) -> String {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end();
    let mut names = (2_u64..).map(|k| format!("{stem} {k}"));
    names.find(|name| !taken.contains(&name.as_str())).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use serde_json::json;

    const TEXT: &str = "title = \"A\" # said\n\n[[bodies]]\nname = \"a\"\nshape = { type = \"sphere\", radius = \"1 cm\" }\n\n[run]\nduration = 1.0 # s\n";

    fn edited(edit: Value) -> Result<String, String> {
        serde_json::from_value::<Edit>(edit).unwrap().apply(TEXT)
    }

    #[test]
    fn one_value_changes_and_comments_stay() {
        let text = edited(json!({"path": ["run", "duration"], "action": "set", "value": "2 s"})).unwrap();
        assert_eq!(text, TEXT.replace("1.0 # s", "\"2 s\" # s"));
        let path = json!(["bodies", 0, "shape", "radius"]);
        let text = edited(json!({"path": path, "action": "set", "value": 0.5})).unwrap();
        assert_eq!(text, TEXT.replace("\"1 cm\"", "0.5"));
        let text = edited(json!({"path": ["solver", "type"], "action": "set", "value": "many"})).unwrap();
        assert!(text.ends_with("[solver]\ntype = \"many\"\n"), "{text}");
        let text = edited(json!({"path": ["run"], "action": "set", "value": {"duration": 3}})).unwrap();
        assert!(text.ends_with("\n[run]\nduration = 3\n"), "{text}");
        let shape = json!({"radius": 1, "type": "torus"});
        let text = edited(json!({"path": ["bodies", 0, "shape"], "action": "set", "value": shape})).unwrap();
        assert!(text.contains("shape = { type = \"torus\", radius = 1 }"), "{text}");
    }

    #[test]
    fn entries_are_added_doubled_and_taken_away() {
        let text =
            edited(json!({"path": ["bodies"], "action": "append", "value": {"name": "b", "fixed": true}}))
                .unwrap();
        assert_eq!(tree(&text)["bodies"][1], json!({"name": "b", "fixed": true}));
        assert_eq!(text.matches("[[bodies]]").count(), 2, "{text}");
        let text = edited(json!({"path": ["bodies", 0], "action": "duplicate"})).unwrap();
        assert_eq!(tree(&text)["bodies"][1]["shape"], tree(TEXT)["bodies"][0]["shape"]);
        assert_eq!(tree(&text)["bodies"][1]["name"], "a 2");
        let text = edited(json!({"path": ["bodies", 0], "action": "remove"})).unwrap();
        assert!(!text.contains("sphere") && text.contains("# said"), "{text}");
        let text =
            edited(json!({"path": ["forces"], "action": "append", "value": {"type": "constant"}})).unwrap();
        assert_eq!(tree(&text)["forces"], json!([{"type": "constant"}]));
    }

    #[test]
    fn what_is_not_there_is_told() {
        for (path, action, reason) in [
            (json!(["bodies", 7]), "remove", "entry 7 is not there"),
            (json!(["bodies", 7, "name"]), "set", "entry 7 is not there"),
            (json!(["title", "x"]), "set", "there is no table"),
            (json!([]), "set", "the path is empty"),
            (json!(["bodies"]), "set", "a table stands there; its keys are set one by one"),
        ] {
            let error = edited(json!({"path": path, "action": action, "value": 1})).unwrap_err();
            assert_eq!(error, reason, "{path}");
        }
        let edit: Edit = serde_json::from_value(json!({"path": ["a"], "action": "set", "value": 1})).unwrap();
        assert!(edit.apply("a = [").is_err());
        assert_eq!(tree("a = ["), Value::Null);
    }
}
