//! Systems (μ I − J) x = b of a stage, solved in place.
//!
//! The components come in three kinds, which [`Pattern`] tells apart: positions p, sums s, and the rest u, as velocities.
//! Positions come in small groups g, ṗ_g = f(p_g, u): each depends on no position but its own. They are eliminated
//! first, sums last:
//!
//!   p_g = K_g⁻¹ (b_g + J_gu u),   K_g = μ I − J_gg
//!   (μ I − J_uu − Σ_g J_ug K_g⁻¹ J_gu) u = b_u + Σ_g J_ug K_g⁻¹ b_g
//!   s = b_s/μ, since their rows of J are left zero
//!
//! What is left, of half as many unknowns, is P A = L U by Gaussian elimination with partial pivoting (Golub, Van Loan,
//! Matrix Computations, algorithm 3.4.1). Only entries that are not zero are visited: bodies that do not touch fall apart
//! into systems of their own. K_g is inverted without exchanging rows: for ẋ = v it is μ, and for q̇ = ½ q ∘ ω the sum of
//! μ I, Re μ > 0, and a matrix that is skew, whose pivots cannot vanish.

use std::ops::Range;

use rattleback_geom::nalgebra::{ComplexField, DMatrix};

use super::Pattern;

/// Positions in a group at most, the numbers of a quaternion; those of longer groups count among the rest.
const LONGEST_GROUP: usize = 4;

/// J in blocks.
#[derive(Debug, Clone)]
pub(super) struct Blocks {
    groups: Vec<Group>,
    /// The components u, and how many there are of all that are no sums.
    rest: Vec<usize>,
    coupled: usize,
    /// J_uu, by columns.
    uu: Vec<f64>,
}

/// A group of positions; b is their number.
#[derive(Debug, Clone)]
struct Group {
    positions: Range<usize>,
    /// J_gg, b × b by columns.
    own: Vec<f64>,
    /// The places in u on which the group depends, and J_gu, b × so many by columns.
    columns: Vec<usize>,
    gu: Vec<f64>,
    /// The places in u that depend on the group, from the first to the last, and J_ug, so many × b by columns.
    rows: Range<usize>,
    ug: Vec<f64>,
}

impl Blocks {
    /// How many components are no sums.
    pub fn coupled(&self) -> usize {
        self.coupled
    }

    /// Of `n` components.
    pub fn new(pattern: &Pattern, n: usize) -> Self {
        let coupled = n.saturating_sub(pattern.sums);
        let mut rest = vec![true; coupled];
        let mut groups = Vec::new();
        let fits = |group: &&Range<usize>| group.end <= coupled && (1..=LONGEST_GROUP).contains(&group.len());
        for positions in pattern.positions.iter().filter(fits) {
            rest[positions.clone()].fill(false);
            groups.push(Group {
                positions: positions.clone(),
                own: Vec::new(),
                columns: Vec::new(),
                gu: Vec::new(),
                rows: 0..0,
                ug: Vec::new(),
            });
        }
        let rest = (0..coupled).filter(|&component| rest[component]).collect();
        Self { groups, rest, coupled, uu: Vec::new() }
    }

    /// Takes the blocks of a Jacobian.
    pub fn take(&mut self, jacobian: &DMatrix<f64>) {
        let Self { groups, rest, uu, .. } = self;
        let (n, entries) = (jacobian.nrows(), jacobian.as_slice());
        let column = |component: usize| &entries[component * n..(component + 1) * n];
        uu.clear();
        for &component in &*rest {
            let column = column(component);
            uu.extend(rest.iter().map(|&row| column[row]));
        }
        for Group { positions, own, columns, gu, rows, ug } in groups {
            [&mut *own, &mut *gu, &mut *ug].into_iter().for_each(Vec::clear);
            columns.clear();
            for (place, &component) in rest.iter().enumerate() {
                let block = &column(component)[positions.clone()];
                if block.iter().any(|&entry| entry != 0.0) {
                    columns.push(place);
                    gu.extend_from_slice(block);
                }
            }
            let acts = |row: usize| positions.clone().any(|component| column(component)[row] != 0.0);
            let first = rest.iter().position(|&row| acts(row)).unwrap_or(0);
            *rows = first..rest.iter().rposition(|&row| acts(row)).map_or(first, |last| last + 1);
            for component in positions.clone() {
                let column = column(component);
                own.extend_from_slice(&column[positions.clone()]);
                ug.extend(rest[rows.clone()].iter().map(|&row| column[row]));
            }
        }
    }
}

/// One system: a shift μ and the factors of μ I − J.
#[derive(Debug, Clone)]
pub(super) struct System<T> {
    shift: T,
    /// Per group: K_g⁻¹, then K_g⁻¹ J_gu, by columns.
    groups: Vec<T>,
    /// A, then L below the diagonal (its own diagonal is one) and U above, by columns.
    matrix: Vec<T>,
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
            groups: Vec::new(),
            matrix: Vec::new(),
            pivots: Vec::new(),
            inverse: Vec::new(),
            rows: Vec::new(),
            begin: Vec::new(),
            buffer: Vec::new(),
        }
    }

    /// Factorises μ I − J; `false` if a pivot is zero or not finite.
    pub fn factorise(&mut self, shift: T, blocks: &Blocks) -> bool {
        let n = blocks.rest.len();
        if self.pivots.len() != n {
            (self.pivots, self.inverse, self.buffer) = (vec![0; n], vec![T::zero(); n], vec![T::zero(); n]);
            (self.rows, self.begin) = (Vec::with_capacity(n * n), Vec::with_capacity(n + 1));
        }
        self.shift = shift;
        self.matrix.clear();
        self.matrix.extend(blocks.uu.iter().map(|&entry| T::from_real(-entry)));
        self.matrix.iter_mut().step_by(n + 1).for_each(|diagonal| *diagonal += shift);
        self.eliminate_positions(blocks) && {
            let regular = self.eliminate();
            self.list_entries();
            regular
        }
    }

    fn eliminate_positions(&mut self, blocks: &Blocks) -> bool {
        let Self { shift, groups, matrix, .. } = self;
        let n = blocks.rest.len();
        groups.clear();
        for group in &blocks.groups {
            let (b, at) = (group.positions.len(), groups.len());
            groups.extend(group.own.iter().map(|&entry| T::from_real(-entry)));
            let own = &mut groups[at..];
            own.iter_mut().step_by(b + 1).for_each(|diagonal| *diagonal += *shift);
            if !invert(own, b) {
                return false;
            }
            for (&column, entries) in group.columns.iter().zip(group.gu.chunks_exact(b)) {
                let from = groups.len();
                groups.resize(from + b, T::zero());
                let (inverse, product) = groups[at..].split_at_mut(from - at);
                for (inverse, &entry) in inverse.chunks_exact(b).zip(entries) {
                    product.iter_mut().zip(inverse).for_each(|(sum, &inverse)| *sum += inverse.scale(entry));
                }
                let target = &mut matrix[column * n..][group.rows.clone()];
                for (&factor, ug) in product.iter().zip(group.ug.chunks_exact(target.len().max(1))) {
                    target.iter_mut().zip(ug).for_each(|(entry, &ug)| *entry -= factor.scale(ug));
                }
            }
        }
        true
    }

    fn eliminate(&mut self) -> bool {
        let n = self.pivots.len();
        for k in 0..n {
            let column = &self.matrix[k * n..(k + 1) * n];
            let (mut pivot, mut largest) = (k, column[k].norm1());
            for (i, entry) in column.iter().enumerate().skip(k + 1) {
                let size = entry.norm1();
                if size > largest {
                    (pivot, largest) = (i, size);
                }
            }
            if !(largest > 0.0 && largest.is_finite()) {
                return false;
            }
            self.pivots[k] = pivot;
            if pivot != k {
                self.matrix.chunks_exact_mut(n).for_each(|column| column.swap(k, pivot));
            }
            self.rows.clear();
            let (done, later) = self.matrix.split_at_mut((k + 1) * n);
            let column = &mut done[k * n..];
            let inverse = T::one() / column[k];
            self.inverse[k] = inverse;
            for (i, entry) in column.iter_mut().enumerate().skip(k + 1) {
                if *entry != T::zero() {
                    *entry *= inverse;
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
        for (k, column) in self.matrix.chunks_exact(n.max(1)).enumerate() {
            let is_entry = |&i: &usize| column[i] != T::zero();
            let above = self.rows.len();
            self.rows.extend((0..k).filter(is_entry));
            self.begin.push([above, self.rows.len()]);
            self.rows.extend((k + 1..n).filter(is_entry));
        }
        self.begin.push([self.rows.len(); 2]);
    }

    /// Replaces b by (μ I − J)⁻¹ b; b may end before the sums.
    pub fn solve(&mut self, blocks: &Blocks, b: &mut [T]) {
        let Self { shift, groups, matrix, pivots, inverse, rows, begin, buffer: x } = self;
        let n = pivots.len();
        for (x, &component) in x.iter_mut().zip(&blocks.rest) {
            *x = b[component];
        }
        let mut at = 0;
        for group in &blocks.groups {
            let own = &mut b[group.positions.clone()];
            let size = own.len();
            multiply(&groups[at..at + size * size], own);
            at += size * (size + group.columns.len());
            let target = &mut x[group.rows.clone()];
            for (&factor, ug) in own.iter().zip(group.ug.chunks_exact(target.len().max(1))) {
                target.iter_mut().zip(ug).for_each(|(x, &ug)| *x += factor.scale(ug));
            }
        }
        for k in 0..n {
            x.swap(k, pivots[k]);
        }
        for (k, column) in matrix.chunks_exact(n.max(1)).enumerate() {
            let (value, rows) = (x[k], &rows[begin[k][1]..begin[k + 1][0]]);
            subtract(&mut x[k + 1..], &column[k + 1..], rows, k + 1, value);
        }
        for (k, column) in matrix.chunks_exact(n.max(1)).enumerate().rev() {
            x[k] *= inverse[k];
            let (value, rows) = (x[k], &rows[begin[k][0]..begin[k][1]]);
            subtract(&mut x[..k], &column[..k], rows, 0, value);
        }
        at = 0;
        for group in &blocks.groups {
            let own = &mut b[group.positions.clone()];
            let size = own.len();
            at += size * size;
            for (&column, product) in group.columns.iter().zip(groups[at..].chunks_exact(size)) {
                own.iter_mut().zip(product).for_each(|(own, &product)| *own += product * x[column]);
            }
            at += size * group.columns.len();
        }
        for (&x, &component) in x.iter().zip(&blocks.rest) {
            b[component] = x;
        }
        for sum in &mut b[blocks.coupled..] {
            *sum /= *shift;
        }
    }
}

/// x −= value × column, in the rows where the column is not zero; row `first` is the first of both.
fn subtract<T: ComplexField + Copy>(x: &mut [T], column: &[T], rows: &[usize], first: usize, value: T) {
    if rows.len() == column.len() {
        x.iter_mut().zip(column).for_each(|(x, &entry)| *x -= entry * value);
    } else {
        for &row in rows {
            x[row - first] -= column[row - first] * value;
        }
    }
}

/// Replaces v by M v, M by columns.
fn multiply<T: ComplexField + Copy>(matrix: &[T], v: &mut [T]) {
    if let ([entry], [v]) = (matrix, &mut *v) {
        *v *= *entry;
        return;
    }
    let mut product = [T::zero(); LONGEST_GROUP];
    let product = &mut product[..v.len()];
    for (column, &factor) in matrix.chunks_exact(v.len()).zip(&*v) {
        product.iter_mut().zip(column).for_each(|(sum, &entry)| *sum += entry * factor);
    }
    v.copy_from_slice(product);
}

/// Replaces a matrix of `n` columns by its inverse, without exchanging rows; `false` if a pivot is zero or not finite.
fn invert<T: ComplexField<RealField = f64> + Copy>(matrix: &mut [T], n: usize) -> bool {
    for k in 0..n {
        let pivot = matrix[k * n + k];
        if !(pivot.norm1() > 0.0 && pivot.norm1().is_finite()) {
            return false;
        }
        // Gauss and Jordan in place: column k of the unit matrix takes the place of the one that is eliminated.
        let inverse = T::one() / pivot;
        matrix[k * n + k] = T::one();
        matrix[k * n..(k + 1) * n].iter_mut().for_each(|entry| *entry *= inverse);
        for other in (0..n).filter(|&other| other != k) {
            let factor = matrix[other * n + k];
            matrix[other * n + k] = T::zero();
            for i in 0..n {
                let below = matrix[k * n + i];
                matrix[other * n + i] -= below * factor;
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use rattleback_geom::nalgebra::{Complex, DVector};

    /// The residual of the solution of (μ I − J) x = b, relative to x.
    fn residual(shift: Complex<f64>, jacobian: &DMatrix<f64>, pattern: &Pattern) -> f64 {
        let n = jacobian.nrows();
        let mut blocks = Blocks::new(pattern, n);
        blocks.take(jacobian);
        let b = DVector::from_fn(n, |i, _| Complex::new(1.0 + i as f64, -(i as f64)));
        let mut x = b.clone();
        let mut system = System::<Complex<f64>>::new();
        assert!(system.factorise(shift, &blocks));
        system.solve(&blocks, x.as_mut_slice());
        let matrix = DMatrix::from_diagonal_element(n, n, shift) - jacobian.map(Complex::from);
        let mut real = System::<f64>::new();
        assert!(real.factorise(shift.re, &blocks));
        let mut y = b.map(|b| b.re);
        real.solve(&blocks, y.as_mut_slice());
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
        let pattern = Pattern { positions: vec![0..1, 2..3], sums: 1 };
        for h in [1e-9, 1e-5, 1.0] {
            let found = residual(Complex::new(2.7 / h, 3.1 / h), &jacobian, &pattern);
            assert!(found < 1e-15 * (5e9 + 4.0 / h), "{h}: {found:e}");
        }
        let blocks = Blocks::new(&pattern, 5);
        assert_eq!((blocks.groups.len(), &blocks.rest[..], blocks.coupled()), (2, &[1, 3][..], 4));
    }

    /// Two turning bodies of which the first one acts on both: groups of four numbers, and rows that stay zero. A group
    /// without positions is none.
    #[test]
    fn groups_of_positions_are_eliminated_together() {
        let mut jacobian = DMatrix::zeros(15, 15);
        for body in 0..2 {
            let at = 7 * body;
            for i in 0..4 {
                for j in 0..i {
                    let skew = ((3 * i + j + body) as f64).sin() * 40.0;
                    (jacobian[(at + i, at + j)], jacobian[(at + j, at + i)]) = (skew, -skew);
                }
                for j in 4..7 {
                    jacobian[(at + i, at + j)] = ((i + 5 * j) as f64).cos();
                    jacobian[(at + j, i)] = 1e6 * ((2 * i + j + body) as f64).sin();
                }
            }
            jacobian[(at + 4, at + 5)] = -3e3;
        }
        for positions in [vec![0..4, 7..11], vec![7..11, 0..0], vec![0..4, 7..12], Vec::new()] {
            for h in [1e-7, 1e-3, 10.0] {
                let pattern = Pattern { positions: positions.clone(), sums: 1 };
                let found = residual(Complex::new(2.7 / h, 3.1 / h), &jacobian, &pattern);
                assert!(found < 1e-14 * (1e6 + 4.0 / h), "{positions:?} {h}: {found:e}");
            }
        }
    }

    #[test]
    fn singular_matrices_are_told() {
        let mut system = System::<f64>::new();
        for positions in [Vec::new(), vec![0..1, 0..0], vec![0..2, 0..0]] {
            let mut blocks = Blocks::new(&Pattern { positions, sums: 0 }, 2);
            blocks.take(&DMatrix::identity(2, 2));
            assert!(!system.factorise(1.0, &blocks) && system.factorise(2.0, &blocks));
            blocks.take(&DMatrix::from_element(2, 2, f64::NAN));
            assert!(!system.factorise(1.0, &blocks));
        }
    }
}
