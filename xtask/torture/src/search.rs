//! The greatest f that brute force finds.
//!
//! Whatever direction is found, f there is a lower bound on the signed gap of the bodies: a search that misses the maximum
//! accuses nobody. Directions are looked at in a spiral over the sphere, a third of them as they are and the others pressed
//! towards the normals of A's and of B's faces; then the best ones are followed uphill in shrinking steps, along and across
//! the axes of the bodies, where the kinks of f run, and where the points of support say that f grows.

use crate::couple::Couple;
use crate::vector::{Vector, along, dot, length, tangents, times, unit};
use std::f64::consts::PI;

/// How much may be spent on a pair.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    /// Directions of the spiral.
    pub directions: usize,
    /// How many of the best are followed.
    pub followed: usize,
    /// Rounds of steps for each.
    pub rounds: usize,
}

/// For every pair.
pub const PLAIN: Budget = Budget { directions: 48, followed: 3, rounds: 24 };
/// For a sampled share, and for whatever is in doubt.
pub const DEEP: Budget = Budget { directions: 600, followed: 12, rounds: 80 };

/// The best normal that was found and f there. The search ends early above `enough`.
pub fn greatest(couple: &Couple<'_>, known: &[Vector], budget: Budget, enough: f64) -> (f64, Vector) {
    if let Some(n) = couple.given_normal() {
        return (couple.f(&n), n);
    }
    let axes = couple.axes();
    let mut seen: Vec<(f64, Vector)> = Vec::with_capacity(budget.directions + 64);
    let mut look = |n: Vector| {
        if let Some(n) = unit(&n) {
            seen.push((couple.f(&n), n));
        }
    };
    known.iter().for_each(|n| look(*n));
    couple.special().into_iter().for_each(&mut look);
    let widths = [couple.a, couple.b].map(|body| {
        [0, 1, 2].map(|i| {
            let axis = body.rotation.axis(i);
            0.5 * (body.support(&axis) + body.support(&times(-1.0, &axis)))
        })
    });
    for (k, u) in spiral(budget.directions).enumerate() {
        match k % 3 {
            0 => look(u),
            body => {
                let placed = [couple.a, couple.b][body - 1];
                look(placed.rotation.out(&[0, 1, 2].map(|i| u[i] / widths[body - 1][i])));
            }
        }
    }
    seen.sort_by(|x, y| y.0.total_cmp(&x.0));
    let mut best = seen.first().copied().unwrap_or((f64::NEG_INFINITY, [0.0, 0.0, 1.0]));
    let mut from: Vec<Vector> = Vec::new();
    for (_, n) in &seen {
        if from.len() == budget.followed || best.0 > enough {
            break;
        }
        // Another start a few degrees away leads to the same top.
        if from.iter().any(|m| dot(n, m) > 0.99) {
            continue;
        }
        from.push(*n);
        let top = follow(couple, &axes, *n, budget.rounds);
        if top.0 > best.0 {
            best = top;
        }
    }
    best
}

/// Directions spread evenly over the sphere.
fn spiral(count: usize) -> impl Iterator<Item = Vector> {
    let golden = PI * (3.0 - 5_f64.sqrt());
    (0..count).map(move |k| {
        let z = 1.0 - (2 * k + 1) as f64 / count as f64;
        let (s, c) = (golden * k as f64).sin_cos();
        let ring = (1.0 - z * z).sqrt();
        [ring * c, ring * s, z]
    })
}

/// Uphill from n.
fn follow(couple: &Couple<'_>, axes: &[Vector], n: Vector, rounds: usize) -> (f64, Vector) {
    let mut best = (couple.f(&n), n);
    let mut step = 0.1;
    for round in 0..rounds {
        let before = best;
        let n = best.1;
        let axis = if axes.is_empty() { [0.0, 0.0, 1.0] } else { axes[round % axes.len()] };
        let mut look = |m: Vector| {
            if let Some(m) = unit(&m) {
                let f = couple.f(&m);
                if f > best.0 {
                    best = (f, m);
                }
            }
        };
        let [t, u] = tangents(&n, &axis);
        for direction in [t, u] {
            look(along(&n, step, &direction));
            look(along(&n, -step, &direction));
        }
        let g = couple.across(&n);
        let uphill = along(&g, -dot(&n, &g), &n);
        if let Some(uphill) = unit(&uphill) {
            look(along(&n, step, &uphill));
        }
        let tilt = dot(&n, &axis);
        if tilt.abs() < 4.0 * step {
            look(along(&n, -tilt, &axis));
        }
        step = if best.0 > before.0 { step * 1.3 } else { step * 0.3 };
        if step < 1e-12 {
            break;
        }
    }
    best
}

/// By how much a point x from a body's origin is outside, at least.
pub fn outside(body: &crate::placement::Placed<'_>, x: &Vector, hints: &[Vector]) -> f64 {
    let local = body.rotation.back(x);
    let mut worst = f64::NEG_INFINITY;
    let mut from = [0.0, 0.0, 1.0];
    let mut look = |d: &Vector| {
        if let Some(d) = unit(d) {
            let by = dot(&d, &local) - body.body.support(&d);
            if by > worst {
                (worst, from) = (by, d);
            }
        }
    };
    body.body.outward(&local).iter().for_each(&mut look);
    hints.iter().for_each(|n| look(&body.rotation.back(n)));
    body.body.axes().iter().for_each(|axis| {
        look(axis);
        look(&times(-1.0, axis));
    });
    if length(&local).is_nan() { f64::INFINITY } else { worst }
}
