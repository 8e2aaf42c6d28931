//! Hertz's contact of two smooth bodies, elliptical in general.
//!
//! Over the common tangent plane the bodies part as A x² + B y², with B ≥ A > 0 half the relative principal curvatures.
//! Pressed to the depth δ they touch in an ellipse with semi-axes a ≥ b. With k = b/a, m = 1 − k² and the
//! complete elliptic integrals K(m), D(m) = (K − E)/m, C(m) = (E − k²K)/m (so that K = C + D), Johnson's (4.26) to
//! (4.28) become
//!
//!   B/A = C/(k² D),   a² = δ D/(A K),   F = 2π E* a δ/(3K)
//!
//! The integrals come from the arithmetic-geometric mean, which converges quadratically: a₀ = 1, b₀ = k, then
//! aₙ₊₁ = (aₙ + bₙ)/2, bₙ₊₁ = √(aₙbₙ), cₙ₊₁ = (aₙ − bₙ)/2, and
//!
//!   K = π/(2a_∞),   D = K (½ + ½ Σ 2ⁿ cₙ²/m, n ≥ 1),   C = K − D
//!
//! with c₁/m = 1/(2(1 + k)), so that nothing cancels at the circle. The force is F = f·(4/3) E* √R_e δ^{3/2} with R_e =
//! 1/(2√(AB)) and
//!
//!   f = (π/2) K^{−3/2} √(2 D √(B/A)),   f(1) = 1
//!
//! Sensitivity. The ellipse makes the complementary energy stationary, so that at a given force ∂δ/∂A = a²/3 and
//! ∂δ/∂B = b²/3. Hence ∂ ln F/∂ ln A = −D/(2K) and ∂ ln F/∂ ln B = −C/(2K) at a given depth: they add up to −½, and
//! there is no singularity at the circle.
//!
//! In a hollow a relative curvature is the difference of two, and the theory holds as long as it is above zero: the
//! body touches the hollow in one point. At zero they meet in a line or a face, below zero the point is none of a
//! contact.
//!
//! 1/K, D/K and k come from a table over ln(B/A), `ellipse_table.rs`, which is made of solutions; at the circle, where
//! F = (4/3) E* √R_e δ^{3/2} to the last digit, from the solution itself.
//!
//! k solves the first equation by Chebyshev's method in y = ln k, on which e = ln(C/(k² D)) depends almost linearly
//! (its slope stays between −2 and −3/2), from a quotient of polynomials in x = ln(B/A), [`START`], that is right to
//! first order at the circle, k = (A/B)^{2/3}, and to 1.3e-5 up to x = 24. A step of (e − x)/e′ (1 + ½ (e − x) e″/e′²)
//! leaves some hundredths of its cube: one is enough, and moves the integrals by their Taylor polynomials. By m they
//! have the derivatives C′ = (D − C)/(2m), D′ = (C/k² − D)/(2m), C″ = (D′ − 3C′)/(2m), D″ = ((C′ + C/k²)/k² −
//! 3D′)/(2m), and with dm/dy = −2k² by y C_y = −2k² C′, C_yy = 4k² (k² C″ − C′), D likewise.

use super::ellipse_table;
use crate::error::{ContactError, Result, positive};
use std::f64::consts::{FRAC_PI_2, PI};

/// Ratios of the relative curvatures beyond this are a line contact to the eye of the theory: the ellipse would be a
/// million times longer than wide.
pub(super) const LONGEST: f64 = 1e10;

/// ln k = −x (2/3 + p₁x + p₂x² + p₃x³)/(1 + q₁x + q₂x² + q₃x³) nearly: p and q, fitted to 400 values up to x = 24.4.
const START: [[f64; 3]; 2] =
    [[0.106_725_35, 0.033_895_304, 0.001_752_838_3], [0.160_039_86, 0.055_448_547, 0.003_468_447]];

/// Curvatures that differ by no more than this share are those of a circle: spheres, whose curvatures are rounded.
const ROUND: f64 = 1e-14;

/// A step of ln k whose cube is nothing: what is left of it is a hundredth of ten ε.
const SMALL_STEP: f64 = 1.4e-5;

/// The contact of two bodies of given relative curvatures and effective modulus.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hertz {
    /// K in F = K δ^{3/2}, in N/m^{3/2}.
    pub stiffness: f64,
    /// ∂K/∂κ for the two relative principal curvatures, in the order in which they were given.
    pub by_curvature: [f64; 2],
    /// Semi-axes a ≥ b of the ellipse of contact divided by √δ, in √m.
    pub patch: [f64; 2],
}

/// The integrals at one shape of the ellipse.
pub(super) struct Ellipse {
    /// b/a.
    pub k: f64,
    /// K, D and C.
    pub whole: f64,
    pub d: f64,
    pub c: f64,
}

impl Ellipse {
    fn new(k: f64) -> Self {
        let (mut a, mut b) = (1.0, k);
        let (mut sum, mut weight) = (0.0, 1.0);
        // c₁, and cₙ/m: the square cₙ²/m is their product.
        let mut c = 0.5 * (1.0 - k);
        let mut c_over_m = 0.5 / (1.0 + k);
        // Seven steps bring the smallest k of use, 1e-8, to rounding.
        for _ in 0..12 {
            weight *= 2.0;
            sum += weight * c * c_over_m;
            (a, b) = (0.5 * (a + b), (a * b).sqrt());
            if c <= f64::EPSILON * a {
                break;
            }
            // cₙ₊₁ = cₙ²/(4aₙ₊₁), the same as (aₙ − bₙ)/2 without the difference.
            let next = 0.5 * (a + b);
            let factor = c / (4.0 * next);
            c_over_m *= factor;
            c *= factor;
        }
        let whole = FRAC_PI_2 / a;
        let d = whole * (0.5 + 0.5 * sum);
        Self { k, whole, d, c: whole - d }
    }

    /// The ellipse for B/A = `ratio` ≥ 1.
    pub(super) fn of_ratio(ratio: f64) -> Self {
        let wanted = ratio.ln();
        let [p, q] = START.map(|[c1, c2, c3]| wanted * (c1 + wanted * (c2 + wanted * c3)));
        let mut log_k = -wanted * (2.0 / 3.0 + p) / (1.0 + q);
        let mut found = Self::new(log_k.exp());
        // The first step leads to rounding over the whole range.
        for _ in 0..12 {
            let slopes = found.by_log_k();
            let step = found.step_to(wanted, &slopes);
            if step.abs() <= SMALL_STEP {
                return found.moved(step, &slopes);
            }
            log_k += step;
            found = Self::new(log_k.exp());
        }
        found
    }

    /// C_y and C_yy, then D_y and D_yy. At the circle the quotients by m lose their digits, and the limits π/32 and
    /// 3π/32 of C′ and D′ take their place: what asks for them is small there.
    fn by_log_k(&self) -> [[f64; 2]; 2] {
        let square = self.k * self.k;
        let m = 1.0 - square;
        let ([c1, d1], [c2, d2]) = if m < 1e-6 {
            ([PI / 32.0, 3.0 * PI / 32.0], [0.0; 2])
        } else {
            let (half, per_square) = (0.5 / m, 1.0 / square);
            let (c1, d1) = ((self.d - self.c) * half, (self.c * per_square - self.d) * half);
            ([c1, d1], [(d1 - 3.0 * c1) * half, ((c1 + self.c * per_square) * per_square - 3.0 * d1) * half])
        };
        [[c1, c2], [d1, d2]].map(|[one, two]| [-2.0 * square * one, 4.0 * square * (square * two - one)])
    }

    /// The change of ln k that leads to ln(B/A) = `wanted`, but for some hundredths of its cube.
    fn step_to(&self, wanted: f64, [[c1, c2], [d1, d2]]: &[[f64; 2]; 2]) -> f64 {
        let excess = (self.c / (self.k * self.k * self.d)).ln() - wanted;
        let (c, d) = (1.0 / self.c, 1.0 / self.d);
        let (slope_c, slope_d) = (c1 * c, d1 * d);
        let slope = slope_c - slope_d - 2.0;
        let bend = c2 * c - slope_c * slope_c - d2 * d + slope_d * slope_d;
        let step = excess / slope;
        -step * (1.0 + 0.5 * step * bend / slope)
    }

    /// The ellipse whose ln k differs by a change that is nothing in third order.
    fn moved(&self, change: f64, slopes: &[[f64; 2]; 2]) -> Self {
        let [c, d] = slopes.map(|[first, second]| change * (first + 0.5 * change * second));
        let (c, d) = (self.c + c, self.d + d);
        Self { k: self.k * (1.0 + change * (1.0 + 0.5 * change)), whole: c + d, d, c }
    }
}

/// The factor f of an elliptical contact whose relative curvatures have the ratio `ratio` = B/A (or A/B).
pub fn elliptical_factor(ratio: f64) -> Result<f64> {
    positive("ratio", ratio)?;
    let ratio = ratio.max(1.0 / ratio);
    Ok(factor(&Ellipse::of_ratio(ratio), ratio))
}

fn factor(e: &Ellipse, ratio: f64) -> f64 {
    FRAC_PI_2 * (2.0 * e.d * ratio.sqrt()).sqrt() / (e.whole * e.whole.sqrt())
}

/// Hertz's contact for an effective modulus in Pa and the two relative principal curvatures in 1/m, in any order.
pub fn hertz(effective_modulus: f64, curvature: [f64; 2]) -> Result<Hertz> {
    positive("effective_modulus", effective_modulus)?;
    let [low, high] = if curvature[0] <= curvature[1] { [0, 1] } else { [1, 0] };
    let (least, most) = (curvature[low], curvature[high]);
    let refuse = |reason| Err(ContactError::NoStiffness { curvature, reason });
    if !(least.is_finite() && most.is_finite()) {
        return refuse("an edge or a corner takes part, or a curvature is not a number");
    } else if least == 0.0 && most == 0.0 {
        return refuse("the bodies meet in a face");
    } else if least < -most.abs() / LONGEST {
        return refuse(
            "one lies in a hollow of the other that is bent more than itself, and touches it in more places than one",
        );
    } else if least * LONGEST < most {
        return refuse("the bodies meet in a line, or nearly so");
    }
    let ratio = most / least;
    let mut by_curvature = [0.0; 2];
    if ratio - 1.0 > ROUND {
        let [per_whole, share, k] = ellipse_table::at(ratio);
        // F/δ^{3/2} = 2π E* a/(3K √δ).
        let long = (2.0 * share / least).sqrt();
        let stiffness = 2.0 / 3.0 * PI * effective_modulus * long * per_whole;
        by_curvature[low] = -0.5 * stiffness * share / least;
        by_curvature[high] = -0.5 * stiffness * (1.0 - share) / most;
        return Ok(Hertz { stiffness, by_curvature, patch: [long, long * k] });
    }
    let e = Ellipse::of_ratio(ratio);
    let radius = 1.0 / (least * most).sqrt();
    let stiffness = 4.0 / 3.0 * effective_modulus * radius.sqrt() * factor(&e, ratio);
    by_curvature[low] = -stiffness * e.d / (2.0 * e.whole * least);
    by_curvature[high] = -stiffness * e.c / (2.0 * e.whole * most);
    let long = (2.0 * e.d / (least * e.whole)).sqrt();
    Ok(Hertz { stiffness, by_curvature, patch: [long, long * e.k] })
}

/// Hertz's contact as if it were circular, with the radius of the Gaussian relative curvature: K =
/// (4/3)E*(κ₁κ₂)^(−1/4), Römer (96). It is the elliptical one without its factor, which is 1.0100 at κ₁ = 2κ₂ and
/// 1.109 at κ₁ = 10κ₂.
pub fn circular_hertz(effective_modulus: f64, curvature: [f64; 2]) -> Result<Hertz> {
    // The same curvatures have a stiffness: a line, a face, an edge and a hollow have none here either.
    hertz(effective_modulus, curvature)?;
    let radius = 1.0 / (curvature[0] * curvature[1]).sqrt();
    let stiffness = 4.0 / 3.0 * effective_modulus * radius.sqrt();
    let by_curvature = curvature.map(|kappa| -stiffness / (4.0 * kappa));
    Ok(Hertz { stiffness, by_curvature, patch: [radius.sqrt(); 2] })
}

impl Hertz {
    /// The greatest pressure at the depth `depth` in m under the force `force` in N, in Pa: p₀ = 3F/(2πab).
    pub fn greatest_pressure(&self, depth: f64, force: f64) -> f64 {
        1.5 * force / (PI * self.patch[0] * self.patch[1] * depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_elliptical_factor_takes_its_known_values() {
        // Independent values of the factor, given to six decimals.
        for (ratio, expected) in
            [(1.0, 1.0), (2.0, 1.009993), (4.0, 1.039804), (10.0, 1.109040), (100.0, 1.435057)]
        {
            let found = elliptical_factor(ratio).unwrap();
            assert!((found - expected).abs() < 5.1e-7, "B/A = {ratio}: {found}");
            assert!((elliptical_factor(1.0 / ratio).unwrap() - found).abs() < 1e-14);
        }
    }

    #[test]
    fn a_circular_contact_is_an_elliptical_one_without_its_factor_and_its_derivatives_agree_with_differences()
    {
        for curvature in [[3.0, 3.0], [2.0, 8.0], [50.0, 0.5]] {
            let (circular, whole) = (circular_hertz(1e9, curvature).unwrap(), hertz(1e9, curvature).unwrap());
            let factor = elliptical_factor(curvature[0] / curvature[1]).unwrap();
            assert!((circular.stiffness * factor / whole.stiffness - 1.0).abs() < 1e-14, "{curvature:?}");
            for k in 0..2 {
                let at = |step: f64| {
                    let mut moved = curvature;
                    moved[k] += step;
                    circular_hertz(1e9, moved).unwrap().stiffness
                };
                let step = 1e-5 * curvature[k];
                let slope = (at(step) - at(-step)) / (2.0 * step);
                assert!((slope / circular.by_curvature[k] - 1.0).abs() < 1e-8, "{curvature:?}");
            }
            // a² = R δ, and the pressure of a sphere of that radius: p₀ = 2E*√(δ/R)/π.
            let (depth, radius) = (1e-4f64, 1.0 / (curvature[0] * curvature[1]).sqrt());
            let force = circular.stiffness * depth.powf(1.5);
            let expected = 2.0 * 1e9 * (depth / radius).sqrt() / PI;
            assert!((circular.greatest_pressure(depth, force) / expected - 1.0).abs() < 1e-14);
        }
        for refused in [[0.0, 1.0], [0.0, 0.0], [-1.0, 2.0], [f64::INFINITY, 1.0], [f64::NAN, 1.0]] {
            assert!(circular_hertz(1e9, refused).is_err(), "{refused:?}");
        }
    }

    #[test]
    fn the_shape_solves_its_equation_over_the_whole_range() {
        for exponent in 0..=100 {
            let ratio = 10f64.powf(0.1 * f64::from(exponent));
            let e = Ellipse::of_ratio(ratio);
            let found = e.c / (e.k * e.k * e.d);
            assert!((found / ratio - 1.0).abs() < 5e-14, "{ratio}: {found}");
            assert!((e.c + e.d - e.whole).abs() < 1e-14 * e.whole);
        }
        for close in [1e-15, 1e-12, 1e-9, 1e-7, 1e-5, 1e-3] {
            let e = Ellipse::of_ratio(1.0 + close);
            assert!((e.c / (e.k * e.k * e.d) - (1.0 + close)).abs() < 1e-15, "{close}");
        }
    }

    #[test]
    fn the_integrals_are_those_of_carlson() {
        use rattleback_geom::special::{carlson_rd, carlson_rf};
        for exponent in 0..=80 {
            let k = 10f64.powf(-0.1 * f64::from(exponent));
            let (e, square) = (Ellipse::new(k), k * k);
            assert!((e.whole / carlson_rf(0.0, square, 1.0) - 1.0).abs() < 1e-14, "{k}");
            assert!((e.d / (carlson_rd(0.0, square, 1.0) / 3.0) - 1.0).abs() < 1e-14, "{k}");
            let c = square * carlson_rd(0.0, 1.0, square) / 3.0;
            assert!((e.c / c - 1.0).abs() < 2e-14, "{k}: {} against {c}", e.c);
        }
    }

    #[test]
    fn the_integrals_agree_with_their_definition() {
        // ∫ over a quarter turn by the trapezoidal rule, which converges exponentially for periodic functions.
        for k in [0.05, 0.3, 0.9, 1.0] {
            let e = Ellipse::new(k);
            let (n, mut whole, mut d) = (4000, 0.0, 0.0);
            for i in 0..n {
                let angle = (f64::from(i) + 0.5) * FRAC_PI_2 / f64::from(n);
                let root = (1.0 - (1.0 - k * k) * angle.sin().powi(2)).sqrt();
                whole += FRAC_PI_2 / f64::from(n) / root;
                d += FRAC_PI_2 / f64::from(n) * angle.sin().powi(2) / root;
            }
            assert!((e.whole / whole - 1.0).abs() < 1e-13 && (e.d / d - 1.0).abs() < 1e-13, "{k}");
        }
    }

    #[test]
    fn johnsons_relations_hold_for_depth_patch_and_pressure() {
        let (modulus, curvature, depth) = (1e9, [30.0, 400.0], 1e-5f64);
        let found = hertz(modulus, curvature).unwrap();
        let force = found.stiffness * depth.powf(1.5);
        let [a, b] = found.patch.map(|x| x * depth.sqrt());
        let p0 = found.greatest_pressure(depth, force);
        let e = Ellipse::new(b / a);
        // Johnson (4.26): A = p₀ b D/(E* a²), δ = p₀ b K/E*.
        assert!((p0 * b * e.d / (modulus * a * a) / (0.5 * curvature[0]) - 1.0).abs() < 1e-13);
        assert!((p0 * b * e.whole / modulus / depth - 1.0).abs() < 1e-13);
    }

    #[test]
    fn a_sphere_has_the_closed_form_and_order_does_not_matter() {
        let found = hertz(2e9, [100.0, 100.0]).unwrap();
        assert!((found.stiffness / (4.0 / 3.0 * 2e9 * 0.1) - 1.0).abs() < 1e-15);
        assert!((found.patch[0] - 0.1).abs() < 1e-16 && (found.patch[1] - 0.1).abs() < 1e-16);
        let (one, other) = (hertz(1e9, [3.0, 70.0]).unwrap(), hertz(1e9, [70.0, 3.0]).unwrap());
        assert_eq!(one.stiffness, other.stiffness);
        assert_eq!(one.by_curvature[0], other.by_curvature[1]);
    }

    /// A ball of radius r in a trough of radius R has the relative curvatures 1/r − 1/R and 1/r; for R → r the trough
    /// is filled.
    #[test]
    fn a_ball_in_a_trough_is_stiffer_the_closer_the_trough_fits() {
        let r = 0.1;
        let plane = hertz(1e9, [1.0 / r, 1.0 / r]).unwrap().stiffness;
        let mut before = plane;
        for share in [10.0, 2.0, 1.1, 1.001, 1.000_001] {
            let found = hertz(1e9, [1.0 / r - 1.0 / (share * r), 1.0 / r]).unwrap();
            assert!(found.stiffness > before, "{share}: {}", found.stiffness);
            assert!(found.by_curvature[0] < 0.0 && found.patch[0] > found.patch[1]);
            before = found.stiffness;
        }
        assert!(
            hertz(1e9, [0.0, 1.0 / r]).is_err() && hertz(1e9, [1.0 / r - 1.0 / (0.9 * r), 1.0 / r]).is_err()
        );
    }

    #[test]
    fn the_sensitivity_to_curvature_agrees_with_differences() {
        for curvature in [[5.0, 5.0], [5.0, 5.0001], [5.0, 20.0], [1e-3, 40.0], [700.0, 2.0]] {
            let found = hertz(1.0, curvature).unwrap();
            for k in 0..2 {
                let h = 1e-5 * curvature[k];
                let at = |d: f64| {
                    let mut c = curvature;
                    c[k] += d;
                    hertz(1.0, c).unwrap().stiffness
                };
                let slope = (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h);
                assert!(
                    (slope / found.by_curvature[k] - 1.0).abs() < 1e-9,
                    "{curvature:?}: {slope} against {}",
                    found.by_curvature[k]
                );
            }
        }
    }

    #[test]
    fn lines_faces_edges_and_nan_are_errors_with_advice() {
        for (curvature, reason) in [
            ([0.0, 0.0], "meet in a face"),
            ([0.0, 5.0], "meet in a line"),
            ([-1e-15, 5.0], "meet in a line"),
            ([1e-12, 5.0], "in a line, or nearly so"),
            ([-1.0, 5.0], "in a hollow"),
            ([-2.0, -1.0], "in a hollow"),
            ([-2.0, 0.0], "in a hollow"),
            ([1.0, f64::INFINITY], "an edge"),
            ([f64::NAN, 1.0], "not a number"),
        ] {
            let message = hertz(1e9, curvature).unwrap_err().to_string();
            assert!(
                message.contains(reason) && message.ends_with("give the contact a `stiffness`"),
                "{curvature:?}: {message}"
            );
        }
        assert!(hertz(-1.0, [1.0, 1.0]).unwrap_err().to_string().starts_with("effective_modulus = -1"));
    }
}
