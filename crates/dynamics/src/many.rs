//! Many bodies: fixed steps by the symplectic method, contacts found by the broad phase.
//!
//! The stages of a step of h:
//!
//! 1. the loads at its beginning, half a kick; 2. the drift; 3. the loads at its end, half a kick (`integrator/splitting.rs`).
//!
//! The loads of an instant:
//!
//! 1. every moved part gets its box in the broad phase, which lists the pairs that may touch, in declared order;
//! 2. each of them is asked by the narrow phase, from its last normal, on as many threads as there are;
//! 3. in declared order, contacts begin (with the approach speed of that instant), press, or end; forces are summed up.
//!
//! Nothing depends on the number of threads. The ledger is booked by the trapezoidal rule, half a step at each evaluation,
//! and the bristle moves on with it: what the numbers lose is of the order h², as in the motion itself.
//!
//! The step has to resolve the contacts: a tenth of √(m/(n K δⁿ⁻¹)), and, because damping is taken explicitly, half of
//! m v₀/(c K δⁿ) for the hysteresis laws. Where bodies come to rest, v₀ is the law's least approach speed.

use crate::body::Motion;
use crate::contacts::{Contacts, Pressed};
use crate::error::{DynamicsError, Result, positive};
use crate::force;
use crate::integrator::{Splitting, Statistics};
use crate::model::{BodyId, Mobility, Model, PairId, PartId, PartPair};
use crate::observer::{Changes, Observer};
use crate::pace::Pace;
use crate::state::{PairState, State};
use rattleback_contact::broad::{Broad, Filter, Kind};
use rattleback_contact::law::ContactState;
use rattleback_geom::Vec3;
use rattleback_geom::surface::{Plane, Shape};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// What pairs remember.
type Memory = BTreeMap<PairId, PairState>;

/// What pairs remembered before each change of a step, in the order of the changes.
type Before = Vec<(PairId, Option<PairState>)>;

/// A model of many free bodies on its way through time.
#[derive(Debug)]
pub struct ManyBodies<'m> {
    model: &'m Model,
    state: State,
    splitting: Splitting,
    scene: Scene<'m>,
    before: Before,
    /// The contacts of the last kick, in declared order.
    pressed: Vec<(PairId, Pressed)>,
    changes: Changes,
    steps: usize,
}

/// The parts and the broad phase.
#[derive(Debug)]
struct Scene<'m> {
    model: &'m Model,
    contacts: Contacts,
    broad: Broad,
    /// The parts by their number in the broad phase.
    parts: Vec<PartId>,
    /// The pairs of the last evaluation.
    pairs: Vec<PartPair>,
}

/// What became of a pair.
struct Asked {
    id: PairId,
    normal: Vec3,
    pressed: Option<(Pressed, ContactState)>,
}

impl<'m> ManyBodies<'m> {
    /// A simulation that begins in the given state. Where it remembers no pair yet, those that overlap are in contact from the
    /// start, with the approach speed that they have, and what they store is booked.
    pub fn new(model: &'m Model, mut state: State) -> Result<Self> {
        if let Some(joint) = model.joints().first() {
            let reason = "free bodies have no joints: this model is a mechanism".to_owned();
            return Err(DynamicsError::Invalid { what: format!("joint {}", joint.name), reason });
        }
        state.check(model)?;
        model.prescribe(state.time, &mut state.motions);
        let mut scene = Scene::new(model, &state.motions)?;
        if state.pairs.is_empty() {
            for found in scene.ask(&state.motions, &state.pairs)? {
                remember(&found, &mut state.pairs, [state.time, 0.0], &mut Vec::new());
            }
        }
        let (splitting, changes) = (Splitting::new(model), Changes::new(&state));
        let (before, pressed) = (Vec::new(), Vec::new());
        Ok(Self { model, state, splitting, scene, before, pressed, changes, steps: 0 })
    }

    /// The state reached.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The model.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// What has been spent so far.
    pub fn statistics(&self) -> Statistics {
        let evaluations = self.splitting.evaluations();
        Statistics { steps: self.steps, evaluations, ..Statistics::default() }
    }

    /// Moves on to the time `end` in equal steps no longer than `longest` seconds.
    pub fn advance(&mut self, end: f64, longest: f64, observer: &mut Observer<'_>) -> Result<()> {
        positive("step", longest)?;
        let pace = Pace::new(self.state.time, end, longest)?;
        for time in pace.ends() {
            self.step_to(pace.step(), time)?;
            self.changes.tell(&self.state, &self.pressed, observer)?;
        }
        Ok(())
    }

    /// Makes a step of `dt` seconds, above zero. After an error the state is as it was.
    pub fn step(&mut self, dt: f64) -> Result<()> {
        self.step_to(dt, self.state.time + dt)
    }

    /// Makes a step of `dt` seconds to a time that is `end` but for rounding.
    fn step_to(&mut self, dt: f64, end: f64) -> Result<()> {
        positive("dt", dt)?;
        self.before.clear();
        let (parted, dissipated) = (self.state.parted, self.state.dissipated);
        let done = self.kick_and_drift(dt);
        if done.is_err() {
            (self.state.parted, self.state.dissipated) = (parted, dissipated);
            for (id, memory) in self.before.drain(..).rev() {
                match memory {
                    Some(memory) => self.state.pairs.insert(id, memory),
                    None => self.state.pairs.remove(&id),
                };
            }
            return done;
        }
        self.state.time = end;
        self.model.prescribe(end, &mut self.state.motions);
        self.steps += 1;
        Ok(())
    }

    /// A step, but for the time.
    fn kick_and_drift(&mut self, dt: f64) -> Result<()> {
        let State { time, motions, pairs, parted, dissipated, .. } = &mut self.state;
        let (scene, kept, before) = (&mut self.scene, &mut self.pressed, &mut self.before);
        let begin = *time;
        kept.clear();
        // The motions are the method's; what contacts remember is ours.
        let mut loads = |t: f64, motions: &[Motion], sum: &mut [[Vec3; 2]]| {
            let model = scene.model;
            let lost = force::add_loads(model.forces(), t, motions, sum)?;
            *dissipated += 0.5 * dt * lost;
            let asked = scene.ask(motions, pairs)?;
            for id in settle(&asked, pairs) {
                if let Some(mut memory) = pairs.remove(&id) {
                    before.push((id, Some(memory)));
                    memory.ledger.close();
                    *parted += memory.ledger;
                }
            }
            for found in asked {
                remember(&found, pairs, [t, 0.5 * dt], before);
                if let Some((pressed, _)) = &found.pressed {
                    if t > begin {
                        kept.push((found.id, *pressed));
                    }
                    for (side, (body, _)) in [found.id.0, found.id.1].into_iter().enumerate() {
                        let [force, torque] = pressed.wrench(side, &motions[body.0].pose.position);
                        sum[body.0][0] += force;
                        sum[body.0][1] += torque;
                    }
                }
            }
            let bodies = model.bodies().iter().zip(motions.iter().zip(sum.iter()));
            let taken: f64 = bodies.map(|(body, (motion, wrench))| body.taken(motion, *wrench)).sum();
            *dissipated += 0.5 * dt * taken;
            Ok(())
        };
        self.splitting.step(motions, begin, dt, &mut loads)
    }
}

/// The pairs that are remembered and no longer near.
fn settle(asked: &[Asked], pairs: &Memory) -> Vec<PairId> {
    // Both lists are in declared order.
    let mut near = asked.iter().map(|found| found.id).peekable();
    let mut gone = Vec::new();
    for &id in pairs.keys() {
        while near.next_if(|other| *other < id).is_some() {}
        if near.peek() != Some(&id) {
            gone.push(id);
        }
    }
    gone
}

/// Books what a pair did over `span` seconds, and what it remembers from `time` on.
fn remember(found: &Asked, pairs: &mut Memory, [time, span]: [f64; 2], before: &mut Before) {
    let entry = pairs.entry(found.id);
    before.push((found.id, if let Entry::Occupied(known) = &entry { Some(*known.get()) } else { None }));
    let memory = entry.or_default();
    memory.normal = Some(found.normal);
    let Some((pressed, mut state)) = found.pressed else {
        if memory.contact.take().is_some() {
            memory.ledger.close();
        }
        return;
    };
    if memory.contact.is_none() {
        memory.since = time;
    }
    memory.ledger.book(&pressed.force.powers(&pressed.rates), span);
    state.bristle += pressed.force.bristle_rate(&pressed.kinematics, &pressed.rates, &state) * span;
    memory.contact = Some(state);
}

impl<'m> Scene<'m> {
    fn new(model: &'m Model, motions: &[Motion]) -> Result<Self> {
        let contacts = Contacts::new(model, motions);
        let mut broad = Broad::new(0.0)?;
        let mut parts = Vec::new();
        for (i, body) in model.bodies().iter().enumerate() {
            let kind = if body.mobility == Mobility::Fixed { Kind::Static } else { Kind::Moving };
            for k in 0..body.parts.len() {
                let (number, part) = (parts.len() as u32, (BodyId(i), k));
                match plane(&contacts, part)? {
                    Some(plane) => broad.insert_plane(number, &plane, kind, Filter::default())?,
                    None => broad.insert(number, &contacts.collider(part).bounds(), kind)?,
                }
                parts.push(part);
            }
        }
        Ok(Self { model, contacts, broad, parts, pairs: Vec::new() })
    }

    /// Asks all pairs that are near, in declared order.
    fn ask(&mut self, motions: &[Motion], pairs: &Memory) -> Result<Vec<Asked>> {
        for (i, body) in self.model.bodies().iter().enumerate() {
            if body.mobility != Mobility::Fixed {
                self.contacts.place(self.model, BodyId(i), &motions[i]);
            }
        }
        for (number, &part) in self.parts.iter().enumerate() {
            if self.model.body(part.0).mobility != Mobility::Fixed {
                match plane(&self.contacts, part)? {
                    Some(plane) => self.broad.update_plane(number as u32, &plane)?,
                    None => self.broad.update(number as u32, &self.contacts.collider(part).bounds())?,
                }
            }
        }
        let (model, parts) = (self.model, &self.parts);
        let pair = |&(i, j): &(u32, u32)| model.pair(PairId(parts[i as usize], parts[j as usize], 0));
        self.pairs.clear();
        self.pairs.extend(self.broad.pairs().iter().filter_map(pair));
        let contacts = &self.contacts;
        self.pairs.par_iter().map(|pair| ask(contacts, pair, pairs.get(&pair.id()))).collect()
    }
}

/// A half-space in world axes, if the part is one.
fn plane(contacts: &Contacts, part: PartId) -> Result<Option<Plane>> {
    let collider = contacts.collider(part);
    let Shape::Plane(plane) = &collider.shape else { return Ok(None) };
    let normal = collider.pose.vector_to_world(plane.normal());
    let offset = plane.offset() + normal.dot(&collider.pose.position);
    Ok(Some(Plane::new(normal.into(), offset)?))
}

fn ask(contacts: &Contacts, pair: &PartPair, memory: Option<&PairState>) -> Result<Asked> {
    let normal = memory.and_then(|memory| memory.normal);
    let touch = contacts.touch(pair, normal)?;
    let mut asked = Asked { id: pair.id(), normal: touch.normal, pressed: None };
    if touch.gap < 0.0 {
        let state = match memory.and_then(|memory| memory.contact) {
            Some(state) => state,
            None => pair.law.begin(contacts.contact(pair, Some(touch.normal))?.1.gap_rate)?,
        };
        asked.pressed = Some((contacts.press(pair, &state, Some(touch.normal))?, state));
    }
    Ok(asked)
}
