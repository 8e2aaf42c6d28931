//! Systems of linear equations, solved in place: P A = L U by Gaussian elimination with partial pivoting.
//!
//! nalgebra's own decomposition takes its matrix away and allocates its permutation; here both stay where they are from
//! one step to the next. The sums run down columns, in the order in which the matrix is stored (Golub, Van Loan, Matrix
//! Computations, algorithm 3.4.1).

use rattleback_geom::nalgebra::{ComplexField, DMatrix};

/// A square matrix and, after [`Factors::factorise`], its factors in its place.
#[derive(Debug, Clone)]
pub(super) struct Factors<T> {
    /// A, then L below the diagonal (its own diagonal is one) and U above.
    pub matrix: DMatrix<T>,
    /// The row that was exchanged with row k in step k.
    pivots: Vec<usize>,
}

impl<T: ComplexField<RealField = f64> + Copy> Factors<T> {
    pub fn new(n: usize) -> Self {
        Self { matrix: DMatrix::from_element(n, n, T::zero()), pivots: vec![0; n] }
    }

    /// Factorises; `false` if a pivot is zero or not finite.
    pub fn factorise(&mut self) -> bool {
        let n = self.pivots.len();
        let a = &mut self.matrix;
        for k in 0..n {
            let size = |i: usize| a[(i, k)].norm1();
            let pivot = (k..n).fold(k, |best, i| if size(i) > size(best) { i } else { best });
            let largest = size(pivot);
            if !(largest > 0.0 && largest.is_finite()) {
                return false;
            }
            self.pivots[k] = pivot;
            a.swap_rows(k, pivot);
            let diagonal = a[(k, k)];
            for i in k + 1..n {
                a[(i, k)] /= diagonal;
            }
            for j in k + 1..n {
                let factor = a[(k, j)];
                if factor != T::zero() {
                    for i in k + 1..n {
                        let below = a[(i, k)];
                        a[(i, j)] -= below * factor;
                    }
                }
            }
        }
        true
    }

    /// Replaces b by A⁻¹ b.
    pub fn solve(&self, b: &mut [T]) {
        let n = b.len();
        for k in 0..n {
            b.swap(k, self.pivots[k]);
        }
        for k in 0..n {
            let value = b[k];
            for i in k + 1..n {
                b[i] -= self.matrix[(i, k)] * value;
            }
        }
        for k in (0..n).rev() {
            b[k] /= self.matrix[(k, k)];
            let value = b[k];
            for i in 0..k {
                b[i] -= self.matrix[(i, k)] * value;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rattleback_geom::nalgebra::{Complex, DVector};

    #[test]
    fn solutions_satisfy_their_systems() {
        // A matrix that needs its rows exchanged: zeros on the diagonal, entries from 1e-3 to 1e3.
        let entry = |i: usize, j: usize| {
            let angle = (7 * i + 13 * j) as f64;
            if i == j { 0.0 } else { angle.sin() * 10.0_f64.powi((i % 7) as i32 - 3) }
        };
        let n = 9;
        let mut real = Factors::<f64>::new(n);
        let mut complex = Factors::<Complex<f64>>::new(n);
        for i in 0..n {
            for j in 0..n {
                real.matrix[(i, j)] = entry(i, j);
                complex.matrix[(i, j)] = Complex::new(entry(i, j), entry(j, i));
            }
        }
        let (a, c) = (real.matrix.clone(), complex.matrix.clone());
        assert!(real.factorise() && complex.factorise());
        let b = DVector::from_fn(n, |i, _| 1.0 + i as f64);
        let mut x = b.clone();
        real.solve(x.as_mut_slice());
        assert!((a * &x - &b).norm() < 1e-11 * x.norm().max(1.0));
        let b = b.map(|value| Complex::new(value, -value));
        let mut x = b.clone();
        complex.solve(x.as_mut_slice());
        assert!((c * &x - &b).norm() < 1e-11 * x.norm().max(1.0));
    }

    #[test]
    fn singular_matrices_are_told() {
        let mut factors = Factors::<f64>::new(2);
        factors.matrix.fill(1.0);
        assert!(!factors.factorise());
        factors.matrix.fill(f64::NAN);
        assert!(!factors.factorise());
    }
}
