//! Every regime of every force.

use super::{A, B, check_power, check_tangents, ends, motions, spring, torsion, winch};
use rattleback_dynamics::force::{Axes, Constant, Force, SpringDamper, Table, add_loads};
use rattleback_dynamics::integrator::Splitting;
use rattleback_dynamics::{Beyond, Body, BodyModel, Ends, Interpolation, Model, Motion, Track, measure};
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::{Mat3, Pose, Vec3};

fn check(name: &str, force: &Force, time: f64, motions: &[Motion]) {
    check_tangents(name, force, time, motions);
    check_power(name, force, time, motions);
}

#[test]
fn constant_forces_in_both_axes() {
    let [end, _] = ends();
    for axes in [Axes::World, Axes::Body] {
        let force = Force::Constant(Constant {
            body: A,
            point: end.point,
            force: Vec3::new(1.0, -2.0, 0.5),
            torque: Vec3::new(0.3, 0.8, -1.0),
            axes,
        });
        let motions = motions([&ends()[0], &ends()[1]], 1.0, 0.0);
        check(&format!("{axes:?}"), &force, 0.0, &motions);
        let load = force.load(0.0, &motions, false).unwrap();
        assert_eq!(load.bodies, [Some(A), None]);
    }
}

#[test]
fn forces_by_table_between_at_and_beyond_its_times() {
    let values =
        [[0.0, 1.0, 2.0, 0.0, 0.5, 0.0], [2.0, 1.0, -1.0, 0.3, 0.2, 0.1], [5.0, 0.0, -1.0, 0.0, 0.2, 0.7]];
    let motions = motions([&ends()[0], &ends()[1]], 1.0, 0.0);
    for axes in [Axes::World, Axes::Body] {
        for interpolation in [Interpolation::Linear, Interpolation::Monotone(Ends::Natural)] {
            let track = Track::new(&[0.0, 1.0, 3.0], &values, interpolation, Beyond::Zero).unwrap();
            let force = Force::Table(Table { body: B, point: ends()[1].point, values: track, axes });
            for time in [-1.0, 0.4, 1.0, 2.3, 4.0] {
                check(&format!("{axes:?} {interpolation:?} {time}"), &force, time, &motions);
            }
            let load = force.load(4.0, &motions, false).unwrap();
            assert_eq!((load.wrench.norm(), load.dissipated), (0.0, 0.0));
            let load = force.load(1.0, &motions, false).unwrap();
            let expected = Vec3::new(2.0, 1.0, -1.0);
            let expected =
                if axes == Axes::World { expected } else { motions[1].pose.vector_to_world(&expected) };
            assert!((load.on(0)[0] - expected).norm() < 1e-14);
        }
    }
}

#[test]
fn springs_pulled_pushed_still_and_moving() {
    for (length, rate) in [(1.3, 0.7), (1.3, -2.0), (0.3, 0.4), (0.3, -0.9), (0.8, 0.0)] {
        let spring = spring(false);
        let motions = motions([&spring.a, &spring.b], length, rate);
        let force = Force::SpringDamper(spring);
        check(&format!("spring {length} {rate}"), &force, 0.0, &motions);
        let load = force.load(0.0, &motions, false).unwrap();
        let tension = 30.0 * (length - 0.8) + 4.0 * rate;
        assert!((load.on(0)[0] - Vec3::new(2.0, -1.0, 2.0) / 3.0 * tension).norm() < 1e-12);
        assert!((load.on(0)[0] + load.on(1)[0]).norm() == 0.0);
        assert!((load.stored - 15.0 * (length - 0.8).powi(2)).abs() < 1e-12);
        assert!((load.dissipated - 4.0 * rate * rate).abs() < 1e-11);
    }
}

#[test]
fn ropes_taut_slack_and_following_freely() {
    // Taut and damped, taut while the damper would push (30·0.2 < 4·6), slack whichever way it moves.
    for (length, rate, taut) in [(1.3, 0.7, true), (1.0, -6.0, false), (0.5, 3.0, false), (0.5, -3.0, false)]
    {
        let rope = spring(true);
        let motions = motions([&rope.a, &rope.b], length, rate);
        let force = Force::SpringDamper(rope);
        check(&format!("rope {length} {rate}"), &force, 0.0, &motions);
        let load = force.load(0.0, &motions, false).unwrap();
        assert_eq!(load.wrench.norm() > 0.0, taut);
        assert!(load.dissipated >= 0.0);
    }
}

#[test]
fn a_line_without_length_has_no_force_and_a_spring_without_rest_length_keeps_its_stiffness() {
    for (length, never_pushes) in [(0.8, false), (0.8, true), (0.0, false), (0.0, true)] {
        let spring = SpringDamper { length, never_pushes, ..spring(false) };
        let motions = motions([&spring.a, &spring.b], 0.0, 0.3);
        let force = Force::SpringDamper(spring);
        let load = force.load(0.0, &motions, true).unwrap();
        assert_eq!((load.wrench.norm(), load.dissipated), (0.0, 0.0));
        let stored = if never_pushes { 0.0 } else { 15.0 * length * length };
        assert!((load.stored - stored).abs() < 1e-12);
        let tangent = load.tangent.unwrap();
        assert!(tangent.by_pose.iter().chain(tangent.by_twist.iter()).all(|x| x.is_finite()));
        if length == 0.0 {
            let undamped = Force::SpringDamper(SpringDamper { damping: 0.0, ..spring });
            check_tangents("collapsed", &undamped, 0.0, &motions);
        }
    }
}

#[test]
fn winches_below_at_and_beyond_the_limit_slack_and_stopped() {
    let winch = winch();
    // (time, length over the programme's, rate): still before the start, winding, on the shoulder, far beyond it,
    // slack, slack because the damper would push, and after the stop.
    for (time, ahead, rate) in [
        (0.2, 0.05, 0.1),
        (2.0, 0.1, 0.0),
        (4.0, 0.12, -0.05),
        (4.0, 0.2, 0.3),
        (4.0, 1.5, 0.5),
        (4.0, -0.2, 0.5),
        (4.0, 0.01, -3.0),
        (9.0, 0.05, 0.2),
        (9.0, 0.6, -0.2),
    ] {
        let length = winch.unstretched(time) + ahead;
        let motions = motions([&winch.a, &winch.b], length, rate);
        let force = Force::Winch(winch.clone());
        check(&format!("winch {time} {ahead} {rate}"), &force, time, &motions);
        let load = force.load(time, &motions, false).unwrap();
        let tension = load.on(0)[0].dot(&(Vec3::new(2.0, -1.0, 2.0) / 3.0));
        assert!((-1e-12..=winch.limit).contains(&tension), "{time} {ahead} {rate}: {tension}");
        if ahead < 0.0 {
            assert_eq!(load.wrench.norm(), 0.0);
        }
    }
    // 1.5 less ½ · 2 · 0.2 on the ramp and 0.2 a second thereafter.
    assert!((winch.unstretched(4.0) - 1.1).abs() < 1e-15);
    assert_eq!(winch.unstretched(50.0), 0.4);
}

#[test]
fn a_winch_lifts_a_load_that_its_limit_carries_and_not_one_beyond() {
    let lifted = |mass: f64| {
        let mut builder = Model::builder();
        builder.gravity(Vec3::new(0.0, 0.0, -10.0));
        builder.body(BodyModel::fixed("crane"));
        builder.body(BodyModel::free("load", Body { mass, inertia: Mat3::identity() }));
        let mut winch = winch();
        (winch.a.point, winch.b.point) = (Vec3::zeros(), Vec3::zeros());
        builder.force(Force::Winch(winch));
        let model = builder.build().unwrap();
        let start = Motion::at_rest(Pose::from_position(0.0, 0.0, -1.5));
        let mut motions = vec![Motion::at_rest(Pose::identity()), start];
        let mut stepper = Splitting::new(&model);
        for k in 0..4096 {
            let mut loads = |time: f64, motions: &[Motion], loads: &mut [[Vec3; 2]]| {
                add_loads(model.forces(), time, motions, loads).map(|_| ())
            };
            stepper.step(&mut motions, f64::from(k) / 1024.0, 1.0 / 1024.0, &mut loads).unwrap();
        }
        (motions[1].pose.position.z, measure::kinetic_energy(&model, &motions).unwrap())
    };
    // 10 N of 20: the unstretched 1.1 m and a tenth of strain; winding goes on at 0.2 m/s.
    let (height, energy) = lifted(1.0);
    assert!((height + 1.1 * 1.1).abs() < 5e-3 && energy < 0.05, "{height} {energy}");
    // 30 N against 20 N: falls with a third of gravity, less what the line takes at first.
    let (height, _) = lifted(3.0);
    assert!(height < -1.5 - 0.3 * 10.0 / 3.0 * 16.0 / 2.0, "{height}");
}

#[test]
fn torsion_springs_turned_by_any_angle_with_axes_together_and_apart() {
    for angle in [-3.0, -1.2, 0.0, 0.4, 2.0, 3.1, 5.0] {
        for swing in [0.0, 0.3, 1.5] {
            let spring = torsion();
            let mut motions = motions([&ends()[0], &ends()[1]], 1.0, 0.4);
            let frame = motions[0].pose.orientation * spring.a.pose.orientation;
            let tilt = UnitQuaternion::from_scaled_axis(Vec3::new(0.6, -0.8, 0.0) * swing);
            let turn = UnitQuaternion::from_scaled_axis(Vec3::z() * angle);
            motions[1].pose.orientation = frame * tilt * turn * spring.b.pose.orientation.inverse();
            let force = Force::TorsionSpring(spring);
            check(&format!("torsion {angle} {swing}"), &force, 0.0, &motions);
            let load = force.load(0.0, &motions, false).unwrap();
            let u = angle - spring.angle;
            let u = u - std::f64::consts::TAU * (u / std::f64::consts::TAU).round();
            assert!((load.stored - 0.5 * spring.stiffness * u * u).abs() < 1e-12, "{angle} {swing}");
            assert!(load.on(0)[0].norm() == 0.0 && (load.on(0)[1] + load.on(1)[1]).norm() == 0.0);
            if swing == 0.0 {
                // T about the common axis, on A.
                let rate = (frame * Vec3::z())
                    .dot(&(motions[1].twist().angular_velocity - motions[0].twist().angular_velocity));
                let expected = frame * Vec3::z() * (spring.stiffness * u + spring.damping * rate);
                assert!((load.on(0)[1] - expected).norm() < 1e-12);
            }
        }
    }
}

#[test]
fn a_torsion_spring_with_opposite_axes_has_no_torque() {
    let mut spring = torsion();
    (spring.a.pose, spring.b.pose) = (Pose::identity(), Pose::identity());
    let upside_down = Pose::from_parts([0.0; 3], [0.0, 1.0, 0.0, 0.0]).unwrap();
    let motions = [Motion::at_rest(Pose::identity()), Motion::at_rest(upside_down)];
    let load = Force::TorsionSpring(spring).load(0.0, &motions, true).unwrap();
    let tangent = load.tangent.unwrap();
    assert_eq!((load.wrench.amax(), tangent.by_pose.amax(), tangent.by_twist.amax()), (0.0, 0.0, 0.0));
}
