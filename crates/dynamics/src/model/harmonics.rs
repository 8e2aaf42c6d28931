//! A pose that swings about a rest pose: a sum of harmonics for each of six degrees of freedom.
//!
//!   qⱼ(t) = Σ a cos(Ωt + ε),   x = x₀ + R₀ (q₁, q₂, q₃),   R = R₀ Rz(ψ) Ry(θ) Rx(φ),   (φ, θ, ψ) = (q₄, q₅, q₆)
//!
//! Surge, sway and heave run along the axes of the rest pose. Roll, pitch and yaw are Tait–Bryan angles: yaw first,
//! then pitch about the new y, then roll about the newest x. In body axes
//!
//!   ω = (φ̇ − ψ̇ sin θ,   θ̇ cos φ + ψ̇ cos θ sin φ,   −θ̇ sin φ + ψ̇ cos θ cos φ)
//!
//! and ω̇ is its derivative. Angles to rates is what is needed here, which has no singular pitch.
//!
//! The motion may be that of a centre c in body axes, which is where x + R c is then, and may grow from rest: q is
//! multiplied by w(t), which `seaway.rs` says.
//!
//! | symbol | field | unit |
//! |---|---|---|
//! | a | `amplitude` | m or rad |
//! | Ω | `frequency` | rad/s |
//! | ε | `phase` | rad |
//!
//! Source: Fossen, Handbook of Marine Craft Hydrodynamics and Motion Control, section 2.2, for names, order and rates.

use super::prescribed_motion::PrescribedState;
use crate::body::Motion;
use crate::error::{Result, finite};
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::{Pose, Vec3};

/// A degree of freedom of a body about its rest pose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freedom {
    /// Along x.
    Surge,
    /// Along y.
    Sway,
    /// Along z.
    Heave,
    /// About x.
    Roll,
    /// About y.
    Pitch,
    /// About z.
    Yaw,
}

/// One harmonic, a cos(Ωt + ε), of one degree of freedom. Displacements run along the axes of the rest pose; the
/// rotation from it is Rz(yaw) Ry(pitch) Rx(roll).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Harmonic {
    /// The degree of freedom.
    pub freedom: Freedom,
    /// The amplitude in m or rad.
    pub amplitude: f64,
    /// The angular frequency in rad/s.
    pub frequency: f64,
    /// The phase in rad.
    pub phase: f64,
}

/// A rest pose and the harmonics about it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Harmonics {
    rest: Pose,
    terms: Vec<Harmonic>,
    centre: Vec3,
    ramp: f64,
}

impl Harmonics {
    pub(super) fn new(rest: Pose, terms: &[Harmonic]) -> Result<Self> {
        let rest = Pose::from_parts(rest.position.into(), rest.wxyz())?;
        for (i, term) in terms.iter().enumerate() {
            let named = |field: &str| format!("{field} of harmonic {i}");
            finite(&named("amplitude"), term.amplitude)?;
            finite(&named("frequency"), term.frequency)?;
            finite(&named("phase"), term.phase)?;
        }
        Ok(Self { rest, terms: terms.to_vec(), centre: Vec3::zeros(), ramp: 0.0 })
    }

    /// The same motion of a centre in body axes.
    pub(super) fn about(self, centre: Vec3) -> Self {
        Self { centre, ..self }
    }

    /// The same motion, from rest at time zero to its full size after `ramp` seconds.
    pub(super) fn growing_over(self, ramp: f64) -> Self {
        Self { ramp, ..self }
    }

    /// w and its first and second derivatives.
    fn growth(&self, time: f64) -> [f64; 3] {
        if time >= self.ramp {
            return [1.0, 0.0, 0.0];
        }
        if time <= 0.0 {
            return [0.0; 3];
        }
        let (s, rate) = (time / self.ramp, 1.0 / self.ramp);
        let t = 1.0 - s;
        let (sum, slope) = (s.powi(3) * (10.0 + s * (6.0 * s - 15.0)), 30.0 * (s * t).powi(2));
        [sum, slope * rate, 60.0 * s * t * (t - s) * rate * rate]
    }

    /// Displacements and angles with their first and second derivatives.
    fn coordinates(&self, time: f64) -> [[Vec3; 2]; 3] {
        let mut sums = [[Vec3::zeros(); 2]; 3];
        for term in &self.terms {
            let (sin, cos) = (term.frequency * time + term.phase).sin_cos();
            let (group, axis) = match term.freedom {
                Freedom::Surge => (0, 0),
                Freedom::Sway => (0, 1),
                Freedom::Heave => (0, 2),
                Freedom::Roll => (1, 0),
                Freedom::Pitch => (1, 1),
                Freedom::Yaw => (1, 2),
            };
            let rate = term.amplitude * term.frequency;
            sums[0][group][axis] += term.amplitude * cos;
            sums[1][group][axis] -= rate * sin;
            sums[2][group][axis] -= rate * term.frequency * cos;
        }
        if self.ramp == 0.0 {
            return sums;
        }
        let [w, rate, second] = self.growth(time);
        let [q, v, a] = sums;
        let of = |f: &dyn Fn(usize) -> Vec3| [f(0), f(1)];
        [
            of(&|g| q[g] * w),
            of(&|g| v[g] * w + q[g] * rate),
            of(&|g| a[g] * w + v[g] * (2.0 * rate) + q[g] * second),
        ]
    }

    pub(super) fn at(&self, time: f64) -> PrescribedState {
        let [[shift, angles], [shift_rate, angle_rate], [shift_second, angle_second]] =
            self.coordinates(time);
        let turn = UnitQuaternion::from_euler_angles(angles.x, angles.y, angles.z);
        let orientation = self.rest.orientation * turn;
        let ((sr, cr), (sp, cp)) = (angles.x.sin_cos(), angles.y.sin_cos());
        let [roll, pitch, yaw] = angle_rate.into();
        // The columns of the map from rates of angles to ω, applied to first and second derivatives alike.
        let map = |rate: &Vec3| {
            Vec3::new(rate.x - rate.z * sp, rate.y * cr + rate.z * cp * sr, -rate.y * sr + rate.z * cp * cr)
        };
        let turning = Vec3::new(
            -yaw * pitch * cp,
            -pitch * roll * sr + yaw * (-pitch * sp * sr + roll * cp * cr),
            -pitch * roll * cr + yaw * (-pitch * sp * cr - roll * cp * sr),
        );
        let (angular_velocity, angular_acceleration_body) = (map(&angle_rate), map(&angle_second) + turning);
        let c = &self.centre;
        let origin = |local: Vec3, arm: Vec3| self.rest.vector_to_world(&local) - orientation * arm;
        let position = self.rest.point_to_world(&(c + shift)) - orientation * c;
        let velocity = origin(shift_rate, angular_velocity.cross(c));
        let acceleration = origin(
            shift_second,
            angular_acceleration_body.cross(c) + angular_velocity.cross(&angular_velocity.cross(c)),
        );
        let motion = Motion {
            pose: Pose { position, orientation },
            velocity,
            angular_velocity_body: angular_velocity,
        };
        PrescribedState { motion, acceleration, angular_acceleration_body }
    }
}

#[cfg(test)]
mod tests {
    use super::super::prescribed_motion::{PrescribedMotion, testing::check_rates};
    use super::*;

    fn term(freedom: Freedom, amplitude: f64, frequency: f64, phase: f64) -> Harmonic {
        Harmonic { freedom, amplitude, frequency, phase }
    }

    fn rest() -> Pose {
        Pose::from_position(1.0, -2.0, 0.5).rotated(Vec3::new(0.3, 1.0, -0.4), 1.2).unwrap()
    }

    #[test]
    fn velocities_and_accelerations_are_derivatives_of_the_pose() {
        let prescribed = PrescribedMotion::harmonic(
            rest(),
            &[
                term(Freedom::Surge, 0.5, 1.3, 0.1),
                term(Freedom::Sway, 0.2, 2.1, -0.4),
                term(Freedom::Heave, 0.7, 0.8, 1.0),
                term(Freedom::Heave, 0.1, 3.0, 2.0),
                term(Freedom::Roll, 0.6, 1.7, 0.3),
                term(Freedom::Pitch, 1.9, 1.1, 0.2),
                term(Freedom::Yaw, 1.2, 0.6, -1.0),
            ],
        )
        .unwrap();
        // Pitch passes ±π/2 on the way; truncation is (3 h)⁶, rounding 1e-16/2e-3.
        for k in 0..40 {
            check_rates(&prescribed, 0.21 * f64::from(k) - 2.0, 1e-11);
        }
    }

    #[test]
    fn the_rotation_is_yaw_then_pitch_then_roll_in_turning_axes() {
        // A frequency of zero holds the angle.
        let prescribed = PrescribedMotion::harmonic(
            Pose::identity(),
            &[
                term(Freedom::Roll, 0.3, 0.0, 0.0),
                term(Freedom::Pitch, -0.7, 0.0, 0.0),
                term(Freedom::Yaw, 1.1, 0.0, 0.0),
            ],
        )
        .unwrap();
        let about = |axis: Vec3, angle: f64| UnitQuaternion::from_scaled_axis(axis * angle);
        let expected = about(Vec3::z(), 1.1) * about(Vec3::y(), -0.7) * about(Vec3::x(), 0.3);
        let found = prescribed.at(5.0).motion;
        assert!(found.pose.orientation.angle_to(&expected) < 1e-15);
        assert_eq!((found.velocity, found.angular_velocity_body), (Vec3::zeros(), Vec3::zeros()));
    }

    #[test]
    fn displacements_run_along_the_axes_of_the_rest_pose() {
        let prescribed = PrescribedMotion::harmonic(rest(), &[term(Freedom::Sway, 0.25, 2.0, 0.0)]).unwrap();
        let expected = rest().point_to_world(&Vec3::new(0.0, 0.25, 0.0));
        assert!((prescribed.at(0.0).motion.pose.position - expected).norm() < 1e-15);
    }

    #[test]
    fn harmonics_that_cannot_be_are_refused_by_name() {
        let good = term(Freedom::Yaw, 1.0, 1.0, 0.0);
        for (bad, said) in [
            (Harmonic { amplitude: f64::NAN, ..good }, "amplitude of harmonic 1 = NaN"),
            (Harmonic { frequency: f64::INFINITY, ..good }, "frequency of harmonic 1 = inf"),
            (Harmonic { phase: f64::NAN, ..good }, "phase of harmonic 1 = NaN"),
        ] {
            let message = PrescribedMotion::harmonic(rest(), &[good, bad]).unwrap_err().to_string();
            assert!(message.starts_with(said), "{message}");
        }
        let nowhere = Pose::from_position(f64::NAN, 0.0, 0.0);
        let message = PrescribedMotion::harmonic(nowhere, &[good]).unwrap_err().to_string();
        assert!(message.starts_with("position[0] = NaN"), "{message}");
    }
}
