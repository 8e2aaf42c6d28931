//! Where models are at rest, and how they move about that, against closed forms.

use rattleback_contact::law::{self, ContactLaw};
use rattleback_dynamics::analysis::{self, Modes};
use rattleback_dynamics::force::{End, Force, SpringDamper};
use rattleback_dynamics::joint::{Joint, JointFrame, JointKind};
use rattleback_dynamics::model::{ModelBuilder, SurfaceId};
use rattleback_dynamics::{Body, BodyId, BodyModel, Model, Motion, State};
use rattleback_geom::surface::{Cuboid, Ellipsoid, Sphere};
use rattleback_geom::{Mat3, Pose, Vec3};
use std::f64::consts::{FRAC_PI_2, TAU};

const GRAVITY: f64 = 9.81;

fn near(found: f64, expected: f64, share: f64) {
    assert!((found - expected).abs() <= share * expected.abs(), "found {found}, expected {expected}");
}

/// The frequencies of the modes that swing, in rad/s, the slowest first.
fn swinging(modes: &Modes) -> Vec<f64> {
    modes.modes.iter().filter(|m| m.eigenvalue[1] > 0.0).map(|m| m.frequency() * TAU).collect()
}

fn hinge(body: BodyId, at: [f64; 3]) -> JointFrame {
    // The axis of a hinge is z of its frame; here along y of the world.
    JointFrame {
        body,
        pose: Pose::from_position(at[0], at[1], at[2]).rotated(Vec3::x(), -FRAC_PI_2).unwrap(),
    }
}

/// Rods of length one that hang from each other, in the plane y = 0, with angles from the vertical.
fn pendulum(angles: &[f64]) -> (Model, Vec<BodyId>) {
    let mut builder = Model::builder();
    builder.gravity([0.0, 0.0, -GRAVITY]);
    let mut above = (builder.body(BodyModel::fixed("world")), [0.0, 0.0, 0.0]);
    let mut bodies = Vec::new();
    let mut top = Vec3::zeros();
    for (k, angle) in angles.iter().enumerate() {
        let along = Vec3::new(angle.sin(), 0.0, -angle.cos());
        let centre = top + along * 0.5;
        let pose = Pose::from_position(centre.x, centre.y, centre.z).rotated(Vec3::y(), -angle).unwrap();
        let inertia = Mat3::from_diagonal(&Vec3::new(1.0 / 12.0, 1.0 / 12.0, 1e-3));
        let rod = builder.body(BodyModel::free(format!("rod {k}"), Body { mass: 1.0, inertia }).at(pose));
        builder.joint(Joint {
            name: format!("hinge {k}"),
            kind: JointKind::Revolute,
            a: hinge(above.0, above.1),
            b: hinge(rod, [0.0, 0.0, 0.5]),
        });
        bodies.push(rod);
        above = (rod, [0.0, 0.0, -0.5]);
        top += along;
    }
    (builder.build().unwrap(), bodies)
}

#[test]
fn two_rods_hang_straight_and_swing_at_both_frequencies_of_the_double_pendulum() {
    let (model, rods) = pendulum(&[1.2, -0.4]);
    let rest = analysis::equilibrium(&model, &model.initial_state()).unwrap();
    for (k, rod) in rods.iter().enumerate() {
        let found = rest.state.motions[rod.0].pose.position;
        assert!((found - Vec3::new(0.0, 0.0, -0.5 - k as f64)).norm() < 1e-9, "{found}");
    }
    let modes = analysis::modes(&model, &rest.state).unwrap();
    assert!(modes.is_stable());
    // M = (4/3 1/2; 1/2 1/3) m l², K = diag(3/2, 1/2) m g l: det(K − ω²M) = 7/36 x² − 7/6 x + 3/4 with x = ω² l/g.
    let (a, b, c) = (7.0 / 36.0, -7.0 / 6.0, 0.75_f64);
    let root = (b * b - 4.0 * a * c).sqrt();
    let expected = [-b - root, -b + root].map(|x: f64| (GRAVITY * x / (2.0 * a)).sqrt());
    let found = swinging(&modes);
    assert_eq!(found.len(), 2);
    near(found[0], expected[0], 1e-9);
    near(found[1], expected[1], 1e-9);
}

#[test]
fn a_rod_that_stands_on_its_hinge_is_at_rest_and_falls_at_the_rate_of_its_inverted_swing() {
    let (model, rods) = pendulum(&[std::f64::consts::PI]);
    let modes = analysis::modes(&model, &model.initial_state()).unwrap();
    assert!(!modes.is_stable() && modes.unbalanced < 1e-12);
    let rate = modes.modes.iter().map(|m| m.eigenvalue[0]).fold(0.0, f64::max);
    near(rate, (1.5 * GRAVITY).sqrt(), 1e-9);
    // From beside it, it is led down, not to where it stands.
    let (leaning, _) = pendulum(&[3.0]);
    let rest = analysis::equilibrium(&leaning, &leaning.initial_state()).unwrap();
    near(rest.state.motions[rods[0].0].pose.position.z, -0.5, 1e-9);
}

fn on_floor(law: ContactLaw, body: impl Fn(&mut ModelBuilder, SurfaceId) -> BodyId) -> (Model, BodyId) {
    let mut builder = Model::builder();
    builder.gravity([0.0, 0.0, -GRAVITY]);
    let surface = builder.surface_with("any", law);
    builder.floor(surface);
    let body = body(&mut builder, surface);
    (builder.build().unwrap(), body)
}

#[test]
fn a_ball_above_the_floor_comes_to_lie_as_deep_as_its_weight_presses_it() {
    let k = 4e4;
    let (model, ball) = on_floor(law::spring(k).unwrap(), |builder, surface| {
        let ball = BodyModel::solid("ball", Sphere::new(0.1).unwrap(), 500.0, surface).unwrap();
        builder.body(ball.at(Pose::from_position(0.3, 0.2, 0.35)))
    });
    let rest = analysis::equilibrium(&model, &model.initial_state()).unwrap();
    let mass = model.bodies()[ball.0].body.mass;
    let position = rest.state.motions[ball.0].pose.position;
    near(0.1 - position.z, mass * GRAVITY / k, 1e-8);
    assert!((position.xy() - Vec3::new(0.3, 0.2, 0.0).xy()).norm() < 1e-9);
    let modes = analysis::modes(&model, &rest.state).unwrap();
    let found = swinging(&modes);
    assert_eq!(found.len(), 1, "{found:?}");
    near(found[0], (k / mass).sqrt(), 1e-9);
    assert_eq!(modes.modes.iter().filter(|m| m.eigenvalue == [0.0, 0.0]).count(), 5);
}

#[test]
fn an_ellipsoid_laid_askew_settles_on_its_flattest_place_and_rocks_there() {
    let axes = [0.3, 0.2, 0.1];
    let k = 1e8;
    let (model, stone) = on_floor(law::spring(k).unwrap(), |builder, surface| {
        let stone = BodyModel::solid("stone", Ellipsoid::new(axes).unwrap(), 1000.0, surface).unwrap();
        builder.body(
            stone.at(Pose::from_position(0.0, 0.0, 0.2).rotated(Vec3::new(1.0, 0.7, 0.1), 0.5).unwrap()),
        )
    });
    let rest = analysis::equilibrium(&model, &model.initial_state()).unwrap();
    let Motion { pose, .. } = rest.state.motions[stone.0];
    let body = &model.bodies()[stone.0].body;
    near(axes[2] - pose.position.z, body.mass * GRAVITY / k, 1e-6);
    near(pose.vector_to_world(&Vec3::z()).z.abs(), 1.0, 1e-12);
    // Without friction the mass centre only rises: ω² = m g (R − c)/I, R = a²/c the radius along the other axis.
    let expected = [0, 1].map(|i| {
        let height = axes[i] * axes[i] / axes[2] - axes[2];
        (body.mass * GRAVITY * height / body.inertia[(1 - i, 1 - i)]).sqrt()
    });
    let mut expected = expected.to_vec();
    expected.sort_by(f64::total_cmp);
    let found = swinging(&analysis::modes(&model, &rest.state).unwrap());
    assert_eq!(found.len(), 3, "{found:?}");
    // The contact yields by mg/k: that share of the height is left open.
    near(found[0], expected[0], 1e-4);
    near(found[1], expected[1], 1e-4);
    near(found[2], (k / body.mass).sqrt(), 1e-3);
}

#[test]
fn a_box_stands_on_four_corners_and_heaves_on_all_their_springs() {
    let k = 1e6;
    let (model, cuboid) = on_floor(law::spring(k).unwrap(), |builder, surface| {
        let shape = Cuboid::new([0.2, 0.3, 0.1], 0.0).unwrap();
        let cuboid = BodyModel::solid("box", shape, 800.0, surface).unwrap();
        builder.body(cuboid.at(Pose::from_position(0.0, 0.0, 0.08).rotated(Vec3::x(), 0.1).unwrap()))
    });
    let rest = analysis::equilibrium(&model, &model.initial_state()).unwrap();
    let Body { mass, inertia } = model.bodies()[cuboid.0].body;
    near(0.05 - rest.state.motions[cuboid.0].pose.position.z, mass * GRAVITY / (4.0 * k), 1e-6);
    let found = swinging(&analysis::modes(&model, &rest.state).unwrap());
    // Springs at (±0.1, ±0.15) below the mass centre; the weight takes m g times its height from the stiffness.
    let weight = mass * GRAVITY * 0.05;
    let mut expected = [
        (4.0 * k / mass).sqrt(),
        ((4.0 * k * 0.15 * 0.15 - weight) / inertia[(0, 0)]).sqrt(),
        ((4.0 * k * 0.1 * 0.1 - weight) / inertia[(1, 1)]).sqrt(),
    ];
    expected.sort_by(f64::total_cmp);
    assert_eq!(found.len(), 3, "{found:?}");
    for (found, expected) in found.iter().zip(expected) {
        near(*found, expected, 1e-3);
    }
}

#[test]
fn a_mass_between_springs_has_their_stiffness_and_its_damping_ratio() {
    let (mass, k, c) = (2.0, 300.0, 7.0);
    let mut builder = Model::builder();
    builder.gravity([0.0, 0.0, -GRAVITY]);
    let world = builder.body(BodyModel::fixed("world"));
    let bob = builder.body(BodyModel::free("bob", Body { mass, inertia: Mat3::identity() * 0.01 }));
    builder.joint(Joint {
        name: "guide".to_owned(),
        kind: JointKind::Prismatic,
        a: JointFrame { body: world, pose: Pose::identity() },
        b: JointFrame { body: bob, pose: Pose::identity() },
    });
    builder.force(Force::SpringDamper(SpringDamper {
        a: End { body: world, point: Vec3::new(0.0, 0.0, 1.0) },
        b: End { body: bob, point: Vec3::zeros() },
        stiffness: k,
        damping: c,
        length: 0.8,
        never_pushes: false,
    }));
    let model = builder.build().unwrap();
    let rest = analysis::equilibrium(&model, &model.initial_state()).unwrap();
    near(1.0 - rest.state.motions[bob.0].pose.position.z, 0.8 + mass * GRAVITY / k, 1e-9);
    let modes = analysis::modes(&model, &rest.state).unwrap();
    assert_eq!(modes.modes.len(), 1);
    near(modes.modes[0].frequency() * TAU, (k / mass).sqrt(), 1e-9);
    near(modes.modes[0].damping_ratio().unwrap(), c / (2.0 * (k * mass).sqrt()), 1e-9);
    let shape = modes.modes[0].shapes[0];
    assert!((shape.displacement[0] - Vec3::z()).norm() < 1e-9 && shape.rotation[0].norm() < 1e-9);
}

#[test]
fn modes_are_those_of_a_run_that_begins_with_one() {
    let (model, _) = pendulum(&[0.0, 0.0]);
    let state = model.initial_state();
    let mode = analysis::modes(&model, &state).unwrap().modes.swap_remove(0);
    let mut start = State::new(state.motions.clone());
    let amplitude = 1e-4;
    for shape in &mode.shapes {
        let pose = &mut start.motions[shape.body.0].pose;
        let turn = shape.rotation[0] * amplitude;
        let turned = Pose::identity().rotated(turn, turn.norm()).unwrap();
        *pose = Pose::new(
            pose.position + shape.displacement[0] * amplitude,
            turned.orientation * pose.orientation,
        );
    }
    let settings =
        rattleback_dynamics::mechanism::Settings { snap: true, ..Default::default() }.with_step(5e-4);
    let mut mechanism = rattleback_dynamics::Mechanism::new(&model, settings).unwrap();
    let first = start.motions[2].pose.position.x;
    let period = 1.0 / mode.frequency();
    mechanism.advance(&mut start, period, &mut |_, _| Ok(())).unwrap();
    near(start.motions[2].pose.position.x, first, 1e-3);
}

#[test]
fn what_nothing_holds_or_what_moves_by_itself_has_no_equilibrium() {
    let mut builder = Model::builder();
    builder.gravity([0.0, 0.0, -GRAVITY]);
    builder.body(BodyModel::free("stone", Body { mass: 1.0, inertia: Mat3::identity() }));
    let model = builder.build().unwrap();
    let told = analysis::equilibrium(&model, &model.initial_state()).unwrap_err().to_string();
    assert!(told.contains("body stone") && told.contains("hold it"), "{told}");
}

#[test]
fn a_sliding_mass_with_a_damper_has_a_free_mode_and_one_that_decays() {
    let (mass, c) = (2.0, 7.0);
    let mut builder = Model::builder();
    let world = builder.body(BodyModel::fixed("world"));
    let sledge = builder.body(BodyModel::free("sledge", Body { mass, inertia: Mat3::identity() * 0.01 }));
    builder.joint(Joint {
        name: "guide".to_owned(),
        kind: JointKind::Prismatic,
        a: JointFrame { body: world, pose: Pose::identity() },
        b: JointFrame { body: sledge, pose: Pose::identity() },
    });
    builder.force(Force::SpringDamper(SpringDamper {
        a: End { body: world, point: Vec3::new(0.0, 0.0, 1.0) },
        b: End { body: sledge, point: Vec3::zeros() },
        stiffness: 0.0,
        damping: c,
        length: 1.0,
        never_pushes: false,
    }));
    let model = builder.build().unwrap();
    let modes = analysis::modes(&model, &model.initial_state()).unwrap();
    assert_eq!(modes.modes.len(), 2);
    assert_eq!(modes.modes[0].eigenvalue, [0.0, 0.0]);
    near(modes.modes[1].eigenvalue[0], -c / mass, 1e-9);
    assert!(modes.is_stable());
}
