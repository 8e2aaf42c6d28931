//! The figures of a run's health as JSON, for checkpoints, and the verdict on them, for manifests.

use super::manifest::number;
use rattleback_dynamics::health::{Books, Figures, Health, Worst};
use serde::{Deserialize, Serialize};

/// The mirror of [`Figures`].
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct StoredFigures {
    time: f64,
    books: Option<StoredBooks>,
    step: Option<StoredWorst>,
    overlap: Option<StoredWorst>,
    sunk: Option<StoredWorst>,
    far: Option<StoredWorst>,
    not_finite: Option<f64>,
    stalled: Option<f64>,
    window_steps: u64,
    window_begin: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct StoredWorst {
    value: f64,
    time: f64,
    bodies: [usize; 2],
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct StoredBooks {
    start: f64,
    drift: f64,
    drift_time: f64,
    kinetic: f64,
    potential: [f64; 2],
    applied: [f64; 2],
    stored: f64,
    lost: f64,
    exchanged: f64,
}

impl StoredFigures {
    pub(super) fn new(figures: &Figures) -> Self {
        let worst = |worst: Option<Worst>| {
            worst.map(|Worst { value, time, bodies }| StoredWorst { value, time, bodies })
        };
        let books = |books: Books| StoredBooks {
            start: books.start,
            drift: books.drift,
            drift_time: books.drift_time,
            kinetic: books.kinetic,
            potential: books.potential,
            applied: books.applied,
            stored: books.stored,
            lost: books.lost,
            exchanged: books.exchanged,
        };
        Self {
            time: figures.time,
            books: figures.books.map(books),
            step: worst(figures.step),
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
        let worst = |worst: Option<StoredWorst>| {
            worst.map(|StoredWorst { value, time, bodies }| Worst { value, time, bodies })
        };
        let books = |books: StoredBooks| Books {
            start: books.start,
            drift: books.drift,
            drift_time: books.drift_time,
            kinetic: books.kinetic,
            potential: books.potential,
            applied: books.applied,
            stored: books.stored,
            lost: books.lost,
            exchanged: books.exchanged,
        };
        Figures {
            time: self.time,
            books: self.books.map(books),
            step: worst(self.step),
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
        let in_play = figures.books.map_or(f64::NAN, |books| books.in_play());
        let drift = figures.books.map_or(f64::NAN, |books| books.drift);
        let value = |worst: Option<Worst>| worst.map_or(0.0, |worst| worst.value);
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
