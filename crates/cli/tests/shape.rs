//! `rattleback shape`, run as a user runs it.

use crate::command::{folder, rattleback, text};
use std::path::{Path, PathBuf};
use std::process::Output;

fn shapes() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/shapes")
}

fn run(arguments: &[&str]) -> Output {
    rattleback(Path::new("."), &[&["shape"], arguments].concat())
}

/// A file of the given name and text in a folder of the test's own.
fn file(name: &str, text: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("shape");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

fn value(arguments: &[&str]) -> serde_json::Value {
    let output = run(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn every_shape_of_the_collection_is_described() {
    let mut count = 0;
    for entry in std::fs::read_dir(shapes()).unwrap() {
        let path = entry.unwrap().path();
        let described = value(&[path.to_str().unwrap(), "--json"]);
        // A patch that is not closed has an area only.
        let open = ["bezier", "nurbs", "s-patch"].contains(&described["type"].as_str().unwrap());
        assert_eq!(
            described["volume"].as_f64().is_some_and(|volume| volume > 0.0),
            !open,
            "{path:?}: {described}"
        );
        assert!(described["area"].as_f64().unwrap() > 0.0, "{path:?}: {described}");
        count += 1;
    }
    assert!(count >= 6);
}

#[test]
fn the_rattleback_has_the_mass_properties_of_its_ellipsoid() {
    let output = run(&[shapes().join("rattleback.toml").to_str().unwrap(), "--density", "2000"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("mass         1.00531 kg  at 2000 kg/m³"), "{text}");
    assert!(text.contains("curvature    0.5  to  500  1/m"), "{text}");
}

#[test]
fn a_mesh_that_was_written_reads_back_with_the_volume_of_its_shape() {
    for ending in ["stl", "obj"] {
        let mesh = file(&format!("box.{ending}"), "");
        let source = shapes().join("rounded_box.toml");
        let source = source.to_str().unwrap();
        let exact = value(&[source, "--json", "--mesh", mesh.to_str().unwrap(), "--chord", "2e-5"]);
        let meshed = value(&[mesh.to_str().unwrap(), "--json"]);
        let (a, b) = (exact["volume"].as_f64().unwrap(), meshed["volume"].as_f64().unwrap());
        assert!(b < a && b > 0.995 * a, "{ending}: {b} of {a}");
        assert_eq!(meshed["type"], "mesh");
    }
}

#[test]
fn a_mesh_is_fitted_with_its_error_reported() {
    let mesh = file("ball.obj", "");
    run(&[shapes().join("rattleback.toml").to_str().unwrap(), "--mesh", mesh.to_str().unwrap()]);
    let ball = file("ball.toml", "type = \"ellipsoid\"\nsemi_axes = [0.1, 0.08, 0.07]\n");
    run(&[ball.to_str().unwrap(), "--mesh", mesh.to_str().unwrap(), "--chord", "1e-4"]);
    let fit = file("fit.toml", "type = \"fit\"\nfile = \"ball.obj\"\ndegree = 8\n");
    let fitted = value(&[fit.to_str().unwrap(), "--json"]);
    let remark = fitted["remarks"][0].as_str().unwrap();
    assert!(remark.starts_with("fitted to the hull of") && remark.contains("largest error"), "{remark}");
    let volume = 4.0 / 3.0 * std::f64::consts::PI * 0.1 * 0.08 * 0.07;
    assert!((fitted["volume"].as_f64().unwrap() / volume - 1.0).abs() < 1e-2, "{fitted}");
}

#[test]
fn wrong_shapes_are_refused_with_the_field_and_what_is_allowed() {
    let cases = [
        (
            "a.toml",
            "type = \"ellipsoid\"\nsemi_axes = [1.0, 0.0, 1.0]\n",
            "error: semi_axes[1]: found 0; expected a length between 1e-20 and 1e20 m",
        ),
        (
            "b.toml",
            "type = \"ellipsoid\"\nsemi_axis = [1.0, 0.0, 1.0]\n",
            "unknown key `semi_axis`; expected `semi_axes`",
        ),
        ("c.toml", "type = \"elipsoid\"\n", "help: did you mean \"ellipsoid\"?"),
        (
            "d.json",
            "{\"type\": \"superellipsoid\", \"semi_axes\": [1, 1, 1], \"exponents\": [2, 60]}",
            "error: exponents[1]: found 60; expected between 1.05 and 50",
        ),
        (
            "e.toml",
            "type = \"superellipsoid\"\nsemi_axes = [1.0, 1.0, 1.0]\n",
            "missing key `exponents`, or `barr_exponents` in its place",
        ),
        (
            "f.toml",
            "type = \"torus\"\nmajor_radius = 0.1\nminor_radius = 0.2\n",
            "minor_radius: found 0.2; expected below",
        ),
        (
            "g.toml",
            "type = \"harmonics\"\ncoefficients = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0]\n",
            "coefficients: potential is not convex",
        ),
        (
            "l.toml",
            "type = \"superellipsoid\"\nsemi_axes = [1.0, 1.0, 1.0]\nbarr_exponents = [1.0, 4.0]\n",
            "barr_exponents[1]: found 4, which is the exponent 0.5; expected an exponent 2/4 between 1.05 and 50",
        ),
        ("m.toml", "type = \"mesh\"\nfile = \"lost.stl\"\n", "lost.stl: No such file"),
        ("n.toml", "type = \"mesh\"\nfile = \"h.txt\"\n", "h.txt: No such file"),
        ("o.toml", "type = \"sum\"\nparts = []\n", "parts: found an empty list"),
        (
            "s.toml",
            "type = \"elliptic_paraboloid\"\naxes = [1, 1, 1]\nheight = -3\n",
            "error: height: planes = ",
        ),
        ("p.json", "{\"type\": \"sphere\",\n \"radius\" 1}", "p.json:2:11"),
        (
            "q.json",
            "{\"type\": \"sphere\", \"radius\": \"3 s\"}",
            "radius: found \"3 s\", a time; expected a length",
        ),
        ("r.toml", "type = \"harmonics\"\ncoefficients = [1.0, 0.0]\n", "coefficients: found 2 numbers"),
        ("h.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "edge"),
        ("i.obj", "", "empty"),
        ("j.stl", "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 zero\n", "line 4"),
        (
            "k.txt",
            "",
            "neither content nor ending says a known format; expected .toml, .json, .stl, .obj, .ply",
        ),
    ];
    for (name, text, expected) in cases {
        let path = file(name, text);
        let output = run(&[path.to_str().unwrap()]);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{name}: {message}");
        assert!(message.starts_with("error: ") && message.contains(name), "{name}: {message}");
        assert!(message.contains(expected), "{name}: {message}");
    }
    let output = run(&["no/such/file.toml"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().contains("no/such/file.toml"));
}

/// What the verb says of a file that it refuses, run beside the file.
fn refusal(name: &str, text: &str) -> String {
    let path = file(name, text);
    let output = rattleback(path.parent().unwrap(), &["shape", name]);
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn lengths_may_carry_their_unit() {
    for (name, text) in [
        ("unit.toml", "type = \"sphere\"\nradius = \"37.5 mm\"\n"),
        ("unit.json", "{\"type\": \"sphere\", \"radius\": \"37.5 mm\"}"),
    ] {
        let described = value(&[file(name, text).to_str().unwrap(), "--json"]);
        assert_eq!(described["bounds"]["max"][0], 0.0375, "{name}");
    }
}

#[test]
fn all_mistakes_are_told_at_once_with_their_lines() {
    let text = "# A sum of two balls.\ntype = \"sum\"\noffst = \"2 mm\"\n\n[[parts]]\n\
                shape = { type = \"sphere\", radius = \"10 kg\" }\n";
    let expected = r#"error: unknown key `offst`; expected `parts` or `offset`
 --> mistakes.toml:3:1
  |
3 | offst = "2 mm"
  | ^^^^^
   = help: did you mean `offset`?

error: parts[0].shape.radius: found "10 kg", a mass; expected a length in SI units or with a unit, such as "37.5 mm"
 --> mistakes.toml:6:37
  |
6 | shape = { type = "sphere", radius = "10 kg" }
  |                                     ^^^^^^^

2 mistakes in mistakes.toml
"#;
    assert_eq!(refusal("mistakes.toml", text), expected);
}

#[test]
fn numbers_that_make_no_body_are_told_where_they_stand() {
    let text = "type = \"sum\"\n\n[[parts]]\nshape = { type = \"sphere\", radius = -1 }\n\n[[parts]]\n\
                shape = { type = \"torus\", major_radius = 2, minor_radius = 1 }\nscale = [1, 0, 1]\n\n[[parts]]\n\
                shape = { type = \"sphere\", radius = 1 }\nscale = [1, 0, 1]\n";
    let found = refusal("numbers.toml", text);
    for (message, place) in [
        ("parts[0].shape.radius: found -1; expected a length between 1e-20 and 1e20 m", "4:37"),
        ("parts[1].shape: found a torus; expected a convex body with a support function", "7:9"),
        ("parts[2].scale: linear: ratio of the smallest", "12:9"),
    ] {
        let (_, after) = found.split_once(message).unwrap_or_else(|| panic!("no {message:?} in {found}"));
        let arrow = after.lines().nth(1).unwrap();
        assert!(arrow.ends_with(&format!("numbers.toml:{place}")), "{arrow} in {found}");
    }
    assert!(found.ends_with("\n3 mistakes in numbers.toml\n"), "{found}");
}

#[test]
fn a_half_space_is_described_without_what_it_lacks() {
    let path = file("floor.toml", "type = \"plane\"\nnormal = [0.0, 0.0, 1.0]\n");
    let output = run(&[path.to_str().unwrap()]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && text.contains("volume       none: a plane has no"), "{text}");
    let output = run(&[path.to_str().unwrap(), "--mesh", "floor.stl"]);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn numbers_that_overflow_are_an_error_and_not_null() {
    let here = folder("shape/overflow");
    for (density, radius, what) in
        [("1e300", "1e10", "mass"), ("1e300", "100", "inertia"), ("1e-300", "1e-10", "mass")]
    {
        std::fs::write(here.join("shape.toml"), format!("type = \"sphere\"\nradius = {radius}\n")).unwrap();
        let output = rattleback(&here, &["shape", "shape.toml", "--density", density, "--json"]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
        assert!(output.stdout.is_empty() && said.contains(what), "{said}");
    }
}

#[test]
fn a_hollow_sphere_has_an_area_and_neither_bounds_nor_a_volume() {
    let shape = file("hollow.toml", "type = \"sphere\"\nradius = 0.1\ninside = true");
    let told = run(&[shape.to_str().unwrap()]);
    assert!(told.status.success(), "{}", text(&told.stderr));
    let said = text(&told.stdout);
    assert!(said.contains("area         0.1256637 m²") && said.contains("volume       none: "), "{said}");
    assert!(said.contains("curvature    -10  to  -10  1/m"), "{said}");
}

#[test]
fn rays_from_the_centre_meet_quadrics_and_superquadrics_on_their_surface() {
    /// The name of a file, its lines, and what is one on the surface.
    type Case = (&'static str, &'static str, fn([f64; 3]) -> f64);
    let cases: [Case; 3] = [
        (
            "one-sheet.toml",
            "type = \"hyperboloid_one_sheet\"\naxes = [0.5, 0.4, 0.6]\nhalf_height = 1",
            |[x, y, z]| (x / 0.5).powi(2) + (y / 0.4).powi(2) - (z / 0.6).powi(2),
        ),
        (
            "super.toml",
            "type = \"superellipsoid\"\nsemi_axes = [0.5, 0.4, 0.6]\nexponents = [4, 3]",
            |[x, y, z]| ((x / 0.5).powi(4) + (y / 0.4).powi(4)).powf(0.75) + (z / 0.6).abs().powi(3),
        ),
        ("ball.toml", "type = \"ellipsoid\"\nsemi_axes = [0.5, 0.5, 0.5]", |[x, y, z]| {
            (x * x + y * y + z * z) / 0.25
        }),
    ];
    for (name, lines, value) in cases {
        let (shape, points) = (file(name, lines), file(&format!("{name}.csv"), ""));
        let told =
            run(&[shape.to_str().unwrap(), "--angle-centre", "12x8", "--points", points.to_str().unwrap()]);
        assert!(told.status.success(), "{}", text(&told.stderr));
        let table = std::fs::read_to_string(&points).unwrap();
        let rows: Vec<Vec<f64>> =
            table.lines().skip(1).map(|row| row.split(',').map(|x| x.parse().unwrap()).collect()).collect();
        // Rays near the axis miss a hyperboloid of one sheet.
        assert!(if name == "one-sheet.toml" { rows.len() < 96 && rows.len() > 20 } else { rows.len() == 96 });
        for row in rows {
            assert!((value([row[3], row[4], row[5]]) - 1.0).abs() < 1e-12, "{name}: {row:?}");
            let ray = [row[1].sin() * row[0].cos(), row[1].sin() * row[0].sin(), row[1].cos()];
            assert!((0..3).all(|k| (row[3 + k] - row[2] * ray[k]).abs() < 1e-14), "{name}: {row:?}");
        }
    }
    let shape = file("torus.toml", "type = \"torus\"\nmajor_radius = 1\nminor_radius = 0.2");
    let refused = run(&[shape.to_str().unwrap(), "--angle-centre", "12x8", "--points", "none.csv"]);
    assert!(text(&refused.stderr).contains("a torus has no angle-centre form"), "{}", text(&refused.stderr));
}

#[test]
fn spline_potentials_and_superovoids_are_bodies_with_their_errors_told() {
    let egg = value(&[shapes().join("egg.toml").to_str().unwrap(), "--json"]);
    assert!(egg["remarks"][0].as_str().unwrap().starts_with("fitted to the support function"), "{egg}");
    // Sections of π a b w² (1 + τζ)² from -c to c: V = π a b c (4/3 + 4τ²/15).
    let expected = std::f64::consts::PI * 22e-3 * 22e-3 * 29e-3 * (4.0 / 3.0 + 4.0 * 0.04 / 15.0);
    assert!((egg["volume"].as_f64().unwrap() / expected - 1.0).abs() < 1e-3, "{egg} {expected}");
    // The six axes and eight corners of a cube, all at the same distance: a ball, whatever the weights.
    let mut normals = vec!["[1, 0, 0]", "[-1, 0, 0]", "[0, 1, 0]", "[0, -1, 0]", "[0, 0, 1]", "[0, 0, -1]"];
    normals.extend(["[1, 1, 1]", "[-1, 1, 1]", "[1, -1, 1]", "[1, 1, -1]"]);
    normals.extend(["[-1, -1, 1]", "[-1, 1, -1]", "[1, -1, -1]", "[-1, -1, -1]"]);
    for weights in ["", "weights = [1, 2, 1, 2, 1, 2, 1, 1, 1, 3, 1, 1, 1, 1]\n"] {
        let values = vec!["\"50 cm\""; 14].join(", ");
        let lines =
            format!("type = \"spline\"\nnormals = [{}]\nvalues = [{values}]\n{weights}", normals.join(", "));
        let ball = value(&[file("spline.toml", &lines).to_str().unwrap(), "--json"]);
        let expected = 4.0 / 3.0 * std::f64::consts::PI * 0.125;
        assert!((ball["volume"].as_f64().unwrap() / expected - 1.0).abs() < 1e-9, "{ball}");
    }
    let wrong = file("wrong.toml", "type = \"superovoid\"\nsemi_axes = [1, 1, 1]\ntaper = [2, 0]");
    let refused = run(&[wrong.to_str().unwrap()]);
    assert!(text(&refused.stderr).contains("wrong.toml:3"), "{}", text(&refused.stderr));
}
