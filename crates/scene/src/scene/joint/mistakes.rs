//! Every mistake in a joint, and the sentence that tells it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::super::testing::refused;
use super::JointSpec;
use super::tests::{AT, read, text};

fn told(text: &str, change: (&str, &str), said: &str) {
    refused(text, change, said, |spec: &JointSpec, frames, reader| spec.lower(frames, reader));
}

#[test]
fn a_joint_in_the_wrong_place_is_told() {
    let hinge = text("revolute", AT);
    for (change, said) in [
        (
            ("\"ball\"", "\"bal\""),
            "3:20 bodies[1]: no body is named \"bal\"; expected `frame`, `ball` or `wheel`",
        ),
        (("\"ball\"", "\"frame\""), "3:20 bodies[1]: found \"frame\" again; expected another body"),
        (("[0, 3, 4]", "[0, 0, 0]"), "5:8 axis: found a vector of length zero; expected a direction"),
        (("[0, 3, 4]", "[0, nan, 4]"), "5:8 axis[1]: found NaN; expected a finite number"),
        (("\"0.5 m\"", "inf"), "4:9 point[2]: found inf; expected a finite number"),
        (
            ("\"0.5 m\"", "\"0.5 kg\""),
            "4:24 point[2]: found \"0.5 kg\", a mass; expected a length in SI units or with a unit, such as \"37.5 mm\"",
        ),
        (("axis = [0, 3, 4]", ""), "1:1 missing key `axis`"),
        (("point = [0, \"37.5 mm\", \"0.5 m\"]", ""), "1:1 missing key `point`"),
        ((AT, ""), "1:1 found no place; expected `point` and `axis`, or the frames `a` and `b`"),
        ((AT, "a = {}"), "1:1 missing key `b`"),
        (
            (AT, "a = {}\nb = { position = [0, nan, 0] }"),
            "5:18 b.position[1]: found NaN; expected a finite number",
        ),
        (
            ("axis = ", "a = {}\naxis = "),
            "4:9 point: found `point` beside frames; expected `point` and `axis` or frames, not both",
        ),
        (
            ("axis = ", "x_axis = [0, -3, -4]\naxis = "),
            "5:10 x_axis: found a vector along `axis`; expected one across it",
        ),
        (
            ("revolute", "revolut"),
            "2:8 type: found the text \"revolut\"; expected `fixed`, `spherical`, `revolute`, `universal`, `cylindrical`, `prismatic`, `planar`, `distance`, `screw`, `gear` or `point_on_surface`",
        ),
    ] {
        told(&hinge, change, said);
    }
}

#[test]
fn what_a_type_cannot_have_is_told() {
    let ball = text("spherical", "point = [0, 0, 0]");
    let keys = "`name`, `bodies`, `point`, `a` or `b`";
    told(
        &ball,
        ("point", "motor = { rate = 1 }\npoint"),
        &format!("4:1 unknown key `motor`; expected {keys}"),
    );
    let cross = text("universal", "point = [0, 0, 0]\naxes = [[1, 0, 0], [0, 1, 0]]");
    told(
        &cross,
        ("[0, 1, 0]", "[1, 1, 0]"),
        "5:8 axes: found axes at 45.0000° to each other; expected a right angle",
    );
    let rod = text("distance", "points = [[0, 0, 0], [1, 0, 0]]\nlength = 1");
    told(&rod, ("length = 1", "length = -1"), "5:10 length: found -1; expected a finite number above zero");
    let same = ("[1, 0, 0]]\nlength = 1", "[0, 0, 0]]");
    let together = text("distance", "points = [[0.3, -0.2, 0.7], [1, 0, 0]]\nlength = 1");
    told(
        &together,
        same,
        "4:10 points: found points that coincide at the start; expected a `length`, or points apart",
    );
    let slide = text("cylindrical", &format!("{AT}\nMOTOR"));
    let bearing = "bearing = { coefficient = 1, radius = 0.1, transition = 1 }";
    let said = "6:11 bearing: found a bearing in a cylindrical joint; expected a revolute or universal one";
    told(&slide, ("MOTOR", bearing), said);
    let screw = text("screw", &format!("{AT}\npitch = 1"));
    told(&screw, ("pitch = 1", "pitch = nan"), "6:9 pitch: found NaN; expected a finite number");
    let gear = text("gear", "carrier = \"wheel\"\naxes = [[0, 0, 1], [1, 0, 0]]\nratio = 2");
    for (change, said) in [
        (("ratio = 2", "ratio = 0"), "6:9 ratio: found 0; expected a finite number other than zero"),
        (("ratio", "phase = inf\nratio"), "6:9 phase: found inf; expected a finite number"),
        (("\"wheel\"", "\"ball\""), "4:11 carrier: found \"ball\" again; expected another body"),
        (("[1, 0, 0]", "[0, 0, 0]"), "5:8 axes[1]: found a vector of length zero; expected a direction"),
        (("axes = [[0, 0, 1], [1, 0, 0]]", "a = {}\nb = {}"), "1:1 missing key `carrier_frames`"),
        (
            ("ratio", "carrier_frames = [{}, {}]\nratio"),
            "6:18 carrier_frames: found frames on the carrier beside `axes`; expected `a` and `b`",
        ),
    ] {
        told(&gear, change, said);
    }
    let on = text("point_on_surface", "point = [0, 0, 0]");
    told(&on, ("point =", "a = {}\npoint ="), "4:5 a: found `a` beside `point`; expected one of them");
}

#[test]
fn what_cannot_act_is_told_at_its_place() {
    let hinge = text("revolute", &format!("{AT}\nMOTOR"));
    let velocity = "expected an angular velocity in SI units or with a unit, such as \"60 rpm\"";
    for (action, said) in [
        (
            "motor = { rate = \"3 mm/s\" }",
            &*format!("6:18 motor.rate: found \"3 mm/s\", a velocity; {velocity}"),
        ),
        ("motor = { rate = \"3 mm\" }", &format!("6:18 motor.rate: found \"3 mm\", a length; {velocity}")),
        ("motor = { rate = nan }", "6:18 motor.rate: found NaN; expected a finite number"),
        (
            "motor = { rate = 1, times = [] }",
            "6:29 motor: found `rate` and `times`, which say the motion in two ways; expected one of them",
        ),
        (
            "motor = { rate = 1, on = \"slide\" }",
            "6:26 motor.on: a revolute joint has no slide; expected `turn`",
        ),
        (
            "motor = [{ rate = 1 }, { rate = 2 }]",
            "6:24 motor[1]: found a second motor on the turn; expected one",
        ),
        (
            "motor = { times = [0, 0], values = [1, 2] }",
            "6:19 motor.times[1]: found 0 after 0; expected times that increase",
        ),
        ("motor = { times = [0], values = [1] }", "6:19 motor.times: found 1 of them; expected two at least"),
        (
            "motor = { times = [0, 1], values = [1] }",
            "6:36 motor.values: found 1 of them for 2 times; expected as many",
        ),
        (
            "motor = { times = [0, 1], values = [1, \"3 m\"] }",
            "6:40 motor.values[1]: found \"3 m\", a length; expected an angle in SI units or with a unit, such as \"30 deg\"",
        ),
        (
            "motor = { amplitude = 1, frequency = \"3 m\" }",
            "6:38 motor.frequency: found \"3 m\", a length; expected a frequency in Hz or with a unit, such as \"2 Hz\", \"3 rad/s\" or \"60 rpm\"",
        ),
        (
            "motor = { amplitude = 1, frequency = inf }",
            "6:38 motor.frequency: found inf; expected a finite number",
        ),
        (
            "spring = { stiffness = -1 }",
            "6:24 spring.stiffness: found -1; expected a finite number, zero or above",
        ),
        (
            "spring = { stiffness = 1, rest = \"1 mm\" }",
            "6:34 spring.rest: found \"1 mm\", a length; expected an angle in SI units or with a unit, such as \"30 deg\"",
        ),
        (
            "damper = { damping = \"1 furlong\" }",
            "6:22 damper.damping: found \"1 furlong\": the unit \"furlong\" is not known; expected a number in SI units or with a unit, such as \"30 deg\" or \"37.5 mm\"",
        ),
        (
            "friction = { effort = 1, transition = 0 }",
            "6:39 friction.transition: found 0; expected a finite number above zero",
        ),
        (
            "bearing = { coefficient = -1, radius = 0.1, transition = 1 }",
            "6:27 bearing.coefficient: found -1; expected a finite number, zero or above",
        ),
        (
            "bearing = { coefficient = 1, radius = \"3 s\", transition = 1 }",
            "6:39 bearing.radius: found \"3 s\", a time; expected a length in SI units or with a unit, such as \"37.5 mm\"",
        ),
        ("limits = { stiffness = 1 }", "6:10 limits: found no end; expected `lower`, `upper` or both"),
        (
            "limits = { stiffness = 1, lower = 1, upper = 0 }",
            "6:46 limits.upper: found 0, below the lower end 1; expected an end above it",
        ),
        (
            "limits = { stiffness = 1, lower = -inf }",
            "6:35 limits.lower: found -inf; expected a finite number",
        ),
        (
            "effort = \"3 N\"",
            "6:10 effort: found \"3 N\", a force; expected a torque in SI units or with a unit, such as \"0.3 N m\"",
        ),
        ("effort = [1, nan]", "6:14 effort[1]: found NaN; expected a finite number"),
    ] {
        told(&hinge, ("MOTOR", action), said);
    }
    let screw = text("screw", &format!("{AT}\npitch = 1\nMOTOR"));
    let both = "motor = [{ rate = 1 }, { rate = 2, on = \"slide\" }]";
    told(&screw, ("MOTOR", both), "7:41 motor[1].on: found a second motor on the slide; expected one");
}

#[test]
fn all_mistakes_of_a_joint_are_told_at_once() {
    let wrong = text("revolute", &format!("{AT}\nspring = {{ stiffness = -1, rest = nan }}\neffort = inf"));
    assert_eq!(read(&wrong).unwrap_err().len(), 3);
}
