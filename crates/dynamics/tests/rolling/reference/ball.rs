//! A ball that rolls on a fixed or moving surface, by its centre and its angular velocity in world axes.
//!
//! n is the unit normal from the surface to the centre x; the contact is at x − r n. With the inertia k m r², gravity g
//! and the velocity V of the surface at the contact:
//!
//! - no slip: v = r ω×n + V,
//! - F = m(v̇ − g), k r ω̇ = −n×(v̇ − g), hence r ω̇×n = −(v̇ − g)ₜ/k, where ₜ is the part across n,
//! - v̇ + (v̇ − g)ₜ/k = r ω×ṅ + V̇ =: c, hence v̇ₜ = (k cₜ + gₜ)/(1 + k), v̇·n = c·n.
//!
//! The centre of a ball within (side −1) or on (side +1) a sphere or cylinder about the origin has n = ±x/∣x∣, without
//! the part along z for a cylinder. The plane z = 0 turns at Ω about z and is shaken along x by A sin wt. State: x, ω.

use rattleback_dynamics::Result;
use rattleback_dynamics::integrator::Equations;
use rattleback_geom::Vec3;

/// On what the ball rolls.
#[derive(Debug, Clone, Copy)]
pub enum Ground {
    /// z = 0, turning and shaken.
    Plane {
        /// Ω.
        rate: f64,
        /// A and w.
        shake: [f64; 2],
    },
    /// A sphere about the origin; −1 for a ball within it, 1 for one on it.
    Sphere(f64),
    /// A cylinder about z; −1 for a ball within it, 1 for one on it.
    Cylinder(f64),
}

impl Ground {
    /// n and ṅ.
    fn normal(&self, x: &Vec3, v: &Vec3) -> (Vec3, Vec3) {
        let (arm, rate, side) = match *self {
            Self::Plane { .. } => return (Vec3::z(), Vec3::zeros()),
            Self::Sphere(side) => (*x, *v, side),
            Self::Cylinder(side) => (Vec3::new(x.x, x.y, 0.0), Vec3::new(v.x, v.y, 0.0), side),
        };
        let (n, size) = (arm.normalize(), arm.norm());
        (n * side, (rate - n * n.dot(&rate)) * (side / size))
    }

    /// V under the centre x at the time t.
    fn drive(&self, t: f64, x: &Vec3) -> Vec3 {
        match *self {
            Self::Plane { rate, shake: [size, w] } => {
                Vec3::new(-rate * x.y + size * w * (w * t).cos(), rate * x.x, 0.0)
            }
            _ => Vec3::zeros(),
        }
    }

    /// V̇ along the velocity of the centre.
    fn drive_rate(&self, t: f64, v: &Vec3) -> Vec3 {
        match *self {
            Self::Plane { rate, shake: [size, w] } => {
                Vec3::new(-rate * v.y - size * w * w * (w * t).sin(), rate * v.x, 0.0)
            }
            _ => Vec3::zeros(),
        }
    }
}

/// The ball and its ground.
#[derive(Debug, Clone, Copy)]
pub struct Ball {
    /// Its ground.
    pub ground: Ground,
    /// r.
    pub radius: f64,
    /// k.
    pub share: f64,
    /// g.
    pub gravity: Vec3,
}

impl Ball {
    /// The start at a centre with a velocity and the spin ω·n about the normal; the velocity is along the ground.
    pub fn start(&self, x: &Vec3, v: &Vec3, twist: f64) -> Vec<f64> {
        let n = self.ground.normal(x, v).0;
        let angular_velocity = n * twist + n.cross(&(v - self.ground.drive(0.0, x))) / self.radius;
        vec![x.x, x.y, x.z, angular_velocity.x, angular_velocity.y, angular_velocity.z]
    }

    /// Where the centre is.
    pub fn centre(y: &[f64]) -> Vec3 {
        Vec3::new(y[0], y[1], y[2])
    }

    /// ω in world axes.
    pub fn angular_velocity(y: &[f64]) -> Vec3 {
        Vec3::new(y[3], y[4], y[5])
    }

    /// v.
    pub fn velocity(&self, t: f64, y: &[f64]) -> Vec3 {
        let (x, angular_velocity) = (Self::centre(y), Self::angular_velocity(y));
        let n = self.ground.normal(&x, &Vec3::zeros()).0;
        angular_velocity.cross(&n) * self.radius + self.ground.drive(t, &x)
    }

    /// v̇.
    pub fn acceleration(&self, t: f64, y: &[f64]) -> Vec3 {
        let (v, k) = (self.velocity(t, y), self.share);
        let (n, n_rate) = self.ground.normal(&Self::centre(y), &v);
        let c = Self::angular_velocity(y).cross(&n_rate) * self.radius + self.ground.drive_rate(t, &v);
        let across = |a: &Vec3| a - n * n.dot(a);
        (across(&c) * k + across(&self.gravity)) / (1.0 + k) + n * n.dot(&c)
    }

    /// The normal force per mass.
    pub fn pressure(&self, t: f64, y: &[f64]) -> f64 {
        let n = self.ground.normal(&Self::centre(y), &Vec3::zeros()).0;
        n.dot(&(self.acceleration(t, y) - self.gravity))
    }

    /// Kinetic and potential energy per mass.
    pub fn energy(&self, t: f64, y: &[f64]) -> f64 {
        let turning = self.share * self.radius * self.radius * Self::angular_velocity(y).norm_squared();
        0.5 * (self.velocity(t, y).norm_squared() + turning) - self.gravity.dot(&Self::centre(y))
    }
}

impl Equations for Ball {
    fn dimension(&self) -> usize {
        6
    }

    fn rate(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<()> {
        let v = self.velocity(t, y);
        let n = self.ground.normal(&Self::centre(y), &v).0;
        let turning = -n.cross(&(self.acceleration(t, y) - self.gravity)) / (self.share * self.radius);
        dy[..3].copy_from_slice(v.as_slice());
        dy[3..].copy_from_slice(turning.as_slice());
        Ok(())
    }
}

#[test]
fn a_ball_keeps_its_energy_and_its_distance_on_spheres_and_in_cylinders() {
    use super::{GRAVITY, states_at, times};
    let gravity = Vec3::new(0.0, 0.0, -GRAVITY);
    let bowl = Ball { ground: Ground::Sphere(-1.0), radius: 0.02, share: 0.4, gravity };
    let pipe = Ball { ground: Ground::Cylinder(-1.0), ..bowl };
    for ball in [bowl, pipe] {
        let x = Vec3::new(0.3, 0.0, -0.2);
        let y = ball.start(&x, &Vec3::new(0.0, 2.0, 0.0), 40.0);
        assert!((ball.velocity(0.0, &y) - Vec3::new(0.0, 2.0, 0.0)).norm() < 1e-14);
        let size = |y: &[f64]| match ball.ground {
            Ground::Cylinder(_) => Ball::centre(y).xy().norm(),
            _ => Ball::centre(y).norm(),
        };
        for state in states_at(&mut ball.clone(), &y, &times(10, 3.0)) {
            assert!((ball.energy(0.0, &state) - ball.energy(0.0, &y)).abs() < 1e-11);
            assert!((size(&state) - size(&y)).abs() < 1e-12);
        }
    }
}
