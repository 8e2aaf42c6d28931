//! The data doctor: what a laboratory should know before it trusts a trial.
//!
//! | what | file |
//! |---|---|
//! | markers that slip or dip, gaps | `slip.rs`, `jump.rs` |
//! | which plate is under which foot, heights, steps beside the plates | `plates.rs` |
//! | the body's mass | `mass.rs` |
//! | all of it in words | `words.rs` |
//!
//! Findings are plain data; nothing here decides whether a trial is good.

mod jump;
mod mass;
mod plates;
mod slip;
mod words;

pub use mass::Mass;
pub use plates::{PlateHeight, StanceFinding, UnloadedCentre};
pub use slip::{GapFinding, Slip};

use crate::body::{CentreOfMass, MassTable, WholeBody, centre_of_mass};
use crate::feet::{FootMotion, GroundSpeed, Track, ground_speed, median};
use crate::signal::residual_analysis;
use crate::stance::{find_with, walking_speed};
use crate::trial::{Side, Timing, Trial};
use crate::{GaitError, Result};
use rattleback_geom::Vec3;

/// What was found of a trial.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Findings {
    /// Frames per second.
    pub rate_hz: f64,
    /// How many frames.
    pub frames: usize,
    /// How many markers, and the names of those whose role is not known.
    pub markers: usize,
    /// Markers without a role.
    pub unknown_markers: Vec<String>,
    /// The rate against the column of times.
    pub timing: Timing,
    /// The file's axes, in words.
    pub axes: String,
    /// Metres per unit of the marker file.
    pub metres_per_unit: f64,
    /// The ground's speed.
    pub ground: GroundSpeed,
    /// The body's speed over the ground, in m/s.
    pub walking_speed: f64,
    /// Stances from kinematics, and the plates below them.
    pub stances: Vec<StanceFinding>,
    /// The height of the ground on each plate.
    pub plate_heights: Vec<PlateHeight>,
    /// By how much the plates are late against the markers, in s, where it is worth telling.
    pub plate_delay_s: Option<f64>,
    /// Centres of pressure that the file has for plates that are not loaded.
    pub unloaded_centres: Vec<UnloadedCentre>,
    /// Markers that slip or dip.
    pub slips: Vec<Slip>,
    /// Missing markers.
    pub gaps: Vec<GapFinding>,
    /// The body's mass; none without plates.
    pub mass: Option<Mass>,
    /// Sampling and filters.
    pub filter: FilterAdvice,
    /// The whole body against the plates, or why there is none.
    pub whole_body: WholeBodyFinding,
    /// What was set right when the files were read.
    pub remarks: Vec<String>,
}

/// Cut-off frequencies by residual analysis.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct FilterAdvice {
    /// For markers of the feet that are not smooth already, in Hz: the median of their coordinates.
    pub feet_hz: Option<f64>,
    /// For the centre of mass, in Hz.
    pub centre_of_mass_hz: Option<f64>,
    /// The noise of those markers per coordinate, in m: the median.
    pub noise_m: Option<f64>,
    /// Markers whose noise is below [`SMOOTH`]: they were filtered before they were written.
    pub smoothed_markers: Vec<String>,
    /// Samples per second of the plates.
    pub plates_hz: Option<f64>,
}

/// The whole body's ground force.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct WholeBodyFinding {
    /// The table of mass shares.
    pub table: &'static str,
    /// Segments without markers of their own.
    pub missing: Vec<String>,
    /// Joint centres found in an unusual way.
    pub notes: Vec<String>,
    /// Root mean squares of its force less that of the plates, in % of body weight (fore-aft, vertical, lateral),
    /// while all feet are on plates.
    pub against_plates: Option<[f64; 3]>,
    /// Why there is no whole body.
    pub absent: Option<String>,
}

/// No camera of a gait laboratory is so exact, in m: noise below it was filtered away.
pub const SMOOTH: f64 = 2e-5;

/// What the doctor is told beforehand.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Known {
    /// The body's mass, in kg.
    pub mass_kg: Option<f64>,
    /// The table of mass shares.
    pub table: MassTable,
}

/// Examines a trial.
pub fn examine(trial: &Trial, known: &Known) -> Result<Findings> {
    if let Some(mass) = known.mass_kg.filter(|m| !(*m > 1.0 && *m < 500.0)) {
        return Err(GaitError::out_of_range("mass_kg", mass, "between 1 and 500 kg"));
    }
    let feet = [FootMotion::of(trial, Side::Right)?, FootMotion::of(trial, Side::Left)?];
    let ground = ground_speed(trial, &feet)?;
    let found = find_with(trial, &feet, &ground);
    if found.is_empty() {
        return Err(GaitError::unsupported("stances", "no foot is ever on the ground: is this a walk?"));
    }
    let body = WholeBody::of(trial, known.table);
    let centre = body.as_ref().map_err(Clone::clone).and_then(|body| centre_of_mass(body, None));
    let stances = plates::stances(trial, &feet, &found);
    let run = mass::supported(trial, &stances);
    let mass = mass::weigh(trial, run.clone(), centre.as_ref().ok(), known.mass_kg)?;
    let whole_body = whole_body(trial, body, &centre, mass.as_ref(), run, known.table)?;
    let unknown: Vec<String> =
        trial.markers.iter().filter(|m| m.role.is_none()).map(|m| m.name.clone()).collect();
    Ok(Findings {
        rate_hz: trial.rate_hz,
        frames: trial.times.len(),
        markers: trial.markers.len(),
        unknown_markers: unknown,
        timing: trial.timing,
        axes: trial.axes.words(),
        metres_per_unit: trial.axes.scale,
        ground,
        walking_speed: walking_speed(trial, &feet, &ground),
        plate_heights: plates::heights(trial, &stances),
        plate_delay_s: plates::delay(&stances),
        stances,
        unloaded_centres: plates::unloaded(trial),
        slips: slip::find(trial, &feet, &found),
        gaps: slip::gaps(trial)?,
        mass,
        filter: advise(trial, centre.as_ref().ok())?,
        whole_body,
        remarks: trial.remarks.clone(),
    })
}

fn whole_body(
    trial: &Trial,
    body: Result<WholeBody>,
    centre: &Result<CentreOfMass>,
    mass: Option<&Mass>,
    run: std::ops::Range<usize>,
    table: MassTable,
) -> Result<WholeBodyFinding> {
    let mut finding = WholeBodyFinding {
        table: table.source(),
        missing: Vec::new(),
        notes: Vec::new(),
        against_plates: None,
        absent: centre.as_ref().err().map(ToString::to_string),
    };
    if let Ok(body) = body {
        finding.missing = body.missing;
        finding.notes = body.notes;
    }
    let (Ok(centre), Some(mass)) = (centre, mass) else { return Ok(finding) };
    let plates = total_force(trial)?;
    let (mut sum, mut count) = (Vec3::zeros(), 0.0);
    // Filters know less at the ends of a run: a sixth of a second is left out.
    let margin = (trial.rate_hz / 6.0) as usize;
    let ends =
        (run.start.max(centre.first + margin), run.end.min(centre.first + centre.positions.len() - margin));
    for (i, force) in centre.ground_force(mass.kg).iter().enumerate() {
        let frame = centre.first + i;
        if frame >= ends.0 && frame < ends.1 {
            let away = (force - plates[frame]) * (100.0 / (mass.kg * crate::body::GRAVITY));
            sum += away.component_mul(&away);
            count += 1.0;
        }
    }
    if count > 0.0 {
        finding.against_plates = Some((sum / count).map(f64::sqrt).into());
    }
    Ok(finding)
}

/// The sum of all plates at the markers' frames.
fn total_force(trial: &Trial) -> Result<Vec<Vec3>> {
    let mut sum = vec![Vec3::zeros(); trial.times.len()];
    for plate in &trial.plates {
        for (sum, force) in sum.iter_mut().zip(plate.force_at(&trial.times, trial.rate_hz)?) {
            *sum += force;
        }
    }
    Ok(sum)
}

fn advise(trial: &Trial, centre: Option<&CentreOfMass>) -> Result<FilterAdvice> {
    let (mut cutoffs, mut noises, mut smoothed_markers) = (Vec::new(), Vec::new(), Vec::new());
    for marker in &trial.markers {
        let Some((role, track)) = marker.role.zip(Track::of(marker, trial.rate_hz)?) else { continue };
        let mut found = Vec::new();
        for axis in 0..3 {
            let values: Vec<f64> = track.points.iter().map(|p| p[axis]).collect();
            found.push(residual_analysis(&values, trial.rate_hz)?);
        }
        if found.iter().all(|f| f.noise < SMOOTH) {
            smoothed_markers.push(marker.name.clone());
        } else if slip::FOOT.contains(&role.landmark) {
            cutoffs.extend(found.iter().map(|f| f.cutoff_hz));
            noises.extend(found.iter().map(|f| f.noise));
        }
    }
    let usual = |values: &mut Vec<f64>| (!values.is_empty()).then(|| median(values));
    Ok(FilterAdvice {
        feet_hz: usual(&mut cutoffs),
        centre_of_mass_hz: centre.map(|c| c.cutoff_hz),
        noise_m: usual(&mut noises),
        smoothed_markers,
        plates_hz: trial.plates.first().map(|p| p.rate_hz),
    })
}
