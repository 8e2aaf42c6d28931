//! Contact kinematics: how two touching bodies move against each other, and how that depends on poses and twists.
//!
//! The force acts at c = p + σ(q − p), on the line between the touching points p of A and q of B. With x the origins of
//! the bodies' frames, v their velocities, ω the angular velocities, n the normal from A to B:
//!
//!   u = v_B + ω_B × (c − x_B) − v_A − ω_A × (c − x_A)     velocity of B's material against A's at c
//!   ġ = n·u     gap rate;   s = u − n ġ     slip;   ω = ω_B − ω_A     relative angular velocity
//!
//! ġ is the rate of the gap itself, whatever σ: c − p and c − q lie along n. A small change of pose moves c and n (with
//! the curvatures of both bodies, by `derivative/mod.rs`), hence
//!
//!   du = ω_B × (dc − dx_B) − ω_A × (dc − dx_A),   dġ = dn·u + n·du,   ds = du − dn ġ − n dġ
//!
//! The bristle's stretch lives in the tangent plane and is carried along by the contact's frame, which turns with
//! n × ṅ + ½ n n·(ω_A + ω_B).

use crate::contact::Collider;
use crate::derivative::{Derivatives, Rates};
use crate::narrow::Touch;
use rattleback_geom::nalgebra::{SMatrix, SVector};
use rattleback_geom::{Mat3, Vec3};

/// How a body's frame moves: velocity of its origin in m/s and angular velocity in rad/s, both in world axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Twist {
    /// Of the origin.
    pub velocity: Vec3,
    /// Of the frame.
    pub angular_velocity: Vec3,
}

impl Twist {
    /// At rest.
    pub fn zero() -> Self {
        Self { velocity: Vec3::zeros(), angular_velocity: Vec3::zeros() }
    }

    /// Velocity of the material at `arm` from the origin.
    #[inline]
    pub fn at(&self, arm: &Vec3) -> Vec3 {
        self.velocity + self.angular_velocity.cross(arm)
    }
}

/// How two touching bodies move against each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Kinematics {
    /// Where the force acts, in world axes.
    pub point: Vec3,
    /// From the origins of A and B to the point.
    pub arm: [Vec3; 2],
    /// The normal from A to B.
    pub normal: Vec3,
    /// Rate of the gap, in m/s.
    pub gap_rate: f64,
    /// Velocity of B's material against A's in the tangent plane, in m/s.
    pub slip: Vec3,
    /// Angular velocity of B against A, in rad/s.
    pub angular_velocity: Vec3,
    /// Half the sum of both angular velocities, in rad/s.
    pub mean_angular_velocity: Vec3,
}

/// Derivatives of `Kinematics` with respect to both poses and both twists, in the order (A, B), each (linear, angular).
#[derive(Debug, Clone, PartialEq)]
pub struct KinematicsDerivatives {
    /// Of the point, by poses.
    pub point: SMatrix<f64, 3, 12>,
    /// Of the normal, by poses.
    pub normal: SMatrix<f64, 3, 12>,
    /// Of the gap, by poses.
    pub gap: SVector<f64, 12>,
    /// Of the gap rate, by poses.
    pub gap_rate_by_pose: SVector<f64, 12>,
    /// Of the gap rate, by twists.
    pub gap_rate_by_twist: SVector<f64, 12>,
    /// Of the slip, by poses.
    pub slip_by_pose: SMatrix<f64, 3, 12>,
    /// Of the slip, by twists.
    pub slip_by_twist: SMatrix<f64, 3, 12>,
    /// Of the relative angular velocity, by twists; poses do not change it.
    pub angular_velocity_by_twist: SMatrix<f64, 3, 12>,
}

impl Kinematics {
    /// The kinematics of a contact whose force acts at the share σ of the way from A's point to B's.
    #[inline]
    pub fn new(a: &Collider, b: &Collider, touch: &Touch, twist: [&Twist; 2], share: f64) -> Self {
        let point = touch.point_a + (touch.point_b - touch.point_a) * share;
        let arm = [point - a.pose.position, point - b.pose.position];
        let apart = twist[1].at(&arm[1]) - twist[0].at(&arm[0]);
        let gap_rate = touch.normal.dot(&apart);
        Self {
            point,
            arm,
            normal: touch.normal,
            gap_rate,
            slip: apart - touch.normal * gap_rate,
            angular_velocity: twist[1].angular_velocity - twist[0].angular_velocity,
            mean_angular_velocity: (twist[0].angular_velocity + twist[1].angular_velocity) * 0.5,
        }
    }

    /// Relative angular velocity in the tangent plane: rolling.
    #[inline]
    pub fn rolling(&self) -> Vec3 {
        self.angular_velocity - self.normal * self.spin()
    }

    /// Relative angular velocity about the normal: spin.
    #[inline]
    pub fn spin(&self) -> f64 {
        self.normal.dot(&self.angular_velocity)
    }

    /// The angular velocity of the contact's frame, where the normal changes as `rates` says.
    pub fn frame_angular_velocity(&self, rates: &Rates) -> Vec3 {
        self.normal.cross(&rates.normal) + self.normal * self.normal.dot(&self.mean_angular_velocity)
    }

    /// The derivatives, from those of the contact.
    pub fn derivatives(
        &self,
        contact: &Derivatives,
        twist: [&Twist; 2],
        share: f64,
    ) -> KinematicsDerivatives {
        let n = self.normal;
        let u = self.slip + n * self.gap_rate;
        let point = contact.point_a + (contact.point_b - contact.point_a) * share;
        let (w_a, w_b) = (twist[0].angular_velocity.cross_matrix(), twist[1].angular_velocity.cross_matrix());
        // du by poses: (ω_B − ω_A) × dc + ω_A × dx_A − ω_B × dx_B.
        let mut by_pose = (w_b - w_a) * point;
        add(&mut by_pose, 0, &w_a);
        add(&mut by_pose, 6, &-w_b);
        // du by twists: −dv_A + (c − x_A) × dω_A + dv_B − (c − x_B) × dω_B.
        let mut by_twist = SMatrix::<f64, 3, 12>::zeros();
        add(&mut by_twist, 0, &-Mat3::identity());
        add(&mut by_twist, 3, &self.arm[0].cross_matrix());
        add(&mut by_twist, 6, &Mat3::identity());
        add(&mut by_twist, 9, &-self.arm[1].cross_matrix());
        let gap_rate_by_pose = contact.normal.tr_mul(&u) + by_pose.tr_mul(&n);
        let gap_rate_by_twist = by_twist.tr_mul(&n);
        let mut angular_velocity_by_twist = SMatrix::<f64, 3, 12>::zeros();
        add(&mut angular_velocity_by_twist, 3, &-Mat3::identity());
        add(&mut angular_velocity_by_twist, 9, &Mat3::identity());
        KinematicsDerivatives {
            point,
            normal: contact.normal,
            gap: contact.gap,
            slip_by_pose: by_pose - contact.normal * self.gap_rate - n * gap_rate_by_pose.transpose(),
            slip_by_twist: by_twist - n * gap_rate_by_twist.transpose(),
            gap_rate_by_pose,
            gap_rate_by_twist,
            angular_velocity_by_twist,
        }
    }
}

/// Adds a block of three columns.
fn add(to: &mut SMatrix<f64, 3, 12>, column: usize, block: &Mat3) {
    let mut view = to.fixed_columns_mut::<3>(column);
    view += block;
}
