//! Models for the engine that is tested, and its runs.

use super::reference::GRAVITY;
use super::reference::hull::Hull;
use super::reference::on_plane::Solid;
use super::reference::patch_stone as stone;
use rattleback_contact::law::normal::{Hysteresis, Rule};
use rattleback_contact::law::{ContactLaw, friction::Coulomb};
use rattleback_contact::material::Stiffness;
pub use rattleback_dynamics::rolling::ROUGH;
use rattleback_dynamics::rolling::{Mode, Rolling, Settings};
use rattleback_dynamics::{Accuracy, Body, BodyModel, Model, Motion, State};
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::patch::PatchNet;
use rattleback_geom::surface::{Ellipsoid, Plane, Shape, Surface, Torus};
use rattleback_geom::{Pose, Vec3};

/// Friction and restitution.
pub fn law(friction: f64, restitution: f64) -> ContactLaw {
    let normal = Hysteresis::new(Rule::Exact, restitution, 1.5).unwrap();
    let law = ContactLaw::new(Stiffness::given(1e6).unwrap(), normal).unwrap();
    if friction > 0.0 { law.with_friction(Coulomb::new(friction, 1e-3).unwrap()) } else { law }
}

/// The level plane z = 0.
pub fn ground() -> Plane {
    Plane::new([0.0, 0.0, 1.0], 0.0).unwrap()
}

/// A uniform body whose mass centre is the shape's origin.
pub fn uniform(shape: &dyn Surface, mass: f64) -> Body {
    let moments = shape.moments().unwrap();
    Body::try_from(&moments.with_density(mass / moments.volume).unwrap()).unwrap()
}

/// Bodies in the order given, each with one shape at a pose in its frame, under gravity.
pub fn model(bodies: Vec<(BodyModel, Shape, Pose)>, law: ContactLaw) -> Model {
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, 0.0, -GRAVITY));
    let surface = builder.surface("any");
    builder.law(surface, surface, law);
    for (body, shape, pose) in bodies {
        builder.body(body.with_part(shape, pose, surface));
    }
    builder.build().unwrap()
}

/// A uniform body on a fixed floor.
pub fn on_floor(floor: impl Into<Shape>, shape: impl Into<Shape>, mass: f64, law: ContactLaw) -> Model {
    let shape = shape.into();
    let body = BodyModel::free("body", uniform(shape.surface(), mass));
    let floor = (BodyModel::fixed("floor"), floor.into(), Pose::identity());
    model(vec![floor, (body, shape, Pose::identity())], law)
}

/// A body of the reference on the ground, gravity downwards. The paraboloid is the underside of
/// `reference::patch_stone`.
pub fn of_solid(solid: &Solid, law: ContactLaw) -> Model {
    let mut place = Pose::new(solid.centre, UnitQuaternion::identity());
    let shape: Shape = match solid.hull {
        Hull::Ellipsoid(axes) => Ellipsoid::new(axes.into()).unwrap().into(),
        Hull::Torus { major, minor } => Torus::new(major, minor).unwrap().into(),
        Hull::Paraboloid(radii) => {
            assert_eq!(radii, stone::radii());
            // The patch is turned against the axes of its frame and lies below the origin.
            let turn = UnitQuaternion::from_axis_angle(&Vec3::z_axis(), -stone::TURN.to_radians());
            place = Pose::new(solid.centre + Vec3::z() * stone::HEIGHT, turn);
            PatchNet::new(vec![stone::patch().unwrap()]).unwrap().into()
        }
    };
    let body = BodyModel::free("body", Body { mass: solid.mass, inertia: solid.inertia });
    let floor = (BodyModel::fixed("floor"), ground().into(), Pose::identity());
    model(vec![floor, (body, shape, place)], law)
}

/// A state of the reference.
pub fn of_state(solid: &Solid, y: &[f64]) -> State {
    let turn = super::reference::on_plane::orientation(y);
    let pose = Pose::new(solid.mass_centre(y), turn);
    let angular_velocity = super::reference::on_plane::angular_velocity(y);
    State::new(vec![
        Motion::at_rest(Pose::identity()),
        Motion { pose, velocity: solid.velocity(y), angular_velocity_body: angular_velocity },
    ])
}

/// The second body at a place with velocities, the spin in body axes; the first one at rest.
pub fn start(position: [f64; 3], velocity: [f64; 3], angular_velocity: [f64; 3]) -> State {
    let pose = Pose::from_position(position[0], position[1], position[2]);
    let motion = Motion { pose, velocity: velocity.into(), angular_velocity_body: angular_velocity.into() };
    State::new(vec![Motion::at_rest(Pose::identity()), motion])
}

/// Accurate steps.
pub fn settings() -> Settings {
    Settings { accuracy: Accuracy { relative: 1e-12, absolute: 1e-14 }, ..Settings::default() }
}

/// A run with accurate steps.
pub fn run(model: &Model, state: State) -> Rolling<'_> {
    Rolling::new(model, state, settings()).unwrap()
}

/// The mode of the second body, if it sits.
pub fn mode(run: &Rolling<'_>) -> Option<Mode> {
    run.state().rigid_contacts.as_ref().unwrap()[1].map(|rigid_contact| rigid_contact.mode)
}

/// How far two motions are from each other: mass centre in m and orientation in rad.
pub fn apart(motion: &Motion, position: &Vec3, turn: &UnitQuaternion<f64>) -> f64 {
    let angle = motion.pose.orientation.angle_to(turn);
    (motion.pose.position - position).norm().max(angle)
}
