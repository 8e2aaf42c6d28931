//! The cells of the search, in the order in which they are looked at.

use super::body::Body;
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
    /// How far the hulls of the parts stand out of their solids, about, in m.
    pub sags: [f64; 2],
    /// Whether the bound is no better than Newton's method needs.
    pub rough: bool,
    /// How far the hull of either part stands out of its solid where the bound is met, about, in m.
    pub open: [f64; 2],
    pub number: u32,
}

/// A part of A and a part of B, and how far their hulls stand out of the solids, about, in m.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cut {
    pub parts: [Part; 2],
    pub sags: [f64; 2],
}

impl Cell {
    pub fn cut(&self) -> Cut {
        Cut { parts: self.parts, sags: self.sags }
    }

    /// The same with another part of one body.
    pub fn cut_with(&self, body: &Body<'_>, side: usize, part: Part) -> Cut {
        let mut out = self.cut();
        (out.parts[side], out.sags[side]) = (part, body.sag(&part));
        out
    }
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

/// Whether the slices `at` lie in both parts, those of convex bodies always.
pub(super) fn holds(bodies: &[Body<'_>; 2], parts: &[Part; 2], at: &[f64; 2]) -> bool {
    (0..2).all(|k| {
        let [low, high] = parts[k].range;
        let room = 1e-6 * (high - low);
        bodies[k].is_convex() || (low - room..=high + room).contains(&at[k])
    })
}
