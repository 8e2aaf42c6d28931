//! Bodies that lie on each other along lines and faces come to rest there in every engine, as deep as their weight
//! presses them, and neither rock, sink nor spin for ever.

use super::lying::{engines, run};
use rattleback_contact::law::ContactLaw;
use rattleback_contact::law::friction::Coulomb;
use rattleback_contact::law::normal::{Hysteresis, Rule};
use rattleback_contact::material::Stiffness;
use rattleback_dynamics::{BodyModel, Model, Motion, Scheme, State};
use rattleback_geom::surface::{Capsule, ConvexHull, Cuboid, Cylinder, Frustum, Mesh, Shape, Superellipsoid};
use rattleback_geom::{Pose, Vec3};
use std::f64::consts::{FRAC_PI_2, TAU};

const GRAVITY: f64 = 9.81;
const STIFFNESS: f64 = 1e6;

/// What lies on what.
struct LyingOn {
    name: &'static str,
    /// The parts of the fixed body.
    below: Vec<(Shape, Pose)>,
    above: Shape,
    /// Where it lies, exactly touching.
    pose: Pose,
    /// The points that bear it, and the cosine between their normals and the vertical.
    points: usize,
    cosine: f64,
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_position(x, y, z)
}

fn cuboid(size: [f64; 3], rounding: f64) -> Shape {
    Cuboid::new(size, rounding).unwrap().into()
}

fn all() -> Vec<LyingOn> {
    let table = |rounding: f64| vec![(cuboid([0.4, 0.3, 0.1], rounding), at(0.0, 0.0, -0.05))];
    let capsule = |half: f64| Shape::from(Capsule::new(0.05, half).unwrap());
    let along_x = |z: f64| at(0.0, 0.0, z).rotated(Vec3::y(), FRAC_PI_2).unwrap();
    let lying = |name, below, above, pose, points| LyingOn { name, below, above, pose, points, cosine: 1.0 };
    let beam = |x: f64| (cuboid([0.04, 0.4, 0.1], 0.0), at(x, 0.0, -0.05));
    let rail = |y: f64| (capsule(0.3), at(0.0, y, 0.0).rotated(Vec3::y(), FRAC_PI_2).unwrap());
    let pillow = || Shape::from(Superellipsoid::new([0.06, 0.05, 0.04], [20.0; 2]).unwrap());
    let slab = Shape::from(Superellipsoid::new([0.2, 0.15, 0.05], [12.0; 2]).unwrap());
    let slab = (slab, at(0.0, 0.0, -0.05));
    // The axes of the three lie on an equilateral triangle of side 0.1: those below are 0.05 to either side.
    let height = 0.1 * 0.75_f64.sqrt();
    let corners =
        [[0.06, 0.05, -0.03], [-0.06, 0.05, -0.03], [0.0, -0.1, -0.03], [0.0, 0.0, 0.09]].map(Vec3::from);
    vec![
        lying(
            "rounded box on rounded box",
            table(0.01),
            cuboid([0.12, 0.1, 0.08], 0.01),
            at(0.0, 0.0, 0.04),
            4,
        ),
        lying(
            "rounded box on true edges",
            table(0.0),
            cuboid([0.12, 0.1, 0.08], 0.01),
            at(0.03, 0.02, 0.04),
            4,
        ),
        lying(
            "box with true edges on rounded box",
            table(0.01),
            cuboid([0.12, 0.1, 0.08], 0.0),
            at(0.0, 0.0, 0.04),
            4,
        ),
        lying("capsule on a box", table(0.0), capsule(0.1), along_x(0.05), 2),
        lying("capsule that is longer than its box", table(0.0), capsule(0.3), along_x(0.05), 2),
        lying(
            "wide plate on a small box",
            vec![(cuboid([0.1, 0.08, 0.1], 0.0), at(0.0, 0.0, -0.05))],
            cuboid([0.2, 0.16, 0.04], 0.01),
            at(0.0, 0.0, 0.02),
            4,
        ),
        lying(
            "plank across two beams",
            vec![beam(-0.15), beam(0.15)],
            cuboid([0.5, 0.08, 0.03], 0.005),
            at(0.0, 0.0, 0.015),
            8,
        ),
        LyingOn {
            name: "capsule in the groove of two capsules",
            below: vec![rail(0.05), rail(-0.05)],
            above: capsule(0.1),
            pose: along_x(height),
            points: 4,
            cosine: 0.75_f64.sqrt(),
        },
        // The weights of all points add up to one.
        lying("superellipsoid of flat faces on a box", table(0.0), pillow(), at(0.03, 0.02, 0.04), 1),
        lying("superellipsoid of flat faces on another", vec![slab], pillow(), at(0.0, 0.0, 0.04), 1),
        lying(
            "rounded hull on a rounded box",
            table(0.01),
            ConvexHull::new(&corners, 0.01).unwrap().into(),
            at(0.0, 0.0, 0.04),
            3,
        ),
        lying(
            "hull with true edges on a rounded box",
            table(0.01),
            ConvexHull::new(&corners, 0.0).unwrap().into(),
            at(0.0, 0.0, 0.03),
            3,
        ),
    ]
}

/// A right prism on a regular hexagon, about its middle.
fn hexagon(radius: f64, half_height: f64) -> Shape {
    let corner = |k: usize| {
        let (sin, cos) = (TAU / 6.0 * (k % 6) as f64 + 0.1).sin_cos();
        Vec3::new(radius * cos, radius * sin, if k < 6 { half_height } else { -half_height })
    };
    ConvexHull::new(&(0..12).map(corner).collect::<Vec<Vec3>>(), 0.0).unwrap().into()
}

/// Bodies with true edges and round ends: areas and lines that are shared, borne as on a half-space.
fn flat() -> Vec<LyingOn> {
    let table = |rounding: f64| vec![(cuboid([0.4, 0.3, 0.1], rounding), at(0.0, 0.0, -0.05))];
    let pedestal = || vec![(Cylinder::new(0.15, 0.05).unwrap().into(), at(0.0, 0.0, -0.05))];
    let along_x = |z: f64| at(0.0, 0.0, z).rotated(Vec3::y(), FRAC_PI_2).unwrap();
    let cylinder = |r: f64, l: f64| Shape::from(Cylinder::new(r, l).unwrap());
    let lying = |name, below, above, pose, points| LyingOn { name, below, above, pose, points, cosine: 1.0 };
    // Its mass centre is its origin's neighbour: 0.25 h (r² + 2rs + 3s²)/(r² + rs + s²) above its base.
    let (r, s, h) = (0.06_f64, 0.04_f64, 0.08_f64);
    let height = 0.25 * h * (r * r + 2.0 * r * s + 3.0 * s * s) / (r * r + r * s + s * s);
    let frustum = || Shape::from(Frustum::new([r, s], h).unwrap());
    let groove = 0.1 * 0.75_f64.sqrt();
    let rail = |y: f64| (cylinder(0.05, 0.3), at(0.0, y, 0.0).rotated(Vec3::y(), FRAC_PI_2).unwrap());
    vec![
        lying("can on a box", table(0.0), cylinder(0.05, 0.06), at(0.03, 0.02, 0.06), 3),
        lying("puck on a rounded box", table(0.01), cylinder(0.08, 0.02), at(0.0, 0.0, 0.02), 3),
        lying("cylinder on its side on a box", table(0.0), cylinder(0.05, 0.06), along_x(0.05), 2),
        lying("frustum on a cylinder", pedestal(), frustum(), at(0.0, 0.0, height), 3),
        lying("hull on a cylinder", pedestal(), hexagon(0.05, 0.03), at(0.01, 0.02, 0.03), 3),
        lying("wide hull on a cylinder", pedestal(), hexagon(0.2, 0.01), at(0.0, 0.0, 0.01), 3),
        lying(
            "puck on a hull",
            vec![(hexagon(0.3, 0.05), at(0.0, 0.0, -0.05))],
            cylinder(0.08, 0.02),
            at(0.01, 0.02, 0.02),
            3,
        ),
        lying("plate on a cylinder", pedestal(), cuboid([0.32, 0.32, 0.01], 0.0), at(0.0, 0.0, 0.005), 3),
        LyingOn {
            name: "cylinder in the groove of two cylinders",
            below: vec![rail(0.05), rail(-0.05)],
            above: cylinder(0.05, 0.1),
            pose: along_x(groove),
            points: 4,
            cosine: 0.75_f64.sqrt(),
        },
    ]
}

/// All of them, with the times for which they are run: areas have more points than corners, and come to rest sooner.
fn all_and_flat(first: f64, second: f64) -> Vec<(LyingOn, f64)> {
    let first = all().into_iter().map(|lying| (lying, first));
    first.chain(flat().into_iter().map(|lying| (lying, second))).collect()
}

impl LyingOn {
    fn model(&self, friction: f64, restitution: f64) -> Model {
        let normal = Hysteresis::new(Rule::Exact, restitution, 1.5).unwrap();
        let mut law = ContactLaw::new(Stiffness::given(STIFFNESS).unwrap(), normal).unwrap();
        if friction > 0.0 {
            law = law.with_friction(Coulomb::new(friction, 1e-2).unwrap());
        }
        let mut builder = Model::builder();
        builder.gravity(Vec3::new(0.0, 0.0, -GRAVITY));
        let surface = builder.surface("any");
        builder.law(surface, surface, law);
        let mut below = BodyModel::fixed("below");
        for (shape, pose) in &self.below {
            below = below.with_part(shape.clone(), *pose, surface);
        }
        builder.body(below);
        builder.body(BodyModel::solid("above", self.above.clone(), 1000.0, surface).unwrap());
        builder.build().unwrap()
    }

    /// Lying `gap` above what is below, tilted by so much about x and y.
    fn start(&self, gap: f64, tilt: f64) -> State {
        let tilted = self.pose.position + Vec3::z() * gap;
        let turn = Pose::identity().rotated(Vec3::new(0.6, 0.8, 0.0), tilt).unwrap();
        let pose = Pose::new(tilted, turn.orientation * self.pose.orientation);
        State::new(vec![Motion::at_rest(Pose::identity()), Motion::at_rest(pose)])
    }

    /// How deep its weight presses it down.
    fn depth(&self, model: &Model) -> f64 {
        let weight = model.bodies()[1].body.mass * GRAVITY;
        (weight / (self.cosine * self.points as f64 * STIFFNESS)).powf(2.0 / 3.0) / self.cosine
    }
}

#[test]
fn what_is_laid_on_another_body_stays_there_as_deep_as_its_weight_presses_it() {
    for (lying, end) in all_and_flat(2.5, 1.0) {
        let model = lying.model(0.4, 0.4);
        let depth = lying.depth(&model);
        // A hull's mass centre is its origin's neighbour: it lies inclined by unequal shares.
        let is_even = !matches!(lying.above, Shape::ConvexHull(_));
        for (engine, scheme) in engines() {
            let (end, _, strayed) = run(&model, lying.start(0.0, 0.0), &scheme, end);
            let name = format!("{}, {engine}: {end:?}", lying.name);
            let sunk = lying.pose.position.z - end.pose.position.z;
            if is_even {
                assert!((sunk / depth - 1.0).abs() < 0.06, "{name}: {sunk} for {depth}");
            }
            assert!(end.velocity.norm() < 1e-4 && end.angular_velocity_body.norm() < 2e-3, "{name}");
            let in_play = model.bodies()[1].body.mass * GRAVITY * depth;
            assert!(strayed.abs() < 2e-3 * in_play, "{name}: {strayed:e} J of {in_play:e}");
        }
    }
}

#[test]
fn what_falls_tilted_on_another_body_rocks_and_comes_to_lie() {
    for (lying, end) in all_and_flat(2.0, 1.0) {
        let model = lying.model(0.4, 0.4);
        for (engine, scheme) in engines() {
            println!("{}, {engine}", lying.name);
            let (end, _, strayed) = run(&model, lying.start(0.01, 0.05), &scheme, end);
            let name = format!("{}, {engine}: {end:?}", lying.name);
            let fallen = model.bodies()[1].body.mass * GRAVITY * 0.01;
            assert!(strayed.abs() < 1e-2 * fallen, "{name}: {strayed:e} J");
            assert!(end.velocity.z.abs() < 1e-3 && end.angular_velocity_body.norm() < 0.02, "{name}");
            assert!((end.pose.position.z - lying.pose.position.z).abs() < 2e-3, "{name}");
        }
    }
}

#[test]
fn a_drop_without_friction_and_damping_keeps_its_energy() {
    for (lying, _) in all_and_flat(0.3, 0.3) {
        let model = lying.model(0.0, 1.0);
        for (engine, scheme) in engines() {
            let (end, _, strayed) = run(&model, lying.start(0.01, 0.05), &scheme, 0.3);
            let fallen = model.bodies()[1].body.mass * GRAVITY * 0.01;
            // The tolerances are 1e-7 of the motion, over some ten impacts.
            let bound = if engine == "explicit" || engine == "stiff" { 5e-4 } else { 2e-2 };
            assert!(
                strayed.abs() < bound * fallen,
                "{}, {engine}: {strayed:e} J of {fallen:e}, {end:?}",
                lying.name
            );
        }
    }
}

/// A disc on a box, its mass centre so far beyond the box's edge: the tilt of its axis after half a second.
fn tilt_over_an_edge(over: f64, scheme: &Scheme) -> f64 {
    let table = vec![(cuboid([0.4, 0.3, 0.1], 0.0), at(0.0, 0.0, -0.05))];
    let above = Shape::from(Cylinder::new(0.06, 0.01).unwrap());
    let pose = at(0.2 + over, 0.0, 0.01);
    let lying = LyingOn { name: "disc over an edge", below: table, above, pose, points: 3, cosine: 1.0 };
    let (end, _, strayed) = run(&lying.model(0.4, 0.4), lying.start(0.0, 0.0), scheme, 0.5);
    assert!(strayed.abs() < 1e-4, "{over}: {strayed:e} J");
    let axis = end.pose.vector_to_world(&Vec3::z());
    axis.x.hypot(axis.y).atan2(axis.z)
}

#[test]
fn a_disc_stays_on_the_edge_of_a_box_until_its_mass_centre_is_beyond() {
    for (engine, scheme) in engines() {
        for over in [-0.03, -0.006] {
            let tilt = tilt_over_an_edge(over, &scheme);
            assert!(tilt < 5e-3, "{engine}, {over} m: {tilt} rad");
        }
        let tilt = tilt_over_an_edge(0.006, &scheme);
        assert!(tilt > 0.2, "{engine}: {tilt} rad");
    }
}

#[test]
fn a_puck_that_spins_and_slides_on_a_box_comes_to_rest() {
    let puck = &flat()[1];
    let model = puck.model(0.4, 0.4);
    for (engine, scheme) in engines() {
        let mut start = puck.start(0.0, 0.0);
        start.motions[1].velocity = Vec3::new(0.3, 0.0, 0.0);
        start.motions[1].angular_velocity_body = Vec3::new(0.0, 0.0, 10.0);
        let before = 0.5 * model.bodies()[1].body.mass * 0.3 * 0.3;
        let (end, _, strayed) = run(&model, start, &scheme, 1.0);
        assert!(end.velocity.norm() < 1e-5 && end.angular_velocity_body.norm() < 1e-4, "{engine}: {end:?}");
        assert!(strayed.abs() < 2e-3 * before, "{engine}: {strayed:e} J");
        let slid = end.pose.position.x;
        // With no spin v²/(2μg); the spin takes a share of the friction, and lengthens the way.
        let least = 0.3 * 0.3 / (2.0 * 0.4 * GRAVITY);
        assert!(slid > least && slid < 0.1, "{engine}: {slid} m for more than {least}");
    }
}

/// A block of a mesh under the bodies that half-spaces carry at several points: the same bodies lie on it in the same
/// way.
fn on_mesh() -> Vec<LyingOn> {
    let block = Cuboid::new([0.5, 0.4, 0.1], 0.0).unwrap().mesh().unwrap().mesh().clone();
    let block = Shape::from(Mesh::new(block).unwrap());
    let below = || vec![(block.clone(), at(0.0, 0.0, -0.05))];
    let cylinder = || Shape::from(Cylinder::new(0.06, 0.05).unwrap());
    let along_x = |z: f64| at(0.0, 0.0, z).rotated(Vec3::y(), FRAC_PI_2).unwrap();
    let lying =
        |name, above, pose, points| LyingOn { name, below: below(), above, pose, points, cosine: 1.0 };
    vec![
        lying("rounded box on a mesh", cuboid([0.12, 0.1, 0.08], 0.01), at(0.01, 0.02, 0.04), 4),
        lying("capsule on a mesh", Capsule::new(0.05, 0.1).unwrap().into(), along_x(0.05), 2),
        lying("cylinder that stands on a mesh", cylinder(), at(0.0, 0.0, 0.05), 3),
        lying("cylinder on its side on a mesh", cylinder(), along_x(0.06), 2),
    ]
}

#[test]
fn what_lies_on_a_flat_mesh_is_borne_as_on_a_half_space() {
    for lying in on_mesh() {
        let model = lying.model(0.4, 0.4);
        let depth = lying.depth(&model);
        for (engine, scheme) in engines().into_iter().skip(2) {
            let (end, touching, strayed) = run(&model, lying.start(0.0, 0.0), &scheme, 1.5);
            let name = format!("{}, {engine}: {end:?}", lying.name);
            assert_eq!(touching, lying.points, "{name}");
            let sunk = lying.pose.position.z - end.pose.position.z;
            assert!((sunk / depth - 1.0).abs() < 0.05, "{name}: {sunk} for {depth}");
            assert!(end.velocity.norm() < 1e-4 && end.angular_velocity_body.norm() < 2e-3, "{name}");
            let in_play = model.bodies()[1].body.mass * GRAVITY * depth;
            assert!(strayed.abs() < 0.02 * in_play, "{name}: {strayed:e} J of {in_play:e}");
            let (end, touching, _) = run(&model, lying.start(0.01, 0.05), &scheme, 2.0);
            let name = format!("{} after a fall, {engine}: {end:?}", lying.name);
            assert_eq!(touching, lying.points, "{name}");
            assert!(end.velocity.z.abs() < 1e-3 && end.angular_velocity_body.norm() < 0.02, "{name}");
        }
    }
}

/// Its mass centre aside it lies inclined: without friction nothing drives it along a level face.
#[test]
fn what_lies_inclined_on_a_level_face_does_not_drive_itself_along() {
    let lying = &flat()[0];
    for (engine, scheme) in engines() {
        let mut builder = Model::builder();
        builder.gravity(Vec3::new(0.0, 0.0, -GRAVITY));
        let surface = builder.surface("any");
        let normal = Hysteresis::new(Rule::Exact, 0.3, 1.5).unwrap();
        builder.law(surface, surface, ContactLaw::new(Stiffness::given(STIFFNESS).unwrap(), normal).unwrap());
        let (table, at_table) = &lying.below[0];
        builder.body(BodyModel::fixed("below").with_part(table.clone(), *at_table, surface));
        let solid = BodyModel::solid("above", lying.above.clone(), 1000.0, surface).unwrap();
        let aside = Pose::from_position(-0.01, 0.0, 0.0);
        let body = solid.body;
        builder.body(BodyModel::free("above", body).with_part(lying.above.clone(), aside, surface));
        let model = builder.build().unwrap();
        let (end, ..) = run(&model, lying.start(0.0, 0.0), &scheme, 0.2);
        let axis = end.pose.vector_to_world(&Vec3::z());
        assert!(axis.x.abs() > 1e-5, "{engine}: it is inclined: {axis}");
        assert!(end.velocity.x.abs() < 1e-9 && end.velocity.y.abs() < 1e-9, "{engine}: {}", end.velocity);
    }
}
