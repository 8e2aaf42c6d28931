//! The mathematics by itself, and that wrong answers are found.

mod answers;
mod bodies;
mod lines;
mod searches;
