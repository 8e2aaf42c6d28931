//! Singular systems of a few equations, by singular values: one-sided Jacobi (Hestenes 1958).
//!
//! Columns of A are turned in pairs, A V = B, until all are orthogonal to each other. Their lengths are the singular
//! values; columns of V whose values are zero span what A takes to nothing. Of all x that leave the least ∣A x − b∣,
//! the shortest is Σ V_k (B_k·b)/∣B_k∣² over the others.

use rattleback_geom::nalgebra::{DMatrix, DVector};

/// Sweeps over all pairs at most: convergence is quadratic, in six to ten of them.
const MAX_SWEEPS: usize = 60;

/// The singular values of a matrix.
#[derive(Debug)]
pub struct Singular {
    turned: DMatrix<f64>,
    turns: DMatrix<f64>,
    values: Vec<f64>,
    zero: f64,
}

impl Singular {
    /// Of `matrix`, values below a share `zero` of the greatest counting as zero.
    pub fn new(matrix: DMatrix<f64>, zero: f64) -> Self {
        let count = matrix.ncols();
        let (mut turned, mut turns) = (matrix, DMatrix::identity(count, count));
        for _ in 0..MAX_SWEEPS {
            let mut done = true;
            for p in 0..count {
                for q in p + 1..count {
                    let (a, b) = (turned.column(p).norm_squared(), turned.column(q).norm_squared());
                    let c = turned.column(p).dot(&turned.column(q));
                    if c == 0.0 || c.abs() <= f64::EPSILON * (a * b).sqrt() {
                        continue;
                    }
                    done = false;
                    let ratio = (b - a) / (2.0 * c);
                    let tangent = 1.0f64.copysign(ratio) / (ratio.abs() + ratio.hypot(1.0));
                    let cos = 1.0 / tangent.hypot(1.0);
                    turn(&mut turned, [p, q], [cos, cos * tangent]);
                    turn(&mut turns, [p, q], [cos, cos * tangent]);
                }
            }
            if done {
                break;
            }
        }
        let values: Vec<f64> = turned.column_iter().map(|column| column.norm()).collect();
        let zero = zero * values.iter().copied().fold(0.0, f64::max);
        Self { turned, turns, values, zero }
    }

    /// The shortest x of the least residual.
    pub fn solve(&self, b: &DVector<f64>) -> DVector<f64> {
        let mut x = DVector::zeros(self.values.len());
        for (k, value) in self.values.iter().enumerate().filter(|(_, value)| **value > self.zero) {
            x += self.turns.column(k) * (self.turned.column(k).dot(b) / (value * value));
        }
        x
    }

    /// Orthogonal columns that span what the matrix takes to nothing.
    pub fn null_space(&self) -> DMatrix<f64> {
        let columns: Vec<DVector<f64>> = (0..self.values.len())
            .filter(|&k| self.values[k] <= self.zero)
            .map(|k| self.turns.column(k).into_owned())
            .collect();
        let rows = self.values.len();
        if columns.is_empty() { DMatrix::zeros(rows, 0) } else { DMatrix::from_columns(&columns) }
    }
}

/// Turns two columns into each other.
fn turn(matrix: &mut DMatrix<f64>, [p, q]: [usize; 2], [cos, sin]: [f64; 2]) {
    for row in 0..matrix.nrows() {
        let (a, b) = (matrix[(row, p)], matrix[(row, q)]);
        matrix[(row, p)] = cos * a - sin * b;
        matrix[(row, q)] = sin * a + cos * b;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_of_rank_two_is_solved_by_the_shortest_answer() {
        let matrix = DMatrix::from_row_slice(3, 3, &[2.0, 0.0, 1e-16, 0.0, 1e-30, 0.0, -1e-16, 3e-16, -0.8]);
        let found = Singular::new(matrix, 1e-10).solve(&DVector::from_vec(vec![1.0, 1e-15, -4.0]));
        assert!((found - DVector::from_vec(vec![0.5, 0.0, 5.0])).norm() < 1e-14);
        let twice = DMatrix::from_row_slice(2, 2, &[1.0, 1.0, 1.0, 1.0]);
        let singular = Singular::new(twice.clone(), 1e-10);
        let found = singular.solve(&DVector::from_vec(vec![2.0, 2.0]));
        assert!((found - DVector::from_vec(vec![1.0, 1.0])).norm() < 1e-15);
        let null = singular.null_space();
        assert!(null.ncols() == 1 && (&twice * null).norm() < 1e-15);
        // Contradicting equations: the least residual.
        let found = singular.solve(&DVector::from_vec(vec![3.0, 1.0]));
        assert!((found - DVector::from_vec(vec![1.0, 1.0])).norm() < 1e-15);
    }
}
