//! Where the runs of a study are: the value of a parameter in a run, from its place between zero and one or in a list.
//!
//! A Latin hypercube of n points: for every parameter a random permutation π of 0 … n − 1, and the coordinate of point
//! k is (π(k) + u)/n with u uniform within (0, 1) (M. D. McKay, R. J. Beckman, W. J. Conover, Technometrics 21 (1979)
//! 239–245).

use super::sobol;
use super::{Design, Scale};
use rattleback_random as random;
use rattleback_scene::ParameterValue;

/// What a parameter can be.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Axis {
    Values(Vec<ParameterValue>),
    /// Values of a grid where `count` is there; both ends have the same unit.
    Range {
        from: f64,
        to: f64,
        unit: String,
        scale: Scale,
        count: usize,
    },
}

impl Axis {
    /// How many values it has in a grid or a list.
    pub(super) fn count(&self) -> usize {
        match self {
            Self::Values(values) => values.len(),
            Self::Range { count, .. } => *count,
        }
    }

    /// The value of that index.
    fn at(&self, index: usize) -> ParameterValue {
        match self {
            Self::Values(values) => values[index.min(values.len() - 1)].clone(),
            Self::Range { count, .. } => {
                self.between(index as f64 / (*count).saturating_sub(1).max(1) as f64)
            }
        }
    }

    /// The value at a share of the way.
    fn between(&self, share: f64) -> ParameterValue {
        match self {
            Self::Values(values) => self.at((share * values.len() as f64) as usize),
            Self::Range { from, to, unit, scale, .. } => {
                let value = match scale {
                    // The ends are met as they were given.
                    _ if share == 0.0 => *from,
                    _ if share == 1.0 => *to,
                    Scale::Linear => from + share * (to - from),
                    // Not the system's power: all machines of a cluster have the same bits.
                    Scale::Log => from * libm::pow(to / from, share),
                };
                ParameterValue { value, unit: unit.clone() }
            }
        }
    }
}

/// The points of a study.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Points {
    design: Design,
    seed: Option<u64>,
    runs: usize,
    axes: Vec<Axis>,
    /// Of a Latin hypercube, per axis.
    permutations: Vec<Vec<u32>>,
}

impl Points {
    /// The points of checked axes.
    pub(super) fn new(design: Design, seed: Option<u64>, runs: usize, axes: Vec<Axis>) -> Self {
        let permutation = |axis: usize| {
            let mut state = random::stream(seed.unwrap_or(0), 2 * axis as u64);
            let mut order: Vec<u32> = (0..runs as u32).collect();
            for k in (1..order.len()).rev() {
                order.swap(k, random::below(&mut state, k + 1));
            }
            order
        };
        let permutations = match design {
            Design::LatinHypercube => (0..axes.len()).map(permutation).collect(),
            _ => Vec::new(),
        };
        Self { design, seed, runs, axes, permutations }
    }

    /// How many there are.
    pub(super) fn runs(&self) -> usize {
        self.runs
    }

    /// The values of all parameters in a run, which must be one.
    pub(super) fn at(&self, run: usize) -> Vec<ParameterValue> {
        match self.design {
            Design::Grid => {
                let mut rest = run;
                let mut values: Vec<ParameterValue> = Vec::with_capacity(self.axes.len());
                for axis in self.axes.iter().rev() {
                    values.push(axis.at(rest % axis.count()));
                    rest /= axis.count();
                }
                values.reverse();
                values
            }
            Design::List => self.axes.iter().map(|axis| axis.at(run)).collect(),
            Design::LatinHypercube => self.sampled(|axis| {
                let mut state =
                    random::stream(random::stream(self.seed.unwrap_or(0), 2 * axis as u64 + 1), run as u64);
                (f64::from(self.permutations[axis][run]) + random::unit(&mut state)) / self.runs as f64
            }),
            Design::Sobol => self.sampled(|axis| {
                let shift = self.seed.map_or(0, |seed| (random::stream(seed, axis as u64) >> 32) as u32);
                sobol::coordinate(axis, run as u32, shift)
            }),
        }
    }

    fn sampled(&self, share: impl Fn(usize) -> f64) -> Vec<ParameterValue> {
        self.axes.iter().enumerate().map(|(k, axis)| axis.between(share(k))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(from: f64, to: f64, scale: Scale, count: usize) -> Axis {
        Axis::Range { from, to, unit: String::new(), scale, count }
    }

    fn values(points: &Points, run: usize) -> Vec<f64> {
        points.at(run).iter().map(|value| value.value).collect()
    }

    #[test]
    fn a_grid_has_all_combinations_and_the_ends_as_they_were_given() {
        let axes = vec![range(0.1, 0.7, Scale::Linear, 3), range(1e-3, 1e3, Scale::Log, 7)];
        let points = Points::new(Design::Grid, None, 21, axes);
        assert_eq!(values(&points, 0), [0.1, 1e-3]);
        assert_eq!(values(&points, 20), [0.7, 1e3]);
        assert_eq!(values(&points, 1)[0], 0.1);
        assert!((values(&points, 10)[1] - 1.0).abs() < 1e-12);
        let all: std::collections::BTreeSet<_> =
            (0..21).map(|k| format!("{:?}", values(&points, k))).collect();
        assert_eq!(all.len(), 21);
    }

    #[test]
    fn a_latin_hypercube_has_one_point_in_every_stratum_and_a_seed_chooses_which() {
        let axes = || vec![range(0.0, 1.0, Scale::Linear, 0), range(0.0, 1.0, Scale::Linear, 0)];
        let points = Points::new(Design::LatinHypercube, Some(5), 50, axes());
        for axis in 0..2 {
            let mut seen = [0; 50];
            (0..50).for_each(|k| seen[(values(&points, k)[axis] * 50.0) as usize] += 1);
            assert!(seen.iter().all(|&n| n == 1), "{seen:?}");
        }
        let other = Points::new(Design::LatinHypercube, Some(6), 50, axes());
        assert_ne!(values(&points, 7), values(&other, 7));
        assert!((0..50).any(|k| values(&points, k)[0].total_cmp(&values(&points, k)[1]).is_ne()));
    }

    #[test]
    fn one_value_of_a_range_is_its_beginning() {
        let points = Points::new(Design::Grid, None, 1, vec![range(2.0, 3.0, Scale::Linear, 1)]);
        assert_eq!(values(&points, 0), [2.0]);
    }
}
