//! A sheet under way as CSV (RFC 4180): rows gather in memory and go to the file in whole lines, so that a run that is
//! killed leaves whole lines. What is in the file is never written again.

use super::checkpoint::Length;
use super::columns::Sheet;
use super::number;
use crate::error::{RecordError, Result};
use rattleback_geom::{Fingerprint, Vec3};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Where whole rows go.
#[derive(Debug)]
enum Target {
    File(File),
    Memory(Vec<u8>),
}

/// A CSV file that grows, on the disk or in memory.
#[derive(Debug)]
pub(super) struct SheetWriter {
    pub(super) sheet: Sheet,
    path: PathBuf,
    target: Target,
    /// Whole rows that are not in the file yet, and the row under way.
    buffer: Vec<u8>,
    /// Bytes in the file.
    bytes: u64,
    /// The fingerprint of the bytes in the file and of the first `seen` that wait.
    fingerprint: Fingerprint,
    seen: usize,
    /// Rows in the file, and in memory.
    rows: u64,
    waiting: u64,
    cells: usize,
}

impl SheetWriter {
    /// A new file with its header; one that exists already is refused.
    pub(super) fn create(folder: &Path, sheet: Sheet) -> Result<Self> {
        let path = folder.join(sheet.csv());
        let file = File::options().write(true).create_new(true).open(&path);
        let file = file.map_err(|source| RecordError::Write { path: path.clone(), source })?;
        Self::begin(sheet, path, Target::File(file))
    }

    /// A new one in memory, with its header.
    pub(super) fn in_memory(sheet: Sheet) -> Result<Self> {
        Self::begin(sheet, PathBuf::from(sheet.csv()), Target::Memory(Vec::new()))
    }

    fn begin(sheet: Sheet, path: PathBuf, target: Target) -> Result<Self> {
        let mut writer = Self::of(sheet, path, target);
        for column in sheet.columns() {
            writer.text(column.name);
        }
        writer.end_line();
        writer.flush()?;
        Ok(writer)
    }

    fn of(sheet: Sheet, path: PathBuf, target: Target) -> Self {
        let (buffer, fingerprint) = (Vec::new(), Fingerprint::default());
        Self { sheet, path, target, buffer, bytes: 0, fingerprint, seen: 0, rows: 0, waiting: 0, cells: 0 }
    }

    /// The text of one in memory, as far as it was flushed; none of a file.
    pub(super) fn text_in_memory(&self) -> Option<&[u8]> {
        match &self.target {
            Target::File(_) => None,
            Target::Memory(text) => Some(text),
        }
    }

    /// A file that is at least as long as at a checkpoint and begins as it was then; [`SheetWriter::cut`] takes off
    /// what came after.
    pub(super) fn reopen(folder: &Path, sheet: Sheet, length: &Length) -> Result<Self> {
        let Length { bytes, rows, .. } = *length;
        let path = folder.join(sheet.csv());
        let opened = || -> io::Result<(File, u64, Fingerprint)> {
            let file = File::options().read(true).write(true).open(&path)?;
            let length = file.metadata()?.len();
            let fingerprint = fingerprint_of(&file, bytes)?;
            Ok((file, length, fingerprint))
        };
        let (file, found, fingerprint) =
            opened().map_err(|source| RecordError::Read { path: path.clone(), source })?;
        if found < bytes {
            return Err(RecordError::Shortened { path, found, expected: bytes });
        }
        if fingerprint.to_string() != length.fingerprint {
            let reason =
                format!("was changed or damaged: its first {bytes} bytes are not those of the checkpoint");
            return Err(RecordError::Mismatch { path, reason });
        }
        let mut writer = Self::of(sheet, path, Target::File(file));
        (writer.bytes, writer.rows, writer.fingerprint) = (bytes, rows, fingerprint);
        Ok(writer)
    }

    /// Adds a cell of text.
    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        self.begin_cell();
        if text.is_empty() || text.contains([',', '"', '\n', '\r']) {
            self.buffer.push(b'"');
            self.buffer.extend_from_slice(text.replace('"', "\"\"").as_bytes());
            self.buffer.push(b'"');
        } else {
            self.buffer.extend_from_slice(text.as_bytes());
        }
        self
    }

    /// Adds a cell with a number.
    pub(super) fn float(&mut self, value: f64) -> &mut Self {
        self.begin_cell();
        number::push(&mut self.buffer, value);
        self
    }

    /// Adds a cell with a number, or an empty one.
    pub(super) fn maybe(&mut self, value: Option<f64>) -> &mut Self {
        match value {
            Some(value) => self.float(value),
            None => {
                self.begin_cell();
                self
            }
        }
    }

    /// Adds three cells.
    pub(super) fn vector(&mut self, vector: &Vec3) -> &mut Self {
        self.float(vector.x).float(vector.y).float(vector.z)
    }

    /// Adds a cell with a count.
    pub(super) fn integer(&mut self, value: usize) -> &mut Self {
        self.begin_cell();
        // Writing to memory does not fail.
        let _ = write!(self.buffer, "{value}");
        self
    }

    /// Ends a row.
    pub(super) fn end_row(&mut self) {
        self.end_line();
        self.waiting += 1;
    }

    fn begin_cell(&mut self) {
        if self.cells > 0 {
            self.buffer.push(b',');
        }
        self.cells += 1;
    }

    fn end_line(&mut self) {
        assert_eq!(self.cells, self.sheet.columns().len(), "cells of a row of {}", self.path.display());
        self.buffer.push(b'\n');
        self.cells = 0;
    }

    /// Hands all rows to the file. Where that fails, the file is left with the rows that it had.
    pub(super) fn flush(&mut self) -> Result<()> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        let written = match &mut self.target {
            Target::File(file) => file.write_all(&self.buffer),
            Target::Memory(text) => text.write_all(&self.buffer),
        };
        if let Err(source) = written {
            // If the torn line stays, readers skip it.
            let _ = self.cut();
            return Err(self.failed(source));
        }
        self.bytes += self.buffer.len() as u64;
        self.fingerprint.add(&self.buffer[self.seen..]);
        self.buffer.clear();
        self.seen = 0;
        self.rows += std::mem::take(&mut self.waiting);
        Ok(())
    }

    /// Hands all rows to the disk.
    pub(super) fn sync(&mut self) -> Result<()> {
        self.flush()?;
        match &self.target {
            Target::File(file) => file.sync_data().map_err(|source| self.failed(source)),
            Target::Memory(_) => Ok(()),
        }
    }

    /// Bytes that wait in memory.
    pub(super) fn waiting(&self) -> usize {
        self.buffer.len()
    }

    /// Bytes in the file.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// How long the file is once all rows are in it, and what is in it then. Every byte is looked at once, however
    /// often this is asked.
    pub(super) fn length(&mut self) -> Length {
        self.fingerprint.add(&self.buffer[self.seen..]);
        self.seen = self.buffer.len();
        Length {
            sheet: self.sheet.name().to_owned(),
            bytes: self.bytes + self.buffer.len() as u64,
            rows: self.rows + self.waiting,
            fingerprint: self.fingerprint.to_string(),
        }
    }

    /// Rows in the file, without the header.
    pub(super) fn rows(&self) -> u64 {
        self.rows
    }

    /// Leaves in the file only what is known to be in it.
    pub(super) fn cut(&mut self) -> Result<()> {
        let cut = match &mut self.target {
            Target::File(file) => {
                file.set_len(self.bytes).and_then(|()| file.seek(SeekFrom::Start(self.bytes))).map(|_| ())
            }
            Target::Memory(text) => {
                text.truncate(usize::try_from(self.bytes).unwrap_or(usize::MAX));
                Ok(())
            }
        };
        cut.map_err(|source| self.failed(source))
    }

    fn failed(&self, source: io::Error) -> RecordError {
        RecordError::Write { path: self.path.clone(), source }
    }
}

/// The fingerprint of the first bytes of a file.
fn fingerprint_of(file: &File, bytes: u64) -> io::Result<Fingerprint> {
    let mut reader = BufReader::with_capacity(1 << 16, file.take(bytes));
    let mut fingerprint = Fingerprint::default();
    loop {
        let read = reader.fill_buf()?;
        if read.is_empty() {
            return Ok(fingerprint);
        }
        fingerprint.add(read);
        let length = read.len();
        reader.consume(length);
    }
}

impl Drop for SheetWriter {
    fn drop(&mut self) {
        // A run that is dropped writes what it can; an error cannot be reported from here.
        if self.cells == 0 {
            let _ = self.flush();
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_an_error_with_the_path_and_the_words_of_the_system() {
        let file = File::options().write(true).open("/dev/full").unwrap();
        let (sheet, path) = (Sheet::Joints, PathBuf::from("result/joints.csv"));
        let mut rows = SheetWriter::of(sheet, path, Target::File(file));
        rows.float(0.0).text("hinge").vector(&Vec3::zeros()).vector(&Vec3::zeros());
        (0..9).for_each(|_| {
            rows.maybe(None);
        });
        rows.end_row();
        let message = rows.flush().unwrap_err().to_string();
        assert_eq!(message, "result/joints.csv: No space left on device (os error 28)");
        assert_eq!((rows.rows(), rows.bytes(), rows.waiting() > 0), (0, 0, true));
    }
}
