//! How outputs of a run change with the parameters of its scene.
//!
//! Central differences D(h) = (y(p + h) − y(p − h))/2h of whole runs, with h halved from a hundredth of p on, and
//! extrapolated to h = 0: D has even powers of h only, so that each row of Neville's scheme gains h² (C. J. F. Ridders,
//! Adv. Eng. Softw. 4 (1982) 75–76). The error is the change by the last extrapolation, and a derivative whose error is
//! not below a tenth of it does not exist: where runs are chaotic, or an impact comes or goes between them. (Of a jump
//! D doubles with every halving, and no extrapolation is nearer than half of itself.) An output that does not depend
//! on a parameter differs by rounding alone: a derivative whose error would move it by no more than [`SAME`] of itself
//! exists too, however small it is.

use crate::error::{Result, SweepError};
use crate::output::RunOutput;
use crate::session::{RunOptions, Watcher, run_in_memory};
use rattleback_record::report::Sheets;
use rattleback_scene::{Format, Scene, Setting, Source};
use rayon::prelude::*;

/// The first step as a share of a parameter, or as it is where the parameter is zero.
const FIRST: f64 = 1e-2;
/// How many steps there are, each half of the one before.
const LEVELS: usize = 4;
/// A derivative exists where its error is below this share of it.
const KNOWN: f64 = 0.1;

/// What outputs of runs that are the same to their last digits may differ by, as a share of them: thousands of steps,
/// each with some roundings.
const SAME: f64 = 1e-11;

/// A derivative and its error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Derivative {
    /// By the parameter in SI units.
    pub value: f64,
    /// What the last extrapolation changed.
    pub error: f64,
    /// The error of a derivative that is none but rounding, at most.
    pub rounding: f64,
}

impl Derivative {
    /// Whether the runs have one.
    pub fn exists(&self) -> bool {
        self.error <= self.rounding || self.error < KNOWN * self.value.abs()
    }
}

/// A parameter with its value in SI units.
#[derive(Debug, Clone, PartialEq)]
struct Parameter {
    name: String,
    value: f64,
    unit: String,
}

/// Outputs of a run and their derivatives.
#[derive(Debug, Clone, PartialEq)]
pub struct Sensitivity {
    /// The parameters' names.
    pub parameters: Vec<String>,
    /// Their values in SI units, and the units.
    pub at: Vec<(f64, String)>,
    /// The outputs.
    pub values: Vec<f64>,
    /// Per parameter and output.
    pub derivatives: Vec<Vec<Derivative>>,
}

impl Sensitivity {
    /// How many runs it takes.
    pub fn run_count(parameters: usize) -> usize {
        1 + 2 * LEVELS * parameters
    }

    /// Of outputs by parameters, all that the scene has where none is named, from runs on the threads of the current
    /// rayon pool. Each run gets a watcher of its own.
    pub fn of<W: Watcher>(
        (format, source): (&Format, &Source),
        settings: &[Setting],
        outputs: &[String],
        names: &[String],
        watcher: impl Fn() -> W + Sync,
    ) -> Result<Self> {
        let scene = format.parse_scene_with(source.clone(), settings)?;
        for output in outputs {
            RunOutput::parse(output, &scene.model)?;
        }
        let parameters = asked_for(&scene, names)?;
        let outputs_with = |changed: Option<(&Parameter, f64)>| {
            let mut settings = settings.to_vec();
            let mut what = None;
            if let Some((Parameter { name, value, unit }, by)) = changed {
                let value = format!("{:?} {unit}", value + by).trim_end().to_owned();
                what = Some(format!("{name} = {value}"));
                settings.push(Setting { name: name.clone(), value });
            }
            let found = values(format, source, &settings, outputs, &mut watcher());
            found.map_err(|source| match what {
                Some(settings) => SweepError::With { settings, source: Box::new(source) },
                None => source,
            })
        };
        let values = outputs_with(None)?;
        let places: Vec<(usize, usize)> =
            (0..parameters.len()).flat_map(|p| (0..2 * LEVELS).map(move |k| (p, k))).collect();
        let changed: Vec<Vec<f64>> = places
            .par_iter()
            .map(|&(p, k)| {
                let sign = if k % 2 == 0 { 1.0 } else { -1.0 };
                outputs_with(Some((&parameters[p], sign * step(parameters[p].value, k / 2))))
            })
            .collect::<Result<_>>()?;
        let derivative = |p: usize, output: usize| {
            let own = &changed[p * 2 * LEVELS..][..2 * LEVELS];
            let differences: [f64; LEVELS] = std::array::from_fn(|level| {
                let change = own[2 * level][output] - own[2 * level + 1][output];
                change / (2.0 * step(parameters[p].value, level))
            });
            extrapolated(differences, SAME * values[output].abs() / step(parameters[p].value, 0))
        };
        let of_parameter = |p: usize| (0..outputs.len()).map(|o| derivative(p, o)).collect();
        Ok(Self {
            derivatives: (0..parameters.len()).map(of_parameter).collect(),
            values,
            at: parameters.iter().map(|p| (p.value, p.unit.clone())).collect(),
            parameters: parameters.into_iter().map(|p| p.name).collect(),
        })
    }
}

fn asked_for(scene: &Scene, names: &[String]) -> Result<Vec<Parameter>> {
    let known = || match scene.parameters.is_empty() {
        true => "none".to_owned(),
        false => scene.parameters.keys().map(String::as_str).collect::<Vec<_>>().join(", "),
    };
    if let Some(name) = names.iter().find(|name| !scene.parameters.contains_key(*name)) {
        return Err(SweepError::Parameter { name: name.clone(), known: known() });
    }
    let all: Vec<&String> =
        if names.is_empty() { scene.parameters.keys().collect() } else { names.iter().collect() };
    let parameter = |name: &String| {
        let text = &scene.parameters[name];
        let (value, unit) = text.split_once(' ').unwrap_or((text, ""));
        let missing = |_| SweepError::Parameter { name: name.clone(), known: known() };
        Ok(Parameter { name: name.clone(), value: value.parse().map_err(missing)?, unit: unit.to_owned() })
    };
    all.into_iter().map(parameter).collect()
}

/// The outputs of a run to its end; an error where it is broken or an output has no value.
pub(crate) fn values(
    format: &Format,
    source: &Source,
    settings: &[Setting],
    outputs: &[String],
    watcher: &mut dyn Watcher,
) -> Result<Vec<f64>> {
    let scene = format.parse_scene_with(source.clone(), settings)?;
    let run = run_in_memory(&scene, source, &RunOptions::default(), watcher)?;
    if run.ended.stopped {
        return Err(SweepError::Stopped);
    }
    if let Some(health) = run.ended.manifest.health.filter(|health| !health.healthy) {
        return Err(SweepError::Broken { verdict: health.verdict });
    }
    let sheets = Sheets::of(run.sheets)?;
    let value = |output: &String| {
        let value = RunOutput::parse(output, &scene.model)?.value(&sheets)?;
        let finite = value.is_finite();
        finite.then_some(value).ok_or_else(|| SweepError::NoValue { output: output.clone() })
    };
    outputs.iter().map(value).collect()
}

fn step(value: f64, level: usize) -> f64 {
    let size = if value == 0.0 { 1.0 } else { value.abs() };
    FIRST * size * 0.5_f64.powi(level as i32)
}

/// Neville's scheme for values at h, h/2, h/4, … with even powers of h: the value with the least change, and that.
fn extrapolated(values: [f64; LEVELS], rounding: f64) -> Derivative {
    let mut rows = vec![values.to_vec()];
    let last = values[LEVELS - 1];
    let mut best = Derivative { value: last, error: (last - values[LEVELS - 2]).abs(), rounding };
    for order in 1..LEVELS {
        let factor = 4f64.powi(order as i32);
        let last = &rows[order - 1];
        let next: Vec<f64> = last.windows(2).map(|w| (factor * w[1] - w[0]) / (factor - 1.0)).collect();
        for (k, &value) in next.iter().enumerate() {
            let error = (value - last[k]).abs().max((value - last[k + 1]).abs());
            if error < best.error {
                best = Derivative { value, error, rounding };
            }
        }
        rows.push(next);
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_smooth_function_has_its_derivative_to_many_digits_and_a_jump_has_none() {
        let differences = |f: fn(f64) -> f64| {
            std::array::from_fn(|k| (f(1.3 + step(1.3, k)) - f(1.3 - step(1.3, k))) / (2.0 * step(1.3, k)))
        };
        let found = extrapolated(differences(|x| (3.0 * x).sin()), 0.0);
        let truth = 3.0 * 3.9_f64.cos();
        assert!(found.exists() && found.error < 1e-8, "{found:?} {truth}");
        assert!((found.value - truth).abs() <= found.error.max(1e-11), "{found:?} {truth}");
        let found = extrapolated(differences(|x| if x > 1.3 { 1.0 } else { 0.0 }), 1e-9);
        assert!(!found.exists() && found.error >= 2.0 * KNOWN * found.value.abs(), "{found:?}");
    }

    #[test]
    fn what_changes_by_rounding_alone_has_a_derivative_of_nothing() {
        // Differences of 0.18 m in its last digits.
        let differences = std::array::from_fn(|k| [1.0, -2.0, 0.0, 1.0][k] * 2.8e-17 / (2.0 * step(0.7, k)));
        let found = extrapolated(differences, SAME * 0.18 / step(0.7, 0));
        assert!(
            found.exists() && found.value.abs() < 1e-13 && found.error > KNOWN * found.value.abs(),
            "{found:?}"
        );
    }
}
