//! The trial in `../shared/data/gait` and variants of it.

mod body;
mod contradictions;
mod doctor;
mod element;
mod faults;
mod files;
mod forward;
mod laboratory;
mod predict;
mod predict_variants;
mod recovery;
mod rigid;
mod robust;
mod signal;
mod synthetic;
mod trial;
mod variants;

use rattleback_gait::file::{Trc, read_trc};
use rattleback_gait::{Trial, TrialFiles};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The folder of the measured trial, if it is there.
pub fn data() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/gait");
    if folder.join("subject01_walk1.trc").is_file() {
        return Some(folder);
    }
    eprintln!("skipped: {} is absent", folder.display());
    None
}

/// The measured trial.
pub fn measured() -> Option<Trial> {
    let files = TrialFiles::find(&data()?.join("subject01_walk1.trc")).unwrap();
    Some(Trial::read(&files).unwrap())
}

/// The files of the measured trial as they are.
pub fn raw() -> Option<(Trc, Trc)> {
    let folder = data()?;
    let read = |name: &str| read_trc(&folder.join(name)).unwrap();
    Some((read("subject01_walk1.trc"), read("subject01_static.trc")))
}

/// A new folder for files of one test.
pub fn scratch(name: &str) -> PathBuf {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("rattleback-gait-{}-{count}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}
