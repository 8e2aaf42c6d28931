//! A scene: what there is, how it moves, what is recorded.

mod frames;
