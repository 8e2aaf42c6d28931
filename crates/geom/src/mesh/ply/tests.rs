use super::*;

const POINTS: [[f64; 3]; 4] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
const FACES: [[u8; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];

fn volume(bytes: &[u8]) -> f64 {
    read(bytes).unwrap().into_facets().unwrap().into_mesh().unwrap().moments().volume
}

/// A tetrahedron with properties and elements that nobody asked for, faces first.
fn binary(format: &str, newline: &str, put: impl Fn(&mut Vec<u8>, &[u8])) -> Vec<u8> {
    let header = [
        "ply",
        &format!("format {format} 1.0"),
        "comment M\u{fc}ller",
        "element face 4",
        "property uchar flags",
        "property list ushort int vertex_index",
        "property list uchar float texcoord",
        "element empty 1000000000000",
        "element vertex 4",
        "property short quality",
        "property double x",
        "property float y",
        "property double z",
        "end_header",
    ];
    let mut bytes: Vec<u8> = header.iter().flat_map(|line| format!("{line}{newline}").into_bytes()).collect();
    for face in FACES {
        bytes.push(7);
        put(&mut bytes, &3u16.to_be_bytes());
        for v in face {
            put(&mut bytes, &i32::from(v).to_be_bytes());
        }
        bytes.push(1);
        put(&mut bytes, &f32::NAN.to_be_bytes());
    }
    for [x, y, z] in POINTS {
        put(&mut bytes, &(-5i16).to_be_bytes());
        put(&mut bytes, &x.to_be_bytes());
        put(&mut bytes, &(y as f32).to_be_bytes());
        put(&mut bytes, &z.to_be_bytes());
    }
    bytes
}

fn big(bytes: &mut Vec<u8>, value: &[u8]) {
    bytes.extend(value);
}

fn little(bytes: &mut Vec<u8>, value: &[u8]) {
    bytes.extend(value.iter().rev());
}

#[test]
fn both_orders_of_bytes_all_types_and_any_end_of_line_are_read() {
    for newline in ["\n", "\r\n", "\r"] {
        assert!((volume(&binary("binary_big_endian", newline, big)) - 1.0 / 6.0).abs() < 1e-15);
        assert!((volume(&binary("binary_little_endian", newline, little)) - 1.0 / 6.0).abs() < 1e-15);
    }
    // A file with \r alone whose first value begins with the byte of \n.
    let mut bytes = binary("binary_little_endian", "\r", little);
    let flags = bytes.iter().position(|b| *b == 7).unwrap();
    bytes[flags] = b'\n';
    assert!((volume(&bytes) - 1.0 / 6.0).abs() < 1e-15);
}

const ASCII: &str = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n\
     property uchar red\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n\
     0 0 0 255\n1 0 0 255\n1 1 0 255\n0 1 0 255\n4 0 1 2 3\n";

#[test]
fn text_keeps_its_polygons() {
    let polygons = read(ASCII.as_bytes()).unwrap();
    assert_eq!(polygons.clone().into_mesh().unwrap().face(0), [0, 1, 2, 3]);
    assert_eq!(polygons.into_facets().unwrap().triangles, [[0, 1, 2], [0, 2, 3]]);
}

#[test]
fn strips_of_triangles_turn_the_same_way() {
    let text = ASCII.replace("element face", "element tristrips").replace("4 0 1 2 3", "8 0 1 3 2 -1 3 1 0");
    assert_eq!(
        read(text.as_bytes()).unwrap().into_facets().unwrap().triangles,
        [[0, 1, 3], [3, 1, 2], [3, 1, 0]]
    );
}

#[test]
fn what_is_wrong_is_told_with_its_line_or_byte() {
    for (from, to, said) in [
        ("ply\n", "plx\n", "line 1: found \"plx\", expected the word ply"),
        ("ascii", "utf8", "line 2: found \"utf8\", expected ascii or"),
        ("format ascii 1.0\n", "", "line 9: found \"end_header\", expected a line with the format"),
        (
            "property float x",
            "property floaty x",
            "line 4: found \"property floaty x\", expected property TYPE",
        ),
        ("end_header\n", "", "line 10: found \"0 0 0 255\", expected format, element"),
        ("element vertex 4", "element vertex -4", "line 3: found \"-4\", expected a number of elements"),
        (
            "property float x",
            "property float u",
            "element vertex = one with the properties [u, y, z, red]: must be one with x",
        ),
        (
            "vertex_indices",
            "vertices",
            "element face = one with the properties [vertices]: must be one with vertex_indices",
        ),
        ("1 1 0 255", "1 nan 0 255", "line 13: found \"nan\", expected a finite number"),
        ("4 0 1 2 3", "4 0 1 2", "line 16: found the end of the file, expected a finite number"),
        ("4 0 1 2 3", "4 0 1 2 4", "faces[0] = a face with vertex 4: must be one with the 4 vertices"),
        ("4 0 1 2 3", "4 0 1 2 -3", "face[0] = a face with vertex -3: must be one with numbers of vertices"),
        ("4 0 1 2 3", "-4 0 1 2 3", "line 15: found \"-4\", expected the length of a list"),
        ("element vertex 4", "element vertex 99999999999", "line 16: found the end of the file"),
    ] {
        let text = ASCII.replace(from, to);
        let error = read(text.as_bytes()).and_then(Polygons::into_facets).unwrap_err().to_string();
        assert!(error.starts_with(said), "{to:?}: {error}");
    }
    let mut bytes = binary("binary_big_endian", "\n", big);
    let length = bytes.len();
    bytes.truncate(length - 1);
    let said = format!("byte {}: found the end of the file, expected as many values", length - 1);
    assert!(read(&bytes).unwrap_err().to_string().starts_with(&said));
    bytes.truncate(length - 8);
    bytes.extend(f64::NAN.to_be_bytes());
    let said = format!("byte {}: found NaN, expected a finite coordinate", length - 8);
    assert_eq!(read(&bytes).unwrap_err().to_string(), said);
}

proptest::proptest! {
    #[test]
    fn no_bytes_make_the_reader_panic(
        cuts in proptest::collection::vec((0usize..400, proptest::prelude::any::<u8>()), 0..6),
        length in 0usize..400,
    ) {
        let mut bytes = binary("binary_little_endian", "\n", little);
        for (at, byte) in cuts {
            let count = bytes.len();
            bytes[at % count] = byte;
        }
        bytes.truncate(length.max(40));
        let _ = read(&bytes).and_then(Polygons::into_facets);
    }
}
