//! Stiction, sliding and viscous friction, blended (Dopico (2) to (4)):
//!
//!   F = κ F_stick + (1 − κ) F_slide − c v,   κ = exp(−‖v‖²/v₁²),   F_slide = −μ_k N v/‖v‖
//!
//! The paper only cites its stiction force: a spring and a damper between the bodies, anchored where they stick. Here
//! it is a bristle of stretch z in the contact's state, cut off at the static limit M = μ_s N:
//!
//!   a = k z + d v,   s = min(1, M/‖a‖),   F_stick = −s a
//!   ż = s κ v − λ z,   λ = ‖v‖ k [C (1 − s)/‖a‖ + (1 − κ)/(M + k‖z‖)]
//!
//! While it sticks (s = κ = 1) the bristle follows the slip. At the limit the first term of λ lets its foot slide, so
//! that ‖a‖ stays within 1/C of M; when the bodies slide fast, the second anchors it anew. At rest nothing changes: a
//! load within the cone is carried permanently, without creep. The energy ½k‖z‖² is stored, and since s κ stands before
//! v in both F and ż, what is left of −F·v is
//!
//!   s κ d ‖v‖² + (1 − κ) μ_k N ‖v‖ + c ‖v‖² + λ k ‖z‖² ≥ 0
//!
//! | symbol | field | unit |
//! |---|---|---|
//! | μ_s, μ_k | `static_coefficient`, `sliding_coefficient` | 1 |
//! | c | `viscous` | N s/m |
//! | v₁ | `transition` | m/s |
//! | k, d | `stiffness`, `damping` | N/m, N s/m |

use super::{FrictionForce, FrictionPartials, Partials, Slip};
use crate::error::{Result, not_negative, positive};
use rattleback_geom::{Mat3, Vec3};

/// C: in slow steady slip the bristle is wound beyond its limit by a tenth, which a reversal has to unwind.
const RETURN: f64 = 10.0;

/// The parameters of the law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bristle {
    static_coefficient: f64,
    sliding_coefficient: f64,
    viscous: f64,
    transition: f64,
    stiffness: f64,
    damping: f64,
}

/// A scalar and its derivatives with respect to v, z and M.
#[derive(Clone, Copy)]
struct Scalar {
    value: f64,
    by_v: Vec3,
    by_z: Vec3,
    by_m: f64,
}

impl Bristle {
    /// The law with μ_s = μ_k = `coefficient`, blended at the slip speed `transition` in m/s, with a bristle of
    /// `stiffness` in N/m and `damping` in N s/m.
    pub fn new(coefficient: f64, transition: f64, stiffness: f64, damping: f64) -> Result<Self> {
        not_negative("friction", coefficient)?;
        Ok(Self {
            static_coefficient: coefficient,
            sliding_coefficient: coefficient,
            viscous: 0.0,
            transition: positive("transition", transition)?,
            stiffness: positive("bristle stiffness", stiffness)?,
            damping: not_negative("bristle damping", damping)?,
        })
    }

    /// The same with a static coefficient of its own.
    pub fn with_static(self, coefficient: f64) -> Result<Self> {
        Ok(Self { static_coefficient: not_negative("static friction", coefficient)?, ..self })
    }

    /// The same with a viscous term of c ≥ 0 N s/m.
    pub fn with_viscous(self, viscous: f64) -> Result<Self> {
        Ok(Self { viscous: not_negative("viscous", viscous)?, ..self })
    }

    /// The same for a share of a contact: bristle and viscous term are so much weaker.
    pub(super) fn of_share(self, share: f64) -> Self {
        Self {
            viscous: share * self.viscous,
            stiffness: share * self.stiffness,
            damping: share * self.damping,
            ..self
        }
    }

    /// μ_s and μ_k.
    pub fn coefficients(&self) -> [f64; 2] {
        [self.static_coefficient, self.sliding_coefficient]
    }

    /// The bristle's stiffness, in N/m.
    pub fn stiffness(&self) -> f64 {
        self.stiffness
    }

    /// The viscous term, in N s/m.
    pub fn viscous(&self) -> f64 {
        self.viscous
    }

    pub(super) fn bound(&self, normal_force: f64, speed: f64) -> f64 {
        self.static_coefficient.max(self.sliding_coefficient) * normal_force + self.viscous * speed
    }

    /// The force with its energies, and its derivatives.
    pub(super) fn evaluate(&self, slip: &Slip) -> (FrictionForce, FrictionPartials) {
        let (v, z, n) = (&slip.velocity, &slip.bristle, slip.normal_force);
        let (k, d, limit) = (self.stiffness, self.damping, self.static_coefficient * n);
        let speed = v.norm();
        let v_hat = if speed > 0.0 { v / speed } else { Vec3::zeros() };
        let a = z * k + v * d;
        let blend = self.blend(v, speed);
        let s = cut(&a, limit, k, d);
        let lambda = self.anchoring(slip, limit, &a, speed, &v_hat, &blend, &s);
        let one = Mat3::identity();

        // F = −κ s a − μ_k N (1 − κ) v/‖v‖ − c v.
        let slide = v_hat * (1.0 - blend.value);
        let slide_by_v = self.slide_by_velocity(speed, &v_hat);
        let sliding = self.sliding_coefficient * n;
        let (ks, a_t) = (blend.value * s.value, a);
        let force = Partials {
            value: -a_t * ks - slide * sliding - v * self.viscous,
            by_velocity: -one * (ks * d + self.viscous)
                - slide_by_v * sliding
                - a_t * (blend.by_v * s.value + s.by_v * blend.value).transpose(),
            by_normal_force: -a_t * (blend.value * s.by_m * self.static_coefficient)
                - slide * self.sliding_coefficient,
            by_bristle: -one * (ks * k) - a_t * s.by_z.transpose() * blend.value,
        };
        // ż = s κ v − λ z.
        let bristle_rate = Partials {
            value: v * ks - z * lambda.value,
            by_velocity: one * ks + v * (blend.by_v * s.value + s.by_v * blend.value).transpose()
                - z * lambda.by_v.transpose(),
            by_normal_force: (v * (s.by_m * blend.value) - z * lambda.by_m) * self.static_coefficient,
            by_bristle: v * s.by_z.transpose() * blend.value
                - one * lambda.value
                - z * lambda.by_z.transpose(),
        };
        let friction_loss = (ks * d + self.viscous) * speed * speed
            + (1.0 - blend.value) * sliding * speed
            + lambda.value * k * z.norm_squared();
        let own = FrictionForce {
            torque: 0.0,
            force: force.value,
            bristle_rate: bristle_rate.value,
            stored: self.stored(z),
            friction_loss,
        };
        (own, FrictionPartials { force, bristle_rate, ..FrictionPartials::zero() })
    }

    /// The stretch after a step of `h` seconds with the slip of its end, however long the step is, and how far it
    /// follows a change of that slip, in s.
    ///
    /// The rate's λ grows beyond all bounds as N falls, and a step in ż = s κ v − λ z alone would wind the bristle up.
    /// Here the bristle is taken along, z* = z + h κ v, then drawn back onto the cone, to k‖z‖ ≤ M, and anchored anew
    /// with λ₂, the second part of λ, at the end of the step: z₁ = z* min(1, M/k‖z*‖)/(1 + h λ₂). In the limit of short
    /// steps the cone is the one to which C → ∞ leads.
    pub(super) fn stretched(&self, slip: &Slip, h: f64) -> (Vec3, f64) {
        let (v, speed, k) = (&slip.velocity, slip.velocity.norm(), self.stiffness);
        let limit = self.static_coefficient * slip.normal_force;
        let blend = self.blend(v, speed).value;
        let moved = slip.bristle + v * (h * blend);
        let pull = k * moved.norm();
        let share = if pull > limit { limit / pull } else { 1.0 };
        let reach = limit + k * moved.norm() * share;
        let renew = if reach > 0.0 { h * speed * k * (1.0 - blend) / reach } else { 0.0 };
        let kept = share / (1.0 + renew);
        (moved * kept, h * blend * kept)
    }

    /// ½k‖z‖².
    pub(super) fn stored(&self, z: &Vec3) -> f64 {
        0.5 * self.stiffness * z.norm_squared()
    }

    /// κ.
    fn blend(&self, v: &Vec3, speed: f64) -> Scalar {
        let x = speed / self.transition;
        let value = (-x * x).exp();
        let by_v = v * (-2.0 * value / (self.transition * self.transition));
        Scalar { value, by_v, by_z: Vec3::zeros(), by_m: 0.0 }
    }

    /// ∂[(1 − κ) v/‖v‖]/∂v = g·1 + h v vᵀ/‖v‖² with g = (1 − κ)/‖v‖ and h = 2κ‖v‖/v₁² − g, both zero at rest.
    fn slide_by_velocity(&self, speed: f64, v_hat: &Vec3) -> Mat3 {
        if speed == 0.0 {
            return Mat3::zeros();
        }
        let x = speed / self.transition;
        let g = -(-x * x).exp_m1() / speed;
        let h = 2.0 * (-x * x).exp() * x / self.transition - g;
        Mat3::identity() * g + v_hat * v_hat.transpose() * h
    }

    /// λ.
    #[expect(
        clippy::too_many_arguments,
        reason = "all of them are the parts of one formula, at hand already"
    )]
    fn anchoring(
        &self,
        slip: &Slip,
        limit: f64,
        a: &Vec3,
        speed: f64,
        v_hat: &Vec3,
        blend: &Scalar,
        s: &Scalar,
    ) -> Scalar {
        let (k, d) = (self.stiffness, self.damping);
        let (pull, stretch) = (a.norm(), slip.bristle.norm());
        let a_hat = if pull > 0.0 { a / pull } else { Vec3::zeros() };
        let z_hat = if stretch > 0.0 { slip.bristle / stretch } else { Vec3::zeros() };
        let give = if s.value < 1.0 { RETURN / pull } else { 0.0 };
        let reach = limit + k * stretch;
        // Without a limit and without stretch there is nothing to anchor anew.
        let renew = if reach > 0.0 { 1.0 / reach } else { 0.0 };
        let bracket = give * (1.0 - s.value) + renew * (1.0 - blend.value);
        let by_pull = if s.value < 1.0 { -give * (1.0 - s.value) / pull } else { 0.0 };
        let by_reach = -renew * renew * (1.0 - blend.value);
        Scalar {
            value: speed * k * bracket,
            by_v: v_hat * (k * bracket)
                + (a_hat * (by_pull * d) - s.by_v * give - blend.by_v * renew) * (speed * k),
            by_z: (a_hat * (by_pull * k) - s.by_z * give + z_hat * (by_reach * k)) * (speed * k),
            by_m: (by_reach - give * s.by_m) * speed * k,
        }
    }
}

/// s = min(1, M/‖a‖).
fn cut(a: &Vec3, limit: f64, k: f64, d: f64) -> Scalar {
    let pull = a.norm();
    if pull <= limit {
        return Scalar { value: 1.0, by_v: Vec3::zeros(), by_z: Vec3::zeros(), by_m: 0.0 };
    }
    let by_a = a * (-limit / (pull * pull * pull));
    Scalar { value: limit / pull, by_v: by_a * d, by_z: by_a * k, by_m: 1.0 / pull }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn law() -> Bristle {
        Bristle::new(0.3, 1e-2, 1e5, 50.0).unwrap().with_static(0.5).unwrap().with_viscous(2.0).unwrap()
    }

    #[test]
    fn a_load_within_the_cone_is_carried_without_creep() {
        let bristle = Vec3::new(0.4e-5 * 10.0, 0.0, 0.0);
        let found =
            law().evaluate(&Slip { velocity: Vec3::zeros(), spin: 0.0, normal_force: 10.0, bristle }).0;
        assert!((found.force - Vec3::new(-4.0, 0.0, 0.0)).norm() < 1e-12);
        assert_eq!(found.bristle_rate, Vec3::zeros());
        assert_eq!(found.friction_loss, 0.0);
    }

    #[test]
    fn slow_steady_slip_meets_the_static_limit_and_fast_slip_the_sliding_one() {
        let law = Bristle::new(0.3, 1e-2, 1e5, 0.0).unwrap().with_static(0.5).unwrap();
        for (speed, expected) in [(1e-5, 0.5 * 10.0), (1.0, 0.3 * 10.0)] {
            let velocity = Vec3::new(0.0, speed, 0.0);
            let mut bristle = Vec3::zeros();
            for _ in 0..200_000 {
                let found = law.evaluate(&Slip { velocity, spin: 0.0, normal_force: 10.0, bristle }).0;
                bristle += found.bristle_rate * (2e-9 / speed);
            }
            let found = law.evaluate(&Slip { velocity, spin: 0.0, normal_force: 10.0, bristle }).0;
            assert!((found.force.y + expected).abs() < 1e-4 * expected, "{speed}: {:?}", found.force);
            assert!(1e5 * bristle.norm() <= 1.11 * 5.0, "wound too far: {bristle:?}");
        }
    }

    #[test]
    fn bad_input_is_refused_by_name() {
        for (found, said) in [
            (Bristle::new(-1.0, 1.0, 1.0, 1.0), "friction = -1"),
            (Bristle::new(1.0, 0.0, 1.0, 1.0), "transition = 0"),
            (Bristle::new(1.0, 1.0, f64::NAN, 1.0), "bristle stiffness = NaN"),
            (Bristle::new(1.0, 1.0, 1.0, -2.0), "bristle damping = -2"),
            (law().with_static(f64::INFINITY), "static friction = inf"),
            (law().with_viscous(-3.0), "viscous = -3"),
        ] {
            let message = found.unwrap_err().to_string();
            assert!(message.starts_with(said), "{message}");
        }
    }
}
