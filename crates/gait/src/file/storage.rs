//! Tables of numbers, `.mot` and `.sto`.
//!
//! A header, `endheader`, a row of labels, rows of numbers; the first column is the time. Headers are those of OpenSim
//! (`version=1`, `nRows=`, `nColumns=`, `inDegrees=`, `DataType=`), of SIMM (`datacolumns 19`, `datarows 1501`,
//! `range 0 2.5`), or both. The counts are only compared. In version 3 a column may hold several numbers
//! (`DataType=Vec3`: `1,2,3`); they become columns `name_1`, `name_2`, `name_3`.

use super::table::{Cell, cells, column, complain_if_cut, numbered, numbers, read_text, row, written};
use crate::error::{Complaints, GaitError, Result};
use std::fmt::Write as _;
use std::path::Path;

/// A table as it is.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Storage {
    /// The first line of the header, where it is a title.
    pub name: String,
    /// The key `version`.
    pub version: Option<f64>,
    /// The key `inDegrees`.
    pub in_degrees: Option<bool>,
    /// The columns' labels, the first one is that of the time.
    pub labels: Vec<String>,
    /// Numbers, row after row; NaN where they are missing.
    pub values: Vec<f64>,
    /// What was set right.
    pub remarks: Vec<String>,
}

impl Storage {
    /// A table without rows.
    pub fn new(name: impl Into<String>, labels: Vec<String>) -> Self {
        Self { name: name.into(), version: Some(1.0), in_degrees: Some(false), labels, ..Self::default() }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.values.len() / self.labels.len().max(1)
    }

    /// A row.
    pub fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.labels.len()..(row + 1) * self.labels.len()]
    }

    /// The column of a label, whatever its case.
    pub fn find(&self, label: &str) -> Option<usize> {
        self.labels.iter().position(|l| l.eq_ignore_ascii_case(label))
    }

    /// The values of a column.
    pub fn column(&self, column: usize) -> Vec<f64> {
        self.values.iter().skip(column).step_by(self.labels.len()).copied().collect()
    }

    /// The first column, in seconds.
    pub fn times(&self) -> Vec<f64> {
        self.column(0)
    }
}

/// What a header says of the table below it.
#[derive(Default)]
struct Header {
    rows: Option<f64>,
    columns: Option<f64>,
    /// Numbers per column.
    width: usize,
}

/// Reads a table.
pub fn read_storage(path: &Path) -> Result<Storage> {
    parse_storage(&read_text(path)?, path)
}

/// Reads a table from its text; `path` is what complaints name.
pub fn parse_storage(text: &str, path: &Path) -> Result<Storage> {
    let mut complaints = Complaints::default();
    let mut storage = Storage::default();
    let mut header = Header { width: 1, ..Header::default() };
    let mut lines = numbered(text).filter(|(_, line)| !line.trim().is_empty());
    let mut labels = None;
    let mut is_first = true;
    for (at, line) in lines.by_ref() {
        let word = line.trim();
        if word.eq_ignore_ascii_case("endheader") {
            labels = lines.next();
            break;
        }
        if cells(line).iter().find(|c| !c.text.is_empty()).is_some_and(|c| is_time(c.text)) {
            storage.remarks.push(format!("There is no endheader before the labels in line {at}."));
            labels = Some((at, line));
            break;
        }
        read_key(&mut storage, &mut header, line, is_first);
        is_first = false;
    }
    let Some((at, line)) = labels else {
        complaints.add(0, 0, "there is no row of labels after endheader: this is no table (.mot, .sto)");
        complaints.finish(path)?;
        return Ok(storage);
    };
    let found: Vec<(usize, Cell<'_>)> =
        cells(line).into_iter().enumerate().filter(|(_, c)| !c.text.is_empty()).collect();
    if !found.first().is_some_and(|(_, c)| is_time(c.text)) {
        let place = found.first().map_or(0, |(_, c)| c.at);
        complaints.add(at, column(line, place), "the first label must be time");
    }
    let below: Vec<usize> = found.iter().map(|(i, _)| *i).collect();
    let plain: Vec<&str> = found.iter().map(|(_, c)| c.text).collect();
    storage.labels = widened(&plain, header.width);
    for (at, line) in lines {
        match row(line, plain.len(), &below) {
            Ok(cells) => add_row(&mut storage, (at, line), &cells, header.width, &mut complaints),
            Err((column, message)) => complaints.add(at, column, message),
        }
    }
    complain_if_cut(text, plain.len(), &mut complaints);
    let counts = [("rows", header.rows, storage.rows()), ("columns", header.columns, plain.len())];
    for (what, told, found) in counts {
        if let Some(told) = told.filter(|told| told.is_finite() && *told != found as f64) {
            storage.remarks.push(format!("The header tells {told} {what}, the file has {found}."));
        }
    }
    if storage.values.is_empty() && complaints.is_empty() {
        complaints.add(0, 0, "there is no row of numbers");
    }
    complaints.finish(path)?;
    Ok(storage)
}

fn is_time(text: &str) -> bool {
    text.eq_ignore_ascii_case("time")
        || text.eq_ignore_ascii_case("t")
        || text.eq_ignore_ascii_case("time(s)")
}

/// One line of a header: `key=value` or `key value`; other lines are words for people.
fn read_key(storage: &mut Storage, header: &mut Header, line: &str, is_first: bool) {
    let text = line.trim();
    let split = text.split_once('=').or_else(|| text.split_once(char::is_whitespace));
    let (key, value) = split.map_or((text, ""), |(k, v)| (k.trim(), v.trim()));
    let number = value.split_whitespace().next().and_then(|v| v.parse::<f64>().ok());
    match key.to_ascii_lowercase().as_str() {
        "version" => storage.version = number,
        "nrows" | "datarows" => header.rows = number,
        "ncolumns" | "datacolumns" => header.columns = number,
        "indegrees" => storage.in_degrees = Some(value.eq_ignore_ascii_case("yes")),
        "name" if storage.name.is_empty() => storage.name = value.to_owned(),
        "datatype" => {
            header.width = match value.to_ascii_lowercase().as_str() {
                "vec3" => 3,
                "quaternion" => 4,
                "vec6" | "spatialvec" => 6,
                _ => 1,
            }
        }
        _ if is_first => storage.name = text.to_owned(),
        _ => {}
    }
}

fn widened(labels: &[&str], width: usize) -> Vec<String> {
    let mut all: Vec<String> = labels.iter().take(1).map(|l| (*l).to_owned()).collect();
    for label in labels.iter().skip(1) {
        match width {
            1 => all.push((*label).to_owned()),
            _ => all.extend((1..=width).map(|k| format!("{label}_{k}"))),
        }
    }
    all
}

fn add_row(
    storage: &mut Storage,
    (at, line): (usize, &str),
    cells: &[Cell<'_>],
    width: usize,
    complaints: &mut Complaints,
) {
    let mut parts = Vec::with_capacity(storage.labels.len());
    for (i, cell) in cells.iter().enumerate() {
        if i == 0 || width == 1 {
            parts.push(*cell);
            continue;
        }
        let inner: Vec<&str> = cell.text.trim_matches(['~', '[', ']', '(', ')']).split(',').collect();
        if cell.text.is_empty() {
            parts.extend((0..width).map(|_| *cell));
        } else if inner.len() == width {
            parts.extend(inner.iter().map(|text| Cell { text: text.trim(), at: cell.at }));
        } else {
            let text = format!("{} numbers where {width} were expected", inner.len());
            return complaints.add(at, column(line, cell.at), text);
        }
    }
    let (before, first) = (storage.rows(), storage.values.len());
    let name = |i: usize| storage.labels[i].clone();
    let mut values = Vec::with_capacity(parts.len());
    numbers((at, line), &parts, &name, complaints, &mut values);
    if values[0].is_nan() && super::table::number(parts[0].text).is_some() {
        complaints.add(at, column(line, parts[0].at), "the time is missing");
    }
    if before > 0 && values[0] <= storage.values[first - storage.labels.len()] {
        let last = storage.values[first - storage.labels.len()];
        let text = format!("the time {} does not come after {last}", values[0]);
        complaints.add(at, column(line, parts[0].at), text);
    }
    storage.values.extend(values);
}

/// The labels of two plates as OpenSim names external loads: time, then force, centre of pressure and torque of each.
pub(crate) fn load_labels() -> Vec<String> {
    let mut labels = vec!["time".to_owned()];
    for prefix in ["", "1_"] {
        for group in ["ground_force_v", "ground_force_p", "ground_torque_"] {
            labels.extend(["x", "y", "z"].map(|axis| format!("{prefix}{group}{axis}")));
        }
    }
    labels
}

/// Writes a table with OpenSim's header. Numbers read back to the same bits.
pub fn write_storage(storage: &Storage, path: &Path) -> Result<()> {
    let failed = |reason: String| GaitError::Write { path: path.to_owned(), reason };
    let is_bad = |label: &&String| label.trim().is_empty() || label.contains(['\t', '\n', '\r', ' ']);
    if let Some(label) = storage.labels.iter().find(is_bad) {
        return Err(failed(format!("{label:?} cannot stand as a label")));
    }
    if storage.labels.is_empty() || !storage.values.len().is_multiple_of(storage.labels.len()) {
        return Err(failed("its numbers do not fill its rows".to_owned()));
    }
    let degrees = if storage.in_degrees == Some(true) { "yes" } else { "no" };
    let mut text = format!(
        "{}\nversion=1\nnRows={}\nnColumns={}\ninDegrees={degrees}\nendheader\n{}\n",
        storage.name.replace(['\n', '\r'], " "),
        storage.rows(),
        storage.labels.len(),
        storage.labels.join("\t")
    );
    for i in 0..storage.rows() {
        for (k, value) in storage.row(i).iter().enumerate() {
            let tab = if k == 0 { "" } else { "\t" };
            let _ = write!(text, "{tab}{}", written(*value));
        }
        text.push('\n');
    }
    std::fs::write(path, text).map_err(|e| failed(e.to_string()))
}
