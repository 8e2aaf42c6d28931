//! What is remembered of a run, as plain data.

use crate::energy::Energy;

/// The greatest value of a figure, when it was reached and by which bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extreme {
    /// The figure.
    pub value: f64,
    /// In s.
    pub time: f64,
    /// The bodies' places in the model; the same twice where there is only one.
    pub bodies: [usize; 2],
}

impl Extreme {
    /// Keeps the greater one; what is not a number is left to the watch over numbers.
    pub(super) fn keep(best: &mut Option<Self>, found: Self) {
        if found.value.is_finite() && best.is_none_or(|best| found.value > best.value) {
            *best = Some(found);
        }
    }
}

/// The energies seen at outputs, in J.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EnergyFigures {
    /// The total at the first output.
    pub start: f64,
    /// The greatest distance of the total from it.
    pub drift: f64,
    /// When the total was that far away, in s.
    pub drift_time: f64,
    /// The greatest kinetic energy.
    pub kinetic: f64,
    /// Least and greatest potential in gravity.
    pub potential: [f64; 2],
    /// Least and greatest potential of the applied forces.
    pub applied: [f64; 2],
    /// The most that contacts stored.
    pub stored: f64,
    /// The most that contacts had damped and lost to friction, or that changes of stiffness had brought.
    pub lost: f64,
    /// The most that changes of stiffness and of weights had brought or taken.
    pub brought: f64,
    /// The most that forces, motors and prescribed bodies had taken or given.
    pub exchanged: f64,
}

impl EnergyFigures {
    /// The books at the first output.
    pub(super) fn new(energy: &Energy) -> Self {
        Self {
            start: energy.total(),
            drift: 0.0,
            drift_time: 0.0,
            kinetic: 0.0,
            potential: [energy.potential; 2],
            applied: [energy.applied; 2],
            stored: 0.0,
            lost: 0.0,
            brought: 0.0,
            exchanged: 0.0,
        }
    }

    /// Takes the energies of an output, all finite.
    pub(super) fn see(&mut self, energy: &Energy, time: f64) {
        // Two finite totals may differ by more than there are numbers; what is stored stays a number.
        let drift = (energy.total() - self.start).abs().min(f64::MAX);
        if drift > self.drift {
            (self.drift, self.drift_time) = (drift, time);
        }
        let widen = |range: &mut [f64; 2], value: f64| {
            *range = [range[0].min(value), range[1].max(value)];
        };
        widen(&mut self.potential, energy.potential);
        widen(&mut self.applied, energy.applied);
        let contacts = &energy.contacts;
        self.kinetic = self.kinetic.max(energy.kinetic);
        self.stored = self.stored.max(contacts.stored.abs());
        self.lost = self
            .lost
            .max((contacts.damped + contacts.friction_loss).abs())
            .max(contacts.stiffness_change.abs());
        self.brought = self.brought.max(contacts.stiffness_change.abs());
        self.exchanged = self.exchanged.max(energy.dissipated.abs());
    }

    /// W, the energy in play, in J.
    pub fn in_play(&self) -> f64 {
        let range = |[low, high]: [f64; 2]| high - low;
        [self.stored, self.lost, self.exchanged, range(self.potential), range(self.applied)]
            .into_iter()
            .fold(self.kinetic, f64::max)
    }

    /// The greatest number that was added up, whose rounding is in the total.
    pub(super) fn greatest(&self) -> f64 {
        let size = |[low, high]: [f64; 2]| low.abs().max(high.abs());
        self.in_play().max(size(self.potential)).max(size(self.applied))
    }
}

/// What has been seen of a run.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Figures {
    /// The time of the last step, in s.
    pub time: f64,
    /// The longest step, in s: one that ends at an output may be shorter than the scheme's.
    pub longest_step: f64,
    /// The energies; none before the first output.
    pub energy_figures: Option<EnergyFigures>,
    /// The step over the longest stable one.
    pub step: Option<Extreme>,
    /// The way in a step of bodies that pass through each other in it, over their least widths.
    pub passed: Option<Extreme>,
    /// Depth over half width.
    pub overlap: Option<Extreme>,
    /// How far the middle of a body is inside a half-space, over the half width; the half-space is the second body.
    pub sunk: Option<Extreme>,
    /// The rounding of a body's position over its size.
    pub far: Option<Extreme>,
    /// The last time up to which all was finite, where something is not.
    pub not_finite: Option<f64>,
    /// When it was seen that the run leads no further.
    pub stalled: Option<f64>,
    /// Steps since progress was last looked at.
    pub window_steps: u64,
    /// The time then, in s.
    pub window_begin: f64,
}
