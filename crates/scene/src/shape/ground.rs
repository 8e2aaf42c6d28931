//! Height fields, and the files of grids that they are read from.
//!
//! | file | rows |
//! |---|---|
//! | PGM, plain (P2) or binary (P5) | a picture seen from above, its upper edge at the greatest y |
//! | text | one line per row, of increasing y; numbers between blanks, commas or semicolons; `#` begins a remark |

use super::refuse;
use crate::read::{Length, Reader, entry};
use rattleback_geom::mesh::HeightField;
use rattleback_geom::surface::{Mesh, Shape};
use std::path::{Path, PathBuf};

entry! {
    /// Heights over a grid in x and y, its middle at the origin: the solid between them and a flat bottom.
    pub struct HeightFieldSpec {
        /// Rows of increasing y, each of the heights along x.
        heights: Option<Vec<Vec<Length>>>,
        /// The same in a file: text, CSV or PGM, relative to this file.
        file: Option<PathBuf>,
        /// The height of a one in the file.
        scale: Length = Length(1.0),
        /// Between neighbours along x and along y.
        spacing: [Length; 2],
        /// From the least height down to the bottom.
        depth: Length,
    }
}

/// Most numbers of a file.
const MOST: usize = 4_000_000;

impl HeightFieldSpec {
    pub(super) fn lower(&self, folder: &Path, reader: &mut Reader) -> Option<Shape> {
        let rows = match (&self.heights, &self.file) {
            (Some(heights), None) => heights.iter().map(|row| row.iter().map(|z| z.0).collect()).collect(),
            (None, Some(file)) => self.read(&folder.join(file), reader)?,
            (Some(_), Some(_)) => {
                reader.wrong(
                    &self.place,
                    "file",
                    "the heights are given twice; expected `heights` or `file`",
                );
                return None;
            }
            (None, None) => {
                reader.wrong(&self.place, "", "missing key `heights`, or `file` in its place");
                return None;
            }
        };
        let given = if self.file.is_some() { "file" } else { "heights" };
        let spacing = super::metres(self.spacing);
        let built =
            HeightField::new(&rows, spacing).and_then(|field| field.solid(self.depth.0)).and_then(Mesh::new);
        built.map(Shape::from).map_err(|error| refuse(&error, &self.place, given, reader)).ok()
    }

    fn read(&self, path: &Path, reader: &mut Reader) -> Option<Vec<Vec<f64>>> {
        let scale = self.scale.0;
        if !(scale.is_finite() && scale != 0.0) {
            reader.wrong(&self.place, "scale", format!("found {scale}; expected a finite length, not zero"));
            return None;
        }
        let rows = match reader.bytes(path) {
            Err(error) => Err(error.to_string()),
            Ok(bytes) => parse(&bytes),
        };
        match rows {
            Ok(rows) => {
                Some(rows.into_iter().map(|row| row.into_iter().map(|z| z * scale).collect()).collect())
            }
            Err(message) => {
                reader.wrong(&self.place, "file", format!("{}: {message}", path.display()));
                None
            }
        }
    }
}

fn parse(bytes: &[u8]) -> Result<Vec<Vec<f64>>, String> {
    match bytes {
        [b'P', b'2' | b'5', ..] => picture(bytes),
        _ => text(&String::from_utf8_lossy(bytes)),
    }
}

fn text(text: &str) -> Result<Vec<Vec<f64>>, String> {
    let (mut rows, mut count) = (Vec::new(), 0);
    for (k, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default();
        if line.contains(';') && line.contains(',') {
            return Err(format!(
                "line {}: found both `;` and `,`; expected one of them between numbers, and points in them",
                k + 1
            ));
        }
        let words =
            line.split(|c: char| c.is_whitespace() || c == ',' || c == ';').filter(|word| !word.is_empty());
        let mut row = Vec::new();
        for word in words {
            let number = word.parse::<f64>().ok().filter(|x| x.is_finite());
            let shown: String = word.chars().take(20).collect();
            row.push(number.ok_or_else(|| format!("line {}: found `{shown}`, expected a number", k + 1))?);
        }
        count += row.len();
        if count > MOST {
            return Err(format!("found more than {MOST} numbers"));
        }
        if !row.is_empty() {
            rows.push(row);
        }
    }
    Ok(rows)
}

/// A picture of grey levels, P2 or P5: width, height and greatest level, then the levels from the upper left on.
fn picture(bytes: &[u8]) -> Result<Vec<Vec<f64>>, String> {
    let mut at = 2;
    let mut header = [0; 3];
    for (value, what) in header.iter_mut().zip(["the width", "the height", "the greatest level"]) {
        *value = word(bytes, &mut at).ok_or_else(|| format!("byte {at}: expected {what} of the picture"))?;
    }
    let [width, height, most] = header;
    if !(1..=65535).contains(&most) {
        return Err(format!("found the greatest level {most}, expected one from 1 to 65535"));
    }
    let count = width.checked_mul(height).filter(|count| (1..=MOST).contains(count));
    let count =
        count.ok_or_else(|| format!("found {width} × {height} levels, expected 1 to {MOST} of them"))?;
    let cut = |found: usize| format!("found {found} levels, expected {count}");
    let levels: Vec<f64> = if bytes[1] == b'2' {
        let read: Vec<usize> = std::iter::from_fn(|| word(bytes, &mut at)).take(count).collect();
        if read.len() < count {
            return Err(cut(read.len()));
        }
        read.into_iter().map(|level| level as f64).collect()
    } else {
        // One blank ends the header.
        let (data, wide) = (bytes.get(at + 1..).unwrap_or_default(), if most > 255 { 2 } else { 1 });
        if data.len() < count * wide {
            return Err(cut(data.len() / wide));
        }
        let level = |pair: &[u8]| pair.iter().fold(0.0, |level, byte| level * 256.0 + f64::from(*byte));
        data[..count * wide].chunks(wide).map(level).collect()
    };
    if let Some(level) = levels.iter().find(|level| **level > most as f64) {
        return Err(format!("found the level {level}, expected at most {most}"));
    }
    Ok(levels.chunks(width).rev().map(<[f64]>::to_vec).collect())
}

/// The next number of a header, past blanks and remarks.
fn word(bytes: &[u8], at: &mut usize) -> Option<usize> {
    loop {
        match bytes.get(*at)? {
            b'#' => *at += bytes[*at..].iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len() - *at),
            byte if byte.is_ascii_whitespace() => *at += 1,
            _ => break,
        }
    }
    let length = bytes[*at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let digits = std::str::from_utf8(&bytes[*at..*at + length]).ok()?;
    *at += length;
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_pictures_give_the_same_rows() {
        let expected = vec![vec![1.0, 2.0, 3.0], vec![4.0, 5.0, 6.0]];
        assert_eq!(parse(b"# a grid\n1 2, 3\n\n4;5;6 # end\n"), Ok(expected.clone()));
        assert_eq!(parse(b"P2\n# seen from above\n3 2\n9\n4 5 6\n1 2 3\n"), Ok(expected.clone()));
        assert_eq!(parse(b"P5 3 2 9\n\x04\x05\x06\x01\x02\x03"), Ok(expected.clone()));
        let wide = parse(b"P5 3 2 900\n\0\x04\0\x05\0\x06\0\x01\0\x02\0\x03");
        assert_eq!(wide, Ok(expected));
        assert_eq!(parse(b"P5 1 1 65535\n\x01\x02"), Ok(vec![vec![258.0]]));
    }

    #[test]
    fn broken_grids_are_refused_where_they_break() {
        let refusal = |bytes: &[u8]| parse(bytes).unwrap_err();
        assert_eq!(refusal(b"1 2\n3 x\n"), "line 2: found `x`, expected a number");
        assert_eq!(refusal(b"1 nan\n"), "line 1: found `nan`, expected a number");
        assert_eq!(refusal(b"P5 3 2 9\n\x04\x05"), "found 2 levels, expected 6");
        assert_eq!(refusal(b"P2 2 2 9 1 2 3"), "found 3 levels, expected 4");
        assert_eq!(refusal(b"P2 2 2 9 1 2 3 10"), "found the level 10, expected at most 9");
        assert!(refusal(b"P5 99999999999 99999999999 9\n").contains("levels, expected 1 to"));
        assert!(refusal(b"P5 2").contains("expected the height"));
        assert_eq!(refusal(b"P2 2 2 0 1 1 1 1"), "found the greatest level 0, expected one from 1 to 65535");
    }
}
