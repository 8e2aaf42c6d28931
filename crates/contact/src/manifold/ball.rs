//! A corner of one core, a ball of the radius a, against the other body of the rounding b.
//!
//! With c the corner, f its distance from the core of the other body and u the outer normal there (`core.rs`),
//!
//!   gap = f − a − b,   p = c − a u on the own body,   q = c − (f − b) u on the other one
//!
//! and with ċ the velocity of c, ξ̇ that against the other body, whose angular velocity is ω,
//!
//!   ġ = u·ξ̇,   u̇ = ω × u + (∂u/∂x) ξ̇,   ṗ = ċ − a u̇,   q̇ = ċ − ġ u − (f − b) u̇.

use super::core::{self, Nearest, nearest};
use crate::contact::{Collider, ContactCurvature};
use crate::derivative::{Rates, Regularity};
use crate::error::{ContactError, Result};
use crate::feature;
use crate::kinematics::Twist;
use crate::narrow::{Certificate, Touch};
use rattleback_geom::{Curvature, Vec3};

/// A corner of `own` against `other`.
pub(super) struct BallContact<'a> {
    own: &'a Collider,
    other: &'a Collider,
    /// Whether the own body is A.
    own_first: bool,
    /// From the own body's origin to c.
    arm: Vec3,
    radii: [f64; 2],
    found: Nearest,
    /// u in the world.
    out: Vec3,
}

impl<'a> BallContact<'a> {
    pub fn new(own: &'a Collider, other: &'a Collider, own_first: bool, place: usize) -> Result<Self> {
        let none = || {
            let (a, b) = (own.shape.surface().kind(), other.shape.surface().kind());
            ContactError::Unsupported { a, b, reason: "they have no such feature" }
        };
        let (centre, radius) = feature::ball(&own.shape, place).ok_or_else(none)?;
        let arm = own.pose.vector_to_world(&centre);
        // Positions first: far from the origin their difference keeps digits that either sum with the arm loses.
        let seen = other.pose.vector_to_local(&(own.pose.position - other.pose.position + arm));
        let found = nearest(&other.shape, &seen)?.ok_or_else(none)?;
        let out = other.pose.vector_to_world(&found.n);
        Ok(Self { own, other, own_first, arm, radii: [radius, core::rounding(&other.shape)], found, out })
    }

    fn gap(&self) -> f64 {
        self.found.height - self.radii[0] - self.radii[1]
    }

    pub fn touch(&self) -> Touch {
        let on_own = self.own.pose.position + self.arm - self.out * self.radii[0];
        let gap = self.gap();
        let found = Touch {
            gap,
            normal: -self.out,
            point_a: on_own,
            point_b: on_own - self.out * gap,
            iterations: 1,
            residual: 0.0,
            // What is proved is the gap of the corner, not of the bodies.
            certificate: Certificate::Stationary { residual: 0.0 },
            certified: false,
        };
        if self.own_first { found } else { found.swapped() }
    }

    pub fn curvature(&self) -> ContactCurvature {
        let flat = Curvature::flat(&self.out);
        let ball = Curvature { kappa: [1.0 / self.radii[0]; 2], ..flat };
        let (a, b) = if self.own_first { (ball, flat) } else { (flat, ball) };
        ContactCurvature { a, b, relative: ball }
    }

    pub fn rates(&self, motion: [&Twist; 2]) -> Rates {
        let [of_own, of_other] = if self.own_first { motion } else { [motion[1], motion[0]] };
        let pose = &self.other.pose;
        let centre = of_own.at(&self.arm);
        let against = centre - of_other.at(&(self.own.pose.position - pose.position + self.arm));
        let gap = self.out.dot(&against);
        let turn = self.found.turn() * pose.vector_to_local(&against);
        let turning = of_other.angular_velocity.cross(&self.out) + pose.vector_to_world(&turn);
        let on_own = centre - turning * self.radii[0];
        let on_other = on_own - self.out * gap - turning * self.gap();
        let (normal, point_a, point_b) =
            if self.own_first { (-turning, on_own, on_other) } else { (turning, on_other, on_own) };
        Rates { normal, point_a, point_b, regularity: Regularity::Smooth, ..Rates::of_gap(gap) }
    }
}
