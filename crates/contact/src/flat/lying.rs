//! Two bodies that turn faces or sides to each other: the points that bear them and W (`mod.rs` has the equations).

use super::dual::{Dual, Frame, Vector};
use super::edge;
use super::faces::{self, Candidates, Facing, Outline, Place};
use super::outline::{self, Figure, Point, apart, overlap};
use super::{LYING, NARROW, OF_DISC, OF_POLYGON, TILTED, WIDE};
use crate::contact::Collider;
use crate::derivative::{Rates, Regularity};
use crate::kinematics::Twist;
use rattleback_geom::Vec3;
use rattleback_geom::surface::Shape;

/// The points and their weight.
#[derive(Debug)]
pub(super) struct Lying<const N: usize> {
    /// n.
    pub normal: Vector<N>,
    /// The points on A, their gaps, and the share of W that each has.
    points: Vec<(Vector<N>, Dual<N>)>,
    share: f64,
    /// W.
    pub weight: Dual<N>,
    /// Where W is zero: how far the bodies have to move at least before it is not.
    clearance: f64,
}

/// From zero at `from` to one at `to`.
fn ramp<const N: usize>(x: Dual<N>, from: f64, to: f64) -> Dual<N> {
    let width = to - from;
    let s = ((x.value - from) / width).clamp(0.0, 1.0);
    x.map(s * s * (3.0 - 2.0 * s), 6.0 * s * (1.0 - s) / width)
}

/// The ramp of the angle between faces, by the square of its sine.
pub(super) fn lies<const N: usize>(squared: Dual<N>) -> Dual<N> {
    ramp(Dual::constant(0.0) - squared, -TILTED * TILTED, -LYING * LYING)
}

/// The way that a point of either body goes at least while they turn until sin θ is [`TILTED`]: bodies hold a point
/// that is 0.5/√3 of the diagonal of their bounds away from their mass centre, and the turn is shared out.
pub(super) fn way_of_turn(sin: f64, size: f64) -> f64 {
    0.25 * size * (sin - TILTED).max(0.0)
}

/// That until an intersection is no longer too narrow for its depth: ρ and δ change by no more than the points move
/// against each other and, the faces being inclined by less than [`TILTED`] here, along each other.
fn way_of_width(depth: f64, least: f64) -> f64 {
    (NARROW * depth - least).max(0.0) / (2.0 * (NARROW + 1.0))
}

/// The frames of two bodies, from the origin of the first.
fn frames<'a, const N: usize>(
    a: &'a Collider,
    b: &'a Collider,
    [one, other]: [[Twist; N]; 2],
) -> [Frame<'a, N>; 2] {
    let from = a.pose.position;
    [Frame { pose: &a.pose, from, motions: one }, Frame { pose: &b.pose, from, motions: other }]
}

impl<const N: usize> Lying<N> {
    /// Of all faces and sides those that have a weight. No two pairs of them, 1 and 2, have one at once: what they share is
    /// no wider along the normal of the other pair than that is deep, 2ρ₁ ≤ δ₂ and 2ρ₂ ≤ δ₁, while a weight asks for
    /// ρ > 2δ. Where there are none, the likeliest while they are apart; else how far the bodies have to move at least
    /// before any has a weight.
    pub fn new(a: &Collider, b: &Collider, motions: [[Twist; N]; 2]) -> Result<Self, f64> {
        let Candidates { lying, likeliest, least_tilt, size } =
            faces::candidates([(&a.shape, &a.pose), (&b.shape, &b.pose)], TILTED);
        let (shapes, frames) = ([&a.shape, &b.shape], frames(a, b, motions));
        let mut clearance = way_of_turn(least_tilt, size);
        for places in lying {
            let Some(found) = Self::between(&frames, shapes, places, size) else { continue };
            if found.weight.value > 0.0 {
                return Ok(found);
            }
            clearance = clearance.min(found.clearance);
        }
        // Faces that turn to each other from behind, or beside each other's edges, overlap without bearing anything.
        let likeliest = likeliest.and_then(|places| Self::between(&frames, shapes, places, size));
        likeliest.filter(|found| !found.overlaps_in_vain()).ok_or(clearance)
    }

    /// Of all edges on faces the one that bears most, with what its weight is more than that of the next one; where there
    /// is none, how far the bodies have to move at least before one has a weight.
    pub fn on_edge(a: &Collider, b: &Collider, motions: [[Twist; N]; 2]) -> Result<Self, f64> {
        let shapes = [&a.shape, &b.shape];
        let size = faces::size(shapes);
        let edge::Candidates { bearing, mut clearance } =
            edge::candidates([(&a.shape, &a.pose), (&b.shape, &b.pose)], size);
        let frames = frames(a, b, motions);
        let (mut most, mut next): (Option<Self>, _) = (None, Dual::constant(0.0));
        for places in bearing {
            let Some(found) = Self::between(&frames, shapes, places, size) else { continue };
            let way = if found.weight.value > 0.0 { found.least_gap() } else { found.clearance };
            clearance = clearance.min(way.max(0.0));
            if most.as_ref().is_some_and(|most| most.weight.value >= found.weight.value) {
                next = next.max(found.weight);
            } else if let Some(before) = most.replace(found) {
                next = next.max(before.weight);
            }
        }
        match most {
            Some(found) if found.weight.value > next.value => {
                Ok(Self { weight: found.weight - next, ..found })
            }
            _ => Err(clearance),
        }
    }

    fn least_gap(&self) -> f64 {
        self.points.iter().map(|(_, gap)| gap.value).fold(f64::INFINITY, f64::min)
    }

    /// Whether points without a weight have an overlap.
    fn overlaps_in_vain(&self) -> bool {
        self.weight.value <= 0.0 && self.points.iter().any(|(_, gap)| gap.value < 0.0)
    }

    /// Those of two faces or sides.
    fn between(
        frames: &[Frame<'_, N>; 2],
        shapes: [&Shape; 2],
        places: [Place; 2],
        size: f64,
    ) -> Option<Self> {
        let face = |side: usize, place: usize| Facing::of_face(&frames[side], shapes[side], place);
        let line = |side: usize, towards: &Vector<N>| Facing::of_side(&frames[side], shapes[side], towards);
        let on_edge = |side: usize, i: usize, facing: &Facing<N>| {
            edge::facing(&frames[side], shapes[side], i, &(facing.normal * -1.0))
        };
        let mut bears = Dual::constant(1.0);
        let (one, other) = match places {
            [Place::Face(i), Place::Edge(k)] => {
                let one = face(0, i)?;
                let (other, factor) = on_edge(1, k, &one)?;
                bears = factor;
                (one, other)
            }
            [Place::Edge(i), Place::Face(k)] => {
                let other = face(1, k)?;
                let (one, factor) = on_edge(0, i, &other)?;
                bears = factor;
                (one, other)
            }
            // Edges bear on faces alone.
            [Place::Edge(_), _] | [_, Place::Edge(_)] => return None,
            [Place::Face(i), Place::Face(k)] => (face(0, i)?, face(1, k)?),
            [Place::Face(i), Place::Side] => {
                let one = face(0, i)?;
                let other = line(1, &(one.normal * -1.0))?;
                (one, other)
            }
            [Place::Side, Place::Face(k)] => {
                let other = face(1, k)?;
                (line(0, &(other.normal * -1.0))?, other)
            }
            [Place::Side, Place::Side] => {
                let n = faces::between(&frames[0], &frames[1])?;
                (line(0, &n)?, line(1, &(n * -1.0))?)
            }
        };
        let found = Self::of_faces(&one, &other, &frames[0].vector(&Vec3::x()), size);
        Some(Self { weight: found.weight * bears, ..found })
    }

    /// `aside` is a direction of A that is not along n.
    fn of_faces(one: &Facing<N>, other: &Facing<N>, aside: &Vector<N>, size: f64) -> Self {
        let middle = (one.normal - other.normal).normalized();
        let along = match (&one.outline, &other.outline) {
            (Outline::Corners(x), _) | (_, Outline::Corners(x)) => x[1] - x[0],
            (Outline::Ends(x), _) | (_, Outline::Ends(x)) => x[1] - x[0],
            _ => *aside,
        };
        let along = (along - middle.scaled(middle.dot(&along))).normalized();
        let across = middle.cross(&along);
        let seen = |x: &Vector<N>| -> Point<N> { [along.dot(x), across.dot(x)] };
        let figure = |facing: &Facing<N>| match &facing.outline {
            Outline::Circle(radius) => Figure::Disc { centre: seen(&facing.origin), radius: *radius },
            Outline::Corners(corners) => Figure::polygon(corners.iter().map(seen).collect()),
            Outline::Ends(ends) => Figure::Segment([seen(&ends[0]), seen(&ends[1])]),
        };
        let [first, second] = [figure(one), figure(other)];
        let kappa = middle.dot(&one.normal);
        let height = middle.dot(&one.origin);
        let at = |x: &Point<N>, normal: &Vector<N>, of_b: Dual<N>| {
            let x = along.scaled(x[0]) + across.scaled(x[1]) + middle.scaled(height);
            let [over, under] = [one, other].map(|facing| facing.normal.dot(&(x - facing.origin)));
            let (on_a, on_b) = (x - middle.scaled(over / kappa), x + middle.scaled(under / kappa));
            let gap = over + under;
            (on_a + (on_b - normal.scaled(gap) - on_a).scaled(of_b), gap)
        };
        let (shared, sin) = match (&one.outline, &other.outline) {
            (Outline::Ends(x), Outline::Ends(y)) => {
                let [x, y] = [x, y].map(|ends| (ends[1] - ends[0]).normalized());
                (outline::overlap_of_segments(&first, &second), x.cross(&y))
            }
            _ => (overlap(&first, &second), one.normal.cross(&other.normal)),
        };
        let zero = Dual::constant(0.0);
        let Some(shared) = shared else {
            // Beside each other: no nearer than their outlines, and without weight.
            let between = (one.origin + other.origin) * 0.5;
            let normal = middle;
            let (on_a, gap) = at(&seen(&between), &normal, Dual::constant(0.5));
            let beside = Dual::constant(apart(&first, &second).max(0.0));
            let points = vec![(on_a, gap + beside)];
            return Self { normal, points, share: 0.0, weight: zero, clearance: beside.value };
        };
        let tilt = one.normal + other.normal;
        let normal = (tilt.scaled(shared.of_b) - other.normal).normalized();
        let points: Vec<_> = shared.points.iter().map(|x| at(x, &normal, shared.of_b)).collect();
        let depth = points.iter().fold(zero, |deepest, (_, gap)| deepest.max(zero - *gap));
        let is_wide = !(depth.value * WIDE > shared.least.value);
        let wide = if is_wide { Dual::constant(1.0) } else { ramp(shared.least / depth, NARROW, WIDE) };
        let lying = lies(sin.dot(&sin));
        let share = match (&one.outline, &other.outline) {
            (Outline::Ends(_), _) | (_, Outline::Ends(_)) => 1.0,
            (Outline::Circle(_), _) | (_, Outline::Circle(_)) => OF_DISC,
            _ => OF_POLYGON,
        };
        let share = match one.is_spot || other.is_spot {
            true => 1.0 / points.len() as f64,
            false => share,
        };
        let narrow = way_of_width(depth.value, shared.least.value);
        let clearance = narrow.max(way_of_turn(sin.dot(&sin).value.sqrt(), size));
        Self { normal, points, share, weight: lying * wide, clearance }
    }

    /// A point by its place, and the share of W that it has: those beyond the last have none.
    pub fn point(&self, place: usize) -> (&(Vector<N>, Dual<N>), f64) {
        let is_one = (1..=self.points.len()).contains(&place);
        let k = place.saturating_sub(1) % self.points.len();
        (&self.points[k], if is_one { self.share } else { 0.0 })
    }

    /// The place of the deepest point.
    pub fn deepest(&self) -> usize {
        let gap = |k: usize| self.points[k].1.value;
        (1..self.points.len()).fold(0, |best, k| if gap(k) < gap(best) { k } else { best }) + 1
    }

    pub fn rates(&self, place: usize, motion: &[f64; N]) -> Rates {
        let ((on_a, gap), share) = self.point(place);
        let along = |x: &Dual<N>| x.by.iter().zip(motion).map(|(by, m)| by * m).sum::<f64>();
        let vector = |x: &Vector<N>| Vec3::from_fn(|i, _| along(&x.0[i]));
        let normal = vector(&self.normal);
        let (point_a, gap_rate) = (vector(on_a), along(gap));
        let point_b = point_a + self.normal.value() * gap_rate + normal * gap.value;
        let weight = share * along(&self.weight);
        let regularity = if self.share > 0.0 { Regularity::Smooth } else { Regularity::Seam };
        Rates { normal, point_a, point_b, weight, regularity, ..Rates::of_gap(gap_rate) }
    }
}
