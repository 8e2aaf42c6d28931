//! Solids of which at least one has no support function: tori, half tori, links, bounded hyperboloids and paraboloids.
//!
//! Rims, caps, edges and corners belong to a solid.
//!
//! Separate solids: the answer is the least distance of two points, one of each. p and q are two points of the solids,
//! so that ∣q − p∣ is an upper bound; the lower bound is that of `descent`, proved for every pair of slices. The
//! certificate is `Separate` with both; it is certified where they close to [`TOLERANCE`].
//!
//! Overlapping solids: a point that both have is known. The answer is a common normal at that place: p on the boundary
//! of A with the outer normal n, q on that of B with −n, q − p = g n, g < 0, and the way from q to p leads through B
//! as far as a common point and through A from there on: p in B and q in A, or one of them beyond a solid that is
//! pierced. Of those that were found the one of least depth is taken. To move B by −g along n parts the solids there to
//! first order; whether a shorter way exists is not known, hence `Stationary`, never certified. Where no common normal
//! is found, p and q are where the line along n through the common point leaves both solids, and `residual` says by how
//! much the normals differ from n, as a share of the size.
//!
//! Tubes about curves, such as tori and links, need no slices where a common normal is known: `walk` proves it along
//! their curves, and `curves` guesses it.
//!
//! A warm start begins with the common normal next to the one that is known (`follow`): separate solids have the same
//! distance and the same proof, overlapping ones stay on their branch.
//!
//! Both orders of A and B give the same answer because the pair is put in one order first.

mod active;
mod body;
mod cell;
mod coaxial;
mod constrained;
mod curves;
mod descent;
mod exit;
mod follow;
mod gjk;
mod linear;
mod neighbourhood;
mod newton;
mod outcome;
mod overlap;
mod polish;
mod probe;
mod split;
mod tube;
mod walk;
mod walk_cylinder;
mod walk_pair;

use super::Start;
use super::relative::Frame;
use super::touch::{Certificate, TOLERANCE, Touch};
use body::{Body, Kind};
use coaxial::Parts;
use descent::Descent;
use outcome::{Nearest, SolidOutcome};
use overlap::Place;
use rattleback_geom::surface::Shape;
use rattleback_geom::{Pose, Vec3};

/// Roundings of a support function and of the way between frames, in units of 2⁻⁵² of the size: lower bounds give so
/// much.
const ROUNDINGS: f64 = 128.0;

/// The touch of two solids; none where one of them is neither convex with a support function nor a stack of slices.
pub(crate) fn solve(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, start: Start) -> Option<Touch> {
    let known = match start {
        Start::Warm(n) => n.try_normalize(0.0),
        Start::Cold | Start::Search => None,
    };
    if comes_second(a, pose_a, b, pose_b) {
        return Some(solve_in_order(b, pose_b, a, pose_a, known.map(|n| -n))?.swapped());
    }
    solve_in_order(a, pose_a, b, pose_b, known)
}

/// Whether A comes after B in the order in which pairs are solved: stacks before convex bodies, then by kind and box,
/// then by place.
fn comes_second(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> bool {
    let key = |shape: &Shape| {
        let (surface, bounds) = (shape.surface(), shape.surface().bounds());
        (surface.as_sliced().is_none(), surface.kind(), bounds.min, bounds.max)
    };
    let place = |pose: &Pose| (pose.position, pose.orientation.coords);
    let (first, second) = (key(a), key(b));
    let kinds = (first.0, first.1).cmp(&(second.0, second.1));
    let vectors = |x: &Vec3, y: &Vec3| (0..3).map(|i| x[i].total_cmp(&y[i])).find(|o| o.is_ne());
    let places = || {
        let (x, y) = (place(pose_a), place(pose_b));
        let turn = || (0..4).map(|i| x.1[i].total_cmp(&y.1[i])).find(|o| o.is_ne());
        vectors(&x.0, &y.0).or_else(turn)
    };
    let order = if kinds.is_ne() { Some(kinds) } else { None }
        .or_else(|| vectors(&first.2, &second.2))
        .or_else(|| vectors(&first.3, &second.3))
        .or_else(places);
    order.is_some_and(|o| o.is_gt())
}

/// `known` is the normal of a moment ago.
fn solve_in_order(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, known: Option<Vec3>) -> Option<Touch> {
    let bodies = Body::pair(a, pose_a, b, pose_b)?;
    if matches!(bodies[0].kind, Kind::Convex(_)) {
        return None;
    }
    let middle = |body: &Body<'_>| body.point_in_pair(&body.bounds.centre());
    let way = middle(&bodies[1]) - middle(&bodies[0]);
    let size = bodies[0].size + bodies[1].size + way.norm();
    let first = way.try_normalize(0.0).unwrap_or_else(Vec3::x);
    let frame = Frame::new(pose_a);
    let Parts { parts, beside } = Parts::of(&bodies, size);
    let mut descent = Descent::new(&bodies, size);
    let followed = match known {
        Some(n) => descent.follow(&pose_a.vector_to_local(&n)),
        None => descent.along_curves(),
    };
    match followed.unwrap_or_else(|| descent.run(parts, &first)) {
        SolidOutcome::Apart(nearest) => {
            Some(apart(&frame, &Nearest { lower: nearest.lower - beside, ..nearest }, size))
        }
        SolidOutcome::Overlap { common: Some(common), iterations, .. } => {
            Some(overlap::answer(&frame, &common, 0.0, iterations))
        }
        SolidOutcome::Overlap { x, n, iterations, .. } => {
            let known = known.map(|n| pose_a.vector_to_local(&n));
            Some(match descent.unproved {
                Some(common) => overlap::answer(&frame, &common, 0.0, iterations),
                None => overlap::solve(&bodies, &frame, &Place { x, n, known }, size, iterations),
            })
        }
    }
}

fn apart(frame: &Frame<'_>, nearest: &Nearest, size: f64) -> Touch {
    let Nearest { common, lower, iterations, .. } = nearest;
    let way = common.q - common.p;
    let upper = way.norm();
    // Along the way itself where it is long enough to have a direction; at contact along the normals.
    let n = if upper > 1e-6 * size { way / upper } else { common.n };
    let gap = n.dot(&way);
    let lower = lower - ROUNDINGS * f64::EPSILON * size;
    Touch {
        gap,
        normal: frame.vector(&n),
        point_a: frame.point(&common.p),
        point_b: frame.point(&common.q),
        iterations: *iterations,
        residual: (way - n * gap).norm(),
        certificate: Certificate::Separate { lower, upper },
        certified: lower > 0.0 && upper - lower <= TOLERANCE * size,
    }
}
