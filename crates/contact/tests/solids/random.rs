use rattleback_contact::geom::nalgebra::{Quaternion, UnitQuaternion};
use rattleback_contact::geom::{Pose, Vec3};

/// The state of a stream.
pub struct Random(pub u64);

impl Random {
    pub fn unit(&mut self) -> f64 {
        rattleback_random::unit(&mut self.0)
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Evenly spread decades.
    pub fn scaled(&mut self, low: f64, high: f64) -> f64 {
        self.between(low.ln(), high.ln()).exp()
    }

    pub fn pick(&mut self, count: usize) -> usize {
        ((self.unit() * count as f64) as usize).min(count - 1)
    }

    pub fn direction(&mut self) -> Vec3 {
        loop {
            let v = Vec3::from_fn(|_, _| self.between(-1.0, 1.0));
            if v.norm() > 0.1 && v.norm() < 1.0 {
                return v.normalize();
            }
        }
    }

    pub fn turn(&mut self) -> UnitQuaternion<f64> {
        // Every fifth pair is aligned with the axes, as people write it.
        if self.pick(5) == 0 {
            return UnitQuaternion::identity();
        }
        let q = Quaternion::new(
            self.between(-1.0, 1.0),
            self.between(-1.0, 1.0),
            self.between(-1.0, 1.0),
            self.between(-1.0, 1.0),
        );
        UnitQuaternion::new_normalize(q)
    }

    pub fn pose(&mut self, reach: f64) -> Pose {
        let way = self.direction() * (reach * self.between(0.0, 1.3));
        Pose { position: way, orientation: self.turn() }
    }
}
