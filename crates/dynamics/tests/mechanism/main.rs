//! Mechanisms: orders of convergence, the IFToMM benchmarks, Andrews' squeezer, joints against differences.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod actions;
mod andrews;
mod build;
mod failures;
mod joints;
mod loops;
mod pendulum;
mod windlass;
