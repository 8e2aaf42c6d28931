//! What every surface must pass, whatever it is: the views agree with each other, with differences, with samples
//! of the surface and with integrals over it.

mod catalog;
mod difference;
mod implicit;
mod integrals;
mod parametric;
mod sample;
mod support;
mod tessellation;
