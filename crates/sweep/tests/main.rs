//! The tests of this crate in one program; a file or folder beside this one is a line here.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod log;
mod memory;
mod stop;
