//! Which mode a rigid contact is in: decided at the beginning of every segment, from the forces that each mode would
//! take.

use super::assembly::{Assembly, ContactKinematics};
use super::impulse;
use super::layout::Layout;
use super::rigid_contact::{ClosingContact, ContactList, Mode, RigidContact};
use super::{ContactChange, Rolling};
use crate::error::Result;
use crate::measure;
use crate::model::{BodyId, PairId};
use rattleback_contact::law::RigidFriction;

/// The slip with which a body begins to slide, as a share of the speed at which slip sticks: it has a direction.
pub(super) const FIRST_SLIP: f64 = 1e-3;
/// Friction that leaves a sliding body less of its freedom than this wedges it.
const WEDGED: f64 = 0.01;
/// From this coefficient on bodies do not slip as long as they are pressed together.
pub const ROUGH: f64 = 1e4;
/// In loops, a normal force that pulls with no more than this share of the greatest one is rounding.
const NO_PULL: f64 = 1e-12;
/// An approach of less than this share of the accelerations that make it up is rounding.
const SINKING: f64 = 1e-9;
/// Rounds of choices; each one settles a rigid contact at least.
const MAX_ROUNDS: usize = 100;

impl Rolling<'_> {
    /// Changes modes that cannot go on: lifts off what would be pulled, lets slip what friction does not hold. Says
    /// which contact has ended; other changes are not reported.
    pub(super) fn choose_modes(&mut self) -> Result<Vec<ContactChange>> {
        let (mut wedged, mut pressed) = (Vec::new(), Vec::new());
        for _ in 0..MAX_ROUNDS {
            match self.choice(&wedged, &pressed)? {
                None if pressed.is_empty() => break,
                // What the others do now decides about those that were kept.
                None => {
                    let Some(number) = pulled(&self.assembly()?, &[]) else { break };
                    return Ok(vec![self.lift_off(number)?]);
                }
                Some(ModeChange::LiftOff(number)) => {
                    let (before, lifted) = (self.state.clone(), self.rigid_contacts().closing_form(number));
                    let change = self.lift_off(number)?;
                    let loops = !before.closing_contacts.is_empty();
                    if let Some(lifted) = lifted.filter(|_| loops) {
                        self.let_slip(&mut Vec::new())?;
                        if self.approaches(lifted)? {
                            self.state = before;
                            pressed.push(number);
                            continue;
                        }
                    }
                    return Ok(vec![change]);
                }
                Some(change) => self.change(change, &mut wedged)?,
            }
        }
        Ok(Vec::new())
    }

    /// Lets slip and spin what friction does not hold, without a look at what would be pulled.
    fn let_slip(&mut self, wedged: &mut Vec<usize>) -> Result<()> {
        let all: Vec<usize> = (0..self.state.motions.len() + self.state.closing_contacts.len()).collect();
        for _ in 0..MAX_ROUNDS {
            match self.choice(wedged, &all)? {
                Some(change @ (ModeChange::Slip(_) | ModeChange::Spin(_))) => self.change(change, wedged)?,
                _ => break,
            }
        }
        Ok(())
    }

    fn change(&mut self, change: ModeChange, wedged: &mut Vec<usize>) -> Result<()> {
        match change {
            ModeChange::LiftOff(_) => {}
            ModeChange::Spin(number) => self.set_mode(number, Mode::Rolling),
            ModeChange::Slip(number) => {
                if !self.slip(number)? {
                    wedged.push(number);
                }
            }
        }
        Ok(())
    }

    /// Whether a contact that has been taken away would sink in: its surfaces approach each other with an acceleration.
    fn approaches(&self, lifted: ClosingContact) -> Result<bool> {
        let Ok(without) = self.assembly() else { return Ok(true) };
        let mut state = self.state.clone();
        state.closing_contacts.push(lifted);
        let layout = Layout::new(self.model, ContactList::of(&state))?;
        let y = layout.pack(&state);
        let mut with = Assembly::new(self.model, layout, state.motions.clone());
        with.place(state.time, &y)?;
        let number = with.layout.closing().end - 1;
        let [approach, size] = with.approach_rate(number, &without);
        Ok(approach > SINKING * size)
    }

    /// What has to change first; contacts that are wedged do not slip, those that would sink in do not lift off.
    fn choice(&self, wedged: &[usize], pressed: &[usize]) -> Result<Option<ModeChange>> {
        let assembly = self.assembly()?;
        if assembly.layout.closes()
            && let Some(number) = pulled(&assembly, pressed)
        {
            return Ok(Some(ModeChange::LiftOff(number)));
        }
        let groups = self.slip_groups(&assembly)?;
        Ok(self.rigid_contacts().iter().find_map(|(number, _, rigid_contact)| {
            let touching = assembly.touching[number].as_ref()?;
            let (rigid_friction, normal) = (assembly.rigid_friction(number)?, touching.normal_force());
            if normal < 0.0 && !assembly.layout.closes() {
                return Some(ModeChange::LiftOff(number));
            }
            match rigid_contact.mode {
                Mode::Sliding => None,
                _ if may_slip(rigid_friction)
                    && !wedged.contains(&number)
                    && holding_force(touching, rigid_friction) > rigid_friction.sticking * normal
                    && friction_left(&assembly, groups.get(&number).map_or(&[number][..], |g| g)) < 0.0 =>
                {
                    Some(ModeChange::Slip(number))
                }
                Mode::Spinless
                    if shared_lever(rigid_friction) == 0.0
                        && touching.wrench[0].z.abs() > rigid_friction.resistance.spinning() * normal =>
                {
                    Some(ModeChange::Spin(number))
                }
                _ => None,
            }
        }))
    }

    /// Lets a contact slip against the friction that could not hold it; false where friction would wedge it, so that it
    /// goes on rolling until it lifts off.
    pub(super) fn slip(&mut self, body: usize) -> Result<bool> {
        if !self.state.closing_contacts.is_empty() {
            return self.slip_in_loop(body);
        }
        let before = self.state.clone();
        let assembly = self.assembly()?;
        let friction = assembly.touching[body].as_ref().zip(assembly.rigid_friction(body));
        let friction = friction.map(|(touching, law)| (touching.friction(), spin_force(touching, law), *law));
        let Some((rigid_contact, friction)) = self.rigid_contact(body).zip(friction) else { return Ok(true) };
        let (friction, spin_force, law) = friction;
        let held = friction.norm().hypot(spin_force);
        if rigid_contact.mode == Mode::Sliding || held == 0.0 {
            return Ok(true);
        }
        let mut next = RigidContact { mode: Mode::Sliding, ..rigid_contact };
        // Slip and spin against the force and the torque that held them.
        let first = -FIRST_SLIP * self.settings.stick / held;
        (next.velocities[3], next.velocities[4]) = (friction.x * first, friction.y * first);
        if shared_lever(&law) > 0.0 {
            next.velocities[2] = spin_force * first / shared_lever(&law);
        }
        self.set_rigid_contact(body, Some(next));
        let assembly = self.assembly()?;
        let (freedom, motions) = (assembly.freedom(body), assembly.motions.clone());
        if freedom < WEDGED {
            self.state = before;
            return Ok(false);
        }
        let brought = measure::kinetic_energy(self.model, &motions)?
            - measure::kinetic_energy(self.model, &self.state.motions)?;
        self.state.motions = motions;
        self.state.pairs.entry(rigid_contact.pair(BodyId(body))).ledger.friction_loss -= brought;
        Ok(true)
    }

    /// A contact by its number.
    pub(super) fn rigid_contact(&self, number: usize) -> Option<RigidContact> {
        self.rigid_contacts().get(number).map(|(_, contact)| *contact)
    }

    /// The body of a contact.
    pub(super) fn owner(&self, number: usize) -> BodyId {
        let closing = number.checked_sub(self.state.motions.len());
        let closing = closing.and_then(|k| self.state.closing_contacts.get(k));
        closing.map_or(BodyId(number), |closing| closing.body)
    }

    /// The pair of a contact.
    pub(super) fn name(&self, number: usize) -> Option<PairId> {
        self.rigid_contacts().get(number).map(|(owner, contact)| contact.pair(owner))
    }

    /// Changes a contact, or takes it away; those that close loops move up then.
    pub(super) fn set_rigid_contact(&mut self, number: usize, rigid_contact: Option<RigidContact>) {
        let bodies = self.state.motions.len();
        if number >= bodies {
            match rigid_contact {
                Some(contact) => self.state.closing_contacts[number - bodies].contact = contact,
                None => {
                    self.state.closing_contacts.remove(number - bodies);
                }
            }
        } else if let Some(rigid_contacts) = &mut self.state.rigid_contacts {
            rigid_contacts[number] = rigid_contact;
        }
    }

    pub(super) fn set_mode(&mut self, number: usize, mode: Mode) {
        if let Some(rigid_contact) = self.rigid_contact(number) {
            self.set_rigid_contact(number, Some(RigidContact { mode, ..rigid_contact }));
        }
    }

    /// All bodies at the present state, with their forces.
    pub(super) fn assembly(&self) -> Result<Assembly<'_>> {
        let (mut assembly, y) = self.unplaced()?;
        assembly.evaluate(self.state.time, &y)?;
        Ok(assembly)
    }

    /// All bodies at the present state, to be placed, and its vector.
    pub(super) fn unplaced(&self) -> Result<(Assembly<'_>, Vec<f64>)> {
        let layout = Layout::new(self.model, self.rigid_contacts())?;
        let y = layout.pack(&self.state);
        Ok((Assembly::new(self.model, layout, self.state.motions.clone()), y))
    }

    /// Lets motions become those of the contacts, and contacts that close loops follow.
    pub(super) fn settle(&mut self) -> Result<()> {
        if self.state.closing_contacts.is_empty() {
            self.state.motions = self.assembly()?.motions;
            return Ok(());
        }
        let mut state = self.state.clone();
        let (mut assembly, y) = self.unplaced()?;
        assembly.place(state.time, &y)?;
        assembly.write_contacts(&mut state);
        self.state = state;
        Ok(())
    }

    /// Holds what a rigid contact has not held before; the energy that this takes is lost to friction.
    pub(super) fn hold(&mut self, number: usize, mode: Mode) -> Result<()> {
        let Some(pair) = self.name(number) else { return Ok(()) };
        let before = measure::kinetic_energy(self.model, &self.state.motions)?;
        if self.state.closing_contacts.is_empty() {
            let mut state = self.state.clone();
            let assembly = self.assembly()?;
            if let Some(rigid_contact) = state.rigid_contacts.as_mut().and_then(|all| all[number].as_mut()) {
                rigid_contact.mode = mode;
            }
            impulse::stop(&assembly, &mut state, number)?;
            self.state = state;
        } else {
            self.set_mode(number, mode);
            self.settle()?;
            self.hold_what_stands()?;
        }
        let lost = before - measure::kinetic_energy(self.model, &self.state.motions)?;
        self.state.pairs.entry(pair).ledger.friction_loss += lost;
        Ok(())
    }
}

/// The contact of a system with loops that would have to pull the most, but for some.
fn pulled(assembly: &Assembly<'_>, but: &[usize]) -> Option<usize> {
    let normal = |number: usize| assembly.touching[number].as_ref().map(|t| t.normal_force());
    let all = (0..assembly.touching.len()).filter_map(|number| Some((number, normal(number)?)));
    let greatest = all.clone().map(|(_, normal)| normal.abs()).fold(0.0, f64::max);
    let (number, least) =
        all.filter(|(number, _)| !but.contains(number)).min_by(|a, b| a.1.total_cmp(&b.1))?;
    (least < -NO_PULL * greatest).then_some(number)
}

/// μ_s N less what is held, summed up over contacts that slip together.
pub(super) fn friction_left(assembly: &Assembly<'_>, group: &[usize]) -> f64 {
    let of = |number: &usize| {
        let (Some(touching), Some(law)) =
            (assembly.touching[*number].as_ref(), assembly.rigid_friction(*number))
        else {
            return 0.0;
        };
        law.sticking * touching.normal_force() - holding_force(touching, law)
    };
    group.iter().map(of).sum()
}

/// Whether friction can be overcome: a coefficient from [`ROUGH`] on stands for bodies that never slip.
pub(super) fn may_slip(rigid_friction: &RigidFriction) -> bool {
    rigid_friction.sticking < ROUGH
}

/// ρ, where slip and spin share a friction that can be overcome; zero elsewhere. A contact that spins does not stick
/// then: what friction holds vanishes with the slip, and sticking takes both, ‖v‖² + ρ²ω² below the square of the
/// speed at which slip sticks.
pub(super) fn shared_lever(rigid_friction: &RigidFriction) -> f64 {
    if may_slip(rigid_friction) && rigid_friction.sticking > 0.0 { rigid_friction.spin_radius } else { 0.0 }
}

/// T/ρ of the torque that friction takes to hold a contact without spin, beyond what the resistance to spinning takes;
/// zero where slip and spin do not share the friction.
pub(super) fn spin_force(touching: &ContactKinematics, rigid_friction: &RigidFriction) -> f64 {
    let (lever, torque) = (shared_lever(rigid_friction), touching.wrench[0].z);
    if lever == 0.0 {
        return 0.0;
    }
    let resisted = rigid_friction.resistance.spinning() * touching.normal_force().max(0.0);
    (torque.abs() - resisted).max(0.0).copysign(torque) / lever
}

/// The friction that it takes to hold a contact, which must stay within μ_s N: √(F² + (T/ρ)²).
pub(super) fn holding_force(touching: &ContactKinematics, rigid_friction: &RigidFriction) -> f64 {
    touching.friction().norm().hypot(spin_force(touching, rigid_friction))
}

/// A change that a rigid contact has to make.
enum ModeChange {
    LiftOff(usize),
    Slip(usize),
    Spin(usize),
}
