//! A scene: what there is, how it moves, what is recorded.
//!
//! | keys | file |
//! |---|---|
//! | all of them | `spec.rs` |
//! | `include` | `document.rs` |
//! | `parameters` | `parameter.rs` |
//! | `repeat` | `repeat.rs` |
//! | `materials` | `material.rs` |
//! | `bodies` | `body.rs`, their masses `mass.rs` |
//! | `chains` | `chain/mod.rs` |
//! | those of applications, in place of all that is above and below | `applied.rs` |
//! | `joints` and what acts on them | `joint/mod.rs`, `action/mod.rs` |
//! | `forces` | `force/mod.rs` |
//! | prescribed motions | `prescribed_motion/mod.rs` |
//! | `contacts` | `contact.rs`, which pairs they are for `law.rs` |
//! | `solver`, `run` | `solver.rs`, the solver where none is named `solver_choice.rs` |
//! | `output` | `output.rs` |
//!
//! `lower/mod.rs` makes the model of them; `remark.rs` says what looks like a slip; `frames.rs` finds bodies by name.

mod action;
mod amount;
mod applied;
mod body;
mod chain;
mod contact;
mod document;
mod force;
mod formula;
mod frames;
mod frequency;
mod joint;
mod joint_frame;
mod law;
mod lower;
mod mass;
mod material;
mod output;
mod parameter;
mod prescribed_motion;
mod remark;
mod repeat;
mod solver;
mod solver_choice;
mod spec;
#[cfg(test)]
mod testing;

pub use body::Colour;
pub use chain::LinkKindSpec;
pub use contact::StiffnessSpec;
pub use lower::{Look, Scene};
pub use output::{Camera, Output, Plot};
pub use parameter::{ParameterValue, Setting};
pub use prescribed_motion::PrescribedMotionSpec;

use crate::application::Application;
use crate::error::{Result, SceneError};
use crate::read::{Angle, Definitions, Field, Json, Length, Pressure, Reader, Source, Time};
use document::Document;
use serde_json::json;
use spec::SceneSpec;
use std::path::Path;

/// The scene of a text that has been read, with settings of its parameters; the files that it names are those beside
/// it, or are looked for from its path.
pub(crate) fn parse(
    source: Source,
    settings: &[Setting],
    applications: &'static [Application],
) -> Result<Scene> {
    let mut document = Document::load(source)?;
    if !settings.is_empty() {
        let mut source = document.source.clone();
        if let Err(complaints) = Setting::apply(settings, &document.tree, &mut source) {
            return Err(SceneError::Refused { file: source, complaints });
        }
        document = Document::load(source)?;
    }
    let text = document.text();
    let Document { source, mut tree, included } = document;
    let folder = source.path.parent().unwrap_or(Path::new("")).to_owned();
    let beside = source.beside.iter().map(|(name, text)| (folder.join(name), text.clone()));
    let mut reader = Reader::new(applications, beside.collect()).with_top_keys();
    reader.set_text(source.whole());
    for name in &included {
        // It is among those beside the scene, and known again by what it says.
        let _ = reader.bytes(&folder.join(name));
    }
    parameter::read(&tree, &mut reader);
    let told = reader.count();
    repeat::unroll(&mut tree, &mut reader);
    // What a broken loop would make is not judged.
    if reader.count() > told {
        return Err(SceneError::Refused { file: source, complaints: reader.into_complaints() });
    }
    let spec = SceneSpec::read(&tree, &mut reader);
    applied::check_keys(&tree, &mut reader);
    let scene = match applied::find(&tree, &reader) {
        Some((application, value)) => {
            applied::scene(spec.as_ref(), (&application, value), &folder, &mut reader)
        }
        None => spec.and_then(|spec| spec.lower(&folder, &mut reader)),
    };
    match scene {
        Some(scene) if reader.is_content() => Ok(Scene {
            inputs: reader.files_read(&folder),
            parameters: parameter::values(reader.scope()),
            source,
            text,
            ..scene
        }),
        _ => Err(SceneError::Refused { file: source, complaints: reader.into_complaints() }),
    }
}

/// The JSON Schema of a scene file.
pub(crate) fn schema(applications: &'static [Application]) -> Json {
    let mut definitions = Definitions::of(applications);
    let keys: Vec<(&str, Json)> = applications
        .iter()
        .map(|application| {
            let mut value = (application.schema)(&mut definitions);
            value["description"] = application.meaning.into();
            (application.key, value)
        })
        .collect();
    let mut schema = definitions.document::<SceneSpec>("Rattleback scene");
    // An application says all of the model; without one there must be bodies.
    let mut ways: Vec<Json> = keys.iter().map(|(key, _)| json!({"required": [key]})).collect();
    ways.push(json!({"required": applied::NEEDED}));
    for (key, value) in keys {
        schema["$defs"]["SceneSpec"]["properties"][key] = value;
    }
    schema["anyOf"] = ways.into();
    schema
}

/// A time in s from text such as `2s`, `150 ms` or `0.5`, as the command line takes it.
pub fn parse_time(text: &str) -> std::result::Result<f64, String> {
    Time::parse(text)
}

/// An angle in rad from text such as `30 deg` or `0.5`, as the command line takes it.
pub fn parse_angle(text: &str) -> std::result::Result<f64, String> {
    Angle::parse(text)
}

/// A pressure in Pa from text such as `210 GPa`, as the command line takes it.
pub fn parse_pressure(text: &str) -> std::result::Result<f64, String> {
    Pressure::parse(text)
}

/// A length in m from text such as `1e-9 m`, `2 mm` or `0.5`, as the command line takes it.
pub fn parse_length(text: &str) -> std::result::Result<f64, String> {
    Length::parse(text)
}
