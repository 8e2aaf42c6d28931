//! Numbers from the records of a run.

use rattleback_record::report::Sheets;
use rattleback_record::{Columns, Manifest, Result, ResultFolder, Sheet};

/// The records of a run of a scene.
pub struct Records<'r> {
    /// Its sheets.
    pub sheets: &'r Sheets,
    /// Its contacts.
    pub events: Columns,
    manifest: &'r Manifest,
    /// Whether the run came to the scene's own end.
    whole: bool,
}

impl<'r> Records<'r> {
    /// Of a run whose sheets have been read; `duration` is the scene's own, in s.
    pub fn new(folder: &'r ResultFolder, sheets: &'r Sheets, duration: f64) -> Result<Self> {
        let manifest = folder.manifest();
        let whole = manifest.reached_s >= duration;
        Ok(Self { sheets, events: folder.sheet(Sheet::Events)?, manifest, whole })
    }

    /// A number that only a run to the scene's end has.
    pub fn at_end(&self, number: impl Into<String>) -> Option<String> {
        self.whole.then(|| number.into())
    }

    /// A number of a body over time.
    pub fn body(&self, body: &str, column: &str) -> Result<Vec<[f64; 2]>> {
        self.sheets.states.series("body", body, column)
    }

    /// A number of a body at the last record.
    pub fn last(&self, body: &str, column: &str) -> Result<f64> {
        Ok(self.body(body, column)?.last().map_or(f64::NAN, |point| point[1]))
    }

    /// The magnitude of a vector of a body over time.
    pub fn magnitude(&self, body: &str, columns: [&str; 3]) -> Result<Vec<[f64; 2]>> {
        let [x, y, z] = columns.map(|column| self.body(body, column));
        let (y, z) = (y?, z?);
        let norm = |(k, [t, x]): (usize, [f64; 2])| [t, (x * x + y[k][1].powi(2) + z[k][1].powi(2)).sqrt()];
        Ok(x?.into_iter().enumerate().map(norm).collect())
    }

    /// An energy at the first and at the last record, in J.
    pub fn energy(&self, column: &str) -> Result<[f64; 2]> {
        let values = self.sheets.energies.numbers(column)?;
        let or_nan = |value: Option<&f64>| value.copied().unwrap_or(f64::NAN);
        Ok([or_nan(values.first()), or_nan(values.last())])
    }

    /// How far the total energy strays from its start at the records, in J.
    pub fn drift(&self) -> f64 {
        self.manifest.energy.map_or(f64::NAN, |energy| energy.drift_J)
    }
}

/// The greatest value, by the parabola through the points about the greatest one; their distances are equal.
pub fn peak(points: &[[f64; 2]]) -> f64 {
    let Some(k) = (0..points.len()).max_by(|i, j| points[*i][1].total_cmp(&points[*j][1])) else {
        return f64::NAN;
    };
    if k == 0 || k + 1 >= points.len() {
        return points[k][1];
    }
    let [a, b, c] = [points[k - 1][1], points[k][1], points[k + 1][1]];
    let bend = a - 2.0 * b + c;
    if bend < 0.0 { b - (c - a).powi(2) / (8.0 * bend) } else { b }
}

/// When a curve passes zero, by straight lines between its points.
pub fn passages(points: &[[f64; 2]]) -> Vec<f64> {
    let passage = |pair: &[[f64; 2]]| {
        let [[t0, y0], [t1, y1]] = [pair[0], pair[1]];
        (y0 * y1 < 0.0).then(|| t0 + (t1 - t0) * y0 / (y0 - y1))
    };
    points.windows(2).filter_map(passage).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sampled(f: impl Fn(f64) -> f64) -> Vec<[f64; 2]> {
        (0..=40).map(|k| f64::from(k) * 0.1).map(|t| [t, f(t)]).collect()
    }

    #[test]
    fn the_peak_of_a_parabola_is_found_between_its_points() {
        assert!((peak(&sampled(|t| 3.0 - (t - 1.234) * (t - 1.234))) - 3.0).abs() < 1e-12);
        assert_eq!(peak(&sampled(|t| t)), 4.0);
        assert!(peak(&[]).is_nan());
    }

    #[test]
    fn passages_are_where_the_curve_changes_its_sign() {
        let found = passages(&sampled(|t| 0.25 - t / 3.0));
        assert!(found.len() == 1 && (found[0] - 0.75).abs() < 1e-12, "{found:?}");
        assert!(passages(&sampled(|t| 1.0 + t)).is_empty());
    }
}
