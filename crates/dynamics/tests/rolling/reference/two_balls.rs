//! A ball that rolls off another one, in a vertical plane; the lower one is fixed or stands free on ice.
//!
//! The lower ball has M, R, k₁, its centre at height R and at X; the upper one m, r, k₂, its centre at the distance ℓ =
//! R + r in the direction n = (sin θ, cos θ) of x and z; e = (cos θ, −sin θ). Rates of turning Ω₁, Ω₂ are positive as θ
//! grows. N and f are the force on the upper ball along n and e:
//!
//! - m ẍ = N n + f e − m g z, M Ẍ = −N sin θ − f cos θ, k₁ M R Ω̇₁ = −f, k₂ m r Ω̇₂ = −f, ℓθ̇ = R Ω₁ + r Ω₂.
//! - Kept: the momentum M Ẋ + m ẋ, and k₁ M R Ω₁ − k₂ m r Ω₂.
//!
//! Both are zero from rest. Then R Ω₁ and r Ω₂ are shares of ℓθ̇, the turning holds ½ κ (ℓθ̇)² with
//! 1/κ = 1/(k₁M) + 1/(k₂m), f = −κ ℓθ̈, and with a(θ) = m + κ − m² cos²θ/(M + m)
//!
//! ½ a ℓθ̇² = m g (cos θ₀ − cos θ),   a ℓθ̈ + m² sin θ cos θ/(M + m) ℓθ̇² = m g sin θ,
//! N = m(g cos θ − ℓθ̇² + Ẍ sin θ),   (M + m) Ẍ = m ℓ(θ̇² sin θ − θ̈ cos θ).
//!
//! Time is ∫dθ/θ̇ by Gauss's rule, with θ = θ₀ + s² to lift the root at the start. A fixed ball is one with M = ∞: N
//! vanishes at cos θ = 2 cos θ₀/(3 + k₂), 2/3 of cos θ₀ without friction and 10/17 for a uniform ball that rolls.

use rattleback_dynamics::Result;
use rattleback_dynamics::integrator::Equations;
use rattleback_geom::nalgebra::{SMatrix, SVector};
use rattleback_geom::quadrature::gauss_legendre;

/// A ball: mass, radius and k.
#[derive(Debug, Clone, Copy)]
pub struct Sphere {
    /// In kg; infinite for a fixed one.
    pub mass: f64,
    /// In m.
    pub radius: f64,
    /// k; zero for one that does not rub.
    pub share: f64,
}

/// A ball on a ball.
#[derive(Debug, Clone, Copy)]
pub struct TwoBalls {
    /// M, R, k₁.
    pub lower: Sphere,
    /// m, r, k₂.
    pub upper: Sphere,
    /// g.
    pub gravity: f64,
}

impl TwoBalls {
    /// ℓ.
    pub fn distance(&self) -> f64 {
        self.lower.radius + self.upper.radius
    }

    /// κ/m.
    fn turning(&self) -> f64 {
        let share = self.lower.share * self.lower.mass / self.upper.mass;
        1.0 / (1.0 / share + 1.0 / self.upper.share)
    }

    /// m/(M + m).
    fn recoil(&self) -> f64 {
        1.0 / (1.0 + self.lower.mass / self.upper.mass)
    }

    /// a/m.
    fn inertia(&self, angle: f64) -> f64 {
        1.0 + self.turning() - self.recoil() * angle.cos().powi(2)
    }

    /// θ̇ at θ after rest at θ₀.
    pub fn angle_rate(&self, start: f64, angle: f64) -> f64 {
        // cos θ₀ − cos θ without the loss of digits near the start.
        let drop = 2.0 * (0.5 * (angle + start)).sin() * (0.5 * (angle - start)).sin();
        (2.0 * self.gravity * drop / (self.inertia(angle) * self.distance())).sqrt()
    }

    /// θ̈ at θ after rest at θ₀.
    pub fn acceleration(&self, start: f64, angle: f64) -> f64 {
        let (sin, cos) = angle.sin_cos();
        let square = self.angle_rate(start, angle).powi(2);
        let bend = self.recoil() * sin * cos * square;
        (self.gravity * sin / self.distance() - bend) / self.inertia(angle)
    }

    /// Ẍ at θ after rest at θ₀.
    pub fn push(&self, start: f64, angle: f64) -> f64 {
        let (sin, cos) = angle.sin_cos();
        let bend = self.angle_rate(start, angle).powi(2) * sin - self.acceleration(start, angle) * cos;
        self.recoil() * self.distance() * bend
    }

    /// N and f at θ after rest at θ₀, per mass of the upper ball.
    pub fn force(&self, start: f64, angle: f64) -> [f64; 2] {
        let inward = self.distance() * self.angle_rate(start, angle).powi(2);
        let normal = self.gravity * angle.cos() - inward + self.push(start, angle) * angle.sin();
        [normal, -self.turning() * self.distance() * self.acceleration(start, angle)]
    }

    /// The angle at which the balls part after rest at θ₀.
    pub fn parting(&self, start: f64) -> f64 {
        let (mut low, mut high) = (start, std::f64::consts::FRAC_PI_2);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if self.force(start, middle)[0] > 0.0 { low = middle } else { high = middle }
        }
        0.5 * (low + high)
    }

    /// The time from rest at θ₀ > 0 to θ.
    pub fn time(&self, start: f64, angle: f64) -> f64 {
        let end = (angle - start).sqrt();
        let rule = gauss_legendre(64);
        let sum = rule.iter().map(|(node, weight)| {
            let s = 0.5 * end * (1.0 + node);
            weight * 2.0 * s / self.angle_rate(start, start + s * s)
        });
        0.5 * end * sum.sum::<f64>()
    }

    /// The state at θ with the lower ball at X = 0 at rest: X, x, z, Ẋ, ẋ, ż, Ω₁, Ω₂.
    pub fn state(&self, angle: f64, turning: [f64; 2]) -> Vec<f64> {
        let ([low, up], l) = (turning, self.distance());
        let (sin, cos) = angle.sin_cos();
        let speed = self.lower.radius * low + self.upper.radius * up;
        vec![0.0, l * sin, self.lower.radius + l * cos, 0.0, speed * cos, -speed * sin, low, up]
    }
}

/// Newton's and Euler's equations of both balls, the lower one of finite mass, and the constraints differentiated.
impl Equations for TwoBalls {
    fn dimension(&self) -> usize {
        8
    }

    fn rate(&mut self, _t: f64, y: &[f64], dy: &mut [f64]) -> Result<()> {
        let (a, b, l) = (self.lower, self.upper, self.distance());
        let (sin, cos) = ((y[1] - y[0]) / l, (y[2] - a.radius) / l);
        let square = ((y[4] - y[3]).powi(2) + y[5].powi(2)) / l;
        // Unknown: Ẍ, ẍ, z̈, Ω̇₁, Ω̇₂, N, f.
        let mut matrix = SMatrix::<f64, 7, 7>::zeros();
        let mut right = SVector::<f64, 7>::zeros();
        let rows: [&[(usize, f64)]; 7] = [
            &[(0, a.mass), (5, sin), (6, cos)],
            &[(1, b.mass), (5, -sin), (6, -cos)],
            &[(2, b.mass), (5, -cos), (6, sin)],
            &[(3, a.share * a.mass * a.radius), (6, 1.0)],
            &[(4, b.share * b.mass * b.radius), (6, 1.0)],
            &[(0, -sin), (1, sin), (2, cos)],
            &[(0, -cos), (1, cos), (2, -sin), (3, -a.radius), (4, -b.radius)],
        ];
        for (i, row) in rows.iter().enumerate() {
            for &(j, value) in *row {
                matrix[(i, j)] = value;
            }
        }
        (right[2], right[5]) = (-b.mass * self.gravity, -square);
        let found = matrix.lu().solve(&right).unwrap_or(SVector::repeat(f64::NAN));
        dy[..3].copy_from_slice(&y[3..6]);
        dy[3..].copy_from_slice(&found.as_slice()[..5]);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rolling::reference::ball::{Ball, Ground};
    use crate::rolling::reference::{GRAVITY, state_at};
    use rattleback_geom::Vec3;

    const UPPER: Sphere = Sphere { mass: 0.5, radius: 0.05, share: 0.4 };
    const FREE: TwoBalls =
        TwoBalls { lower: Sphere { mass: 2.0, radius: 0.2, share: 0.4 }, upper: UPPER, gravity: GRAVITY };
    const FIXED: TwoBalls =
        TwoBalls { lower: Sphere { mass: f64::INFINITY, radius: 0.2, share: 0.4 }, ..FREE };

    #[test]
    fn a_ball_leaves_a_fixed_ball_where_the_textbooks_say() {
        assert!((FIXED.parting(1e-9).cos() - 10.0 / 17.0).abs() < 1e-14);
        let smooth = TwoBalls { upper: Sphere { share: 0.0, ..UPPER }, ..FIXED };
        assert!((smooth.parting(1e-9).cos() - 2.0 / 3.0).abs() < 1e-14);
        assert!((smooth.parting(0.4).cos() - 2.0 / 3.0 * 0.4_f64.cos()).abs() < 1e-14);
    }

    #[test]
    fn a_ball_rolls_off_a_fixed_ball_in_the_time_of_the_quadrature() {
        let start = 0.2_f64;
        let gravity = Vec3::new(0.0, 0.0, -GRAVITY);
        let mut ball = Ball { ground: Ground::Sphere(1.0), radius: 0.05, share: 0.4, gravity };
        let at = |angle: f64| Vec3::new(angle.sin(), 0.0, angle.cos()) * 0.25;
        let y = ball.start(&at(start), &Vec3::zeros(), 0.0);
        let parting = FIXED.parting(start);
        let state = state_at(&mut ball, &y, FIXED.time(start, parting));
        assert!((Ball::centre(&state) - at(parting)).norm() < 1e-12);
        assert!(ball.pressure(0.0, &state).abs() < 1e-10);
    }

    #[test]
    fn a_ball_rolls_off_a_free_ball_in_the_time_of_the_quadrature() {
        let start = 0.2_f64;
        let parting = FREE.parting(start);
        assert!(parting < FIXED.parting(start));
        for angle in [0.5, parting] {
            let time = FREE.time(start, angle);
            let y = state_at(&mut FREE.clone(), &FREE.state(start, [0.0; 2]), time);
            let rate = FREE.distance() * FREE.angle_rate(start, angle);
            assert!((y[2] - 0.2 - 0.25 * angle.cos()).abs() < 1e-12);
            assert!((2.0 * y[3] + 0.5 * y[4]).abs() < 1e-13);
            assert!((y[5] + rate * angle.sin()).abs() < 1e-11);
            assert!((0.2 * y[6] + 0.05 * y[7] - rate).abs() < 1e-11);
            let mut change = [0.0; 8];
            FREE.clone().rate(time, &y, &mut change).unwrap();
            assert!((change[3] - FREE.push(start, angle)).abs() < 1e-10);
            let [normal, friction] = FREE.force(start, angle).map(|force| 0.5 * force);
            assert!((2.0 * change[3] + normal * angle.sin() + friction * angle.cos()).abs() < 1e-10);
            assert!((0.4 * 2.0 * 0.2 * change[6] + friction).abs() < 1e-10);
        }
    }

    #[test]
    fn a_free_pair_keeps_its_momenta_and_its_energy() {
        let start = FREE.state(0.1, [-2.0, 30.0]);
        let y = state_at(&mut FREE.clone(), &start, 0.1);
        let momentum = |y: &[f64]| 2.0 * y[3] + 0.5 * y[4];
        let difference = |y: &[f64]| 0.4 * (2.0 * 0.2 * y[6] - 0.5 * 0.05 * y[7]);
        let energy = |y: &[f64]| {
            let turning = 0.4 * (2.0 * (0.2 * y[6]).powi(2) + 0.5 * (0.05 * y[7]).powi(2));
            let moving = 2.0 * y[3] * y[3] + 0.5 * (y[4] * y[4] + y[5] * y[5]);
            0.5 * (turning + moving) + 0.5 * GRAVITY * y[2]
        };
        assert!((momentum(&y) - momentum(&start)).abs() < 1e-13);
        assert!((difference(&y) - difference(&start)).abs() < 1e-13);
        assert!((energy(&y) - energy(&start)).abs() < 1e-12);
        assert!((y[2] - start[2]).abs() > 0.01);
    }
}
