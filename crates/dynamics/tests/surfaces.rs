//! Surfaces without support functions in contact: the same motion under every engine for free bodies, with a given
//! stiffness and with Hertz's, with Coulomb's friction and with a bristle.

use rattleback_contact::law::ContactLaw;
use rattleback_contact::law::friction::{Bristle, Coulomb};
use rattleback_contact::law::normal::Hysteresis;
use rattleback_contact::material::{Material, Stiffness};
use rattleback_dynamics::geom::surface::{Ellipsoid, Link, Plane, Quadric, Shape, Sphere, Torus};
use rattleback_dynamics::geom::{Mat3, Pose, Vec3};
use rattleback_dynamics::mechanism;
use rattleback_dynamics::{Accuracy, Body, BodyModel, Method, Model, Motion, Parts, Run, Scheme, State};

/// The longest steps of the engines with fixed ones, in s.
const STEP: f64 = 1e-4;

fn engines() -> [(&'static str, Scheme); 3] {
    [
        ("stiff", Scheme::Free { method: Method::Stiff, accuracy: Accuracy::default() }),
        ("many", Scheme::Many { step: STEP }),
        ("mechanism", Scheme::Mechanism(mechanism::Settings::default().with_step(STEP))),
    ]
}

/// Elastic, of 1e6 N/m^{3/2}: fixed steps meet it with the second order.
fn given() -> ContactLaw {
    ContactLaw::new(Stiffness::given(1e6).unwrap(), Hysteresis::with_factor(0.0, 1.5).unwrap()).unwrap()
}

/// Elastic, of two bodies of rubber.
fn hertz() -> ContactLaw {
    let rubber = Material::new(5e7, 0.45).unwrap();
    ContactLaw::new(Stiffness::hertz(&rubber, &rubber), Hysteresis::with_factor(0.0, 1.5).unwrap()).unwrap()
}

/// A fixed body and a free one of 0.5 kg that meets it.
struct ContactFrames {
    name: &'static str,
    fixed: (Shape, Pose),
    free: Shape,
    start: Motion,
    duration: f64,
}

impl ContactFrames {
    fn model(&self, law: ContactLaw) -> Model {
        let mut builder = Model::builder();
        builder.gravity(gravity());
        let surface = builder.surface("any");
        builder.law(surface, surface, law);
        let (shape, pose) = self.fixed.clone();
        builder.body(BodyModel::fixed("fixed").with_part(shape, pose, surface));
        let size = self.free.surface().bounds().extents() * 0.5;
        let square = |i: usize| size[i] * size[i];
        let inertia = Vec3::new(square(1) + square(2), square(2) + square(0), square(0) + square(1)) * 0.1;
        let body = Body { mass: 0.5, inertia: Mat3::from_diagonal(&inertia) };
        builder.body(BodyModel::free("free", body).with_part(self.free.clone(), Pose::identity(), surface));
        builder.build().unwrap()
    }

    /// The free body at the end.
    fn end(&self, law: ContactLaw, scheme: &Scheme) -> Motion {
        let model = self.model(law);
        let state = State::new(vec![Motion::at_rest(Pose::identity()), self.start]);
        let mut run = Run::new(&model, state, scheme).unwrap();
        let advanced = run.advance(self.duration, &mut |_| Ok(()));
        advanced.unwrap_or_else(|error| panic!("{}: {error}", self.name));
        run.state().motions[1]
    }

    /// Compares positions to `tolerance` metres.
    fn agree(&self, law: ContactLaw, tolerance: f64) {
        let explicit = Scheme::Free { method: Method::Explicit, accuracy: Accuracy::default() };
        let expected = self.end(law, &explicit);
        let flight = self.start.velocity + gravity() * self.duration;
        let hit = (expected.velocity - flight).norm();
        assert!(hit > 0.2, "{}: they do not meet, {hit} m/s", self.name);
        for (engine, scheme) in engines() {
            let found = self.end(law, &scheme);
            let moved = (found.pose.position - expected.pose.position).norm();
            let turned = found.pose.orientation.angle_to(&expected.pose.orientation);
            let speed = (found.velocity - expected.velocity).norm();
            let said = format!("{}, {engine}: {moved:.1e} m, {turned:.1e} rad, {speed:.1e} m/s", self.name);
            println!("{said}");
            assert!(moved < tolerance && turned < 10.0 * tolerance && speed < 1e2 * tolerance, "{said}");
        }
    }
}

fn gravity() -> Vec3 {
    Vec3::new(0.0, 0.0, -9.81)
}

fn moving(pose: Pose, velocity: Vec3, angular_velocity: Vec3) -> Motion {
    Motion { velocity, angular_velocity_body: angular_velocity, ..Motion::at_rest(pose) }
}

fn tilted(x: f64, y: f64, z: f64, angle: f64) -> Pose {
    Pose::from_position(x, y, z).rotated(Vec3::new(1.0, 0.3, 0.2), angle).unwrap()
}

fn ring() -> Shape {
    Torus::new(0.2, 0.06).unwrap().into()
}

/// A ball that falls into the ring of a fixed torus and meets its inner side, hollow along the ring.
fn ball_on_torus() -> ContactFrames {
    ContactFrames {
        name: "ball on torus",
        fixed: (ring(), Pose::identity()),
        free: Sphere::new(0.1).unwrap().into(),
        start: moving(
            Pose::from_position(0.09, 0.02, 0.13),
            Vec3::new(0.1, 0.05, -0.3),
            Vec3::new(0.0, 2.0, 1.0),
        ),
        duration: 0.08,
    }
}

/// An egg that falls on the outer side of the ring.
fn egg_on_torus() -> ContactFrames {
    let start = moving(tilted(0.25, 0.05, 0.17, 0.5), Vec3::new(0.1, 0.05, -0.4), Vec3::new(0.0, 2.0, 1.0));
    let free = Ellipsoid::new([0.06, 0.08, 0.1]).unwrap().into();
    ContactFrames { name: "egg on torus", fixed: (ring(), Pose::identity()), free, start, duration: 0.08 }
}

/// A ball that meets the round side of a bowl turned upside down, off its vertex.
fn ball_on_paraboloid() -> ContactFrames {
    let bowl = Quadric::elliptic_paraboloid([0.3, 0.4, 0.2], 0.2).unwrap();
    let turned = Pose::identity().rotated(Vec3::x(), std::f64::consts::PI).unwrap();
    ContactFrames {
        name: "ball on paraboloid",
        fixed: (bowl.into(), turned),
        free: Sphere::new(0.1).unwrap().into(),
        start: moving(
            Pose::from_position(0.05, 0.03, 0.31),
            Vec3::new(0.1, -0.2, -0.3),
            Vec3::new(3.0, 0.0, 1.0),
        ),
        duration: 0.08,
    }
}

/// A ball on the waist of a hyperboloid, hollow along its axis.
fn ball_on_waist() -> ContactFrames {
    let waist = Quadric::hyperboloid_one_sheet([0.2, 0.25, 0.4], 0.5).unwrap();
    let turned = Pose::identity().rotated(Vec3::x(), std::f64::consts::FRAC_PI_2).unwrap();
    ContactFrames {
        name: "ball on waist",
        fixed: (waist.into(), turned),
        free: Sphere::new(0.1).unwrap().into(),
        start: moving(
            Pose::from_position(0.05, 0.03, 0.35),
            Vec3::new(0.1, -0.2, -0.3),
            Vec3::new(3.0, 0.0, 1.0),
        ),
        duration: 0.08,
    }
}

/// A link that falls into the bend of a fixed one, as in a chain.
fn two_links() -> ContactFrames {
    let link = || Link::new(0.02, 0.05, 0.06).unwrap();
    let start = Pose::from_position(0.003, 0.002, -0.1695 + 0.01).rotated(Vec3::z(), 1.4).unwrap();
    let start = moving(start, Vec3::new(0.02, 0.01, -0.2), Vec3::new(0.5, 0.3, 0.2));
    ContactFrames {
        name: "two links",
        fixed: (link().into(), Pose::identity()),
        free: link().into(),
        start,
        duration: 0.06,
    }
}

/// A torus that falls on the floor, tilted.
fn torus_on_floor() -> ContactFrames {
    let floor = Plane::new([0.0, 0.0, 1.0], 0.0).unwrap();
    let start = moving(tilted(0.0, 0.0, 0.16, 0.5), Vec3::new(0.5, 0.2, -0.5), Vec3::new(0.0, 1.0, 3.0));
    ContactFrames {
        name: "torus on floor",
        fixed: (floor.into(), Pose::identity()),
        free: ring(),
        start,
        duration: 0.08,
    }
}

fn all() -> [ContactFrames; 6] {
    [ball_on_torus(), egg_on_torus(), ball_on_paraboloid(), ball_on_waist(), two_links(), torus_on_floor()]
}

#[test]
fn the_engines_agree_on_a_given_stiffness_with_friction() {
    let law = given().with_friction(Coulomb::new(0.3, 0.05).unwrap());
    for contact_frames in all() {
        contact_frames.agree(law, 2e-5);
    }
}

#[test]
fn the_engines_agree_on_hertzs_stiffness_which_follows_the_curvatures() {
    for contact_frames in all() {
        contact_frames.agree(hertz(), 2e-5);
    }
}

#[test]
fn the_engines_agree_on_a_bristle() {
    let law = given().with_friction(Bristle::new(0.3, 0.05, 1e5, 20.0).unwrap());
    for contact_frames in all() {
        contact_frames.agree(law, 5e-5);
    }
}

#[test]
fn the_meetings_begin_apart() {
    for contact_frames in all() {
        let model = contact_frames.model(given());
        let motions = [Motion::at_rest(Pose::identity()), contact_frames.start];
        let gap = Parts::new(&model, &motions).touch(&model.all_pairs()[0], None).unwrap().gap;
        assert!(gap > 0.0, "{}: {gap}", contact_frames.name);
    }
}
