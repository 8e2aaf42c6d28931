//! Coulomb's friction made smooth about zero slip: F = −(μN + c‖v‖) τ(v), τ(v) = tanh(‖v‖/v₁) v/‖v‖.
//!
//! Römer (97) with c = 0; the paper's own branch near zero slip is the first term of the series used here. Marques
//! (44, 45) with c > 0, his sign corrected (friction opposes the slip) and his undefined direction at rest made τ.
//!
//! With x = ‖v‖/v₁: τ = t(x) v/v₁, t = tanh x/x, and ∂τ/∂v = [t·1 + (t′/x) v vᵀ/v₁²]/v₁.
//!
//! | symbol | field | unit |
//! |---|---|---|
//! | μ | `coefficient` | 1 |
//! | c | `viscous` | N s/m |
//! | v₁ | `transition` | m/s |

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

/// τ(v) = tanh(‖v‖/scale) v/‖v‖.
#[inline]
pub(crate) fn direction(v: &Vec3, scale: f64) -> Direction {
    let u = v / scale;
    let x = u.norm();
    let (t, t_over) = if x < SMALL {
        let s = x * x;
        (
            1.0 - s * (1.0 / 3.0 - s * (2.0 / 15.0 - s * 17.0 / 315.0)),
            -2.0 / 3.0 + s * (8.0 / 15.0 - s * 34.0 / 105.0),
        )
    } else {
        let tanh = x.tanh();
        let t = tanh / x;
        (t, ((1.0 - tanh) * (1.0 + tanh) - t) / (x * x))
    };
    Direction { value: u * t, by_vector: (Mat3::identity() * t + u * u.transpose() * t_over) / scale }
}

/// The law F = −(μN + c‖v‖) τ(v).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coulomb {
    coefficient: f64,
    viscous: f64,
    transition: f64,
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
        Ok(Self { coefficient, viscous, transition })
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

    pub(super) fn force(&self, slip: &Slip) -> FrictionForce {
        let v = &slip.velocity;
        let size = self.bound(slip.normal_force, if self.viscous > 0.0 { v.norm() } else { 0.0 });
        let force = direction(v, self.transition).value * -size;
        FrictionForce { force, friction_loss: -force.dot(v), ..FrictionForce::default() }
    }

    pub(super) fn partials(&self, slip: &Slip) -> FrictionPartials {
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
        ] {
            let message = found.unwrap_err().to_string();
            assert!(message.starts_with(said), "{message}");
        }
    }
}
