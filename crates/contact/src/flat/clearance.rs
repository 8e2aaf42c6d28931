//! How far two bodies have to move at least before a point of their faces, sides or edges bears.
//!
//! The way d of two bodies is ∣v∣t + X∣ω∣t of one and of the other, with X the distance from its mass centre to the
//! farthest of its points. With L the diagonal of the bounds of the smaller one, a turn by φ asks for d ≥ ¼Lφ: bodies
//! hold a point that is L/(2√3) away from their mass centre, and the turn is shared out.
//!
//! Points a and b of the two faces that touch after a way d are now no farther from each other than d. Seen along m,
//! with K what the faces share now, c its middle, ρ the radius of a disc about c in it and R the distance from c to its
//! farthest point, a is within d of both faces, and so in (1 + d/ρ)K about c: x ∈ A and y ∈ B with ∣x − y∣ ≤ d have
//! c + (x − c)ρ/(ρ + d) in both. The gap g changes by no more than σ = ∣N_A + N_B∣ per length along the faces, hence
//!
//!   d ≥ g(a) ≥ min_K g − σ (d/ρ) R,   min_K g ≥ g(c) − σR
//!
//! as long as K does not vanish, d < ρ. That is the way until the first of all points. For one of them, whose ray from
//! c ends on the outline: with t = d/ρ what is shared then is between (1 − t)K and (1 + t)K, its centroid within
//! 4tR(1 + t)/(1 − t)² of c, and the angle at which the end of the ray is seen from c has changed by no more than that
//! over what is left of ρ, and the turn of the rays. The outline goes by no more than R²/ρ per angle. For t ≤ ρ/(32R)
//! together
//!
//!   d ≥ g_k − σ [tR(1 + 10R²/ρ²) + (R²/ρ) 4d/L]
//!
//! The ends of a part of a line go by tR. The generator that faces the other body and the polygon that stands for a
//! disc turn with the other body, and are elsewhere on their own one by r φ, r their radius: with these d is
//! replaced by M d, M = 2 + 4r/L, and from ρ is taken what the polygon leaves out of the disc.
//!
//! Figures beside each other, s apart in a direction u of the plane: a weight asks for a disc in what they share of
//! more than twice the depth there, the ends of whose diameter along u, of A and of B, now are apart by s the other
//! way. It begins after d ≥ s while the plane turns by less than a right angle, d ≤ L/4. Faces that are deeper in each
//! other than they share have no bound here.
//!
//! A face that overlaps has bodies that overlap: the distance of the bodies is a bound for all, and
//! n·(x_B − x_A) − h_A(n) − h_B(−n) one of it, along any n. An all but flat face lies outside of its body by no more
//! than the tilt up to which it is one, times its size (`flat_spot.rs`).

use super::faces;
use super::outline::{Figure, Point};
use super::{LYING, TILTED};
use crate::contact::Collider;
use crate::flat_spot;
use rattleback_geom::Vec3;
use rattleback_geom::surface::Shape;

/// 1 − cos(π/16): what the polygon that stands for a disc leaves out of it, as a share of its radius.
const SAGITTA: f64 = 0.019_214_719_596_769_55;

/// The way that a point of either body goes at least while they turn until sin θ is [`TILTED`].
pub(super) fn way_of_turn(sin: f64, size: f64) -> f64 {
    0.25 * size * (sin - TILTED).max(0.0)
}

/// What two faces share, in numbers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shared {
    /// g(c).
    pub gap: f64,
    /// σ.
    pub slope: f64,
    /// ρ.
    pub least: f64,
    /// R.
    pub far: f64,
    /// r.
    pub round: f64,
    /// L.
    pub size: f64,
    /// Whether it is an area.
    pub is_area: bool,
}

impl Shared {
    /// M.
    fn factor(&self) -> f64 {
        factor(self.round, self.size)
    }

    /// The way until any point touches; zero where one may do already.
    pub fn of_all(&self) -> f64 {
        let Self { gap, slope, least, far, .. } = *self;
        if !(least > 0.0) {
            return 0.0;
        }
        let m = self.factor();
        ((gap - slope * far).max(0.0) / (1.0 + slope * m * far / least)).min(least / m)
    }

    /// The way until a point of this gap touches.
    pub fn of_point(&self, gap: f64) -> f64 {
        let Self { slope, far, size, is_area, .. } = *self;
        let m = self.factor();
        let least = if is_area { self.least - SAGITTA * self.round } else { self.least };
        if !(least > 0.0) {
            return 0.0;
        }
        let ratio = far / least;
        let (most, per_way) = match is_area {
            true => (
                least / (32.0 * ratio * m),
                m * ratio * (1.0 + 10.0 * ratio * ratio) + 4.0 * ratio * far / size,
            ),
            false => (least / m, m * ratio),
        };
        (gap.max(0.0) / (1.0 + slope * per_way)).min(most).max(self.of_all())
    }
}

fn factor(round: f64, size: f64) -> f64 {
    if round > 0.0 { 2.0 + 4.0 * round / size } else { 1.0 }
}

/// The way until figures that are `apart` lie over each other.
pub(super) fn way_beside(apart: f64, round: f64, size: f64) -> f64 {
    (apart.max(0.0) / factor(round, size)).min(0.25 * size)
}

/// The greatest value of n·x over a figure.
fn support<const N: usize>(figure: &Figure<N>, n: [f64; 2]) -> f64 {
    let along = |x: &Point<N>| n[0] * x[0].value + n[1] * x[1].value;
    let most = |corners: &[Point<N>]| corners.iter().map(along).fold(f64::NEG_INFINITY, f64::max);
    match figure {
        Figure::Disc { centre, radius } => along(centre) + radius * n[0].hypot(n[1]),
        Figure::Polygon(corners) => most(corners),
        Figure::Segment(ends) => most(ends),
    }
}

/// Directions along which two figures may be apart: across their sides, and from middle to middle.
fn directions<const N: usize>(a: &Figure<N>, b: &Figure<N>) -> Vec<[f64; 2]> {
    let middle = |figure: &Figure<N>| {
        let [x, y] = [[1.0, 0.0], [0.0, 1.0]].map(|n| support(figure, n) - support(figure, [-n[0], -n[1]]));
        [0.5 * x, 0.5 * y]
    };
    let [one, other] = [a, b].map(middle);
    let mut all = vec![[other[0] - one[0], other[1] - one[1]]];
    for figure in [a, b] {
        let corners: &[Point<N>] = match figure {
            Figure::Disc { .. } => &[],
            Figure::Polygon(corners) => corners,
            Figure::Segment(ends) => ends,
        };
        for (p, q) in corners.iter().zip(corners.iter().cycle().skip(1)) {
            let [x, y] = [0, 1].map(|i| q[i].value - p[i].value);
            all.push([y, -x]);
            if corners.len() == 2 {
                all.push([x, y]);
            }
        }
    }
    all
}

/// A lower bound of the distance of two figures, negative where they overlap; of two segments, along the first
/// direction.
pub(super) fn apart<const N: usize>(a: &Figure<N>, b: &Figure<N>) -> f64 {
    let along = |n: [f64; 2]| {
        let length = n[0].hypot(n[1]);
        let n = n.map(|x| x / length);
        let beyond = |n: [f64; 2]| 0.0 - support(a, n) - support(b, n.map(|x| 0.0 - x));
        beyond(n).max(beyond(n.map(|x| 0.0 - x)))
    };
    if let (Figure::Segment(_), Figure::Segment(_)) = (a, b) {
        return along([1.0, 0.0]);
    }
    directions(a, b).into_iter().map(along).filter(|x| x.is_finite()).fold(f64::NEG_INFINITY, f64::max)
}

/// The distance from c to the farthest point that two figures may share.
pub(super) fn far<const N: usize>(a: &Figure<N>, b: &Figure<N>, centre: &Point<N>) -> f64 {
    let from = |x: &Point<N>| (x[0].value - centre[0].value).hypot(x[1].value - centre[1].value);
    let farthest = |corners: &[Point<N>]| corners.iter().map(from).fold(0.0, f64::max);
    let of = |figure: &Figure<N>| match figure {
        Figure::Disc { centre, radius } => from(centre) + radius,
        Figure::Polygon(corners) => farthest(corners),
        Figure::Segment(ends) => farthest(ends),
    };
    of(a).min(of(b))
}

/// The support function of a body, or that of the hull of a solid of slices.
fn support_of(shape: &Shape) -> Option<impl Fn(&Vec3) -> f64 + '_> {
    let surface = shape.surface();
    let (body, sliced) = (surface.as_support(), surface.as_sliced());
    let whole = sliced.map(|solid| (solid, solid.part(solid.range())));
    (body.is_some() || whole.is_some()).then_some(move |n: &Vec3| match (body, &whole) {
        (Some(body), _) => body.support(n),
        (None, Some((solid, whole))) => n.dot(&solid.farthest(whole, n)),
        (None, None) => f64::INFINITY,
    })
}

/// A lower bound of the distance of two bodies, the planes of their faces among them: the greatest along the normals of
/// faces that are turned to the other body, and from middle to middle.
pub(super) fn separation(a: &Collider, b: &Collider) -> f64 {
    let (Some(of_a), Some(of_b)) = (support_of(&a.shape), support_of(&b.shape)) else { return 0.0 };
    let outside = |shape: &Shape| match flat_spot::face_count(shape) {
        0 => 0.0,
        _ => LYING * shape.surface().bounds().extents().norm(),
    };
    let outside = outside(&a.shape) + outside(&b.shape);
    let arm = b.pose.position - a.pose.position;
    let along = |n: &Vec3| {
        let h = of_a(&a.pose.vector_to_local(n));
        let k = of_b(&b.pose.vector_to_local(&-n));
        n.dot(&arm) - h - k - outside
    };
    let mut most = arm.try_normalize(f64::MIN_POSITIVE).map_or(0.0, |n| along(&n)).max(0.0);
    for (body, sign) in [(a, 1.0), (b, -1.0)] {
        // The face whose plane the other body's middle is farthest beyond.
        let faces = faces::placed((&body.shape, &body.pose), &a.pose.position);
        let beyond = |normal: &Vec3, at: &Vec3| {
            let other = if sign > 0.0 { arm } else { Vec3::zeros() };
            normal.dot(&(other - at))
        };
        let best =
            faces.iter().max_by(|(_, n, at), (_, m, there)| beyond(n, at).total_cmp(&beyond(m, there)));
        most = best.map_or(most, |(_, normal, _)| most.max(along(&(normal * sign))));
    }
    most
}
