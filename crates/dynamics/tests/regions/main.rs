//! Bodies that press on each other in several regions, moved by a mechanism.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod capstan;
mod resting;
mod sliding;
mod stage;
