//! Markers that slip or dip, and gaps.
//!
//! Markers of one rigid segment keep their distances. For each pair of markers, d(t) less its median over the trial
//! is compared with the pair's own usual changes: [`FACTOR`] times the median of their absolute values over both
//! sides of the body, and no less than [`LEAST`]. A median bears a marker that slips for good. What moves by more in
//! a frame is a violation. The marker with the most violations (by their sum, two or more) is blamed and its pairs
//! are set aside, until no marker has two; one violated pair blames nobody.
//!
//! A marker that leaves the plane of the others, as a heel that dips, hardly changes its distances; where it jumps,
//! its own path tells (`jump.rs`). A slow dip of that kind is not told: it cannot be told from a foot that deforms.
//!
//! While the heel is lifted in stance, a foot bends at the metatarsal heads, a shoe even more: pairs across them may
//! then change by [`BEND`]. Without this, the fifth metatarsal head of a measured trial would be named in both
//! push-offs.

use super::jump;
use crate::Result;
use crate::feet::{FootMotion, LONGEST_GAP_S, median};
use crate::signal::fill_gaps;
use crate::stance::Stance;
use crate::trial::{Landmark as L, Side, Trial, name_without_side};

/// A violation exceeds the median change by this factor: more than five standard deviations. Seven names the same
/// markers of one measured trial.
const FACTOR: f64 = 8.0;
/// The least change that is a violation, in m: skin and shoes move by as much.
const LEAST: f64 = 5e-3;
/// The change of distances across a bent forefoot, in m.
const BEND: f64 = 0.02;
/// The heel is lifted when it is so much above its lowest place, in m.
const LIFTED: f64 = 0.025;
/// Frames of one interval are no farther apart than this, in s.
const JOIN: f64 = 0.05;
/// An interval with fewer frames is noise.
const FEWEST: usize = 2;

/// A marker that slipped, dipped or was mistaken for another.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Slip {
    /// The marker.
    pub marker: String,
    /// When, in s.
    pub intervals: Vec<[f64; 2]>,
    /// The largest change of its distance to another marker of the segment, in m.
    pub largest_m: f64,
}

/// Frames in which a marker is missing.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct GapFinding {
    /// The marker.
    pub marker: String,
    /// From its first missing frame to its last, in s.
    pub interval: [f64; 2],
    /// Whether it is short enough to be filled.
    pub filled: bool,
}

/// Landmarks of a rigid foot.
pub(super) const FOOT: &[L] = &[
    L::Heel,
    L::MidfootSuperior,
    L::MidfootLateral,
    L::MetatarsalFirst,
    L::MetatarsalSecond,
    L::MetatarsalFifth,
];

const SEGMENTS: &[&[L]] = &[FOOT, &[L::Shank], &[L::Thigh]];

/// The markers of a segment on one side.
struct Group {
    side: Side,
    markers: Vec<usize>,
    /// Changes of the distances of pairs, in every frame.
    pairs: Vec<Pair>,
}

struct Pair {
    ends: [usize; 2],
    /// Names of the two without their side: the same pair on the other foot.
    key: [String; 2],
    changes: Vec<Option<f64>>,
    across_bend: bool,
}

/// The markers that slip or dip.
pub(super) fn find(trial: &Trial, feet: &[FootMotion], stances: &[Stance]) -> Vec<Slip> {
    let mut slips = Vec::new();
    for landmarks in SEGMENTS {
        let groups: Vec<Group> = Side::BOTH.iter().map(|side| group(trial, *side, landmarks)).collect();
        for g in &groups {
            let limits: Vec<f64> = g.pairs.iter().map(|pair| limit(pair, &groups)).collect();
            let mut bad: Vec<Vec<(usize, f64)>> = vec![Vec::new(); trial.markers.len()];
            for frame in 0..trial.times.len() {
                let bends = is_bent(trial, feet, stances, g.side, frame);
                blame(g, &limits, frame, bends, &mut bad);
            }
            for marker in &g.markers {
                slips.extend(slip(trial, *marker, &bad[*marker]));
            }
        }
    }
    for jump in jump::find(trial) {
        match slips.iter_mut().find(|s| s.marker == jump.marker) {
            // What the distances tell covers a jump into it and out of it.
            Some(slip) if overlap(slip, &jump) => {}
            Some(slip) => slip.intervals.extend(jump.intervals),
            None => slips.push(jump),
        }
    }
    slips
}

fn overlap(slip: &Slip, jump: &Slip) -> bool {
    let meets = |[a, b]: &[f64; 2]| slip.intervals.iter().any(|[c, d]| a <= d && c <= b);
    jump.intervals.iter().all(meets)
}

fn group(trial: &Trial, side: Side, landmarks: &[L]) -> Group {
    let is_front = |i: usize| {
        let landmark = trial.markers[i].role.map(|r| r.landmark);
        matches!(landmark, Some(L::MetatarsalFirst | L::MetatarsalSecond | L::MetatarsalFifth))
    };
    let markers: Vec<usize> = (0..trial.markers.len())
        .filter(|i| trial.markers[*i].role.is_some_and(|r| r.side == side && landmarks.contains(&r.landmark)))
        .collect();
    let mut pairs = Vec::new();
    for (k, a) in markers.iter().enumerate() {
        for b in &markers[k + 1..] {
            let [p, q] = [a, b].map(|i| &trial.markers[*i].positions);
            let distances: Vec<Option<f64>> =
                p.iter().zip(q).map(|(p, q)| Some(((*p)? - (*q)?).norm())).collect();
            let usual = median(&mut distances.iter().flatten().copied().collect::<Vec<f64>>());
            pairs.push(Pair {
                ends: [*a, *b],
                key: [a, b].map(|i| name_without_side(&trial.markers[*i].name)),
                changes: distances.into_iter().map(|d| d.map(|d| d - usual)).collect(),
                across_bend: is_front(*a) != is_front(*b),
            });
        }
    }
    Group { side, markers, pairs }
}

/// What a pair may change by: from both sides of the body.
fn limit(pair: &Pair, groups: &[Group]) -> f64 {
    let same = groups.iter().flat_map(|g| &g.pairs).filter(|other| other.key == pair.key);
    let mut changes: Vec<f64> = same.flat_map(|p| &p.changes).flatten().map(|c| c.abs()).collect();
    // `max` passes over the NaN of no changes at all.
    (FACTOR * median(&mut changes)).max(LEAST)
}

/// Whether a foot stands with its heel lifted.
fn is_bent(trial: &Trial, feet: &[FootMotion], stances: &[Stance], side: Side, frame: usize) -> bool {
    let Some(foot) = feet.iter().find(|f| f.side == side) else { return false };
    let Some(heel) = frame.checked_sub(foot.first).and_then(|i| foot.points[0].get(i)) else { return false };
    let low = foot.points[0].iter().map(|p| p.y).fold(f64::INFINITY, f64::min);
    let time = trial.times[frame];
    heel.y > low + LIFTED && stances.iter().any(|s| s.side == side && s.contains(time))
}

/// Blames markers for the violations of a frame.
fn blame(g: &Group, limits: &[f64], frame: usize, bends: bool, bad: &mut [Vec<(usize, f64)>]) {
    let mut open: Vec<([usize; 2], f64, f64)> = Vec::new();
    for (pair, limit) in g.pairs.iter().zip(limits) {
        let limit = if bends && pair.across_bend { limit.max(BEND) } else { *limit };
        if let Some(change) = pair.changes[frame].map(f64::abs).filter(|c| *c > limit) {
            open.push((pair.ends, change / limit, change));
        }
    }
    while let Some((worst, _)) = g
        .markers
        .iter()
        .filter_map(|m| {
            let own: Vec<f64> =
                open.iter().filter(|(ends, ..)| ends.contains(m)).map(|(_, r, _)| *r).collect();
            (own.len() >= 2).then(|| (*m, own.iter().sum::<f64>()))
        })
        .max_by(|a, b| a.1.total_cmp(&b.1))
    {
        let largest = open.iter().filter(|(ends, ..)| ends.contains(&worst)).map(|o| o.2).fold(0.0, f64::max);
        bad[worst].push((frame, largest));
        open.retain(|(ends, ..)| !ends.contains(&worst));
    }
}

/// The intervals of a marker's bad frames.
fn slip(trial: &Trial, marker: usize, bad: &[(usize, f64)]) -> Option<Slip> {
    let mut runs: Vec<Vec<usize>> = Vec::new();
    for (frame, _) in bad {
        match runs.last_mut() {
            Some(run) if trial.times[*frame] - trial.times[run[run.len() - 1]] <= JOIN => run.push(*frame),
            _ => runs.push(vec![*frame]),
        }
    }
    runs.retain(|run| run.len() >= FEWEST);
    let is_kept = |frame: usize| runs.iter().any(|run| run.contains(&frame));
    let largest_m = bad.iter().filter(|(frame, _)| is_kept(*frame)).map(|(_, c)| *c).fold(0.0, f64::max);
    let intervals: Vec<[f64; 2]> =
        runs.iter().map(|run| [trial.times[run[0]], trial.times[run[run.len() - 1]]]).collect();
    let marker = trial.markers[marker].name.clone();
    (!intervals.is_empty()).then_some(Slip { marker, intervals, largest_m })
}

/// All gaps of markers that have a role.
pub(super) fn gaps(trial: &Trial) -> Result<Vec<GapFinding>> {
    let longest = (LONGEST_GAP_S * trial.rate_hz).ceil() as usize;
    let mut found = Vec::new();
    for marker in trial.markers.iter().filter(|m| m.role.is_some()) {
        for gap in fill_gaps(&marker.positions, longest)?.1 {
            let interval = [trial.times[gap.first], trial.times[gap.last]];
            found.push(GapFinding { marker: marker.name.clone(), interval, filled: gap.filled });
        }
    }
    Ok(found)
}
