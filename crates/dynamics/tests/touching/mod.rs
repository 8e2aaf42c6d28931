//! Bodies that touch exactly: a gap of zero, or of rounding errors about it, must press as soon as the bodies move
//! together, whatever the shape, the engine and the direction.

mod free;
mod overlap;
mod shapes;
mod stage;
mod sweep;
