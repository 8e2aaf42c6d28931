//! Integrators against closed forms and published solutions.

mod dop853;
mod events;
mod problems;
mod radau;
mod rk4;
