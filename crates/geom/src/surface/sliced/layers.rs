//! Solids in layers across z, s the profile's parameter v. The farthest point of the layer at v along d lies at d·x = M
//! ρ(v) + c d_z w(v) with the section's dual norm M of (a d_x, b d_y): convex in v on a waist, so that an end layer is
//! farthest; on a bowl largest where dw/dρ = M/(c∣d_z∣) or at an end.

use super::{INSIDE, Part, Sliced, hypotenuse};
use crate::Vec3;
use crate::surface::Sheet;
use crate::surface::open::Layers;
use crate::surface::open::profile::Profile;

impl Sliced for Layers {
    fn range(&self) -> [f64; 2] {
        self.v
    }

    fn part(&self, range: [f64; 2]) -> Part {
        let low = self.profile.at(range[0]);
        Part { range, ends: [low, if range[1] == range[0] { low } else { self.profile.at(range[1]) }] }
    }

    fn farthest(&self, part: &Part, d: &Vec3) -> Vec3 {
        let [a, b, c] = self.axes;
        let m = [a * d.x, b * d.y];
        let direction = if self.section == 2.0 {
            let norm = hypotenuse(m[0], m[1]);
            if norm > 0.0 { m.map(|x| x / norm) } else { [0.0; 2] }
        } else {
            self.section_support(m)
        };
        let dual = m[0] * direction[0] + m[1] * direction[1];
        let height = |[rho, w]: [f64; 2]| dual * rho + c * d.z * w;
        let [low, high] = part.ends;
        let mut best = if height(low) > height(high) { low } else { high };
        let sign = if matches!(self.profile, Profile::Bowl { sheet: Sheet::Lower, .. }) { -1.0 } else { 1.0 };
        let down = -sign * d.z * c;
        if down > 0.0
            && let Some(rho) = self.profile.radius_of_slope(dual / down)
        {
            let between = self.profile.at((sign * rho).clamp(part.range[0], part.range[1]));
            if height(between) > height(best) {
                best = between;
            }
        }
        let [rho, w] = best;
        let z = if w == high[1] && part.range[1] == self.v[1] {
            self.z[1]
        } else if w == low[1] && part.range[0] == self.v[0] {
            self.z[0]
        } else {
            c * w
        };
        Vec3::new(a * rho * direction[0], b * rho * direction[1], z)
    }

    /// v at the height of a point.
    fn slice_at(&self, p: &Vec3) -> f64 {
        self.profile.parameter(p.z / self.axes[2]).clamp(self.v[0], self.v[1])
    }

    fn retract(&self, p: &Vec3) -> Vec3 {
        let z = p.z.clamp(self.z[0], self.z[1]);
        let rho = self.profile.at(self.profile.parameter(z / self.axes[2]).clamp(self.v[0], self.v[1]))[0];
        let (x, y) = ((p.x / self.axes[0]).abs(), (p.y / self.axes[1]).abs());
        let (most, g) = (x.max(y), self.section);
        let gauge = if most == 0.0 {
            0.0
        } else if g == 2.0 {
            hypotenuse(x, y)
        } else {
            most * ((x / most).powf(g) + (y / most).powf(g)).powf(1.0 / g)
        };
        let scale = if gauge > rho * (1.0 + INSIDE) { rho / gauge } else { 1.0 };
        Vec3::new(p.x * scale, p.y * scale, z)
    }

    fn is_convex(&self) -> bool {
        !matches!(self.profile, Profile::Waist { .. })
    }

    fn is_round(&self) -> bool {
        self.section == 2.0 && self.axes[0] == self.axes[1]
    }

    /// The chord of ρ over the part less its value in the middle.
    fn sag(&self, part: &Part) -> f64 {
        if self.is_convex() {
            return 0.0;
        }
        let [low, high] = part.ends;
        let middle = self.profile.at(0.5 * (part.range[0] + part.range[1]))[0];
        (0.5 * (low[0] + high[0]) - middle).max(0.0) * self.axes[0].max(self.axes[1])
    }
}
