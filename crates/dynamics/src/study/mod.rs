//! The published studies that integrate a motion: their data, how to run them, what the papers report. Nothing here
//! prints. Tests and benchmarks take their scenes from here.

pub mod case;
pub mod cradle;
pub mod follow;
pub mod heap;
pub mod kry_pai_bowl;
pub mod kry_pai_meshes;
pub mod kry_pai_rattleback;
pub mod kry_pai_times;
pub mod mechanism;
pub mod restitution;
