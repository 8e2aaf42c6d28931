//! Plates and stances: which plate is under which foot, at what height, and which steps are beside the plates.
//!
//! A plate is under a foot where, while it is loaded, its centre of pressure lies within [`WITHIN`] of the line from
//! heel to toe marker seen from above. A foot that stands alone on the ground without a plate under it is beside the
//! plates.
//!
//! The height of a stance: in each frame in which the foot is flat, the height of every marker of the rigid foot
//! above its height in the static trial (without one: above its median over all flat frames); the median over the
//! stance, then over markers. A marker that slips does not move a median.

use super::slip::FOOT;
use crate::feet::{FootMotion, median};
use crate::stance::{Stance, plate_delay};
use crate::trial::{LOADED_N, Plate, Side, Trial};
use rattleback_geom::Vec3;

/// From the line from heel to toe to a centre of pressure under the foot, at most, in m: half the width of a foot and
/// the offset of its markers.
const WITHIN: f64 = 0.10;
/// The share of a stance's samples that a plate under it must have.
const MOST: f64 = 0.5;
/// A height needs so many flat frames.
const FLAT_LEAST: usize = 3;

/// A stance and what is under it.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct StanceFinding {
    /// The stance, from kinematics.
    #[serde(flatten)]
    pub stance: Stance,
    /// The plate under the foot.
    pub plate: Option<String>,
    /// Whether the plate is under both feet for part of the stance: it then gives the sum of both forces.
    pub shared: bool,
    /// Whether the foot stands beside the plates: they were read while it stood alone, and none is under it.
    pub beside: bool,
    /// When the plate passes 20 N, in s: strike and departure, where they are within the trial.
    pub plate_times: [Option<f64>; 2],
    /// The height of the flat foot, in m, relative to the static trial (or to this foot's other stances).
    pub height_m: Option<f64>,
    /// The standard error of the height, in m.
    pub height_error_m: Option<f64>,
}

/// The height of the ground on a plate.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct PlateHeight {
    /// The plate, or "ground" for stances without one.
    pub plate: String,
    /// The mean height of the flat feet on it, in m.
    pub height_m: f64,
    /// How many stances it is from.
    pub stances: usize,
    /// Whether both feet stood on it: otherwise a foot's own offset (shoe, static trial) is in the height.
    pub both_feet: bool,
}

/// Centres of pressure of a plate that is not loaded.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct UnloadedCentre {
    /// The plate.
    pub plate: String,
    /// Samples below 20 N with a centre of pressure.
    pub samples: usize,
    /// The share of all samples.
    pub share: f64,
}

/// The stances with their plates and heights.
pub(super) fn stances(trial: &Trial, feet: &[FootMotion], found: &[Stance]) -> Vec<StanceFinding> {
    let mut all: Vec<StanceFinding> = Vec::new();
    for stance in found {
        let Some(foot) = feet.iter().find(|f| f.side == stance.side) else { continue };
        let shares: Vec<f64> = trial.plates.iter().map(|p| under(trial, p, foot, stance)).collect();
        let best = (0..shares.len()).max_by(|a, b| shares[*a].total_cmp(&shares[*b]));
        let plate = best.filter(|i| shares[*i] >= MOST);
        let (height_m, height_error_m) = match height(trial, foot, stance) {
            Some((height, error)) => (Some(height), Some(error)),
            None => (None, None),
        };
        all.push(StanceFinding {
            stance: *stance,
            plate: plate.map(|i| trial.plates[i].name.clone()),
            shared: false,
            beside: plate.is_none() && stands_alone(trial, found, stance),
            plate_times: plate.map_or([None; 2], |i| crossings(&trial.plates[i], stance)),
            height_m,
            height_error_m,
        });
    }
    let overlap = |a: &Stance, b: &Stance| a.side != b.side && b.begin < a.end && a.begin < b.end;
    for i in 0..all.len() {
        let a = &all[i];
        let is_other = |b: &StanceFinding| b.plate == a.plate && overlap(&a.stance, &b.stance);
        all[i].shared = a.plate.is_some() && all.iter().any(is_other);
    }
    all
}

/// Whether plates were read while a foot was on the ground without the other: only then is a force that is missing
/// told.
fn stands_alone(trial: &Trial, found: &[Stance], stance: &Stance) -> bool {
    let is_alone = |time: f64| !found.iter().any(|other| other.side != stance.side && other.contains(time));
    let mut times = trial.plates.iter().flat_map(|p| &p.times).copied();
    times.any(|time| stance.contains(time) && is_alone(time))
}

/// The share of a stance's samples in which a plate is loaded under the foot.
fn under(trial: &Trial, plate: &Plate, foot: &FootMotion, stance: &Stance) -> f64 {
    let (mut inside, mut all) = (0usize, 0usize);
    // The first and the last tenth are left out: plates rise and fall there.
    let margin = 0.1 * (stance.end - stance.begin);
    for (sample, time) in plate.times.iter().enumerate() {
        if *time < stance.begin + margin || *time > stance.end - margin {
            continue;
        }
        all += 1;
        inside +=
            usize::from(plate.centre(sample).is_some_and(|centre| is_under(trial, foot, *time, &centre)));
    }
    if all == 0 { 0.0 } else { inside as f64 / all as f64 }
}

/// Whether a point of the ground is below a foot.
fn is_under(trial: &Trial, foot: &FootMotion, time: f64, point: &Vec3) -> bool {
    let i = ((time - trial.times[foot.first]) * trial.rate_hz).round();
    if !(i >= 0.0) || i as usize >= foot.points[0].len() {
        return false;
    }
    let level = |p: &Vec3| Vec3::new(p.x, 0.0, p.z);
    let (heel, toe, p) =
        (level(&foot.points[0][i as usize]), level(&foot.points[1][i as usize]), level(point));
    let along = toe - heel;
    let share = ((p - heel).dot(&along) / along.norm_squared().max(1e-12)).clamp(0.0, 1.0);
    (p - heel - along * share).norm() < WITHIN
}

/// When a plate passes its threshold nearest to a stance's strike and departure.
fn crossings(plate: &Plate, stance: &Stance) -> [Option<f64>; 2] {
    let at = |event: f64, is_rise: bool| {
        (1..plate.times.len())
            .filter(|i| plate.is_loaded(*i) == is_rise && plate.is_loaded(i - 1) != is_rise)
            .map(|i| {
                let (a, b) = (plate.force[i - 1].y, plate.force[i].y);
                plate.times[i - 1] + (LOADED_N - a) / (b - a) / plate.rate_hz
            })
            .min_by(|a, b| (a - event).abs().total_cmp(&(b - event).abs()))
    };
    [at(stance.begin, true).filter(|_| stance.has_strike), at(stance.end, false).filter(|_| stance.has_off)]
}

/// The height of the flat foot in a stance, and its standard error.
fn height(trial: &Trial, foot: &FootMotion, stance: &Stance) -> Option<(f64, f64)> {
    let flat = foot.flat_frames();
    let frames: Vec<usize> = flat.iter().copied().filter(|i| stance.contains(trial.times[*i])).collect();
    if frames.len() < FLAT_LEAST {
        return None;
    }
    let mut heights = Vec::new();
    for marker in trial
        .markers
        .iter()
        .filter(|m| m.role.is_some_and(|r| r.side == foot.side && FOOT.contains(&r.landmark)))
    {
        let over = |frames: &[usize]| {
            let mut values: Vec<f64> =
                frames.iter().filter_map(|i| marker.positions[*i]).map(|p| p.y).collect();
            (values.len() >= FLAT_LEAST).then(|| median(&mut values))
        };
        let standing = trial.standing_named(&marker.name).map(|p| p.y);
        if let (Some(here), Some(usual)) = (over(&frames), standing.or_else(|| over(&flat))) {
            heights.push(here - usual);
        }
    }
    let height = median(&mut heights);
    let mut away: Vec<f64> = heights.iter().map(|h| (h - height).abs()).collect();
    // 1.4826 and 1.2533: from the median distance to a standard deviation, and from that of a mean to that of a median.
    let error = 1.2533 * 1.4826 * median(&mut away) / (heights.len() as f64).sqrt();
    height.is_finite().then_some((height, error))
}

/// The heights of the ground on plates, and beside them.
pub(super) fn heights(trial: &Trial, stances: &[StanceFinding]) -> Vec<PlateHeight> {
    let mut names: Vec<Option<String>> = trial.plates.iter().map(|p| Some(p.name.clone())).collect();
    names.push(None);
    let mut all = Vec::new();
    for name in names {
        let on: Vec<&StanceFinding> =
            stances.iter().filter(|s| s.plate == name && s.height_m.is_some()).collect();
        let heights: Vec<f64> = on.iter().filter_map(|s| s.height_m).collect();
        if heights.is_empty() {
            continue;
        }
        let has = |side: Side| on.iter().any(|s| s.stance.side == side);
        all.push(PlateHeight {
            plate: name.unwrap_or_else(|| "ground".to_owned()),
            height_m: heights.iter().sum::<f64>() / heights.len() as f64,
            stances: heights.len(),
            both_feet: has(Side::Left) && has(Side::Right),
        });
    }
    all
}

/// By how much plates are late against the markers.
pub(super) fn delay(stances: &[StanceFinding]) -> Option<f64> {
    let events = |k: usize| -> Vec<f64> {
        let by_markers = |s: &StanceFinding| [s.stance.begin, s.stance.end][k];
        stances.iter().filter_map(|s| Some(s.plate_times[k]? - by_markers(s))).collect()
    };
    plate_delay(&mut events(0), &mut events(1))
}

/// Centres of pressure without load.
pub(super) fn unloaded(trial: &Trial) -> Vec<UnloadedCentre> {
    let is_told = |p: &Plate, i: usize| p.centre_of_pressure[i].is_some_and(|c| c.x != 0.0 || c.z != 0.0);
    trial
        .plates
        .iter()
        .map(|plate| {
            let count = plate.times.len();
            let samples = (0..count).filter(|i| !plate.is_loaded(*i) && is_told(plate, *i)).count();
            UnloadedCentre { plate: plate.name.clone(), samples, share: samples as f64 / count.max(1) as f64 }
        })
        .filter(|u| u.samples > 0)
        .collect()
}
