//! JSON Schema (draft 2020-12) of what can stand in a file, for editors that complete and check.

use super::field::{Entry, Field};
use crate::application::Application;
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;

/// The definitions that schemas refer to.
#[derive(Debug, Default)]
pub struct Definitions {
    schemas: Map<String, Json>,
    /// Which Rust type has which name: two of one name would be one to the reader of a schema.
    owners: BTreeMap<String, &'static str>,
    /// What adds keys and shapes.
    applications: &'static [Application],
}

/// The keys of a table. What is done with them is the same for all tables: it is compiled once, and not for each of
/// them.
type Properties = fn(&mut Definitions) -> Vec<Property>;

/// A key of a table.
#[derive(Debug)]
pub struct Property {
    key: &'static str,
    schema: Json,
    required: bool,
}

impl Property {
    /// A key with its meaning; without a default it must be there.
    pub fn new<T: Field>(
        key: &'static str,
        meaning: &str,
        default: Option<fn() -> T>,
        definitions: &mut Definitions,
    ) -> Self {
        Self::described(key, meaning, default.is_none() && T::absent().is_none(), T::schema(definitions))
    }

    fn described(key: &'static str, meaning: &str, required: bool, mut schema: Json) -> Self {
        if let Json::Object(map) = &mut schema {
            map.insert("description".to_owned(), clean(meaning).into());
        }
        Self { key, schema, required }
    }
}

/// A doc comment as a sentence.
fn clean(doc: &str) -> String {
    doc.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Definitions {
    /// With what applications add.
    pub fn of(applications: &'static [Application]) -> Self {
        Self { applications, ..Self::default() }
    }

    /// What adds keys and shapes.
    pub fn applications(&self) -> &'static [Application] {
        self.applications
    }

    /// The schema of a whole document.
    pub fn document<T: Field>(&mut self, title: &str) -> Json {
        let mut root = T::schema(self);
        let mut document = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": title,
        });
        if let (Json::Object(document), Json::Object(root)) = (&mut document, &mut root) {
            document.append(root);
            document.insert("$defs".to_owned(), Json::Object(std::mem::take(&mut self.schemas)));
        }
        document
    }

    /// A definition, made where it is not there yet.
    pub fn define(&mut self, name: &str, make: &mut dyn FnMut(&mut Self) -> Json) -> Json {
        if !self.schemas.contains_key(name) {
            // A type that names itself finds its name taken.
            self.schemas.insert(name.to_owned(), Json::Null);
            let schema = make(self);
            self.schemas.insert(name.to_owned(), schema);
        }
        json!({"$ref": format!("#/$defs/{name}")})
    }

    /// A table.
    pub fn entry<T: Entry>(&mut self, name: &str) -> Json {
        self.table(name, std::any::type_name::<T>(), T::MEANING, T::properties)
    }

    fn table(&mut self, name: &str, own: &'static str, meaning: &str, properties: Properties) -> Json {
        let owner = *self.owners.entry(name.to_owned()).or_insert(own);
        assert_eq!(owner, own, "two tables are called {name}");
        self.define(name, &mut |definitions| definitions.object(meaning, properties, None))
    }

    /// A table of a choice.
    pub fn tagged<T: Entry>(&mut self, tag: &str, word: &str) -> Json {
        self.object(T::MEANING, T::properties, Some((tag, word)))
    }

    fn object(&mut self, meaning: &str, of: Properties, tag: Option<(&str, &str)>) -> Json {
        let (mut properties, mut required) = (Map::new(), Vec::new());
        if let Some((tag, word)) = tag {
            properties.insert(tag.to_owned(), json!({"const": word, "description": clean(meaning)}));
            required.push(tag);
        }
        for property in of(self) {
            if property.required {
                required.push(property.key);
            }
            properties.insert(property.key.to_owned(), property.schema);
        }
        json!({
            "type": "object",
            "description": clean(meaning),
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        })
    }

    /// One of several tables.
    pub fn choice(&mut self, name: &str, meaning: &str, make: fn(&mut Self) -> Vec<Json>) -> Json {
        self.define(
            name,
            &mut |definitions| json!({"description": clean(meaning), "anyOf": make(definitions)}),
        )
    }

    /// One of several words.
    pub fn words(&mut self, name: &str, meaning: &str, words: &[(&str, &str)]) -> Json {
        let each: Vec<Json> = words
            .iter()
            .map(|(word, meaning)| json!({"const": word, "description": clean(meaning)}))
            .collect();
        self.define(name, &mut |_| json!({"description": clean(meaning), "anyOf": each}))
    }
}
