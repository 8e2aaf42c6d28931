//! `rattleback study`: the published studies, their numbers beside the paper's.

mod anchor;
mod benchmark;
mod exhibit;
mod gallery;
mod map;

use crate::console::Console;
use crate::failure::Failure;
use clap::{Args, Subcommand};
use rattleback_record::{Document, WholeFile};
use rattleback_studies::study::Drawn as Pairs;
use rattleback_studies::{dopico, errata, kry_pai, lopes, marques, restitution, roemer, roemer_box, thin};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Run a published study and print its tables beside the paper's figures
#[derive(Args)]
#[command(after_help = "\
Examples:
  rattleback study all
  rattleback study anchor --plot
  rattleback study atlas --plot
  rattleback study benchmark -o results/benchmark
  rattleback study box --plot
  rattleback study dopico --plot
  rattleback study errata --plot
  rattleback study kry-pai --plot
  rattleback study lopes
  rattleback study restitution --plot
  rattleback study roemer --samples 100000 --plot
  rattleback study stowage --plot
  rattleback study thin --samples 1000000 --seed 7")]
pub struct Arguments {
    #[command(subcommand)]
    study: Study,
}

#[derive(Subcommand)]
enum Study {
    /// The gallery: every built-in scene and every study, on one page, with the papers' numbers beside ours
    #[command(after_help = "\
Examples:
  rattleback study all
  rattleback study all -o results/today --samples 100000")]
    All(gallery::Arguments),
    /// Anchor manoeuvres: hulls and ways to begin, each heaved until it is stowed or stuck, then taken through a seaway
    #[command(after_help = "\
Examples:
  rattleback study anchor --plot
  rattleback study anchor --cases 3 --duration 20s
  rattleback study anchor scenes/anchor/stow.toml my_bow.toml -o results/bows")]
    Anchor(anchor::Arguments),
    /// A rattleback atlas: how often it turns back, over the angle of its inertia, friction and damping
    #[command(after_help = "\
The grid is coarse, 234 runs of 20 s. A study file of your own, as rattleback sweep takes them, with the parameters angle,
friction and damping, takes its place; scenes/studies/atlas.toml is the one that is built in.

Examples:
  rattleback study atlas --plot
  rattleback study atlas fine.toml -o results/fine-atlas")]
    Atlas(map::Arguments),
    /// Signed distances proved to 1e-14 m: pairs, their truth, and every method's failures, accuracy and times
    #[command(after_help = "\
Examples:
  rattleback study benchmark --plot
  rattleback study benchmark -o results/benchmark --peers ../shared/peers")]
    Benchmark(benchmark::Arguments),
    /// Römer et al., section 6: two ellipsoids bounce in a box of five planes; energies, speed, onset of chaos
    #[command(after_help = "Example:\n  rattleback study box --plot")]
    Box(Followed),
    /// Dopico et al., sections 4 and 5, Figs 1 to 5: contours, planes and depths of meshes beside closed forms, a link
    #[command(after_help = "Example:\n  rattleback study dopico --plot")]
    Dopico(Output),
    /// Where the five papers are wrong: what is printed, what is right, and the number that shows it
    #[command(after_help = "Example:\n  rattleback study errata --plot")]
    Errata(Output),
    /// Kry and Pai 2002, Tables I and II, Figs 7 to 9 and 11: evaluation times, a bowl on a table, a rattleback
    #[command(after_help = "\
Examples:
  rattleback study kry-pai --plot
  rattleback study kry-pai --steps 16,64 --evaluations 1000
  rattleback study kry-pai --sound rattleback.wav")]
    KryPai(Measured),
    /// Lopes et al. 2010, Tables 5 and 6: Newton-Raphson iterations over a motion of 200 steps, both tangent frames
    #[command(after_help = "Example:\n  rattleback study lopes --plot")]
    Lopes(Output),
    /// Marques et al., section 3: a bouncing ball, Newton's cradle, bodies on an incline
    #[command(after_help = "Example:\n  rattleback study marques --plot")]
    Marques(Output),
    /// Marques et al., Fig. 2: restitution asked for against restitution obtained, every normal law
    #[command(after_help = "Example:\n  rattleback study restitution --plot")]
    Restitution(Output),
    /// Römer et al., Tables 1 and 2: how often and how fast algorithms I to IV and ours solve random ellipsoids
    #[command(after_help = "Example:\n  rattleback study roemer --samples 100000 --plot -o results/roemer")]
    Roemer(Drawn),
    /// The stowage map: how probable it is that an anchor jams, over heading, swing and sea, for several hulls
    #[command(after_help = "\
The grid is coarse, 72 runs of 10 s, which take some minutes on two cores. Runs are kept in the folder `runs` beside the page: what
was stopped is taken up by the same command. A study file of your own with the parameters hull, heading, swing, sea and
stretch takes its place; scenes/studies/stowage.toml is the one that is built in.

Examples:
  rattleback study stowage --plot
  rattleback study stowage bows.toml -o results/bows")]
    Stowage(map::Arguments),
    /// Thin and flat ellipsoids, semi-axes 10^U(-3, 0) m: failures, certificates and iterations of our query
    #[command(after_help = "Example:\n  rattleback study thin --samples 1000000")]
    Thin(Drawn),
}

/// Where the figures go.
#[derive(Args)]
struct Output {
    /// Write the figures as SVG, and a page with tables and figures
    #[arg(long)]
    plot: bool,
    /// The folder for them; implies --plot [default: results/study-NAME]
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

impl Output {
    fn folder(&self, name: &str) -> Option<PathBuf> {
        let default = || self.plot.then(|| Path::new("results").join(format!("study-{name}")));
        self.output.clone().or_else(default)
    }
}

/// A study of a motion.
#[derive(Args)]
struct Followed {
    /// How long to follow it, in s [default: as long as the paper]
    #[arg(long, value_name = "SECONDS")]
    duration: Option<f64>,
    #[command(flatten)]
    output: Output,
}

/// A study of random pairs.
#[derive(Args)]
struct Drawn {
    /// How many pairs are drawn
    #[arg(long, default_value_t = Pairs::default().samples, value_parser = clap::value_parser!(u64).range(1..))]
    samples: u64,
    /// Which pairs are drawn: the same seed draws the same ones
    #[arg(long, default_value_t = Pairs::default().seed)]
    seed: u64,
    #[command(flatten)]
    output: Output,
}

impl Drawn {
    fn pairs(&self) -> Pairs {
        Pairs { samples: self.samples, seed: self.seed }
    }
}

/// A study of evaluations and of a motion under limits on its steps.
#[derive(Args)]
struct Measured {
    /// Limits on the bowl's steps, in ms [default: the paper's 1,2,4,8,16,32,64]
    #[arg(long, value_name = "MS", value_delimiter = ',')]
    steps: Vec<f64>,
    /// How many evaluations of a surface are timed
    #[arg(long, value_name = "N", default_value_t = kry_pai::times::EVALUATIONS as u64,
          value_parser = clap::value_parser!(u64).range(1..))]
    evaluations: u64,
    /// Write the sound of the rattleback's contact force as a WAV file
    #[arg(long, value_name = "FILE")]
    sound: Option<PathBuf>,
    #[command(flatten)]
    output: Output,
}

impl Measured {
    fn write_sound(&self) -> Result<(), Failure> {
        let Some(path) = &self.sound else { return Ok(()) };
        let knots = kry_pai::sound::knots(kry_pai::sound::DURATION);
        let knots = knots.map_err(|error| Failure::motion(error.to_string()))?;
        let sound = kry_pai::sound::of(&kry_pai::sound::at_audio_rate(&knots), true);
        WholeFile::write(path, &sound.to_wav())?;
        Ok(())
    }

    fn extent(&self) -> kry_pai::Extent {
        let mut extent =
            kry_pai::Extent { evaluations: self.evaluations as usize, ..kry_pai::Extent::default() };
        if !self.steps.is_empty() {
            extent.limits = self.steps.iter().map(|step| step * 1e-3).collect();
        }
        extent
    }
}

/// Runs the verb.
pub fn run(arguments: &Arguments, console: &Console) -> Result<ExitCode, Failure> {
    let begun = Instant::now();
    let (report, folder) = match &arguments.study {
        Study::All(arguments) => return gallery::run(arguments, console),
        Study::Anchor(arguments) => {
            (Ok(anchor::report(arguments, console)?), arguments.output.folder("anchor"))
        }
        Study::Atlas(arguments) => {
            let (report, folder) = map::atlas(arguments, console)?;
            (Ok(report), folder)
        }
        Study::Stowage(arguments) => {
            let (report, folder) = map::stowage(arguments, console)?;
            (Ok(report), folder)
        }
        Study::Benchmark(arguments) => {
            (benchmark::report(arguments, console), arguments.output.folder("benchmark"))
        }
        Study::Box(followed) => (roemer_box::report(followed.duration), followed.output.folder("box")),
        Study::Dopico(output) => (dopico::report(), output.folder("dopico")),
        Study::Errata(output) => (errata::report(), output.folder("errata")),
        Study::KryPai(measured) => {
            measured.write_sound()?;
            (kry_pai::report(&measured.extent()), measured.output.folder("kry-pai"))
        }
        Study::Lopes(output) => (lopes::report(), output.folder("lopes")),
        Study::Marques(output) => (marques::report(), output.folder("marques")),
        Study::Restitution(output) => (restitution::report(), output.folder("restitution")),
        Study::Roemer(drawn) => (roemer::report(drawn.pairs()), drawn.output.folder("roemer")),
        Study::Thin(drawn) => (Ok(thin::report(drawn.pairs())), drawn.output.folder("thin")),
    };
    let mut report = report.map_err(|e| Failure::input(e.to_string()))?;
    report.text(format!("The study took {:.1} s.", begun.elapsed().as_secs_f64()));
    publish(&report, folder.as_deref(), console)
}

fn publish(report: &Document, folder: Option<&Path>, console: &Console) -> Result<ExitCode, Failure> {
    let mut text = report.as_text();
    if let Some(folder) = folder {
        let page = report.write(folder)?;
        text += &format!("\nTables and figures: {}\n", page.display());
    }
    console.tell(&report.as_json())?;
    console.say(&text)?;
    Ok(ExitCode::SUCCESS)
}
