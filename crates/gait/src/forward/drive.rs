//! What drives the leg over the ground, sampled on the times of the joint angles.
//!
//! The times are those from [`LEAD`] before the foot strikes to [`LEAD`] after it leaves, as far as the file goes.
//! Heights are those of the pelvis' markers, moved by one offset so that the foot's lowest point is at the ground when
//! it strikes: links and angles are off by millimetres to centimetres, and the ground decides where the pelvis is
//! while the foot stands.

use super::angles::JointAngles;
use super::chain::{Leg, Turns};
use super::foot_scene::lowest;
use crate::foot::FootModel;
use crate::predict::{CalibratedFoot, Prediction, Walk, scaled_to};
use crate::signal::Spline;
use crate::stance::Stance;
use crate::trial::Side;
use crate::{GaitError, Result};
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::{Pose, Vec3};

/// Before the strike and after the foot has left, in s.
const LEAD: f64 = 0.08;
/// The least of it, in s.
const LEAST_LEAD: f64 = 0.02;
/// The cut-off of joint angles and of the pelvis, in Hz (Winter): their accelerations move the body.
pub const ANGLE_CUTOFF_HZ: f64 = 6.0;

/// A leg and what drives it, times from zero.
#[derive(Debug, Clone, PartialEq)]
pub struct Drive {
    /// Which leg; a left one is mirrored.
    pub side: Side,
    /// The leg.
    pub leg: Leg,
    /// The foot under it.
    pub foot: FootModel,
    /// From the heel marker to the metatarsal heads, in m.
    pub length: f64,
    /// The weight of the body, in N.
    pub weight: f64,
    /// The time of the trial at which it begins, in s.
    pub start: f64,
    /// When the foot strikes and leaves by its markers, in s from the start.
    pub stance: [f64; 2],
    /// Times of the tables, in s from the start.
    pub times: Vec<f64>,
    /// Joint angles in the order of [`JointName::ALL`](super::JointName::ALL), in rad.
    pub angles: Vec<[f64; 10]>,
    /// The pelvis over ground at rest, heights above the ground, in m.
    pub pelvis: Vec<Vec3>,
    /// What the other foot carries, in N.
    pub other: Vec<f64>,
}

/// What drives the leg whose angles are given through a stance; `within` is an interval that holds the stance, or none
/// for the first whole one.
pub fn drive(
    walk: &Walk,
    foot: &CalibratedFoot,
    prediction: &Prediction,
    angles: JointAngles,
    within: Option<[f64; 2]>,
) -> Result<Drive> {
    let side = angles.side;
    let stance = choose(walk, &angles, within)?;
    let track = walk.track(side);
    let interval = [stance.begin, stance.end];
    let leg = Leg::of(walk.trial, track, angles, &walk.ground_velocity(), interval, ANGLE_CUTOFF_HZ)?;
    let (begin, end) = (stance.begin - LEAD - 1e-9, stance.end + LEAD + 1e-9);
    let all = &leg.angles.times;
    let (first, last) = (all.partition_point(|t| *t < begin), all.partition_point(|t| *t <= end));
    let start = all[first];
    let other = other_foot(prediction, side, &all[first..last])?;
    let angles = (first..last).map(|i| std::array::from_fn(|k| leg.angles.values[k][i])).collect();
    let mut drive = Drive {
        side,
        foot: scaled_to(foot, track.length),
        length: track.length,
        weight: foot.weight,
        start,
        stance: interval.map(|t| t - start),
        times: all[first..last].iter().map(|t| t - start).collect(),
        angles,
        pelvis: leg.pelvis[first..last].to_vec(),
        other,
        leg,
    };
    drive.touch_at_strike()?;
    Ok(drive)
}

impl Drive {
    /// The foot's pose at angles and a place of the pelvis.
    pub(super) fn foot_pose(&self, turns: &[UnitQuaternion<f64>; 4], pelvis: &Vec3) -> Pose {
        let links = &self.leg.links;
        let turn = turns[3] * links.foot_turn;
        Pose::new(links.ankle_at(pelvis, turns) - turn * links.ankle_in_foot, turn)
    }

    /// Angles and the pelvis' place at a time, by splines through the tables.
    pub(super) fn splines(&self) -> Result<Moving> {
        let column = |k: usize| self.angles.iter().map(|row| row[k]).collect::<Vec<f64>>();
        let angles =
            (0..10).map(|k| Spline::through(&self.times, &column(k), 3)).collect::<Result<Vec<_>>>()?;
        let axis = |k: usize| self.pelvis.iter().map(|p| p[k]).collect::<Vec<f64>>();
        let pelvis = (0..3).map(|k| Spline::through(&self.times, &axis(k), 3)).collect::<Result<Vec<_>>>()?;
        Ok(Moving { turns: Turns(angles), pelvis })
    }

    /// Moves all heights so that the foot touches when it strikes, and the path so that it begins above the origin.
    pub fn touch_at_strike(&mut self) -> Result<()> {
        let moving = self.splines()?;
        let at = self.stance[0];
        let pose = self.foot_pose(&moving.turns.at(at), &moving.pelvis(at));
        let below = lowest(&self.foot, &pose)?;
        let begin = self.pelvis[0];
        for p in &mut self.pelvis {
            *p -= Vec3::new(begin.x, below, begin.z);
        }
        Ok(())
    }
}

/// The tables as curves.
pub(super) struct Moving {
    pub(super) turns: Turns,
    pelvis: Vec<Spline>,
}

impl Moving {
    pub(super) fn pelvis(&self, time: f64) -> Vec3 {
        Vec3::from_fn(|k, _| self.pelvis[k].value(time))
    }
}

/// The stance: a whole one within the times of the angles.
fn choose(walk: &Walk, angles: &JointAngles, within: Option<[f64; 2]>) -> Result<Stance> {
    let (first, last) = (angles.times[0], angles.times[angles.times.len() - 1]);
    let is_covered = |s: &&Stance| s.begin - LEAST_LEAD >= first && s.end + LEAST_LEAD <= last;
    let is_wanted = |s: &&Stance| within.is_none_or(|[a, b]| s.begin >= a - 0.05 && s.end <= b + 0.05);
    let whole = |s: &&Stance| s.side == angles.side && s.has_strike && s.has_off;
    let found = walk.stances.iter().filter(whole).filter(is_wanted).find(is_covered);
    found.copied().ok_or_else(|| {
        GaitError::unsupported(
            "a stance for the leg",
            format!(
                "the {} foot has no whole stance within the joint angles' times, {first:.3} to {last:.3} s",
                angles.side.word()
            ),
        )
    })
}

/// What the other foot carries at times.
fn other_foot(prediction: &Prediction, side: Side, times: &[f64]) -> Result<Vec<f64>> {
    let foot = &prediction.feet[usize::from(side == Side::Right)];
    let force: Vec<f64> = foot.force.iter().map(|f| f.y).collect();
    let spline = Spline::through(&foot.times, &force, 1)?;
    Ok(times.iter().map(|t| spline.value(*t).max(0.0)).collect())
}
