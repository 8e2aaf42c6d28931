//! The smaller verbs, as a user calls them.

use crate::command::{command, folder, rattleback, text};
use serde_json::Value;
use std::path::Path;

#[test]
fn an_example_is_listed_written_out_checked_and_not_overwritten() {
    let here = folder("verbs/examples");
    let listed = text(&rattleback(&here, &["examples"]).stdout);
    assert!(listed.contains("roemer_box") && listed.contains("Two ellipsoids in a box"), "{listed}");
    let told: Value = serde_json::from_slice(&rattleback(&here, &["examples", "--json"]).stdout).unwrap();
    for example in told.as_array().unwrap() {
        assert!(!example["description"].as_str().unwrap().is_empty(), "{example}");
    }
    assert!(rattleback(&here, &["examples", "heap"]).status.success());
    let output = rattleback(&here, &["check", "heap.toml"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("126 bodies"), "{}", text(&output.stdout));
    let output = rattleback(&here, &["examples", "heap"]);
    assert_eq!(output.status.code(), Some(5));
    let output = rattleback(&here, &["examples", "heep"]);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn an_example_brings_the_files_that_it_names() {
    let here = folder("verbs/beside");
    // Built in, they are on no disk; the report finds them again.
    let short =
        ["run", "bowl", "--duration", "20ms", "--every", "10ms", "--no-report", "--quiet", "-o", "built-in"];
    let output = rattleback(&here, &short);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(rattleback(&here, &["report", "built-in", "--quiet"]).status.success());
    let output = rattleback(&here, &["examples", "bowl"]);
    assert!(
        text(&output.stdout).contains("Written: bowl.toml, bowl.obj, table.obj"),
        "{}",
        text(&output.stdout)
    );
    assert!(rattleback(&here, &["check", "bowl.toml"]).status.success());
    // Written out, the ones on the disk count.
    std::fs::write(here.join("bowl.obj"), "v 0 0 nought\n").unwrap();
    let output = rattleback(&here, &["check", "bowl.toml"]);
    assert!(text(&output.stderr).contains("bowl.obj"), "{}", text(&output.stderr));
    std::fs::remove_file(here.join("bowl.toml")).unwrap();
    assert_eq!(rattleback(&here, &["examples", "bowl"]).status.code(), Some(5));
    assert!(!here.join("bowl.toml").exists(), "half of an example was written");
}

#[test]
fn copies_by_the_ten_thousand_are_checked_without_listing_their_pairs() {
    let here = folder("verbs/copies");
    let scene = r#"
title = "Balls"
gravity = [0, 0, -9.81]
materials.steel = { density = "7800 kg/m^3" }
contacts = [{ stiffness = 1e6, normal = { law = "exact", restitution = 0.5 } }]
solver = { type = "many", step = "0.1 ms" }
run = { duration = "1 s" }

[[bodies]]
name = "floor"
fixed = true
shape = { type = "plane", normal = [0, 0, 1] }
material = "steel"

[[bodies]]
name = "ball"
position = [0, 0, "1 m"]
shape = { type = "sphere", radius = "10 mm" }
material = "steel"
copies = { count = [100, 40, 10], spacing = ["30 mm", "30 mm", "30 mm"] }
"#;
    std::fs::write(here.join("balls.toml"), scene).unwrap();
    let output = rattleback(&here, &["check", "balls.toml"]);
    // n(n − 1)/2 pairs of balls, and n with the floor, of which a list would take 70 gigabytes.
    let said = "balls.toml: Balls; 40001 bodies, 800020000 pairs that may touch, 1 s\n";
    assert_eq!(text(&output.stdout), said, "{}", text(&output.stderr));
}

#[test]
fn a_report_of_rigid_contacts_speaks_of_no_overlap() {
    let here = folder("verbs/rigid");
    let page = |scene: &str| {
        let output = rattleback(&here, &["run", scene, "--duration", "200ms", "--quiet", "-o", scene]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        std::fs::read_to_string(here.join(scene).join("report.html")).unwrap()
    };
    let (rigid, soft) = (page("incline"), page("demonstration"));
    for part in ["Gaps of touching bodies", "Greatest normal force", "deepest in m"] {
        assert!(soft.contains(part) && !rigid.contains(part), "{part}");
    }
    for part in ["Normal forces at the records", "begins at s"] {
        assert!(soft.contains(part) && rigid.contains(part), "{part}");
    }
}

#[test]
fn the_scenes_of_the_readme_are_right() {
    let here = folder("verbs/readme");
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let readme = std::fs::read_to_string(readme).unwrap();
    let blocks = readme.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next());
    let scenes: Vec<&str> = blocks.filter(|block| block.starts_with("title")).collect();
    assert_eq!(scenes.len(), 3);
    for scene in scenes {
        std::fs::write(here.join("scene.toml"), scene).unwrap();
        let output =
            rattleback(&here, &["run", "scene.toml", "--duration", "50ms", "--no-report", "--quiet"]);
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
}

#[test]
fn the_published_schema_is_the_one_of_the_code() {
    let here = folder("verbs/schema");
    for (of, file) in
        [("scene", "scene.schema.json"), ("shape", "shape.schema.json"), ("study", "study.schema.json")]
    {
        let printed = text(&rattleback(&here, &["schema", of]).stdout);
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(file);
        if std::env::var_os("RATTLEBACK_BLESS").is_some() {
            std::fs::write(&path, &printed).unwrap();
        }
        let published = std::fs::read_to_string(&path).unwrap();
        assert!(published == printed, "rattleback schema {of} > docs/{file}");
        let schema: Value = serde_json::from_str(&printed).unwrap();
        assert_references_exist(&schema, &schema);
    }
}

/// Whether every `$ref` leads somewhere.
fn assert_references_exist(value: &Value, root: &Value) {
    match value {
        Value::Object(map) => {
            if let Some(Value::String(reference)) = map.get("$ref") {
                let target = root.pointer(reference.strip_prefix('#').unwrap());
                assert!(target.is_some_and(Value::is_object), "{reference}");
            }
            map.values().for_each(|value| assert_references_exist(value, root));
        }
        Value::Array(list) => list.iter().for_each(|value| assert_references_exist(value, root)),
        _ => {}
    }
}

#[test]
fn figures_and_pages_are_made_from_results() {
    let here = folder("verbs/figures");
    let run = ["run", "marques_ball", "--duration", "0.3s", "--every", "2ms", "-o", "ball", "--no-report"];
    assert!(rattleback(&here, &run).status.success());
    for name in ["a.svg", "a.png"] {
        let output = rattleback(&here, &["plot", "ball", "ball.z_m", "energy.kinetic_J", "-o", name]);
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    assert!(std::fs::read_to_string(here.join("a.svg")).unwrap().contains("energy.kinetic_J"));
    assert_eq!(&std::fs::read(here.join("a.png")).unwrap()[1..4], b"PNG");
    let over = ["plot", "ball", "energy.kinetic_J", "--over", "ball.z_m", "-o", "over.svg"];
    assert!(rattleback(&here, &over).status.success());
    let svg = std::fs::read_to_string(here.join("over.svg")).unwrap();
    assert!(
        svg.contains("ball.z_m") && svg.contains("<polyline") && !svg.contains("time in s"),
        "{svg:.400}"
    );
    let output = rattleback(&here, &["plot", "ball", "floor|ball.normal_force_N", "ball.zm"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stderr).contains("there is no column \"zm\"; expected one of x_m"),
        "{}",
        text(&output.stderr)
    );
    assert_eq!(rattleback(&here, &["plot", "ball", "ball.z_m", "-o", "a.gif"]).status.code(), Some(2));
    let output = rattleback(&here, &["report", "ball"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(here.join("ball/report.html").exists());
    let told = text(&rattleback(&here, &["info", "ball", "--columns"]).stdout);
    assert!(told.contains("finished") && told.contains("Mass centre, x."), "{told}");
    let told = text(&rattleback(&here, &["info", "nowhere"]).stdout);
    assert!(told.is_empty());
}

#[test]
fn shells_get_their_completions() {
    let here = folder("verbs/completions");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = text(&rattleback(&here, &["completions", shell]).stdout);
        assert!(script.contains("resume") && script.contains("checkpoint"), "{shell}");
    }
}

#[test]
fn every_verb_has_help_with_examples() {
    let here = folder("verbs/help");
    let help = text(&rattleback(&here, &["--help"]).stdout);
    assert!(help.contains("Exit codes"), "{help}");
    for verb in [
        "run", "check", "distance", "shape", "curve", "study", "plot", "report", "info", "resume", "schema",
        "examples",
    ] {
        assert!(help.contains(verb), "{verb}");
        let own = text(&rattleback(&here, &[verb, "--help"]).stdout);
        assert!(own.contains("Example"), "{verb}: {own}");
    }
}

#[test]
fn a_reader_that_has_gone_is_no_failure() {
    let here = folder("verbs/closed");
    assert!(rattleback(&here, &["examples", "marques_ball"]).status.success());
    // A line that does not end well, remarks and progress on standard error, results on standard output.
    std::fs::write(here.join("wrong.toml"), "title = 3\n").unwrap();
    let runs: [(&[&str], i32); 3] = [
        (&["check", "wrong.toml"], 1),
        (&["examples"], 0),
        (&["run", "marques_ball.toml", "--duration", "10ms", "--no-report", "-o", "out"], 0),
    ];
    for (arguments, code) in runs {
        let closed = || {
            let (reader, writer) = std::io::pipe().unwrap();
            drop(reader);
            writer
        };
        let status = command(&here, arguments).stdout(closed()).stderr(closed()).status().unwrap();
        assert_eq!(status.code(), Some(code), "{arguments:?}");
    }
}
