//! A step of Newton's method for a common normal, both points held by constraints (`constrained`).
//!
//! Where both points lie on faces, two equations are enough; others are solved as they are.

use super::constrained::ConstrainedPoint;
use super::linear::{self, MAX_UNKNOWNS, Rows};
use rattleback_geom::Vec3;
use rattleback_geom::curvature::tangents;
use rattleback_geom::nalgebra::{Matrix2, Vector2};

/// Systems of two equations whose determinant is above this share of their squares lose two digits at most.
const REGULAR: f64 = 1e-2;

type Vec2 = Vector2<f64>;
type Mat2 = Matrix2<f64>;

/// The steps of p, q and n that solve the linear equations
///
///   t_A·(n + dn − H_A dp) = 0,   t_B·(n + dn + H_B dq) = 0,   t_n·(q + dq − p − dp) = g t_n·dn.
pub(super) fn newton(
    x: &ConstrainedPoint,
    y: &ConstrainedPoint,
    way: &Vec3,
    n: &Vec3,
    size: f64,
) -> (Vec3, Vec3, Vec3) {
    let (t, u) = tangents(n);
    let across = [t, u];
    let g = n.dot(way) / size;
    if x.free == 2
        && y.free == 2
        && let Some((z, turn)) = faces(x, y, &across, way, n, size)
    {
        let dq = y.back + (y.tangents[0] * z[1][0] + y.tangents[1] * z[1][1]) * size;
        let dp = x.back + (x.tangents[0] * z[0][0] + x.tangents[1] * z[0][1]) * size;
        return (dp, dq, t * turn[0] + u * turn[1]);
    }
    let (first, last) = (x.free, x.free + y.free);
    let mut rows: Rows = [[0.0; MAX_UNKNOWNS + 2]; MAX_UNKNOWNS];
    for (side, sign, from) in [(x, -1.0, 0), (y, 1.0, first)] {
        for i in 0..side.free {
            for j in 0..side.free {
                rows[from + i][from + j] = sign * size * side.shape[i][j];
            }
            for k in 0..2 {
                let share = side.tangents[i].dot(&across[k]);
                rows[from + i][last + k] = share;
                rows[last + k][from + i] = sign * share;
            }
            rows[from + i][MAX_UNKNOWNS] = -side.tangents[i].dot(n) - sign * side.pull[i];
        }
    }
    let open = way + y.back - x.back;
    for k in 0..2 {
        rows[last + k][last + k] = -g;
        rows[last + k][MAX_UNKNOWNS] = -across[k].dot(&open) / size;
    }
    let z = linear::solve(&mut rows, last + 2);
    let along = |side: &ConstrainedPoint, from: usize| {
        (0..side.free).fold(side.back, |sum, i| sum + side.tangents[i] * (size * z[from + i]))
    };
    (along(x, 0), along(y, first), t * z[last] + u * z[last + 1])
}

/// The steps along the tangents of two faces and the turn of n, by two equations. With T_A = t_A·t_n, size H_A and so
/// on the first and the last equations of [`newton`] give
///
///   dn = T_A⁻¹(b_A + H_A dp),   dq = T_B⁻ᵀ(c + T_Aᵀ dp + g dn),
///
/// and the second one is left for dp. None where a face lies along n or the equations are nearly of lower rank.
fn faces(
    x: &ConstrainedPoint,
    y: &ConstrainedPoint,
    across: &[Vec3; 2],
    way: &Vec3,
    n: &Vec3,
    size: f64,
) -> Option<([Vec2; 2], Vec2)> {
    let g = n.dot(way) / size;
    let across_of = |side: &ConstrainedPoint| Mat2::from_fn(|i, k| side.tangents[i].dot(&across[k]));
    let shape = |side: &ConstrainedPoint| Mat2::from_fn(|i, j| size * side.shape[i][j]);
    let right = |side: &ConstrainedPoint, sign: f64| {
        Vec2::from_fn(|i, _| -side.tangents[i].dot(n) - sign * side.pull[i])
    };
    let (at, bt) = (across_of(x), across_of(y));
    let (ai, bi) = (inverse(&at)?, inverse(&bt)?.transpose());
    let open = way + y.back - x.back;
    let c = Vec2::from_fn(|k, _| -across[k].dot(&open) / size);
    // dn = turn + turns dp, dq = move + moves dp.
    let (turn, turns) = (ai * right(x, -1.0), ai * shape(x));
    let (first, moves) = (bi * (c + turn * g), bi * (at.transpose() + turns * g));
    let bend = shape(y);
    let rows = bend * moves + bt * turns;
    let dp = inverse(&rows)? * (right(y, 1.0) - bend * first - bt * turn);
    Some(([dp, first + moves * dp], turn + turns * dp))
}

/// The inverse of a matrix whose determinant is not small beside its squares.
fn inverse(m: &Mat2) -> Option<Mat2> {
    let det = m[(0, 0)] * m[(1, 1)] - m[(0, 1)] * m[(1, 0)];
    let share = 1.0 / det;
    let regular = det.abs() > REGULAR * m.norm_squared() && share.is_finite();
    regular.then(|| Mat2::new(m[(1, 1)], -m[(0, 1)], -m[(1, 0)], m[(0, 0)]) * share)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rattleback_random::unit;

    #[test]
    fn two_equations_of_faces_have_the_solution_of_all_six() {
        let mut state = 17;
        let mut number = || 2.0 * unit(&mut state) - 1.0;
        let mut vector = || Vec3::new(number(), number(), number());
        let mut solved = 0;
        for round in 0..2000 {
            let n = vector().normalize();
            let mut face = |outwards: f64| {
                // The normal of the face is off by up to a quarter of a turn.
                let m = (n * outwards + vector()).normalize();
                let (t, u) = tangents(&m);
                let (shape, pull) = (vector(), vector());
                ConstrainedPoint {
                    tangents: [t, u],
                    free: 2,
                    back: m * (0.1 * pull.z),
                    shape: [[shape.x, shape.y], [shape.y, shape.z]],
                    pull: [pull.x, pull.y],
                    multipliers: [1.0, 0.0, 0.0],
                }
            };
            let (x, y) = (face(1.0), face(-1.0));
            let (way, size) = (vector(), 0.5 + f64::from(round % 7));
            let (t, u) = tangents(&n);
            let Some((z, turn)) = faces(&x, &y, &[t, u], &way, &n, size) else { continue };
            solved += 1;
            let along = |side: &ConstrainedPoint, z: &Vec2| {
                side.back + (side.tangents[0] * z[0] + side.tangents[1] * z[1]) * size
            };
            let (dp, dq, dn) = (along(&x, &z[0]), along(&y, &z[1]), t * turn[0] + u * turn[1]);
            let scale = 1.0 + dp.norm() + dq.norm() + dn.norm() + way.norm();
            for i in 0..2 {
                let bent = |side: &ConstrainedPoint, z: &Vec2| {
                    size * (side.shape[i][0] * z[0] + side.shape[i][1] * z[1])
                };
                let first = x.tangents[i].dot(&(n + dn)) - bent(&x, &z[0]) - x.pull[i];
                let second = y.tangents[i].dot(&(n + dn)) + bent(&y, &z[1]) + y.pull[i];
                let across = [t, u][i].dot(&(way + dq - dp)) - n.dot(&way) * turn[i];
                for off in [first, second, across] {
                    assert!(off.abs() < 1e-11 * size * scale, "{round}: {first}, {second}, {across}");
                }
            }
        }
        assert!(solved > 1000, "{solved}");
    }
}
