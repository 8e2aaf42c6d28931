//! Two bodies that turn faces or sides to each other: the points that bear them and W (`mod.rs` has the equations).

use super::clearance::{Shared, apart, far, way_beside, way_of_turn};
use super::dual::{Dual, Frame, Vector};
use super::edge;
use super::faces::{self, Candidates, Facing, Outline, Place};
use super::outline::{self, Figure, POINTS, Point, overlap};
use super::{HELD, LYING, NARROW, OF_DISC, OF_POLYGON, TILTED, WIDE};
use crate::contact::Collider;
use crate::derivative::{Rates, Regularity};
use crate::kinematics::Twist;
use rattleback_geom::Vec3;
use rattleback_geom::surface::Shape;
use std::f64::consts::FRAC_1_SQRT_2;

/// cos π/8.
const WITHIN_EIGHT: f64 = 0.923_879_532_511_286_7;

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
    /// How far the bodies have to move at least before one of the points bears.
    clearance: f64,
    /// The same before a point of other faces, sides or edges does.
    of_others: f64,
    /// What the bodies share there.
    shared: Option<Shared>,
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
    /// Of all faces and sides those that have a weight. No two pairs of them, 1 and 2, have one at once: what they
    /// share is no wider along the normal of the other pair than that is deep, 2ρ₁ ≤ δ₂ and 2ρ₂ ≤ δ₁, while a weight
    /// asks for ρ > 2δ. Where there are none, how far the bodies have to move at least before any has a weight.
    pub fn new(a: &Collider, b: &Collider, motions: [[Twist; N]; 2]) -> Result<Self, f64> {
        let Candidates { lying, least_tilt, size } =
            faces::candidates([(&a.shape, &a.pose), (&b.shape, &b.pose)], TILTED);
        let (shapes, frames) = ([&a.shape, &b.shape], frames(a, b, motions));
        let mut of_others = way_of_turn(least_tilt, size);
        let mut bears: Option<Self> = None;
        for places in lying {
            match Self::between(&frames, shapes, places, size) {
                Some(found) if found.weight.value > 0.0 && bears.is_none() => bears = Some(found),
                Some(found) => of_others = of_others.min(found.clearance),
                // They have no direction here, and may have any the next instant.
                None => of_others = 0.0,
            }
        }
        bears.map(|found| Self { of_others, ..found }).ok_or(of_others)
    }

    /// Of all edges on faces the one that bears most, with what its weight is more than that of the next one; where
    /// there is none, how far the bodies have to move at least before one has a weight.
    pub fn on_edge(a: &Collider, b: &Collider, motions: [[Twist; N]; 2]) -> Result<Self, f64> {
        let shapes = [&a.shape, &b.shape];
        let size = faces::size(shapes);
        let edge::Candidates { bearing, clearance } =
            edge::candidates([(&a.shape, &a.pose), (&b.shape, &b.pose)], size);
        let frames = frames(a, b, motions);
        let mut of_others = clearance;
        let (mut most, mut next): (Option<Self>, _) = (None, Dual::constant(0.0));
        for places in bearing {
            let Some(found) = Self::between(&frames, shapes, places, size) else {
                of_others = 0.0;
                continue;
            };
            let less = match most.take() {
                Some(before) if before.weight.value >= found.weight.value => {
                    most = Some(before);
                    Some(found)
                }
                before => {
                    most = Some(found);
                    before
                }
            };
            if let Some(less) = less {
                next = next.max(less.weight);
                of_others = of_others.min(less.clearance);
            }
        }
        match most {
            Some(found) if found.weight.value > next.value => {
                Ok(Self { weight: found.weight - next, of_others, ..found })
            }
            Some(found) => Err(of_others.min(found.clearance)),
            None => Err(of_others),
        }
    }

    /// How far the bodies have to move at least before a point that is apart touches, or any other takes its place.
    pub fn least_way(&self, place: usize) -> f64 {
        let gap = self.point(place).0.1.value;
        let own = self.shared.map_or(0.0, |shared| shared.of_point(gap));
        own.min(self.of_others)
    }

    /// Whether a point overlaps.
    pub fn overlaps(&self) -> bool {
        self.points.iter().any(|(_, gap)| gap.value < 0.0)
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
        let tilt = one.normal + other.normal;
        let round = one.round.max(other.round);
        let turn = way_of_turn(sin.dot(&sin).value.sqrt(), size);
        let Some(shared) = shared else {
            // Beside each other: without weight.
            let (on_a, gap) = at(&seen(&((one.origin + other.origin) * 0.5)), &middle, Dual::constant(0.5));
            let clearance = way_beside(apart(&first, &second), round, size).max(turn);
            let points = vec![(on_a, gap)];
            let none = Self {
                normal: middle,
                points,
                share: 0.0,
                weight: zero,
                clearance,
                of_others: 0.0,
                shared: None,
            };
            return none;
        };
        let normal = (tilt.scaled(shared.of_b) - other.normal).normalized();
        let points: Vec<_> = shared.points.iter().map(|x| at(x, &normal, shared.of_b)).collect();
        let depth = points.iter().fold(zero, |deepest, (_, gap)| deepest.max(zero - *gap));
        let is_wide = !(depth.value * WIDE > shared.least.value);
        let wide = if is_wide { Dual::constant(1.0) } else { ramp(shared.least / depth, NARROW, WIDE) };
        let are_spots = one.is_spot && other.is_spot;
        let held = if are_spots { ramp(shared.held, 0.0, HELD) } else { Dual::constant(1.0) };
        let lying = lies(sin.dot(&sin)) * held;
        let share = match (&one.outline, &other.outline) {
            (Outline::Ends(_), _) | (_, Outline::Ends(_)) => 1.0,
            (Outline::Circle(_), _) | (_, Outline::Circle(_)) => OF_DISC,
            _ => OF_POLYGON,
        };
        let share = match one.is_spot || other.is_spot {
            true => 1.0 / points.len() as f64,
            false => share,
        };
        let is_area = points.len() == POINTS;
        let (_, gap) = at(&shared.centre, &normal, shared.of_b);
        let shared = Shared {
            gap: gap.value,
            slope: tilt.value().norm(),
            // The disc within eight points around c, or within the ends of a line and the outline beside it.
            least: shared.least.value * if is_area { WITHIN_EIGHT } else { FRAC_1_SQRT_2 },
            far: far(&first, &second, &shared.centre),
            round,
            size,
            is_area,
        };
        let clearance = turn.max(shared.of_all());
        Self { normal, points, share, weight: lying * wide, clearance, of_others: 0.0, shared: Some(shared) }
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
