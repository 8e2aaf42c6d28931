//! The command `rattleback`.

mod applications;
mod check;
mod completions;
mod console;
mod curve;
mod distance;
mod equilibrium;
mod examples;
mod failure;
mod gait;
mod import;
mod info;
mod interrupt;
mod modes;
mod overlap;
mod plot;
mod progress;
mod report;
mod resume;
mod run;
mod schema;
mod sensitivity;
mod session;
mod shape;
mod shape_rays;
mod studio;
mod studio_tools;
mod study;
mod sweep;
mod view;

use clap::{Parser, Subcommand};
use console::{Console, complain};
use std::process::ExitCode;

/// Smooth-surface contact in multibody dynamics.
#[derive(Parser)]
#[command(name = "rattleback", version)]
#[command(after_help = "\
Exit codes:
  0    done
  1    the input is wrong or could not be read
  2    the command line is wrong
  3    some lines of a file of pairs failed
  4    the motion could not be computed to the end
  5    results could not be written
  6    the run is broken: its energy, overlaps or bodies went astray
  7    some runs of a sweep failed or are broken
  130  stopped by Ctrl-C
  143  stopped by SIGTERM

Examples:
  rattleback run                                      a demonstration, with its report
  rattleback run scenes/papers/roemer_box.toml        a scene
  rattleback check scene.toml                         everything that is wrong with a scene
  rattleback import robot.urdf -o scene.toml          a robot, URDF or MJCF, as a scene
  rattleback examples heap                            a built-in scene to begin with
  rattleback plot results/demonstration energy.kinetic_J
  rattleback view results/demonstration               the motion, in a browser
  rattleback distance scenes/pairs/examples.jsonl     distances of many pairs
  rattleback sweep study.toml                         many runs with different parameters
  rattleback modes pendulum.toml                      frequencies and shapes of small motions
  rattleback gait check walk1.trc                     what to know of a walking trial
  rattleback gait predict walk1.trc                   ground forces from markers
  rattleback study all                                the gallery")]
struct Command {
    /// Tell nothing but errors
    #[arg(long, short, global = true)]
    quiet: bool,
    /// Print results as JSON
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Run(run::Arguments),
    Resume(resume::Arguments),
    Check(check::Arguments),
    Import(import::Arguments),
    Gait(gait::Arguments),
    Info(info::Arguments),
    Report(report::Arguments),
    Plot(plot::Arguments),
    View(view::Arguments),
    Studio(studio::Arguments),
    Examples(examples::Arguments),
    Study(study::Arguments),
    Shape(shape::Arguments),
    Curve(curve::Arguments),
    Distance(distance::Arguments),
    Equilibrium(equilibrium::Arguments),
    Modes(modes::Arguments),
    Sensitivity(sensitivity::Arguments),
    Sweep(sweep::Arguments),
    Schema(schema::Arguments),
    Completions(completions::Arguments),
}

fn main() -> ExitCode {
    let Command { quiet, json, verb } = Command::parse();
    let console = Console { quiet, json };
    let outcome = match &verb {
        Verb::Run(arguments) => run::run(arguments, &console),
        Verb::Resume(arguments) => resume::run(arguments, &console),
        Verb::Check(arguments) => check::run(arguments, &console),
        Verb::Import(arguments) => import::run(arguments, &console),
        Verb::Gait(arguments) => gait::run(arguments, &console),
        Verb::Info(arguments) => info::run(arguments, &console),
        Verb::Report(arguments) => report::run(arguments, &console),
        Verb::Plot(arguments) => plot::run(arguments, &console),
        Verb::View(arguments) => view::run(arguments, &console),
        Verb::Studio(arguments) => studio::run(arguments, &console),
        Verb::Examples(arguments) => examples::run(arguments, &console),
        Verb::Study(arguments) => study::run(arguments, &console),
        Verb::Shape(arguments) => shape::run(arguments, &console),
        Verb::Curve(arguments) => curve::run(arguments, &console),
        Verb::Distance(arguments) => distance::run(arguments, &console),
        Verb::Equilibrium(arguments) => equilibrium::run(arguments, &console),
        Verb::Modes(arguments) => modes::run(arguments, &console),
        Verb::Sensitivity(arguments) => sensitivity::run(arguments, &console),
        Verb::Sweep(arguments) => sweep::run(arguments, &console),
        Verb::Schema(arguments) => schema::run(arguments),
        Verb::Completions(arguments) => completions::run(arguments),
    };
    match outcome {
        Ok(code) => code,
        Err(failure) => {
            complain(&failure.message);
            ExitCode::from(failure.code)
        }
    }
}
