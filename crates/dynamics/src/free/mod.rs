//! Free bodies: Newton–Euler with unit quaternions, integrated as ordinary differential equations from event to event.
//!
//! A segment lasts as long as the list of pairs in contact does not change. The gap of every pair is watched: where it
//! falls to zero the contact begins, with the approach speed of that instant; where it rises to zero the contact ends,
//! and its ledger is closed. Pairs that touch exactly at the beginning of a segment are `gap_events.rs`'s.

mod equations;
mod gap_events;
mod jacobian;
mod layout;
mod peaks;

pub(crate) use equations::FreeEquations;
pub(crate) use gap_events::{GapEvents, slop};
pub(crate) use layout::Layout;
pub(crate) use peaks::Peaks;
