//! `rattleback sensitivity`: how outputs of a run change with the parameters of its scene.
//!
//! Central differences D(h) = (y(p + h) − y(p − h))/2h of whole runs, with h halved from a hundredth of p on, and
//! extrapolated to h = 0: D has even powers of h only, so that each row of Neville's scheme gains h² (C. J. F. Ridders,
//! Adv. Eng. Softw. 4 (1982) 75–76). The error is the change by the last extrapolation, and a derivative whose error is
//! not below a tenth of it is not shown: where runs are chaotic, or an impact comes or goes between them. (Of a jump D
//! doubles with every halving, and no extrapolation is nearer than half of itself.)

use crate::applications::FORMAT;
use crate::console::Console;
use crate::equilibrium::{PageArguments, number, publish};
use crate::failure::Failure;
use crate::run::{self, Options, choose};
use clap::Args;
use rattleback_record::report::{Curve, Sheets};
use rattleback_record::{Document, ResultFolder, Table};
use rattleback_scene::{Scene, Setting, Source};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The first step as a share of a parameter, or as it is where the parameter is zero.
const FIRST: f64 = 1e-2;
/// How many steps there are, each half of the one before.
const LEVELS: usize = 4;
/// A derivative is shown where its error is below this share of it.
const KNOWN: f64 = 0.1;

/// Tell how outputs of a run change with the parameters of its scene
#[derive(Args)]
#[command(after_help = "\
The scene has a table [parameters]. Outputs are curves as rattleback plot has them, at the end of the run, or
\"max CURVE\" and \"min CURVE\" over the records. Derivatives come from runs with changed parameters, eight for
each, with an estimate of their error.

Examples:
  rattleback sensitivity bounce.toml ball.z_m
  rattleback sensitivity bounce.toml 'max ball.z_m' energy.damped_J --of restitution --of radius --json")]
pub struct Arguments {
    /// The scene file, or the name of a built-in scene
    scene: PathBuf,
    /// The outputs
    #[arg(required = true)]
    outputs: Vec<String>,
    /// A parameter; may stand several times [default: all]
    #[arg(long = "of", value_name = "NAME")]
    parameters: Vec<String>,
    /// Give a parameter of the scene another value, as radius=15mm; may stand several times
    #[arg(long = "set", value_name = "NAME=VALUE")]
    settings: Vec<Setting>,
    #[command(flatten)]
    page: PageArguments,
}

/// A parameter with its value in SI units.
struct Parameter {
    name: String,
    value: f64,
    unit: String,
}

/// Runs of one scene with different parameters.
struct Runs<'a> {
    source: &'a Source,
    settings: &'a [Setting],
    outputs: &'a [String],
    /// Where results go until they have been read.
    folder: PathBuf,
}

/// Runs the verb.
pub fn run(arguments: &Arguments, console: &Console) -> Result<ExitCode, Failure> {
    let chosen = choose(Some(&arguments.scene))?;
    let scene = FORMAT.parse_scene_with(chosen.source.clone(), &arguments.settings)?;
    for output in &arguments.outputs {
        Curve::parse(reduction(output).1, &scene.model)?;
    }
    let parameters = asked_for(&scene, &arguments.parameters)?;
    let folder = std::env::temp_dir().join(format!("rattleback-sensitivity-{}", std::process::id()));
    let runs = Runs {
        source: &chosen.source,
        settings: &arguments.settings,
        outputs: &arguments.outputs,
        folder: folder.clone(),
    };
    let found = runs.all(&parameters);
    // What could not be removed is in the folder for such things.
    let _ = std::fs::remove_dir_all(&folder);
    let (values, derivatives) = found?;
    let mut document = Document::new(&format!("{}: sensitivity", scene.title));
    document.text(format!(
        "Derivatives of {} by {}, from {} runs. A relative one is (p/y) dy/dp.",
        plural(arguments.outputs.len(), "output"),
        plural(parameters.len(), "parameter"),
        1 + 2 * LEVELS * parameters.len()
    ));
    document.table("Derivatives", table(&arguments.outputs, &parameters, &values, &derivatives));
    publish(&document, arguments.page.folder(&chosen.name, "sensitivity").as_deref(), console)
}

fn plural(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// What is made of a curve, and its name.
fn reduction(output: &str) -> (fn(f64, f64) -> f64, &str) {
    match output.split_once(' ') {
        Some(("max", curve)) => (f64::max, curve),
        Some(("min", curve)) => (f64::min, curve),
        _ => (|_, last| last, output),
    }
}

fn asked_for(scene: &Scene, names: &[String]) -> Result<Vec<Parameter>, Failure> {
    if scene.parameters.is_empty() {
        return Err(Failure::input("the scene has no [parameters] by which its outputs could change"));
    }
    if let Some(missing) = names.iter().find(|name| !scene.parameters.contains_key(*name)) {
        let known: Vec<&str> = scene.parameters.keys().map(String::as_str).collect();
        return Err(Failure::input(format!(
            "there is no parameter \"{missing}\"; the scene has {}",
            known.join(", ")
        )));
    }
    let wanted = scene.parameters.iter().filter(|(name, _)| names.is_empty() || names.contains(name));
    wanted
        .map(|(name, text)| {
            let (value, unit) = text.split_once(' ').unwrap_or((text, ""));
            let value = value.parse().map_err(|_| Failure::input(format!("{name} = {text} is no number")))?;
            Ok(Parameter { name: name.clone(), value, unit: unit.to_owned() })
        })
        .collect()
}

/// A derivative and its error.
type Derivative = (f64, f64);

impl Runs<'_> {
    /// The outputs, and their derivatives by each parameter.
    fn all(&self, parameters: &[Parameter]) -> Result<(Vec<f64>, Vec<Vec<Derivative>>), Failure> {
        let values = self.outputs_with(None, 0)?;
        let places: Vec<(usize, usize)> =
            (0..parameters.len()).flat_map(|p| (0..2 * LEVELS).map(move |k| (p, k))).collect();
        let changed: Vec<Vec<f64>> = places
            .par_iter()
            .map(|&(p, k)| {
                let sign = if k % 2 == 0 { 1.0 } else { -1.0 };
                let by = sign * step(parameters[p].value, k / 2);
                self.outputs_with(Some((&parameters[p], by)), 1 + p * 2 * LEVELS + k)
            })
            .collect::<Result<_, _>>()?;
        let of = |p: usize, output: usize| {
            let own = &changed[p * 2 * LEVELS..][..2 * LEVELS];
            let differences: [f64; LEVELS] = std::array::from_fn(|level| {
                let change = own[2 * level][output] - own[2 * level + 1][output];
                change / (2.0 * step(parameters[p].value, level))
            });
            extrapolated(differences)
        };
        let derivatives =
            (0..parameters.len()).map(|p| (0..self.outputs.len()).map(|o| of(p, o)).collect()).collect();
        Ok((values, derivatives))
    }

    /// The outputs of a run, with one parameter changed.
    fn outputs_with(&self, changed: Option<(&Parameter, f64)>, number: usize) -> Result<Vec<f64>, Failure> {
        let mut settings = self.settings.to_vec();
        let mut what = "the scene".to_owned();
        if let Some((Parameter { name, value, unit }, by)) = changed {
            let value = format!("{:?} {unit}", value + by).trim_end().to_owned();
            what = format!("the scene with {name} = {value}");
            settings.push(Setting { name: name.clone(), value });
        }
        let failed =
            |failure: Failure| Failure { message: format!("{what}: {}", failure.message), ..failure };
        let scene = FORMAT.parse_scene_with(self.source.clone(), &settings).map_err(|e| failed(e.into()))?;
        let folder = self.folder.join(number.to_string());
        let outputs = self.recorded(&scene, &folder).map_err(failed)?;
        match outputs.iter().position(|y| !y.is_finite()) {
            Some(k) => Err(Failure::motion(format!("{what}: {} has no value", self.outputs[k]))),
            None => Ok(outputs),
        }
    }

    fn recorded(&self, scene: &Scene, folder: &Path) -> Result<Vec<f64>, Failure> {
        let quiet = Console { quiet: true, json: false };
        let ended = run::record(scene, self.source, &Options::default(), folder, None, &quiet)?;
        if ended.stopped {
            return Err(Failure::motion("stopped"));
        }
        if let Some(verdict) = run::broken(&ended.manifest) {
            return Err(Failure::broken(verdict));
        }
        let sheets = Sheets::read(&ResultFolder::open(folder)?)?;
        let outputs = self.outputs.iter().map(|output| {
            let (reduce, name) = reduction(output);
            let points = Curve::parse(name, &scene.model)?.points(&sheets)?;
            let values = points.iter().map(|point| point[1]);
            Ok(values.reduce(reduce).unwrap_or(f64::NAN))
        });
        let outputs = outputs.collect::<Result<_, Failure>>();
        let _ = std::fs::remove_dir_all(folder);
        outputs
    }
}

fn step(value: f64, level: usize) -> f64 {
    let size = if value == 0.0 { 1.0 } else { value.abs() };
    FIRST * size * 0.5_f64.powi(level as i32)
}

/// Neville's scheme for values at h, h/2, h/4, … with even powers of h: the value with the least change, and that.
fn extrapolated(values: [f64; LEVELS]) -> Derivative {
    let mut rows = vec![values.to_vec()];
    let mut best = (values[LEVELS - 1], (values[LEVELS - 1] - values[LEVELS - 2]).abs());
    for order in 1..LEVELS {
        let factor = 4f64.powi(order as i32);
        let last = &rows[order - 1];
        let next: Vec<f64> = last.windows(2).map(|w| (factor * w[1] - w[0]) / (factor - 1.0)).collect();
        for (k, value) in next.iter().enumerate() {
            let error = (value - last[k]).abs().max((value - last[k + 1]).abs());
            if error < best.1 {
                best = (*value, error);
            }
        }
        rows.push(next);
    }
    best
}

fn table(
    outputs: &[String],
    parameters: &[Parameter],
    values: &[f64],
    derivatives: &[Vec<Derivative>],
) -> Table {
    let columns = ["output", "value", "parameter", "value in SI", "derivative", "error", "relative"];
    let mut table = Table::new(columns);
    for (o, output) in outputs.iter().enumerate() {
        for (p, parameter) in parameters.iter().enumerate() {
            let (derivative, error) = derivatives[p][o];
            let exists = derivative == 0.0 && error == 0.0 || error < KNOWN * derivative.abs();
            let shown = |x: f64| if exists { number(x) } else { "-".to_owned() };
            let relative = derivative * parameter.value / values[o];
            table.push([
                output.clone(),
                number(values[o]),
                parameter.name.clone(),
                format!("{} {}", number(parameter.value), parameter.unit).trim_end().to_owned(),
                shown(derivative),
                format!("{error:.1e}"),
                if relative.is_finite() { shown(relative) } else { "-".to_owned() },
            ]);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_smooth_function_has_its_derivative_to_many_digits_and_a_jump_has_none() {
        let differences = |f: fn(f64) -> f64| {
            std::array::from_fn(|k| (f(1.3 + step(1.3, k)) - f(1.3 - step(1.3, k))) / (2.0 * step(1.3, k)))
        };
        let (found, error) = extrapolated(differences(|x| (3.0 * x).sin()));
        let truth = 3.0 * 3.9_f64.cos();
        assert!((found - truth).abs() <= error.max(1e-11) && error < 1e-8, "{found} {truth} {error}");
        let (found, error) = extrapolated(differences(|x| if x > 1.3 { 1.0 } else { 0.0 }));
        assert!(error >= 2.0 * KNOWN * found.abs(), "{found} {error}");
    }
}
