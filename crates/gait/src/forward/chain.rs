//! The leg: segments turned by the joint angles, links by the markers.
//!
//! With R_z, R_x, R_y turns about the axes x forward, y up, z right of a segment, and the axes a, s of ankle and
//! subtalar joint of OpenSim's models (Delp et al. 1990):
//!
//!   pelvis R₁ = R_z(tilt) R_x(list) R_y(rotation),   thigh R₂ = R₁ R_z(flexion) R_x(adduction) R_y(rotation),
//!   shank R₃ = R₂ R_z(knee),   talus R₄ = R₃ R_a(ankle),   heel R₅ = R₄ R_s(subtalar)
//!
//! The knee is a hinge; the models let it slide by some millimetres. A link is the mean, over the frames of the file,
//! of what the markers show in the axes of its segment: l = mean Rᵀ(p_end − p_begin) from the middle of the anterior
//! iliac spines to the hip, to the knee, to the ankle. The foot of superellipsoids is turned in the heel's axes by the
//! mean of R₅ᵀ R_foot over the frames in which the foot is flat, so that a file's sole that is a few degrees off is
//! level where the markers' one is.

use super::angles::{JointAngles, JointName};
use crate::body::{Places, joint_centres};
use crate::feet::LONGEST_GAP_S;
use crate::foot::{FootTrack, mirror};
use crate::signal::{Spline, fill_gaps, low_pass_points};
use crate::trial::{Landmark, Side, Trial};
use crate::{GaitError, Result};
use rattleback_geom::nalgebra::{Quaternion, Unit, UnitQuaternion};
use rattleback_geom::{Mat3, Vec3};

/// Axes of the ankle and of the subtalar joint of a right leg in shank and talus.
const ANKLE: [f64; 3] = [-0.105_013_55, -0.174_022_45, 0.979_126_32];
const SUBTALAR: [f64; 3] = [0.787_179_6, 0.604_747_46, -0.120_949_49];
/// A foot is flat while its pitch is within this of that of standing, in rad.
const FLAT: f64 = 3.0 * std::f64::consts::PI / 180.0;
/// A link needs so many frames.
const FRAMES: usize = 5;

/// Links of a leg in the axes of their segments, in m.
#[derive(Debug, Clone, PartialEq)]
pub struct Links {
    /// From the middle of the anterior iliac spines to the hip, in the pelvis.
    pub hip: Vec3,
    /// From hip to knee, in the thigh.
    pub knee: Vec3,
    /// From knee to ankle, in the shank.
    pub ankle: Vec3,
    /// The foot's axes in those of the heel.
    pub foot_turn: UnitQuaternion<f64>,
    /// The ankle in the foot's frame.
    pub ankle_in_foot: Vec3,
}

/// A leg: its joint angles, its links, and the path of the pelvis.
#[derive(Debug, Clone, PartialEq)]
pub struct Leg {
    /// The angles.
    pub angles: JointAngles,
    /// The links.
    pub links: Links,
    /// The middle of the anterior iliac spines at the times of the angles, over ground at rest, in m.
    pub pelvis: Vec<Vec3>,
    /// The root mean square distance of the ankle by angles and links from that of the markers, in m.
    pub ankle_error: f64,
}

impl JointName {
    /// Its axis in the segment before it.
    pub fn axis(self) -> Vec3 {
        match self {
            Self::PelvisList | Self::HipAdduction => Vec3::x(),
            Self::PelvisRotation | Self::HipRotation => Vec3::y(),
            Self::Ankle => Vec3::from(ANKLE),
            Self::Subtalar => Vec3::from(SUBTALAR),
            _ => Vec3::z(),
        }
    }

    /// The turn by an angle.
    pub(super) fn turn(self, angle: f64) -> UnitQuaternion<f64> {
        UnitQuaternion::from_axis_angle(&Unit::new_normalize(self.axis()), angle)
    }
}

/// The turns of pelvis, thigh, shank and heel at angles in the order of [`JointName::ALL`].
pub(super) fn segments(angles: &[f64; 10]) -> [UnitQuaternion<f64>; 4] {
    let turn = |k: usize| JointName::ALL[k].turn(angles[k]);
    let pelvis = turn(0) * turn(1) * turn(2);
    let thigh = pelvis * turn(3) * turn(4) * turn(5);
    let shank = thigh * turn(6);
    [pelvis, thigh, shank, shank * turn(7) * turn(8)]
}

impl Leg {
    /// The leg of a trial. `ground` is the velocity of the ground, which the pelvis' path is relative to; `stance` the
    /// interval in which the foot is on it.
    pub fn of(
        trial: &Trial,
        track: &FootTrack,
        mut angles: JointAngles,
        ground: &Vec3,
        stance: [f64; 2],
        cutoff_hz: f64,
    ) -> Result<Self> {
        face_forward(&mut angles);
        let side = angles.side;
        let markers = MarkerLeg::of(trial, side)?;
        let frames = markers.frames(trial, &angles);
        if frames.len() < FRAMES {
            return Err(GaitError::unsupported(
                "the links of the leg",
                format!(
                    "markers of pelvis, knee and ankle are seen together in {} frames of the joint angles' time",
                    frames.len()
                ),
            ));
        }
        let turns = Turns::of(&angles)?;
        let mut links = Links {
            hip: Vec3::zeros(),
            knee: Vec3::zeros(),
            ankle: Vec3::zeros(),
            foot_turn: UnitQuaternion::identity(),
            ankle_in_foot: Vec3::zeros(),
        };
        let share = 1.0 / frames.len() as f64;
        for &i in &frames {
            let [pelvis, thigh, shank, _] = turns.at(trial.times[i]);
            let [p, h, k, a] = markers.places(i).unwrap_or([Vec3::zeros(); 4]);
            links.hip += pelvis.inverse() * (h - p) * share;
            links.knee += thigh.inverse() * (k - h) * share;
            links.ankle += shank.inverse() * (a - k) * share;
        }
        links.place_foot(trial, track, &markers, &turns, &frames, stance)?;
        let mut squares = 0.0;
        for &i in &frames {
            let [p, .., a] = markers.places(i).unwrap_or([Vec3::zeros(); 4]);
            squares += (links.ankle_at(&p, &turns.at(trial.times[i])) - a).norm_squared();
        }
        let pelvis = markers.pelvis_path(trial, &angles.times, ground, cutoff_hz)?;
        Ok(Self { angles, links, pelvis, ankle_error: (squares * share).sqrt() })
    }
}

impl Links {
    /// The ankle of a leg whose pelvis is at a place.
    pub(super) fn ankle_at(&self, pelvis: &Vec3, turns: &[UnitQuaternion<f64>; 4]) -> Vec3 {
        pelvis + turns[0] * self.hip + turns[1] * self.knee + turns[2] * self.ankle
    }

    fn place_foot(
        &mut self,
        trial: &Trial,
        track: &FootTrack,
        markers: &MarkerLeg,
        turns: &Turns,
        frames: &[usize],
        [begin, end]: [f64; 2],
    ) -> Result<()> {
        let in_stance: Vec<usize> = frames
            .iter()
            .copied()
            .filter(|i| *i < track.poses.len() && (begin..=end).contains(&trial.times[*i]))
            .collect();
        let flat: Vec<usize> = in_stance.iter().copied().filter(|i| track.pitch(*i).abs() < FLAT).collect();
        let of_turn = if flat.is_empty() { &in_stance } else { &flat };
        if of_turn.is_empty() {
            return Err(GaitError::unsupported(
                "the foot of the leg",
                format!("the joint angles have no frame of the stance {begin:.3} to {end:.3} s"),
            ));
        }
        let mut mean = Quaternion::new(0.0, 0.0, 0.0, 0.0);
        for &i in of_turn {
            let [.., heel] = turns.at(trial.times[i]);
            let q = *(heel.inverse() * track.poses[i].orientation).quaternion();
            mean += if q.w < 0.0 { -q } else { q };
        }
        self.foot_turn = UnitQuaternion::from_quaternion(mean);
        let ankles = in_stance.iter().filter_map(|i| {
            let [.., ankle] = markers.places(*i)?;
            Some(track.poses[*i].point_to_local(&ankle))
        });
        self.ankle_in_foot = ankles.sum::<Vec3>() / in_stance.len() as f64;
        Ok(())
    }
}

/// The markers' pelvis and joint centres, mirrored for a left leg.
struct MarkerLeg {
    side: Side,
    pelvis: Places,
    centres: [Places; 3],
}

impl MarkerLeg {
    fn of(trial: &Trial, side: Side) -> Result<Self> {
        let longest = (LONGEST_GAP_S * trial.rate_hz).ceil() as usize;
        let spine = |side: Side| -> Result<Places> {
            let marker = trial.marker(Landmark::Asis, side).ok_or_else(|| {
                GaitError::unsupported(
                    "the leg's pelvis",
                    "it needs markers on both anterior iliac spines (name them with a file of roles)",
                )
            })?;
            Ok(fill_gaps(&marker.positions, longest)?.0)
        };
        let (right, left) = (spine(Side::Right)?, spine(Side::Left)?);
        let pelvis = right.iter().zip(&left).map(|(r, l)| Some(((*r)? + (*l)?) / 2.0)).collect();
        let centres = joint_centres(trial, side);
        let centres = [centres.hip, centres.knee, centres.ankle];
        for (places, word) in centres.iter().zip(["hip", "knee", "ankle"]) {
            if places.iter().all(Option::is_none) {
                return Err(GaitError::unsupported(
                    "the leg's links",
                    format!("the markers do not show the centre of the {} {word}", side.word()),
                ));
            }
        }
        Ok(Self { side, pelvis, centres })
    }

    /// Pelvis, hip, knee and ankle in a frame.
    fn places(&self, i: usize) -> Option<[Vec3; 4]> {
        let at = |places: &Places| (*places.get(i)?).map(|p| mirror(self.side, &p));
        let [hip, knee, ankle] = &self.centres;
        Some([at(&self.pelvis)?, at(hip)?, at(knee)?, at(ankle)?])
    }

    /// Frames within the time of the angles in which all is seen.
    fn frames(&self, trial: &Trial, angles: &JointAngles) -> Vec<usize> {
        let (first, last) = (angles.times[0], angles.times[angles.times.len() - 1]);
        (0..trial.times.len())
            .filter(|i| (first..=last).contains(&trial.times[*i]) && self.places(*i).is_some())
            .collect()
    }

    /// The pelvis at other times, over ground at rest.
    fn pelvis_path(&self, trial: &Trial, times: &[f64], ground: &Vec3, cutoff_hz: f64) -> Result<Vec<Vec3>> {
        let run = crate::feet::Track::longest(&self.pelvis).filter(|run| run.points.len() >= 10);
        let run = run.ok_or_else(|| {
            GaitError::unsupported("the leg's pelvis", "its markers are not seen for ten frames in a row")
        })?;
        let start = trial.times[run.first];
        let last = trial.times[run.first + run.points.len() - 1];
        if times[0] < start - 1e-6 || times[times.len() - 1] > last + 1e-6 {
            return Err(GaitError::unsupported(
                "the leg's pelvis",
                format!(
                    "its markers are seen from {start:.3} to {last:.3} s, the joint angles are from {:.3} to {:.3} s",
                    times[0],
                    times[times.len() - 1]
                ),
            ));
        }
        let cutoff = cutoff_hz.min(0.4 * trial.rate_hz);
        let points = low_pass_points(&run.points, trial.rate_hz, cutoff)?;
        let spline = |axis: usize| {
            let values: Vec<f64> = points.iter().map(|p| p[axis]).collect();
            Spline::uniform(start, trial.rate_hz, &values, 3)
        };
        let splines = [spline(0)?, spline(1)?, spline(2)?];
        let at = |t: &f64| {
            let p = Vec3::from_fn(|axis, _| splines[axis].value(*t)) - ground * *t;
            mirror(self.side, &p)
        };
        Ok(times.iter().map(at).collect())
    }
}

/// Turns of the segments at any time, by splines through the angles.
pub(super) struct Turns(pub(super) Vec<Spline>);

impl Turns {
    pub(super) fn of(angles: &JointAngles) -> Result<Self> {
        let splines = angles.values.iter().map(|values| Spline::through(&angles.times, values, 3));
        Ok(Self(splines.collect::<Result<_>>()?))
    }

    pub(super) fn angles(&self, time: f64) -> [f64; 10] {
        let mut out = [0.0; 10];
        for (slot, spline) in out.iter_mut().zip(&self.0) {
            *slot = spline.value(time);
        }
        out
    }

    pub(super) fn at(&self, time: f64) -> [UnitQuaternion<f64>; 4] {
        segments(&self.angles(time))
    }
}

/// Turns the pelvis so that the walk goes along x: a file's walk may go along any of its axes.
fn face_forward(angles: &mut JointAngles) {
    let quarter = std::f64::consts::FRAC_PI_2;
    let rotation = angles.of_joint(JointName::PelvisRotation);
    let mean = rotation.iter().sum::<f64>() / rotation.len() as f64;
    let heading = (mean / quarter).round() * quarter;
    if heading == 0.0 {
        return;
    }
    let back = UnitQuaternion::from_axis_angle(&Vec3::y_axis(), -heading);
    for i in 0..angles.times.len() {
        let all = std::array::from_fn(|k| angles.values[k][i]);
        let [tilt, list, rotation] = tilt_list_rotation(&(back * segments(&all)[0]));
        (angles.values[0][i], angles.values[1][i], angles.values[2][i]) = (tilt, list, rotation);
    }
    angles.remarks.push(format!("The file's walk goes {:.0}° off its x axis.", heading.to_degrees()));
}

/// The angles of a pelvis: R = R_z(tilt) R_x(list) R_y(rotation).
fn tilt_list_rotation(turn: &UnitQuaternion<f64>) -> [f64; 3] {
    let r: Mat3 = turn.to_rotation_matrix().into_inner();
    [(-r[(0, 1)]).atan2(r[(1, 1)]), r[(2, 1)].clamp(-1.0, 1.0).asin(), (-r[(2, 0)]).atan2(r[(2, 2)])]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_angles_of_a_pelvis_come_back() {
        let [tilt, list, rotation] = [0.2, -0.15, 0.4];
        let turns = JointName::ALL;
        let turn = turns[0].turn(tilt) * turns[1].turn(list) * turns[2].turn(rotation);
        for (a, b) in tilt_list_rotation(&turn).iter().zip([tilt, list, rotation]) {
            assert!((a - b).abs() < 1e-14, "{a} {b}");
        }
    }
}
