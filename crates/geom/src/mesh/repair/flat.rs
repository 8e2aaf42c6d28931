//! Triangles without area.
//!
//! A triangle whose corners a, m, b lie in a row, m between the others, bounds nothing, but the side ab of its
//! neighbour has to take up m, or a crack is left: the neighbour is split there. Where that one is flat too, its pieces
//! are and come again. The flat triangle with the longest side is taken first. A flat neighbour across that side then
//! has its third corner x between a and b too, and what is left of the two has the long sides ∣ab∣ + ∣mx∣ in place of
//! 2∣ab∣: the sum shrinks, so that there is an end. Which one is first, and which neighbour is split, follows from
//! the corners' places and not from the order of the triangles.

use crate::Vec3;
use std::collections::{BTreeSet, HashMap};

/// Splits are bounded by so many for each flat triangle, beyond any number of corners in a row that a drawing has.
const SPLITS: usize = 64;

/// Drops triangles of two corners or lower than `lowest`, and says how many and which was the first.
pub(super) fn drop_flat(vertices: &[Vec3], triangles: &mut Vec<[u32; 3]>, lowest: f64) -> (usize, usize) {
    let flat: Vec<usize> =
        (0..triangles.len()).filter(|t| height(vertices, &triangles[*t]) <= lowest).collect();
    let Some(&first) = flat.first() else { return (0, 0) };
    let mut strip = Strip::new(vertices, triangles, lowest);
    let mut left = SPLITS * flat.len();
    while let Some(t) = strip.take_longest() {
        if left == 0 {
            break;
        }
        left -= 1;
        strip.split_beyond(t);
    }
    let mut keep = strip.gone.iter().map(|gone| !gone);
    triangles.retain(|_| keep.next().unwrap_or(true));
    (flat.len(), first)
}

/// A length and the places of three corners, as bits in the order of the numbers: what is first is so in any order of
/// the triangles.
type Key = [u64; 10];

struct Strip<'a> {
    vertices: &'a [Vec3],
    triangles: &'a mut Vec<[u32; 3]>,
    lowest: f64,
    gone: Vec<bool>,
    at_edge: HashMap<[u32; 2], Vec<usize>>,
    /// Flat triangles that are still there.
    flat: BTreeSet<(Key, usize)>,
}

impl<'a> Strip<'a> {
    fn new(vertices: &'a [Vec3], triangles: &'a mut Vec<[u32; 3]>, lowest: f64) -> Self {
        let count = triangles.len();
        let mut strip = Self {
            vertices,
            triangles,
            lowest,
            gone: vec![false; count],
            at_edge: HashMap::new(),
            flat: BTreeSet::new(),
        };
        for t in 0..count {
            strip.enter(t);
        }
        strip
    }

    /// Notes the sides of a triangle, and whether it is flat. One of two corners is gone at once.
    fn enter(&mut self, t: usize) {
        let corners = self.triangles[t];
        let [a, b, c] = corners;
        if a == b || b == c || c == a {
            self.gone[t] = true;
            return;
        }
        for side in sides(&corners) {
            self.at_edge.entry(side).or_default().push(t);
        }
        if height(self.vertices, &corners) <= self.lowest {
            self.flat.insert((self.key(&corners), t));
        }
    }

    fn take_longest(&mut self) -> Option<usize> {
        let (_, t) = self.flat.pop_last()?;
        self.gone[t] = true;
        Some(t)
    }

    /// Splits what lies beyond the longest side of a flat triangle at its corner between the ends of that side. Where
    /// two others meet there already, they close the side between them.
    fn split_beyond(&mut self, t: usize) {
        let corners = self.triangles[t];
        let long = self.longest(&corners);
        let (edge, middle) = (sides(&corners)[long], corners[(long + 2) % 3]);
        let beyond: Vec<usize> =
            self.at_edge.get(&edge).into_iter().flatten().copied().filter(|o| !self.gone[*o]).collect();
        if beyond.len().is_multiple_of(2) {
            return;
        }
        let Some(other) = beyond.into_iter().max_by_key(|o| self.key(&self.triangles[*o])) else { return };
        let whole = self.triangles[other];
        self.gone[other] = true;
        self.flat.remove(&(self.key(&whole), other));
        for piece in edge.map(|end| whole.map(|v| if v == end { middle } else { v })) {
            self.triangles.push(piece);
            self.gone.push(false);
            self.enter(self.triangles.len() - 1);
        }
    }

    /// The longest side; of equal ones that whose ends come first by their places.
    fn longest(&self, corners: &[u32; 3]) -> usize {
        let key = |k: usize| {
            let [a, b] = [corners[k], corners[(k + 1) % 3]].map(|v| self.vertices[v as usize]);
            let mut ends = [bits(&a), bits(&b)];
            ends.sort_unstable();
            (ordered((a - b).norm()), ends)
        };
        (1..3).fold(0, |best, k| if key(k) > key(best) { k } else { best })
    }

    fn key(&self, corners: &[u32; 3]) -> Key {
        let mut places = corners.map(|v| self.vertices[v as usize]);
        let long = self.longest(corners);
        let length = (places[long] - places[(long + 1) % 3]).norm();
        places.sort_by_key(bits);
        let mut key = [ordered(length); 10];
        for (slot, x) in key[1..].iter_mut().zip(places.iter().flat_map(bits)) {
            *slot = x;
        }
        key
    }
}

/// Numbers as integers of the same order, 0 and −0 the same.
fn ordered(x: f64) -> u64 {
    let bits = (x + 0.0).to_bits();
    if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
}

fn bits(p: &Vec3) -> [u64; 3] {
    [p.x, p.y, p.z].map(ordered)
}

/// The sides of a triangle, side k from corner k to corner k + 1, the lower index first.
fn sides(t: &[u32; 3]) -> [[u32; 2]; 3] {
    [0, 1, 2].map(|k| {
        let (a, b) = (t[k], t[(k + 1) % 3]);
        [a.min(b), a.max(b)]
    })
}

/// The height over the longest side, to the last bit the same whichever corner comes first.
fn height(vertices: &[Vec3], t: &[u32; 3]) -> f64 {
    let mut corners = t.map(|v| vertices[v as usize]);
    corners.sort_by_key(bits);
    let [a, b, c] = corners;
    let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
    if longest > 0.0 { (b - a).cross(&(c - a)).norm() / longest } else { 0.0 }
}
