//! The query as its users see it: known answers, symmetries, hard inputs, derivatives.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod batch;
mod by_charts;
mod certificates;
mod charted;
mod degenerate;
mod derivatives;
mod differences;
mod every_pair;
mod features;
mod flat_faces;
mod global;
mod hard;
mod known;
mod random;
mod surfaces;
mod symmetry;
mod tally;
