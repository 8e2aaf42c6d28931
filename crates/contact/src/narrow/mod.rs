//! The narrow phase: two bodies, one answer.
//!
//! [`touch`] dispatches once per pair on the shapes and their views:
//!
//! | pair | solver | evidence |
//! |---|---|---|
//! | sphere – sphere | closed form | bounds, global branch |
//! | plane – support, solid of slices or mesh | closed form | bounds, global branch |
//! | ellipsoid or sphere – ellipsoid or sphere | [`pair::ellipsoid_ellipsoid`] | bounds; overlap proved global |
//! | sphere – box, hull; boxes whose cores overlap | closed form, [`pair`] | bounds, global branch |
//! | hollow carrier – sphere, capsule, box, hull | closed form, `cavity` | bounds; overlap of a ball and one wall |
//! | support – support | Newton on the sphere of normals, over its kinks, points blended where faces are flat | bounds; overlap proved global |
//! | torus, link, bounded quadric – another or support | `solid`: branch and bound over slices | bounds; none under overlap |
//! | mesh – mesh, box or hull with true edges | [`crate::region`]: nearest triangles of both trees, the deepest region | bounds; none under overlap |
//! | others with implicit or parametric views | Lopes' system globalised, four parameters | none |
//!
//! [`Solver`] offers the solvers of the literature by name.
//!
//! The solvers of the literature beside it, each for its own view, return a [`Solution`]:
//!
//! | module | view | source |
//! |---|---|---|
//! | [`lopes`] | implicit, open surfaces with their bounds | Lopes et al. 2010 |
//! | [`parametric`] | parametric, convex or not | Lopes et al. 2010, (6a, 6b) |
//! | [`roemer`] | support | Römer et al., section 5 |
//! | [`gilbert`] | support, bodies apart | Gilbert, Johnson, Keerthi 1988 |

mod argument;
mod around;
mod axial;
mod balls;
mod blend;
mod bodies;
mod candidate;
mod climb;
mod damped;
mod expand;
mod faces;
pub mod gilbert;
mod gjk;
mod kinks;
mod least_depth;
pub mod lopes;
mod nearest;
pub mod pair;
pub mod parametric;
mod polytope;
mod prove;
mod refine;
mod relative;
pub mod roemer;
mod search;
mod second_order;
mod simplex;
mod solid;
mod solver;
mod starts;
mod straight;
mod support_support;
mod touch;

pub use solver::Solver;
pub use touch::{Branch, Certificate, TOLERANCE, Touch};

use crate::cavity;
use crate::error::{ContactError, Result};
use rattleback_geom::surface::{Cuboid, Ellipsoid, Shape, Support};
use rattleback_geom::{LENGTHS, Pose, Vec3};
use support_support::Placed;

pub(crate) use pair::plane_support::solve as plane_touch;

/// A common normal of two surfaces, in world axes: what the solvers of the literature return.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Solution {
    /// Signed gap (q − p)·n in m.
    pub gap: f64,
    /// Unit normal from A to B.
    pub normal: Vec3,
    /// The point p of A.
    pub point_a: Vec3,
    /// The point q of B.
    pub point_b: Vec3,
    /// Evaluations of both surfaces.
    pub iterations: u32,
    /// How far the common-normal conditions are from holding, in m: the length of the part of q − p across n, or
    /// what the solver's own equations leave if that is more.
    pub residual: f64,
}

/// Where an iteration begins.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Start {
    /// Nothing is known: under overlap the least translation is found and proved.
    #[default]
    Cold,
    /// Nothing is known, and no proof is asked for: under overlap the least translation that a search over the sphere
    /// finds. Certified only where balls inside the bodies prove it at once; separate bodies are as after `Cold`.
    Search,
    /// The normal of a moment ago, in world axes: its branch is followed.
    Warm(Vec3),
}

impl Start {
    /// The same for the bodies in the other order.
    pub(crate) fn swapped(self) -> Self {
        match self {
            Self::Warm(n) => Self::Warm(-n),
            other => other,
        }
    }

    /// Whether a warm start says a direction.
    #[inline(always)]
    fn has_direction(&self) -> bool {
        match self {
            Self::Warm(n) => n.norm_squared() > 0.0 && n.norm_squared().is_finite(),
            Self::Cold | Self::Search => true,
        }
    }

    /// Whether a search has led to a top that is strict among its neighbours: what it promises under overlap.
    fn is_content(self, found: &Touch) -> bool {
        self == Self::Search
            && matches!(found.certificate, Certificate::Overlap { gradient, margin, .. } if margin > gradient)
    }
}

/// The nearest points of two bodies, or the deepest ones where they overlap.
///
/// An answer is finite; where numbers left the range of a double, the error says so.
pub fn touch(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, start: Start) -> Result<Touch> {
    // The pairs that are asked most often: nothing is checked that their own answers show. Where a number is none,
    // nothing is certified.
    let near = pose_a.position.norm_squared() + pose_b.position.norm_squared() <= LENGTHS[1] * LENGTHS[1];
    match (a, b) {
        (Shape::Ellipsoid(x), Shape::Ellipsoid(y)) if near && start.has_direction() => {
            ellipsoids(x, pose_a, y, pose_b, start)
        }
        (Shape::Superellipsoid(_), Shape::Superellipsoid(_))
            if is_pose(pose_a) && is_pose(pose_b) && start.has_direction() =>
        {
            superellipsoids(a, pose_a, b, pose_b, start)
        }
        _ => any(a, pose_a, b, pose_b, start),
    }
}

/// [`touch`] by the table, whatever the bodies are.
#[inline(never)]
fn any(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, start: Start) -> Result<Touch> {
    check(pose_a, "pose_a")?;
    check(pose_b, "pose_b")?;
    if let Start::Warm(n) = start
        && !start.has_direction()
    {
        let allowed = "a finite vector of non-zero length";
        return Err(ContactError::OutOfRange { field: "warm normal".to_owned(), value: n.norm(), allowed });
    }
    match (a, b) {
        (Shape::Sphere(x), Shape::Sphere(y)) => Ok(pair::sphere_sphere::solve(x, pose_a, y, pose_b)),
        (Shape::Ellipsoid(x), Shape::Ellipsoid(y)) => ellipsoids(x, pose_a, y, pose_b, start),
        (Shape::Ellipsoid(x), Shape::Sphere(y)) => {
            let ball = Vec3::repeat(y.radius());
            let found = with_ball(x.semi_axes(), pose_a, &ball, pose_b, start);
            Ok(if found.certified { found } else { another_way(a, pose_a, b, pose_b, start, found) })
        }
        (Shape::Sphere(x), Shape::Ellipsoid(y)) => {
            let ball = Vec3::repeat(x.radius());
            let found = with_ball(&ball, pose_a, y.semi_axes(), pose_b, start);
            Ok(if found.certified { found } else { another_way(a, pose_a, b, pose_b, start, found) })
        }
        (Shape::Plane(x), Shape::Ellipsoid(y)) => {
            finite(pair::plane_support::solve(x, pose_a, |d| y.support_point(d), pose_b))
        }
        (Shape::Cavity(_), _) | (_, Shape::Cavity(_)) => cavity::nearest(a, pose_a, b, pose_b),
        (Shape::Plane(x), _) => finite(plane(x, pose_a, b, pose_b)?),
        (Shape::Cuboid(x), Shape::Sphere(y)) => finite(pair::sphere_box::solve(x, pose_a, y, pose_b)),
        (Shape::Sphere(x), Shape::Cuboid(y)) => {
            finite(pair::sphere_box::solve(y, pose_b, x, pose_a).swapped())
        }
        (Shape::ConvexHull(x), Shape::Sphere(y)) => match pair::sphere_hull::solve(x, pose_a, y, pose_b)? {
            Some(found) => finite(found),
            None => {
                let (hull, ball): (&dyn Support, &dyn Support) = (x.as_ref(), y);
                finite(support_support::solve(&placed(hull, a, pose_a), &placed(ball, b, pose_b), start))
            }
        },
        (Shape::Sphere(_), Shape::ConvexHull(_)) => {
            touch(b, pose_b, a, pose_a, start.swapped()).map(Touch::swapped)
        }
        (_, Shape::Plane(y)) => finite(plane(y, pose_b, a, pose_a)?.swapped()),
        (Shape::Mesh(x), Shape::Mesh(y)) => finite(crate::region::touch_of_meshes(x, pose_a, y, pose_b)?),
        (Shape::Mesh(_), Shape::Cuboid(_) | Shape::ConvexHull(_))
        | (Shape::Cuboid(_) | Shape::ConvexHull(_), Shape::Mesh(_)) => match (a.mesh(), b.mesh()) {
            (Some(x), Some(y)) => finite(crate::region::touch_of_meshes(x, pose_a, y, pose_b)?),
            _ => search::solve(a, pose_a, b, pose_b, start),
        },
        (Shape::Cuboid(x), Shape::Cuboid(y)) => finite(boxes([x, y], [a, b], [pose_a, pose_b], start)),
        _ => match (a.surface().as_support(), b.surface().as_support()) {
            (Some(x), Some(y)) => {
                finite(support_support::solve(&placed(x, a, pose_a), &placed(y, b, pose_b), start))
            }
            _ => search::solve(a, pose_a, b, pose_b, start),
        },
    }
}

/// Two ellipsoids. The answer is written where the caller wants it, once it is known to be the last one.
#[inline(never)]
fn ellipsoids(a: &Ellipsoid, pose_a: &Pose, b: &Ellipsoid, pose_b: &Pose, start: Start) -> Result<Touch> {
    let found = pair::ellipsoid_ellipsoid::solve(a.semi_axes(), pose_a, b.semi_axes(), pose_b, start);
    if found.certified || start.is_content(&found) { Ok(found) } else { prove(a, pose_a, b, pose_b, start) }
}

/// Two superellipsoids.
#[inline(never)]
fn superellipsoids(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, start: Start) -> Result<Touch> {
    let (Shape::Superellipsoid(x), Shape::Superellipsoid(y)) = (a, b) else {
        return any(a, pose_a, b, pose_b, start);
    };
    Ok(support_support::superellipsoids(&placed(x, a, pose_a), &placed(y, b, pose_b), start))
}

/// The same where one is a ball.
#[inline(never)]
fn with_ball(a: &Vec3, pose_a: &Pose, b: &Vec3, pose_b: &Pose, start: Start) -> Touch {
    pair::ellipsoid_ellipsoid::solve(a, pose_a, b, pose_b, start)
}

/// The answer for ellipsoids that got no certificate, because a pose is no pose or the pair is hard: asked again, so
/// that the quick way need not keep what it found.
#[cold]
#[inline(never)]
fn prove(a: &Ellipsoid, pose_a: &Pose, b: &Ellipsoid, pose_b: &Pose, start: Start) -> Result<Touch> {
    check(pose_a, "pose_a")?;
    check(pose_b, "pose_b")?;
    let found = with_ball(a.semi_axes(), pose_a, b.semi_axes(), pose_b, start);
    let [a, b] = [a, b].map(|body| Shape::Ellipsoid(*body));
    Ok(another_way(&a, pose_a, &b, pose_b, start, found))
}

/// Ellipsoids without a certificate as any two bodies with support functions: balls are peeled off, and points closed
/// without derivatives.
#[cold]
fn another_way(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, start: Start, found: Touch) -> Touch {
    if start.is_content(&found) {
        return found;
    }
    let (Some(x), Some(y)) = (a.surface().as_support(), b.surface().as_support()) else { return found };
    let other = support_support::solve(&placed(x, a, pose_a), &placed(y, b, pose_b), start);
    if other.certified { other } else { found }
}

/// Boxes that overlap have a closed form; others are bodies with support functions.
fn boxes(boxes: [&Cuboid; 2], [a, b]: [&Shape; 2], [pose_a, pose_b]: [&Pose; 2], start: Start) -> Touch {
    let [x, y] = boxes;
    match pair::box_box::overlapping(x, pose_a, y, pose_b) {
        Some(found) if found.certified => found,
        _ => support_support::solve(&placed(x, a, pose_a), &placed(y, b, pose_b), start),
    }
}

fn plane(plane: &rattleback_geom::surface::Plane, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Result<Touch> {
    match b {
        Shape::Torus(torus) => {
            // The farthest point of a ring: outwards by R in the ring's plane, then by r along the direction.
            let farthest = |d: &Vec3| {
                let ring = d.x.hypot(d.y);
                let out = if ring > 0.0 { Vec3::new(d.x / ring, d.y / ring, 0.0) } else { Vec3::x() };
                out * torus.major_radius() + d * (torus.minor_radius() / d.norm())
            };
            Ok(pair::plane_support::solve(plane, pose_a, farthest, pose_b))
        }
        Shape::Link(link) => Ok(pair::plane_support::solve(plane, pose_a, |d| link.farthest(d), pose_b)),
        Shape::Mesh(mesh) => {
            let n = pose_b.vector_to_local(&-pose_a.vector_to_world(plane.normal()));
            let vertex = mesh.mesh().vertices()[mesh.tree().farthest(mesh.mesh(), &n)?];
            Ok(pair::plane_support::solve(plane, pose_a, |_| vertex, pose_b))
        }
        _ => match (b.surface().as_support(), b.surface().as_sliced()) {
            (Some(s), _) => Ok(pair::plane_support::solve(plane, pose_a, |d| s.support_point(d), pose_b)),
            (_, Some(s)) => {
                let whole = s.part(s.range());
                Ok(pair::plane_support::solve(plane, pose_a, |d| s.farthest(&whole, d), pose_b))
            }
            _ => {
                let reason = "a half-space needs a body whose farthest point along a direction is known";
                Err(ContactError::Unsupported { a: "plane", b: b.surface().kind(), reason })
            }
        },
    }
}

/// Refuses an answer that is not a number. Ellipsoids and superellipsoids within the lengths that are accepted have
/// none such.
#[inline(always)]
pub(crate) fn finite(found: Touch) -> Result<Touch> {
    if found.gap.is_finite() {
        return Ok(found);
    }
    Err(ContactError::NotConverged {
        solver: "touch",
        iterations: found.iterations,
        residual: found.residual,
    })
}

fn placed<'a, S: Support + ?Sized>(support: &'a S, shape: &'a Shape, pose: &'a Pose) -> Placed<'a, S> {
    Placed { support, shape, pose }
}

fn unsupported(a: &Shape, b: &Shape, reason: &'static str) -> ContactError {
    ContactError::Unsupported { a: a.surface().kind(), b: b.surface().kind(), reason }
}

pub(crate) fn check(pose: &Pose, name: &str) -> Result<()> {
    if is_pose(pose) { Ok(()) } else { Err(beyond(pose, name)) }
}

/// Whether all numbers are finite and the position is within the longest length, that of a body.
#[inline]
fn is_pose(pose: &Pose) -> bool {
    // The sum is NaN where any number is.
    pose.position.norm_squared() + 0.0 * pose.orientation.coords.sum() <= LENGTHS[1] * LENGTHS[1]
}

#[cold]
fn beyond(pose: &Pose, name: &str) -> ContactError {
    let (far, sum) = (pose.position.norm(), pose.position.sum() + pose.orientation.coords.sum());
    let (value, allowed) = if sum.is_finite() {
        (far, "a position within 1e20 m of the origin")
    } else {
        (sum, "a pose of finite numbers")
    };
    ContactError::OutOfRange { field: name.to_owned(), value, allowed }
}
