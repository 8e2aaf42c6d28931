//! A file that appears whole or not at all.
//!
//! What is written goes to a hidden file beside the target, which takes the target's name at the end; a reader never
//! sees half of it, and a run that fails leaves what was there before. It is on the disk before it takes the name, so
//! that a machine that fails does not leave an empty file either.

use crate::error::{RecordError, Result};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// How the name of a hidden file ends.
const ENDING: &str = ".part";

/// A file under way; [`WholeFile::finish`] puts it in its place, dropping it leaves the place as it was.
#[derive(Debug)]
pub struct WholeFile {
    out: BufWriter<File>,
    /// The hidden file, until it has been renamed; none for pipes and devices, which are written to directly.
    hidden: Option<PathBuf>,
    target: PathBuf,
}

impl WholeFile {
    /// Begins a file; the folder must exist.
    pub fn create(target: &Path) -> io::Result<Self> {
        // A link stays a link: the file that it names is replaced.
        let target = std::fs::canonicalize(target).unwrap_or_else(|_| target.to_owned());
        let direct = std::fs::metadata(&target).is_ok_and(|m| !m.is_file());
        if direct {
            let out = BufWriter::new(File::options().write(true).open(&target)?);
            return Ok(Self { out, hidden: None, target });
        }
        let name = target.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidFilename))?;
        let hidden =
            target.with_file_name(format!(".{}.{}{ENDING}", name.to_string_lossy(), std::process::id()));
        Ok(Self { out: BufWriter::new(File::create(&hidden)?), hidden: Some(hidden), target })
    }

    /// Whether a path is that of a hidden file under way, or of one that was never finished: `.NAME.PROCESS.part`.
    pub(crate) fn is_hidden_part(path: &Path) -> bool {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let inner = name.strip_prefix('.').and_then(|name| name.strip_suffix(ENDING));
        inner.and_then(|inner| inner.rsplit_once('.')).is_some_and(|(target, process)| {
            !target.is_empty() && !process.is_empty() && process.bytes().all(|b| b.is_ascii_digit())
        })
    }

    /// Writes a whole file at once.
    pub fn write(target: &Path, bytes: &[u8]) -> Result<()> {
        let write = || {
            let mut file = Self::create(target)?;
            file.write_all(bytes)?;
            file.finish()
        };
        write().map_err(|source| RecordError::Write { path: target.to_owned(), source })
    }

    /// Writes the rest and gives the file its name.
    pub fn finish(mut self) -> io::Result<()> {
        self.out.flush()?;
        if let Some(hidden) = &self.hidden {
            self.out.get_ref().sync_all()?;
            std::fs::rename(hidden, &self.target)?;
            self.hidden = None;
        }
        Ok(())
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        if let Some(hidden) = &self.hidden {
            // An error cannot be reported from here; at worst a hidden file remains.
            let _ = std::fs::remove_file(hidden);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn the_old_file_stays_until_the_new_one_is_whole() {
        let folder = std::env::temp_dir().join(format!("rattleback-whole-file-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("result.txt");
        std::fs::write(&path, "old").unwrap();
        let mut abandoned = WholeFile::create(&path).unwrap();
        abandoned.write_all(b"half").unwrap();
        drop(abandoned);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
        let mut file = WholeFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
        file.finish().unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1, "a hidden file was left behind");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
