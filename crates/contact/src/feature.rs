//! Bodies that touch a half-space along a line, a circle or a face: their contact is taken at several points. Bodies
//! inside hollow carriers, `cavity.rs`, hulls of balls on each other, `manifold/mod.rs`, and other bodies with flat
//! faces and straight sides, `flat/mod.rs`, have their contacts listed in the same way, and so have superellipsoids and
//! superquadrics with all but flat faces, `flat_spot.rs`.
//!
//! A capsule on its side, a box on a face or an edge, a cylinder or a cone on its side or on an end, a torus that lies
//! flat: the farthest point along the normal is not unique there, jumps from end to end under the smallest tilt, and
//! bears the body at one place. The points that bear it are those of its features instead, each a circle (centre c and
//! axis z in the body's frame, radius r, zero for a point) swept by a ball of radius a:
//!
//! | body | features |
//! |---|---|
//! | capsule | its two ends: c = ±l z, r = 0, a its radius |
//! | box, hull | its corners: c those of its core, r = 0, a its rounding |
//! | cylinder | its two rims: c = ±l z, r its radius, a = 0, three points each |
//! | frustum, cone | the same with a radius for each end; an apex is one point |
//! | torus | its middle circle: c = 0, r the major radius, a the minor one, three points |
//!
//! With N the plane's outward normal, m = N − z z·N and e = −m/∣m∣ the direction in which a circle is lowest, the
//! points are x = c + r e_k − a N with e turned about z by 0, 120° and 240°. The first is the lowest one, the least gap
//! of all features is the gap of the bodies, and away from lines, circles and faces the others are out of reach. Every
//! point presses by the law of the pair.
//!
//! Why three, and why from the lowest: with δ the depth of the middle and θ the tilt, the depths are δ + rθ and twice
//! δ − ½rθ. Their potential Σ U(δ_k) = 3U + ¾U″r²θ² + O(θ³) is smooth in the tilt, of whatever direction e is, which a
//! body that lies flat does not have. That e wanders does no work: the lowest point stays lowest, and the other two are
//! equally deep and wander up and down alike.
//!
//! Rates, for motions (v, ω) of plane P and body B, t_k = z × e_k:
//!
//!   Ṅ = ω_P × N,   φ̇ = −t₀·((ω_P − ω_B) × N)/∣m∣,   ẋ = v_B + ω_B × (x + aN − x_B) + r t_k φ̇ − a Ṅ
//!   ġ = N·(ẋ − v_P − ω_P × (x − x_P))
//!
//! φ̇ is left out where m is too short to have a direction: there the sum over the points does not depend on it.

use crate::cavity;
use crate::contact::{Collider, Contact, ContactCurvature};
use crate::derivative::{self, Derivatives, Rates, Regularity};
use crate::error::{ContactError, Result};
use crate::flat::{self, SharedFaces};
use crate::flat_spot::{self, Tilt};
use crate::kinematics::Twist;
use crate::manifold;
use crate::narrow::{self, Certificate, Start, Touch, check, finite, plane_touch};
use rattleback_geom::surface::{Plane, Shape};
use rattleback_geom::{Curvature, Vec3};

/// Where the axis is nearer to the normal than this, a circle has no lowest direction.
const FLAT: f64 = 1e-7;

/// Contacts of a pair that may all be watched without a thought.
const FEW: usize = 24;

/// cos and sin of 0, 120° and 240°.
const TURNS: [[f64; 2]; 3] = [[1.0, 0.0], [-0.5, HALF_ROOT_3], [-0.5, -HALF_ROOT_3]];
const HALF_ROOT_3: f64 = 0.866_025_403_784_438_6;

/// A circle about z swept by a ball, in the body's frame.
#[derive(Debug, Clone, Copy)]
struct Circle {
    centre: Vec3,
    radius: f64,
    tube: f64,
}

/// How many circles a body has, and how many points each of them; one point where a circle has no radius.
fn counts(shape: &Shape) -> Option<[usize; 2]> {
    match shape {
        Shape::Capsule(_) => Some([2, 1]),
        Shape::Cuboid(_) => Some([8, 1]),
        Shape::ConvexHull(body) => Some([body.vertices().len(), 1]),
        Shape::Cylinder(_) | Shape::Frustum(_) => Some([2, 3]),
        Shape::Torus(_) => Some([1, 3]),
        _ => None,
    }
}

/// How many points all circles of a body have.
fn point_count(shape: &Shape) -> Option<usize> {
    let [circles, points] = counts(shape)?;
    Some(match shape {
        // Three points of a rim, and the apex.
        Shape::Frustum(body) if body.radii().contains(&0.0) => points + 1,
        _ => circles * points,
    })
}

/// One of the circles of a body.
fn circle(shape: &Shape, place: usize) -> Option<Circle> {
    let end = |l: f64| Vec3::z() * if place == 0 { l } else { -l };
    let (centre, radius, tube) = match shape {
        Shape::Capsule(body) => (end(body.half_length()), 0.0, body.radius()),
        Shape::Cuboid(body) => (body.corner(place), 0.0, body.rounding()),
        Shape::ConvexHull(body) => (*body.vertices().get(place)?, 0.0, body.rounding()),
        Shape::Cylinder(body) => (end(body.half_length()), body.radius(), 0.0),
        Shape::Frustum(body) => {
            // The wider end is first: an apex comes last.
            let [lower, upper] = body.radii();
            let is_upper = (upper > lower) == (place == 0);
            let sign = if is_upper { 1.0 } else { -1.0 };
            (Vec3::z() * (sign * body.half_height()), if is_upper { upper } else { lower }, 0.0)
        }
        Shape::Torus(body) => (Vec3::zeros(), body.major_radius(), body.minor_radius()),
        _ => return None,
    };
    Some(Circle { centre, radius, tube })
}

/// The direction about z in which a circle is lowest, and ∣m∣, from the direction down in the body's frame.
fn lowest(down: &Vec3) -> ([f64; 2], f64) {
    let slant = down.x.hypot(down.y);
    (if slant > 0.0 { [down.x / slant, down.y / slant] } else { [1.0, 0.0] }, slant)
}

/// e_k.
fn turned(lowest: [f64; 2], turn: usize) -> Vec3 {
    let [cos, sin] = TURNS[turn];
    Vec3::new(lowest[0] * cos - lowest[1] * sin, lowest[1] * cos + lowest[0] * sin, 0.0)
}

/// The points of a body's features on a half-space whose outward normal is given, all in the body's frame; none where
/// it has no features.
pub(crate) fn points_on(shape: &Shape, outward: &Vec3, out: &mut Vec<Vec3>) {
    let (Some([_, points]), Some(count)) = (counts(shape), point_count(shape)) else { return };
    let (lowest, _) = lowest(&-outward);
    for place in 0..count {
        if let Some(Circle { centre, radius, tube }) = circle(shape, place / points) {
            out.push(centre + turned(lowest, place % points) * radius - outward * tube);
        }
    }
}

/// How many balls of one radius a body is the hull of, where it is one.
pub(crate) fn ball_count(shape: &Shape) -> Option<usize> {
    match (shape, counts(shape)) {
        (Shape::Sphere(_), _) => Some(1),
        (_, Some([balls, 1])) => Some(balls),
        _ => None,
    }
}

/// One of them: its centre in the body's frame and its radius.
pub(crate) fn ball(shape: &Shape, place: usize) -> Option<(Vec3, f64)> {
    if let Shape::Sphere(body) = shape {
        return (place == 0).then(|| (Vec3::zeros(), body.radius()));
    }
    let is_one = ball_count(shape).is_some_and(|count| place < count);
    let Circle { centre, tube, .. } = circle(shape, place).filter(|_| is_one)?;
    Some((centre, tube))
}

/// How many points the contact of two bodies is taken at: one, unless a half-space meets a line or a circle. Where
/// curvatures are asked for, those of points on circles that lie flat are none: the farthest point alone counts.
pub(crate) fn count(a: &Shape, b: &Shape, with_curvature: bool) -> usize {
    if cavity::takes_part(a, b) {
        return cavity::count(a, b);
    }
    if manifold::takes_part(a, b) {
        return manifold::count(a, b, with_curvature);
    }
    if flat::takes_part(a, b) {
        return flat::count(a, b, with_curvature);
    }
    let ((Shape::Plane(_), body) | (body, Shape::Plane(_))) = (a, b) else { return 1 };
    if let Some(count) = flat_spot::count(body).filter(|_| !with_curvature) {
        return count;
    }
    match counts(body) {
        Some([circles, 1]) => circles,
        Some(_) if !with_curvature => point_count(body).unwrap_or(1),
        _ => 1,
    }
}

/// The circle of a place on a half-space, and which of its points it is.
fn feature_of(shape: &Shape, place: usize) -> Option<(Circle, usize)> {
    if let Some(centre) = flat_spot::point(shape, place) {
        return Some((Circle { centre, radius: 0.0, tube: 0.0 }, 0));
    }
    let [_, points] = counts(shape)?;
    let exists = point_count(shape).is_some_and(|count| place < count);
    Some((circle(shape, place / points).filter(|_| exists)?, place % points))
}

/// How a body with an all but flat face lies on a half-space, and whether that is A; none for other pairs.
fn tilt(a: &Collider, b: &Collider) -> Option<(Tilt, bool)> {
    let (plane, half_space, body, plane_first) = match (&a.shape, &b.shape) {
        (Shape::Plane(plane), _) => (a, plane, b, true),
        (_, Shape::Plane(plane)) => (b, plane, a, false),
        _ => return None,
    };
    flat_spot::count(&body.shape)?;
    let outward = plane.pose.vector_to_world(half_space.normal());
    let local = body.pose.vector_to_local(&outward);
    let tilt = Tilt::new(&body.shape, &outward, &local, |v| body.pose.vector_to_world(v))?;
    Some((tilt, plane_first))
}

/// The rates of the nearest points of a body that lies on its face, where they have no weight and may be anywhere:
/// those of points that are fixed in the body.
fn rates_of_fixed(a: &Collider, b: &Collider, touch: &Touch, motion: [&Twist; 2]) -> Rates {
    let plane_first = matches!(a.shape, Shape::Plane(_));
    let on_a = motion[0].at(&(touch.point_a - a.pose.position));
    let on_b = motion[1].at(&(touch.point_b - b.pose.position));
    let gap = touch.normal.dot(&(on_b - on_a));
    let of_plane = if plane_first { motion[0] } else { motion[1] };
    let normal = of_plane.angular_velocity.cross(&touch.normal);
    let along = touch.normal * gap + normal * touch.gap;
    let (point_a, point_b) = if plane_first { (on_b - along, on_b) } else { (on_a, on_a + along) };
    Rates { normal, point_a, point_b, ..Rates::of_gap(gap) }
}

/// A point of a feature in the world.
struct Point<'a> {
    plane: &'a Collider,
    body: &'a Collider,
    /// Whether the half-space is A.
    plane_first: bool,
    /// The outward normal of the half-space.
    outward: Vec3,
    circle: Circle,
    /// The circle's centre from the body's origin.
    centre: Vec3,
    /// z, t₀ and e_k, and ∣m∣.
    axis: Vec3,
    across: Vec3,
    out: Vec3,
    slant: f64,
}

impl<'a> Point<'a> {
    fn new(a: &'a Collider, b: &'a Collider, place: usize) -> Result<(Self, &'a Plane)> {
        let none = || {
            let (a, b) = (a.shape.surface().kind(), b.shape.surface().kind());
            ContactError::Unsupported { a, b, reason: "they have no such feature" }
        };
        let (plane, body, half_space, plane_first) = match (&a.shape, &b.shape) {
            (Shape::Plane(plane), _) => (a, b, plane, true),
            (_, Shape::Plane(plane)) => (b, a, plane, false),
            _ => return Err(none()),
        };
        let (circle, turn) = feature_of(&body.shape, place).ok_or_else(none)?;
        let outward = plane.pose.vector_to_world(half_space.normal());
        let (lowest, slant) = lowest(&body.pose.vector_to_local(&-outward));
        let turned = turned(lowest, turn);
        let world = |v: Vec3| body.pose.vector_to_world(&v);
        let point = Self {
            plane,
            body,
            plane_first,
            outward,
            circle,
            centre: world(circle.centre),
            axis: world(Vec3::z()),
            across: world(Vec3::new(-lowest[1], lowest[0], 0.0)),
            out: world(turned),
            slant,
        };
        Ok((point, half_space))
    }

    /// Where the point is, from the body's origin.
    fn arm(&self) -> Vec3 {
        let Circle { radius, tube, .. } = self.circle;
        self.centre + self.out * radius - self.outward * tube
    }

    fn touch(&self, half_space: &Plane) -> Touch {
        let arm = self.body.pose.vector_to_local(&self.arm());
        let found = plane_touch(half_space, &self.plane.pose, |_| arm, &self.body.pose);
        // What is proved is the gap of the point, not of the bodies.
        let certificate = Certificate::Stationary { residual: 0.0 };
        let found = Touch { certificate, certified: false, ..found };
        if self.plane_first { found } else { found.swapped() }
    }

    /// The rates of a touch at this point.
    fn rates(&self, touch: &Touch, motion: [&Twist; 2]) -> Rates {
        let [of_plane, of_body] = if self.plane_first { motion } else { [motion[1], motion[0]] };
        let Circle { radius, tube, .. } = self.circle;
        let turning = of_plane.angular_velocity.cross(&self.outward);
        let wander = match radius > 0.0 && self.slant > FLAT {
            true => {
                -self.across.dot(&(of_plane.angular_velocity - of_body.angular_velocity).cross(&self.outward))
                    / self.slant
            }
            false => 0.0,
        };
        let arm = self.arm();
        let centre =
            of_body.at(&(arm + self.outward * tube)) + self.axis.cross(&self.out) * (radius * wander);
        let point = centre - turning * tube;
        let on_body = self.body.pose.position + arm;
        let gap = self.outward.dot(&(point - of_plane.at(&(on_body - self.plane.pose.position))));
        let foot = point - self.outward * gap - turning * touch.gap;
        let sign = if self.plane_first { 1.0 } else { -1.0 };
        let (point_a, point_b) = if self.plane_first { (foot, point) } else { (point, foot) };
        // Where a circle lies flat its lowest point is any of them.
        let is_unique = radius == 0.0 || self.slant > FLAT;
        let regularity = if is_unique { Regularity::Smooth } else { Regularity::Parallel };
        Rates { normal: turning * sign, point_a, point_b, regularity, ..Rates::of_gap(gap) }
    }
}

/// The touch of a point of a pair's features; where it is found by a search, from `start`.
pub(crate) fn touch(
    a: &Collider,
    b: &Collider,
    faces: Option<&SharedFaces>,
    place: usize,
    start: Start,
) -> Result<Touch> {
    if let Some(faces) = faces {
        return match faces.is_nearest(place) {
            true => narrow::touch(&a.shape, &a.pose, &b.shape, &b.pose, start),
            false => flat::touch(faces, a, b, place),
        };
    }
    if cavity::takes_part(&a.shape, &b.shape) {
        return cavity::touch(a, b, place);
    }
    if manifold::takes_part(&a.shape, &b.shape) {
        return manifold::touch(a, b, place);
    }
    if let Some(faces) = SharedFaces::new(a, b) {
        return touch(a, b, Some(&faces), place, start);
    }
    if place == 0 && tilt(a, b).is_some() {
        return narrow::touch(&a.shape, &a.pose, &b.shape, &b.pose, start);
    }
    check(&a.pose, "pose_a")?;
    check(&b.pose, "pose_b")?;
    let (point, half_space) = Point::new(a, b, place)?;
    finite(point.touch(half_space))
}

/// The weight of the contact there: one, unless its place is taken by others.
pub(crate) fn weight(a: &Collider, b: &Collider, faces: Option<&SharedFaces>, place: usize) -> Result<f64> {
    if let Some(faces) = faces {
        return Ok(faces.weight(place));
    }
    if manifold::takes_part(&a.shape, &b.shape) {
        return manifold::weight(a, b, place);
    }
    if let Some((tilt, _)) = tilt(a, b) {
        return Ok(tilt.weight(place));
    }
    Ok(SharedFaces::new(a, b).map_or(1.0, |faces| faces.weight(place)))
}

/// Whether the points of two bodies have weights that change as the bodies move.
pub(crate) fn has_weights(a: &Shape, b: &Shape) -> bool {
    match (a, b) {
        (Shape::Plane(_), body) | (body, Shape::Plane(_)) => flat_spot::count(body).is_some(),
        _ => !cavity::takes_part(a, b) && (manifold::takes_part(a, b) || flat::takes_part(a, b)),
    }
}

/// Adds the features whose gaps are at most `reach` metres, of `count` in all; all of them where they are few, or no
/// hulls of balls on each other. Whether some may be left out.
pub(crate) fn near(
    a: &Collider,
    b: &Collider,
    count: usize,
    reach: f64,
    out: &mut Vec<usize>,
) -> Result<bool> {
    if count > FEW && manifold::takes_part(&a.shape, &b.shape) {
        manifold::near_places(a, b, reach, out)?;
        return Ok(true);
    }
    out.extend(0..count);
    Ok(false)
}

/// The curvatures there: those of a ball on a half-space where the feature is a point, none on circles.
pub(crate) fn curvature(
    a: &Collider,
    b: &Collider,
    touch: &Touch,
    place: usize,
) -> Result<Option<ContactCurvature>> {
    if cavity::takes_part(&a.shape, &b.shape) {
        return cavity::curvature(a, b, touch, place);
    }
    if manifold::takes_part(&a.shape, &b.shape) {
        return manifold::curvature(a, b, place).map(Some);
    }
    if flat::takes_part(&a.shape, &b.shape) {
        return Ok(None);
    }
    if tilt(a, b).is_some() {
        return Ok(None);
    }
    let (point, _) = Point::new(a, b, place)?;
    if point.circle.radius > 0.0 {
        return Ok(None);
    }
    let n = &touch.normal;
    let flat = Curvature::flat(n);
    let ball = Curvature { kappa: [1.0 / point.circle.tube; 2], ..flat };
    let (a, b) = if point.plane_first { (flat, ball) } else { (ball, flat) };
    Ok(Some(ContactCurvature { a, b, relative: ball }))
}

/// How a touch of that point changes while the bodies move.
pub(crate) fn rates(
    a: &Collider,
    b: &Collider,
    faces: Option<&SharedFaces>,
    contact: &Contact,
    place: usize,
    motion: [&Twist; 2],
) -> Result<Rates> {
    if let Some(faces) = faces {
        let own = flat::rates(faces, a, b, place)(motion);
        return match faces.is_nearest(place) {
            true => Ok(Rates { weight: own.weight, ..derivative::rates(a, b, contact, motion)? }),
            false => Ok(own),
        };
    }
    if cavity::takes_part(&a.shape, &b.shape) {
        return cavity::rates(a, b, place, motion);
    }
    if manifold::takes_part(&a.shape, &b.shape) {
        return manifold::rates(a, b, place, motion);
    }
    if let Some(faces) = SharedFaces::new(a, b) {
        return rates(a, b, Some(&faces), contact, place, motion);
    }
    if let Some((tilt, plane_first)) = tilt(a, b) {
        let own = match place {
            0 if tilt.is_lying() => rates_of_fixed(a, b, &contact.touch, motion),
            0 => derivative::rates(a, b, contact, motion)?,
            _ => Point::new(a, b, place)?.0.rates(&contact.touch, motion),
        };
        return Ok(tilt.with_weight(own, place, in_order(plane_first, motion)));
    }
    Ok(Point::new(a, b, place)?.0.rates(&contact.touch, motion))
}

/// The motions of half-space and body.
fn in_order(plane_first: bool, [one, other]: [&Twist; 2]) -> [&Twist; 2] {
    if plane_first { [one, other] } else { [other, one] }
}

/// The derivatives of a touch of that point.
pub(crate) fn derivatives(
    a: &Collider,
    b: &Collider,
    faces: Option<&SharedFaces>,
    contact: &Contact,
    place: usize,
) -> Result<Derivatives> {
    if let Some(faces) = faces {
        let own = flat::derivatives(faces, a, b, place);
        return match faces.is_nearest(place) {
            true => Ok(Derivatives { weight: own.weight, ..derivative::derivatives(a, b, contact)? }),
            false => Ok(own),
        };
    }
    if cavity::takes_part(&a.shape, &b.shape) {
        return cavity::derivatives(a, b, place);
    }
    if manifold::takes_part(&a.shape, &b.shape) {
        return manifold::derivatives(a, b, place);
    }
    if let Some(faces) = SharedFaces::new(a, b) {
        return derivatives(a, b, Some(&faces), contact, place);
    }
    if let Some((tilt, plane_first)) = tilt(a, b) {
        let weighted =
            |own: Rates, motion: [&Twist; 2]| tilt.with_weight(own, place, in_order(plane_first, motion));
        if place == 0 && !tilt.is_lying() {
            let weight = Derivatives::of_rates(|motion| weighted(Rates::of_gap(0.0), motion)).weight;
            return Ok(Derivatives { weight, ..derivative::derivatives(a, b, contact)? });
        } else if place == 0 {
            let fixed = |motion: [&Twist; 2]| rates_of_fixed(a, b, &contact.touch, motion);
            return Ok(Derivatives::of_rates(|motion| weighted(fixed(motion), motion)));
        }
        let (point, _) = Point::new(a, b, place)?;
        return Ok(Derivatives::of_rates(|motion| weighted(point.rates(&contact.touch, motion), motion)));
    }
    let (point, _) = Point::new(a, b, place)?;
    Ok(Derivatives::of_rates(|motion| point.rates(&contact.touch, motion)))
}
