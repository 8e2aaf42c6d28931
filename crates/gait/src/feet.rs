//! The feet's markers: their tracks, the frames in which a foot is flat on the ground, and how fast the ground moves.
//!
//! On a treadmill the ground moves with the belt. A foot that is flat on it moves with it, apart from a slow turn ω
//! about the ball: a marker at height h is then faster than the sole by ω h (0.1 rad/s, 5 cm: 5 mm/s). So the
//! velocity is taken at the point of the foot that is on the ground below its markers, by the pose of the cluster one
//! frame before and after. The belt's speed is the median over all flat frames of both feet; overground it is zero
//! within its deviation.

use crate::rigid::{Template, fit_pose};
use crate::signal::{fill_gaps, low_pass_points};
use crate::trial::{Landmark, Marker, Side, Trial};
use crate::{GaitError, Result};
use rattleback_geom::Vec3;

/// Gaps up to this length are filled, in s: a quarter of a swing.
pub const LONGEST_GAP_S: f64 = 0.2;
/// The cut-off for the velocities of feet, in Hz: heel strikes have what is above it, and marker noise.
const CUTOFF_HZ: f64 = 15.0;
/// A flat foot: heel and toe marker within so many metres of their lowest places, and no faster than so many m/s up
/// or down.
const FLAT_HEIGHT: f64 = 0.03;
const FLAT_SPEED: f64 = 0.08;
/// Markers of a foot stay within this of their places in a rigid foot, per axis, in m: soft tissue and shoe.
pub const FOOT_NOISE: f64 = 2e-3;
/// A toe marker is about so high above the ground, in m.
const MARKER_HEIGHT: f64 = 0.04;
/// A ground slower than this is at rest, in m/s.
pub const AT_REST: f64 = 0.05;

/// A marker's longest run of frames without a gap.
#[derive(Debug, Clone, PartialEq)]
pub struct Track {
    /// The first frame of the run.
    pub first: usize,
    /// Its places, gaps filled, in m.
    pub points: Vec<Vec3>,
}

impl Track {
    /// The longest run of a marker; none where it is never seen.
    pub fn of(marker: &Marker, rate_hz: f64) -> Result<Option<Self>> {
        let (points, _) = fill_gaps(&marker.positions, (LONGEST_GAP_S * rate_hz).ceil() as usize)?;
        Ok(Self::longest(&points))
    }

    /// The longest run of points.
    pub fn longest(points: &[Option<Vec3>]) -> Option<Self> {
        let (mut best, mut first) = (0..0, 0);
        for (i, point) in points.iter().enumerate() {
            if point.is_none() {
                first = i + 1;
            } else if i + 1 - first > best.len() {
                best = first..i + 1;
            }
        }
        let points: Vec<Vec3> = points[best.clone()].iter().flatten().copied().collect();
        (!points.is_empty()).then_some(Self { first: best.start, points })
    }
}

/// The heel and the toe of a foot, filtered, over the frames in which both are seen.
#[derive(Debug, Clone, PartialEq)]
pub struct FootMotion {
    /// Which foot.
    pub side: Side,
    /// The landmark of the toe marker: the tip, or a metatarsal head.
    pub toe_landmark: Landmark,
    /// The first frame.
    pub first: usize,
    /// Places of heel and toe, in m.
    pub points: [Vec<Vec3>; 2],
    /// Their velocities, in m/s.
    pub velocities: [Vec<Vec3>; 2],
}

impl FootMotion {
    /// The motion of a foot.
    pub fn of(trial: &Trial, side: Side) -> Result<Self> {
        let what = || format!("the {} foot", side.word());
        let toes = [
            Landmark::ToeTip,
            Landmark::MetatarsalSecond,
            Landmark::MetatarsalFirst,
            Landmark::MetatarsalFifth,
        ];
        let toe = toes.into_iter().find_map(|l| Some((l, trial.marker(l, side)?)));
        let (Some(heel), Some((toe_landmark, toe))) = (trial.marker(Landmark::Heel, side), toe) else {
            return Err(GaitError::unsupported(
                what(),
                "it needs a marker on the heel and one on the toes (name them with a file of roles)",
            ));
        };
        let tracks = [Track::of(heel, trial.rate_hz)?, Track::of(toe, trial.rate_hz)?];
        let [Some(heel), Some(toe)] = tracks else {
            return Err(GaitError::unsupported(what(), "its heel or its toe is never seen"));
        };
        let first = heel.first.max(toe.first);
        let last = (heel.first + heel.points.len()).min(toe.first + toe.points.len());
        if last < first + 10 {
            return Err(GaitError::unsupported(
                what(),
                "its heel and its toe are never seen together for ten frames",
            ));
        }
        let cutoff = CUTOFF_HZ.min(0.4 * trial.rate_hz);
        let smooth =
            |t: &Track| low_pass_points(&t.points[first - t.first..last - t.first], trial.rate_hz, cutoff);
        let points = [smooth(&heel)?, smooth(&toe)?];
        let speed = |p: &[Vec3]| crate::signal::differentiate(p, trial.rate_hz, 1);
        let velocities = [speed(&points[0])?, speed(&points[1])?];
        Ok(Self { side, toe_landmark, first, points, velocities })
    }

    /// The frames (of the trial) in which the foot is flat on the ground.
    pub fn flat_frames(&self) -> Vec<usize> {
        let low = self.points.each_ref().map(|points| {
            let mut heights: Vec<f64> = points.iter().map(|p| p.y).collect();
            heights.sort_by(f64::total_cmp);
            heights[heights.len() / 20]
        });
        let is_flat = |i: &usize| {
            (0..2).all(|k| {
                self.points[k][*i].y < low[k] + FLAT_HEIGHT && self.velocities[k][*i].y.abs() < FLAT_SPEED
            })
        };
        (0..self.points[0].len()).filter(is_flat).map(|i| i + self.first).collect()
    }
}

/// The rigid cluster of a foot's markers.
#[derive(Debug, Clone, PartialEq)]
pub struct FootCluster {
    /// Which foot.
    pub side: Side,
    /// The indices of its markers in the trial.
    pub markers: Vec<usize>,
    /// Their shape: of the static trial, in its axes, or else the mean of the walk.
    pub template: Template,
    /// Whether the shape is that of a static trial.
    pub is_standing: bool,
}

/// The markers of a rigid foot; the tip of the toes bends away.
pub(crate) const RIGID: &[Landmark] = &[
    Landmark::Heel,
    Landmark::MidfootSuperior,
    Landmark::MidfootLateral,
    Landmark::MetatarsalFirst,
    Landmark::MetatarsalSecond,
    Landmark::MetatarsalFifth,
];

impl FootCluster {
    /// The cluster of a foot; ankle markers join where there are fewer than three others.
    pub fn of(trial: &Trial, side: Side) -> Result<Self> {
        let find = |landmarks: &[Landmark]| -> Vec<usize> {
            (0..trial.markers.len())
                .filter(|i| {
                    trial.markers[*i].role.is_some_and(|r| r.side == side && landmarks.contains(&r.landmark))
                })
                .filter(|i| trial.markers[*i].positions.iter().any(Option::is_some))
                .collect()
        };
        let mut markers = find(RIGID);
        if markers.len() < 3 {
            let ankles = [Landmark::AnkleLateral, Landmark::AnkleMedial, Landmark::ToeTip];
            markers.extend(ankles.iter().flat_map(|l| find(&[*l])));
        }
        let names: Vec<String> = markers.iter().map(|i| trial.markers[*i].name.clone()).collect();
        let standing: Option<Vec<Vec3>> = names.iter().map(|n| trial.standing_named(n)).collect();
        let is_standing = standing.is_some();
        let template = match standing {
            Some(points) => Template::new(names, points, FOOT_NOISE)?,
            None => {
                let frames: Vec<Vec<Option<Vec3>>> =
                    (0..trial.times.len()).map(|frame| measured(trial, &markers, frame)).collect();
                Template::from_motion(names, &frames, FOOT_NOISE)?
            }
        };
        Ok(Self { side, markers, template, is_standing })
    }

    /// The places of its markers in a frame.
    pub fn measured(&self, trial: &Trial, frame: usize) -> Vec<Option<Vec3>> {
        measured(trial, &self.markers, frame)
    }
}

fn measured(trial: &Trial, markers: &[usize], frame: usize) -> Vec<Option<Vec3>> {
    markers.iter().map(|i| trial.markers[*i].positions[frame]).collect()
}

/// The velocity of the ground.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct GroundSpeed {
    /// Along the walking direction, in m/s: negative on a treadmill.
    pub forward: f64,
    /// To the right, in m/s: of a belt that does not run along the walking direction that was found.
    pub lateral: f64,
    /// The standard deviation over flat frames, in m/s.
    pub deviation: f64,
    /// How many flat frames it is from.
    pub frames: usize,
}

impl GroundSpeed {
    /// Whether the ground moves: a treadmill.
    pub fn is_treadmill(&self) -> bool {
        self.forward < -AT_REST
    }
}

/// The velocity of the ground by feet that are flat on it.
pub fn ground_speed(trial: &Trial, feet: &[FootMotion]) -> Result<GroundSpeed> {
    let (mut speeds, mut aside) = (Vec::new(), Vec::new());
    let floor = trial.plate_height().unwrap_or_else(|| lowest(feet) - MARKER_HEIGHT);
    for foot in feet {
        let cluster = FootCluster::of(trial, foot.side).ok();
        for frame in foot.flat_frames() {
            let i = frame - foot.first;
            let plain = || 0.5 * (foot.velocities[0][i] + foot.velocities[1][i]);
            let sole = cluster.as_ref().and_then(|c| sole_velocity(trial, c, frame, floor));
            let velocity = sole.unwrap_or_else(plain);
            speeds.push(velocity.x);
            aside.push(velocity.z);
        }
    }
    if speeds.len() < 3 {
        return Err(GaitError::unsupported(
            "the ground's speed",
            "no foot is flat on the ground in three frames",
        ));
    }
    let forward = median(&mut speeds);
    let mut away: Vec<f64> = speeds.iter().map(|v| (v - forward).abs()).collect();
    // 1.4826 turns the median distance into the standard deviation of a normal distribution.
    let deviation = 1.4826 * median(&mut away);
    Ok(GroundSpeed { forward, lateral: median(&mut aside), deviation, frames: speeds.len() })
}

/// The height of the lowest toe marker, in m.
fn lowest(feet: &[FootMotion]) -> f64 {
    feet.iter().flat_map(|foot| foot.points[1].iter().map(|p| p.y)).fold(f64::INFINITY, f64::min)
}

/// The velocity of the point of the foot on the ground below its markers.
fn sole_velocity(trial: &Trial, cluster: &FootCluster, frame: usize, floor: f64) -> Option<Vec3> {
    let pose =
        |frame: usize| fit_pose(&cluster.template, &cluster.measured(trial, frame)).map(|fit| fit.pose);
    if frame == 0 || frame + 1 >= trial.times.len() {
        return None;
    }
    let (before, now, after) = (pose(frame - 1)?, pose(frame)?, pose(frame + 1)?);
    let points = &cluster.template.points;
    let mut below = now.point_to_world(&(points.iter().sum::<Vec3>() / points.len() as f64));
    below.y = floor;
    let local = now.point_to_local(&below);
    Some((after.point_to_world(&local) - before.point_to_world(&local)) * (trial.rate_hz / 2.0))
}

/// The median; NaN of nothing.
pub(crate) fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    let n = values.len();
    match n {
        0 => f64::NAN,
        _ if n % 2 == 1 => values[n / 2],
        _ => 0.5 * (values[n / 2 - 1] + values[n / 2]),
    }
}
