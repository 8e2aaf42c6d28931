//! Gaps: missing samples between others are filled by a cubic spline through the samples beside them; what is missing
//! at the ends stays missing.

use super::Spline;
use crate::Result;
use rattleback_geom::Vec3;

/// How many samples on either side carry the spline over a gap.
const BESIDE: usize = 6;

/// Missing samples, first to last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Gap {
    /// The first missing sample.
    pub first: usize,
    /// The last missing sample.
    pub last: usize,
    /// Whether it was filled.
    pub filled: bool,
}

/// The samples with gaps of at most `longest` samples filled, and all gaps.
pub fn fill_gaps(points: &[Option<Vec3>], longest: usize) -> Result<(Vec<Option<Vec3>>, Vec<Gap>)> {
    let mut out = points.to_vec();
    let mut gaps = Vec::new();
    let mut i = 0;
    while i < points.len() {
        if points[i].is_some() {
            i += 1;
            continue;
        }
        let first = i;
        while i < points.len() && points[i].is_none() {
            i += 1;
        }
        let last = i - 1;
        let is_inside = first > 0 && i < points.len();
        let filled = is_inside && last - first < longest && bridge(points, first, last, &mut out)?;
        gaps.push(Gap { first, last, filled });
    }
    Ok((out, gaps))
}

fn bridge(points: &[Option<Vec3>], first: usize, last: usize, out: &mut [Option<Vec3>]) -> Result<bool> {
    let present = |i: usize| points[i].map(|p| (i, p));
    let mut beside: Vec<(usize, Vec3)> = (0..first).rev().filter_map(present).take(BESIDE).collect();
    beside.reverse();
    beside.extend((last + 1..points.len()).filter_map(present).take(BESIDE));
    let times: Vec<f64> = beside.iter().map(|(i, _)| *i as f64).collect();
    for axis in 0..3 {
        let values: Vec<f64> = beside.iter().map(|(_, p)| p[axis]).collect();
        let spline = Spline::through(&times, &values, 3)?;
        for (i, point) in out.iter_mut().enumerate().take(last + 1).skip(first) {
            point.get_or_insert_with(Vec3::zeros)[axis] = spline.value(i as f64);
        }
    }
    Ok(true)
}
