#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::super::testing::{CENTRE, ball, frames, joint, lowered, wheel};
use super::JointSpec;
use crate::read::Definitions;
use rattleback_dynamics::joint::{
    Action, Control, Freedom, Gear, Joint, JointFrame, JointKind, MotionLaw, Profile, Table,
};
use rattleback_dynamics::{Beyond, BodyId, Ends, Interpolation};
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::{Pose, Vec3};
use std::f64::consts::{FRAC_PI_6, TAU};

const FRAME: BodyId = BodyId(0);
const BALL: BodyId = BodyId(1);
const WHEEL: BodyId = BodyId(2);

pub(super) type Lowered = (Joint, Vec<(Freedom, Action)>);

pub(super) fn read(text: &str) -> Result<Lowered, Vec<String>> {
    lowered(text, |spec: &JointSpec, frames, reader| spec.lower(frames, reader))
}

/// The keys that every joint has, then others.
pub(super) fn text(kind: &str, rest: &str) -> String {
    format!("name = \"j\"\ntype = \"{kind}\"\nbodies = [\"frame\", \"ball\"]\n{rest}\n")
}

pub(super) const AT: &str = "point = [0, \"37.5 mm\", \"0.5 m\"]\naxis = [0, 3, 4]";

fn built(kind: JointKind) -> Joint {
    let (point, z) = (Vec3::new(0.0, 0.0375, 0.5), Vec3::new(0.0, 3.0, 4.0));
    joint("j", kind, (FRAME, &Pose::identity()), (BALL, &ball()), point, z)
}

#[test]
fn joints_at_a_point_and_an_axis_are_those_of_the_engine_to_the_last_bit() {
    for (word, more, kind) in [
        ("revolute", "", JointKind::Revolute),
        ("cylindrical", "", JointKind::Cylindrical),
        ("prismatic", "", JointKind::Prismatic),
        ("planar", "", JointKind::Planar),
        ("screw", "\npitch = \"2 mm\"", JointKind::Screw { pitch: 0.002 }),
    ] {
        let (found, actions) = read(&text(word, &format!("{AT}{more}"))).unwrap();
        assert_eq!(found, built(kind));
        assert!(actions.is_empty());
    }
}

#[test]
fn an_axis_near_the_worlds_x_has_its_own_choice_of_x() {
    for z in [[1.0, 0.0, 0.0], [-0.9, 0.1, 0.2], [0.0, -1.0, 0.0]] {
        let rest = format!("point = [0, 0, 0]\naxis = {z:?}");
        let (found, _) = read(&text("revolute", &rest)).unwrap();
        let ends = ((FRAME, &Pose::identity()), (BALL, &ball()));
        let expected = joint("j", JointKind::Revolute, ends.0, ends.1, Vec3::zeros(), z.into());
        // The length of the axis is taken out in another order.
        for (a, b) in [(found.a, expected.a), (found.b, expected.b)] {
            assert!((a.pose.rotation() - b.pose.rotation()).norm() < 1e-15, "{z:?}");
        }
    }
}

#[test]
fn x_is_along_x_axis_as_far_as_it_is_across_the_axis() {
    let (found, _) =
        read(&text("revolute", "point = [0, 0, 0]\naxis = [0, 0, 2]\nx_axis = [1, 1, 5]")).unwrap();
    let r = found.a.pose.rotation();
    let half = 0.5_f64.sqrt();
    assert!((r.column(0) - Vec3::new(half, half, 0.0)).norm() < 1e-15);
    assert!((r.column(2) - Vec3::z()).norm() < 1e-15);
}

#[test]
fn frames_given_on_bodies_are_counted_from_their_mass_centres() {
    let rest = "a = { position = [\"10 mm\", 0, 0] }\nb = { orientation = { axis = [0, 0, 1], angle = \"30 deg\" } }";
    let (found, _) = read(&text("spherical", rest).replace("ball", "wheel")).unwrap();
    let turn = UnitQuaternion::from_axis_angle(&Vec3::z_axis(), 30.0_f64.to_radians());
    let expected = Joint {
        name: "j".to_owned(),
        kind: JointKind::Spherical,
        a: JointFrame { body: FRAME, pose: Pose::from_position(0.01, 0.0, 0.0) },
        b: JointFrame { body: WHEEL, pose: Pose::new(-CENTRE, turn) },
    };
    assert_eq!(found, expected);
}

#[test]
fn a_point_of_the_world_is_the_same_point_on_both_bodies() {
    let (found, _) = read(&text("spherical", "point = [1, 2, 3]").replace("frame", "wheel")).unwrap();
    let on_wheel = wheel().point_to_world(&(found.a.pose.position + CENTRE));
    let on_ball = ball().point_to_world(&found.b.pose.position);
    for point in [on_wheel, on_ball] {
        assert!((point - Vec3::new(1.0, 2.0, 3.0)).norm() < 1e-14, "{point}");
    }
}

#[test]
fn a_fixed_joint_keeps_bodies_as_they_stand() {
    let (found, _) = read(&text("fixed", "")).unwrap();
    assert_eq!(found.kind, JointKind::Fixed);
    assert_eq!((found.a.body, found.a.pose), (FRAME, ball()));
    assert!((found.b.pose.position).norm() < 1e-15);
    assert!(found.b.pose.orientation.angle() < 1e-7);
}

#[test]
fn a_universal_joint_turns_about_x_of_a_and_y_of_b() {
    let (found, _) = read(&text("universal", "point = [0, 0, 1]\naxes = [[0, 0, 2], [3, 0, 0]]")).unwrap();
    assert_eq!(found.kind, JointKind::Universal);
    let x_of_a = found.a.pose.vector_to_world(&Vec3::x());
    let y_of_b = ball().vector_to_world(&found.b.pose.vector_to_world(&Vec3::y()));
    assert!((x_of_a - Vec3::z()).norm() < 1e-15 && (y_of_b - Vec3::x()).norm() < 1e-15);
}

#[test]
fn a_distance_is_that_at_the_start_unless_given() {
    let points = "points = [[0, 0, 0], [0, 0, 0]]";
    let (found, _) = read(&text("distance", points)).unwrap();
    let JointKind::Distance { length } = found.kind else { panic!("no distance") };
    assert!((length - ball().position.norm()).abs() < 1e-15);
    let (found, _) = read(&text("distance", &format!("{points}\nlength = \"120 mm\""))).unwrap();
    assert_eq!(found.kind, JointKind::Distance { length: 0.12 });
    assert_eq!(found.b, JointFrame { body: BALL, pose: Pose::identity() });
}

#[test]
fn a_gear_counts_both_angles_from_the_start() {
    let rest = "carrier = \"wheel\"\naxes = [[0, 0, 1], [1, 0, 0]]\nratio = -2";
    let (found, _) = read(&text("gear", rest)).unwrap();
    let JointKind::Gear(gear) = found.kind else { panic!("no gear") };
    assert_eq!((gear.carrier, gear.ratio, gear.phase), (WHEEL, -2.0, 0.0));
    for (axis, wheel_frame, on_carrier) in [
        (Vec3::z(), found.a.pose.orientation, gear.frames[0].orientation),
        (Vec3::x(), ball().orientation * found.b.pose.orientation, gear.frames[1].orientation),
    ] {
        assert!((wheel_frame * Vec3::z() - axis).norm() < 1e-15);
        assert!((wheel_frame * Vec3::x() - wheel().orientation * on_carrier * Vec3::x()).norm() < 1e-15);
    }
}

#[test]
fn a_gear_takes_frames_too() {
    let rest = "carrier = \"wheel\"\nratio = 3\nphase = \"90 deg\"\na = {}\nb = { position = [1, 0, 0] }\n\
        carrier_frames = [{}, { position = [0, 2, 0] }]";
    let (found, _) = read(&text("gear", rest)).unwrap();
    let frames = [
        Pose::new(-CENTRE, UnitQuaternion::identity()),
        Pose::new(Vec3::y() * 2.0 - CENTRE, UnitQuaternion::identity()),
    ];
    let gear = Gear { carrier: WHEEL, frames, ratio: 3.0, phase: TAU / 4.0 };
    assert_eq!(found.kind, JointKind::Gear(gear));
    assert_eq!((found.a.pose, found.b.pose), (Pose::identity(), Pose::from_position(1.0, 0.0, 0.0)));
}

#[test]
fn a_point_moves_on_a_part_of_the_second_body() {
    let (found, _) = read(&text("point_on_surface", "point = [1, 2, 3]\npart = 2")).unwrap();
    assert_eq!(found.kind, JointKind::PointOnSurface { part: 2 });
    assert_eq!(found.a, JointFrame { body: FRAME, pose: Pose::from_position(1.0, 2.0, 3.0) });
    let (found, _) =
        read(&text("point_on_surface", "a = { position = [1, 0, 0] }").replace("\"frame\"", "\"wheel\""))
            .unwrap();
    assert_eq!(found.kind, JointKind::PointOnSurface { part: 0 });
    assert_eq!(found.a.pose.position, Vec3::x() - CENTRE);
}

#[test]
fn everything_that_can_act_on_a_turn_is_lowered() {
    let rest = format!(
        "{AT}\nmotor = {{ rate = \"60 rpm\" }}\nspring = {{ stiffness = \"3 N m/rad\", rest = \"30 deg\" }}\n\
        damper = {{ damping = \"0.1 N m s/rad\" }}\n\
        friction = {{ effort = \"2 N m\", transition = \"0.01 rad/s\", viscous = 0.5 }}\n\
        bearing = {{ coefficient = 0.2, radius = \"30 mm\", transition = \"0.1 rad/s\" }}\n\
        limits = {{ lower = \"-30 deg\", stiffness = 40, damping = \"0.5 s/rad\" }}\neffort = \"0.033 N m\""
    );
    let (_, actions) = read(&text("revolute", &rest)).unwrap();
    let expected = [
        Action::Motor(MotionLaw::Rate { start: 0.0, rate: TAU }),
        Action::Spring { stiffness: 3.0, rest: 30.0_f64.to_radians() },
        Action::Damper { damping: 0.1 },
        Action::Friction { effort: 2.0, rate: 0.01, viscous: 0.5 },
        Action::Bearing { coefficient: 0.2, radius: 0.03, rate: 0.1 },
        Action::Limit { lower: -30.0_f64.to_radians(), upper: f64::INFINITY, stiffness: 40.0, damping: 0.5 },
        Action::Effort(0.033),
    ];
    assert_eq!(actions, expected.map(|action| (Freedom::Turn, action)));
}

#[test]
fn actions_choose_their_coordinate_and_its_units() {
    let rest = format!(
        "{AT}\nspring = [{{ stiffness = \"3 N m\" }}, {{ on = \"slide\", stiffness = \"2 kN/m\", rest = \"37.5 mm\" }}]\n\
        effort = {{ on = \"slide\", value = \"4 N\" }}\nmotor = {{ times = [0, \"500 ms\"], values = [\"1 mm\", 0], on = \"slide\" }}"
    );
    let (_, actions) = read(&text("cylindrical", &rest)).unwrap();
    let between = Interpolation::Monotone(Ends::AtRest);
    let table = Table::new(&[0.0, 0.5], &[0.001, 0.0], between, Beyond::Hold).unwrap();
    let expected = [
        (Freedom::Slide, Action::Motor(MotionLaw::Table(table))),
        (Freedom::Turn, Action::Spring { stiffness: 3.0, rest: 0.0 }),
        (Freedom::Slide, Action::Spring { stiffness: 2000.0, rest: 0.0375 }),
        (Freedom::Slide, Action::Effort(4.0)),
    ];
    assert_eq!(actions, expected);
    let rest = format!(
        "{AT}\nmotor = {{ amplitude = \"3 mm\", frequency = \"2 Hz\", phase = \"90 deg\", mean = 1 }}"
    );
    let (_, actions) = read(&text("prismatic", &rest)).unwrap();
    let law = MotionLaw::Harmonic { mean: 1.0, amplitude: 0.003, frequency: 2.0 * TAU, phase: TAU / 4.0 };
    assert_eq!(actions, [(Freedom::Slide, Action::Motor(law))]);
}

#[test]
fn motors_ramp_move_follow_tables_and_control() {
    let motor = |keys: &str| {
        let (_, actions) = read(&text("revolute", &format!("{AT}\nmotor = {{ {keys} }}")))?;
        Ok::<_, Vec<String>>(actions[0].1.clone())
    };
    let law = |keys: &str| match motor(keys).unwrap() {
        Action::Motor(law) => law,
        other => panic!("{other:?}"),
    };
    let ramped = |profile| MotionLaw::RampedRate { start: 0.0, rate: TAU, ramp: 0.5, profile };
    assert_eq!(law("rate = \"60 rpm\", ramp = \"500 ms\""), ramped(Profile::Ramp));
    assert_eq!(law("rate = \"60 rpm\", ramp = 0.5, profile = \"s_curve\""), ramped(Profile::SCurve));
    let moved = |begin, profile| MotionLaw::Move { ends: [0.0, TAU / 4.0], begin, duration: 2.0, profile };
    assert_eq!(law("to = \"90 deg\", duration = 2"), moved(0.0, Profile::SCurve));
    let keys = "from = 0, to = \"90 deg\", begin = 1, duration = 2, profile = \"ramp\"";
    assert_eq!(law(keys), moved(1.0, Profile::Ramp));
    let table = |interpolation, beyond| {
        MotionLaw::Table(Table::new(&[0.0, 1.0, 2.0], &[0.0, 1.0, 0.0], interpolation, beyond).unwrap())
    };
    let keys = "times = [0, 1, 2], values = [0, 1, 0]";
    for (more, expected) in [
        ("", table(Interpolation::Monotone(Ends::AtRest), Beyond::Hold)),
        (
            ", interpolation = \"spline\", ends = \"natural\"",
            table(Interpolation::Spline(Ends::Natural), Beyond::Hold),
        ),
        (", beyond = \"continue\"", table(Interpolation::Monotone(Ends::Natural), Beyond::Continue)),
        (", beyond = \"repeat\"", table(Interpolation::Monotone(Ends::Periodic), Beyond::Repeat)),
        (", beyond = \"refuse\"", table(Interpolation::Monotone(Ends::Natural), Beyond::Refuse)),
    ] {
        assert_eq!(law(&format!("{keys}{more}")), expected, "{more}");
    }
    let target = MotionLaw::Rate { start: 0.0, rate: 2.0 };
    let control = |stiffness, limit| {
        Action::Control(Control { target: target.clone(), stiffness, damping: 0.5, limit })
    };
    let keys = "rate = 2, stiffness = \"30 N m/rad\", damping = 0.5, limit = \"4 N m\"";
    assert_eq!(motor(keys), Ok(control(30.0, 4.0)));
    assert_eq!(motor("rate = 2, damping = 0.5"), Ok(control(0.0, f64::INFINITY)));
    let target = table(Interpolation::Linear, Beyond::Hold);
    let keys = "times = [0, 1, 2], values = [0, 1, 0], interpolation = \"linear\", stiffness = 3";
    let straight = Control { target, stiffness: 3.0, damping: 0.0, limit: f64::INFINITY };
    assert_eq!(motor(keys), Ok(Action::Control(straight)));
    for (keys, said) in [
        ("rate = 2, limit = 4", "limit: found the limit of a motor that moves whatever it takes"),
        ("rate = 2, profile = \"ramp\"", "profile: found a profile of a rate that is there at once"),
        ("to = 1, duration = 0", "duration: found 0; expected a finite number above zero"),
        ("times = [0, 1], values = [0, 1], beyond = \"repeat\"", "the last one, 1, must be the first, 0"),
        (
            "times = [0, 1, 2], values = [0, 1, 0], interpolation = \"linear\"",
            "interpolation: found straight lines for a motor that moves whatever it takes",
        ),
        (
            "times = [0, 1], values = [0, 1], interpolation = \"linear\", ends = \"natural\"",
            "ends: found `ends` of straight lines",
        ),
        ("times = [0, 1], rate = 2", "found `rate` and `times`, which say the motion in two ways"),
    ] {
        let told = motor(keys).unwrap_err();
        assert!(told.len() == 1 && told[0].contains(said), "{keys}: {told:?}");
    }
}

#[test]
fn efforts_over_time_are_lowered() {
    let rest = format!("{AT}\neffort = {{ times = [0, 1], values = [0, \"2 N m\"], beyond = \"zero\" }}");
    let (_, actions) = read(&text("revolute", &rest)).unwrap();
    let table = Table::new(&[0.0, 1.0], &[0.0, 2.0], Interpolation::Linear, Beyond::Zero).unwrap();
    assert_eq!(actions, [(Freedom::Turn, Action::EffortTable(table))]);
}

/// A frame on "frame" that stands where "ball" does.
const AS_BALL: &str =
    "a = { position = [0.3, -0.2, 0.7], orientation = { axis = [1, 2, -0.5], angle = \"0.8 rad\" } }";

#[test]
fn springs_and_motors_set_out_from_where_the_joint_stands() {
    let b = "b = { position = [0, 0, \"5 mm\"], orientation = { axis = [0, 0, 1], angle = \"30 deg\" } }";
    let on = "spring = [{ stiffness = 1 }, { stiffness = 1, on = \"slide\" }]\nmotor = { rate = 1 }";
    let (_, actions) = read(&text("cylindrical", &format!("{AS_BALL}\n{b}\n{on}"))).unwrap();
    let starts: Vec<f64> = actions.iter().map(start).collect();
    for (found, expected) in starts.iter().zip([FRAC_PI_6, FRAC_PI_6, 0.005]) {
        assert!((found - expected).abs() < 1e-15, "{starts:?}");
    }
    let b = "b = { orientation = { euler = \"xyz\", angles = [0.2, -0.3, 0] } }";
    let on = "motor = [{ rate = 1 }, { rate = 1, on = \"second_turn\" }]";
    let (_, actions) = read(&text("universal", &format!("{AS_BALL}\n{b}\n{on}"))).unwrap();
    let starts: Vec<f64> = actions.iter().map(start).collect();
    assert!((starts[0] - 0.2).abs() < 1e-15 && (starts[1] + 0.3).abs() < 1e-15, "{starts:?}");
}

fn start((_, action): &(Freedom, Action)) -> f64 {
    match action {
        Action::Motor(MotionLaw::Rate { start, .. }) => *start,
        Action::Spring { rest, .. } => *rest,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_schema_knows_what_each_type_takes() {
    let schema = Definitions::default().document::<JointSpec>("joints");
    let types = schema["$defs"]["JointSpec"]["anyOf"].as_array().unwrap();
    assert_eq!(types.len(), 11);
    let of = |word: &str| types.iter().find(|t| t["properties"]["type"]["const"] == word).unwrap();
    assert_eq!(of("screw")["required"], serde_json::json!(["type", "name", "bodies", "pitch"]));
    assert!(
        of("revolute")["properties"]["motor"].is_object() && of("planar")["properties"]["motor"].is_null()
    );
}

#[test]
fn a_body_finds_its_frames() {
    let frames = frames();
    let there = frames.in_world(WHEEL, &Pose::from_position(1.0, 0.0, 0.0));
    assert_eq!(there.position, wheel().point_to_world(&Vec3::x()));
}
