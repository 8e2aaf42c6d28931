//! Applications: what knows more than bodies in contact adds keys and shapes to files, and follows the runs of its
//! scenes.
//!
//! 1. An [`Application`] says its key at the top of a scene, how the value is read, checked and made into a model,
//!    and its JSON Schema. Tables are declared with [`entry!`](crate::entry), as those of the core are.
//! 2. Its [`ApplicationScene`] begins a [`Monitor`] for each run; the runner of the scene shows it every step, stores
//!    in checkpoints what it remembers, and asks for its [`Verdict`] at the end.
//! 3. A program lists its applications once, in a [`Format`](crate::Format).

use crate::built_in::BuiltIn;
use crate::read::{Definitions, Json, Reader, SourceValue};
use crate::scene::{Camera, Look};
use rattleback_dynamics::{Instant, Model, Result, Scheme, State};
use rattleback_geom::surface::Shape;
use std::any::Any;
use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What an application adds.
#[derive(Debug, Clone, Copy)]
pub struct Application {
    /// The key of a scene whose value says all of the model, in place of bodies and of all that belongs to them.
    pub key: &'static str,
    /// What stands there, in a sentence.
    pub meaning: &'static str,
    /// What its bodies are called where a solver cannot move them, such as `the bodies of a gait`.
    pub bodies: &'static str,
    /// The JSON Schema of the value.
    pub schema: fn(&mut Definitions) -> Json,
    /// Reads the value and makes the model; the folder is that of the scene, for the files that it names. What is
    /// wrong is told to the reader, and there is no model then.
    pub read: fn(&SourceValue, &Path, &mut Reader) -> Option<ApplicationModel>,
    /// Types of shapes, for scenes, shape files and pairs.
    pub shapes: &'static [ShapeType],
    /// Scenes that are built into the program.
    pub scenes: &'static [BuiltIn],
}

/// A type of shapes.
#[derive(Debug, Clone, Copy)]
pub struct ShapeType {
    /// The value of `type`.
    pub word: &'static str,
    /// Reads the table, in which the given key has been read before.
    pub read: fn(&SourceValue, &str, &mut Reader) -> Option<Arc<dyn ShapeTable>>,
    /// The JSON Schema of the table, in which the first key has the second value.
    pub schema: fn(&mut Definitions, &str, &str) -> Json,
}

/// The table of a shape that was read.
pub trait ShapeTable: Debug + Send + Sync {
    /// Makes the shape. What its author should know is added to the remarks; what the geometry refuses is told to the
    /// reader.
    fn lower(&self, remarks: &mut Vec<String>, reader: &mut Reader) -> Option<Shape>;
}

/// What an application makes of its key.
#[derive(Debug, Clone)]
pub struct ApplicationModel {
    /// What does not change.
    pub model: Model,
    /// Where it begins.
    pub state: State,
    /// How it is moved unless the scene says otherwise.
    pub scheme: Scheme,
    /// How its bodies look, in the order of the model.
    pub looks: Vec<Look>,
    /// From where it is seen unless the scene says otherwise.
    pub camera: Option<Camera>,
    /// The files that it names.
    pub files: Vec<PathBuf>,
    /// What its author should know.
    pub remarks: Vec<String>,
    /// What the application knows of it.
    pub scene: Arc<dyn ApplicationScene>,
}

/// What an application knows of a scene of its own.
pub trait ApplicationScene: Any + Debug + Send + Sync {
    /// Begins to follow a run, with what a monitor of the same scene remembered, if the run is taken up again; the
    /// error says why that cannot be it.
    fn monitor(&self, memory: Option<&Json>) -> std::result::Result<Box<dyn Monitor>, String>;
}

/// Follows a run.
pub trait Monitor: Debug {
    /// Sees a step, or a contact that begins or ends.
    fn see(&mut self, instant: &Instant<'_>);

    /// All that it remembers, for a checkpoint; numbers that are not finite are an error.
    fn memory(&self) -> Result<Json>;

    /// What became of the scene so far; none where nothing can be said.
    fn verdict(&self) -> Option<Verdict>;
}

/// What became of a scene.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// For a person.
    pub lines: Vec<String>,
    /// For programs.
    pub json: Json,
}

/// A shape of an application under way: equal to itself and its copies only.
#[derive(Debug, Clone)]
pub struct AppliedShape(pub(crate) Arc<dyn ShapeTable>);

impl PartialEq for AppliedShape {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}
