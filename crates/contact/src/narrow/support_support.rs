//! Two bodies with support functions: start, climb, refine, look around, certify.

use super::bodies::{Any, Bodies, Superellipsoids};
use super::climb::{ACROSS, Climb, climb, heights, read};
use super::pair::ellipsoid_ellipsoid::EllipsoidPair;
use super::refine::refine;
use super::relative::Relative;
use super::touch::{Branch, Certificate, Evidence, Touch};
use super::{Start, around, faces, inner_ball};
use rattleback_geom::surface::{Shape, Superellipsoid, Support};
use rattleback_geom::{Pose, Vec3};

/// Added to the directions that are tried: in the planes of symmetry, where they lie, faces are flat and edges sharp, and a
/// reading there says nothing of the slopes beside it. Not for cylinders and capsules, whose faces are just there.
const ASIDE: Vec3 = Vec3::new(0.0017, -0.0023, 0.0031);

/// Above this exponent a superellipsoid is a cylinder or a box to the starts: the inner half of a face has its normals
/// within [`ASIDE`] (0.55⁹ ≈ 0.0046), and a start aside leaves it. (Exponents from 1.05 to 50, 15 000 overlapping pairs:
/// 18 lesser branches instead of 33, 123 evaluations instead of 166.)
const BOXY: f64 = 10.0;

/// A body with a support function, where it is.
pub(crate) struct Placed<'a, S: Support + ?Sized> {
    pub support: &'a S,
    pub shape: &'a Shape,
    pub pose: &'a Pose,
}

/// The touch of two bodies with support functions.
pub(crate) fn solve<'a>(
    a: &Placed<'a, dyn Support + 'a>,
    b: &Placed<'a, dyn Support + 'a>,
    start: Start,
) -> Touch {
    let shapes = [a.shape, b.shape];
    solve_in_either(&Any::new([a.support, b.support], shapes), shapes, [a.pose, b.pose], start)
}

/// The same for superellipsoids.
pub(crate) fn superellipsoids(
    a: &Placed<'_, Superellipsoid>,
    b: &Placed<'_, Superellipsoid>,
    start: Start,
) -> Touch {
    solve_in_either(&Superellipsoids([a.support, b.support]), [a.shape, b.shape], [a.pose, b.pose], start)
}

/// The frame is A's: there a normal tells the points of a flat face apart. If B is the flatter body its own frame
/// serves better, and is taken where A's left the answer without evidence.
fn solve_in_either<P: Bodies>(bodies: &P, shapes: [&Shape; 2], poses: [&Pose; 2], start: Start) -> Touch {
    let touch = solve_in_a(bodies, shapes, poses, start);
    if touch.certified {
        return touch;
    }
    let start = match start {
        Start::Cold => Start::Cold,
        Start::Warm(n) => Start::Warm(-n),
    };
    let [a, b] = shapes;
    let other = solve_in_a(&bodies.swapped(), [b, a], [poses[1], poses[0]], start).swapped();
    let better = other.certified || other.residual < touch.residual;
    Touch { iterations: touch.iterations + other.iterations, ..if better { other } else { touch } }
}

fn solve_in_a<P: Bodies>(
    bodies: &P,
    [shape_a, shape_b]: [&Shape; 2],
    [pose_a, pose_b]: [&Pose; 2],
    start: Start,
) -> Touch {
    let rel = Relative::new(pose_a, pose_b);
    let first = match start {
        Start::Cold => direction(proxy(shape_a, shape_b, &rel).start()),
        Start::Warm(n) => pose_a.vector_to_local(&n),
    };
    let mut top = climb(bodies, &rel, &first, None);
    let proved = -top.at.f <= inner_ball(shape_a, top.at.h[0]) + inner_ball(shape_b, top.at.h[1]);
    let branch = if proved { Branch::Global } else { Branch::Followed };
    let touch = finish(bodies, pose_a, &rel, &top, branch);
    if touch.certified && (touch.gap > 0.0 || proved || start != Start::Cold) {
        return touch;
    }
    // Overlapping bodies may part more easily elsewhere; an answer without evidence may be none.
    let apart = (has_centre(shape_a) && has_centre(shape_b)).then_some(&rel.r);
    let (starts, count) = around::starts_by_two(&rel.rotation, apart, |n| heights(bodies, &rel, n));
    let mut best = Touch { certificate: with_branch(touch.certificate, Branch::Compared), ..touch };
    let mut iterations = touch.iterations;
    let ellipsoids = proxy(shape_a, shape_b, &rel);
    let theirs = direction(ellipsoids.climb(&ellipsoids.start()).at.normal);
    let aside = if has_flat_faces(shape_a) || has_flat_faces(shape_b) { Vec3::zeros() } else { ASIDE };
    for n in std::iter::once(&theirs).chain(&starts[..count]) {
        let other = climb(bodies, &rel, &(n + aside), best.certified.then_some(&top.at));
        iterations += other.iterations;
        let better = other.at.f > top.at.f + 1e-14 * top.at.size();
        if better || !best.certified {
            let found = finish(bodies, pose_a, &rel, &other, Branch::Compared);
            if found.certified && (!best.certified || found.gap > best.gap) {
                best = found;
                top = if better { other } else { top };
            }
        }
    }
    let (normals, count) = faces::normals([shape_a, shape_b], bodies, &rel, &first);
    for n in &normals[..count] {
        let at = read(bodies, &rel, n);
        iterations += 1;
        let found = finish(bodies, pose_a, &rel, &Climb { at, iterations: 1 }, Branch::Compared);
        if found.certified && (!best.certified || found.gap > best.gap) {
            best = found;
        }
    }
    Touch { iterations, ..best }
}

fn with_branch(certificate: Certificate, branch: Branch) -> Certificate {
    match certificate {
        Certificate::Overlap { gradient, margin, .. } => Certificate::Overlap { gradient, margin, branch },
        other => other,
    }
}

/// The touch at the top, with its points refined where the normal leaves them open.
fn finish<P: Bodies>(bodies: &P, pose_a: &Pose, rel: &Relative, top: &Climb, branch: Branch) -> Touch {
    let at = &top.at;
    let size = at.size();
    // Separate bodies need no margin: it is at least f.
    let margin = if at.f > 0.0 { at.f } else { at.margin() };
    let evidence = Evidence::Climbed { margin, branch };
    let (p, q) = faces::points(bodies, rel, at);
    let plain = Touch::new(pose_a, &at.n, &p, &q, top.iterations, size, evidence);
    // Bounds close long before the points are right: what they leave open grows with the root of what they close.
    if plain.certified && plain.residual <= ACROSS * size {
        return plain;
    }
    let (Some(fa), Some(fb)) = (bodies.implicit(0), bodies.implicit(1)) else { return plain };
    let fine = refine(fa, fb, rel, &at.p, &at.q, size);
    if !(fine.residual < plain.residual) {
        return plain;
    }
    let again = refined_touch(bodies, pose_a, rel, &fine, top, branch, size);
    // The refinement follows the equations, not f: it must not have left the top.
    let kept = again.gap >= plain.gap - plain.residual.max(1e-9 * size);
    if kept && (again.certified || !plain.certified && again.residual < plain.residual) {
        again
    } else {
        plain
    }
}

fn refined_touch<P: Bodies>(
    bodies: &P,
    pose_a: &Pose,
    rel: &Relative,
    fine: &super::refine::Refined,
    top: &Climb,
    branch: Branch,
    size: f64,
) -> Touch {
    let iterations = top.iterations + fine.iterations;
    let g = fine.q - fine.p;
    // For separate bodies the best normal is along g itself; at contact it is A's own.
    let along = if n_gap(fine) > 1e-6 * size { g.normalize() } else { fine.n };
    let [first, second] = heights(bodies, rel, [&along, &fine.n]);
    let lower = first.max(second).max(top.at.f);
    if n_gap(fine) > 0.0 {
        return Touch::new(pose_a, &along, &fine.p, &fine.q, iterations, size, Evidence::Bounded { lower });
    }
    let margin = read(bodies, rel, &fine.n).margin();
    Touch::new(pose_a, &fine.n, &fine.p, &fine.q, iterations, size, Evidence::Climbed { margin, branch })
}

fn n_gap(fine: &super::refine::Refined) -> f64 {
    fine.n.dot(&(fine.q - fine.p))
}

/// Whether the shape is its own mirror image in the origin of its frame.
fn has_centre(shape: &Shape) -> bool {
    matches!(
        shape,
        Shape::Sphere(_)
            | Shape::Ellipsoid(_)
            | Shape::Superellipsoid(_)
            | Shape::Superquadric(_)
            | Shape::Capsule(_)
            | Shape::Cylinder(_)
    )
}

/// Whether the shape has faces, or all but has them.
fn has_flat_faces(shape: &Shape) -> bool {
    match shape {
        Shape::Superellipsoid(s) => s.exponents().iter().any(|&e| e > BOXY),
        _ => faces::has_faces(shape),
    }
}

/// The ellipsoids that fill the bodies' boxes. Their start serves the bodies about as well as their answer (5.1 evaluations
/// against 5.0); under overlap their answer often is on the right branch.
fn proxy(a: &Shape, b: &Shape, rel: &Relative) -> EllipsoidPair {
    let (box_a, box_b) = (a.surface().bounds(), b.surface().bounds());
    let r = rel.r + rel.rotation * box_b.centre() - box_a.centre();
    let half = |e: Vec3| (e * 0.5).into();
    let rotation = rel.rotation.transpose();
    let mut rows = [0.0; 9];
    rows.copy_from_slice(rotation.as_slice());
    EllipsoidPair::new(&half(box_a.extents()), &half(box_b.extents()), &rows, &r.into())
}

fn direction(n: [f64; 3]) -> Vec3 {
    let n = Vec3::from(n).normalize();
    if n.iter().all(|x| x.is_finite()) { n } else { Vec3::z() }
}
