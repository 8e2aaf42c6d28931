//! Solids as stacks of convex plane slices, one for each value of a parameter s: what a search needs that must bound
//! the distance of solids without a support function.
//!
//! | solid | slice | s |
//! |---|---|---|
//! | torus, half torus | disc of radius r across the ring | angle about the axis, rad |
//! | link | disc of radius r across the bar | length along the bar's centre curve, m |
//! | hyperboloid of one sheet, super or not | section across z | z/c |
//! | bowl (two sheets, elliptic paraboloid) | section across z | the profile's v |
//! | hyperbolic paraboloid | section across y | y, m |
//!
//! A part s₀ ≤ s ≤ s₁ of the stack has a convex hull whose support function max {d·x : x in the part} is closed: along
//! s the farthest point of a slice is monotone in d·e (rings), or its height is convex in s (waist, saddle) so that an
//! end is farthest, or concave (bowls). The hull meets the solid in both end slices and stands out between them by the
//! order of (s₁ − s₀)². Bowls are convex: their hull is the solid, and there is no need to cut them.

mod layers;
mod link;
mod ring;
mod saddle;
#[cfg(test)]
mod tests;

use crate::Vec3;
use std::f64::consts::{PI, TAU};

/// A stack of convex plane slices.
pub trait Sliced {
    /// Least and greatest s.
    fn range(&self) -> [f64; 2];

    /// The slices from s₀ to s₁.
    fn part(&self, range: [f64; 2]) -> Part;

    /// Both sides of a cut of a part.
    fn cut(&self, part: &Part, at: f64) -> [Part; 2] {
        let [mut below, mut above] = [*part; 2];
        let end = self.part([at, at]).ends[0];
        (below.range[1], below.ends[1]) = (at, end);
        (above.range[0], above.ends[0]) = (at, end);
        [below, above]
    }

    /// A point of a part that lies farthest along `d`, which must not vanish.
    fn farthest(&self, part: &Part, d: &Vec3) -> Vec3;

    /// The parameter of the slice in which a point lies, or which is near it.
    fn slice_at(&self, p: &Vec3) -> f64;

    /// A point of the solid: `p` itself inside, one close to `p` where `p` is close to the solid.
    fn retract(&self, p: &Vec3) -> Vec3;

    /// Whether the solid is convex.
    fn is_convex(&self) -> bool;

    /// Whether the slices are one slice turned about z.
    fn is_ring(&self) -> bool {
        false
    }

    /// Whether the solid is the same after any turn about z.
    fn is_round(&self) -> bool {
        false
    }

    /// About how far the hull of a part stands out of the solid, in m.
    fn sag(&self, part: &Part) -> f64;
}

/// Some slices of a stack.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Part {
    /// s₀ and s₁.
    pub range: [f64; 2],
    /// What the kind of solid knows of either end: (cos s, sin s), (ρ, w), or the height of the saddle at x = 0.
    ends: [[f64; 2]; 2],
}

/// Below this share of its height a point that came through a pose and back counts as on its slice's border.
const INSIDE: f64 = 8.0 * f64::EPSILON;

/// Squares above this keep all their digits.
const NORMAL: f64 = 1e-280;

/// √(x² + y²), without underflow; of lengths whose squares are finite.
#[inline]
pub(super) fn hypotenuse(x: f64, y: f64) -> f64 {
    let square = x * x + y * y;
    if square > NORMAL { square.sqrt() } else { x.hypot(y) }
}

/// The unit vector of an arc that lies closest to a vector of its plane; the arc's ends are unit vectors, its width is
/// an angle. None where the vector vanishes.
#[inline]
fn closest_of_arc([[c0, s0], [c1, s1]]: [[f64; 2]; 2], width: f64, [x, y]: [f64; 2]) -> Option<[f64; 2]> {
    let flat = hypotenuse(x, y);
    if flat == 0.0 {
        return None;
    }
    let after = c0 * y - s0 * x >= 0.0;
    let before = x * s1 - y * c1 >= 0.0;
    let inside = if width > PI {
        width >= TAU || after || before
    } else {
        // Rounding may put the opposite of a narrow arc between its ends too.
        after && before && (width > 2.0 || x * (c0 + c1) + y * (s0 + s1) > 0.0)
    };
    Some(if inside {
        [x / flat, y / flat]
    } else if c0 * x + s0 * y >= c1 * x + s1 * y {
        [c0, s0]
    } else {
        [c1, s1]
    })
}

/// The point of a disc about `centre`, across the directions `e` and `axis`, that lies farthest along d.
#[inline]
fn disc(centre: &Vec3, [e, axis]: [&Vec3; 2], r: f64, d: &Vec3) -> Vec3 {
    let (x, y) = (d.dot(e), d.dot(axis));
    let norm = hypotenuse(x, y);
    if norm > 0.0 { centre + e * (r * (x / norm)) + axis * (r * (y / norm)) } else { centre + e * r }
}

/// `arm` cut to the length r.
#[inline]
fn shortened(arm: &Vec3, r: f64) -> Vec3 {
    let length = arm.norm();
    if length > r * (1.0 + INSIDE) { arm * (r / length) } else { *arm }
}
