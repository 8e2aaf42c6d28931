//! What the papers and the libraries of problems print, and closed forms of their cases, against what the engine finds.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod acceptance;
mod andrews;
mod bowl_and_table;
mod build;
mod cradle;
mod dominoes;
mod errata;
mod free;
mod impact;
mod loops;
mod lopes;
mod pendulum;
mod roemer;
mod rolling;
