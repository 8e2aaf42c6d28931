//! Forces that cannot be are refused with the field's name.

use super::{A, ends, spring, torsion, winch};
use rattleback_dynamics::force::{Axes, Constant, End, Force, SpringDamper, Table, TorsionSpring, Winch};
use rattleback_dynamics::{Beyond, Body, BodyId, BodyModel, Interpolation, Model, Track};
use rattleback_geom::{Mat3, Vec3};

/// What is said of a force in a model of two bodies.
pub fn said(force: Force) -> String {
    let mut builder = Model::builder();
    builder.body(BodyModel::free("ship", Body { mass: 1.0, inertia: Mat3::identity() }));
    builder.body(BodyModel::fixed("quay"));
    builder.force(force);
    builder.build().map_or_else(|error| error.to_string(), |_| "accepted".to_owned())
}

#[test]
fn good_forces_are_accepted() {
    assert_eq!(said(Force::SpringDamper(spring(true))), "accepted");
    assert_eq!(said(Force::Winch(winch())), "accepted");
    assert_eq!(said(Force::TorsionSpring(torsion())), "accepted");
}

#[test]
fn springs_that_cannot_be_are_refused_by_name() {
    let good = spring(false);
    let [a, b] = ends();
    let nowhere = End { body: BodyId(7), ..a };
    let nan = End { point: Vec3::new(0.0, f64::NAN, 0.0), ..b };
    for (bad, expected) in [
        (SpringDamper { stiffness: -1.0, ..good }, "stiffness of a spring with damper = -1"),
        (SpringDamper { damping: f64::NAN, ..good }, "damping of a spring with damper = NaN"),
        (SpringDamper { length: f64::INFINITY, ..good }, "length of a spring with damper = inf"),
        (SpringDamper { a: nowhere, ..good }, "a spring with damper: body number 7 does not exist"),
        (
            SpringDamper { b: End { body: A, ..b }, ..good },
            "a spring with damper: both ends are on body ship",
        ),
        (SpringDamper { b: nan, ..good }, "b.point[1] of a spring with damper = NaN"),
    ] {
        let message = said(Force::SpringDamper(bad));
        assert!(message.starts_with(expected), "{message}");
    }
}

#[test]
fn torsion_springs_that_cannot_be_are_refused_by_name() {
    let good = torsion();
    let (mut nowhere, mut nan) = (good, good);
    nowhere.b.body = BodyId(3);
    nan.a.pose.position.z = f64::NAN;
    for (bad, expected) in [
        (TorsionSpring { stiffness: -1.0, ..good }, "stiffness of a torsion spring = -1"),
        (TorsionSpring { damping: f64::NAN, ..good }, "damping of a torsion spring = NaN"),
        (TorsionSpring { angle: f64::INFINITY, ..good }, "angle of a torsion spring = inf"),
        (TorsionSpring { b: good.a, ..good }, "a torsion spring: both frames are on body ship"),
        (nowhere, "a torsion spring: body number 3 does not exist"),
        (nan, "a.pose of a torsion spring: position[2] = NaN"),
    ] {
        let message = said(Force::TorsionSpring(bad));
        assert!(message.starts_with(expected), "{message}");
    }
}

#[test]
fn winches_that_cannot_be_are_refused_by_name() {
    let good = winch();
    for (bad, expected) in [
        (Winch { rigidity: 0.0, ..good.clone() }, "rigidity of a winch = 0"),
        (Winch { damping: -0.1, ..good.clone() }, "damping of a winch = -0.1"),
        (Winch { limit: f64::NAN, ..good.clone() }, "limit of a winch = NaN"),
        (Winch { shoulder: 1.5, ..good.clone() }, "shoulder of a winch = 1.5"),
        (Winch { shortest: 0.0, ..good.clone() }, "shortest of a winch = 0"),
        (Winch { length: 0.3, ..good.clone() }, "length of a winch = 0.3"),
        (Winch { b: good.a, ..good.clone() }, "a winch: both ends are on body ship"),
    ] {
        let message = said(Force::Winch(bad));
        assert!(message.starts_with(expected), "{message}");
    }
    let message = Winch::ramp(0.0, 0.0, 1.0).unwrap_err().to_string();
    assert!(message.starts_with("ramp = 0"), "{message}");
}

#[test]
fn tables_and_constants_that_cannot_be_are_refused_by_name() {
    let unsorted = Track::<6>::new(&[0.0, 2.0, 1.0], &[[0.0; 6]; 3], Interpolation::Linear, Beyond::Hold);
    assert!(unsorted.unwrap_err().to_string().starts_with("times: times[2] = 1"));
    let values = Track::new(&[0.0, 1.0], &[[0.0; 6]; 2], Interpolation::Linear, Beyond::Hold).unwrap();
    let good = Table { body: A, point: Vec3::zeros(), values, axes: Axes::World };
    let message = said(Force::Table(Table { body: BodyId(2), ..good.clone() }));
    assert_eq!(message, "a force by table: body number 2 does not exist");
    let message = said(Force::Table(Table { point: Vec3::new(0.0, 0.0, f64::NAN), ..good }));
    assert!(message.starts_with("point[2] of a force by table on body ship = NaN"), "{message}");
    let zero = Vec3::zeros();
    let good = Constant { body: A, point: zero, force: zero, torque: zero, axes: Axes::Body };
    let message = said(Force::Constant(Constant { body: BodyId(2), ..good }));
    assert_eq!(message, "a constant force: body number 2 does not exist");
    let message = said(Force::Constant(Constant { force: Vec3::new(f64::INFINITY, 0.0, 0.0), ..good }));
    assert!(message.starts_with("force of a constant force on body ship = inf"), "{message}");
}
