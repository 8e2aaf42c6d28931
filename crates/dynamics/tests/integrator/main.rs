#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
//! Integrators against closed forms and published solutions.

mod dop853;
mod events;
mod problems;
mod radau;
