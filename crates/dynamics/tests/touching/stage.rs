//! Models of a body on another one, and how they are moved.

use rattleback_contact::law::ContactLaw;
use rattleback_contact::law::normal::{Hysteresis, Rule};
use rattleback_contact::material::Stiffness;
use rattleback_dynamics::geom::surface::Shape;
use rattleback_dynamics::geom::{Mat3, Pose, Vec3};
use rattleback_dynamics::mechanism;
use rattleback_dynamics::{
    Accuracy, Body, BodyModel, DynamicsError, Method, Model, Motion, Parts, Result, Run, Scheme, State,
    rolling,
};

pub const GRAVITY: f64 = 9.81;
/// N/m, for bodies of 1 kg: an oscillation takes 6 ms.
pub const STIFFNESS: f64 = 1e6;

/// Every engine, by the name of its scene key.
pub fn engines() -> [(&'static str, Scheme); 5] {
    let accuracy = Accuracy::default();
    [
        ("explicit", Scheme::Free { method: Method::Explicit, accuracy }),
        ("stiff", Scheme::Free { method: Method::Stiff, accuracy }),
        ("many", Scheme::Many { step: 5e-5 }),
        ("mechanism", Scheme::Mechanism(mechanism::Settings::default().with_step(1e-4))),
        ("rolling", Scheme::Rolling(rolling::Settings::default())),
    ]
}

pub fn law() -> ContactLaw {
    let normal = Hysteresis::new(Rule::Exact, 0.5, 1.0).unwrap();
    ContactLaw::new(Stiffness::given(STIFFNESS).unwrap(), normal).unwrap()
}

/// A free body of 1 kg beside a fixed one, gravity against `up`.
pub fn model(carrier: Shape, shape: Shape, up: &Vec3) -> Model {
    let mut builder = Model::builder();
    builder.gravity(-up * GRAVITY);
    let surface = builder.surface("any");
    builder.law(surface, surface, law());
    builder.body(BodyModel::fixed("carrier").with_part(carrier, Pose::identity(), surface));
    let size = shape.surface().bounds().extents().max();
    let body = Body { mass: 1.0, inertia: Mat3::identity() * (0.1 * size * size) };
    builder.body(BodyModel::free("body", body).with_part(shape, Pose::identity(), surface));
    builder.build().unwrap()
}

/// The gap between the two bodies.
pub fn gap(model: &Model, motions: &[Motion]) -> Result<f64> {
    let pair = model.all_pairs()[0];
    Ok(Parts::new(model, motions).touch(&pair, None)?.gap)
}

/// The body at rest, moved along `up` until its gap is zero to rounding.
pub fn touching(model: &Model, from: Vec3, up: &Vec3) -> Result<Vec<Motion>> {
    let fixed = Motion::at_rest(Pose::identity());
    let at = |position: Vec3| {
        vec![fixed, Motion::at_rest(Pose::from_position(position.x, position.y, position.z))]
    };
    let mut position = from;
    // Where the normal is not along `up`, each round leaves a share of the gap.
    for _ in 0..100 {
        let gap = gap(model, &at(position))?;
        if gap.abs() < 1e-17 {
            break;
        }
        position -= up * gap;
    }
    Ok(at(position))
}

/// Bodies that lie along a line or on a face have a contact that jumps, and adaptive steps that follow it: enough is
/// seen.
const MAX_STEPS: usize = 300;

/// The least gap of a run over `duration` seconds, with that of its end.
pub fn least_gap(model: &Model, motions: Vec<Motion>, scheme: &Scheme, duration: f64) -> Result<[f64; 2]> {
    let mut run = Run::new(model, State::new(motions), scheme)?;
    let (mut least, mut steps) = (f64::INFINITY, 0);
    let advanced = run.advance(duration, &mut |seen| {
        least = least.min(gap(model, &seen.state.motions)?);
        steps += 1;
        if steps < MAX_STEPS { Ok(()) } else { Err(DynamicsError::Stopped { time: seen.state.time }) }
    });
    if !matches!(advanced, Err(DynamicsError::Stopped { .. })) {
        advanced?;
    }
    Ok([least, gap(model, &run.state().motions)?])
}
