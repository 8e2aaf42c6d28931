//! The values that the parameters of a study take, and which run has which.

use crate::error::Result;
use rattleback_record::Steps;
use rattleback_sweep::Study;

/// Two values are the same if they differ by less than this share: those of a range are rounded.
const SAME: f64 = 1e-9;

/// The parameters of all runs.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Lattice {
    names: Vec<String>,
    runs: Vec<Vec<f64>>,
}

impl Lattice {
    /// That of a study.
    pub fn of(study: &Study) -> Result<Self> {
        let names = study.parameters().map(|(name, _)| name.to_owned()).collect();
        let mut runs = Vec::new();
        for run in 0..study.runs() {
            runs.push(study.values(run)?.iter().map(|value| value.value).collect());
        }
        Ok(Self { names, runs })
    }

    /// The values of a run, in the order of the study's parameters.
    pub fn values(&self, run: usize) -> &[f64] {
        self.runs.get(run).map_or(&[], Vec::as_slice)
    }

    /// The value of a parameter in a run; none where there is no such parameter.
    pub fn value(&self, run: usize, name: &str) -> Option<f64> {
        let k = self.names.iter().position(|own| own == name)?;
        self.values(run).get(k).copied()
    }

    /// The different values of a parameter, in ascending order.
    pub fn axis(&self, name: &str) -> Vec<f64> {
        let mut values: Vec<f64> = (0..self.runs.len()).filter_map(|run| self.value(run, name)).collect();
        values.sort_by(f64::total_cmp);
        values.dedup_by(|b, a| is_same(*a, *b));
        values
    }

    /// The runs in which parameters have values.
    pub fn runs_at<'a>(&'a self, wanted: &'a [(&'a str, f64)]) -> impl Iterator<Item = usize> + 'a {
        let has = |run: usize, (name, value): &(&str, f64)| {
            self.value(run, name).is_some_and(|own| is_same(own, *value))
        };
        (0..self.runs.len()).filter(move |run| wanted.iter().all(|pair| has(*run, pair)))
    }

    /// The cells of a panel over two axes: `value` makes one of the runs that belong to it.
    pub fn cells(
        &self,
        [x, y]: [&str; 2],
        others: &[(&str, f64)],
        value: impl Fn(&mut dyn Iterator<Item = usize>) -> f64,
    ) -> Vec<f64> {
        let mut cells = Vec::new();
        for row in self.axis(y) {
            for column in self.axis(x) {
                let wanted: Vec<(&str, f64)> =
                    others.iter().copied().chain([(x, column), (y, row)]).collect();
                cells.push(value(&mut self.runs_at(&wanted)));
            }
        }
        cells
    }

    /// The steps of a map along a parameter, in a unit of so many SI units.
    pub fn steps(&self, name: &str, label: &str, unit: f64) -> Steps {
        let written = |value: &f64| short(value / unit);
        Steps { label: label.to_owned(), values: self.axis(name).iter().map(written).collect() }
    }
}

fn is_same(a: f64, b: f64) -> bool {
    (a - b).abs() <= SAME * a.abs().max(b.abs()).max(SAME)
}

/// A number with three digits and no more zeros than it needs.
pub(super) fn short(value: f64) -> String {
    if value.abs() < SAME {
        return "0".to_owned();
    }
    let decimals = (2 - value.abs().log10().floor() as i32).clamp(0, 9) as usize;
    let text = format!("{value:.decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_axes_are_sorted_and_rounded_ones_are_one() {
        let names = vec!["a".to_owned(), "b".to_owned()];
        let runs =
            vec![vec![0.3, 1.0], vec![0.1 + 0.2, 2.0], vec![-1.0, 1.0], vec![0.0, 1.0], vec![-1e-20, 1.0]];
        let lattice = Lattice { names, runs };
        assert_eq!(lattice.axis("a").len(), 3);
        assert_eq!(lattice.runs_at(&[("a", 0.3)]).collect::<Vec<_>>(), [0, 1]);
        assert_eq!(lattice.runs_at(&[("a", 0.3), ("b", 2.0)]).collect::<Vec<_>>(), [1]);
        let cells = lattice.cells(["b", "a"], &[], |runs| runs.count() as f64);
        assert_eq!(cells, [1.0, 0.0, 2.0, 0.0, 1.0, 1.0]);
    }

    #[test]
    fn numbers_are_written_with_three_digits() {
        let texts = [0.0, 0.02, 2.0, -6.0, 0.123_456, 12_345.0, 1e-7, 3.0 * 0.1].map(short);
        assert_eq!(texts, ["0", "0.02", "2", "-6", "0.123", "12345", "0.0000001", "0.3"].map(str::to_owned));
    }
}
