//! The files that people write: parsed, checked, lowered to the engine's own types.
//!
//! What a shape may say is in `shape/`; the same keys serve in shape files, in lists of pairs and in scenes. Unknown
//! keys are refused, all mistakes are told at once, and each names the file, the key, what was found and what was
//! expected.

mod application;
mod built_in;
mod curve;
mod error;
mod format;
mod import;
mod mesh_file;
mod orientation;
mod pair;
pub mod read;
mod scene;
mod shape;

pub use application::{
    Application, ApplicationModel, ApplicationScene, Monitor, ShapeTable, ShapeType, Verdict,
};
pub use built_in::BuiltIn;
pub use curve::{CurveSpec, ReadCurve};
pub use error::{Result, SceneError};
pub use format::{Format, parse_pair, parse_scene, read_scene, read_shape, scene_schema, shape_schema};
pub use import::{ImportOptions, ImportedScene, Loss};
pub use pair::{PairQuery, pair_id};
pub use read::{At, Complaint, Source};
pub use scene::{
    Camera, Colour, LinkKindSpec, Look, Output, ParameterValue, Plot, PrescribedMotionSpec, Scene, Setting,
    StiffnessSpec, parse_angle, parse_length, parse_pressure, parse_time,
};
pub use shape::{MeshSpec, refuse};
