//! The contacts of a mechanism: what they exert within a step, and what they remember after it.
//!
//! A step from t₀ to t₁ = t₀ + h is made with the memory of t₀ and with the pairs that can touch before t₁: the broad
//! phase grows the boxes by twice the way that bodies go in h at their velocities, and of the pairs that it lists those
//! count whose gap can close on that way. A pair that overlaps at a trial end of the step and did not at its beginning
//! begins with the approach speed at the touch, found between t₀ and the end of the step as velocities and
//! accelerations at t₀ predict it (`contact_set/begin.rs`). When the step is accepted, contacts begin, go on or end by
//! the gaps at t₁, and the ledger is booked by the trapezoidal rule with the powers at both ends.
//!
//! Pairs that press in several regions (`contact_set/regions.rs`) are looked at once, where velocities and
//! accelerations at t₀ predict their bodies to be at t₁: their regions are held for the step, so that what is solved
//! for is smooth. The prediction, with the angular accelerations too, errs by h³ where forces are smooth, so that
//! depths at t₁ do by that times what the region changes, and a region that closes within the step is there from its
//! start; regions of t₀ would be late by a step. Where nothing is found ahead of a pair in contact, its regions are
//! those of t₀. Thin bodies are looked at on the way (`passage.rs`). At the next step they are found anew; their work
//! is booked by the forces that the accelerations at both ends have (`region_force.rs`). Their derivatives are the
//! symmetric part alone, which keeps the matrix of a long chain fit for Cholesky's method; the iteration takes one or
//! two rounds more where a region slides.
//!
//! A bristle z moves with the slip of the end of the step, z = z₀ + h ż(z₀, v₁, N₁), so that sticking is implicit:
//!
//!   df = f_v dv + f_N dN + f_z dz,   dz = h (ż_v dv + ż_N dN)
//!
//! which `Parts::tangent` knows. What the rotating tangent plane adds to dz is left out of the derivative. What
//! friction with a bristle takes is booked as the work of the rule, ½(f₀ + f₁)·½h(s₀ + s₁), less what the bristle
//! stores: the powers at both ends say little of a bristle that turns around within a step. Points whose weights change
//! store no potential of their force: ΔS − ∫F δ̇ dt is booked as `stiffness_change`, as in every engine.

use super::passage;
use super::region_force::RegionForce;
use super::trial_contact::{ContactSource, StepContact, TrialContact, WorkSample, taken};
use crate::body::Motion;
use crate::contact_set::{
    ActiveContact, MotionBound, NearPairs, PairState, Parts, RegionContact, RegionPair, region_point,
    touch_between,
};
use crate::error::Result;
use crate::load::Load;
use crate::model::{BodyId, BodyModel, Mobility, Model, PairId, PartPair};
use crate::state::State;
use rattleback_contact::law::ContactState;
use rattleback_contact::region::FrozenRegion;
use rattleback_contact::{Powers, Touch};
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::surface::Shape;
use rattleback_geom::{Pose, Vec3};

/// By how much farther than at their velocities bodies may go in a step: what accelerates them more than that makes the
/// step too long for its contacts anyway.
const AHEAD: f64 = 2.0;

/// The pairs that may touch, as they are at the beginning of a step.
#[derive(Debug, Clone)]
pub(super) struct StepContacts {
    near: NearPairs,
    /// Those with regions, all of them.
    region_pairs: Vec<RegionPair>,
    contacts: Parts,
    /// The parts where they are predicted to be at the end of the step.
    ahead: Parts,
    /// Those of pairs that may pass through each other, somewhere on the way.
    between: Parts,
    radii: Vec<f64>,
    step_contacts: Vec<StepContact>,
    /// The pairs of one contact that are near, and the normals from which they are asked at the end of the step.
    normals: Vec<(PairId, Vec3)>,
    /// The contacts at the end of the last step, in declared order.
    active_contacts: Vec<(PairId, ActiveContact)>,
    /// The pairs whose regions are not those of the potential that they had, in declared order.
    changed: Vec<PairId>,
    /// Where the bodies were at the beginning of the step, where any may be pressed in regions.
    start: Vec<Pose>,
    h: f64,
}

/// The accelerations of mass centres and the angular ones, in world axes, at the beginning of a step; none where they
/// are not known.
pub(super) type Accelerations<'a> = dyn Fn(BodyId) -> [Vec3; 2] + 'a;

/// Where a body is predicted to be after `h` seconds.
fn ahead(model: &Model, state: &State, body: BodyId, h: f64, accelerations: &Accelerations<'_>) -> Motion {
    let motion = &state.motions[body.0];
    match &model.bodies()[body.0].mobility {
        Mobility::Fixed => *motion,
        Mobility::Prescribed(prescribed) => prescribed.at(state.time + h).motion,
        Mobility::Free => {
            let [a, turning] = accelerations(body);
            let turning = motion.pose.vector_to_local(&turning);
            let mean = motion.angular_velocity_body + turning * (0.5 * h);
            let turn = UnitQuaternion::from_scaled_axis(mean * h);
            let position = motion.pose.position + (motion.velocity + a * (0.5 * h)) * h;
            Motion {
                pose: Pose::new(position, motion.pose.orientation * turn),
                velocity: motion.velocity + a * h,
                angular_velocity_body: motion.angular_velocity_body + turning * h,
            }
        }
    }
}

/// When a region with a gap and its rate closes within a step to the places of `ahead`, and at which rate.
fn closing(
    ahead: &Parts,
    pair: &PartPair,
    frozen: &FrozenRegion,
    [gap, rate]: [f64; 2],
    h: f64,
) -> (f64, f64) {
    let next = ahead.meeting(pair, frozen);
    match gap >= 0.0 && next[0] < 0.0 {
        true => touch_between([gap, rate], next, h),
        false => (h, rate),
    }
}

impl StepContacts {
    pub(super) fn new(model: &Model) -> Result<Self> {
        let anywhere = Motion::at_rest(Pose::identity());
        let contacts = Parts::new(model, &vec![anywhere; model.bodies().len()]);
        let parts = || model.bodies().iter().flat_map(|body| &body.parts);
        let mut region_pairs = Vec::new();
        if parts().any(|part| part.shape.mesh().is_some() || matches!(part.shape, Shape::Link(_))) {
            region_pairs.extend(model.all_pairs().iter().filter_map(|pair| RegionPair::new(pair, &contacts)));
            // They are found by their ids.
            region_pairs.sort_by_key(|region_pair: &RegionPair| region_pair.pair.id());
        }
        Ok(Self {
            near: NearPairs::new(model, &contacts)?,
            region_pairs,
            ahead: contacts.clone(),
            between: contacts.clone(),
            contacts,
            radii: model.bodies().iter().map(BodyModel::radius).collect(),
            step_contacts: Vec::new(),
            normals: Vec::new(),
            active_contacts: Vec::new(),
            changed: Vec::new(),
            start: Vec::new(),
            h: 0.0,
        })
    }

    /// The contacts at the end of the last step with their forces, in declared order.
    pub(super) fn active_contacts(&self) -> &[(PairId, ActiveContact)] {
        &self.active_contacts
    }

    /// The bodies that may be pressed in regions.
    pub(super) fn in_regions(&self) -> impl Iterator<Item = BodyId> {
        self.region_pairs.iter().flat_map(|region_pair| [region_pair.pair.a.body, region_pair.pair.b.body])
    }

    /// Takes the beginning of a step of `h` seconds from a state.
    pub(super) fn begin(
        &mut self,
        model: &Model,
        state: &State,
        h: f64,
        accelerations: &Accelerations<'_>,
    ) -> Result<()> {
        self.h = h;
        self.step_contacts.clear();
        self.normals.clear();
        self.changed.clear();
        self.start.clear();
        if self.near.is_empty() {
            return Ok(());
        }
        if !self.region_pairs.is_empty() {
            self.start.extend(state.motions.iter().map(|motion| motion.pose));
        }
        self.contacts.place_all(model, &state.motions);
        self.near.place_fixed(&self.contacts)?;
        let reach = |body: BodyId| MotionBound::of(&state.motions[body.0], self.radii[body.0], AHEAD * h);
        self.near.find(model, &self.contacts, reach)?;
        for k in 0..self.near.pairs().len() {
            let pair = self.near.pairs()[k];
            if self
                .region_pairs
                .binary_search_by_key(&pair.id(), |region_pair| region_pair.pair.id())
                .is_err()
            {
                self.begin_pair(model, state, &pair, accelerations)?;
            }
        }
        self.begin_regions(model, state, accelerations)
    }

    /// A pair of one contact at the beginning of the step.
    fn begin_pair(
        &mut self,
        model: &Model,
        state: &State,
        pair: &PartPair,
        accelerations: &Accelerations<'_>,
    ) -> Result<()> {
        let (contacts, motions, h) = (&self.contacts, &state.motions, self.h);
        let memory = state.pairs.get(&pair.id());
        let touch = contacts.touch(pair, memory.and_then(|memory| memory.normal))?;
        self.normals.push((pair.id(), touch.normal));
        let source = ContactSource::Query(touch.normal);
        if let Some((known, start_time)) =
            memory.and_then(|memory| Some((memory.contact?, memory.start_time)))
        {
            let step_contact = StepContact::new(pair.id(), pair, source, (known, start_time));
            let geometry = source.at(contacts, pair, touch)?;
            self.step_contacts.push(step_contact.weighed(model, contacts, &geometry, motions)?);
            return Ok(());
        }
        let reach = [pair.a.body, pair.b.body].map(|body| {
            let reach = MotionBound::of(&motions[body.0], self.radii[body.0], AHEAD * h);
            if self.is_unbounded(model, body) && reach.turn > 0.0 { f64::INFINITY } else { reach.way }
        });
        if touch.gap <= reach[0] + reach[1] {
            let begins = self.predict(model, state, pair, &touch, accelerations)?;
            self.step_contacts.push(StepContact::new(pair.id(), pair, source, begins));
        }
        Ok(())
    }

    fn is_unbounded(&self, model: &Model, body: BodyId) -> bool {
        model.bodies()[body.0].parts.iter().any(|part| !part.shape.surface().bounds().is_bounded())
    }

    /// What a contact that begins within the step remembers, and when it begins.
    fn predict(
        &mut self,
        model: &Model,
        state: &State,
        pair: &PartPair,
        touch: &Touch,
        accelerations: &Accelerations<'_>,
    ) -> Result<(ContactState, f64)> {
        let (h, rate) = (self.h, self.contacts.gap_rate(pair, touch));
        if touch.gap < 0.0 || h == 0.0 {
            if touch.gap < 0.0 && h == 0.0 {
                let contact = self.contacts.contact_at(pair, *touch)?;
                return Ok((self.contacts.begin_inside(model, pair, &contact)?, state.time));
            }
            return Ok((pair.law.begin(rate)?, state.time));
        }
        for body in [pair.a.body, pair.b.body] {
            let there = ahead(model, state, body, h, accelerations);
            self.ahead.place(model, body, &there);
        }
        let next = self.ahead.touch(pair, Some(touch.normal))?;
        let next_rate = self.ahead.gap_rate(pair, &next);
        let (after, rate) = match next.gap < 0.0 {
            true => touch_between([touch.gap, rate], [next.gap, next_rate], h),
            false => (h, next_rate),
        };
        Ok((pair.law.begin(rate)?, state.time + after))
    }

    /// The regions at the beginning of the step.
    fn begin_regions(
        &mut self,
        model: &Model,
        state: &State,
        accelerations: &Accelerations<'_>,
    ) -> Result<()> {
        let (contacts, h) = (&self.contacts, self.h);
        let mut placed = false;
        for region_pair in &mut self.region_pairs {
            let pair = region_pair.pair;
            if self.near.pairs().binary_search_by_key(&pair.id(), PartPair::id).is_err() {
                continue;
            }
            if !placed {
                for body in (0..state.motions.len()).map(BodyId) {
                    self.ahead.place(model, body, &ahead(model, state, body, h, accelerations));
                }
                placed = true;
            }
            // What overlaps from the start and was not there before is a piece of what was.
            let lasting = state.pairs.regions(&pair.id()).iter().filter_map(|(_, memory)| memory.contact);
            let inherited = lasting
                .max_by(|a, b| a.approach_speed.total_cmp(&b.approach_speed))
                .map(|contact| ContactState { bristle: Vec3::zeros(), ..contact });
            let mut parts = &self.ahead;
            let places = passage::places(contacts, &pair, region_pair.speed(contacts), h);
            let is_meshes =
                [pair.a, pair.b].iter().all(|part| contacts.collider(*part).shape.mesh().is_some());
            let mut found: Vec<(usize, RegionContact)> = Vec::new();
            let mut look = |parts: &Parts, found: &mut Vec<(usize, RegionContact)>| -> Result<bool> {
                found.clear();
                let all = region_pair.look(parts, &state.pairs, h)?;
                // Meshes that are apart there are parts of other sides, or beyond each other.
                let all = all.filter(|(_, contact)| contact.region.depth > 0.0 || !is_meshes);
                found.extend(all.map(|(k, contact)| (k, *contact)));
                Ok(!found.is_empty())
            };
            if inherited.is_none() {
                for k in 1..places {
                    let time = h * k as f64 / places as f64;
                    for body in [pair.a.body, pair.b.body] {
                        self.between.place(model, body, &ahead(model, state, body, time, accelerations));
                    }
                    if look(&self.between, &mut found)? {
                        parts = &self.between;
                        break;
                    }
                }
            }
            if found.is_empty() && !look(parts, &mut found)? && inherited.is_some() {
                parts = contacts;
                look(parts, &mut found)?;
            }
            if region_pair.changes() {
                self.changed.push(pair.id());
            }
            for (place, region_contact) in &found {
                let pair = PartPair { law: region_contact.law, ..pair };
                let id = PairId::new(pair.a, pair.b, *place);
                let poses = [pair.a, pair.b].map(|part| &parts.collider(part).pose);
                let frozen = region_contact.freeze(poses);
                let known =
                    state.pairs.get(&id).and_then(|memory| Some((memory.contact?, memory.start_time)));
                let [gap, gap_rate] = contacts.meeting(&pair, &frozen);
                let begins = match (known, inherited.filter(|_| gap < 0.0)) {
                    (Some(known), _) => known,
                    (None, Some(inherited)) => (inherited, state.time),
                    (None, None) => {
                        let (after, rate) = closing(&self.ahead, &pair, &frozen, [gap, gap_rate], h);
                        (pair.law.begin(rate)?, state.time + after)
                    }
                };
                let mut step_contact = StepContact::new(id, &pair, ContactSource::Frozen(frozen), begins);
                step_contact.has_potential = region_contact.has_potential;
                self.step_contacts.push(step_contact);
            }
        }
        Ok(())
    }

    /// Lets the pairs that overlap in a state which has just been assembled be in contact from now on, and books what
    /// they store: it is there before the first step.
    pub(super) fn book_first(&mut self, model: &Model, state: &mut State) -> Result<()> {
        self.begin(model, state, 0.0, &|_| [Vec3::zeros(); 2])?;
        let contacts = &self.contacts;
        for step_contact in &self.step_contacts {
            let (gap, normal, geometry) = step_contact.source.look(contacts, &step_contact.pair)?;
            let known = state.pairs.get(&step_contact.id).is_some_and(|memory| memory.contact.is_some());
            if known || !(gap < 0.0) {
                continue;
            }
            let found = geometry.apply_law(contacts, &step_contact.pair, &step_contact.state)?;
            let memory = state.pairs.entry(step_contact.id);
            memory.normal = Some(normal);
            if let ContactSource::Frozen(_) = step_contact.source {
                memory.has_potential = step_contact.has_potential;
                memory.region_point = Some(region_point(contacts, &step_contact.pair, &found.force.point));
            }
            memory.begin(step_contact.state, state.time);
            memory.ledger.set_stored(&found.powers);
        }
        Ok(())
    }

    /// Appends the loads of all pairs that overlap at `motions`.
    pub(super) fn collect(
        &mut self,
        model: &Model,
        motions: &[Motion],
        tangent: bool,
        out: &mut Vec<Load>,
    ) -> Result<()> {
        if self.step_contacts.is_empty() {
            return Ok(());
        }
        let contacts = &mut self.contacts;
        contacts.place_all(model, motions);
        for step_contact in &mut self.step_contacts {
            step_contact.trial = None;
            let (gap, _, geometry) = step_contact.source.look(contacts, &step_contact.pair)?;
            if gap < 0.0 {
                let found = step_contact.apply_law(contacts, &geometry, self.h)?;
                out.push(step_contact.load(contacts, &found, self.h, motions, tangent)?);
                step_contact.trial = Some(found);
            }
        }
        Ok(())
    }

    /// The forces of the regions that the last accelerations were computed with.
    pub(super) fn region_forces(&self, model: &Model, motions: &[Motion], forces: &mut Vec<RegionForce>) {
        forces.clear();
        let frozen = self.step_contacts.iter().filter(|step_contact| step_contact.is_frozen());
        forces.extend(frozen.filter_map(|step_contact| {
            let TrialContact { found, .. } = step_contact.trial.as_ref()?;
            Some(RegionForce::new(model, motions, step_contact, found))
        }));
    }

    /// Writes what the pairs remember after the step into the state, which has the motions of its end; `forces` are
    /// those of the regions at its beginning, and those at its end afterwards.
    pub(super) fn finish(
        &mut self,
        model: &Model,
        state: &mut State,
        forces: &mut Vec<RegionForce>,
    ) -> Result<()> {
        self.active_contacts.clear();
        self.step_contacts.sort_unstable_by_key(|step_contact| step_contact.id);
        self.forget(state);
        for (id, normal) in &self.normals {
            state.pairs.entry(*id).normal = Some(*normal);
        }
        if self.step_contacts.is_empty() {
            self.book_regions(model, state, forces);
            return Ok(());
        }
        let contacts = &mut self.contacts;
        contacts.place_all(model, &state.motions);
        for step_contact in &self.step_contacts {
            if step_contact.is_frozen() {
                let changes = self.changed.binary_search(&step_contact.id.parts()).is_ok();
                self.active_contacts.extend(finish_region(contacts, step_contact, state, changes)?);
                continue;
            }
            let (gap, _, geometry) = step_contact.source.look(contacts, &step_contact.pair)?;
            let found = match gap < 0.0 {
                true => Some(step_contact.apply_law(contacts, &geometry, self.h)?),
                false => None,
            };
            let mut begun_powers = step_contact.powers;
            let memory = state.pairs.entry(step_contact.id);
            let (mut powers, mut now_taken) = (Powers::default(), 0.0);
            let mut now = WorkSample::default();
            if let Some(TrialContact { found, moved, .. }) = found {
                self.active_contacts.push((step_contact.id, found));
                powers = found.powers;
                now = WorkSample::new(&found);
                now_taken = taken(model, &state.motions, &step_contact.pair, &found);
                if memory.contact.is_none() {
                    memory.begin(moved, step_contact.start_time.min(state.time));
                }
                memory.contact = Some(moved);
            } else if memory.contact.take().is_none() && step_contact.powers == Powers::default() {
                continue;
            }
            if step_contact.pair.law.has_bristle() {
                memory.ledger.friction_loss += step_contact.work_sample.lost(&now, self.h);
                (powers.friction_loss, begun_powers.friction_loss) = (0.0, 0.0);
            }
            if contacts.has_weights(&step_contact.pair) {
                memory.ledger.change_stored(now.stored);
                begun_powers.stiffness_change = step_contact.work_sample.given_back;
                powers.stiffness_change = now.given_back;
            }
            memory.ledger.book(&begun_powers, 0.5 * self.h);
            memory.ledger.book(&powers, 0.5 * self.h);
            state.dissipated += 0.5 * self.h * (step_contact.taken + now_taken);
            if memory.contact.is_none() {
                memory.ledger.close();
            }
        }
        self.book_regions(model, state, forces);
        Ok(())
    }

    /// Whether the energy of the regions of a pair is not the potential that it was.
    fn is_changed(&self, id: &PairId) -> bool {
        self.changed.binary_search(&id.parts()).is_ok()
    }

    /// Books the halves of the step that belong to the forces of regions at its beginning, in `forces`, and at its
    /// end, which are there afterwards.
    fn book_regions(&self, model: &Model, state: &mut State, forces: &mut Vec<RegionForce>) {
        for is_end in [false, true] {
            if is_end {
                self.region_forces(model, &state.motions, forces);
            }
            for force in forces.iter() {
                let (motions, start) = (&state.motions, &self.start);
                let to = |body: usize| motions[body].pose;
                let from = |body: usize| start.get(body).map_or_else(|| to(body), |pose| *pose);
                let by_path = !force.has_potential || self.is_changed(&force.id);
                let memory = state.pairs.get_mut(&force.id);
                let ledger = memory.map_or(&mut state.ended_pairs, |memory| &mut memory.ledger);
                force.book(ledger, [&from, &to], self.h, by_path);
                state.dissipated += 0.5 * self.h * force.taken;
            }
        }
    }

    /// Ends the contacts that were not found any more, and takes out of the state what is neither in contact nor near.
    /// What regions stored leaves with them. `step_contact` is sorted.
    fn forget(&self, state: &mut State) {
        let is_begun =
            |id: &PairId| self.step_contacts.binary_search_by_key(id, |step_contact| step_contact.id).is_ok();
        let is_near = |id: &PairId| self.normals.binary_search_by_key(id, |(near, _)| *near).is_ok();
        let ended_pairs = &mut state.ended_pairs;
        state.pairs.retain(|id, memory: &mut PairState| {
            if memory.contact.is_some() && !is_begun(id) {
                if memory.region_point.is_some() {
                    let by_path = !memory.has_potential || self.is_changed(id);
                    store(memory, &Powers::default(), by_path);
                }
                return memory.end();
            }
            let kept = memory.contact.is_some() || is_near(id) || is_begun(id);
            if !kept {
                *ended_pairs += memory.ledger;
            }
            kept
        });
    }
}

/// Lets a region begin, go on or end with the force that the step was made with (that of the projected velocities is
/// another one), and takes what it stores now; the force if it presses.
fn finish_region(
    contacts: &Parts,
    step_contact: &StepContact,
    state: &mut State,
    changes: bool,
) -> Result<Option<(PairId, ActiveContact)>> {
    if step_contact.trial.is_none() && !state.pairs.contains(&step_contact.id) {
        return Ok(None);
    }
    let (_, normal, _) = step_contact.source.look(contacts, &step_contact.pair)?;
    let time = state.time;
    let memory = state.pairs.entry(step_contact.id);
    memory.normal = Some(normal);
    let by_path =
        changes || !(memory.has_potential || memory.contact.is_none()) || !step_contact.has_potential;
    memory.has_potential = step_contact.has_potential;
    let Some(TrialContact { found, moved, .. }) = step_contact.trial else {
        if memory.contact.take().is_some() {
            store(memory, &Powers::default(), by_path);
        }
        return Ok(None);
    };
    if memory.contact.is_none() {
        memory.begin(moved, step_contact.start_time.min(time));
    }
    memory.contact = Some(moved);
    memory.region_point = Some(region_point(contacts, &step_contact.pair, &found.force.point));
    store(memory, &found.powers, by_path);
    Ok(Some((step_contact.id, found)))
}

/// Takes what a region stores. What comes to its bristle is not lost to friction; what comes to its indentation beside
/// the work of its force is a change of the region where that is no potential.
fn store(memory: &mut PairState, powers: &Powers, by_path: bool) {
    let ledger = &mut memory.ledger;
    if by_path {
        ledger.change_stored(powers.stored - powers.bristle);
    }
    ledger.friction_loss -= powers.bristle - ledger.bristle;
    ledger.set_stored(powers);
}
