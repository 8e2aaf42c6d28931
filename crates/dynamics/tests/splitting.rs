//! Kick, drift, kick: measured order, conserved momentum, bounded energy, reversibility.

use rattleback_dynamics::integrator::Splitting;
use rattleback_dynamics::{Body, BodyModel, DynamicsError, Model, Motion, Result, measure};
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::{Mat3, Pose, Vec3};

/// Where the spring holds the top, in its own frame.
const FOOT: Vec3 = Vec3::new(0.0, 0.05, -0.4);
const STIFFNESS: f64 = 400.0;

/// An inertia whose principal axes are not the body's.
fn oblique(moments: [f64; 3]) -> Mat3 {
    let turn = *UnitQuaternion::from_euler_angles(0.4, -1.1, 2.0).to_rotation_matrix().matrix();
    turn * Mat3::from_diagonal(&moments.into()) * turn.transpose()
}

fn single(body: Body, gravity: Vec3) -> Model {
    let mut builder = Model::builder();
    builder.gravity(gravity);
    builder.body(BodyModel::free("top", body));
    builder.build().unwrap()
}

/// An asymmetric top on a spring to the origin, under gravity.
fn top() -> (Model, Vec<Motion>) {
    let body = Body { mass: 1.5, inertia: oblique([0.06, 0.10, 0.08]) };
    let pose = Pose::from_position(0.02, 0.0, 0.38).rotated(Vec3::new(1.0, 0.3, 0.0), 0.3).unwrap();
    let motion =
        Motion { pose, velocity: Vec3::new(0.1, -0.2, 0.0), angular_velocity_body: Vec3::new(0.5, 1.0, 9.0) };
    (single(body, Vec3::new(0.0, 0.0, -9.81)), vec![motion])
}

/// The spring −k r at the foot, and damping −c u of the foot's velocity.
fn spring(damping: f64) -> impl FnMut(f64, &[Motion], &mut [[Vec3; 2]]) -> Result<()> {
    move |_, motions, loads| {
        let arm = motions[0].pose.vector_to_world(&FOOT);
        let force = -STIFFNESS * (motions[0].pose.position + arm) - damping * motions[0].twist().at(&arm);
        loads[0] = [force, arm.cross(&force)];
        Ok(())
    }
}

fn energy(model: &Model, motions: &[Motion]) -> f64 {
    let foot = motions[0].pose.point_to_world(&FOOT);
    let stretched = 0.5 * STIFFNESS * foot.norm_squared();
    measure::kinetic_energy(model, motions).unwrap()
        + measure::gravitational_energy(model, motions).unwrap()
        + stretched
}

/// The distance of two motions, in mixed units of order one.
fn distance(a: &Motion, b: &Motion) -> f64 {
    (a.pose.position - b.pose.position).norm()
        + (a.pose.rotation() - b.pose.rotation()).norm()
        + (a.velocity - b.velocity).norm()
        + (a.angular_velocity_body - b.angular_velocity_body).norm()
}

/// The top after one second in `steps` steps.
fn after_a_second(steps: u32, damping: f64, reuse: bool) -> (Motion, usize) {
    let (model, mut motions) = top();
    let mut stepper = Splitting::new(&model);
    if reuse {
        stepper = stepper.reusing_loads();
    }
    let dt = 1.0 / f64::from(steps);
    for k in 0..steps {
        stepper.step(&mut motions, f64::from(k) * dt, dt, &mut spring(damping)).unwrap();
    }
    (motions[0], stepper.evaluations())
}

#[test]
fn the_order_is_two_with_and_without_damping_and_with_loads_used_twice() {
    for (damping, reuse) in [(0.0, false), (0.0, true), (3.0, false), (3.0, true)] {
        let runs = [400, 800, 1600, 3200].map(|steps| after_a_second(steps, damping, reuse).0);
        let errors = [0, 1, 2].map(|i| distance(&runs[i], &runs[i + 1]));
        for pair in errors.windows(2) {
            // Terms of h³ and more change the quotient by a few times ωh = 10/400.
            let order = (pair[0] / pair[1]).log2();
            assert!((order - 2.0).abs() < 0.05, "damping {damping}, reuse {reuse}: {order} of {errors:?}");
        }
    }
}

#[test]
fn loads_by_poses_used_twice_change_no_bit_and_halve_the_evaluations() {
    let (twice, evaluations) = after_a_second(500, 0.0, false);
    assert_eq!(evaluations, 1000);
    let (once, evaluations) = after_a_second(500, 0.0, true);
    assert_eq!(evaluations, 501);
    assert_eq!(once, twice);
}

#[test]
fn the_limit_agrees_with_an_independent_integrator() {
    use rattleback_dynamics::integrator::{Dop853, Equations, Settings, Stepper, Tolerance};
    struct Top(Body);
    impl Equations for Top {
        fn dimension(&self) -> usize {
            13
        }
        fn rate(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<()> {
            let motion = motion(y);
            let mut loads = [[Vec3::zeros(); 2]];
            spring(3.0)(t, &[motion], &mut loads)?;
            let [force, torque] = loads[0];
            let own = self.0.inertia * motion.angular_velocity_body;
            let gained = motion.pose.vector_to_local(&torque) + own.cross(&motion.angular_velocity_body);
            let turning = self.0.inertia.try_inverse().unwrap() * gained;
            let q = motion.pose.orientation.quaternion();
            let dq = q * rattleback_geom::nalgebra::Quaternion::from_imag(motion.angular_velocity_body) * 0.5;
            dy[..3].copy_from_slice(motion.velocity.as_slice());
            dy[3..7].copy_from_slice(&[dq.w, dq.i, dq.j, dq.k]);
            dy[7..10].copy_from_slice((force / self.0.mass + Vec3::new(0.0, 0.0, -9.81)).as_slice());
            dy[10..].copy_from_slice(turning.as_slice());
            Ok(())
        }
    }
    fn motion(y: &[f64]) -> Motion {
        let q = rattleback_geom::nalgebra::Quaternion::new(y[3], y[4], y[5], y[6]);
        Motion {
            pose: Pose::new(Vec3::from_column_slice(&y[..3]), UnitQuaternion::from_quaternion(q)),
            velocity: Vec3::from_column_slice(&y[7..10]),
            angular_velocity_body: Vec3::from_column_slice(&y[10..]),
        }
    }
    let (model, motions) = top();
    let start = &motions[0];
    let mut y = start.pose.position.as_slice().to_vec();
    y.extend(start.pose.wxyz());
    y.extend(start.velocity.iter().chain(start.angular_velocity_body.iter()));
    let mut reference =
        Dop853::new(0.0, &y, Tolerance::new(1e-12, 1e-12).unwrap(), Settings::default()).unwrap();
    let mut equations = Top(model.bodies()[0].body);
    while reference.time() < 1.0 {
        reference.step(&mut equations, 1.0).unwrap();
    }
    let exact = motion(reference.state());
    // An error of c h² leaves a quarter at half the step, but for terms of h³ and more.
    let (coarse, fine) = (after_a_second(1600, 3.0, false).0, after_a_second(3200, 3.0, false).0);
    let (one, two) = (distance(&coarse, &exact), distance(&fine, &exact));
    assert!((one / two - 4.0).abs() < 0.05 && two < 2e-4, "{one} {two}");
}

#[test]
fn angular_momentum_of_a_free_asymmetric_top_is_kept_to_rounding() {
    let body = Body { mass: 1.0, inertia: oblique([1.0, 2.2, 1.7]) };
    let model = single(body, Vec3::zeros());
    let mut stepper = Splitting::new(&model);
    let angular_velocity = Vec3::new(0.3, -6.0, 1.5);
    let mut motions =
        vec![Motion { angular_velocity_body: angular_velocity, ..Motion::at_rest(Pose::identity()) }];
    let before = measure::momentum(&model, &motions).unwrap().angular;
    let turn = std::f64::consts::TAU / angular_velocity.norm();
    let (per_turn, turns) = (200, 500);
    let dt = turn / f64::from(per_turn);
    let mut worst = 0.0f64;
    for k in 0..per_turn * turns {
        stepper.step(&mut motions, f64::from(k) * dt, dt, &mut |_, _, _| Ok(())).unwrap();
        let lost = (measure::momentum(&model, &motions).unwrap().angular - before).norm() / before.norm();
        worst = worst.max(lost);
        let length = motions[0].pose.orientation.norm();
        assert!((length - 1.0).abs() < 4.0 * f64::EPSILON, "step {k}: {length}");
    }
    println!("angular momentum after {turns} revolutions: {worst:e}");
    // 10⁵ steps of some ten roundings each, at random: 10³ ε; of one sign they would make 10⁶ ε = 2e-10.
    assert!(worst < 1e-12, "{worst:e}");
}

#[test]
fn energy_stays_within_a_band_over_a_hundred_thousand_steps() {
    let (model, mut motions) = top();
    let mut stepper = Splitting::new(&model).reusing_loads();
    let before = energy(&model, &motions);
    let dt = 1.0 / 512.0;
    let mut bands = [0.0f64; 10];
    for k in 0..100_000u32 {
        stepper.step(&mut motions, f64::from(k) * dt, dt, &mut spring(0.0)).unwrap();
        let band = &mut bands[k as usize / 10_000];
        *band = band.max((energy(&model, &motions) / before - 1.0).abs());
    }
    println!("energy bands over 10⁵ steps: {bands:?}");
    // The error is a function of the state, of which a long motion visits the rarer extremes only now and then.
    assert!(bands.iter().all(|band| *band < 2.0 * bands[0] && *band < 1e-3), "{bands:?}");
}

#[test]
fn a_motion_runs_back_to_where_it_began() {
    let (model, start) = top();
    let mut motions = start.clone();
    let mut stepper = Splitting::new(&model);
    let (dt, steps) = (1.0 / 512.0, 1024);
    for k in 0..steps {
        stepper.step(&mut motions, f64::from(k) * dt, dt, &mut spring(0.0)).unwrap();
    }
    assert!(distance(&motions[0], &start[0]) > 0.1);
    for k in (1..=steps).rev() {
        stepper.step(&mut motions, f64::from(k) * dt, -dt, &mut spring(0.0)).unwrap();
    }
    let back = distance(&motions[0], &start[0]);
    println!("back after {steps} steps and as many in reverse: {back:e}");
    // 2048 steps of roundings, which the motion itself magnifies a hundredfold in two seconds.
    assert!(back < 1e-10, "{back:e}");
}

#[test]
fn a_falling_body_follows_its_parabola_and_a_fixed_one_stays() {
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, 0.0, -10.0));
    builder.body(BodyModel::fixed("wall"));
    builder.body(BodyModel::free("stone", Body { mass: 2.0, inertia: Mat3::identity() }));
    let model = builder.build().unwrap();
    let wall = Motion::at_rest(Pose::from_position(1.0, 2.0, 3.0));
    let stone = Motion { velocity: Vec3::new(1.0, 0.0, 4.0), ..Motion::at_rest(Pose::identity()) };
    let mut motions = vec![wall, stone];
    let mut stepper = Splitting::new(&model);
    for k in 0..64 {
        let mut push = |_: f64, _: &[Motion], loads: &mut [[Vec3; 2]]| {
            loads.fill([Vec3::new(0.0, 4.0, 0.0), Vec3::new(0.0, 0.0, 3.0)]);
            Ok(())
        };
        stepper.step(&mut motions, f64::from(k) / 64.0, 1.0 / 64.0, &mut push).unwrap();
    }
    assert_eq!(motions[0], wall);
    // Under constant loads the method is exact.
    assert!((motions[1].pose.position - Vec3::new(1.0, 1.0, -1.0)).norm() < 1e-14);
    assert!((motions[1].velocity - Vec3::new(1.0, 2.0, -6.0)).norm() < 1e-14);
    assert!((motions[1].angular_velocity_body - Vec3::new(0.0, 0.0, 3.0)).norm() < 1e-13);
    assert!((motions[1].pose.orientation.angle() - 1.5).abs() < 1e-13);
}

#[test]
fn a_step_that_fails_leaves_the_motions_as_they_were() {
    let (model, start) = top();
    let mut motions = start.clone();
    let mut stepper = Splitting::new(&model).reusing_loads();
    let refused = DynamicsError::Invalid { what: "load".to_owned(), reason: "none".to_owned() };
    let mut calls = 0;
    let found = stepper.step(&mut motions, 0.0, 0.1, &mut |_, _, _| {
        calls += 1;
        if calls == 2 { Err(refused.clone()) } else { Ok(()) }
    });
    assert_eq!(found, Err(refused.clone()));
    assert_eq!(motions, start);
    let found = stepper.step(&mut motions, 0.0, 0.1, &mut |_, _, loads| {
        loads[0][1].x = f64::NAN;
        Ok(())
    });
    assert!(matches!(found, Err(DynamicsError::NotFinite { .. })), "{found:?}");
    assert_eq!(motions, start);
    let message = stepper.step(&mut motions, 0.0, f64::NAN, &mut spring(0.0)).unwrap_err().to_string();
    assert!(message.starts_with("dt = NaN"), "{message}");
    let message = stepper.step(&mut [], 0.0, 0.1, &mut spring(0.0)).unwrap_err().to_string();
    assert!(message.starts_with("motions has 0 entries"), "{message}");
}

#[test]
fn a_mass_hung_on_a_prescribed_body_follows_the_closed_form() {
    use rattleback_dynamics::model::{Freedom, Harmonic, PrescribedMotion};
    let (stiffness, mass, drive) = (9.0, 1.0, 2.0f64);
    let heave = Harmonic { freedom: Freedom::Heave, amplitude: 0.1, frequency: drive, phase: 0.0 };
    let mut builder = Model::builder();
    builder
        .body(BodyModel::prescribed("ship", PrescribedMotion::harmonic(Pose::identity(), &[heave]).unwrap()));
    builder.body(BodyModel::free("load", Body { mass, inertia: Mat3::identity() }));
    let model = builder.build().unwrap();
    let run = |steps: u32, reuse: bool| {
        let mut stepper = Splitting::new(&model);
        if reuse {
            stepper = stepper.reusing_loads();
        }
        let dt = 3.0 / f64::from(steps);
        // The ship starts elsewhere on purpose: its course decides.
        let mut motions = vec![Motion::at_rest(Pose::from_position(0.0, 0.0, 5.0)); 2];
        motions[1].pose.position.z = 0.0;
        for k in 0..steps {
            let mut pull = |_: f64, motions: &[Motion], loads: &mut [[Vec3; 2]]| {
                let force = (motions[0].pose.position - motions[1].pose.position) * stiffness;
                (loads[0][0], loads[1][0]) = (-force, force);
                Ok(())
            };
            stepper.step(&mut motions, f64::from(k) * dt, dt, &mut pull).unwrap();
        }
        assert_eq!(stepper.evaluations(), if reuse { steps as usize + 1 } else { 2 * steps as usize });
        let ship = motions[0];
        assert!((ship.pose.position.z - 0.1 * (3.0 * drive).cos()).abs() < 1e-14);
        assert!((ship.velocity.z + 0.1 * drive * (3.0 * drive).sin()).abs() < 1e-14);
        // The ship's motion is the drive's: neither its mass, which it has not, nor its energy counts.
        assert!(!model.bodies()[0].is_free());
        assert_eq!(
            measure::kinetic_energy(&model, &motions).unwrap(),
            0.5 * mass * motions[1].velocity.norm_squared()
        );
        motions[1].pose.position.z
    };
    // z̈ = ω² (a cos Ωt − z) from rest at zero: z = a ω²/(ω² − Ω²) (cos Ωt − cos ωt).
    let natural = (stiffness / mass).sqrt();
    let forced = 0.1 * stiffness / mass / (stiffness / mass - drive * drive);
    let exact = forced * ((3.0 * drive).cos() - (3.0 * natural).cos());
    let (coarse, fine) = (run(1000, false) - exact, run(2000, false) - exact);
    assert!((coarse / fine - 4.0).abs() < 1e-2 && fine.abs() < 1e-6, "{coarse:e} {fine:e}");
    assert!((run(1000, true) - exact - coarse).abs() < 1e-13);
}
