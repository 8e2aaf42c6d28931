#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::super::testing::{CENTRE, ball, joint, lowered, refused, wheel};
use super::ForceSpec;
use crate::read::Definitions;
use rattleback_dynamics::force::{
    Axes, Constant, End, Force, SpringDamper, Table, TorsionSpring, Winch, Windlass,
};
use rattleback_dynamics::joint::JointKind;
use rattleback_dynamics::{Beyond, BodyId, Ends, Interpolation, Track};
use rattleback_geom::{Pose, Vec3};
use std::f64::consts::FRAC_PI_6;

const FRAME: BodyId = BodyId(0);
const BALL: BodyId = BodyId(1);
const WHEEL: BodyId = BodyId(2);

fn read(text: &str) -> Result<Force, Vec<String>> {
    lowered(text, |spec: &ForceSpec, frames, reader| spec.lower(frames, reader))
}

/// Checks the sentences of several mistakes, each in place of what is right.
fn told<const N: usize>(text: &str, mistakes: [((&str, &str), &str); N]) {
    for (change, said) in mistakes {
        refused(text, change, said, |spec: &ForceSpec, frames, reader| spec.lower(frames, reader));
    }
}

const CONSTANT: &str = "type = \"constant\"\nbody = \"wheel\"\npoint = [1, 0, 0]\nforce = [0, \"2 kN\", 0]\n\
    torque = [0, 0, \"0.3 N m\"]\naxes = \"body\"\n";

#[test]
fn a_constant_force_acts_at_a_point_of_the_bodys_own_frame() {
    let expected = Constant {
        body: WHEEL,
        point: Vec3::x() - CENTRE,
        force: Vec3::new(0.0, 2000.0, 0.0),
        torque: Vec3::new(0.0, 0.0, 0.3),
        axes: Axes::Body,
    };
    assert_eq!(read(CONSTANT), Ok(Force::Constant(expected)));
    let short = "type = \"constant\"\nbody = \"wheel\"\nforce = [0, 0, 1]\n";
    let (force, torque) = (Vec3::z(), Vec3::zeros());
    let expected = Constant { body: WHEEL, point: Vec3::zeros(), force, torque, axes: Axes::World };
    assert_eq!(read(short), Ok(Force::Constant(expected)), "at the mass centre");
}

#[test]
fn a_wrong_constant_force_is_told() {
    let known = "expected `frame`, `ball` or `wheel`";
    told(
        CONSTANT,
        [
            (("\"wheel\"", "\"weel\""), &*format!("2:8 body: no body is named \"weel\"; {known}")),
            (("[1, 0, 0]", "[nan, 0, 0]"), "3:9 point[0]: found NaN; expected a finite number"),
            (("\"2 kN\"", "inf"), "4:9 force[1]: found inf; expected a finite number"),
            (("\"0.3 N m\"", "-inf"), "5:10 torque[2]: found -inf; expected a finite number"),
            (("\"body\"", "\"own\""), "6:8 axes: found the text \"own\"; expected `world` or `body`"),
        ],
    );
    let nothing = "type = \"constant\"\nbody = \"ball\"\n";
    assert_eq!(read(nothing).unwrap_err(), ["1:1 found neither; expected `force`, `torque` or both"]);
}

const TABLE: &str = "type = \"table\"\nbody = \"ball\"\ntimes = [0, \"500 ms\", 2]\n\
    forces = [[1, 0, 0], [\"2 N\", 0, 0], [0, 0, 3]]\ninterpolation = \"spline\"\nends = \"at_rest\"\nbeyond = \"zero\"\n";

#[test]
fn a_force_over_time_is_a_track() {
    let values =
        [[1.0, 0.0, 0.0, 0.0, 0.0, 0.0], [2.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 3.0, 0.0, 0.0, 0.0]];
    let times = [0.0, 0.5, 2.0];
    let table = |interpolation, beyond| {
        let values = Track::new(&times, &values, interpolation, beyond).unwrap();
        Force::Table(Table { body: BALL, point: Vec3::zeros(), values, axes: Axes::World })
    };
    assert_eq!(read(TABLE), Ok(table(Interpolation::Spline(Ends::AtRest), Beyond::Zero)));
    let natural = TABLE.replace("ends = \"at_rest\"\nbeyond = \"zero\"\n", "");
    assert_eq!(read(&natural), Ok(table(Interpolation::Spline(Ends::Natural), Beyond::Hold)));
    let monotone = natural.replace("spline", "monotone");
    assert_eq!(read(&monotone), Ok(table(Interpolation::Monotone(Ends::Natural), Beyond::Hold)));
    let linear = natural.replace("interpolation = \"spline\"\n", "");
    assert_eq!(read(&linear), Ok(table(Interpolation::Linear, Beyond::Hold)));
}

#[test]
fn torques_over_time_stand_behind_forces() {
    let text = "type = \"table\"\nbody = \"ball\"\ntimes = [0, 1]\ntorques = [[1, 2, 3], [4, 5, 6]]\n";
    let Ok(Force::Table(table)) = read(text) else { panic!("no table") };
    let found: Vec<f64> = table.values.at(0.0).value.iter().copied().collect();
    assert_eq!(found, [0.0, 0.0, 0.0, 1.0, 2.0, 3.0]);
}

#[test]
fn a_wrong_table_is_told() {
    told(
        TABLE,
        [
            (("\"500 ms\"", "0"), "3:9 times[1]: found 0 after 0; expected times that increase"),
            (("\"500 ms\"", "nan"), "3:9 times[1]: found NaN; expected a finite number"),
            ((", 2]", "]"), "4:10 forces: found 3 of them for 2 times; expected as many"),
            (("[0, 0, 3]", "[0, 0, nan]"), "4:10 forces[2][2]: found NaN; expected a finite number"),
            (
                ("spline", "linear"),
                "6:8 ends: found `ends` of straight lines; expected it with \"monotone\" or \"spline\"",
            ),
        ],
    );
    let nothing = "type = \"table\"\nbody = \"ball\"\ntimes = [0, 1]\n";
    assert_eq!(read(nothing).unwrap_err(), ["1:1 found neither; expected `forces`, `torques` or both"]);
}

const SPRING: &str = "type = \"spring\"\nbodies = [\"frame\", \"wheel\"]\npoints = [[\"14 mm\", \"72 mm\", 0], [0, 1, 0]]\n\
    length = \"77.85 mm\"\nstiffness = 4530\ndamping = \"2 N s/m\"\n";

fn spring() -> SpringDamper {
    SpringDamper {
        a: End { body: FRAME, point: Vec3::new(0.014, 0.072, 0.0) },
        b: End { body: WHEEL, point: Vec3::y() - CENTRE },
        length: 0.07785,
        stiffness: 4530.0,
        damping: 2.0,
        never_pushes: false,
    }
}

#[test]
fn springs_and_ropes_end_in_points_of_their_bodies() {
    assert_eq!(read(SPRING), Ok(Force::SpringDamper(spring())));
    let rope = SPRING.replace("spring", "rope");
    assert_eq!(read(&rope), Ok(Force::SpringDamper(SpringDamper { never_pushes: true, ..spring() })));
    let short = SPRING.replace("length = \"77.85 mm\"\n", "").replace("damping = \"2 N s/m\"\n", "");
    let length = (wheel().point_to_world(&Vec3::y()) - spring().a.point).norm();
    let expected = SpringDamper { length, damping: 0.0, ..spring() };
    assert_eq!(read(&short), Ok(Force::SpringDamper(expected)), "at rest at the start");
}

#[test]
fn a_wrong_spring_is_told() {
    told(
        SPRING,
        [
            (("\"wheel\"", "\"frame\""), "2:20 bodies[1]: found \"frame\" again; expected another body"),
            (("[0, 1, 0]", "[0, nan, 0]"), "3:10 points[1][1]: found NaN; expected a finite number"),
            (("\"77.85 mm\"", "-1"), "4:10 length: found -1; expected a finite number, zero or above"),
            (("4530", "-4530"), "5:13 stiffness: found -4530; expected a finite number, zero or above"),
            (("\"2 N s/m\"", "inf"), "6:11 damping: found inf; expected a finite number, zero or above"),
        ],
    );
}

#[test]
fn a_torsion_spring_turns_about_an_axis_of_the_world_at_the_start() {
    let text = "type = \"torsion_spring\"\nbodies = [\"frame\", \"ball\"]\naxis = [0, 3, 4]\n\
        angle = \"30 deg\"\nstiffness = \"3 N m/rad\"\ndamping = 0.5\n";
    let ends = ((FRAME, &Pose::identity()), (BALL, &ball()));
    let held = joint("", JointKind::Revolute, ends.0, ends.1, Vec3::zeros(), Vec3::new(0.0, 3.0, 4.0));
    let angle = 30.0_f64.to_radians();
    let expected = TorsionSpring { a: held.a, b: held.b, angle, stiffness: 3.0, damping: 0.5 };
    assert_eq!(read(text), Ok(Force::TorsionSpring(expected)));
    let at_rest = text.replace("angle = \"30 deg\"\n", "");
    assert_eq!(read(&at_rest), Ok(Force::TorsionSpring(TorsionSpring { angle: 0.0, ..expected })));
    told(
        text,
        [
            (("[0, 3, 4]", "[0, 0, 0]"), "3:8 axis: found a vector of length zero; expected a direction"),
            (("axis = [0, 3, 4]\n", ""), "1:1 found neither; expected `axis`, or the frames `a` and `b`"),
            (("angle", "a = {}\nangle"), "3:8 axis: found both; expected `axis`, or the frames `a` and `b`"),
            (("\"30 deg\"", "nan"), "4:9 angle: found NaN; expected a finite number"),
            (("\"3 N m/rad\"", "-3"), "5:13 stiffness: found -3; expected a finite number, zero or above"),
            (("0.5", "-0.5"), "6:11 damping: found -0.5; expected a finite number, zero or above"),
        ],
    );
}

#[test]
fn a_torsion_spring_between_given_frames_rests_at_their_angle() {
    let text = "type = \"torsion_spring\"\nbodies = [\"frame\", \"ball\"]\nstiffness = 3\n\
        a = { orientation = { axis = [1, 2, -0.5], angle = \"0.8 rad\" } }\n\
        b = { orientation = { axis = [0, 0, 1], angle = \"30 deg\" } }\n";
    let Ok(Force::TorsionSpring(spring)) = read(text) else { panic!("no spring") };
    assert!((spring.angle - FRAC_PI_6).abs() < 1e-15, "{}", spring.angle);
    assert_eq!(spring.damping, 0.0);
}

const WINCH: &str = "type = \"winch\"\nbodies = [\"frame\", \"ball\"]\npoints = [[0, 0, 2], [0, 0, 0]]\nlength = 2\n\
    speed = \"12 mm/s\"\nstart = 1\nramp = \"500 ms\"\nshortest = \"20 cm\"\nrigidity = \"100 kN\"\ndamping = 5\n\
    limit = \"2 kN\"\nshoulder = 0.25\n";

fn winch() -> Winch {
    Winch {
        a: End { body: FRAME, point: Vec3::new(0.0, 0.0, 2.0) },
        b: End { body: BALL, point: Vec3::zeros() },
        length: 2.0,
        speed: Winch::ramp(1.0, 0.5, 0.012).unwrap(),
        shortest: 0.2,
        rigidity: 1e5,
        damping: 5.0,
        limit: 2000.0,
        shoulder: 0.25,
    }
}

#[test]
fn a_winch_winds_by_a_ramp_or_by_a_table() {
    assert_eq!(read(WINCH), Ok(Force::Winch(winch())));
    let table = WINCH.replace(
        "speed = \"12 mm/s\"\nstart = 1\nramp = \"500 ms\"\n",
        "times = [0, 2, 3]\nspeeds = [0, \"10 cm/s\", 0]\n",
    );
    let speeds = [[0.0], [0.1], [0.0]];
    let speed = Track::new(&[0.0, 2.0, 3.0], &speeds, Interpolation::Linear, Beyond::Hold).unwrap();
    assert_eq!(read(&table), Ok(Force::Winch(Winch { speed, ..winch() })));
    told(
        &table,
        [
            (("\"10 cm/s\"", "nan"), "6:10 speeds[1]: found NaN; expected a finite number"),
            ((", 0]\nshortest", "]\nshortest"), "6:10 speeds: found 2 of them for 3 times; expected as many"),
            (("speeds = [0, \"10 cm/s\", 0]\n", ""), "1:1 missing key `speeds`"),
            (
                ("times", "speed = 1\ntimes"),
                "5:9 speed: found both; expected `speed` and `ramp`, or `times` and `speeds`",
            ),
        ],
    );
    let short = WINCH.replace("length = 2\n", "");
    let length = (ball().position - Vec3::new(0.0, 0.0, 2.0)).norm();
    assert_eq!(read(&short), Ok(Force::Winch(Winch { length, ..winch() })), "just taut at the start");
}

#[test]
fn a_wrong_winch_is_told() {
    told(
        WINCH,
        [
            (
                ("length = 2", "length = 0.1"),
                "4:10 length: found 0.1; expected at least the shortest length, 0.2",
            ),
            (("speed = \"12 mm/s\"\n", ""), "1:1 missing key `speed`"),
            (("\"12 mm/s\"", "inf"), "5:9 speed: found inf; expected a finite number"),
            (("start = 1", "start = nan"), "6:9 start: found NaN; expected a finite number"),
            (("\"500 ms\"", "0"), "7:8 ramp: found 0; expected a finite number above zero"),
            (("\"20 cm\"", "0"), "8:12 shortest: found 0; expected a finite number above zero"),
            (("\"100 kN\"", "-1"), "9:12 rigidity: found -1; expected a finite number above zero"),
            (
                ("damping = 5", "damping = -5"),
                "10:11 damping: found -5; expected a finite number, zero or above",
            ),
            (("\"2 kN\"", "nan"), "11:9 limit: found NaN; expected a finite number above zero"),
            (("0.25", "1.5"), "12:12 shoulder: found 1.5; expected a number above 0 and up to 1"),
            (("0.25", "nan"), "12:12 shoulder: found NaN; expected a number above 0 and up to 1"),
        ],
    );
    let still = WINCH.replace("speed = \"12 mm/s\"\nstart = 1\nramp = \"500 ms\"\n", "");
    let said = "1:1 found neither; expected `speed` and `ramp`, or `times` and `speeds`";
    assert_eq!(read(&still).unwrap_err(), [said]);
}

const WINDLASS: &str = "type = \"windlass\"\nbodies = [\"frame\", \"wheel\"]\npoints = [[0, 0, 2], [0.1, 0.02, -0.03]]\n\
    length = 3\nspeed = \"150 mm/s\"\nstart = 2\nramp = 0.5\nshortest = 1\nrigidity = \"5 MN\"\ndamping = 2000\n\
    limit = \"60 kN\"\nshoulder = 0.2\nbrake = \"200 kN\"\nbrake_after_stall = \"5 s\"\n";

#[test]
fn a_windlass_has_a_drive_and_a_brake() {
    let expected = Windlass {
        a: End { body: FRAME, point: Vec3::new(0.0, 0.0, 2.0) },
        b: End { body: WHEEL, point: Vec3::zeros() },
        length: 3.0,
        speed: 0.15,
        start: 2.0,
        ramp: 0.5,
        shortest: 1.0,
        rigidity: 5e6,
        damping: 2e3,
        limit: 6e4,
        shoulder: 0.2,
        brake: 2e5,
        brake_at: None,
        brake_after_stall: Some(5.0),
    };
    assert_eq!(read(WINDLASS), Ok(Force::Windlass(expected)));
    let Ok(Force::Windlass(short)) = read(&WINDLASS.replace("length = 3\n", "")) else {
        panic!("no windlass")
    };
    let end = wheel().point_to_world(&CENTRE);
    assert!((short.length - (end - Vec3::new(0.0, 0.0, 2.0)).norm()).abs() < 1e-15);
}

#[test]
fn a_wrong_windlass_is_told() {
    told(
        WINDLASS,
        [
            (
                ("length = 3", "length = 0.5"),
                "4:10 length: found 0.5; expected at least the shortest length, 1",
            ),
            (("\"150 mm/s\"", "-1"), "5:9 speed: found -1; expected a finite number, zero or above"),
            (("ramp = 0.5", "ramp = -1"), "7:8 ramp: found -1; expected a finite number, zero or above"),
            (("shortest = 1", "shortest = 0"), "8:12 shortest: found 0; expected a finite number above zero"),
            (("0.2", "0"), "12:12 shoulder: found 0; expected a number above 0 and up to 1"),
            (("\"200 kN\"", "1000"), "13:9 brake: found 1000; expected at least the limit, 60000"),
            (("\"5 s\"", "-1"), "14:21 brake_after_stall: found -1; expected a finite number, zero or above"),
        ],
    );
}

#[test]
fn the_schema_knows_all_forces_and_each_of_their_definitions() {
    let schema = Definitions::default().document::<ForceSpec>("forces");
    let types: Vec<_> = schema["$defs"]["ForceSpec"]["anyOf"].as_array().unwrap().iter().collect();
    let words: Vec<_> = types.iter().map(|t| t["properties"]["type"]["const"].as_str().unwrap()).collect();
    assert_eq!(
        words,
        ["constant", "table", "expression", "spring", "rope", "torsion_spring", "winch", "windlass"]
    );
    assert!(schema["$defs"].as_object().unwrap().values().all(serde_json::Value::is_object));
}
