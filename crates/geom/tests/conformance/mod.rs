//! What every surface must pass, whatever it is: the views agree with each other, with differences, with samples
//! of the surface and with integrals over it.

mod bending;
mod catalog;
mod charted;
mod difference;
mod faces;
mod implicit;
mod integrals;
mod parametric;
pub mod sample;
mod support;
mod tessellation;
