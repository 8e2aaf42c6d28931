//! A scene: what there is, how it moves, what is recorded.
//!
//! | keys | file |
//! |---|---|
//! | all of them | `spec.rs` |
//! | `materials` | `material.rs` |
//! | `bodies` | `body.rs`, their masses `mass.rs` |
//! | `chains` | `chain.rs` |
//! | `manoeuvre`, in place of all that is above and below | `manoeuvre.rs` |
//! | `joints` and what acts on them | `joint.rs`, `action.rs` |
//! | `forces` | `force.rs` |
//! | prescribed motions | `course.rs` |
//! | `contacts` | `contact.rs`, which pairs they are for `law.rs` |
//! | `solver`, `run` | `solver.rs` |
//! | `output` | `output.rs` |
//!
//! `lower.rs` makes the model of them; `frames.rs` finds bodies by name.

mod action;
mod amount;
mod anchor;
mod body;
mod chain;
mod contact;
mod course;
mod force;
mod frames;
mod frequency;
mod joint;
mod law;
mod lower;
mod manoeuvre;
mod mass;
mod material;
mod output;
mod solver;
mod spec;
#[cfg(test)]
mod testing;

pub use lower::{Look, Scene};
pub use output::{Camera, Output, Plot};

use crate::error::{Result, SceneError};
use crate::read::{Definitions, Field, Node, Reader, Source, Time};
use spec::SceneSpec;
use std::path::Path;

/// Reads a scene; every mistake in it is told at once.
pub fn read_scene(path: &Path) -> Result<Scene> {
    parse_scene(Source::read(path)?)
}

/// The scene of a text that has been read; the files that it names are those beside it, or are looked for from its
/// path.
pub fn parse_scene(source: Source) -> Result<Scene> {
    let (node, complaints) = Node::from_toml(&source.text);
    // What is no TOML brings everything after it into disorder.
    if !complaints.is_empty() {
        return Err(SceneError::Refused { file: source, complaints });
    }
    let folder = source.path.parent().unwrap_or(Path::new("")).to_owned();
    let beside = source.beside.iter().map(|(name, text)| (folder.join(name), text.clone()));
    let mut reader = Reader::beside(beside.collect());
    let spec = SceneSpec::read(&node, &mut reader);
    manoeuvre::check_keys(&node, &mut reader);
    let scene = spec.and_then(|spec| spec.lower(&folder, &mut reader));
    match scene {
        Some(scene) if reader.is_content() => Ok(Scene { inputs: reader.files_read(&folder), ..scene }),
        _ => Err(SceneError::Refused { file: source, complaints: reader.into_complaints() }),
    }
}

/// The JSON Schema of a scene file.
pub fn scene_schema() -> serde_json::Value {
    let mut schema = Definitions::default().document::<SceneSpec>("Rattleback scene");
    // A manoeuvre says all of the model; without one there must be bodies.
    schema["anyOf"] = serde_json::json!([{"required": ["manoeuvre"]}, {"required": manoeuvre::NEEDED}]);
    schema
}

/// A time in s from text such as `2s`, `150 ms` or `0.5`, as the command line takes it.
pub fn parse_time(text: &str) -> std::result::Result<f64, String> {
    Time::parse(text)
}
