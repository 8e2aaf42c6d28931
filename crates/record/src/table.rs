//! Tables of text: aligned for a terminal, or as CSV.

use crate::page::{escaped, linked};
use std::fmt;

/// Tables with more columns are set closer on pages.
const WIDE: usize = 10;
/// Columns with a cell of more characters are of words, which are broken into lines on pages.
const LONG: usize = 24;

/// Rows under named columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// An empty table with the given column names; units belong in the names.
    pub fn new(columns: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { columns: columns.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    /// Appends a row; missing cells are left empty, surplus ones are dropped.
    pub fn push(&mut self, row: impl IntoIterator<Item = impl Into<String>>) {
        let mut row: Vec<String> = row.into_iter().map(Into::into).collect();
        row.resize(self.columns.len(), String::new());
        self.rows.push(row);
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The names of the columns.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The rows, from top to bottom.
    pub fn rows(&self) -> &[Vec<String>] {
        &self.rows
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The table as CSV (RFC 4180): cells with a comma, a quote or a line break are quoted.
    pub fn to_csv(&self) -> String {
        let cell = |text: &String| {
            if text.contains([',', '"', '\n', '\r']) {
                format!("\"{}\"", text.replace('"', "\"\""))
            } else {
                text.clone()
            }
        };
        let line = |cells: &Vec<String>| cells.iter().map(cell).collect::<Vec<_>>().join(",") + "\n";
        std::iter::once(&self.columns).chain(&self.rows).map(line).collect()
    }

    /// Whether each column is of numbers, which stand to the right.
    fn is_number(&self) -> Vec<bool> {
        let all = |k: usize| self.rows.iter().all(|row| row[k].is_empty() || starts_as_number(&row[k]));
        (0..self.columns.len()).map(|k| !self.rows.is_empty() && all(k)).collect()
    }

    /// Whether each column is of words.
    fn is_words(&self) -> Vec<bool> {
        let long = |k: usize| self.rows.iter().any(|row| row[k].chars().count() > LONG);
        (0..self.columns.len()).map(long).collect()
    }

    /// The table as HTML; cells of columns of numbers are of the class `number`, those of words of the class `words`.
    pub fn to_html(&self) -> String {
        self.to_html_with(&[])
    }

    /// The same, with the first cells of the first rows leading to targets; an empty target leads nowhere.
    pub(crate) fn to_html_with(&self, targets: &[String]) -> String {
        let (right, words) = (self.is_number(), self.is_words());
        let row = |cells: &Vec<String>, tag: &str, target: Option<&String>| {
            let cell = |(k, cell): (usize, &String)| {
                let class = match (right[k], words[k]) {
                    (true, true) => " class=\"number words\"",
                    (true, false) => " class=\"number\"",
                    (false, true) => " class=\"words\"",
                    (false, false) => "",
                };
                let inner = match target {
                    Some(target) if k == 0 && !target.is_empty() => linked(cell, target),
                    // A power of ten in a heading stays on one line.
                    _ if tag == "th" => escaped(cell).replace("1e-", "1e\u{2011}"),
                    _ => escaped(cell),
                };
                format!("<{tag}{class}>{inner}</{tag}>")
            };
            let cells: String = cells.iter().enumerate().map(cell).collect();
            format!("<tr>{cells}</tr>\n")
        };
        let rows = self.rows.iter().enumerate();
        let rows: String = rows.map(|(k, cells)| row(cells, "td", targets.get(k))).collect();
        let class = if self.columns.len() > WIDE { " class=\"wide\"" } else { "" };
        format!("<table{class}>\n{}{rows}</table>\n", row(&self.columns, "th", None))
    }
}

/// Columns padded to their widest cell; cells that read as numbers stand to the right.
impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = || std::iter::once(&self.columns).chain(&self.rows);
        let widths: Vec<usize> = (0..self.columns.len())
            .map(|k| lines().map(|row| row[k].chars().count()).max().unwrap_or(0))
            .collect();
        let right = self.is_number();
        for row in lines() {
            let mut line = String::new();
            for (k, cell) in row.iter().enumerate() {
                let pad = " ".repeat(widths[k] - cell.chars().count());
                let gap = if k == 0 { "" } else { "  " };
                line += &if right[k] { format!("{gap}{pad}{cell}") } else { format!("{gap}{cell}{pad}") };
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// A dash stands for a number that does not exist.
fn starts_as_number(text: &str) -> bool {
    text == "-"
        || text.trim_start_matches(['-', '+', '<', '≥', ' ']).starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Table {
        let mut table = Table::new(["law", "e"]);
        table.push(["Hunt, Crossley", "0.5"]);
        table.push(["Hertz", "-12"]);
        table
    }

    #[test]
    fn text_is_aligned_and_numbers_stand_to_the_right() {
        assert_eq!(sample().to_string(), "law               e\nHunt, Crossley  0.5\nHertz           -12\n");
    }

    #[test]
    fn long_cells_may_be_broken_into_lines_on_pages_and_short_ones_may_not() {
        let mut table = sample();
        table.push(["a law whose name is longer than the others", "0.1"]);
        assert!(table.to_html().contains("<td class=\"words\">Hertz</td><td class=\"number\">-12</td>"));
        let mut table = Table::new(["bodies"]);
        table.push(["4.1×1.1×1.1 and 1×1×4 of another kind"]);
        assert!(table.to_html().contains("<td class=\"number words\">4.1"));
        assert!(sample().to_html().contains("<td>Hertz</td>"));
    }

    #[test]
    fn csv_quotes_what_would_break_it() {
        assert_eq!(sample().to_csv(), "law,e\n\"Hunt, Crossley\",0.5\nHertz,-12\n");
    }
}
