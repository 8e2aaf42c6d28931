//! The query sets: pairs of bodies as f64, little-endian, in `WORKDIR/in/SET.bin`.
//!
//! Per pair: semi-axes of A (3) and of B (3), centre of B (3), rotation of B row by row (9); A stands at the origin.
//!
//! | set | pairs |
//! |---|---|
//! | A | study A of Römer et al.: axes U(0, 1) m, centre = axes of A + U(0, 1)³ m, any rotation |
//! | B-thin | the same with axes 10^U(−2, 0) m |
//! | penetrating | those of A pulled together until f along the centre line is −5 to −30 % of the least axis |
//! | overlapping | B put so that the points of support along a random n are that far past each other along n |
//! | SE | superellipsoids placed as in A, with Barr's exponents [e_z, e_xy] of A and of B (4 more) from U(0.25, 1.5) |
//!
//! The signed gap is the greatest f(n) over all n. So f along the centre line bounds it from below: most pairs of
//! `penetrating` are separate in truth. In `overlapping` n is stationary, and the gap is f(n) where n is also the best.
//!
//! In the exponents n = 2/e of ∣x/a∣ⁿ the last range is 1.33 to 8. A set that is there already is left as it is.

use rattleback_random::unit;
use std::f64::consts::TAU;
use std::fs;
use std::path::Path;

const COUNT: usize = 20_000;

/// A pair of one of the sets, as it is in the file.
pub struct InputPair {
    axes: [[f64; 3]; 2],
    centre: [f64; 3],
    /// Row by row.
    rotation: [f64; 9],
    /// Barr's [e_z, e_xy] of each body; one for ellipsoids.
    barr: [[f64; 2]; 2],
}

impl InputPair {
    /// f(n) = n·r − h_A(n) − h_B(−n) for n of any length but zero: no greater than the signed gap, whatever n.
    ///
    /// h is the nested norm of (a nₓ, b n_y) and then c n_z with the conjugate exponents 2/(2 − e).
    pub fn bound(&self, n: [f64; 3]) -> f64 {
        let dot = |x: [f64; 3], y: [f64; 3]| x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
        let r = &self.rotation;
        let local = std::array::from_fn(|j| r[j] * n[0] + r[3 + j] * n[1] + r[6 + j] * n[2]);
        let norm = |x: f64, y: f64, q: f64| (x.abs().powf(q) + y.abs().powf(q)).powf(1.0 / q);
        let support = |body: usize, n: [f64; 3]| {
            let ([a, b, c], [e_z, e_xy]) = (self.axes[body], self.barr[body]);
            norm(norm(a * n[0], b * n[1], 2.0 / (2.0 - e_xy)), c * n[2], 2.0 / (2.0 - e_z))
        };
        (dot(n, self.centre) - support(0, n) - support(1, local)) / dot(n, n).sqrt()
    }

    fn numbers(&self, powers: bool) -> Vec<f64> {
        let mut all = [self.axes.as_flattened(), &self.centre, &self.rotation].concat();
        if powers {
            all.extend(self.barr.as_flattened());
        }
        all
    }
}

fn width(set: &str) -> usize {
    if set == "SE" { 22 } else { 18 }
}

/// The f64 of a file.
pub fn read_numbers(file: &Path) -> Result<Vec<f64>, String> {
    let bytes = fs::read(file).map_err(|e| format!("{}: {e}", file.display()))?;
    Ok(bytes.as_chunks().0.iter().map(|eight| f64::from_le_bytes(*eight)).collect())
}

/// The pairs of a set.
pub fn read(folder: &Path, set: &str) -> Result<Vec<InputPair>, String> {
    let numbers = read_numbers(&folder.join("in").join(format!("{set}.bin")))?;
    let pair = |x: &[f64]| {
        let three = |k: usize| [x[k], x[k + 1], x[k + 2]];
        let barr = if x.len() == 22 { [[x[18], x[19]], [x[20], x[21]]] } else { [[1.0; 2]; 2] };
        let rotation = std::array::from_fn(|k| x[9 + k]);
        InputPair { axes: [three(0), three(3)], centre: three(6), rotation, barr }
    };
    Ok(numbers.chunks_exact(width(set)).map(pair).collect())
}

/// Writes a set unless it is there.
pub fn write_if_absent(folder: &Path, set: &str) -> Result<(), String> {
    let folder = folder.join("in");
    let file = folder.join(format!("{set}.bin"));
    if file.exists() {
        return Ok(());
    }
    let mut state = 20_260;
    let bytes: Vec<u8> = (0..COUNT)
        .flat_map(|_| draw(set, &mut state).numbers(width(set) == 22))
        .flat_map(f64::to_le_bytes)
        .collect();
    fs::create_dir_all(&folder)
        .and_then(|()| fs::write(&file, bytes))
        .map_err(|e| format!("{}: {e}", file.display()))
}

fn draw(set: &str, state: &mut u64) -> InputPair {
    let mut axis = || match set {
        "B-thin" => 10f64.powf(2.0 * unit(state) - 2.0),
        _ => unit(state),
    };
    let axes = [[axis(), axis(), axis()], [axis(), axis(), axis()]];
    let centre = axes[0].map(|a| a + unit(state));
    let rotation = rotation(state);
    let mut pair = InputPair { axes, centre, rotation, barr: [[1.0; 2]; 2] };
    let least = axes.as_flattened().iter().fold(f64::INFINITY, |m, a| a.min(m));
    match set {
        "penetrating" => {
            let length = centre.iter().map(|x| x * x).sum::<f64>().sqrt();
            let wanted = length - pair.bound(centre) - (0.05 + 0.25 * unit(state)) * least;
            pair.centre = centre.map(|x| x / length * wanted);
        }
        "overlapping" => {
            // A column of a random rotation is uniform on the sphere.
            let turn = self::rotation(state);
            let n = [turn[0], turn[3], turn[6]];
            let depth = (0.05 + 0.25 * unit(state)) * least;
            let r = &rotation;
            let local = std::array::from_fn(|j| r[j] * n[0] + r[3 + j] * n[1] + r[6 + j] * n[2]);
            let (p, q) = (farthest(axes[0], n), farthest(axes[1], local));
            pair.centre = std::array::from_fn(|i| {
                p[i] + r[3 * i] * q[0] + r[3 * i + 1] * q[1] + r[3 * i + 2] * q[2] - depth * n[i]
            });
        }
        "SE" => pair.barr = [[(); 2]; 2].map(|body| body.map(|()| 0.25 + 1.25 * unit(state))),
        _ => {}
    }
    pair
}

/// The point of an ellipsoid farthest along n.
fn farthest(axes: [f64; 3], n: [f64; 3]) -> [f64; 3] {
    let h = (0..3).map(|k| (axes[k] * n[k]).powi(2)).sum::<f64>().sqrt();
    std::array::from_fn(|k| axes[k] * axes[k] * n[k] / h)
}

/// Shoemake, "Uniform random rotations", Graphics Gems III.
fn rotation(state: &mut u64) -> [f64; 9] {
    let (u, v, w) = (unit(state), TAU * unit(state), TAU * unit(state));
    let (low, high) = ((1.0 - u).sqrt(), u.sqrt());
    let (x, y, z, w) = (low * v.sin(), low * v.cos(), high * w.sin(), high * w.cos());
    [
        1.0 - 2.0 * (y * y + z * z),
        2.0 * (x * y - z * w),
        2.0 * (x * z + y * w),
        2.0 * (x * y + z * w),
        1.0 - 2.0 * (x * x + z * z),
        2.0 * (y * z - x * w),
        2.0 * (x * z - y * w),
        2.0 * (y * z + x * w),
        1.0 - 2.0 * (x * x + y * y),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Some twenty operations on numbers up to two.
    const ROUNDING: f64 = 1e-14;

    #[test]
    fn the_bound_of_two_spheres_along_their_centres_is_their_gap() {
        let mut pair = draw("A", &mut 3);
        (pair.axes, pair.centre) = ([[1.0; 3], [0.5; 3]], [2.0, 1.0, 2.0]);
        assert!((pair.bound([4.0, 2.0, 4.0]) - 1.5).abs() < 1e-15);
    }

    #[test]
    fn pairs_pulled_together_have_the_wanted_bound_along_their_centres() {
        let mut state = 5;
        for _ in 0..100 {
            let pair = draw("penetrating", &mut state);
            let least = pair.axes.as_flattened().iter().fold(f64::INFINITY, |m, a| a.min(m));
            let share = -pair.bound(pair.centre) / least;
            assert!((0.05 - 1e-9..0.3 + 1e-9).contains(&share), "{share}");
        }
    }

    #[test]
    fn a_farthest_point_is_on_the_ellipsoid_and_reaches_the_support_value() {
        let (axes, n) = ([0.5, 2.0, 1.5], [0.6, 0.0, 0.8]);
        let p = farthest(axes, n);
        let on: f64 = (0..3).map(|k| (p[k] / axes[k]).powi(2)).sum();
        let reach: f64 = (0..3).map(|k| p[k] * n[k]).sum();
        assert!((on - 1.0).abs() < ROUNDING && (reach - 0.3f64.hypot(1.2)).abs() < ROUNDING);
    }

    #[test]
    fn a_rotation_keeps_lengths_and_handedness() {
        let r = rotation(&mut 7);
        let dot = |i: usize, j: usize| (0..3).map(|k| r[3 * i + k] * r[3 * j + k]).sum::<f64>();
        for (i, j) in [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)] {
            let error = dot(i, j) - f64::from(u8::from(i == j));
            assert!(error.abs() < ROUNDING, "{error:e}");
        }
        let determinant = r[0] * (r[4] * r[8] - r[5] * r[7]) - r[1] * (r[3] * r[8] - r[5] * r[6])
            + r[2] * (r[3] * r[7] - r[4] * r[6]);
        assert!((determinant - 1.0).abs() < ROUNDING);
    }
}
