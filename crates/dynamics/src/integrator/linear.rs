//! Systems (μ I − J) x = b of a stage, solved in place.
//!
//! The components come in three kinds, which [`Pattern`] tells apart: positions p, sums s, and the rest u, as
//! velocities. Positions come in small groups g, ṗ_g = f(p_g, u): each depends on no position but its own. They are
//! eliminated first, sums last:
//!
//!   p_g = K_g⁻¹ (b_g + J_gu u),   K_g = μ I − J_gg
//!   (μ I − J_uu − Σ_g J_ug K_g⁻¹ J_gu) u = b_u + Σ_g J_ug K_g⁻¹ b_g
//!   s = b_s/μ, since their rows of J are left zero
//!
//! What is left, of half as many unknowns, is P A = L U by Gaussian elimination with partial pivoting (Golub, Van Loan,
//! Matrix Computations, algorithm 3.4.1). Only entries that are not zero are visited: bodies that do not touch fall
//! apart into systems of their own. K_g is inverted without exchanging rows: for ẋ = v it is μ, and for q̇ = ½ q ∘ ω
//! the sum of μ I, Re μ > 0, and a matrix that is skew, whose pivots cannot vanish.
//!
//! Two rows of a column lie side by side ([`Number::Pair`]), real parts beside real parts and imaginary ones beside
//! imaginary ones, so that one instruction serves both. Rows of a pair that do not belong to an operation are zero in
//! what is multiplied.

use std::ops::Range;

use rattleback_geom::nalgebra::DMatrix;

use super::Pattern;
use super::pairs::Number;

/// Positions in a group at most, the numbers of a quaternion; those of longer groups count among the rest.
const LONGEST_GROUP: usize = 4;

/// J in blocks.
#[derive(Debug, Clone)]
pub(super) struct Blocks {
    groups: Vec<Group>,
    /// The components u, and how many there are of all that are no sums.
    rest: Vec<usize>,
    coupled: usize,
    /// J_uu, by columns, two rows at a time.
    uu: Vec<[f64; 2]>,
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
    /// The pairs of places in u that depend on the group, from the first to the last, and J_ug, so many × b by columns.
    rows: Range<usize>,
    ug: Vec<[f64; 2]>,
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
            uu.extend(in_pairs(column(component), rest));
        }
        for Group { positions, own, columns, gu, rows, ug } in groups {
            own.clear();
            gu.clear();
            ug.clear();
            columns.clear();
            for (place, &component) in rest.iter().enumerate() {
                let block = &column(component)[positions.clone()];
                if block.iter().any(|&entry| entry != 0.0) {
                    columns.push(place);
                    gu.extend_from_slice(block);
                }
            }
            let (mut first, mut end) = (rest.len(), 0);
            for component in positions.clone() {
                let column = column(component);
                for (place, _) in rest.iter().enumerate().filter(|&(_, &row)| column[row] != 0.0) {
                    (first, end) = (first.min(place), end.max(place + 1));
                }
            }
            *rows = if first < end { first / 2..end.div_ceil(2) } else { 0..0 };
            let places = &rest[2 * rows.start..(2 * rows.end).min(rest.len())];
            for component in positions.clone() {
                let column = column(component);
                own.extend_from_slice(&column[positions.clone()]);
                ug.extend(in_pairs(column, places));
            }
        }
    }
}

/// The entries of a column in the given rows, two at a time; a last one without a partner has zero beside it.
fn in_pairs<'a>(column: &'a [f64], rows: &'a [usize]) -> impl Iterator<Item = [f64; 2]> + 'a {
    rows.chunks(2).map(|rows| match *rows {
        [first, second] => [column[first], column[second]],
        [first] => [column[first], 0.0],
        _ => [0.0; 2],
    })
}

/// One system: a shift μ and the factors of μ I − J.
#[derive(Debug, Clone)]
pub(super) struct System<T: Number> {
    shift: T,
    /// Per group: K_g⁻¹, then K_g⁻¹ J_gu, by columns.
    groups: Vec<T>,
    /// A, then U above the diagonal, which is left zero, by columns.
    upper: Vec<T::Pair>,
    /// L below its diagonal of ones, by columns.
    lower: Vec<T::Pair>,
    /// The row that was exchanged with row k in step k.
    pivots: Vec<usize>,
    /// 1/Uₖₖ.
    inverse: Vec<T>,
    /// Of the columns of U and of L.
    upper_entries: Entries,
    lower_entries: Entries,
    buffer: Vec<T::Pair>,
}

/// The pairs of rows of columns that are not zero.
#[derive(Debug, Clone, Default)]
struct Entries {
    columns: Vec<Column>,
    lists: Vec<usize>,
}

/// The pairs of rows of a column that are not zero.
#[derive(Debug, Clone)]
struct Column {
    /// From the first to the last.
    range: Range<usize>,
    /// Where the list of them is, if most of the range is zero.
    list: Option<Range<usize>>,
}

/// Ranges up to this many pairs are not worth a list.
const SHORT: usize = 8;

impl Entries {
    fn clear(&mut self) {
        self.columns.clear();
        self.lists.clear();
    }

    /// Adds a column, whose pairs from `from` on are given.
    fn push<T: Number>(&mut self, pairs: &[T::Pair], from: usize) {
        let is_entry = |pair: &T::Pair| !T::are_zero(pair);
        let first = pairs.iter().position(is_entry).unwrap_or(pairs.len());
        let end = first + pairs[first..].iter().rposition(is_entry).map_or(0, |last| last + 1);
        let range = from + first..from + end;
        let begin = self.lists.len();
        if range.len() > SHORT {
            self.lists.extend(range.clone().filter(|at| is_entry(&pairs[at - from])));
            if 2 * (self.lists.len() - begin) > range.len() {
                self.lists.truncate(begin);
            }
        }
        let list = (self.lists.len() > begin).then_some(begin..self.lists.len());
        self.columns.push(Column { range, list });
    }
}

impl Column {
    /// target −= factor × column.
    #[inline(always)]
    fn subtract<T: Number>(&self, lists: &[usize], target: &mut [T::Pair], column: &[T::Pair], factor: T) {
        match &self.list {
            None => {
                let (target, column) = (&mut target[self.range.clone()], &column[self.range.clone()]);
                T::subtract_all(target, column, factor);
            }
            Some(list) => {
                for &at in &lists[list.clone()] {
                    T::subtract(&mut target[at], &column[at], factor);
                }
            }
        }
    }
}

impl<T: Number> System<T> {
    pub fn new() -> Self {
        Self {
            shift: T::one(),
            groups: Vec::new(),
            upper: Vec::new(),
            lower: Vec::new(),
            pivots: Vec::new(),
            inverse: Vec::new(),
            upper_entries: Entries::default(),
            lower_entries: Entries::default(),
            buffer: Vec::new(),
        }
    }

    /// Factorises μ I − J; `false` if a pivot is zero or not finite.
    pub fn factorise(&mut self, shift: T, blocks: &Blocks) -> bool {
        let n = blocks.rest.len();
        let stride = n.div_ceil(2);
        if self.pivots.len() != n {
            (self.pivots, self.inverse) = (vec![0; n], vec![T::zero(); n]);
            (self.lower, self.buffer) = (vec![T::ZEROS; n * stride], vec![T::ZEROS; stride]);
        }
        self.shift = shift;
        self.upper.clear();
        self.upper.extend(blocks.uu.iter().map(T::negative));
        for k in 0..n {
            let pair = &mut self.upper[k * stride + k / 2];
            T::set(pair, k % 2, T::get(pair, k % 2) + shift);
        }
        self.eliminate_positions(blocks) && self.eliminate()
    }

    fn eliminate_positions(&mut self, blocks: &Blocks) -> bool {
        self.groups.clear();
        blocks.groups.iter().all(|group| match group.positions.len() {
            1 => self.eliminate_group::<1>(group),
            2 => self.eliminate_group::<2>(group),
            3 => self.eliminate_group::<3>(group),
            _ => self.eliminate_group::<LONGEST_GROUP>(group),
        })
    }

    fn eliminate_group<const B: usize>(&mut self, group: &Group) -> bool {
        let Self { shift, groups, upper, inverse, .. } = self;
        let stride = inverse.len().div_ceil(2);
        let mut own = [[T::zero(); B]; B];
        for (k, (own, entries)) in own.iter_mut().zip(group.own.as_chunks::<B>().0).enumerate() {
            *own = entries.map(|entry| T::from_real(-entry));
            own[k] += *shift;
        }
        if !invert(&mut own) {
            return false;
        }
        groups.extend_from_slice(own.as_flattened());
        for (&column, entries) in group.columns.iter().zip(group.gu.as_chunks::<B>().0) {
            let mut product = [T::zero(); B];
            for (inverse, &entry) in own.iter().zip(entries) {
                product.iter_mut().zip(inverse).for_each(|(sum, &inverse)| *sum += inverse.scale(entry));
            }
            groups.extend_from_slice(&product);
            let target = &mut upper[column * stride..][group.rows.clone()];
            let mut ug = &group.ug[..];
            for factor in product {
                let (column, others) = ug.split_at(target.len());
                T::subtract_all_real(target, column, factor);
                ug = others;
            }
        }
        true
    }

    fn eliminate(&mut self) -> bool {
        let Self { upper, lower, pivots, inverse, lower_entries, upper_entries, .. } = self;
        let n = pivots.len();
        let stride = n.div_ceil(2);
        lower_entries.clear();
        upper_entries.clear();
        for k in 0..n {
            let column = &upper[k * stride..(k + 1) * stride];
            let (mut pivot, mut largest) = (k, T::get(&column[k / 2], k % 2).norm1());
            for (at, pair) in column.iter().enumerate().skip(k / 2) {
                for (place, size) in T::sizes(pair).into_iter().enumerate() {
                    if size > largest && 2 * at + place > k {
                        (pivot, largest) = (2 * at + place, size);
                    }
                }
            }
            if !(largest > 0.0 && largest.is_finite()) {
                return false;
            }
            pivots[k] = pivot;
            if pivot != k {
                lower[..k * stride]
                    .chunks_exact_mut(stride)
                    .for_each(|column| exchange::<T>(column, k, pivot));
                upper[k * stride..]
                    .chunks_exact_mut(stride)
                    .for_each(|column| exchange::<T>(column, k, pivot));
            }
            let (done, later) = upper.split_at_mut((k + 1) * stride);
            let column = &mut done[k * stride..];
            inverse[k] = T::one() / T::get(&column[k / 2], k % 2);
            // Column k of L, zero down to row k.
            let (first, below) = (k.div_ceil(2), &mut lower[k * stride..(k + 1) * stride]);
            below[first..].copy_from_slice(&column[first..]);
            if k % 2 == 0 {
                T::set(&mut below[first], 0, T::zero());
            }
            T::set(&mut column[k / 2], k % 2, T::zero());
            below[first..].iter_mut().for_each(|pair| T::scale_pair(pair, inverse[k]));
            lower_entries.push::<T>(&below[first..], first);
            upper_entries.push::<T>(&column[..k.div_ceil(2)], 0);
            let entries = &lower_entries.columns[k];
            for other in later.chunks_exact_mut(stride) {
                let factor = T::get(&other[k / 2], k % 2);
                if factor != T::zero() {
                    entries.subtract(&lower_entries.lists, other, below, factor);
                }
            }
        }
        true
    }

    /// Replaces b by (μ I − J)⁻¹ b; b may end before the sums.
    pub fn solve(&mut self, blocks: &Blocks, b: &mut [T]) {
        let Self { shift, groups, upper, lower, pivots, inverse, lower_entries, upper_entries, buffer: x } =
            self;
        let n = pivots.len();
        let stride = n.div_ceil(2);
        for (k, &component) in blocks.rest.iter().enumerate() {
            T::set(&mut x[k / 2], k % 2, b[component]);
        }
        let mut at = 0;
        for group in &blocks.groups {
            let own = &mut b[group.positions.clone()];
            let size = own.len();
            match size {
                1 => own[0] *= groups[at],
                2 => multiply::<T, 2>(&groups[at..], own),
                3 => multiply::<T, 3>(&groups[at..], own),
                _ => multiply::<T, LONGEST_GROUP>(&groups[at..], own),
            }
            at += size * (size + group.columns.len());
            let target = &mut x[group.rows.clone()];
            let mut ug = &group.ug[..];
            for &factor in &*own {
                let (column, others) = ug.split_at(target.len());
                T::subtract_all_real(target, column, -factor);
                ug = others;
            }
        }
        for (k, &pivot) in pivots.iter().enumerate() {
            if pivot != k {
                exchange::<T>(x, k, pivot);
            }
        }
        let columns = lower.chunks_exact(stride.max(1)).zip(&lower_entries.columns);
        for (k, (column, entries)) in columns.enumerate() {
            let value = T::get(&x[k / 2], k % 2);
            entries.subtract(&lower_entries.lists, x, column, value);
        }
        let columns = upper.chunks_exact(stride.max(1)).zip(&upper_entries.columns);
        for (k, ((column, entries), inverse)) in columns.zip(inverse).enumerate().rev() {
            let value = T::get(&x[k / 2], k % 2) * *inverse;
            T::set(&mut x[k / 2], k % 2, value);
            entries.subtract(&upper_entries.lists, x, column, value);
        }
        at = 0;
        for group in &blocks.groups {
            let own = &mut b[group.positions.clone()];
            let size = own.len();
            at += size * size;
            for (&column, product) in group.columns.iter().zip(groups[at..].chunks_exact(size)) {
                let value = T::get(&x[column / 2], column % 2);
                own.iter_mut().zip(product).for_each(|(own, &product)| *own += product * value);
            }
            at += size * group.columns.len();
        }
        for (k, &component) in blocks.rest.iter().enumerate() {
            b[component] = T::get(&x[k / 2], k % 2);
        }
        for sum in &mut b[blocks.coupled..] {
            *sum /= *shift;
        }
    }
}

/// Exchanges two rows of a column.
#[inline(always)]
fn exchange<T: Number>(column: &mut [T::Pair], i: usize, j: usize) {
    let (first, second) = (T::get(&column[i / 2], i % 2), T::get(&column[j / 2], j % 2));
    T::set(&mut column[i / 2], i % 2, second);
    T::set(&mut column[j / 2], j % 2, first);
}

/// Replaces v by M v, M by columns.
#[inline(always)]
fn multiply<T: Number, const B: usize>(matrix: &[T], v: &mut [T]) {
    let mut product = [T::zero(); B];
    for (column, &factor) in matrix.as_chunks::<B>().0.iter().zip(&*v) {
        product.iter_mut().zip(column).for_each(|(sum, &entry)| *sum += entry * factor);
    }
    v.copy_from_slice(&product);
}

/// Replaces a matrix, by columns, by its inverse, without exchanging rows; `false` if a pivot is zero or not finite.
#[inline(always)]
fn invert<T: Number, const B: usize>(matrix: &mut [[T; B]; B]) -> bool {
    for k in 0..B {
        let pivot = matrix[k][k];
        if !(pivot.norm1() > 0.0 && pivot.norm1().is_finite()) {
            return false;
        }
        // Gauss and Jordan in place: column k of the unit matrix takes the place of the one that is eliminated.
        let inverse = T::one() / pivot;
        matrix[k][k] = T::one();
        matrix[k].iter_mut().for_each(|entry| *entry *= inverse);
        let below = matrix[k];
        for other in (0..B).filter(|&other| other != k) {
            let factor = std::mem::replace(&mut matrix[other][k], T::zero());
            matrix[other].iter_mut().zip(&below).for_each(|(entry, &below)| *entry -= below * factor);
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

    /// Forty velocities, most of which act on few others that are far away, as those of bodies in a heap.
    #[test]
    fn long_columns_with_few_entries_are_listed() {
        let mut jacobian = DMatrix::from_diagonal_element(40, 40, -3.0);
        for (row, column) in [(20, 0), (39, 0), (0, 39), (22, 1), (38, 1), (1, 22), (5, 6), (31, 5), (5, 31)]
        {
            jacobian[(row, column)] = 1.0 + ((7 * row + column) as f64).sin();
        }
        assert!(residual(Complex::new(1.0, 0.5), &jacobian, &Pattern::default()) < 1e-14);
        let mut blocks = Blocks::new(&Pattern::default(), 40);
        blocks.take(&jacobian);
        let mut system = System::<f64>::new();
        assert!(system.factorise(1.0, &blocks));
        let Column { range, list } = &system.lower_entries.columns[0];
        assert_eq!((range.clone(), list.clone()), (10..20, Some(0..2)));
        assert!(system.upper_entries.columns[39].list.is_some());
        assert!(system.lower_entries.columns[30].list.is_none());
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
