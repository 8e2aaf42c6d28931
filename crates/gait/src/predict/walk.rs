//! A walk: what every prediction asks of a trial.

use super::calibrate::{CalibratedFoot, foot_of_plate};
use super::score::loaded_intervals;
use crate::body::{CentreOfMass, GRAVITY, MassTable, WholeBody, centre_of_mass};
use crate::feet::{AT_REST, FootMotion, GroundSpeed, ground_speed};
use crate::foot::{FootShape, FootTrack, TrackSettings};
use crate::stance::{Stance, delay_words, find_with, plate_delay};
use crate::trial::{Side, Trial};
use crate::{GaitError, Result};
use rattleback_geom::Vec3;

/// A trial with its stances, the ground, the motion of both feet and, where there are markers enough, of the body's
/// centre of mass.
#[derive(Debug, Clone)]
pub struct Walk<'t> {
    /// The trial.
    pub trial: &'t Trial,
    /// The ground's velocity.
    pub ground: GroundSpeed,
    /// The ground's height, in m.
    pub floor: f64,
    /// Stances, from kinematics.
    pub stances: Vec<Stance>,
    /// The right and the left foot.
    pub tracks: [FootTrack; 2],
    /// The centre of mass, or why there is none.
    pub centre: Result<CentreOfMass>,
    /// Segments of the body without markers.
    pub missing: Vec<String>,
}

impl<'t> Walk<'t> {
    /// A walk; `cutoff_hz` is that of the poses of the feet, `floor` the ground's height where no plate tells it.
    pub fn of(
        trial: &'t Trial,
        cutoff_hz: Option<f64>,
        floor: Option<f64>,
        table: MassTable,
    ) -> Result<Self> {
        Self::with(trial, cutoff_hz, floor, table, &[])
    }

    /// A walk for a foot that was fitted to another trial: with its cut-off, its ground where no plate tells it, and
    /// its markers where there is no static trial.
    pub fn for_foot(trial: &'t Trial, foot: &CalibratedFoot, table: MassTable) -> Result<Self> {
        if trial.standing.is_none() && foot.shapes.is_empty() {
            return Err(GaitError::unsupported(
                "a foot of another trial without a static trial",
                "the file of the foot does not hold its markers; give a static trial, `--static`, or fit the foot again",
            ));
        }
        Self::with(trial, foot.pose_cutoff_hz, Some(foot.floor), table, &foot.shapes)
    }

    fn with(
        trial: &'t Trial,
        cutoff_hz: Option<f64>,
        floor: Option<f64>,
        table: MassTable,
        shapes: &[FootShape],
    ) -> Result<Self> {
        let feet = [FootMotion::of(trial, Side::Right)?, FootMotion::of(trial, Side::Left)?];
        let ground = ground_speed(trial, &feet)?;
        let floor = trial.plate_height().or(floor).unwrap_or(0.0);
        // A filter needs frames enough below half the rate.
        let cutoff_hz = cutoff_hz.map(|cutoff| cutoff.min(0.4 * trial.rate_hz));
        let settings = TrackSettings { cutoff_hz, floor };
        let shape = |side: Side| shapes.iter().find(|s| s.side == side);
        let body = WholeBody::of(trial, table);
        let missing = body.as_ref().map(|b| b.missing.clone()).unwrap_or_default();
        Ok(Self {
            trial,
            stances: find_with(trial, &feet, &ground),
            ground,
            floor,
            tracks: [
                FootTrack::with_shape(trial, Side::Right, &settings, shape(Side::Right))?,
                FootTrack::with_shape(trial, Side::Left, &settings, shape(Side::Left))?,
            ],
            centre: body.and_then(|body| centre_of_mass(&body, None)),
            missing,
        })
    }

    /// The motion of a foot.
    pub fn track(&self, side: Side) -> &FootTrack {
        &self.tracks[usize::from(side == Side::Left)]
    }

    /// The velocity of the ground.
    pub fn ground_velocity(&self) -> Vec3 {
        let GroundSpeed { forward, lateral, .. } = self.ground;
        if !self.ground.is_treadmill() {
            return Vec3::zeros();
        }
        // What is below the speed of a ground at rest is marker noise.
        Vec3::new(forward, 0.0, if lateral.abs() > AT_REST { lateral } else { 0.0 })
    }

    /// Whether a foot stands at a time, by the kinematics.
    pub(super) fn stands(&self, side: Side, time: f64) -> bool {
        self.stances.iter().any(|s| s.side == side && s.contains(time))
    }

    /// Whether a foot is in the air, with some time to either side.
    pub(super) fn is_in_the_air(&self, side: Side, time: f64) -> bool {
        let covers = |s: &Stance| (s.begin - CLEAR..=s.end + CLEAR).contains(&time);
        !self.stances.iter().any(|s| s.side == side && covers(s))
    }

    /// The whole body's ground force at a frame for a weight in N, and the height of its centre.
    pub(super) fn total(&self, frame: usize, weight: f64) -> Option<(Vec3, f64)> {
        let centre = self.centre.as_ref().ok()?;
        let force = centre.ground_force_at(frame, weight / GRAVITY)?;
        Some((force, (centre.positions[frame - centre.first].y - self.floor).max(0.1)))
    }

    /// e^(−d/τ) of the time d of a frame to the nearer end of the centre of mass, τ a quarter period of its filter.
    pub(super) fn edge(&self, frame: usize) -> f64 {
        let Ok(centre) = &self.centre else { return 0.0 };
        let last = centre.accelerations.len().saturating_sub(1);
        let k = frame.saturating_sub(centre.first).min(last);
        let time = k.min(last - k) as f64 / centre.rate_hz;
        (-4.0 * centre.cutoff_hz * time).exp()
    }

    /// Words where plates are late or early against the markers.
    pub fn plate_delay_words(&self) -> Option<String> {
        let (mut strikes, mut departures) = (Vec::new(), Vec::new());
        let (first, last) = (self.trial.times.first()?, self.trial.times.last()?);
        for plate in &self.trial.plates {
            for [begin, end] in loaded_intervals(plate) {
                let side = foot_of_plate(&self.tracks, plate, [begin, end]);
                let shared = |s: &&Stance| (s.end.min(end) - s.begin.max(begin)).max(0.0);
                let own = self.stances.iter().filter(|s| Some(s.side) == side && shared(s) > 0.0);
                let Some(stance) = own.max_by(|a, b| shared(a).total_cmp(&shared(b))) else { continue };
                if stance.has_strike && begin > first + 0.02 {
                    strikes.push(begin - stance.begin);
                }
                if stance.has_off && end < last - 0.02 {
                    departures.push(end - stance.end);
                }
            }
        }
        plate_delay(&mut strikes, &mut departures).map(delay_words)
    }

    /// The error that says why there is no whole body.
    pub fn no_body(&self) -> Option<&GaitError> {
        self.centre.as_ref().err()
    }
}

/// Single support begins and ends this far from the other foot's stance, in s.
const CLEAR: f64 = 0.03;

/// The other foot.
pub(super) fn other(side: Side) -> Side {
    if side == Side::Right { Side::Left } else { Side::Right }
}
