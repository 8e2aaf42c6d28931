#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::super::testing::{ball, lowered, refused};
use super::PrescribedMotionSpec;
use rattleback_dynamics::Ends;
use rattleback_dynamics::model::{Freedom, Harmonic, PrescribedMotion};
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::{Pose, Vec3};
use std::f64::consts::TAU;

fn read(text: &str) -> Result<PrescribedMotion, Vec<String>> {
    lowered(text, |spec: &PrescribedMotionSpec, _, reader| spec.lower(&ball(), &Vec3::zeros(), reader))
}

fn told<const N: usize>(text: &str, mistakes: [((&str, &str), &str); N]) {
    for (change, said) in mistakes {
        refused(text, change, said, |spec: &PrescribedMotionSpec, _, reader| {
            spec.lower(&ball(), &Vec3::zeros(), reader)
        });
    }
}

const HARMONIC: &str = "type = \"harmonic\"\nterms = [\n{ freedom = \"heave\", amplitude = \"1.5 cm\", frequency = \"2 Hz\" },\n\
    { freedom = \"roll\", amplitude = \"5 deg\", frequency = \"0.7 rad/s\", phase = \"90 deg\" },\n]\n";

#[test]
fn harmonics_swing_about_the_rest_pose() {
    let terms = [
        Harmonic { freedom: Freedom::Heave, amplitude: 0.015, frequency: 2.0 * TAU, phase: 0.0 },
        Harmonic {
            freedom: Freedom::Roll,
            amplitude: 5.0_f64.to_radians(),
            frequency: 0.7,
            phase: TAU / 4.0,
        },
    ];
    assert_eq!(read(HARMONIC), Ok(PrescribedMotion::harmonic(ball(), &terms).unwrap()));
    for (word, freedom) in
        [("surge", Freedom::Surge), ("sway", Freedom::Sway), ("pitch", Freedom::Pitch), ("yaw", Freedom::Yaw)]
    {
        let text = format!(
            "type = \"harmonic\"\nterms = [{{ freedom = \"{word}\", amplitude = 1, frequency = 3 }}]\n"
        );
        let term = Harmonic { freedom, amplitude: 1.0, frequency: 3.0 * TAU, phase: 0.0 };
        assert_eq!(read(&text), Ok(PrescribedMotion::harmonic(ball(), &[term]).unwrap()), "{word}");
    }
}

#[test]
fn a_wrong_harmonic_is_told() {
    told(
        HARMONIC,
        [
            (
                ("\"1.5 cm\"", "\"15 deg\""),
                "3:34 terms[0].amplitude: found \"15 deg\", an angle; expected a length in SI units or with a unit, such as \"37.5 mm\"",
            ),
            (
                ("\"5 deg\"", "\"5 mm\""),
                "4:33 terms[1].amplitude: found \"5 mm\", a length; expected an angle in SI units or with a unit, such as \"30 deg\"",
            ),
            (("\"1.5 cm\"", "nan"), "3:34 terms[0].amplitude: found NaN; expected a finite number"),
            (("\"2 Hz\"", "inf"), "3:56 terms[0].frequency: found inf; expected a finite number"),
            (("\"90 deg\"", "nan"), "4:75 terms[1].phase: found NaN; expected a finite number"),
            (
                ("\"heave\"", "\"heaf\""),
                "3:13 terms[0].freedom: found the text \"heaf\"; expected `surge`, `sway`, `heave`, `roll`, `pitch` or `yaw`",
            ),
        ],
    );
    let none = "type = \"harmonic\"\nterms = []\n";
    assert_eq!(read(none).unwrap_err(), ["2:9 terms: found none; expected one at least"]);
}

const TABLE: &str = "type = \"table\"\ntimes = [0, \"1 s\", 3]\npositions = [[0, 0, 0], [\"37.5 mm\", 0, 0], [1, 0, 0]]\n\
    orientations = [[1, 0, 0, 0], { axis = [0, 0, 1], angle = 0.5 }, { axis = [0, 0, 1], angle = 1 }]\n\
    ends = \"natural\"\n";

#[test]
fn a_table_of_poses_is_a_course() {
    let turn = |angle: f64| UnitQuaternion::from_axis_angle(&Vec3::z_axis(), angle);
    let poses = [(0.0, 0.0), (0.0375, 0.5), (1.0, 1.0)]
        .map(|(x, angle)| Pose::new(Vec3::new(x, 0.0, 0.0), turn(angle)));
    let times = [0.0, 1.0, 3.0];
    assert_eq!(read(TABLE), Ok(PrescribedMotion::table(&times, &poses, Ends::Natural).unwrap()));
    let short =
        "type = \"table\"\ntimes = [0, 1, 3]\npositions = [[0, 0, 0], [\"37.5 mm\", 0, 0], [1, 0, 0]]\n";
    let straight = poses.map(|pose| Pose { orientation: ball().orientation, ..pose });
    assert_eq!(read(short), Ok(PrescribedMotion::table(&times, &straight, Ends::AtRest).unwrap()));
    let still = "type = \"table\"\ntimes = [0, 1]\norientations = [[1, 0, 0, 0], { axis = [0, 0, 1], angle = 0.5 }]\n";
    let turning = [0.0, 0.5].map(|angle| Pose::new(ball().position, turn(angle)));
    assert_eq!(read(still), Ok(PrescribedMotion::table(&[0.0, 1.0], &turning, Ends::AtRest).unwrap()));
}

#[test]
fn a_wrong_table_of_poses_is_told() {
    told(
        TABLE,
        [
            (("\"1 s\"", "4"), "2:9 times[2]: found 3 after 4; expected times that increase"),
            (("\"37.5 mm\"", "nan"), "3:13 positions[1][0]: found NaN; expected a finite number"),
            (
                ("angle = 1 ", "angle = 3.5 "),
                "4:16 orientations: orientations[1] and orientations[2]: the turn between them is too large, or too sudden: give poses in between",
            ),
        ],
    );
    let nothing = "type = \"table\"\ntimes = [0, 1]\n";
    let said = "1:1 found neither; expected `positions`, `orientations` or both";
    assert_eq!(read(nothing).unwrap_err(), [said]);
    let fewer = TABLE.replace("[\"37.5 mm\", 0, 0], ", "");
    let said = "3:13 positions: found 2 of them for 3 times; expected as many";
    assert_eq!(read(&fewer).unwrap_err(), [said]);
    let fewer = TABLE.replace("[1, 0, 0, 0], ", "");
    let said = "4:16 orientations: found 2 of them for 3 times; expected as many";
    assert_eq!(read(&fewer).unwrap_err(), [said]);
}

#[test]
fn a_body_turns_at_a_constant_rate() {
    let text = "type = \"turning\"\naxis = [0, 2, 0]\nrate = \"60 rpm\"\npoint = [1, 0, 0]\n";
    let spun = |point, velocity| {
        PrescribedMotion::turning(ball(), Vec3::y() * std::f64::consts::TAU, point, velocity).unwrap()
    };
    assert_eq!(read(text), Ok(spun(Vec3::x(), Vec3::zeros())));
    let moved = format!("{text}velocity = [0, 0, \"10 mm/s\"]\n");
    assert_eq!(read(&moved), Ok(spun(Vec3::x(), Vec3::new(0.0, 0.0, 0.01))));
    told(
        text,
        [
            (("[0, 2, 0]", "[0, 0, 0]"), "2:8 axis: found a vector of length zero; expected a direction"),
            (("\"60 rpm\"", "inf"), "3:8 rate: found inf; expected a finite number"),
        ],
    );
    let nothing = "type = \"turning\"\n";
    assert_eq!(read(nothing).unwrap_err(), ["1:1 found neither; expected `rate`, `velocity` or both"]);
}
