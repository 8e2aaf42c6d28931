//! Brute force against the narrow phase: random pairs of all bodies with support functions, answered by the engine and
//! judged by mathematics written apart from it.
//!
//! `vector`, `body` and `harmonics` are that mathematics, `kind` and `placement` make pairs, `engine` asks, `check`
//! holds the answers to their rules, `search` looks for directions that refute a depth, `trial` does all of it for one
//! pair, `torture` for many, `tally` counts. Bodies without support functions, tori and open quadrics, belong in a
//! module of their own whose trials give the same [`Counts`] and [`Case`]s.

mod body;
mod check;
mod couple;
mod engine;
mod harmonics;
mod kind;
mod placement;
mod search;
mod tally;
#[cfg(test)]
mod tests;

mod torture;
mod trial;
mod vector;

pub use check::Fault;
pub use tally::{Counts, Tally};
pub use torture::{repeat, torture};
pub use trial::Case;
