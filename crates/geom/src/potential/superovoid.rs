//! Superovoids, whose support function has no closed form: Römer, section 7.
//!
//! Superovoids (Todd and Smart 1984; Gonçalves et al. 2017) are superellipsoids whose sections taper along z: with
//! ζ = z/c and the radii of the section a(1 + τ_x ζ), b(1 + τ_y ζ),
//!
//! > [(∣x∣/(a(1 + τ_xζ)))^δ + (∣y∣/(b(1 + τ_yζ)))^δ]^{ε/δ} + ∣ζ∣^ε = 1.
//!
//! The section at ζ is a superellipse of the size w = (1 − ∣ζ∣^ε)^{1/ε}, hence with δ* = δ/(δ − 1)
//!
//! > h(n) = max over ζ of c n_z ζ + w ∥(a(1 + τ_xζ)n_x, b(1 + τ_yζ)n_y)∥_{δ*},
//!
//! a scalar equation. With ζ = ±∣sin β∣^{2/ε}, w = ∣cos β∣^{2/ε} it is smooth in β at the ends; the greatest of
//! [`SCAN`] values is refined by golden section. Of a normal the scan needs ∣n_x∣^{δ*}, ∣n_y∣^{δ*} and one power for
//! each value, since the rest is a table. Where strong tapers make the body concave, this is its convex hull. The body
//! that is computed with is a series of spherical harmonics fitted to it, `fit.rs`, whose error is told.

use super::{Fit, FitSettings};
use crate::Vec3;
use crate::error::{Result, length, within};
use std::f64::consts::{FRAC_PI_2, PI};

/// Values that are compared before the refinement.
const SCAN: usize = 128;

/// Steps of golden section: two spacings shrink to 1e-9, of which h keeps the square.
const GOLDEN_STEPS: usize = 38;

/// A superovoid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Superovoid {
    semi_axes: [f64; 3],
    exponents: [f64; 2],
    tapers: [f64; 2],
}

impl Superovoid {
    /// From the semi-axes in m, the exponents δ and ε from 1.5 to 10, and the tapers τ_x and τ_y between −0.9 and 0.9.
    pub fn new(semi_axes: [f64; 3], exponents: [f64; 2], tapers: [f64; 2]) -> Result<Self> {
        for (k, axis) in semi_axes.into_iter().enumerate() {
            length(&format!("semi_axes[{k}]"), axis)?;
        }
        for (k, exponent) in exponents.into_iter().enumerate() {
            within(&format!("exponents[{k}]"), exponent, 1.5, 10.0, "from 1.5 to 10")?;
        }
        for (k, taper) in tapers.into_iter().enumerate() {
            within(&format!("taper[{k}]"), taper, -0.9, 0.9, "from -0.9 to 0.9")?;
        }
        Ok(Self { semi_axes, exponents, tapers })
    }

    /// The implicit function less one, at a point in its axes: below zero inside.
    pub fn value(&self, p: &Vec3) -> f64 {
        let ([a, b, c], [delta, epsilon], [tx, ty]) = (self.semi_axes, self.exponents, self.tapers);
        let zeta = p.z / c;
        let x = (p.x / (a * (1.0 + tx * zeta))).abs();
        let y = (p.y / (b * (1.0 + ty * zeta))).abs();
        (x.powf(delta) + y.powf(delta)).powf(epsilon / delta) + zeta.abs().powf(epsilon) - 1.0
    }

    /// ζ and w at β.
    fn profile(&self, beta: f64) -> [f64; 2] {
        let (sin, cos) = beta.sin_cos();
        let power = 2.0 / self.exponents[1];
        [sin.signum() * sin.abs().powf(power), cos.max(0.0).powf(power)]
    }

    /// δ*.
    fn dual(&self) -> f64 {
        self.exponents[0] / (self.exponents[0] - 1.0)
    }

    /// (a(1 + τ_xζ))^δ* and (b(1 + τ_yζ))^δ*.
    fn radii(&self, zeta: f64) -> [f64; 2] {
        [0, 1].map(|k| (self.semi_axes[k] * (1.0 + self.tapers[k] * zeta)).powf(self.dual()))
    }

    /// h(n) in m.
    pub fn support(&self, n: &Vec3) -> f64 {
        Table::new(self).support(n)
    }

    /// The series of a degree that is fitted to it.
    pub fn fit(&self, degree: usize) -> Result<Fit> {
        let table = Table::new(self);
        Fit::to_support(|n| table.support(n), &FitSettings { degree, ..FitSettings::default() })
    }
}

/// What the scan of one superovoid needs for every normal.
struct Table<'a> {
    ovoid: &'a Superovoid,
    /// ζ, w and both radii to the power δ*, for every value of the scan.
    rows: [[f64; 4]; SCAN + 1],
}

impl<'a> Table<'a> {
    fn new(ovoid: &'a Superovoid) -> Self {
        let rows = std::array::from_fn(|k| {
            let [zeta, w] = ovoid.profile(angle(k));
            let [x, y] = ovoid.radii(zeta);
            [zeta, w, x, y]
        });
        Self { ovoid, rows }
    }

    /// h(n) in m.
    fn support(&self, n: &Vec3) -> f64 {
        let dual = self.ovoid.dual();
        let (x, y, z) = (n.x.abs().powf(dual), n.y.abs().powf(dual), self.ovoid.semi_axes[2] * n.z);
        let height = |[zeta, w, a, b]: [f64; 4]| z * zeta + w * (a * x + b * y).powf(1.0 / dual);
        let heights = self.rows.map(height);
        let best = (0..=SCAN).max_by(|i, j| heights[*i].total_cmp(&heights[*j])).unwrap_or(0);
        let at = |beta: f64| {
            let [zeta, w] = self.ovoid.profile(beta);
            let [a, b] = self.ovoid.radii(zeta);
            height([zeta, w, a, b])
        };
        let bracket = [angle(best.saturating_sub(1)), angle((best + 1).min(SCAN))];
        golden_maximum(bracket, at).max(heights[best])
    }
}

/// β of a value of the scan.
fn angle(k: usize) -> f64 {
    PI / SCAN as f64 * k as f64 - FRAC_PI_2
}

/// The greatest value that a golden section of the bracket meets, one evaluation a step.
fn golden_maximum([mut low, mut high]: [f64; 2], f: impl Fn(f64) -> f64) -> f64 {
    let ratio = 0.5 * (5f64.sqrt() - 1.0);
    let (mut x, mut y) = (high - ratio * (high - low), low + ratio * (high - low));
    let (mut at_x, mut at_y) = (f(x), f(y));
    let mut most = at_x.max(at_y);
    for _ in 0..GOLDEN_STEPS {
        if at_x > at_y {
            (high, y, at_y) = (y, x, at_x);
            x = high - ratio * (high - low);
            at_x = f(x);
            most = most.max(at_x);
        } else {
            (low, x, at_x) = (x, y, at_y);
            y = low + ratio * (high - low);
            at_y = f(y);
            most = most.max(at_y);
        }
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::potential::Potential;
    use crate::potential::spline::lattice;
    use crate::surface::{PotentialBody, Superellipsoid, Support, Surface};

    #[test]
    fn without_tapers_it_is_a_superellipsoid_and_with_them_its_tangents_touch_it() {
        let plain = Superovoid::new([0.5, 0.4, 0.8], [3.0, 4.0], [0.0; 2]).unwrap();
        let known = Superellipsoid::new([0.5, 0.4, 0.8], [3.0, 4.0]).unwrap();
        for n in lattice(60) {
            assert!((plain.support(&n) - known.support(&n)).abs() < 1e-12, "{n}");
        }
        // Every point of a fine cloud on the surface is below the tangent, and one is near it.
        let egg = Superovoid::new([0.5, 0.4, 0.8], [2.0, 2.0], [0.3, -0.2]).unwrap();
        let mut cloud = Vec::new();
        for ray in lattice(20_000) {
            let (mut inside, mut outside) = (0.0, 2.0);
            for _ in 0..60 {
                let r = 0.5 * (inside + outside);
                if egg.value(&(ray * r)) < 0.0 { inside = r } else { outside = r }
            }
            cloud.push(ray * inside);
        }
        for n in lattice(40) {
            let most = cloud.iter().map(|p| n.dot(p)).fold(f64::NEG_INFINITY, f64::max);
            let h = egg.support(&n);
            assert!(most <= h + 1e-12 && most > h - 1e-3, "{n}: {most} {h}");
        }
    }

    #[test]
    fn higher_degrees_fit_better_and_the_body_of_an_egg_is_proved_convex() {
        let egg = Superovoid::new([0.5, 0.45, 0.6], [2.0, 2.0], [0.2, 0.2]).unwrap();
        let errors = [4, 8, 12].map(|degree| egg.fit(degree).unwrap().max_error);
        assert!(errors[0] > 4.0 * errors[1] && errors[1] > 4.0 * errors[2] && errors[2] < 1e-4, "{errors:?}");
        let fit = egg.fit(12).unwrap();
        assert!(fit.rms_error < fit.max_error && fit.damping == 0.0, "{fit:?}");
        let body = PotentialBody::new(Potential::harmonics(fit.harmonics)).unwrap();
        assert!(body.convexity().lower_bound > 0.0);
        // Sections of π a b w² (1 + τζ)²: V = π a b c (4/3 + 4τ²/15).
        let volume = PI * 0.5 * 0.45 * 0.6 * (4.0 / 3.0 + 4.0 * 0.04 / 15.0);
        let found = body.moments().unwrap().volume;
        assert!((found / volume - 1.0).abs() < 1e-4, "{found} {volume}");
    }

    #[test]
    fn numbers_that_make_no_superovoid_are_refused_by_name() {
        for (axes, exponents, tapers, said) in [
            ([-1.0, 1.0, 1.0], [2.0; 2], [0.0; 2], "semi_axes[0] = -1"),
            ([1.0; 3], [1.0, 2.0], [0.0; 2], "exponents[0] = 1"),
            ([1.0; 3], [2.0; 2], [0.0, f64::NAN], "taper[1] = NaN"),
        ] {
            let error = Superovoid::new(axes, exponents, tapers).unwrap_err().to_string();
            assert!(error.starts_with(said), "{error}");
        }
        let egg = Superovoid::new([1.0; 3], [2.0; 2], [0.1; 2]).unwrap();
        assert!(egg.fit(99).unwrap_err().to_string().starts_with("degree = 99"));
    }
}
