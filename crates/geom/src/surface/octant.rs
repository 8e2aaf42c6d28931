//! Integrals and extrema over bodies that are symmetric about the three coordinate planes, such as superquadrics:
//! one octant is enough, but its borders and diagonals are where the surface bends.

use crate::Vec3;
use crate::error::{GeomError, Result};
use std::f64::consts::{FRAC_PI_2, PI};

/// The relative accuracy of areas.
const AREA_TOLERANCE: f64 = 1e-10;
/// The least step of the double-exponential rule: some three million nodes.
const LEAST_STEP: f64 = 1.0 / 128.0;

/// t ↦ t⁴(35 − 84t + 70t² − 20t³) and its derivative: flat at both ends, so that an integrand with a root or a power
/// there becomes smooth.
fn smooth_step(t: f64) -> (f64, f64) {
    let s = 1.0 - t;
    (t.powi(4) * (35.0 - 84.0 * t + 70.0 * t * t - 20.0 * t.powi(3)), 140.0 * (t * s).powi(3))
}

/// The direction at (u, v) ∈ [0, 1]² of the octant, and the solid angle per du dv.
fn direction(u: f64, v: f64) -> (Vec3, f64) {
    let ((s, ds), (z, dz)) = (smooth_step(u), smooth_step(v));
    let (longitude, latitude) = (s * FRAC_PI_2, z * FRAC_PI_2);
    let ring = latitude.cos();
    let d = Vec3::new(ring * longitude.cos(), ring * longitude.sin(), latitude.sin());
    (d, ds * dz * ring * FRAC_PI_2 * FRAC_PI_2)
}

/// The octant of a surface by products of powers on the unit square,
///
/// > x = a s^σ₁ t^τ₁, y = b s^σ₂ (1 − t)^τ₂, z = c (1 − s)^ζ.
///
/// ∣x/a∣^γ₁ + ∣y/b∣^γ₂ + ∣z/c∣^γ₃ = 1 has σᵢ = τᵢ = 1/γᵢ, ζ = 1/γ₃; Barr's form has σᵢ = ζ = 1/ε, τᵢ = 1/δ.
pub(super) struct Powers {
    pub ring: [f64; 2],
    pub angle: [f64; 2],
    pub height: f64,
}

/// A node of the double-exponential rule in one parameter: ln s, ln(1 − s), and ds/(s(1 − s)) times the step.
struct QuadratureNode {
    low: f64,
    high: f64,
    weight: f64,
}

/// The nodes of s = 1/(1 + e^(−π sinh τ)), h apart in τ, as far as s^least is above rounding.
fn nodes(h: f64, least: f64) -> Vec<QuadratureNode> {
    // e^−40 is below the rounding of a sum by two digits.
    let reach = (40.0 / (PI * least)).asinh();
    let count = (reach / h).ceil() as i64;
    let logarithm = |y: f64| if y > 0.0 { -(-y).exp().ln_1p() } else { y - y.exp().ln_1p() };
    let node = |k: i64| {
        let tau = k as f64 * h;
        let y = PI * tau.sinh();
        QuadratureNode { low: logarithm(y), high: logarithm(-y), weight: h * PI * tau.cosh() }
    };
    (-count..=count).map(node).collect()
}

/// Area of a surface of eight octants. With the logarithmic derivatives of [`Powers`], ∂x/∂s × ∂x/∂t ds dt is
///
/// > (ζτ₂ yz st, ζτ₁ xz s(1 − t), xy (1 − s)(σ₁τ₂ t + σ₂τ₁(1 − t))) ds/(s(1 − s)) dt/(t(1 − t)),
///
/// sums of positive numbers. Where exponents are high or low, roots and powers at the borders of the square are what
/// makes the integrand hard; after the double-exponential substitution (Takahasi and Mori 1974) it is analytic and
/// falls off on all sides, so that the trapezoidal rule in both parameters gains digits in proportion to its nodes. The
/// step is halved until nothing changes.
pub(super) fn area(semi_axes: &Vec3, powers: &Powers) -> Result<f64> {
    let Powers { ring, angle, height } = *powers;
    let sum = |h: f64| {
        // Towards every border the integrand falls as the least power that its products have there.
        let down = nodes(h, height.min(ring[0] + ring[1]));
        let around: Vec<(Vec3, f64)> = nodes(h, angle[0].min(angle[1]))
            .iter()
            .map(|node| {
                let (t, rest) = (node.low.exp(), node.high.exp());
                let xy = [(angle[0] * node.low).exp(), (angle[1] * node.high).exp()];
                let third = ring[0] * angle[1] * t + ring[1] * angle[0] * rest;
                let size = Vec3::new(angle[1] * xy[1] * t, angle[0] * xy[0] * rest, xy[0] * xy[1] * third);
                (size, node.weight)
            })
            .collect();
        let mut total = 0.0;
        for node in &down {
            let (s, rest) = (node.low.exp(), node.high.exp());
            let [x, y] = [semi_axes.x * (ring[0] * node.low).exp(), semi_axes.y * (ring[1] * node.low).exp()];
            let z = height * semi_axes.z * (height * node.high).exp();
            let factors = Vec3::new(y * z * s, x * z * s, x * y * rest);
            let line: f64 = around.iter().map(|(size, w)| factors.component_mul(size).norm() * w).sum();
            total += node.weight * line;
        }
        8.0 * total
    };
    let (mut h, mut before) = (0.25, sum(0.25));
    let mut change = f64::INFINITY;
    while h > LEAST_STEP {
        h *= 0.5;
        let now = sum(h);
        change = (now - before).abs() / now;
        if change <= AREA_TOLERANCE {
            return Ok(now);
        }
        before = now;
    }
    Err(GeomError::NotConverged {
        procedure: "area of an octant",
        reached: change,
        wanted: AREA_TOLERANCE,
        iterations: (1.0 / h) as usize,
    })
}

/// Least and greatest curvature over the open octant: a grid, then a pattern search from its extremes.
pub(super) fn range(kappa: impl Fn(&Vec3) -> Result<[f64; 2]>) -> Result<[f64; 2]> {
    const GRID: usize = 96;
    let at = |u: f64, v: f64, which: usize| -> Result<f64> {
        let inside = |t: f64| t.clamp(1e-9, 1.0 - 1e-9);
        Ok(kappa(&direction(inside(u), inside(v)).0)?[which])
    };
    let mut range = [0.0; 2];
    // The least is among the second curvatures, the greatest among the first; `sign` turns it into a maximum.
    for (slot, which, sign) in [(0, 1, -1.0), (1, 0, 1.0)] {
        let mut best = (f64::NEG_INFINITY, 0.0, 0.0);
        for i in 0..=GRID {
            for j in 0..=GRID {
                let (u, v) = (i as f64 / GRID as f64, j as f64 / GRID as f64);
                let k = sign * at(u, v, which)?;
                if k > best.0 {
                    best = (k, u, v);
                }
            }
        }
        best = climb(best, 1.0 / GRID as f64, |u, v| Ok(sign * at(u, v, which)?))?;
        range[slot] = sign * best.0;
    }
    Ok(range)
}

/// The top near a place of the unit square, by Hooke and Jeeves (J. ACM 8 (1961), 212): look around in steps, then leap
/// on in the direction in which that helped, which follows a ridge; halve the step where nothing helps.
fn climb(
    mut best: (f64, f64, f64),
    mut step: f64,
    value: impl Fn(f64, f64) -> Result<f64>,
) -> Result<(f64, f64, f64)> {
    // An isolated top takes a few hundred; along a ridge so sharp that leaps do not follow it there are no more digits
    // to gain.
    let mut left = 20_000;
    let look = |(mut k, mut u, mut v): (f64, f64, f64), step: f64| -> Result<(f64, f64, f64)> {
        for (du, dv) in [(step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step)] {
            let near = ((u + du).clamp(0.0, 1.0), (v + dv).clamp(0.0, 1.0));
            let found = value(near.0, near.1)?;
            if found > k {
                (k, u, v) = (found, near.0, near.1);
            }
        }
        Ok((k, u, v))
    };
    // Halved from 1e-2 to 1e-9: the value at an extremum is then right to rounding.
    while step > 1e-9 && left > 0 {
        let mut next = look(best, step)?;
        left -= 1;
        if next.0 <= best.0 {
            step *= 0.5;
        }
        while next.0 > best.0 && left > 0 {
            let leap = |to: f64, from: f64| (2.0 * to - from).clamp(0.0, 1.0);
            let (u, v) = (leap(next.1, best.1), leap(next.2, best.2));
            best = next;
            next = look((value(u, v)?, u, v), step)?;
            left -= 1;
        }
    }
    Ok(best)
}

/// The range with what the exponents say of the borders: above two a flat spot, below two an edge.
pub(super) fn singular_range(exponents: &[f64], low: f64, high: f64) -> [f64; 2] {
    let flat = exponents.iter().any(|&g| g > 2.0);
    let edge = exponents.iter().any(|&g| g < 2.0);
    [if flat { 0.0 } else { low }, if edge { f64::INFINITY } else { high }]
}

#[cfg(test)]
mod tests {
    use crate::quadrature::adaptive;
    use crate::surface::{Ellipsoid, Implicit, Superellipsoid, Superquadric, Surface};
    use crate::{Vec3, special};
    use std::f64::consts::FRAC_PI_2;

    /// dA = r² ∣g∣/(u·g) dω over directions u, as an integral that knows nothing of powers.
    fn area_over_directions(body: &impl Implicit) -> f64 {
        let [sum] = adaptive([0.0, FRAC_PI_2], [0.0, FRAC_PI_2], 1e-10, 60_000, |longitude, latitude| {
            let ring = latitude.cos();
            let u = Vec3::new(ring * longitude.cos(), ring * longitude.sin(), latitude.sin());
            let x = u / (body.value(&u) + 1.0);
            let g = body.gradient(&x);
            [x.norm_squared() * g.norm() / u.dot(&g) * ring]
        })
        .unwrap();
        8.0 * sum
    }

    #[test]
    fn areas_agree_with_closed_forms_and_with_integrals_over_directions() {
        for axes in [[1.0, 1.0, 1.0], [3.0, 2.0, 1.0], [1e-3, 1.0, 0.5], [1e-19, 2e-19, 1e-19]] {
            let wanted = Ellipsoid::new(axes).unwrap().area().unwrap();
            let areas = [
                Superellipsoid::new(axes, [2.0, 2.0]).unwrap().area().unwrap(),
                Superquadric::new(axes, [2.0; 3]).unwrap().area().unwrap(),
            ];
            assert!(areas.iter().all(|a| (a / wanted - 1.0).abs() < 1e-9), "{axes:?} {areas:?} {wanted}");
        }
        for exponents in [[3.0, 4.0], [6.0, 2.5], [4.0, 9.0]] {
            let body = Superellipsoid::new([1.0, 0.7, 0.4], exponents).unwrap();
            let (area, wanted) = (body.area().unwrap(), area_over_directions(&body));
            assert!((area / wanted - 1.0).abs() < 1e-9, "{exponents:?} {area} {wanted}");
        }
    }

    #[test]
    fn areas_tend_to_those_of_the_box_the_cylinder_and_the_octahedron() {
        for (exponents, wanted, near) in [
            ([50.0, 50.0], 24.0, 0.05),
            ([2.0, 50.0], 6.0 * std::f64::consts::PI, 0.05),
            ([1.05, 1.05], 4.0 * 3f64.sqrt(), 0.1),
        ] {
            let body = Superellipsoid::new([1.0; 3], exponents).unwrap();
            let area = body.area().unwrap();
            assert!((area / wanted - 1.0).abs() < near, "{exponents:?} {area} {wanted}");
            // The area of inscribed triangles, from below.
            let inscribed = body.tessellate(1e-4).unwrap().area();
            assert!(inscribed < area && inscribed > (1.0 - 1e-3) * area, "{exponents:?} {area} {inscribed}");
        }
        // A thin disc is twice its superellipse: S = Γ(1 + 1/δ)²/Γ(1 + 2/δ) of the square per quarter.
        let disc = Superellipsoid::new([1.0, 1.0, 1e-12], [50.0, 30.0]).unwrap().area().unwrap();
        let quarter = special::beta(1.0 / 50.0, 1.0 + 1.0 / 50.0) / 50.0;
        assert!((disc / (8.0 * quarter) - 1.0).abs() < 1e-8, "{disc} {quarter}");
    }

    #[test]
    fn the_range_of_curvature_of_rounded_boxes_is_found_in_bounded_work() {
        let body = Superellipsoid::new([0.03, 0.02, 0.01], [6.0, 9.294744179714115]).unwrap();
        let [low, high] = body.curvature_range().unwrap();
        assert_eq!(low, 0.0);
        // No point of a fine mesh bends more.
        for p in body.tessellate(1e-5).unwrap().vertices() {
            assert!(body.curvature_at(p).unwrap().kappa[0] <= high * (1.0 + 1e-9), "{p} {high}");
        }
    }
}
