//! A torsion spring with a damper, between two bodies that share an axis.
//!
//! The axis is z of a frame on each body. q = (w, x, y, z) is the rotation from the frame on A to that on B; the angle
//! is its part about z (the twist of swing and twist), with n = w² + z²:
//!
//!   φ = 2 atan2(z, w),   dφ = g·(θ_B − θ_A),   g = R_B a,   a = ((xz − wy)/n, (wx + yz)/n, 1)
//!
//! where R_B takes the axes of B's frame to the world's. With u = φ − φ₀, taken to (−π, π],
//!
//!   T = k u + c u̇,   U = ½k u²,   dissipated power c u̇²;   torques T g on A, −T g on B
//!
//! As a function of the relative rotation alone it gives no net torque and is conservative whatever the axes do. With a
//! small rotation θ of B's frame against A's, in the axes of the former, dq = ½ q θ gives da, and
//! dg = θ_B × g + R_B da(R_Bᵀ(θ_B − θ_A)).
//!
//! | symbol | field | unit |
//! |---|---|---|
//! | φ₀ | `angle` | rad |
//! | k | `stiffness` | N m/rad |
//! | c | `damping` | N m s/rad |
//!
//! Limits. Half a turn from φ₀ the torque jumps: turns are not counted, that would need a state. A joint has to hold
//! the axes together: g is as long as 1/cos of half the angle between them, and where they are opposite φ is undefined;
//! there (n ≤ (8ε)²) no torque acts.
//!
//! Source: the derivative of swing and twist is elementary; for the decomposition see Dobrowolski, Swing–twist
//! decomposition in Clifford algebra, arXiv:1506.05481.

use super::coordinate::{Tension, tangent, twists};
use super::refuse_missing;
use crate::body::Motion;
use crate::error::{DynamicsError, Result, finite, not_negative};
use crate::joint::JointFrame;
use crate::load::Load;
use crate::model::BodyModel;
use rattleback_geom::nalgebra::{SMatrix, SVector};
use rattleback_geom::{Mat3, Pose, Vec3};
use std::f64::consts::{PI, TAU};

/// A spring and a damper about the common z axis of two frames.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TorsionSpring {
    /// The frame on A; its position does not matter.
    pub a: JointFrame,
    /// The frame on B; its position does not matter.
    pub b: JointFrame,
    /// The angle of B's frame against A's at which the spring is at rest.
    pub angle: f64,
    /// The spring's stiffness.
    pub stiffness: f64,
    /// The damper's constant.
    pub damping: f64,
}

/// The angle with the derivative a of it in the axes of B's frame, and the derivative of a.
struct Twisted {
    angle: f64,
    slope: Vec3,
    change: Mat3,
}

impl TorsionSpring {
    /// The angle from the one at rest, in (−π, π]; none where the axes are opposite.
    fn twisted(&self, q: [f64; 4]) -> Option<Twisted> {
        let [w, x, y, z] = q;
        let n = w * w + z * z;
        if n <= (8.0 * f64::EPSILON).powi(2) {
            return None;
        }
        let far = 2.0 * z.atan2(w) - self.angle;
        let near = far - TAU * (far / TAU).round();
        let angle = if near <= -PI { near + TAU } else { near };
        let slope = Vec3::new((x * z - w * y) / n, (w * x + y * z) / n, 1.0);
        // dq = ½ q θ by columns of θ: (dw, dx, dy, dz).
        let columns = [[-x, w, z, -y], [-y, -z, w, x], [-z, y, -x, w]];
        let change = Mat3::from_columns(&columns.map(|[dw, dx, dy, dz]| {
            let dn = 2.0 * (w * dw + z * dz);
            let first = dx * z + x * dz - dw * y - w * dy - slope.x * dn;
            let second = dw * x + w * dx + dy * z + y * dz - slope.y * dn;
            Vec3::new(first, second, 0.0) * (0.5 / n)
        }));
        Some(Twisted { angle, slope, change })
    }

    pub(super) fn load(&self, motions: &[Motion], with_tangent: bool) -> Load {
        let [a, b] = [&self.a, &self.b]
            .map(|anchor| motions[anchor.body.0].pose.orientation * anchor.pose.orientation);
        let bodies = [Some(self.a.body), Some(self.b.body)];
        let relative = Pose::new(Vec3::zeros(), a.inverse() * b);
        let Some(twisted) = self.twisted(relative.wxyz()) else {
            let none = Tension::SLACK;
            let (gradient, turning) = (SVector::zeros(), SMatrix::zeros());
            let tangent = with_tangent.then(|| tangent(&none, &gradient, &turning, &SVector::zeros()));
            return Load { bodies, wrench: gradient, tangent, stored: 0.0, dissipated: 0.0 };
        };
        let axis = b * twisted.slope;
        let mut gradient = SVector::<f64, 12>::zeros();
        gradient.fixed_rows_mut::<3>(3).copy_from(&-axis);
        gradient.fixed_rows_mut::<3>(9).copy_from(&axis);
        let twists = twists([self.a.body, self.b.body], motions);
        let rate = gradient.dot(&twists);
        let tension = Tension {
            value: self.stiffness * twisted.angle + self.damping * rate,
            by_coordinate: self.stiffness,
            by_rate: self.damping,
        };
        let tangent = with_tangent.then(|| {
            let frame = *b.to_rotation_matrix().matrix();
            let against = frame * twisted.change * frame.transpose();
            let mut turning = SMatrix::<f64, 12, 12>::zeros();
            for (row, sign) in [(3, -1.0), (9, 1.0)] {
                turning.fixed_view_mut::<3, 3>(row, 3).copy_from(&(against * -sign));
                turning.fixed_view_mut::<3, 3>(row, 9).copy_from(&((against - axis.cross_matrix()) * sign));
            }
            tangent(&tension, &gradient, &turning, &twists)
        });
        Load {
            bodies,
            wrench: gradient * -tension.value,
            tangent,
            stored: 0.5 * self.stiffness * twisted.angle * twisted.angle,
            dissipated: self.damping * rate * rate,
        }
    }

    pub(super) fn check(&self, bodies: &[BodyModel]) -> Result<()> {
        let what = "a torsion spring";
        for (name, anchor) in [("a", &self.a), ("b", &self.b)] {
            refuse_missing(what, anchor.body, bodies)?;
            let pose = &anchor.pose;
            Pose::from_parts(pose.position.into(), pose.wxyz()).map_err(|error| DynamicsError::Invalid {
                what: format!("{name}.pose of {what}"),
                reason: error.to_string(),
            })?;
        }
        if self.a.body == self.b.body {
            let reason = format!("both frames are on body {}", bodies[self.a.body.0].name);
            return Err(DynamicsError::Invalid { what: what.to_owned(), reason });
        }
        finite(&format!("angle of {what}"), self.angle)?;
        not_negative(&format!("stiffness of {what}"), self.stiffness)?;
        not_negative(&format!("damping of {what}"), self.damping)
    }
}
