//! The tests of this crate in one program; a file or folder beside this one is a line here.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod analysis;
mod chain;
mod contact_coordinates;
mod driven;
mod engines;
mod flat_faces;
mod force;
mod frames;
mod free;
mod integrator;
mod ledger;
mod lying;
mod lying_on;
mod many;
mod mechanism;
mod on_edge;
mod peaks;
mod regions;
mod resting;
mod rolling;
mod run;
mod samples;
mod splitting;
mod standing;
mod surfaces;
mod touching;
