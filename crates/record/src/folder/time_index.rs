//! Where the instants of a sheet begin in its CSV, so that a part of a long run is read without the rest.
//!
//! The rows of one instant follow each other and begin with the same time. Of every `stride`-th instant the index keeps
//! the time and the first byte; when there are [`MOST`] of them, every other one is dropped and the stride doubled, so
//! that an index never has more than 4 MiB. Only whole rows count: what a run is about to write comes with the next
//! look, [`TimeIndex::extend`].

use super::columns::Sheet;
use super::sheet_reader::SheetReader;
use crate::error::{RecordError, Result};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Take};
use std::path::{Path, PathBuf};

/// The most instants that an index keeps.
const MOST: usize = 1 << 18;
/// Bytes that are looked at in one go.
const WINDOW: usize = 1 << 20;
/// The longest row: bodies have names of a few letters.
const LONGEST_ROW: usize = 1 << 24;

/// An instant that the index knows.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Mark {
    time: f64,
    offset: u64,
}

/// The index of a sheet by time.
#[derive(Debug)]
pub struct TimeIndex {
    sheet: Sheet,
    path: PathBuf,
    marks: Vec<Mark>,
    stride: u64,
    instants: u64,
    /// The first byte that has not been looked at: the beginning of a row.
    scanned: u64,
    /// The text of the last row's time.
    last: Vec<u8>,
    last_time: f64,
    /// The first byte of the last instant, which may get more rows.
    open: u64,
}

impl TimeIndex {
    /// The empty index of a folder's sheet; the file may not be there yet.
    pub fn new(folder: &Path, sheet: Sheet) -> Self {
        Self {
            sheet,
            path: folder.join(sheet.csv()),
            marks: Vec::new(),
            stride: 1,
            instants: 0,
            scanned: 0,
            last: Vec::new(),
            last_time: f64::NAN,
            open: 0,
        }
    }

    /// Instants found so far, the last of which may be about to get more rows.
    pub fn instants(&self) -> u64 {
        self.instants
    }

    /// The time of the last instant found; none where there is none.
    pub fn last_time(&self) -> Option<f64> {
        (self.instants > 0).then_some(self.last_time)
    }

    /// Bytes looked at so far.
    pub fn scanned(&self) -> u64 {
        self.scanned
    }

    /// Looks at no more than about `bytes` further bytes of whole rows; says whether there may be more.
    pub fn extend(&mut self, bytes: usize) -> Result<bool> {
        let failed = |source| RecordError::Read { path: self.path.clone(), source };
        let mut file = match File::open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(failed(error)),
        };
        file.seek(SeekFrom::Start(self.scanned)).map_err(failed)?;
        let mut text = Vec::new();
        let mut budget = bytes;
        loop {
            let begin = text.len();
            text.resize(begin + WINDOW, 0);
            let read = file
                .read(&mut text[begin..])
                .map_err(|source| RecordError::Read { path: self.path.clone(), source })?;
            text.truncate(begin + read);
            let used = self.take(&text)?;
            text.drain(..used);
            if read == 0 {
                return Ok(false);
            }
            if text.len() > LONGEST_ROW {
                let reason = format!("a row has more than {LONGEST_ROW} bytes");
                return Err(self.bad(reason));
            }
            budget = budget.saturating_sub(read);
            if budget == 0 {
                return Ok(true);
            }
        }
    }

    /// Takes the whole rows at the beginning of a text; returns their length.
    fn take(&mut self, text: &[u8]) -> Result<usize> {
        let (mut row, mut from, mut quotes) = (0, 0, 0usize);
        while let Some(at) = memchr::memchr2(b'\n', b'"', &text[from..]) {
            from += at + 1;
            if text[from - 1] == b'"' {
                quotes += 1;
            } else if quotes.is_multiple_of(2) {
                self.row(&text[row..from])?;
                row = from;
            }
        }
        Ok(row)
    }

    fn row(&mut self, row: &[u8]) -> Result<()> {
        let offset = self.scanned;
        self.scanned += row.len() as u64;
        // The header.
        if offset == 0 {
            return Ok(());
        }
        let first = &row[..memchr::memchr(b',', row).unwrap_or(row.len())];
        if self.instants > 0 && first == self.last {
            return Ok(());
        }
        let time = std::str::from_utf8(first).ok().and_then(|text| text.trim_end().parse::<f64>().ok());
        let Some(time) = time else {
            let found = String::from_utf8_lossy(&first[..first.len().min(40)]).into_owned();
            return Err(self.bad(format!("byte {offset}: found \"{found}\", expected a time")));
        };
        if self.instants.is_multiple_of(self.stride) {
            if self.marks.len() == MOST {
                let mut k = 0;
                self.marks.retain(|_| {
                    k += 1;
                    k % 2 == 1
                });
                self.stride *= 2;
            }
            if self.instants.is_multiple_of(self.stride) {
                self.marks.push(Mark { time, offset });
            }
        }
        self.instants += 1;
        self.open = offset;
        self.last.clear();
        self.last.extend_from_slice(first);
        self.last_time = time;
        Ok(())
    }

    fn bad(&self, reason: String) -> RecordError {
        RecordError::Unreadable { path: self.path.clone(), reason }
    }

    /// The rows from instant number `instant` on; none where it is not known.
    pub fn rows_from(&self, instant: u64) -> Result<Option<TimedRows>> {
        if instant >= self.instants {
            return Ok(None);
        }
        let mark = (instant / self.stride) as usize;
        let mut rows = self.open_at(self.marks[mark].offset)?;
        for _ in mark as u64 * self.stride..instant {
            rows.skip_instant()?;
        }
        Ok(Some(rows))
    }

    /// The rows from a time on; none where all rows are earlier.
    pub fn rows_from_time(&self, time: f64) -> Result<Option<TimedRows>> {
        let Some(before) = self.marks.partition_point(|mark| mark.time <= time).checked_sub(1) else {
            return self.rows_from(0);
        };
        let mut rows = self.open_at(self.marks[before].offset)?;
        while rows.time().is_some_and(|own| own < time) {
            rows.skip_instant()?;
        }
        Ok(rows.time().is_some().then_some(rows))
    }

    /// The last instant that is no later than a time; none where all are later.
    pub fn instant_at(&self, time: f64) -> Result<Option<u64>> {
        let Some(before) = self.marks.partition_point(|mark| mark.time <= time).checked_sub(1) else {
            return Ok(None);
        };
        let mut instant = before as u64 * self.stride;
        let mut rows = self.open_at(self.marks[before].offset)?;
        for _ in 1..self.stride {
            rows.skip_instant()?;
            match rows.time() {
                Some(own) if own <= time => instant += 1,
                _ => break,
            }
        }
        Ok(Some(instant))
    }

    fn open_at(&self, offset: u64) -> Result<TimedRows> {
        let failed = |source| RecordError::Read { path: self.path.clone(), source };
        let mut file = File::open(&self.path).map_err(failed)?;
        file.seek(SeekFrom::Start(offset)).map_err(failed)?;
        // No further than was looked at: what comes after may be half a row.
        let part = file.take(self.scanned.saturating_sub(offset));
        let mut rows =
            TimedRows { reader: SheetReader::of_rows(self.sheet, self.path.clone(), part), time: None };
        rows.advance()?;
        Ok(rows)
    }
}

/// Rows of a sheet in the order of time.
#[derive(Debug)]
pub struct TimedRows {
    reader: SheetReader<Take<File>>,
    time: Option<f64>,
}

impl TimedRows {
    /// The time of the present row; none after the last.
    pub fn time(&self) -> Option<f64> {
        self.time
    }

    /// A cell of the present row.
    pub fn cell(&self, column: usize) -> &str {
        self.reader.cell(column)
    }

    /// A cell that holds a number; NaN where it is empty.
    pub fn number(&self, column: usize) -> Result<f64> {
        Ok(self.reader.float(column)?.unwrap_or(f64::NAN))
    }

    /// Goes to the next row.
    pub fn advance(&mut self) -> Result<()> {
        self.time = if self.reader.next()? { self.reader.float(0)? } else { None };
        Ok(())
    }

    /// Goes to the first row of the next instant.
    pub fn skip_instant(&mut self) -> Result<()> {
        let Some(own) = self.time else { return Ok(()) };
        while self.time == Some(own) {
            self.advance()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use std::io::Write;

    fn folder(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("rattleback-index-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        path
    }

    fn header() -> String {
        let names: Vec<_> = Sheet::States.columns().iter().map(|column| column.name).collect();
        names.join(",") + "\n"
    }

    fn row(time: f64, body: &str, x: f64) -> String {
        format!("{time},{body},{x},0,0,1,0,0,0,0,0,0,0,0,0\n")
    }

    #[test]
    fn every_instant_is_found_by_its_number_and_by_its_time() {
        let folder = folder("found");
        let mut text = header();
        for k in 0..1000 {
            for body in ["a", "\"b,\n\"\"c\""] {
                text += &row(f64::from(k) * 0.5, body, f64::from(k));
            }
        }
        std::fs::write(folder.join("states.csv"), &text).unwrap();
        let mut index = TimeIndex::new(&folder, Sheet::States);
        while index.extend(1000).unwrap() {}
        assert_eq!((index.instants(), index.last_time()), (1000, Some(499.5)));
        for k in [0u64, 1, 17, 998, 999] {
            let mut rows = index.rows_from(k).unwrap().unwrap();
            assert_eq!((rows.time(), rows.number(2).unwrap()), (Some(k as f64 * 0.5), k as f64));
            rows.advance().unwrap();
            assert_eq!(rows.cell(1), "b,\n\"c");
            let rows = index.rows_from_time(k as f64 * 0.5 - 0.2).unwrap().unwrap();
            assert_eq!(rows.number(2).unwrap(), k as f64);
            assert_eq!(index.instant_at(k as f64 * 0.5 + 0.2).unwrap(), Some(k));
        }
        assert!(index.rows_from(1000).unwrap().is_none() && index.rows_from_time(499.6).unwrap().is_none());
        assert_eq!(index.instant_at(-1.0).unwrap(), None);
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_file_that_grows_is_followed_by_whole_rows() {
        let folder = folder("grows");
        let mut index = TimeIndex::new(&folder, Sheet::States);
        assert!(!index.extend(1 << 20).unwrap());
        let mut file = File::create(folder.join("states.csv")).unwrap();
        let (first, second) = (header() + &row(0.0, "a", 1.0), row(1.0, "a", 2.0));
        let (half, rest) = second.split_at(9);
        write!(file, "{first}{half}").unwrap();
        while index.extend(1 << 20).unwrap() {}
        assert_eq!(index.instants(), 1);
        write!(file, "{rest}").unwrap();
        while index.extend(1 << 20).unwrap() {}
        assert_eq!(index.instants(), 2);
        assert_eq!(index.rows_from(1).unwrap().unwrap().number(2).unwrap(), 2.0);
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn an_index_of_very_many_instants_keeps_fewer_of_them_and_finds_all() {
        let mut index = TimeIndex::new(Path::new("nowhere"), Sheet::States);
        index.scanned = 1;
        for k in 0..3 * MOST as u64 {
            index.row(format!("{k},\n").as_bytes()).unwrap();
        }
        assert!(index.marks.len() <= MOST && index.stride == 4, "{}", index.stride);
        assert_eq!(index.instants(), 3 * MOST as u64);
        for (k, mark) in index.marks.iter().enumerate() {
            assert_eq!(mark.time, (k as u64 * index.stride) as f64);
        }
    }

    #[test]
    fn what_is_no_time_is_refused() {
        let folder = folder("refused");
        std::fs::write(folder.join("states.csv"), header() + "x,a,1,0,0,1,0,0,0,0,0,0,0,0,0\n").unwrap();
        let error = TimeIndex::new(&folder, Sheet::States).extend(1 << 20).unwrap_err().to_string();
        assert!(error.ends_with("found \"x\", expected a time"), "{error}");
        std::fs::remove_dir_all(folder).unwrap();
    }
}
