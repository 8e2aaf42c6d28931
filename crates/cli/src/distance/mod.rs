//! `rattleback distance`: gap, points, normal and curvatures of many pairs of bodies.
//!
//! Lines are read in chunks, answered in parallel and written in their order, so that memory does not grow with the
//! file and the output does not depend on the number of threads.

mod answer;

use crate::console::Console;
use crate::failure::Failure;
use crate::run::positive_time;
use answer::{Answer, Method};
use clap::Args;
use rattleback_contact::Solver;
use rattleback_contact::first_contact::Search;
use rattleback_contact::material::Material;
use rattleback_contact::proximity::Proximity;
use rattleback_record::WholeFile;
use rattleback_scene::{parse_length, parse_pressure};
use rayon::prelude::*;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Lines held in memory at a time: enough to keep all threads busy.
const CHUNK: usize = 4096;
/// The exit code where some lines failed and the others were answered.
const SOME_FAILED: u8 = 3;

/// Gap, nearest or deepest points, normal and curvatures of every pair of bodies in a file
#[derive(Args)]
#[command(after_help = "\
A pair is one JSON object on one line; the shapes have the fields of shape files, lengths are in metres or carry their
unit (\"37.5 mm\"), an orientation is a unit quaternion w, x, y, z, or an object with axis and angle, matrix, or euler and
angles. Position and orientation may be left out, blank lines are skipped, files of meshes are relative to the file of
pairs:

  {\"id\": 1, \"a\": {\"shape\": {\"type\": \"ellipsoid\", \"semi_axes\": [0.3, 0.2, 0.1]}},
            \"b\": {\"shape\": {\"type\": \"sphere\", \"radius\": 0.2}, \"position\": [0.6, 0, 0], \"orientation\": [1, 0, 0, 0]}}

The answer to each is one line in the same order, in world axes, every number in full precision:

  id                  as it was given
  gap                 m; negative where the bodies overlap
  point_a, point_b    the nearest points, or the deepest ones under overlap
  normal              of length one, from A to B
  curvature_a, curvature_b, relative_curvature
                      principal curvatures in 1/m, the larger one first; null is infinite: an edge or a vertex
  iterations          evaluations of both surfaces
  residual            m; the part of point_b - point_a across the normal
  certified           whether the gap is proved: right to 1e-12 of the bodies' size and distance
  branch              under overlap: global, no direction parts the bodies by less; compared, none that was found does;
                      null for separate bodies and surfaces without proofs

With --solver every answer has two more, and the solvers of the literature leave out curvatures and branch:

  solver              its name
  state               apart, touching or overlapping, Table 2 of Lopes et al.; zero is as wide as --touching says

With --young the bodies are of that material, and overlaps have what Hertz's theory says of them; null where it says
nothing, as of edges and of bodies that are apart:

  force               N; K depth^1.5 with the stiffness of the relative curvatures
  patch               m; semi-axes of the ellipse of contact, the larger one first
  pressure            Pa; the greatest, in the middle of the ellipse

With --proximity a query comes first, and the normal is sought only where it does not part the bodies:

  proximity           its name
  separation          m; its lower bound of the gap, null where it has none
  positive_roots      of the characteristic quartic of two ellipsoids: two where they are apart
  gap, point_a, …     as above, left out where the bodies are parted

With --motion bodies may have a velocity of their origin and an angular_velocity about it, constant in world axes, and the
answers say when they first touch:

  first_contact       within: they are proved apart before earliest and proved to overlap at latest; never, proved;
                      at_start; undecided: they are proved apart until apart_until, and may graze then
  earliest, latest, apart_until
                      s
  normal              from A to B at earliest

A line that cannot be answered becomes {\"id\": …, \"line\": N, \"error\": \"…\"}, and the rest goes on.

Exit codes: 0 done; 1 the input could not be read; 2 the command line is wrong; 3 some lines failed;
5 the answers could not be written.

Examples:
  rattleback distance scenes/pairs/examples.jsonl
  rattleback distance pairs.jsonl -o result.jsonl
  rattleback distance pairs.jsonl --solver lopes-householder
  rattleback distance pairs.jsonl --proximity quartic --young '210 GPa'
  rattleback distance moving.jsonl --motion 2s
  generate | rattleback distance - --quiet > result.jsonl")]
pub struct Arguments {
    /// File of pairs, one JSON object per line; - reads standard input
    pairs: PathBuf,
    /// Write the answers to this file, which appears when it is complete [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Answer by the solver of this name: own, lopes-householder, lopes-auxiliary, lopes-globalised, roemer-1 to
    /// roemer-4, roemer-7a, roemer-7b, gjk, parametric. All but own find a common normal that need not be the one of
    /// least distance
    #[arg(long, value_name = "NAME", value_parser = solver, conflicts_with = "motion")]
    solver: Option<Solver>,
    /// With --solver, gaps of this size count as touching
    #[arg(long, value_name = "LENGTH", default_value = "1e-9 m", value_parser = touching, requires = "solver")]
    touching: f64,
    /// Ask this query first: boxes, spheres (bounding ones) or quartic (of two ellipsoids; spheres for others)
    #[arg(long, value_name = "NAME", value_parser = proximity, conflicts_with = "motion")]
    proximity: Option<Proximity>,
    /// Young's modulus of both bodies: tell force, ellipse of contact and pressure of overlaps
    #[arg(long, value_name = "PRESSURE", value_parser = parse_pressure, conflicts_with = "motion")]
    young: Option<f64>,
    /// Poisson's ratio of both bodies
    #[arg(long, value_name = "NUMBER", default_value_t = 0.3, requires = "young")]
    poisson: f64,
    /// Say when bodies that move at their `velocity` and turn at their `angular_velocity` first touch within this time
    #[arg(long, value_name = "TIME", value_parser = positive_time)]
    motion: Option<f64>,
    /// With --motion, the width in time of an answer that is enough
    #[arg(long, value_name = "TIME", default_value = "1 ns", value_parser = positive_time, requires = "motion")]
    accuracy: f64,
}

fn solver(name: &str) -> Result<Solver, String> {
    name.parse().map_err(|error: rattleback_contact::ContactError| error.to_string())
}

fn proximity(name: &str) -> Result<Proximity, String> {
    name.parse().map_err(|error: rattleback_contact::ContactError| error.to_string())
}

fn touching(text: &str) -> Result<f64, String> {
    match parse_length(text) {
        Ok(length) if length >= 0.0 && length.is_finite() => Ok(length),
        Ok(length) => Err(format!("{length} m is not zero or above")),
        Err(reason) => Err(reason),
    }
}

/// Runs the verb.
pub fn run(arguments: &Arguments, console: &Console) -> Result<ExitCode, Failure> {
    let begun = Instant::now();
    let input = open(&arguments.pairs)?;
    let search = Search { accuracy: arguments.accuracy, ..Search::default() };
    let motion = arguments.motion.map(|duration| (duration, search));
    let material = arguments.young.map(|young| Material::new(young, arguments.poisson)).transpose();
    let material = material.map_err(|error| Failure::input(error.to_string()))?;
    let Arguments { solver, touching, proximity, .. } = *arguments;
    let method = Method { solver, touching, motion, proximity, material };
    let counts = match &arguments.output {
        Some(path) => {
            let failed = |e: io::Error| Failure::output(format!("{}: {e}", path.display()));
            let mut file = WholeFile::create(path).map_err(failed)?;
            let counts =
                answer_all(input, (&arguments.pairs, &method), &mut file).map_err(|e| e.with_output(path))?;
            file.finish().map_err(failed)?;
            counts
        }
        None => {
            let mut out = BufWriter::new(io::stdout().lock());
            match answer_all(input, (&arguments.pairs, &method), &mut out) {
                // The reader has closed the pipe.
                Err(Broken::Output(e)) if e.kind() == io::ErrorKind::BrokenPipe => {
                    return Ok(ExitCode::SUCCESS);
                }
                other => other.map_err(|e| e.with_output(Path::new("standard output")))?,
            }
        }
    };
    let seconds = begun.elapsed().as_secs_f64();
    console.remark(&format!("{} pairs, {} failed, {seconds:.3} s", counts.pairs, counts.failed));
    Ok(if counts.failed == 0 { ExitCode::SUCCESS } else { SOME_FAILED.into() })
}

/// Why the whole could not go on.
enum Broken {
    Input(String),
    Output(io::Error),
}

impl Broken {
    fn with_output(self, output: &Path) -> Failure {
        match self {
            Self::Input(message) => Failure::input(message),
            Self::Output(error) => Failure::output(format!("{}: {error}", output.display())),
        }
    }
}

#[derive(Default)]
struct Counts {
    pairs: u64,
    failed: u64,
}

fn open(path: &Path) -> Result<Box<dyn BufRead>, String> {
    if path == Path::new("-") {
        return Ok(Box::new(BufReader::new(io::stdin())));
    }
    let failed = |e: io::Error| format!("{}: {e}", path.display());
    let file = File::open(path).map_err(failed)?;
    if file.metadata().map_err(failed)?.is_dir() {
        return Err(format!(
            "{}: a folder; expected a file of pairs, one JSON object per line",
            path.display()
        ));
    }
    Ok(Box::new(BufReader::new(file)))
}

fn answer_all(
    mut input: impl BufRead,
    (file, method): (&Path, &Method),
    out: &mut impl Write,
) -> Result<Counts, Broken> {
    let mut counts = Counts::default();
    let mut line = 0;
    loop {
        let chunk = read_chunk(&mut input, &mut line)
            .map_err(|e| Broken::Input(format!("{}, line {}: {e}", file.display(), line + 1)))?;
        if chunk.is_empty() {
            return Ok(counts);
        }
        let answers: Vec<Answer> =
            chunk.par_iter().map(|(number, text)| Answer::to(*number, text, file, method)).collect();
        for answer in &answers {
            counts.pairs += 1;
            counts.failed += u64::from(answer.failed);
            out.write_all(answer.text.as_bytes()).map_err(Broken::Output)?;
        }
        out.flush().map_err(Broken::Output)?;
    }
}

/// The next lines that are not blank, with their numbers; `line` is the number of the last one read.
fn read_chunk(input: &mut impl BufRead, line: &mut u64) -> io::Result<Vec<(u64, Vec<u8>)>> {
    let mut chunk = Vec::new();
    while chunk.len() < CHUNK {
        let mut text = Vec::new();
        if input.read_until(b'\n', &mut text)? == 0 {
            break;
        }
        *line += 1;
        if !text.trim_ascii().is_empty() {
            chunk.push((*line, text));
        }
    }
    Ok(chunk)
}
