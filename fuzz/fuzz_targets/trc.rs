//! Markers of gait laboratories: read, written, examined.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rattleback_fuzz::{Target, examine};

fuzz_target!(|bytes: &[u8]| examine(Target::Gait, "gait.trc", bytes));
