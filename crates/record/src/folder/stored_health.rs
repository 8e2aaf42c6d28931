//! The figures of a run's health as JSON, for checkpoints, and the verdict on them, for manifests.

use super::manifest::number;
use rattleback_dynamics::health::{EnergyFigures, Extreme, Figures, Health};
use serde::{Deserialize, Serialize};

/// The mirror of [`Figures`].
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct StoredFigures {
    time: f64,
    #[serde(default)]
    longest_step: f64,
    energy_figures: Option<StoredEnergyFigures>,
    step: Option<StoredExtreme>,
    #[serde(default)]
    passed: Option<StoredExtreme>,
    overlap: Option<StoredExtreme>,
    sunk: Option<StoredExtreme>,
    far: Option<StoredExtreme>,
    not_finite: Option<f64>,
    stalled: Option<f64>,
    window_steps: u64,
    window_begin: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct StoredExtreme {
    value: f64,
    time: f64,
    bodies: [usize; 2],
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct StoredEnergyFigures {
    start: f64,
    drift: f64,
    drift_time: f64,
    kinetic: f64,
    potential: [f64; 2],
    applied: [f64; 2],
    stored: f64,
    lost: f64,
    #[serde(default)]
    brought: f64,
    exchanged: f64,
}

impl StoredFigures {
    pub(super) fn new(figures: &Figures) -> Self {
        let worst = |worst: Option<Extreme>| {
            worst.map(|Extreme { value, time, bodies }| StoredExtreme { value, time, bodies })
        };
        let energy_figures = |energy_figures: EnergyFigures| StoredEnergyFigures {
            start: energy_figures.start,
            drift: energy_figures.drift,
            drift_time: energy_figures.drift_time,
            kinetic: energy_figures.kinetic,
            potential: energy_figures.potential,
            applied: energy_figures.applied,
            stored: energy_figures.stored,
            lost: energy_figures.lost,
            brought: energy_figures.brought,
            exchanged: energy_figures.exchanged,
        };
        Self {
            time: figures.time,
            longest_step: figures.longest_step,
            energy_figures: figures.energy_figures.map(energy_figures),
            step: worst(figures.step),
            passed: worst(figures.passed),
            overlap: worst(figures.overlap),
            sunk: worst(figures.sunk),
            far: worst(figures.far),
            not_finite: figures.not_finite,
            stalled: figures.stalled,
            window_steps: figures.window_steps,
            window_begin: figures.window_begin,
        }
    }

    pub(super) fn figures(&self) -> Figures {
        let worst = |worst: Option<StoredExtreme>| {
            worst.map(|StoredExtreme { value, time, bodies }| Extreme { value, time, bodies })
        };
        let energy_figures = |energy_figures: StoredEnergyFigures| EnergyFigures {
            start: energy_figures.start,
            drift: energy_figures.drift,
            drift_time: energy_figures.drift_time,
            kinetic: energy_figures.kinetic,
            potential: energy_figures.potential,
            applied: energy_figures.applied,
            stored: energy_figures.stored,
            lost: energy_figures.lost,
            brought: energy_figures.brought,
            exchanged: energy_figures.exchanged,
        };
        Figures {
            time: self.time,
            longest_step: self.longest_step,
            energy_figures: self.energy_figures.map(energy_figures),
            step: worst(self.step),
            passed: worst(self.passed),
            overlap: worst(self.overlap),
            sunk: worst(self.sunk),
            far: worst(self.far),
            not_finite: self.not_finite,
            stalled: self.stalled,
            window_steps: self.window_steps,
            window_begin: self.window_begin,
        }
    }
}

/// Whether a run can be trusted, in the manifest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[allow(non_snake_case, reason = "the names end in their units")]
pub struct HealthSummary {
    /// Whether nothing is wrong with it.
    pub healthy: bool,
    /// The verdict in one line, with advice.
    pub verdict: String,
    /// The energy in play, in J; not a number before the first output.
    #[serde(deserialize_with = "number")]
    pub in_play_J: f64,
    /// How far the total energy strayed, over the energy in play.
    #[serde(deserialize_with = "number")]
    pub drift_share: f64,
    /// The greatest depth over the half width of the smaller part.
    #[serde(deserialize_with = "number")]
    pub overlap_share: f64,
    /// The longest step over the longest stable one, where steps are explicit and fixed.
    #[serde(deserialize_with = "number")]
    pub step_share: f64,
}

impl HealthSummary {
    pub(super) fn new(health: &Health) -> Self {
        let (figures, verdict) = (health.figures(), health.verdict());
        let in_play = figures.energy_figures.map_or(f64::NAN, |energy_figures| energy_figures.in_play());
        let drift = figures.energy_figures.map_or(f64::NAN, |energy_figures| energy_figures.drift);
        let value = |worst: Option<Extreme>| worst.map_or(0.0, |worst| worst.value);
        Self {
            healthy: verdict.is_healthy(),
            verdict: verdict.line,
            in_play_J: in_play,
            drift_share: if in_play > 0.0 { drift / in_play } else { 0.0 },
            overlap_share: value(figures.overlap),
            step_share: value(figures.step),
        }
    }
}
