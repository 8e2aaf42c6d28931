//! The markers of a foot, and the foot's own frame: from the static trial, or from the walk where there is none.

use super::track::mirrored;
use crate::feet::{RIGID, median};
use crate::signal::fill_gaps;
use crate::trial::{Landmark, Side, Trial};
use crate::{GaitError, Result};
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::{Pose, Vec3};

/// Gaps of markers up to this are filled, in s.
const LONGEST_GAP: f64 = 0.2;
/// Taken where there are fewer than three of the above: they are on the shank, near the axis of the ankle.
const ANKLE: [Landmark; 2] = [Landmark::AnkleLateral, Landmark::AnkleMedial];

/// The markers of a foot, mirrored, gaps filled.
pub(super) struct Seen {
    pub(super) landmarks: Vec<Landmark>,
    pub(super) rear: Vec<Vec<Vec3>>,
    pub(super) toe: Option<Vec<Vec3>>,
}

/// The standing foot in its own frame.
pub(super) struct Standing {
    pub(super) length: f64,
    pub(super) points: Vec<Vec3>,
    pub(super) toe: Option<Vec3>,
}

/// A foot's markers as a file of a fitted foot keeps them: for trials without a static one.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct FootShape {
    /// Which foot; a left one is mirrored.
    pub side: Side,
    /// From the heel marker to the metatarsal heads, in m.
    pub length: f64,
    /// The markers' places in the foot's frame, in m.
    pub markers: Vec<(Landmark, [f64; 3])>,
    /// The place of the marker on the tip of the toes when standing.
    pub toe: Option<[f64; 3]>,
}

/// Distances between markers of a foot may differ by this between two trials of one day, in m: skin and shoe.
const SAME: f64 = 8e-3;

impl FootShape {
    /// The places of markers that a trial has, if it has them all and their distances are those of this foot.
    fn standing(&self, seen: &Seen) -> Result<Standing> {
        let what = || format!("the {} foot without a static trial", self.side.word());
        let find = |l: &Landmark| self.markers.iter().find(|(m, _)| m == l).map(|(_, p)| Vec3::from(*p));
        let points: Vec<Vec3> = seen.landmarks.iter().filter_map(find).collect();
        if points.len() < seen.landmarks.len() {
            return Err(GaitError::unsupported(
                what(),
                "it has other markers than the trial that the foot was fitted to; give a static trial, `--static`",
            ));
        }
        // Of each marker the median over the others: one that was placed anew is off against all of them.
        let difference = |a: usize, b: usize| {
            let mut all: Vec<f64> =
                seen.rear[a].iter().zip(&seen.rear[b]).map(|(p, q)| (p - q).norm()).collect();
            (median(&mut all) - (points[a] - points[b]).norm()).abs()
        };
        let of_marker = |a: usize| {
            let mut all: Vec<f64> = (0..points.len()).filter(|b| *b != a).map(|b| difference(a, b)).collect();
            median(&mut all)
        };
        let usual = (0..points.len()).map(of_marker).fold(0.0, f64::max);
        if usual > SAME {
            return Err(GaitError::unsupported(
                what(),
                format!(
                    "distances between its markers differ by {:.0} mm from those of the trial that the foot was fitted to: \
                     they were placed anew, or it is another foot; give a static trial, `--static`",
                    1e3 * usual
                ),
            ));
        }
        Ok(Standing { length: self.length, points, toe: self.toe.map(Vec3::from) })
    }
}

impl Seen {
    pub(super) fn of(trial: &Trial, side: Side) -> Result<Self> {
        let longest = (LONGEST_GAP * trial.rate_hz).ceil() as usize;
        let track = |landmark: Landmark| -> Result<Option<Vec<Vec3>>> {
            let Some(marker) = trial.marker(landmark, side) else { return Ok(None) };
            let (points, _) = fill_gaps(&marker.positions, longest)?;
            let points: Option<Vec<Vec3>> =
                points.iter().map(|p| p.as_ref().map(|p| mirrored(side, p))).collect();
            Ok(points)
        };
        let (mut landmarks, mut rear) = (Vec::new(), Vec::new());
        for landmark in RIGID.iter().copied().chain(ANKLE) {
            if ANKLE.contains(&landmark) && rear.len() >= 3 {
                break;
            }
            if let Some(points) = track(landmark)? {
                landmarks.push(landmark);
                rear.push(points);
            }
        }
        if rear.len() < 3 || landmarks[0] != Landmark::Heel {
            let found: Vec<String> = landmarks.iter().map(|l| format!("{l:?}")).collect();
            return Err(GaitError::unsupported(
                format!("the pose of the {} foot", side.word()),
                format!(
                    "it needs a heel marker and two more that are seen throughout; found: {}",
                    if found.is_empty() { "none".to_owned() } else { found.join(", ") }
                ),
            ));
        }
        Ok(Self { landmarks, rear, toe: track(Landmark::ToeTip)? })
    }

    /// The foot's frame and the markers in it: from the static trial, or from a stored foot, or from the frame of the
    /// walk in which heel and toe markers are together lowest.
    pub(super) fn standing(
        &self,
        trial: &Trial,
        side: Side,
        floor: f64,
        stored: Option<&FootShape>,
    ) -> Result<Standing> {
        let still = |l: Landmark| trial.standing(l, side).map(|p| mirrored(side, &p));
        let points: Option<Vec<Vec3>> = self.landmarks.iter().map(|l| still(*l)).collect();
        if let (None, Some(stored)) = (&points, stored) {
            return stored.standing(self);
        }
        let (points, toe) = match points {
            Some(points) => (points, still(Landmark::ToeTip)),
            None => {
                let height = |i: &usize| self.rear.iter().map(|track| track[*i].y).sum::<f64>();
                let lowest = (0..self.rear[0].len()).min_by(|a, b| height(a).total_cmp(&height(b)));
                let i = lowest.ok_or_else(|| GaitError::unsupported("a foot", "the trial has no frames"))?;
                (self.rear.iter().map(|track| track[i]).collect(), self.toe.as_ref().map(|t| t[i]))
            }
        };
        let heel = points[0];
        let heads: Vec<Vec3> = self
            .landmarks
            .iter()
            .zip(&points)
            .filter(|(l, _)| {
                matches!(
                    l,
                    Landmark::MetatarsalFirst | Landmark::MetatarsalFifth | Landmark::MetatarsalSecond
                )
            })
            .map(|(_, p)| *p)
            .collect();
        // The heads are at about four fifths of the way from the heel to the tip of the toes.
        let fore = match (heads.len(), toe) {
            (0, Some(toe)) => heel + (toe - heel) * 0.8,
            (0, None) => {
                return Err(GaitError::unsupported(
                    format!("the {} foot's frame", side.word()),
                    "it needs a marker on a metatarsal head or on the toes",
                ));
            }
            (count, _) => heads.iter().sum::<Vec3>() / count as f64,
        };
        let mut x = fore - heel;
        x.y = 0.0;
        let length = x.norm();
        if !(length > 0.05) {
            return Err(GaitError::out_of_range("heel to metatarsal heads", length, "above 0.05 m"));
        }
        let turn = UnitQuaternion::from_axis_angle(&Vec3::y_axis(), -(x.z).atan2(x.x));
        let frame = Pose::new(Vec3::new(heel.x, floor, heel.z), turn);
        Ok(Standing {
            length,
            points: points.iter().map(|p| frame.point_to_local(p)).collect(),
            toe: toe.map(|p| frame.point_to_local(&p)),
        })
    }
}
