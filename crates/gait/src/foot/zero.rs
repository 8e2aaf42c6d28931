//! The same height at foot-flat in every stance.
//!
//! Systematic errors of a few tenths of a millimetre (the floor's height, a marker that slipped, the shoe) change the
//! force of a foot by tens of per cent. While the foot is flat on the ground its sole is where it was in the stance
//! of the identification, so the mean heights of three points of the sole (heel, medial and lateral ball) in that
//! phase are made equal: an offset of height, pitch and roll for each stance.

use super::track::{FootTrack, Offset};
use rattleback_geom::Vec3;
use rattleback_geom::nalgebra::Matrix3;

/// A foot is flat while its pitch is within this of that of standing, in rad.
const FLAT_PITCH: f64 = 1.0 * std::f64::consts::PI / 180.0;
/// Half the distance of the two points at the ball, in m.
const BALL: f64 = 0.04;

/// Where the sole is at foot-flat.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct FootFlat {
    /// Heights of heel, medial and lateral ball above the ground, in m.
    pub heights: [f64; 3],
    /// Their standard deviations within the phase, the mean of the three, in m.
    pub deviation: f64,
    /// How many frames.
    pub frames: usize,
}

fn sole(length: f64) -> [Vec3; 3] {
    let (heel, ball) = (0.13 * length, 0.91 * length);
    [Vec3::new(heel, 0.0, 0.0), Vec3::new(ball, 0.0, -BALL), Vec3::new(ball, 0.0, BALL)]
}

/// The mean heights of the sole while the foot is flat within an interval of time; none where it never is.
pub fn foot_flat(track: &FootTrack, begin: f64, end: f64) -> Option<FootFlat> {
    let points = sole(track.length);
    let flat: Vec<usize> = (0..track.poses.len())
        .filter(|i| (begin..=end).contains(&track.times[*i]) && track.pitch(*i).abs() < FLAT_PITCH)
        .collect();
    if flat.is_empty() {
        return None;
    }
    let count = flat.len() as f64;
    let (mut heights, mut deviation) = ([0.0; 3], 0.0);
    for (k, p) in points.iter().enumerate() {
        let y: Vec<f64> = flat.iter().map(|i| track.poses[*i].point_to_world(p).y - track.floor).collect();
        heights[k] = y.iter().sum::<f64>() / count;
        deviation += (y.iter().map(|v| (v - heights[k]).powi(2)).sum::<f64>() / count).sqrt() / 3.0;
    }
    Some(FootFlat { heights, deviation, frames: flat.len() })
}

impl FootFlat {
    /// The offset that brings a foot with `self` to `other`.
    pub fn offset_to(&self, other: &FootFlat, length: f64) -> Offset {
        // Δy_k = height + pitch (x_k − ½ length) − roll z_k.
        let points = sole(length);
        let rows = points.map(|p| [1.0, p.x - 0.5 * length, -p.z]);
        let matrix = Matrix3::from_fn(|i, j| rows[i][j]);
        let change = Vec3::from_fn(|i, _| other.heights[i] - self.heights[i]);
        let x = matrix.try_inverse().map_or_else(Vec3::zeros, |inverse| inverse * change);
        Offset { height: x[0], pitch: x[1], roll: x[2] }
    }
}
