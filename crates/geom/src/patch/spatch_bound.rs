//! Bounds of an S-patch's third derivatives over a cell: its own series, and by how much their coefficients differ over
//! the cell.
//!
//! A [`Band`] is a series m with radii r: over the cell no coefficient is farther than r_ij from m_ij, that at the
//! centroid. With ∣·∣ for a series of moduli,
//!
//! - a + b has the radii r_a + r_b;
//! - a b has ∣m_a∣ r_b + r_a ∣m_b∣ + r_a r_b, products of series with no negative coefficient;
//! - 1/a − 1/m_a = −(a − m_a)/(a m_a) has r_a ∣1/m_a∣ M, M the series of 1/x with all signs positive at the least value
//!   of a.
//!
//! It begins with the αⱼ, linear in p, whose values differ by what they do at the corners and whose slopes do not. The
//! mean of the control points is taken away first: it adds nothing to derivatives, and would to radii.

use super::spatch::{SPatch, Series};
use crate::chart::Cell;
use crate::taylor::Taylor;
use crate::{Vec2, Vec3};
use std::ops::{Add, Mul};

/// What rounding may add to the coefficients of αⱼ, in units of one: more than any operation after that rounds.
const ROUNDING: f64 = 512.0 * f64::EPSILON;

/// m and r.
#[derive(Debug, Clone, Copy)]
struct Band {
    middle: Taylor,
    radii: Taylor,
}

impl Add for Band {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { middle: self.middle + other.middle, radii: self.radii + other.radii }
    }
}

impl Mul for Band {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let (a, b) = (self.middle.moduli(), other.middle.moduli());
        let radii = a * other.radii + self.radii * (b + other.radii);
        Self { middle: self.middle * other.middle, radii }
    }
}

impl Mul<f64> for Band {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self { middle: self.middle * factor, radii: self.radii * factor.abs() }
    }
}

impl Series for Band {
    fn constant(value: f64) -> Self {
        Self { middle: Taylor::constant(value), radii: Taylor::constant(0.0) }
    }

    /// Of positive values; not finite where they may vanish.
    fn recip(&self) -> Self {
        let least = self.middle.value() - self.radii.value();
        let r = if least > 0.0 { 1.0 / least } else { f64::INFINITY };
        let most = (self.middle.moduli() + self.radii).compose([r, r * r, 2.0 * r.powi(3), 6.0 * r.powi(4)]);
        let middle = self.middle.recip();
        Self { middle, radii: self.radii * middle.moduli() * most }
    }
}

/// Bounds of the lengths of ∂³x/∂u³, ∂³x/∂u²∂v, ∂³x/∂u∂v² and ∂³x/∂v³ over a cell, the greatest of those over its
/// quarters, whose radii are half as large; none where the patch may have no derivatives there.
pub(super) fn third(patch: &SPatch, cell: &Cell) -> Option<[f64; 4]> {
    let [a, b, c] = cell.corners;
    let (ab, bc, ca) = ((a + b) * 0.5, (b + c) * 0.5, (c + a) * 0.5);
    let mut most = [0.0f64; 4];
    for corners in [[a, ab, ca], [ab, b, bc], [ca, bc, c], [bc, ca, ab]] {
        let found = third_of_quarter(patch, &Cell { corners, ..*cell })?;
        most = std::array::from_fn(|k| most[k].max(found[k]));
    }
    Some(most)
}

fn third_of_quarter(patch: &SPatch, cell: &Cell) -> Option<[f64; 4]> {
    let [a, b, c] = &cell.corners;
    let middle: Vec2 = (a + b + c) / 3.0;
    let alpha = patch.alphas(&middle).map(|(alpha, normal)| {
        let spread = cell.corners.iter().map(|w| normal.dot(&(w - middle)).abs()).fold(0.0, f64::max);
        let rounding = Taylor::u(1.0) + Taylor::v(0.0);
        Band { middle: alpha, radii: rounding * ROUNDING + spread }
    });
    let mean = patch.control().iter().sum::<Vec3>() / patch.control().len() as f64;
    let all = patch.sum(alpha, &mean);
    let at = |i: usize, j: usize| {
        let of = |x: &Band| x.middle.derivative(i, j).abs() + x.radii.derivative(i, j);
        Vec3::from_fn(|c, _| of(&all[c])).norm()
    };
    let found = [at(3, 0), at(2, 1), at(1, 2), at(0, 3)];
    found.iter().all(|x| x.is_finite()).then_some(found)
}
