//! A square sparse matrix whose pattern is analysed once and whose numbers are factorised many times: LU with partial
//! pivoting of the `faer` library, since friction and follower forces make the matrix unsymmetric and the geometric
//! terms may make it indefinite. One thread, so that the same input gives the same bits.

use crate::error::{DynamicsError, Result};
use faer::MatMut;
use faer::linalg::solvers::SolveCore;
use faer::sparse::linalg::solvers::{Lu, SymbolicLu};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMat};

/// A matrix by columns, and its factors.
#[derive(Debug, Clone)]
pub(super) struct Matrix {
    pattern: SymbolicSparseColMat<usize>,
    values: Vec<f64>,
    analysed: SymbolicLu<usize>,
    factors: Option<Lu<usize, f64>>,
}

impl Matrix {
    /// From the places (column, row) that may differ from zero, in any order, repeated or not.
    pub(super) fn new(n: usize, places: &mut Vec<(usize, usize)>) -> Result<Self> {
        places.sort_unstable();
        places.dedup();
        let mut columns = vec![0; n + 1];
        for &(column, _) in places.iter() {
            columns[column + 1] += 1;
        }
        for c in 0..n {
            columns[c + 1] += columns[c];
        }
        let rows = places.iter().map(|&(_, row)| row).collect();
        let pattern = SymbolicSparseColMat::new_checked(n, n, columns, None, rows);
        let analysed = SymbolicLu::try_new(pattern.as_ref()).map_err(|error| DynamicsError::Invalid {
            what: "the matrix of the mechanism".to_owned(),
            reason: error.to_string(),
        })?;
        Ok(Self { pattern, values: vec![0.0; places.len()], analysed, factors: None })
    }

    /// The place of an entry among the values; it must be in the pattern.
    pub(super) fn position(&self, row: usize, column: usize) -> usize {
        let start = self.pattern.col_ptr()[column];
        let rows = &self.pattern.row_idx()[start..self.pattern.col_ptr()[column + 1]];
        let place = rows.partition_point(|&r| r < row);
        debug_assert_eq!(rows[place], row);
        start + place
    }

    /// The values, to be filled.
    pub(super) fn values(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// Factorises; false if the matrix is singular.
    pub(super) fn factorise(&mut self) -> bool {
        let matrix = SparseColMatRef::new(self.pattern.as_ref(), &self.values);
        self.factors = Lu::try_new_with_symbolic(self.analysed.clone(), matrix).ok();
        self.factors.is_some()
    }

    /// Solves in place with the last factors; false if the answer is not finite.
    pub(super) fn solve(&self, right: &mut [f64]) -> bool {
        let Some(factors) = &self.factors else { return false };
        let n = right.len();
        factors.solve_in_place_with_conj(
            faer::Conj::No,
            MatMut::from_column_major_slice_mut(right, n, 1).as_dyn_mut(),
        );
        right.iter().all(|x| x.is_finite())
    }
}
