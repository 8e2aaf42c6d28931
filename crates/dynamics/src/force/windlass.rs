//! A windlass on body A and the elastic line from it to a point of body B: a drive that stalls, and a brake that slips.
//!
//! The unstretched length ℓ that is out is remembered ([`WindlassState`]). The line pulls by
//!
//!   T = EA (L/ℓ − 1) + c (L̇ − ℓ̇) if L > ℓ and that is above zero, else 0
//!
//! and ℓ̇ = g(T), which never falls:
//!
//!   ℓ̇ = −w              T ≤ (1 − σ) Y     winds in
//!   ℓ̇ = −w (Y − T)/σY   up to T = Y       slows down and stalls
//!   ℓ̇ = 0               up to T = B       holds
//!   ℓ̇ ≥ 0               T = B             slips
//!
//! Before `start`, at the length ℓ_s and under the brake w = 0. The brake is on from the time `brake_at` on, or once
//! the windlass has stood still for `brake_after_stall`, and stays on. A windlass stands still while its line comes in
//! by less than 1 % of its speed.
//!
//! Within a step of length h the rate is constant. It is that for which the law holds at the end of the step if the
//! points move on as at its beginning, to L₁ = L + h L̇: T = a − b ℓ̇ with a = EA (L₁/ℓ − 1) + c L̇ and b = EA h
//! L₁/ℓ² + c, put into ℓ̇ = g(T). Since g does not fall and b > 0 there is one solution, and however large the gain,
//! w/σY or that of the brake which is infinite, the tension returns to the law within one step without passing it: no
//! step is too long for it. What is left is the error of the prediction, of the order h.
//!
//! Energy. U = ½ EA (L − ℓ)²/ℓ, U_L = EA (L/ℓ − 1), U_ℓ = −½ U_L (L + ℓ)/ℓ. `Load::dissipated` is T L̇ − U̇: what line
//! and brake lose, less what the drive supplies; a windlass that lifts a load shows a negative number.
//!
//! | symbol | field | unit |
//! |---|---|---|
//! | ℓ at the first time | `length` | m |
//! | w | `speed`, after `start` and `ramp` | m/s |
//! | ℓ_s | `shortest` | m |
//! | EA | `rigidity`: tension per strain | N |
//! | c | `damping` | N s/m |
//! | Y | `limit`: the pull at which the drive stalls | N |
//! | σ | `shoulder`: the share of the limit over which it slows down | – |
//! | B | `brake`: the pull at which it slips, braked or not | N |

use super::coordinate::Tension;
use super::line::{End, Line, check_ends};
use super::memory::WindlassState;
use crate::body::Motion;
use crate::error::{Result, demand, finite, not_negative, positive};
use crate::load::Load;
use crate::model::BodyModel;

/// The share of its speed below which a windlass stands still: on its shoulder it comes to rest only in the limit.
const STILL: f64 = 0.01;

/// What a windlass does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WindlassMode {
    /// Its time to begin has not come.
    Waiting,
    /// It winds in.
    Winding,
    /// It should wind in and stands still, held by the pull.
    Stalled,
    /// Its line is as short as it may be.
    Wound,
    /// The brake is on and holds.
    Braked,
    /// The pull draws the line out.
    Slipping,
}

impl WindlassMode {
    /// The word for it in records.
    pub fn word(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Winding => "winding",
            Self::Stalled => "stalled",
            Self::Wound => "wound",
            Self::Braked => "braked",
            Self::Slipping => "slipping",
        }
    }
}

/// A windlass at an instant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WindlassReading {
    /// The tension of its line, in N.
    pub pull: f64,
    /// The unstretched length that is out, in m.
    pub length: f64,
    /// Its rate in the last step, in m/s; negative where the windlass winds in.
    pub rate: f64,
    /// What it does.
    pub mode: WindlassMode,
}

/// A windlass and its line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Windlass {
    /// Where the line leaves the windlass.
    pub a: End,
    /// Where the line ends.
    pub b: End,
    /// The unstretched length at the first time.
    pub length: f64,
    /// The speed at which it winds in.
    pub speed: f64,
    /// When it begins to wind, in s.
    pub start: f64,
    /// How long its speed takes to grow, in s; zero for at once.
    pub ramp: f64,
    /// The unstretched length at which winding ends.
    pub shortest: f64,
    /// The line's tension per strain.
    pub rigidity: f64,
    /// The line's damping.
    pub damping: f64,
    /// The pull at which the drive stalls.
    pub limit: f64,
    /// The share of the limit, above zero and up to one, over which the drive slows down.
    pub shoulder: f64,
    /// The pull at which it slips, not below the limit.
    pub brake: f64,
    /// When the brake is put on, in s.
    pub brake_at: Option<f64>,
    /// After how long a stall the brake is put on, in s.
    pub brake_after_stall: Option<f64>,
}

impl Windlass {
    /// What it remembers before the first step.
    pub fn first(&self) -> WindlassState {
        WindlassState { length: self.length, rate: 0.0, stalled: 0.0, braked: false }
    }

    /// The tension of its line, in N.
    pub fn tension(&self, state: &WindlassState, motions: &[Motion]) -> f64 {
        self.pull(state, &Line::new([&self.a, &self.b], motions))[0].max(0.0)
    }

    /// What it does and how hard it pulls at a time.
    pub fn reading(&self, state: &WindlassState, time: f64, motions: &[Motion]) -> WindlassReading {
        let mode = if state.rate > 0.0 {
            WindlassMode::Slipping
        } else if state.braked {
            WindlassMode::Braked
        } else if time < self.start {
            WindlassMode::Waiting
        } else if state.length <= self.shortest {
            WindlassMode::Wound
        } else if state.stalled > 0.0 {
            WindlassMode::Stalled
        } else {
            WindlassMode::Winding
        };
        WindlassReading { pull: self.tension(state, motions), length: state.length, rate: state.rate, mode }
    }

    /// The load of its line; with its derivatives if `tangent`.
    pub fn load(&self, state: &WindlassState, motions: &[Motion], tangent: bool) -> Load {
        let line = Line::new([&self.a, &self.b], motions);
        let [free, still] = self.pull(state, &line);
        let tension = if free > 0.0 {
            Tension { value: free, by_coordinate: self.rigidity / state.length, by_rate: self.damping }
        } else {
            Tension::SLACK
        };
        let stored = 0.5 * still * (line.length - state.length);
        let dissipated = (tension.value - still) * line.rate + drawn(still, &line, state.length) * state.rate;
        line.load(tension, 0.0, tangent, stored, dissipated)
    }

    /// EA (L/ℓ − 1) + c (L̇ − ℓ̇) and its first part; zeros where the line is slack.
    fn pull(&self, state: &WindlassState, line: &Line) -> [f64; 2] {
        let strain = (line.length - state.length) / state.length;
        if strain <= 0.0 {
            return [0.0; 2];
        }
        let still = self.rigidity * strain;
        [still + self.damping * (line.rate - state.rate), still]
    }

    /// −U_ℓ: what is dissipated per rate of the length.
    pub(super) fn wound(&self, state: &WindlassState, motions: &[Motion]) -> f64 {
        let line = Line::new([&self.a, &self.b], motions);
        drawn(self.pull(state, &line)[1], &line, state.length)
    }

    /// What it remembers at the end of a step of `h` seconds that begins at `time`.
    pub(super) fn advance(
        &self,
        was: &WindlassState,
        time: f64,
        h: f64,
        motions: &[Motion],
    ) -> WindlassState {
        let line = Line::new([&self.a, &self.b], motions);
        let waited = self.brake_after_stall.is_some_and(|patience| was.stalled >= patience);
        let braked = was.braked || waited || self.brake_at.is_some_and(|at| time >= at);
        let speed = if braked || was.length <= self.shortest { 0.0 } else { self.speed_at(time + 0.5 * h) };
        let wanted = was.length + h * self.rate(was.length, &line, speed, h);
        // It stops on its shortest length, and may only be given a length below it by hand.
        let length = wanted.max(self.shortest.min(was.length));
        let rate = (length - was.length) / h;
        let driven = !braked && time >= self.start + self.ramp;
        let stalled = if driven && rate > -STILL * self.speed { was.stalled + h } else { 0.0 };
        WindlassState { length, rate, stalled, braked }
    }

    /// w.
    fn speed_at(&self, time: f64) -> f64 {
        let since = time - self.start;
        if since <= 0.0 {
            0.0
        } else if since < self.ramp {
            self.speed * since / self.ramp
        } else {
            self.speed
        }
    }

    /// The solution of ℓ̇ = g(a − b ℓ̇) for the drive's present `speed`.
    fn rate(&self, length: f64, line: &Line, speed: f64, h: f64) -> f64 {
        let reached = line.length + h * line.rate;
        if reached <= length - h * speed {
            return -speed;
        }
        let stretch = reached / length;
        let a = self.rigidity * (stretch - 1.0) + self.damping * line.rate;
        let b = self.rigidity * stretch * h / length + self.damping;
        if a > self.brake {
            return (a - self.brake) / b;
        }
        if a >= self.limit {
            return 0.0;
        }
        let slope = speed / (self.shoulder * self.limit);
        let slowed = -slope * (self.limit - a) / (1.0 + b * slope);
        slowed.max(-speed)
    }

    pub(super) fn check(&self, bodies: &[BodyModel]) -> Result<()> {
        let what = "a windlass";
        check_ends(what, [&self.a, &self.b], bodies)?;
        let field = |name: &str| format!("{name} of {what}");
        positive(&field("shortest"), self.shortest)?;
        let long = self.length >= self.shortest;
        demand(long, &field("length"), self.length, "at least the shortest length, and finite")?;
        not_negative(&field("speed"), self.speed)?;
        finite(&field("start"), self.start)?;
        not_negative(&field("ramp"), self.ramp)?;
        positive(&field("rigidity"), self.rigidity)?;
        not_negative(&field("damping"), self.damping)?;
        positive(&field("limit"), self.limit)?;
        let share = self.shoulder > 0.0 && self.shoulder <= 1.0;
        demand(share, &field("shoulder"), self.shoulder, "above 0 and at most 1")?;
        demand(self.brake >= self.limit, &field("brake"), self.brake, "at least the limit, and finite")?;
        finite(&field("brake_at"), self.brake_at.unwrap_or(0.0))?;
        not_negative(&field("brake_after_stall"), self.brake_after_stall.unwrap_or(0.0))
    }
}

/// −U_ℓ with U_L = `still`.
fn drawn(still: f64, line: &Line, length: f64) -> f64 {
    0.5 * still * (line.length + length) / length
}
