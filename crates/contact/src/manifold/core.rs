//! The cores of hulls of balls: corners, edges, and the distance of a point.
//!
//! The distance f of a point x from a convex core, negative inside, has the outer normal n as its gradient and
//!
//!   ∂n/∂x = 0 above a face and inside,   (1 − nnᵀ − eeᵀ)/f beside an edge along e,   (1 − nnᵀ)/f at a corner

use crate::error::Result;
use crate::feature;
use rattleback_geom::surface::{Capsule, CoreEdge, CorePart, Cuboid, Shape};
use rattleback_geom::{Mat3, Vec3};

/// The nearest point of a core.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Nearest {
    /// f, in m.
    pub height: f64,
    /// n.
    pub n: Vec3,
    /// What of the core it is.
    pub part: CorePart,
}

impl Nearest {
    /// ∂n/∂x, in 1/m; zero where f is too small for n to have one.
    pub fn turn(&self) -> Mat3 {
        let Self { height, n, part } = self;
        if !(*height > f64::MIN_POSITIVE) {
            return Mat3::zeros();
        }
        let across = Mat3::identity() - n * n.transpose();
        match part {
            CorePart::Face => Mat3::zeros(),
            CorePart::Edge(along) => (across - along * along.transpose()) / *height,
            CorePart::Corner => across / *height,
        }
    }
}

/// How many corners and edges the core of a capsule, a box or a hull has.
pub(crate) fn counts(shape: &Shape) -> Option<[usize; 2]> {
    match shape {
        Shape::Capsule(_) => Some([2, 1]),
        Shape::Cuboid(_) => Some([8, 12]),
        Shape::ConvexHull(body) => Some([body.vertices().len(), body.edge_count()]),
        _ => None,
    }
}

/// The radius of the balls; zero for other bodies.
pub(crate) fn rounding(shape: &Shape) -> f64 {
    feature::ball(shape, 0).map_or(0.0, |(_, radius)| radius)
}

/// An edge of a core.
pub(crate) fn edge(shape: &Shape, place: usize) -> Option<CoreEdge> {
    match shape {
        Shape::Capsule(body) => (place == 0).then(|| axis(body)),
        Shape::Cuboid(body) => (place < 12).then(|| side(body, place)),
        Shape::ConvexHull(body) => body.edge(place),
        _ => None,
    }
}

fn axis(body: &Capsule) -> CoreEdge {
    let l = body.half_length();
    let none = Vec3::zeros();
    CoreEdge { start: -Vec3::z() * l, along: Vec3::z(), length: 2.0 * l, outward: none, faces: [none; 2] }
}

/// Four along each axis, by the signs of the other two.
fn side(body: &Cuboid, place: usize) -> CoreEdge {
    let (i, j, k) = (place / 4, (place / 4 + 1) % 3, (place / 4 + 2) % 3);
    let sign = |bit: usize| if place >> bit & 1 == 0 { 1.0 } else { -1.0 };
    let faces = [Vec3::ith(j, sign(0)), Vec3::ith(k, sign(1))];
    let outward = faces[0] + faces[1];
    let core = body.core();
    CoreEdge {
        start: outward.component_mul(core) - Vec3::ith(i, core[i]),
        along: Vec3::ith(i, 1.0),
        length: 2.0 * core[i],
        outward: outward.normalize(),
        faces,
    }
}

/// The nearest point of the core of a capsule, a box or a hull; none for other bodies.
pub(crate) fn nearest(shape: &Shape, x: &Vec3) -> Result<Option<Nearest>> {
    Ok(match shape {
        Shape::Capsule(body) => Some(of_capsule(body, x)),
        Shape::Cuboid(body) => Some(of_box(body.core(), x)),
        Shape::ConvexHull(body) => {
            let (distance, n, part) = body.distance_to_part(x)?;
            Some(Nearest { height: distance + body.rounding(), n, part })
        }
        _ => None,
    })
}

fn of_capsule(body: &Capsule, x: &Vec3) -> Nearest {
    let l = body.half_length();
    let z = x.z.clamp(-l, l);
    let arm = x - Vec3::z() * z;
    let height = arm.norm();
    let part = if x.z.abs() < l { CorePart::Edge(Vec3::z()) } else { CorePart::Corner };
    Nearest { height, n: if height > 0.0 { arm / height } else { Vec3::x() }, part }
}

fn of_box(core: &Vec3, x: &Vec3) -> Nearest {
    let arm = x - x.zip_map(core, |x, c| x.clamp(-c, c));
    let out = arm.norm();
    if !(out > 0.0) {
        let depth = core - x.abs();
        let i = depth.imin();
        return Nearest { height: -depth[i], n: Vec3::ith(i, 1f64.copysign(x[i])), part: CorePart::Face };
    }
    let beyond = arm.map(|out| out != 0.0);
    let part = match beyond.iter().filter(|is_beyond| **is_beyond).count() {
        1 => CorePart::Face,
        2 => CorePart::Edge(Vec3::from_fn(|i, _| if beyond[i] { 0.0 } else { 1.0 })),
        _ => CorePart::Corner,
    };
    Nearest { height: out, n: arm / out, part }
}
