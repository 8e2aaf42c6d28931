//! The body's mass from the plates.
//!
//! Over a time T in which every foot on the ground is on a plate, momentum says ∫F_y dt = m (g T + Δv), Δv the change
//! of the centre of mass's vertical velocity, which markers give. Without a whole body T is a number of whole strides
//! and Δv is taken as zero.

use super::{StanceFinding, total_force};
use crate::Result;
use crate::body::{CentreOfMass, GRAVITY};
use crate::trial::Trial;
use std::ops::Range;

/// The vertical velocity of a centre of mass from markers is known to about this, in m/s.
const VELOCITY_ERROR: f64 = 0.02;
/// The shortest time that weighs, in s: about a step.
const SHORTEST: f64 = 0.5;

/// A body's mass.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Mass {
    /// In kg.
    pub kg: f64,
    /// Its standard deviation, in kg; zero where it was given.
    pub deviation_kg: f64,
    /// Where it is from.
    pub source: String,
    /// What the plates say where it was given, in kg.
    pub by_plates_kg: Option<f64>,
}

/// The longest run of frames in which every foot on the ground is on a plate, and one is.
pub(super) fn supported(trial: &Trial, stances: &[StanceFinding]) -> Range<usize> {
    let is_supported = |time: f64| {
        let mut on = stances.iter().filter(|s| s.stance.contains(time)).peekable();
        on.peek().is_some() && on.all(|s| s.plate.is_some() || !s.beside && is_short(s))
    };
    let (mut best, mut first) = (0..0, 0);
    for (i, time) in trial.times.iter().enumerate() {
        if !is_supported(*time) {
            first = i + 1;
        } else if i + 1 - first > best.len() {
            best = first..i + 1;
        }
    }
    best
}

/// A stance cut off by the trial's end may be too short for its plate to be told.
fn is_short(finding: &StanceFinding) -> bool {
    finding.stance.end - finding.stance.begin < 0.1
}

/// Weighs the body.
pub(super) fn weigh(
    trial: &Trial,
    run: Range<usize>,
    centre: Option<&CentreOfMass>,
    given: Option<f64>,
) -> Result<Option<Mass>> {
    if let Some(kg) = given {
        let by_plates_kg = weigh(trial, run, centre, None)?.map(|mass| mass.kg);
        return Ok(Some(Mass { kg, deviation_kg: 0.0, source: "given".to_owned(), by_plates_kg }));
    }
    let run = match centre {
        Some(c) => run.start.max(c.first)..run.end.min(c.first + c.positions.len()),
        None => run,
    };
    let time = run.len().saturating_sub(1) as f64 / trial.rate_hz;
    if trial.plates.is_empty() || time < SHORTEST {
        return Ok(None);
    }
    let force = total_force(trial)?;
    let inner: f64 = force[run.clone()].iter().map(|f| f.y).sum();
    // The trapezoidal rule.
    let impulse = (inner - 0.5 * (force[run.start].y + force[run.end - 1].y)) / trial.rate_hz;
    let change =
        centre.map_or(0.0, |c| c.velocities[run.end - 1 - c.first].y - c.velocities[run.start - c.first].y);
    let kg = impulse / (GRAVITY * time + change);
    // Without a whole body the velocity may have changed by all it changes within a step.
    let unknown = if centre.is_some() { VELOCITY_ERROR * 2f64.sqrt() } else { 0.4 };
    Ok(Some(Mass {
        kg,
        deviation_kg: kg * unknown / (GRAVITY * time),
        source: format!("plates, {:.2} to {:.2} s", trial.times[run.start], trial.times[run.end - 1]),
        by_plates_kg: None,
    }))
}
