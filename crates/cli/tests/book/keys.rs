//! The keys of scenes as the book has them, against the schema: each is in the reference, and each in an example.

use super::{blocks, chapters, compare, has_key, name_of, root};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

fn schema() -> Value {
    let text = std::fs::read_to_string(root().join("docs/scene.schema.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// What a value may be, in words.
fn kind(value: &Value) -> String {
    let list = |options: &Value| {
        options
            .as_array()
            .unwrap()
            .iter()
            .map(kind)
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect::<Vec<_>>()
            .join(" or ")
    };
    if let Some(reference) = value["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap();
        return name.strip_suffix("Spec").unwrap_or(name).to_owned();
    }
    for options in [&value["anyOf"], &value["oneOf"]] {
        if options.is_array() {
            return list(options);
        }
    }
    if let Some(words) = value["enum"].as_array() {
        return words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(" or ");
    }
    match value["type"].as_str() {
        _ if value["const"].is_string() => format!("`{}`", value["const"]),
        Some("array") => format!("list of {}", kind(&value["items"])),
        Some("object") => "table".to_owned(),
        Some("boolean") => "true or false".to_owned(),
        Some(other) => other.to_owned(),
        None => "any".to_owned(),
    }
}

fn said(value: &Value) -> String {
    value["description"].as_str().unwrap_or("").replace('\n', " ").replace('|', "\\|")
}

/// The keys of a table, one per line.
fn rows(table: &Value) -> String {
    let required: Vec<&str> =
        table["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let empty = Map::new();
    let properties = table["properties"].as_object().unwrap_or(&empty);
    let row = |(key, value): (&String, &Value)| {
        let shown =
            if required.contains(&key.as_str()) { format!("**`{key}`**") } else { format!("`{key}`") };
        format!("| {shown} | {} | {} |\n", kind(value).replace('|', "\\|"), said(value))
    };
    properties.iter().map(row).collect()
}

const HEAD: &str = "| key | value | |\n|---|---|---|\n";

/// A definition of the schema: a table, a choice of tables, or words.
fn section(name: &str, value: &Value) -> String {
    let title = name.strip_suffix("Spec").unwrap_or(name);
    let mut text = format!("## {title}\n\n");
    if !said(value).is_empty() {
        text += &format!("{}\n\n", said(value));
    }
    if value["properties"].is_object() {
        text += &format!("{HEAD}{}\n", rows(value));
    }
    let options: Vec<&Value> =
        [&value["anyOf"], &value["oneOf"]].into_iter().filter_map(Value::as_array).flatten().collect();
    let mut words = Vec::new();
    for option in options {
        let properties = option["properties"].as_object();
        if let Some(properties) = properties {
            let own = properties.iter().find(|(_, value)| value["const"].is_string());
            let label = own.map(|(key, value)| format!("`{key} = {}`", value["const"]));
            text += &format!(
                "{}{}\n\n{HEAD}{}\n",
                label.map_or_else(String::new, |label| format!("**{label}** ")),
                said(option),
                rows(option)
            );
        } else if let Some(word) = option["const"].as_str() {
            words.push(format!("| `\"{word}\"` | {} |\n", said(option)));
        } else {
            words.push(format!("| {} | {} |\n", kind(option), said(option)));
        }
    }
    if !words.is_empty() {
        text += &format!("| value | |\n|---|---|\n{}\n", words.concat());
    }
    text
}

#[test]
fn the_reference_of_the_book_is_that_of_the_schema() {
    let schema = schema();
    let definitions = schema["$defs"].as_object().unwrap();
    let mut made = section("SceneSpec", &definitions["SceneSpec"]);
    for (name, value) in definitions.iter().filter(|(name, _)| *name != "SceneSpec") {
        made += &section(name, value);
    }
    compare("keys.md", "keys", made.trim_end());
}

/// The keys that a schema names anywhere.
fn keys_of(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) => {
            if let Some(properties) = map.get("properties").and_then(Value::as_object) {
                found.extend(properties.keys().cloned());
            }
            map.values().for_each(|value| keys_of(value, found));
        }
        Value::Array(list) => list.iter().for_each(|value| keys_of(value, found)),
        _ => {}
    }
}

/// The keys that stand before `=` in a block, those of inline tables too, and in heads of tables.
fn used_in(block: &str, found: &mut BTreeSet<String>) {
    for line in block.lines() {
        let line = line.split(" #").next().unwrap();
        for part in line.rsplit(" =").skip(1) {
            let key = part.rsplit(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next().unwrap();
            found.insert(key.to_owned());
        }
        if line.starts_with('[') {
            found.extend(line.trim_matches(['[', ']']).split('.').map(str::to_owned));
        }
    }
}

/// Keys that need a file or a folder that the book does not have, or frames that the examples give in another way; the
/// chapters name them.
const NAMED_ONLY: &[&str] =
    &["carrier_frames", "hull_mesh", "head", "shank", "shank_length", "fixed_step", "link_meshes", "mesh"];

#[test]
fn every_key_of_a_scene_stands_in_an_example_of_the_book() {
    let (mut known, mut used) = (BTreeSet::new(), BTreeSet::new());
    keys_of(&schema(), &mut known);
    let mut texts = String::new();
    for (chapter, body) in chapters() {
        for block in blocks(&body, "toml") {
            // Studies have keys of their own, and are no scenes.
            if name_of(block).is_some() && !has_key(block, "scene") {
                used_in(block, &mut used);
            }
        }
        if chapter != "keys.md" {
            texts += &body;
        }
    }
    assert!(known.len() > 200, "only {} keys known", known.len());
    for key in NAMED_ONLY {
        assert!(known.contains(*key) && texts.contains(&format!("`{key}`")), "{key} is named by no chapter");
        used.insert((*key).to_owned());
    }
    let missing: Vec<&String> = known.difference(&used).collect();
    assert!(missing.is_empty(), "in no example of the book: {missing:?}");
}
