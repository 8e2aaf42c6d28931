//! The folder itself: claimed for one run, with the scene in it.

use crate::error::{RecordError, Result};
use crate::whole_file::WholeFile;
use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

/// The name of the scene's file.
const SCENE: &str = "scene.toml";
/// The name of the file that is locked while a process writes to the folder. It stays: were it removed, a process that
/// has it open and one that makes it anew could both believe that they hold it.
const LOCK: &str = ".lock";

/// Makes a folder for results if it does not exist, and refuses one with something in it.
pub fn claim_folder(folder: &Path) -> Result<()> {
    let failed = |source| RecordError::Write { path: folder.to_owned(), source };
    std::fs::create_dir_all(folder).map_err(failed)?;
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let found = entry.map_err(failed)?.file_name().to_string_lossy().into_owned();
        if found != LOCK {
            return Err(RecordError::Occupied { path: folder.to_owned(), found });
        }
    }
    Ok(())
}

/// Keeps other processes from writing to a folder until the file is closed, be it by the end of the process.
pub(super) fn lock(folder: &Path) -> Result<File> {
    let path = folder.join(LOCK);
    let failed = |source| RecordError::Write { path: path.clone(), source };
    let file = File::options().write(true).create(true).truncate(false).open(&path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(RecordError::Busy { path: folder.to_owned() }),
        Err(TryLockError::Error(source)) => Err(failed(source)),
    }
}

/// Removes what a process that was killed left of the files that it wrote; the folder must be locked.
pub(super) fn sweep(folder: &Path) -> Result<()> {
    let failed = |source| RecordError::Write { path: folder.to_owned(), source };
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if WholeFile::is_hidden_part(&path) {
            remove(&path)?;
        }
    }
    Ok(())
}

/// Writes the scene.
pub(super) fn write_scene(folder: &Path, scene: &str) -> Result<()> {
    WholeFile::write(&folder.join(SCENE), scene.as_bytes())
}

/// Removes a file if it is there.
pub(super) fn remove(path: &Path) -> Result<()> {
    match std::fs::remove_file(path) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            Err(RecordError::Write { path: path.to_owned(), source })
        }
        _ => Ok(()),
    }
}

/// Reads the scene.
pub(super) fn read_scene(folder: &Path) -> Result<String> {
    let path = folder.join(SCENE);
    std::fs::read_to_string(&path).map_err(|source| RecordError::Read { path, source })
}
