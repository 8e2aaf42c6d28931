//! Solids about a curve: all points within r of it. A torus has a circle, half a torus half of one (its tube, that is,
//! which holds its discs too), a link a stadium, a capsule a segment, a sphere a point.
//!
//! Curves are measured by their length s. With the unit tangent c′ and a unit vector e across it, c″ = −k e/R, where k
//! is one on arcs and zero on straight parts; e is continuous, and turns by 1/R per length at most.

use super::body::Body;
use rattleback_geom::Vec3;
use rattleback_geom::surface::Shape;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// A curve in the frame of its body.
#[derive(Debug, Clone, Copy)]
enum Curve {
    Point,
    /// Along z from −h to h.
    Segment(f64),
    /// About z with the radius R, from the x axis over this angle.
    Arc(f64, f64),
    /// In the plane x = 0, with bends of radius R about (0, 0, ±h), from the end of the lower bend at y = R upwards.
    Stadium(f64, f64),
}

/// A place of a curve, in the frame of the pair.
#[derive(Debug, Clone, Copy)]
pub(super) struct CurvePoint {
    pub c: Vec3,
    pub tangent: Vec3,
    pub e: Vec3,
}

/// A solid about a curve.
#[derive(Clone, Copy)]
pub(super) struct Tube<'a, 'b> {
    body: &'a Body<'b>,
    curve: Curve,
    /// The height of the curve's middle along z.
    lift: f64,
    pub radius: f64,
}

impl<'a, 'b> Tube<'a, 'b> {
    /// The tube that a body is, or lies in.
    pub fn of(body: &'a Body<'b>) -> Option<Self> {
        let (curve, radius) = match body.shape {
            Shape::Torus(s) => (Curve::Arc(s.major_radius(), TAU), s.minor_radius()),
            Shape::HalfTorus(s) => (Curve::Arc(s.major_radius(), PI), s.minor_radius()),
            Shape::Link(s) => (Curve::Stadium(s.bend_radius(), s.half_straight()), s.bar_radius()),
            Shape::Capsule(s) => (Curve::Segment(s.half_length()), s.radius()),
            Shape::Sphere(s) => (Curve::Point, s.radius()),
            _ => return None,
        };
        Some(Self { body, curve, lift: 0.0, radius })
    }

    /// All points within r of the axis of a cylinder from −h to h.
    pub fn about_axis(body: &'a Body<'b>, h: f64, radius: f64) -> Self {
        Self { body, curve: Curve::Segment(h), lift: 0.0, radius }
    }

    /// A rim of a cylinder, about z at a height.
    pub fn rim(body: &'a Body<'b>, height: f64, radius: f64) -> Self {
        Self { body, curve: Curve::Arc(radius, TAU), lift: height, radius: 0.0 }
    }

    /// The length of the curve, and whether it is closed.
    pub fn length(&self) -> (f64, bool) {
        match self.curve {
            Curve::Point => (0.0, false),
            Curve::Segment(h) => (2.0 * h, false),
            Curve::Arc(radius, angle) => (radius * angle, angle == TAU),
            Curve::Stadium(radius, h) => (4.0 * h + TAU * radius, true),
        }
    }

    /// The least radius of curvature, and whether the curve is nowhere straight.
    pub fn bend(&self) -> (f64, bool) {
        match self.curve {
            Curve::Point | Curve::Segment(_) => (f64::INFINITY, false),
            Curve::Arc(radius, _) => (radius, true),
            Curve::Stadium(radius, h) => (radius, h == 0.0),
        }
    }

    /// The arc or the segment on which the length s is, from where to where; a whole circle has no ends.
    pub fn piece(&self, s: f64) -> [f64; 2] {
        match self.curve {
            Curve::Arc(radius, TAU) => [s - 0.5 * TAU * radius, s + 0.5 * TAU * radius],
            Curve::Stadium(radius, h) => {
                let (marks, k) = (stadium_marks(radius, h), stadium_piece(radius, h, s));
                [marks[k], marks[k + 1]]
            }
            _ => [0.0, self.length().0],
        }
    }

    /// The distance of x from all arcs and segments but the one on which the length s is; infinite where there is no
    /// other.
    pub fn elsewhere(&self, x: &Vec3, s: f64) -> f64 {
        let Curve::Stadium(radius, h) = self.curve else { return f64::INFINITY };
        let here = stadium_piece(radius, h, s);
        let x = self.body.point_in_body(x);
        let distance = |k: usize| {
            // The second half is the first one turned about x by half a turn.
            let (y, z) = if k < 2 { (x.y, x.z) } else { (-x.y, -x.z) };
            let (out, along) = if k.is_multiple_of(2) {
                (y - radius, z - z.clamp(-h, h))
            } else if z >= h {
                (y.hypot(z - h) - radius, 0.0)
            } else {
                (y.abs() - radius, z - h)
            };
            out.hypot(along).hypot(x.x)
        };
        (0..4).filter(|&k| k != here).map(distance).fold(f64::INFINITY, f64::min)
    }

    /// The curve at the length s.
    pub fn at(&self, s: f64) -> CurvePoint {
        let (c, tangent, e) = match self.curve {
            Curve::Point => (Vec3::zeros(), Vec3::zeros(), Vec3::zeros()),
            Curve::Segment(h) => (Vec3::new(0.0, 0.0, s - h), Vec3::z(), Vec3::x()),
            Curve::Arc(radius, _) => {
                let (sin, cos) = (s / radius).sin_cos();
                let e = Vec3::new(cos, sin, 0.0);
                (e * radius, Vec3::new(-sin, cos, 0.0), e)
            }
            Curve::Stadium(radius, h) => stadium(radius, h, s),
        };
        let c = Vec3::new(c.x, c.y, c.z + self.lift);
        let turned = |v: Vec3| self.body.rotation * v;
        CurvePoint { c: self.body.point_in_pair(&c), tangent: turned(tangent), e: turned(e) }
    }

    /// The length s of the curve's point nearest to x, and its distance.
    pub fn nearest(&self, x: &Vec3) -> (f64, f64) {
        let mut x = self.body.point_in_body(x);
        x.z -= self.lift;
        match self.curve {
            Curve::Point => (0.0, x.norm()),
            Curve::Segment(h) => {
                let z = x.z.clamp(-h, h);
                (z + h, x.x.hypot(x.y).hypot(x.z - z))
            }
            Curve::Arc(radius, angle) => {
                let at = x.y.atan2(x.x);
                if angle < TAU && x.y < 0.0 {
                    // Beyond the ends of half a circle.
                    let (s, end) = if x.x >= 0.0 { (0.0, radius) } else { (angle, -radius) };
                    return (radius * s, (x.x - end).hypot(x.y).hypot(x.z));
                }
                (radius * at.rem_euclid(TAU), (x.x.hypot(x.y) - radius).hypot(x.z))
            }
            Curve::Stadium(radius, h) => {
                let z = x.z.clamp(-h, h);
                let zeta = x.z - z;
                let distance = (x.y.hypot(zeta) - radius).hypot(x.x);
                let bend = PI * radius;
                let s = if zeta > 0.0 {
                    2.0 * h + radius * zeta.atan2(x.y)
                } else if zeta < 0.0 {
                    4.0 * h + bend + radius * (-zeta).atan2(-x.y)
                } else if x.y >= 0.0 {
                    z + h
                } else {
                    2.0 * h + bend + h - z
                };
                (s, distance)
            }
        }
    }
}

/// Where the pieces of a stadium begin, and its length.
fn stadium_marks(radius: f64, h: f64) -> [f64; 5] {
    let (bar, bend) = (2.0 * h, PI * radius);
    [0.0, bar, bar + bend, 2.0 * bar + bend, 2.0 * (bar + bend)]
}

/// The piece of a stadium on which the length s is.
fn stadium_piece(radius: f64, h: f64, s: f64) -> usize {
    let marks = stadium_marks(radius, h);
    (0..3).find(|&k| s < marks[k + 1]).unwrap_or(3)
}

/// Point, tangent and e of a stadium at the length s.
fn stadium(radius: f64, h: f64, s: f64) -> (Vec3, Vec3, Vec3) {
    let half = 2.0 * h + PI * radius;
    let s = s.rem_euclid(2.0 * half);
    // The second half is the first one turned about x by half a turn.
    let (side, s) = if s < half { (1.0, s) } else { (-1.0, s - half) };
    if s <= 2.0 * h {
        let c = Vec3::new(0.0, side * radius, side * (s - h));
        return (c, Vec3::new(0.0, 0.0, side), Vec3::new(0.0, side, 0.0));
    }
    let (sin, cos) = ((s - 2.0 * h) / radius).sin_cos();
    let e = Vec3::new(0.0, side * cos, side * sin);
    let tangent = Vec3::new(0.0, -side * sin, side * cos);
    (e * radius + Vec3::new(0.0, 0.0, side * h), tangent, e)
}

/// A quarter of a turn is the farthest that a local argument goes along an arc.
pub(super) const QUARTER: f64 = FRAC_PI_2;
