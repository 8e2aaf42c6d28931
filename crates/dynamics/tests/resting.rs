//! Everything rests on its flattest spot: one shape of every kind that can lie on a half-space, in every engine that
//! moves yielding contacts, laid down exactly touching or dropped by a millimetre.
//!
//! A body at rest is as deep as the law says: with w the weights of the points that bear it, Σ w K δ^{3/2} = m g. It
//! stays where it is, stops to turn, and its energies add up.

use super::lying::engines;
use rattleback_contact::law::ContactLaw;
use rattleback_contact::law::friction::Coulomb;
use rattleback_contact::law::normal::{Hysteresis, Rule};
use rattleback_contact::material::Stiffness;
use rattleback_contact::region::has_regions;
use rattleback_dynamics::{BodyModel, Model, Motion, Run, Scheme, State};
use rattleback_geom::surface::{
    Capsule, ConvexHull, Cuboid, Cylinder, Ellipsoid, Frustum, HalfTorus, Plane, Quadric, Shape, Sheet,
    Sphere, Superellipsoid, Superhyperboloid, Superquadric, Torus,
};
use rattleback_geom::{Pose, Vec3};
use std::f64::consts::{FRAC_PI_2, PI};

const GRAVITY: f64 = 9.81;
const STIFFNESS: f64 = 1e6;

/// A shape, how it is turned about y, or about x, to lie, and the weights of the points that bear it, all of one
/// height.
struct Spot {
    name: &'static str,
    shape: Shape,
    turn: f64,
    about_x: bool,
    weight: f64,
    /// Whether the points bear alike, so that it lies level.
    is_even: bool,
}

/// What is laid down has to be light enough to have sunk in at the end; what is dropped heavy enough to have stopped
/// rocking, as the damping of a light body that fell slowly takes seconds.
#[derive(Clone, Copy, PartialEq)]
enum Start {
    Laid,
    Dropped,
}

fn spots(begun: Start) -> Vec<Spot> {
    let of = |laid: Quadric, dropped: Quadric| if begun == Start::Laid { laid } else { dropped };
    let spot =
        |name, shape: Shape, turn, weight| Spot { name, shape, turn, about_x: false, weight, is_even: true };
    let cut = |name, body: Quadric, turn| spot(name, body.into(), turn, 1.0);
    let saddle = || {
        let small = Quadric::hyperbolic_paraboloid([0.1, 0.1, 0.07], [0.035; 2], 0.02).unwrap();
        of(small, Quadric::hyperbolic_paraboloid([0.3, 0.3, 0.2], [0.1; 2], 0.1).unwrap())
    };
    let waist = of(
        Quadric::hyperboloid_one_sheet([0.04, 0.03, 0.05], 0.05).unwrap(),
        Quadric::hyperboloid_one_sheet([0.06, 0.05, 0.08], 0.1).unwrap(),
    );
    let paraboloid = of(
        Quadric::elliptic_paraboloid([0.08, 0.07, 0.06], 0.02).unwrap(),
        Quadric::elliptic_paraboloid([0.3, 0.25, 0.4], 0.1).unwrap(),
    );
    let (axes, cut_at) =
        if begun == Start::Laid { ([0.04, 0.03, 0.05], 0.05) } else { ([0.06, 0.05, 0.08], 0.1) };
    let half_ring = || Shape::from(HalfTorus::new(0.1, 0.03).unwrap());
    let pillow = |name, exponents: [f64; 2]| {
        let shape = Shape::from(Superellipsoid::new([0.06, 0.05, 0.04], exponents).unwrap());
        spot(name, shape, 0.0, 1.0)
    };
    let superquadric = Shape::from(Superquadric::new([0.06, 0.05, 0.04], [20.0, 12.0, 8.0]).unwrap());
    let corners =
        [[0.08, 0.0, -0.02], [-0.04, 0.07, -0.02], [-0.04, -0.07, -0.02], [0.0, 0.0, 0.06]].map(Vec3::from);
    vec![
        spot("sphere", Sphere::new(0.05).unwrap().into(), 0.0, 1.0),
        spot("ellipsoid", Ellipsoid::new([0.06, 0.05, 0.03]).unwrap().into(), 0.0, 1.0),
        spot(
            "superellipsoid 2.5",
            Superellipsoid::new([0.06, 0.05, 0.03], [2.5; 2]).unwrap().into(),
            0.0,
            1.0,
        ),
        spot("superellipsoid 4", Superellipsoid::new([0.06, 0.05, 0.03], [4.0; 2]).unwrap().into(), 0.0, 1.0),
        pillow("superellipsoid 8", [8.0; 2]),
        pillow("superellipsoid 20", [20.0; 2]),
        pillow("superellipsoid 50", [50.0; 2]),
        pillow("disc of exponent 20", [2.0, 20.0]),
        spot("superquadric", superquadric, 0.0, 1.0),
        spot("capsule", Capsule::new(0.05, 0.1).unwrap().into(), FRAC_PI_2, 2.0),
        spot("cylinder on its side", Cylinder::new(0.05, 0.06).unwrap().into(), FRAC_PI_2, 2.0),
        spot("cylinder on its end", Cylinder::new(0.1, 0.03).unwrap().into(), 0.0, 3.0),
        spot("frustum", Frustum::new([0.1, 0.06], 0.08).unwrap().into(), 0.0, 3.0),
        spot("cone", Frustum::cone(0.08, 0.1).unwrap().into(), 0.0, 3.0),
        spot("torus", Torus::new(0.1, 0.02).unwrap().into(), 0.0, 3.0),
        spot("box", Cuboid::new([0.12, 0.1, 0.08], 0.0).unwrap().into(), 0.0, 4.0),
        spot("rounded box", Cuboid::new([0.12, 0.1, 0.08], 0.01).unwrap().into(), 0.0, 4.0),
        spot("hull", ConvexHull::new(&corners, 0.0).unwrap().into(), 0.0, 3.0),
        Spot { is_even: false, ..spot("half torus on its side", half_ring(), 0.0, 1.0) },
        Spot { about_x: true, ..spot("half torus on its ends", half_ring(), FRAC_PI_2, 1.0) },
        cut("waist", waist, 0.0),
        cut("bowl", Quadric::hyperboloid_two_sheets([0.05; 3], Sheet::Lower, 0.12).unwrap(), 0.0),
        cut("paraboloid", paraboloid, PI),
        cut("saddle", saddle(), PI),
        Spot { is_even: false, ..cut("saddle on a wall", saddle(), FRAC_PI_2) },
        spot(
            "superhyperboloid",
            Superhyperboloid::one_sheet(axes, [3.0, 4.0], cut_at).unwrap().into(),
            0.0,
            1.0,
        ),
        spot("rounded hull", ConvexHull::new(&corners, 0.01).unwrap().into(), 0.0, 3.0),
    ]
}

impl Spot {
    fn model(&self) -> Model {
        let normal = Hysteresis::new(Rule::Exact, 0.4, 1.5).unwrap();
        let law = ContactLaw::new(Stiffness::given(STIFFNESS).unwrap(), normal)
            .unwrap()
            .with_friction(Coulomb::new(0.4, 1e-2).unwrap());
        let mut builder = Model::builder();
        builder.gravity(Vec3::new(0.0, 0.0, -GRAVITY));
        let surface = builder.surface("any");
        builder.law(surface, surface, law);
        builder.body(BodyModel::fixed("floor").with_part(Plane::ground(), Pose::identity(), surface));
        builder.body(BodyModel::solid("body", self.shape.clone(), 1000.0, surface).unwrap());
        builder.build().unwrap()
    }

    /// The height of the mass centre of the body that exactly touches, turned by `tilt` more.
    fn pose(&self, model: &Model, tilt: f64) -> Pose {
        let axis = if self.about_x { Vec3::x() } else { Vec3::y() };
        let turned = Pose::identity().rotated(axis, self.turn + tilt).unwrap();
        let part = &model.bodies()[1].parts[0];
        let down = part.pose.vector_to_local(&turned.vector_to_local(&-Vec3::z()));
        let surface = part.shape.surface();
        let reach = match (surface.as_support(), surface.as_sliced()) {
            (Some(body), _) => body.support(&down),
            (_, Some(body)) => down.dot(&body.farthest(&body.part(body.range()), &down)),
            _ => panic!("{} has no farthest point", self.name),
        };
        let offset = turned.vector_to_world(&part.pose.position).z;
        Pose { position: Vec3::new(0.0, 0.0, reach - offset), ..turned }
    }

    fn depth(&self, model: &Model) -> f64 {
        let weight = model.bodies()[1].body.mass * GRAVITY;
        (weight / (self.weight * STIFFNESS)).powf(2.0 / 3.0)
    }
}

struct End {
    motion: Motion,
    /// What the total energy gained at most, and what it is off at the end, in J.
    gained: f64,
    strayed: f64,
    steps: usize,
}

/// No run of an adaptive engine may take more: what rests needs no tiny steps.
const MOST_STEPS: usize = 40_000;

fn run(model: &Model, pose: Pose, scheme: &Scheme, end: f64) -> End {
    let state = State::new(vec![Motion::at_rest(Pose::identity()), Motion::at_rest(pose)]);
    let mut run = Run::new(model, state, scheme).unwrap();
    let before = run.energy().unwrap().total();
    let mut gained = 0.0_f64;
    for k in 1..=10 {
        run.advance(end * 0.1 * f64::from(k), &mut |_| Ok(())).unwrap();
        gained = gained.max(run.energy().unwrap().total() - before);
    }
    let strayed = run.energy().unwrap().total() - before;
    End { motion: run.state().motions[1], gained, strayed, steps: run.statistics().steps }
}

#[test]
fn every_shape_rests_on_its_flattest_spot_in_every_engine() {
    let (mut count, mut failures) = (0, Vec::new());
    for spot in spots(Start::Laid) {
        let model = spot.model();
        let part = &model.bodies()[1].parts[0];
        assert!(!has_regions(&model.bodies()[0].parts[0].shape, &part.shape), "{}", spot.name);
        let depth = spot.depth(&model);
        for (engine, scheme) in engines() {
            let start = spot.pose(&model, 0.0);
            let End { motion, gained, strayed, steps } = run(&model, start, &scheme, 2.5);
            let name = format!("{}, {engine}: {motion:?}", spot.name);
            let sunk = start.position.z - motion.pose.position.z;
            let in_play = model.bodies()[1].body.mass * GRAVITY * depth;
            let holds = [
                (sunk / depth - 1.0).abs() < 0.02 || !spot.is_even,
                motion.velocity.norm() < 2e-4 && motion.angular_velocity_body.norm() < 2e-3,
                // What is not symmetric turns a little while it sinks in.
                motion.pose.position.xy().norm() < if spot.about_x { 1e-5 } else { 1e-6 } || !spot.is_even,
                strayed.abs() < 2e-3 * in_play && gained < 2e-3 * in_play,
                steps < MOST_STEPS || engine == "many",
            ];
            if holds.contains(&false) {
                let what = format!("{sunk} for {depth}, {strayed:e} {gained:e} J, {steps} steps");
                failures.push(format!("{name}: {holds:?}, {what}"));
            }
            count += 1;
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert_eq!(count, 27 * 4);
}

#[test]
fn every_shape_that_is_dropped_a_little_comes_to_rest_on_its_flattest_spot() {
    const HEIGHT: f64 = 1e-3;
    let mut failures = Vec::new();
    for spot in spots(Start::Dropped) {
        let model = spot.model();
        let depth = spot.depth(&model);
        for (engine, scheme) in engines() {
            let start = spot.pose(&model, 0.0);
            let above = Pose { position: start.position + Vec3::z() * HEIGHT, ..start };
            let End { motion, gained, strayed, steps } = run(&model, above, &scheme, 1.0);
            let name = format!("{}, {engine}: {motion:?}", spot.name);
            let sunk = start.position.z - motion.pose.position.z;
            let fallen = model.bodies()[1].body.mass * GRAVITY * HEIGHT;
            let holds = [
                (sunk / depth - 1.0).abs() < 0.1 || !spot.is_even,
                motion.velocity.norm() < 2e-3 && motion.angular_velocity_body.norm() < 0.02,
                motion.pose.position.xy().norm() < 1e-5 || !spot.is_even,
                strayed.abs() < 5e-3 * fallen && gained < 5e-3 * fallen,
                steps < MOST_STEPS || engine == "many",
            ];
            if holds.contains(&false) {
                let what = format!("{sunk} for {depth}, {strayed:e} {gained:e} J, {steps} steps");
                failures.push(format!("{name}: {holds:?}, {what}"));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
