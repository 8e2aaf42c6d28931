//! Result folders of real runs: written, interrupted, taken up again, read.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod events;
mod killed;
mod parquet;
mod reading;
mod refusals;
mod resume;
mod run;
#[path = "../../../dynamics/tests/samples/mod.rs"]
mod samples;
