//! The tests of this crate in one program; a file or folder beside this one is a line here.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod agreement;
mod ellipsoids;
mod first_contact;
mod laws;
mod link;
mod lopes;
mod near;
mod open_surfaces;
mod parametric;
mod query;
mod region;
mod roemer;
mod solids;
