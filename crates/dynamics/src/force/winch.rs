//! A winch on body A and the elastic line from it to a point of body B, with a limit to the tension.
//!
//! The unstretched length follows a programme, ℓ(t) = max(ℓ_s, ℓ₀ − ∫w dt), with the winding speed w(t) given over
//! time. With the free tension y and the limit Y,
//!
//!   y = EA (L/ℓ − 1) + c (L̇ − ℓ̇),   T = f(y) if L > ℓ and y > 0, else 0
//!   f(y) = y for y ≤ y₁ = (1 − σ) Y,   f(y) = Y − σY exp(−(y − y₁)/σY) beyond
//!
//! f has a continuous slope and stays below Y. It is a winch of constant tension: at the limit it pays out against the
//! programme, and takes that in again when the load falls. No state of its own is needed: how far it has slipped is how
//! far L is ahead of the programme. (A winch with a slipping clutch, which does not come back, would have the length
//! paid out as state; this law is not that winch.)
//!
//! Energy. With F' = f, F(0) = 0 and y₀ = EA (L/ℓ − 1), U = (ℓ/EA) F(y₀) is what line and drive give back when L
//! returns at the same ℓ; U_L = f(y₀), U_t = ℓ̇ (F(y₀)/EA − f(y₀) L/ℓ). `Load::dissipated` is T L̇ − U̇: what the
//! line's damping loses, less what the drive supplies; a winch that lifts a load shows a negative number.
//!
//! | symbol | field | unit |
//! |---|---|---|
//! | ℓ₀ | `length`, unstretched at the first time of `speed` | m |
//! | w | `speed` of winding in | m/s |
//! | ℓ_s | `shortest`: there the winch stops, at once | m |
//! | EA | `rigidity`: tension per strain | N |
//! | c | `damping` | N s/m |
//! | Y | `limit` | N |
//! | σ | `shoulder`: the share of the limit over which it sets in | – |

use super::coordinate::Tension;
use super::line::{End, Line, check_ends};
use crate::body::Motion;
use crate::error::{Result, demand, finite, not_negative, positive};
use crate::load::Load;
use crate::model::BodyModel;
use crate::track::{Beyond, Interpolation, Track};

/// A winch and its line.
#[derive(Debug, Clone, PartialEq)]
pub struct Winch {
    /// Where the line leaves the winch.
    pub a: End,
    /// Where the line ends.
    pub b: End,
    /// The unstretched length at the first time of `speed`.
    pub length: f64,
    /// The speed of winding in, negative for paying out; see [`Winch::ramp`].
    pub speed: Track<1>,
    /// The unstretched length at which winding ends.
    pub shortest: f64,
    /// The line's tension per strain.
    pub rigidity: f64,
    /// The line's damping.
    pub damping: f64,
    /// The tension that is never exceeded.
    pub limit: f64,
    /// The share of the limit, above zero and up to one, over which the tension levels off.
    pub shoulder: f64,
}

/// Unstretched length and its rate.
struct Programme {
    length: f64,
    rate: f64,
}

impl Winch {
    /// A winding speed that is zero until `start`, grows evenly for the time `ramp` above zero, and stays at `speed`.
    pub fn ramp(start: f64, ramp: f64, speed: f64) -> Result<Track<1>> {
        finite("start", start)?;
        positive("ramp", ramp)?;
        finite("speed", speed)?;
        Track::new(&[start, start + ramp], &[[0.0], [speed]], Interpolation::Linear, Beyond::Hold)
    }

    /// The unstretched length of the programme at `time`, in m.
    pub fn unstretched(&self, time: f64) -> f64 {
        self.programme(time).length
    }

    fn programme(&self, time: f64) -> Programme {
        let wound = self.speed.at(time);
        let length = self.length - wound.integral[0];
        if length > self.shortest {
            Programme { length, rate: -wound.value[0] }
        } else {
            Programme { length: self.shortest, rate: 0.0 }
        }
    }

    /// f, f' and F at a free tension above zero.
    fn saturate(&self, free: f64) -> [f64; 3] {
        let soft = self.shoulder * self.limit;
        let knee = self.limit - soft;
        if free <= knee {
            return [free, 1.0, 0.5 * free * free];
        }
        let left = (-(free - knee) / soft).exp();
        let area = 0.5 * knee * knee + self.limit * (free - knee) - soft * soft * (1.0 - left);
        [self.limit - soft * left, left, area]
    }

    pub(super) fn load(&self, time: f64, motions: &[Motion], tangent: bool) -> Load {
        let line = Line::new([&self.a, &self.b], motions);
        let programme = self.programme(time);
        let strain = (line.length - programme.length) / programme.length;
        if strain <= 0.0 {
            return line.load(Tension::SLACK, 0.0, tangent, 0.0, 0.0);
        }
        let still = self.rigidity * strain;
        let free = still + self.damping * (line.rate - programme.rate);
        let tension = if free > 0.0 {
            let [value, slope, _] = self.saturate(free);
            let by_coordinate = slope * self.rigidity / programme.length;
            Tension { value, by_coordinate, by_rate: slope * self.damping }
        } else {
            Tension::SLACK
        };
        let [held, _, area] = self.saturate(still);
        let stored = area * programme.length / self.rigidity;
        let by_time = programme.rate * (area / self.rigidity - held * (1.0 + strain));
        let dissipated = (tension.value - held) * line.rate - by_time;
        line.load(tension, 0.0, tangent, stored, dissipated)
    }

    pub(super) fn check(&self, bodies: &[BodyModel]) -> Result<()> {
        let what = "a winch";
        check_ends(what, [&self.a, &self.b], bodies)?;
        positive(&format!("shortest of {what}"), self.shortest)?;
        let long = self.length >= self.shortest;
        demand(long, &format!("length of {what}"), self.length, "at least the shortest length, and finite")?;
        positive(&format!("rigidity of {what}"), self.rigidity)?;
        not_negative(&format!("damping of {what}"), self.damping)?;
        positive(&format!("limit of {what}"), self.limit)?;
        let share = self.shoulder > 0.0 && self.shoulder <= 1.0;
        demand(share, &format!("shoulder of {what}"), self.shoulder, "above 0 and at most 1")
    }
}
