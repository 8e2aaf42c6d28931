//! The stance of the identification.
//!
//! It is a whole stance on a plate of its own. The weight of the body is taken from it alone (`weight.rs`).

use super::feet::{LEAST, feet_only, unmirrored};
use super::score::loaded_intervals;
use super::walk::Walk;
use super::weight::weight;
use super::whole::{levers, sum_deviation};
use crate::fit::{
    FittedFoot, ForceSample, IdentifySettings, StanceData, fit_errors, identify_watched, misfits,
};
use crate::foot::{FootFlat, FootModel, FootShape, FootTrack, foot_flat, low_pass_loads};
use crate::trial::{Plate, Side};
use crate::{GaitError, Result};
use rattleback_geom::Vec3;

/// Cut-offs of forces that are tried, in Hz: plates are filtered by laboratories, and what is above is not in the
/// markers.
pub const FORCE_CUTOFFS: [f64; 2] = [4.0, 8.0];
/// How far before and after a stance a motion is taken along, in s: the reach of the filter of forces.
pub(crate) const MARGIN: f64 = 0.3;
/// The deviation of a weight that the calibration stance gives, as a share of it.
const WEIGHT_DEVIATION: f64 = 0.01;
/// Parts of a stance that is to be copied.
const SHARES: usize = 100;
/// A stance that is shorter is none, in s.
const SHORTEST: f64 = 0.3;

/// What may be chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CalibrationSettings {
    /// An interval within which the stance lies, in s; none takes the first whole one.
    pub interval: Option<[f64; 2]>,
    /// Which foot; none takes the first that has one.
    pub side: Option<Side>,
    /// The mass of the body in kg; none takes it from the stance.
    pub mass: Option<f64>,
    /// The cut-off of the poses, in Hz.
    pub pose_cutoff_hz: Option<f64>,
    /// The cut-off of forces, in Hz; none takes the one of [`FORCE_CUTOFFS`] that fits best under perturbed poses.
    pub force_cutoff_hz: Option<f64>,
    /// Standard deviations of a stance's pose: height in m, pitch and roll in rad.
    pub pose_deviation: [f64; 3],
}

impl Default for CalibrationSettings {
    fn default() -> Self {
        let degree = std::f64::consts::PI / 180.0;
        Self {
            interval: None,
            side: None,
            mass: None,
            pose_cutoff_hz: Some(10.0),
            force_cutoff_hz: None,
            pose_deviation: [0.35e-3, 0.22 * degree, 0.44 * degree],
        }
    }
}

/// A foot that was fitted, with all that predictions need; a file holds it.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct CalibratedFoot {
    /// The foot.
    pub model: FootModel,
    /// The covariance of its parameters, row by row.
    pub covariance: Vec<f64>,
    /// How it was identified.
    pub settings: IdentifySettings,
    /// The cut-off of the poses, in Hz.
    pub pose_cutoff_hz: Option<f64>,
    /// Where the sole was at foot-flat.
    pub flat: Option<FootFlat>,
    /// From the heel marker to the metatarsal heads, in m.
    pub length: f64,
    /// The errors that the fit left, fore-aft, vertical and lateral, as shares of the weight.
    pub fit_errors: [f64; 3],
    /// The sizes that two thirds of the errors are below, likewise.
    pub misfits: [f64; 3],
    /// What the fit left of the centre of pressure, fore-aft and lateral, times the vertical force, in N m.
    pub centre_errors: [f64; 2],
    /// What it left of the free moment, in N m.
    pub free_moment_error: f64,
    /// Which foot it was.
    pub side: Side,
    /// The stance, in s.
    pub interval: [f64; 2],
    /// The height of the ground, in m.
    pub floor: f64,
    /// The weight of the body, in N.
    pub weight: f64,
    /// Where the weight comes from.
    pub weight_source: String,
    /// The standard deviation of the weight, as a share of it.
    pub weight_deviation: f64,
    /// The factors q of the horizontal forces, fore-aft and lateral.
    pub levers: [f64; 2],
    /// The deviation of the whole body's force, as shares of the weight.
    pub sum_deviation: [f64; 3],
    /// The stance itself, for copies.
    pub original: Original,
    /// The markers of both feet.
    #[serde(default)]
    pub shapes: Vec<FootShape>,
}

impl CalibratedFoot {
    /// Whether what a file holds can be used.
    pub fn check(&self) -> Result<()> {
        let values = self.model.values();
        let positive = [("weight", self.weight), ("length", self.length)];
        for (field, value) in positive {
            if !(value > 0.0 && value.is_finite()) {
                return Err(GaitError::out_of_range(field, value, "above zero"));
            }
        }
        let all = values.iter().chain(&self.covariance).chain(&self.levers).chain(&self.sum_deviation);
        let errors = self.fit_errors.iter().chain(&self.misfits);
        let left = errors.chain(&self.centre_errors).chain([&self.free_moment_error]);
        if let Some(bad) = all.chain(left).chain([&self.floor]).find(|v| !v.is_finite()) {
            return Err(GaitError::out_of_range("foot", *bad, "finite numbers"));
        }
        if self.covariance.len() != values.len() * values.len()
            || self.original.force.len() != self.original.arms.len()
        {
            let count = self.covariance.len() as f64;
            return Err(GaitError::out_of_range("covariance", count, "a number for each pair of parameters"));
        }
        Ok(())
    }
}

/// A measured stance, mirrored for a left foot, at equal shares of its duration.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Original {
    /// How long it lasts, in s.
    pub duration: f64,
    /// The force, in N.
    pub force: Vec<[f64; 3]>,
    /// The moments of the vertical force about the foot's origin, in N m.
    pub arms: Vec<[f64; 2]>,
}

/// A calibration: the foot, and what it came from.
#[derive(Debug, Clone, PartialEq)]
pub struct Calibration {
    /// The foot for predictions.
    pub foot: CalibratedFoot,
    /// What the identification found.
    pub fitted: FittedFoot,
    /// The error of a foot that is fitted to this stance alone, not under perturbed poses, as a share of the weight.
    pub error_alone: f64,
    /// Motion and force.
    pub stance: StanceData,
    /// Which plate.
    pub plate: usize,
}

/// The foot that stands on a plate in an interval: the one whose middle is nearer to the centre of pressure.
pub fn foot_of_plate(tracks: &[FootTrack; 2], plate: &Plate, interval: [f64; 2]) -> Option<Side> {
    let mut distances = [0.0; 2];
    let mut count = 0;
    for (i, time) in tracks[0].times.iter().enumerate() {
        if !(interval[0]..=interval[1]).contains(time) {
            continue;
        }
        let Some(centre) = plate.sample_at(*time).and_then(|k| plate.centre(k)) else { continue };
        count += 1;
        for (slot, track) in distances.iter_mut().zip(tracks) {
            let middle = track.poses[i].point_to_world(&Vec3::new(0.5 * track.length, 0.0, 0.0));
            let middle = unmirrored(track.side, &middle);
            *slot += (middle.x - centre.x).hypot(middle.z - centre.z);
        }
    }
    (count > 0).then(|| if distances[0] <= distances[1] { tracks[0].side } else { tracks[1].side })
}

/// What a plate measured at times, mirrored for a left foot: the nearest sample; nothing where it is not loaded.
pub fn samples_of_plate(plate: &Plate, times: &[f64], side: Side) -> Vec<ForceSample> {
    let mirror = if side == Side::Left { -1.0 } else { 1.0 };
    times
        .iter()
        .map(|time| {
            let sample = plate.sample_at(*time);
            let loaded = sample.and_then(|k| plate.centre(k).map(|centre| (plate.force[k], centre)));
            let (force, centre) = loaded.unwrap_or((Vec3::zeros(), Vec3::zeros()));
            let force = Vec3::new(force.x, force.y, mirror * force.z);
            ForceSample { force, moments: [force.y * centre.x, force.y * mirror * centre.z] }
        })
        .collect()
}

/// Where a calibration stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CalibrationStage {
    /// The foot is identified under perturbed poses.
    Perturbed {
        /// The cut-off of forces, in Hz.
        cutoff_hz: f64,
        /// Evaluations so far.
        evaluations: usize,
    },
    /// A foot is fitted to the stance alone.
    Alone {
        /// Evaluations so far.
        evaluations: usize,
    },
}

/// Finds the stance, and fits the foot to it.
pub fn calibrate(walk: &Walk, settings: &CalibrationSettings) -> Result<Calibration> {
    calibrate_watched(walk, settings, &|_| {})
}

/// The same, watched.
pub fn calibrate_watched(
    walk: &Walk,
    settings: &CalibrationSettings,
    watch: &dyn Fn(CalibrationStage),
) -> Result<Calibration> {
    let at = choose(walk, settings)?;
    let OnPlate { side, plate, interval } = at;
    let track = walk.track(side);
    let window = track.window(interval[0], interval[1], MARGIN);
    let measured = samples_of_plate(&walk.trial.plates[plate], &window.times, side);
    // A load without a centre of pressure tells half.
    let is_whole = |t: &f64| {
        let sample = walk.trial.plates[plate].sample_at(*t);
        sample.is_none_or(|k| {
            let plate = &walk.trial.plates[plate];
            !plate.is_loaded(k) || plate.centre(k).is_some()
        })
    };
    let counted =
        window.times.iter().map(|t| (interval[0]..=interval[1]).contains(t) && is_whole(t)).collect();
    let stance = StanceData { track: window, measured, counted };
    let (weight, weight_source) = weight(walk, &at, settings)?;
    let flat = foot_flat(track, interval[0], interval[1]);
    let with = IdentifySettings {
        pose_deviation: settings.pose_deviation,
        force_cutoff_hz: None,
        weight,
        ground_velocity: unmirrored(side, &walk.ground_velocity()).into(),
        prior: IdentifySettings::PRIOR,
    };
    let fitted = best(&FootModel::scaled(track.length), &stance, &with, settings, watch)?;
    let with = fitted.settings;
    let alone = IdentifySettings { pose_deviation: [0.0; 3], prior: 0.2 * with.prior, ..with };
    let alone = identify_watched(&fitted.model, &stance, &alone, &|evaluations, _| {
        watch(CalibrationStage::Alone { evaluations });
    })?;
    let [_, error_alone, _] = fit_errors(&alone.model, &stance, &with)?;
    let (centre_errors, free_moment_error) =
        centre_errors(&fitted.model, &stance, &with, &walk.trial.plates[plate])?;
    let mut foot = CalibratedFoot {
        model: fitted.model.clone(),
        covariance: fitted.covariance.transpose().as_slice().to_vec(),
        settings: with,
        pose_cutoff_hz: settings.pose_cutoff_hz,
        flat,
        length: track.length,
        fit_errors: fitted.fit_errors,
        misfits: misfits(&fitted.model, &stance, &with)?,
        centre_errors,
        free_moment_error,
        side,
        interval,
        floor: walk.floor,
        weight,
        weight_source,
        weight_deviation: if settings.mass.is_some() { 0.0 } else { WEIGHT_DEVIATION },
        levers: [1.0; 2],
        sum_deviation: [0.0; 3],
        original: original(&stance.track, &walk.trial.plates[plate], interval),
        shapes: walk.tracks.iter().map(FootTrack::shape).collect(),
    };
    foot.sum_deviation = sum_deviation(walk, &foot, &stance);
    foot.levers = levers(walk, &foot, &stance, &feet_only(walk, &foot)?);
    Ok(Calibration { foot, fitted, error_alone, stance, plate })
}

/// What a fit left of the centre of pressure, times the vertical force, and of the free moment, in N m: root mean
/// squares.
fn centre_errors(
    model: &FootModel,
    stance: &StanceData,
    settings: &IdentifySettings,
    plate: &Plate,
) -> Result<([f64; 2], f64)> {
    let track = &stance.track;
    let load = model.load(track, &Vec3::from(settings.ground_velocity))?;
    let load = low_pass_loads(&load, track.rate_hz, settings.force_cutoff_hz)?;
    let mirror = if track.side == Side::Left { -1.0 } else { 1.0 };
    let (mut squares, mut count) = ([0.0; 3], 0.0);
    for i in (0..stance.counted.len()).filter(|i| stance.counted[*i]) {
        let m = &stance.measured[i];
        let sample = plate.sample_at(track.times[i]).filter(|_| m.force.y > LEAST * settings.weight);
        let (Some(c), Some(k)) = (load.centre(i, LEAST * settings.weight, track.floor), sample) else {
            continue;
        };
        let free = load.free_moment(i, &c) - mirror * plate.free_moment(k);
        let errors = [c.x * m.force.y - m.moments[0], c.z * m.force.y - m.moments[1], free];
        for (slot, e) in squares.iter_mut().zip(errors) {
            *slot += e * e;
        }
        count += 1.0;
    }
    let [a, b, free] = squares.map(|s: f64| (s / f64::max(count, 1.0)).sqrt());
    Ok(([a, b], free))
}

/// The identification with the cut-off that was given, or with the best of those that are tried.
fn best(
    start: &FootModel,
    stance: &StanceData,
    with: &IdentifySettings,
    settings: &CalibrationSettings,
    watch: &dyn Fn(CalibrationStage),
) -> Result<FittedFoot> {
    let most = 0.4 * stance.track.rate_hz;
    let tried = settings.force_cutoff_hz.map_or(FORCE_CUTOFFS.to_vec(), |given| vec![given]);
    let mut best: Option<FittedFoot> = None;
    for cutoff in tried {
        let with = IdentifySettings { force_cutoff_hz: Some(cutoff.min(most)), ..*with };
        let found = identify_watched(start, stance, &with, &|evaluations, _| {
            watch(CalibrationStage::Perturbed { cutoff_hz: cutoff.min(most), evaluations });
        })?;
        if best.as_ref().is_none_or(|best| found.cost < best.cost) {
            best = Some(found);
        }
    }
    best.ok_or_else(|| GaitError::unsupported("an identification", "there is no cut-off to try"))
}

/// The stance at equal shares of its duration; the foot's origin between frames by a straight line.
fn original(track: &FootTrack, plate: &Plate, [begin, end]: [f64; 2]) -> Original {
    let times: Vec<f64> = (0..=SHARES).map(|k| begin + (end - begin) * k as f64 / SHARES as f64).collect();
    let mut original = Original { duration: end - begin, force: Vec::new(), arms: Vec::new() };
    for (sample, time) in samples_of_plate(plate, &times, track.side).iter().zip(&times) {
        let last = track.times.len().saturating_sub(2);
        let i = track.times.partition_point(|t| t <= time).saturating_sub(1).min(last);
        let w = ((time - track.times[i]) * track.rate_hz).clamp(0.0, 1.0);
        let origin = track.poses[i].position.lerp(&track.poses[i + 1].position, w);
        original.force.push(sample.force.into());
        let [a, b] = sample.moments;
        original.arms.push([a - sample.force.y * origin.x, b - sample.force.y * origin.z]);
    }
    original
}

/// A stance on a plate.
pub(super) struct OnPlate {
    pub(super) side: Side,
    pub(super) plate: usize,
    pub(super) interval: [f64; 2],
}

/// The first whole stance on a plate of its own.
fn choose(walk: &Walk, settings: &CalibrationSettings) -> Result<OnPlate> {
    let (trial, tracks) = (walk.trial, &walk.tracks);
    let (begin, end) = match (trial.times.first(), trial.times.last()) {
        (Some(a), Some(b)) => (*a, *b),
        _ => return Err(GaitError::unsupported("a calibration stance", "the trial has no frames")),
    };
    let mut found: Vec<([f64; 2], usize, Side)> = Vec::new();
    for (plate, of) in trial.plates.iter().enumerate() {
        for interval in loaded_intervals(of) {
            let is_whole = interval[0] > begin + 0.02 && interval[1] < end - 0.02;
            let wanted =
                settings.interval.is_none_or(|[a, b]| interval[0] >= a - 0.05 && interval[1] <= b + 0.05);
            if !is_whole || !wanted || interval[1] - interval[0] < SHORTEST {
                continue;
            }
            if let Some(side) = foot_of_plate(tracks, of, interval)
                && settings.side.is_none_or(|asked| asked == side)
            {
                found.push((interval, plate, side));
            }
        }
    }
    found.sort_by(|a, b| a.0[0].total_cmp(&b.0[0]));
    found
        .first()
        .map(|&(interval, plate, side)| OnPlate { side, plate, interval })
        .ok_or_else(|| GaitError::unsupported("a calibration stance", no_stance(walk, settings)))
}

/// Why there is no calibration stance.
fn no_stance(walk: &Walk, settings: &CalibrationSettings) -> String {
    let trial = walk.trial;
    let whole = "no foot is on a force plate from heel strike to toe off";
    if trial.plates.is_empty() {
        return format!(
            "{whole}: the trial has no file of forces; name it, `--forces`, or a foot, `--foot-model`"
        );
    }
    let (first, last) = (trial.times[0], trial.times[trial.times.len() - 1]);
    let overlaps =
        |p: &Plate| p.times.first().is_some_and(|t| *t < last) && p.times.last().is_some_and(|t| *t > first);
    if !trial.plates.iter().any(overlaps) {
        return format!(
            "{whole}: the times of the forces are not those of the markers ({first:.2} to {last:.2} s)"
        );
    }
    if !trial.plates.iter().any(|plate| !loaded_intervals(plate).is_empty()) {
        return format!("{whole}: no plate ever bears 20 N; are the forces in N?");
    }
    match (settings.interval, settings.side) {
        (Some([a, b]), _) => format!("{whole} within {a} to {b} s"),
        (None, Some(side)) => format!("{whole}: not the {} one", side.word()),
        (None, None) => format!("{whole} and alone on it within the trial"),
    }
}
