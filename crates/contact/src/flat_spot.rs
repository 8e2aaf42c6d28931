//! Superellipsoids and superquadrics that lie on a half-space with an all but flat face, and solids that planes cut,
//! with a flat one: their contact is taken at several points. On flat faces and straight sides of other bodies, and on
//! each other where one's middle is over the other, the face is the polygon of these points (`flat/mod.rs`).
//!
//! Where the surface is ζ = c − C∣ξ∣ⁿ, the farthest point along a normal that is tilted by θ has ξ ∝ θ^{1/(n−1)}: with
//! a large exponent n it runs from one side of the face to the other within the smallest tilt. Borne at that one point
//! a body rocks under a torque that is all but W L sign θ, with a frequency that has no bound as the tilt vanishes.
//! What bears a body that lies is the face instead, at four of its points:
//!
//! | place | contact | weight |
//! |---|---|---|
//! | 0 | the nearest points | 1 − W |
//! | 1 + 4f + j | the point over p_j of face f, where the outer normal is d_f + φ(±u ± v)/√2, φ = [`LYING`] | W_f/4 |
//!
//! with d_f the direction of the face along one of the body's axes, u and v the other two axes, and W = Σ W_f, of which
//! no two are above zero. The face is taken for a plane through its pole: the points are moved out to it, by
//! h(d_f) − d_f·p_j ≈ φξ/n. They are fixed in the body, so that their gaps have exact potentials, and the sum of the
//! weights is one: a body that touches exactly presses, and at rest is as deep as on one point, (m g/K)^{1/n}. The
//! depths of all points together store ¼ Σ U(δ_j), which is smooth in the tilt.
//!
//! W_f is the ramp of `flat/mod.rs`: with s² = 1 − (d_f·N)², N the half-space's normal, it is one up to s = [`LYING`]
//! and zero from [`TILTED`] on, where the nearest point has come to the points of the face. It changes by
//! d(s²) = −2 (d_f·N)(ω_B − ω_P)·(d_f × N).
//!
//! Quadrics and superhyperboloids have four points of each of the faces that their planes leave (`Cap`) in place of
//! the p_j, and half tori three such places: their two ends together, whose four points lie on the rims as far out
//! as halfway between the ring's plane and across it, and either side of the ring, with four points of its half circle
//! 60° apart. These three are no faces of their own, since between the points there is nothing: they bear on
//! half-spaces alone.
//!
//! An all but flat face takes part from an exponent of [`FLAT`] on, below which adaptive steps follow the one point to
//! rest. Where the law asks for curvatures the nearest points alone count.

use crate::derivative::Rates;
use crate::kinematics::Twist;
use rattleback_geom::Vec3;
use rattleback_geom::surface::{Cap, HalfTorus, Shape};
use std::f64::consts::FRAC_1_SQRT_2;

/// The exponent from which on a face is flat.
const FLAT: f64 = 7.0;
/// The sine of the tilt up to which a body lies, and that from which on it does not, as of other flat faces.
const LYING: f64 = 0.01;
const TILTED: f64 = 0.03;
/// The weight of a point of a body that lies.
const SHARE: f64 = 0.25;

/// The faces of a body: for each of its axes, whether those across it are flat.
fn flat_axes(shape: &Shape) -> Option<[bool; 3]> {
    let flat = match shape {
        Shape::Superellipsoid(body) => {
            let [delta, epsilon] = body.exponents();
            let side = delta >= FLAT && epsilon >= FLAT;
            [side, side, epsilon >= FLAT]
        }
        Shape::Superquadric(body) => {
            let flat = body.exponents().map(|exponent| exponent >= FLAT);
            [flat[1] && flat[2], flat[2] && flat[0], flat[0] && flat[1]]
        }
        _ => return None,
    };
    flat.contains(&true).then_some(flat)
}

/// How many contacts a body has on a half-space; none where it has no such face.
pub(crate) fn count(shape: &Shape) -> Option<usize> {
    let faces = place_count(shape);
    (faces > 0).then_some(1 + 4 * faces)
}

/// How many faces, or places that bear as one does, a body has.
fn place_count(shape: &Shape) -> usize {
    match shape {
        Shape::Quadric(body) => body.cap_count(),
        Shape::Superhyperboloid(body) => body.cap_count(),
        Shape::HalfTorus(_) => 3,
        _ => flat_axes(shape).map_or(0, |flat| 2 * flat.iter().filter(|flat| **flat).count()),
    }
}

/// How many such faces a body has.
pub(crate) fn face_count(shape: &Shape) -> usize {
    if matches!(shape, Shape::HalfTorus(_)) { 0 } else { place_count(shape) }
}

/// A face as a plane with four corners: its outer normal, and a point in its middle.
pub(crate) fn plane(shape: &Shape, place: usize) -> Option<[Vec3; 2]> {
    if let Some(Cap { normal, corners }) = cap(shape, place) {
        return Some([normal, corners.iter().sum::<Vec3>() * 0.25]);
    }
    let out = face(shape, place)?;
    Some([out, out * shape.surface().as_support()?.support(&out)])
}

/// Its corners, in their order around it.
pub(crate) fn corners(shape: &Shape, place: usize) -> Vec<Vec3> {
    [0, 1, 3, 2].into_iter().filter_map(|corner| point(shape, 1 + 4 * place + corner)).collect()
}

/// A flat face, or what bears as one.
fn cap(shape: &Shape, place: usize) -> Option<Cap> {
    match shape {
        Shape::Quadric(body) => body.cap(place),
        Shape::Superhyperboloid(body) => body.cap(place),
        Shape::HalfTorus(body) => of_half_torus(body, place),
        _ => None,
    }
}

fn of_half_torus(body: &HalfTorus, place: usize) -> Option<Cap> {
    let (ring, tube) = (body.major_radius(), body.minor_radius());
    let aside = tube * FRAC_1_SQRT_2;
    let end = |x: f64, z: f64| Vec3::new(x * (ring + aside), 0.0, z * aside);
    let side = |sign: f64| {
        let corner = |turn: [f64; 2]| Vec3::new(ring * turn[0], ring * turn[1], sign * tube);
        let half_root = 0.75_f64.sqrt();
        Cap {
            normal: Vec3::z() * sign,
            corners: [[1.0, 0.0], [0.5, half_root], [-0.5, half_root], [-1.0, 0.0]].map(corner),
        }
    };
    Some(match place {
        0 => Cap {
            normal: -Vec3::y(),
            corners: [end(1.0, 1.0), end(-1.0, 1.0), end(-1.0, -1.0), end(1.0, -1.0)],
        },
        1 => side(-1.0),
        2 => side(1.0),
        _ => return None,
    })
}

/// The direction of a face in the body's frame.
fn face(shape: &Shape, face: usize) -> Option<Vec3> {
    if let Some(cap) = cap(shape, face) {
        return Some(cap.normal);
    }
    let axis = (0..3).filter(|axis| flat_axes(shape).is_some_and(|flat| flat[*axis])).nth(face / 2)?;
    Some(Vec3::ith(axis, if face.is_multiple_of(2) { -1.0 } else { 1.0 }))
}

/// The point of a place from 1 on, in the body's frame.
pub(crate) fn point(shape: &Shape, place: usize) -> Option<Vec3> {
    let (of, corner) = (place.checked_sub(1)? / 4, (place - 1) % 4);
    if let Some(cap) = cap(shape, of) {
        return Some(cap.corners[[0, 1, 3, 2][corner]]);
    }
    let out = face(shape, of)?;
    let axis = out.iamax();
    let sign = |bit: usize| if corner & bit == 0 { 1.0 } else { -1.0 };
    let aside = Vec3::ith((axis + 1) % 3, sign(1)) + Vec3::ith((axis + 2) % 3, sign(2));
    let normal = (out + aside * (LYING * FRAC_1_SQRT_2)).normalize();
    let support = shape.surface().as_support()?;
    let point = support.support_point(&normal);
    Some(point + out * (support.support(&out) - out.dot(&point)))
}

/// How a body lies on a half-space.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tilt {
    /// The place of the face that is lowest.
    face: usize,
    /// d_f, N and d_f·N, of the body's frame turned to the world.
    out: Vec3,
    outward: Vec3,
    cosine: f64,
}

impl Tilt {
    /// Of the face that is lowest, from the half-space's normal in world axes and in those of the body.
    pub(crate) fn new(
        shape: &Shape,
        outward: &Vec3,
        local: &Vec3,
        world: impl Fn(&Vec3) -> Vec3,
    ) -> Option<Self> {
        let faces = (0..place_count(shape)).filter_map(|k| Some((k, face(shape, k)?)));
        let (face, out) = faces.min_by(|(_, one), (_, other)| one.dot(local).total_cmp(&other.dot(local)))?;
        Some(Self { face, out: world(&out), outward: *outward, cosine: out.dot(local) })
    }

    /// W and dW/d(s²).
    fn ramp(&self) -> [f64; 2] {
        // The cross product keeps the digits of small tilts.
        let squared = self.out.cross(&self.outward).norm_squared();
        let width = TILTED * TILTED - LYING * LYING;
        if !(self.cosine < 0.0) {
            return [0.0; 2];
        }
        let x = ((TILTED * TILTED - squared) / width).clamp(0.0, 1.0);
        [x * x * (3.0 - 2.0 * x), -6.0 * x * (1.0 - x) / width]
    }

    /// Whether the body lies on its face alone.
    pub(crate) fn is_lying(&self) -> bool {
        self.ramp()[0] >= 1.0
    }

    /// What a place has of W, and how that changes with it.
    fn share(&self, place: usize) -> [f64; 2] {
        match place {
            0 => [1.0, -1.0],
            _ if (place - 1) / 4 == self.face => [0.0, SHARE],
            _ => [0.0; 2],
        }
    }

    /// The weight of a place.
    pub(crate) fn weight(&self, place: usize) -> f64 {
        let [own, factor] = self.share(place);
        own + factor * self.ramp()[0]
    }

    /// The rates of a touch there, with that of its weight, for the motions of the half-space and the body.
    pub(crate) fn with_weight(&self, rates: Rates, place: usize, [of_plane, of_body]: [&Twist; 2]) -> Rates {
        let turning =
            (of_body.angular_velocity - of_plane.angular_velocity).dot(&self.out.cross(&self.outward));
        let squared = -2.0 * self.cosine * turning;
        Rates { weight: self.share(place)[1] * self.ramp()[1] * squared, ..rates }
    }
}
