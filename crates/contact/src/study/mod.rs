//! The published studies: their data, how to run them, what the papers report. Nothing here prints.

mod draw;
pub mod lopes;
pub mod query;
pub mod roemer;
pub mod thin;
