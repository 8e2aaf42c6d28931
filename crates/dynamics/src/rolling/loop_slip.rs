//! Slip and stick in loops: which contacts can only slip together, and how they begin to.
//!
//! A contact that friction cannot hold slips alone if the others that are held leave it room: if a jump to a slip
//! against its friction exists that all others allow. Several contacts of two bodies, as the feet of a table, leave
//! none. They slip together then, when what friction holds at all of them sums up to what it can; how they share it is
//! not determined by rigid bodies. Slip begins if it would grow, else the contacts go on rolling.

use super::Rolling;
use super::assembly::Assembly;
use super::modes::{FIRST_SLIP, holding_force, may_slip, shared_lever, spin_force};
use super::multipliers::SOLVED;
use super::rigid_contact::{Mode, RigidContact};
use crate::error::Result;
use crate::measure;
use rattleback_geom::Vec3;
use std::collections::BTreeMap;

/// What slips slower than this share of the speed at which slip sticks, while others begin to stick, has been stopped by
/// that.
const STANDS: f64 = 1e-6;
/// The share of its friction's bound from which on a contact is asked whether it could slip alone.
const ASKED: f64 = 1e-3;

/// The velocities (v_x, v_y, ω_z) to which a contact is to jump, by its number.
pub type Jump = (usize, Vec3);

impl Rolling<'_> {
    /// The contacts that slip together with each one that sticks, where that is not itself alone.
    pub(super) fn slip_groups(&self, assembly: &Assembly<'_>) -> Result<BTreeMap<usize, Vec<usize>>> {
        let mut groups = BTreeMap::new();
        if !assembly.layout.closes() {
            return Ok(groups);
        }
        for (number, ..) in self.rigid_contacts().iter() {
            let (Some(touching), Some(law)) = (&assembly.touching[number], assembly.rigid_friction(number))
            else {
                continue;
            };
            let held = holding_force(touching, law);
            let sticks = self.rigid_contact(number).is_some_and(|contact| contact.mode != Mode::Sliding);
            if sticks && may_slip(law) && held > ASKED * law.sticking * touching.normal_force() {
                let group = self.slip_group(assembly, number)?;
                if group.len() > 1 {
                    groups.insert(number, group);
                }
            }
        }
        Ok(groups)
    }

    /// The contacts that have to slip so that one can.
    fn slip_group(&self, assembly: &Assembly<'_>, number: usize) -> Result<Vec<usize>> {
        let candidates = self.candidates(number);
        for group in &candidates {
            let jumps = self.first_slips(assembly, group);
            let (mut trial, y) = self.unplaced()?;
            trial.place(self.state.time, &y)?;
            if trial.jump(&jumps)? < SOLVED {
                return Ok(group.clone());
            }
        }
        Ok(candidates.into_iter().next_back().unwrap_or_default())
    }

    /// The contact alone, all that stick between its two bodies, all that stick.
    fn candidates(&self, number: usize) -> Vec<Vec<usize>> {
        let bodies = |number: usize| {
            let other = self.rigid_contact(number).map(|contact| contact.carrier.body);
            let (one, other) = (self.owner(number), other.unwrap_or(self.owner(number)));
            (one.min(other), one.max(other))
        };
        let slips = |n: usize| {
            let law = self.name(n).and_then(|name| self.model.pair(name)).map(|p| p.law.rigid_friction());
            law.is_some_and(|law| may_slip(&law))
        };
        let sticks = |(n, _, contact): (usize, _, &RigidContact)| {
            (contact.mode != Mode::Sliding && slips(n)).then_some(n)
        };
        let all: Vec<usize> = self.rigid_contacts().iter().filter_map(sticks).collect();
        let pair: Vec<usize> = all.iter().copied().filter(|&n| bodies(n) == bodies(number)).collect();
        let mut candidates = vec![vec![number], pair, all];
        candidates.dedup();
        candidates
    }

    /// The velocities with which contacts begin to slip, against what held them.
    fn first_slips(&self, assembly: &Assembly<'_>, group: &[usize]) -> Vec<Jump> {
        let of = |&number: &usize| {
            let (touching, law) = (assembly.touching[number].as_ref()?, assembly.rigid_friction(number)?);
            let (friction, spin) = (touching.friction(), spin_force(touching, law));
            let held = friction.norm().hypot(spin);
            let first = if held > 0.0 { -FIRST_SLIP * self.settings.stick / held } else { 0.0 };
            let lever = shared_lever(law);
            let turn = if lever > 0.0 { spin * first / lever } else { 0.0 };
            Some((number, Vec3::new(friction.x * first, friction.y * first, turn)))
        };
        group.iter().filter_map(of).collect()
    }

    /// Lets a contact of a system with loops slip, and those that have to slip with it; false where slip would not
    /// grow.
    pub(super) fn slip_in_loop(&mut self, number: usize) -> Result<bool> {
        let before = self.state.clone();
        let assembly = self.assembly()?;
        let group = self.slip_group(&assembly, number)?;
        let jumps = self.first_slips(&assembly, &group);
        let (mut trial, y) = self.unplaced()?;
        trial.place(self.state.time, &y)?;
        let unmet = trial.jump(&jumps)?;
        let mut state = before.clone();
        trial.write_contacts(&mut state);
        let energy = measure::kinetic_energy(self.model, &self.state.motions)?;
        let pair = self.name(number);
        self.state = state;
        for &number in &group {
            self.set_mode(number, Mode::Sliding);
        }
        let grows = unmet < SOLVED && {
            self.settle()?;
            match self.assembly() {
                Ok(assembly) => group.iter().map(|&number| assembly.slip_growth(number)).sum::<f64>() > 0.0,
                Err(_) => false,
            }
        };
        if !grows {
            self.state = before;
            return Ok(false);
        }
        let brought = measure::kinetic_energy(self.model, &self.state.motions)? - energy;
        if let Some(pair) = pair {
            self.state.pairs.entry(pair).ledger.friction_loss -= brought;
        }
        Ok(true)
    }

    /// Lets contacts stick whose slip has ended with that of another one.
    pub(super) fn hold_what_stands(&mut self) -> Result<()> {
        let numbers: Vec<usize> = self.rigid_contacts().iter().map(|(number, ..)| number).collect();
        for number in numbers {
            let (Some(contact), Some(name)) = (self.rigid_contact(number), self.name(number)) else {
                continue;
            };
            let Some(law) = self.model.pair(name).map(|pair| pair.law.rigid_friction()) else { continue };
            let w = &contact.velocities;
            let slip = w[3].hypot(w[4]).hypot(shared_lever(&law) * w[2]);
            let stands = slip <= STANDS * self.settings.stick && law.sticking > 0.0;
            if contact.mode == Mode::Sliding && stands {
                self.set_mode(number, self.sticking_mode(number));
            }
        }
        self.settle()
    }
}
