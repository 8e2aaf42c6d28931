//! The papers' scenarios of free bodies, ready to run: a model, its first state and how long to watch.
//!
//! Bodies' frames are at the mass centres; world z is up unless a case says otherwise. Where a paper is silent or wrong,
//! the case says what was taken.

use crate::body::{Body, Motion};
use crate::error::Result;
use crate::model::{BodyModel, Model};
use crate::simulation::{Accuracy, Method};
use crate::state::State;
use rattleback_contact::law::ContactLaw;
use rattleback_contact::law::friction::{Coulomb, FrictionLaw};
use rattleback_contact::law::normal::{Hysteresis, NormalLaw, Rule};
use rattleback_contact::material::{Material, Stiffness};
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::surface::{Ellipsoid, Plane, Sphere, Surface};
use rattleback_geom::{Mat3, Pose, Vec3};
use std::f64::consts::PI;

/// A scenario.
#[derive(Debug, Clone)]
pub struct Case {
    /// Its name in files and tables.
    pub name: &'static str,
    /// What moves.
    pub model: Model,
    /// Where it begins.
    pub state: State,
    /// How long to watch, in s.
    pub duration: f64,
    /// The integrator that suits it.
    pub method: Method,
    /// How accurately.
    pub accuracy: Accuracy,
}

/// Gravity of the papers, in m/s².
pub const GRAVITY: f64 = 9.81;

fn steel() -> Result<Stiffness> {
    let steel = Material::new(210e9, 0.3)?;
    Ok(Stiffness::hertz(&steel, &steel))
}

/// A floor, the plane n·x = offset, and one body above it.
fn on_floor(
    name: &'static str,
    normal: [f64; 3],
    body: BodyModel,
    motion: Motion,
    law: ContactLaw,
    duration: f64,
    method: Method,
) -> Result<Case> {
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, 0.0, -GRAVITY));
    let surface = builder.surface("all");
    builder.law(surface, surface, law);
    let plane = Plane::new(normal, 0.0)?;
    builder.body(BodyModel::fixed("floor").with_part(plane, Pose::identity(), surface));
    builder.body(body);
    let model = builder.build()?;
    let state = State::new(vec![Motion::at_rest(Pose::identity()), motion]);
    Ok(Case { name, model, state, duration, method, accuracy: Accuracy::default() })
}

/// A solid of uniform density as a free body with itself as its only part.
fn solid(
    name: &str,
    shape: impl Surface + Into<rattleback_geom::surface::Shape>,
    density: f64,
) -> Result<BodyModel> {
    let mass = shape.moments()?.with_density(density)?;
    // All solids used here are symmetric: the mass centre is the shape's origin.
    let surface = crate::model::SurfaceId(0);
    Ok(BodyModel::free(name, Body::from(&mass)).with_part(shape, Pose::identity(), surface))
}

/// Marques, 3.1: a steel ball of radius 10 mm falls 0.1 m on a steel floor; several bounces. Radius, height and material
/// are not given in the paper. The stiffness is that of steel unless one is given.
pub fn bouncing_ball(normal: impl Into<NormalLaw>, stiffness: Option<Stiffness>) -> Result<Case> {
    let law = ContactLaw::new(stiffness.map_or_else(steel, Ok)?, normal)?;
    let ball = solid("ball", Sphere::new(0.01)?, 7800.0)?;
    let motion = Motion::at_rest(Pose::from_position(0.0, 0.0, 0.11));
    on_floor("bouncing ball", [0.0, 0.0, 1.0], ball, motion, law, 0.5, Method::Explicit)
}

/// An incline of `angle` radians, falling towards +x: its normal.
fn incline(angle: f64) -> [f64; 3] {
    [angle.sin(), 0.0, angle.cos()]
}

/// A sphere of radius 0.1 m rolls down an incline: 5/7 g sin α once it rolls. Contact as of hard rubber, friction 0.5.
pub fn rolling_sphere(angle: f64) -> Result<Case> {
    let normal = Vec3::from(incline(angle));
    let rubber = Material::new(5e7, 0.45)?;
    let stiffness = Stiffness::hertz(&rubber, &rubber);
    let radius = 0.1f64;
    let sphere = solid("sphere", Sphere::new(radius)?, 1000.0)?;
    // It begins at the depth at which the floor carries its weight.
    let weight = sphere.body.mass * GRAVITY * angle.cos();
    let k = stiffness.at([1.0 / radius; 2])?.value;
    let depth = (weight / k).powf(2.0 / 3.0);
    let law = ContactLaw::new(stiffness, Hysteresis::new(Rule::Exact, 0.5, 1.5)?)?
        .with_friction(Coulomb::new(0.5, 1e-4)?);
    let motion = Motion::at_rest(Pose::new(normal * (radius - depth), UnitQuaternion::identity()));
    on_floor("rolling sphere", incline(angle), sphere, motion, law, 1.0, Method::Stiff)
}

/// Marques, 3.3: an ellipsoid with three different axes, turned about all of them, rolls down a plane until it lifts off.
/// The paper gives no numbers; here semi-axes 0.10, 0.07, 0.05 m, 30 degrees, wood on rubber, friction 0.6.
pub fn tumbling_ellipsoid() -> Result<Case> {
    let angle = PI / 6.0;
    let normal = Vec3::from(incline(angle));
    let (wood, rubber) = (Material::new(1e9, 0.3)?, Material::new(5e6, 0.45)?);
    let law = ContactLaw::new(Stiffness::hertz(&wood, &rubber), Hysteresis::new(Rule::Exact, 0.3, 1.5)?)?
        .with_friction(Coulomb::new(0.6, 1e-3)?);
    let shape = Ellipsoid::new([0.10, 0.07, 0.05])?;
    let orientation = UnitQuaternion::from_euler_angles(0.4, 0.3, 0.5);
    let local = orientation.inverse_transform_vector(&-normal);
    let height = local.component_mul(shape.semi_axes()).norm();
    let body = solid("ellipsoid", shape, 700.0)?;
    let motion = Motion::at_rest(Pose::new(normal * (height + 1e-3), orientation));
    on_floor("tumbling ellipsoid", incline(angle), body, motion, law, 2.0, Method::Stiff)
}

/// Römer, section 6 with Table C.3: two steel ellipsoids, whose mass centres and inertia axes are not those of the shapes,
/// fall into a box of five planes. Object II's initial position is lost in the text: (−¼, −½, 2), above object I. The
/// angles mean Q = Rz(α)Ry(β)Rx(γ), so that the initial angular velocity is π about the vertical. The relative curvatures
/// enter whole, in the elliptical theory of Hertz.
pub fn roemer_box() -> Result<Case> {
    let normal = Hysteresis::new(Rule::Flores, 0.6, 1.5)?;
    // The paper's k, in m/s.
    let law = ContactLaw::new(steel()?, normal)?.with_friction(FrictionLaw::from(Coulomb::new(0.2, 1e-6)?));
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, 0.0, -GRAVITY));
    let steel = builder.surface("steel");
    builder.law(steel, steel, law);
    let (r2, r3) = (2f64.sqrt(), 3f64.sqrt());
    let planes = [
        ([0.0, 0.0, 1.0], 0.0),
        ([r2 / 2.0, 0.0, r2 / 2.0], -r2 / 8.0),
        ([-r2 / 2.0, 0.0, r2 / 2.0], -r2 / 8.0),
        ([0.0, -r3 / 2.0, 0.5], -r3 / 4.0),
        ([0.0, r3 / 2.0, 0.5], -r3 / 4.0),
    ];
    let mut walls = BodyModel::fixed("box");
    for (normal, offset) in planes {
        walls = walls.with_part(Plane::new(normal, offset)?, Pose::identity(), steel);
    }
    builder.body(walls);
    let tilt = |angle: f64| UnitQuaternion::from_axis_angle(&Vec3::y_axis(), angle);
    let object =
        |name: &str, mass: f64, inertia: [f64; 3], axes: [f64; 3], pose: Pose| -> Result<BodyModel> {
            let body = Body { mass, inertia: Mat3::from_diagonal(&inertia.into()) };
            Ok(BodyModel::free(name, body).with_part(Ellipsoid::new(axes)?, pose, steel))
        };
    let pose = Pose::new(Vec3::new(0.0, 0.0, 0.025), tilt(-PI / 18.0));
    builder.body(object("I", 200.0, [2.0, 4.0, 5.2], [0.3, 0.2, 0.1], pose)?);
    let pose = Pose::new(Vec3::new(0.075, 0.0, 0.0), tilt(PI / 18.0));
    builder.body(object("II", 50.0, [0.1, 1.0, 0.9], [0.3, 0.05, 0.1], pose)?);
    let model = builder.build()?;
    let orientation = UnitQuaternion::from_euler_angles(PI / 5.0, PI / 4.0, PI / 3.0);
    let motion = |height: f64| Motion {
        pose: Pose::new(Vec3::new(-0.25, -0.5, height), orientation),
        velocity: Vec3::zeros(),
        spin: orientation.inverse_transform_vector(&Vec3::new(0.0, 0.0, PI)),
    };
    let state = State::new(vec![Motion::at_rest(Pose::identity()), motion(1.0), motion(2.0)]);
    Ok(Case {
        name: "Römer's box",
        model,
        state,
        duration: 4.0,
        method: Method::Stiff,
        accuracy: Accuracy::default(),
    })
}
