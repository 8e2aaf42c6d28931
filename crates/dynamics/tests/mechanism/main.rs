//! Mechanisms: orders of convergence, joints against differences.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod actions;
mod build;
mod failures;
mod joints;
mod pendulum;
#[path = "../samples/mod.rs"]
mod samples;
mod windlass;
