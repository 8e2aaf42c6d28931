//! Bodies that stand and slide under the implicit method: stiff contacts, long steps, bristles that hold.

use rattleback_contact::law::ContactLaw;
use rattleback_contact::law::friction::{Bristle, Coulomb, FrictionLaw};
use rattleback_contact::law::normal::{Hysteresis, Rule};
use rattleback_contact::material::{Material, Stiffness};
use rattleback_dynamics::geom::surface::{Ellipsoid, Plane, Sphere, Surface};
use rattleback_dynamics::geom::{Pose, Vec3};
use rattleback_dynamics::mechanism::Settings;
use rattleback_dynamics::{Body, BodyModel, Mechanism, Model, Motion, State};

const GRAVITY: f64 = 9.81;

/// A heavy plate on four round feet of steel on a steel floor, gravity tilted by `angle` towards +x.
fn table(angle: f64, friction: impl Into<FrictionLaw>) -> (Model, State) {
    let steel = Material::new(210e9, 0.3).unwrap();
    let normal = Hysteresis::new(Rule::Exact, 0.5, 1.5).unwrap();
    let law = ContactLaw::new(Stiffness::hertz(&steel, &steel), normal).unwrap().with_friction(friction);
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(GRAVITY * angle.sin(), 0.0, -GRAVITY * angle.cos()));
    let surface = builder.surface("steel");
    builder.law(surface, surface, law);
    let plane = Plane::new([0.0, 0.0, 1.0], 0.0).unwrap();
    builder.body(BodyModel::fixed("floor").with_part(plane, Pose::identity(), surface));
    let mass = Ellipsoid::new([0.2, 0.2, 0.02]).unwrap().moments().unwrap().with_density(7800.0).unwrap();
    let mut plate = BodyModel::free("plate", Body::try_from(&mass).unwrap());
    for (x, y) in [(0.15, 0.15), (-0.15, 0.15), (0.15, -0.15), (-0.15, -0.15)] {
        plate = plate.with_part(Sphere::new(0.02).unwrap(), Pose::from_position(x, y, -0.02), surface);
    }
    builder.body(plate);
    let state = State::new(vec![
        Motion::at_rest(Pose::identity()),
        Motion::at_rest(Pose::from_position(0.0, 0.0, 0.04)),
    ]);
    (builder.build().unwrap(), state)
}

#[test]
fn a_bristle_holds_a_steel_plate_on_an_incline_in_steps_of_a_millisecond() {
    let bristle = Bristle::new(0.3, 1e-3, 1e7, 1e3).unwrap();
    let (model, mut state) = table(0.2, bristle);
    let mut mechanism = Mechanism::new(&model, Settings::default().with_step(1e-3)).unwrap();
    mechanism.advance(&mut state, 0.5, &mut |_, _| Ok(())).unwrap();
    let early = state.motions[1].pose.position;
    mechanism.advance(&mut state, 2.0, &mut |_, _| Ok(())).unwrap();
    let creep = (state.motions[1].pose.position - early).norm();
    assert!(creep < 1e-9, "it creeps by {creep} m in 1.5 s");
    assert_eq!(state.pairs.values().filter(|pair| pair.contact.is_some()).count(), 4);
    // The four bristles carry the weight's share along the incline.
    let weight = model.bodies()[1].body.mass * GRAVITY * 0.2f64.sin();
    let carried: f64 = state.pairs.values().filter_map(|pair| pair.contact).map(|c| 1e7 * c.bristle.x).sum();
    assert!((carried / weight - 1.0).abs() < 1e-6, "{carried} of {weight} N");
}

#[test]
fn beyond_the_cone_the_plate_slides_as_coulomb_says() {
    let angle = 0.5f64;
    for friction in [
        FrictionLaw::from(Bristle::new(0.3, 1e-3, 1e7, 1e3).unwrap()),
        FrictionLaw::from(Coulomb::new(0.3, 1e-3).unwrap()),
    ] {
        let (model, mut state) = table(angle, friction);
        let mut mechanism = Mechanism::new(&model, Settings::default().with_step(1e-3)).unwrap();
        let mut speeds = Vec::new();
        for time in [0.3, 0.8] {
            mechanism.advance(&mut state, time, &mut |_, _| Ok(())).unwrap();
            speeds.push(state.motions[1].velocity.x);
        }
        let (found, exact) = ((speeds[1] - speeds[0]) / 0.5, GRAVITY * (angle.sin() - 0.3 * angle.cos()));
        assert!((found / exact - 1.0).abs() < 1e-3, "{friction:?}: {found} against {exact}");
    }
}
