//! Links: discs of radius r along the stadium curve in the plane x = 0. s runs from (0, R, −h) up the straight part at
//! y = R, over the upper bend, down the other straight part and over the lower bend.

use super::{Part, Sliced, disc, shortened};
use crate::Vec3;
use crate::surface::Link;
use std::f64::consts::PI;

impl Link {
    /// Where the four pieces of the centre curve begin, and its length.
    fn marks(&self) -> [f64; 5] {
        let (bar, bend) = (2.0 * self.half_straight(), PI * self.bend_radius());
        [0.0, bar, bar + bend, 2.0 * bar + bend, 2.0 * (bar + bend)]
    }

    /// The farthest point of the discs of piece k from `from` to `to`, measured along the piece.
    fn farthest_of_piece(&self, k: usize, [from, to]: [f64; 2], d: &Vec3) -> Vec3 {
        let (radius, h) = (self.bend_radius(), self.half_straight());
        // The lower half is the upper one turned about x by half a turn.
        let side = if k < 2 { 1.0 } else { -1.0 };
        if k.is_multiple_of(2) {
            let e = Vec3::new(0.0, side, 0.0);
            let along = if d.z * side > 0.0 { to } else { from };
            let centre = e * radius + Vec3::new(0.0, 0.0, side * (along - h));
            return disc(&centre, [&e, &Vec3::x()], self.bar_radius(), d);
        }
        let (y, z) = (side * d.y, side * d.z);
        let [low, high] = [from / radius, to / radius];
        let middle = 0.5 * (low + high);
        // The angle of d from the middle of the arc, cut to the arc.
        let (sin, cos) = middle.sin_cos();
        let off = if y == 0.0 && z == 0.0 { 0.0 } else { (z * cos - y * sin).atan2(y * cos + z * sin) };
        let half = 0.5 * (high - low);
        let (sin, cos) = (middle + off.clamp(-half, half)).sin_cos();
        let e = Vec3::new(0.0, side * cos, side * sin);
        let centre = e * radius + Vec3::new(0.0, 0.0, side * h);
        disc(&centre, [&e, &Vec3::x()], self.bar_radius(), d)
    }
}

impl Sliced for Link {
    fn range(&self) -> [f64; 2] {
        [0.0, self.marks()[4]]
    }

    fn part(&self, range: [f64; 2]) -> Part {
        Part { range, ends: [[0.0; 2]; 2] }
    }

    fn farthest(&self, part: &Part, d: &Vec3) -> Vec3 {
        let marks = self.marks();
        let mut best = (f64::NEG_INFINITY, Vec3::zeros());
        for k in 0..4 {
            let from = part.range[0].max(marks[k]);
            let to = part.range[1].min(marks[k + 1]);
            if from <= to {
                let p = self.farthest_of_piece(k, [from - marks[k], to - marks[k]], d);
                let height = d.dot(&p);
                if height > best.0 {
                    best = (height, p);
                }
            }
        }
        best.1
    }

    fn slice_at(&self, p: &Vec3) -> f64 {
        let (radius, h, marks) = (self.bend_radius(), self.half_straight(), self.marks());
        if p.z.abs() <= h && h > 0.0 {
            return if p.y >= 0.0 { p.z + h } else { marks[2] + h - p.z };
        }
        let (k, side) = if p.z > 0.0 { (1, 1.0) } else { (3, -1.0) };
        marks[k] + radius * (side * p.z - h).max(0.0).atan2(side * p.y)
    }

    fn retract(&self, p: &Vec3) -> Vec3 {
        let z = p.z.clamp(-self.half_straight(), self.half_straight());
        let rho = p.y.hypot(p.z - z);
        let e = if rho > 0.0 { Vec3::new(0.0, p.y / rho, (p.z - z) / rho) } else { Vec3::y() };
        let centre = e * self.bend_radius() + Vec3::new(0.0, 0.0, z);
        let arm = p - centre;
        let short = shortened(&arm, self.bar_radius());
        if short == arm { *p } else { centre + short }
    }

    fn is_convex(&self) -> bool {
        false
    }

    fn sag(&self, part: &Part) -> f64 {
        let marks = self.marks();
        let outer = self.bend_radius() + self.bar_radius();
        let bend = |k: usize| {
            (part.range[1].min(marks[k + 1]) - part.range[0].max(marks[k])).max(0.0) / self.bend_radius()
        };
        let turn = (bend(1) + bend(3)).min(PI);
        2.0 * outer * (0.25 * turn).sin().powi(2)
    }
}
