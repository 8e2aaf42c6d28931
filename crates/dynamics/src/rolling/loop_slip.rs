//! Slip and stick in loops: which contacts can only slip together, and how they begin to.
//!
//! A contact that friction cannot hold slips alone if the others leave it room: if it starts off when it is not held
//! any more. As the feet of a table it may not. Then all that stick between the two bodies slip together, or all that
//! stick at all, when what friction holds at them sums up to what it can; how they share it is not determined by rigid
//! bodies. Slip begins in the direction of its acceleration, with friction against what was held; where it would not
//! grow, as what contacts hold against each other says nothing of where they go, in the direction u in which they
//! would start off without friction, corrected by what friction against u leaves of it. Where that does not grow
//! either, contacts go on rolling.

use super::Rolling;
use super::assembly::Assembly;
use super::modes::{FIRST_SLIP, holding_force, may_slip, shared_lever, spin_force};
use super::rigid_contact::{Mode, RigidContact};
use crate::error::Result;
use crate::measure;
use rattleback_geom::Vec3;
use std::collections::BTreeMap;

/// What slips slower than this share of the speed at which slip sticks, while others begin to stick, has been stopped
/// by that.
const STANDS: f64 = 1e-6;
/// The share of its friction's bound from which on a contact is asked whether it could slip alone.
const ASKED: f64 = 1e-3;

/// A contact starts off if it does so with more than this share of the acceleration that what held it gives its body.
const BLOCKED: f64 = 1e-6;

/// How often the direction in which contacts start off without friction is corrected by that with friction against it.
const CORRECTIONS: usize = 4;

/// How a contact starts to slip, (x, y) and the spin times its lever.
#[derive(Debug, Clone, Copy)]
struct FirstSlip {
    number: usize,
    /// What held it.
    held: Vec3,
    lever: f64,
    /// The coefficient of its friction.
    sliding: f64,
    /// The friction per normal force against it.
    push: Vec3,
    /// The rates of its velocities.
    rates: Vec3,
}

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

    /// The contacts that have to slip so that one can: those that start off against their friction when it is taken
    /// away from them.
    fn slip_group(&self, assembly: &Assembly<'_>, number: usize) -> Result<Vec<usize>> {
        let candidates = self.candidates(number);
        for group in &candidates {
            let mut slips = self.held_by(assembly, group);
            let free = self.start_off(&mut slips)? && {
                let of = |slip: &FirstSlip| slip.rates.dot(&slip.held);
                let mobility = |slip: &FirstSlip| {
                    slip.held.norm_squared() / self.model.body(self.owner(slip.number)).body.mass
                };
                let starts: f64 = slips.iter().map(of).sum();
                -starts > BLOCKED * slips.iter().map(mobility).sum::<f64>()
            };
            if free {
                return Ok(group.clone());
            }
        }
        Ok(candidates.into_iter().next_back().unwrap_or_default())
    }

    /// What holds contacts, as if there were no friction against them.
    fn held_by(&self, assembly: &Assembly<'_>, group: &[usize]) -> Vec<FirstSlip> {
        let of = |&number: &usize| {
            let (touching, law) = (assembly.touching[number].as_ref()?, assembly.rigid_friction(number)?);
            let friction = touching.friction();
            let held = Vec3::new(friction.x, friction.y, spin_force(touching, law));
            let (lever, sliding) = (shared_lever(law), law.sliding);
            Some(FirstSlip { number, held, lever, sliding, push: Vec3::zeros(), rates: Vec3::zeros() })
        };
        group.iter().filter_map(of).collect()
    }

    /// How contacts start to slip that nothing holds but the friction against them; false where the equations have no
    /// answer.
    fn start_off(&self, slips: &mut [FirstSlip]) -> Result<bool> {
        let (mut trial, y) = self.unplaced()?;
        for slip in slips.iter() {
            let push = Vec3::new(slip.push.x, slip.push.y, slip.push.z * slip.lever);
            trial.release(slip.number, push);
        }
        if trial.evaluate(self.state.time, &y).is_err() {
            return Ok(false);
        }
        for slip in slips {
            let [x, y, turn] = trial.slip_rates(slip.number);
            slip.rates = Vec3::new(x, y, turn * slip.lever);
        }
        Ok(true)
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

    /// Lets a contact of a system with loops slip, alone or with others; false where no slip would grow.
    pub(super) fn slip_in_loop(&mut self, number: usize) -> Result<bool> {
        for group in self.candidates(number) {
            if self.slip_together(number, &group)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Lets contacts slip the way in which they start off; false where slip would not grow.
    fn slip_together(&mut self, number: usize, group: &[usize]) -> Result<bool> {
        let along = |v: &Vec3| v.try_normalize(0.0).unwrap_or_else(Vec3::zeros);
        let mut slips = self.held_by(&self.assembly()?, group);
        slips.iter_mut().for_each(|slip| slip.push = along(&slip.held) * slip.sliding);
        if self.start_off(&mut slips)?
            && slips.iter().map(|slip| slip.rates.dot(&slip.held)).sum::<f64>() < 0.0
            && self.slip_along(number, group, &slips)?
        {
            return Ok(true);
        }
        slips.iter_mut().for_each(|slip| slip.push = Vec3::zeros());
        if slips.len() < 2 || !self.start_off(&mut slips)? {
            return Ok(false);
        }
        for _ in 0..CORRECTIONS {
            slips.iter_mut().for_each(|slip| slip.push = along(&slip.rates) * -slip.sliding);
            if !self.start_off(&mut slips)?
                || slips.iter().map(|slip| slip.rates.dot(&slip.push)).sum::<f64>() >= 0.0
            {
                return Ok(false);
            }
        }
        self.slip_along(number, group, &slips)
    }

    /// Lets contacts slip in the direction of their rates; false where slip would not grow. The energy that this brings
    /// is booked for one of them.
    fn slip_along(&mut self, number: usize, group: &[usize], slips: &[FirstSlip]) -> Result<bool> {
        let (before, pair) = (self.state.clone(), self.name(number));
        let fastest = slips.iter().map(|slip| slip.rates.norm()).fold(0.0, f64::max);
        if fastest == 0.0 {
            return Ok(false);
        }
        let first = FIRST_SLIP * self.settings.stick / fastest;
        let jump = |slip: &FirstSlip| {
            let turn = if slip.lever > 0.0 { slip.rates.z / slip.lever } else { 0.0 };
            (slip.number, Vec3::new(slip.rates.x, slip.rates.y, turn) * first)
        };
        let jumps: Vec<Jump> = slips.iter().map(jump).collect();
        let (mut trial, y) = self.unplaced()?;
        trial.place(self.state.time, &y)?;
        trial.jump(&jumps)?;
        let mut state = before.clone();
        trial.write_contacts(&mut state);
        let energy = measure::kinetic_energy(self.model, &self.state.motions)?;
        self.state = state;
        for &number in group {
            self.set_mode(number, Mode::Sliding);
        }
        self.settle()?;
        let grows = self.assembly().is_ok_and(|assembly| {
            let slip = |number: usize| assembly.touching[number].as_ref().map_or(0.0, |t| t.slip());
            // What the others do not let slip has rounding for a slip.
            let slips = group.iter().all(|&number| slip(number) > STANDS * self.settings.stick);
            slips && group.iter().map(|&number| assembly.slip_growth(number)).sum::<f64>() > 0.0
        });
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
