//! What became of a manoeuvre.
//!
//! | outcome | when, over the last seconds of the watch |
//! |---|---|
//! | stowed | the line no longer comes in, the anchor lies still against the hull, its shank in the pipe by at least two thirds of its length, both flukes or the crown's two sides bearing |
//! | askew | the same, but it bears on one side only |
//! | jammed | the line no longer comes in and the anchor lies still, its shank not far enough in the pipe |
//! | hanging | the line still comes in, or the anchor is off the hull, and it moves slowly |
//! | swinging | anything else: it is still on the move |
//!
//! The line no longer comes in when it moves by less than 2 % of the windlass's speed on average.

use super::Rig;
use super::watch::{Peak, Sample, Watch};
use rattleback_geom::Vec3;

/// The time over which the end is judged, in s.
const SPAN: f64 = 2.0;
/// Slower than this, in m/s, the anchor lies still.
const STILL: f64 = 0.03;
/// The share of the shank that has to be in the pipe.
const HOME: f64 = 2.0 / 3.0;
/// A side bears if it carries this share of what the head carries.
const BEARS: f64 = 0.05;
/// The share of its speed at which the line still comes in.
const COMES_IN: f64 = 0.02;
/// The anchor holds in a seaway if it does not move farther than this against the hull, in m.
const HOLDS: f64 = 0.05;

/// How a manoeuvre ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ManoeuvreOutcome {
    /// At rest in its place.
    Stowed,
    /// At rest with its shank in the pipe, bearing on one side only.
    Askew,
    /// Stuck on its way.
    Jammed,
    /// On its way up, hanging quietly.
    Hanging,
    /// Still on the move.
    Swinging,
}

impl ManoeuvreOutcome {
    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Stowed => "stowed",
            Self::Askew => "askew",
            Self::Jammed => "jammed",
            Self::Hanging => "hanging",
            Self::Swinging => "swinging",
        }
    }
}

/// Where a body bears on the hull.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// The body.
    pub body: String,
    /// Where, in the bow's frame.
    pub point: Vec3,
    /// How hard, in N.
    pub force: f64,
}

/// How an anchor at rest stood the seaway that followed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Holding {
    /// How far its pin moved against the hull at most, in m.
    pub moved: f64,
    /// The greatest pull of the windlass, in N.
    pub tension: f64,
    /// Whether it held.
    pub holds: bool,
    /// How often head or shank hit the hull anew.
    pub hits: usize,
    /// How far they slipped over it, in m.
    pub slip: f64,
}

/// The verdict on a manoeuvre.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// How it ended.
    pub outcome: ManoeuvreOutcome,
    /// When it came to rest, or when the watch ended, in s.
    pub time: f64,
    /// The manoeuvre when it was judged.
    pub last: Sample,
    /// The greatest pull of the windlass, in N.
    pub tension: f64,
    /// The hardest contacts of head, shank and chain.
    pub peaks: [Option<Peak>; 3],
    /// Where head and shank bear on the hull in the end, the hardest first.
    pub bears: Vec<Place>,
}

impl Watch {
    /// The verdict on what has been seen; none before the first sample.
    pub fn verdict(&self, rig: &Rig) -> Option<Verdict> {
        // Between two samples the pull may rise and fall.
        let last = self.latest.or_else(|| self.samples.last().copied())?;
        let tension = self.samples.iter().fold(self.greatest_pull, |most, sample| most.max(sample.tension));
        let bears = self
            .last
            .iter()
            .map(|peak| Place { body: peak.body.clone(), point: peak.point, force: peak.force })
            .collect();
        let outcome = self.outcome(rig);
        let time = if matches!(outcome, ManoeuvreOutcome::Swinging | ManoeuvreOutcome::Hanging) {
            last.time
        } else {
            let moves = |sample: &&Sample| sample.speed > STILL;
            self.samples.iter().rev().find(moves).map_or(last.time, |sample| sample.time)
        };
        Some(Verdict { outcome, time, last, tension, peaks: self.peaks.clone(), bears })
    }

    /// Whether the manoeuvre has come to its end: at rest, and the line no longer comes in.
    pub fn is_over(&self, rig: &Rig) -> bool {
        let seen = self.samples.last().map_or(0.0, |last| last.time);
        seen > rig.windlass.start + rig.windlass.ramp + 2.0 * SPAN
            && matches!(
                self.outcome(rig),
                ManoeuvreOutcome::Stowed | ManoeuvreOutcome::Askew | ManoeuvreOutcome::Jammed
            )
    }

    fn outcome(&self, rig: &Rig) -> ManoeuvreOutcome {
        let recent = self.recent(SPAN);
        let mean = |of: &dyn Fn(&Sample) -> f64| recent.iter().map(of).sum::<f64>() / recent.len() as f64;
        let comes_in = mean(&|s| s.heaving) > COMES_IN * rig.windlass.speed;
        let still = recent.iter().all(|s| s.speed <= STILL);
        let borne = mean(&|s| s.contact_force[0] + s.contact_force[1]) > 0.0;
        if comes_in || !borne {
            let slow = recent.iter().all(|s| s.speed <= 2.0 * rig.windlass.speed);
            return if slow { ManoeuvreOutcome::Hanging } else { ManoeuvreOutcome::Swinging };
        }
        if !still {
            return ManoeuvreOutcome::Swinging;
        }
        if mean(&|s| s.entered) < HOME * rig.shank_length {
            return ManoeuvreOutcome::Jammed;
        }
        let sides = [0, 1].map(|side| mean(&|s| s.flukes[side]));
        let least = BEARS * (sides[0] + sides[1]);
        if sides[0] > least && sides[1] > least { ManoeuvreOutcome::Stowed } else { ManoeuvreOutcome::Askew }
    }

    /// How the anchor has held since the time `from`, when it lay still; none if nothing was seen since.
    pub fn holding(&self, rig: &Rig, from: f64) -> Option<Holding> {
        let since = &self.samples[self.samples.partition_point(|sample| sample.time < from)..];
        let first = since.first()?;
        let moved = since.iter().map(|s| (s.pin - first.pin).norm()).fold(0.0, f64::max);
        let tension = since.iter().map(|s| s.tension).fold(0.0, f64::max);
        let holds = moved <= HOLDS && tension < rig.windlass.brake;
        Some(Holding { moved, tension, holds, hits: self.hits, slip: self.slip })
    }
}
