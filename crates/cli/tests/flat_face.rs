//! A ball on the all but flat face of a rounded box: derivatives of the contact are what `stiff` and `mechanism` solve
//! with, and where they are infinite or no numbers a run cannot go on.

use crate::command::{folder, rattleback, text};
use serde_json::Value;

/// The box, turned by 20° about y, carries a ball of 10 cm on its upper face, `down` metres from the middle of the
/// slope and `off` metres above the box's centre along the face's normal (sin 20°, 0, cos 20°); at 1.1 m the ball just
/// touches.
fn scene(solver: &str, [down, off]: [f64; 2]) -> String {
    let (sin, cos) = 20f64.to_radians().sin_cos();
    format!(
        r#"
title = "A ball on a rounded box"
gravity = [0, 0, -9.81]

[materials.steel]
density = "7800 kg/m^3"

[[bodies]]
name = "box"
fixed = true
orientation = {{ axis = [0, 1, 0], angle = "20 deg" }}
shape = {{ type = "superellipsoid", semi_axes = [1, 1, 1], exponents = [20, 20] }}
material = "steel"

[[bodies]]
name = "ball"
position = [{x:e}, 0, {z:e}]
shape = {{ type = "sphere", radius = "10 cm" }}
material = "steel"

[[contacts]]
materials = ["steel", "steel"]
stiffness = 1e6
normal = {{ law = "exact", restitution = 0.5, exponent = 1 }}
friction = {{ law = "coulomb", coefficient = 0.3, transition = "1 mm/s" }}

[solver]
{solver}

[run]
duration = "0.3 s"

[output]
every = "10 ms"
"#,
        x = off * sin + down * cos,
        z = off * cos - down * sin,
    )
}

/// Rolling down a slope of 20° the centre of a ball has the acceleration 5/7 g sin 20°, and tan 20° < 7/2 · 0.3 lets it
/// roll.
#[test]
fn a_ball_rolls_down_the_flat_face_of_a_rounded_box_in_every_engine_that_solves_with_derivatives() {
    let here = folder("flat_face");
    let solvers = ["type = \"stiff\"", "type = \"mechanism\"\nstep = \"0.1 ms\""];
    for (k, solver) in solvers.into_iter().enumerate() {
        for start in [[0.0, 1.1], [0.0, 1.101], [-0.4, 1.1]] {
            std::fs::write(here.join("box.toml"), scene(solver, start)).unwrap();
            let results = format!("run-{k}-{}-{}", start[0], start[1]);
            let output = rattleback(&here, &["run", "box.toml", "--json", "--no-report", "-o", &results]);
            assert_eq!(output.status.code(), Some(0), "{solver} {start:?}: {}", text(&output.stderr));
            let told: Value = serde_json::from_slice(&output.stdout).unwrap();
            assert!(told["health"]["healthy"].as_bool().unwrap(), "{solver} {start:?}: {told}");
            let states = std::fs::read_to_string(here.join(&results).join("states.csv")).unwrap();
            assert!(!states.contains("NaN") && !states.contains("inf"), "{solver} {start:?}");
            let last = states.lines().rev().find(|line| line.contains("ball")).unwrap();
            let at: Vec<f64> = last.split(',').skip(2).take(3).map(|x| x.parse().unwrap()).collect();
            let (sin, cos) = 20f64.to_radians().sin_cos();
            let (down, off) = (at[0] * cos - at[2] * sin, at[0] * sin + at[2] * cos);
            let rolled = 0.5 * 5.0 / 7.0 * 9.81 * sin * 0.3 * 0.3;
            assert!((down - start[0] - rolled).abs() < 0.02 * rolled, "{solver} {start:?}: {down} {rolled}");
            assert!((off - 1.1).abs() < 1e-3, "{solver} {start:?}: {off}");
        }
    }
}
