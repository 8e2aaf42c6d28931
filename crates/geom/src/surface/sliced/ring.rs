//! Rings and half rings: discs of radius r about R e(s), e = (cos s, sin s, 0), across e and z.
//!
//! The point of a disc farthest along d has d·x = R c + r√(c² + d_z²) with c = d·e, which grows with c since R > r: the
//! farthest disc of an arc is the one whose e lies closest to d.

use super::{INSIDE, Part, Sliced, closest_of_arc, disc, hypotenuse, shortened};
use crate::Vec3;
use crate::surface::{HalfTorus, Torus};
use std::f64::consts::PI;

fn part(range: [f64; 2]) -> Part {
    let end = |s: f64| {
        let (sin, cos) = s.sin_cos();
        [cos, sin]
    };
    let low = end(range[0]);
    Part { range, ends: [low, if range[1] == range[0] { low } else { end(range[1]) }] }
}

/// The unit vector e of an arc that lies closest to d.
#[inline]
fn closest(part: &Part, d: &Vec3) -> Vec3 {
    let [from, to] = part.range;
    let [cos, sin] = closest_of_arc(part.ends, to - from, [d.x, d.y]).unwrap_or_else(|| {
        // Every disc is as far; the middle one.
        let (sin, cos) = (0.5 * (from + to)).sin_cos();
        [cos, sin]
    });
    Vec3::new(cos, sin, 0.0)
}

fn sag(outer: f64, part: &Part) -> f64 {
    let width = (part.range[1] - part.range[0]).min(PI);
    2.0 * outer * (0.25 * width).sin().powi(2)
}

impl Sliced for Torus {
    fn range(&self) -> [f64; 2] {
        [-PI, PI]
    }

    fn part(&self, range: [f64; 2]) -> Part {
        part(range)
    }

    fn farthest(&self, part: &Part, d: &Vec3) -> Vec3 {
        let e = closest(part, d);
        disc(&(e * self.major_radius()), [&e, &Vec3::z()], self.minor_radius(), d)
    }

    fn slice_at(&self, p: &Vec3) -> f64 {
        p.y.atan2(p.x)
    }

    fn retract(&self, p: &Vec3) -> Vec3 {
        let rho = hypotenuse(p.x, p.y);
        let e = if rho > 0.0 { Vec3::new(p.x / rho, p.y / rho, 0.0) } else { Vec3::x() };
        let centre = e * self.major_radius();
        let arm = p - centre;
        let short = shortened(&arm, self.minor_radius());
        if short == arm { *p } else { centre + short }
    }

    fn is_convex(&self) -> bool {
        false
    }

    fn is_ring(&self) -> bool {
        true
    }

    fn is_round(&self) -> bool {
        true
    }

    fn sag(&self, part: &Part) -> f64 {
        sag(self.major_radius() + self.minor_radius(), part)
    }
}

impl Sliced for HalfTorus {
    fn range(&self) -> [f64; 2] {
        [0.0, PI]
    }

    fn part(&self, range: [f64; 2]) -> Part {
        // sin π is zero here, so that both discs lie in the plane y = 0.
        let mut part = part(range);
        for (end, s) in part.ends.iter_mut().zip(range) {
            if s == PI {
                *end = [-1.0, 0.0];
            }
        }
        part
    }

    fn farthest(&self, part: &Part, d: &Vec3) -> Vec3 {
        let e = closest(part, d);
        disc(&(e * self.major_radius()), [&e, &Vec3::z()], self.minor_radius(), d)
    }

    fn slice_at(&self, p: &Vec3) -> f64 {
        if p.y <= 0.0 {
            return if p.x >= 0.0 { 0.0 } else { PI };
        }
        p.y.atan2(p.x)
    }

    fn retract(&self, p: &Vec3) -> Vec3 {
        let outer = self.major_radius() + self.minor_radius();
        let p = if p.y < 0.0 && p.y > -INSIDE * outer { Vec3::new(p.x, 0.0, p.z) } else { *p };
        let rho = hypotenuse(p.x, p.y);
        let e = if p.y < 0.0 || rho == 0.0 {
            Vec3::new(1f64.copysign(p.x), 0.0, 0.0)
        } else {
            Vec3::new(p.x / rho, p.y / rho, 0.0)
        };
        let centre = e * self.major_radius();
        let mut arm = p - centre;
        if p.y < 0.0 {
            arm.y = 0.0;
        }
        let short = shortened(&arm, self.minor_radius());
        if short == arm && p.y >= 0.0 { p } else { centre + short }
    }

    fn is_convex(&self) -> bool {
        false
    }

    fn is_ring(&self) -> bool {
        true
    }

    fn sag(&self, part: &Part) -> f64 {
        sag(self.major_radius() + self.minor_radius(), part)
    }
}
