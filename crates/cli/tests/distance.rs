//! `rattleback distance`, run as a user runs it.

use crate::command::{command, folder, rattleback, text};
use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

fn run(arguments: &[&str]) -> Output {
    rattleback(Path::new("."), &[&["distance"], arguments].concat())
}

/// Runs the verb on text from standard input.
fn pipe(text: &[u8], arguments: &[&str]) -> Output {
    let mut child = command(Path::new("."), &[&["distance", "-"], arguments].concat())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let text = text.to_owned();
    let feeder = std::thread::spawn(move || input.write_all(&text).unwrap());
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap();
    output
}

/// A path of the given name in an empty folder of the test's own.
fn path(test: &str, name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("distance").join(test);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

fn lines(bytes: &[u8]) -> Vec<Value> {
    std::str::from_utf8(bytes).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn body(shape: &str, x: f64, y: f64, z: f64) -> String {
    format!(r#"{{"shape": {shape}, "position": [{x}, {y}, {z}]}}"#)
}

fn pair(id: &str, a: &str, b: &str) -> String {
    format!("{{\"id\": {id}, \"a\": {a}, \"b\": {b}}}\n")
}

fn ball(radius: f64) -> String {
    format!(r#"{{"type": "sphere", "radius": {radius}}}"#)
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

fn assert_near(found: &Value, expected: &[f64]) {
    for (x, y) in numbers(found).iter().zip(expected) {
        assert!((x - y).abs() < 1e-12, "{found} is not {expected:?}");
    }
}

#[test]
fn known_answers_come_back() {
    let floor = r#"{"shape": {"type": "plane", "normal": [0, 0, 2]}}"#;
    let egg = r#"{"type": "ellipsoid", "semi_axes": [0.3, 0.2, 0.1]}"#;
    let pillow = r#"{"type": "superellipsoid", "semi_axes": [0.3, 0.2, 0.1], "exponents": [3, 4]}"#;
    let brick = r#"{"type": "superquadric", "semi_axes": [0.3, 0.2, 0.1], "exponents": [2.5, 3, 4]}"#;
    let at_origin = |shape: &str| body(shape, 0.0, 0.0, 0.0);
    let text = [
        pair("0", &at_origin(&ball(0.1)), &body(&ball(0.2), 0.3, 0.4, 0.0)),
        pair("1", &at_origin(&ball(0.1)), &body(&ball(0.2), 0.0, 0.0, -0.25)),
        pair("2", floor, &body(egg, 1.0, 2.0, 0.35)),
        pair("3", &at_origin(pillow), &body(&ball(0.05), 0.0, 0.0, 0.2)),
        pair("4", &at_origin(brick), &body(&ball(0.05), 0.0, -0.5, 0.0)),
    ]
    .concat();
    let output = pipe(text.as_bytes(), &[]);
    assert_eq!(output.status.code(), Some(0));
    let found = lines(&output.stdout);
    let gaps: Vec<f64> = found.iter().map(|f| f["gap"].as_f64().unwrap()).collect();
    for (gap, expected) in gaps.iter().zip([0.2, -0.05, 0.25, 0.05, 0.25]) {
        assert!((gap - expected).abs() < 1e-13, "{gaps:?}");
    }
    let normals = [[0.6, 0.8, 0.0], [0.0, 0.0, -1.0], [0.0, 0.0, 1.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]];
    for (line, normal) in found.iter().zip(normals) {
        assert_near(&line["normal"], &normal);
        assert_eq!(line["certified"], true, "{line}");
        assert!(line["residual"].as_f64().unwrap() < 1e-13 && line["iterations"].as_u64().unwrap() >= 1);
    }
    assert_near(&found[0]["point_a"], &[0.06, 0.08, 0.0]);
    assert_near(&found[0]["point_b"], &[0.18, 0.24, 0.0]);
    assert_near(&found[0]["relative_curvature"], &[15.0, 15.0]);
    assert_near(&found[2]["point_b"], &[1.0, 2.0, 0.25]);
    // c/b² and c/a².
    assert_near(&found[2]["curvature_b"], &[0.1 / 0.04, 0.1 / 0.09]);
    assert_near(&found[2]["curvature_a"], &[0.0, 0.0]);
}

#[test]
fn the_examples_are_answered_and_infinite_curvature_is_null() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/pairs/examples.jsonl");
    let output = run(&[examples.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0));
    let found = lines(&output.stdout);
    assert!(found.len() >= 6 && found.iter().all(|f| f["certified"] == true), "{found:?}");
    let edge = found.iter().find(|f| f["id"] == "edge of a cylinder").unwrap();
    assert_eq!([&edge["curvature_a"][0], &edge["relative_curvature"][0]], [&Value::Null; 2]);
    let along = edge["relative_curvature"][1].as_f64().unwrap();
    // Along the rim of radius 0.05 m the cone of normals at 45° has cos 45°/0.05; the sphere adds 1/0.04.
    assert!((along - (0.5_f64.sqrt() / 0.05 + 25.0)).abs() < 1e-9, "{along}");
    let summary = String::from_utf8(output.stderr).unwrap();
    assert!(summary.starts_with(&format!("{} pairs, 0 failed, ", found.len())), "{summary}");
}

#[test]
fn order_and_ids_are_kept_over_many_chunks_and_numbers_make_the_round_trip() {
    let ids = |k: usize| match k % 4 {
        0 => format!("{k}"),
        1 => format!("\"line {k}\""),
        2 => format!("{{\"x\": [{k}, null]}}"),
        _ => format!("{k}000000000000000000000.250"),
    };
    let at = |k: usize| 1.0 + k as f64 / 3.0;
    let text: String = (0..10_000)
        .map(|k| pair(&ids(k), &body(&ball(0.5), 0.0, 0.0, 0.0), &body(&ball(0.25), at(k), 0.0, 0.0)))
        .collect();
    let output = pipe(text.as_bytes(), &["--quiet"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty());
    let written = String::from_utf8(output.stdout).unwrap();
    assert_eq!(written.lines().count(), 10_000);
    for (k, line) in written.lines().enumerate() {
        assert!(line.starts_with(&format!("{{\"id\":{},", ids(k))), "{k}: {line}");
    }
    let gap = lines(written.lines().nth(1).unwrap().as_bytes())[0]["gap"].as_f64().unwrap();
    assert_eq!(gap, at(1) - 0.5 - 0.25);
}

#[test]
fn bad_lines_are_reported_by_number_and_the_rest_goes_on() {
    let good = body(&ball(0.1), 0.0, 0.0, 1.0);
    let turned = r#"{"shape": {"type": "sphere", "radius": 1}, "orientation": [1, 1, 0, 0]}"#;
    let floor = r#"{"shape": {"type": "plane", "normal": [0, 0, 1]}}"#;
    let flat = r#"{"shape": {"type": "ellipsoid", "semi_axes": [1, 0, 1]}}"#;
    let lost = r#"{"shape": {"type": "mesh", "file": "no-such.stl"}}"#;
    let cases: Vec<(String, &str)> = vec![
        (pair("1", &good, &good), ""),
        ("{\"id\": 2, \"a\": \n".to_owned(), "EOF while parsing"),
        ("\n".to_owned(), "blank"),
        (
            pair("4", r#"{"shape": {"type": "blob"}}"#, &good),
            "a.shape.type: found the text \"blob\"; expected `plane`, ",
        ),
        (pair("5", &good, flat), "b.shape.semi_axes[1]: found 0; expected a length between 1e-20 and 1e20 m"),
        (pair("6", turned, &good), "a.orientation: found a quaternion of length 1.414"),
        (format!("{{\"id\": 7, \"a\": {good}}}\n"), "missing key `b`"),
        (pair("8", floor, floor), "no solver for plane against plane"),
        (pair("9", &good, lost), "b.shape.file: no-such.stl: No such file"),
        (
            format!("{{\"id\": 10, \"a\": {good}, \"b\": {good}, \"extra\": 1}}\n"),
            "unknown key `extra`; expected `id`, `a` or `b`",
        ),
        (pair("11", &good.replace("position", "positon"), &good), "a: unknown key `positon`; expected"),
        (pair("12", &good.replace("1]", "1e999]"), &good), "number out of range"),
        ("[1, 2]\n".to_owned(), "found a list of 2; expected a table"),
        (pair("14", &good, &good).trim_end().to_owned(), ""),
    ];
    let text: String = cases.iter().map(|(line, _)| line.as_str()).collect();
    let output = pipe(text.as_bytes(), &[]);
    assert_eq!(output.status.code(), Some(3));
    let mut found = lines(&output.stdout).into_iter();
    for (k, (_, expected)) in cases.iter().enumerate().filter(|(_, case)| case.1 != "blank") {
        let line = found.next().unwrap();
        let readable = !matches!(k, 1 | 12);
        assert_eq!(line["id"], if readable { Value::from(k + 1) } else { Value::Null }, "{line}");
        if expected.is_empty() {
            assert!(line["gap"].is_f64() && line.get("error").is_none(), "{line}");
        } else {
            assert_eq!(line["line"], k + 1, "{line}");
            let message = line["error"].as_str().unwrap();
            assert!(message.contains(expected), "{message:?} does not say {expected:?}");
            assert!(!message.contains("at line 1"), "{message}");
        }
    }
    assert!(found.next().is_none());
    let summary = String::from_utf8(output.stderr).unwrap();
    assert!(summary.starts_with("13 pairs, 11 failed, "), "{summary}");
}

#[test]
fn bytes_that_are_no_text_fail_on_their_line_alone() {
    let good = body(&ball(0.1), 0.0, 0.0, 1.0);
    let mut text = b"\xff\xfe\r\n".to_vec();
    text.extend(pair("2", &good, &good).replace('\n', "\r\n").bytes());
    let output = pipe(&text, &[]);
    let found = lines(&output.stdout);
    assert_eq!(output.status.code(), Some(3));
    assert!(found[0]["error"].as_str().unwrap().starts_with("not UTF-8"), "{found:?}");
    assert_eq!(found[1]["id"], 2);
}

#[test]
fn an_output_file_is_written_whole_and_mesh_files_are_beside_the_pairs() {
    let pairs = path("output", "pairs.jsonl");
    let mesh = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    std::fs::write(pairs.with_file_name("tetra.obj"), mesh).unwrap();
    let floor = r#"{"shape": {"type": "plane", "normal": [0, 0, 1]}}"#;
    let tetra = body(r#"{"type": "mesh", "file": "tetra.obj", "scale": 2}"#, 0.0, 0.0, 0.5);
    std::fs::write(&pairs, pair("null", floor, &tetra)).unwrap();
    let result = pairs.with_file_name("result.jsonl");
    let output = run(&[pairs.to_str().unwrap(), "-o", result.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stdout.is_empty());
    let found = lines(&std::fs::read(&result).unwrap());
    assert_eq!(found[0]["gap"], 0.5);
    let names = std::fs::read_dir(pairs.parent().unwrap()).unwrap().count();
    assert_eq!(names, 3, "pairs, mesh and result alone");
}

#[test]
fn an_empty_file_has_an_empty_answer() {
    let output = pipe(b"", &[]);
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stdout.is_empty());
    assert!(String::from_utf8(output.stderr).unwrap().starts_with("0 pairs, 0 failed"));
}

#[test]
fn files_that_cannot_be_read_or_written_are_named() {
    let empty = path("unwritable", "empty.jsonl");
    std::fs::write(&empty, "").unwrap();
    let empty = empty.to_str().unwrap();
    for (arguments, code, name) in [
        (&["no/such/pairs.jsonl"][..], 1, "no/such/pairs.jsonl"),
        (&["."][..], 1, "a folder"),
        (&[empty, "-o", "no/such/folder/result.jsonl"][..], 5, "no/such/folder/result.jsonl"),
    ] {
        let output = run(arguments);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{message}");
        assert!(message.starts_with("error: ") && message.contains(name), "{message}");
    }
    assert_eq!(run(&[]).status.code(), Some(2));
    assert_eq!(run(&["--no-such-option", "-"]).status.code(), Some(2));
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_told_and_has_the_exit_code_of_results_that_could_not_be_written() {
    let here = folder("distance/full");
    let pair = r#"{"a": {"shape": {"type": "sphere", "radius": 1}}, "b": {"shape": {"type": "sphere", "radius": 1}, "position": [3, 0, 0]}}"#;
    std::fs::write(here.join("pairs.jsonl"), pair).unwrap();
    let output = rattleback(&here, &["distance", "pairs.jsonl", "-o", "/dev/full"]);
    assert_eq!(output.status.code(), Some(5));
    assert_eq!(text(&output.stderr), "error: /dev/full: No space left on device (os error 28)\n");
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output = command(&here, &["distance", "pairs.jsonl"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(5));
    assert_eq!(text(&output.stderr), "error: standard output: No space left on device (os error 28)\n");
}

#[test]
fn every_solver_answers_by_its_name_with_the_state_and_own_has_its_certificate() {
    let ellipsoid = r#"{"type": "ellipsoid", "semi_axes": [0.5, 0.4, 0.3]}"#;
    let pairs: String = [0.9, 0.5, 0.3]
        .iter()
        .map(|gap| pair("7", &body(&ball(0.5), 0.0, 0.0, 0.0), &body(ellipsoid, 0.5 + gap, 0.0, 0.0)))
        .collect();
    let names = [
        "own",
        "lopes-householder",
        "lopes-auxiliary",
        "lopes-globalised",
        "roemer-1",
        "roemer-2",
        "roemer-3",
        "roemer-4",
        "roemer-7a",
        "roemer-7b",
        "gjk",
        "parametric",
    ];
    for name in names {
        let output = pipe(pairs.as_bytes(), &["--solver", name]);
        let answers = lines(&output.stdout);
        assert_eq!(answers.len(), 3, "{name}");
        for (answer, (gap, state)) in
            answers.iter().zip([(0.4, "apart"), (0.0, "touching"), (-0.2, "overlapping")])
        {
            if answer["error"].is_string() {
                // What a solver cannot do is told, and only those of the literature cannot.
                assert_ne!(name, "own", "{answer}");
                continue;
            }
            assert_eq!((answer["solver"].as_str(), answer["id"].as_u64()), (Some(name), Some(7)), "{answer}");
            if (answer["gap"].as_f64().unwrap() - gap).abs() < 1e-9 {
                assert_eq!(answer["state"], state, "{name}: {answer}");
            } else {
                assert_ne!(name, "own", "{answer}");
            }
            assert_eq!(answer["certified"] == true, name == "own", "{answer}");
        }
    }
    let apart = lines(&pipe(pairs.as_bytes(), &["--solver", "roemer-4"]).stdout);
    assert!((apart[0]["gap"].as_f64().unwrap() - 0.4).abs() < 1e-9, "{}", apart[0]);
    let wide = lines(&pipe(pairs.as_bytes(), &["--solver", "own", "--touching", "0.5 m"]).stdout);
    assert!(wide.iter().all(|answer| answer["state"] == "touching"), "{wide:?}");
    assert!(lines(&pipe(pairs.as_bytes(), &[]).stdout)[0]["state"].is_null());
    let output = pipe(b"", &["--solver", "nobody"]);
    assert!(output.status.code() == Some(2) && text(&output.stderr).contains("roemer-4"));
}

#[test]
fn moving_bodies_are_told_when_they_first_touch() {
    let at = |x: f64, y: f64, velocity: f64| {
        let shape = ball(0.5);
        format!(r#"{{"shape": {shape}, "position": [{x}, {y}, 0], "velocity": [{velocity}, 0, 0]}}"#)
    };
    let still = at(0.0, 0.0, 0.0);
    let turning = r#"{"shape": {"type": "ellipsoid", "semi_axes": [1, 0.2, 0.2]}, "angular_velocity": ["1 rpm", 0, "60 rpm"]}"#;
    let pairs = [
        pair("1", &still, &at(3.0, 0.0, -2.0)),
        pair("2", &still, &at(3.0, 1.5, -2.0)),
        pair("3", &still, &at(0.5, 0.0, 0.0)),
        pair("4", &still, &at(3.0, 1.0, -2.0)),
        pair("5", turning, &body(&ball(0.1), 0.0, 0.9, 0.0)),
    ]
    .concat();
    let answers = lines(&pipe(pairs.as_bytes(), &["--motion", "2s"]).stdout);
    let number = |k: usize, key: &str| answers[k][key].as_f64().unwrap();
    assert_eq!(answers[0]["first_contact"], "within");
    assert!(number(0, "earliest") <= 1.0 && number(0, "latest") >= 1.0, "{}", answers[0]);
    assert!(number(0, "latest") - number(0, "earliest") < 1.1e-9, "{}", answers[0]);
    assert_near(&answers[0]["normal"], &[1.0, 0.0, 0.0]);
    assert_eq!(
        (&answers[1]["first_contact"], &answers[2]["first_contact"]),
        (&"never".into(), &"at_start".into())
    );
    assert_eq!(answers[3]["first_contact"], "undecided");
    assert!(number(3, "apart_until") <= 1.5 && number(3, "apart_until") > 1.4, "{}", answers[3]);
    // A rod that turns once a second meets a ball at a quarter of it, less what both are thick.
    assert!(number(4, "earliest") > 0.15 && number(4, "latest") < 0.25, "{}", answers[4]);
    // Velocities without a motion are not passed over.
    let refused = pipe(pairs.as_bytes(), &[]);
    assert_eq!(refused.status.code(), Some(3));
    assert!(lines(&refused.stdout)[0]["error"].as_str().unwrap().contains("--motion"));
    assert_eq!(pipe(b"", &["--motion", "-1s"]).status.code(), Some(2));
}

#[test]
fn a_proximity_query_parts_bodies_before_their_normal_is_sought() {
    let rod = r#"{"type": "ellipsoid", "semi_axes": [1, 0.1, 0.1]}"#;
    let far = pair("1", &body(rod, 0.0, 0.0, 0.0), &body(rod, 5.0, 0.0, 0.0));
    let beside = pair("2", &body(rod, 0.0, 0.0, 0.0), &body(rod, 0.0, 0.5, 0.0));
    let over = pair("3", &body(rod, 0.0, 0.0, 0.0), &body(rod, 0.0, 0.15, 0.0));
    let plane = r#"{"shape": {"type": "plane", "normal": [0, 0, 1]}}"#;
    let flat = pair("4", plane, &body(rod, 0.0, 0.0, 0.3));
    let pairs = [far, beside, over, flat].concat();
    for (name, parted) in [("boxes", [true, true]), ("spheres", [true, false]), ("quartic", [true, true])] {
        let answers = lines(&pipe(pairs.as_bytes(), &["--proximity", name]).stdout);
        for (k, answer) in answers.iter().enumerate() {
            assert_eq!(answer["proximity"], name, "{answer}");
            let expected = k < 2 && parted[k];
            assert_eq!(answer["gap"].is_null(), expected, "{answer}");
            if expected {
                let gap = [3.0, 0.3][k];
                let bound = answer["separation"].as_f64().unwrap();
                assert!(answer["state"] == "apart" && bound > 0.0 && bound <= gap + 1e-12, "{answer}");
            }
            let roots = [Some(2), Some(2), Some(0), None][k].filter(|_| name == "quartic");
            assert_eq!(answer["positive_roots"].as_u64(), roots, "{answer}");
        }
        assert!(
            answers[3]["separation"].is_null() && (answers[3]["gap"].as_f64().unwrap() - 0.2).abs() < 1e-15
        );
    }
    assert_eq!(pipe(b"", &["--proximity", "cones"]).status.code(), Some(2));
}

#[test]
fn overlaps_have_the_force_the_ellipse_and_the_pressure_of_hertz_by_every_solver() {
    // Two steel balls of 0.1 m, 10 µm deep: R = 0.05 m, E* = E/(2(1 - ν²)), a² = R δ, F = 4/3 E* √R δ^1.5, p = 2 E*
    // a/(π R).
    let pairs = [
        pair("1", &body(&ball(0.1), 0.0, 0.0, 0.0), &body(&ball(0.1), 0.2 - 1e-5, 0.0, 0.0)),
        pair("2", &body(&ball(0.1), 0.0, 0.0, 0.0), &body(&ball(0.1), 0.3, 0.0, 0.0)),
    ]
    .concat();
    let modulus = 210e9 / (2.0 * (1.0 - 0.09));
    let a = f64::sqrt(0.05 * 1e-5);
    let (force, pressure) = (
        4.0 / 3.0 * modulus * 0.05f64.sqrt() * 1e-5f64.powf(1.5),
        2.0 * modulus * a / (std::f64::consts::PI * 0.05),
    );
    for arguments in [&["--young", "210 GPa"][..], &["--young", "210 GPa", "--solver", "roemer-3"][..]] {
        let answers = lines(&pipe(pairs.as_bytes(), arguments).stdout);
        let close = |found: &Value, expected: f64| (found.as_f64().unwrap() / expected - 1.0).abs() < 1e-8;
        assert!(close(&answers[0]["force"], force), "{}", answers[0]);
        assert!(close(&answers[0]["pressure"], pressure), "{}", answers[0]);
        assert!(close(&answers[0]["patch"][0], a) && close(&answers[0]["patch"][1], a), "{}", answers[0]);
        assert!(answers[1]["force"].is_null() && answers[1]["patch"].is_null(), "{}", answers[1]);
        assert!(answers[1].get("pressure").is_some());
    }
    assert!(lines(&pipe(pairs.as_bytes(), &[]).stdout)[0].get("force").is_none());
    let output = pipe(b"", &["--young=-3 Pa"]);
    assert!(matches!(output.status.code(), Some(1 | 2)), "{}", text(&output.stderr));
}
