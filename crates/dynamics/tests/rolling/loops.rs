//! Contacts that close loops: several of one pair, several carriers, heaps.

use super::engine::{ROUGH, ground, law, model, on_floor, run, settings, start, uniform};
use super::reference::GRAVITY;
use rattleback_contact::Start;
use rattleback_contact::narrow::touch;
use rattleback_dynamics::rolling::{ContactList, Mode, RigidContact, Rolling};
use rattleback_dynamics::{Body, BodyId, BodyModel, Energy, Model, Motion, State};
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::surface::{Capsule, Plane, Shape, Sphere, Torus};
use rattleback_geom::{Mat3, Pose, Vec3};

/// All modes, those of the tree first.
fn modes(run: &Rolling<'_>) -> Vec<Mode> {
    ContactList::of(run.state()).iter().map(|(.., contact)| contact.mode).collect()
}

/// The greatest gap of all contacts, as the narrow phase finds it from the poses alone.
fn greatest_gap(model: &Model, state: &State) -> f64 {
    let of = |(_, body, contact): (usize, BodyId, &RigidContact)| {
        let [a, b] = contact.parts(body).map(|part| {
            let model = &model.bodies()[part.body.0].parts[part.index];
            (&model.shape, state.motions[part.body.0].pose.compose(&model.pose))
        });
        touch(a.0, &a.1, b.0, &b.1, Start::Cold).unwrap().gap.abs()
    };
    ContactList::of(state).iter().map(of).fold(0.0, f64::max)
}

/// A groove of two planes, inclined by 45° to both sides and downwards along x by an angle, and a ball in it.
fn groove(slope: f64, radius: f64, friction: f64) -> (Model, State, Vec3) {
    let down = Vec3::new(slope.cos(), 0.0, -slope.sin());
    let up = Vec3::new(slope.sin(), 0.0, slope.cos());
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let wall = |side: f64| {
        let normal = (up + Vec3::y() * side) * half;
        let name = if side < 0.0 { "left" } else { "right" };
        (BodyModel::fixed(name), Plane::new(normal.into(), 0.0).unwrap().into(), Pose::identity())
    };
    let ball: Shape = Sphere::new(radius).unwrap().into();
    let body = BodyModel::free("ball", uniform(ball.surface(), 2.0));
    let model = model(vec![wall(-1.0), wall(1.0), (body, ball, Pose::identity())], law(friction, 0.5));
    let centre = up * (radius / half);
    let rest = Motion::at_rest(Pose::identity());
    let state =
        State::new(vec![rest, rest, Motion::at_rest(Pose::from_position(centre.x, centre.y, centre.z))]);
    (model, state, down)
}

/// It turns about the line through both contacts, which is R/√2 from its centre: a = g sin α/(1 + k R²/ρ²).
#[test]
fn a_ball_rolls_down_a_groove_on_its_effective_radius() {
    let (slope, radius) = (0.3f64, 0.05);
    let (model, state, down) = groove(slope, radius, 1.0);
    let mut run = run(&model, state.clone());
    assert_eq!(modes(&run), vec![Mode::Rolling; 2]);
    let before = Energy::of(&model, run.state()).unwrap().total();
    let mut worst = 0.0f64;
    run.advance(2.0, &mut |now| {
        worst = worst.max(greatest_gap(&model, now.state));
        Ok(())
    })
    .unwrap();
    assert_eq!(modes(&run), vec![Mode::Rolling; 2]);
    let way = (run.state().motions[2].pose.position - state.motions[2].pose.position).dot(&down);
    let expected = 0.5 * GRAVITY * slope.sin() / (1.0 + 0.4 * 2.0) * 4.0;
    assert!((way - expected).abs() < 1e-9 * expected, "{way} {expected}");
    let after = Energy::of(&model, run.state()).unwrap();
    assert!((after.total() - before).abs() < 1e-8 * after.kinetic, "{:e}", after.total() - before);
    assert!(worst < 1e-13, "{worst:e}");
}

/// Runs on; the greatest gap and the greatest change of all energy, books included.
fn watch(model: &Model, run: &mut Rolling<'_>, end: f64) -> [f64; 2] {
    let before = Energy::of(model, run.state()).unwrap().total();
    let (mut gap, mut change) = (0.0f64, 0.0f64);
    run.advance(end, &mut |now| {
        gap = gap.max(greatest_gap(model, now.state));
        change = change.max((Energy::of(model, now.state)?.total() - before).abs());
        Ok(())
    })
    .unwrap();
    [gap, change]
}

/// Without friction it slides like a block, g sin α, and is pressed by both walls with mg cos α/√2.
#[test]
fn a_ball_slides_down_a_groove_of_ice_without_turning() {
    let (slope, radius) = (0.3f64, 0.05);
    let (model, mut state, down) = groove(slope, radius, 0.0);
    state.motions[2].angular_velocity_body = Vec3::new(3.0, -1.0, 7.0);
    let begin = state.motions[2];
    let mut run = run(&model, state);
    assert_eq!(modes(&run), vec![Mode::Sliding; 2]);
    let [gap, change] = watch(&model, &mut run, 2.0);
    let motion = run.state().motions[2];
    let way = (motion.pose.position - begin.pose.position).dot(&down);
    let expected = 0.5 * GRAVITY * slope.sin() * 4.0;
    assert!((way - expected).abs() < 1e-9 * expected, "{way} {expected}");
    assert!((motion.twist().angular_velocity - begin.twist().angular_velocity).norm() < 1e-9);
    assert!(gap < 1e-13 && change < 1e-9, "{gap:e} {change:e}");
    for (_, found) in rattleback_dynamics::rolling::active_contacts(&model, run.state()).unwrap() {
        let expected = 2.0 * GRAVITY * slope.cos() * std::f64::consts::FRAC_1_SQRT_2;
        assert!((found.force.normal - expected).abs() < 1e-9, "{} {expected}", found.force.normal);
    }
}

/// With friction too weak to hold it the ball slips at both walls, on a straight way with constant forces: its centre
/// is driven by g sin α less 2 μ N, N = mg cos α/√2, and it is turned by both.
#[test]
fn a_ball_in_a_steep_groove_slips_at_both_walls() {
    let (slope, radius, mu) = (1.2f64, 0.05, 0.1);
    let (model, state, down) = groove(slope, radius, mu);
    let begin = state.motions[2];
    let mut run = run(&model, state);
    let [gap, change] = watch(&model, &mut run, 0.5);
    assert_eq!(modes(&run), vec![Mode::Sliding; 2]);
    let way = (run.state().motions[2].pose.position - begin.pose.position).dot(&down);
    let braking = 2.0 * mu * GRAVITY * slope.cos() * std::f64::consts::FRAC_1_SQRT_2;
    let expected = 0.5 * (GRAVITY * slope.sin() - braking) * 0.25;
    assert!((way - expected).abs() < 1e-6, "{way} {expected}");
    assert!(gap < 1e-13 && change < 1e-8, "{gap:e} {change:e}");
}

/// A capsule on its side on a plane that is inclined across its axis.
fn capsule_on(slope: f64, friction: f64) -> (Model, State, Vec3) {
    let capsule = Capsule::new(0.02, 0.05).unwrap();
    let normal = [slope.sin(), 0.0, slope.cos()];
    let model = on_floor(Plane::new(normal, 0.0).unwrap(), capsule, 0.4, law(friction, 0.3));
    let mut state = start(normal.map(|x| x * 0.02), [0.0; 3], [0.0; 3]);
    state.motions[1].pose.orientation =
        UnitQuaternion::from_euler_angles(std::f64::consts::FRAC_PI_2, 0.0, 0.0);
    (model, state, Vec3::new(slope.cos(), 0.0, -slope.sin()))
}

#[test]
fn a_capsule_lies_at_rest_on_its_two_ends() {
    let (model, state, _) = capsule_on(0.0, 0.5);
    let mut run = run(&model, state.clone());
    assert_eq!(modes(&run), vec![Mode::Rolling; 2]);
    let [gap, change] = watch(&model, &mut run, 5.0);
    let moved = run.state().motions[1].pose.position - state.motions[1].pose.position;
    assert!(moved.norm() < 1e-12 && gap < 1e-13 && change < 1e-12, "{moved} {gap:e} {change:e}");
    assert_eq!(modes(&run), vec![Mode::Rolling; 2]);
    let shares = rattleback_dynamics::rolling::active_contacts(&model, run.state()).unwrap();
    assert!(shares.len() == 2 && shares.iter().all(|(_, c)| (c.force.normal - 0.2 * GRAVITY).abs() < 1e-9));
}

/// a = g sin α/(1 + I/(m r²)), I about its axis.
#[test]
fn a_capsule_rolls_down_a_plane_on_its_side() {
    let slope = 0.25f64;
    let (model, state, down) = capsule_on(slope, 0.8);
    let mut run = run(&model, state.clone());
    let [gap, change] = watch(&model, &mut run, 1.5);
    assert_eq!(modes(&run), vec![Mode::Rolling; 2]);
    let body = &model.bodies()[1].body;
    let share = body.inertia[(2, 2)] / (body.mass * 4e-4);
    let way = (run.state().motions[1].pose.position - state.motions[1].pose.position).dot(&down);
    let expected = 0.5 * GRAVITY * slope.sin() / (1.0 + share) * 1.5 * 1.5;
    assert!((way - expected).abs() < 1e-9 * expected, "{way} {expected}");
    assert!(gap < 1e-13 && change < 1e-8, "{gap:e} {change:e}");
}

/// Dropped with a tilt it knocks from end to end, comes to lie, and stays.
#[test]
fn a_capsule_that_is_dropped_comes_to_lie_on_its_side() {
    let (model, mut state, _) = capsule_on(0.0, 0.5);
    let tilt = std::f64::consts::FRAC_PI_2 + 0.2;
    state.motions[1].pose =
        Pose::new(Vec3::new(0.0, 0.0, 0.05), UnitQuaternion::from_euler_angles(tilt, 0.0, 0.0));
    let mut run = run(&model, state);
    let [gap, change] = watch(&model, &mut run, 3.0);
    assert_eq!(ContactList::of(run.state()).iter().count(), 2);
    // The end that is found to meet has sunk in by 1e-10 of the size.
    assert!(gap < 2e-11 && change < 1e-8, "{gap:e} {change:e}");
    assert!((run.state().motions[1].pose.position.z - 0.02).abs() < 1e-14);
}

/// Balls fixed to a body, at places about its mass centre.
fn on_balls(feet: &[[f64; 3]], radius: f64, mass: f64, slope: f64, friction: f64) -> (Model, State) {
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, 0.0, -GRAVITY));
    let surface = builder.surface("any");
    builder.law(surface, surface, law(friction, 0.3));
    let normal = Vec3::new(slope.sin(), 0.0, slope.cos());
    let plane = Plane::new(normal.into(), 0.0).unwrap();
    builder.body(BodyModel::fixed("floor").with_part(plane, Pose::identity(), surface));
    let inertia = Mat3::from_diagonal(&Vec3::new(0.02, 0.03, 0.04)) * mass;
    let mut body = BodyModel::free("body", Body { mass, inertia });
    for [x, y, z] in feet {
        body = body.with_part(Sphere::new(radius).unwrap(), Pose::from_position(*x, *y, *z), surface);
    }
    builder.body(body);
    let depth = radius - feet[0][2];
    let turn = UnitQuaternion::rotation_between(&Vec3::z(), &normal).unwrap();
    let pose = Pose::new(normal * depth, turn);
    (builder.build().unwrap(), State::new(vec![Motion::at_rest(Pose::identity()), Motion::at_rest(pose)]))
}

const TABLE: [[f64; 3]; 4] = [[0.3, 0.2, -0.3], [-0.3, 0.2, -0.3], [-0.3, -0.2, -0.3], [0.3, -0.2, -0.3]];

#[test]
fn a_table_on_three_or_four_feet_stands_and_its_feet_bear_it() {
    for feet in [&[TABLE[0], TABLE[1], [0.0, -0.2, -0.3]][..], &TABLE[..]] {
        let (model, state) = on_balls(feet, 0.02, 5.0, 0.0, 0.4);
        let mut run = run(&model, state.clone());
        assert_eq!(modes(&run), vec![Mode::Rolling; feet.len()]);
        let [gap, change] = watch(&model, &mut run, 2.0);
        assert_eq!(modes(&run), vec![Mode::Rolling; feet.len()]);
        let moved = run.state().motions[1].pose.position - state.motions[1].pose.position;
        assert!(moved.norm() < 1e-13 && gap < 1e-13 && change < 1e-12, "{moved} {gap:e} {change:e}");
        let shares = rattleback_dynamics::rolling::active_contacts(&model, run.state()).unwrap();
        let sum: f64 = shares.iter().map(|(_, c)| c.force.normal).sum();
        assert!((sum - 5.0 * GRAVITY).abs() < 1e-9);
        if feet.len() == 4 {
            assert!(shares.iter().all(|(_, c)| (c.force.normal - 1.25 * GRAVITY).abs() < 1e-9), "{shares:?}");
        }
    }
}

/// It is thrown along the floor, slides to a stop after v²/(2μg), and stands.
#[test]
fn a_table_that_is_pushed_slides_to_a_stop() {
    let (model, mut state) = on_balls(&TABLE, 0.02, 5.0, 0.0, 0.4);
    // Without a moment about the feet: those in front would lift the others.
    state.motions[1].velocity = Vec3::new(1.0, 0.0, 0.0);
    let mut run = run(&model, state);
    let [gap, change] = watch(&model, &mut run, 1.0);
    let way = run.state().motions[1].pose.position.x;
    assert!((way - 0.5 / (0.4 * GRAVITY)).abs() < 1e-6, "{way}");
    assert!(run.state().motions[1].velocity.norm() < 1e-12);
    assert!(gap < 1e-12 && change < 1e-8, "{gap:e} {change:e}");
}

/// On a slope a table stands where tan α ≤ μ, and else slides down it as a block does, with g (sin α − μ cos α): also
/// where its upper feet bear least, and where more feet bear it than its rest determines.
#[test]
fn a_table_on_a_slope_stands_or_slides_by_coulombs_law() {
    for feet in [&[TABLE[0], TABLE[1], [0.0, -0.2, -0.3]][..], &TABLE[..]] {
        for (slope, friction) in [(0.3f64, 0.4f64), (0.36, 0.4), (0.4, 0.4), (0.45, 0.4), (0.45, 0.3)] {
            let (model, state) = on_balls(feet, 0.02, 5.0, slope, friction);
            let begin = state.motions[1].pose.position;
            let mut run = run(&model, state);
            let [gap, change] = watch(&model, &mut run, 0.5);
            let way = (run.state().motions[1].pose.position - begin).norm();
            let expected = 0.5 * GRAVITY * (slope.sin() - friction * slope.cos()).max(0.0) * 0.25;
            let what = format!("{} feet, slope {slope}, friction {friction}", feet.len());
            // Slip begins with 1e-7 m/s.
            let off = if expected > 0.0 { 6e-8 } else { 1e-12 };
            assert!((way - expected).abs() < off, "{what}: {way} instead of {expected}");
            assert!(gap < 1e-12 && change < 1e-8, "{what}: gap {gap:e}, energy {change:e}");
        }
    }
}

/// Two rings on one axle: it rolls straight as a cylinder of their outer radius.
#[test]
fn a_rocker_of_two_rings_rolls_straight() {
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, 0.0, -GRAVITY));
    let surface = builder.surface("any");
    builder.law(surface, surface, law(ROUGH, 0.3));
    let slope = 0.2f64;
    let normal = Vec3::new(slope.sin(), 0.0, slope.cos());
    builder.body(BodyModel::fixed("floor").with_part(
        Plane::new(normal.into(), 0.0).unwrap(),
        Pose::identity(),
        surface,
    ));
    let inertia = Mat3::from_diagonal(&Vec3::new(0.01, 0.008, 0.01));
    let mut body = BodyModel::free("rocker", Body { mass: 2.0, inertia });
    for y in [-0.1, 0.1] {
        let turn = UnitQuaternion::from_euler_angles(std::f64::consts::FRAC_PI_2, 0.0, 0.0);
        let ring = Torus::new(0.08, 0.02).unwrap();
        body = body.with_part(ring, Pose::new(Vec3::new(0.0, y, 0.0), turn), surface);
    }
    builder.body(body);
    let model = builder.build().unwrap();
    let pose = Pose::new(normal * 0.1, UnitQuaternion::identity());
    let begin = vec![Motion::at_rest(Pose::identity()), Motion::at_rest(pose)];
    let mut run = run(&model, State::new(begin));
    assert_eq!(modes(&run), vec![Mode::Rolling; 2]);
    let [gap, change] = watch(&model, &mut run, 2.0);
    assert_eq!(modes(&run), vec![Mode::Rolling; 2]);
    let way = (run.state().motions[1].pose.position - pose.position).norm();
    let expected = 0.5 * GRAVITY * slope.sin() / (1.0 + 0.008 / (2.0 * 0.01)) * 4.0;
    assert!((way - expected).abs() < 1e-9 * expected, "{way} {expected}");
    assert!(gap < 1e-12 && change < 1e-8, "{gap:e} {change:e}");
}

/// Three balls that touch each other on a floor and one on top: with friction enough they stay.
fn heap(friction: f64) -> (Model, State) {
    let r = 0.05;
    let ball = |name: &str| {
        let shape = Shape::from(Sphere::new(r).unwrap());
        (BodyModel::free(name, uniform(shape.surface(), 0.3)), shape, Pose::identity())
    };
    let floor = (BodyModel::fixed("floor"), Shape::from(ground()), Pose::identity());
    let model = model(vec![floor, ball("a"), ball("b"), ball("c"), ball("top")], law(friction, 0.3));
    let mut motions = vec![Motion::at_rest(Pose::identity())];
    for k in 0..3 {
        let angle = std::f64::consts::TAU * f64::from(k) / 3.0;
        let out = 2.0 * r / 3f64.sqrt();
        motions.push(Motion::at_rest(Pose::from_position(out * angle.cos(), out * angle.sin(), r)));
    }
    let height = r + 2.0 * r * (2.0f64 / 3.0).sqrt();
    motions.push(Motion::at_rest(Pose::from_position(0.0, 0.0, height)));
    (model, State::new(motions))
}

#[test]
fn a_heap_of_four_balls_is_held_by_friction() {
    let (model, state) = heap(0.5);
    let mut run = run(&model, state.clone());
    let [gap, change] = watch(&model, &mut run, 2.0);
    for (motion, begin) in run.state().motions.iter().zip(&state.motions) {
        let moved = motion.pose.position - begin.pose.position;
        assert!(moved.norm() < 1e-10, "{moved}");
    }
    assert!(gap < 1e-12 && change < 1e-10, "{gap:e} {change:e}");
}

#[test]
fn a_heap_of_four_balls_without_friction_falls_apart() {
    let (model, state) = heap(0.0);
    let mut run = run(&model, state);
    let [gap, change] = watch(&model, &mut run, 0.3);
    assert!(run.state().motions[4].pose.position.z < 0.1);
    assert!(gap < 1e-12 && change < 1e-8, "{gap:e} {change:e}");
}

/// Stopped at any time and gone on with from its state, a run is the same to the bit.
#[test]
fn a_run_with_loops_goes_on_from_its_state_to_the_same_bits() {
    let (model, state, _) = groove(0.3, 0.05, 0.15);
    let mut whole = Rolling::new(&model, state, settings()).unwrap();
    whole.advance(0.37, &mut |_| Ok(())).unwrap();
    let kept: State = whole.state().clone();
    let mut rest = Rolling::new(&model, kept, settings()).unwrap();
    for run in [&mut whole, &mut rest] {
        run.advance(0.9, &mut |_| Ok(())).unwrap();
    }
    assert_eq!(whole.state(), rest.state());
}
