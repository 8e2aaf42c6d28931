//! Up and forward, found in the data.
//!
//! Up is the axis of the file along which the upper body is above the feet. Forward is the walking direction: that of
//! the pelvis where it travels (overground), else from the heels to the toes (treadmill); where it is within [`SNAP`]
//! of an axis of the file it is that axis, for laboratories are built along their axes and feet turn outwards
//! unevenly.

use super::{Landmark, Role, Side};
use crate::error::{GaitError, Result};
use rattleback_geom::{Mat3, Vec3};

/// A direction within this angle of an axis is that axis, in rad.
const SNAP: f64 = 0.35;
/// A pelvis that moves so far along the ground walks over it, in m.
const TRAVEL: f64 = 0.8;

/// From a file's axes and units to the axes x forward, y up, z right in metres, and back.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Axes {
    /// Rows are forward, up and right in the file's axes.
    pub rotation: Mat3,
    /// Metres per unit of the file.
    pub scale: f64,
}

impl Axes {
    /// A point of the file, in m and the axes of here.
    pub fn from_file(&self, point: &Vec3) -> Vec3 {
        self.rotation * point * self.scale
    }

    /// A point of here, in the file's axes and units.
    pub fn to_file(&self, point: &Vec3) -> Vec3 {
        self.rotation.transpose() * point / self.scale
    }

    /// A force, in the axes of the file.
    pub fn vector_to_file(&self, vector: &Vec3) -> Vec3 {
        self.rotation.transpose() * vector
    }

    /// The file's up and forward axes in words, such as "z up, −x forward".
    pub fn words(&self) -> String {
        let word = |row: usize| {
            let direction = self.rotation.row(row).transpose();
            match axis_word(&direction) {
                Some(word) => word,
                None => format!("({:.2}, {:.2}, {:.2})", direction.x, direction.y, direction.z),
            }
        };
        format!("{} up, {} forward", word(1), word(0))
    }
}

fn axis_word(direction: &Vec3) -> Option<String> {
    let i = direction.iamax();
    let sign = if direction[i] < 0.0 { "−" } else { "" };
    ((direction[i].abs() - 1.0).abs() < 1e-9).then(|| format!("{sign}{}", ["x", "y", "z"][i]))
}

/// A marker's role and its places in the file's axes and units.
pub(super) struct Seen {
    pub role: Option<Role>,
    pub places: Vec<Option<Vec3>>,
}

/// The axes of a file whose unit is `scale` metres.
pub(super) fn find(what: &str, seen: &[Seen], scale: f64, force: Option<Vec3>) -> Result<Axes> {
    let up = up(what, seen, force)?;
    let forward = forward(what, seen, &up, scale)?;
    let right = forward.cross(&up);
    Ok(Axes { rotation: Mat3::from_rows(&[forward.transpose(), up.transpose(), right.transpose()]), scale })
}

/// The axis of the file that is nearest to a direction.
fn nearest_axis(direction: &Vec3) -> Vec3 {
    let i = direction.iamax();
    let mut axis = Vec3::zeros();
    axis[i] = direction[i].signum();
    axis
}

fn is_foot(role: &Role) -> bool {
    matches!(
        role.landmark,
        Landmark::Heel
            | Landmark::ToeTip
            | Landmark::MetatarsalFirst
            | Landmark::MetatarsalSecond
            | Landmark::MetatarsalFifth
            | Landmark::AnkleLateral
    )
}

fn is_upper(role: &Role) -> bool {
    use Landmark as L;
    matches!(
        role.landmark,
        L::Asis
            | L::Psis
            | L::Sacrum
            | L::Shoulder
            | L::Clavicle
            | L::Sternum
            | L::C7
            | L::T10
            | L::HeadTop
            | L::HeadFront
    )
}

fn up(what: &str, seen: &[Seen], force: Option<Vec3>) -> Result<Vec3> {
    let feet = mean_of(seen, is_foot);
    let body = mean_of(seen, is_upper)
        .or_else(|| mean_of(seen, |r| matches!(r.landmark, Landmark::Shank | Landmark::Thigh)));
    let by_markers = feet.zip(body).map(|(feet, body)| nearest_axis(&(body - feet)));
    match (by_markers, force) {
        (Some(up), Some(force)) if nearest_axis(&force).iamax() != up.iamax() => {
            let axis = |v: &Vec3| ["x", "y", "z"][v.iamax()];
            let reason = format!(
                "the body is upright along the file's {}, the plates press along {}: markers and forces have different axes",
                axis(&up),
                axis(&force)
            );
            Err(GaitError::unsupported(what, reason))
        }
        (Some(up), _) => Ok(up),
        (None, Some(force)) => Ok(nearest_axis(&force)),
        (None, None) => Err(GaitError::unsupported(
            what,
            "which way is up cannot be told: there are no markers known as feet and pelvis or trunk, and no forces \
             (name them with a file of roles)",
        )),
    }
}

fn forward(what: &str, seen: &[Seen], up: &Vec3, scale: f64) -> Result<Vec3> {
    let level = |v: Vec3| v - up * v.dot(up);
    let travel = travel(seen).map(level).filter(|t| t.norm() * scale > TRAVEL);
    let direction = travel.or_else(|| feet_direction(seen).map(level)).filter(|d| d.norm() > 0.0);
    let Some(direction) = direction.map(|d| d.normalize()) else {
        return Err(GaitError::unsupported(
            what,
            "which way is forward cannot be told: there are no markers known as heel and toe of one foot (name them \
             with a file of roles)",
        ));
    };
    let axis = nearest_axis(&direction);
    Ok(if direction.dot(&axis) > SNAP.cos() { axis } else { direction })
}

/// From heels to toes, the mean of all frames and both feet, each foot of unit length.
fn feet_direction(seen: &[Seen]) -> Option<Vec3> {
    let mut sum = Vec3::zeros();
    for side in Side::BOTH {
        if let Some((heel, toe)) = heel_and_toe(seen, side) {
            let steps = heel.places.iter().zip(&toe.places).filter_map(|(h, t)| Some((*t)? - (*h)?));
            sum += steps.sum::<Vec3>().try_normalize(1e-9).unwrap_or_default();
        }
    }
    (sum.norm() > 0.0).then_some(sum)
}

/// A heel and the foremost marker known of the same foot.
pub(super) fn heel_and_toe(seen: &[Seen], side: Side) -> Option<(&Seen, &Seen)> {
    let find = |landmark| seen.iter().find(|s| s.role == Some(Role { landmark, side }));
    let toes =
        [Landmark::ToeTip, Landmark::MetatarsalSecond, Landmark::MetatarsalFirst, Landmark::MetatarsalFifth];
    let toe = toes.into_iter().find_map(find)?;
    Some((find(Landmark::Heel).or_else(|| find(Landmark::AnkleLateral))?, toe))
}

/// How far the pelvis goes from its first to its last frame, else the whole upper body.
fn travel(seen: &[Seen]) -> Option<Vec3> {
    let pelvis = |r: &Role| matches!(r.landmark, Landmark::Asis | Landmark::Psis | Landmark::Sacrum);
    let mut moved = Vec::new();
    for group in [&pelvis as &dyn Fn(&Role) -> bool, &is_upper] {
        for marker in seen.iter().filter(|s| s.role.is_some_and(|r| group(&r))) {
            let mut places = marker.places.iter().flatten();
            if let (Some(first), Some(last)) = (places.next(), places.next_back()) {
                moved.push(last - first);
            }
        }
        if !moved.is_empty() {
            break;
        }
    }
    (!moved.is_empty()).then(|| moved.iter().sum::<Vec3>() / moved.len() as f64)
}

fn mean_of(seen: &[Seen], is_part: impl Fn(&Role) -> bool) -> Option<Vec3> {
    let (mut sum, mut count) = (Vec3::zeros(), 0.0);
    for marker in seen.iter().filter(|s| s.role.is_some_and(|r| is_part(&r))) {
        for place in marker.places.iter().flatten() {
            sum += place;
            count += 1.0;
        }
    }
    (count > 0.0).then(|| sum / count)
}
