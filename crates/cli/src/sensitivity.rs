//! `rattleback sensitivity`: how outputs of a run change with the parameters of its scene.
//!
//! How they are found is in `rattleback_sweep::Sensitivity`.

use crate::applications::FORMAT;
use crate::console::Console;
use crate::equilibrium::{PageArguments, number, publish};
use crate::failure::Failure;
use crate::interrupt;
use crate::run::choose;
use clap::Args;
use rattleback_record::{Document, Table};
use rattleback_scene::Setting;
use rattleback_sweep::{Sensitivity, StopRequest, Watcher};
use std::path::PathBuf;
use std::process::ExitCode;

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

/// A run that the user can stop.
struct Stoppable;

impl Watcher for Stoppable {
    fn stop_request(&self) -> StopRequest {
        interrupt::stop_request()
    }
}

/// Runs the verb.
pub fn run(arguments: &Arguments, console: &Console) -> Result<ExitCode, Failure> {
    let chosen = choose(Some(&arguments.scene))?;
    let scene = FORMAT.parse_scene_with(chosen.source.clone(), &arguments.settings)?;
    if scene.parameters.is_empty() {
        return Err(Failure::input("the scene has no [parameters] by which its outputs could change"));
    }
    interrupt::listen();
    let (outputs, settings) = (&arguments.outputs, &arguments.settings);
    let of = (&FORMAT, &chosen.source);
    let found = Sensitivity::of(of, settings, outputs, &arguments.parameters, || Stoppable)?;
    let mut document = Document::new(&format!("{}: sensitivity", scene.title));
    document.text(format!(
        "Derivatives of {} by {}, from {} runs. A relative one is (p/y) dy/dp.",
        plural(arguments.outputs.len(), "output"),
        plural(found.parameters.len(), "parameter"),
        Sensitivity::run_count(found.parameters.len())
    ));
    document.table("Derivatives", table(outputs, &found));
    publish(&document, arguments.page.folder(&chosen.name, "sensitivity").as_deref(), console)
}

fn plural(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

fn table(outputs: &[String], found: &Sensitivity) -> Table {
    let columns = ["output", "value", "parameter", "value in SI", "derivative", "error", "relative"];
    let mut table = Table::new(columns);
    for (o, output) in outputs.iter().enumerate() {
        for (p, parameter) in found.parameters.iter().enumerate() {
            let (derivative, (at, unit)) = (found.derivatives[p][o], &found.at[p]);
            let shown = |x: f64| if derivative.exists() { number(x) } else { "-".to_owned() };
            let relative = derivative.value * at / found.values[o];
            table.push([
                output.clone(),
                number(found.values[o]),
                parameter.clone(),
                format!("{} {unit}", number(*at)).trim_end().to_owned(),
                shown(derivative.value),
                format!("{:.1e}", derivative.error),
                if relative.is_finite() { shown(relative) } else { "-".to_owned() },
            ]);
        }
    }
    table
}
