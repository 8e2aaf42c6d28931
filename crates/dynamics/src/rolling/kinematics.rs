//! Contact kinematics in reduced coordinates (Kry and Pai 2002, sections 3.1, 3.2 and the appendix).
//!
//! Body A touches body B. The five contact coordinates are q = (s, t, u, v, ψ): the parameters of the point on A's
//! surface, those of the point on B's, and the angle about the normal between the frames of both (`frame.rs`). In world
//! axes the frames F_A, F_B share their origin and have opposite normals:
//!
//!   F_A = F_B R(ψ),   R = [cos ψ  −sin ψ  0; −sin ψ  −cos ψ  0; 0  0  −1] = R⁻¹
//!
//! With a the velocity of the contact point over A's surface, b that over B's, both in the axes x, y of A's frame, the
//! twist of A against B at the point, in the axes of A's frame, is
//!
//!   ω = −W_A(ṡ, ṫ) + R W_B(u̇, v̇) + ψ̇ e_z,   v = b − a,   v_z = 0
//!
//! or (ω, v) = H q̇. The inverse is Montana's: with K_A and K̃_B = R̄ K_B R̄ the curvatures of both in the axes x, y,
//! R̄ the upper left block of R, and J = [0 −1; 1 0],
//!
//!   (K_A + K̃_B) a = J ω_xy − K̃_B v,   b = a + v,   ψ̇ = ω_z + Ω_A,z + Ω_B,z
//!
//! It has an answer as long as the relative curvature K_A + K̃_B is positive: the surfaces touch in a point.

use super::frame::Frame;
use rattleback_geom::nalgebra::{Matrix2, SMatrix, SVector, UnitQuaternion, Vector2};
use rattleback_geom::surface::ParametricJet;
use rattleback_geom::{Mat3, Pose, Vec3};

/// The five velocities of a contact: the angular velocity of A against B and the velocity of A's material against B's
/// at the point, (ω_x, ω_y, ω_z, v_x, v_y), in the axes of A's contact frame.
pub type Velocities = SVector<f64, 5>;

/// The frames of both surfaces at the point where they touch, and the angle between them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactFrames {
    /// Of A and of B, each in the axes of its own body.
    pub frames: [Frame; 2],
    /// ψ.
    pub angle: f64,
}

/// The rates of a contact point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactPointRates {
    /// a: over A's surface, in the axes x, y of A's frame.
    pub over_a: Vector2<f64>,
    /// b: over B's surface, in the same axes.
    pub over_b: Vector2<f64>,
    /// (ṡ, ṫ) and (u̇, v̇).
    pub rates: [Vector2<f64>; 2],
    /// ψ̇.
    pub angle_rate: f64,
}

impl ContactFrames {
    /// R̄(ψ).
    fn mirror(&self) -> Matrix2<f64> {
        let (sin, cos) = self.angle.sin_cos();
        Matrix2::new(cos, -sin, -sin, -cos)
    }

    /// R(ψ).
    fn alignment(&self) -> Mat3 {
        let m = self.mirror();
        Mat3::new(m[(0, 0)], m[(0, 1)], 0.0, m[(1, 0)], m[(1, 1)], 0.0, 0.0, 0.0, -1.0)
    }

    /// The angle at which the frames of two surfaces meet whose axes are known in one frame of reference; their normals
    /// are opposite.
    pub fn angle_between(axes_a: &Mat3, axes_b: &Mat3) -> f64 {
        // F_Bᵀ F_A = R: its first column is (cos ψ, −sin ψ, 0).
        let x = axes_b.tr_mul(&axes_a.column(0));
        (-x.y).atan2(x.x)
    }

    /// The pose of A's body in that of B.
    pub fn pose(&self) -> Pose {
        let [a, b] = &self.frames;
        let turn = b.axes * self.alignment() * a.axes.transpose();
        let rotation = rattleback_geom::nalgebra::Rotation3::from_matrix_unchecked(turn);
        Pose::new(b.point - turn * a.point, UnitQuaternion::from_rotation_matrix(&rotation))
    }

    /// K_A + K̃_B in the axes x, y of A's frame.
    pub fn relative_curvature(&self) -> Matrix2<f64> {
        self.frames[0].curvature() + self.curvature_of_b(&self.mirror())
    }

    /// The least relative curvature as a share of the greatest: one for balls, zero for surfaces that touch along a
    /// line, negative where they cut into each other.
    pub fn pointedness(&self) -> f64 {
        let m = self.relative_curvature();
        let (mean, half) = (0.5 * m.trace(), 0.5 * (m[(0, 0)] - m[(1, 1)]));
        let root = half.hypot(m[(0, 1)]);
        (mean - root) / (mean + root).abs().max(root - mean)
    }

    fn curvature_of_b(&self, m: &Matrix2<f64>) -> Matrix2<f64> {
        m * self.frames[1].curvature() * m
    }

    /// The rates of the point while the bodies move against each other with the velocities `w`; not finite where the
    /// surfaces do not touch in a single point.
    pub fn point_rates(&self, w: &Velocities) -> ContactPointRates {
        let mirror = self.mirror();
        let (slip, of_b) = (Vector2::new(w[3], w[4]), self.curvature_of_b(&mirror));
        let sum = self.frames[0].curvature() + of_b;
        let rhs = Vector2::new(-w[1], w[0]) - of_b * slip;
        let over_a = solve(&sum, &rhs);
        let over_b = over_a + slip;
        let rates = [self.frames[0].rates(&over_a), self.frames[1].rates(&(mirror * over_b))];
        let turning = |side: usize| (self.frames[side].turn * rates[side]).z;
        ContactPointRates { over_a, over_b, rates, angle_rate: w[2] + turning(0) + turning(1) }
    }

    /// H: the twist (ω, v) of A against B at the point, in the axes of A's frame, from q̇; its last row is zero.
    pub fn matrix(&self) -> SMatrix<f64, 6, 5> {
        let [a, b] = &self.frames;
        let mut h = SMatrix::<f64, 6, 5>::zeros();
        h.fixed_view_mut::<3, 2>(0, 0).copy_from(&-a.turn);
        h.fixed_view_mut::<3, 2>(0, 2).copy_from(&(self.alignment() * b.turn));
        h[(2, 4)] = 1.0;
        h.fixed_view_mut::<2, 2>(3, 0).copy_from(&-a.stretch);
        h.fixed_view_mut::<2, 2>(3, 2).copy_from(&(self.mirror() * b.stretch));
        h
    }

    /// Ḣ, (57), from the jets of both surfaces in the axes of their bodies and q̇.
    pub fn matrix_rate(&self, jets: [&ParametricJet; 2], rates: &SVector<f64, 5>) -> SMatrix<f64, 6, 5> {
        let [a, b] = &self.frames;
        let (stretch_a, turn_a) = a.rate(jets[0], &Vector2::new(rates[0], rates[1]));
        let (stretch_b, turn_b) = b.rate(jets[1], &Vector2::new(rates[2], rates[3]));
        let (sin, cos) = self.angle.sin_cos();
        let mirror_rate = Matrix2::new(-sin, -cos, -cos, sin) * rates[4];
        let mut alignment_rate = Mat3::zeros();
        alignment_rate.fixed_view_mut::<2, 2>(0, 0).copy_from(&mirror_rate);
        let mut h = SMatrix::<f64, 6, 5>::zeros();
        h.fixed_view_mut::<3, 2>(0, 0).copy_from(&-turn_a);
        h.fixed_view_mut::<3, 2>(0, 2).copy_from(&(alignment_rate * b.turn + self.alignment() * turn_b));
        h.fixed_view_mut::<2, 2>(3, 0).copy_from(&-stretch_a);
        h.fixed_view_mut::<2, 2>(3, 2).copy_from(&(mirror_rate * b.stretch + self.mirror() * stretch_b));
        h
    }
}

/// The velocities of a contact from the relative twist at the point in the axes of A's frame.
pub fn velocities(angular_velocity: &Vec3, slip: &Vec3) -> Velocities {
    Velocities::new(angular_velocity.x, angular_velocity.y, angular_velocity.z, slip.x, slip.y)
}

/// A symmetric system of two.
fn solve(m: &Matrix2<f64>, rhs: &Vector2<f64>) -> Vector2<f64> {
    let det = m[(0, 0)] * m[(1, 1)] - m[(0, 1)] * m[(1, 0)];
    Vector2::new(m[(1, 1)] * rhs.x - m[(0, 1)] * rhs.y, m[(0, 0)] * rhs.y - m[(1, 0)] * rhs.x) / det
}
