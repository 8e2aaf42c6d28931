//! OFF files: the word `OFF`, the numbers of vertices, faces and edges, a line for each vertex, a line for each face.
//!
//! `COFF`, `NOFF`, `STOFF` and their like have colours, normals and texture coordinates after the coordinates of a
//! vertex; those and the colours after a face's corners are passed over. The counts may stand on the first line, the
//! word may be missing, `#` begins a comment. Vertices of other than three dimensions (`4OFF`, `nOFF`) and binary
//! files are refused by name.

use super::Polygons;
use crate::Vec3;
use crate::error::{GeomError, Result};

/// Reads the text of a file; bytes that are no UTF-8 may stand in comments.
pub fn read(bytes: &[u8]) -> Result<Polygons> {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = Lines { lines: text.trim_start_matches('\u{feff}').lines(), number: 0 };
    let [vertices, faces] = counts(&mut lines)?;
    let mut polygons = Polygons::default();
    for _ in 0..vertices {
        let line = lines.next("a vertex")?;
        let mut words = line.split_whitespace();
        let mut number = || {
            let word = words.next();
            let value = word.and_then(|w| w.parse().ok()).filter(|x: &f64| x.is_finite());
            value.ok_or_else(|| lines.error(word, "three finite numbers"))
        };
        polygons.vertices.push(Vec3::new(number()?, number()?, number()?));
    }
    let mut corners = Vec::new();
    for _ in 0..faces {
        let line = lines.next("a face")?;
        let mut words = line.split_whitespace();
        let mut index = |expected: &str| {
            let word = words.next();
            word.and_then(|w| w.parse().ok()).ok_or_else(|| lines.error(word, expected))
        };
        let count: u32 = index("the number of a face's corners")?;
        corners.clear();
        for _ in 0..count {
            let corner: u32 = index("as many corners as the face announces")?;
            if corner as usize >= vertices {
                let expected = format!("one of the {vertices} vertices");
                return Err(lines.error(Some(&corner.to_string()), &expected));
            }
            corners.push(corner);
        }
        polygons.push(&corners);
    }
    match lines.next_or_end() {
        None => Ok(polygons),
        Some(line) => Err(lines.error(Some(line), "the end of the file after the faces that it announces")),
    }
}

/// Whether a word is the first one of such a file.
pub fn is_header(word: &str) -> bool {
    word.strip_suffix("OFF").is_some_and(|prefix| prefix.chars().all(|c| "STCN4n".contains(c)))
}

/// How many vertices and faces the first lines announce.
fn counts(lines: &mut Lines) -> Result<[usize; 2]> {
    let mut line = lines.next("the word OFF")?;
    let word = line.split_whitespace().next().unwrap_or_default();
    if is_header(word) {
        if word.contains(['4', 'n']) {
            return Err(lines.error(Some(word), "vertices of three dimensions"));
        }
        line = line[word.len()..].trim();
        if line.starts_with("BINARY") {
            return Err(lines.error(Some(line), "a file of text"));
        }
        if line.is_empty() {
            line = lines.next("the numbers of vertices, faces and edges")?;
        }
    }
    let numbers: Vec<Option<usize>> = line.split_whitespace().map(|word| word.parse().ok()).collect();
    match numbers[..] {
        [Some(vertices), Some(faces)] | [Some(vertices), Some(faces), Some(_)] => Ok([vertices, faces]),
        _ => Err(lines.error(Some(line), "the numbers of vertices, faces and edges")),
    }
}

/// Lines without comments, those without words left out.
struct Lines<'a> {
    lines: std::str::Lines<'a>,
    number: usize,
}

impl<'a> Lines<'a> {
    fn next_or_end(&mut self) -> Option<&'a str> {
        loop {
            self.number += 1;
            let line = self.lines.next()?.split('#').next().unwrap_or_default().trim();
            if !line.is_empty() {
                return Some(line);
            }
        }
    }

    fn next(&mut self, expected: &str) -> Result<&'a str> {
        self.next_or_end().ok_or_else(|| self.error(None, expected))
    }

    fn error(&self, found: Option<&str>, expected: &str) -> GeomError {
        // A binary file may have lines of megabytes.
        let shown = |word: &str| format!("{:?}", word.chars().take(40).collect::<String>());
        let found = found.map_or("the end of the line or of the file".to_owned(), shown);
        GeomError::Parse { line: self.number, found, expected: expected.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TETRAHEDRON: &str = "0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n";

    fn volume(text: &str) -> f64 {
        read(text.as_bytes()).unwrap().into_facets().unwrap().into_mesh().unwrap().moments().volume
    }

    #[test]
    fn the_word_may_be_missing_the_counts_may_follow_it_and_comments_stand_anywhere() {
        let commented = TETRAHEDRON.replace("3 0 1 3\n", "\n# a face\n3 0 1 3 0.5 0.5 0.5 # blue\n");
        for text in [
            format!("OFF\n4 4 6\n{TETRAHEDRON}"),
            format!("OFF 4 4 0\n{TETRAHEDRON}"),
            format!("4 4\n{TETRAHEDRON}"),
            format!("# first\nOFF # second\n4 4 0\n{commented}"),
            format!("\u{feff}OFF\r\n4 4 0\r\n{}", TETRAHEDRON.replace('\n', "\r\n")),
        ] {
            assert!((volume(&text) - 1.0 / 6.0).abs() < 1e-15, "{text}");
        }
    }

    #[test]
    fn colours_and_normals_after_coordinates_are_passed_over() {
        let body = TETRAHEDRON.replace("0 0 0\n", "0 0 0 1 2 3\n").replace("1 0 0\n", "1 0 0 255 0 0 255\n");
        for word in ["COFF", "NOFF", "CNOFF", "STOFF", "STCNOFF"] {
            assert!((volume(&format!("{word}\n4 4 0\n{body}")) - 1.0 / 6.0).abs() < 1e-15);
        }
    }

    #[test]
    fn polygons_stay_polygons_and_edges_are_counted() {
        let text = "OFF\n4 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n2 0 1\n";
        let polygons = read(text.as_bytes()).unwrap();
        assert_eq!(polygons.passed_over.to_string(), "faces of fewer than three corners: 1; passed over");
        assert_eq!(polygons.clone().into_mesh().unwrap().face(0), [0, 1, 2, 3]);
        assert_eq!(polygons.into_facets().unwrap().triangles.len(), 2);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (text, said) in [
            ("", "line 1: found the end of the line or of the file, expected the word OFF"),
            ("4OFF\n1 1 1\n", "line 1: found \"4OFF\", expected vertices of three dimensions"),
            ("OFF BINARY\n\0\0", "line 1: found \"BINARY\", expected a file of text"),
            ("OFF\nmany\n", "line 2: found \"many\", expected the numbers of vertices, faces and edges"),
            (
                "OFF\n1 0 0\n\n0 0\n",
                "line 4: found the end of the line or of the file, expected three finite numbers",
            ),
            ("OFF\n1 0 0\n0 nan 0\n", "line 3: found \"nan\", expected three finite numbers"),
            ("OFF\n1 1 0\n0 0 0\n3 0 1 2\n", "line 4: found \"1\", expected one of the 1 vertices"),
            (
                "OFF\n1 1 0\n0 0 0\n9 0 0 0\n",
                "line 4: found the end of the line or of the file, expected as many",
            ),
            (
                "OFF\n99999999999 1 0\n0 0 0\n",
                "line 4: found the end of the line or of the file, expected a vertex",
            ),
            ("OFF\n1 0 0\n0 0 0\n3 0 0 0\n", "line 4: found \"3 0 0 0\", expected the end of the file"),
        ] {
            let error = read(text.as_bytes()).unwrap_err().to_string();
            assert!(error.starts_with(said), "{text:?}: {error}");
        }
    }
}
