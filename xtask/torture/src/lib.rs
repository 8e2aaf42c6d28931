//! Brute force against the narrow phase: random pairs of all bodies with support functions, answered by the engine and judged
//! by mathematics written apart from it.
//!
//! `vector`, `body` and `harmonics` are that mathematics, `kind` and `placement` make pairs, `engine` asks, `check` holds the
//! answers to their rules, `search` looks for directions that refute a depth, `tally` counts. Kinds of pairs that have no
//! support functions, tori and open quadrics, get a module of their own.

mod body;
mod check;
mod couple;
mod engine;
mod harmonics;
mod kind;
mod placement;
mod search;
mod tally;
mod torture;
mod vector;

pub use tally::{Counts, table};
pub use torture::{Case, Outcome, torture};
