//! Scenes at rest, their small motions, and how their outputs change with parameters, as a user asks for them.

use crate::command::{folder, rattleback, text};
use serde_json::Value;

/// A ball of 1 kg that begins 1 cm inside the floor, whose stiffness is 1e5 N/m.
const BALL: &str = r#"
title = "A ball in the floor"
gravity = [0, 0, -9.81]
contacts = [{ stiffness = 1e5, normal = { law = "hertz", exponent = 1 } }]
solver = { type = "mechanism", step = "1 ms" }
run = { duration = "0.1 s" }
materials.rubber = {}
[[bodies]]
name = "floor"
fixed = true
shape = { type = "plane", normal = [0, 0, 1] }
material = "rubber"
[[bodies]]
name = "ball"
position = [0, 0, "9 cm"]
shape = { type = "sphere", radius = "10 cm" }
material = "rubber"
mass = 1
inertia = [0.004, 0.004, 0.004]
"#;

fn table<'a>(told: &'a Value, heading: &str) -> &'a [Value] {
    let parts = told["parts"].as_array().unwrap();
    let part = parts.iter().find(|part| part["heading"] == heading);
    part.unwrap_or_else(|| panic!("no table {heading}: {told}"))["rows"].as_array().unwrap()
}

fn number(row: &Value, k: usize) -> f64 {
    row[k].as_str().unwrap().parse().unwrap()
}

#[test]
fn a_ball_that_begins_in_the_floor_rests_where_its_weight_presses_it_and_a_run_may_begin_there() {
    let here = folder("rest/ball");
    std::fs::write(here.join("ball.toml"), BALL).unwrap();
    let output = rattleback(&here, &["equilibrium", "ball.toml", "--json"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!((number(&table(&told, "Bodies")[0], 3) - (0.1 - 9.81e-5)).abs() < 1e-6);
    let contact = &table(&told, "Contacts")[0];
    assert!((number(contact, 6) - 9.81).abs() < 1e-5, "{contact}");
    let run = |arguments: &[&str]| {
        let output = rattleback(&here, &[&["run", "ball.toml", "--no-report"], arguments].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        let (said, folder) = (text(&output.stderr), here.join(arguments[1]));
        let states = std::fs::read_to_string(folder.join("states.csv")).unwrap();
        let last: Vec<String> = states.lines().last().unwrap().split(',').map(str::to_owned).collect();
        let column = states.lines().next().unwrap().split(',').position(|name| name == "z_m").unwrap();
        (said, last[column].parse::<f64>().unwrap())
    };
    let (said, height) = run(&["-o", "settled", "--settle"]);
    assert!(said.contains("Settled before the start: moved most was ball by 9.9019e-3 m"), "{said}");
    assert!((height - (0.1 - 9.81e-5)).abs() < 1e-9, "{height}");
    let (said, height) = run(&["-o", "thrown"]);
    assert!(said.contains("overlap") && height > 0.12, "{height}: {said}");
}

#[test]
fn modes_are_printed_and_put_on_a_page() {
    let here = folder("rest/modes");
    let output = rattleback(&here, &["modes", "pendulum", "--json", "-o", "page"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    let rows = table(&told, "Modes");
    // A point mass on a rod of a metre.
    let expected = 9.81_f64.sqrt() / std::f64::consts::TAU;
    assert!(rows.iter().any(|row| (number(row, 1) - expected).abs() < 1e-6), "{rows:?}");
    let page = std::fs::read_to_string(here.join("page/index.html")).unwrap();
    assert!(page.contains("frequency in Hz") && page.contains("<img"));
    let shapes = std::fs::read_to_string(here.join("page/modes.csv")).unwrap();
    assert!(shapes.starts_with("mode,re_1_s,im_1_s,body,re_x_m"), "{shapes}");
}

#[test]
fn what_has_no_rest_is_told_with_exit_code_4() {
    let here = folder("rest/none");
    std::fs::write(
        here.join("falls.toml"),
        BALL.replace("fixed = true\n", "fixed = true\nposition = [0, 0, -1e3]\n"),
    )
    .unwrap();
    let output = rattleback(&here, &["modes", "falls.toml", "--here"]);
    assert_eq!(output.status.code(), Some(4));
    assert!(text(&output.stderr).contains("the start is no rest"), "{}", text(&output.stderr));
}

#[test]
fn derivatives_of_a_throw_and_of_a_bounce_are_those_of_their_formulas() {
    let here = folder("rest/sensitivity");
    let scene = r#"
title = "A thrown ball"
gravity = [0, 0, -10]
parameters = { speed = "3 m/s", bounce = 0.5, idle = "1 kg" }
contacts = [{ stiffness = 1e9, normal = { law = "exact", restitution = "= bounce" } }]
run = { duration = "0.8 s" }
output = { every = "10 ms" }
materials.steel = { density = 7800 }
[[bodies]]
name = "floor"
fixed = true
shape = { type = "plane", normal = [0, 0, 1] }
material = "steel"
[[bodies]]
name = "ball"
position = [0, 0, "10 mm"]
velocity = ["= speed", 0, "= speed"]
shape = { type = "sphere", radius = "10 mm" }
material = "steel"
"#;
    std::fs::write(here.join("throw.toml"), scene).unwrap();
    let arguments = ["sensitivity", "throw.toml", "ball.x_m", "max ball.z_m", "ball.vz_m_per_s", "--json"];
    let output = rattleback(&here, &arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    let rows = table(&told, "Derivatives");
    let of = |output: &str, parameter: &str| {
        let row = rows.iter().find(|row| row[0] == output && row[2] == parameter).unwrap();
        number(row, 4)
    };
    assert!((of("ball.x_m", "speed") - 0.8).abs() < 1e-6);
    assert_eq!(of("ball.x_m", "idle"), 0.0);
    // Up v²/2g, at a record: 0.3 s is one; down again with v, and up with e v, 0.2 s later with e v − 0.2 g.
    assert!((of("max ball.z_m", "speed") - 0.3).abs() < 1e-3, "{rows:?}");
    assert!((of("ball.vz_m_per_s", "bounce") - 3.0).abs() < 1e-2, "{rows:?}");
    assert!((of("ball.vz_m_per_s", "speed") - (0.5 + 2.0)).abs() < 1e-2, "{rows:?}");
    let output = rattleback(&here, &["sensitivity", "throw.toml", "ball.x_m", "--of", "spede"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("the scene has bounce, idle, speed"), "{}", text(&output.stderr));
}
