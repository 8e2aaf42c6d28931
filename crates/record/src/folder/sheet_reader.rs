//! The rows of a sheet's CSV, one after the other; a last line without its end is what a killed run was about to write,
//! and is skipped.

use super::columns::{Column, Kind, Sheet};
use crate::error::{RecordError, Result};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// The rows of a CSV file.
#[derive(Debug)]
pub(super) struct SheetReader<R = File> {
    sheet: Sheet,
    path: PathBuf,
    file: BufReader<R>,
    /// The line at which the present row begins, and how many it has.
    line: usize,
    lines: usize,
    raw: Vec<u8>,
    /// The cells of the present row, one after the other, and their ends.
    text: String,
    ends: Vec<usize>,
}

impl SheetReader {
    /// Opens the sheet of a folder and checks its header.
    pub(super) fn open(folder: &Path, sheet: Sheet) -> Result<Self> {
        let path = folder.join(sheet.csv());
        let file = File::open(&path).map_err(|source| RecordError::Read { path: path.clone(), source })?;
        Self::new(sheet, path, file)
    }
}

impl<R: Read> SheetReader<R> {
    /// The rows of a part of a file that begins with a row; its lines are counted from there.
    pub(super) fn of_rows(sheet: Sheet, path: PathBuf, file: R) -> Self {
        Self {
            sheet,
            path,
            file: BufReader::new(file),
            line: 1,
            lines: 0,
            raw: Vec::new(),
            text: String::new(),
            ends: Vec::new(),
        }
    }

    /// The rows of a text, whose header is checked; `path` is for complaints.
    pub(super) fn new(sheet: Sheet, path: PathBuf, file: R) -> Result<Self> {
        let mut reader = Self::of_rows(sheet, path, file);
        reader.advance()?;
        let found = (0..reader.ends.len()).map(|k| reader.cell(k));
        if !found.eq(sheet.columns().iter().map(|column| column.name)) {
            let reason = "the header is not that of this sheet".to_owned();
            return Err(RecordError::Line { path: reader.path, line: 1, reason });
        }
        Ok(reader)
    }

    /// Goes to the next row; says whether there is one.
    pub(super) fn next(&mut self) -> Result<bool> {
        if !self.advance()? {
            return Ok(false);
        }
        let (found, expected) = (self.ends.len(), self.sheet.columns().len());
        if found != expected {
            return Err(self.bad(format!("{found} cells where the header has {expected}")));
        }
        Ok(true)
    }

    /// A cell of the present row.
    pub(super) fn cell(&self, column: usize) -> &str {
        let begin = if column == 0 { 0 } else { self.ends[column - 1] };
        &self.text[begin..self.ends[column]]
    }

    /// A cell that holds a number; none where it is empty and may be.
    pub(super) fn float(&self, column: usize) -> Result<Option<f64>> {
        let described = &self.sheet.columns()[column];
        match self.cell(column) {
            "" if described.optional => Ok(None),
            cell => cell.parse().map(Some).map_err(|_| self.bad_cell(described, cell)),
        }
    }

    /// A cell that holds a count.
    pub(super) fn integer(&self, column: usize) -> Result<u32> {
        let cell = self.cell(column);
        cell.parse().map_err(|_| self.bad_cell(&self.sheet.columns()[column], cell))
    }

    /// Takes the next row apart; says whether there is a whole one.
    fn advance(&mut self) -> Result<bool> {
        self.line += self.lines;
        self.lines = 0;
        self.raw.clear();
        self.text.clear();
        self.ends.clear();
        let mut quotes = 0;
        // A line break between quotes belongs to a cell.
        while self.lines == 0 || quotes % 2 == 1 {
            let begin = self.raw.len();
            self.file
                .read_until(b'\n', &mut self.raw)
                .map_err(|source| RecordError::Read { path: self.path.clone(), source })?;
            if self.raw.last() != Some(&b'\n') || self.raw.len() == begin {
                return Ok(false);
            }
            quotes += self.raw[begin..].iter().filter(|&&c| c == b'"').count();
            self.lines += 1;
        }
        let Ok(row) = std::str::from_utf8(&self.raw) else { return Err(self.bad("not UTF-8".to_owned())) };
        let row = &row[..row.len() - 1];
        split(row.strip_suffix('\r').unwrap_or(row), &mut self.text, &mut self.ends);
        Ok(true)
    }

    fn bad(&self, reason: String) -> RecordError {
        RecordError::Line { path: self.path.clone(), line: self.line, reason }
    }

    fn bad_cell(&self, column: &Column, found: &str) -> RecordError {
        let expected = match column.kind {
            Kind::Float => "a number",
            Kind::Integer => "a count",
            Kind::Text => "text",
        };
        let (path, found) = (self.path.clone(), found.to_owned());
        RecordError::Cell { path, line: self.line, column: column.name, found, expected }
    }
}

/// Appends the cells of a row without their quotes.
fn split(row: &str, text: &mut String, ends: &mut Vec<usize>) {
    if !row.contains('"') {
        for cell in row.split(',') {
            text.push_str(cell);
            ends.push(text.len());
        }
        return;
    }
    let mut quoted = false;
    let mut letters = row.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quoted && letters.next_if_eq(&'"').is_some() => text.push('"'),
            '"' => quoted = !quoted,
            ',' if !quoted => ends.push(text.len()),
            other => text.push(other),
        }
    }
    ends.push(text.len());
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn reader(rows: &str) -> Result<SheetReader<Cursor<String>>> {
        let header: Vec<_> = Sheet::Joints.columns().iter().map(|column| column.name).collect();
        let text = header.join(",") + "\n" + rows;
        SheetReader::new(Sheet::Joints, PathBuf::from("joints.csv"), Cursor::new(text))
    }

    #[test]
    fn quoted_cells_may_hold_commas_quotes_and_line_breaks() {
        let mut rows =
            reader("0,\"a \"\"b\"\",\nc\",1,2,3,4,5,6,,,,,,,,,\n0,d,1,2,x,4,5,6,,,,,,,,,\n").unwrap();
        assert!(rows.next().unwrap());
        assert_eq!((rows.cell(1), rows.float(7).unwrap()), ("a \"b\",\nc", Some(6.0)));
        assert!(rows.next().unwrap());
        let message = rows.float(4).unwrap_err().to_string();
        assert_eq!(message, "joints.csv, line 4, column force_z_N: found \"x\", expected a number");
        assert!(!rows.next().unwrap());
    }

    #[test]
    fn a_last_line_without_its_end_is_skipped() {
        for torn in ["0,a,1,2", "0,a,1,2,3,4,5,6,,,,,,,,,", "0,\"a,1,2,3,4,5,6,,,,,,,,,\n"] {
            let mut rows = reader(&format!("0,a,1,2,3,4,5,6,,,,,,,,,\n{torn}")).unwrap();
            assert!(rows.next().unwrap(), "{torn}");
            assert!(!rows.next().unwrap(), "{torn}");
        }
    }

    #[test]
    fn a_row_of_another_length_is_refused_with_its_line() {
        let mut rows = reader("0,a,1,2,3,4,5,6,,,,,,,,,\n0,a,1\n").unwrap();
        assert!(rows.next().unwrap());
        let message = rows.next().unwrap_err().to_string();
        assert_eq!(message, "joints.csv, line 3: 3 cells where the header has 17");
    }
}
