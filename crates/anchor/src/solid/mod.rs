//! Solids made from a few measures: closed, clean triangle meshes of things on ships.
//!
//! | file | holds |
//! |---|---|
//! | [`Hull`] | bow plating around a hawse pipe with a rounded lip |
//! | [`Anchor`] | a stockless anchor of a given mass: head and shank |
//! | `loft.rs` | a closed profile carried once around |
//! | `block.rs` | a block of cells, some of them left out |
//! | `range.rs` | which measures can be |
//!
//! What they give is closed by construction, turned outwards and does not cut itself.

mod anchor;
mod block;
mod hull;
mod loft;
mod range;
#[cfg(test)]
mod testing;

pub use anchor::Anchor;
pub use hull::Hull;
