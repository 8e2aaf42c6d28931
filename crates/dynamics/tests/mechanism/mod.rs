//! Mechanisms: orders of convergence, joints against differences.

mod actions;
mod build;
mod failures;
mod joints;
mod motors;
mod pendulum;
mod windlass;
