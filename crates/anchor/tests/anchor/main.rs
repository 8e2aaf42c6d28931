//! Manoeuvres and the files that describe them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod files;
mod manoeuvre;
