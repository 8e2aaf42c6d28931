//! Damped Gauss–Newton for few unknowns: Levenberg–Marquardt on ½∣r∣².
//!
//! (JᵀJ + λD) δ = −Jᵀr with D the diagonal of JᵀJ (Marquardt); a step that shrinks ∣r∣ is taken and λ falls tenfold,
//! any other is refused and λ grows fourfold. Near a zero of r where J has full rank, λ → 0 and the steps become
//! Newton's.

use rattleback_geom::nalgebra::{SMatrix, SVector};

/// The first λ: a step close to Gauss–Newton's, yet bounded where JᵀJ is nearly singular.
const FIRST_DAMPING: f64 = 1e-3;
/// Beyond this λ a step is 1e-8 of the gradient's; nothing is left to gain.
const LAST_DAMPING: f64 = 1e8;
/// A diagonal entry below this share of the largest is lifted to it: an unknown without effect must not move.
const FLOOR: f64 = 1e-14;

/// When to stop.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stop {
    /// ∣r∣ at which to stop.
    pub(crate) wanted: f64,
    /// ∣r∣ at which a refused step ends the iteration: rounding has been reached.
    pub(crate) accepted: f64,
    /// Most evaluations.
    pub(crate) max_iterations: u32,
}

/// Where the iteration stopped.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Descent<const N: usize> {
    pub(crate) x: SVector<f64, N>,
    /// ∣r∣ there; NaN where the start had none.
    pub(crate) norm: f64,
    /// Evaluations of r.
    pub(crate) iterations: u32,
}

/// Descends from `x`; `linearise` gives r and J, `advance` adds a step within the domain of the unknowns.
pub(crate) fn descend<const R: usize, const N: usize>(
    mut x: SVector<f64, N>,
    stop: &Stop,
    linearise: impl Fn(&SVector<f64, N>) -> (SVector<f64, R>, SMatrix<f64, R, N>),
    advance: impl Fn(&SVector<f64, N>, &SVector<f64, N>) -> SVector<f64, N>,
) -> Descent<N> {
    let (mut r, mut jacobian) = linearise(&x);
    let mut norm = r.norm();
    let (mut damping, mut iterations) = (FIRST_DAMPING, 1);
    while norm > stop.wanted && damping <= LAST_DAMPING && iterations < stop.max_iterations {
        let mut normal = jacobian.tr_mul(&jacobian);
        let floor = FLOOR * normal.diagonal().max();
        for k in 0..N {
            normal[(k, k)] += damping * normal[(k, k)].max(floor);
        }
        let Some(factor) = normal.cholesky() else {
            damping *= 4.0;
            iterations += 1;
            continue;
        };
        let next = advance(&x, &-factor.solve(&jacobian.tr_mul(&r)));
        let (next_r, next_jacobian) = linearise(&next);
        let next_norm = next_r.norm();
        iterations += 1;
        // A NaN is not less than anything and is refused.
        if next_norm < norm && next_jacobian.iter().all(|v| v.is_finite()) {
            (x, r, jacobian, norm) = (next, next_r, next_jacobian, next_norm);
            damping *= 0.1;
        } else if norm <= stop.accepted {
            break;
        } else {
            damping *= 4.0;
        }
    }
    Descent { x, norm, iterations }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rattleback_geom::nalgebra::{Matrix2, Vector2};

    #[test]
    fn the_valley_of_rosenbrock_is_descended_and_the_bound_on_iterations_holds() {
        let linearise = |x: &Vector2<f64>| {
            let r = Vector2::new(10.0 * (x.y - x.x * x.x), 1.0 - x.x);
            (r, Matrix2::new(-20.0 * x.x, 10.0, -1.0, 0.0))
        };
        let stop = Stop { wanted: 1e-14, accepted: 1e-10, max_iterations: 100 };
        let end = descend(Vector2::new(-1.2, 1.0), &stop, linearise, |x, d| x + d);
        assert!((end.x - Vector2::new(1.0, 1.0)).norm() < 1e-12 && end.iterations < 60, "{end:?}");
        let short = Stop { max_iterations: 3, ..stop };
        assert_eq!(descend(Vector2::new(-1.2, 1.0), &short, linearise, |x, d| x + d).iterations, 3);
    }
}
