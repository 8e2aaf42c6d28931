//! The catenary, of rigid links and of a line, solved without the engine.
//!
//! Rigid links of length l and weight w in equilibrium: with the horizontal pull H and the vertical pull V₀ at the
//! first joint, V_{i+1} = V_i + w, and moments about a link's centre say that it points along the mean of the forces at
//! its ends, tan θ_i = (V_i + w/2)/H. Σ l cos θ_i = X and Σ l sin θ_i = Z are two equations for H and V₀, in units of
//! w.
//!
//! A line of length S: x = (H/w)(asinh(v/H) − asinh(v₀/H)), z = (H/w)(√(1 + (v/H)²) − √(1 + (v₀/H)²)) with v = v₀ + w
//! s.

use rattleback_geom::nalgebra::{Matrix2, Vector2};

/// Solves f(H, V₀) = 0 by Newton's method with differences.
fn solve(start: Vector2<f64>, f: impl Fn(Vector2<f64>) -> Vector2<f64>) -> Vector2<f64> {
    let mut x = start;
    for _ in 0..200 {
        let value = f(x);
        let h = 1e-6 * x.norm();
        let columns = [Vector2::x(), Vector2::y()].map(|u| (f(x + u * h) - f(x - u * h)) / (2.0 * h));
        let step = Matrix2::from_columns(&columns).lu().solve(&value).unwrap();
        let mut share = 1.0;
        // H stays above zero, and what is left does not grow.
        while x.x - share * step.x <= 0.0 || f(x - step * share).norm() > value.norm() * (1.0 + 1e-9) + 1e-13
        {
            share *= 0.5;
            if share < 1e-10 {
                return x;
            }
        }
        x -= step * share;
    }
    x
}

/// The joints of `n` links of length `l` from the origin to (`x`, `z`).
pub fn of_links(n: usize, l: f64, [x, z]: [f64; 2]) -> Vec<[f64; 2]> {
    let lay = |forces: Vector2<f64>| {
        let mut at = [0.0; 2];
        let mut joints = vec![at];
        for i in 0..n {
            let rise = (forces.y + i as f64 + 0.5) / forces.x;
            let share = l / (1.0 + rise * rise).sqrt();
            at = [at[0] + share, at[1] + share * rise];
            joints.push(at);
        }
        joints
    };
    let half = 0.5 * n as f64;
    let found = solve(Vector2::new(half, -half), |forces| {
        let end = lay(forces)[n];
        Vector2::new(end[0] - x, end[1] - z)
    });
    lay(found)
}

/// The points at n + 1 equal distances along a line of length `s` from the origin to (`x`, `z`).
pub fn of_line(n: usize, s: f64, [x, z]: [f64; 2]) -> Vec<[f64; 2]> {
    let point = |forces: Vector2<f64>, along: f64| {
        let (h, v) = (forces.x, forces.y + along);
        let (a, b) = (v / h, forces.y / h);
        [h * (a.asinh() - b.asinh()), h * ((1.0 + a * a).sqrt() - (1.0 + b * b).sqrt())]
    };
    let found = solve(Vector2::new(0.5 * s, -0.5 * s), |forces| {
        let end = point(forces, s);
        Vector2::new(end[0] - x, end[1] - z)
    });
    (0..=n).map(|i| point(found, s * i as f64 / n as f64)).collect()
}

fn apart(one: &[[f64; 2]], other: &[[f64; 2]]) -> f64 {
    let each = one.iter().zip(other).map(|(a, b)| (a[0] - b[0]).hypot(a[1] - b[1]));
    each.fold(0.0, f64::max)
}

#[test]
fn short_links_approach_the_line() {
    let end = [2.0, 0.5];
    let error = |n: usize| apart(&of_links(n, 3.2 / n as f64, end), &of_line(n, 3.2, end));
    let errors = [8, 16, 32, 64].map(error);
    for pair in errors.windows(2) {
        assert!(pair[1] < 0.5 * pair[0], "{errors:?}");
    }
    assert!(errors[1] < 0.02, "{errors:?}");
}
