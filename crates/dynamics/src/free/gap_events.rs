//! The gaps of the pairs that are near, watched along a segment: where one passes its level, a contact begins or ends.
//!
//! A pair that is apart has g > 0, one in contact has g < 0; then the level is zero. A segment may also begin with a
//! pair on the wrong side of zero or exactly on it: bodies that are placed so that they touch, and pairs at or just
//! beyond their event, where the state is that of the step made again and g is zero but for the tolerance of the
//! integrator. Such a pair has the level
//!
//!   apart, g₀ ≤ 0:  g₀ − s,   in contact, g₀ ≥ 0:  g₀ + s,   s = [`SLOP`] L + [`ROUNDING`] ε X
//!
//! with L the size of the smaller part and X the greatest coordinate: it begins with a sign, whatever its gap, and its
//! event comes when it has gone deeper in, or farther out, than it was, by more than rounding. So a pair that touches
//! exactly and is at rest, approaches, or is pushed together by what comes later is in contact from a depth of s on, in
//! which no force is worth mentioning; one that separates is not; and none passes through because its gap had no sign
//! or the wrong one. Between beginning and end lies a way of s at least: no instant sees both without end.
//!
//! Which pairs are asked, and how often. In a step of h no point of a body goes farther than its reach r = V h, where V
//! bounds the speed of its points: the greatest ∣v∣ + ∣ω∣R at the samples of the step, and half of what it changes from
//! one to the next. The broad phase lists the pairs whose boxes, grown by the reaches, share a point
//! (`contact_set/near.rs`). A gap changes by no more than L = r_A + r_B in a step, hence has no zero in it if ∣g₀∣ > L,
//! or if g₀ and g₁ have one sign and ∣g₀ + g₁∣ > L; only the others are sampled. Points that move on their bodies may
//! be faster: of such a one that is apart the least way to its zero (`ContactQuery::least_way`) stands for g. A pair
//! in contact and one that is nearly so cost one query per step, those far apart none for many steps.

use super::layout::Layout;
use crate::body::Motion;
use crate::contact_set::{LastNormal, MotionBound, NearPairs, Parts, width as width_of};
use crate::error::Result;
use crate::integrator::{
    Direction, Probe, SAMPLES, Scanner, Stepper, Tracker, earliest, is_same, just_after,
};
use crate::model::{BodyId, BodyModel, Mobility, Model, PairId, PartId, PartPair};
use crate::state::State;
use rattleback_contact::Touch;
use rattleback_geom::Vec3;
use std::cell::RefCell;

/// A depth that counts as touching, as a share of the size of the smaller part: to this share the narrow phase
/// certifies gaps.
const SLOP: f64 = 1e-12;
/// The rounding of a gap, as a multiple of ε on the scale of the coordinates: those of two poses, of their rotations
/// and of the difference of two points.
const ROUNDING: f64 = 16.0;

/// Parts of the way between two samples per width of a body in the way of a whole step: the ways are a third of the
/// step and less, and a body that goes no farther than its width from sample to sample does not lead past another
/// unseen.
const SHARE: f64 = 0.5;
/// Parts at most: more than a body's width apart are samples only of a step that leads eight thousand widths away.
const MAX_PARTS: f64 = 4096.0;

/// A depth that counts as touching, in m.
pub fn slop(model: &Model, pair: &PartPair, contacts: &Parts) -> f64 {
    let of = |PartId { body, index: part }: PartId| {
        let extents = model.bodies()[body.0].parts[part].shape.surface().bounds().extents();
        if extents.iter().all(|x| x.is_finite()) { extents.max() } else { f64::INFINITY }
    };
    let size = of(pair.a).min(of(pair.b));
    let size = if size.is_finite() { size } else { 0.0 };
    // What is the same distance away on both sides says nothing of a half-space, whose origin may be anywhere.
    let reach = |part: PartId| contacts.collider(part).pose.position.amax();
    SLOP * size + ROUNDING * f64::EPSILON * (reach(pair.a).max(reach(pair.b)) + size)
}

/// The pairs that are near along a segment.
pub struct GapEvents<'a> {
    model: &'a Model,
    layout: &'a Layout,
    near: &'a mut NearPairs,
    /// The parts where the last gap was asked for.
    parts: Parts,
    /// Where the bodies were at the beginning of the step.
    motions: Vec<Motion>,
    /// Per body: a radius about the mass centre that holds its parts, in m, and how far it may move in the present
    /// step.
    radii: Vec<f64>,
    motion_bounds: Vec<MotionBound>,
    watched: Vec<GapEvent>,
    scratch: Vec<GapEvent>,
    sample: Vec<f64>,
    at_end: Vec<f64>,
    probe: Probe,
    /// What the state remembers: the normals at the beginning of the segment, and the contacts.
    memory: Vec<(PairId, Option<Vec3>, bool)>,
}

/// One of them.
#[derive(Debug, Clone)]
struct GapEvent {
    gap: PairGap,
    tracker: Tracker,
    /// The last gap that is known, beyond the level: that at the beginning of the step but for `strayed`, by which it
    /// may have changed since, in m; none where it has to be asked for.
    known: Option<Known>,
    strayed: f64,
    /// Whether the present step may hold a zero.
    sampled: bool,
    /// The zero found since the last sample.
    found: Option<f64>,
}

/// A gap beyond its level, and the way at least to its zero.
#[derive(Debug, Clone, Copy)]
struct Known {
    gap: f64,
    way: f64,
}

/// The gap of a pair.
#[derive(Debug, Clone, Copy)]
struct PairGap {
    pair: PartPair,
    /// The normal from which the next query starts.
    normal: LastNormal,
    /// The gap at which its event is.
    level: f64,
}

impl<'a> GapEvents<'a> {
    /// Watches the pairs of a model from a state on.
    pub fn new(model: &'a Model, state: &State, layout: &'a Layout, near: &'a mut NearPairs) -> Self {
        let memory = state.pairs.iter().map(|(&id, memory)| (id, memory.normal, memory.contact.is_some()));
        let dimension = layout.dimension();
        Self {
            model,
            layout,
            near,
            parts: Parts::new(model, &state.motions),
            motions: state.motions.clone(),
            radii: model.bodies().iter().map(BodyModel::radius).collect(),
            motion_bounds: vec![MotionBound::default(); model.bodies().len()],
            watched: Vec::new(),
            scratch: Vec::new(),
            sample: vec![0.0; dimension],
            at_end: vec![0.0; dimension],
            probe: Probe::new(dimension),
            memory: memory.collect(),
        }
    }

    /// The pairs whose events ended the segment.
    pub fn fired(&self) -> Vec<PartPair> {
        self.watched
            .iter()
            .filter(|watched| watched.tracker.fired())
            .map(|watched| watched.gap.pair)
            .collect()
    }

    /// Writes the last normals into a state, for the next segment's warm starts, and takes out of it what is not near
    /// any more. The `parts` are where the state has them.
    pub fn remember(&self, state: &mut State, parts: &Parts) {
        let is_watched =
            |id: &PairId| self.watched.binary_search_by_key(id, |watched| watched.gap.pair.id()).is_ok();
        let ended_pairs = &mut state.ended_pairs;
        state.pairs.retain(|id, memory| {
            let kept = memory.contact.is_some() || is_watched(id);
            if !kept {
                *ended_pairs += memory.ledger;
            }
            kept
        });
        for watched in &self.watched {
            state.pairs.entry(watched.gap.pair.id()).normal = watched.gap.normal.at(parts, &watched.gap.pair);
        }
    }

    /// Sets the reach of every body in the step, from the speeds at its samples.
    fn measure(&mut self, stepper: &dyn Stepper) {
        let (begin, end) = (stepper.previous_time(), stepper.time());
        let h = (end - begin).abs();
        let Self { model, layout, sample, radii, motion_bounds, motions, .. } = self;
        motion_bounds.fill(MotionBound::default());
        for fraction in std::iter::once(0.0).chain(SAMPLES) {
            let t = if fraction == 1.0 { end } else { begin + fraction * (end - begin) };
            stepper.interpolate(t, sample);
            for &body in &layout.moved {
                let Some(now) = motion(model, layout, body, t, sample) else { continue };
                let (last, radius, reach) = (&motions[body.0], radii[body.0], &mut motion_bounds[body.0]);
                let mut widest = MotionBound::of(&now, radius, h);
                if fraction > 0.0 {
                    let change = Motion {
                        velocity: (now.velocity - last.velocity) * 0.5,
                        angular_velocity_body: (now.angular_velocity_body - last.angular_velocity_body) * 0.5,
                        ..now
                    };
                    let more = MotionBound::of(&change, radius, h);
                    widest = MotionBound { way: widest.way + more.way, turn: widest.turn + more.turn };
                }
                *reach = MotionBound { way: reach.way.max(widest.way), turn: reach.turn.max(widest.turn) };
                motions[body.0] = now;
            }
        }
        // Back to the beginning, where the boxes are grown.
        stepper.interpolate(begin, sample);
        for &body in &layout.moved {
            if let Some(now) = motion(model, layout, body, begin, sample) {
                motions[body.0] = now;
                self.parts.place(model, body, &now);
            }
        }
    }

    /// Brings the list up to date: those that were watched go on, new ones begin.
    fn renew(&mut self, begin: f64, starts_segment: bool) -> Result<()> {
        let motion_bounds = &self.motion_bounds;
        let (near, _) = self.near.find(self.model, &self.parts, |body| motion_bounds[body.0])?;
        std::mem::swap(&mut self.watched, &mut self.scratch);
        self.watched.clear();
        let mut before = self.scratch.drain(..).peekable();
        for pair in near {
            let id = pair.id();
            while before.next_if(|old| old.gap.pair.id() < id).is_some() {}
            if let Some(old) = before.next_if(|old| old.gap.pair.id() == id) {
                self.watched.push(old);
                continue;
            }
            let known = self.memory.binary_search_by_key(&id, |known| known.0).ok().map(|at| self.memory[at]);
            let (normal, touching) = known.map_or((None, false), |(_, normal, touching)| (normal, touching));
            let touch = self.parts.touch(pair, normal)?;
            let level = match touching {
                // One that comes near later is apart: only at the start of a segment may a gap lie on the wrong side.
                false if touch.gap <= 0.0 && starts_segment => {
                    touch.gap - slop(self.model, pair, &self.parts)
                }
                true if touch.gap >= 0.0 => touch.gap + slop(self.model, pair, &self.parts),
                _ => 0.0,
            };
            let mut tracker = Tracker::new(if touching { Direction::Rising } else { Direction::Falling });
            let known = Known::new(&self.parts, pair, &touch, level);
            tracker.begin(begin, known.gap);
            self.watched.push(GapEvent {
                gap: PairGap {
                    pair: *pair,
                    normal: LastNormal::new(&self.parts, pair, Some(touch.normal)),
                    level,
                },
                tracker,
                known: Some(known),
                strayed: 0.0,
                sampled: false,
                found: None,
            });
        }
        Ok(())
    }
}

fn motion(model: &Model, layout: &Layout, body: BodyId, t: f64, y: &[f64]) -> Option<Motion> {
    match (&model.bodies()[body.0].mobility, layout.place[body.0]) {
        (_, Some(k)) => Some(layout.motion(y, k)),
        (Mobility::Prescribed(prescribed), _) => Some(prescribed.at(t).motion),
        _ => None,
    }
}

/// What a gap is asked of.
struct GapQuery<'a, 'p> {
    model: &'a Model,
    layout: &'a Layout,
    parts: &'p mut Parts,
}

impl GapQuery<'_, '_> {
    /// A bound on the change of a gap in the step. Points of a part without bounds that turns go the farther the
    /// farther they are, but those that another body can meet are no farther than that body.
    fn max_change(
        &self,
        pair: &PartPair,
        motions: &[Motion],
        radii: &[f64],
        motion_bounds: &[MotionBound],
    ) -> f64 {
        let mut max_change = 0.0;
        for (own, other) in [(pair.a, pair.b), (pair.b, pair.a)] {
            let MotionBound { way, turn } = motion_bounds[own.body.0];
            max_change += way;
            let shape = &self.parts.collider(own).shape;
            if turn > 0.0 && !shape.surface().bounds().is_bounded() {
                let [from, to] = [own, other].map(|part| motions[part.body.0].pose.position);
                max_change +=
                    turn * ((to - from).norm() + radii[other.body.0] + motion_bounds[other.body.0].way);
            }
        }
        max_change
    }

    /// The gap of a pair beyond its level at a time.
    fn gap(&mut self, t: f64, y: &[f64], watched: &mut PairGap) -> Result<f64> {
        Ok(self.touch(t, y, watched)?.gap - watched.level)
    }

    /// The same with the way to its zero.
    fn known(&mut self, t: f64, y: &[f64], watched: &mut PairGap) -> Result<Known> {
        let touch = self.touch(t, y, watched)?;
        Ok(Known::new(self.parts, &watched.pair, &touch, watched.level))
    }

    fn touch(&mut self, t: f64, y: &[f64], watched: &mut PairGap) -> Result<Touch> {
        for body in [watched.pair.a.body, watched.pair.b.body] {
            if let Some(motion) = motion(self.model, self.layout, body, t, y) {
                self.parts.place(self.model, body, &motion);
            }
        }
        let touch = self.parts.touch(&watched.pair, watched.normal.at(self.parts, &watched.pair))?;
        watched.normal.set(self.parts, &watched.pair, touch.normal);
        Ok(touch)
    }
}

impl Known {
    fn new(parts: &Parts, pair: &PartPair, touch: &Touch, level: f64) -> Self {
        let gap = touch.gap - level;
        // A level is off zero by no more than rounding, and on the far side of it.
        let is_apart = touch.gap > 0.0 && gap > 0.0;
        Self { gap, way: if is_apart { parts.least_way(pair, touch) } else { gap.abs() } }
    }
}

impl GapEvent {
    /// Whether the gap may pass zero in a step in which it changes by no more than `max_change` metres.
    fn may_pass(
        &mut self,
        max_change: f64,
        query: &mut GapQuery<'_, '_>,
        ends: [(f64, &[f64]); 2],
    ) -> Result<bool> {
        self.found = None;
        let [(begin, at_begin), (end, at_end)] = ends;
        if self.known.is_some_and(|known| known.way - self.strayed > max_change) {
            self.strayed += max_change;
            return Ok(false);
        }
        let first = match self.known {
            Some(known) if self.strayed == 0.0 => known,
            _ => {
                let known = query.known(begin, at_begin, &mut self.gap)?;
                self.tracker.begin(begin, known.gap);
                (self.known, self.strayed) = (Some(known), 0.0);
                known
            }
        };
        if first.way > max_change {
            self.strayed = max_change;
            return Ok(false);
        }
        let last = query.known(end, at_end, &mut self.gap)?;
        if first.gap * last.gap > 0.0 && first.way + last.way > max_change {
            self.tracker.begin(end, last.gap);
            self.known = Some(last);
            return Ok(false);
        }
        Ok(true)
    }
}

impl Scanner for &RefCell<GapEvents<'_>> {
    fn begin(&mut self, _t: f64, _y: &[f64]) -> Result<()> {
        self.borrow_mut().watched.clear();
        Ok(())
    }

    fn first(&mut self, stepper: &dyn Stepper, starts_segment: bool) -> Result<Option<(usize, f64)>> {
        let gap_events = &mut *self.borrow_mut();
        if gap_events.near.is_empty() {
            return Ok(None);
        }
        let (begin, end) = (stepper.previous_time(), stepper.time());
        let width = gap_events.probe.start_step(begin, end);
        gap_events.measure(stepper);
        gap_events.renew(begin, starts_segment)?;
        let GapEvents {
            model,
            layout,
            parts,
            watched,
            sample,
            at_end,
            probe,
            motions,
            radii,
            motion_bounds,
            ..
        } = gap_events;
        let mut query = GapQuery { model, layout, parts };
        stepper.interpolate(begin, sample);
        stepper.interpolate(end, at_end);
        let mut ways = 0.0f64;
        for watched in watched.iter_mut() {
            let max_change = query.max_change(&watched.gap.pair, motions, radii, motion_bounds);
            let ends = [(begin, &sample[..]), (end, &at_end[..])];
            watched.sampled = watched.may_pass(max_change, &mut query, ends)?;
            if watched.sampled {
                ways = ways.max(max_change / width_of(query.parts, &watched.gap.pair));
            }
        }
        if !watched.iter().any(|watched| watched.sampled) {
            return Ok(None);
        }
        let parts_between = (SHARE * ways).ceil().clamp(1.0, MAX_PARTS);
        watched.iter_mut().filter(|watched| watched.sampled).for_each(|w| w.tracker.start_step(begin));
        if starts_segment {
            let t = just_after(begin, end, width);
            stepper.interpolate(t, sample);
            for GapEvent { gap, tracker, .. } in watched.iter_mut().filter(|w| w.sampled) {
                if tracker.latest().is_none() {
                    let mut function = |t: f64, y: &[f64]| query.gap(t, y, gap);
                    tracker.examine(&mut function, stepper, (t, sample), probe)?;
                }
            }
        }
        for fraction in fractions(parts_between) {
            let t = if fraction == 1.0 { end } else { begin + fraction * (end - begin) };
            stepper.interpolate(t, sample);
            for GapEvent { gap, tracker, found, .. } in watched.iter_mut().filter(|w| w.sampled) {
                let mut function = |t: f64, y: &[f64]| query.gap(t, y, gap);
                *found = tracker.examine(&mut function, stepper, (t, sample), probe)?;
            }
            if let Some(time) = earliest(watched.iter().filter_map(|watched| watched.found), begin) {
                return Ok(Some((fire(watched, time, width), time)));
            }
        }
        for watched in watched.iter_mut().filter(|watched| watched.sampled) {
            watched.known = match watched.tracker.latest().filter(|sample| sample.0 == end) {
                Some((_, gap)) if gap < 0.0 || watched.gap.pair.feature.is_none() => {
                    Some(Known { gap, way: gap.abs() })
                }
                Some(_) => Some(query.known(end, at_end, &mut watched.gap)?),
                None => None,
            };
            watched.strayed = 0.0;
        }
        Ok(None)
    }
}

/// The samples of a step, each way between two of them in so many equal parts.
fn fractions(parts: f64) -> impl Iterator<Item = f64> {
    let mut last = 0.0;
    SAMPLES.into_iter().flat_map(move |next| {
        let first = std::mem::replace(&mut last, next);
        (1..=parts as usize).map(move |k| {
            let share = k as f64 / parts;
            if share == 1.0 { next } else { first + share * (next - first) }
        })
    })
}

/// Marks all whose zeros are the one at `time`, and returns the first of them.
fn fire(watched: &mut [GapEvent], time: f64, width: f64) -> usize {
    let mut least = None;
    for (i, watched) in watched.iter_mut().enumerate() {
        if watched.found.is_some_and(|found| is_same(found, time, width)) {
            watched.tracker.fire(time);
            least = least.or(Some(i));
        }
    }
    least.unwrap_or(0)
}
