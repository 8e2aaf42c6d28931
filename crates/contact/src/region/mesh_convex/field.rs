//! The signed distance of a convex body: f(x) = max over unit n of n·x − h(n), with the support function h.
//!
//! f is a convex function of x, negative inside, and its gradient is the n of the maximum. Spheres, capsules,
//! cylinders, cones, boxes and hulls have closed forms. For the others φ(n) = n·x − h(n) is climbed on the sphere:
//! with r = (x − ∇h) − n φ its gradient and −(∇²h + φ) its Hessian there, a step is t = (∇²h + φ)⁻¹ r across n, halved
//! until φ rises. Outside there is one maximum, and just inside the nearest one is found. Where ∇²h + φ is not
//! positive, so that the depth −φ exceeds a radius of curvature, and from a quarter of the least half extent on, the
//! axes are tried as starts too and the greatest is taken.

use crate::feature;
use crate::manifold::nearest;
use rattleback_geom::Vec3;
use rattleback_geom::curvature::tangents;
use rattleback_geom::surface::{Frustum, Implicit, Shape, Support};

/// So many steps at most; Newton needs four to eight, the bodies with nearly flat faces more.
const STEPS: usize = 60;

/// A climb ends where the point is known across n to this share of the body's size.
const CLOSE: f64 = 1e-12;

/// A step across n below which f changes by less than its rounding: the root of it, with a margin.
const NEAR_TOP: f64 = 1e-6;

/// From this share of the least half extent on other sides may be nearer.
const DEEP: f64 = 0.25;

/// A value of f and its gradient.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in super::super) struct Reading {
    /// f(x) in m.
    pub f: f64,
    /// The outer unit normal that belongs to it.
    pub n: Vec3,
}

/// A convex body in its own frame.
pub(in super::super) struct Field<'a> {
    pub support: &'a dyn Support,
    implicit: Option<&'a dyn Implicit>,
    shape: &'a Shape,
    /// The radius of the balls of a hull of balls.
    rounding: f64,
    centre: Vec3,
    inner: f64,
    pub size: f64,
}

impl<'a> Field<'a> {
    pub fn new(shape: &'a Shape) -> Option<Self> {
        let support = shape.surface().as_support()?;
        let bounds = shape.surface().bounds();
        Some(Self {
            support,
            implicit: shape.surface().as_implicit(),
            shape,
            rounding: feature::ball(shape, 0).map_or(0.0, |(_, radius)| radius),
            centre: bounds.centre(),
            inner: 0.5 * bounds.extents().min(),
            size: bounds.diagonal(),
        })
    }

    /// f(x) and its gradient.
    pub fn read(&self, x: &Vec3) -> Reading {
        match self.shape {
            Shape::Sphere(s) => ball(x, s.radius()),
            Shape::Capsule(_) | Shape::Cuboid(_) | Shape::ConvexHull(_) => match nearest(self.shape, x) {
                Ok(Some(found)) => Reading { f: found.height - self.rounding, n: found.n },
                _ => self.climb(x),
            },
            Shape::Cylinder(c) => cylinder(x, c.radius(), c.half_length()),
            Shape::Frustum(c) => frustum(x, c),
            _ => self.climb(x),
        }
    }

    /// How well the gradient is known.
    pub fn noise(&self) -> f64 {
        match self.shape {
            Shape::Sphere(_)
            | Shape::Capsule(_)
            | Shape::Cuboid(_)
            | Shape::ConvexHull(_)
            | Shape::Cylinder(_)
            | Shape::Frustum(_) => 4.0 * f64::EPSILON,
            _ => 10.0 * CLOSE,
        }
    }

    fn climb(&self, x: &Vec3) -> Reading {
        let from_centre = x - self.centre;
        let outward = self.implicit.map(|f| f.gradient(x)).filter(|g| g.iter().all(|c| c.is_finite()));
        let start = outward.and_then(|g| g.try_normalize(1e-300)).or(from_centre.try_normalize(1e-300));
        let (mut best, is_sure) = self.climb_from(x, &start.unwrap_or_else(Vec3::z));
        if !is_sure || best.f < -DEEP * self.inner {
            for axis in 0..3 {
                for sign in [1.0, -1.0] {
                    // Aside, since a normal in a plane of symmetry has no slope across it.
                    let n = Vec3::ith(axis, sign) + from_centre * (0.1 / self.size);
                    let (other, _) = self.climb_from(x, &n.normalize());
                    if other.f > best.f {
                        best = other;
                    }
                }
            }
        }
        best
    }

    /// The top that a climb ends at, and whether it is known to be the highest.
    fn climb_from(&self, x: &Vec3, start: &Vec3) -> (Reading, bool) {
        let mut n = *start;
        let mut f = n.dot(x) - self.support.support(&n);
        let mut is_sure = false;
        for _ in 0..STEPS {
            let (t, u) = tangents(&n);
            let block = self.support.support_block(&n, &t, &u);
            let way = x - block.point;
            let r = [t.dot(&way), u.dot(&way)];
            let [a, b, c] = [block.radii[0] + f, block.radii[1], block.radii[2] + f];
            let det = a * c - b * b;
            is_sure = f > 0.0 || a + c > 0.0 && det > 0.0;
            if r[0].hypot(r[1]) <= CLOSE * self.size {
                break;
            }
            let step = if is_sure && det > 0.0 {
                [(c * r[0] - b * r[1]) / det, (a * r[1] - b * r[0]) / det]
            } else {
                // Uphill by the length that curvature alone would call for.
                let scale = (block.radii[0] + block.radii[2]).max(self.size * 1e-3);
                r.map(|x| x / scale)
            };
            let across = t * step[0] + u * step[1];
            let across = across * (1.0 / across.norm().max(1.0));
            // Close to the top f has no digits left to rise by.
            let slack = if across.norm() < NEAR_TOP { 4.0 * f64::EPSILON * self.size } else { 0.0 };
            let mut length = 1.0;
            let mut risen = None;
            while length > 1e-6 && risen.is_none() {
                let next = (n + across * length).normalize();
                let value = next.dot(x) - self.support.support(&next);
                risen = (value + slack > f).then_some((next, value));
                length *= 0.5;
            }
            let Some((next, value)) = risen else { break };
            (n, f) = (next, value);
        }
        (Reading { f, n }, is_sure)
    }
}

fn ball(arm: &Vec3, radius: f64) -> Reading {
    let length = arm.norm();
    let n = if length > 0.0 { arm / length } else { Vec3::x() };
    Reading { f: length - radius, n }
}

fn cylinder(x: &Vec3, radius: f64, half_length: f64) -> Reading {
    let ring = x.x.hypot(x.y);
    let outward = if ring > 0.0 { Vec3::new(x.x / ring, x.y / ring, 0.0) } else { Vec3::x() };
    let upward = Vec3::z() * if x.z < 0.0 { -1.0 } else { 1.0 };
    let (beside, above) = (ring - radius, x.z.abs() - half_length);
    if beside > 0.0 && above > 0.0 {
        let f = beside.hypot(above);
        Reading { f, n: outward * (beside / f) + upward * (above / f) }
    } else if beside > above {
        Reading { f: beside, n: outward }
    } else {
        Reading { f: above, n: upward }
    }
}

/// In the half plane through x: outside, the nearest of the side, the ends and the rims; inside, the least of the
/// depths beneath side and ends.
fn frustum(x: &Vec3, body: &Frustum) -> Reading {
    let ring = x.x.hypot(x.y);
    let outward = if ring > 0.0 { Vec3::new(x.x / ring, x.y / ring, 0.0) } else { Vec3::x() };
    let ([s, c], [r0, r1], l) = (body.side_normal(), body.radii(), body.half_height());
    let world = |out: f64, up: f64| outward * out + Vec3::z() * up;
    // Off the side, and up along it from the lower rim.
    let (beside, along) = ((ring - r0) * s + (x.z + l) * c, (x.z + l) * s - (ring - r0) * c);
    let slant = (2.0 * l).hypot(r0 - r1);
    let on_side = Reading { f: beside, n: world(s, c) };
    let (above, below) = (x.z - l, -l - x.z);
    let on_end =
        if above > below { Reading { f: above, n: Vec3::z() } } else { Reading { f: below, n: -Vec3::z() } };
    if beside <= 0.0 && on_end.f <= 0.0 {
        return if beside > on_end.f { on_side } else { on_end };
    }
    if beside > 0.0 && along >= 0.0 && along <= slant {
        return on_side;
    }
    if above > 0.0 && ring <= r1 || below > 0.0 && ring <= r0 {
        return on_end;
    }
    let arms = [[ring - r0, x.z + l], [ring - r1, x.z - l]];
    let lengths = arms.map(|[out, up]| out.hypot(up));
    let near = usize::from(lengths[1] < lengths[0]);
    let f = lengths[near];
    Reading { f, n: world(arms[near][0] / f, arms[near][1] / f) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proximity::sample::Random;
    use rattleback_geom::surface::{Capsule, Cuboid, Cylinder, Ellipsoid, Frustum, Sphere, Superellipsoid};

    #[test]
    fn the_reading_is_the_greatest_over_all_directions() {
        let shapes: [Shape; 11] = [
            Cuboid::new([0.7, 1.1, 0.9], 0.0).unwrap().into(),
            Cuboid::new([0.7, 1.1, 0.9], 0.2).unwrap().into(),
            Sphere::new(0.7).unwrap().into(),
            Capsule::new(0.3, 0.6).unwrap().into(),
            Cylinder::new(0.5, 0.4).unwrap().into(),
            Frustum::new([0.5, 0.3], 0.8).unwrap().into(),
            Frustum::new([0.2, 0.6], 0.5).unwrap().into(),
            Frustum::cone(0.5, 0.7).unwrap().into(),
            Ellipsoid::new([0.9, 0.5, 0.3]).unwrap().into(),
            Superellipsoid::new([0.9, 0.6, 0.5], [2.5, 2.2]).unwrap().into(),
            Superellipsoid::new([0.9, 0.6, 0.5], [5.0, 4.0]).unwrap().into(),
        ];
        let mut random = Random(14);
        for shape in &shapes {
            let field = Field::new(shape).unwrap();
            for _ in 0..150 {
                let x = random.point(1.2);
                let found = field.read(&x);
                let value = found.n.dot(&x) - field.support.support(&found.n);
                assert!((found.n.norm() - 1.0).abs() < 1e-12 && (value - found.f).abs() < 1e-12);
                for _ in 0..400 {
                    let n = random.direction();
                    let other = n.dot(&x) - field.support.support(&n);
                    assert!(other <= found.f + 1e-9, "{shape:?} {x:?}: {} {other}", found.f);
                }
            }
        }
    }
}
