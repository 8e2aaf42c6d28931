//! Motions of a ball in closed form or by quadrature: radius r, mass m, inertia k m r² (2/5 for a uniform one, 2/3 for
//! a shell), so that only accelerations and k enter.
//!
//! Slip, on a level plane: the contact moves at s = v − r ω×z. Friction −μ m g ŝ acts on the centre and on the spin,
//! ṡ = −μ g (1 + 1/k) ŝ: the direction of slip does not turn, the path is a parabola, and slip ends at
//! t₁ = s₀/(μ g (1 + 1/k)) with v₁ = v₀ − s₀/(1 + 1/k).
//!
//! Driven plane: F = m(v̇ − g), k r ω̇ = −z×(v̇ − g), and v − r ω×z = V, the velocity of the plane at the contact, give
//! (1 + k) v̇ = g + k V̇ in the plane, V̇ along the centre's path. A turntable, V = Ω z×x, turns v at w = Ω k/(1 + k);
//! if it is tilted the circles drift at z×g/(k Ω), across the slope. A table that is shaken takes the share k/(1 + k)
//! of its motion along.
//!
//! Bowl of radius R, from the lowest point by the angle φ: a pendulum of the length (1 + k)(R − r), as the ball turns
//! at (R − r)φ̇/r. On a level circle at the polar angle θ with the rate Ω, angular momentum about the centre asks for
//! the spin ω·n about the normal n (from the ball to the bowl) with k r Ω ω·n = (1 + k)(R − r) Ω² cos θ − g.
//!
//! Vertical cylinder of radius R (Routh): Ω stays, r ω·n grows by Ω dz, and (1 + k) z̈ = −g − k Ω r ω·n: the ball goes
//! down and up again at the rate Ω √(k/(1 + k)).
//!
//! Source: E. J. Routh, The Advanced Part of a Treatise on the Dynamics of a System of Rigid Bodies, 6th ed. (1905),
//! chapter V; the elliptic integrals in Carlson's form, F(ψ, κ) = sin ψ R_F(cos²ψ, 1 − κ² sin²ψ, 1).

use rattleback_geom::special::carlson_rf;
use rattleback_geom::{Vec2, Vec3};

/// Acceleration of a ball that rolls down an incline, in m/s².
pub fn incline(gravity: f64, angle: f64, share: f64) -> f64 {
    gravity * angle.sin() / (1.0 + share)
}

/// The least friction coefficient with which it rolls.
pub fn incline_friction(angle: f64, share: f64) -> f64 {
    angle.tan() * share / (1.0 + share)
}

/// A ball that slips on a level plane.
#[derive(Debug, Clone, Copy)]
pub struct Slip {
    /// Velocity of the centre at the start.
    pub velocity: Vec2,
    /// Angular velocity at the start.
    pub angular_velocity: Vec3,
    /// r.
    pub radius: f64,
    /// k.
    pub share: f64,
    /// μ g.
    pub braking: f64,
}

impl Slip {
    /// s at the start.
    pub fn slip(&self) -> Vec2 {
        self.velocity - Vec2::new(self.angular_velocity.y, -self.angular_velocity.x) * self.radius
    }

    /// t₁, when slip ends.
    pub fn end(&self) -> f64 {
        self.slip().norm() / (self.braking * (1.0 + 1.0 / self.share))
    }

    /// How far the centre has come at `t`, slipping or rolling.
    pub fn path(&self, t: f64) -> Vec2 {
        let s = t.min(self.end());
        let parabola = self.velocity * s - self.slip().normalize() * (0.5 * self.braking * s * s);
        parabola + self.velocity_at(t) * (t - s)
    }

    /// The velocity of the centre at `t`.
    pub fn velocity_at(&self, t: f64) -> Vec2 {
        self.velocity - self.slip().normalize() * (self.braking * t.min(self.end()))
    }
}

/// z×v.
fn quarter_turn(v: &Vec2) -> Vec2 {
    Vec2::new(-v.y, v.x)
}

/// w, the rate at which a ball circles on a turntable of the rate Ω.
pub fn turntable_rate(rate: f64, share: f64) -> f64 {
    rate * share / (1.0 + share)
}

/// Where a ball on a turntable about the origin is at `t`: circles, on a slope that drift. `pull` is gravity along the
/// plane.
pub fn turntable(rate: f64, share: f64, pull: &Vec2, start: [Vec2; 2], t: f64) -> Vec2 {
    let [x, v] = start;
    let w = turntable_rate(rate, share);
    let drift = quarter_turn(pull) / (share * rate);
    let (sin, cos) = (w * t).sin_cos();
    let relative = v - drift;
    x + drift * t + (relative * sin + quarter_turn(&relative) * (1.0 - cos)) / w
}

/// How far a ball, at rest at t = 0, has come on a table that has moved as X(t) = A sin wt.
pub fn shaken(amplitude: f64, w: f64, share: f64, t: f64) -> f64 {
    amplitude * share / (1.0 + share) * ((w * t).sin() - w * t)
}

/// A ball that rolls in a spherical bowl, R − r from its centre.
#[derive(Debug, Clone, Copy)]
pub struct Bowl {
    /// R − r.
    pub reach: f64,
    /// k.
    pub share: f64,
    /// g.
    pub gravity: f64,
}

impl Bowl {
    /// √(L/g) of the pendulum.
    fn scale(&self) -> f64 {
        ((1.0 + self.share) * self.reach / self.gravity).sqrt()
    }

    /// The period of swings up to the angle φ₀.
    pub fn period(&self, greatest: f64) -> f64 {
        4.0 * self.fall(greatest, 0.0)
    }

    /// The time from rest at φ₀ to φ, 0 ≤ φ ≤ φ₀.
    pub fn fall(&self, greatest: f64, angle: f64) -> f64 {
        let modulus = (0.5 * greatest).sin();
        let integral = |sine: f64| {
            let square = sine * sine;
            sine * carlson_rf(1.0 - square, 1.0 - modulus * modulus * square, 1.0)
        };
        self.scale() * (integral(1.0) - integral((0.5 * angle).sin() / modulus))
    }

    /// φ̇ at φ after rest at φ₀, without its sign.
    pub fn rate(&self, greatest: f64, angle: f64) -> f64 {
        (2.0 * (angle.cos() - greatest.cos())).sqrt() / self.scale()
    }

    /// The normal force per mass at φ after rest at φ₀.
    pub fn pressure(&self, greatest: f64, angle: f64) -> f64 {
        self.gravity * (angle.cos() + 2.0 * (angle.cos() - greatest.cos()) / (1.0 + self.share))
    }

    /// r ω·n on a level circle at the polar angle θ with the rate Ω.
    pub fn circle_spin(&self, angle: f64, rate: f64) -> f64 {
        ((1.0 + self.share) * self.reach * rate * rate * angle.cos() - self.gravity) / (self.share * rate)
    }
}

/// The height of a ball in a vertical cylinder at `t`, from zero; `climb` is ż and `twist` r ω·n at the start.
pub fn in_cylinder(rate: f64, share: f64, gravity: f64, [climb, twist]: [f64; 2], t: f64) -> f64 {
    let w = rate * (share / (1.0 + share)).sqrt();
    let middle = -gravity / (share * rate * rate) - twist / rate;
    middle * (1.0 - (w * t).cos()) + climb / w * (w * t).sin()
}

#[cfg(test)]
mod tests;
