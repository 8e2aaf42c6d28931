//! Markers that jump: mistaken for another, hidden and guessed.
//!
//! With second differences D_i = p_{i+1} − 2p_i + p_{i−1}, a step J between frames i and i + 1 adds J to D_i and −J
//! to D_{i+1}; those before and after, D_{i−1} and D_{i+2}, do not have it, and their mean M is what a smooth motion
//! has between them. So with a = D_i − M and b = D_{i+1} − M, J = (a − b)/2 is a jump where it is longer than
//! [`LEAST`] and [`MEDIANS`] of its medians, and a·b < −[`AGAINST`] |a| |b|. Two jumps that cancel each other to a
//! half are the two ends of one interval.

use super::Slip;
use crate::feet::median;
use crate::trial::Trial;
use rattleback_geom::Vec3;

/// The least jump, in m, and in medians of J over the marker's frames: single frames of markers that nobody would
/// blame reach 9 mm and six medians (raw markers on thighs and shanks, 60 Hz).
const LEAST: f64 = 12e-3;
const MEDIANS: f64 = 8.0;
/// The cosine between differences that are against each other.
const AGAINST: f64 = 0.8;

/// The markers that jump.
pub(super) fn find(trial: &Trial) -> Vec<Slip> {
    let mut all = Vec::new();
    for marker in trial.markers.iter().filter(|m| m.role.is_some()) {
        let jumps = jumps(&marker.positions);
        let mut intervals = Vec::new();
        let mut i = 0;
        while i < jumps.len() {
            let (frame, jump) = jumps[i];
            let back = jumps.get(i + 1).filter(|(_, back)| (jump + back).norm() < 0.5 * jump.norm());
            let last = back.map_or(frame + 1, |(frame, _)| *frame);
            intervals.push([trial.times[frame + 1], trial.times[last]]);
            i += if back.is_some() { 2 } else { 1 };
        }
        let largest_m = jumps.iter().map(|(_, jump)| jump.norm()).fold(0.0, f64::max);
        if !intervals.is_empty() {
            all.push(Slip { marker: marker.name.clone(), intervals, largest_m });
        }
    }
    all
}

/// The jumps of a marker: the frame before each, and how far.
fn jumps(places: &[Option<Vec3>]) -> Vec<(usize, Vec3)> {
    let second = |i: usize| Some(places[i + 1]? - places[i]? * 2.0 + places[i - 1]?);
    let mut steps: Vec<(usize, Vec3, bool)> = Vec::new();
    for i in 2..places.len().saturating_sub(3) {
        let all = [second(i - 1), second(i), second(i + 1), second(i + 2)];
        let [Some(before), Some(a), Some(b), Some(after)] = all else { continue };
        let smooth = (before + after) / 2.0;
        let (a, b) = (a - smooth, b - smooth);
        steps.push((i, (a - b) / 2.0, a.dot(&b) < -AGAINST * a.norm() * b.norm()));
    }
    let usual = median(&mut steps.iter().map(|(_, step, _)| step.norm()).collect::<Vec<f64>>());
    let least = if usual.is_finite() { LEAST.max(MEDIANS * usual) } else { LEAST };
    steps
        .into_iter()
        .filter(|(_, step, is_step)| *is_step && step.norm() > least)
        .map(|(i, s, _)| (i, s))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arc(i: usize) -> Vec3 {
        let t = i as f64 / 60.0;
        // A foot that swings: accelerations up to 36 m/s².
        Vec3::new(0.1 * (19.0 * t).sin(), 0.05 * (10.0 * t).cos(), 0.0)
    }

    #[test]
    fn a_smooth_path_has_no_jump_and_a_dip_has_two_that_cancel() {
        let mut places: Vec<Option<Vec3>> = (0..100).map(|i| Some(arc(i))).collect();
        assert!(jumps(&places).is_empty());
        for place in places.iter_mut().take(36).skip(30).flatten() {
            place.y -= 0.015;
        }
        let found = jumps(&places);
        assert_eq!(found.iter().map(|(i, _)| *i).collect::<Vec<_>>(), [29, 35]);
        assert!((found[0].1 + found[1].1).norm() < 0.5 * 0.015);
        assert!((found[0].1.y + 0.015).abs() < 5e-3);
    }
}
