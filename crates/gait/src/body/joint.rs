//! Joint centres of the legs.
//!
//! Hips: the regression of Harrington et al. 2007 (J. Biomech. 40, 595, in mm). With w the distance between the
//! anterior iliac spines, d that from their middle to the middle of the posterior ones (or to the sacrum), in pelvis
//! axes from the middle of the anterior ones, x forward, y up, z right:
//!
//!   x = −0.24 d − 9.9, y = −0.30 w − 10.9, z = ±(0.33 w + 7.3).
//!
//! Knees and ankles: the middle of their medial and lateral markers; where the walk has not both, that middle in the
//! static trial, carried along by the markers of the thigh and of the shank (the knee by both, their mean); without a
//! static trial the lateral marker, moved inwards by half the width of a joint, [`KNEE_HALF`] and [`ANKLE_HALF`].

use crate::rigid::{Template, fit_pose};
use crate::trial::{Landmark as L, Role, Side, Trial};
use rattleback_geom::Vec3;

/// Half the width of a knee and of an ankle with a marker's radius, in m: of adults.
const KNEE_HALF: f64 = 0.055;
const ANKLE_HALF: f64 = 0.04;
/// Markers on thighs and shanks move by so much over the bones, per axis, in m.
const SKIN: f64 = 6e-3;

/// Places in every frame, none where they cannot be told.
pub type Places = Vec<Option<Vec3>>;

/// The joint centres of a leg.
#[derive(Debug, Clone, PartialEq)]
pub struct JointCentres {
    /// The hip.
    pub hip: Places,
    /// The knee.
    pub knee: Places,
    /// The ankle.
    pub ankle: Places,
    /// How knee and ankle were found.
    pub notes: Vec<String>,
}

/// The joint centres of a leg; a frame in which a marker is missing has none, so gaps are to be filled before.
pub fn joint_centres(trial: &Trial, side: Side) -> JointCentres {
    let mut notes = Vec::new();
    let count = trial.times.len();
    let hip = (0..count).map(|i| hip(trial, side, i)).collect();
    let inward = |i: usize| {
        let right = place(trial, L::Asis, Side::Right, i)?;
        let left = place(trial, L::Asis, Side::Left, i)?;
        let across = (left - right).try_normalize(1e-6)?;
        Some(if side == Side::Right { across } else { -across })
    };
    let mut joint = |lateral: L, medial: L, half: f64, word: &str, carriers: &[L]| -> Places {
        let both = |i: usize| Some((place(trial, lateral, side, i)? + place(trial, medial, side, i)?) / 2.0);
        if trial.marker(lateral, side).is_some() && trial.marker(medial, side).is_some() {
            return (0..count).map(both).collect();
        }
        let standing = trial.standing(lateral, side).zip(trial.standing(medial, side));
        if let Some((a, b)) = standing {
            let carried: Vec<Places> =
                carriers.iter().filter_map(|c| carry(trial, *c, side, (a + b) / 2.0)).collect();
            if !carried.is_empty() {
                return (0..count).map(|i| mean(carried.iter().map(|c| c[i]))).collect();
            }
        }
        let from = format!("{} {word}", side.word());
        if trial.marker(lateral, side).is_some() {
            notes.push(format!("{from}: from its lateral marker alone"));
            return (0..count).map(|i| Some(place(trial, lateral, side, i)? + inward(i)? * half)).collect();
        }
        notes.push(format!("{from}: no markers"));
        vec![None; count]
    };
    let knee = joint(L::KneeLateral, L::KneeMedial, KNEE_HALF, "knee", &[L::Thigh, L::Shank]);
    let ankle = joint(L::AnkleLateral, L::AnkleMedial, ANKLE_HALF, "ankle", &[L::Shank]);
    JointCentres { hip, knee, ankle, notes }
}

/// The mean of the places that are there; none where one is missing.
fn mean(places: impl Iterator<Item = Option<Vec3>>) -> Option<Vec3> {
    let all: Option<Vec<Vec3>> = places.collect();
    all.filter(|all| !all.is_empty()).map(|all| all.iter().sum::<Vec3>() / all.len() as f64)
}

/// A marker's place in a frame.
pub(super) fn place(trial: &Trial, landmark: L, side: Side, frame: usize) -> Option<Vec3> {
    trial.marker(landmark, side)?.positions[frame]
}

fn hip(trial: &Trial, side: Side, frame: usize) -> Option<Vec3> {
    let [right, left] = Side::BOTH.map(|s| place(trial, L::Asis, s, frame));
    let (right, left) = (right?, left?);
    let [rear_right, rear_left] = Side::BOTH.map(|s| place(trial, L::Psis, s, frame));
    let rear = place(trial, L::Sacrum, Side::Middle, frame);
    let rear = rear_right.zip(rear_left).map(|(r, l)| (r + l) / 2.0).or(rear)?;
    let front = (right + left) / 2.0;
    let w = (right - left).norm();
    let z = (right - left).try_normalize(1e-6)?;
    let ahead = front - rear;
    let ahead = ahead - z * ahead.dot(&z);
    let (d, x) = (ahead.norm(), ahead.try_normalize(1e-6)?);
    let y = z.cross(&x);
    let outward = if side == Side::Right { 1.0 } else { -1.0 };
    let out = outward * (0.33 * w + 7.3e-3);
    Some(front + x * (-0.24 * d - 9.9e-3) + y * (-0.30 * w - 10.9e-3) + z * out)
}

/// A point of the static trial carried along by the markers of a segment.
fn carry(trial: &Trial, landmark: L, side: Side, point: Vec3) -> Option<Places> {
    let mut roles = vec![Role { landmark, side }];
    if landmark == L::Shank {
        roles.push(Role { landmark: L::AnkleLateral, side });
    }
    let known: Vec<(usize, Vec3)> = (0..trial.markers.len())
        .filter(|i| trial.markers[*i].role.is_some_and(|r| roles.contains(&r)))
        .filter_map(|i| Some((i, trial.standing_named(&trial.markers[i].name)?)))
        .collect();
    let names = known.iter().map(|(i, _)| trial.markers[*i].name.clone()).collect();
    let template = Template::new(names, known.iter().map(|(_, p)| *p).collect(), SKIN).ok()?;
    let at = |frame: usize| {
        let seen: Places = known.iter().map(|(i, _)| trial.markers[*i].positions[frame]).collect();
        Some(fit_pose(&template, &seen)?.pose.point_to_world(&point))
    };
    Some((0..trial.times.len()).map(at).collect())
}
