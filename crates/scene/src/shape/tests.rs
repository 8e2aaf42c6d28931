#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::*;
use crate::read::{Field, SourceValue};
use crate::{SceneError, read_shape, shape_schema};
use serde_json::json;

fn spec(toml: &str) -> ShapeSpec {
    let (node, complaints) = SourceValue::from_toml(toml);
    let mut reader = Reader::with(complaints);
    let spec = ShapeSpec::read(&node, &mut reader);
    assert!(reader.is_content(), "{:?}", reader.into_complaints());
    spec.unwrap()
}

/// What a refusal of a file of the given name and text says.
fn refusal(name: &str, text: &str) -> String {
    let path = std::env::temp_dir().join(format!("rattleback-{}-{name}", std::process::id()));
    std::fs::write(&path, text).unwrap();
    let error = read_shape(&path).map(|_| ()).unwrap_err();
    std::fs::remove_file(&path).unwrap();
    assert!(matches!(error, SceneError::Refused { .. }), "{error:?}");
    error.to_string().replace(&path.display().to_string(), name)
}

#[test]
fn the_files_that_a_shape_names_are_found_at_any_depth() {
    let shape = spec(
        "type = \"sum\"\n[[parts]]\nshape = { type = \"fit\", file = \"a.stl\", degree = 4 }\n[[parts]]\n\
         shape = { type = \"sum\", parts = [{ shape = { type = \"mesh\", file = \"b/c.obj\" } }] }\n",
    );
    assert_eq!(shape.files(), [PathBuf::from("a.stl"), PathBuf::from("b/c.obj")]);
    assert!(spec("type = \"sphere\"\nradius = 1\n").files().is_empty());
}

#[test]
fn the_schema_knows_required_keys_and_refers_to_itself() {
    let schema = shape_schema();
    assert_eq!(schema["$ref"], "#/$defs/ShapeSpec");
    let kinds = schema["$defs"]["ShapeSpec"]["anyOf"].as_array().unwrap();
    let table = |kind: &str| -> &Json {
        kinds.iter().find(|k| k["properties"]["type"]["const"] == kind).unwrap_or_else(|| panic!("no {kind}"))
    };
    assert_eq!(table("sphere")["required"], json!(["type", "radius"]));
    assert_eq!(table("superellipsoid")["required"], json!(["type", "semi_axes"]));
    assert_eq!(table("sum")["properties"]["parts"]["items"]["$ref"], "#/$defs/SummandSpec");
    let part = &schema["$defs"]["SummandSpec"]["properties"];
    assert_eq!(part["shape"]["$ref"], "#/$defs/ShapeSpec");
}

#[test]
fn json_is_refused_by_key_and_place() {
    assert_eq!(
        refusal("ball.json", "{\"type\": \"sphere\", \"radus\": 1}"),
        "error: missing key `radius`\n --> ball.json:1:1\n  |\n1 | {\"type\": \"sphere\", \"radus\": 1}\n  | \
         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n\nerror: unknown key `radus`; expected `radius` or `inside`\n --> ball.json:1:20\n  |\n\
         1 | {\"type\": \"sphere\", \"radus\": 1}\n  |                    ^^^^^^^\n   = help: did you mean `radius`?\n\n\
         2 mistakes in ball.json"
    );
    let cut = refusal("cut.json", "{\"type\":\n \"sphere\" 3}");
    assert!(cut.contains("cut.json:2:11\n") && cut.ends_with("1 mistake in cut.json"), "{cut}");
}

#[test]
fn of_a_broken_text_the_breaks_alone_are_told() {
    let text = refusal("broken.toml", "type = \"sphere\"\nradius =\n");
    assert!(text.contains("broken.toml:2:") && text.ends_with("1 mistake in broken.toml"), "{text}");
}

#[test]
fn a_part_is_placed_as_its_keys_say() {
    let shape = spec(
        "type = \"sum\"\noffset = \"1 cm\"\n[[parts]]\nshape = { type = \"ellipsoid\", semi_axes = [0.3, 0.2, 0.1] }\n\
         position = [\"1 m\", 0, 0]\norientation = { axis = [0, 0, 1], angle = \"90 deg\" }\nscale = [2, 1, 1]\n",
    );
    let mut reader = Reader::default();
    let body = shape.lower(Path::new(""), &mut Vec::new(), &mut reader).unwrap();
    let bounds = body.surface().bounds();
    for (found, expected) in bounds.max.iter().zip([1.21, 0.61, 0.11]) {
        assert!((found - expected).abs() < 1e-6, "{bounds:?}");
    }
}

#[test]
fn smooth_surfaces_of_control_points_are_read_with_what_they_name() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/shapes");
    for (file, kind, closed) in [
        ("puck.toml", "catmull-clark", true),
        ("stone.toml", "loop", true),
        ("dish.toml", "bezier", false),
        ("tube.toml", "nurbs", false),
        ("cap.toml", "s-patch", false),
    ] {
        let (shape, _) = read_shape(&folder.join(file)).unwrap();
        assert_eq!(shape.surface().kind(), kind);
        assert_eq!(shape.surface().moments().is_ok(), closed, "{file}");
        assert!(shape.surface().area().unwrap() > 0.0);
    }
    let path = std::env::temp_dir().join(format!("rattleback-{}-triangles.stl", std::process::id()));
    std::fs::write(&path, "solid nothing\nendsolid\n").unwrap();
    let text = format!("type = \"catmull-clark\"\nfile = {:?}\n", path.display().to_string());
    let said = refusal("a.toml", &text);
    std::fs::remove_file(&path).unwrap();
    assert!(
        said.contains("STL, which holds triangles only: must be one that holds polygons: .obj, .ply"),
        "{said}"
    );
    let said = refusal("b.toml", "type = \"bezier\"\ndegree = [1, 1]\ncontrol = [[0, 0, 0]]\n");
    assert!(said.contains("2 by 2 = 4 entries"), "{said}");
    let said = refusal("d.toml", "type = \"s-patch\"\nsides = 5\ndepth = 2\ncontrol = [[0, 0, 0]]\n");
    assert!(said.contains("15 points for 5 sides and the depth 2"), "{said}");
    let text = "type = \"nurbs\"\ndegree = [1, 1]\nknots = [[0, 0, 1, 1], [0, 0, 1]]\n\
                control = [[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0]]\n";
    assert!(refusal("c.toml", text).contains("at least 4 knots"), "{}", refusal("c.toml", text));
}

/// The tetrahedron of unit legs as an OBJ file with the given faces.
fn tetrahedron(name: &str, faces: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("rattleback-{}-{name}", std::process::id()));
    std::fs::write(&path, format!("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n{faces}")).unwrap();
    path
}

#[test]
fn a_mesh_file_with_faults_is_set_right_with_a_remark_or_refused() {
    let sound = "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
    for (name, faces, said) in [
        ("sound.obj", sound.to_owned(), &[][..]),
        (
            "flat.obj",
            format!("{sound}f 1 1 2\n"),
            &["triangles without area: 1, the first is number 4; dropped"][..],
        ),
        (
            "turned.obj",
            sound.replace("f 2 3 4", "f 2 4 3"),
            &["triangles turned against their neighbours: 1; turned like them"],
        ),
        (
            "inwards.obj",
            "f 1 2 3\nf 1 4 2\nf 2 4 3\nf 1 3 4\n".to_owned(),
            &["parts inside out: 1 (triangles: 4); turned"],
        ),
    ] {
        let path = tetrahedron(name, &faces);
        let expected: Vec<String> = said.iter().map(|said| format!("{}: {said}", path.display())).collect();
        let (shape, remarks) = read_shape(&path).unwrap();
        assert!((shape.surface().moments().unwrap().volume - 1.0 / 6.0).abs() < 1e-15, "{name}");
        assert_eq!(remarks, expected);
        // The same through a table, whose scale is applied to what was set right.
        let text = format!("type = \"mesh\"\nfile = {:?}\nscale = 2\n", path.display().to_string());
        let (mut reader, mut remarks) = (Reader::default(), Vec::new());
        let shape = spec(&text).lower(Path::new(""), &mut remarks, &mut reader).unwrap();
        assert!((shape.surface().moments().unwrap().volume - 8.0 / 6.0).abs() < 1e-14, "{name}");
        assert_eq!(remarks, expected);
        std::fs::remove_file(&path).unwrap();
    }
    let path = tetrahedron("open.obj", &sound.replace("f 2 3 4\n", ""));
    let message = read_shape(&path).map(|_| ()).unwrap_err().to_string();
    let hole = "a hole of 3 edges, 1.7321e0 m across, about (5.0000e-1, 5.0000e-1, 5.0000e-1)";
    assert!(message.contains(hole), "{message}");
    let said = refusal("open.toml", &format!("type = \"mesh\"\nfile = {:?}\n", path.display().to_string()));
    assert!(said.contains("file: ") && said.contains(hole), "{said}");
    assert!(said.contains("`close_holes = true` closes holes"), "{said}");
    for kind in ["mesh", "loop"] {
        let text =
            format!("type = \"{kind}\"\nfile = {:?}\nclose_holes = true\n", path.display().to_string());
        let (mut reader, mut remarks) = (Reader::default(), Vec::new());
        let shape = spec(&text).lower(Path::new(""), &mut remarks, &mut reader).unwrap();
        assert!(shape.surface().moments().unwrap().volume > 0.0);
        assert!(remarks[0].contains("holes: 1, the largest of 3 edges and 1.7321e0 m across"), "{remarks:?}");
    }
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn a_body_of_many_metres_is_remarked_unless_a_scale_is_given() {
    let sound = "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
    let path = tetrahedron("long.obj", sound);
    let text = std::fs::read_to_string(&path).unwrap().replace("v 1 0 0", "v 150 0 0");
    std::fs::write(&path, text).unwrap();
    for kind in ["mesh", "loop", "catmull-clark"] {
        for (scale, is_told) in [("", true), ("scale = 1\n", false), ("scale = 0.001\n", false)] {
            let text = format!("type = \"{kind}\"\nfile = {:?}\n{scale}", path.display().to_string());
            let mut remarks = Vec::new();
            spec(&text).lower(Path::new(""), &mut remarks, &mut Reader::default()).unwrap();
            let told = remarks
                .iter()
                .any(|said| said.contains(" m long; a file in millimetres needs `scale = 0.001`"));
            assert_eq!(told, is_told, "{kind} {scale}: {remarks:?}");
        }
    }
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn cones_and_frustums_stand_about_the_middle_of_their_height() {
    let built =
        |text: &str| spec(text).lower(Path::new(""), &mut Vec::new(), &mut Reader::default()).unwrap();
    let cone = built("type = \"cone\"\nradius = \"20 cm\"\nheight = 0.6\n");
    let frustum = built("type = \"frustum\"\nradii = [0.2, 0]\nheight = 0.6\n");
    for shape in [cone, frustum] {
        assert_eq!(shape.surface().kind(), "cone");
        assert_eq!(shape.surface().bounds().max, Vec3::new(0.2, 0.2, 0.3));
        let mass = shape.surface().moments().unwrap().with_density(1000.0).unwrap();
        assert!((mass.centroid.z + 0.15).abs() < 1e-15);
    }
    let said = refusal("flat.toml", "type = \"frustum\"\nradii = [0, 0]\nheight = 1\n");
    assert!(said.contains("radii[0]: found 0; expected a length between"), "{said}");
}

/// The shape of a text and the remarks on it.
fn lowered(toml: &str) -> (Shape, Vec<String>) {
    let (mut remarks, mut reader) = (Vec::new(), Reader::default());
    let shape = spec(toml).lower(Path::new(""), &mut remarks, &mut reader);
    assert!(reader.is_content(), "{:?}", reader.into_complaints());
    (shape.unwrap(), remarks)
}

fn volume(shape: &Shape) -> f64 {
    shape.surface().moments().unwrap().volume
}

#[test]
fn hulls_have_true_edges_unless_they_are_rounded() {
    let points = "type = \"convex_hull\"\npoints = [[0, 0, 0], [\"1 m\", 0, 0], [0, 1, 0], [0, 0, 1], [0.1, 0.1, 0.1]]\n";
    let (sharp, _) = lowered(points);
    let Shape::ConvexHull(hull) = &sharp else { panic!("{sharp:?}") };
    assert_eq!((hull.vertices().len(), hull.rounding()), (4, 0.0));
    assert!((volume(&sharp) - 1.0 / 6.0).abs() < 1e-15);
    let (round, _) = lowered(&format!("{points}rounding = \"10 cm\"\n"));
    let Shape::ConvexHull(hull) = &round else { panic!("{round:?}") };
    assert_eq!((hull.vertices().len(), hull.rounding()), (4, 0.1));
    assert!(volume(&round) > 1.0 / 6.0 + 0.1 * (1.5 + 0.75f64.sqrt()));
}

#[test]
fn hulls_of_many_corners_are_meshes_and_faces_that_are_all_but_in_line_are_told() {
    let ball = |count: u32| {
        let point = |k: u32| {
            let (z, phi) = (1.0 - f64::from(2 * k + 1) / f64::from(count), 2.399_963 * f64::from(k));
            format!("[{}, {}, {z}]", (1.0 - z * z).sqrt() * phi.cos(), (1.0 - z * z).sqrt() * phi.sin())
        };
        let points: Vec<String> = (0..count).map(point).collect();
        format!("type = \"convex_hull\"\npoints = [{}]\n", points.join(", "))
    };
    assert!(matches!(lowered(&ball(300)).0, Shape::Mesh(_)));
    let (many, remarks) = lowered(&ball(200));
    assert!(matches!(many, Shape::ConvexHull(_)) && remarks.len() == 1, "{remarks:?}");
    // A pyramid of 1.1° on a cube's face.
    let cube =
        "[1, 1, 1], [1, 1, -1], [1, -1, 1], [1, -1, -1], [-1, 1, 1], [-1, 1, -1], [-1, -1, 1], [-1, -1, -1]";
    let cube = |more: &str| format!("type = \"convex_hull\"\npoints = [{cube}{more}]\n");
    let (_, remarks) = lowered(&cube(", [0, 0, 1.02]"));
    assert!(remarks.len() == 1 && remarks[0].contains("4.3°"), "{remarks:?}");
    assert!(lowered(&cube("")).1.is_empty());
}

#[test]
fn tubes_and_cups_have_the_volume_of_round_bodies_and_tell_their_chords() {
    let pi = std::f64::consts::PI;
    let (tube, remarks) =
        lowered("type = \"tube\"\nradius = 0.5\ninner_radius = 0.4\nheight = 2\nsegments = 24\n");
    assert!((volume(&tube) - pi * 0.09 * 2.0).abs() < 1e-14);
    // 0.5 (1 − cos 7.5°)
    assert_eq!(
        remarks,
        [
            "tube: a mesh of 24 segments, at most 4.278e-3 m from the round body, whose mass and inertia it has"
        ]
    );
    let (cup, _) = lowered("type = \"cup\"\nradius = 0.5\ninner_radius = 0.4\nheight = 2\nthickness = 0.3\n");
    assert!((volume(&cup) - pi * (0.25 * 2.0 - 0.16 * 1.7)).abs() < 1e-14);
    assert_eq!(cup.surface().bounds().min.z, -1.0);
    let (cone, _) = lowered("type = \"revolution\"\nprofile = [[0, 0], [0.3, 0], [0, 0.8]]\n");
    assert!((volume(&cone) - pi * 0.09 * 0.8 / 3.0).abs() < 1e-15);
}

#[test]
fn a_profile_and_a_field_are_the_prisms_that_they_say() {
    let (prism, _) = lowered(
        "type = \"extrusion\"\nheight = 0.5\nprofile = [[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]]\n",
    );
    assert!((volume(&prism) - 1.5).abs() < 1e-14);
    let (field, _) = lowered(
        "type = \"height_field\"\nheights = [[0, 0, 0], [0, \"30 cm\", 0], [0, 0, 0]]\nspacing = [1, 1]\ndepth = 0.5\n",
    );
    // Six triangles meet at the middle, each over half a cell: a third of its height in each.
    assert!((volume(&field) - (4.0 * 0.5 + 6.0 * 0.5 * 0.1)).abs() < 1e-14);
}

#[test]
fn hollow_carriers_are_all_but_the_body_and_cylinders_may_be_endless() {
    let cavity = |toml: &str| match lowered(toml).0 {
        Shape::Cavity(cavity) => cavity,
        other => panic!("{other:?}"),
    };
    assert_eq!(cavity("type = \"sphere\"\nradius = 2\ninside = true\n").wall_count(), 1);
    assert_eq!(cavity("type = \"cylinder\"\nradius = 2\ninside = true\n").wall_count(), 1);
    assert_eq!(cavity("type = \"cylinder\"\nradius = 2\nhalf_length = 1\ninside = true\n").wall_count(), 3);
    assert!(matches!(lowered("type = \"cylinder\"\nradius = 2\nhalf_length = 1\n").0, Shape::Cylinder(_)));
    let said = refusal("cylinder.toml", "type = \"cylinder\"\nradius = 2\n");
    assert!(said.starts_with("error: missing key `half_length`"), "{said}");
}
