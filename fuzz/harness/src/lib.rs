//! Mutated files, and what must hold of every one of them.
//!
//! An input is a function of a seed and a number (`generator.rs`): a file of the corpus (`corpus.rs`) with some of its
//! values, keys or bytes changed (`mutation/`), or a table grown from the published JSON Schema. A target (`target/`)
//! does with it what the command does: reads it, makes of it what it describes, asks that some questions, and runs a
//! scene for a few steps.
//!
//! Whatever the input, there is an answer of finite numbers or an error that says where; anything else is a
//! [`Finding`]. Panics are caught where they happen. Whoever takes too long, too much memory, or kills the process is
//! caught from outside: inputs are run by a child (`worker.rs`) which is watched and replaced (`supervisor.rs`).
//!
//! What was ever found lies under `fuzz/found`, one folder per case, and is run by the tests.

pub mod corpus;
mod examine;
mod finding;
mod generator;
mod input;
pub mod minimise;
mod mutation;
mod panics;
mod random;
mod sandbox;
pub mod supervisor;
mod target;
mod watchdog;
pub mod worker;

pub use examine::examine;
pub use finding::{Fault, Finding};
pub use generator::Generator;
pub use input::{Input, Target};
pub use sandbox::{Outcome, Sandbox};
pub use watchdog::Limits;
