//! Small dense systems, of full rank or not.

/// The most unknowns of a common normal: two tangents of either body and the turn of the normal.
pub(super) const MAX_UNKNOWNS: usize = 6;

/// A square system; the last column of a row is its right-hand side.
pub(super) type Rows = [[f64; MAX_UNKNOWNS + 1]; MAX_UNKNOWNS];

/// Pivots below this share of the first one are rounding.
const RANK: f64 = 1e-13;

/// A pivot below this share of the first one would make much of a right-hand side that is [`NOTHING`] but rounding;
/// rows have the size one.
const WEAK: f64 = 1e-4;
const NOTHING: f64 = 32.0 * f64::EPSILON;

/// Solves the first `n` rows by elimination with complete pivoting; unknowns that the rows leave open are zero. The other
/// rows and columns must be zero: then no pivot is found in them, and all loops have fixed ends.
pub(super) fn solve(rows: &mut Rows, n: usize) -> [f64; MAX_UNKNOWNS] {
    debug_assert!(rows[n..].iter().flatten().all(|x| *x == 0.0));
    // Rows of one size, so that pivots compare.
    for row in rows.iter_mut() {
        let most = row[..MAX_UNKNOWNS].iter().fold(0.0f64, |m, x| m.max(x.abs()));
        if most > 0.0 {
            row.iter_mut().for_each(|x| *x /= most);
        }
    }
    let mut order: [usize; MAX_UNKNOWNS] = std::array::from_fn(|i| i);
    let mut rank = 0;
    let mut first = 0.0;
    for k in 0..MAX_UNKNOWNS {
        let (mut at, mut most) = ([k, k], 0.0);
        for i in k..MAX_UNKNOWNS {
            for j in k..MAX_UNKNOWNS {
                let x = rows[i][j].abs();
                if x > most {
                    (at, most) = ([i, j], x);
                }
            }
        }
        if k == 0 {
            first = most;
        }
        if !(most > RANK * first) {
            break;
        }
        rows.swap(k, at[0]);
        if at[1] != k {
            rows.iter_mut().for_each(|row| row.swap(k, at[1]));
            order.swap(k, at[1]);
        }
        let pivot = rows[k];
        for row in rows[k + 1..].iter_mut() {
            let factor = row[k] / pivot[k];
            if factor != 0.0 {
                for j in k..=MAX_UNKNOWNS {
                    row[j] -= factor * pivot[j];
                }
            }
        }
        rank = k + 1;
    }
    let mut x = [0.0; MAX_UNKNOWNS];
    for k in (0..rank).rev() {
        let known: f64 = (k + 1..rank).map(|j| rows[k][j] * x[order[j]]).sum();
        let rest = rows[k][MAX_UNKNOWNS] - known;
        let open = rows[k][k].abs() < WEAK * first && rest.abs() <= NOTHING;
        x[order[k]] = if open { 0.0 } else { rest / rows[k][k] };
    }
    x
}
