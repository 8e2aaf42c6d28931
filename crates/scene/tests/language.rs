//! Parameters, expressions, loops, included files and JSON, as a whole scene sees them.

use rattleback_dynamics::Model;
use rattleback_dynamics::force::Force;
use rattleback_dynamics::joint::{Action, MotionLaw};
use rattleback_scene::{Format, Scene, SceneError, Setting, Source, parse_scene};
use std::path::PathBuf;

const HEAD: &str = r#"
title = "A test"
gravity = [0, 0, "=-g0"]
[materials.steel]
density = "7800 kg/m^3"
[[contacts]]
stiffness = 1e6
normal = { law = "exact", restitution = 0.5 }
[run]
duration = "0.1 s"
"#;

pub fn source(path: &str, text: String, beside: &[(&str, &str)]) -> Source {
    let beside = beside.iter().map(|(name, text)| (PathBuf::from(name), (*text).to_owned())).collect();
    Source { path: path.into(), text, beside }
}

pub fn scene(text: &str) -> Result<Scene, SceneError> {
    parse_scene(source("scene.toml", format!("{HEAD}{text}"), &[]))
}

/// What is said of a scene, each complaint with the text that it stands under.
fn refused(text: &str) -> Vec<(String, String)> {
    match scene(text) {
        Err(SceneError::Refused { file, complaints }) => complaints
            .iter()
            .map(|c| (c.sentence(), file.text.get(c.span.clone()).unwrap_or_default().to_owned()))
            .collect(),
        other => panic!("{other:?}: {text}"),
    }
}

fn position(model: &Model, name: &str) -> [f64; 3] {
    let body = model.bodies().iter().find(|body| body.name == name);
    body.unwrap_or_else(|| panic!("no {name}")).motion.pose.position.into()
}

const BALL: &str = r#"
[[bodies]]
name = "ball"
position = ["=3*radius + 2 mm", "=gap", "=-i0"]
velocity = ["=omega*radius", 0, 0]
shape = { type = "sphere", radius = "=radius" }
material = "steel"
[parameters]
gap = "=2*radius + 1 mm"
i0 = 0.5
omega = "3 rad/s"
radius = "12 mm"
"#;

#[test]
fn parameters_are_evaluated_in_any_order_and_named_with_their_values() {
    let scene = scene(BALL).unwrap();
    let body = &scene.model.bodies()[0];
    let [x, y, z] = position(&scene.model, "ball");
    assert!((x - 0.038).abs() < 1e-16 && (y - 0.025).abs() < 1e-16 && z == -0.5);
    assert!((body.motion.velocity.x - 0.036).abs() < 1e-16);
    assert_eq!(scene.model.gravity().z, -9.80665);
    let values: Vec<_> =
        scene.parameters.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let expected = [("gap", "0.025 m"), ("i0", "0.5"), ("omega", "3.0 s^-1 rad"), ("radius", "0.012 m")];
    assert_eq!(values, expected);
}

#[test]
fn settings_replace_parameters_in_the_text_that_is_kept() {
    let set = |list: &[&str]| {
        let settings: Vec<Setting> = list.iter().map(|text| text.parse().unwrap()).collect();
        let text = source("scene.toml", format!("{HEAD}{BALL}"), &[]);
        Format::default().parse_scene_with(text, &settings)
    };
    let changed = set(&["radius=15mm", "i0==2*3", "radius=16 mm"]).unwrap();
    assert_eq!(position(&changed.model, "ball"), [0.05, 0.033, -6.0]);
    assert!(changed.text.contains("radius = \"16 mm\"") && changed.text.contains("i0 = \"=2*3\""));
    let again = parse_scene(source("scene.toml", changed.text.clone(), &[])).unwrap();
    assert_eq!(again.model.bodies()[0].motion, changed.model.bodies()[0].motion);
    let message = set(&["radus=1mm"]).unwrap_err().to_string();
    assert!(
        message.contains("no parameter is named \"radus\"") && message.contains("did you mean \"radius\"?")
    );
    let message = set(&["radius=1s"]).unwrap_err().to_string();
    assert!(message.contains("a time; expected a length"), "{message}");
    for wrong in ["radius", "radius=", "radius=big", "radius=inf", "radius=1 furlong"] {
        assert!(wrong.parse::<Setting>().is_err(), "{wrong}");
    }
}

#[test]
fn mistakes_in_expressions_stand_under_the_part_that_is_wrong() {
    let body = |radius: &str| {
        format!(
            "[parameters]\nr = \"1 cm\"\n[[bodies]]\nname = \"a\"\nmaterial = \"steel\"\nshape = {{ type = \"sphere\", radius = {radius} }}\n"
        )
    };
    for (radius, said, under) in [
        ("\"= r + 2 s\"", "found a time together with a length", "2 s"),
        ("'=rr'", "nothing is named `rr`", "rr"),
        ("\"\"\"= r * (2\"\"\"", "this parenthesis is not closed", "("),
        ("\"\"\"\n= r / 0\"\"\"", "this is no finite number", "r / 0"),
        // With an escape, letters do not stand where they are counted.
        ("\"\\u003d rr\"", "nothing is named `rr`", "\"\\u003d rr\""),
        ("\"=r^2\"", "a quantity in m^2; expected a length", "\"=r^2\""),
        ("\"=\"", "it ends where", "\""),
    ] {
        let found = refused(&body(radius));
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].0.contains(said), "{found:?}");
        assert_eq!(found[0].1, under, "{found:?}");
    }
    let count = refused(
        "[[bodies]]\nname = \"a\"\nmass = 1\ninertia = [1, 1, 1]\ncopies = { count = [\"=2.5\", 1, 1], spacing = [1, 1, 1] }\n",
    );
    assert!(count[0].0.contains("which is 2.5; expected a whole number"), "{count:?}");
}

#[test]
fn circles_of_parameters_are_told_once_with_the_way_around() {
    let text = "[parameters]\na = \"=b\"\nb = \"=c + 1\"\nc = \"=a\"\nd = \"=a\"\nq = \"=q\"\n[[bodies]]\nname = \"x\"\nmass = \"=d\"\ninertia = [1, 1, 1]\n";
    let said: Vec<String> = refused(text).into_iter().map(|(said, _)| said).collect();
    assert_eq!(
        said,
        ["parameters.a: it depends on itself: a → b → c → a", "parameters.q: it depends on itself: q → q"]
    );
    // A chain as long as this would be too deep for a function that calls itself.
    let mut long =
        "[[bodies]]\nname = \"x\"\nmass = \"=p0 + 1\"\ninertia = [1, 1, 1]\n[parameters]\n".to_owned();
    for k in 0..20_000 {
        long += &format!("p{k} = \"=p{}\"\n", k + 1);
    }
    assert!(scene(&(long.clone() + "p20000 = 1\n")).is_ok());
    let circle = refused(&(long + "p20000 = \"=p0\"\n"));
    assert_eq!(circle.len(), 1);
}

#[test]
fn names_of_units_constants_and_functions_are_no_parameters() {
    for (name, what) in [("m", "a unit"), ("mm", "a unit"), ("pi", "a constant"), ("sin", "a function")] {
        let found = refused(&format!("[parameters]\n{name} = 1\n[[bodies]]\nname = \"x\"\nfixed = true\n"));
        assert!(found[0].0.contains(&format!("`{name}` is {what}")), "{found:?}");
    }
    let found =
        refused("[parameters]\n\"a b\" = 1\nx = [1]\ny = nan\n[[bodies]]\nname = \"x\"\nfixed = true\n");
    assert_eq!(found.len(), 3, "{found:?}");
}

const RING: &str = r#"
[parameters]
n = 6
[[bodies]]
name = "hub"
fixed = true
[[repeat]]
index = "i"
count = "=n"
[[repeat.bodies]]
name = "ball {i}"
position = ["=cos(2*pi*i/n)*1 m", "=sin(2*pi*i/n)*1 m", 0]
shape = { type = "sphere", radius = 0.1 }
material = "steel"
[[repeat.forces]]
type = "spring"
bodies = ["ball {i}", "ball {mod(i + 1, n)}"]
points = [[0, 0, 0], [0, 0, 0]]
stiffness = 10
"#;

#[test]
fn a_loop_makes_a_closed_ring_of_balls_and_springs() {
    let scene = scene(RING).unwrap();
    let names: Vec<&str> = scene.model.bodies().iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["hub", "ball 0", "ball 1", "ball 2", "ball 3", "ball 4", "ball 5"]);
    let [x, y, _] = position(&scene.model, "ball 2");
    assert!((x + 0.5).abs() < 1e-15 && (y - 0.75_f64.sqrt()).abs() < 1e-15);
    let ends: Vec<[usize; 2]> = scene
        .model
        .forces()
        .iter()
        .map(|force| match force {
            Force::SpringDamper(spring) => [spring.a.body.0, spring.b.body.0],
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(ends, [[1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 1]]);
}

#[test]
fn loops_within_loops_have_both_indices_and_bounds_that_depend_on_the_outer_one() {
    let text = r#"
[[repeat]]
index = "i"
count = 3
from = 1
[[repeat.repeat]]
index = "j"
count = "=i"
[[repeat.repeat.bodies]]
name = "{i}.{j} {{}}"
mass = "=i + j/10"
inertia = [1, 1, 1]
"#;
    let scene = scene(text).unwrap();
    let found: Vec<(String, f64)> =
        scene.model.bodies().iter().map(|body| (body.name.clone(), body.body.mass)).collect();
    let expected = [
        ("1.0 {}", 1.0),
        ("2.0 {}", 2.0),
        ("2.1 {}", 2.1),
        ("3.0 {}", 3.0),
        ("3.1 {}", 3.1),
        ("3.2 {}", 3.2),
    ];
    assert_eq!(found, expected.map(|(name, mass)| (name.to_owned(), mass)));
}

#[test]
fn mistakes_in_loops_are_told_once() {
    let change = |from: &str, to: &str| {
        assert!(RING.contains(from), "{from}");
        refused(&RING.replacen(from, to, 1))
    };
    for (from, to, said, under) in [
        ("\"i\"", "\"m\"", "repeat[0].index: `m` is a unit; expected another name", "\"m\""),
        ("\"i\"", "\"n\"", "`n` is a parameter", "\"n\""),
        ("\"ball {i}\"", "\"ball {k}\"", "nothing is named `k`", "k"),
        ("\"ball {i}\"", "\"ball {i\"", "found a single `{`", "{"),
        ("\"ball {i}\"", "\"ball {i*1 m}\"", "found a length; expected a number without unit", "i*1 m"),
        ("radius = 0.1", "radius = \"=rad*2\"", "an angle; expected a length", "\"=rad*2\""),
        ("radius = 0.1", "radius = \"=1/(i - 3)\"", "this is no finite number (where i = 3)", "1/(i - 3)"),
        ("count = \"=n\"", "count = 5000000", "more than 4194304 values", "5000000"),
        ("count = \"=n\"", "cont = 3", "repeat[0]: missing key `count`", "cont"),
        ("[[repeat.bodies]]", "[repeat.bodies]", "bodies: found a table; expected a list", ""),
    ] {
        let found = change(from, to);
        assert!(found[0].0.contains(said), "{to}: {found:?}");
        assert!(under.is_empty() || found.iter().any(|(_, text)| text == under), "{to}: {found:?}");
        assert!(found.len() <= 2, "{to}: {found:?}");
    }
    let nested = "[[repeat]]\nindex = \"i\"\ncount = 10\n[[repeat.repeat]]\nindex = \"i\"\ncount = 2\n";
    let told =
        |text: &str, said: &str| refused(text).iter().filter(|(found, _)| found.contains(said)).count();
    assert_eq!(told(nested, "`i` is the index of the loop about this one"), 1);
    // Nothing is made, but it would take for ever.
    let empty = "[[repeat]]\nindex = \"i\"\ncount = 9000000000\n[[repeat.repeat]]\nindex = \"j\"\ncount = 9000000000\n";
    assert_eq!(told(empty, "the loops make more than"), 1);
}

#[test]
fn included_files_are_merged_and_say_where_their_mistakes_are() {
    let main = format!(
        "include = [\"lib/balls.toml\", \"lib/other.json\"]\n{HEAD}\n[[bodies]]\nname = \"own\"\nfixed = true\n"
    );
    let balls = "include = \"sizes.toml\"\n[[bodies]]\nname = \"ball\"\nshape = { type = \"sphere\", radius = \"=radius\" }\nmaterial = \"steel\"\n";
    let other =
        "{\"include\": [\"./../lib/sizes.toml\"], \"bodies\": [{\"name\": \"third\", \"fixed\": true}]}";
    let read = |balls: &str, sizes: &str| {
        let beside = [("lib/balls.toml", balls), ("lib/other.json", other), ("lib/sizes.toml", sizes)];
        parse_scene(source("a/scene.toml", main.clone(), &beside))
    };
    let scene = read(balls, "[parameters]\nradius = \"3 cm\"\n").unwrap();
    let names: Vec<&str> = scene.model.bodies().iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["ball", "third", "own"], "{}", scene.text);
    let files: Vec<&String> = scene.inputs.keys().collect();
    assert_eq!(files, ["lib/balls.toml", "lib/other.json", "lib/sizes.toml"]);
    // The merged text stands for all of them.
    let again = parse_scene(source("scene.toml", scene.text.clone(), &[])).unwrap();
    assert_eq!(again.model.bodies()[0].body, scene.model.bodies()[0].body);

    let message =
        read(&balls.replace("=radius", "=radus"), "[parameters]\nradius = 1\n").unwrap_err().to_string();
    assert!(message.contains("--> a/lib/balls.toml:4:39"), "{message}");
    let message = read(balls, "[materials.steel]\ndensity = 1\n").unwrap_err().to_string();
    assert!(message.contains("`materials.steel` is said already, at a/lib/sizes.toml:1:12"), "{message}");
    let message = read(balls, "title = \"twice\"\n").unwrap_err().to_string();
    assert!(message.contains("`title` is said already, at a/lib/sizes.toml:1:1"), "{message}");
    let message = read(balls, "include = \"balls.toml\"\n").unwrap_err().to_string();
    assert!(
        message.contains("it includes itself: lib/balls.toml → lib/sizes.toml → lib/balls.toml"),
        "{message}"
    );
    let message = read(balls, "include = \"nowhere.toml\"\n").unwrap_err().to_string();
    assert!(message.contains("the file \"lib/nowhere.toml\" cannot be read"), "{message}");
    let message = read(balls, "x = \n").unwrap_err().to_string();
    assert!(message.contains("a/lib/sizes.toml:1:"), "{message}");
}

#[test]
fn files_that_an_included_file_names_are_looked_for_beside_it() {
    let main = format!("include = \"lib/solid.toml\"\n{HEAD}");
    let solid = "[[bodies]]\nname = \"solid\"\nfixed = true\nmaterial = \"steel\"\nshape = { type = \"mesh\", file = \"t.obj\" }\n";
    let mesh = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    let beside = [("lib/solid.toml", solid), ("lib/t.obj", mesh)];
    let scene = parse_scene(source("scene.toml", main, &beside)).unwrap();
    assert_eq!(scene.files, [PathBuf::from("lib/t.obj")]);
    let again = parse_scene(source("scene.toml", scene.text, &beside[1..])).unwrap();
    assert_eq!(again.files, [PathBuf::from("lib/t.obj")]);
}

#[test]
fn a_scene_in_json_is_read_as_its_twin_in_toml() {
    let text = r#"{
  "title": "A test", "gravity": [0, 0, -9.81], "run": {"duration": "0.1 s"},
  "parameters": {"r": "2 cm"},
  "materials": {"steel": {"density": 7800}},
  "bodies": [
    {"name": "ball", "shape": {"type": "sphere", "radius": "=r"}, "material": "steel", "position": [0, 0, "5 cm"]}
  ]
}"#;
    let scene = parse_scene(source("scene.json", text.to_owned(), &[])).unwrap();
    assert_eq!(position(&scene.model, "ball"), [0.0, 0.0, 0.05]);
    let again = parse_scene(source("scene.toml", scene.text, &[])).unwrap();
    assert_eq!(again.model.bodies()[0].body, scene.model.bodies()[0].body);
    let broken =
        text.replace("\"=r\"", "\"=r + 1 s\"").replace("5 cm", "5 kg").replace("\"name\"", "\"nam\"");
    let message = parse_scene(source("scene.json", broken, &[])).unwrap_err().to_string();
    for place in ["scene.json:6:6", "scene.json:6:65", "scene.json:6:112"] {
        assert!(message.contains(place), "{place}: {message}");
    }
    let message = parse_scene(source("scene.json", "{\"title\": }".to_owned(), &[])).unwrap_err().to_string();
    assert!(message.contains("scene.json:1:11"), "{message}");
}

pub const CRANK: &str = r#"
[parameters]
swing = "0.2 rad"
[[bodies]]
name = "base"
fixed = true
[[bodies]]
name = "arm"
mass = 1
inertia = [1, 1, 1]
[[joints]]
name = "hinge"
type = "revolute"
bodies = ["base", "arm"]
point = [0, 0, 0]
axis = [0, 0, 1]
motor = { expression = "swing * sin(2*pi*t/1 s)^2" }
"#;

#[test]
fn a_motor_follows_an_expression_with_its_exact_rates() {
    let found = scene(CRANK).unwrap();
    let Action::Motor(MotionLaw::Formula(formula)) = &found.model.actions()[0].action else {
        panic!("no formula")
    };
    let (t, w) = (0.03_f64, std::f64::consts::TAU);
    let [value, rate, second] = formula.at(t);
    assert!((value - 0.2 * (w * t).sin().powi(2)).abs() < 1e-16);
    assert!((rate - 0.2 * w * (2.0 * w * t).sin()).abs() < 1e-14);
    assert!((second - 0.4 * w * w * (2.0 * w * t).cos()).abs() < 1e-13);
    let effort = CRANK.replace("motor = {", "effort = {").replace("swing *", "3 N m *");
    assert!(matches!(scene(&effort).unwrap().model.actions()[0].action, Action::EffortFormula(_)));
}

#[test]
fn expressions_of_time_that_jump_diverge_or_have_another_dimension_are_refused() {
    for (expression, said, under) in [
        ("0.2 m * sin(t/1 s)", "a length; expected an angle", "\"0.2 m * sin(t/1 s)\""),
        ("swing*t", "a quantity in s rad; expected an angle", "\"swing*t\""),
        ("swing*abs(sin(t/1 s))", "whose value or rate jumps", "abs(sin(t/1 s))"),
        ("swing/(t/1 s - 0.05)", "is not finite at t = 0.05", "\"0.1 s\""),
        ("swing*sqrt(t/1 s)", "is not finite at t = 0 s", "\"0.1 s\""),
        ("swing*sin(t)", "found a time; expected a number or an angle", "t"),
        ("swing*tt/1 s", "nothing is named `tt`", "tt"),
    ] {
        let found = refused(&CRANK.replace("swing * sin(2*pi*t/1 s)^2", expression));
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].0.contains(said), "{found:?}");
        assert_eq!(found[0].1, under, "{found:?}");
    }
    // A control may follow what jumps.
    let control = CRANK.replace("swing * sin(2*pi*t/1 s)^2\"", "swing*floor(t/1 s)\", stiffness = 10");
    assert!(scene(&control).is_ok());
    let twice = refused(&CRANK.replace("motor = {", "motor = { rate = 1,"));
    assert!(
        twice[0].0.contains("found `rate` and `expression`, which say the motion in two ways"),
        "{twice:?}"
    );
}

#[test]
fn a_body_moves_by_expressions_of_time() {
    let text = r#"
[[bodies]]
name = "cam"
position = [1, 2, 3]
mass_centre = [0.5, 0, 0]
motion = { type = "expression", position = ["10 cm * t/1 s", 0, "1 m + 2 m/s^2 * t^2"], angle = "90 deg * t/1 s" }
[[bodies]]
name = "ball"
mass = 1
inertia = [1, 1, 1]
[[forces]]
type = "expression"
body = "ball"
force = ["3 N * cos(t/1 s)", 0, 0]
torque = [0, 0, "=2 N m * t/1 s"]
"#;
    let found = scene(text).unwrap();
    let rattleback_dynamics::model::Mobility::Prescribed(motion) = &found.model.bodies()[0].mobility else {
        panic!("not prescribed")
    };
    let then = motion.at(1.0);
    let at: [f64; 3] = then.motion.pose.position.into();
    for (found, expected) in at.into_iter().zip([0.1, 0.5, 3.0]) {
        assert!((found - expected).abs() < 1e-15, "{at:?}");
    }
    let load = found.model.forces()[0].load(2.0, &found.state.motions, false).unwrap();
    assert!((load.on(0)[0].x - 3.0 * 2.0_f64.cos()).abs() < 1e-15 && (load.on(0)[1].z - 4.0).abs() < 1e-15);
    let wrong = refused(&text.replace("3 N * cos", "3 m * cos"));
    assert!(wrong[0].0.contains("a length; expected a force"), "{wrong:?}");
    let neither = refused(&text.replace("position = [\"10", "positio = [\"10"));
    assert!(
        neither.iter().any(|(said, _)| said.contains("did you mean") || said.contains("unknown key")),
        "{neither:?}"
    );
}
