//! Files of gait laboratories: read, written, read again, and made into a trial that is examined, as by `rattleback
//! gait check`. Tables are read as force plates beside a whole walk and as joint angles.

use crate::finding::Fault;
use crate::sandbox::Outcome;
use rattleback_gait::doctor::{Known, examine};
use rattleback_gait::file::{Storage, Trc, read_storage, read_trc, write_storage, write_trc};
use rattleback_gait::forward::JointAngles;
use rattleback_gait::synthetic::SyntheticWalk;
use rattleback_gait::trial::Side;
use rattleback_gait::{GaitError, Trial, TrialFiles};
use std::path::{Path, PathBuf};

/// A short walk, fast to read.
pub(crate) fn short_walk() -> SyntheticWalk {
    SyntheticWalk { rate_hz: 50.0, duration: 1.3, ..SyntheticWalk::default() }
}

/// Examines a file: markers where it ends on `trc`, roles where on `toml`, else a table.
pub fn gait(path: &Path, outcome: &mut Outcome) {
    match path.extension().and_then(|e| e.to_str()) {
        Some("trc") => markers(path, outcome),
        Some("toml") => roles(path, outcome),
        _ => table(path, outcome),
    }
}

/// A whole file beside the one at hand; none where it cannot be written, which is the disk's fault.
fn beside(path: &Path, name: &str, write: impl FnOnce(&Path) -> Result<(), GaitError>) -> PathBuf {
    let path = path.with_file_name(name);
    if !path.exists()
        && let Err(error) = write(&path)
    {
        panic!("{error}");
    }
    path
}

fn markers(path: &Path, outcome: &mut Outcome) {
    match read_trc(path) {
        Ok(trc) => again(path, outcome, &trc, write_trc, read_trc, alike_trc),
        Err(error) => return demand_place(&error, path, outcome),
    }
    let files = TrialFiles { markers: path.to_owned(), ..TrialFiles::default() };
    trial(&files, outcome);
}

fn table(path: &Path, outcome: &mut Outcome) {
    let table = match read_storage(path) {
        Ok(table) => table,
        Err(error) => return demand_place(&error, path, outcome),
    };
    again(path, outcome, &table, write_storage, read_storage, alike_storage);
    for side in Side::BOTH {
        if let Ok(angles) = JointAngles::of(&table, side, Some(6.0)) {
            outcome.accepted = true;
            outcome.demand_finite("a joint angle", angles.values.iter().flatten());
        }
    }
    let walk = beside(path, "gait-walk.trc", |p| write_trc(&short_walk().markers(&mut || 0.0)?, p));
    trial(&TrialFiles { markers: walk, forces: Some(path.to_owned()), ..TrialFiles::default() }, outcome);
}

fn roles(path: &Path, outcome: &mut Outcome) {
    let walk = beside(path, "gait-walk.trc", |p| write_trc(&short_walk().markers(&mut || 0.0)?, p));
    trial(&TrialFiles { markers: walk, names: Some(path.to_owned()), ..TrialFiles::default() }, outcome);
}

fn trial(files: &TrialFiles, outcome: &mut Outcome) {
    let found = Trial::read(files).and_then(|trial| {
        outcome.demand_finite("a time", &trial.times);
        for marker in &trial.markers {
            outcome
                .demand_finite("a marker's place", marker.positions.iter().flatten().flat_map(|p| p.iter()));
        }
        for plate in &trial.plates {
            outcome.demand_finite("a force", plate.force.iter().flat_map(|f| f.iter()));
        }
        examine(&trial, &Known::default())
    });
    match found {
        Ok(findings) => {
            outcome.accepted = true;
            let ground = [findings.rate_hz, findings.ground.forward, findings.ground.deviation];
            outcome.demand_finite("a finding", &ground);
            if findings.lines().iter().any(|line| line.contains("NaN")) {
                outcome.find(Fault::NotFinite, format!("{:?}", findings.lines()));
            }
        }
        Err(error) if error.to_string().trim().is_empty() => outcome.find(Fault::NoPlace, "an empty message"),
        Err(_) => {}
    }
}

/// What was read must come back from what is written of it.
fn again<T>(
    path: &Path,
    outcome: &mut Outcome,
    read: &T,
    write: fn(&T, &Path) -> Result<(), GaitError>,
    reread: fn(&Path) -> Result<T, GaitError>,
    alike: fn(&T, &T) -> bool,
) {
    let copy =
        path.with_file_name(format!("again-{}", path.file_name().unwrap_or_default().to_string_lossy()));
    if write(read, &copy).is_err() {
        // What cannot be told in the format is refused before a byte is written.
        return;
    }
    match reread(&copy) {
        Ok(other) if alike(read, &other) => {}
        Ok(_) => outcome.find(Fault::NotFinite, "a file that was written reads otherwise"),
        Err(error) => outcome.find(Fault::NoPlace, format!("a file that was written is refused: {error}")),
    }
}

/// The same bits, or both missing.
fn same(a: &f64, b: &f64) -> bool {
    a == b || (a.is_nan() && b.is_nan())
}

fn alike_trc(a: &Trc, b: &Trc) -> bool {
    a.markers == b.markers
        && a.positions.len() == b.positions.len()
        && a.positions.iter().flatten().zip(b.positions.iter().flatten()).all(|(a, b)| same(a, b))
}

fn alike_storage(a: &Storage, b: &Storage) -> bool {
    a.labels == b.labels
        && a.values.len() == b.values.len()
        && a.values.iter().zip(&b.values).all(|(a, b)| same(a, b))
}

/// Holds what is said of a damaged file to naming it and the places.
fn demand_place(error: &GaitError, path: &Path, outcome: &mut Outcome) {
    let said = error.to_string();
    let is_placed = match error {
        GaitError::Damaged { complaints, .. } => {
            !complaints.is_empty() && complaints.iter().all(|c| !c.message.is_empty())
        }
        _ => true,
    };
    if !is_placed || !said.contains(&*path.to_string_lossy()) {
        outcome.find(Fault::NoPlace, said);
    }
}
