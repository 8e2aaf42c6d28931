//! Single cases with closed forms.

use super::stage::{GRAVITY, STIFFNESS, engines, gap, law, least_gap, model};
use rattleback_dynamics::force::{Axes, Constant, Force};
use rattleback_dynamics::geom::surface::{Plane, Sphere};
use rattleback_dynamics::geom::{Mat3, Pose, Vec3};
use rattleback_dynamics::{Body, BodyModel, Model, Motion, Run, RunEvent, State};

const RADIUS: f64 = 0.01;
/// What a body of 1 kg at rest is indented by.
const SETTLED: f64 = GRAVITY / STIFFNESS;

fn ball_on_floor() -> Model {
    let floor = Plane::new([0.0, 0.0, 1.0], 0.0).unwrap();
    model(floor.into(), Sphere::new(RADIUS).unwrap().into(), &Vec3::z())
}

fn at(z: f64, velocity: Vec3) -> Vec<Motion> {
    let ball = Motion { velocity, ..Motion::at_rest(Pose::from_position(0.0, 0.0, z)) };
    vec![Motion::at_rest(Pose::identity()), ball]
}

#[test]
fn a_ball_that_touches_the_floor_exactly_rests_on_it() {
    let model = ball_on_floor();
    // Zero, the least numbers about it, and what rounding makes of them.
    for off in [0.0, 1e-18, -1e-18, 1e-16, -1e-16, 1e-13, -1e-13] {
        assert!((gap(&model, &at(RADIUS + off, Vec3::zeros())).unwrap() - off).abs() < 4e-18);
        for (engine, scheme) in engines() {
            let start = at(RADIUS + off, Vec3::zeros());
            let [least, end] = least_gap(&model, start, &scheme, 0.1).unwrap();
            let settled = if engine == "rolling" { 0.0 } else { SETTLED };
            // Undamped it would swing to twice the depth at which it comes to rest.
            assert!(least >= -2.001 * settled - 1e-12, "{engine}, {off}: it sinks to {least}");
            assert!((end + settled).abs() < 0.2 * SETTLED, "{engine}, {off}: it ends at {end}");
        }
    }
}

#[test]
fn a_ball_that_touches_and_approaches_bounces_at_once() {
    let model = ball_on_floor();
    for velocity in [Vec3::new(0.0, 0.0, -0.5), Vec3::new(2.0, -1.0, -0.5)] {
        for (engine, scheme) in engines() {
            let mut run = Run::new(&model, State::new(at(RADIUS, velocity)), &scheme).unwrap();
            run.advance(0.02, &mut |_| Ok(())).unwrap();
            // The restitution is a half; gravity takes a part of it back, and is there while they touch.
            let speed = run.state().motions[1].velocity.z + GRAVITY * 0.02;
            assert!((speed - 0.25).abs() < 0.06, "{engine}: {speed}");
        }
    }
}

#[test]
fn a_ball_that_touches_and_leaves_is_not_held_and_comes_back() {
    let model = ball_on_floor();
    let speed = 0.3;
    for off in [0.0, -1e-18, 1e-18] {
        for (engine, scheme) in engines() {
            let start = at(RADIUS + off, Vec3::new(0.0, 0.0, speed));
            let mut run = Run::new(&model, State::new(start), &scheme).unwrap();
            let flight = 2.0 * speed / GRAVITY;
            run.advance(0.5 * flight, &mut |seen| {
                assert!(seen.active_contacts.is_empty(), "{engine}: pressed at {}", seen.state.time);
                Ok(())
            })
            .unwrap();
            let height = run.state().motions[1].pose.position.z - RADIUS;
            assert!((height - speed * speed / (2.0 * GRAVITY)).abs() < 1e-4, "{engine}: {height}");
            let mut begun = None;
            run.advance(1.5 * flight, &mut |seen| {
                if let RunEvent::Begin(_) = seen.event {
                    begun = begun.or(Some(seen.state.time));
                }
                Ok(())
            })
            .unwrap();
            let begun = begun.unwrap_or_else(|| panic!("{engine}, {off}: it does not come back"));
            assert!((begun - flight).abs() < 2e-4, "{engine}: {begun} against {flight}");
            // It comes back as fast as it left, and rises with half of that.
            let rise = run.state().motions[1].velocity.z + GRAVITY * 0.5 * flight;
            assert!((rise - 0.5 * speed).abs() < 0.06, "{engine}: {rise}");
        }
    }
}

/// Two balls side by side without gravity, pressed together by a force on each.
fn pressed_together(distance: f64) -> (Model, State) {
    let mut builder = Model::builder();
    let surface = builder.surface("any");
    builder.law(surface, surface, law());
    let mut motions = Vec::new();
    for side in [-1.0, 1.0] {
        let body = Body { mass: 1.0, inertia: Mat3::identity() * 1e-4 };
        let body = BodyModel::free(if side < 0.0 { "left" } else { "right" }, body);
        let sphere = Sphere::new(RADIUS).unwrap();
        let body = builder.body(body.with_part(sphere, Pose::identity(), surface));
        builder.force(Force::Constant(Constant {
            body,
            point: Vec3::zeros(),
            force: Vec3::new(-side * GRAVITY, 0.0, 0.0),
            torque: Vec3::zeros(),
            axes: Axes::World,
        }));
        motions.push(Motion::at_rest(Pose::from_position(0.5 * side * distance, 0.3, -0.7)));
    }
    (builder.build().unwrap(), State::new(motions))
}

#[test]
fn two_balls_that_touch_exactly_press_on_each_other_under_forces() {
    for off in [0.0, 1e-18, -1e-18] {
        for (engine, scheme) in engines() {
            let (model, state) = pressed_together(2.0 * RADIUS + off);
            let mut run = Run::new(&model, state, &scheme).unwrap();
            run.advance(0.05, &mut |_| Ok(())).unwrap();
            let gap = gap(&model, &run.state().motions).unwrap();
            let settled = if engine == "rolling" { 0.0 } else { SETTLED };
            assert!((gap + settled).abs() < 1.001 * SETTLED, "{engine}: gap {gap}");
        }
    }
}

#[test]
fn a_ball_that_touches_two_walls_exactly_is_held_by_both() {
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, 0.0, -GRAVITY));
    let surface = builder.surface("any");
    builder.law(surface, surface, law());
    for side in [-1.0, 1.0] {
        let wall = Plane::new([side * 0.6, 0.0, 0.8], 0.0).unwrap();
        let name = if side < 0.0 { "left" } else { "right" };
        builder.body(BodyModel::fixed(name).with_part(wall, Pose::identity(), surface));
    }
    let body = Body { mass: 1.0, inertia: Mat3::identity() * 1e-4 };
    let sphere = Sphere::new(RADIUS).unwrap();
    builder.body(BodyModel::free("ball", body).with_part(sphere, Pose::identity(), surface));
    let model = builder.build().unwrap();
    let fixed = Motion::at_rest(Pose::identity());
    for (engine, scheme) in engines() {
        let ball = Motion::at_rest(Pose::from_position(0.0, 0.0, RADIUS / 0.8));
        let mut run = Run::new(&model, State::new(vec![fixed, fixed, ball]), &scheme).unwrap();
        run.advance(0.1, &mut |_| Ok(())).unwrap();
        let position = run.state().motions[2].pose.position;
        let sunk = RADIUS / 0.8 - position.z;
        // Each wall bears ½ mg/0.8 at a depth of 0.8 times what the ball has sunk; rolling bodies hop by micrometres.
        let settled = if engine == "rolling" { 0.0 } else { 0.5 * SETTLED / (0.8 * 0.8) };
        assert!(position.x.abs() < 1e-5, "{engine}: {position}");
        assert!((sunk - settled).abs() < 1e-5, "{engine}: sunk by {sunk} instead of {settled}");
    }
}

#[test]
fn balls_in_a_row_that_touch_exactly_are_all_there_when_the_first_one_is_hit() {
    let mut builder = Model::builder();
    let surface = builder.surface("any");
    builder.law(surface, surface, law());
    let mut motions = Vec::new();
    for k in 0..4 {
        let body = Body { mass: 1.0, inertia: Mat3::identity() * 1e-4 };
        let sphere = Sphere::new(RADIUS).unwrap();
        let body = BodyModel::free(format!("ball {k}"), body).with_part(sphere, Pose::identity(), surface);
        builder.body(body);
        let gap = if k == 0 { 1e-3 } else { 0.0 };
        let mut motion = Motion::at_rest(Pose::from_position(0.0, 2.0 * RADIUS * f64::from(k) - gap, 0.0));
        motion.velocity.y = if k == 0 { 1.0 } else { 0.0 };
        motions.push(motion);
    }
    let model = builder.build().unwrap();
    for (engine, scheme) in engines() {
        let mut run = Run::new(&model, State::new(motions.clone()), &scheme).unwrap();
        run.advance(0.1, &mut |_| Ok(())).unwrap();
        let state = run.state();
        let momentum: f64 = state.motions.iter().map(|motion| motion.velocity.y).sum();
        assert!((momentum - 1.0).abs() < 1e-6, "{engine}: {momentum}");
        let in_order = state.motions.windows(2).all(|two| {
            let distance = two[1].pose.position.y - two[0].pose.position.y;
            distance > 2.0 * RADIUS * (1.0 - 1e-2)
        });
        assert!(in_order, "{engine}: {:?}", state.motions);
    }
}
