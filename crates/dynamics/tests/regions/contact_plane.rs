//! Regions on their contact planes, as Dopico et al. have them: one force at the centroid, by the indentation of one
//! body.

use super::stage::{block, on_floor, placed, solid};
use rattleback_contact::law::normal::{Hysteresis, Rule};
use rattleback_contact::law::{ContactLaw, RegionLaw};
use rattleback_contact::material::Stiffness;
use rattleback_dynamics::mechanism::{Settings, Step};
use rattleback_dynamics::{Mechanism, Model, Motion, Scheme, State};
use rattleback_geom::surface::{Mesh, Plane, Shape, Sphere, Surface};
use rattleback_geom::{Pose, Vec3};

const K: f64 = 1e7;

/// Elastic, on contact planes.
fn law() -> ContactLaw {
    let normal = Hysteresis::new(Rule::Exact, 1.0, 1.5).unwrap();
    ContactLaw::new(Stiffness::given(K).unwrap(), normal).unwrap().with_regions(RegionLaw::ContactPlane)
}

fn settings(step: f64) -> Settings {
    Settings { step: Step::Fixed(step), ..Settings::default() }
}

fn floors() -> [Shape; 2] {
    [Shape::from(Plane::new([0.0, 0.0, 1.0], 0.0).unwrap()), Shape::from(block([1.0, 1.0, 1.0], 3))]
}

/// The body of half the height of 1 m below whose upper face is z = 0.
fn below(floor: &Shape) -> Pose {
    Pose::from_position(0.0, 0.0, if matches!(floor, Shape::Plane(_)) { 0.0 } else { -1.0 })
}

#[test]
fn a_cube_that_lies_flat_is_held_by_one_force_at_the_middle_of_its_face() {
    for floor in floors() {
        let pose = below(&floor);
        let (model, _, mass) = on_floor(floor, Pose::identity(), block([0.05; 3], 1), law());
        let depth = (mass * 9.81 / K).powf(2.0 / 3.0);
        let mut state = State::new(vec![Motion::at_rest(pose), placed([0.013, 0.007, 0.05 - depth], 0.0)]);
        let mut mechanism = Mechanism::new(&model, settings(1e-4)).unwrap();
        mechanism.assemble(&mut state).unwrap();
        mechanism.advance(&mut state, 0.05, &mut |_, _| Ok(())).unwrap();
        let contacts = mechanism.active_contacts();
        let [(_, found)] = contacts else { panic!("{contacts:?}") };
        assert!((found.force.force.z / (mass * 9.81) - 1.0).abs() < 1e-6, "{:?}", found.force);
        assert!((found.force.point - Vec3::new(0.013, 0.007, 0.0)).norm() < 1e-8, "{:?}", found.force);
        assert!((-found.touch.gap / depth - 1.0).abs() < 1e-6, "{} {depth}", found.touch.gap);
        assert!((state.motions[1].pose.position.z - 0.05 + depth).abs() < 1e-9);
    }
}

/// Moves two bodies until they are apart again; the least distance of their origins.
fn nearest(model: &Model, mut state: State, step: f64, time: f64) -> (f64, State) {
    let mut mechanism = Mechanism::new(model, settings(step)).unwrap();
    mechanism.assemble(&mut state).unwrap();
    let mut least = f64::INFINITY;
    for k in 1..=500 {
        mechanism.advance(&mut state, time * f64::from(k) / 500.0, &mut |_, _| Ok(())).unwrap();
        least = least.min((state.motions[1].pose.position - state.motions[0].pose.position).norm());
    }
    (least, state)
}

#[test]
fn a_cube_thrown_flat_sinks_and_returns_as_the_force_of_its_depth_says() {
    for floor in floors() {
        let pose = below(&floor);
        let mut builder = Model::builder();
        let surface = builder.surface("all");
        builder.law(surface, surface, law());
        let cube = solid("cube", block([0.05; 3], 2), surface);
        let mass = cube.body.mass;
        builder.body(rattleback_dynamics::BodyModel::fixed("floor").with_part(
            floor,
            Pose::identity(),
            surface,
        ));
        builder.body(cube);
        let model = builder.build().unwrap();
        let falling = Motion { velocity: Vec3::z() * -0.5, ..placed([0.0, 0.0, 0.0501], 0.0) };
        let state = State::new(vec![Motion::at_rest(pose), falling]);
        let (least, state) = nearest(&model, state, 1e-5, 8e-3);
        // m v²/2 = K δ^2.5/2.5.
        let depth = (1.25 * mass * 0.25 / K).powf(0.4);
        let sunk = 0.05 - least - pose.position.z;
        assert!((sunk / depth - 1.0).abs() < 2e-3, "{sunk} {depth}");
        assert!((state.motions[1].velocity.z - 0.5).abs() < 2e-3, "{}", state.motions[1].velocity);
    }
}

#[test]
fn two_equal_spheres_of_triangles_press_by_half_of_their_overlap() {
    let radius = 0.05;
    let ball = || Mesh::new(Sphere::new(radius).unwrap().tessellate(2e-5).unwrap()).unwrap();
    let mut builder = Model::builder();
    let surface = builder.surface("all");
    builder.law(surface, surface, law());
    for name in ["one", "other"] {
        builder.body(solid(name, ball(), surface));
    }
    let model = builder.build().unwrap();
    let mass = model.bodies()[0].body.mass;
    let along = Vec3::new(0.2, 0.3, -0.9).normalize();
    let at = |way: f64, speed: f64| Motion {
        velocity: along * speed,
        ..Motion::at_rest(Pose::new(along * way, Default::default()).rotated(Vec3::y(), way).unwrap())
    };
    let state = State::new(vec![at(-radius - 1e-4, 0.5), at(radius + 1e-4, -0.5)]);
    let (least, state) = nearest(&model, state, 1e-5, 8e-3);
    // With F = K (δ/2)^1.5 and the reduced mass m/2: m v²/4 = K δ^2.5/(2.5·2^1.5), v = 1 m/s.
    let overlap = (2.5 * 2f64.powf(1.5) * 0.25 * mass / K).powf(0.4);
    assert!(((2.0 * radius - least) / overlap - 1.0).abs() < 0.02, "{} {overlap}", 2.0 * radius - least);
    let parted = along.dot(&(state.motions[1].velocity - state.motions[0].velocity));
    assert!((parted - 1.0).abs() < 0.03, "{parted}");
}

#[test]
fn pairs_without_a_contour_are_refused() {
    let sphere = Shape::from(Sphere::new(0.1).unwrap());
    for (floor, body, is_refused) in [
        (Shape::from(block([1.0; 3], 1)), sphere.clone(), true),
        (Shape::from(Plane::new([0.0, 0.0, 1.0], 0.0).unwrap()), sphere, true),
        (Shape::from(block([1.0; 3], 1)), Shape::from(block([0.1; 3], 1)), false),
    ] {
        let (model, ..) = on_floor(floor, Pose::identity(), body, law());
        for scheme in [Scheme::Many { step: 1e-4 }, Scheme::Mechanism(Settings::default())] {
            let found = scheme.unsupported(&model);
            assert_eq!(!found.is_empty(), is_refused, "{found:?}");
            assert!(found.iter().all(|found| found.reason.contains("contour")), "{found:?}");
        }
    }
}
