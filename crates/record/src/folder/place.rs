//! The folder itself: claimed for one run, with the scene in it.

use crate::error::{RecordError, Result};
use crate::whole_file::WholeFile;
use std::io;
use std::path::Path;

/// The name of the scene's file.
const SCENE: &str = "scene.toml";

/// Makes a folder for results if it does not exist, and refuses one with something in it.
pub fn claim_folder(folder: &Path) -> Result<()> {
    let failed = |source| RecordError::Write { path: folder.to_owned(), source };
    std::fs::create_dir_all(folder).map_err(failed)?;
    match std::fs::read_dir(folder).map_err(failed)?.next() {
        None => Ok(()),
        Some(entry) => {
            let found = entry.map_err(failed)?.file_name().to_string_lossy().into_owned();
            Err(RecordError::Occupied { path: folder.to_owned(), found })
        }
    }
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
