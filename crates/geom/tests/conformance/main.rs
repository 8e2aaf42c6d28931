//! What every surface must pass, whatever it is: the views agree with each other, with differences, with samples
//! of the surface and with integrals over it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bending;
mod catalog;
mod charted;
mod difference;
mod faces;
mod implicit;
mod integrals;
mod parametric;
mod sample;
#[path = "../patches/samples.rs"]
mod samples;
mod support;
mod tessellation;
