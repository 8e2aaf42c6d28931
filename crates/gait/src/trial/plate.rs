//! Force plates from the columns of a table.
//!
//! Columns of one plate belong together by what is left of their labels without the words for the quantity and the
//! axis:
//!
//! | scheme | force | centre of pressure | moment | plate |
//! |---|---|---|---|---|
//! | OpenSim's examples | `ground_force_vx`, `1_ground_force_vx` | `ground_force_px` | `ground_torque_x` | "", "1" |
//! | numbered | `ground_force_1_vx`, `FP1_vx` | `ground_force_1_px` | `ground_moment_1_mx` | "1" |
//! | by foot | `R_ground_force_vx` | `R_ground_force_px` | `R_ground_torque_x` | "r" |
//! | of C3D files | `f1_x`, `f1_1` | `p1_x`, `p1_1` | `m1_x`, `m1_1` | "1" |
//!
//! The force acts on the body: its vertical part is positive. Moments are about the centre of pressure.

use crate::error::{GaitError, Result};
use crate::file::Storage;
use crate::signal::fill_gaps;
use rattleback_geom::{Mat3, Vec3};

/// A plate with a vertical force above this, in N, is loaded: the usual threshold of laboratories.
pub const LOADED_N: f64 = 20.0;
/// A centre of pressure farther from the origin than this is not in metres: no laboratory is so long.
const FAR: f64 = 30.0;

/// A force plate along a trial.
#[derive(Debug, Clone, PartialEq)]
pub struct Plate {
    /// What its labels have of their own, "1" where that is nothing.
    pub name: String,
    /// Samples per second.
    pub rate_hz: f64,
    /// The times of the samples, in s.
    pub times: Vec<f64>,
    /// The force on the body, in N.
    pub force: Vec<Vec3>,
    /// The centre of pressure as the file has it, in m; it means nothing while the plate is not loaded, see
    /// [`Plate::centre`].
    pub centre_of_pressure: Vec<Option<Vec3>>,
    /// The moment about the centre of pressure, in N m.
    pub moment: Vec<Vec3>,
}

impl Plate {
    /// Whether the plate is loaded at a sample.
    pub fn is_loaded(&self, sample: usize) -> bool {
        self.force[sample].y > LOADED_N
    }

    /// The centre of pressure where the plate is loaded.
    pub fn centre(&self, sample: usize) -> Option<Vec3> {
        self.centre_of_pressure[sample].filter(|_| self.is_loaded(sample))
    }

    /// The free moment about the vertical, in N m.
    pub fn free_moment(&self, sample: usize) -> f64 {
        self.moment[sample].y
    }

    /// The sample nearest to a time, if the plate was read then.
    pub fn sample_at(&self, time: f64) -> Option<usize> {
        let sample = ((time - self.times.first()?) * self.rate_hz).round();
        (sample >= 0.0 && (sample as usize) < self.times.len()).then_some(sample as usize)
    }

    /// The force at other times, low-passed to their rate; zero outside of the plate's own.
    pub fn force_at(&self, times: &[f64], rate_hz: f64) -> Result<Vec<Vec3>> {
        let (Some(first), Some(last)) = (self.times.first(), self.times.last()) else {
            return Ok(vec![Vec3::zeros(); times.len()]);
        };
        let mut out = vec![Vec3::zeros(); times.len()];
        for axis in 0..3 {
            let values: Vec<f64> = self.force.iter().map(|f| f[axis]).collect();
            let there = crate::signal::resample(&values, *first, self.rate_hz, times, rate_hz)?;
            for ((t, out), value) in times.iter().zip(&mut out).zip(there) {
                if *t >= first - 0.5 / rate_hz && *t <= last + 0.5 / rate_hz {
                    out[axis] = value;
                }
            }
        }
        Ok(out)
    }
}

/// The quantity of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Quantity {
    Force,
    Centre,
    Moment,
}

/// The nine columns of a plate, by quantity and axis.
type Columns = [[Option<usize>; 3]; 3];

/// The columns of the plates of a table, by their names.
pub(super) fn columns(table: &Storage) -> Vec<(String, Columns)> {
    let mut plates: Vec<(String, Columns)> = Vec::new();
    for (column, label) in table.labels.iter().enumerate().skip(1) {
        let Some((name, quantity, axis)) = sort(label) else { continue };
        let at = plates.iter().position(|(n, _)| *n == name).unwrap_or_else(|| {
            plates.push((name, Columns::default()));
            plates.len() - 1
        });
        plates[at].1[quantity as usize][axis] = Some(column);
    }
    plates.retain(|(_, columns)| columns[0].iter().all(Option::is_some));
    plates
}

/// The plate, the quantity and the axis of a label.
fn sort(label: &str) -> Option<(String, Quantity, usize)> {
    let words = words(label);
    let (last, rest) = words.split_last()?;
    let (mark, axis) = match last.as_str() {
        "1" | "2" | "3" if rest.len() >= 2 => (None, last.parse::<usize>().ok()? - 1),
        word => {
            let axis = ["x", "y", "z"].iter().position(|a| word.ends_with(a))?;
            (Some(&word[..word.len() - 1]).filter(|m| !m.is_empty()), axis)
        }
    };
    // Deviations, as predictions have them, are no plates.
    if rest.iter().any(|w| w == "sd") {
        return None;
    }
    let has = |names: &[&str]| rest.iter().any(|w| names.contains(&w.as_str()));
    let quantity = match mark {
        Some("p" | "cop") => Quantity::Centre,
        Some("m" | "t") => Quantity::Moment,
        Some("v" | "f") => Quantity::Force,
        Some(_) => return None,
        None if has(&["torque", "moment", "m", "t"]) => Quantity::Moment,
        None if has(&["cop", "p", "pressure", "point"]) => Quantity::Centre,
        None if has(&["force", "f", "grf"]) => Quantity::Force,
        None => return None,
    };
    let is_known = |w: &str| {
        const WORDS: &[&str] = &[
            "ground", "force", "torque", "moment", "grf", "cop", "f", "p", "m", "t", "pressure", "point",
            "reaction",
        ];
        WORDS.contains(&w)
    };
    let name: Vec<&str> = rest.iter().map(String::as_str).filter(|w| !is_known(w)).collect();
    Some((name.join(" "), quantity, axis))
}

/// The words of a label in small letters: split where it is no letter or digit, and between letters and digits.
fn words(label: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    let mut before = ' ';
    for c in label.chars().flat_map(char::to_lowercase) {
        let is_new = !c.is_alphanumeric() || c.is_ascii_digit() != before.is_ascii_digit();
        if is_new && words.last().is_some_and(|w| !w.is_empty()) {
            words.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.push(c);
        }
        before = c;
    }
    words.retain(|w| !w.is_empty());
    words
}

/// The mean force of all plates while they are loaded, in the file's axes.
pub(super) fn mean_force(table: &Storage) -> Option<Vec3> {
    let mut sum = Vec3::zeros();
    for (_, columns) in columns(table) {
        for row in 0..table.rows() {
            let force = vector(table.row(row), &columns[0]).unwrap_or_default();
            if force.norm() > LOADED_N {
                sum += force;
            }
        }
    }
    (sum.norm() > 0.0).then_some(sum)
}

fn vector(row: &[f64], columns: &[Option<usize>; 3]) -> Option<Vec3> {
    let at = |i: usize| columns[i].map(|c| row[c]).filter(|v| v.is_finite());
    Some(Vec3::new(at(0)?, at(1)?, at(2)?))
}

/// Gaps of forces and centres of pressure up to this are bridged, in s.
const LONGEST_GAP: f64 = 0.02;
/// A plate whose least force is above this is told, in N.
const UNZEROED: f64 = 10.0;

/// The plates of a table in the axes of `rotation`.
pub(super) fn read(table: &Storage, rotation: &Mat3, remarks: &mut Vec<String>) -> Result<Vec<Plate>> {
    let all = columns(table);
    if all.is_empty() {
        return Err(GaitError::unsupported(
            "force plates",
            format!("no columns are known as forces among: {}", table.labels.join(", ")),
        ));
    }
    let grid = super::grid::find("the times of the forces", &table.times(), None)?;
    let mut plates = Vec::new();
    for (name, columns) in all {
        let name = if name.is_empty() { "0".to_owned() } else { name };
        let count = grid.times.len();
        let mut plate = Plate {
            name,
            rate_hz: grid.rate_hz,
            times: grid.times.clone(),
            force: vec![Vec3::zeros(); count],
            centre_of_pressure: vec![None; count],
            moment: vec![Vec3::zeros(); count],
        };
        let mut force = vec![None; count];
        for (row, place) in grid.places.iter().enumerate() {
            let values = table.row(row);
            force[*place] = vector(values, &columns[0]).map(|f| rotation * f);
            plate.centre_of_pressure[*place] = vector(values, &columns[1]).map(|c| rotation * c);
            plate.moment[*place] = rotation * vector(values, &columns[2]).unwrap_or_default();
        }
        fill(&mut plate, &force, remarks)?;
        settle(&mut plate, remarks);
        plates.push(plate);
    }
    Ok(plates)
}

/// Puts forces in, those of short gaps by splines, and centres of pressure that are missing under a load.
fn fill(plate: &mut Plate, force: &[Option<Vec3>], remarks: &mut Vec<String>) -> Result<()> {
    let longest = (LONGEST_GAP * plate.rate_hz).ceil() as usize;
    let filled = bridged(force, longest)?;
    let missing = force.iter().filter(|f| f.is_none()).count();
    if let Some(first) = filled.iter().position(Option::is_none) {
        return Err(GaitError::unsupported(
            format!("the forces of plate {}", plate.name),
            format!("they are missing from {:.3} s on for more than {LONGEST_GAP} s", plate.times[first]),
        ));
    }
    if missing > 0 {
        remarks.push(format!(
            "Plate {}: {missing} samples without a force, filled by splines; look at the file.",
            plate.name
        ));
    }
    plate.force = filled.into_iter().flatten().collect();
    let centres = bridged(&plate.centre_of_pressure, longest)?;
    let loaded = plate.force.iter().map(|f| f.norm() > LOADED_N);
    let gaps: Vec<bool> =
        plate.centre_of_pressure.iter().zip(loaded).map(|(c, loaded)| c.is_none() && loaded).collect();
    let lost = gaps.iter().filter(|gap| **gap).count();
    if lost > 0 {
        remarks.push(format!("Plate {}: {lost} loaded samples without a centre of pressure.", plate.name));
        for (i, _) in gaps.iter().enumerate().filter(|(_, gap)| **gap) {
            plate.centre_of_pressure[i] = centres[i];
        }
    }
    Ok(())
}

/// Short gaps filled; at the ends by the nearest value.
fn bridged(values: &[Option<Vec3>], longest: usize) -> Result<Vec<Option<Vec3>>> {
    let (mut out, gaps) = fill_gaps(values, longest)?;
    for gap in gaps.iter().filter(|gap| !gap.filled && gap.last - gap.first < longest) {
        let before = gap.first.checked_sub(1).and_then(|k| values[k]);
        out[gap.first..=gap.last].fill(before.or(values.get(gap.last + 1).copied().flatten()));
    }
    Ok(out)
}

/// Turns forces on the plate into forces on the body, and millimetres into metres.
fn settle(plate: &mut Plate, remarks: &mut Vec<String>) {
    let sum: f64 = plate.force.iter().map(|f| f.y).sum();
    if sum < 0.0 {
        remarks.push(format!(
            "Plate {}: forces act on the plate; they are turned round to act on the body.",
            plate.name
        ));
        for value in plate.force.iter_mut().chain(&mut plate.moment) {
            *value = -*value;
        }
    }
    let mut heights: Vec<f64> = plate.force.iter().map(|f| f.y).collect();
    heights.sort_by(f64::total_cmp);
    if let Some(least) = heights.get(heights.len() / 50).filter(|least| **least > UNZEROED) {
        remarks.push(format!(
            "Plate {}: never below {least:.0} N: it is not zeroed, or always loaded.",
            plate.name
        ));
    }
    let loaded: Vec<f64> = (0..plate.times.len()).filter_map(|i| plate.centre(i)).map(|c| c.amax()).collect();
    let far = loaded.iter().filter(|c| **c > FAR).count();
    if 2 * far > loaded.len() {
        remarks.push(format!(
            "Plate {}: centres of pressure are in millimetres; they and moments are scaled.",
            plate.name
        ));
        for value in plate.centre_of_pressure.iter_mut().flatten().chain(&mut plate.moment) {
            *value *= 1e-3;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_every_scheme_name_their_plate() {
        for (label, name, quantity, axis) in [
            ("ground_force_vx", "", Quantity::Force, 0),
            ("1_ground_force_pz", "1", Quantity::Centre, 2),
            ("1_ground_torque_y", "1", Quantity::Moment, 1),
            ("ground_force_2_vy", "2", Quantity::Force, 1),
            ("ground_moment_2_mz", "2", Quantity::Moment, 2),
            ("ground_force2_vx", "2", Quantity::Force, 0),
            ("R_ground_force_px", "r", Quantity::Centre, 0),
            ("FP1_vy", "fp 1", Quantity::Force, 1),
            ("f1_x", "1", Quantity::Force, 0),
            ("p2_3", "2", Quantity::Centre, 2),
            ("m1_2", "1", Quantity::Moment, 1),
            ("l_cop_x", "l", Quantity::Centre, 0),
        ] {
            assert_eq!(sort(label), Some((name.to_owned(), quantity, axis)), "{label}");
        }
        for label in
            ["ground_force_sd_vx", "1_ground_torque_sd_y", "pelvis_tx2", "hip_flexion_r", "state", "emg_12"]
        {
            assert_eq!(sort(label), None, "{label}");
        }
    }
}
