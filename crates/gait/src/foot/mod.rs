//! The foot: two rigid segments, the rear foot and the toes, on a metatarsal hinge, and the bodies under them that
//! press on the ground.
//!
//! | what | file |
//! |---|---|
//! | the foot's own frame, and its markers in it | `markers.rs` |
//! | its motion | `track.rs` |
//! | one body under the foot: depth, lowest point, force, and their derivatives | `element.rs` |
//! | all of them: parameters, and the force of the foot along a motion | `model.rs` |
//! | the same height at foot-flat in every stance | `zero.rs` |
//!
//! A left foot is mirrored at the plane z = 0 and treated as a right one; forces are mirrored back at the end.
//! Frame of the foot: origin on the ground below the heel marker when the subject stands, x to the middle of the
//! metatarsal heads, y up, z lateral.

mod element;
mod markers;
mod model;
mod track;
mod zero;

pub(crate) use element::REFERENCE_DEPTH;
pub use element::{Element, ElementLoad, Segment};
pub use markers::FootShape;
pub use model::{FootLoad, FootModel, Parameter, Quantity, low_pass_loads};
pub use track::{FootTrack, Offset, TrackSettings};
pub(crate) use track::{mirrored as mirror, moved};
pub use zero::{FootFlat, foot_flat};
