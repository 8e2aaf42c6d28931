//! Small models that the tests and benches of the core share.
//!
//! | model | file |
//! |---|---|
//! | a ball on a floor, an ellipsoid on an incline, ellipsoids in a box | `free.rs` |
//! | grains that fall into a box | `heap.rs` |
//! | balls on rods in a row | `pendulums.rs` |
//! | uniform boxes and joints | `build.rs` |

#![allow(dead_code, reason = "each program uses some of them")]

pub mod build;
pub mod free;
pub mod heap;
pub mod pendulums;
