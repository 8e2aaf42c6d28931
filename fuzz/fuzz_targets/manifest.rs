//! The manifest of a result folder: read, and the folder's sheets.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rattleback_fuzz::{Target, examine};

fuzz_target!(|bytes: &[u8]| examine(Target::Folder, "ball/run.json", bytes));
