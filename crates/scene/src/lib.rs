//! The files that people write: parsed, checked, lowered to the engine's own types.
//!
//! What a shape may say is in [`ShapeSpec`]; the same fields serve in shape files, in lists of pairs and in scenes.
//! Unknown keys are refused, and every error names the file, the key, what was found and what was expected.

mod error;
mod orientation;
mod pair;
mod read;
mod scene;
mod shape;

pub use error::{Result, SceneError};
pub use pair::{BodySpec, pair_id, parse_pair};
pub use shape::{PartSpec, ShapeSpec, read_shape};
