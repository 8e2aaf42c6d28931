//! Which mode a rigid contact is in: decided at the beginning of every segment, from the forces that each mode would
//! take.

use super::assembly::{Assembly, ContactKinematics};
use super::impulse;
use super::layout::Layout;
use super::rigid_contact::{Mode, RigidContact};
use super::{ContactChange, Rolling};
use crate::error::Result;
use crate::measure;
use crate::model::BodyId;
use rattleback_contact::law::RigidFriction;

/// The slip with which a body begins to slide, as a share of the speed at which slip sticks: it has a direction.
const FIRST_SLIP: f64 = 1e-3;
/// Friction that leaves a sliding body less of its freedom than this wedges it.
const WEDGED: f64 = 0.01;
/// From this coefficient on bodies do not slip as long as they are pressed together.
pub const ROUGH: f64 = 1e4;
/// Rounds of choices; each one settles a rigid contact at least.
const MAX_ROUNDS: usize = 100;

impl Rolling<'_> {
    /// Changes modes that cannot go on: lifts off what would be pulled, lets slip what friction does not hold. Says
    /// which contact has ended; other changes are not reported.
    pub(super) fn choose_modes(&mut self) -> Result<Vec<ContactChange>> {
        let mut wedged = Vec::new();
        for _ in 0..MAX_ROUNDS {
            match self.choice(&wedged)? {
                None => break,
                Some(ModeChange::LiftOff(body)) => return Ok(vec![self.lift_off(body)?]),
                Some(ModeChange::Spin(body)) => self.set_mode(body, Mode::Rolling),
                Some(ModeChange::Slip(body)) => {
                    if !self.slip(body)? {
                        wedged.push(body);
                    }
                }
            }
        }
        Ok(Vec::new())
    }

    /// What has to change first; bodies that are wedged do not slip.
    fn choice(&self, wedged: &[usize]) -> Result<Option<ModeChange>> {
        let assembly = self.assembly()?;
        Ok(self.rigid_contacts().iter().enumerate().find_map(|(body, rigid_contact)| {
            let (rigid_contact, touching) = (rigid_contact.as_ref()?, assembly.touching[body].as_ref()?);
            let (rigid_friction, normal) = (assembly.rigid_friction(body)?, touching.normal_force());
            if normal < 0.0 {
                return Some(ModeChange::LiftOff(body));
            }
            match rigid_contact.mode {
                Mode::Sliding => None,
                _ if holding_force(touching, rigid_friction) > rigid_friction.sticking * normal
                    && may_slip(rigid_friction)
                    && !wedged.contains(&body) =>
                {
                    Some(ModeChange::Slip(body))
                }
                Mode::Spinless
                    if shared_lever(rigid_friction) == 0.0
                        && touching.wrench[0].z.abs() > rigid_friction.resistance.spinning() * normal =>
                {
                    Some(ModeChange::Spin(body))
                }
                _ => None,
            }
        }))
    }

    /// Lets a body slip against the friction that could not hold it; false where friction would wedge it, so that it
    /// goes on rolling until it lifts off.
    pub(super) fn slip(&mut self, body: usize) -> Result<bool> {
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

    pub(super) fn rigid_contact(&self, body: usize) -> Option<RigidContact> {
        self.state.rigid_contacts.as_ref()?[body]
    }

    pub(super) fn set_rigid_contact(&mut self, body: usize, rigid_contact: Option<RigidContact>) {
        if let Some(rigid_contacts) = &mut self.state.rigid_contacts {
            rigid_contacts[body] = rigid_contact;
        }
    }

    pub(super) fn set_mode(&mut self, body: usize, mode: Mode) {
        if let Some(rigid_contact) = self.rigid_contact(body) {
            self.set_rigid_contact(body, Some(RigidContact { mode, ..rigid_contact }));
        }
    }

    /// All bodies at the present state, with their forces.
    pub(super) fn assembly(&self) -> Result<Assembly<'_>> {
        let layout = Layout::new(self.model, self.rigid_contacts())?;
        let y = layout.pack(&self.state);
        let mut assembly = Assembly::new(self.model, layout, self.state.motions.clone());
        assembly.evaluate(self.state.time, &y)?;
        Ok(assembly)
    }

    /// Holds what a rigid contact has not held before; the energy that this takes is lost to friction.
    pub(super) fn hold(&mut self, body: usize, mode: Mode) -> Result<()> {
        let before = measure::kinetic_energy(self.model, &self.state.motions)?;
        let mut state = self.state.clone();
        let assembly = self.assembly()?;
        let Some(rigid_contact) =
            state.rigid_contacts.as_mut().and_then(|rigid_contacts| rigid_contacts[body].as_mut())
        else {
            return Ok(());
        };
        rigid_contact.mode = mode;
        let pair = rigid_contact.pair(BodyId(body));
        impulse::stop(&assembly, &mut state, body)?;
        let lost = before - measure::kinetic_energy(self.model, &state.motions)?;
        state.pairs.entry(pair).ledger.friction_loss += lost;
        self.state = state;
        Ok(())
    }
}

/// Whether friction can be overcome: a coefficient from [`ROUGH`] on stands for bodies that never slip.
pub(super) fn may_slip(rigid_friction: &RigidFriction) -> bool {
    rigid_friction.sticking < ROUGH
}

/// ρ, where slip and spin share a friction that can be overcome; zero elsewhere. A contact that spins does not stick then:
/// what friction holds vanishes with the slip, and sticking takes both, ‖v‖² + ρ²ω² below the square of the speed at which slip
/// sticks.
pub(super) fn shared_lever(rigid_friction: &RigidFriction) -> f64 {
    if may_slip(rigid_friction) && rigid_friction.sticking > 0.0 { rigid_friction.spin_radius } else { 0.0 }
}

/// T/ρ of the torque that friction takes to hold a contact without spin, beyond what the resistance to spinning takes; zero
/// where slip and spin do not share the friction.
fn spin_force(touching: &ContactKinematics, rigid_friction: &RigidFriction) -> f64 {
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
