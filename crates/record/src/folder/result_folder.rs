//! A result folder, read: the manifest and the sheets, of a run that has ended, goes on, or was killed.

use super::columns::{Kind, Sheet};
use super::manifest::Manifest;
use super::sheet_reader::SheetReader;
use crate::error::{RecordError, Result};
use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A folder with the results of a run.
#[derive(Debug, Clone)]
pub struct ResultFolder {
    path: PathBuf,
    manifest: Manifest,
}

impl ResultFolder {
    /// Opens a folder and reads its manifest.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self> {
        let path = path.into();
        Ok(Self { manifest: Manifest::read(&path)?, path })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The manifest, as it was when the folder was opened.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The text of the scene as it was run.
    pub fn scene(&self) -> Result<String> {
        super::place::read_scene(&self.path)
    }

    /// Whether there is such a sheet: models without joints have none about them.
    pub fn has(&self, sheet: Sheet) -> bool {
        self.manifest.sheets.iter().any(|summary| summary.name == sheet.name())
    }

    /// Reads a sheet as far as it has been written.
    pub fn sheet(&self, sheet: Sheet) -> Result<Columns> {
        Columns::read(&self.path, sheet)
    }

    /// A number of a body over time, from the states: pairs of time and value.
    pub fn series(&self, body: &str, column: &str) -> Result<Vec<[f64; 2]>> {
        self.sheet(Sheet::States)?.series("body", body, column)
    }
}

/// The columns of a sheet.
#[derive(Debug, Clone, PartialEq)]
pub struct Columns {
    sheet: Sheet,
    rows: usize,
    cells: Vec<Cells>,
}

/// The cells of a column.
#[derive(Debug, Clone, PartialEq)]
enum Cells {
    Numbers(Vec<f64>),
    /// Different words, and which one stands in each row.
    Words {
        words: Vec<String>,
        places: Vec<usize>,
    },
}

/// A column that a sheet is made of.
#[derive(Debug, Clone, PartialEq)]
pub enum ColumnData {
    /// Numbers; a NaN is an empty cell.
    Numbers(Vec<f64>),
    /// Texts.
    Texts(Vec<String>),
}

impl ColumnData {
    fn len(&self) -> usize {
        match self {
            Self::Numbers(numbers) => numbers.len(),
            Self::Texts(texts) => texts.len(),
        }
    }
}

impl Cells {
    /// Texts as words and their places.
    fn of(texts: Vec<String>) -> Self {
        let (mut words, mut known) = (Vec::new(), HashMap::new());
        let places = texts.into_iter().map(|text| {
            *known.entry(text).or_insert_with_key(|text| {
                words.push(text.clone());
                words.len() - 1
            })
        });
        let places = places.collect();
        Self::Words { words, places }
    }
}

impl Columns {
    fn read(folder: &Path, sheet: Sheet) -> Result<Self> {
        Self::of(SheetReader::open(folder, sheet)?, sheet)
    }

    /// The columns of a sheet's text in memory.
    pub(super) fn parse(text: &[u8], sheet: Sheet) -> Result<Self> {
        Self::of(SheetReader::new(sheet, PathBuf::from(sheet.csv()), text)?, sheet)
    }

    fn of<R: Read>(mut reader: SheetReader<R>, sheet: Sheet) -> Result<Self> {
        let columns = sheet.columns();
        let empty = |kind: Kind| match kind {
            Kind::Text => Cells::Words { words: Vec::new(), places: Vec::new() },
            Kind::Float | Kind::Integer => Cells::Numbers(Vec::new()),
        };
        let mut cells: Vec<Cells> = columns.iter().map(|column| empty(column.kind)).collect();
        let mut known: Vec<HashMap<String, usize>> = vec![HashMap::new(); columns.len()];
        let mut rows = 0;
        while reader.next()? {
            for (k, cells) in cells.iter_mut().enumerate() {
                match cells {
                    Cells::Numbers(numbers) if columns[k].kind == Kind::Integer => {
                        numbers.push(reader.integer(k)?.into());
                    }
                    Cells::Numbers(numbers) => numbers.push(reader.float(k)?.unwrap_or(f64::NAN)),
                    Cells::Words { words, places } => {
                        let cell = reader.cell(k);
                        let place = known[k].get(cell).copied().unwrap_or_else(|| {
                            known[k].insert(cell.to_owned(), words.len());
                            words.push(cell.to_owned());
                            words.len() - 1
                        });
                        places.push(place);
                    }
                }
            }
            rows += 1;
        }
        Ok(Self { sheet, rows, cells })
    }

    /// A sheet of its columns, in their order: numbers, or texts, one for each row.
    pub fn new(sheet: Sheet, given: Vec<ColumnData>) -> Result<Self> {
        let columns = sheet.columns();
        let rows = given.first().map_or(0, ColumnData::len);
        let mut cells = Vec::with_capacity(columns.len());
        let refused = |column: &str, expected| RecordError::Column {
            sheet: sheet.name(),
            column: column.to_owned(),
            expected,
        };
        if given.len() != columns.len() {
            return Err(refused("all", "as many columns as the sheet has"));
        }
        for (column, given) in columns.iter().zip(given) {
            if given.len() != rows {
                return Err(refused(column.name, "as many rows as the first column"));
            }
            cells.push(match (given, column.kind) {
                (ColumnData::Numbers(numbers), Kind::Float | Kind::Integer) => Cells::Numbers(numbers),
                (ColumnData::Texts(texts), Kind::Text) => Cells::of(texts),
                (_, Kind::Text) => return Err(refused(column.name, "text")),
                _ => return Err(refused(column.name, "numbers")),
            });
        }
        Ok(Self { sheet, rows, cells })
    }

    /// Which sheet it is.
    pub fn sheet(&self) -> Sheet {
        self.sheet
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The names of the columns, in their order.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.sheet.columns().iter().map(|column| column.name)
    }

    /// A column of numbers; an empty cell is a NaN.
    pub fn numbers(&self, column: &str) -> Result<&[f64]> {
        match self.find(column) {
            Some(Cells::Numbers(numbers)) => Ok(numbers),
            _ => Err(self.absent(column, "numbers")),
        }
    }

    /// A column of text.
    pub fn text(&self, column: &str) -> Result<Vec<&str>> {
        let (words, places) = self.words(column)?;
        Ok(places.iter().map(|&place| words[place].as_str()).collect())
    }

    /// The different words of a column of text, in the order of their first rows.
    pub fn distinct(&self, column: &str) -> Result<&[String]> {
        Ok(self.words(column)?.0)
    }

    /// A column of numbers over time, of the rows in which the column `by` of text holds `name`.
    pub fn series(&self, by: &'static str, name: &str, column: &str) -> Result<Vec<[f64; 2]>> {
        let (words, places) = self.words(by)?;
        let (times, values) = (self.numbers("time_s")?, self.numbers(column)?);
        let Some(wanted) = words.iter().position(|word| word == name) else {
            return Err(RecordError::Absent { sheet: self.sheet.name(), what: by, name: name.to_owned() });
        };
        let rows = (0..self.rows).filter(|&row| places[row] == wanted);
        Ok(rows.map(|row| [times[row], values[row]]).collect())
    }

    fn words(&self, column: &str) -> Result<(&[String], &[usize])> {
        match self.find(column) {
            Some(Cells::Words { words, places }) => Ok((words, places)),
            _ => Err(self.absent(column, "text")),
        }
    }

    fn find(&self, column: &str) -> Option<&Cells> {
        self.names().position(|name| name == column).map(|k| &self.cells[k])
    }

    fn absent(&self, column: &str, expected: &'static str) -> RecordError {
        RecordError::Column { sheet: self.sheet.name(), column: column.to_owned(), expected }
    }
}
