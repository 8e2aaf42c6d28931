//! Nonlinear least squares within bounds: Levenberg and Marquardt's method on the free variables.
//!
//! Minimises ½|r(x)|² for lower ≤ x ≤ upper. Each iteration solves (JᵀJ + λ D) s = −Jᵀr, D the diagonal of JᵀJ, for the
//! variables that are not held: one is held while it is at a bound and the gradient −Jᵀr points outwards. Where a
//! step would leave the bounds, those variables go to their bounds and the rest is solved again with them there. The
//! step is taken when the cost falls, λ is lowered as the gain ratio says (Nielsen 1999), else raised. It has
//! converged when the projected gradient or the step is below its tolerance.

use crate::{GaitError, Result};
use rattleback_geom::nalgebra::{DMatrix, DVector};

/// Iterations at most.
const ITERATIONS: usize = 300;
/// A step smaller than this share of a variable's scale ends the iteration.
const SMALL_STEP: f64 = 1e-10;
/// So does a cost that falls by less than this share three times in a row.
const SMALL_GAIN: f64 = 1e-4;

/// A problem of least squares.
pub trait LeastSquares {
    /// Residuals and their derivatives, one row for each residual.
    fn evaluate(&self, x: &[f64]) -> Result<(DVector<f64>, DMatrix<f64>)>;

    /// Told after every step that was taken: evaluations so far, and ½|r|².
    fn progress(&self, _evaluations: usize, _cost: f64) {}
}

/// What was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// The variables.
    pub x: Vec<f64>,
    /// ½|r|².
    pub cost: f64,
    /// The derivatives there.
    pub jacobian: DMatrix<f64>,
    /// The residuals there.
    pub residuals: DVector<f64>,
    /// Which variables are held at a bound.
    pub held: Vec<bool>,
    /// How often the residuals were evaluated.
    pub evaluations: usize,
    /// Whether a criterion was met.
    pub converged: bool,
}

/// Minimises within bounds from a start.
pub fn solve(
    problem: &impl LeastSquares,
    start: &[f64],
    bounds: &[[f64; 2]],
    scales: &[f64],
) -> Result<Solution> {
    let n = start.len();
    if bounds.len() != n || scales.len() != n {
        return Err(GaitError::out_of_range("bounds", bounds.len() as f64, "as many as variables"));
    }
    let mut x: Vec<f64> = start.iter().zip(bounds).map(|(v, [lo, hi])| v.clamp(*lo, *hi)).collect();
    let (mut residuals, mut jacobian) = problem.evaluate(&x)?;
    let mut cost = 0.5 * residuals.norm_squared();
    if !cost.is_finite() {
        return Err(GaitError::out_of_range("cost at the start", cost, "finite"));
    }
    let (mut lambda, mut raise) = (1e-3, 2.0);
    let (mut evaluations, mut small, mut converged) = (1, 0, false);
    for _ in 0..ITERATIONS {
        let gradient = jacobian.tr_mul(&residuals);
        let held = held(&x, bounds, &gradient);
        let free: Vec<usize> = (0..n).filter(|i| !held[*i]).collect();
        if free.is_empty() || free.iter().all(|i| (gradient[*i] * scales[*i]).abs() <= 1e-14 * cost) {
            converged = true;
            break;
        }
        let Some(trial) = step(&jacobian, &gradient, &x, bounds, &free, lambda) else {
            lambda *= raise;
            raise *= 2.0;
            continue;
        };
        let length = (0..n).map(|i| ((trial[i] - x[i]) / scales[i]).abs()).fold(0.0, f64::max);
        if length < SMALL_STEP {
            converged = true;
            break;
        }
        let (new_residuals, new_jacobian) = problem.evaluate(&trial)?;
        evaluations += 1;
        let new_cost = 0.5 * new_residuals.norm_squared();
        let moved = DVector::from_fn(n, |i, _| trial[i] - x[i]);
        let predicted = cost - 0.5 * (&residuals + &jacobian * &moved).norm_squared();
        if new_cost < cost {
            let ratio = (cost - new_cost) / predicted.max(f64::MIN_POSITIVE);
            small = if cost - new_cost < SMALL_GAIN * cost { small + 1 } else { 0 };
            lambda *= (1.0 - (2.0 * ratio - 1.0).powi(3)).clamp(1.0 / 3.0, 2.0);
            raise = 2.0;
            (x, residuals, jacobian, cost) = (trial, new_residuals, new_jacobian, new_cost);
            problem.progress(evaluations, cost);
            if small >= 3 || cost == 0.0 {
                converged = true;
                break;
            }
        } else {
            lambda *= raise;
            raise *= 2.0;
            if lambda > 1e20 {
                converged = true;
                break;
            }
        }
    }
    let held = held(&x, bounds, &jacobian.tr_mul(&residuals));
    Ok(Solution { x, cost, jacobian, residuals, held, evaluations, converged })
}

fn held(x: &[f64], bounds: &[[f64; 2]], gradient: &DVector<f64>) -> Vec<bool> {
    (0..x.len())
        .map(|i| (x[i] <= bounds[i][0] && gradient[i] > 0.0) || (x[i] >= bounds[i][1] && gradient[i] < 0.0))
        .collect()
}

/// The variables after a step within the bounds.
fn step(
    jacobian: &DMatrix<f64>,
    gradient: &DVector<f64>,
    x: &[f64],
    bounds: &[[f64; 2]],
    free: &[usize],
    lambda: f64,
) -> Option<Vec<f64>> {
    let mut trial = x.to_vec();
    let mut moving = free.to_vec();
    let mut right = -gradient;
    let largest = free.iter().map(|i| jacobian.column(*i).norm_squared()).fold(f64::MIN_POSITIVE, f64::max);
    while !moving.is_empty() {
        let own = jacobian.select_columns(&moving);
        let mut normal = own.tr_mul(&own);
        for k in 0..moving.len() {
            normal[(k, k)] += lambda * normal[(k, k)].max(1e-12 * largest);
        }
        let wanted = DVector::from_fn(moving.len(), |k, _| right[moving[k]]);
        let s = normal.cholesky()?.solve(&wanted);
        if s.iter().any(|v| !v.is_finite()) {
            return None;
        }
        let target = |k: usize| x[moving[k]] + s[k];
        let leaves = |k: usize| !(bounds[moving[k]][0]..=bounds[moving[k]][1]).contains(&target(k));
        let out: Vec<usize> = (0..moving.len()).filter(|k| leaves(*k)).collect();
        if out.is_empty() {
            for k in 0..moving.len() {
                trial[moving[k]] = target(k);
            }
            break;
        }
        for k in &out {
            let i = moving[*k];
            trial[i] = target(*k).clamp(bounds[i][0], bounds[i][1]);
            // What it takes with it from the others.
            right -= jacobian.tr_mul(&(jacobian.column(i) * (trial[i] - x[i])));
        }
        moving = (0..moving.len()).filter(|k| !out.contains(k)).map(|k| moving[k]).collect();
    }
    Some(trial)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rosenbrock's valley as residuals (10(y − x²), 1 − x).
    struct Valley;

    impl LeastSquares for Valley {
        fn evaluate(&self, x: &[f64]) -> Result<(DVector<f64>, DMatrix<f64>)> {
            let r = DVector::from_vec(vec![10.0 * (x[1] - x[0] * x[0]), 1.0 - x[0]]);
            Ok((r, DMatrix::from_row_slice(2, 2, &[-20.0 * x[0], 10.0, -1.0, 0.0])))
        }
    }

    #[test]
    fn the_valley_is_followed_to_its_end() {
        let found = solve(&Valley, &[-1.2, 1.0], &[[-5.0, 5.0]; 2], &[1.0; 2]).unwrap();
        assert!(
            found.converged && (found.x[0] - 1.0).abs() < 1e-8 && (found.x[1] - 1.0).abs() < 1e-8,
            "{found:?}"
        );
    }

    #[test]
    fn a_bound_holds_and_the_rest_is_least_on_it() {
        // With x ≤ 1/2 the least is at x = 1/2, y = 1/4.
        let found = solve(&Valley, &[-1.2, 1.0], &[[-5.0, 0.5], [-5.0, 5.0]], &[1.0; 2]).unwrap();
        assert!(found.held[0] && !found.held[1], "{found:?}");
        assert!((found.x[0] - 0.5).abs() < 1e-12 && (found.x[1] - 0.25).abs() < 1e-8, "{found:?}");
    }
}
