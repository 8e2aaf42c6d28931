//! Steady rolling of a body of revolution on a level plane: its mass centre and its axis go round at the rate Ω, its
//! axis at the angle θ from the vertical.
//!
//! In axes that go round, Z up, the body's axis is k = (sin θ, 0, cos θ), and ω = Ω Z + σ k. With n = ω·k = σ + Ω cos θ
//! and the height h(θ) of the mass centre, the contact is at r = (h′, 0, −h): h is the support function, whose
//! derivative is the point's distance along the plane.
//!
//! - No slip: v = −ω×r = v Y with v = −n (h′ cos θ + h sin θ) − Ω sin θ (h′ sin θ − h cos θ).
//! - F = m(−Ω v X + g Z), as the velocity turns at Ω.
//! - L = Iₜ(ω − n k) + Iₐ n k, L̇ = Ω Z×L = Ω sin θ (Iₐ n − Iₜ Ω cos θ) Y, and (r×F)·Y = m(h Ω v − g h′).
//!
//! They are linear in n: n Ω (Iₐ sin θ + m h (h′ cos θ + h sin θ)) =
//! Iₜ Ω² sin θ cos θ − m h Ω² sin θ (h′ sin θ − h cos θ) − m g h′.
//!
//! | hull | h + e cos θ, the height of its centre, which is e k from the mass centre |
//! |---|---|
//! | torus R, r | R sin θ + r |
//! | ellipsoid of revolution a, a, c | √(a² sin²θ + c² cos²θ) |
//! | paraboloid of revolution, its vertex | ½R sin θ tan θ |
//!
//! A thin disc is the torus with r = 0: (Iₐ + m R²) n Ω sin θ = Iₜ Ω² sin θ cos θ − m g R cos θ.

use super::hull::Hull;
use super::on_plane::Solid;
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::{Mat3, Vec3};
use std::f64::consts::TAU;

/// A body of revolution about its z axis.
#[derive(Debug, Clone, Copy)]
pub struct Revolution {
    /// Its surface; an ellipsoid has equal semi-axes along x and y.
    pub hull: Hull,
    /// e.
    pub centre: f64,
    /// m.
    pub mass: f64,
    /// Iₐ.
    pub axial: f64,
    /// Iₜ.
    pub transverse: f64,
    /// g.
    pub gravity: f64,
}

/// A steady motion.
#[derive(Debug, Clone, Copy)]
pub struct Steady {
    /// θ.
    pub tilt: f64,
    /// Ω.
    pub rate: f64,
    /// σ, the rate of turning about the axis in the axes that go round.
    pub roll: f64,
    /// Where the mass centre is on the X axis that goes round, from the middle of its circle.
    pub reach: f64,
    /// Where the contact is on it.
    pub trace: f64,
}

impl Steady {
    /// The time after which place and axis are what they were, in s.
    pub fn period(&self) -> f64 {
        TAU / self.rate.abs()
    }
}

impl Revolution {
    /// A torus of uniform density: Iₐ = m(R² + ¾r²), Iₜ = m(½R² + ⅝r²).
    pub fn torus(major: f64, minor: f64, mass: f64, gravity: f64) -> Self {
        let (big, small) = (major * major, minor * minor);
        let axial = mass * (big + 0.75 * small);
        let transverse = mass * (0.5 * big + 0.625 * small);
        Self { hull: Hull::Torus { major, minor }, centre: 0.0, mass, axial, transverse, gravity }
    }

    /// h and h′ at the tilt θ.
    pub fn height(&self, tilt: f64) -> [f64; 2] {
        let (sin, cos) = tilt.sin_cos();
        let [h, slope] = match self.hull {
            Hull::Torus { major, minor } => [major * sin + minor, major * cos],
            Hull::Ellipsoid(axes) => {
                let h = (axes.x * sin).hypot(axes.z * cos);
                [h, (axes.x * axes.x - axes.z * axes.z) * sin * cos / h]
            }
            Hull::Paraboloid([radius, _]) => {
                // From the vertex, with the slope −tan θ: h = ½R sin²θ/cos θ.
                [0.5 * radius * sin * tilt.tan(), 0.5 * radius * sin * (1.0 + 1.0 / (cos * cos))]
            }
        };
        [h - self.centre * cos, slope + self.centre * sin]
    }

    /// The steady motion at the tilt θ with the rate Ω.
    pub fn steady(&self, tilt: f64, rate: f64) -> Steady {
        let Self { mass, axial, transverse, gravity, .. } = *self;
        let (sin, cos) = tilt.sin_cos();
        let [h, slope] = self.height(tilt);
        let (arm, lever) = (slope * cos + h * sin, slope * sin - h * cos);
        let moment = sin * rate * rate * (transverse * cos - mass * h * lever) - mass * gravity * slope;
        let about_axis = moment / (rate * (axial * sin + mass * h * arm));
        let speed = -about_axis * arm - rate * sin * lever;
        let reach = speed / rate;
        Steady { tilt, rate, roll: about_axis - rate * cos, reach, trace: reach + slope }
    }

    /// The same body for [`super::on_plane`].
    pub fn solid(&self) -> Solid {
        Solid {
            hull: self.hull,
            centre: Vec3::new(0.0, 0.0, self.centre),
            mass: self.mass,
            inertia: Mat3::from_diagonal(&Vec3::new(self.transverse, self.transverse, self.axial)),
            gravity: Vec3::new(0.0, 0.0, -self.gravity),
        }
    }

    /// The orientation and, in body axes, the angular velocity at the start, where X is the world's x.
    pub fn start(&self, steady: &Steady) -> (UnitQuaternion<f64>, Vec3) {
        let turn = UnitQuaternion::from_axis_angle(&Vec3::y_axis(), steady.tilt);
        let angular_velocity =
            turn.inverse_transform_vector(&Vec3::z()) * steady.rate + Vec3::z() * steady.roll;
        (turn, angular_velocity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rolling::reference::on_plane::{Rolling, orientation};
    use crate::rolling::reference::{GRAVITY, states_at, times};

    /// Follows a steady motion for a period and compares place and axis with it.
    fn follow(body: &Revolution, tilt: f64, rate: f64) -> f64 {
        let steady = body.steady(tilt, rate);
        let mut rolling = Rolling(body.solid());
        let (turn, angular_velocity) = body.start(&steady);
        let y = rolling.0.rolling(&turn, &angular_velocity);
        let middle = Vec3::new(-steady.reach, 0.0, 0.0);
        let mut worst = 0.0_f64;
        let list = times(8, steady.period());
        for (state, t) in states_at(&mut rolling, &y, &list).iter().zip(&list) {
            let around = UnitQuaternion::from_axis_angle(&Vec3::z_axis(), rate * t);
            let x = middle + around * Vec3::new(steady.reach, 0.0, body.height(tilt)[0]);
            let contact = middle + around * Vec3::new(steady.trace, 0.0, 0.0);
            let axis = around * (turn * Vec3::z()) - orientation(state) * Vec3::z();
            worst = worst.max((rolling.0.mass_centre(state) - x).norm()).max(axis.norm());
            worst = worst.max((rolling.0.contact(state) - contact).norm());
        }
        worst
    }

    #[test]
    fn a_rolling_torus_follows_its_steady_circle() {
        let ring = Revolution::torus(0.2, 0.03, 1.5, GRAVITY);
        for (tilt, rate) in [(1.2, 1.0), (1.3, -2.0), (0.6, 9.0), (1.9, 1.5)] {
            let error = follow(&ring, tilt, rate);
            assert!(error < 1e-9, "{tilt} {rate}: {error}");
        }
    }

    #[test]
    fn bodies_of_revolution_roll_in_circles() {
        let (axial, transverse) = (4e-3, 3e-3);
        for (axes, centre) in [([0.1, 0.1, 0.06], 0.0), ([0.06, 0.06, 0.1], 0.01), ([0.08; 3], -0.02)] {
            let hull = Hull::Ellipsoid(axes.into());
            let body = Revolution { hull, centre, mass: 1.0, axial, transverse, gravity: GRAVITY };
            let error = follow(&body, 1.1, 1.5);
            assert!(error < 1e-8, "{axes:?}: {error}");
        }
    }

    #[test]
    fn a_thin_coin_obeys_the_equation_of_the_textbooks() {
        let (radius, mass) = (0.03_f64, 0.01);
        let square = mass * radius * radius;
        let hull = Hull::Torus { major: radius, minor: 0.0 };
        let (axial, transverse) = (0.5 * square, 0.25 * square);
        let coin = Revolution { hull, centre: 0.0, mass, axial, transverse, gravity: GRAVITY };
        let (tilt, rate) = (0.3_f64, 40.0);
        let n = coin.steady(tilt, rate).roll + rate * tilt.cos();
        let left = 1.5 * square * n * rate * tilt.sin();
        let right =
            0.25 * square * rate * rate * tilt.sin() * tilt.cos() - mass * GRAVITY * radius * tilt.cos();
        assert!((left - right).abs() < 1e-14 * right.abs().max(1.0));
        // Euler's disc: the mass centre at rest, Ω² sin θ = 4g/R.
        let still = (4.0 * GRAVITY / (radius * tilt.sin())).sqrt();
        assert!(coin.steady(tilt, still).reach.abs() < 1e-15);
    }

    #[test]
    fn the_height_has_the_derivative_it_says() {
        let egg = Revolution { centre: 0.02, ..Revolution::torus(0.2, 0.03, 1.0, GRAVITY) };
        let hull = Hull::Ellipsoid(Vec3::new(0.1, 0.1, 0.25));
        let dish = Hull::Paraboloid([0.1, 0.1]);
        for body in [egg, Revolution { hull, ..egg }, Revolution { hull: dish, ..egg }] {
            let slope = (body.height(0.7 + 1e-6)[0] - body.height(0.7 - 1e-6)[0]) / 2e-6;
            assert!((slope - body.height(0.7)[1]).abs() < 1e-9);
        }
    }
}
