//! Systems (μ I − J) x = b of a stage, solved in place: P A = L U by Gaussian elimination.
//!
//! The components come in three groups, which [`Pattern`] tells apart. Positions are eliminated first, each by its own
//! equation: ẋ = v has the row (μ, −1), so that the pivot μ is the greatest of its row at all but the longest steps,
//! and what is left, μ − ∂a/∂v − ∂a/∂x/μ, is a matrix of half as many unknowns. The rest is eliminated with partial
//! pivoting. Sums, on which nothing depends and whose rows of J are zero, are b/μ. Only entries that are not zero are
//! visited: bodies that do not touch fall apart into systems of their own.
//!
//! The elimination is that of Golub, Van Loan, Matrix Computations, algorithm 3.4.1, but for the fixed pivots of the
//! positions, which a library's dense factorisation does not offer.

use rattleback_geom::nalgebra::{ComplexField, DMatrix};

use super::Pattern;

/// The order in which the components are eliminated.
#[derive(Debug, Clone, Default)]
pub(super) struct Order {
    /// The components but for the sums: positions, then the rest.
    components: Vec<usize>,
    /// How many of them are positions.
    positions: usize,
}

impl Order {
    /// How many components are no sums.
    pub fn coupled(&self) -> usize {
        self.components.len()
    }

    /// Of `n` components.
    pub fn new(pattern: &Pattern, n: usize) -> Self {
        let coupled = n.saturating_sub(pattern.sums);
        let mut is_position = vec![false; coupled];
        for &component in pattern.positions.iter().filter(|&&component| component < coupled) {
            is_position[component] = true;
        }
        let mut components: Vec<usize> = (0..coupled).collect();
        // A stable sort: each group keeps its order.
        components.sort_by_key(|&component| !is_position[component]);
        let positions = is_position.iter().filter(|&&is| is).count();
        Self { components, positions }
    }
}

/// One system: a shift μ and the factors of μ I − J.
#[derive(Debug, Clone)]
pub(super) struct System<T> {
    shift: T,
    /// A, then L below the diagonal (its own diagonal is one) and U above, in the order of elimination.
    matrix: DMatrix<T>,
    /// The row that was exchanged with row k in step k.
    pivots: Vec<usize>,
    /// 1/Uₖₖ.
    inverse: Vec<T>,
    /// The rows of the entries of each column that are not zero: those of U, then those of L.
    rows: Vec<usize>,
    /// Where the entries of U and of L begin in column k; one entry more than there are columns.
    begin: Vec<[usize; 2]>,
    buffer: Vec<T>,
}

impl<T: ComplexField<RealField = f64> + Copy> System<T> {
    pub fn new() -> Self {
        Self {
            shift: T::one(),
            matrix: DMatrix::from_element(0, 0, T::zero()),
            pivots: Vec::new(),
            inverse: Vec::new(),
            rows: Vec::new(),
            begin: Vec::new(),
            buffer: Vec::new(),
        }
    }

    /// Factorises μ I − J; `false` if a pivot is zero or not finite.
    pub fn factorise(&mut self, shift: T, jacobian: &DMatrix<f64>, order: &Order) -> bool {
        let n = order.components.len();
        if self.pivots.len() != n {
            self.matrix = DMatrix::from_element(n, n, T::zero());
            (self.pivots, self.inverse, self.buffer) = (vec![0; n], vec![T::zero(); n], vec![T::zero(); n]);
            (self.rows, self.begin) = (Vec::with_capacity(n * n), Vec::with_capacity(n + 1));
        }
        self.shift = shift;
        for (k, &column) in order.components.iter().enumerate() {
            let size = jacobian.nrows();
            let from = &jacobian.as_slice()[column * size..(column + 1) * size];
            let to = &mut self.matrix.as_mut_slice()[k * n..(k + 1) * n];
            for (to, &row) in to.iter_mut().zip(&order.components) {
                *to = T::from_real(-from[row]);
            }
            to[k] += shift;
        }
        let regular = self.eliminate(order.positions);
        self.list_entries();
        regular
    }

    fn eliminate(&mut self, positions: usize) -> bool {
        let n = self.pivots.len();
        for k in 0..n {
            let column = &self.matrix.as_slice()[k * n..(k + 1) * n];
            let (mut pivot, mut largest) = (k, column[k].norm1());
            if k >= positions {
                for (i, entry) in column.iter().enumerate().skip(k + 1) {
                    let size = entry.norm1();
                    if size > largest {
                        (pivot, largest) = (i, size);
                    }
                }
            }
            if !(largest > 0.0 && largest.is_finite()) {
                return false;
            }
            self.pivots[k] = pivot;
            if pivot != k {
                self.matrix.swap_rows(k, pivot);
            }
            self.rows.clear();
            let (done, later) = self.matrix.as_mut_slice().split_at_mut((k + 1) * n);
            let column = &mut done[k * n..];
            let inverse = T::one() / column[k];
            self.inverse[k] = inverse;
            for i in k + 1..n {
                if column[i] != T::zero() {
                    column[i] *= inverse;
                    self.rows.push(i);
                }
            }
            let is_full = self.rows.len() == n - k - 1;
            for other in later.chunks_exact_mut(n) {
                let factor = other[k];
                if factor == T::zero() {
                    continue;
                }
                if is_full {
                    for (entry, &below) in other[k + 1..].iter_mut().zip(&column[k + 1..]) {
                        *entry -= below * factor;
                    }
                } else {
                    for &i in &self.rows {
                        other[i] -= column[i] * factor;
                    }
                }
            }
        }
        true
    }

    /// Notes which entries are not zero.
    fn list_entries(&mut self) {
        let n = self.pivots.len();
        self.rows.clear();
        self.begin.clear();
        for k in 0..n {
            let (above, mut below) = (self.rows.len(), self.rows.len());
            for (i, entry) in self.matrix.as_slice()[k * n..(k + 1) * n].iter().enumerate() {
                if i == k {
                    below = self.rows.len();
                } else if *entry != T::zero() {
                    self.rows.push(i);
                }
            }
            self.begin.push([above, below]);
        }
        self.begin.push([self.rows.len(); 2]);
    }

    /// Replaces b by (μ I − J)⁻¹ b; b may end before the sums.
    pub fn solve(&mut self, order: &Order, b: &mut [T]) {
        let Self { matrix, pivots, inverse, rows, begin, buffer: x, .. } = self;
        let n = pivots.len();
        for (x, &component) in x.iter_mut().zip(&order.components) {
            *x = b[component];
        }
        for k in 0..n {
            x.swap(k, pivots[k]);
        }
        for k in 0..n {
            let (value, column) = (x[k], &matrix.as_slice()[k * n..(k + 1) * n]);
            for &i in &rows[begin[k][1]..begin[k + 1][0]] {
                x[i] -= column[i] * value;
            }
        }
        for k in (0..n).rev() {
            x[k] *= inverse[k];
            let (value, column) = (x[k], &matrix.as_slice()[k * n..(k + 1) * n]);
            for &i in &rows[begin[k][0]..begin[k][1]] {
                x[i] -= column[i] * value;
            }
        }
        for (&x, &component) in x.iter().zip(&order.components) {
            b[component] = x;
        }
        for sum in &mut b[n..] {
            *sum /= self.shift;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rattleback_geom::nalgebra::{Complex, DVector};

    /// The residual of the solution of (μ I − J) x = b, relative to x.
    fn residual(shift: Complex<f64>, jacobian: &DMatrix<f64>, pattern: &Pattern) -> f64 {
        let n = jacobian.nrows();
        let order = Order::new(pattern, n);
        let b = DVector::from_fn(n, |i, _| Complex::new(1.0 + i as f64, -(i as f64)));
        let mut x = b.clone();
        let mut system = System::<Complex<f64>>::new();
        assert!(system.factorise(shift, jacobian, &order));
        system.solve(&order, x.as_mut_slice());
        let matrix = DMatrix::from_diagonal_element(n, n, shift) - jacobian.map(Complex::from);
        let mut real = System::<f64>::new();
        assert!(real.factorise(shift.re, jacobian, &order));
        let mut y = b.map(|b| b.re);
        real.solve(&order, y.as_mut_slice());
        let own = DMatrix::from_diagonal_element(n, n, shift.re) - jacobian;
        let of_real = (own * &y - b.map(|b| b.re)).norm() / y.norm().max(1.0);
        of_real.max((matrix * &x - &b).norm() / x.norm().max(1.0))
    }

    #[test]
    fn solutions_satisfy_systems_that_need_their_rows_exchanged() {
        let jacobian = DMatrix::from_fn(9, 9, |i, j| {
            let angle = (7 * i + 13 * j) as f64;
            if i == j { 1.0 } else { angle.sin() * 10.0_f64.powi((i % 7) as i32 - 3) }
        });
        assert!(residual(Complex::new(1.0, 0.5), &jacobian, &Pattern::default()) < 1e-11);
    }

    /// Two oscillators with v̇ᵢ = −k x + couplings, positions between velocities, and a sum at the end.
    #[test]
    fn positions_are_eliminated_first_and_sums_stay_out() {
        let mut jacobian = DMatrix::zeros(5, 5);
        (jacobian[(0, 1)], jacobian[(2, 3)]) = (1.0, 1.0);
        for (row, values) in [(1, [-1e9, -3e4, 2e8, 1e3]), (3, [4e8, 1e3, -5e8, -2e4])] {
            for (column, value) in values.into_iter().enumerate() {
                jacobian[(row, column)] = value;
            }
        }
        let pattern = Pattern { positions: vec![0, 2], sums: 1 };
        for h in [1e-9, 1e-5, 1.0] {
            let found = residual(Complex::new(2.7 / h, 3.1 / h), &jacobian, &pattern);
            assert!(found < 1e-15 * (5e9 + 4.0 / h), "{h}: {found:e}");
        }
        let order = Order::new(&pattern, 5);
        assert_eq!((&order.components[..], order.positions), (&[0, 2, 1, 3][..], 2));
    }

    #[test]
    fn singular_matrices_are_told() {
        let order = Order::new(&Pattern::default(), 2);
        let mut system = System::<f64>::new();
        assert!(!system.factorise(1.0, &DMatrix::identity(2, 2), &order));
        assert!(!system.factorise(1.0, &DMatrix::from_element(2, 2, f64::NAN), &order));
        assert!(system.factorise(2.0, &DMatrix::identity(2, 2), &order));
    }
}
