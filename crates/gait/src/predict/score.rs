//! Errors of a prediction against a plate, over the time in which the plate is loaded.

use super::FootPrediction;
use crate::trial::Plate;
use rattleback_geom::Vec3;

/// Centres of pressure are compared where both forces are above this share of the weight.
const CENTRE: f64 = 0.05;
/// Loads that are interrupted for less are one, in s.
const INTERRUPTED: f64 = 0.05;

/// Errors over one stance: root mean squares, forces in shares of the weight.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Score {
    /// Fore-aft, vertical, lateral.
    pub force: [f64; 3],
    /// The centre of pressure, fore-aft and lateral, in m.
    pub centre: [f64; 2],
    /// The free moment, in N m.
    pub free_moment: f64,
    /// That of the measured free moment itself: the error of saying zero, in N m.
    pub free_moment_of_zero: f64,
    /// The share of samples that are within one standard deviation: fore-aft, vertical, lateral.
    pub within: [f64; 3],
    /// The same of the centre of pressure, fore-aft and lateral, where it is compared.
    pub centre_within: [f64; 2],
    /// The same of the free moment, there too.
    pub free_moment_within: f64,
    /// How many frames were compared.
    pub frames: usize,
}

/// The intervals in which a plate is loaded, in s.
pub fn loaded_intervals(plate: &Plate) -> Vec<[f64; 2]> {
    let mut all: Vec<[f64; 2]> = Vec::new();
    for i in (0..plate.force.len()).filter(|i| plate.is_loaded(*i)) {
        let t = plate.times[i];
        match all.last_mut() {
            Some(last) if t - last[1] < INTERRUPTED => last[1] = t,
            _ => all.push([t, t]),
        }
    }
    all
}

/// The errors in an interval of time; none where no frame lies in it.
pub fn score(foot: &FootPrediction, plate: &Plate, [begin, end]: [f64; 2], weight: f64) -> Option<Score> {
    let (mut force, mut centre, mut within) = (Vec3::zeros(), [0.0; 2], Vec3::zeros());
    let (mut moment, mut zero) = (0.0, 0.0);
    let (mut count, mut centres) = (0usize, 0.0);
    let mut inside = [0.0; 3];
    for (i, time) in foot.times.iter().enumerate() {
        if *time < begin - 1e-9 || *time > end + 1e-9 {
            continue;
        }
        let Some(k) = plate.sample_at(*time) else { continue };
        let e = foot.force[i] - plate.force[k];
        force += e.component_mul(&e);
        within += Vec3::from_fn(|a, _| f64::from(u8::from(e[a].abs() <= foot.deviation[i][a])));
        count += 1;
        let m = plate.free_moment(k);
        moment += (foot.free_moment[i] - m).powi(2);
        zero += m * m;
        if let (Some(p), Some(q)) = (foot.centre[i], plate.centre(k))
            && foot.force[i].y.min(plate.force[k].y) > CENTRE * weight
        {
            centre[0] += (p.x - q.x).powi(2);
            centre[1] += (p.z - q.z).powi(2);
            centres += 1.0;
            let [a, b] = foot.centre_deviation[i];
            let pairs =
                [(p.x - q.x, a), (p.z - q.z, b), (foot.free_moment[i] - m, foot.free_moment_deviation[i])];
            for (slot, (error, deviation)) in inside.iter_mut().zip(pairs) {
                *slot += f64::from(u8::from(error.abs() <= deviation));
            }
        }
    }
    if count == 0 {
        return None;
    }
    let n = count as f64;
    let [a, b, c] = inside.map(|v| v / f64::max(centres, 1.0));
    Some(Score {
        centre_within: [a, b],
        free_moment_within: c,
        force: [0, 1, 2].map(|a| (force[a] / n).sqrt() / weight),
        centre: centre.map(|v| (v / f64::max(centres, 1.0)).sqrt()),
        free_moment: (moment / n).sqrt(),
        free_moment_of_zero: (zero / n).sqrt(),
        within: [0, 1, 2].map(|a| within[a] / n),
        frames: count,
    })
}
