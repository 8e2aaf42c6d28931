//! The motion of a foot from its markers.
//!
//! Places a_i of the rear foot's markers in the foot's frame come from the static trial, or from the frames of the
//! walk in which the foot is flat; they are then moved to the mean of what is seen in the walk (generalised
//! Procrustes analysis), the frame kept. The pose of each frame is the least of Σ w_i |p_i − t − R a_i|² with the
//! weights of Geman and McClure, w = (1 + r²/σ²)⁻², iterated from equal ones: a marker that dips by 15 mm has no say
//! (w = 0.004), one that is moved by 2 mm, as the skin and the shoe do, has most of it, and no pose jumps because a
//! marker passes a threshold.
//!
//! The toes turn about the z axis of the foot through the metatarsal hinge. Their angle is that of the toe marker
//! seen from the hinge; without such a marker the toes stay level while the heel rises.
//!
//! Poses are filtered (zero lag); rates are fourth-order central differences.

use super::markers::{FootShape, Seen};
use crate::Result;
use crate::rigid::fit_weighted;
use crate::signal::{low_pass, low_pass_points};
use crate::trial::{Landmark, Side, Trial};
use rattleback_geom::nalgebra::{Quaternion, UnitQuaternion};
use rattleback_geom::{Pose, Vec3};

/// σ of the weights, in m: what skin and shoe move a marker.
const SOFT: f64 = 4e-3;
/// Iterations of the weights; they settle to a micrometre in about ten.
const WEIGHTINGS: usize = 20;
/// Rounds of the template.
const ROUNDS: usize = 4;
/// The hinge, as shares of the distance from the heel to the metatarsal heads and in m above the sole.
const HINGE: [f64; 2] = [0.93, 0.02];

/// How a motion is made of markers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrackSettings {
    /// The cut-off of the poses, in Hz; none leaves them as they are.
    pub cutoff_hz: Option<f64>,
    /// The height of the ground, in m.
    pub floor: f64,
}

/// A small motion of the whole foot against what its markers say.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Offset {
    /// Upwards, in m.
    pub height: f64,
    /// Toes up, about the foot's middle, in rad.
    pub pitch: f64,
    /// Lateral side down, in rad.
    pub roll: f64,
}

/// The motion of a foot, mirrored if it is a left one.
#[derive(Debug, Clone, PartialEq)]
pub struct FootTrack {
    /// Which foot.
    pub side: Side,
    /// Frames per second.
    pub rate_hz: f64,
    /// The times, in s.
    pub times: Vec<f64>,
    /// The height of the ground, in m.
    pub floor: f64,
    /// Poses of the rear foot.
    pub poses: Vec<Pose>,
    /// Extension of the toes against the rear foot, in rad, zero when standing.
    pub toe_angles: Vec<f64>,
    /// The metatarsal hinge in the foot's frame, in m.
    pub hinge: Vec3,
    /// From the heel marker to the metatarsal heads, in m.
    pub length: f64,
    /// The markers' places in the foot's frame, in m.
    pub template: Vec<(Landmark, Vec3)>,
    /// The place of the marker on the tip of the toes when standing, in m.
    pub toe: Option<Vec3>,
    /// The root mean square of the markers' residuals, weighted, per axis, in m.
    pub noise: f64,
}

/// A point as if it were on a right foot.
pub(crate) fn mirrored(side: Side, p: &Vec3) -> Vec3 {
    if side == Side::Left { Vec3::new(p.x, p.y, -p.z) } else { *p }
}

impl FootTrack {
    /// The motion of a foot in a trial.
    pub fn of(trial: &Trial, side: Side, settings: &TrackSettings) -> Result<Self> {
        Self::with_shape(trial, side, settings, None)
    }

    /// The same; without a static trial the markers' places are those of a stored foot.
    pub fn with_shape(
        trial: &Trial,
        side: Side,
        settings: &TrackSettings,
        stored: Option<&FootShape>,
    ) -> Result<Self> {
        let seen = Seen::of(trial, side)?;
        let standing = seen.standing(trial, side, settings.floor, stored)?;
        let length = standing.length;
        let mut template = standing.points;
        let frames = seen.rear[0].len();
        let mut poses = Vec::new();
        let mut noise = 0.0;
        for round in 0..=ROUNDS {
            poses.clear();
            let mut moved = vec![Vec3::zeros(); template.len()];
            let mut weights = vec![0.0; template.len()];
            let mut squares = 0.0;
            for i in 0..frames {
                let points: Vec<Vec3> = seen.rear.iter().map(|track| track[i]).collect();
                let (pose, w) = soft_pose(&template, &points);
                for (k, p) in points.iter().enumerate() {
                    let r = pose.point_to_local(p) - template[k];
                    moved[k] += r * w[k];
                    weights[k] += w[k];
                    squares += w[k] * r.norm_squared();
                }
                poses.push(pose);
            }
            let total: f64 = weights.iter().sum();
            // Of 3m coordinates a pose takes six.
            let freedom = 3.0 - 6.0 / template.len() as f64;
            noise = (squares / total / freedom.max(0.5)).sqrt();
            if round < ROUNDS {
                let refined: Vec<Vec3> =
                    template.iter().enumerate().map(|(k, a)| a + moved[k] / weights[k]).collect();
                let back = fit_weighted(&refined, &template, &vec![1.0; template.len()]);
                template = refined.iter().map(|a| back.point_to_world(a)).collect();
            }
        }
        let hinge = Self::hinge_of(length);
        let mut track = Self {
            side,
            rate_hz: trial.rate_hz,
            times: trial.times[..frames].to_vec(),
            floor: settings.floor,
            poses,
            toe_angles: Vec::new(),
            hinge,
            length,
            template: seen.landmarks.iter().copied().zip(template).collect(),
            toe: standing.toe,
            noise,
        };
        track.filter(settings.cutoff_hz)?;
        let toe = match (seen.toe, standing.toe) {
            (Some(points), Some(place)) => {
                let points = match settings.cutoff_hz {
                    Some(cutoff) => low_pass_points(&points, trial.rate_hz, cutoff)?,
                    None => points,
                };
                Some((points, place))
            }
            _ => None,
        };
        track.toe_angles = track.toes(toe);
        Ok(track)
    }

    /// Its markers, to be kept.
    pub fn shape(&self) -> FootShape {
        FootShape {
            side: self.side,
            length: self.length,
            markers: self.template.iter().map(|(l, p)| (*l, (*p).into())).collect(),
            toe: self.toe.map(Into::into),
        }
    }

    /// The metatarsal hinge of a foot of a length from the heel to the metatarsal heads.
    pub(crate) fn hinge_of(length: f64) -> Vec3 {
        Vec3::new(HINGE[0] * length, HINGE[1], 0.0)
    }

    /// The middle between heel and metatarsal heads, on the sole, in the foot's frame.
    pub fn middle(&self) -> Vec3 {
        Vec3::new(0.5 * self.length, 0.0, 0.0)
    }

    fn filter(&mut self, cutoff_hz: Option<f64>) -> Result<()> {
        let Some(cutoff) = cutoff_hz else { return Ok(()) };
        let positions: Vec<Vec3> = self.poses.iter().map(|pose| pose.position).collect();
        let positions = low_pass_points(&positions, self.rate_hz, cutoff)?;
        let mut parts = vec![Vec::new(); 4];
        let mut last = self.poses.first().map_or(Quaternion::identity(), |p| *p.orientation.quaternion());
        for pose in &self.poses {
            let q = *pose.orientation.quaternion();
            last = if last.dot(&q) < 0.0 { -q } else { q };
            for (part, value) in parts.iter_mut().zip([last.w, last.i, last.j, last.k]) {
                part.push(value);
            }
        }
        let parts: Vec<Vec<f64>> =
            parts.iter().map(|part| low_pass(part, self.rate_hz, cutoff)).collect::<Result<_>>()?;
        for (i, pose) in self.poses.iter_mut().enumerate() {
            let q = Quaternion::new(parts[0][i], parts[1][i], parts[2][i], parts[3][i]);
            *pose = Pose::new(positions[i], UnitQuaternion::from_quaternion(q));
        }
        Ok(())
    }

    /// The angles of the toes from the toe marker, or level ones.
    fn toes(&self, toe: Option<(Vec<Vec3>, Vec3)>) -> Vec<f64> {
        let angle = |p: &Vec3| (p.y - self.hinge.y).atan2(p.x - self.hinge.x);
        match toe {
            Some((points, place)) => {
                let rest = angle(&place);
                self.poses
                    .iter()
                    .zip(&points)
                    .map(|(pose, p)| angle(&pose.point_to_local(p)) - rest)
                    .collect()
            }
            None => (0..self.poses.len()).map(|i| (-self.pitch(i)).max(0.0)).collect(),
        }
    }

    /// How far the toes are above the heel, as an angle, in rad.
    pub fn pitch(&self, frame: usize) -> f64 {
        let x = self.poses[frame].vector_to_world(&Vec3::x());
        x.y.atan2(x.x.hypot(x.z))
    }

    /// The same motion with the foot moved by an offset, about the middle between heel and metatarsal heads.
    #[must_use]
    pub fn moved(&self, offset: &Offset) -> Self {
        let mut track = self.clone();
        for pose in &mut track.poses {
            *pose = moved(pose, self.length, offset);
        }
        track
    }

    /// The frames of an interval of time, with a margin on both sides as far as there are frames.
    pub fn window(&self, begin: f64, end: f64, margin: f64) -> Self {
        let first = self.times.partition_point(|t| *t < begin - margin - 1e-9);
        let last = self.times.partition_point(|t| *t <= end + margin + 1e-9).max(first);
        Self {
            times: self.times[first..last].to_vec(),
            poses: self.poses[first..last].to_vec(),
            toe_angles: self.toe_angles[first..last].to_vec(),
            template: self.template.clone(),
            ..*self
        }
    }

    /// The pose of the toes in the foot's frame.
    pub(crate) fn toe_pose(&self, frame: usize) -> Pose {
        let turn = UnitQuaternion::from_axis_angle(&Vec3::z_axis(), self.toe_angles[frame]);
        Pose::new(self.hinge - turn * self.hinge, turn)
    }
}

/// A pose moved by an offset about the foot's middle.
pub(crate) fn moved(pose: &Pose, length: f64, offset: &Offset) -> Pose {
    let middle = Vec3::new(0.5 * length, 0.0, 0.0);
    let turn = UnitQuaternion::from_scaled_axis(Vec3::new(offset.roll, 0.0, offset.pitch));
    let orientation = pose.orientation * turn;
    let centre = pose.point_to_world(&middle) + Vec3::y() * offset.height;
    Pose::new(centre - orientation * middle, orientation)
}

fn soft_pose(template: &[Vec3], points: &[Vec3]) -> (Pose, Vec<f64>) {
    let mut weights = vec![1.0; points.len()];
    let mut pose = fit_weighted(template, points, &weights);
    for _ in 0..WEIGHTINGS {
        for (k, w) in weights.iter_mut().enumerate() {
            let r = (points[k] - pose.point_to_world(&template[k])).norm() / SOFT;
            *w = (1.0 + r * r).powi(-2);
        }
        pose = fit_weighted(template, points, &weights);
    }
    (pose, weights)
}
