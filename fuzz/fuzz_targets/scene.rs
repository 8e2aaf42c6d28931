//! Scenes in TOML: read, lowered to a model, run for a few steps.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rattleback_fuzz::{Target, examine};

fuzz_target!(|bytes: &[u8]| examine(Target::Scene, "scene.toml", bytes));
