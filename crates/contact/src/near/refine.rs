//! From two places to the common normal nearby: Newton's method with bounded steps.
//!
//! A step (`newton`) turns no normal by more than half a radian and goes no farther than a share of its body. One of
//! Newton's own must make the equations' residual |s| + |r|/ℓ smaller (ℓ the size of the smaller body) or is halved;
//! one that leads away from a saddle need not. Places go over the borders of charts. The end is where a step is lost in
//! rounding.

use super::frame::Frame;
use super::newton::{Step, step};
use super::osculation::{Osculation, walk};
use super::piece::Leaf;
use super::tree::ChartTree;
use super::{Kind, Near, Side};
use crate::error::{ContactError, Result};
use rattleback_geom::chart::{Atlas, Place};
use rattleback_geom::curvature::tangents;
use rattleback_geom::surface::Plane;
use rattleback_geom::{Pose, Vec2, Vec3};

/// Steps: five or six are the rule, touches of higher order take the more.
const MAX_STEPS: usize = 60;

/// Steps away from saddles.
const MAX_DETOURS: usize = 16;

/// Halvings of one step.
const MAX_HALVINGS: usize = 8;

/// The longest step as a share of a body's radius.
const LONGEST: f64 = 0.3;

/// The most that a step may turn a normal, in rad.
const MAX_TURN: f64 = 0.5;

/// A step below this share of the size is none: a few roundings of the points.
const EXACT: f64 = 4e-15;

/// From here on a step that is not half as long as the one before it is rounding.
const SMALL: f64 = 1e-8;

/// The residual, as a share of the size, with which an end is accepted. Ends are at 1e-14, but close to an
/// extraordinary vertex, where second derivatives do not converge.
const ACCEPTED: f64 = 1e-7;

/// The extremum of the gap near two places: a common normal of both surfaces. None where the way does not lead to one.
///
/// The place on a plane is not looked at. Two planes are refused.
pub fn refine(
    a: &Side<'_>,
    pose_a: &Pose,
    b: &Side<'_>,
    pose_b: &Pose,
    start: [Place; 2],
) -> Result<Option<Near>> {
    let pair = ChartPair::new(a, pose_a, b, pose_b)?;
    let start = if pair.swapped { [start[1], start[0]] } else { start };
    let first = Osculation::at(pair.atlas, &start[0])?;
    let second = pair.other.picture(&start[1], &first)?;
    Ok(pair.solve(start, [first, second], [f64::INFINITY; 2]).map(|found| pair.in_world(&found)))
}

/// Two surfaces, seen from the first one, which has charts.
#[derive(Debug, Clone, Copy)]
pub(super) struct ChartPair<'a> {
    pub tree: &'a ChartTree,
    pub atlas: &'a dyn Atlas,
    pub other: Other<'a>,
    /// The first surface in the world.
    world: Frame,
    /// Whether the pair is in the other order than it was asked for: a plane comes second.
    swapped: bool,
}

/// The second surface.
#[derive(Debug, Clone, Copy)]
pub(super) enum Other<'a> {
    Charted {
        tree: &'a ChartTree,
        atlas: &'a dyn Atlas,
        /// Its frame in that of the first one.
        frame: Frame,
    },
    Plane {
        plane: &'a Plane,
        /// The same.
        frame: Frame,
    },
}

/// A common normal in the first surface's frame, with what [`Near`] says of it.
pub(super) type CommonNormalInA = Near;

impl<'a> Other<'a> {
    /// The second surface at a place, in the first one's frame. A plane is taken through the first one's point: its
    /// distance matters neither to the way nor to the kind of its end.
    fn picture(&self, place: &Place, first: &Osculation) -> Result<Osculation> {
        match self {
            Self::Charted { atlas, frame, .. } => Ok(Osculation::at(*atlas, place)?.seen(frame)),
            Self::Plane { plane, frame } => Ok(Osculation::flat(first.p, frame.vector(plane.normal()))),
        }
    }
}

/// Where the way has come to.
#[derive(Debug, Clone, Copy)]
struct State {
    places: [Place; 2],
    pictures: [Osculation; 2],
    step: Step,
}

impl<'a> ChartPair<'a> {
    pub fn new(a: &Side<'a>, pose_a: &Pose, b: &Side<'a>, pose_b: &Pose) -> Result<Self> {
        let frame = Frame::between(pose_a, pose_b);
        let other = match (*a, *b) {
            (_, Side::Charted { tree, atlas }) => Other::Charted { tree, atlas, frame },
            (_, Side::Plane(plane)) => Other::Plane { plane, frame },
        };
        match (*a, *b) {
            (Side::Charted { tree, atlas }, _) => {
                Ok(Self { tree, atlas, other, world: Frame::of(pose_a), swapped: false })
            }
            (Side::Plane(_), Side::Charted { .. }) => {
                Ok(Self { swapped: true, ..Self::new(b, pose_b, a, pose_a)? })
            }
            (Side::Plane(_), Side::Plane(_)) => Err(ContactError::Unsupported {
                a: "plane",
                b: "plane",
                reason: "two planes have no nearest places",
            }),
        }
    }

    /// The sizes of both; a plane has none of its own.
    fn radii(&self) -> [f64; 2] {
        let own = self.tree.radius();
        match self.other {
            Other::Charted { tree, .. } => [own, tree.radius()],
            Other::Plane { .. } => [own; 2],
        }
    }

    /// The size to which tolerances refer.
    pub fn size(&self) -> f64 {
        let [a, b] = self.radii();
        a.min(b)
    }

    /// Where the way from two leaves begins: their centroids, with the pictures that they keep.
    pub fn start(&self, first: &Leaf, second: Option<&Leaf>) -> Option<([Place; 2], [Osculation; 2])> {
        let (a, p) = (first.place(), &first.picture);
        match (self.other, second) {
            (Other::Charted { frame, .. }, Some(leaf)) => {
                Some(([a, leaf.place()], [*p, leaf.picture.seen(&frame)]))
            }
            (other @ Other::Plane { .. }, _) => Some(([a, a], [*p, other.picture(&a, p).ok()?])),
            (Other::Charted { .. }, None) => None,
        }
    }

    /// From two places with their pictures to a common normal, in the first surface's frame. None where the points go
    /// farther than `roam` from where they began.
    pub fn solve(
        &self,
        places: [Place; 2],
        pictures: [Osculation; 2],
        roam: [f64; 2],
    ) -> Option<CommonNormalInA> {
        let size = self.size();
        let mut at = State { places, pictures, step: step(&pictures[0], &pictures[1])? };
        let (mut before, mut detours) = (f64::INFINITY, 0);
        for _ in 0..MAX_STEPS {
            let length = self.length(&at.step);
            let lost = before <= SMALL * size && length > 0.5 * before;
            if !(length > EXACT * size) || lost {
                break;
            }
            before = length;
            detours += usize::from(!at.step.plain);
            if detours > MAX_DETOURS {
                break;
            }
            match self.next(&at) {
                Some(next) => at = next,
                None => break,
            }
            if (0..2).any(|k| (at.pictures[k].p - pictures[k].p).norm() > roam[k]) {
                return None;
            }
        }
        let residual = at.step.offset + at.step.turn * size;
        (residual <= ACCEPTED * size).then(|| self.found(&at, residual))
    }

    fn length(&self, step: &Step) -> f64 {
        let b = match self.other {
            Other::Charted { .. } => step.b.norm(),
            Other::Plane { .. } => 0.0,
        };
        step.a.norm().max(b)
    }

    /// The state after a step that is short enough; none where no share of it does any good.
    fn next(&self, at: &State) -> Option<State> {
        let radii = self.radii();
        let limit = |k: usize, a: &Vec2| {
            // Along a thin ring a normal turns slowly, across it fast: what counts is the turn of this step.
            (LONGEST * radii[k] / a.norm()).min(MAX_TURN / at.pictures[k].turn(a))
        };
        let limit_b = match self.other {
            Other::Charted { .. } => limit(1, &at.step.b),
            Other::Plane { .. } => 1.0,
        };
        let mut share = limit(0, &at.step.a).min(limit_b).min(1.0);
        let merit = |s: &Step| s.turn + s.offset / self.size();
        for _ in 0..MAX_HALVINGS {
            // Where a chart has no derivatives a shorter step ends beside that place.
            if let Some(next) = self.moved(at, share) {
                let (now, then) = (merit(&at.step), merit(&next.step));
                if !at.step.plain || then < now || then <= EXACT {
                    return Some(next);
                }
            }
            share *= 0.5;
        }
        None
    }

    fn moved(&self, at: &State, share: f64) -> Option<State> {
        let a = walk(self.atlas, &at.places[0], &at.pictures[0], &(at.step.a * share)).ok()?;
        let b = match self.other {
            Other::Charted { atlas, frame, .. } => {
                walk(atlas, &at.places[1], &at.pictures[1].turned_back(&frame), &(at.step.b * share)).ok()?
            }
            Other::Plane { .. } => at.places[1],
        };
        let first = Osculation::at(self.atlas, &a).ok()?;
        let second = self.other.picture(&b, &first).ok()?;
        let step = step(&first, &second)?;
        Some(State { places: [a, b], pictures: [first, second], step })
    }

    fn found(&self, at: &State, residual: f64) -> CommonNormalInA {
        let [a, b] = &at.pictures;
        let (mut points, mut places) = ([a.p, b.p], at.places);
        if let Other::Plane { plane, frame } = self.other {
            let below = b.n * (b.n.dot(&a.p) - b.n.dot(&frame.point(&Vec3::zeros())) - plane.offset());
            points[1] = a.p - below;
            let (t, u) = tangents(plane.normal());
            let foot = frame.point_back(&points[1]);
            places[1] = Place { chart: 0, u: t.dot(&foot), v: u.dot(&foot) };
        }
        // Faces that meet at the back of their normals are no common normal.
        let opposite = a.n.dot(&b.n) < 0.0;
        let kind = if opposite { at.step.kind() } else { Kind::Saddle };
        Near { places, points, normal: a.n, gap: a.n.dot(&(points[1] - points[0])), kind, residual }
    }

    /// What was found, in the world and in the order in which it was asked for.
    pub fn in_world(&self, found: &CommonNormalInA) -> Near {
        let [p, q] = found.points.map(|p| self.world.point(&p));
        let normal = self.world.vector(&found.normal);
        let [a, b] = found.places;
        if self.swapped {
            return Near { points: [q, p], places: [b, a], normal: -normal, ..*found };
        }
        Near { points: [p, q], normal, ..*found }
    }
}
