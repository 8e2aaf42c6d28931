//! Stances from kinematics: when each foot strikes the ground and when it leaves it, without a plate.
//!
//! With v_h, v_t the forward velocities of heel and toe marker relative to the ground (a treadmill's belt moves) and
//! w the walking speed:
//!
//!   heel strike: v_h falls through [`STRIKE`] w,
//!   toe off: v_t rises through [`OFF_TIP`] w (tip of the toes) or [`OFF_HEAD`] w (metatarsal heads),
//!
//! between frames by a straight line.
//!
//! Around either event these speeds change by some 25 m/s², so that an error of 0.1 m/s of a threshold is 4 ms. The
//! factors are those at which plates pass 20 N on four strikes and four departures of one measured trial (a subject on
//! a treadmill, 60 Hz); they are within 5 ms of each other there.

use crate::Result;
use crate::feet::{FootMotion, GroundSpeed, ground_speed};
use crate::trial::{Landmark, Side, Trial};

/// Shares of the walking speed at heel strike and toe off.
pub const STRIKE: f64 = 0.55;
/// For a marker at the tip of the toes.
pub const OFF_TIP: f64 = 0.78;
/// For a marker on a metatarsal head.
pub const OFF_HEAD: f64 = 0.92;
/// A heel strikes within this of its lowest place, in m.
const STRIKE_HEIGHT: f64 = 0.08;
/// A stance is not shorter than this, in s.
const SHORTEST: f64 = 0.1;
/// Slower than this nobody walks, in m/s.
const SLOWEST: f64 = 0.1;

/// A foot on the ground.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Stance {
    /// Which foot.
    pub side: Side,
    /// Heel strike, in s; the first frame where `has_strike` is false.
    pub begin: f64,
    /// Toe off, in s; the last frame where `has_off` is false.
    pub end: f64,
    /// Whether the heel strikes within the trial.
    pub has_strike: bool,
    /// Whether the toes leave within the trial.
    pub has_off: bool,
}

impl Stance {
    /// Whether a time lies in it.
    pub fn contains(&self, time: f64) -> bool {
        self.begin <= time && time <= self.end
    }
}

/// The stances of both feet, in order of their beginning.
pub fn find(trial: &Trial) -> Result<Vec<Stance>> {
    let feet = [FootMotion::of(trial, Side::Right)?, FootMotion::of(trial, Side::Left)?];
    let ground = ground_speed(trial, &feet)?;
    Ok(find_with(trial, &feet, &ground))
}

/// The stances of feet whose motion and ground are known.
pub fn find_with(trial: &Trial, feet: &[FootMotion], ground: &GroundSpeed) -> Vec<Stance> {
    let speed = walking_speed(trial, feet, ground).max(SLOWEST);
    let mut stances: Vec<Stance> = feet.iter().flat_map(|foot| of_foot(trial, foot, ground, speed)).collect();
    stances.sort_by(|a, b| a.begin.total_cmp(&b.begin));
    stances
}

/// The speed of the body over the ground, in m/s: of the pelvis, else of any marker of the trunk, else of the feet.
pub fn walking_speed(trial: &Trial, feet: &[FootMotion], ground: &GroundSpeed) -> f64 {
    use Landmark as L;
    let is_trunk = |l: Landmark| {
        matches!(l, L::Asis | L::Psis | L::Sacrum | L::Sternum | L::C7 | L::Clavicle | L::Shoulder)
    };
    let mut speeds: Vec<f64> = trial
        .markers
        .iter()
        .filter(|m| m.role.is_some_and(|r| is_trunk(r.landmark)))
        .filter_map(|m| {
            let mut seen = m.positions.iter().enumerate().filter_map(|(i, p)| Some((i, (*p)?)));
            let (first, last) = (seen.next()?, seen.next_back()?);
            Some((last.1.x - first.1.x) / (trial.times[last.0] - trial.times[first.0]))
        })
        .collect();
    if speeds.is_empty() {
        let mean = |v: &Vec<rattleback_geom::Vec3>| v.iter().map(|v| v.x).sum::<f64>() / v.len() as f64;
        speeds = feet.iter().flat_map(|f| f.velocities.iter().map(mean)).collect();
    }
    crate::feet::median(&mut speeds) - ground.forward
}

fn of_foot(trial: &Trial, foot: &FootMotion, ground: &GroundSpeed, speed: f64) -> Vec<Stance> {
    let off = if foot.toe_landmark == Landmark::ToeTip { OFF_TIP } else { OFF_HEAD };
    let over = |k: usize, share: f64| -> Vec<f64> {
        foot.velocities[k].iter().map(|v| v.x - ground.forward - share * speed).collect()
    };
    let (heel, toe) = (over(0, STRIKE), over(1, off));
    let low = foot.points[0].iter().map(|p| p.y).fold(f64::INFINITY, f64::min);
    let time = |i: usize, share: f64| trial.times[foot.first + i] + share / trial.rate_hz;
    let mut events: Vec<(f64, bool)> = Vec::new();
    for i in 1..heel.len() {
        if heel[i - 1] > 0.0 && heel[i] <= 0.0 && foot.points[0][i].y < low + STRIKE_HEIGHT {
            events.push((time(i - 1, heel[i - 1] / (heel[i - 1] - heel[i])), true));
        }
        if toe[i - 1] <= 0.0 && toe[i] > 0.0 {
            events.push((time(i - 1, toe[i - 1] / (toe[i - 1] - toe[i])), false));
        }
    }
    events.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (first, last) = (time(0, 0.0), time(heel.len() - 1, 0.0));
    let mut stances = Vec::new();
    // On the ground already: the toe stands, or the heel does.
    let mut begun = (toe[0] <= 0.0 && events.first().is_none_or(|e| !e.1)).then_some((first, false));
    for (at, is_strike) in events {
        match (is_strike, begun) {
            (true, None) => begun = Some((at, true)),
            (false, Some((begin, has_strike))) if at - begin >= SHORTEST || !has_strike => {
                stances.push(Stance { side: foot.side, begin, end: at, has_strike, has_off: true });
                begun = None;
            }
            _ => {}
        }
    }
    if let Some((begin, has_strike)) = begun.filter(|(begin, _)| last > *begin) {
        stances.push(Stance { side: foot.side, begin, end: last, has_strike, has_off: false });
    }
    stances
}

/// Plates and markers may be this far apart, in s, before it is told: events by markers are off by less.
const LATE: f64 = 0.025;

/// By how much plates are late against markers, in s, where that is worth telling: medians of what strikes and
/// departures on plates are later than by the markers. A clock that is off moves both alike; a threshold that does not
/// fit moves them apart.
pub fn plate_delay(strikes: &mut [f64], departures: &mut [f64]) -> Option<f64> {
    if strikes.is_empty() || departures.is_empty() {
        return None;
    }
    let (a, b) = (crate::feet::median(strikes), crate::feet::median(departures));
    let delay = 0.5 * (a + b);
    (delay.abs() > LATE && (a - b).abs() < 1.2 * delay.abs()).then_some(delay)
}

/// Words for it.
pub fn delay_words(delay: f64) -> String {
    format!(
        "Plates are {:.0} ms {} against the markers: look at how the two were synchronised.",
        1e3 * delay.abs(),
        if delay > 0.0 { "late" } else { "early" }
    )
}
