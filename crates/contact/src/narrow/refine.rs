//! The last digits where a normal no longer tells the points apart.
//!
//! On a nearly flat face the radius of curvature is so large that the rounding of n moves the support point by more
//! than the tolerance. There the points become the unknowns. With p on A, q on B, their outer normals n and m, the
//! shape operators S_A, S_B on the tangent plane (curvatures, small where the surface is flat), e the tangent part of
//! q − p, ν that of n + m and f = n·(q − p), the displacements x of p and y of q satisfy to first order
//!
//!   e + y − x − f S_A x = 0,   ν + S_A x + S_B y = 0
//!   ⇒ (S_A + S_B + f S_B S_A) x = S_B e − ν,   y = x + f S_A x − e
//!
//! which is Lopes' system (9) with the normals eliminated. A nearly singular matrix (two parallel faces: any point of
//! them will do) is solved by least squares with a cut.
//!
//! Where only one of the bodies has an implicit function, the other one's point follows from the normal of the first, m
//! = −n, and moves by R_B m's change, R_B the radii of curvature: y = −R_B S_A x, and
//!
//!   (1 + (R_B + f) S_A) x = e
//!
//! which is regular on a flat face, S_A = 0.

use super::bodies::Bodies;
use super::climb::{Reading, read};
use super::relative::Relative;
use super::touch::ROUNDING;
use rattleback_geom::Vec3;
use rattleback_geom::curvature::{tangent_block, tangents};
use rattleback_geom::nalgebra::{Matrix2, Vector2};
use rattleback_geom::surface::Implicit;

/// A pair of points, in A's frame, with the outer normal of A at p.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Refined {
    pub n: Vec3,
    pub p: Vec3,
    pub q: Vec3,
    pub residual: f64,
    pub iterations: u32,
}

const MAX_ITERATIONS: u32 = 40;

/// The point of the surface near x: Newton along the gradient. Gauges of degree one need one step.
pub(super) fn project(f: &dyn Implicit, x: &Vec3) -> Vec3 {
    let mut x = *x;
    for _ in 0..8 {
        let (value, g) = (f.value(&x), f.gradient(&x));
        let g2 = g.norm_squared();
        if !(g2 > 0.0) || value.abs() < 5e-16 {
            break;
        }
        x -= g * (value / g2);
    }
    x
}

pub(super) fn shape_block(f: &dyn Implicit, x: &Vec3, t: &Vec3, u: &Vec3) -> Matrix2<f64> {
    let norm = f.gradient(x).norm();
    let [a, b, c] = tangent_block(&f.hessian(x), t, u).map(|v| v / norm);
    Matrix2::new(a, b, b, c)
}

/// Whether x is a point of the body to rounding: a body with an implicit function for its whole surface is star-shaped
/// about its origin, so that what is inside after shrinking by a share of itself is as near to the body as that share.
pub(super) fn is_on_body(f: &dyn Implicit, x: &Vec3) -> bool {
    f.value(&(x * (1.0 - ROUNDING))) <= 0.0
}

/// Refines the points from `p` and `q` (A's frame) and returns the best pair met; none where the iteration left the
/// bodies.
pub(crate) fn refine(
    a: &dyn Implicit,
    b: &dyn Implicit,
    rel: &Relative,
    p: &Vec3,
    q: &Vec3,
    size: f64,
) -> Option<Refined> {
    let to_b = |x: &Vec3| rel.in_b(&(x - rel.r));
    let (mut p, mut q) = (project(a, p), project(b, &to_b(q)));
    let mut best: Option<Refined> = None;
    let mut since = 0;
    for iterations in 1..=MAX_ITERATIONS {
        let n = a.gradient(&p).normalize();
        let m = rel.in_a(&b.gradient(&q).normalize());
        let q_a = rel.r + rel.in_a(&q);
        let g = q_a - p;
        let (t, u) = tangents(&n);
        let e = Vector2::new(t.dot(&g), u.dot(&g));
        let nu = Vector2::new(t.dot(&m), u.dot(&m));
        let residual = e.norm().hypot(size * nu.norm());
        if !residual.is_finite() {
            break;
        }
        let on_bodies = is_on_body(a, &p) && is_on_body(b, &q);
        if on_bodies && best.is_none_or(|b| residual < b.residual) {
            best = Some(Refined { n, p, q: q_a, residual, iterations });
            since = 0;
        } else {
            since += 1;
        }
        if residual <= 1e-15 * size || since > 6 {
            break;
        }
        let f = n.dot(&g);
        let sa = shape_block(a, &p, &t, &u);
        let (tb, ub) = (rel.in_b(&t), rel.in_b(&u));
        let sb = shape_block(b, &q, &tb, &ub);
        let matrix = sa + sb + sb * sa * f;
        let svd = matrix.svd(true, true);
        let Ok(mut x) = svd.solve(&(sb * e - nu), 1e-12 * svd.singular_values.max()) else { break };
        let mut y = x + sa * x * f - e;
        // No farther than a fifth of the size in one go.
        let longest = x.norm().max(y.norm());
        if longest > 0.2 * size {
            x *= 0.2 * size / longest;
            y *= 0.2 * size / longest;
        }
        p = project(a, &(p + t * x[0] + u * x[1]));
        q = project(b, &(q + tb * y[0] + ub * y[1]));
    }
    best
}

/// The same where only `body`, whose implicit function is `f`, is asked for a point, and the other one for that of the
/// opposite normal.
pub(crate) fn refine_one<P: Bodies>(
    bodies: &P,
    rel: &Relative,
    (body, f): (usize, &dyn Implicit),
    at: &Reading,
    size: f64,
) -> Option<Refined> {
    let is_first = body == 0;
    // The frame of the body, and its sign: its outer normal is ±n.
    let sign = if is_first { 1.0 } else { -1.0 };
    let to_own = |v: &Vec3| if is_first { *v } else { rel.in_b(v) };
    let from_own = |v: &Vec3| if is_first { *v } else { rel.in_a(v) };
    let origin = if is_first { Vec3::zeros() } else { rel.r };
    let mut x = project(f, &to_own(&(if is_first { at.p } else { at.q } - origin)));
    let mut best: Option<Refined> = None;
    let mut since = 0;
    for iterations in 1..=MAX_ITERATIONS {
        let n = from_own(&f.gradient(&x).normalize()) * sign;
        let at = read(bodies, rel, &n);
        let own = origin + from_own(&x);
        let (p, q) = if is_first { (own, at.q) } else { (at.p, own) };
        let (g, (t, u)) = (q - p, at.basis);
        let e = Vector2::new(t.dot(&g), u.dot(&g));
        let residual = e.norm();
        if !residual.is_finite() {
            break;
        }
        if is_on_body(f, &x) && best.is_none_or(|b| residual < b.residual) {
            best = Some(Refined { n, p, q, residual, iterations });
            since = 0;
        } else {
            since += 1;
        }
        if residual <= 1e-16 * size || since > 2 {
            break;
        }
        let (t, u) = (to_own(&t), to_own(&u));
        let [a, b, c] = at.radii[1 - body];
        let gap = n.dot(&g);
        let matrix = Matrix2::identity() + Matrix2::new(a + gap, b, b, c + gap) * shape_block(f, &x, &t, &u);
        let Some(inverse) = matrix.try_inverse() else { break };
        let step = inverse * e * sign;
        // No farther than a fifth of the size in one go.
        let step = step * (0.2 * size / step.norm()).min(1.0);
        x = project(f, &(x + t * step[0] + u * step[1]));
    }
    best
}
