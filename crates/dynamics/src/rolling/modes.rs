//! Which mode a seat is in: decided at the beginning of every segment, from the forces that each mode would take.

use super::assembly::Assembly;
use super::impulse;
use super::layout::Layout;
use super::seat::{Mode, Seat};
use super::{Rolling, Told};
use crate::error::Result;
use crate::measure;
use rattleback_geom::nalgebra::Vector2;

/// The slip with which a body begins to slide, as a share of the speed at which slip sticks: it has a direction, and no
/// energy to speak of.
const FIRST_SLIP: f64 = 1e-6;
/// Rounds of choices; each one settles a seat at least.
const MOST_ROUNDS: usize = 100;

impl Rolling<'_> {
    /// Changes modes that cannot go on: lifts off what would be pulled, lets slip what friction does not hold. Says what
    /// has parted; whatever else changes is not told.
    pub(super) fn choose_modes(&mut self) -> Result<Vec<Told>> {
        for _ in 0..MOST_ROUNDS {
            let assembly = self.assembly()?;
            let Some(seats) = &self.state.seats else { break };
            let choice = seats.iter().enumerate().find_map(|(body, seat)| {
                let (seat, touching) = (seat.as_ref()?, assembly.touching[body].as_ref()?);
                let grip = assembly.grip(body)?;
                let normal = touching.normal_force();
                if normal < 0.0 {
                    return Some((body, None));
                }
                let next = match seat.mode {
                    Mode::Sliding => return None,
                    _ if touching.friction().norm() > grip.sticking * normal => {
                        Seat { mode: Mode::Sliding, ..*seat }
                            .slipping(&touching.friction(), self.settings.stick)
                    }
                    Mode::Spinless if touching.wrench[0].z.abs() > grip.resistance.spinning() * normal => {
                        Seat { mode: Mode::Rolling, ..*seat }
                    }
                    _ => return None,
                };
                Some((body, Some(next)))
            });
            match choice {
                None => break,
                Some((body, None)) => return Ok(vec![self.rise(body)?]),
                Some((body, Some(next))) => {
                    if let Some(seats) = &mut self.state.seats {
                        seats[body] = Some(next);
                    }
                }
            }
        }
        Ok(Vec::new())
    }

    /// All bodies at the present state, with their forces.
    pub(super) fn assembly(&self) -> Result<Assembly<'_>> {
        let seats = self.state.seats.as_deref().unwrap_or_default();
        let layout = Layout::new(self.model, seats)?;
        let y = layout.pack(&self.state);
        let mut assembly = Assembly::new(self.model, layout, self.state.motions.clone());
        assembly.evaluate(self.state.time, &y)?;
        Ok(assembly)
    }

    /// Holds what a seat has not held before; the energy that this takes is rubbed away.
    pub(super) fn hold(&mut self, body: usize, mode: Mode) -> Result<()> {
        let before = measure::kinetic_energy(self.model, &self.state.motions);
        let mut state = self.state.clone();
        let assembly = self.assembly()?;
        let Some(seat) = state.seats.as_mut().and_then(|seats| seats[body].as_mut()) else { return Ok(()) };
        seat.mode = mode;
        let pair = seat.pair(crate::model::BodyId(body));
        impulse::stop(&assembly, &mut state, body)?;
        let lost = before - measure::kinetic_energy(self.model, &state.motions);
        state.pairs.entry(pair).or_default().ledger.rubbed += lost;
        self.state = state;
        Ok(())
    }
}

impl Seat {
    /// The same with a slip that begins against the friction that could not hold it.
    pub(super) fn slipping(mut self, friction: &Vector2<f64>, stick: f64) -> Self {
        let slip = friction * (-FIRST_SLIP * stick / friction.norm());
        (self.velocities[3], self.velocities[4]) = (slip.x, slip.y);
        self
    }
}
