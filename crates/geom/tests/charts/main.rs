//! Surfaces by charts: derivatives, the way over borders, corners and vertices, places found again, cells.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[cfg(test)]
mod atlases;
#[cfg(test)]
mod borders;
#[cfg(test)]
mod derivatives;
#[cfg(test)]
mod enclosures;
#[cfg(test)]
mod places;
#[cfg(test)]
mod quads;
#[cfg(test)]
#[path = "../conformance/sample.rs"]
mod sample;
#[cfg(test)]
#[path = "../patches/samples.rs"]
mod samples;
#[cfg(test)]
mod vertices;
#[cfg(test)]
mod walk;
