//! Half torus and triangle: the augmented Lagrangian with Newton's method and an active set (48–64).
//!
//! min r_p² = p_x² + (ρ − R)², ρ = √(p_y² + ζ²), ζ = p_z ∓ h, subject to φ ≥ 0 (49–52). With the multipliers λ and the
//! penalty α a constraint is active where λ − αφ > 0, and the inner iteration solves (55) by (56), in a triangle
//! scaled by its size:
//!
//! [∇²r_p² + φ_μᵀαφ_μ] Δμ = −[∇r_p² − φ_μᵀ(λ − αφ)], then λ ← max(0, λ − αφ), (57).
//!
//! r_p² is not convex: ∇²r_p² = 2(1 − (R/ρ) ττᵀ) across the axis, τ along the circle, loses its positive sign inside
//! the ring. Its negative part is left out where Newton's step does not go down, and steps are halved until the
//! augmented Lagrangian falls. Starts are the corners and the middles of the sides of the feasible polygon and the
//! feet of points of the bend; the best end counts.

use super::{Constraint, Optimum, Triangle, inside, up, vertices};
use crate::error::{ContactError, Result};
use rattleback_geom::mesh::closest::on_triangle;
use rattleback_geom::nalgebra::{Matrix2, Vector2};
use rattleback_geom::surface::Link;
use rattleback_geom::{Mat3, Vec3};
use std::f64::consts::PI;

/// Points of the bend whose feet are starts.
const FEET: usize = 9;

/// Updates of the multipliers; each gains two digits or more with the penalty below.
const OUTER: u32 = 40;

/// Newton steps between them.
const INNER: u32 = 40;

/// The first penalty α, in units of the largest positive curvature of r_p² along the triangle.
const PENALTY: f64 = 100.0;

/// By how much α grows where the violation does not fall to a quarter: near the axis negative curvatures have no bound.
const GROWTH: f64 = 10.0;

/// Slopes and violations below this, in units of the problem's scale, are rounding.
const ROUNDING: f64 = 1e-15;

/// A violation of a constraint up to this, in units of the triangle, is rounding.
const FEASIBLE: f64 = 1e-12;

/// The nearest point of a triangle to the centre line of the upper (`end` > 0) or the lower bend, with ±(p_z ∓ h) ≥ 0;
/// none where no point of the triangle lies beyond that plane.
pub fn bend_triangle(link: &Link, end: f64, corners: &[Vec3; 3]) -> Result<Option<Optimum>> {
    let triangle = Triangle::new(corners);
    let sign = 1f64.copysign(end);
    let centre = Vec3::z() * (sign * link.half_straight());
    let beyond = Constraint::on_points(&triangle, &(up() * sign), -link.half_straight());
    let [first, second, third] = inside();
    let program = Program {
        triangle,
        centre,
        radius: link.bend_radius(),
        constraints: [first, beyond, second, third],
        scale: triangle.sides.iter().map(Vec3::norm_squared).fold(0.0, f64::max),
    };
    let polygon = vertices(&[beyond]);
    if polygon.is_empty() {
        return Ok(None);
    }
    let mut best: Option<(f64, Vector2<f64>)> = None;
    let mut iterations = 0;
    let mut least_off = f64::INFINITY;
    for start in program.starts(&polygon, corners, sign) {
        let (mu, spent) = program.solve(start);
        iterations += spent;
        // What violates a constraint by more than rounding is no point of the triangle.
        let off = program.violation(&mu);
        least_off = least_off.min(off);
        if off <= FEASIBLE && best.is_none_or(|(least, _)| program.value(&mu) < least) {
            best = Some((program.value(&mu), mu));
        }
    }
    let Some((value, mu)) = best else {
        let solver = "the augmented Lagrangian of a bend and a triangle";
        return Err(ContactError::NotConverged { solver, iterations, residual: least_off });
    };
    Ok(Some(Optimum { point: triangle.point(&mu), distance: value.sqrt(), iterations }))
}

struct Program {
    triangle: Triangle,
    centre: Vec3,
    radius: f64,
    constraints: [Constraint; 4],
    /// The longer side's square, m²: slopes and curvatures in μ are of this size.
    scale: f64,
}

impl Program {
    fn starts(&self, polygon: &[Vector2<f64>], corners: &[Vec3; 3], sign: f64) -> Vec<Vector2<f64>> {
        let mut starts = polygon.to_vec();
        starts.extend((0..polygon.len()).map(|i| (polygon[i] + polygon[(i + 1) % polygon.len()]) * 0.5));
        for k in 0..FEET {
            let (sin, cos) = (PI * k as f64 / (FEET - 1) as f64).sin_cos();
            let point = self.centre + Vec3::new(0.0, cos, sign * sin) * self.radius;
            let [_, b, c] = on_triangle(&point, corners).weights;
            starts.push(Vector2::new(b, c));
        }
        starts
    }

    /// ρ and the vector from the axis of the circle.
    fn arm(&self, mu: &Vector2<f64>) -> (Vec3, f64) {
        let q = self.triangle.point(mu) - self.centre;
        (q, q.y.hypot(q.z))
    }

    /// r_p², (48).
    fn value(&self, mu: &Vector2<f64>) -> f64 {
        let (q, rho) = self.arm(mu);
        q.x * q.x + (rho - self.radius) * (rho - self.radius)
    }

    /// ∇r_p² and ∇²r_p² (58–62); `convex` leaves the negative part out.
    fn derivatives(&self, mu: &Vector2<f64>, convex: bool) -> (Vector2<f64>, Matrix2<f64>) {
        let (q, rho) = self.arm(mu);
        if rho == 0.0 {
            // On the axis: every way out of it is down.
            return (
                self.triangle.along_sides(&Vec3::new(2.0 * q.x, -2.0 * self.radius, 0.0)),
                self.gram(&Mat3::identity()),
            );
        }
        let factor = 1.0 - self.radius / rho;
        let gradient = Vec3::new(q.x, factor * q.y, factor * q.z) * 2.0;
        let along = Vec3::new(0.0, -q.z, q.y) / rho;
        let loss = if convex { (self.radius / rho).min(1.0) } else { self.radius / rho };
        (
            self.triangle.along_sides(&gradient),
            self.gram(&(Mat3::identity() - along * along.transpose() * loss)),
        )
    }

    /// 2eᵢ·M eⱼ.
    fn gram(&self, matrix: &Mat3) -> Matrix2<f64> {
        let sides = &self.triangle.sides;
        Matrix2::from_fn(|i, j| 2.0 * sides[i].dot(&(matrix * sides[j])))
    }

    /// α of a constraint: relative to the steepness of φ, so that all of them are held alike.
    fn penalty(&self, factor: f64, constraint: &Constraint) -> f64 {
        factor * self.scale / constraint.slope.norm_squared().max(f64::MIN_POSITIVE)
    }

    /// How far a point is outside the feasible polygon, in units of the triangle.
    fn violation(&self, mu: &Vector2<f64>) -> f64 {
        let off = self.constraints.iter().map(|c| -c.value(mu) / (c.slope.norm() + c.constant.abs()));
        off.fold(0.0, f64::max)
    }

    /// The augmented Lagrangian r_p² + Σ (max(0, λ − αφ)² − λ²)/2α.
    fn merit(&self, mu: &Vector2<f64>, multipliers: &[f64; 4], factor: f64) -> f64 {
        let terms = self.constraints.iter().zip(multipliers).map(|(c, lambda)| {
            let alpha = self.penalty(factor, c);
            let active = (lambda - alpha * c.value(mu)).max(0.0);
            (active * active - lambda * lambda) / (2.0 * alpha)
        });
        self.value(mu) + terms.sum::<f64>()
    }

    fn solve(&self, mut mu: Vector2<f64>) -> (Vector2<f64>, u32) {
        let mut multipliers = [0.0; 4];
        let (mut factor, mut last) = (PENALTY, f64::INFINITY);
        let mut spent = 0;
        for _ in 0..OUTER {
            spent += self.descend(&mut mu, &multipliers, factor);
            let mut change = 0f64;
            for (lambda, c) in multipliers.iter_mut().zip(&self.constraints) {
                let next = (*lambda - self.penalty(factor, c) * c.value(&mu)).max(0.0);
                change = change.max((next - *lambda).abs() * c.slope.norm());
                *lambda = next;
            }
            let violation = self.violation(&mu);
            // The multipliers are known to α times the rounding of φ.
            if change <= ROUNDING * factor * self.scale {
                break;
            }
            if violation > (0.25 * last).max(FEASIBLE) {
                factor *= GROWTH;
            }
            last = violation;
        }
        (mu, spent)
    }

    /// Newton's method on (55) with the multipliers kept; how many systems it solved.
    fn descend(&self, mu: &mut Vector2<f64>, multipliers: &[f64; 4], factor: f64) -> u32 {
        let system = |mu: &Vector2<f64>, convex: bool| {
            let (mut slope, mut bend) = self.derivatives(mu, convex);
            for (c, lambda) in self.constraints.iter().zip(multipliers) {
                let alpha = self.penalty(factor, c);
                let active = lambda - alpha * c.value(mu);
                if active > 0.0 {
                    slope -= c.slope * active;
                    bend += c.slope * c.slope.transpose() * alpha;
                }
            }
            (slope, bend)
        };
        for iteration in 1..=INNER {
            let (slope, bend) = system(mu, false);
            let down = |bend: &Matrix2<f64>| bend.cholesky().map(|factor| -factor.solve(&slope));
            let shift = Matrix2::identity() * (ROUNDING * self.scale);
            let step = down(&bend).or_else(|| down(&(system(mu, true).1 + shift)));
            let Some(step) = step else { return iteration };
            if step.norm() <= ROUNDING {
                return iteration;
            }
            let (start, fall) = (self.merit(mu, multipliers, factor), slope.dot(&step));
            let mut length = 1.0;
            // Near the end the merit is flat to rounding, and the whole step is the best.
            let slack = 1e-13 * (start.abs() + self.scale);
            while length > 1e-6
                && self.merit(&(*mu + step * length), multipliers, factor)
                    > start + 1e-4 * length * fall + slack
            {
                length *= 0.5;
            }
            *mu += step * length;
        }
        INNER
    }
}
