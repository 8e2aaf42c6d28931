//! Coulomb's friction made smooth about zero slip: F = −(μN + c‖v‖) τ(v), τ(v) = tanh(‖v‖/v₁) v/‖v‖.
//!
//! Römer (97) with c = 0; the paper's own branch near zero slip is the first term of the series used here. Marques
//! (44, 45) with c > 0, his sign corrected (friction opposes the slip) and his undefined direction at rest made τ.
//!
//! With x = ‖v‖/v₁: τ = t(x) v/v₁, t = tanh x/x, and ∂τ/∂v = [t·1 + (t′/x) v vᵀ/v₁²]/v₁.
//!
//! **Slip and spin share the friction** (Contensou) where bodies touch over an area: what spins about the normal at ω
//! slips in all directions about the middle, and the middle's own slip v meets a force that vanishes with v. The limit
//! surface of force F and torque T is taken for an ellipsoid, (F/μN)² + (T/μNρ)² ≤ 1 (Howe and Cutkosky 1996), with ρ
//! the lever at which friction resists pure spin: 2a/3 for an even pressure on a circle of radius a, 3πa/16 for
//! Hertz's. Of all forces on it the one of greatest dissipation is, with s² = ‖v‖² + ρ²ω² and the same rise about rest,
//!
//! > F = −μN t(s/v₁) v/v₁,   T = −μN ρ² t(s/v₁) ω/v₁,   −F·v − Tω = μN s tanh(s/v₁) ≥ 0
//!
//! With u = v/v₁, w = ρω/v₁, x² = ‖u‖² + w²: ∂F/∂v = −μN (t·1 + (t′/x) u uᵀ)/v₁, ∂F/∂ω = −μN ρ (t′/x) w u/v₁ =
//! (∂T/∂v)ᵀ, ∂T/∂ω = −μN ρ² (t + (t′/x) w²)/v₁. The viscous term is as without spin.
//!
//! | symbol | field | unit |
//! |---|---|---|
//! | μ | `coefficient` | 1 |
//! | c | `viscous` | N s/m |
//! | v₁ | `transition` | m/s |
//! | ρ | `spin_radius` | m |

use super::{FrictionForce, FrictionPartials, Partials, Slip};
use crate::error::{Result, not_negative, positive};
use rattleback_geom::{Mat3, Vec3};

/// Below this argument the quotients of tanh cancel; the series' next term is 2e-14 there.
const SMALL: f64 = 0.02;

/// A direction that fades out at zero, and its derivative.
pub(crate) struct Direction {
    pub value: Vec3,
    pub by_vector: Mat3,
}

/// t(x) = tanh x/x and t′/x.
#[inline]
fn rise(x: f64) -> (f64, f64) {
    if x < SMALL {
        let s = x * x;
        (
            1.0 - s * (1.0 / 3.0 - s * (2.0 / 15.0 - s * 17.0 / 315.0)),
            -2.0 / 3.0 + s * (8.0 / 15.0 - s * 34.0 / 105.0),
        )
    } else {
        let tanh = x.tanh();
        let t = tanh / x;
        (t, ((1.0 - tanh) * (1.0 + tanh) - t) / (x * x))
    }
}

/// τ(v) = tanh(‖v‖/scale) v/‖v‖.
#[inline]
pub(crate) fn direction(v: &Vec3, scale: f64) -> Direction {
    let u = v / scale;
    let (t, t_over) = rise(u.norm());
    Direction { value: u * t, by_vector: (Mat3::identity() * t + u * u.transpose() * t_over) / scale }
}

/// The law F = −(μN + c‖v‖) τ(v).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coulomb {
    coefficient: f64,
    viscous: f64,
    transition: f64,
    spin_radius: f64,
}

impl Coulomb {
    /// The transition in m/s where none is asked for: bodies that friction holds creep at less than 1 mm/s, and impacts
    /// of metres per second slide at μN within 2e-6 of it from 7 mm/s on.
    pub const TRANSITION: f64 = 1e-3;

    /// Coulomb's law with the coefficient μ ≥ 0; 76 % of it acts at the slip speed `transition` in m/s.
    pub fn new(coefficient: f64, transition: f64) -> Result<Self> {
        Self::with_viscous(coefficient, 0.0, transition)
    }

    /// The same with a viscous term of c ≥ 0 N s/m.
    pub fn with_viscous(coefficient: f64, viscous: f64, transition: f64) -> Result<Self> {
        not_negative("friction", coefficient)?;
        not_negative("viscous", viscous)?;
        positive("transition", transition)?;
        Ok(Self { coefficient, viscous, transition, spin_radius: 0.0 })
    }

    /// The same with friction that slip shares with spin about the normal: ρ ≥ 0 in m, the lever at which friction
    /// resists pure spin; none of it at zero.
    pub fn with_spin_radius(self, spin_radius: f64) -> Result<Self> {
        Ok(Self { spin_radius: not_negative("spin radius", spin_radius)?, ..self })
    }

    /// ρ: the lever at which friction resists pure spin, in m; zero where slip and spin have nothing to do with each
    /// other.
    pub fn spin_radius(&self) -> f64 {
        self.spin_radius
    }

    /// μ.
    pub fn coefficient(&self) -> f64 {
        self.coefficient
    }

    /// The slip speed at which 76 % of it acts, in m/s.
    pub fn transition(&self) -> f64 {
        self.transition
    }

    /// The viscous term, in N s/m.
    pub fn viscous(&self) -> f64 {
        self.viscous
    }

    pub(super) fn bound(&self, normal_force: f64, speed: f64) -> f64 {
        self.coefficient * normal_force + self.viscous * speed
    }

    /// μN, v/v₁, ρω/v₁ and t, t′/x of both together.
    fn shared(&self, slip: &Slip) -> (f64, Vec3, f64, (f64, f64)) {
        let (u, w) = (slip.velocity / self.transition, self.spin_radius * slip.spin / self.transition);
        (self.coefficient * slip.normal_force, u, w, rise(u.norm().hypot(w)))
    }

    fn shared_force(&self, slip: &Slip) -> FrictionForce {
        let (size, u, w, (t, _)) = self.shared(slip);
        let v = &slip.velocity;
        let viscous = direction(v, self.transition).value * (self.viscous * v.norm());
        let (force, torque) = (u * (-size * t) - viscous, -size * self.spin_radius * t * w);
        let friction_loss = -force.dot(v) - torque * slip.spin;
        FrictionForce { force, torque, friction_loss, ..FrictionForce::default() }
    }

    fn shared_partials(&self, slip: &Slip) -> FrictionPartials {
        let (size, u, w, (t, t_over)) = self.shared(slip);
        let rho = self.spin_radius;
        let per = size / self.transition;
        let viscous = Self { coefficient: 0.0, spin_radius: 0.0, ..*self }.partials(slip).force;
        let across = u * (-per * rho * t_over * w);
        let force = Partials {
            value: u * (-size * t) + viscous.value,
            by_velocity: (Mat3::identity() * t + u * u.transpose() * t_over) * -per + viscous.by_velocity,
            by_normal_force: u * (-self.coefficient * t),
            by_bristle: Mat3::zeros(),
        };
        FrictionPartials {
            force,
            force_by_spin: across,
            torque: -size * rho * t * w,
            torque_by_velocity: across,
            torque_by_spin: -per * rho * rho * (t + t_over * w * w),
            ..FrictionPartials::zero()
        }
    }

    pub(super) fn force(&self, slip: &Slip) -> FrictionForce {
        if self.spin_radius > 0.0 {
            return self.shared_force(slip);
        }
        let v = &slip.velocity;
        let size = self.bound(slip.normal_force, if self.viscous > 0.0 { v.norm() } else { 0.0 });
        let force = direction(v, self.transition).value * -size;
        FrictionForce { force, friction_loss: -force.dot(v), ..FrictionForce::default() }
    }

    pub(super) fn partials(&self, slip: &Slip) -> FrictionPartials {
        if self.spin_radius > 0.0 {
            return self.shared_partials(slip);
        }
        let v = &slip.velocity;
        let speed = v.norm();
        let tau = direction(v, self.transition);
        let size = self.bound(slip.normal_force, speed);
        // d‖v‖/dv = vᵀ/‖v‖; τ vanishes where that is not defined.
        let along =
            if speed > 0.0 { tau.value * v.transpose() * (self.viscous / speed) } else { Mat3::zeros() };
        let force = Partials {
            value: tau.value * -size,
            by_velocity: -tau.by_vector * size - along,
            by_normal_force: -tau.value * self.coefficient,
            by_bristle: Mat3::zeros(),
        };
        FrictionPartials { force, ..FrictionPartials::zero() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_series_and_the_closed_form_join() {
        let at = |x: f64| direction(&Vec3::new(x, 0.0, 0.0), 1.0);
        let (a, b) = (at(SMALL * (1.0 - 1e-12)), at(SMALL * (1.0 + 1e-12)));
        assert!((a.value - b.value).norm() < 1e-13 && (a.by_vector - b.by_vector).norm() < 1e-12);
    }

    #[test]
    fn bad_input_is_refused_by_name() {
        for (found, said) in [
            (Coulomb::new(-0.1, 1e-3), "friction = -0.1"),
            (Coulomb::new(f64::NAN, 1e-3), "friction = NaN"),
            (Coulomb::new(0.1, 0.0), "transition = 0"),
            (Coulomb::with_viscous(0.1, -1.0, 1e-3), "viscous = -1"),
            (Coulomb::new(0.1, 1e-3).and_then(|law| law.with_spin_radius(-1.0)), "spin radius = -1"),
        ] {
            let message = found.unwrap_err().to_string();
            assert!(message.starts_with(said), "{message}");
        }
    }
}
