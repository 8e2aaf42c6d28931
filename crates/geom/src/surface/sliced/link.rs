//! Links: discs of radius r along the stadium curve in the plane x = 0. s runs from (0, R, −h) up the straight part at
//! y = R, over the upper bend, down the other straight part and over the lower bend.

use super::{Part, Sliced, closest_of_arc, disc, hypotenuse, shortened};
use crate::Vec3;
use crate::surface::Link;
use std::f64::consts::PI;

impl Link {
    /// Where the four pieces of the centre curve begin, and its length.
    fn marks(&self) -> [f64; 5] {
        let (bar, bend) = (2.0 * self.half_straight(), PI * self.bend_radius());
        [0.0, bar, bar + bend, 2.0 * bar + bend, 2.0 * (bar + bend)]
    }

    /// The piece on which the length s is.
    fn piece(marks: &[f64; 5], s: f64) -> usize {
        (0..3).find(|&k| s < marks[k + 1]).unwrap_or(3)
    }

    /// The farthest point of the discs of a part that lie on piece k, from `from` to `to` along the curve; its ends
    /// there are `ends`, of a bend as (cos, sin) of the angle.
    fn farthest_of_piece(&self, k: usize, from: f64, width: f64, ends: [[f64; 2]; 2], d: &Vec3) -> Vec3 {
        let (radius, h) = (self.bend_radius(), self.half_straight());
        // The lower half is the upper one turned about x by half a turn.
        let side = if k < 2 { 1.0 } else { -1.0 };
        if k.is_multiple_of(2) {
            let e = Vec3::new(0.0, side, 0.0);
            let along = if d.z * side > 0.0 { from + width } else { from };
            let centre = e * radius + Vec3::new(0.0, 0.0, side * (along - h));
            return disc(&centre, [&e, &Vec3::x()], self.bar_radius(), d);
        }
        let [cos, sin] =
            closest_of_arc(ends, width / radius, [side * d.y, side * d.z]).unwrap_or_else(|| {
                let (sin, cos) = ((from + 0.5 * width) / radius).sin_cos();
                [cos, sin]
            });
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
        let marks = self.marks();
        let ends = range.map(|s| {
            let k = Self::piece(&marks, s);
            if k.is_multiple_of(2) {
                return [0.0; 2];
            }
            let (sin, cos) = ((s - marks[k]) / self.bend_radius()).sin_cos();
            [cos, sin]
        });
        Part { range, ends }
    }

    fn farthest(&self, part: &Part, d: &Vec3) -> Vec3 {
        let (marks, [low, high]) = (self.marks(), part.range);
        let first = Self::piece(&marks, low);
        let mut best = (f64::NEG_INFINITY, Vec3::zeros());
        // What lies on the mark between two pieces lies on the one before it too.
        for k in (first..4).take_while(|&k| k == first || marks[k] < high) {
            let (from, to) = (low.max(marks[k]), high.min(marks[k + 1]));
            let ends = [
                if low > marks[k] { part.ends[0] } else { [1.0, 0.0] },
                if high < marks[k + 1] { part.ends[1] } else { [-1.0, 0.0] },
            ];
            let p = self.farthest_of_piece(k, from - marks[k], to - from, ends, d);
            let height = d.dot(&p);
            if height > best.0 {
                best = (height, p);
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
        let rho = hypotenuse(p.y, p.z - z);
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
