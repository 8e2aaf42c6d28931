//! Contradictions within a trial that would make everything after them wrong: markers with each other's names, a
//! static trial that walks, or one of another size.
//!
//! A foot is rigid: distances between its markers keep to some millimetres while it walks. With d_ij the distance of
//! markers i and j and s the spread (the distance between the tenth and the ninetieth per cent) over the frames:
//!
//!   a marker has the name of the other foot's where s to its own foot's markers is above [`APART`] and s to those of
//!   the other foot is below [`TOGETHER`], for it and for its namesake;
//!   a static trial is of another size where the median of d_static/d_walk over pairs of one foot is outside of 1
//!   ± [`SIZE`].

use super::{Landmark, Marker, Role, Side, StandingMarker};
use crate::error::{GaitError, Result};
use crate::feet::{RIGID, median};
use rattleback_geom::Vec3;

/// Spreads of distances within a foot and between feet, in m.
const APART: f64 = 0.06;
const TOGETHER: f64 = 0.03;
/// The share by which the sizes of feet in two trials of one person may differ.
const SIZE: f64 = 0.04;
/// Feet that stand move by less, in m.
const STILL: f64 = 0.05;

/// Values at the tenth and at the ninetieth per cent, apart.
fn spread(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let n = values.len();
    (n >= 3).then(|| values[(9 * (n - 1)).div_ceil(10)] - values[(n - 1) / 10])
}

fn distances(a: &Marker, b: &Marker) -> Vec<f64> {
    a.positions.iter().zip(&b.positions).filter_map(|(a, b)| Some(((*a)? - (*b)?).norm())).collect()
}

fn find(markers: &[Marker], landmark: Landmark, side: Side) -> Option<&Marker> {
    markers.iter().find(|m| m.role == Some(Role { landmark, side }))
}

/// An error where markers of the two feet have each other's names.
pub(super) fn refuse_swapped(markers: &[Marker]) -> Result<()> {
    // The median spread of the distances to a foot's other markers.
    let to_foot = |marker: &Marker, landmark: Landmark, side: Side| {
        let others = RIGID.iter().filter(|l| **l != landmark).filter_map(|l| find(markers, *l, side));
        let mut spreads: Vec<f64> = others.filter_map(|other| spread(distances(marker, other))).collect();
        (spreads.len() >= 2).then(|| median(&mut spreads))
    };
    let mut swapped = Vec::new();
    for landmark in RIGID {
        let [right, left] = Side::BOTH.map(|side| find(markers, *landmark, side));
        let (Some(right), Some(left)) = (right, left) else { continue };
        let is_strange = |marker, own, other| {
            to_foot(marker, *landmark, own).is_some_and(|s| s > APART)
                && to_foot(marker, *landmark, other).is_some_and(|s| s < TOGETHER)
        };
        if is_strange(right, Side::Right, Side::Left) && is_strange(left, Side::Left, Side::Right) {
            swapped.push(format!("{} and {}", right.name, left.name));
        }
    }
    if swapped.is_empty() {
        return Ok(());
    }
    Err(GaitError::unsupported(
        "markers of the feet",
        format!(
            "{} have each other's names: each moves with the other foot; rename them, or name their roles, `--markers`",
            swapped.join(", ")
        ),
    ))
}

/// An error where a static trial walks; `tracks` are its markers in m.
pub(super) fn refuse_walking(what: &str, tracks: &[(Option<Role>, &str, Vec<Vec3>)]) -> Result<()> {
    for (role, name, places) in tracks {
        if !role.is_some_and(|r| RIGID.contains(&r.landmark)) {
            continue;
        }
        let moved = (0..3).filter_map(|k| spread(places.iter().map(|p| p[k]).collect())).fold(0.0, f64::max);
        if moved > STILL {
            return Err(GaitError::unsupported(
                what,
                format!(
                    "this is no static trial: {name} moves by {:.0} mm; name another one, `--static`, or put it elsewhere",
                    1e3 * moved
                ),
            ));
        }
    }
    Ok(())
}

/// An error where the feet of a static trial have another size than those of the walk.
pub(super) fn refuse_other_size(what: &str, markers: &[Marker], standing: &[StandingMarker]) -> Result<()> {
    let still =
        |m: &Marker| standing.iter().find(|s| s.name == m.name || s.role == m.role).map(|s| s.position);
    let mut ratios = Vec::new();
    for side in Side::BOTH {
        let own: Vec<(&Marker, Vec3)> = RIGID
            .iter()
            .filter_map(|l| find(markers, *l, side))
            .filter_map(|marker| Some((marker, still(marker)?)))
            .collect();
        for (i, (a, p)) in own.iter().enumerate() {
            for (b, q) in &own[..i] {
                let mut walked = distances(a, b);
                if walked.len() >= 3 {
                    ratios.push((p - q).norm() / median(&mut walked));
                }
            }
        }
    }
    if ratios.is_empty() {
        return Ok(());
    }
    let ratio = median(&mut ratios);
    if (ratio - 1.0).abs() <= SIZE {
        return Ok(());
    }
    Err(GaitError::unsupported(
        what,
        format!(
            "its feet are {:.2} times as large as those of the walk: it is of another person, or its unit is wrong",
            ratio
        ),
    ))
}
