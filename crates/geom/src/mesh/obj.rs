//! Wavefront OBJ files: the vertices `v` and the faces `f`.
//!
//! Faces may use `v`, `v/vt`, `v//vn` and `v/vt/vn`, count from one or, negative, back from the latest vertex, and be
//! polygons. What carries no surface is passed over: known statements and comments in silence, lines `l` and points `p`
//! with their number, and so are faces of fewer than three corners. Every other statement (curves, free-form surfaces)
//! is an error. A backslash at the end of a line joins it with the next one. Bytes that are no UTF-8 may stand where
//! names and comments do.

use super::{Facets, Polygons, TriMesh};
use crate::Vec3;
use crate::error::{GeomError, Result};
use std::io::Write;

const EXPECTED: &str = "one of v, f, vt, vn, g, o, s, l, p, usemtl, mtllib or a comment";

/// Statements of names, looks and groups.
const PASSED_OVER: [&str; 17] = [
    "vt",
    "vn",
    "vp",
    "g",
    "o",
    "s",
    "mg",
    "usemtl",
    "mtllib",
    "usemap",
    "maplib",
    "bevel",
    "c_interp",
    "d_interp",
    "lod",
    "shadow_obj",
    "trace_obj",
];

/// Reads a mesh of triangles from the text of a file.
pub fn read(text: &str) -> Result<TriMesh> {
    read_facets(text)?.into_mesh()
}

/// Reads the triangles of a file, whether a mesh can be made of them or not.
pub fn read_facets(text: &str) -> Result<Facets> {
    read_polygons(text.as_bytes())?.into_facets()
}

/// Reads what a file holds.
pub fn read_polygons(bytes: &[u8]) -> Result<Polygons> {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.trim_start_matches('\u{feff}').lines().enumerate();
    let mut polygons = Polygons::default();
    let mut corners = Vec::new();
    while let Some((first, line)) = lines.next() {
        let number = first + 1;
        // Joined lines are copied; all others are read where they are.
        let mut joined = String::new();
        let mut statement = line;
        if line.trim_end().ends_with('\\') {
            let mut part = line.trim_end();
            while let Some(head) = part.strip_suffix('\\') {
                joined.push_str(head);
                joined.push(' ');
                part = lines.next().map_or("", |(_, next)| next.trim_end());
            }
            joined.push_str(part);
            statement = &joined;
        }
        let statement = statement.split('#').next().unwrap_or_default();
        let mut words = statement.split_whitespace();
        match words.next() {
            None => {}
            Some("v") => polygons.vertices.push(vertex(number, words)?),
            Some("f") => {
                corners.clear();
                for word in words {
                    corners.push(corner(number, word, polygons.vertices.len())?);
                }
                polygons.push(&corners);
            }
            Some("l") => polygons.passed_over.lines += 1,
            Some("p") => polygons.passed_over.points += 1,
            Some(other) if PASSED_OVER.contains(&other) => {}
            Some(other) => return Err(error(number, format!("{other:?}"), EXPECTED)),
        }
    }
    Ok(polygons)
}

/// Three coordinates, then perhaps a weight of one, or a colour, which is not used.
fn vertex<'a>(line: usize, words: impl Iterator<Item = &'a str>) -> Result<Vec3> {
    let mut values = [0.0; 4];
    let mut count = 0;
    for word in words {
        let value: Option<f64> = word.parse().ok().filter(|x: &f64| x.is_finite());
        let value = value.ok_or_else(|| error(line, format!("{word:?}"), "a finite number"))?;
        if let Some(slot) = values.get_mut(count) {
            *slot = value;
        }
        count += 1;
    }
    match count {
        4 if values[3] != 1.0 => Err(error(line, format!("the weight {}", values[3]), "no weight, or one")),
        3 | 4 | 6 | 7 => Ok(Vec3::new(values[0], values[1], values[2])),
        _ => Err(error(
            line,
            format!("a vertex of {count} numbers"),
            "three, with a weight four, with a colour six or seven",
        )),
    }
}

/// The vertex index, from zero, of one corner of a face.
fn corner(line: usize, word: &str, count: usize) -> Result<u32> {
    let fault =
        || error(line, format!("the corner {word:?}"), "v, v/vt, v//vn or v/vt/vn of non-zero integers");
    let parts: Vec<&str> = word.split('/').collect();
    let integer = |part: &str| part.parse::<i64>().ok().filter(|i| *i != 0);
    let is_sound = match parts[1..] {
        [] => true,
        [other] | ["", other] => integer(other).is_some(),
        [vt, vn] => integer(vt).and(integer(vn)).is_some(),
        _ => false,
    };
    let index = integer(parts[0]).filter(|_| is_sound).ok_or_else(fault)?;
    let from_zero = if index > 0 { index - 1 } else { index.saturating_add(count as i64) };
    if from_zero < 0 || from_zero >= count as i64 {
        return Err(error(line, format!("vertex {index}"), &format!("one of the {count} vertices above")));
    }
    u32::try_from(from_zero)
        .map_err(|_| error(line, format!("vertex {index}"), "at most 4294967296 vertices"))
}

fn error(line: usize, found: String, expected: &str) -> GeomError {
    GeomError::Parse { line, found, expected: expected.to_owned() }
}

/// Writes a file; 17 significant digits bring every coordinate back bit for bit.
pub fn write(mesh: &TriMesh, out: &mut impl Write) -> std::io::Result<()> {
    for v in mesh.vertices() {
        writeln!(out, "v {:.16e} {:.16e} {:.16e}", v.x, v.y, v.z)?;
    }
    for [a, b, c] in mesh.triangles() {
        let [a, b, c] = [a, b, c].map(|i| u64::from(*i) + 1);
        writeln!(out, "f {a} {b} {c}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::samples::{Random, cube, lumpy, mapped, soup};
    use super::*;

    fn round_trip(mesh: &TriMesh) -> TriMesh {
        let mut bytes = Vec::new();
        write(mesh, &mut bytes).unwrap();
        read(std::str::from_utf8(&bytes).unwrap()).unwrap()
    }

    #[test]
    fn a_prism_over_an_l_keeps_its_notch() {
        let outline = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
        for first in 0..6 {
            let mut text = String::new();
            for z in [0.0, 1.0] {
                for [x, y] in outline {
                    text += &format!("v {x} {y} {z}\n");
                }
            }
            let around: Vec<usize> = (0..6).map(|k| (k + first) % 6 + 1).collect();
            let words = |corners: &[usize]| corners.iter().map(|k| format!(" {k}")).collect::<String>();
            let top: Vec<usize> = around.iter().map(|k| k + 6).collect();
            let bottom: Vec<usize> = around.iter().rev().copied().collect();
            text += &format!("f{}\nf{}\n", words(&top), words(&bottom));
            for k in 0..6 {
                let next = (k + 1) % 6;
                text += &format!("f{}\n", words(&[k + 1, next + 1, next + 7, k + 7]));
            }
            let mesh = read(&text).unwrap();
            assert!((mesh.moments().volume - 3.0).abs() < 1e-14, "from {first}: {}", mesh.moments().volume);
        }
    }

    #[test]
    fn a_mesh_comes_back_bit_for_bit() {
        let tiny = mapped(&cube(1.0), |v| v * 1.234_567_890_123_456_7e-100);
        let signed = mapped(&cube(1.0), |v| v.map(|x| if x < 0.0 { -0.0 } else { x / 3.0 }));
        for mesh in [lumpy(3), soup(50, 1e-3, &mut Random(1)), tiny, signed] {
            let back = round_trip(&mesh);
            assert_eq!(back.triangles(), mesh.triangles());
            let bits = |m: &TriMesh| -> Vec<[u64; 3]> {
                m.vertices().iter().map(|v| [v.x, v.y, v.z].map(f64::to_bits)).collect()
            };
            assert_eq!(bits(&back), bits(&mesh));
        }
    }

    #[test]
    fn every_form_of_a_face_is_understood() {
        let text = "# a square\r\nmtllib a.mtl\no square\ng g1 g2\nv 0 0 0 1.0\nv 1 0 0 0.5 0.5 0.5\n\
                    v 1 1 0 # corner\n\nvt 0 0\nvn 0 0 1\nusemtl m\ns off\nv 0 \\\n 1 \\\n 0\n\
                    f 1 2/1 3//1 4/1/1\nf -4 -3 \\\n-2\nf 1// 2 3";
        let error = read(text).unwrap_err().to_string();
        assert!(error.starts_with("line 19: found the corner \"1//\""), "{error}");
        let mesh = read(&text.replace("f 1// 2 3", "f 1 3 4")).unwrap();
        assert_eq!(mesh.triangles(), [[0, 1, 2], [0, 2, 3], [0, 1, 2], [0, 2, 3]]);
        assert_eq!(mesh.vertices()[3], Vec3::y());
        let polygons = read_polygons(text.replace("f 1// 2 3", "f 1 3 4").as_bytes()).unwrap();
        let polygons = polygons.into_mesh().unwrap();
        assert_eq!(polygons.faces().collect::<Vec<_>>(), [&[0, 1, 2, 3][..], &[0, 1, 2], &[0, 2, 3]]);
        assert_eq!(polygons.vertices(), mesh.vertices());
        let error = read_polygons(text.as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with("line 19: found the corner"), "{error}");
    }

    #[test]
    fn lines_points_colours_and_bytes_that_are_no_text_are_passed_over() {
        let mut bytes = b"\xef\xbb\xbf# M\xfcller\no Geh\xe4use\n".to_vec();
        bytes.extend(
            b"v 0 0 0 0.1 0.2 0.3\nv 1 0 0 0.1 0.2 0.3 1\nv 0 1 0\nl 1 2\nl 1 2 3\np 1\nf 1 2\nf 1 2 3\n",
        );
        let polygons = read_polygons(&bytes).unwrap();
        let said = "lines: 2, points: 1, faces of fewer than three corners: 1; passed over";
        assert_eq!(polygons.passed_over.to_string(), said);
        assert_eq!(polygons.into_facets().unwrap().triangles, [[0, 1, 2]]);
        let error = read_polygons(b"v 0 0 0\nv 1 \xfc 0\n").unwrap_err().to_string();
        assert!(error.starts_with("line 2: found "), "{error}");
    }

    #[test]
    fn faults_are_named_with_their_line() {
        let square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";
        for (line, message) in [
            ("f 1 2 5", "line 5: found vertex 5, expected one of the 4 vertices above"),
            ("f 1 2 -5", "line 5: found vertex -5, expected one of the 4 vertices above"),
            ("f 1 2 -9223372036854775808", "line 5: found vertex -9223372036854775808"),
            ("f 1 0 2", "line 5: found the corner \"0\""),
            ("f 1 2 3/4/5/6", "line 5: found the corner \"3/4/5/6\""),
            ("v 1 2", "line 5: found a vertex of 2 numbers"),
            ("v 1 2 nan", "line 5: found \"nan\", expected a finite number"),
            ("v 1 2 3 2", "line 5: found the weight 2"),
            ("curv 1 2", "line 5: found \"curv\", expected one of v, f"),
            ("call other.obj", "line 5: found \"call\""),
        ] {
            let error = read(&format!("{square}{line}\n")).unwrap_err().to_string();
            assert!(error.starts_with(message), "{line}: {error}");
        }
        assert!(matches!(read(square), Err(GeomError::EmptyMesh { .. })));
        let error = read(&format!("{square}f 1 2 3\nf 1 2 2")).unwrap_err();
        assert!(matches!(error, GeomError::DegenerateTriangle { triangle: 1, .. }), "{error}");
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_the_reader_panic(text in "([vf]|[-0-9./ ]|[\\\\\n#]|v 0 1 2\n|f 1 2 3\n|.){0,60}") {
            let _ = (read(&text), read_polygons(text.as_bytes()));
        }
    }
}
