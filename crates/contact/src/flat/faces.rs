//! The flat faces and straight sides of bodies, and which of them two bodies turn to each other.
//!
//! | body | faces | side |
//! |---|---|---|
//! | box, hull | its facets, those of the core moved out by the rounding | – (edges: `edge.rs`) |
//! | cylinder, frustum | its ends | the generator that faces the other body |
//! | capsule | – | the same |
//! | superellipsoid, superquadric | those that are all but flat (`flat_spot.rs`) | – |
//! | quadric, superhyperboloid | those that planes cut, the same | – |
//!
//! Those that may lie on each other are ordered by their distance along the common normal: the first is the axis of
//! least depth.

use super::dual::{Frame, Vector};
use crate::flat_spot;
use rattleback_geom::surface::Shape;
use rattleback_geom::{Pose, Vec3};

/// The least cosine between faces that are looked at.
pub(super) const FACING: f64 = 0.5;

/// A face or the side of a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Place {
    Face(usize),
    Side,
    Edge(usize),
}

/// How many flat faces a body may have; the apex of a cone counts, and is none.
pub(super) fn face_count(shape: &Shape) -> usize {
    match shape {
        Shape::Cuboid(_) => 6,
        Shape::ConvexHull(body) => body.facet_count(),
        Shape::Cylinder(_) | Shape::Frustum(_) => 2,
        _ => flat_spot::face_count(shape),
    }
}

/// The outer normal of a face and its middle, in the body's frame.
fn face(shape: &Shape, place: usize) -> Option<[Vec3; 2]> {
    let sign = if place.is_multiple_of(2) { -1.0 } else { 1.0 };
    let end = |half: f64| [Vec3::z() * sign, Vec3::z() * (sign * half)];
    match shape {
        Shape::Cuboid(body) => {
            let (core, i) = (body.core(), place / 2);
            // Rounded by half of its width a box has no area there.
            let has_area = core[(i + 1) % 3] > 0.0 && core[(i + 2) % 3] > 0.0;
            has_area.then(|| [Vec3::ith(i, sign), Vec3::ith(i, sign * (core[i] + body.rounding()))])
        }
        Shape::ConvexHull(body) => {
            let (normal, middle, _) = body.facet(place)?;
            Some([normal, middle + normal * body.rounding()])
        }
        Shape::Cylinder(body) => Some(end(body.half_length())),
        Shape::Frustum(body) => (body.radii()[place % 2] > 0.0).then(|| end(body.half_height())),
        _ => flat_spot::plane(shape, place),
    }
}

/// The faces of a body where it is: which one, its outer normal, and its middle from the point `from`.
pub(super) fn placed((shape, pose): (&Shape, &Pose), from: &Vec3) -> Vec<(usize, Vec3, Vec3)> {
    let placed = |place: usize| {
        let [normal, middle] = face(shape, place)?.map(|v| pose.vector_to_world(&v));
        Some((place, normal, pose.position - from + middle))
    };
    (0..face_count(shape)).filter_map(placed).collect()
}

/// The radius of the end that a face is; none of other faces.
pub(super) fn radius(shape: &Shape, place: usize) -> Option<f64> {
    match shape {
        Shape::Cylinder(body) => Some(body.radius()),
        Shape::Frustum(body) => Some(body.radii()[place % 2]),
        _ => None,
    }
}

/// The corners of a face of a box or a hull, in the body's frame.
pub(super) fn corners(shape: &Shape, place: usize) -> Vec<Vec3> {
    let Some([normal, middle]) = face(shape, place) else { return Vec::new() };
    match shape {
        Shape::Cuboid(body) => {
            let (j, k) = ((place / 2 + 1) % 3, (place / 2 + 2) % 3);
            let [u, v] = [j, k].map(|i| Vec3::ith(i, body.core()[i]));
            vec![middle + u + v, middle - u + v, middle - u - v, middle + u - v]
        }
        Shape::ConvexHull(body) => {
            let out = normal * body.rounding();
            body.facet(place).map_or_else(Vec::new, |(_, _, face)| face.iter().map(|x| x + out).collect())
        }
        _ => flat_spot::corners(shape, place),
    }
}

/// Height and radius of both ends of the straight side.
fn side(shape: &Shape) -> Option<[[f64; 2]; 2]> {
    let straight = |l: f64, r: f64| (l > 0.0).then_some([[-l, r], [l, r]]);
    match shape {
        Shape::Cylinder(body) => straight(body.half_length(), body.radius()),
        Shape::Capsule(body) => straight(body.half_length(), body.radius()),
        Shape::Frustum(body) => {
            let [lower, upper] = body.radii();
            Some([[-body.half_height(), lower], [body.half_height(), upper]])
        }
        _ => None,
    }
}

fn is_straight(shape: &Shape) -> bool {
    matches!(shape, Shape::Cylinder(_) | Shape::Capsule(_))
}

/// Whether a body has faces or a side.
pub(super) fn has_any(shape: &Shape) -> bool {
    face_count(shape) > 0 || side(shape).is_some()
}

/// Whether two bodies can lie on each other with an area or along a line.
pub(super) fn can_meet(a: &Shape, b: &Shape) -> bool {
    has_any(a) && has_any(b) && face_count(a) + face_count(b) > 0 || is_straight(a) && is_straight(b)
}

/// A face or side that is turned to the other body: its outer normal, a point of it, and what outlines it.
pub(super) struct Facing<const N: usize> {
    pub normal: Vector<N>,
    pub origin: Vector<N>,
    /// The radius of the disc, of the side or of the rounding about an edge; zero of other faces.
    pub round: f64,
    /// Whether the body has a curvature there, and as a whole the stiffness of one point.
    pub is_spot: bool,
    pub outline: Outline<N>,
}

/// What outlines it.
pub(super) enum Outline<const N: usize> {
    Circle(f64),
    Corners(Vec<Vector<N>>),
    Ends([Vector<N>; 2]),
}

impl<const N: usize> Facing<N> {
    pub fn of_face(frame: &Frame<'_, N>, shape: &Shape, place: usize) -> Option<Self> {
        let [normal, middle] = face(shape, place)?;
        let outline = match radius(shape, place) {
            Some(radius) => Outline::Circle(radius),
            None => Outline::Corners(corners(shape, place).iter().map(|x| frame.point(x)).collect()),
        };
        let is_spot = flat_spot::face_count(shape) > 0;
        let round = radius(shape, place).unwrap_or(0.0);
        Some(Self { normal: frame.vector(&normal), origin: frame.point(&middle), round, is_spot, outline })
    }

    /// The generator of a side that lies farthest along a direction, as one of the plane whose normal is nearest to it.
    pub fn of_side(frame: &Frame<'_, N>, shape: &Shape, towards: &Vector<N>) -> Option<Self> {
        let axis = frame.vector(&Vec3::z());
        let radial = *towards - axis.scaled(axis.dot(towards));
        if !(radial.dot(&radial).value > f64::MIN_POSITIVE) {
            return None;
        }
        let radial = radial.normalized();
        let middle = frame.point(&Vec3::zeros());
        let heights = side(shape)?;
        let ends = heights.map(|[z, r]| middle + axis * z + radial * r);
        let round = heights[0][1].max(heights[1][1]);
        let along = (ends[1] - ends[0]).normalized();
        let normal = (*towards - along.scaled(along.dot(towards))).normalized();
        let origin = (ends[0] + ends[1]) * 0.5;
        Some(Self { normal, origin, round, is_spot: false, outline: Outline::Ends(ends) })
    }
}

/// From axis to axis of two straight sides, across the mean of their directions.
pub(super) fn between<const N: usize>(a: &Frame<'_, N>, b: &Frame<'_, N>) -> Option<Vector<N>> {
    let [one, other] = [a.vector(&Vec3::z()), b.vector(&Vec3::z())];
    let along = if one.dot(&other).value < 0.0 { one - other } else { one + other }.normalized();
    let arm = b.point(&Vec3::zeros()) - a.point(&Vec3::zeros());
    let across = arm - along.scaled(along.dot(&arm));
    (across.dot(&across).value > f64::MIN_POSITIVE).then(|| across.normalized())
}

/// The faces or sides that may lie on each other, in their order.
pub(super) struct Candidates {
    /// Those between which the sine of the angle is below a bound.
    pub lying: Vec<[Place; 2]>,
    /// The least sine of the angle between all others.
    pub least_tilt: f64,
    /// The diagonal of the bounds of the smaller body.
    pub size: f64,
}

/// The diagonal of the bounds of the smaller body, in m.
pub(super) fn size(shapes: [&Shape; 2]) -> f64 {
    let extents = shapes.map(|shape| shape.surface().bounds().extents().norm());
    extents[0].min(extents[1])
}

/// Those of two bodies; `tilted` is the bound.
pub(super) fn candidates(bodies: [(&Shape, &Pose); 2], tilted: f64) -> Candidates {
    let from = bodies[0].1.position;
    let shapes = bodies.map(|(shape, _)| shape);
    let size = size(shapes);
    let mut lying: Vec<(f64, [Place; 2])> = Vec::new();
    // Those that are not looked at are inclined by more.
    let mut least_tilt = FACING;
    let mut tell = |height: f64, sin: f64, places: [Place; 2]| {
        if sin < tilted {
            lying.push((height, places));
        } else {
            least_tilt = sin.min(least_tilt);
        }
    };
    let faces = bodies.map(|body| placed(body, &from));
    for (i, one, at) in &faces[0] {
        for (k, other, there) in &faces[1] {
            let cos = -one.dot(other);
            if cos > FACING {
                let height = (one - other).normalize().dot(&(there - at));
                tell(height, (1.0 - cos * cos).max(0.0).sqrt(), [Place::Face(*i), Place::Face(*k)]);
            }
        }
    }
    for own in 0..2 {
        let (shape, pose) = bodies[1 - own];
        let Some(ends) = side(shape) else { continue };
        let axis = pose.vector_to_world(&Vec3::z());
        for (place, normal, at) in &faces[own] {
            let [height, sin] = over_face(&ends, normal.dot(&axis));
            if sin * sin < 1.0 - FACING * FACING {
                let mut places = [Place::Face(*place), Place::Side];
                places.rotate_left(own);
                tell(normal.dot(&(pose.position - from - at)) + height, sin, places);
            }
        }
    }
    if shapes.iter().all(|shape| is_straight(shape)) {
        let frames = bodies.map(|(_, pose)| Frame::<'_, 0> { pose, from, motions: [] });
        let [one, other] = bodies.map(|(_, pose)| pose.vector_to_world(&Vec3::z()));
        let sin = one.cross(&other).norm();
        if let Some(n) = between(&frames[0], &frames[1]).filter(|_| sin < FACING) {
            let radii: f64 = shapes.iter().filter_map(|shape| side(shape)).map(|ends| ends[0][1]).sum();
            tell(n.value().dot(&(bodies[1].1.position - from)) - radii, sin, [Place::Side, Place::Side]);
        } else if sin < tilted {
            // Axes that coincide have no direction from one to the other, and may have any the next instant.
            least_tilt = least_tilt.min(tilted);
        }
    }
    lying.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let places = |(_, places)| places;
    let lying = lying.into_iter().map(places).collect();
    Candidates { lying, least_tilt, size }
}

/// The height of the middle of the generator that lies lowest over a face above the body's origin, and the sine of its
/// inclination: with u the cosine between axis and normal, from end to end (Δz, Δr) leads up by Δz u − Δr √(1 − u²).
fn over_face([[z, r], [w, s]]: &[[f64; 2]; 2], u: f64) -> [f64; 2] {
    let down = (1.0 - u * u).max(0.0).sqrt();
    [0.5 * ((z + w) * u - (r + s) * down), ((w - z) * u - (s - r) * down).abs() / (w - z).hypot(s - r)]
}
