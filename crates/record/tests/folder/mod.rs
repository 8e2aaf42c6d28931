//! Result folders of real runs: written, interrupted, taken up again, read.

mod events;
mod killed;
mod parquet;
mod reading;
mod refusals;
mod resume;
mod run;
#[path = "../../../dynamics/tests/samples/mod.rs"]
mod samples;
