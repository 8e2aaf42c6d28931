//! Bodies with flat faces and straight sides that lie on each other: cylinders, cones and frusta on each other and on
//! boxes, hulls and capsules; superellipsoids and superquadrics with all but flat faces on these and on each other; and
//! hulls of too many edges for `manifold/mod.rs`.
//!
//! Where two faces lie on each other, or a side on a face or another side, the nearest points are not unique, and jump
//! from end to end under the smallest tilt. What bears the bodies there are points that stand for the intersection of
//! the two outlines, instead of the nearest points:
//!
//! | place | contact | weight |
//! |---|---|---|
//! | 0 | the nearest points of the bodies | 1 − W − E |
//! | 1…8 | the outline of the intersection of two areas, in eight directions | sW/8, s = 3 with a disc, else 4 |
//! | 1, 2 | the ends of the part that a side shares with a face or another side | W |
//! | 9, 10 | the ends of the part that an edge shares with a face while its own faces are tilted (`edge.rs`) | E |
//!
//! as a half-space bears a disc at three points, a box at four corners and a side at its two ends (`feature.rs`).
//! Where one of the faces is only all but flat (`flat_spot.rs`), the points share the one weight W, as on a half-space.
//!
//! With N_A, N_B the outer normals of the faces, o_A, o_B points of them, m = (N_A − N_B)/∣N_A − N_B∣ and κ = m·N_A,
//! the point x of the plane across m (`outline.rs`) is over x_A = x − m N_A·(x − o_A)/κ of A and x_B = x + m N_B·(x −
//! o_B)/κ of B, and has
//!
//!   gap = N_A·(x − o_A) + N_B·(x − o_B) = N_A·(x_B − o_A) = N_B·(x_A − o_B)
//!
//! A point that moves with B is as far from A's face as it is along N_A: a force along anything else would drive what
//! lies inclined along a level face. One that moves with A has −N_B. With β (`outline.rs`) between the two,
//!
//!   n = (β(N_A + N_B) − N_B)/∣…∣,   p = (1 − β) x_A + β (x_B − n gap),   q = p + gap n
//!
//! A side has the normal across its generator that is nearest to the other body's. W is a product of ramps S
//! (smooth, from zero at a to one at b):
//!
//! - of the angle θ between the faces, one up to sin θ = [`LYING`], zero from [`TILTED`] on: bodies that are tilted
//!   against each other touch at their nearest points, or along an edge;
//! - of ρ/δ, with ρ the least distance from the centre c of the intersection to its outline and δ the greatest depth of
//!   the points: zero up to [`NARROW`], one from [`WIDE`] on. What is deeper in than it overlaps sideways does not lie
//!   on a face.
//!
//! Two faces that are all but flat lie on each other where the middle of one of them is within the other: W has a third
//! ramp, of how far it is inside, in terms of the root of the smaller area: zero outside, one from [`HELD`] on. Where
//! the body's middle is beyond the end of what both planes share, the faces are curved under it, and the nearest
//! points say how it tilts.
//!
//! Points with a weight, their gaps and W are continuous in the poses, and so are their forces; the nearest points may
//! jump, where W < 1. A force w F(gap) along n is that of a potential where W does not change and x moves with one of
//! the bodies; what else changes of the stored energy is booked as a change of stiffness. Derivatives are exact: all is
//! computed with numbers that carry them (`dual.rs`).
//!
//! What lies inclined on a level face of A and reaches over its edge is pushed along by 1 − β of its inclination, by β
//! on one of B. The gradient of Σ w U(gap) by the pose would not take that away: the energy depends on how far the body
//! reaches over the edge, and drives a can of 12 cm, its axis 3 and 1 cm from the edge of a box of 40 cm by 30 cm,
//! outwards by 0.63 and 0.82 of its inclination, against 0.019 and 0.037 here. Nor would it be a force along a line,
//! as laws have it.
//!
//! Where nothing lies, the gap of the points 1…10 is no more than the way that the bodies have to move until something
//! does: faces that are tilted or too narrow may overlap by more than nothing when their weight leaves zero. Where
//! something does, a point that is apart has its own gap, which may change faster than the bodies move. Engines that
//! watch gaps by bounds on their change ask for the way of both (`clearance.rs`).
//!
//! Where curvatures are asked for, faces have none: the nearest points alone count.

mod clearance;
mod dual;
mod edge;
mod faces;
mod lying;
mod outline;

use crate::contact::Collider;
use crate::derivative::{Derivatives, Rates, Regularity};
use crate::error;
use crate::kinematics::Twist;
use crate::manifold;
use crate::narrow::{Certificate, Touch, check, finite};
use crate::region::has_regions;
use lying::Lying;
use outline::POINTS;
use rattleback_geom::Vec3;
use rattleback_geom::surface::{ConvexHull, Shape};
use std::cell::OnceCell;

/// The sine of the angle up to which faces lie on each other: half a degree.
const LYING: f64 = 0.01;
/// That from which on they are tilted.
const TILTED: f64 = 0.03;
/// ρ/δ up to which an intersection is too narrow for its depth to be that of the bodies: there the way out sideways, 2ρ
/// at most, is the shorter one.
const NARROW: f64 = 2.0;
/// That from which on it is wide enough.
const WIDE: f64 = 8.0;
/// How far the middle of an all but flat face is within another such one, from which on it lies on it, over the root of
/// the smaller area. Short, since bodies rest ill where nearest points that jump take a part of what is level.
const HELD: f64 = 0.02;
/// The weight of a point of an area with a disc, and of one of polygons.
const OF_DISC: f64 = 3.0 / POINTS as f64;
const OF_POLYGON: f64 = 4.0 / POINTS as f64;
/// Neighbouring facets of a hull between which another one may become the face that lies on the other body have to
/// differ by more than twice the angle at which the weight is gone.
const LEAST_TURN: f64 = 2.5 * TILTED;
/// Facets up to which hulls take part: all of them are asked.
const MOST_FACETS: usize = 64;

/// Whether a hull has so few faces, and such angles between them, that it lies on them; others are all but smooth.
pub fn has_plain_faces(hull: &ConvexHull) -> bool {
    hull.facet_count() <= MOST_FACETS && hull.least_turn() > LEAST_TURN
}

fn is_plain(shape: &Shape) -> bool {
    match shape {
        Shape::ConvexHull(body) => has_plain_faces(body),
        _ => true,
    }
}

/// Whether the contact of two bodies is taken in this way.
pub(crate) fn takes_part(a: &Shape, b: &Shape) -> bool {
    let is_other = manifold::takes_part(a, b) || has_regions(a, b);
    faces::can_meet(a, b) && !is_other && is_plain(a) && is_plain(b)
}

/// How many contacts there are.
pub(crate) fn count(a: &Shape, b: &Shape, with_curvature: bool) -> usize {
    match (with_curvature, edge::can_meet(a, b)) {
        (true, _) => 1,
        (false, false) => 1 + POINTS,
        (false, true) => 3 + POINTS,
    }
}

/// 1 − W − E below which it is zero but for rounding.
const ROUNDING: f64 = 1e-12;

/// What bears two bodies: faces or sides, and an edge on a face. Each of them, or how far the bodies have to move at
/// least before it does.
type Bearing<const N: usize> = [Result<Lying<N>, f64>; 2];

fn bearing<const N: usize>(a: &Collider, b: &Collider, motions: [[Twist; N]; 2]) -> Bearing<N> {
    let edge = match edge::can_meet(&a.shape, &b.shape) {
        true => Lying::on_edge(a, b, motions),
        false => Err(f64::INFINITY),
    };
    [Lying::new(a, b, motions), edge]
}

/// Which of what bears a place from 1 on belongs to, and its place there.
fn of_place(place: usize) -> (usize, usize) {
    if place > POINTS { (1, place - POINTS) } else { (0, place) }
}

/// The faces that two bodies turn to each other, found once for all places of their contact at one pair of poses.
#[derive(Debug)]
pub struct SharedFaces {
    plain: Bearing<0>,
    /// The same with its derivatives, once they are asked for.
    moving: OnceCell<Box<Bearing<12>>>,
    /// A lower bound of the distance of the bodies, once it is asked for.
    separation: OnceCell<f64>,
}

impl SharedFaces {
    /// Those of two bodies; none where their contact is not taken in this way.
    pub fn new(a: &Collider, b: &Collider) -> Option<Self> {
        takes_part(&a.shape, &b.shape).then(|| Self::of(a, b))
    }

    pub(crate) fn of(a: &Collider, b: &Collider) -> Self {
        Self { plain: bearing(a, b, [[], []]), moving: OnceCell::new(), separation: OnceCell::new() }
    }

    fn moving(&self, a: &Collider, b: &Collider) -> &Bearing<12> {
        self.moving.get_or_init(|| Box::new(bearing(a, b, unit_motions())))
    }

    /// A lower bound of the distance of the bodies.
    fn separation(&self, a: &Collider, b: &Collider) -> f64 {
        if self.plain.iter().flatten().any(Lying::overlaps) {
            return 0.0;
        }
        *self.separation.get_or_init(|| clearance::separation(a, b))
    }

    /// How far the bodies have to move at least before a point that is apart, by `gap`, touches.
    pub(crate) fn least_way(&self, a: &Collider, b: &Collider, place: usize, gap: f64) -> f64 {
        let (of, local) = of_place(place);
        let way = match &self.plain[of] {
            // Points of the bodies are as far from each other, or as far as they have to move.
            _ if self.is_nearest(place) => return gap,
            Err(_) if place > 0 => return gap,
            Ok(found) if place > 0 => found.least_way(local),
            // The nearest points take the place again.
            _ => 0.0,
        };
        way.max(self.separation(a, b)).min(gap)
    }

    /// W and E.
    fn weights(&self) -> [f64; 2] {
        self.plain.each_ref().map(|found| found.as_ref().map_or(0.0, |found| found.weight.value))
    }

    /// Which of W and E is the greater one.
    fn heavier(&self) -> usize {
        let [w, e] = self.weights();
        usize::from(e > w)
    }

    /// 1 − W − E.
    fn rest(&self) -> f64 {
        let [w, e] = self.weights();
        let rest = 1.0 - w - e;
        if rest > ROUNDING { rest } else { 0.0 }
    }

    /// Whether a place is that of the nearest points, and has a weight.
    pub(crate) fn is_nearest(&self, place: usize) -> bool {
        place == 0 && self.rest() > 0.0
    }

    /// The weight at a place.
    pub(crate) fn weight(&self, place: usize) -> f64 {
        if place == 0 {
            return self.rest();
        }
        let (of, place) = of_place(place);
        self.plain[of].as_ref().map_or(0.0, |found| found.point(place).1 * found.weight.value)
    }
}

/// The twelve motions of two bodies by which their poses change.
fn unit_motions() -> [[Twist; 12]; 2] {
    [0, 6].map(|first: usize| {
        std::array::from_fn(|column| {
            let unit = |at: usize| Vec3::from_fn(|i, _| if column == first + at + i { 1.0 } else { 0.0 });
            Twist { velocity: unit(0), angular_velocity: unit(3) }
        })
    })
}

/// The touch at a point.
pub(crate) fn touch(faces: &SharedFaces, a: &Collider, b: &Collider, place: usize) -> error::Result<Touch> {
    check(&a.pose, "pose_a")?;
    check(&b.pose, "pose_b")?;
    let touch = |normal: Vec3, point_a: Vec3, gap: f64| Touch {
        gap,
        normal,
        point_a,
        point_b: point_a + normal * gap,
        iterations: 1,
        residual: 0.0,
        // What is proved is the gap of the point, not of the bodies.
        certificate: Certificate::Stationary { residual: 0.0 },
        certified: false,
    };
    let (of, place) = if place == 0 { (faces.heavier(), 0) } else { of_place(place) };
    let found = match &faces.plain[of] {
        Ok(found) => found,
        Err(clearance) => {
            // Nothing lies there, and nothing will until the bodies have moved by this: it is apart.
            let way = clearance.max(faces.separation(a, b)).max(f64::MIN_POSITIVE);
            let arm = b.pose.position - a.pose.position;
            let arm = arm.try_normalize(f64::MIN_POSITIVE).unwrap_or(Vec3::z());
            return finite(touch(arm, a.pose.position, way));
        }
    };
    let place = if place == 0 { found.deepest() } else { place };
    let (on_a, gap) = found.point(place).0;
    finite(touch(found.normal.value(), a.pose.position + on_a.value(), gap.value))
}

/// The rates of a touch at a point, and of its weight.
pub(crate) fn rates(
    faces: &SharedFaces,
    a: &Collider,
    b: &Collider,
    place: usize,
) -> impl Fn([&Twist; 2]) -> Rates {
    let bearing = faces.moving(a, b);
    let (of, place) = if place == 0 { (faces.heavier(), 0) } else { of_place(place) };
    move |motion| {
        let Ok(found) = &bearing[of] else {
            return Rates { regularity: Regularity::Seam, ..Rates::of_gap(0.0) };
        };
        let mut along = [0.0; 12];
        for (side, Twist { velocity, angular_velocity }) in motion.into_iter().enumerate() {
            along[6 * side..6 * side + 3].copy_from_slice(velocity.as_slice());
            along[6 * side + 3..6 * side + 6].copy_from_slice(angular_velocity.as_slice());
        }
        if place > 0 {
            return found.rates(place, &along);
        }
        let rate = |found: &Lying<12>| found.weight.by.iter().zip(&along).map(|(by, m)| by * m).sum::<f64>();
        let weight = bearing.iter().flatten().map(rate).sum::<f64>();
        Rates { weight: -weight, ..found.rates(found.deepest(), &along) }
    }
}

/// Its derivatives.
pub(crate) fn derivatives(faces: &SharedFaces, a: &Collider, b: &Collider, place: usize) -> Derivatives {
    Derivatives::of_rates(rates(faces, a, b, place))
}
