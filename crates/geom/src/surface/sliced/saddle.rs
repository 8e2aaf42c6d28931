//! The hyperbolic paraboloid in slices across y. For d_z < 0 the farthest point of a slice lies on its parabola, at x =
//! a²d_x/(2c∣d_z∣) or at a wall, for d_z ≥ 0 on the ceiling. Its height d·x is convex in y either way: an end is
//! farthest.

use super::{INSIDE, Part, Sliced};
use crate::Vec3;
use crate::surface::open::Saddle;

impl Sliced for Saddle {
    fn range(&self) -> [f64; 2] {
        self.y
    }

    fn part(&self, range: [f64; 2]) -> Part {
        Part { range, ends: range.map(|y| [self.height(0.0, y), 0.0]) }
    }

    fn farthest(&self, part: &Part, d: &Vec3) -> Vec3 {
        let [a, _, c] = self.axes;
        let wall = if d.x > 0.0 {
            self.x[1]
        } else if d.x < 0.0 {
            self.x[0]
        } else {
            0.5 * (self.x[0] + self.x[1])
        };
        let (x, lift) = if d.z < 0.0 {
            let x = (-d.x * a * a / (2.0 * c * d.z)).clamp(self.x[0], self.x[1]);
            (x, c * (x / a) * (x / a))
        } else {
            (wall, 0.0)
        };
        let at = |k: usize| {
            let z = if d.z < 0.0 { part.ends[k][0] + lift } else { self.ceiling };
            Vec3::new(x, part.range[k], z)
        };
        let (low, high) = (at(0), at(1));
        if d.dot(&low) > d.dot(&high) { low } else { high }
    }

    fn slice_at(&self, p: &Vec3) -> f64 {
        p.y.clamp(self.y[0], self.y[1])
    }

    fn retract(&self, p: &Vec3) -> Vec3 {
        let (x, y) = (p.x.clamp(self.x[0], self.x[1]), p.y.clamp(self.y[0], self.y[1]));
        let floor = self.height(x, y);
        let rounding = INSIDE * (floor.abs() + self.axes[2] + self.ceiling.abs());
        let z = p.z.min(self.ceiling);
        Vec3::new(x, y, if z < floor - rounding { floor } else { z })
    }

    fn is_convex(&self) -> bool {
        false
    }

    fn sag(&self, part: &Part) -> f64 {
        let width = part.range[1] - part.range[0];
        self.axes[2] * (0.5 * width / self.axes[1]).powi(2)
    }
}
