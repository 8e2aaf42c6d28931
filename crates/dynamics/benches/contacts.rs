//! What a contact costs in every engine: balls and ellipsoids that press on a floor all the time.
//!
//! `µs` is processor time per contact and evaluation of all forces, the rest of the engine included: a row of 32
//! bodies, each on the floor, none near another; in `rolling` one body. For `mechanism`, whose statistics count
//! steps, it is per contact and step. `alone` is the same with bodies in flight and no law.
//!
//! `cargo bench -p rattleback-dynamics --bench contacts`. Times are compared within one run on a quiet machine only.

use rattleback_contact::law::ContactLaw;
use rattleback_contact::law::friction::Coulomb;
use rattleback_contact::law::normal::{Hysteresis, Rule};
use rattleback_contact::material::Stiffness;
use rattleback_dynamics::mechanism::Settings;
use rattleback_dynamics::{Accuracy, Body, BodyModel, Method, Model, Motion, Run, Scheme, State, rolling};
use rattleback_geom::surface::{Ellipsoid, Plane};
use rattleback_geom::{Mat3, Pose, Vec3};
use std::error::Error;
use std::time::Instant;

const BODIES: usize = 32;

fn engines() -> [(&'static str, Scheme, f64); 5] {
    let accuracy = Accuracy { relative: 1e-6, absolute: 1e-8 };
    [
        ("explicit", Scheme::Free { method: Method::Explicit, accuracy }, 0.05),
        ("stiff", Scheme::Free { method: Method::Stiff, accuracy }, 0.02),
        ("many", Scheme::Many { step: 1e-4 }, 2.0),
        ("mechanism", Scheme::Mechanism(Settings::default().with_step(5e-4)), 0.5),
        ("rolling", Scheme::Rolling(rolling::Settings::default()), 5.0),
    ]
}

/// Bodies in a row, 1 µm deep in the floor, sliding; without a law they fall freely.
fn row(count: usize, law: bool) -> Result<(Model, State), Box<dyn Error>> {
    let normal = Hysteresis::new(Rule::Exact, 0.8, 1.5)?;
    let given = ContactLaw::new(Stiffness::given(1e5)?, normal)?.with_friction(Coulomb::new(0.3, 0.1)?);
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    let surface = builder.surface("any");
    if law {
        builder.law(surface, surface, given);
    }
    let floor = Plane::new([0.0, 0.0, 1.0], 0.0)?;
    builder.body(BodyModel::fixed("floor").with_part(floor, Pose::identity(), surface));
    let mut motions = vec![Motion::at_rest(Pose::identity())];
    for k in 0..count {
        let body = Body { mass: 0.1, inertia: Mat3::identity() * 1e-4 };
        let egg = Ellipsoid::new([0.04, 0.03, 0.02])?;
        builder.body(BodyModel::free(format!("{k}"), body).with_part(egg, Pose::identity(), surface));
        let pose = Pose::from_position(0.2 * k as f64, 0.0, 0.02 - 1e-6);
        motions.push(Motion { velocity: Vec3::new(0.0, 0.2, 0.0), ..Motion::at_rest(pose) });
    }
    Ok((builder.build()?, State::new(motions)))
}

/// Seconds of a run, and how many evaluations or steps it took.
fn time(model: &Model, state: &State, scheme: &Scheme, end: f64) -> Result<(f64, usize), Box<dyn Error>> {
    let mut best = f64::INFINITY;
    let mut count = 0;
    for _ in 0..3 {
        let mut run = Run::new(model, state.clone(), scheme)?;
        let begin = Instant::now();
        run.advance(end, &mut |_| Ok(()))?;
        best = best.min(begin.elapsed().as_secs_f64());
        let statistics = run.statistics();
        count = if statistics.evaluations > 0 { statistics.evaluations } else { statistics.steps };
    }
    Ok((best, count))
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("{:<10} {:>12} {:>10} {:>10}", "engine", "evaluations", "µs", "alone");
    for (name, scheme, end) in engines() {
        let bodies = if name == "rolling" { 1 } else { BODIES };
        let per = |law: bool| -> Result<(usize, f64), Box<dyn Error>> {
            let (model, state) = row(bodies, law)?;
            let (seconds, count) = time(&model, &state, &scheme, end)?;
            Ok((count, 1e6 * seconds / (bodies * count.max(1)) as f64))
        };
        let ((count, pressing), (_, alone)) = (per(true)?, per(false)?);
        println!("{name:<10} {count:>12} {pressing:>10.3} {alone:>10.3}");
    }
    Ok(())
}
