//! `rattleback curve`, run as a user runs it.

use crate::command::{folder, rattleback, text};
use serde_json::Value;
use std::f64::consts::PI;
use std::path::{Path, PathBuf};
use std::process::Output;

fn curves() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/curves")
}

fn run(arguments: &[&str]) -> Output {
    rattleback(Path::new("."), &[&["curve"], arguments].concat())
}

fn value(arguments: &[&str]) -> Value {
    let output = run(&[arguments, &["--json"]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

#[test]
fn an_ellipse_has_its_area_its_radii_and_its_contact_with_a_line() {
    let file = curves().join("ellipse.toml");
    let file = file.to_str().unwrap();
    // Turned by a right angle and 60 cm above the line y = 0, its long axis is upright.
    let found = value(&[file, "--line", "0,1,0", "--angle", "90 deg", "--position", "0.2,60 cm"]);
    assert!((number(&found["area"]) / (PI * 0.5 * 0.3) - 1.0).abs() < 1e-10, "{found}");
    assert!((number(&found["radius_range"][0]) - 0.09 / 0.5).abs() < 1e-14, "{found}");
    assert!((number(&found["radius_range"][1]) - 0.25 / 0.3).abs() < 1e-14, "{found}");
    assert!((number(&found["contact"]["gap"]) - 0.1).abs() < 1e-14, "{found}");
    assert!((number(&found["contact"]["point"][0]) - 0.2).abs() < 1e-14, "{found}");
    assert!((number(&found["contact"]["curvature"]) - 0.5 / 0.09).abs() < 1e-12, "{found}");
}

#[test]
fn every_curve_of_the_collection_is_described_and_its_points_have_their_normals() {
    let here = folder("curve");
    let mut count = 0;
    for entry in std::fs::read_dir(curves()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let (table, figure) = (here.join(format!("{name}.csv")), here.join(format!("{name}.svg")));
        let told = run(&[
            path.to_str().unwrap(),
            "--points",
            "720",
            "-o",
            table.to_str().unwrap(),
            "--plot",
            figure.to_str().unwrap(),
        ]);
        assert!(told.status.success(), "{}", text(&told.stderr));
        let strict = text(&told.stdout).contains("convexity    strict");
        assert_eq!(strict, name != "kink", "{}", text(&told.stdout));
        assert!(std::fs::read_to_string(figure).unwrap().starts_with("<svg"));
        let rows: Vec<Vec<f64>> = std::fs::read_to_string(table)
            .unwrap()
            .lines()
            .skip(1)
            .map(|line| line.split(',').map(|x| x.parse().unwrap()).collect())
            .collect();
        assert_eq!(rows.len(), 720);
        // No point of the curve is beyond the tangent of another.
        for row in rows.iter().step_by(60) {
            let most = rows.iter().map(|p| row[1] * p[4] + row[2] * p[5]).fold(f64::NEG_INFINITY, f64::max);
            assert!((most - row[3]).abs() < 1e-12, "{name}: {most} {}", row[3]);
        }
        count += 1;
    }
    assert!(count >= 3);
}

#[test]
fn fits_sums_and_places_are_read_and_what_is_not_convex_is_refused_at_its_line() {
    let here = folder("curve-files");
    let write = |name: &str, lines: &str| {
        let path = here.join(name);
        std::fs::write(&path, lines).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let points: Vec<String> = (0..40)
        .map(|k| f64::from(k) * PI / 20.0)
        .map(|t| format!("[{}, {}]", 3.0 + 0.5 * t.cos(), 0.4 * t.sin()))
        .collect();
    let fit = write("fit.toml", &format!("type = \"fit\"\nknots = 16\npoints = [{}]\n", points.join(", ")));
    let found = value(&[&fit]);
    assert!((number(&found["area"]) / (PI * 0.2) - 1.0).abs() < 1e-3, "{found}");
    assert!(found["remarks"][0].as_str().unwrap().starts_with("the fit is"), "{found}");
    let sum = write(
        "sum.json",
        r#"{"type": "sum", "curves": [{"type": "ellipse", "semi_axes": [1, 1]},
            {"type": "placed", "angle": "30 deg", "position": ["5 m", 0], "curve": {"type": "ellipse", "semi_axes": [2, 2]}}]}"#,
    );
    assert!((number(&value(&[&sum])["length"]) / (6.0 * PI) - 1.0).abs() < 1e-9);
    let bent =
        write("bent.toml", "type = \"spline\"\nangles = [0, 1, 2, 3, 4, 5]\nvalues = [1, 1, 2, 1, 1, 1]\n");
    let output = run(&[&bent]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("bent.toml:1"), "{}", text(&output.stderr));
    let small = write("small.toml", "type = \"ellipse\"\nsemi_axes = [1, \"-2 m\"]\n");
    let output = run(&[&small]);
    assert!(text(&output.stderr).contains("small.toml:2"), "{}", text(&output.stderr));
}
