//! Free bodies: Newton–Euler with unit quaternions, integrated as ordinary differential equations from event to event.
//!
//! A segment lasts as long as the list of pairs in contact does not change. The gap of every pair is watched: where it
//! falls to zero the contact begins, with the approach speed of that instant; where it rises to zero the contact ends,
//! and its books are closed. Pairs that touch exactly at the beginning of a segment are `watch.rs`'s.

mod equations;
mod jacobian;
mod layout;
mod watch;

pub(crate) use equations::FreeEquations;
pub(crate) use layout::Layout;
pub(crate) use watch::{Watch, slop};
