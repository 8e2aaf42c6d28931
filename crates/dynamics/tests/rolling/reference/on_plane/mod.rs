//! A body on the plane z = 0, rolling without slip or sliding, in body axes.
//!
//! Unknown are the orientation Q (body to world, a unit quaternion), the angular velocity ω, and the mass centre. With
//! the plane's normal γ = Qᵀz, γ̇ = γ×ω, the contact r = e + p(γ) from the mass centre (e to the hull's centre, p as in
//! [`super::hull`]), ṙ·γ = 0, the velocity v of the mass centre, the force F of the plane and gravity g:
//!
//! - m(v̇ + ω×v) = F + m g, I ω̇ + ω×Iω = r×F.
//! - Rolling: v = r×ω at all times. The first equation gives F = m(ṙ×ω + r×ω̇ + ω×(r×ω) − g), and the second becomes
//!   (I + m(r² 1 − r rᵀ)) ω̇ = −ω×Iω + m r×(ṙ×ω + ω×(r×ω) − g), the balance of angular momentum about the contact.
//! - Sliding: F = N f, f = γ − μ s/∣s∣ with the slip s = v + ω×r. The height z = −r·γ of the mass centre has
//!   z̈ = −ṙ·γ̇ − r·(γ̇×ω) − b·ω̇, b = r×γ. With I ω̇ = −ω×Iω + N r×f and m z̈ = N + m g·γ
//!   N = m(−g·γ − ṙ·γ̇ − r·(γ̇×ω) + b·I⁻¹(ω×Iω))/(1 + m b·I⁻¹(r×f)). Without friction, μ = 0, it is f = γ.
//!
//! | symbol | here | unit |
//! |---|---|---|
//! | e | `centre` | m |
//! | I | `inertia`, about the mass centre | kg m² |
//! | Q, ω, mass centre in the plane | `y[0..4]` as w, x, y, z, `y[4..7]`, `y[7..9]` | 1, rad/s, m |
//! | velocity in the plane, work lost | sliding only: `y[9..11]`, `y[11]` | m/s, J |
//!
//! The plane is an incline where gravity is not along −z.

use super::hull::Hull;
use rattleback_dynamics::Result;
use rattleback_dynamics::integrator::Equations;
use rattleback_geom::nalgebra::{Quaternion, UnitQuaternion};
use rattleback_geom::{Mat3, Vec3};

/// What rolls.
#[derive(Debug, Clone, Copy)]
pub struct Solid {
    /// Its surface.
    pub hull: Hull,
    /// From the mass centre to the hull's centre.
    pub centre: Vec3,
    /// In kg.
    pub mass: f64,
    /// About the mass centre, in kg m².
    pub inertia: Mat3,
    /// In world axes, in m/s².
    pub gravity: Vec3,
}

/// What holds at an instant, in body axes.
struct Instant {
    angular_velocity: Vec3,
    normal: Vec3,
    normal_rate: Vec3,
    contact: Vec3,
    contact_rate: Vec3,
    gravity: Vec3,
}

/// The orientation in a state.
pub fn orientation(y: &[f64]) -> UnitQuaternion<f64> {
    UnitQuaternion::new_normalize(Quaternion::new(y[0], y[1], y[2], y[3]))
}

/// The angular velocity in a state, in body axes.
pub fn angular_velocity(y: &[f64]) -> Vec3 {
    Vec3::new(y[4], y[5], y[6])
}

impl Solid {
    fn instant(&self, y: &[f64]) -> Instant {
        let (turn, angular_velocity) = (orientation(y), angular_velocity(y));
        let normal = turn.inverse_transform_vector(&Vec3::z());
        let normal_rate = normal.cross(&angular_velocity);
        let (lowest, contact_rate) = self.hull.lowest(&normal, &normal_rate);
        let gravity = turn.inverse_transform_vector(&self.gravity);
        Instant {
            angular_velocity,
            normal,
            normal_rate,
            contact: self.centre + lowest,
            contact_rate,
            gravity,
        }
    }

    /// A state that rolls, with the mass centre above the origin; ω in body axes.
    pub fn rolling(&self, turn: &UnitQuaternion<f64>, angular_velocity: &Vec3) -> Vec<f64> {
        vec![
            turn.w,
            turn.i,
            turn.j,
            turn.k,
            angular_velocity.x,
            angular_velocity.y,
            angular_velocity.z,
            0.0,
            0.0,
        ]
    }

    /// A state that slides, with the mass centre above the origin at a velocity in the plane; ω in body axes.
    pub fn sliding(
        &self,
        turn: &UnitQuaternion<f64>,
        angular_velocity: &Vec3,
        velocity: [f64; 2],
    ) -> Vec<f64> {
        let mut y = self.rolling(turn, angular_velocity);
        y.extend([velocity[0], velocity[1], 0.0]);
        y
    }

    /// The mass centre in the world, in m.
    pub fn mass_centre(&self, y: &[f64]) -> Vec3 {
        let at = self.instant(y);
        Vec3::new(y[7], y[8], -at.contact.dot(&at.normal))
    }

    /// The contact point in the world, in m.
    pub fn contact(&self, y: &[f64]) -> Vec3 {
        self.mass_centre(y) + orientation(y) * self.instant(y).contact
    }

    /// The velocity of the mass centre in world axes, in m/s.
    pub fn velocity(&self, y: &[f64]) -> Vec3 {
        let at = self.instant(y);
        if y.len() == 9 {
            return orientation(y) * at.contact.cross(&at.angular_velocity);
        }
        Vec3::new(y[9], y[10], -at.contact.dot(&at.normal_rate))
    }

    /// The velocity of the body's point at the contact in world axes, in m/s.
    pub fn slip(&self, y: &[f64]) -> Vec3 {
        let at = self.instant(y);
        self.velocity(y) + orientation(y) * at.angular_velocity.cross(&at.contact)
    }

    /// Kinetic and potential energy, in J; the work of friction is not in it.
    pub fn energy(&self, y: &[f64]) -> f64 {
        let angular_velocity = angular_velocity(y);
        let kinetic = self.mass * self.velocity(y).norm_squared()
            + angular_velocity.dot(&(self.inertia * angular_velocity));
        0.5 * kinetic - self.mass * self.gravity.dot(&self.mass_centre(y))
    }
}

/// Q̇ = ½ Q∘(0, ω).
fn turn_rate(y: &[f64], angular_velocity: &Vec3) -> Quaternion<f64> {
    Quaternion::new(y[0], y[1], y[2], y[3]) * Quaternion::from_imag(0.5 * angular_velocity)
}

/// A body that rolls without slip.
#[derive(Debug, Clone, Copy)]
pub struct Rolling(pub Solid);

impl Rolling {
    /// ω̇ and F, in body axes.
    fn response(&self, at: &Instant) -> (Vec3, Vec3) {
        let Solid { mass, inertia, .. } = self.0;
        let (r, w) = (at.contact, at.angular_velocity);
        let known = at.contact_rate.cross(&w) + w.cross(&r.cross(&w)) - at.gravity;
        let about_contact = inertia + (Mat3::identity() * r.norm_squared() - r * r.transpose()) * mass;
        let moment = r.cross(&known) * mass - w.cross(&(inertia * w));
        let rate = about_contact.try_inverse().unwrap() * moment;
        (rate, (known + r.cross(&rate)) * mass)
    }

    /// The force of the plane on the body in world axes, in N.
    pub fn force(&self, y: &[f64]) -> Vec3 {
        orientation(y) * self.response(&self.0.instant(y)).1
    }
}

impl Equations for Rolling {
    fn dimension(&self) -> usize {
        9
    }

    fn rate(&mut self, _t: f64, y: &[f64], dy: &mut [f64]) -> Result<()> {
        let at = self.0.instant(y);
        let (angular_acceleration_body, velocity) = (self.response(&at).0, self.0.velocity(y));
        let turning = turn_rate(y, &at.angular_velocity);
        dy[..4].copy_from_slice(&[turning.w, turning.i, turning.j, turning.k]);
        dy[4..7].copy_from_slice(angular_acceleration_body.as_slice());
        dy[7..].copy_from_slice(&[velocity.x, velocity.y]);
        Ok(())
    }
}

/// A body that slides with the friction coefficient μ.
#[derive(Debug, Clone, Copy)]
pub struct Sliding(pub Solid, pub f64);

impl Sliding {
    /// ω̇ in body axes, N, and the direction f of the force in body axes.
    fn response(&self, at: &Instant, slip: &Vec3) -> (Vec3, f64, Vec3) {
        let Solid { mass, inertia, .. } = self.0;
        let (r, w) = (at.contact, at.angular_velocity);
        let friction = if self.1 == 0.0 { Vec3::zeros() } else { slip.normalize() * self.1 };
        let force = at.normal - friction;
        let inverse = inertia.try_inverse().unwrap();
        let (b, c) = (r.cross(&at.normal), r.cross(&force));
        let gyroscopic = inverse * w.cross(&(inertia * w));
        let bend = at.contact_rate.dot(&at.normal_rate) + r.dot(&at.normal_rate.cross(&w));
        let free = b.dot(&gyroscopic) - at.gravity.dot(&at.normal) - bend;
        let pressure = mass * free / (1.0 + mass * b.dot(&(inverse * c)));
        (inverse * c * pressure - gyroscopic, pressure, force)
    }

    /// The force of the plane on the body in world axes, in N.
    pub fn force(&self, y: &[f64]) -> Vec3 {
        let slip = orientation(y).inverse_transform_vector(&self.0.slip(y));
        let (_, pressure, force) = self.response(&self.0.instant(y), &slip);
        orientation(y) * force * pressure
    }
}

impl Equations for Sliding {
    fn dimension(&self) -> usize {
        12
    }

    fn rate(&mut self, _t: f64, y: &[f64], dy: &mut [f64]) -> Result<()> {
        let at = self.0.instant(y);
        let slip = self.0.slip(y);
        let (angular_acceleration_body, pressure, force) =
            self.response(&at, &orientation(y).inverse_transform_vector(&slip));
        let turning = turn_rate(y, &at.angular_velocity);
        let acceleration = orientation(y) * force * (pressure / self.0.mass) + self.0.gravity;
        dy[..4].copy_from_slice(&[turning.w, turning.i, turning.j, turning.k]);
        dy[4..7].copy_from_slice(angular_acceleration_body.as_slice());
        dy[7..9].copy_from_slice(&y[9..11]);
        dy[9..11].copy_from_slice(&[acceleration.x, acceleration.y]);
        dy[11] = self.1 * pressure * slip.norm();
        Ok(())
    }
}

#[cfg(test)]
mod tests;
