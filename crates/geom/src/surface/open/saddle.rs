//! The hyperbolic paraboloid in its box: z ≥ s(x, y) = c(x²/a² − y²/b² − 1), between planes across x and y, below a
//! ceiling that the saddle does not reach.
//!
//! Volume and moments are integrals over a rectangle of polynomials of degree six at most in each variable: four
//! Gauss points per direction are exact. The walls' areas need two. The curved area ∫√(1 + s_x² + s_y²) is
//! integrated adaptively.

use super::layers::pieces;
use super::plane::{unfit, within_reach};
use crate::error::{Result, positive};
use crate::quadrature::{adaptive, gauss_legendre};
use crate::surface::{Domain, Implicit, ParametricJet};
use crate::taylor::{Taylor, jet};
use crate::{Aabb, Curvature, Moments, TriMesh, Vec3, tessellate};

/// Relative tolerance of the curved area, and the cells granted for it.
const AREA: (f64, usize) = (1e-11, 10_000);

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Saddle {
    pub(crate) axes: [f64; 3],
    pub(crate) x: [f64; 2],
    pub(crate) y: [f64; 2],
    pub(crate) ceiling: f64,
}

/// Least and greatest square over an interval.
fn squares([low, high]: [f64; 2]) -> [f64; 2] {
    let most = (low * low).max(high * high);
    let least = if low <= 0.0 && high >= 0.0 { 0.0 } else { (low * low).min(high * high) };
    [least, most]
}

impl Saddle {
    pub(crate) fn new(axes: [f64; 3], range: &[[f64; 2]; 3]) -> Result<Self> {
        let [x, y, [floor, ceiling]] = *range;
        let found = format!("x in {x:?}, y in {y:?}, z in [{floor}, {ceiling}]");
        let [a, _, c] = axes;
        let highest = c * (squares(x)[1] / (a * a) - squares(y)[0] / (axes[1] * axes[1]) - 1.0);
        let wide = |[low, high]: [f64; 2]| low < high && (high - low).is_finite();
        let fits =
            wide(x) && wide(y) && ceiling.is_finite() && ceiling > highest && floor == f64::NEG_INFINITY;
        if !fits {
            return Err(unfit(
                found,
                "two planes across x, two across y, and a ceiling across z above the whole saddle",
            ));
        }
        let saddle = Self { axes, x, y, ceiling };
        within_reach(&saddle.bounds())?;
        Ok(saddle)
    }

    pub(crate) fn height(&self, x: f64, y: f64) -> f64 {
        let [a, b, c] = self.axes;
        c * ((x / a).powi(2) - (y / b).powi(2) - 1.0)
    }

    pub(crate) fn bounds(&self) -> Aabb {
        let lowest = self.height(squares(self.x)[0].sqrt(), squares(self.y)[1].sqrt());
        Aabb {
            min: Vec3::new(self.x[0], self.y[0], lowest),
            max: Vec3::new(self.x[1], self.y[1], self.ceiling),
        }
    }

    /// u is y and v is x, because the solid lies above and ∂u × ∂v must point down.
    pub(crate) fn domain(&self) -> Domain {
        Domain { u: self.y, v: self.x, periodic: [false; 2] }
    }

    pub(crate) fn jet(&self, u: f64, v: f64) -> ParametricJet {
        let [a, b, c] = self.axes;
        let (y, x) = (Taylor::u(u), Taylor::v(v));
        jet([x, y, (x * x * a.powi(-2) - y * y * b.powi(-2) + -1.0) * c])
    }

    pub(crate) fn curved_area(&self) -> Result<f64> {
        let [a, b, c] = self.axes;
        let [area] = adaptive(self.x, self.y, AREA.0, AREA.1, |x, y| {
            [1f64.hypot((2.0 * c * x / (a * a)).hypot(2.0 * c * y / (b * b)))]
        })?;
        Ok(area)
    }

    pub(crate) fn flat_area(&self) -> f64 {
        let mut area = (self.x[1] - self.x[0]) * (self.y[1] - self.y[0]);
        for (node, weight) in gauss_legendre(2) {
            let at = |[low, high]: [f64; 2]| (0.5 * (high - low), low + 0.5 * (high - low) * (1.0 + node));
            let ((hx, x), (hy, y)) = (at(self.x), at(self.y));
            for end in 0..2 {
                area += weight * hy * (self.ceiling - self.height(self.x[end], y));
                area += weight * hx * (self.ceiling - self.height(x, self.y[end]));
            }
        }
        area
    }

    pub(crate) fn moments(&self) -> Moments {
        let mut m = Moments::zero();
        let rule = gauss_legendre(4);
        let half = [self.x, self.y].map(|[low, high]| 0.5 * (high - low));
        for (nx, wx) in &rule {
            for (ny, wy) in &rule {
                let x = self.x[0] + half[0] * (1.0 + nx);
                let y = self.y[0] + half[1] * (1.0 + ny);
                let (s, t) = (self.height(x, y), self.ceiling);
                // A prism of the base dA from s to t: ∫dz, ∫z dz, ∫z² dz.
                let base = wx * wy * half[0] * half[1] * (t - s);
                let (z, zz) = (0.5 * (s + t), (s * s + s * t + t * t) / 3.0);
                let p = Vec3::new(x, y, z);
                let mut second = p * p.transpose();
                second[(2, 2)] = zz;
                m.volume += base;
                m.first += base * p;
                m.second += base * second;
            }
        }
        m
    }

    /// The surface of a cube whose floor is bent to the saddle, columns kept upright.
    pub(crate) fn tessellate(&self, chord: f64) -> Result<TriMesh> {
        let chord = positive("chord", chord)?;
        let corners = (0..8u8).map(|i| Vec3::from_fn(|k, _| f64::from(i >> k & 1))).collect();
        let triangles = vec![
            [0, 2, 3],
            [0, 3, 1],
            [4, 5, 7],
            [4, 7, 6],
            [0, 1, 5],
            [0, 5, 4],
            [2, 6, 7],
            [2, 7, 3],
            [0, 4, 6],
            [0, 6, 2],
            [1, 3, 7],
            [1, 7, 5],
        ];
        tessellate::refine(
            corners,
            triangles,
            chord,
            2,
            |p, q| (p + q) * 0.5,
            |p| {
                let x = self.x[0] + (self.x[1] - self.x[0]) * p.x;
                let y = self.y[0] + (self.y[1] - self.y[0]) * p.y;
                let s = self.height(x, y);
                Vec3::new(x, y, s + (self.ceiling - s) * p.z)
            },
        )
    }

    /// Curvature depends on x² and y² only; the search runs over slopes, which span many decades, as sinh.
    pub(crate) fn curvature_range(&self, implicit: &dyn Implicit) -> Result<[f64; 2]> {
        let [a, b, c] = self.axes;
        let (sx, sy) = (0.5 * a * a / c, 0.5 * b * b / c);
        let mut range = [f64::INFINITY, f64::NEG_INFINITY];
        for x in pieces(self.x) {
            for y in pieces(self.y) {
                let found = super::search::extremes(
                    x.map(|x| (x / sx).asinh()),
                    y.map(|y| (y / sy).asinh()),
                    |p, q| {
                        let (x, y) = (sx * p.sinh(), sy * q.sinh());
                        let at = Vec3::new(x, y, self.height(x, y));
                        Ok(Curvature::from_implicit(&implicit.gradient(&at), &implicit.hessian(&at)).kappa)
                    },
                )?;
                range = [range[0].min(found[0]), range[1].max(found[1])];
            }
        }
        Ok(range)
    }
}
