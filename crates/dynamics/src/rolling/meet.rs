//! Impacts: which bodies take part, how they bounce, and which of them stay in contact.

use super::gap_scan::{NearPlace, has_rigid_contact};
use super::impact::{self, Impact, Law};
use super::rigid_contact::{Mode, RigidContact};
use super::{ContactChange, Rolling};
use crate::error::Result;
use crate::model::{BodyId, PartPair};
use crate::state::State;
use rattleback_contact::law::ContactState;
use rattleback_geom::Vec3;

/// Bodies that touch in several places and move no faster than this many speeds of settling are at rest.
const QUIET: f64 = 5.0;

impl Rolling<'_> {
    /// Resolves impacts; bodies that part no faster than `settle` get a rigid contact.
    pub(super) fn meet(&mut self, pairs: &[PartPair]) -> Result<Vec<ContactChange>> {
        let mut found = Vec::new();
        for pair in pairs {
            found.append(&mut self.touching(pair)?);
        }
        let rigid_contacts = self.involved(pairs);
        let mut impacts: Vec<Impact> = self.impacts_of(&rigid_contacts)?;
        let old = impacts.len();
        impacts.extend(found.iter().map(|found| found.impact));
        let before = self.state.clone();
        let mut lost = vec![0.0; impacts.len()];
        let law = Law { tangential: self.settings.tangential_restitution, settle: self.settings.settle };
        impact::resolve(self.model, &mut self.state.motions, &impacts, &law, &mut lost)?;
        for (impact, lost) in impacts.iter().zip(&lost) {
            self.state.pairs.entry(impact.pair.id()).ledger.damped += lost;
        }
        let mut contact_changes = self.keep_or_lift_off(&rigid_contacts, &impacts[..old])?;
        let mut stuck = Vec::new();
        let mut bounces: Vec<&Impact> = Vec::new();
        for found in &found {
            if found.impact.gap_rate(&self.state.motions) > self.settings.settle {
                bounces.push(&found.impact);
            } else if let Some(pair) = self.attach(found)? {
                contact_changes.push(ContactChange::Landed(pair));
            } else {
                stuck.push(found.impact);
                bounces.push(&found.impact);
            }
        }
        // A pair that bounces in several places bounces once, and not at all while it has a rigid contact in another.
        bounces.dedup_by_key(|impact| impact.pair.id());
        bounces.retain(|impact| !has_rigid_contact(self.rigid_contacts(), &impact.pair));
        contact_changes.extend(bounces.into_iter().map(|impact| bounced(&before, impact)));
        if !stuck.is_empty() {
            contact_changes.append(&mut self.separate(&stuck, pairs)?);
        }
        Ok(contact_changes)
    }

    /// Separates bodies that touch where no rigid contact is possible, at the speed `settle`. The energy
    /// that this brings is booked.
    fn separate(&mut self, stuck: &[Impact], pairs: &[PartPair]) -> Result<Vec<ContactChange>> {
        let rigid_contacts = self.involved(pairs);
        let impacts = self.impacts_of(&rigid_contacts)?;
        let mut lost = vec![0.0; impacts.len()];
        for impact in stuck {
            let settle = self.settings.settle;
            let brought = match self.resting(impact) {
                Some(body) => impact.hop(self.model, &mut self.state.motions, body, settle),
                None => impact.separate(self.model, &mut self.state.motions, settle),
            };
            self.state.pairs.entry(impact.pair.id()).ledger.damped -= brought;
        }
        let law = Law { tangential: 0.0, settle: f64::INFINITY };
        impact::resolve(self.model, &mut self.state.motions, &impacts, &law, &mut lost)?;
        for (impact, lost) in impacts.iter().zip(lost) {
            self.state.pairs.entry(impact.pair.id()).ledger.damped += lost;
        }
        self.keep_or_lift_off(&rigid_contacts, &impacts)
    }

    /// The body of an impact that flies and has come to rest against the other one, but for speeds of settling.
    fn resting(&self, impact: &Impact) -> Option<BodyId> {
        let (motions, pair) = (&self.state.motions, &impact.pair);
        let slow = QUIET * self.settings.settle;
        let turning = impact.turning(motions) * self.pair_trees.size(pair);
        let flies = |body: &BodyId| self.model.body(*body).is_free() && self.rigid_contact(body.0).is_none();
        let body = [pair.b.body, pair.a.body].into_iter().find(flies)?;
        (turning < slow && impact.velocity(motions).norm() < slow).then_some(body)
    }

    /// The places where a pair touches, but for that where it has its rigid contact.
    fn touching(&self, pair: &PartPair) -> Result<Vec<NearPlace>> {
        let close = 2.0 * self.pair_trees.slop(pair);
        let mut found = self.pair_trees.find(pair, &self.state.motions, self.pair_trees.reach(pair))?;
        let numbers =
            self.rigid_contacts().of_parts(pair.id()).map(|(number, ..)| number).collect::<Vec<_>>();
        let known = if numbers.is_empty() { Vec::new() } else { self.impacts_of(&numbers)? };
        found.retain(|found| {
            let other = |rigid_contact: &Impact| {
                (rigid_contact.point - found.impact.point).norm() > self.pair_trees.same(pair)
            };
            found.gap <= close && known.iter().all(other)
        });
        Ok(found)
    }

    /// The numbers of the contacts that hang together with those of the given pairs.
    fn involved(&self, pairs: &[PartPair]) -> Vec<usize> {
        let contacts = self.rigid_contacts();
        let mut touched = vec![false; self.model.bodies().len()];
        for pair in pairs {
            touched[pair.a.body.0] = true;
            touched[pair.b.body.0] = true;
        }
        let free = |body: usize| self.model.body(BodyId(body)).is_free();
        loop {
            let mut grown = false;
            for (_, BodyId(body), contact) in contacts.iter() {
                let carrier = contact.carrier.body.0;
                let linked = touched[body] || (touched[carrier] && free(carrier));
                if linked && !(touched[body] && touched[carrier]) {
                    touched[body] = true;
                    touched[carrier] |= free(carrier);
                    grown |= free(carrier);
                }
            }
            if !grown {
                break;
            }
        }
        contacts.iter().filter(|(_, body, _)| touched[body.0]).map(|(number, ..)| number).collect()
    }

    /// Rigid contacts as places where bodies may bounce.
    fn impacts_of(&self, numbers: &[usize]) -> Result<Vec<Impact>> {
        let assembly = if numbers.is_empty() { return Ok(Vec::new()) } else { self.assembly()? };
        let of = |number: &usize| {
            let (contact, owner) = (self.rigid_contact(*number)?, self.owner(*number));
            let (touching, pair) =
                (assembly.touching[*number].as_ref()?, self.model.pair(contact.pair(owner))?);
            let outward: Vec3 = touching.axes.column(2).into();
            let normal = if pair.a.body == owner { outward } else { -outward };
            let feature = (contact.region > 0).then_some(contact.region);
            Some(Impact { pair: PartPair { feature, ..pair }, point: touching.point, normal })
        };
        Ok(numbers.iter().filter_map(of).collect())
    }

    /// After impacts elsewhere rigid contacts are kept with the new motions, or ended. All of them get their velocities
    /// before any of them is held: motions follow from the velocities of all rigid contacts.
    fn keep_or_lift_off(&mut self, numbers: &[usize], impacts: &[Impact]) -> Result<Vec<ContactChange>> {
        let (mut contact_changes, mut kept) = (Vec::new(), Vec::new());
        let names: Vec<_> = numbers.iter().map(|&number| self.name(number)).collect();
        for (name, impact) in names.iter().zip(impacts) {
            let Some(number) = name.and_then(|name| self.rigid_contacts().number(name)) else { continue };
            if impact.gap_rate(&self.state.motions) > self.settings.settle {
                contact_changes.push(self.lift_off(number)?);
                continue;
            }
            kept.extend(name.map(|name| (name, impact.point)));
        }
        let mut moving = Vec::new();
        for (name, point) in kept {
            let Some(number) = self.rigid_contacts().number(name) else { continue };
            let Some(rigid_contact) = self.rigid_contact(number) else { continue };
            let owner = self.owner(number);
            let contact = self.moving(owner, &rigid_contact, rigid_contact.places, &point)?;
            moving.push((number, RigidContact { mode: Mode::Sliding, ..contact }));
        }
        for &(number, rigid_contact) in &moving {
            self.set_rigid_contact(number, Some(rigid_contact));
        }
        for (number, _) in moving {
            if let Some(rigid_contact) = self.rigid_contact(number) {
                self.place_on(number, rigid_contact)?;
            }
        }
        Ok(contact_changes)
    }
}

/// A bounce, with the state in which the bodies touched.
fn bounced(before: &State, impact: &Impact) -> ContactChange {
    let (mut touched, pair) = (before.clone(), impact.pair.id());
    let memory = touched.pairs.entry(pair);
    let approach_speed = (-impact.gap_rate(&before.motions)).max(0.0);
    memory.contact = Some(ContactState { approach_speed, bristle: Vec3::zeros() });
    memory.start_time = touched.time;
    ContactChange::Bounced(Box::new(touched), pair)
}
