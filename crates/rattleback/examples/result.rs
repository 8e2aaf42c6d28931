//! Reads a result folder: that of `rattleback run`, or a small one that is recorded here if none is named.
//!
//!     cargo run --release -p rattleback --features record --example result -- [FOLDER]

use rattleback::dynamics::{Instant, active_contacts};
use rattleback::prelude::*;
use rattleback::record::{About, Recorder, ResultFolder, RunOutcome, Sheet};
use std::error::Error;
use std::path::Path;

/// Records a ball that bounces.
fn record(folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut builder = Model::builder();
    builder.gravity([0.0, 0.0, -9.81]);
    let wood = builder.surface_with("wood", law::stiffness(1e6)?.restitution(0.6)?);
    builder.floor(wood);
    let ball = BodyModel::solid("ball", Sphere::new(0.05)?, 700.0, wood)?;
    builder.body(ball.at(Pose::from_position(0.0, 0.0, 0.3)));
    let model = builder.build()?;

    let about = About { title: "A ball".to_owned(), end: 1.0, interval: 0.01, ..About::default() };
    let mut recorder = Recorder::create(folder, &model, about)?;
    let mut run = model.run(&Scheme::default())?;
    for k in 0..=100 {
        let mut fault = None;
        let outcome = run.advance(0.01 * f64::from(k), &mut |now: &Instant<'_>| {
            fault = recorder.step(now).err();
            if fault.is_some() { Err(DynamicsError::Stopped { time: now.state.time }) } else { Ok(()) }
        });
        if let Some(fault) = fault {
            return Err(fault.into());
        }
        outcome?;
        let (energy, joints) = (run.energy()?, run.joint_readings()?);
        recorder.output(run.state(), &energy, &active_contacts(&model, run.state())?, &joints)?;
    }
    recorder.finish(&RunOutcome::Finished)?;
    Ok(())
}

fn show(folder: &Path) -> Result<(), Box<dyn Error>> {
    let result = ResultFolder::open(folder)?;
    let manifest = result.manifest();
    println!(
        "{}: {:?}, {} outputs up to {} s",
        manifest.title, manifest.status, manifest.outputs, manifest.reached_s
    );
    let states = result.sheet(Sheet::States)?;
    println!("columns of the states: {}", states.names().collect::<Vec<_>>().join(", "));
    for body in states.distinct("body")? {
        let heights = result.series(body, "z_m")?;
        let top = heights.iter().map(|[_, z]| *z).fold(f64::NEG_INFINITY, f64::max);
        let end = heights.last().map_or(f64::NAN, |[_, z]| *z);
        println!("{body}: at most {top:.4} m high, at the end {end:.4} m");
    }
    println!("{} contacts began and ended", result.sheet(Sheet::Events)?.rows());
    Ok(())
}

/// Records a run, reads it, and takes it away again.
pub fn record_and_show() -> Result<(), Box<dyn Error>> {
    let folder = std::env::temp_dir().join(format!("rattleback-example-{}", std::process::id()));
    record(&folder)?;
    show(&folder)?;
    Ok(std::fs::remove_dir_all(&folder)?)
}

/// The program.
pub fn main() -> Result<(), Box<dyn Error>> {
    std::env::args_os().nth(1).map_or_else(record_and_show, |folder| show(Path::new(&folder)))
}
