//! A body of a pair as the search sees it: convex with a support function, or a stack of convex slices.

use super::gjk::{Enough, gjk};
use crate::narrow::relative::Relative;
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::surface::{BoundingPlane, Implicit, Part, Shape, Sliced, Support};
use rattleback_geom::{Aabb, Mat3, Pose, Vec3};

/// What a body can do.
#[derive(Clone, Copy)]
pub(super) enum Kind<'a> {
    Convex(&'a dyn Support),
    Stack(&'a dyn Sliced),
}

/// A body and its place in the frame of the pair, which is A's.
#[derive(Clone, Copy)]
pub(super) struct Body<'a> {
    pub shape: &'a Shape,
    pub kind: Kind<'a>,
    implicit: Option<&'a dyn Implicit>,
    /// The caps of a cylinder and the ends of a frustum; other bodies know their planes themselves.
    caps: Option<[BoundingPlane; 2]>,
    /// From the body's to the pair's axes.
    pub rotation: Mat3,
    pub origin: Vec3,
    /// Its box, in its own axes.
    pub bounds: Aabb,
    /// The diagonal of its box, in m.
    pub size: f64,
    orientation: UnitQuaternion<f64>,
    /// Whether its frame is that of the pair.
    is_first: bool,
}

/// The radius of the ball that asks a convex body for a nearest point, in sizes of that body.
const PROBE: f64 = 1e-3;

/// F or a plane of a stack, 0 for F.
pub(super) type Constraint = usize;

impl<'a> Body<'a> {
    /// None where the shape is neither convex with a support function nor a stack.
    fn new(shape: &'a Shape, rotation: Mat3, place: &Pose) -> Option<Self> {
        let surface = shape.surface();
        let kind = match (surface.as_sliced(), surface.as_support()) {
            (Some(slices), _) => Kind::Stack(slices),
            (_, Some(support)) => Kind::Convex(support),
            _ => return None,
        };
        let half_length = match shape {
            Shape::Cylinder(can) => Some(can.half_length()),
            Shape::Frustum(frustum) => Some(frustum.half_height()),
            _ => None,
        };
        let cap = |z: f64, l: f64| BoundingPlane::new(Vec3::new(0.0, 0.0, z), l).ok();
        let caps = half_length.and_then(|l| Some([cap(1.0, l)?, cap(-1.0, l)?]));
        let (origin, orientation) = (place.position, place.orientation);
        let (bounds, implicit) = (surface.bounds(), surface.as_implicit());
        let size = bounds.diagonal();
        let is_first = *place == Pose::identity();
        Some(Self { shape, kind, implicit, caps, rotation, origin, bounds, size, orientation, is_first })
    }

    /// Both bodies of a pair in A's frame.
    pub fn pair(a: &'a Shape, pose_a: &Pose, b: &'a Shape, pose_b: &Pose) -> Option<[Self; 2]> {
        let rel = Relative::new(pose_a, pose_b);
        let place = Pose { position: rel.r, orientation: pose_a.orientation.inverse() * pose_b.orientation };
        Some([Self::new(a, Mat3::identity(), &Pose::identity())?, Self::new(b, rel.rotation, &place)?])
    }

    /// The radius of the ball that asks a convex body for its point nearest to the ball's centre, in m.
    pub fn probe_radius(&self) -> f64 {
        PROBE * self.size
    }

    /// The same, moved in the frame of the pair.
    pub fn moved(self, way: &Vec3) -> Self {
        Self { origin: self.origin + way, is_first: false, ..self }
    }

    /// Its place in the frame of the pair.
    pub fn pose(&self) -> Pose {
        Pose { position: self.origin, orientation: self.orientation }
    }

    #[inline]
    pub fn point_in_body(&self, x: &Vec3) -> Vec3 {
        self.rotation.tr_mul(&(x - self.origin))
    }

    #[inline]
    pub fn point_in_pair(&self, x: &Vec3) -> Vec3 {
        self.rotation * x + self.origin
    }

    /// All of it as one part.
    pub fn whole(&self) -> Part {
        match self.kind {
            Kind::Convex(_) => Part::default(),
            Kind::Stack(slices) => slices.part(slices.range()),
        }
    }

    /// Whether it is convex, so that cutting it has no use.
    pub fn is_convex(&self) -> bool {
        match self.kind {
            Kind::Convex(_) => true,
            Kind::Stack(slices) => slices.is_convex(),
        }
    }

    /// The point of a part that lies farthest along `d`.
    #[inline]
    pub fn farthest(&self, part: &Part, d: &Vec3) -> Vec3 {
        let local = |d: &Vec3| match self.kind {
            Kind::Convex(support) => support.support_point(d),
            Kind::Stack(slices) => slices.farthest(part, d),
        };
        if self.is_first { local(d) } else { self.point_in_pair(&local(&self.rotation.tr_mul(d))) }
    }

    /// About how far the hull of a part stands out of the body.
    pub fn sag(&self, part: &Part) -> f64 {
        match self.kind {
            Kind::Convex(_) => 0.0,
            Kind::Stack(slices) => slices.sag(part),
        }
    }

    /// The slice of a point; zero for convex bodies.
    pub fn slice_at(&self, x: &Vec3) -> f64 {
        match self.kind {
            Kind::Convex(_) => 0.0,
            Kind::Stack(slices) => slices.slice_at(&self.point_in_body(x)),
        }
    }

    /// Both sides of a cut.
    pub fn cut(&self, part: &Part, at: f64) -> [Part; 2] {
        match self.kind {
            Kind::Convex(_) => [*part; 2],
            Kind::Stack(slices) => slices.cut(part, at),
        }
    }

    /// A point of the body near `x`, which lies in the hull of one of its parts.
    pub fn retract(&self, x: &Vec3) -> Vec3 {
        match self.kind {
            Kind::Convex(_) => *x,
            Kind::Stack(slices) => {
                let local = self.point_in_body(x);
                let kept = slices.retract(&local);
                if kept == local { *x } else { self.point_in_pair(&kept) }
            }
        }
    }

    /// How many constraints bound the body: its surface and its planes. None where it has no implicit view.
    pub fn constraints(&self) -> usize {
        if self.implicit.is_some() { 1 + self.planes().len() } else { 0 }
    }

    pub fn planes(&self) -> &[BoundingPlane] {
        match (&self.caps, self.implicit) {
            (Some(caps), _) => caps,
            (None, Some(f)) => f.bounding_planes(),
            _ => &[],
        }
    }

    /// A constraint at a point of the body's frame, to second order in that frame.
    pub fn second_order(&self, k: Constraint, local: &Vec3) -> (f64, Vec3, Mat3) {
        match self.implicit {
            Some(f) if k == 0 => f.second_order(local),
            // Planes do not bend.
            Some(_) => {
                let plane = &self.planes()[k - 1];
                (plane.beyond(local), *plane.normal(), Mat3::zeros())
            }
            None => (-1.0, Vec3::zeros(), Mat3::zeros()),
        }
    }

    /// How far a point lies beyond a constraint, about, in m; negative within.
    pub fn beyond(&self, k: Constraint, x: &Vec3) -> f64 {
        let Some(f) = self.implicit else { return f64::NEG_INFINITY };
        let local = self.point_in_body(x);
        if k > 0 {
            return self.planes()[k - 1].beyond(&local);
        }
        let slope = f.gradient(&local).norm();
        if slope > 0.0 { f.value(&local) / slope } else { f64::NEG_INFINITY }
    }

    /// Whether a point of the body's frame is not beyond its planes.
    pub fn is_within_bounds(&self, local: &Vec3) -> bool {
        self.implicit.is_none_or(|f| f.beyond_bounds(local) <= 0.0)
    }

    /// Positive outside of the curved surface, for a point of the body's frame.
    pub fn level(&self, local: &Vec3) -> f64 {
        match (self.implicit, self.kind) {
            (Some(f), _) => f.value(local),
            (None, Kind::Convex(support)) => outside(support, local),
            (None, Kind::Stack(slices)) => (slices.retract(local) - local).norm(),
        }
    }

    /// The outer unit normal at a boundary point; `n` where an edge or a corner, `close` sizes away at most, may have
    /// it among its own.
    pub fn normal_near(&self, x: &Vec3, n: &Vec3, close: f64) -> Vec3 {
        let local = self.point_in_body(x);
        let Some(f) = self.implicit else {
            // The body's farthest point along n is x only where n is the normal there.
            return *n;
        };
        let gradient = f.gradient(&local);
        let slope = gradient.norm();
        let curved = if slope > 0.0 { f.value(&local) / slope } else { f64::NEG_INFINITY };
        let flat = self.planes().iter().map(|plane| (plane.beyond(&local), *plane.normal()));
        let flat = flat.fold((f64::NEG_INFINITY, Vec3::zeros()), |m, x| if x.0 > m.0 { x } else { m });
        let close = close * self.size;
        if curved > -close && flat.0 > -close {
            return *n;
        }
        self.rotation * if flat.0 > curved { flat.1 } else { gradient / slope }
    }

    /// Whether a point lies in the body.
    pub fn holds(&self, x: &Vec3) -> bool {
        self.near(x, 0.0)
    }

    /// Whether a point lies in the body or about `room` outside of it at most, in m.
    pub fn near(&self, x: &Vec3, room: f64) -> bool {
        let local = self.point_in_body(x);
        match (self.implicit, self.kind) {
            (Some(f), _) => {
                let value = f.value(&local);
                let inside = value <= 0.0 || (room > 0.0 && value <= room * f.gradient(&local).norm());
                inside && f.beyond_bounds(&local) <= room
            }
            (None, Kind::Convex(support)) => outside(support, &local) <= room,
            (None, Kind::Stack(slices)) => (slices.retract(&local) - local).norm() <= room,
        }
    }
}

/// A lower bound of the distance of a point from a convex body, by its farthest points.
fn outside(support: &dyn Support, x: &Vec3) -> f64 {
    let size = x.norm();
    let enough =
        Enough { lower: f64::INFINITY, slack: 1e-12 * size, share: 0.0, short: 0.0, zero: 1e-14 * size };
    let first = x.try_normalize(0.0).unwrap_or_else(Vec3::x);
    gjk(|n| [support.support_point(n), *x], &first, &enough).lower
}
