//! `cargo xtask chaos ROUNDS`: runs that are killed, stopped, starved and damaged go on to the same bytes.
//!
//! A case is a built-in scene that runs for a fraction of a second. It is first run undisturbed; then, round by round,
//! a run of it suffers one to four blows at random moments (`blow.rs`) and is taken up again after each, until a last
//! `resume` ends it. What is then in its folder is compared with the undisturbed one (`results.rs`): all sheets as CSV
//! and Parquet, the scene, the verdict, and the manifest but for dates and wall times.
//!
//! | blow | what must follow |
//! |---|---|
//! | kill −9, SIGTERM, SIGINT at a random moment, the latter once or twice | the run can be taken up, or ended before its first checkpoint and is begun anew; a signal that is heard exits 143 or 130 |
//! | a disk that becomes full, or no file may grow beyond a random size (`disk.rs`) | exit 5 with a message, then as above |
//! | the folder is read-only, where this process may mount | exit 5 or 1 with a message, nothing changes |
//! | a file of the folder is cut or has bytes changed (`damage.rs`) | `resume` refuses with a message, or ends with the same bytes |
//! | two processes resume the folder at once | not both go on; what they leave is whole |
//!
//! Anything else is a difference: another byte, another exit code, a panic. The numbers are those of `random.rs`: a
//! seed tells a round.

mod blow;
mod damage;
mod disk;
mod process;
mod random;
mod results;
mod tally;

use blow::AfterBlow;
use process::Program;
use random::Random;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tally::Tally;

/// A scene and how it is run.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    /// The built-in scene.
    pub scene: &'static str,
    /// How long and how often it records.
    pub options: [&'static str; 4],
}

/// One for every engine, and a manoeuvre: a tenth to a third of a second each.
pub const CASES: [Case; 7] = [
    Case { scene: "marques_ball", options: ["--duration", "0.5s", "--every", "0.1ms"] },
    Case { scene: "demonstration", options: ["--duration", "2s", "--every", "2ms"] },
    Case { scene: "heap", options: ["--duration", "80ms", "--every", "2ms"] },
    Case { scene: "rattleback", options: ["--duration", "1s", "--every", "1ms"] },
    Case { scene: "bowl", options: ["--duration", "1s", "--every", "2ms"] },
    Case { scene: "hanging_chain", options: ["--duration", "50ms", "--every", "0.5ms"] },
    Case { scene: "jam", options: ["--duration", "60ms", "--every", "2ms"] },
];

/// The interval of checkpoints, in wall time: every run has several.
const CHECKPOINT: [&str; 2] = ["--checkpoint", "10ms"];

/// A case with what it leaves undisturbed.
struct Reference {
    case: Case,
    folder: PathBuf,
    /// How long it takes.
    wall: Duration,
    /// The size of its longest file, in bytes.
    longest: u64,
    /// The room that all its files take, in blocks of 1024 bytes.
    blocks: u64,
}

/// Runs that many rounds of a program in a folder; returns the table, and how many differences there were.
pub fn rounds(
    program: &Path,
    folder: &Path,
    rounds: u64,
    seed: u64,
    told: &mut dyn FnMut(&str),
) -> Result<(String, u64), String> {
    let program = Program::new(program, folder)?;
    let references: Vec<Reference> =
        CASES.iter().map(|case| undisturbed(&program, *case)).collect::<Result<_, _>>()?;
    let mut tallies: Vec<Tally> = CASES.iter().map(|case| Tally::new(case.scene)).collect();
    for round in 0..rounds {
        let which = (round % CASES.len() as u64) as usize;
        let mut random = Random::new(seed.wrapping_add(round));
        let tally = &mut tallies[which];
        let before = tally.differences();
        one_round(&program, &references[which], &mut random, tally)?;
        for line in &tally.said()[before..] {
            told(&format!("round {round}, seed {}: {line}", seed.wrapping_add(round)));
        }
    }
    let differences = tallies.iter().map(|tally| tally.differences() as u64).sum();
    Ok((tally::table(&tallies), differences))
}

fn undisturbed(program: &Program, case: Case) -> Result<Reference, String> {
    let folder = program.folder().join(format!("{}-undisturbed", case.scene));
    results::remove(&folder)?;
    let begun = Instant::now();
    let ended = program.run(&case, &folder).wait()?;
    let wall = begun.elapsed();
    if ended.code != Some(0) {
        return Err(format!("{} does not run: {ended}", case.scene));
    }
    let (longest, blocks) = (results::longest(&folder)?, results::blocks(&folder)?);
    Ok(Reference { case, folder, wall, longest, blocks })
}

/// Blows until the run is ended, and the comparison.
fn one_round(
    program: &Program,
    reference: &Reference,
    random: &mut Random,
    tally: &mut Tally,
) -> Result<(), String> {
    let folder = program.folder().join(format!("{}-disturbed", reference.case.scene));
    results::remove(&folder)?;
    tally.rounds += 1;
    let mut begun = false;
    for _ in 0..random.below(4) + 1 {
        let outcome = blow::strike(program, reference, &folder, begun, random, tally)?;
        begun = match outcome {
            AfterBlow::GoesOn => true,
            AfterBlow::Finished => break,
            AfterBlow::BeginsAnew => {
                tally.anew += 1;
                results::remove(&folder)?;
                false
            }
        };
    }
    blow::finish(program, reference, &folder, tally)?;
    for difference in results::differences(&reference.folder, &folder)? {
        tally.differ(difference);
    }
    Ok(())
}
