//! What an evaluation of the equations of bodies in contact coordinates costs, against the surfaces' derivatives alone.
//!
//! `evaluations` are those of the integrator; `each` is the wall time of a run over them, events and reports
//! included. `jets` is the time of the surfaces' derivatives that one evaluation takes: two per body. `ratio` is one
//! over the other: a limit that no formulation goes below. A column of balls shows the cost per body: it should not
//! grow with their number.
//!
//! `cargo bench --workspace --bench rolling`. Times are compared within one run on a quiet machine only.

use rattleback_contact::law::normal::{Hysteresis, Rule};
use rattleback_contact::law::{ContactLaw, friction::Coulomb};
use rattleback_contact::material::Stiffness;
use rattleback_dynamics::rolling::{ROUGH, Rolling, Settings};
use rattleback_dynamics::{Body, BodyModel, Model, Motion, State};
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::surface::{Ellipsoid, Plane, Shape, Sphere};
use rattleback_geom::{Mat3, Pose, Vec3};
use rattleback_studies::{Result, kry_pai};
use std::hint::black_box;
use std::time::Instant;

fn ground_with(bodies: Vec<(Body, Shape, Pose, Motion)>) -> Result<(Model, State)> {
    let law = ContactLaw::new(Stiffness::given(1e6)?, Hysteresis::new(Rule::Exact, 0.5, 1.5)?)?;
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    let surface = builder.surface("any");
    builder.law(surface, surface, law.with_friction(Coulomb::new(ROUGH, 1e-3)?));
    let ground = BodyModel::fixed("ground");
    builder.body(ground.with_part(Plane::new([0.0, 0.0, 1.0], 0.0)?, Pose::identity(), surface));
    let mut motions = vec![Motion::at_rest(Pose::identity())];
    for (k, (body, shape, pose, motion)) in bodies.into_iter().enumerate() {
        builder.body(BodyModel::free(format!("body {k}"), body).with_part(shape, pose, surface));
        motions.push(motion);
    }
    Ok((builder.build()?, State::new(motions)))
}

/// The rattleback of the studies.
fn stone() -> Result<(Model, State)> {
    let inertia = Mat3::new(2e-4, -2e-5, 0.0, -2e-5, 16e-4, 0.0, 0.0, 0.0, 17e-4);
    let pose = Pose::new(
        Vec3::new(0.0, 0.0, 0.0101),
        UnitQuaternion::from_euler_angles(0.0, 0.5_f64.to_radians(), 0.0),
    );
    let motion = Motion { pose, velocity: Vec3::zeros(), angular_velocity_body: Vec3::new(0.0, 0.0, -5.0) };
    let shape = Ellipsoid::new([0.2, 0.03, 0.02])?.into();
    ground_with(vec![(Body { mass: 1.0, inertia }, shape, Pose::from_position(0.0, 0.0, 0.01), motion)])
}

/// A column of balls.
fn column(count: usize) -> Result<(Model, State)> {
    let ball = |k: usize| {
        let motion = Motion::at_rest(Pose::from_position(0.0, 0.0, 0.05 + 0.1 * k as f64));
        let body = Body { mass: 1.0, inertia: Mat3::from_diagonal_element(1e-3) };
        Ok((body, Sphere::new(0.05)?.into(), Pose::identity(), motion))
    };
    ground_with((0..count).map(ball).collect::<Result<_>>()?)
}

/// The time of one evaluation of all surfaces that touch, in ns.
fn jets(model: &Model, state: &State) -> Result<f64> {
    const ROUNDS: u32 = 100_000;
    let rigid_contacts: Vec<_> =
        state.rigid_contacts.iter().flatten().enumerate().filter_map(|(k, s)| s.map(|s| (k, s))).collect();
    let clock = Instant::now();
    for _ in 0..ROUNDS {
        for (body, rigid_contact) in &rigid_contacts {
            for (body, part, place) in [
                (*body, rigid_contact.part, rigid_contact.places[0]),
                (rigid_contact.carrier.body.0, rigid_contact.carrier.index, rigid_contact.places[1]),
            ] {
                let atlas = model.bodies()[body].parts[part].shape.surface().as_atlas();
                black_box(atlas.map(|atlas| atlas.jet(black_box(&place))).transpose()?);
            }
        }
    }
    Ok(clock.elapsed().as_secs_f64() / f64::from(ROUNDS) * 1e9)
}

fn measure(
    name: &str,
    (model, state): (Model, State),
    settings: Settings,
    end: f64,
    bodies: usize,
) -> Result<()> {
    let mut run = Rolling::new(&model, state, settings)?;
    let clock = Instant::now();
    run.advance(end, &mut |_| Ok(()))?;
    let spent = clock.elapsed().as_secs_f64();
    let evaluations = run.statistics().evaluations;
    let each = spent / evaluations as f64 * 1e9;
    let jets = jets(&model, run.state())?;
    println!(
        "{name:<24} {end:>6} s {:>9.4} s {evaluations:>12} {each:>9.0} ns {:>9.0} ns {jets:>8.0} ns {:>6.1}",
        spent,
        each / bodies as f64,
        each / jets
    );
    Ok(())
}

fn main() -> Result<()> {
    // Run by `cargo test --benches` too, which wants no times.
    if !std::env::args().any(|word| word == "--bench") {
        return Ok(());
    }
    println!(
        "{:<24} {:>8} {:>11} {:>12} {:>12} {:>12} {:>11} {:>6}",
        "scene", "simulated", "wall", "evaluations", "each", "per body", "jets", "ratio"
    );
    measure("rattleback", stone()?, Settings::default(), 5.0, 1)?;
    let bowl = kry_pai::bowl::scene()?;
    let settings = kry_pai::bowl::settings(&bowl, 1e-3)?;
    measure("bowl on the table", (bowl.model, bowl.state), settings, 3.0, 1)?;
    for count in [1, 3, 10, 30, 100] {
        let settings = Settings { longest_step: 1e-4, ..Settings::default() };
        measure(&format!("column of {count}"), column(count)?, settings, 0.01, count)?;
    }
    Ok(())
}
