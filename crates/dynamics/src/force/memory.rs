//! What forces remember, and the loads of a list of forces with it.
//!
//! Only windlasses remember anything: one [`WindlassState`] each, in the order of declaration. A list that is still
//! empty stands for windlasses that have not moved yet.

use super::{Force, Windlass};
use crate::body::Motion;
use crate::error::Result;
use crate::load::Load;

/// What a windlass remembers from step to step.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct WindlassState {
    /// The unstretched length of the line that is out, in m.
    pub length: f64,
    /// Its rate in the last step, in m/s; negative where the windlass winds in.
    pub rate: f64,
    /// For how long it has stood still while it should wind in, in s.
    pub stalled: f64,
    /// Whether the brake is on; it stays on.
    pub braked: bool,
}

/// The windlasses among forces, in the order of declaration.
pub(crate) fn windlasses(forces: &[Force]) -> impl Iterator<Item = &Windlass> {
    forces.iter().filter_map(|force| match force {
        Force::Windlass(windlass) => Some(windlass),
        _ => None,
    })
}

/// How many of the forces remember something.
pub(crate) fn count(forces: &[Force]) -> usize {
    windlasses(forces).count()
}

/// Fills a list that is still empty with what the forces remember at the start.
pub(crate) fn begin(forces: &[Force], remembered: &mut Vec<WindlassState>) {
    if remembered.is_empty() {
        remembered.extend(windlasses(forces).map(Windlass::first));
    }
}

/// Moves what is remembered at the beginning of a step of `h` seconds to its end. Returns by how much the power that
/// the forces dissipate at the beginning changes because the windlasses take up other rates there, in W.
pub(crate) fn advance(
    forces: &[Force],
    remembered: &mut [WindlassState],
    time: f64,
    h: f64,
    motions: &[Motion],
) -> f64 {
    let mut jump = 0.0;
    for (windlass, state) in windlasses(forces).zip(remembered) {
        let next = windlass.advance(state, time, h, motions);
        jump += windlass.wound(state, motions) * (next.rate - state.rate);
        *state = next;
    }
    jump
}

/// The loads of forces with what they remember, in the order of declaration.
pub(crate) fn loads<'a>(
    forces: &'a [Force],
    remembered: &'a [WindlassState],
    time: f64,
    motions: &'a [Motion],
    tangent: bool,
) -> impl Iterator<Item = Result<Load>> + 'a {
    let mut memories = remembered.iter();
    forces.iter().map(move |force| match force {
        Force::Windlass(windlass) => {
            let state = memories.next().copied().unwrap_or_else(|| windlass.first());
            Ok(windlass.load(&state, motions, tangent))
        }
        other => other.load(time, motions, tangent),
    })
}
