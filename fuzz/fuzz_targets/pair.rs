//! Pairs in JSON, one per line: read and asked for their contact.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rattleback_fuzz::{Target, examine};

fuzz_target!(|bytes: &[u8]| examine(Target::Pair, "pair.jsonl", bytes));
