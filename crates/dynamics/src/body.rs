//! A rigid body: T = ½m v·v + ½ω·Iω, p = mv, L = x × p + R Iω.
//!
//! | symbol | field | unit |
//! |---|---|---|
//! | x, R | `pose`: mass centre, body to world axes | m |
//! | v | `velocity`, world axes | m/s |
//! | ω | `angular_velocity_body` | rad/s |
//! | I | `inertia` about the mass centre, body axes | kg m² |

use crate::error::{DynamicsError, Result};
use rattleback_contact::Twist;
use rattleback_geom::{MassProperties, Mat3, Pose, Vec3};

/// What does not change while a body moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Body {
    /// Mass in kg.
    pub mass: f64,
    /// Inertia about the mass centre in body axes, in kg m².
    pub inertia: Mat3,
}

/// How far from its frame's origin a shape's mass centre may be, as a share of its radius of gyration, for rounding of
/// moments: a force's lever is wrong by no more than the error that runs are allowed by default.
const CENTRED: f64 = 1e-9;

/// The body of a shape whose mass centre is the origin of its frame. Of any other shape it is refused: body and shape
/// have different frames, which [`BodyModel::solid`](crate::BodyModel::solid) keeps apart.
impl TryFrom<&MassProperties> for Body {
    type Error = DynamicsError;

    fn try_from(m: &MassProperties) -> Result<Self> {
        let gyration = (0.5 * m.inertia.trace() / m.mass).sqrt();
        if m.centroid.norm() <= CENTRED * gyration {
            return Ok(Self { mass: m.mass, inertia: m.inertia });
        }
        let [x, y, z] = m.centroid.into();
        Err(DynamicsError::Invalid {
            what: format!("mass centre ({x}, {y}, {z}) m"),
            reason:
                "not the origin of the shape's frame, as a body's must be; BodyModel::solid places the shape"
                    .to_owned(),
        })
    }
}

/// Where a body is and how it moves.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Motion {
    /// Mass centre and orientation.
    pub pose: Pose,
    /// Velocity of the mass centre, in world axes.
    pub velocity: Vec3,
    /// Angular velocity, in body axes.
    pub angular_velocity_body: Vec3,
}

impl Motion {
    /// At rest at a pose.
    pub fn at_rest(pose: Pose) -> Self {
        Self { pose, velocity: Vec3::zeros(), angular_velocity_body: Vec3::zeros() }
    }

    /// The same with another velocity of the mass centre, in world axes, in m/s.
    #[must_use]
    pub fn with_velocity(self, velocity: impl Into<Vec3>) -> Self {
        Self { velocity: velocity.into(), ..self }
    }

    /// The same with another angular velocity, in body axes, in rad/s.
    #[must_use]
    pub fn with_angular_velocity_body(self, angular_velocity: impl Into<Vec3>) -> Self {
        Self { angular_velocity_body: angular_velocity.into(), ..self }
    }

    /// The velocities in world axes.
    pub fn twist(&self) -> Twist {
        Twist {
            velocity: self.velocity,
            angular_velocity: self.pose.vector_to_world(&self.angular_velocity_body),
        }
    }

    /// The power of a force and a torque about the mass centre, both in world axes, in W.
    pub fn power(&self, [force, torque]: [Vec3; 2]) -> f64 {
        let twist = self.twist();
        force.dot(&twist.velocity) + torque.dot(&twist.angular_velocity)
    }

    /// Pose and velocities of a frame that is fixed in the body at `pose`.
    pub fn of_frame(&self, pose: &Pose) -> (Pose, Twist) {
        let twist = self.twist();
        if pose.is_identity() {
            return (self.pose, twist);
        }
        let velocity = twist.at(&self.pose.vector_to_world(&pose.position));
        (self.pose.compose(pose), Twist { velocity, ..twist })
    }
}

/// Linear momentum, and angular momentum about the world's origin, both in world axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Momentum {
    /// In kg m/s.
    pub linear: Vec3,
    /// In kg m²/s.
    pub angular: Vec3,
}

impl Body {
    /// Kinetic energy in J.
    pub fn kinetic_energy(&self, motion: &Motion) -> f64 {
        0.5 * self.mass * motion.velocity.norm_squared()
            + 0.5 * motion.angular_velocity_body.dot(&(self.inertia * motion.angular_velocity_body))
    }

    /// Linear and angular momentum.
    pub fn momentum(&self, motion: &Motion) -> Momentum {
        let linear = self.mass * motion.velocity;
        let own = motion.pose.vector_to_world(&(self.inertia * motion.angular_velocity_body));
        Momentum { linear, angular: motion.pose.position.cross(&linear) + own }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rattleback_geom::surface::{Ellipsoid, Surface};

    #[test]
    fn energy_and_momentum_of_a_spinning_ellipsoid_take_their_closed_forms() {
        let shape = Ellipsoid::new([0.3, 0.2, 0.1]).unwrap();
        let body = Body::try_from(&shape.moments().unwrap().with_density(1000.0).unwrap()).unwrap();
        let pose = Pose::from_parts([1.0, 2.0, 3.0], [0.5, 0.5, 0.5, 0.5]).unwrap();
        let motion = Motion {
            pose,
            velocity: Vec3::new(0.0, 0.0, 2.0),
            angular_velocity_body: Vec3::new(0.0, 0.0, 10.0),
        };
        let about_z = body.mass / 5.0 * (0.3f64.powi(2) + 0.2f64.powi(2));
        let expected = 0.5 * body.mass * 4.0 + 0.5 * about_z * 100.0;
        assert!((body.kinetic_energy(&motion) - expected).abs() < 1e-12 * expected);
        // The quaternion takes z to x: the own momentum lies along x.
        let momentum = body.momentum(&motion);
        let expected = Vec3::new(4.0 * body.mass + 10.0 * about_z, -2.0 * body.mass, 0.0);
        assert!((momentum.angular - expected).norm() < 1e-12 * expected.norm());
    }
}
