//! The published studies: their data, how to run them, what the papers report. Nothing here prints.

pub mod lopes;
pub mod query;
pub mod roemer;
mod split_mix;
pub mod thin;
