//! Tables and values grown from a JSON Schema: what a file may say, by the schema that the program itself publishes.

use super::sense::{self, Mood};
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

    /// A file that the schema allows.
    pub fn document(&self, random: &mut Random) -> Tree {
        let mut mood = Mood::any(random);
        self.grow(&self.schema, "", 0, &mut mood, random)
    }

    /// A value for a key, of any of the tables that have it.
    pub fn value(&self, key: &str, random: &mut Random) -> Option<Tree> {
        let schemas = self.keys.get(key)?;
        let schema = random.pick(schemas).clone();
        Some(self.grow(&schema, key, 2, &mut Mood::of_value(random), random))
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
        Some((key.clone(), self.grow(schema, key, 2, &mut Mood::of_value(random), random)))
    }

    /// A value under a key, which lists hand on to what they hold.
    fn grow(&self, schema: &Json, key: &str, depth: usize, mood: &mut Mood, random: &mut Random) -> Tree {
        let text = |key: &str| schema.get(key).and_then(Json::as_str);
        if let Some(word) = text("const") {
            return Tree::Text(word.to_owned());
        }
        let sense = mood.makes_sense(random);
        if let Some(reference) = text("$ref") {
            let kind = reference.rsplit('/').next().unwrap_or_default();
            if let Some(quantity) = sense::quantity(kind, key, random).filter(|_| sense) {
                return quantity;
            }
            let target = self.schema.pointer(reference.trim_start_matches('#'));
            return target
                .map_or(Tree::List(Vec::new()), |schema| self.grow(schema, key, depth, mood, random));
        }
        if let Some(Json::Array(choices)) = schema.get("anyOf").filter(|_| schema.get("properties").is_none())
        {
            // A shape by its name must be declared somewhere; one that is told in place need not be.
            let named = |choice: &&Json| choice.get("type").and_then(Json::as_str) == Some("string");
            let choices: Vec<&Json> =
                choices.iter().filter(|c| !(sense && key == "shape" && named(c))).collect();
            let choice = *random.pick(&choices);
            return self.grow(choice, key, depth, mood, random);
        }
        match text("type") {
            Some("object") => self.table(schema, key, depth, mood, random),
            Some("array") => self.list(schema, key, depth, mood, random),
            Some("string") => {
                let name = mood.name(key, random).filter(|_| sense);
                Tree::Text(name.unwrap_or_else(|| words(text("pattern"), random)))
            }
            Some("integer") if sense => Tree::Token(sense::count(random)),
            Some("integer") => Tree::Token(token::count(random)),
            Some("boolean") => Tree::Token(random.pick(&["true", "false"]).to_string()),
            _ if sense => Tree::Token(sense::number(key, random)),
            _ => Tree::Token(token::number(random)),
        }
    }

    fn table(&self, schema: &Json, key: &str, depth: usize, mood: &mut Mood, random: &mut Random) -> Tree {
        let required: Vec<&str> = match schema.get("required") {
            Some(Json::Array(list)) => list.iter().filter_map(Json::as_str).collect(),
            _ => Vec::new(),
        };
        let mut entries = Vec::new();
        if let Some(Json::Object(properties)) = schema.get("properties") {
            for (key, value) in properties {
                let wanted = required.contains(&key.as_str())
                    || (depth < DEPTH && mood.wants(key, properties, random));
                if wanted && (mood.makes_sense(random) || !random.once_in(50)) {
                    entries.push((key.clone(), self.grow(value, key, depth + 1, mood, random)));
                }
            }
        } else if let Some(value @ Json::Object(_)) = schema.get("additionalProperties") {
            let count = if mood.sensible { 1 } else { 1 + random.below(2) };
            for _ in 0..count {
                let name = mood.name(key, random).filter(|_| mood.sensible);
                let name = name.unwrap_or_else(|| token::name(random));
                entries.push((name, self.grow(value, key, depth + 1, mood, random)));
            }
        }
        if let (Some(Json::Object(properties)), true) = (schema.get("properties"), mood.makes_sense(random)) {
            sense::agree(&mut entries, properties);
        }
        Tree::Table(entries)
    }

    fn list(&self, schema: &Json, key: &str, depth: usize, mood: &mut Mood, random: &mut Random) -> Tree {
        let bound = |key: &str| schema.get(key).and_then(Json::as_u64).map(|n| n as usize);
        let told = bound("minItems").filter(|least| Some(*least) == bound("maxItems"));
        if let Some(list) = sense::list(key, told, random).filter(|_| mood.makes_sense(random)) {
            return list;
        }
        let least = bound("minItems").unwrap_or(if mood.sensible && depth < DEPTH { 1 } else { 0 });
        let most = bound("maxItems").unwrap_or(if depth < DEPTH { least + 3 } else { least });
        let mut length = least + random.below(most.saturating_sub(least) + 1);
        // Two bodies can be meant by everybody else.
        if mood.sensible && key == "bodies" {
            length = length.max(2);
        }
        if !mood.makes_sense(random) && random.once_in(60) {
            length += 1;
        }
        let nothing = Json::Null;
        let each = schema.get("items").unwrap_or(&nothing);
        Tree::List((0..length).map(|_| self.grow(each, key, depth + 1, mood, random)).collect())
    }
}

/// Text for a pattern of the schema: a quantity with its unit, a colour, a sequence of axes, or a name.
fn words(pattern: Option<&str>, random: &mut Random) -> String {
    match pattern {
        Some(pattern) if pattern == r"^\s*=" || pattern.contains('=') && random.once_in(4) => {
            token::expression(random)
        }
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

    /// How many of a thousand files are accepted, and how many of them are run for a step at least.
    fn accepted(grammar: &Grammar, target: Target, name: &str) -> [usize; 2] {
        let sandbox = Sandbox::temporary().expect("a folder");
        let mut counts = [0; 2];
        for number in 0..1000 {
            let tree = grammar.document(&mut Random::new(1, number));
            let outcome = sandbox.run(&Input::new(target, name, tree.toml()));
            assert_eq!(outcome.findings, [], "{}", tree.toml());
            counts[0] += usize::from(outcome.accepted);
            counts[1] += usize::from(outcome.moved);
        }
        counts
    }

    #[test]
    fn six_shapes_in_ten_grown_from_the_schema_are_accepted_as_they_are() {
        let grammar = Grammar::new(crate::target::FORMAT.shape_schema());
        let [accepted, _] = accepted(&grammar, Target::Shape, "shape.toml");
        assert!(accepted > 600, "{accepted} of 1000");
    }

    #[test]
    fn one_scene_in_four_grown_from_the_schema_is_accepted_and_moves() {
        let grammar = Grammar::new(crate::target::FORMAT.scene_schema());
        let [accepted, moved] = accepted(&grammar, Target::Scene, "scene.toml");
        assert!(accepted > 270 && moved > 250, "{accepted} of 1000 accepted, {moved} moved");
    }
}
