//! Cylinders have faces, capsules generators: at the normals of a cap, and along the side's circle of normals, f has kinks where a climb
//! finds no slope to follow. The maximum is often just there.
//!
//! Where it can be: at ± the axis of a cylinder (a cap); on the circle of normals across an axis (the side), where f is
//! smooth along the circle and is climbed by Newton, f″ = −(R + f) with R the radii of both bodies along it; at the
//! cross product of two axes (side against side). At such a normal the points are those of the faces nearest to each
//! other, and if they are opposite each other the bounds close like anywhere else.

use super::bodies::Bodies;
use super::climb::{Reading, read};
use super::relative::Relative;
use rattleback_geom::surface::Shape;
use rattleback_geom::{Mat3, Vec3};

/// Most candidates: for each of two axes the two caps and five climbs on the circle, and two cross products.
pub(crate) const MOST: usize = 16;

/// The axis of a body with straight generators, in its own frame, and whether it has caps across it.
fn axis(shape: &Shape) -> Option<(Vec3, bool)> {
    match shape {
        Shape::Cylinder(_) => Some((Vec3::z(), true)),
        Shape::Capsule(_) => Some((Vec3::z(), false)),
        _ => None,
    }
}

/// Whether some normals of the shape have more than one point.
pub(crate) fn has_faces(shape: &Shape) -> bool {
    axis(shape).is_some()
}

/// The normals at which the faces of two bodies may touch; `from` is where the circles are climbed from.
pub(crate) fn normals<P: Bodies>(
    [shape_a, shape_b]: [&Shape; 2],
    bodies: &P,
    rel: &Relative,
    from: &Vec3,
) -> ([Vec3; MOST], usize) {
    let axes = [axis(shape_a), axis(shape_b).map(|(z, caps)| (rel.rotation * z, caps))];
    let mut list = [Vec3::zeros(); MOST];
    let mut count = 0;
    let mut push = |n: Vec3| {
        list[count] = n;
        count += 1;
    };
    for (axis, caps) in axes.into_iter().flatten() {
        if caps {
            push(axis);
            push(-axis);
        }
        let across = axis.cross(&rel.r);
        for start in [*from, rel.r, -rel.r, across, -across] {
            let flat = start - axis * axis.dot(&start);
            if flat.norm() > 1e-9 * start.norm().max(f64::MIN_POSITIVE) {
                push(around_axis(bodies, rel, &axis, &flat.normalize()));
            }
        }
    }
    if let [Some((x, _)), Some((y, _))] = axes {
        let cross = x.cross(&y);
        if cross.norm() > 1e-9 {
            push(cross.normalize());
            push(-cross.normalize());
        }
    }
    (list, count)
}

/// Climbs along the circle of normals across `axis` by safeguarded Newton steps.
fn around_axis<P: Bodies>(bodies: &P, rel: &Relative, axis: &Vec3, start: &Vec3) -> Vec3 {
    // Across the axis to rounding, whatever the turns before: a normal beside the circle belongs to the rim.
    let on_circle = |n: &Vec3| (n - axis * axis.dot(n)).normalize();
    let mut n = on_circle(start);
    let mut at = read(bodies, rel, &n);
    // Quadratic near the top: ten steps are the usual, forty a bound.
    for _ in 0..40 {
        let t = axis.cross(&n);
        let slope = t.dot(&(at.q - at.p));
        if slope.abs() <= 1e-15 * at.size() {
            break;
        }
        let curvature = along(&at, &t) + at.f;
        let mut turn = slope / if curvature > 0.0 { curvature } else { curvature.abs() + at.size() };
        turn = turn.clamp(-0.5, 0.5);
        let moved = (0..30).find_map(|_| {
            let next_n = on_circle(&(n + t * turn));
            let next = read(bodies, rel, &next_n);
            turn *= 0.5;
            (next.f > at.f).then_some((next_n, next))
        });
        let Some((next_n, next)) = moved else { break };
        (n, at) = (next_n, next);
    }
    n
}

/// The radii of both bodies along the tangent t.
fn along(at: &Reading, t: &Vec3) -> f64 {
    let (x, y) = (at.basis.0.dot(t), at.basis.1.dot(t));
    at.radii.iter().map(|[a, b, c]| a * x * x + 2.0 * b * x * y + c * y * y).sum()
}

/// The points of the faces with normals n and −n that are nearest to each other, in A's frame.
pub(crate) fn points<P: Bodies>(bodies: &P, rel: &Relative, at: &Reading) -> (Vec3, Vec3) {
    if !bodies.has_faces(0) && !bodies.has_faces(1) {
        return (at.p, at.q);
    }
    let rotation: &Mat3 = &rel.rotation;
    let m = -rotation.tr_mul(&at.n);
    let (mut p, mut q) = (at.p, at.q);
    // One round settles a face against a point; two faces take a few.
    for _ in 0..8 {
        p = bodies.face_point(0, &at.n, &q);
        let next = rel.r + rotation * bodies.face_point(1, &m, &rotation.tr_mul(&(p - rel.r)));
        let still = next == q;
        q = next;
        if still {
            break;
        }
    }
    (p, q)
}
