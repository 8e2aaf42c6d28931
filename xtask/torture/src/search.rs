//! The greatest f that brute force finds.
//!
//! Whatever direction is found, f there is a lower bound on the signed gap of the bodies: a search that misses the
//! maximum accuses nobody. Directions are looked at in a spiral over the sphere, a third of them as they are and the
//! others pressed towards the normals of A's and of B's faces; then the best ones are followed uphill in shrinking
//! steps, along and across the axes of the bodies, where the kinks of f run, and where the points of support say that f
//! grows.

use crate::body::Body;
use crate::couple::Couple;
use crate::placement::Placed;
use crate::vector::{Vector, along, dot, length, minus, tangents, times, unit};
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

impl Budget {
    /// Whether more than the plain search is to be done.
    pub fn is_deep(self) -> bool {
        self.directions > PLAIN.directions
    }
}

/// Only what is known.
pub const KNOWN: Budget = Budget { directions: 0, followed: 0, rounds: 0 };
/// For every overlap: a search of 60 times as much finds no lesser depth in 8,000 pairs that this one misses.
pub const PLAIN: Budget = Budget { directions: 96, followed: 5, rounds: 40 };
/// For a sampled share, and for whatever is in doubt.
pub const DEEP: Budget = Budget { directions: 600, followed: 12, rounds: 80 };

/// The best normal that was found and f there; `known` are normals worth looking at.
pub fn greatest(couple: &Couple<'_>, known: &[Vector], budget: Budget) -> (f64, Vector) {
    if let Some(n) = couple.given_normal() {
        return (couple.f(&n), n);
    }
    let mut seen: Vec<(f64, Vector)> = Vec::with_capacity(budget.directions + 64);
    let mut look = |n: Vector| {
        if let Some(n) = unit(&n) {
            seen.push((couple.f(&n), n));
        }
    };
    known.iter().for_each(|n| look(*n));
    if budget.directions == 0 {
        return best_of(&mut seen);
    }
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
    let mut best = best_of(&mut seen);
    let axes = couple.axes();
    let mut from: Vec<Vector> = Vec::new();
    for (_, n) in &seen {
        if from.len() == budget.followed {
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

/// Sorts by f, the greatest first, and returns that.
fn best_of(seen: &mut [(f64, Vector)]) -> (f64, Vector) {
    seen.sort_by(|x, y| y.0.total_cmp(&x.0));
    seen.first().copied().unwrap_or((f64::NEG_INFINITY, [0.0, 0.0, 1.0]))
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

/// By how much a point x from a body's origin is outside, at least; `n` is the normal that it is said to have.
///
/// Any direction d with d·x > h(d) shows it. The gradient of an implicit function is the best one; where the body has
/// none d·x − h(d) is followed uphill.
pub fn outside(body: &Placed<'_>, x: &Vector, n: &Vector, enough: f64) -> f64 {
    if x.iter().any(|x| !x.is_finite()) {
        return f64::INFINITY;
    }
    let local = body.rotation.back(x);
    let (mut worst, mut from) = (f64::NEG_INFINITY, *n);
    let mut look = |d: &Vector| {
        if let Some(d) = unit(d) {
            let by = dot(&d, &local) - body.body.support(&d);
            if by > worst {
                (worst, from) = (by, body.rotation.out(&d));
            }
        }
    };
    body.body.outward(&local).iter().for_each(&mut look);
    look(&body.rotation.back(n));
    for axis in body.body.axes() {
        look(&axis);
        look(&times(-1.0, &axis));
    }
    let is_near = |x: &Vector| length(&minus(x, &body.body.point(&body.rotation.back(n)))) <= enough;
    if worst > enough || !matches!(body.body, Body::Sum { .. } | Body::Harmonics(_)) || is_near(&local) {
        return worst;
    }
    let nothing = Body::Sphere { radius: 0.0 };
    let point = Placed::new(&nothing, [0.0; 3], [1.0, 0.0, 0.0, 0.0]);
    let couple = Couple { a: body, b: &point, r: *x, size: body.body.reach(), far: 0.0 };
    let axes = couple.axes();
    let climb = |n: Vector| follow(&couple, &axes, n, PLAIN.rounds).0;
    climb(from).max(climb(*n))
}
