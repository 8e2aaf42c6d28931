//! `rattleback distance`: gap, points, normal and curvatures of many pairs of bodies.
//!
//! Lines are read in chunks, answered in parallel and written in their order, so that memory does not grow with the
//! file and the output does not depend on the number of threads.

use crate::applications::FORMAT;
use crate::console::Console;
use crate::failure::Failure;
use clap::Args;
use rattleback_contact::{Certificate, Contact, contact};
use rattleback_geom::Curvature;
use rattleback_record::WholeFile;
use rattleback_scene::{PairQuery, pair_id};
use rayon::prelude::*;
use serde::Serialize;
use serde_json::value::RawValue;
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

A line that cannot be answered becomes {\"id\": …, \"line\": N, \"error\": \"…\"}, and the rest goes on.

Exit codes: 0 done; 1 the input could not be read; 2 the command line is wrong; 3 some lines failed;
5 the answers could not be written.

Examples:
  rattleback distance scenes/pairs/examples.jsonl
  rattleback distance pairs.jsonl -o result.jsonl
  generate | rattleback distance - --quiet > result.jsonl")]
pub struct Arguments {
    /// File of pairs, one JSON object per line; - reads standard input
    pairs: PathBuf,
    /// Write the answers to this file, which appears when it is complete [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Runs the verb.
pub fn run(arguments: &Arguments, console: &Console) -> Result<ExitCode, Failure> {
    let begun = Instant::now();
    let input = open(&arguments.pairs)?;
    let counts = match &arguments.output {
        Some(path) => {
            let failed = |e: io::Error| Failure::output(format!("{}: {e}", path.display()));
            let mut file = WholeFile::create(path).map_err(failed)?;
            let counts = answer_all(input, &arguments.pairs, &mut file).map_err(|e| e.with_output(path))?;
            file.finish().map_err(failed)?;
            counts
        }
        None => {
            let mut out = BufWriter::new(io::stdout().lock());
            match answer_all(input, &arguments.pairs, &mut out) {
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

fn answer_all(mut input: impl BufRead, file: &Path, out: &mut impl Write) -> Result<Counts, Broken> {
    let mut counts = Counts::default();
    let mut line = 0;
    loop {
        let chunk = read_chunk(&mut input, &mut line)
            .map_err(|e| Broken::Input(format!("{}, line {}: {e}", file.display(), line + 1)))?;
        if chunk.is_empty() {
            return Ok(counts);
        }
        let answers: Vec<Answer> =
            chunk.par_iter().map(|(number, text)| Answer::to(*number, text, file)).collect();
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

/// A line of the output.
struct Answer {
    text: String,
    failed: bool,
}

impl Answer {
    fn to(line: u64, text: &[u8], file: &Path) -> Self {
        let (id, found) = match std::str::from_utf8(text.trim_ascii()) {
            Ok(text) => answer(text, file),
            Err(error) => (None, Err(format!("not UTF-8: {error}"))),
        };
        let id = id.as_deref();
        let written = match &found {
            Ok(contact) => serde_json::to_string(&AnswerFields::new(id, contact)),
            Err(error) => serde_json::to_string(&Failed { id, line, error }),
        };
        // Writing numbers and text into memory cannot fail; were it to, the line would still say so.
        let text = written.unwrap_or_else(|e| format!("{{\"id\":null,\"line\":{line},\"error\":\"{e}\"}}"));
        Self { text: text + "\n", failed: found.is_err() }
    }
}

/// The `id` of a line and what is found there.
fn answer(text: &str, file: &Path) -> (Option<Box<RawValue>>, Result<Contact, String>) {
    match FORMAT.parse_pair(text, file) {
        Ok(PairQuery { id, bodies: [a, b] }) => (id, contact(&a, &b).map_err(|e| e.to_string())),
        Err(error) => (pair_id(text), Err(error.to_string())),
    }
}

#[derive(Serialize)]
struct Failed<'a> {
    id: Option<&'a RawValue>,
    line: u64,
    error: &'a str,
}

#[derive(Serialize)]
struct AnswerFields<'a> {
    id: Option<&'a RawValue>,
    gap: f64,
    point_a: [f64; 3],
    point_b: [f64; 3],
    normal: [f64; 3],
    curvature_a: [Option<f64>; 2],
    curvature_b: [Option<f64>; 2],
    relative_curvature: [Option<f64>; 2],
    iterations: u32,
    residual: f64,
    certified: bool,
    branch: Option<&'static str>,
}

impl<'a> AnswerFields<'a> {
    fn new(id: Option<&'a RawValue>, contact: &Contact) -> Self {
        // JSON has no infinity.
        let finite = |c: &Curvature| c.kappa.map(|k| k.is_finite().then_some(k));
        let touch = &contact.touch;
        Self {
            id,
            gap: touch.gap,
            point_a: touch.point_a.into(),
            point_b: touch.point_b.into(),
            normal: touch.normal.into(),
            curvature_a: contact.curvature.map_or([None; 2], |c| finite(&c.a)),
            curvature_b: contact.curvature.map_or([None; 2], |c| finite(&c.b)),
            relative_curvature: contact.curvature.map_or([None; 2], |c| finite(&c.relative)),
            iterations: touch.iterations,
            residual: touch.residual,
            certified: touch.certified,
            branch: match touch.certificate {
                Certificate::Overlap { branch, .. } => Some(branch.name()),
                _ => None,
            },
        }
    }
}
