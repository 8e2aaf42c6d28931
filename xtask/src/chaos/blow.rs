//! What befalls a run.

use super::Reference;
use super::damage::damage;
use super::disk::{Disk, NO_DISK};
use super::process::{Ended, Program, Signal};
use super::random::Random;
use super::results;
use super::tally::Tally;
use std::path::Path;

/// What is to be done after a blow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AfterBlow {
    /// The run can be taken up.
    GoesOn,
    /// It had come to its end before.
    Finished,
    /// There is no checkpoint yet.
    BeginsAnew,
}

/// The exit codes of a run that could not write, and of an input that is refused.
const WRITE: i32 = 5;
const INPUT: i32 = 1;

/// Begins a run, or takes it up where it was begun, and disturbs it.
pub fn strike(
    program: &Program,
    reference: &Reference,
    folder: &Path,
    begun: bool,
    random: &mut Random,
    tally: &mut Tally,
) -> Result<AfterBlow, String> {
    match random.below(10) {
        0..=3 => signalled(program, reference, folder, begun, Signal::Kill, random, tally),
        4 => signalled(program, reference, folder, begun, Signal::Terminate, random, tally),
        5 => signalled(program, reference, folder, begun, Signal::Interrupt, random, tally),
        6 => starved(program, reference, folder, begun, random, tally),
        kind => {
            // The others need a run that was killed.
            if !begun {
                match signalled(program, reference, folder, false, Signal::Kill, random, tally)? {
                    AfterBlow::GoesOn => {}
                    other => return Ok(other),
                }
            }
            match kind {
                7 => read_only(program, reference, folder, tally)?,
                8 => twice(program, folder, tally)?,
                _ => damaged(program, reference, folder, random, tally)?,
            }
            Ok(standing(folder))
        }
    }
}

/// Takes a run up until it has ended, or begins it anew where it has no checkpoint.
pub fn finish(
    program: &Program,
    reference: &Reference,
    folder: &Path,
    tally: &mut Tally,
) -> Result<(), String> {
    let ended = match standing(folder) {
        AfterBlow::Finished => return Ok(()),
        AfterBlow::GoesOn => program.resume(folder).wait()?,
        AfterBlow::BeginsAnew => {
            results::remove(folder)?;
            program.run(&reference.case, folder).wait()?
        }
    };
    if ended.code != Some(0) {
        tally.differ(format!("the last resume ended with {ended}"));
    }
    Ok(())
}

/// How the run in a folder stands.
fn standing(folder: &Path) -> AfterBlow {
    let manifest = std::fs::read_to_string(folder.join("run.json")).unwrap_or_default();
    if manifest.contains("\"status\": \"finished\"") {
        AfterBlow::Finished
    } else if !manifest.is_empty() && folder.join("checkpoint.json").exists() {
        AfterBlow::GoesOn
    } else {
        AfterBlow::BeginsAnew
    }
}

fn signalled(
    program: &Program,
    reference: &Reference,
    folder: &Path,
    begun: bool,
    signal: Signal,
    random: &mut Random,
    tally: &mut Tally,
) -> Result<AfterBlow, String> {
    let process = if begun { program.resume(folder) } else { program.run(&reference.case, folder) };
    let delay = reference.wall.mul_f64(random.share());
    // A run that hears a second signal stops between two outputs.
    let ended = process.signal_after(delay, signal, 1 + random.below(2))?;
    let (count, codes): (&mut u64, &[Option<i32>]) = match signal {
        Signal::Kill => (&mut tally.killed, &[None]),
        // Before the program listens, a signal kills.
        Signal::Terminate => (&mut tally.terminated, &[Some(143), None]),
        Signal::Interrupt => (&mut tally.interrupted, &[Some(130), None]),
    };
    if codes.contains(&ended.code) {
        *count += 1;
    } else if ended.code != Some(0) {
        tally.differ(format!("{signal:?} after {delay:?}: {ended}"));
    }
    Ok(standing(folder))
}

/// A disk that becomes full: the folder has a small one of its own, or no file may grow beyond a size.
fn starved(
    program: &Program,
    reference: &Reference,
    folder: &Path,
    begun: bool,
    random: &mut Random,
    tally: &mut Tally,
) -> Result<AfterBlow, String> {
    let small = program.has_disks() && random.below(2) == 0;
    let disk = if small {
        std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        Disk::Full(folder, results::blocks(folder)? + random.below(reference.blocks + 1))
    } else {
        Disk::Limited(random.below(reference.longest / 1024 + 1))
    };
    let ended = program.go_on(&reference.case, folder, begun, disk).wait()?;
    if ended.is_refusal(&[WRITE]) {
        *(if small { &mut tally.full } else { &mut tally.limited }) += 1;
    } else if ended.code == Some(NO_DISK) {
        return Err(format!("{disk:?}: {ended}"));
    } else if ended.code != Some(0) {
        tally.differ(format!("{disk:?}: {ended}"));
    }
    Ok(standing(folder))
}

/// A folder that cannot be written to.
fn read_only(
    program: &Program,
    reference: &Reference,
    folder: &Path,
    tally: &mut Tally,
) -> Result<(), String> {
    if !program.has_disks() {
        return Ok(());
    }
    let before = folder.with_extension("before");
    results::copy(folder, &before)?;
    let ended = program.go_on(&reference.case, folder, true, Disk::ReadOnly(folder)).wait()?;
    if ended.is_refusal(&[WRITE, INPUT]) {
        tally.read_only += 1;
    } else {
        tally.differ(format!("in a read-only folder: {ended}"));
    }
    if !results::same(&before, folder)? {
        tally.differ("a read-only folder was changed".to_owned());
    }
    results::remove(&before)
}

/// Two processes that take up the same run at once.
fn twice(program: &Program, folder: &Path, tally: &mut Tally) -> Result<(), String> {
    let both = [program.resume(folder), program.resume(folder)];
    let ended: Vec<Ended> = both.into_iter().map(|process| process.wait()).collect::<Result<_, _>>()?;
    tally.twice += 1;
    let finished = ended.iter().filter(|ended| ended.code == Some(0)).count();
    let busy = ended.iter().filter(|e| e.is_refusal(&[WRITE]) && e.said.contains("another process")).count();
    // One that comes when the other has gone finds the run finished.
    let late = ended.iter().filter(|e| e.is_refusal(&[INPUT]) && e.said.contains("has finished")).count();
    tally.turned_away += busy as u64;
    if finished != 1 || busy + late != 1 {
        tally.differ(format!("two at once: {}; {}", ended[0], ended[1]));
    }
    Ok(())
}

/// A file of the folder is damaged: the run is refused, or comes to the same end. Then the file is as it was.
fn damaged(
    program: &Program,
    reference: &Reference,
    folder: &Path,
    random: &mut Random,
    tally: &mut Tally,
) -> Result<(), String> {
    let copy = folder.with_extension("damaged");
    // A damaged file is soon refused: several for one run.
    for _ in 0..6 {
        results::copy(folder, &copy)?;
        let Some(done) = damage(&copy, random)? else { continue };
        tally.damaged += 1;
        let ended = program.resume(&copy).wait()?;
        if ended.is_refusal(&[INPUT]) {
            tally.refused += 1;
        } else if ended.code != Some(0) {
            tally.differ(format!("{done}: {ended}"));
        } else {
            let differences = results::differences(&reference.folder, &copy)?;
            if differences.is_empty() {
                tally.harmless += 1;
            } else {
                tally.differ(format!("{done}: accepted, and {}", differences.join(", ")));
            }
        }
    }
    results::remove(&copy)?;
    Ok(())
}
