//! The published schema accepts what the reader accepts, and refuses what an editor can see to be wrong.

use rattleback_scene::scene_schema;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Whether a value fits a schema, for the keywords that ours uses; any other keyword is a mistake of the test.
fn fits(value: &Value, schema: &Value, root: &Value) -> bool {
    schema.as_object().unwrap().iter().all(|(keyword, wanted)| match keyword.as_str() {
        "$ref" => fits(value, root.pointer(&wanted.as_str().unwrap()[1..]).unwrap(), root),
        "anyOf" | "oneOf" => wanted.as_array().unwrap().iter().any(|schema| fits(value, schema, root)),
        "const" => value == wanted,
        "enum" => wanted.as_array().unwrap().contains(value),
        "type" => match wanted.as_str().unwrap() {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "number" => value.is_number(),
            "integer" => value.is_u64() || value.is_i64(),
            "boolean" => value.is_boolean(),
            other => panic!("type {other}"),
        },
        "properties" => {
            let each = |(key, schema): (&String, &Value)| {
                value.get(key).is_none_or(|value| fits(value, schema, root))
            };
            wanted.as_object().unwrap().iter().all(each)
        }
        "required" => wanted.as_array().unwrap().iter().all(|key| value.get(key.as_str().unwrap()).is_some()),
        "additionalProperties" => value.as_object().is_none_or(|map| {
            let known = |key: &str| schema.get("properties").is_some_and(|known| known.get(key).is_some());
            let more = map.iter().filter(|(key, _)| !known(key));
            let allowed = |value: &Value| *wanted != Value::Bool(false) && fits(value, wanted, root);
            more.map(|(_, value)| value).all(allowed)
        }),
        "items" => value.as_array().is_none_or(|list| list.iter().all(|value| fits(value, wanted, root))),
        "minItems" => value.as_array().is_none_or(|list| list.len() as u64 >= wanted.as_u64().unwrap()),
        "maxItems" => value.as_array().is_none_or(|list| list.len() as u64 <= wanted.as_u64().unwrap()),
        "minimum" => value.as_f64().is_none_or(|x| x >= wanted.as_f64().unwrap()),
        "pattern" if wanted == r"^\s*=" => {
            value.as_str().is_none_or(|text| text.trim_start().starts_with('='))
        }
        // What text must look like is for editors; the reader's own tests cover it.
        "pattern" | "description" | "title" | "$schema" | "$defs" => true,
        other => panic!("keyword {other}"),
    })
}

fn read(path: &Path) -> Option<Value> {
    let table: toml::Table = std::fs::read_to_string(path).unwrap().parse().ok()?;
    Some(serde_json::to_value(table).unwrap())
}

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    let each = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    each.filter(|path| path.extension().is_some_and(|ending| ending == "toml")).collect()
}

#[test]
fn every_scene_fits_the_schema() {
    let schema = scene_schema();
    for path in ["scenes", "scenes/papers", "scenes/mechanisms"].into_iter().flat_map(files) {
        assert!(fits(&read(&path).unwrap(), &schema, &schema), "{}", path.display());
    }
}

#[test]
fn an_editor_sees_mistakes_of_keys_kinds_and_words() {
    let schema = scene_schema();
    let broken = files("crates/cli/tests/broken");
    for name in [
        "unknown_key",
        "unknown_table",
        "missing_key",
        "missing_several",
        "wrong_kind",
        "unknown_shape_type",
        "unknown_law",
        "list_too_short",
        "bad_orientation",
    ] {
        let path = broken.iter().find(|path| path.file_stem().is_some_and(|stem| stem == name)).unwrap();
        assert!(!fits(&read(path).unwrap(), &schema, &schema), "{name}");
    }
}
