//! The cells of the search, in the order in which they are looked at.

use super::gjk::Gap;
use rattleback_geom::surface::Part;
use std::cmp::Ordering;

/// A part of A and a part of B, with what is known of the distance of their hulls.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cell {
    pub parts: [Part; 2],
    pub gap: Gap,
    /// The sag of the cell in which Newton's method was tried last.
    pub tried: f64,
    pub number: u32,
}

impl PartialEq for Cell {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Cell {}

impl PartialOrd for Cell {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Cell {
    /// The least bound is the greatest cell.
    fn cmp(&self, other: &Self) -> Ordering {
        other.gap.lower.total_cmp(&self.gap.lower).then(other.number.cmp(&self.number))
    }
}
