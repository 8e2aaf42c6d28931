//! The published studies that integrate a motion: their data, how to run them, what the papers report. Nothing here
//! prints.

pub mod case;
pub mod cradle;
pub mod follow;
pub mod restitution;
