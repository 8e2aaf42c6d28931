//! Bounds on radii of curvature that hold without looking at every normal.
//!
//! **Least radius.** With r a lower bound on the radii of K, K = rB + K′ for a convex K′ (Schneider, 3.2), so
//! MK = r MB + MK′ and its radii are at least those of the ellipsoid r MB: r σ₃²/σ₁ with the singular values
//! σ₁ ≥ σ₂ ≥ σ₃ of M (for r < 0: r σ₁²/σ₃). Sums add.
//!
//! **Growth.** Along a unit-speed great circle n(s), with a unit tangent t carried along, the radius φ(s) = t·∇²h t has
//!
//! > φ′ = ∇³h[u, t, t], φ″ = ∇⁴h[u, u, t, t] + t·∇²h t + 2(t·u) u·∇²h t, u = n′.
//!
//! `bend` bounds |φ″|. It is zero for balls. For harmonics: on a great circle a part f of degree l is a trigonometric
//! polynomial of degree l with |f| ≤ F, so |f^(k)| ≤ l^k F (Bernstein); u·∇²h u = f + f″, hence with all three tangent,
//! |∇²h| ≤ (l² + 1)F, |∇³h| ≤ (l³ + l)F, |∇⁴h| ≤ (l⁴ + l² + 3(l² + 1))F, for mixed arguments too, since a symmetric
//! form takes its norm at equal arguments (Banach, Studia Math. 7 (1938), 36). With arguments αt + βn in all of space,
//! ∇⁴h[n, ·] = −2∇³h, ∇³h[n, ·] = −∇²h, ∇²h n = 0 give |∇⁴h| ≤ T₄ + 8·max(α³β)T₃ + 12·max(α²β²)T₂. Through
//! a linear image, with μ the least |Mᵀn| of the cell, |∇²h| ≤ σ₁²|∇²h_K|/μ and |∇⁴h| ≤ σ₁⁴|∇⁴h_K|/μ³.

use super::expression::{Expression, Linear};
use super::{Harmonics, Potential};
use crate::Vec3;
use crate::error::Result;

/// A lower bound on the radii of curvature of a potential, in metres.
#[derive(Debug, Clone, Copy)]
pub(super) struct Least {
    pub bound: f64,
    /// A normal at which the bound is met, where one is known.
    pub witness: Option<Vec3>,
    /// Whether both radii are equal to the bound everywhere.
    pub constant: bool,
}

/// How fast ∇²h can change near a normal; all in metres.
#[derive(Debug, Clone, Copy)]
pub(super) struct Growth {
    /// Bounds |φ″|.
    pub bend: f64,
    /// Bounds the norm of ∇²h.
    pub second: f64,
    /// Bounds the norm of ∇⁴h.
    pub fourth: f64,
}

impl Potential {
    /// This potential with every opaque leaf replaced by the ball of its promised radius: its ∇²h is nowhere above
    /// that of the potential itself.
    pub(super) fn lower_model(&self) -> Result<Self> {
        Ok(match &*self.0 {
            Expression::Opaque(o) => Self::round(o.least_radius)?,
            Expression::Sum(a, b) if self.has_opaque() => a.lower_model()?.sum(&b.lower_model()?),
            Expression::Linear(l) if self.has_opaque() => {
                Self::of(Expression::Linear(Linear::new(l.inner.lower_model()?, l.m, l.similarity)?))
            }
            _ => self.clone(),
        })
    }

    /// The bound that composition alone gives.
    pub(super) fn least(&self) -> Least {
        let even = |bound| Least { bound, witness: Some(Vec3::z()), constant: true };
        match &*self.0 {
            Expression::Ball { radius, .. } => even(*radius),
            Expression::Point(_) => even(0.0),
            Expression::Ellipsoid(e) => {
                let (a, c) = (e.semi_axes().max(), e.semi_axes().min());
                let longest = Vec3::ith(e.semi_axes().imax(), 1.0);
                Least { bound: c * c / a, witness: Some(longest), constant: false }
            }
            Expression::Harmonics(s) => {
                let mean = s.coefficients()[0] / (4.0 * std::f64::consts::PI).sqrt();
                let spread: f64 = (2..=s.degree()).map(|l| tangent(l)[0] * s.degree_bound(l)).sum();
                if spread == 0.0 {
                    return even(mean);
                }
                Least { bound: mean - spread, witness: None, constant: false }
            }
            Expression::Spline(s) => {
                // Of a rational one nothing is known without looking.
                let spread = s.tangent_bounds(&Vec3::z(), std::f64::consts::PI)[0].min(f64::MAX);
                Least { bound: s.base() - spread, witness: None, constant: false }
            }
            Expression::Opaque(o) => Least { bound: o.least_radius, witness: None, constant: false },
            Expression::Sum(a, b) => {
                let (a, b) = (a.least(), b.least());
                let witness = match (a.constant, b.constant) {
                    (true, _) => b.witness,
                    (_, true) => a.witness,
                    _ => None,
                };
                Least { bound: a.bound + b.bound, witness, constant: a.constant && b.constant }
            }
            Expression::Linear(l) => l.least(),
        }
    }

    /// A bound of the length of ∇⁴h(d)[w, w, w] over a triangle of directions d with the corners c, w = d − Σc/3; none
    /// where a leaf is a support function of unknown kind, or the triangle may hold the origin.
    ///
    /// ∇⁴h is of degree −3: ∣∇⁴h(d)[w, w, w]∣ ≤ T ∣w∣³/∣d∣³ with its bound T over unit normals, and w is longest at a
    /// corner. Through a linear image both d and w become those of Mᵀc, and the vector is multiplied by M.
    pub(crate) fn fourth_along(&self, corners: &[Vec3; 3]) -> Option<f64> {
        match &*self.0 {
            Expression::Ball { radius, .. } => Some(Growth::of_ball(*radius).fourth * cubed(corners)?),
            Expression::Point(_) => Some(0.0),
            Expression::Opaque(_) | Expression::Spline(_) => None,
            Expression::Ellipsoid(e) => {
                let image = corners.map(|c| c.component_mul(e.semi_axes()));
                Some(e.semi_axes().max() * Growth::of_ball(1.0).fourth * cubed(&image)?)
            }
            Expression::Harmonics(s) => Some(s.growth().fourth * cubed(corners)?),
            Expression::Sum(a, b) => Some(a.fourth_along(corners)? + b.fourth_along(corners)?),
            Expression::Linear(l) => {
                Some(l.sigma[0] * l.inner.fourth_along(&corners.map(|c| l.m.tr_mul(&c)))?)
            }
        }
    }

    /// Bounds over the unit normals within the angle `rho` of the unit normal `n`. Opaque leaves have none and must
    /// have been replaced.
    pub(super) fn growth(&self, n: &Vec3, rho: f64) -> Growth {
        match &*self.0 {
            Expression::Ball { radius, .. } => Growth::of_ball(*radius),
            Expression::Point(_) => Growth::of_ball(0.0),
            Expression::Opaque(o) => Growth::of_ball(o.least_radius),
            Expression::Ellipsoid(e) => {
                let a = e.semi_axes();
                let least = (a.component_mul(n).norm() - a.max() * rho).max(a.min());
                Growth::of_ball(1.0).image(a.max(), least)
            }
            Expression::Harmonics(s) => s.growth(),
            Expression::Spline(s) => {
                let [second, third, fourth] = s.tangent_bounds(n, rho);
                let ball = Growth::of_ball(s.base());
                Growth {
                    bend: fourth + 3.0 * second,
                    second: ball.second + second,
                    // As of harmonics below.
                    fourth: ball.fourth + fourth + 8.0 * (3.0 * 3f64.sqrt() / 16.0) * third + 3.0 * second,
                }
            }
            Expression::Sum(a, b) => {
                let (a, b) = (a.growth(n, rho), b.growth(n, rho));
                Growth { bend: a.bend + b.bend, second: a.second + b.second, fourth: a.fourth + b.fourth }
            }
            Expression::Linear(l) => {
                let m = l.m.tr_mul(n);
                let length = m.norm();
                if let Some(factor) = l.similarity {
                    let inner = l.inner.growth(&(m / length), rho);
                    return Growth {
                        bend: factor * inner.bend,
                        second: factor * inner.second,
                        fourth: factor * inner.fourth,
                    };
                }
                let turn = l.sigma[0] * rho / length;
                let angle = if turn < 1.0 { turn.asin() } else { std::f64::consts::PI };
                let least = (length - l.sigma[0] * rho).max(l.sigma[2]);
                l.inner.growth(&(m / length), angle).image(l.sigma[0], least)
            }
        }
    }
}

impl Linear {
    fn least(&self) -> Least {
        let inner = self.inner.least();
        if let Some(factor) = self.similarity {
            // For a rotation times a factor M, Mᵀn points along w where n points along Mw.
            let witness = inner.witness.map(|w| (self.m * w).normalize());
            return Least { bound: factor * inner.bound, witness, ..inner };
        }
        let [greatest, _, smallest] = self.sigma;
        let (factor, axis) = if inner.bound >= 0.0 {
            (smallest * smallest / greatest, self.axes[0])
        } else {
            (greatest * greatest / smallest, self.axes[1])
        };
        let witness = inner.constant.then_some(axis);
        Least { bound: factor * inner.bound, witness, constant: inner.constant && inner.bound == 0.0 }
    }
}

impl Growth {
    fn of_ball(radius: f64) -> Self {
        // ∇⁴|n| of four equal unit vectors is −3α⁴ + 12α²β², never beyond 3.
        Self { bend: 0.0, second: radius.abs(), fourth: 3.0 * radius.abs() }
    }

    /// The bounds after a linear image, from the greatest singular value and the least |Mᵀn|.
    fn image(&self, greatest: f64, least: f64) -> Self {
        let second = self.second * greatest * greatest / least;
        let fourth = self.fourth * greatest.powi(4) / least.powi(3);
        Self { bend: fourth + 3.0 * second, second, fourth }
    }
}

impl Harmonics {
    fn growth(&self) -> Growth {
        let mut sum = Growth::of_ball(self.degree_bound(0));
        for l in 2..=self.degree() {
            let size = self.degree_bound(l);
            let [second, third, fourth] = tangent(l).map(|t| t * size);
            sum.bend += fourth + 3.0 * second;
            sum.second += second;
            // max α³β = 3√3/16 and max α²β² = 1/4 for α² + β² = 1.
            sum.fourth += fourth + 8.0 * (3.0 * 3f64.sqrt() / 16.0) * third + 3.0 * second;
        }
        sum
    }
}

/// max ∣w∣³/min ∣d∣³ over a triangle of directions d, w from its centroid. ∣d∣ is no less than the distance of the
/// triangle's plane, nor than that of its centroid less the longest w.
fn cubed(corners: &[Vec3; 3]) -> Option<f64> {
    let [a, b, c] = corners;
    let middle = (a + b + c) / 3.0;
    let longest = corners.iter().map(|c| (c - middle).norm()).fold(0.0, f64::max);
    let plane = (b - a).cross(&(c - a)).try_normalize(0.0).map_or(0.0, |n| n.dot(&middle).abs());
    let shortest = plane.max(middle.norm() - longest);
    (shortest > 0.0).then(|| (longest / shortest).powi(3))
}

/// Bounds on ∇²h, ∇³h, ∇⁴h with tangent arguments for a part of degree l ≥ 2 whose values stay within one.
fn tangent(l: usize) -> [f64; 3] {
    let l = l as f64;
    [l * l + 1.0, l * l * l + l, l.powi(4) + l * l + 3.0 * (l * l + 1.0)]
}
