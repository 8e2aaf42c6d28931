//! A case with other values: the keys of its scene file are set before it is read.

use crate::case::Case;
use crate::error::{Result, StudyError};
use rattleback_scene::{BuiltIn, Scene, Source, parse_scene};
use toml::{Table, Value};

/// A scene file under change.
#[derive(Debug, Clone)]
pub struct Variation {
    file: BuiltIn,
    root: Value,
}

impl Variation {
    /// Begins with the file of a case.
    pub fn of(name: &str) -> Result<Self> {
        let file = Case::find(name)?.file;
        let wrong = |e: toml::de::Error| StudyError::Toml { case: file.name, reason: e.to_string() };
        let table: Table = file.text.parse().map_err(wrong)?;
        Ok(Self { file, root: Value::Table(table) })
    }

    /// The value of a key that is there, such as `bodies.1.position`.
    pub fn value(&mut self, key: &str) -> Result<&mut Value> {
        let case = self.file.name;
        let mut place = Some(&mut self.root);
        for step in key.split('.') {
            place = match (place, step.parse::<usize>()) {
                (Some(Value::Array(list)), Ok(k)) => list.get_mut(k),
                (Some(Value::Table(table)), _) => table.get_mut(step),
                _ => None,
            };
        }
        place.ok_or_else(|| StudyError::MissingKey { case, key: key.to_owned() })
    }

    /// Changes the value of a key that is there.
    pub fn set(mut self, key: &str, value: impl Into<Value>) -> Result<Self> {
        *self.value(key)? = value.into();
        Ok(self)
    }

    /// Adds a key to a table that is there, the empty name being the file's own.
    pub fn add(mut self, table: &str, key: &str, value: impl Into<Value>) -> Result<Self> {
        let case = self.file.name;
        let place = if table.is_empty() { &mut self.root } else { self.value(table)? };
        match place {
            Value::Table(entries) => {
                entries.insert(key.to_owned(), value.into());
                Ok(self)
            }
            _ => Err(StudyError::MissingKey { case, key: table.to_owned() }),
        }
    }

    /// Reads the scene.
    pub fn scene(&self) -> Result<Scene> {
        let wrong = |e: toml::ser::Error| StudyError::Toml { case: self.file.name, reason: e.to_string() };
        let text = toml::to_string(&self.root).map_err(wrong)?;
        Ok(parse_scene(Source { text, ..self.file.source() })?)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn a_file_that_was_not_changed_is_the_same_scene() {
        for case in crate::case::ALL {
            let name = case.file.name;
            let [one, other] = [Case::scene_of(name).unwrap(), Variation::of(name).unwrap().scene().unwrap()];
            assert_eq!(one.state, other.state, "{name}");
            assert_eq!(format!("{:?}", one.model), format!("{:?}", other.model), "{name}");
        }
    }

    #[test]
    fn a_change_is_in_the_model_and_a_key_that_is_not_there_is_refused() {
        let ball = Variation::of("marques_ball").unwrap().set("bodies.1.position.2", 0.25).unwrap();
        assert_eq!(ball.scene().unwrap().state.motions[1].pose.position.z, 0.25);
        for key in ["bodies.2.position", "bodies.1.colour", "contacts.normal", "title.x"] {
            let said = Variation::of("marques_ball").unwrap().set(key, 1.0).unwrap_err().to_string();
            assert_eq!(said, format!("case marques_ball has no key {key}"));
        }
        assert_eq!(Variation::of("nobody").unwrap_err().to_string(), "no case is named \"nobody\"");
        // What the scene's reader refuses is refused here too.
        let wrong = ball.set("bodies.1.shape.radius", -1.0).unwrap().scene().unwrap_err().to_string();
        assert!(wrong.contains("radius"), "{wrong}");
    }
}
