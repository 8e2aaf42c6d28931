//! Angles of joints from a file of inverse kinematics, `.mot` or `.sto`, with the coordinates that OpenSim's models of
//! the whole body share (gait2392, Rajagopal 2015, and what was made of them).
//!
//! Labels are `hip_flexion_r`, or `/jointset/hip_r/hip_flexion_r/value` as later versions write them. A column that is
//! not there is a joint that does not move; hip, knee and ankle must be there.

use crate::file::Storage;
use crate::signal::low_pass;
use crate::trial::Side;
use crate::{GaitError, Result};

/// A coordinate of the pelvis or of a leg.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JointName {
    /// The pelvis about the laboratory's right.
    PelvisTilt,
    /// About its own forward axis.
    PelvisList,
    /// About its own upward axis.
    PelvisRotation,
    /// The hip about the pelvis' right: thigh forwards.
    HipFlexion,
    /// Thigh inwards.
    HipAdduction,
    /// Thigh turned inwards.
    HipRotation,
    /// The knee; extension is positive here.
    Knee,
    /// The ankle: toes up.
    Ankle,
    /// The subtalar joint: sole inwards.
    Subtalar,
    /// The metatarsal joint: toes up.
    Metatarsal,
}

impl JointName {
    /// All of them, from the pelvis to the toes.
    pub const ALL: [Self; 10] = [
        Self::PelvisTilt,
        Self::PelvisList,
        Self::PelvisRotation,
        Self::HipFlexion,
        Self::HipAdduction,
        Self::HipRotation,
        Self::Knee,
        Self::Ankle,
        Self::Subtalar,
        Self::Metatarsal,
    ];

    /// Its name in a scene and in tables.
    pub fn word(self) -> &'static str {
        match self {
            Self::PelvisTilt => "pelvis tilt",
            Self::PelvisList => "pelvis list",
            Self::PelvisRotation => "pelvis rotation",
            Self::HipFlexion => "hip flexion",
            Self::HipAdduction => "hip adduction",
            Self::HipRotation => "hip rotation",
            Self::Knee => "knee",
            Self::Ankle => "ankle",
            Self::Subtalar => "subtalar joint",
            Self::Metatarsal => "metatarsal joint",
        }
    }

    /// Its column for a side.
    fn column(self, side: Side) -> String {
        let letter = if side == Side::Left { "l" } else { "r" };
        let stem = match self {
            Self::PelvisTilt => return "pelvis_tilt".to_owned(),
            Self::PelvisList => return "pelvis_list".to_owned(),
            Self::PelvisRotation => return "pelvis_rotation".to_owned(),
            Self::HipFlexion => "hip_flexion",
            Self::HipAdduction => "hip_adduction",
            Self::HipRotation => "hip_rotation",
            Self::Knee => "knee_angle",
            Self::Ankle => "ankle_angle",
            Self::Subtalar => "subtalar_angle",
            Self::Metatarsal => "mtp_angle",
        };
        format!("{stem}_{letter}")
    }

    fn is_needed(self) -> bool {
        matches!(self, Self::HipFlexion | Self::Knee | Self::Ankle)
    }

    /// Whether a mirror at the plane of walking turns its sign round: the pelvis is shared, the legs' own are alike.
    fn turns_round(self) -> bool {
        matches!(self, Self::PelvisList | Self::PelvisRotation)
    }
}

/// The angles of one leg and of the pelvis over time, in rad, as those of a right leg.
#[derive(Debug, Clone, PartialEq)]
pub struct JointAngles {
    /// Which leg.
    pub side: Side,
    /// Times, in s, uniform.
    pub times: Vec<f64>,
    /// Angles in the order of [`JointName::ALL`], each with as many values as there are times.
    pub values: [Vec<f64>; 10],
    /// What was found on the way.
    pub remarks: Vec<String>,
}

/// A knee bends further than this within a stride, in rad, and never so far the other way.
const BENDS: f64 = 0.3;
/// No joint of a leg turns by so many radians: such numbers are degrees.
const DEGREES: f64 = 4.0;
/// Times may be off a uniform grid by this share of a step.
const UNEVEN: f64 = 0.1;
/// A metatarsal joint that turns by less is locked in the model, in rad.
const LOCKED: f64 = 0.0175;

impl JointAngles {
    /// The angles of a leg in a table, low-passed (zero lag) where a cut-off is given.
    pub fn of(table: &Storage, side: Side, cutoff_hz: Option<f64>) -> Result<Self> {
        let times = table.times();
        let rate_hz = uniform(&times)?;
        let mut angles = Self { side, values: Default::default(), times, remarks: table.remarks.clone() };
        let mut missing = Vec::new();
        for (k, joint) in JointName::ALL.into_iter().enumerate() {
            let label = joint.column(side);
            match table.labels.iter().position(|l| is_label(l, &label)) {
                Some(column) => angles.values[k] = table.column(column),
                None if joint.is_needed() => {
                    return Err(GaitError::unsupported(
                        "joint angles",
                        format!("no column is named {label}; there are: {}", table.labels.join(", ")),
                    ));
                }
                None => {
                    missing.push(label);
                    angles.values[k] = vec![0.0; angles.times.len()];
                }
            }
        }
        if !missing.is_empty() {
            angles.remarks.push(format!("Joints without a column do not move: {}.", missing.join(", ")));
        }
        if let Some((k, row)) = angles.first_missing() {
            let (joint, time) = (JointName::ALL[k].column(side), angles.times[row]);
            return Err(GaitError::unsupported(
                "joint angles",
                format!("{joint} has no number at {time:.3} s"),
            ));
        }
        angles.in_radians(table.in_degrees);
        angles.settle()?;
        if let Some(cutoff) = cutoff_hz.map(|c| c.min(0.4 * rate_hz)) {
            for values in &mut angles.values {
                *values = low_pass(values, rate_hz, cutoff)?;
            }
        }
        Ok(angles)
    }

    /// The values of a joint.
    pub fn of_joint(&self, joint: JointName) -> &[f64] {
        &self.values[JointName::ALL.iter().position(|j| *j == joint).unwrap_or(0)]
    }

    /// Whether the toes move: models often lock them, and their joint is then left to its spring.
    pub fn toes_move(&self) -> bool {
        let values = self.of_joint(JointName::Metatarsal);
        let (low, high) =
            values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(*v), b.max(*v)));
        high - low > LOCKED
    }

    fn first_missing(&self) -> Option<(usize, usize)> {
        let one = |(k, values): (usize, &Vec<f64>)| Some((k, values.iter().position(|v| !v.is_finite())?));
        self.values.iter().enumerate().find_map(one)
    }

    fn in_radians(&mut self, in_degrees: Option<bool>) {
        let largest = self.values.iter().flatten().fold(0.0, |a: f64, b| a.max(b.abs()));
        if in_degrees.unwrap_or(largest > DEGREES) {
            for value in self.values.iter_mut().flatten() {
                *value = value.to_radians();
            }
        }
    }

    /// Extension of the knee is made positive, and a left leg a right one.
    fn settle(&mut self) -> Result<()> {
        let knee = &mut self.values[6];
        let (low, high) =
            knee.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(*v), b.max(*v)));
        if -low < BENDS && high < BENDS {
            return Err(GaitError::unsupported(
                "joint angles",
                format!(
                    "the {} knee never bends by more than {:.0}°: is this a walk, and are the angles in degrees?",
                    self.side.word(),
                    BENDS.to_degrees()
                ),
            ));
        }
        if high > -low {
            self.remarks.push("Knee angles are positive where the knee is bent.".to_owned());
            knee.iter_mut().for_each(|v| *v = -*v);
        }
        if self.side == Side::Left {
            for (k, joint) in JointName::ALL.into_iter().enumerate() {
                if joint.turns_round() {
                    self.values[k].iter_mut().for_each(|v| *v = -*v);
                }
            }
        }
        Ok(())
    }
}

/// The rate of uniform times, in Hz.
fn uniform(times: &[f64]) -> Result<f64> {
    let n = times.len();
    if n < 10 {
        return Err(GaitError::unsupported("joint angles", format!("{n} rows, ten or more are needed")));
    }
    let step = (times[n - 1] - times[0]) / (n - 1) as f64;
    let is_even =
        |(i, t): (usize, &f64)| (t - times[0] - i as f64 * step).abs() < UNEVEN * step && t.is_finite();
    if !(step > 0.0) || !times.iter().enumerate().all(is_even) {
        return Err(GaitError::unsupported("joint angles", "their times are not uniform"));
    }
    Ok(1.0 / step)
}

/// Whether a label is a coordinate's name, or a path that ends with it.
fn is_label(label: &str, name: &str) -> bool {
    let path = label.strip_suffix("/value").unwrap_or(label);
    path.rsplit('/').next().is_some_and(|last| last.eq_ignore_ascii_case(name))
}
