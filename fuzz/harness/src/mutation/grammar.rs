//! Tables and values grown from a JSON Schema: what a file may say, by the schema that the program itself publishes.

use super::token;
use super::tree::Tree;
use crate::random::Random;
use serde_json::{Map, Value as Json};
use std::collections::BTreeMap;

/// Below this depth lists stay empty and optional keys are left away; scenes nest tables five deep.
const DEPTH: usize = 7;

/// A schema, taken apart.
#[derive(Debug)]
pub struct Grammar {
    schema: Json,
    /// What may stand under a key, anywhere.
    keys: BTreeMap<String, Vec<Json>>,
    /// The tables that there are.
    tables: Vec<Map<String, Json>>,
}

impl Grammar {
    /// Takes a schema apart.
    pub fn new(schema: Json) -> Self {
        let mut grammar = Self { keys: BTreeMap::new(), tables: Vec::new(), schema: Json::Null };
        grammar.collect(&schema);
        grammar.schema = schema;
        grammar
    }

    fn collect(&mut self, schema: &Json) {
        match schema {
            Json::Object(map) => {
                if let Some(Json::Object(properties)) = map.get("properties") {
                    for (key, value) in properties {
                        self.keys.entry(key.clone()).or_default().push(value.clone());
                    }
                    self.tables.push(properties.clone());
                }
                map.values().for_each(|value| self.collect(value));
            }
            Json::Array(list) => list.iter().for_each(|value| self.collect(value)),
            _ => {}
        }
    }

    /// A file that the schema allows, if the numbers are right.
    pub fn document(&self, random: &mut Random) -> Tree {
        self.grow(&self.schema, 0, random)
    }

    /// A value for a key, of any of the tables that have it.
    pub fn value(&self, key: &str, random: &mut Random) -> Option<Tree> {
        let schemas = self.keys.get(key)?;
        let schema = random.pick(schemas).clone();
        Some(self.grow(&schema, 2, random))
    }

    /// A key that a table could have besides those that it has, with a value.
    pub fn addition(&self, entries: &[(String, Tree)], random: &mut Random) -> Option<(String, Tree)> {
        let fits = |table: &&Map<String, Json>| {
            entries.iter().all(|(key, value)| match (table.get(key), value) {
                (Some(schema), Tree::Text(text)) => {
                    schema.get("const").is_none_or(|word| word.as_str() == Some(text))
                }
                (schema, _) => schema.is_some(),
            })
        };
        let fitting: Vec<_> = self.tables.iter().filter(fits).collect();
        let table = if fitting.is_empty() { random.pick(&self.tables) } else { *random.pick(&fitting) };
        let absent: Vec<_> =
            table.iter().filter(|(key, _)| entries.iter().all(|(has, _)| has != *key)).collect();
        if absent.is_empty() {
            return None;
        }
        let (key, schema) = *random.pick(&absent);
        Some((key.clone(), self.grow(schema, 2, random)))
    }

    fn grow(&self, schema: &Json, depth: usize, random: &mut Random) -> Tree {
        let text = |key: &str| schema.get(key).and_then(Json::as_str);
        if let Some(word) = text("const") {
            return Tree::Text(word.to_owned());
        }
        if let Some(reference) = text("$ref") {
            let target = self.schema.pointer(reference.trim_start_matches('#'));
            return target.map_or(Tree::List(Vec::new()), |schema| self.grow(schema, depth, random));
        }
        if let Some(Json::Array(choices)) = schema.get("anyOf").filter(|_| schema.get("properties").is_none())
        {
            return self.grow(random.pick(choices), depth, random);
        }
        match text("type") {
            Some("object") => self.table(schema, depth, random),
            Some("array") => self.list(schema, depth, random),
            Some("string") => Tree::Text(words(text("pattern"), random)),
            Some("integer") => Tree::Token(token::count(random)),
            Some("boolean") => Tree::Token(random.pick(&["true", "false"]).to_string()),
            _ => Tree::Token(token::number(random)),
        }
    }

    fn table(&self, schema: &Json, depth: usize, random: &mut Random) -> Tree {
        let required: Vec<&str> = match schema.get("required") {
            Some(Json::Array(list)) => list.iter().filter_map(Json::as_str).collect(),
            _ => Vec::new(),
        };
        let mut entries = Vec::new();
        if let Some(Json::Object(properties)) = schema.get("properties") {
            for (key, value) in properties {
                let wanted = required.contains(&key.as_str()) || (depth < DEPTH && random.once_in(4));
                if wanted && !random.once_in(50) {
                    entries.push((key.clone(), self.grow(value, depth + 1, random)));
                }
            }
        } else if let Some(value @ Json::Object(_)) = schema.get("additionalProperties") {
            for _ in 0..1 + random.below(2) {
                entries.push((token::name(random), self.grow(value, depth + 1, random)));
            }
        }
        Tree::Table(entries)
    }

    fn list(&self, schema: &Json, depth: usize, random: &mut Random) -> Tree {
        let bound = |key: &str| schema.get(key).and_then(Json::as_u64).map(|n| n as usize);
        let least = bound("minItems").unwrap_or(0);
        let most = bound("maxItems").unwrap_or(if depth < DEPTH { least + 3 } else { least });
        let mut length = least + random.below(most.saturating_sub(least) + 1);
        if random.once_in(60) {
            length += 1;
        }
        let nothing = Json::Null;
        let each = schema.get("items").unwrap_or(&nothing);
        Tree::List((0..length).map(|_| self.grow(each, depth + 1, random)).collect())
    }
}

/// Text for a pattern of the schema: a quantity with its unit, a colour, a sequence of axes, or a name.
fn words(pattern: Option<&str>, random: &mut Random) -> String {
    match pattern {
        Some(pattern) if pattern.starts_with("^\\s*") => {
            format!("{} {}", token::number(random), token::unit(random))
        }
        Some(pattern) if pattern.starts_with("^#") => "#4477aa".to_owned(),
        Some(pattern) if pattern.contains("xyz") => (*random.pick(&["xyz", "zyx", "ZXZ", "xx"])).to_owned(),
        _ => token::name(random),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sandbox;
    use crate::input::{Input, Target};

    #[test]
    fn some_shapes_grown_from_the_schema_are_accepted_as_they_are() {
        let grammar = Grammar::new(rattleback_scene::shape_schema());
        let sandbox = Sandbox::temporary().expect("a folder");
        let accepted = (0..1000).filter(|&number| {
            let tree = grammar.document(&mut Random::new(1, number));
            sandbox.run(&Input::new(Target::Shape, "shape.toml", tree.toml())).accepted
        });
        let accepted = accepted.count();
        assert!(accepted > 5, "{accepted} of 1000");
    }
}
