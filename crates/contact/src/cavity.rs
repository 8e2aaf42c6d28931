//! Bodies inside hollow carriers: hulls of equal balls, which are spheres, capsules, boxes and hulls.
//!
//! The room is convex, so that a hull of balls is inside of it where every ball is. Each ball (centre c, radius a)
//! against each wall ([`Wall`]: direction e, distance D of the wall from c) is a contact of its own, with
//!
//!   n = ∓e,   gap = D − a,   q = c + a e on the body,   p = q + gap e on the wall,
//!
//! and the least gap of all is that of the bodies. With ċ the velocity of c and ξ̇ that against the carrier of the
//! angular velocity ω, in the carrier's axes,
//!
//!   ġ = −e·ξ̇,   ė = ω × e + T ξ̇,   q̇ = ċ + a ė,   ṗ = q̇ + ġ e + gap ė.

use crate::contact::{Collider, ContactCurvature, relative};
use crate::derivative::{Derivatives, Rates, Regularity};
use crate::error::{ContactError, Result};
use crate::feature;
use crate::kinematics::Twist;
use crate::narrow::{Branch, Certificate, Touch, check, finite};
use rattleback_geom::surface::{Cavity, Shape, Wall};
use rattleback_geom::{Curvature, Pose, Vec3};

/// Whether one of two shapes is a hollow carrier.
pub(crate) fn takes_part(a: &Shape, b: &Shape) -> bool {
    matches!((a, b), (Shape::Cavity(_), _) | (_, Shape::Cavity(_)))
}

/// How many contacts there are; one where the pair is none that is known.
pub(crate) fn count(a: &Shape, b: &Shape) -> usize {
    match (a, b) {
        (Shape::Cavity(cavity), body) | (body, Shape::Cavity(cavity)) => {
            feature::ball_count(body).map_or(1, |balls| balls * cavity.wall_count())
        }
        _ => 1,
    }
}

/// A ball of a body and a wall of its carrier, in the world.
struct Inside<'a> {
    carrier: &'a Collider,
    body: &'a Collider,
    cavity: &'a Cavity,
    /// Whether the carrier is A.
    carrier_first: bool,
    place: usize,
    /// From the body's origin to the ball's centre.
    arm: Vec3,
    radius: f64,
    /// In the carrier's axes.
    wall: Wall,
    /// In the world.
    out: Vec3,
}

impl<'a> Inside<'a> {
    fn new(a: &'a Collider, b: &'a Collider, place: usize) -> Result<Self> {
        let refused = |reason| {
            let (a, b) = (a.shape.surface().kind(), b.shape.surface().kind());
            ContactError::Unsupported { a, b, reason }
        };
        let none = || refused("inside hollow spheres and cylinders go spheres, capsules, boxes and hulls");
        let (carrier, body, cavity, carrier_first) = match (&a.shape, &b.shape) {
            (Shape::Cavity(cavity), _) => (a, b, cavity, true),
            (_, Shape::Cavity(cavity)) => (b, a, cavity, false),
            _ => return Err(none()),
        };
        let walls = cavity.wall_count();
        let (centre, radius) = feature::ball(&body.shape, place / walls).ok_or_else(none)?;
        // No translation would lead it back.
        if radius > cavity.inradius() {
            return Err(refused("the body is larger than the room of the hollow carrier"));
        }
        let arm = body.pose.vector_to_world(&centre);
        // Positions first: far from the origin their difference keeps digits that either sum with the arm loses.
        let from_carrier = body.pose.position - carrier.pose.position + arm;
        let seen_from = carrier.pose.vector_to_local(&from_carrier);
        let wall = cavity.wall(place % walls, &seen_from).ok_or_else(none)?;
        let out = carrier.pose.vector_to_world(&wall.out);
        Ok(Self { carrier, body, cavity, carrier_first, place: place % walls, arm, radius, wall, out })
    }

    fn gap(&self) -> f64 {
        self.wall.distance - self.radius
    }

    fn touch(&self) -> Touch {
        let gap = self.gap();
        let on_body = self.body.pose.position + self.arm + self.out * self.radius;
        let found = Touch {
            gap,
            normal: -self.out,
            point_a: on_body + self.out * gap,
            point_b: on_body,
            iterations: 1,
            residual: 0.0,
            // What is proved is the gap of the ball from the wall, not of the bodies.
            certificate: Certificate::Stationary { residual: 0.0 },
            certified: false,
        };
        if self.carrier_first { found } else { found.swapped() }
    }

    fn rates(&self, motion: [&Twist; 2]) -> Rates {
        let [of_carrier, of_body] = if self.carrier_first { motion } else { [motion[1], motion[0]] };
        let pose = &self.carrier.pose;
        let centre = of_body.at(&self.arm);
        let from_carrier = self.body.pose.position - pose.position + self.arm;
        let against = pose.vector_to_local(&(centre - of_carrier.at(&from_carrier)));
        let gap = -self.wall.out.dot(&against);
        let turning =
            of_carrier.angular_velocity.cross(&self.out) + pose.vector_to_world(&(self.wall.turn * against));
        let on_body = centre + turning * self.radius;
        let on_wall = on_body + self.out * gap + turning * self.gap();
        let (normal, point_a, point_b) = match self.carrier_first {
            true => (-turning, on_wall, on_body),
            false => (turning, on_body, on_wall),
        };
        let regularity = if self.wall.is_unique { Regularity::Smooth } else { Regularity::Focal };
        Rates { normal, point_a, point_b, regularity, ..Rates::of_gap(gap) }
    }
}

/// The touch of a ball and a wall.
pub(crate) fn touch(a: &Collider, b: &Collider, place: usize) -> Result<Touch> {
    check(&a.pose, "pose_a")?;
    check(&b.pose, "pose_b")?;
    finite(Inside::new(a, b, place)?.touch())
}

/// The touch of the bodies: the least gap of all balls and walls. That of separate bodies is proved by it, and the
/// depth of one ball beyond one wall is the least translation that leads it back; of several, the depth is that of the
/// deepest alone.
pub(crate) fn nearest(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Result<Touch> {
    let (one, other) = (Collider::new(a.clone(), *pose_a), Collider::new(b.clone(), *pose_b));
    let count = count(a, b);
    let mut best = touch(&one, &other, 0)?;
    for place in 1..count {
        let next = touch(&one, &other, place)?;
        best = if next.gap < best.gap { next } else { best };
    }
    if best.gap > 0.0 {
        best.certificate = Certificate::Separate { lower: best.gap, upper: best.gap };
        best.certified = true;
    } else if count == 1 {
        let margin = (-best.gap).max(f64::MIN_POSITIVE);
        best.certificate = Certificate::Overlap { gradient: 0.0, margin, branch: Branch::Global };
        best.certified = true;
    }
    Ok(best)
}

/// The curvatures of a ball against a wall.
pub(crate) fn curvature(
    a: &Collider,
    b: &Collider,
    touch: &Touch,
    place: usize,
) -> Result<Option<ContactCurvature>> {
    let inside = Inside::new(a, b, place)?;
    let pose = &inside.carrier.pose;
    let wall = inside.cavity.wall_curvature(inside.place, &inside.wall.out).map(|d| pose.vector_to_world(d));
    let flat = Curvature::flat(&inside.out);
    let ball = Curvature { kappa: [1.0 / inside.radius; 2], ..flat };
    let (a, b) = if inside.carrier_first { (wall, ball) } else { (ball, wall) };
    Ok(Some(ContactCurvature { a, b, relative: relative(&touch.normal, &a, &b) }))
}

/// How such a touch changes while the bodies move.
pub(crate) fn rates(a: &Collider, b: &Collider, place: usize, motion: [&Twist; 2]) -> Result<Rates> {
    Ok(Inside::new(a, b, place)?.rates(motion))
}

/// Its derivatives.
pub(crate) fn derivatives(a: &Collider, b: &Collider, place: usize) -> Result<Derivatives> {
    let inside = Inside::new(a, b, place)?;
    Ok(Derivatives::of_rates(|motion| inside.rates(motion)))
}
