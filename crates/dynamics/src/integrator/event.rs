//! Events: zeros of g(t, y(t)) along the interpolant of a step.
//!
//! A step is sampled at its end and at interior points. Where two neighbouring samples have different signs, or the later
//! one is zero, there is a zero between them, and `root.rs` closes in on it until the bracket is 2ε max(∣t₀∣, ∣t₁∣) long. The
//! time reported is the later end of the bracket: there g has reached zero or has just passed it.
//!
//! What is at zero when a segment starts has no sign yet: an event with g = 0 exactly, and one that was reported at this very
//! time, whose g is zero but for rounding. Its sign is the one just after the start, at 2⁻²⁴ of the first step or at the
//! first sample where g is not zero. So it is reported again when it has left zero and comes back, and not at once.
//!
//! Two zeros between neighbouring samples cancel in the signs. They are looked for where the parabola through three samples
//! dips to less than half of the least of them: its lowest point is evaluated, takes the place of the farthest sample, and
//! so on, at most [`DIP_TRIES`] times. So the pairs of zeros of a g that turns no more than once or twice in a step are found
//! (tested on sinusoids of up to 4 rad per step). The limit: a g that oscillates faster than that, touches zero without
//! passing it, or has a feature narrower than the distance of the samples can pass unnoticed;
//! [`Settings::longest_step`](super::Settings::longest_step) is the remedy. So can one that leaves zero at the start of a
//! segment and is back within 2⁻²⁴ of the step.
//!
//! | symbol | here | unit |
//! |---|---|---|
//! | g | `function` | any |
//! | t₀, t₁ | ends of the step | s |

use super::Stepper;
use super::root::locate;
use crate::{DynamicsError, Result};

/// The fraction of a first step after which an event that was at zero at its start has a sign: long enough for a g that
/// leaves zero to exceed its rounding, ε on a scale of the motion in a step, by nine digits.
const JUST_AFTER: f64 = 1.0 / (1 << 24) as f64;

/// Where a step is sampled. The samples crowd at the ends, where no parabola looks across into the neighbouring step.
const SAMPLES: [f64; 5] = [0.1, 0.35, 0.65, 0.9, 1.0];

/// Evaluations spent on one suspected pair of zeros. A smooth dip shows in two or three.
const DIP_TRIES: usize = 8;

/// Which change of sign is an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From negative to positive, as time is integrated.
    Rising,
    /// From positive to negative, as time is integrated.
    Falling,
    /// Either.
    Both,
}

/// g(t, y).
type Function<'a> = Box<dyn FnMut(f64, &[f64]) -> Result<f64> + 'a>;

/// A scalar function of time and state whose zeros are wanted.
pub struct Event<'a> {
    direction: Direction,
    function: Function<'a>,
    /// Whether it was among those that ended the last call of `advance`.
    fired: bool,
    /// When it did so last.
    fired_at: Option<f64>,
    /// The last sample with a sign, if there is one.
    latest: Option<(f64, f64)>,
    /// The two samples before the present one, from the present step, of the sign of `latest`.
    trail: [Option<(f64, f64)>; 2],
}

impl std::fmt::Debug for Event<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Event").field("direction", &self.direction).field("fired_at", &self.fired_at).finish()
    }
}

impl<'a> Event<'a> {
    /// An event where `function` passes zero in the wanted direction. It should be as smooth as the motion.
    pub fn new(direction: Direction, function: impl FnMut(f64, &[f64]) -> Result<f64> + 'a) -> Self {
        let function = Box::new(function);
        Self { direction, function, fired: false, fired_at: None, latest: None, trail: [None; 2] }
    }

    /// Whether it ended the last call of [`advance`](super::advance()), alone or at the same time as others.
    pub fn fired(&self) -> bool {
        self.fired
    }

    fn value(&mut self, t: f64, y: &[f64]) -> Result<f64> {
        let value = (self.function)(t, y)?;
        if value.is_nan() {
            return Err(DynamicsError::NotFinite { time: t, what: "an event function" });
        }
        Ok(value)
    }

    /// Starts a segment.
    pub(super) fn begin(&mut self, t: f64, y: &[f64]) -> Result<()> {
        self.fired = false;
        let value = self.value(t, y)?;
        let at_zero = value == 0.0 || self.fired_at == Some(t);
        self.latest = (!at_zero).then_some((t, value));
        self.trail = [None, self.latest];
        Ok(())
    }

    /// Takes a sample at `t`, where the state is `y`; the time of a wanted zero since the last sample, if there is one.
    fn examine(
        &mut self,
        stepper: &dyn Stepper,
        t: f64,
        y: &[f64],
        probe: &mut Probe,
    ) -> Result<Option<f64>> {
        let sample = (t, self.value(t, y)?);
        let Some(latest) = self.latest else {
            self.latest = (sample.1 != 0.0).then_some(sample);
            self.trail = [None, self.latest];
            return Ok(None);
        };
        if (latest.1 > 0.0) == (sample.1 > 0.0) && sample.1 != 0.0 {
            if let [Some(first), Some(second)] = self.trail
                && let Some(dip) = self.dip(stepper, [first, second, sample], probe)?
            {
                let (from, to) = if self.wants(first.1) { (first, dip) } else { (dip, sample) };
                return self.locate(stepper, from, to, probe).map(Some);
            }
            (self.latest, self.trail) = (Some(sample), [self.trail[1], Some(sample)]);
            return Ok(None);
        }
        if self.wants(latest.1) {
            return self.locate(stepper, latest, sample, probe).map(Some);
        }
        if sample.1 != 0.0 {
            (self.latest, self.trail) = (Some(sample), [None, Some(sample)]);
        }
        Ok(None)
    }

    /// Whether a change away from the sign of `value` is wanted.
    fn wants(&self, value: f64) -> bool {
        match self.direction {
            Direction::Rising => value < 0.0,
            Direction::Falling => value > 0.0,
            Direction::Both => true,
        }
    }

    fn interpolated(&mut self, stepper: &dyn Stepper, t: f64, probe: &mut Probe) -> Result<f64> {
        stepper.interpolate(t, &mut probe.state);
        self.value(t, &probe.state)
    }

    fn locate(
        &mut self,
        stepper: &dyn Stepper,
        from: (f64, f64),
        to: (f64, f64),
        probe: &mut Probe,
    ) -> Result<f64> {
        let width = probe.width;
        locate(|t| self.interpolated(stepper, t, probe), from, to, width).map(|(_, after)| after)
    }

    /// A point of the other sign between three samples of the same, if a parabola leads to one.
    fn dip(
        &mut self,
        stepper: &dyn Stepper,
        mut samples: [(f64, f64); 3],
        probe: &mut Probe,
    ) -> Result<Option<(f64, f64)>> {
        let sign = samples[0].1.signum();
        let (first, last) = (samples[0].0, samples[2].0);
        for _ in 0..DIP_TRIES {
            let [(x0, g0), (x1, g1), (x2, g2)] = samples;
            let slope = (g1 - g0) / (x1 - x0);
            let bend = ((g2 - g1) / (x2 - x1) - slope) / (x2 - x0);
            let x = 0.5 * (x0 + x1) - 0.5 * slope / bend;
            let lowest = g0 + slope * (x - x0) + bend * (x - x0) * (x - x1);
            let least = (sign * g0).min(sign * g1).min(sign * g2);
            let inside = (x - first) * (last - x) > 0.0 && x != x0 && x != x1 && x != x2;
            if !(sign * bend > 0.0 && inside && sign * lowest < 0.5 * least) {
                return Ok(None);
            }
            let found = (x, self.interpolated(stepper, x, probe)?);
            if sign * found.1 <= 0.0 {
                return Ok(Some(found));
            }
            let farthest = (0..3)
                .max_by(|&a, &b| (samples[a].0 - x).abs().total_cmp(&(samples[b].0 - x).abs()))
                .unwrap_or(0);
            samples[farthest] = found;
        }
        Ok(None)
    }
}

/// Where one event looks between the samples.
#[derive(Debug)]
struct Probe {
    state: Vec<f64>,
    /// How narrow a bracket must be: rounding of the times of the step.
    width: f64,
}

/// The search through a step, with its buffers.
#[derive(Debug)]
pub(super) struct Scan {
    /// The state of the sample that all events look at.
    sample: Vec<f64>,
    probe: Probe,
    /// Zeros found since the last sample, one place per event.
    found: Vec<Option<f64>>,
}

impl Scan {
    pub fn new(dimension: usize, events: usize) -> Self {
        let probe = Probe { state: vec![0.0; dimension], width: 0.0 };
        Self { sample: vec![0.0; dimension], probe, found: vec![None; events] }
    }

    /// The first event within the last step: its time, and the least index of those that share it. All of them are marked
    /// as fired.
    pub fn first(
        &mut self,
        stepper: &dyn Stepper,
        events: &mut [Event<'_>],
        starts_segment: bool,
    ) -> Result<Option<(usize, f64)>> {
        if events.is_empty() {
            return Ok(None);
        }
        let (begin, end) = (stepper.previous_time(), stepper.time());
        let step = end - begin;
        self.probe.width = 2.0 * f64::EPSILON * begin.abs().max(end.abs());
        for event in events.iter_mut() {
            event.trail = [None, event.latest.filter(|sample| sample.0 == begin)];
        }
        if starts_segment && events.iter().any(|event| event.latest.is_none()) {
            // A few widths at least, so that it is not the start itself.
            let after = (JUST_AFTER * step.abs()).max(4.0 * self.probe.width).min(step.abs()).copysign(step);
            stepper.interpolate(begin + after, &mut self.sample);
            for event in events.iter_mut().filter(|event| event.latest.is_none()) {
                event.examine(stepper, begin + after, &self.sample, &mut self.probe)?;
            }
        }
        for fraction in SAMPLES {
            let t = if fraction == 1.0 { end } else { begin + fraction * step };
            stepper.interpolate(t, &mut self.sample);
            for (event, found) in events.iter_mut().zip(&mut self.found) {
                *found = event.examine(stepper, t, &self.sample, &mut self.probe)?;
            }
            let ahead = |a: &f64, b: &f64| (a - begin).abs().total_cmp(&(b - begin).abs());
            if let Some(time) = self.found.iter().flatten().copied().min_by(ahead) {
                return Ok(Some((self.mark(events, time), time)));
            }
        }
        Ok(None)
    }

    /// Marks all events within rounding of `time`, and returns the least index.
    ///
    /// The start of the next segment may be on the far side of them, where they would not be seen again.
    fn mark(&self, events: &mut [Event<'_>], time: f64) -> usize {
        let mut least = None;
        for (i, (event, found)) in events.iter_mut().zip(&self.found).enumerate() {
            if found.is_some_and(|found| (found - time).abs() <= 2.0 * self.probe.width) {
                (event.fired, event.fired_at) = (true, Some(time));
                least = least.or(Some(i));
            }
        }
        least.unwrap_or(0)
    }
}
