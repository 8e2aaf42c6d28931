//! Events: zeros of g(t, y(t)) along the interpolant of a step.
//!
//! A step is sampled at its end and at interior points. Where two neighbouring samples have different signs, or the
//! later one is zero, there is a zero between them, and `root.rs` closes in on it until the bracket is 2ε max(∣t₀∣,
//! ∣t₁∣) long. The time reported is the later end of the bracket: there g has reached zero or has just passed it.
//!
//! What is at zero when a segment starts has no sign yet: an event with g = 0 exactly, and one that was reported at
//! this very time, whose g is zero but for rounding. Its sign is the one just after the start, at 2⁻²⁴ of the first
//! step or at the first sample where g is not zero. So it is reported again when it has left zero and comes back, and
//! not at once.
//!
//! Two zeros between neighbouring samples cancel in the signs. They are looked for where the parabola through three
//! samples dips to less than half of the least of them: its lowest point is evaluated, takes the place of the farthest
//! sample, and so on, at most [`DIP_TRIES`] times. So the pairs of zeros of a g that turns no more than once or twice
//! in a step are found (tested on sinusoids of up to 4 rad per step). The limit: a g that oscillates faster than that,
//! touches zero without passing it, or has a feature narrower than the distance of the samples can pass unnoticed;
//! [`Settings::longest_step`](super::Settings::longest_step) is the remedy. So can one that leaves zero at the start of
//! a segment and is back within 2⁻²⁴ of the step.
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
pub(crate) const SAMPLES: [f64; 5] = [0.1, 0.35, 0.65, 0.9, 1.0];

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
    tracker: Tracker,
    function: Function<'a>,
}

impl std::fmt::Debug for Event<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Event").field("tracker", &self.tracker).finish()
    }
}

impl<'a> Event<'a> {
    /// An event where `function` passes zero in the wanted direction. It should be as smooth as the motion.
    pub fn new(direction: Direction, function: impl FnMut(f64, &[f64]) -> Result<f64> + 'a) -> Self {
        Self { tracker: Tracker::new(direction), function: Box::new(function) }
    }

    /// Whether it ended the last call of [`advance`](super::advance()), alone or at the same time as others.
    pub fn fired(&self) -> bool {
        self.tracker.fired
    }
}

/// The signs of one function, followed from sample to sample.
#[derive(Debug, Clone)]
pub(crate) struct Tracker {
    direction: Direction,
    /// Whether it was among those that ended the last call of `advance`.
    fired: bool,
    /// When it did so last.
    fired_at: Option<f64>,
    /// The last sample with a sign, if there is one.
    latest: Option<(f64, f64)>,
    /// The two samples before the present one, from the present step, of the sign of `latest`.
    trail: [Option<(f64, f64)>; 2],
}

/// g(t, y), where it is asked for.
pub(crate) type EventFunction<'f> = dyn FnMut(f64, &[f64]) -> Result<f64> + 'f;

fn value(function: &mut EventFunction<'_>, t: f64, y: &[f64]) -> Result<f64> {
    let value = function(t, y)?;
    if value.is_nan() {
        return Err(DynamicsError::NotFinite { time: t, what: "an event function" });
    }
    Ok(value)
}

impl Tracker {
    /// Nothing known yet.
    pub(crate) fn new(direction: Direction) -> Self {
        Self { direction, fired: false, fired_at: None, latest: None, trail: [None; 2] }
    }

    /// Starts a segment with the value at its beginning.
    pub(crate) fn begin(&mut self, t: f64, value: f64) {
        self.fired = false;
        let at_zero = value == 0.0 || self.fired_at == Some(t);
        self.latest = (!at_zero).then_some((t, value));
        self.trail = [None, self.latest];
    }

    /// Starts a step: what is known of earlier ones does not count but for its beginning.
    pub(crate) fn start_step(&mut self, begin: f64) {
        self.trail = [None, self.latest.filter(|sample| sample.0 == begin)];
    }

    /// The last sample with a sign.
    pub(crate) fn latest(&self) -> Option<(f64, f64)> {
        self.latest
    }

    /// Whether it ended the last call of `advance`.
    pub(crate) fn fired(&self) -> bool {
        self.fired
    }

    /// Marks it as one that happened at a time.
    pub(crate) fn fire(&mut self, time: f64) {
        (self.fired, self.fired_at) = (true, Some(time));
    }

    /// Takes a sample at `t`, where the state is `y`; the time of a wanted zero since the last sample, if there is one.
    pub(crate) fn examine(
        &mut self,
        function: &mut EventFunction<'_>,
        stepper: &dyn Stepper,
        (t, y): (f64, &[f64]),
        probe: &mut Probe,
    ) -> Result<Option<f64>> {
        let sample = (t, value(function, t, y)?);
        let Some(latest) = self.latest else {
            self.latest = (sample.1 != 0.0).then_some(sample);
            self.trail = [None, self.latest];
            return Ok(None);
        };
        if (latest.1 > 0.0) == (sample.1 > 0.0) && sample.1 != 0.0 {
            if let [Some(first), Some(second)] = self.trail
                && let Some(dip) = probe.dip(function, stepper, [first, second, sample])?
            {
                let (from, to) = if self.wants(first.1) { (first, dip) } else { (dip, sample) };
                return probe.locate(function, stepper, from, to).map(Some);
            }
            (self.latest, self.trail) = (Some(sample), [self.trail[1], Some(sample)]);
            return Ok(None);
        }
        if self.wants(latest.1) {
            return probe.locate(function, stepper, latest, sample).map(Some);
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
}

/// Where one event looks between the samples.
#[derive(Debug)]
pub(crate) struct Probe {
    state: Vec<f64>,
    /// How narrow a bracket must be: rounding of the times of the step.
    width: f64,
}

impl Probe {
    pub(crate) fn new(dimension: usize) -> Self {
        Self { state: vec![0.0; dimension], width: 0.0 }
    }

    /// Starts a step; the width of its brackets.
    pub(crate) fn start_step(&mut self, begin: f64, end: f64) -> f64 {
        self.width = 2.0 * f64::EPSILON * begin.abs().max(end.abs());
        self.width
    }

    fn interpolated(
        &mut self,
        function: &mut EventFunction<'_>,
        stepper: &dyn Stepper,
        t: f64,
    ) -> Result<f64> {
        stepper.interpolate(t, &mut self.state);
        value(function, t, &self.state)
    }

    fn locate(
        &mut self,
        function: &mut EventFunction<'_>,
        stepper: &dyn Stepper,
        from: (f64, f64),
        to: (f64, f64),
    ) -> Result<f64> {
        let width = self.width;
        locate(|t| self.interpolated(function, stepper, t), from, to, width).map(|(_, after)| after)
    }

    /// A point of the other sign between three samples of the same, if a parabola leads to one.
    fn dip(
        &mut self,
        function: &mut EventFunction<'_>,
        stepper: &dyn Stepper,
        mut samples: [(f64, f64); 3],
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
            let found = (x, self.interpolated(function, stepper, x)?);
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

/// The instant just after the beginning of a step at which what was at zero has a sign: a few widths of a bracket at
/// least, so that it is not the beginning itself.
pub(crate) fn just_after(begin: f64, end: f64, width: f64) -> f64 {
    let step = end - begin;
    begin + (JUST_AFTER * step.abs()).max(4.0 * width).min(step.abs()).copysign(step)
}

/// The first of the zeros found since the last sample of a step that begins at `begin`.
pub(crate) fn earliest(found: impl Iterator<Item = f64>, begin: f64) -> Option<f64> {
    found.min_by(|a, b| (a - begin).abs().total_cmp(&(b - begin).abs()))
}

/// Whether two zeros are one event: the start of the next segment may be on the far side of both, where they would not
/// be seen again.
pub(crate) fn is_same(found: f64, time: f64, width: f64) -> bool {
    (found - time).abs() <= 2.0 * width
}

/// A scan of the steps of a segment for the event that ends it.
pub(crate) trait Scanner {
    /// Starts a segment.
    fn begin(&mut self, t: f64, y: &[f64]) -> Result<()>;

    /// The first event within the last step: its time, and the least index of those that share it. All of them are
    /// marked as fired.
    fn first(&mut self, stepper: &dyn Stepper, starts_segment: bool) -> Result<Option<(usize, f64)>>;
}

/// The search of a list of events through a step, with its buffers.
pub(super) struct Scan<'s, 'e> {
    events: &'s mut [Event<'e>],
    /// The state of the sample that all events look at.
    sample: Vec<f64>,
    probe: Probe,
    /// Zeros found since the last sample, one place per event.
    found: Vec<Option<f64>>,
}

impl<'s, 'e> Scan<'s, 'e> {
    pub fn new(dimension: usize, events: &'s mut [Event<'e>]) -> Self {
        let found = vec![None; events.len()];
        Self { events, sample: vec![0.0; dimension], probe: Probe::new(dimension), found }
    }
}

impl Scanner for Scan<'_, '_> {
    fn begin(&mut self, t: f64, y: &[f64]) -> Result<()> {
        for event in self.events.iter_mut() {
            let value = value(&mut *event.function, t, y)?;
            event.tracker.begin(t, value);
        }
        Ok(())
    }

    fn first(&mut self, stepper: &dyn Stepper, starts_segment: bool) -> Result<Option<(usize, f64)>> {
        let Self { events, sample, probe, found } = self;
        if events.is_empty() {
            return Ok(None);
        }
        let (begin, end) = (stepper.previous_time(), stepper.time());
        let width = probe.start_step(begin, end);
        for event in events.iter_mut() {
            event.tracker.start_step(begin);
        }
        if starts_segment && events.iter().any(|event| event.tracker.latest.is_none()) {
            let t = just_after(begin, end, width);
            stepper.interpolate(t, sample);
            for event in events.iter_mut().filter(|event| event.tracker.latest.is_none()) {
                event.tracker.examine(&mut *event.function, stepper, (t, sample), probe)?;
            }
        }
        for fraction in SAMPLES {
            let t = if fraction == 1.0 { end } else { begin + fraction * (end - begin) };
            stepper.interpolate(t, sample);
            for (event, found) in events.iter_mut().zip(found.iter_mut()) {
                *found = event.tracker.examine(&mut *event.function, stepper, (t, sample), probe)?;
            }
            if let Some(time) = earliest(found.iter().flatten().copied(), begin) {
                let mut least = None;
                for (i, (event, found)) in events.iter_mut().zip(found.iter()).enumerate() {
                    if found.is_some_and(|found| is_same(found, time, width)) {
                        event.tracker.fire(time);
                        least = least.or(Some(i));
                    }
                }
                return Ok(Some((least.unwrap_or(0), time)));
            }
        }
        Ok(None)
    }
}
