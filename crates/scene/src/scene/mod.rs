//! A scene: what there is, how it moves, what is recorded.

mod action;
mod amount;
mod anchor;
mod course;
mod force;
mod frames;
mod frequency;
mod joint;
#[cfg(test)]
mod testing;
