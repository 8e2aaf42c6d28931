//! The contacts of a model, one way for every engine:
//!
//!   motions → parts in the world → broad phase → pairs → queries → contacts begin, go on, end → law → loads → ledger
//!
//! | file | content |
//! |---|---|
//! | `parts.rs` | the parts of bodies where they are; queries, forces and tangents of their contacts |
//! | `face_cache.rs` | what the points of two flat faces share, found once for all of them |
//! | `near.rs` | the broad phase: the pairs that can touch |
//! | `regions.rs` | pairs that press in several regions, known again from step to step |
//! | `memory.rs` | what pairs remember: it is part of the state |
//! | `last_normal.rs` | where a query may start from |
//! | `begin.rs` | the approach speed of a contact that begins |
//! | `stepped/mod.rs` | all contacts at the ends of steps of fixed length |
//!
//! Engines give motions and take loads; what a contact remembers and where its energy goes is booked here.

mod begin;
mod face_cache;
mod last_normal;
mod memory;
mod near;
mod parts;
mod regions;
mod stepped;

pub use memory::{ContactMemory, PairState};
pub(crate) use parts::wrench;
pub use parts::{ActiveContact, Parts};

pub(crate) use begin::touch_between;
pub(crate) use last_normal::{LastNormal, width};
pub(crate) use near::{MotionBound, NearPairs};
pub(crate) use regions::{RegionContact, RegionPair, region_point};
pub(crate) use stepped::{Stage, SteppedContacts};
