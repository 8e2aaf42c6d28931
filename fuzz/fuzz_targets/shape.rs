//! Shapes in TOML: read, measured, cut into triangles.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rattleback_fuzz::{Target, examine};

fuzz_target!(|bytes: &[u8]| examine(Target::Shape, "shape.toml", bytes));
