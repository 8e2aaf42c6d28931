//! Gait: files, trials, signals, poses, bodies and what is told about trials.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod gait;
