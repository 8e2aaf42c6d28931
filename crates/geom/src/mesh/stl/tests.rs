//! Files of both sorts, sound and broken.

use super::*;
use crate::mesh::Topology;
use crate::mesh::samples::{cube, lumpy, mapped};

fn binary(mesh: &TriMesh) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_binary(mesh, &mut bytes).unwrap();
    bytes
}

fn ascii(mesh: &TriMesh) -> String {
    let mut bytes = Vec::new();
    write_ascii(mesh, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn corners(mesh: &TriMesh) -> Vec<[Vec3; 3]> {
    (0..mesh.triangles().len()).map(|t| mesh.corners(t)).collect()
}

#[test]
fn both_sorts_come_back_as_they_were_written() {
    let mesh = lumpy(4);
    let single = mapped(&mesh, |v| v.map(|x| f64::from(x as f32)));
    let back = read(&binary(&mesh)).unwrap();
    assert_eq!(corners(&back), corners(&single));
    assert_eq!(back.vertices().len(), mesh.vertices().len());
    assert_eq!(Topology::closed(&back).unwrap().genus(), Some(0));
    let back = read(ascii(&mesh).as_bytes()).unwrap();
    assert_eq!(corners(&back), corners(&mesh));
}

#[test]
fn a_binary_file_whose_header_begins_with_solid_is_binary() {
    let mut bytes = binary(&cube(1.0));
    bytes[..80].fill(b' ');
    bytes[..12].copy_from_slice(b"solid facet ");
    assert_eq!(read(&bytes).unwrap().triangles().len(), 12);
    // Cut short it still holds the zeros of its numbers, and the message speaks of triangles.
    let error = read(&bytes[..bytes.len() - 1]).unwrap_err().to_string();
    assert_eq!(
        error,
        "line 12: found the end of the file at byte 683, expected 12 triangles of 50 bytes, as the header announces"
    );
}

#[test]
fn a_header_that_announces_billions_of_triangles_is_refused_at_once() {
    let mut bytes = vec![0u8; 84];
    bytes[80..].fill(0xff);
    let error = read(&bytes).unwrap_err().to_string();
    assert!(error.starts_with("line 1: found the end of the file at byte 84"), "{error}");
    let error = read(b"nothing").unwrap_err().to_string();
    assert!(error.contains("after 7 bytes"), "{error}");
    assert!(read(&[]).is_err());
    bytes[80..].fill(0);
    assert!(matches!(read(&bytes), Err(GeomError::EmptyMesh { .. })));
    bytes.push(1);
    let error = read(&bytes).unwrap_err().to_string();
    assert!(error.contains("1 more bytes"), "{error}");
}

#[test]
fn zero_and_minus_zero_are_welded() {
    let text = "SOLID a b c\n facet normal nan 0 0 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop
        endfacet facet normal 0 0 1 outer loop vertex -0 0 -0.0 vertex 0 1 0 vertex -1 0 0
        endloop endfacet endsolid a b c\n";
    let mesh = read(text.as_bytes()).unwrap();
    assert_eq!(mesh.triangles(), [[0, 1, 2], [0, 2, 3]]);
}

#[test]
fn faults_in_a_text_are_named_with_their_line() {
    let good = ascii(&cube(1.0));
    let message = |text: &str| read(text.as_bytes()).unwrap_err().to_string();
    assert_eq!(
        message(&good.replacen("vertex -1e0", "vertex oops", 1)),
        "line 4: found \"oops\", expected a finite number"
    );
    assert!(message(&good.replacen("endloop", "loop", 1)).starts_with("line 7: found \"loop\""));
    assert!(message(&good[..good.rfind("endfacet").unwrap()]).contains("the end of the file"));
    assert!(message("solid").contains("found the end of the file, expected facet"));
    assert!(message(&good.replacen("vertex -1e0", "vertex NaN", 1)).starts_with("line 4"));
}

#[test]
fn degenerate_triangles_are_named() {
    let text = ascii(&cube(1.0)).replacen("vertex 1e0 1e0 -1e0", "vertex -1e0 -1e0 -1e0", 1);
    let error = read(text.as_bytes()).unwrap_err();
    assert!(matches!(error, GeomError::DegenerateTriangle { triangle: 0, .. }), "{error}");
    let flat = mapped(&cube(1.0), |v| v * 1e-9 + Vec3::repeat(1.0));
    let error = write_binary(&flat, &mut Vec::new()).unwrap_err().to_string();
    assert!(error.contains("triangle 0 is degenerate"), "{error}");
    let error = write_binary(&cube(1e60), &mut Vec::new()).unwrap_err().to_string();
    assert!(error.contains("vertices[0][0] = -inf"), "{error}");
}

proptest::proptest! {
    #[test]
    fn no_bytes_make_the_reader_panic(bytes in proptest::collection::vec(0u8.., 0..200), solid: bool) {
        let prefix: &[u8] = if solid { b"solid x\nfacet normal " } else { b"" };
        let _ = read(&[prefix, &bytes].concat());
    }
}
