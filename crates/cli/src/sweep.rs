//! `rattleback sweep`: many runs of one scene with different parameters, to one row each.

use crate::applications::FORMAT;
use crate::console::Console;
use crate::examples;
use crate::failure::{Failure, SOME_RUNS};
use crate::interrupt;
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget};
use rattleback_sweep::{Row, RunStatus, StopRequest, Study, Sweep, SweepError, SweepWatcher};
use serde_json::json;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Arc;

/// Run a scene with many values of its parameters, and collect outputs and verdicts
#[derive(Args)]
#[command(after_help = "\
A study is a file, TOML or JSON:

  scene = \"bounce.toml\"                 a scene with a table [parameters], from where the study stands, or built-in
  outputs = [\"max ball.z_m\"]            curves as rattleback plot has them, at the end of the run, or their max or min
  design = \"grid\"                       grid, list, latin_hypercube or sobol
  samples = 64                          how many runs, for the last two; seed = 1 chooses which
  duration = \"2 s\"                      instead of what the scene says; every = \"1 ms\" too

  [parameters.restitution]              values = [0.5, 0.7], or
  from = 0.2                            a range, of which a grid has
  to = 0.9                              count values, both ends included;
  count = 8                             scale = \"log\" for equal ratios

Runs go on all cores. Each is a row of rows.jsonl in the folder as soon as it is done, also where it failed or its
health is broken; when all are done they are rows.parquet. Whatever ends the program, the same command goes on with the
runs that have no row; the rows are the same to the bit, however often it was ended and on however many threads.

With --scheduler the runs are made by the workers of a Dask cluster, through the Python package rattleback, which must
be there in the same version on this machine and on the workers (pip install './crates/py[cluster]').

Exit codes: 0 all runs finished, 1 the study is wrong, 5 rows could not be written, 7 all runs have their rows and some of
them failed or are broken, 130 stopped by Ctrl-C.

Examples:
  rattleback sweep study.toml
  rattleback sweep study.toml -o results/atlas --threads 4
  rattleback sweep study.toml --scheduler tcp://head:8786")]
pub struct Arguments {
    /// The study file
    study: PathBuf,
    /// The folder for the rows: new, empty, or with rows of the same study [default: results/NAME]
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Run on so many threads [default: all]
    #[arg(long, value_name = "COUNT", default_value_t = 0, hide_default_value = true)]
    threads: usize,
    /// Run on a Dask cluster, by the address of its scheduler
    #[arg(long, value_name = "ADDRESS", conflicts_with = "threads")]
    scheduler: Option<String>,
    /// The Python that has the packages rattleback and distributed, with --scheduler
    #[arg(long, value_name = "PROGRAM", default_value = "python3", requires = "scheduler")]
    python: PathBuf,
}

struct Shown {
    bar: ProgressBar,
}

impl SweepWatcher for Shown {
    fn row(&self, _: &Row, done: usize, _: usize) {
        self.bar.set_position(done as u64);
    }

    fn stop_request(&self) -> StopRequest {
        interrupt::stop_request()
    }
}

/// Runs the verb.
pub fn run(arguments: &Arguments, console: &Console) -> Result<ExitCode, Failure> {
    let built_in = |name: &str| examples::find(name).map(|example| example.source());
    let study = Arc::new(Study::read(&arguments.study, &FORMAT, built_in)?);
    let folder = match &arguments.output {
        Some(folder) => folder.clone(),
        None => Path::new("results").join(arguments.study.file_stem().unwrap_or_default()),
    };
    if let Some(scheduler) = &arguments.scheduler {
        on_cluster(arguments, scheduler, &folder)?;
    }
    interrupt::listen();
    let sweep = Sweep::open(Arc::clone(&study), &folder)?;
    let begun = study.runs() - sweep.missing()?.len();
    console.say(&format!("{}: {} runs\n", study.title, study.runs()))?;
    if begun > 0 {
        console.remark(&format!("{begun} of them have their rows already"));
    }
    let target = if console.speaks() && std::io::stderr().is_terminal() {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    };
    let shown = Shown { bar: ProgressBar::with_draw_target(Some(study.runs() as u64), target) };
    shown.bar.set_position(begun as u64);
    let outcome = sweep.run(arguments.threads, &FORMAT, &shown);
    shown.bar.finish_and_clear();
    match outcome {
        Err(SweepError::Stopped) => {
            let missing = sweep.missing()?.len();
            console.remark(&format!("Stopped with {missing} runs to go; the same command goes on."));
            return Ok(ExitCode::from(interrupt::code()));
        }
        other => other?,
    }
    conclude(&study, &sweep.rows()?, &folder, console)
}

fn conclude(study: &Study, rows: &[Row], folder: &Path, console: &Console) -> Result<ExitCode, Failure> {
    let count = |status: RunStatus| rows.iter().filter(|row| row.status == status).count();
    let [finished, broken, failed] = [RunStatus::Finished, RunStatus::Broken, RunStatus::Failed].map(count);
    console.tell(&json!({
        "title": study.title,
        "runs": study.runs(),
        "finished": finished,
        "broken": broken,
        "failed": failed,
        "folder": folder,
    }))?;
    console.say(&format!("{finished} finished, {broken} broken, {failed} failed\n"))?;
    if let Some(row) = rows.iter().find(|row| row.status != RunStatus::Finished) {
        console.remark(&format!("run {} {}: {}", row.run, row.status.word(), row.verdict));
    }
    console.say(&format!("Rows: {}\n", folder.join("rows.parquet").display()))?;
    Ok(if broken + failed == 0 { ExitCode::SUCCESS } else { ExitCode::from(SOME_RUNS) })
}

/// Has the runs made by a cluster; their rows are in the folder then.
fn on_cluster(arguments: &Arguments, scheduler: &str, folder: &Path) -> Result<(), Failure> {
    const PROGRAM: &str =
        "import sys, rattleback; rattleback.sweep(sys.argv[1], sys.argv[2], scheduler=sys.argv[3])";
    let mut python = Command::new(&arguments.python);
    python.args(["-c", PROGRAM]).arg(&arguments.study).arg(folder).arg(scheduler);
    let status = python.status();
    let name = arguments.python.display();
    let status = status.map_err(|error| Failure::input(format!("{name} could not be started: {error}")))?;
    if status.success() {
        Ok(())
    } else {
        Err(Failure::motion(format!(
            "the sweep on {scheduler} did not end; the same command goes on ({status})"
        )))
    }
}
