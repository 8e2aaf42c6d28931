//! The files that people write: parsed, checked, lowered to the engine's own types.
//!
//! What a shape may say is in `shape/`; the same keys serve in shape files, in lists of pairs and in scenes. Unknown keys
//! are refused, all mistakes are told at once, and each names the file, the key, what was found and what was expected.

mod built_in;
mod error;
mod orientation;
mod pair;
mod read;
mod scene;
mod shape;

pub use built_in::BuiltIn;
pub use error::{Result, SceneError};
pub use pair::{Pair, pair_id, parse_pair};
pub use read::{At, Complaint, Source};
pub use scene::{Camera, Look, Output, Plot, Scene, parse_scene, parse_time, read_scene, scene_schema};
pub use shape::{read_shape, shape_schema};
