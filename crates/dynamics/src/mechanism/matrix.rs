//! A square sparse matrix of symmetric pattern that is analysed once and whose numbers are factorised many times, with
//! the `faer` library: by Cholesky's method while the numbers are symmetric and positive definite, else by LU with
//! partial pivoting, since friction and follower forces make the matrix unsymmetric and the geometric terms may make it
//! indefinite. One thread, and a choice that depends on the numbers alone, so that the same input gives the same bits.

use crate::error::{DynamicsError, Result};
use faer::linalg::solvers::SolveCore;
use faer::sparse::linalg::solvers::{Llt, Lu, SymbolicLlt, SymbolicLu};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMat};
use faer::{Conj, MatMut, Side};

/// A matrix by columns, and its factors.
#[derive(Debug, Clone)]
pub(super) struct Matrix {
    pattern: SymbolicSparseColMat<usize>,
    values: Vec<f64>,
    cholesky: SymbolicLlt<usize>,
    lu: SymbolicLu<usize>,
    factors: Factors,
}

#[derive(Debug, Clone)]
enum Factors {
    None,
    Cholesky(Llt<usize, f64>),
    Lu(Box<Lu<usize, f64>>),
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
        let refuse = |error: faer::sparse::FaerError| DynamicsError::Invalid {
            what: "the matrix of the mechanism".to_owned(),
            reason: error.to_string(),
        };
        let cholesky = SymbolicLlt::try_new(pattern.as_ref(), Side::Lower).map_err(refuse)?;
        let lu = SymbolicLu::try_new(pattern.as_ref()).map_err(refuse)?;
        Ok(Self { pattern, values: vec![0.0; places.len()], cholesky, lu, factors: Factors::None })
    }

    /// The place of an entry among the values; it must be in the pattern.
    pub(super) fn position(&self, row: usize, column: usize) -> usize {
        let start = self.pattern.col_ptr()[column];
        let rows = &self.pattern.row_idx()[start..self.pattern.col_ptr()[column + 1]];
        let place = rows.partition_point(|&r| r < row);
        debug_assert_eq!(rows[place], row);
        start + place
    }

    /// Rows, as many as columns.
    pub(super) fn size(&self) -> usize {
        self.pattern.ncols()
    }

    /// Row and column of every value.
    pub(super) fn places(&self) -> impl Iterator<Item = (usize, usize)> {
        let columns = self.pattern.col_ptr().windows(2).enumerate();
        columns.flat_map(|(column, ends)| {
            self.pattern.row_idx()[ends[0]..ends[1]].iter().map(move |&row| (row, column))
        })
    }

    /// The values, to be filled.
    pub(super) fn values(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// Factorises, by Cholesky's method first if the numbers are `symmetric`; false if the matrix is singular.
    pub(super) fn factorise(&mut self, symmetric: bool) -> bool {
        let matrix = SparseColMatRef::new(self.pattern.as_ref(), &self.values);
        self.factors = Factors::None;
        if symmetric
            && let Ok(factors) = Llt::try_new_with_symbolic(self.cholesky.clone(), matrix, Side::Lower)
        {
            self.factors = Factors::Cholesky(factors);
            return true;
        }
        if let Ok(factors) = Lu::try_new_with_symbolic(self.lu.clone(), matrix) {
            self.factors = Factors::Lu(Box::new(factors));
        }
        !matches!(self.factors, Factors::None)
    }

    /// Solves in place with the last factors; false if the answer is not finite.
    pub(super) fn solve(&self, right: &mut [f64]) -> bool {
        let n = right.len();
        let column = MatMut::from_column_major_slice_mut(&mut *right, n, 1).as_dyn_mut();
        match &self.factors {
            Factors::None => return false,
            Factors::Cholesky(factors) => factors.solve_in_place_with_conj(Conj::No, column),
            Factors::Lu(factors) => factors.solve_in_place_with_conj(Conj::No, column),
        }
        right.iter().all(|x| x.is_finite())
    }
}
