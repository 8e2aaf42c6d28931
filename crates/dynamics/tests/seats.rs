//! Bodies in contact coordinates: known motions, switches, impacts, chains.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use rattleback_contact::law::normal::{Hysteresis, Rule};
use rattleback_contact::law::{ContactLaw, friction::Coulomb};
use rattleback_contact::material::Stiffness;
use rattleback_dynamics::rolling::{Mode, Rolling, Settings};
use rattleback_dynamics::{Accuracy, Body, BodyModel, Energy, Model, Motion, State};
use rattleback_geom::surface::{Plane, Shape, Sphere, Surface};
use rattleback_geom::{Pose, Vec3};

const G: f64 = 9.81;

fn law(friction: f64, restitution: f64) -> ContactLaw {
    let normal = Hysteresis::new(Rule::Exact, restitution, 1.5).unwrap();
    let law = ContactLaw::new(Stiffness::given(1e6).unwrap(), normal).unwrap();
    if friction > 0.0 { law.with_friction(Coulomb::new(friction, 1e-3).unwrap()) } else { law }
}

fn solid(shape: &dyn Surface, mass: f64) -> Body {
    let moments = shape.moments().unwrap();
    Body::from(&moments.with_density(mass / moments.volume).unwrap())
}

/// A floor of the given shape and one body on it.
fn model(floor: impl Into<Shape>, shape: impl Into<Shape>, mass: f64, law: ContactLaw) -> Model {
    let shape = shape.into();
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, 0.0, -G));
    let surface = builder.surface("any");
    builder.law(surface, surface, law);
    builder.body(BodyModel::fixed("floor").with_part(floor, Pose::identity(), surface));
    let body = solid(shape.surface(), mass);
    builder.body(BodyModel::free("body", body).with_part(shape, Pose::identity(), surface));
    builder.build().unwrap()
}

fn settings() -> Settings {
    Settings { accuracy: Accuracy { relative: 1e-11, absolute: 1e-12 }, ..Settings::default() }
}

fn start(position: [f64; 3], velocity: [f64; 3], spin: [f64; 3]) -> State {
    let pose = Pose::from_position(position[0], position[1], position[2]);
    let motion = Motion { pose, velocity: velocity.into(), spin: spin.into() };
    State::new(vec![Motion::at_rest(Pose::identity()), motion])
}

fn seat_mode(run: &Rolling<'_>) -> Option<Mode> {
    run.state().seats.as_ref().unwrap()[1].map(|seat| seat.mode)
}

#[test]
fn a_sphere_rolls_down_an_incline_at_five_sevenths() {
    let (angle, radius) = (0.3f64, 0.05);
    let normal = [angle.sin(), 0.0, angle.cos()];
    let model = model(Plane::new(normal, 0.0).unwrap(), Sphere::new(radius).unwrap(), 2.0, law(0.5, 0.5));
    let begin = start(normal.map(|x| x * radius), [0.0; 3], [0.0; 3]);
    let mut run = Rolling::new(&model, begin, settings()).unwrap();
    assert_eq!(seat_mode(&run), Some(Mode::Rolling));
    let before = Energy::of(&model, run.state()).unwrap().total();
    // Three turns: the contact goes over all charts of the sphere many times.
    run.advance(2.0, &mut |_| Ok(())).unwrap();
    let motion = &run.state().motions[1];
    let down = Vec3::new(angle.cos(), 0.0, -angle.sin());
    let way = (motion.pose.position - Vec3::from(normal) * radius).dot(&down);
    let expected = 0.5 * 5.0 / 7.0 * G * angle.sin() * 4.0;
    assert!((way - expected).abs() < 1e-9 * expected, "{way} {expected}");
    assert!((motion.pose.position.dot(&Vec3::from(normal)) - radius).abs() < 1e-14);
    let after = Energy::of(&model, run.state()).unwrap().total();
    assert!((after - before).abs() < 1e-10 * motion.velocity.norm_squared());
}

#[test]
fn a_sliding_sphere_begins_to_roll_when_it_must() {
    let (mu, v) = (0.2, 3.0);
    let model = model(Plane::new([0.0, 0.0, 1.0], 0.0).unwrap(), Sphere::new(0.1).unwrap(), 1.0, law(mu, 0.5));
    let begin = start([0.0, 0.0, 0.1], [v, 0.0, 0.0], [0.0; 3]);
    let mut run = Rolling::new(&model, begin, settings()).unwrap();
    assert_eq!(seat_mode(&run), Some(Mode::Sliding));
    let expected = 2.0 * v / (7.0 * mu * G);
    run.advance(0.99 * expected, &mut |_| Ok(())).unwrap();
    assert_eq!(seat_mode(&run), Some(Mode::Sliding));
    run.advance(1.01 * expected, &mut |_| Ok(())).unwrap();
    assert_eq!(seat_mode(&run), Some(Mode::Rolling));
    let motion = &run.state().motions[1];
    // The last slip of 1e-4 m/s is taken at once, as it would have been by friction.
    assert!((motion.velocity.x - 5.0 / 7.0 * v).abs() < 1e-10, "{}", motion.velocity.x - 5.0 / 7.0 * v);
    let energy = Energy::of(&model, run.state()).unwrap();
    assert!((energy.contacts.rubbed - v * v / 7.0).abs() < 1e-9, "{}", energy.contacts.rubbed);
}

#[test]
fn a_ball_bounces_and_settles() {
    let e = 0.5;
    let model = model(Plane::new([0.0, 0.0, 1.0], 0.0).unwrap(), Sphere::new(0.1).unwrap(), 1.0, law(0.3, e));
    let mut run = Rolling::new(&model, start([0.0, 0.0, 1.1], [0.5, 0.0, 0.0], [0.0; 3]), settings()).unwrap();
    assert_eq!(seat_mode(&run), None);
    let before = Energy::of(&model, run.state()).unwrap().total();
    let mut bounces = Vec::new();
    run.advance(3.0, &mut |now| {
        if let rattleback_dynamics::Happening::Begin(_) = now.happening {
            bounces.push(now.state.time);
        }
        Ok(())
    })
    .unwrap();
    let first = (2.0 / G).sqrt();
    assert!((bounces[0] - first).abs() < 1e-9);
    for (k, pair) in bounces.windows(2).enumerate().take(5) {
        let expected = 2.0 * first * e.powi(k as i32 + 1);
        assert!((pair[1] - pair[0] - expected).abs() < 1e-8, "{k}: {pair:?}");
    }
    assert_eq!(seat_mode(&run), Some(Mode::Rolling));
    let energy = Energy::of(&model, run.state()).unwrap();
    assert!((energy.total() - before).abs() < 1e-9, "{}", energy.total() - before);
}

#[test]
fn a_sphere_leaves_a_sphere_where_it_must() {
    for (friction, cosine) in [(0.0, 2.0 / 3.0), (1e8, 10.0 / 17.0)] {
        let (floor, ball) = (Sphere::new(1.0).unwrap(), Sphere::new(0.25).unwrap());
        let model = model(floor, ball, 1.0, law(friction, 0.5));
        let tilt = 0.05f64;
        let at = [1.25 * tilt.sin(), 0.0, 1.25 * tilt.cos()];
        let mut run = Rolling::new(&model, start(at, [0.0; 3], [0.0; 3]), settings()).unwrap();
        let mut left = None;
        run.advance(3.0, &mut |now| {
            if let rattleback_dynamics::Happening::End(_) = now.happening {
                left.get_or_insert(now.state.motions[1].pose.position.z / 1.25);
            }
            Ok(())
        })
        .unwrap();
        // From a start at θ₀ both cosines are in proportion to that of the start.
        let left = left.unwrap();
        assert!((left - cosine * tilt.cos()).abs() < 1e-9, "{left} {}", cosine * tilt.cos());
    }
}
