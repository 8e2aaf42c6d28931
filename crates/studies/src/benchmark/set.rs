//! The sets of pairs.
//!
//! A normal n and a gap g are drawn, then B is put where its point with the normal −n is g n from A's point with the
//! normal n. For bodies that are apart or touch, g is then the distance; under overlap g is the signed distance as long
//! as −g is below the sum of the least radii of curvature, by `truth.rs`, and it is drawn so. The place of B is
//! rounded to doubles, which changes the gap in its last digits: the truth is that of the rounded pair.

use super::truth::{Body, Pair, Truth};
use crate::Result;
use crate::draw::Stream;
use rattleback_contact::Collider;
use rattleback_geom::surface::{Ellipsoid, Shape, Superellipsoid, Support};
use rattleback_geom::{Pose, Vec3};

/// A set of pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Set {
    /// Ellipsoids, semi-axes 0.1 to 1 m, apart by 1 µm to 1 m.
    Apart,
    /// Ellipsoids, semi-axes 1 cm to 1 m, apart by 1 µm to 1 m.
    Thin,
    /// Ellipsoids that touch.
    Touching,
    /// Ellipsoids that overlap by up to 0.9 of the sum of their least radii of curvature.
    Overlapping,
    /// Superellipsoids with exponents 3 and 4, apart by 1 µm to 1 m.
    Superellipsoids,
}

/// A pair with its truth.
#[derive(Debug, Clone, Copy)]
pub struct Certified {
    /// The pair.
    pub pair: Pair,
    /// Its gap.
    pub truth: Truth,
}

impl Set {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Apart, Self::Thin, Self::Touching, Self::Overlapping, Self::Superellipsoids];

    /// Its name, that of its files. The drivers of other libraries know superellipsoids as SE.
    pub fn name(self) -> &'static str {
        match self {
            Self::Apart => "apart",
            Self::Thin => "thin",
            Self::Touching => "touching",
            Self::Overlapping => "overlapping",
            Self::Superellipsoids => "SE",
        }
    }

    /// What it holds.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Apart => "ellipsoids, semi-axes 0.1 to 1 m, apart by 1 µm to 1 m",
            Self::Thin => "thin ellipsoids, semi-axes 10^U(-2, 0) m, apart by 1 µm to 1 m",
            Self::Touching => "ellipsoids that touch, to the rounding of their places",
            Self::Overlapping => "ellipsoids that overlap by up to 0.9 of their least radii of curvature",
            Self::Superellipsoids => "superellipsoids, exponents 3 and 4, apart by 1 µm to 1 m",
        }
    }

    /// The pairs `0..count` of a seed.
    pub fn pairs(self, seed: u64, count: u64) -> Result<Vec<Certified>> {
        (0..count).map(|index| self.pair(&mut Stream::new(seed, index))).collect()
    }

    fn pair(self, draw: &mut Stream) -> Result<Certified> {
        let bodies = [self.body(draw), self.body(draw)];
        let rotation = draw.rotation();
        let n = draw.direction();
        let share = draw.unit();
        let gap = match self {
            Self::Touching => 0.0,
            Self::Overlapping => -0.9 * share * (bodies[0].least_radius() + bodies[1].least_radius()),
            _ => 10f64.powf(-6.0 * share),
        };
        let [a, b] = [shape(&bodies[0])?, shape(&bodies[1])?];
        let turned = Pose::new(Vec3::zeros(), rotation);
        let q = turned.vector_to_world(&support_point(&b, &-turned.vector_to_local(&n)));
        let position = support_point(&a, &n) + n * gap - q;
        let q = rotation.quaternion();
        let pair = Pair { bodies, position, quaternion: [q.w, q.i, q.j, q.k] };
        Ok(Certified { pair, truth: pair.truth(&n)? })
    }

    fn body(self, draw: &mut Stream) -> Body {
        let semi_axes = std::array::from_fn(|_| match self {
            Self::Thin => 10f64.powf(-2.0 * draw.unit()),
            _ => 0.1 + 0.9 * draw.unit(),
        });
        let mut exponent = || if draw.unit() < 0.5 { 3 } else { 4 };
        let exponents = if self == Self::Superellipsoids { [exponent(), exponent()] } else { [2, 2] };
        Body { semi_axes, exponents }
    }
}

fn shape(body: &Body) -> Result<Shape> {
    Ok(if body.is_ellipsoid() {
        Ellipsoid::new(body.semi_axes)?.into()
    } else {
        Superellipsoid::new(body.semi_axes, body.exponents.map(f64::from))?.into()
    })
}

fn support_point(shape: &Shape, n: &Vec3) -> Vec3 {
    match shape {
        Shape::Ellipsoid(ellipsoid) => ellipsoid.support_point(n),
        other => other.surface().as_support().map_or_else(Vec3::zeros, |support| support.support_point(n)),
    }
}

impl Certified {
    /// The bodies as the engine takes them.
    pub fn colliders(&self) -> Result<[Collider; 2]> {
        let [a, b] = &self.pair.bodies;
        let pose = Pose::from_parts(self.pair.position.into(), self.pair.quaternion)?;
        Ok([Collider::new(shape(a)?, Pose::identity()), Collider::new(shape(b)?, pose)])
    }
}
