//! Small dense systems, of full rank or not.

/// The most unknowns of a common normal: two tangents of either body and the turn of the normal.
pub(super) const MAX_UNKNOWNS: usize = 6;

/// A square system; the last column of a row but one is its right-hand side, the last one is not used: eight numbers
/// are added and multiplied together.
pub(super) type Rows = [[f64; MAX_UNKNOWNS + 2]; MAX_UNKNOWNS];

/// Pivots below this share of the first one are rounding.
const RANK: f64 = 1e-13;

/// A pivot below this share of the first one would make much of a right-hand side that is [`NOTHING`] but rounding;
/// rows have the size one.
const WEAK: f64 = 1e-4;
const NOTHING: f64 = 32.0 * f64::EPSILON;

/// The greatest size of the unknowns' numbers of a row.
#[inline]
fn most(row: &[f64; MAX_UNKNOWNS + 2]) -> f64 {
    // Not f64::max, which minds numbers that are none.
    let larger = |x: f64, y: f64| if x > y { x } else { y };
    let [a, b, c, d, e, f, ..] = row.map(f64::abs);
    larger(larger(larger(a, b), larger(c, d)), larger(e, f))
}

/// Solves the first `n` rows by elimination with complete pivoting; unknowns that the rows leave open are zero. The
/// other rows and columns must be zero: then no pivot is found in them.
///
/// Columns of pivots are set to zero, so that no later one is found there.
pub(super) fn solve(rows: &mut Rows, n: usize) -> [f64; MAX_UNKNOWNS] {
    debug_assert!(rows[n..].iter().flatten().all(|x| *x == 0.0));
    let mut sizes = [0.0; MAX_UNKNOWNS];
    // Rows of one size, so that pivots compare.
    for (row, size) in rows[..n].iter_mut().zip(&mut sizes) {
        let scale = most(row);
        if scale > f64::MIN_POSITIVE {
            let share = 1.0 / scale;
            row.iter_mut().for_each(|x| *x *= share);
            *size = scale * share;
        }
    }
    let mut order = [0; MAX_UNKNOWNS];
    let mut rank = 0;
    let mut first = 0.0;
    let mut pivots = [0.0; MAX_UNKNOWNS];
    for k in 0..n {
        let (mut at, mut size) = (k, sizes[k]);
        for i in k + 1..n {
            if sizes[i] > size {
                (at, size) = (i, sizes[i]);
            }
        }
        if k == 0 {
            first = size;
        }
        if !(size > RANK * first) {
            break;
        }
        rows.swap(k, at);
        sizes.swap(k, at);
        let pivot = rows[k];
        let column = (0..n).find(|&j| pivot[j].abs() == size).unwrap_or(0);
        (order[k], pivots[k]) = (column, pivot[column]);
        let share = 1.0 / pivot[column];
        for i in k + 1..n {
            let row = &mut rows[i];
            let factor = row[column] * share;
            if factor != 0.0 {
                for j in 0..MAX_UNKNOWNS + 2 {
                    row[j] -= factor * pivot[j];
                }
                row[column] = 0.0;
                sizes[i] = most(row);
            }
        }
        rank = k + 1;
    }
    let mut x = [0.0; MAX_UNKNOWNS];
    for k in (0..rank).rev() {
        // Unknowns of pivots that come later are known; the one of this pivot and those left open are zero.
        let known: f64 = (0..MAX_UNKNOWNS).map(|j| rows[k][j] * x[j]).sum();
        let rest = rows[k][MAX_UNKNOWNS] - known;
        let open = pivots[k].abs() < WEAK * first && rest.abs() <= NOTHING;
        x[order[k]] = if open { 0.0 } else { rest / pivots[k] };
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;
    use rattleback_random::unit;

    #[test]
    fn solutions_fulfil_their_equations_also_where_unknowns_are_left_open() {
        let mut state = 5;
        let mut number = || 2.0 * unit(&mut state) - 1.0;
        for round in 0..2000 {
            let n = 1 + round % MAX_UNKNOWNS;
            // Every third system has one row twice and leaves an unknown open.
            let open = round % 3 == 0 && n > 1;
            let mut rows: Rows = [[0.0; MAX_UNKNOWNS + 2]; MAX_UNKNOWNS];
            let x: [f64; MAX_UNKNOWNS] = std::array::from_fn(|_| number());
            for row in rows[..n].iter_mut() {
                row[..n].iter_mut().for_each(|a| *a = number());
            }
            if open {
                rows[n - 1] = rows[0].map(|a| -3.0 * a);
            }
            for row in rows[..n].iter_mut() {
                row[MAX_UNKNOWNS] = (0..n).map(|j| row[j] * x[j]).sum();
            }
            let system = rows;
            let found = solve(&mut rows, n);
            let size = found.iter().fold(1.0f64, |m, x| m.max(x.abs()));
            for row in &system[..n] {
                let off: f64 = (0..n).map(|j| row[j] * found[j]).sum::<f64>() - row[MAX_UNKNOWNS];
                assert!(off.abs() < 1e-12 * size, "{round}: {off}, {system:?}, {found:?}");
            }
            assert!(found[n..].iter().all(|x| *x == 0.0));
        }
    }
}
