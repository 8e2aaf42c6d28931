//! Which mode a seat is in: decided at the beginning of every segment, from the forces that each mode would take.

use super::assembly::Assembly;
use super::impulse;
use super::layout::Layout;
use super::seat::{Mode, Seat};
use super::{Rolling, Told};
use crate::error::Result;
use crate::measure;
use crate::model::BodyId;
use rattleback_contact::law::Grip;

/// The slip with which a body begins to slide, as a share of the speed at which slip sticks: it has a direction.
const FIRST_SLIP: f64 = 1e-3;
/// Friction that leaves a sliding body less of its freedom than this wedges it.
const WEDGED: f64 = 0.01;
/// From this coefficient on bodies do not slip as long as they are pressed together.
pub const ROUGH: f64 = 1e4;
/// Rounds of choices; each one settles a seat at least.
const MOST_ROUNDS: usize = 100;

impl Rolling<'_> {
    /// Changes modes that cannot go on: lifts off what would be pulled, lets slip what friction does not hold. Says
    /// what has parted; whatever else changes is not told.
    pub(super) fn choose_modes(&mut self) -> Result<Vec<Told>> {
        let mut wedged = Vec::new();
        for _ in 0..MOST_ROUNDS {
            match self.choice(&wedged)? {
                None => break,
                Some(Choice::Rise(body)) => return Ok(vec![self.rise(body)?]),
                Some(Choice::Spin(body)) => self.set_mode(body, Mode::Rolling),
                Some(Choice::Slip(body)) => {
                    if !self.slip(body)? {
                        wedged.push(body);
                    }
                }
            }
        }
        Ok(Vec::new())
    }

    /// What has to change first; bodies that are wedged do not slip.
    fn choice(&self, wedged: &[usize]) -> Result<Option<Choice>> {
        let assembly = self.assembly()?;
        Ok(self.seats().iter().enumerate().find_map(|(body, seat)| {
            let (seat, touching) = (seat.as_ref()?, assembly.touching[body].as_ref()?);
            let (grip, normal) = (assembly.grip(body)?, touching.normal_force());
            if normal < 0.0 {
                return Some(Choice::Rise(body));
            }
            match seat.mode {
                Mode::Sliding => None,
                _ if touching.friction().norm() > grip.sticking * normal
                    && may_slip(grip)
                    && !wedged.contains(&body) =>
                {
                    Some(Choice::Slip(body))
                }
                Mode::Spinless if touching.wrench[0].z.abs() > grip.resistance.spinning() * normal => {
                    Some(Choice::Spin(body))
                }
                _ => None,
            }
        }))
    }

    /// Lets a body slip against the friction that could not hold it; false where friction would wedge it, so that it
    /// goes on rolling until it lifts off.
    pub(super) fn slip(&mut self, body: usize) -> Result<bool> {
        let before = self.state.clone();
        let friction = self.assembly()?.touching[body].as_ref().map(|touching| touching.friction());
        let Some((seat, friction)) = self.seat(body).zip(friction) else { return Ok(true) };
        if seat.mode == Mode::Sliding || friction.norm() == 0.0 {
            return Ok(true);
        }
        let mut next = Seat { mode: Mode::Sliding, ..seat };
        let slip = friction * (-FIRST_SLIP * self.settings.stick / friction.norm());
        (next.velocities[3], next.velocities[4]) = (slip.x, slip.y);
        self.set_seat(body, Some(next));
        let assembly = self.assembly()?;
        let (freedom, motions) = (assembly.freedom(body), assembly.motions.clone());
        if freedom < WEDGED {
            self.state = before;
            return Ok(false);
        }
        let brought = measure::kinetic_energy(self.model, &motions)?
            - measure::kinetic_energy(self.model, &self.state.motions)?;
        self.state.motions = motions;
        self.state.pairs.entry(seat.pair(BodyId(body))).ledger.friction_loss -= brought;
        Ok(true)
    }

    pub(super) fn seat(&self, body: usize) -> Option<Seat> {
        self.state.seats.as_ref()?[body]
    }

    pub(super) fn set_seat(&mut self, body: usize, seat: Option<Seat>) {
        if let Some(seats) = &mut self.state.seats {
            seats[body] = seat;
        }
    }

    pub(super) fn set_mode(&mut self, body: usize, mode: Mode) {
        if let Some(seat) = self.seat(body) {
            self.set_seat(body, Some(Seat { mode, ..seat }));
        }
    }

    /// All bodies at the present state, with their forces.
    pub(super) fn assembly(&self) -> Result<Assembly<'_>> {
        let layout = Layout::new(self.model, self.seats())?;
        let y = layout.pack(&self.state);
        let mut assembly = Assembly::new(self.model, layout, self.state.motions.clone());
        assembly.evaluate(self.state.time, &y)?;
        Ok(assembly)
    }

    /// Holds what a seat has not held before; the energy that this takes is lost to friction.
    pub(super) fn hold(&mut self, body: usize, mode: Mode) -> Result<()> {
        let before = measure::kinetic_energy(self.model, &self.state.motions)?;
        let mut state = self.state.clone();
        let assembly = self.assembly()?;
        let Some(seat) = state.seats.as_mut().and_then(|seats| seats[body].as_mut()) else { return Ok(()) };
        seat.mode = mode;
        let pair = seat.pair(BodyId(body));
        impulse::stop(&assembly, &mut state, body)?;
        let lost = before - measure::kinetic_energy(self.model, &state.motions)?;
        state.pairs.entry(pair).ledger.friction_loss += lost;
        self.state = state;
        Ok(())
    }
}

/// Whether friction can be overcome: a coefficient from [`ROUGH`] on stands for bodies that never slip.
pub(super) fn may_slip(grip: &Grip) -> bool {
    grip.sticking < ROUGH
}

/// A change that a seat has to make.
enum Choice {
    Rise(usize),
    Slip(usize),
    Spin(usize),
}
