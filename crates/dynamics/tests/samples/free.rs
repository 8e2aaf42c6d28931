//! Free bodies on fixed planes. Frames are at the mass centres, world z is up.

use rattleback_contact::law::ContactLaw;
use rattleback_contact::law::friction::Coulomb;
use rattleback_contact::law::normal::{Hysteresis, NormalLaw, Rule};
use rattleback_contact::material::{Material, Stiffness};
use rattleback_dynamics::model::SurfaceId;
use rattleback_dynamics::{Accuracy, Body, BodyModel, Method, Model, Motion, Result, State};
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::surface::{Ellipsoid, Plane, Shape, Sphere, Surface};
use rattleback_geom::{Mat3, Pose, Vec3};
use std::f64::consts::{FRAC_PI_6, PI};

/// Gravity, in m/s².
pub const GRAVITY: f64 = 9.81;

/// A model, its first state and how to move it.
#[derive(Debug, Clone)]
pub struct Free {
    pub model: Model,
    pub state: State,
    pub method: Method,
    pub accuracy: Accuracy,
}

/// A fixed body of planes, and free bodies.
fn on_planes(
    (name, planes): (&str, &[([f64; 3], f64)]),
    bodies: Vec<(BodyModel, Motion)>,
    law: ContactLaw,
    method: Method,
) -> Result<Free> {
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, 0.0, -GRAVITY));
    let surface = builder.surface("all");
    builder.law(surface, surface, law);
    let mut fixed = BodyModel::fixed(name);
    for (normal, offset) in planes {
        fixed = fixed.with_part(Plane::new(*normal, *offset)?, Pose::identity(), surface);
    }
    builder.body(fixed);
    let mut motions = vec![Motion::at_rest(Pose::identity())];
    for (body, motion) in bodies {
        builder.body(body);
        motions.push(motion);
    }
    let (model, state) = (builder.build()?, State::new(motions));
    Ok(Free { model, state, method, accuracy: Accuracy::default() })
}

/// A solid of uniform density, symmetric about its origin.
fn solid(name: &str, shape: impl Surface + Into<Shape>, density: f64) -> Result<BodyModel> {
    BodyModel::solid(name, shape, density, SurfaceId(0))
}

/// A ball of radius 10 mm and 7800 kg/m³ falls 0.1 m on a floor. The stiffness is that of steel unless one is given.
pub fn bouncing_ball(normal: impl Into<NormalLaw>, stiffness: Option<Stiffness>) -> Result<Free> {
    let steel = Material::new(210e9, 0.3)?;
    let law = ContactLaw::new(stiffness.unwrap_or(Stiffness::hertz(&steel, &steel)), normal)?;
    let ball = solid("ball", Sphere::new(0.01)?, 7800.0)?;
    let motion = Motion::at_rest(Pose::from_position(0.0, 0.0, 0.11));
    on_planes(("floor", &[([0.0, 0.0, 1.0], 0.0)]), vec![(ball, motion)], law, Method::Explicit)
}

/// An ellipsoid with three different axes, turned about all of them, 1 mm above an incline of 30 degrees.
pub fn tumbling_ellipsoid() -> Result<Free> {
    let normal = Vec3::new(FRAC_PI_6.sin(), 0.0, FRAC_PI_6.cos());
    let (wood, rubber) = (Material::new(1e9, 0.3)?, Material::new(5e6, 0.45)?);
    let law = ContactLaw::new(Stiffness::hertz(&wood, &rubber), Hysteresis::new(Rule::Exact, 0.3, 1.5)?)?
        .with_friction(Coulomb::new(0.6, 1e-3)?);
    let shape = Ellipsoid::new([0.10, 0.07, 0.05])?;
    let orientation = UnitQuaternion::from_euler_angles(0.4, 0.3, 0.5);
    let local = orientation.inverse_transform_vector(&-normal);
    let height = local.component_mul(shape.semi_axes()).norm();
    let body = solid("ellipsoid", shape, 700.0)?;
    let motion = Motion::at_rest(Pose::new(normal * (height + 1e-3), orientation));
    on_planes(("incline", &[(normal.into(), 0.0)]), vec![(body, motion)], law, Method::Stiff)
}

/// Two ellipsoids whose mass centres and inertia axes are not those of their shapes, one above the other in a box of
/// five planes; both touch before half a second has passed.
pub fn ellipsoids_in_a_box() -> Result<Free> {
    let steel = Material::new(210e9, 0.3)?;
    let law = ContactLaw::new(Stiffness::hertz(&steel, &steel), Hysteresis::new(Rule::Flores, 0.6, 1.5)?)?
        .with_friction(Coulomb::new(0.2, 1e-6)?);
    let (slope, wall) = (0.5f64.sqrt(), -0.25);
    let planes = [
        ([0.0, 0.0, 1.0], 0.0),
        ([slope, 0.0, slope], wall),
        ([-slope, 0.0, slope], wall),
        ([0.0, slope, slope], wall),
        ([0.0, -slope, slope], wall),
    ];
    let object = |name: &str, mass, inertia: [f64; 3], axes, part, height| -> Result<_> {
        let body = Body { mass, inertia: Mat3::from_diagonal(&inertia.into()) };
        let orientation = UnitQuaternion::from_euler_angles(PI / 5.0, PI / 4.0, PI / 3.0);
        let motion = Motion {
            pose: Pose::new(Vec3::new(0.1, -0.15, height), orientation),
            velocity: Vec3::zeros(),
            angular_velocity_body: orientation.inverse_transform_vector(&Vec3::new(0.0, 0.0, PI)),
        };
        Ok((BodyModel::free(name, body).with_part(Ellipsoid::new(axes)?, part, SurfaceId(0)), motion))
    };
    let tilted = |x: f64, z: f64, angle: f64| Pose::from_position(x, 0.0, z).rotated(Vec3::y(), angle);
    let bodies = vec![
        object("I", 200.0, [2.0, 4.0, 5.2], [0.3, 0.2, 0.1], tilted(0.0, 0.025, -0.2)?, 0.8)?,
        object("II", 50.0, [0.1, 1.0, 0.9], [0.3, 0.05, 0.1], tilted(0.075, 0.0, 0.2)?, 1.4)?,
    ];
    on_planes(("box", &planes), bodies, law, Method::Stiff)
}
