//! Balls that bounce on flat faces, ruled walls and caps under the methods that need derivatives of contacts.

use rattleback_contact::law::ContactLaw;
use rattleback_contact::law::friction::{Bristle, Coulomb, FrictionLaw};
use rattleback_contact::law::normal::{Hysteresis, Rule};
use rattleback_contact::material::{Material, Stiffness};
use rattleback_dynamics::geom::nalgebra::UnitQuaternion;
use rattleback_dynamics::geom::surface::{Capsule, Cylinder, Shape, Sphere, Superellipsoid};
use rattleback_dynamics::geom::{Pose, Vec3};
use rattleback_dynamics::mechanism::Settings;
use rattleback_dynamics::{Accuracy, BodyModel, Mechanism, Method, Model, Motion, Simulation, State};

/// A fixed body turned about y, and a ball of 10 cm at 2 cm above its point `place` along the normal there.
fn scene(shape: Shape, angle: f64, place: Vec3, normal: Vec3, friction: &FrictionLaw) -> (Model, State) {
    let rubber = Material::new(1e7, 0.4).unwrap();
    let law =
        ContactLaw::new(Stiffness::hertz(&rubber, &rubber), Hysteresis::new(Rule::Exact, 0.7, 1.5).unwrap())
            .unwrap()
            .with_friction(*friction);
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    let surface = builder.surface("rubber");
    builder.law(surface, surface, law);
    builder.body(BodyModel::fixed("block").with_part(shape, Pose::identity(), surface));
    let ball = Sphere::new(0.1).unwrap();
    builder.body(BodyModel::solid("ball", ball, 1000.0, surface).unwrap());
    let turn = UnitQuaternion::from_scaled_axis(Vec3::y() * angle.to_radians());
    let above = turn * (place + normal * 0.12);
    let state = State::new(vec![
        Motion::at_rest(Pose::new(Vec3::zeros(), turn)),
        Motion::at_rest(Pose::new(above, UnitQuaternion::identity())),
    ]);
    (builder.build().unwrap(), state)
}

#[test]
fn balls_bounce_on_faces_walls_and_caps_to_the_end_of_the_run() {
    let block = Superellipsoid::new([1.0; 3], [20.0, 20.0]).unwrap();
    let places: [(Shape, f64, Vec3, Vec3); 4] = [
        (block.into(), 20.0, Vec3::new(0.03, -0.05, 1.0), Vec3::z()),
        (block.into(), 20.0, Vec3::z(), Vec3::z()),
        (Cylinder::new(0.5, 0.4).unwrap().into(), 10.0, Vec3::new(0.1, 0.05, 0.4), Vec3::z()),
        (Capsule::new(0.3, 0.8).unwrap().into(), 80.0, Vec3::new(-0.3, 0.0, 0.1), -Vec3::x()),
    ];
    let frictions = [
        FrictionLaw::from(Coulomb::new(0.3, 1e-3).unwrap()),
        FrictionLaw::from(Bristle::new(0.3, 1e-3, 1e5, 10.0).unwrap()),
    ];
    for (shape, angle, place, normal) in places {
        for friction in &frictions {
            let (model, state) = scene(shape.clone(), angle, place, normal, friction);
            let mut stiff =
                Simulation::new(&model, state.clone(), Method::Stiff, Accuracy::default()).unwrap();
            stiff.advance(0.2, &mut |_| Ok(())).unwrap();
            let mut moved = state.clone();
            let mut mechanism = Mechanism::new(&model, Settings::default().with_step(1e-4)).unwrap();
            mechanism.advance(&mut moved, 0.2, &mut |_, _| Ok(())).unwrap();
            // It has bounced, and both methods agree where to: they differ by the fixed step's error.
            let [one, other] = [&stiff.state().motions[1], &moved.motions[1]];
            assert!(one.velocity.norm().is_finite() && one.velocity.norm() > 0.1, "{shape:?}: {one:?}");
            let apart = (one.pose.position - other.pose.position).norm();
            assert!(apart < 2e-3, "{shape:?} {friction:?}: {apart} m apart");
        }
    }
}
