//! Solids without a support function against everything, held to a brute force that shares nothing with the engine.

mod brute;
mod cases;
mod convex;
mod kinds;
mod pairs;
mod random;
mod tubes;
