//! The whole answer about a pair: the touch, and the curvatures that a contact law asks for.
//!
//! Relative curvature: near the touching points the gap between the surfaces grows as ½ xᵀ(S_A + S_B)x over the
//! common tangent plane, with the shape operators of both bodies taken with their own outer normals. The eigenvalues
//! κ′ ≥ κ″ of S_A + S_B are the relative principal curvatures (twice Johnson's A and B); a plane adds nothing, so that
//! it is the limit of a large sphere.

use crate::error::{ContactError, Result};
use crate::narrow::{Start, Touch, touch};
use rattleback_geom::curvature::{eigen2, tangents};
use rattleback_geom::surface::{Shape, Support};
use rattleback_geom::{Aabb, Curvature, Pose, Vec3};

/// A body's shape and where it is.
#[derive(Debug, Clone)]
pub struct Collider {
    /// The shape.
    pub shape: Shape,
    /// Its placement in the world.
    pub pose: Pose,
}

impl Collider {
    /// A shape at a pose.
    pub fn new(shape: impl Into<Shape>, pose: Pose) -> Self {
        Self { shape: shape.into(), pose }
    }

    /// The box along the world's axes that holds the body: the least one where it has a support function, otherwise
    /// that of its own turned box.
    pub fn bounds(&self) -> Aabb {
        let r = self.pose.rotation();
        if let Shape::Ellipsoid(ellipsoid) = &self.shape {
            // The same as below: h(−n) = h(n).
            let high = Vec3::from_fn(|i, _| ellipsoid.support(&r.row(i).transpose()));
            return Aabb { min: self.pose.position - high, max: self.pose.position + high };
        }
        let surface = self.shape.surface();
        if let Some(support) = surface.as_support() {
            let reach = |i: usize, sign: f64| support.support(&(r.row(i).transpose() * sign));
            let high = Vec3::from_fn(|i, _| reach(i, 1.0));
            let low = Vec3::from_fn(|i, _| -reach(i, -1.0));
            return Aabb { min: low + self.pose.position, max: high + self.pose.position };
        }
        let local = surface.bounds();
        let centre = self.pose.point_to_world(&local.centre());
        let half = r.abs() * (local.extents() * 0.5);
        Aabb { min: centre - half, max: centre + half }
    }
}

/// Where two bodies touch or come nearest, in world axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// Gap, points, normal and the certificate.
    pub touch: Touch,
    /// The curvatures there, where the bodies have any and they were asked for.
    pub curvature: Option<ContactCurvature>,
    /// The area over which the bodies overlap there, in m², where it is known.
    pub area: Option<f64>,
    /// The share of its law with which it counts: one, or less where other contacts of the pair take its place.
    pub weight: f64,
}

/// The curvatures of two bodies where they touch, in world axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactCurvature {
    /// Principal curvatures of A at its point.
    pub a: Curvature,
    /// Principal curvatures of B at its point.
    pub b: Curvature,
    /// Relative principal curvatures; `+∞` across an edge.
    pub relative: Curvature,
}

impl From<Touch> for Contact {
    /// A contact whose curvatures nobody asks for.
    #[inline]
    fn from(touch: Touch) -> Self {
        Self { touch, curvature: None, area: None, weight: 1.0 }
    }
}

/// Curvatures from here on, in 1/m, are those of an edge: to add anything to them would leave nothing of it.
pub(crate) const SHARPEST: f64 = 1e100;

/// The contact of two colliders, from a cold start.
pub fn contact(a: &Collider, b: &Collider) -> Result<Contact> {
    contact_from(a, b, Start::Cold)
}

/// The contact of two colliders, from the given start.
pub fn contact_from(a: &Collider, b: &Collider, start: Start) -> Result<Contact> {
    contact_at(a, b, touch(&a.shape, &a.pose, &b.shape, &b.pose, start)?)
}

/// The contact that belongs to a touch of two colliders.
pub fn contact_at(a: &Collider, b: &Collider, touch: Touch) -> Result<Contact> {
    Ok(Contact { curvature: Some(curvature_at(a, b, &touch)?), ..touch.into() })
}

/// The curvatures at a touch of two colliders.
pub fn curvature_at(a: &Collider, b: &Collider, touch: &Touch) -> Result<ContactCurvature> {
    curvature_between([a, b], &touch.normal, [&touch.point_a, &touch.point_b])
}

/// The curvatures at a point of each of two colliders, whose common normal points from the first to the second.
pub fn curvature_between(
    [a, b]: [&Collider; 2],
    normal: &Vec3,
    [p, q]: [&Vec3; 2],
) -> Result<ContactCurvature> {
    let curvature_a = curvature_of(&a.shape, &a.pose, normal, p)?;
    let curvature_b = curvature_of(&b.shape, &b.pose, &-normal, q)?;
    let relative = relative(normal, &curvature_a, &curvature_b);
    // Infinities are edges; what is no number is a surface whose own numbers do not resolve it.
    if let Some(&value) = relative.kappa.iter().find(|kappa| kappa.is_nan()) {
        let field = "relative curvature".to_owned();
        return Err(ContactError::OutOfRange { field, value, allowed: "a number" });
    }
    Ok(ContactCurvature { a: curvature_a, b: curvature_b, relative })
}

/// The relative principal curvatures alone, as [`curvature_at`] has them but for rounding.
#[inline]
pub(crate) fn relative_curvatures_at(a: &Collider, b: &Collider, touch: &Touch) -> Result<[f64; 2]> {
    // Against a half-space they are the other body's own.
    let other = match [&a.shape, &b.shape] {
        [Shape::Plane(_), _] => Some((b, -touch.normal, &touch.point_b)),
        [_, Shape::Plane(_)] => Some((a, touch.normal, &touch.point_a)),
        _ => None,
    };
    if let Some((body, n, p)) = other {
        let n = body.pose.vector_to_local(&n);
        let kappa = match &body.shape {
            Shape::Ellipsoid(ellipsoid) => ellipsoid.principal_curvatures(&n),
            shape => shape.surface().curvature_at_touch(&body.pose.point_to_local(p), &n)?.kappa,
        };
        if kappa[1] > 0.0 && kappa[0] < SHARPEST {
            return Ok(kappa);
        }
    }
    Ok(curvature_at(a, b, touch)?.relative.kappa)
}

/// Curvature of a placed shape at its touching point.
pub(crate) fn curvature_of(shape: &Shape, pose: &Pose, n: &Vec3, p: &Vec3) -> Result<Curvature> {
    if let Shape::Plane(_) = shape {
        return Ok(Curvature::flat(n));
    }
    let local = shape.surface().curvature_at_touch(&pose.point_to_local(p), &pose.vector_to_local(n))?;
    Ok(local.map(|d| pose.vector_to_world(d)))
}

/// Eigenvalues and directions of S_A + S_B; the frame is right-handed about the normal from A to B.
pub(crate) fn relative(n: &Vec3, a: &Curvature, b: &Curvature) -> Curvature {
    if let Some(found) = relative_of_edges(n, a, b) {
        return found;
    }
    // Against a flat the other body's curvature is the relative one.
    for (flat, other) in [(b, a), (a, b)] {
        if flat.kappa == [0.0; 2] && other.kappa[1] > 0.0 {
            let d1 = other.direction[0];
            return Curvature { kappa: other.kappa, direction: [d1, n.cross(&d1)] };
        }
    }
    let (t, u) = tangents(n);
    let mut block = [0.0; 3];
    for c in [a, b] {
        for k in 0..2 {
            // A groove is as sharp as an edge, and no infinity may meet its opposite here.
            let (kappa, d) = (c.kappa[k].max(-SHARPEST), &c.direction[k]);
            let (x, y) = (t.dot(d), u.dot(d));
            block[0] += kappa * x * x;
            block[1] += kappa * x * y;
            block[2] += kappa * y * y;
        }
    }
    let [k1, k2, c, s] = eigen2(block, None);
    let d1 = t * c + u * s;
    Curvature { kappa: [k1, k2], direction: [d1, n.cross(&d1)] }
}

/// The same where an edge takes part, whose curvature is infinite across it: what is left along the edge is the sum of
/// the finite curvatures there. None where there is no edge.
fn relative_of_edges(n: &Vec3, a: &Curvature, b: &Curvature) -> Option<Curvature> {
    let all = || [a, b].into_iter().flat_map(|c| (0..2).map(|k| (c.kappa[k], c.direction[k])));
    let is_sharp = |kappa: f64| kappa >= SHARPEST;
    let (_, across) = all().find(|&(kappa, _)| is_sharp(kappa))?;
    let d1 = (across - n * n.dot(&across)).normalize();
    let along = n.cross(&d1);
    // Directions come from normals that are right to the root of the machine's precision at worst.
    let crossed = all().any(|(kappa, d)| is_sharp(kappa) && along.dot(&d).abs() > f64::EPSILON.sqrt());
    let finite = all().filter(|&(kappa, _)| !is_sharp(kappa));
    let k2 =
        if crossed { f64::INFINITY } else { finite.map(|(kappa, d)| kappa * along.dot(&d).powi(2)).sum() };
    Some(Curvature { kappa: [f64::INFINITY, k2], direction: [d1, along] })
}
