//! Cylinder and triangle: the active-set quadratic program (29–47).
//!
//! min ½μᵀGμ + μᵀd + const = p_x² + (p_y ∓ R)² subject to Aμ ≥ b, (43–46). From a corner of the feasible polygon the
//! program of the active constraints is solved, the step cut at the first constraint in its way, which becomes active;
//! where there is no step left, the constraint with the most negative multiplier is released (Nocedal, Wright,
//! Numerical Optimization, algorithm 16.3). G is singular for triangles in planes along the bar; d lies in its range
//! always, so that its pseudo-inverse solves the system without constraints.

use super::{Constraint, Optimum, Triangle, inside, up, vertices};
use crate::error::{ContactError, Result};
use rattleback_geom::Vec3;
use rattleback_geom::nalgebra::{Matrix2, Vector2};
use rattleback_geom::surface::Link;

/// Each change of the active set takes one step; five constraints in two unknowns have fewer sets than this.
const STEPS: u32 = 64;

/// A step or a slope of this size relative to the triangle is rounding.
const ROUNDING: f64 = 1e-14;

/// The nearest point of a triangle to the axis of the bar at y = +R (`side` > 0) or −R, with ∣p_z∣ ≤ h; none where no
/// point of the triangle lies between these planes.
pub fn bar_triangle(link: &Link, side: f64, corners: &[Vec3; 3]) -> Result<Option<Optimum>> {
    let (triangle, h) = (Triangle::new(corners), link.half_straight());
    let cuts = [Constraint::on_points(&triangle, &-up(), h), Constraint::on_points(&triangle, &up(), h)];
    let [first, second, third] = inside();
    let program = Program {
        // B is the part of the sides across the bar: G = 2BᵀB, d = 2Bᵀ(p₀ − axis).
        across: triangle.sides.map(|e| Vector2::new(e.x, e.y)),
        off: Vector2::new(triangle.origin.x, triangle.origin.y - link.bend_radius().copysign(side)),
        constraints: [first, cuts[0], cuts[1], second, third],
    };
    let Some(start) =
        vertices(&cuts).into_iter().min_by(|a, b| program.value(a).total_cmp(&program.value(b)))
    else {
        return Ok(None);
    };
    let (mu, iterations) = program.solve(start)?;
    Ok(Some(Optimum { point: triangle.point(&mu), distance: program.value(&mu).sqrt(), iterations }))
}

struct Program {
    across: [Vector2<f64>; 2],
    off: Vector2<f64>,
    constraints: [Constraint; 5],
}

impl Program {
    fn residual(&self, mu: &Vector2<f64>) -> Vector2<f64> {
        self.off + self.across[0] * mu.x + self.across[1] * mu.y
    }

    /// r_p², (29).
    fn value(&self, mu: &Vector2<f64>) -> f64 {
        self.residual(mu).norm_squared()
    }

    /// Gμ + d.
    fn slope(&self, mu: &Vector2<f64>) -> Vector2<f64> {
        let r = self.residual(mu) * 2.0;
        Vector2::new(self.across[0].dot(&r), self.across[1].dot(&r))
    }

    fn solve(&self, mut mu: Vector2<f64>) -> Result<(Vector2<f64>, u32)> {
        let matrix = Matrix2::from_columns(&self.across);
        let scale = matrix.norm_squared();
        let mut active: Vec<usize> = Vec::with_capacity(2);
        for iteration in 1..=STEPS {
            let slope = self.slope(&mu);
            let step = match active.as_slice() {
                [] => self.free_step(&matrix, &mu),
                [only] => self.step_along(&matrix, &slope, &self.constraints[*only]),
                _ => Vector2::zeros(),
            };
            if step.norm() <= ROUNDING {
                match self.released(&active, &slope, scale) {
                    Some(position) => active.remove(position),
                    None => return Ok((mu, iteration)),
                };
                continue;
            }
            let (length, blocking) = self.longest(&mu, &step, &active);
            mu += step * length;
            active.extend(blocking);
        }
        Err(ContactError::NotConverged {
            solver: "the active-set program of a bar and a triangle",
            iterations: STEPS,
            residual: self.slope(&mu).norm(),
        })
    }

    /// The step to the least value without constraints.
    fn free_step(&self, matrix: &Matrix2<f64>, mu: &Vector2<f64>) -> Vector2<f64> {
        let svd = matrix.svd(true, true);
        let least = ROUNDING * svd.singular_values.max();
        svd.solve(&-self.residual(mu), least).unwrap_or_else(|_| Vector2::zeros())
    }

    /// The step along a constraint to the least value there.
    fn step_along(
        &self,
        matrix: &Matrix2<f64>,
        slope: &Vector2<f64>,
        constraint: &Constraint,
    ) -> Vector2<f64> {
        let along = Vector2::new(-constraint.slope.y, constraint.slope.x).normalize();
        let bend = 2.0 * (matrix * along).norm_squared();
        if bend <= ROUNDING * ROUNDING * matrix.norm_squared() {
            return Vector2::zeros();
        }
        along * (-slope.dot(&along) / bend)
    }

    /// The position in the active set of the constraint with the most negative multiplier, A*ᵀλ* = Gμ + d.
    fn released(&self, active: &[usize], slope: &Vector2<f64>, scale: f64) -> Option<usize> {
        let multipliers = match active {
            [] => return None,
            [only] => {
                let a = self.constraints[*only].slope;
                [slope.dot(&a) / a.norm_squared(), 0.0]
            }
            [first, second, ..] => {
                let columns = [self.constraints[*first].slope, self.constraints[*second].slope];
                let solved = Matrix2::from_columns(&columns).lu().solve(slope);
                // Parallel constraints: either of them will do.
                solved.map_or([0.0, -1.0], |x| [x.x, x.y])
            }
        };
        let size = scale + self.off.norm_squared();
        let worst = usize::from(multipliers[1] < multipliers[0]);
        let norm = self.constraints[active[worst.min(active.len() - 1)]].slope.norm();
        (multipliers[worst] * norm < -ROUNDING * size).then_some(worst)
    }

    /// How much of a step is feasible, up to all of it, and which constraint ends it.
    fn longest(&self, mu: &Vector2<f64>, step: &Vector2<f64>, active: &[usize]) -> (f64, Option<usize>) {
        let mut longest = (1.0, None);
        for (i, constraint) in self.constraints.iter().enumerate() {
            let rate = constraint.slope.dot(step);
            if rate < -ROUNDING * constraint.slope.norm() * step.norm() && !active.contains(&i) {
                let length = (-constraint.value(mu) / rate).max(0.0);
                if length < longest.0 {
                    longest = (length, Some(i));
                }
            }
        }
        longest
    }
}
