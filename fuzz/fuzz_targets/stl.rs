//! Meshes in STL, binary and ASCII: read, repaired, made into surfaces.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rattleback_fuzz::{Target, examine};

fuzz_target!(|bytes: &[u8]| examine(Target::Mesh, "mesh.stl", bytes));
