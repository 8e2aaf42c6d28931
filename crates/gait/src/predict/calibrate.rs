//! The stance of the identification.
//!
//! It is a whole stance on a plate of its own. The mass of the body is taken from it alone: while the other foot is in the
//! air F = m(a + g) with the centre of mass' acceleration a, so m = Σ F (a + g)/Σ (a + g)² over that time. Without a centre of
//! mass: over a stride of steady walking each foot carries half of the weight, W = ∫ F dt / (half the stride), with the
//! stride between the foot's heel strikes in the markers. A mass that is given goes before.

use super::feet::{track_of, unmirrored};
use crate::body::{CentreOfMass, GRAVITY};
use crate::fit::{FittedFoot, ForceSample, IdentifySettings, StanceData, identify};
use crate::foot::{FootModel, FootTrack, foot_flat};
use crate::stance::Stance;
use crate::trial::{Plate, Side, Trial};
use crate::{GaitError, Result};
use rattleback_geom::Vec3;

/// How far before and after a stance a motion is taken along, in s: the reach of the filter of forces.
pub(crate) const MARGIN: f64 = 0.3;
/// Single support begins and ends this far from the other foot's stance, in s.
const CLEAR: f64 = 0.03;
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
    /// The cut-off of forces, in Hz.
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
            force_cutoff_hz: Some(4.0),
            pose_deviation: [0.35e-3, 0.22 * degree, 0.44 * degree],
        }
    }
}

/// A fitted foot and the stance it came from.
#[derive(Debug, Clone, PartialEq)]
pub struct Calibration {
    /// The foot.
    pub fitted: FittedFoot,
    /// Which foot it was.
    pub side: Side,
    /// Which plate.
    pub plate: usize,
    /// The stance, in s.
    pub interval: [f64; 2],
    /// Motion and force.
    pub stance: StanceData,
    /// The weight of the body, in N.
    pub weight: f64,
    /// Where the weight comes from.
    pub weight_source: String,
    /// The settings.
    pub settings: CalibrationSettings,
    /// The height of the ground, in m.
    pub floor: f64,
}

/// The height of the ground: that of the centres of pressure, or zero without plates.
pub fn floor_of(trial: &Trial) -> f64 {
    let mut heights: Vec<f64> = trial
        .plates
        .iter()
        .flat_map(|plate| (0..plate.force.len()).filter_map(|i| plate.centre(i)))
        .map(|c| c.y)
        .collect();
    heights.sort_by(f64::total_cmp);
    heights.get(heights.len() / 2).copied().unwrap_or(0.0)
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

/// Finds the stance, and fits the foot to it. `ground` is the forward velocity of the ground, in m/s.
pub fn calibrate(
    trial: &Trial,
    stances: &[Stance],
    ground: f64,
    centre: Option<&CentreOfMass>,
    settings: &CalibrationSettings,
) -> Result<Calibration> {
    let floor = floor_of(trial);
    let tracks = [
        track_of(trial, Side::Right, settings.pose_cutoff_hz, floor)?,
        track_of(trial, Side::Left, settings.pose_cutoff_hz, floor)?,
    ];
    let (side, plate, interval) = choose(trial, &tracks, settings)?;
    let track = &tracks[usize::from(side == Side::Left)];
    let window = track.window(interval[0], interval[1], MARGIN);
    let measured = samples_of_plate(&trial.plates[plate], &window.times, side);
    let counted = window.times.iter().map(|t| (interval[0]..=interval[1]).contains(t)).collect();
    let stance = StanceData { track: window, measured, counted };
    let (weight, weight_source) = match (settings.mass, centre) {
        (Some(mass), _) => given(mass)?,
        (None, Some(centre)) => single_support(trial, stances, centre, (side, plate, interval))
            .map_or_else(|| half_stride(trial, stances, (side, plate, interval)), Ok)?,
        (None, None) => half_stride(trial, stances, (side, plate, interval))?,
    };
    let identify_settings = IdentifySettings {
        pose_deviation: settings.pose_deviation,
        force_cutoff_hz: settings.force_cutoff_hz,
        weight,
        ground_velocity: [ground, 0.0, 0.0],
    };
    let flat = foot_flat(track, interval[0], interval[1]);
    let fitted = identify(&FootModel::scaled(track.length), &stance, flat, &identify_settings)?;
    Ok(Calibration { fitted, side, plate, interval, stance, weight, weight_source, settings: *settings, floor })
}

/// The first whole stance on a plate of its own.
fn choose(
    trial: &Trial,
    tracks: &[FootTrack; 2],
    settings: &CalibrationSettings,
) -> Result<(Side, usize, [f64; 2])> {
    let (begin, end) = match (tracks[0].times.first(), tracks[0].times.last()) {
        (Some(a), Some(b)) => (*a, *b),
        _ => return Err(GaitError::unsupported("a calibration stance", "the trial has no frames")),
    };
    let mut found: Vec<([f64; 2], usize, Side)> = Vec::new();
    for (plate, of) in trial.plates.iter().enumerate() {
        for interval in super::score::loaded_intervals(of) {
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
    found.first().map(|(interval, plate, side)| (*side, *plate, *interval)).ok_or_else(|| {
        GaitError::unsupported(
            "a calibration stance",
            "no foot is on a force plate from heel strike to toe off within the asked interval",
        )
    })
}

fn given(mass: f64) -> Result<(f64, String)> {
    if !(mass > 0.0 && mass.is_finite()) {
        return Err(GaitError::out_of_range("mass", mass, "above zero"));
    }
    Ok((mass * GRAVITY, format!("the mass given, {mass} kg")))
}

/// Whether a foot is in the air, with some time to either side.
pub(super) fn is_in_the_air(stances: &[Stance], side: Side, time: f64) -> bool {
    !stances.iter().any(|s| s.side == side && (s.begin - CLEAR..=s.end + CLEAR).contains(&time))
}

/// The weight from the time in which the other foot is in the air.
fn single_support(
    trial: &Trial,
    stances: &[Stance],
    centre: &CentreOfMass,
    (side, plate, [begin, end]): (Side, usize, [f64; 2]),
) -> Option<(f64, String)> {
    let other = if side == Side::Right { Side::Left } else { Side::Right };
    let (mut above, mut below, mut count) = (0.0, 0.0, 0usize);
    for (i, time) in trial.times.iter().enumerate() {
        let k = i.checked_sub(centre.first).filter(|k| *k < centre.accelerations.len());
        if let (true, true, Some(k), Some(sample)) = (
            (begin..=end).contains(time),
            is_in_the_air(stances, other, *time),
            k,
            trial.plates[plate].sample_at(*time),
        ) {
            let g = centre.accelerations[k].y + GRAVITY;
            above += trial.plates[plate].force[sample].y * g;
            below += g * g;
            count += 1;
        }
    }
    let duration = count as f64 / trial.rate_hz;
    (duration > 0.1).then(|| {
        let source = format!("{duration:.2} s of single support in the calibration stance");
        (above / below * GRAVITY, source)
    })
}

fn half_stride(
    trial: &Trial,
    stances: &[Stance],
    (side, plate, [begin, end]): (Side, usize, [f64; 2]),
) -> Result<(f64, String)> {
    let plate = &trial.plates[plate];
    let impulse: f64 = (0..plate.force.len())
        .filter(|i| (begin..=end).contains(&plate.times[*i]))
        .map(|i| plate.force[i].y / plate.rate_hz)
        .sum();
    let strikes: Vec<f64> =
        stances.iter().filter(|s| s.side == side && s.has_strike).map(|s| s.begin).collect();
    let near = strikes.iter().position(|s| (s - begin).abs() < 0.1);
    let stride = near.and_then(|k| {
        let after = strikes.get(k + 1).map(|next| next - strikes[k]);
        after.or_else(|| k.checked_sub(1).map(|before| strikes[k] - strikes[before]))
    });
    match stride {
        Some(stride) if stride > 0.0 => Ok((
            impulse / (0.5 * stride),
            format!("the impulse of the calibration stance over half a stride of {stride:.3} s"),
        )),
        _ => Err(GaitError::unsupported(
            "the weight of the body",
            "the markers do not show a whole stride about the calibration stance: give the mass, `--mass 72.6`",
        )),
    }
}
