//! Lines and cells.
//!
//! Cells are separated by tabs, or by blanks in a file whose rows have no tab. A row of n columns is read by the first
//! of these that fits:
//!
//! 1. exactly n cells that are not blank: those (doubled tabs, surplus blanks);
//! 2. at most n cells, blank ones at the end not counted: in order, blank ones are missing;
//! 3. more, but blank wherever the row of labels is blank: the cells below the labels;
//! 4. more, and every second one is blank: the others (doubled tabs with missing values).

use crate::error::{Complaints, GaitError, Result};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The largest file that is read, in bytes: an hour of a hundred markers at 200 Hz has less.
pub const MAX_BYTES: u64 = 1 << 30;

/// Reads a whole file as text, of at most [`MAX_BYTES`]; a byte order mark is left out, bytes that are not UTF-8 are
/// replaced (names in other encodings).
pub(super) fn read_text(path: &Path) -> Result<String> {
    let failed = |reason: String| GaitError::Read { path: path.to_owned(), reason };
    let file = File::open(path).map_err(|e| failed(e.to_string()))?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(|e| failed(e.to_string()))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(failed(format!("it has more than {MAX_BYTES} bytes")));
    }
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(e) => String::from_utf8_lossy(e.as_bytes()).into_owned(),
    };
    Ok(text)
}

/// Lines with their numbers from one, without line ends of any system and without a byte order mark.
pub(super) fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).enumerate().map(|(i, l)| (i + 1, l))
}

/// A cell and the byte of its line where it begins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cell<'a> {
    pub text: &'a str,
    pub at: usize,
}

/// The cells of a line, each without blanks around it. Without a tab in the line, words are cells.
pub(super) fn cells(line: &str) -> Vec<Cell<'_>> {
    let place = |text: &'_ str| text.as_ptr() as usize - line.as_ptr() as usize;
    if line.contains('\t') {
        line.split('\t')
            .map(|cell| {
                let text = cell.trim();
                let at = if text.is_empty() { place(cell) } else { place(text) };
                Cell { text: &line[at..at + text.len()], at }
            })
            .collect()
    } else {
        line.split_whitespace().map(|text| Cell { text, at: place(text) }).collect()
    }
}

/// The column of a byte of a line, in characters from one.
pub(super) fn column(line: &str, at: usize) -> usize {
    line.get(..at).map_or(at, |before| before.chars().count()) + 1
}

/// The cells of a row of `count` columns; `below` are the indices of the labels among the cells of their own row.
pub(super) fn row<'a>(
    line: &'a str,
    count: usize,
    below: &[usize],
) -> Result<Vec<Cell<'a>>, (usize, String)> {
    let mut all = cells(line);
    let filled = all.iter().filter(|c| !c.text.is_empty()).count();
    if filled == count {
        all.retain(|c| !c.text.is_empty());
        return Ok(all);
    }
    while all.last().is_some_and(|c| c.text.is_empty()) {
        all.pop();
    }
    let end = Cell { text: "", at: line.len() };
    if all.len() <= count {
        if !line.contains('\t') {
            let at = column(line, line.trim_end().len());
            return Err((at, format!("{} values where {count} were expected", all.len())));
        }
        all.resize(count, end);
        return Ok(all);
    }
    let surplus = || {
        let at = all.get(count).map_or(line.len(), |c| c.at);
        (column(line, at), format!("{filled} values where {count} were expected"))
    };
    if below.len() == count {
        let is_label = |i: &usize| below.binary_search(i).is_ok();
        if (0..all.len()).filter(|i| !is_label(i)).all(|i| all[i].text.is_empty()) {
            return Ok(below.iter().map(|i| all.get(*i).copied().unwrap_or(end)).collect());
        }
    }
    if all.len() < 2 * count && all.iter().skip(1).step_by(2).all(|c| c.text.is_empty()) {
        let mut every: Vec<Cell<'_>> = all.iter().step_by(2).copied().collect();
        every.resize(count, end);
        return Ok(every);
    }
    Err(surplus())
}

/// Complains about a last line that ends within a row and without a line end: a file that was cut off. Its last number
/// may have lost digits.
pub(super) fn complain_if_cut(text: &str, count: usize, complaints: &mut Complaints) {
    let Some((at, line)) = numbered(text).last().filter(|(_, line)| !line.trim().is_empty()) else {
        return;
    };
    let found = cells(line).len();
    if found < count {
        let text = format!("the file ends after {found} of {count} values: it was cut off");
        complaints.add(at, column(line, line.len()), text);
    }
}

/// A number; a blank or one of the words for "not a number" is NaN. A comma stands for the point where there is no
/// point.
pub(super) fn number(text: &str) -> Option<f64> {
    if let Ok(value) = text.parse::<f64>() {
        return (value.is_finite() || is_nan_word(text)).then_some(value);
    }
    if text.is_empty() || is_nan_word(text) {
        return Some(f64::NAN);
    }
    if text.matches(',').count() == 1 && !text.contains('.') {
        return text.replace(',', ".").parse::<f64>().ok().filter(|v| v.is_finite());
    }
    None
}

/// NaN as C, Java, Matlab and Microsoft's library write it.
fn is_nan_word(text: &str) -> bool {
    let word = text.trim_start_matches(['-', '+']).to_ascii_lowercase();
    matches!(
        word.as_str(),
        "nan" | "1.#qnan" | "1.#ind" | "1.#qnan0" | "1.#ind00" | "nan(ind)" | "na" | "n/a"
    ) || word.starts_with("1.#qnan")
        || word.starts_with("1.#ind")
}

/// The numbers of a row, and a complaint for each that is none.
pub(super) fn numbers(
    (at, line): (usize, &str),
    cells: &[Cell<'_>],
    name: &dyn Fn(usize) -> String,
    complaints: &mut Complaints,
    into: &mut Vec<f64>,
) {
    for (i, cell) in cells.iter().enumerate() {
        into.push(number(cell.text).unwrap_or_else(|| {
            let text: String = cell.text.chars().take(40).collect();
            complaints.add(at, column(line, cell.at), format!("{}: \"{text}\" is no number", name(i)));
            f64::NAN
        }));
    }
}

/// A number as it is written: the fewest digits that read back to the same bits.
pub(super) fn written(value: f64) -> String {
    let size = value.abs();
    if value.is_nan() {
        "NaN".to_owned()
    } else if size != 0.0 && !(1e-5..1e16).contains(&size) {
        format!("{value:e}")
    } else {
        format!("{value}")
    }
}
