//! Scenes: read and checked as by `rattleback check`, then run for a few steps.

use super::{FORMAT, demand_place};
use crate::finding::Fault;
use crate::sandbox::Outcome;
use rattleback_dynamics::{DynamicsError, Run, State};
use rattleback_record::report::Curve;
use rattleback_scene::Scene;
use std::path::Path;
use std::time::{Duration, Instant};

/// How many steps a scene is run.
const STEPS: usize = 30;
/// How long, in simulated time and in time spent: more is asked of validation than of fuzzing.
const SPAN: f64 = 5e-3;
const PATIENCE: Duration = Duration::from_millis(20);

/// Scenes of more bodies are read and not run: one step of two thousand joined links takes seconds, for all that is
/// right.
const MAX_BODIES: usize = 500;

/// Examines a file.
pub fn scene(path: &Path, outcome: &mut Outcome) {
    let scene = match FORMAT.read_scene(path) {
        Ok(scene) => scene,
        Err(error) => return demand_place(&error, path, outcome),
    };
    outcome.accepted = true;
    for name in scene.output.plots.iter().flat_map(|plot| &plot.curves) {
        let _ = Curve::parse(&name.value, &scene.model);
    }
    demand_finite_state("first state", &scene.state, outcome);
    if scene.state.motions.len() <= MAX_BODIES {
        run(&scene, outcome);
    }
}

/// Runs it. What dynamics refuses or cannot compute is an answer; a state that is no state is none.
fn run(scene: &Scene, outcome: &mut Outcome) {
    let Ok(mut run) = Run::new(&scene.model, scene.state.clone(), &scene.scheme) else { return };
    let (begun, mut steps) = (Instant::now(), 0);
    let end = scene.state.time + scene.duration.min(SPAN);
    let advanced = run.advance(end, &mut |seen| {
        steps += 1;
        demand_finite_state("state of a step", seen.state, outcome);
        if steps >= STEPS || begun.elapsed() > PATIENCE || !outcome.findings.is_empty() {
            return Err(DynamicsError::Stopped { time: seen.state.time });
        }
        Ok(())
    });
    outcome.moved = steps > 0;
    match advanced {
        Ok(()) | Err(DynamicsError::Stopped { .. }) => {
            demand_finite_state("last state", run.state(), outcome);
            let _ = run.energy();
        }
        Err(error) if error.to_string().is_empty() => outcome.find(Fault::NoPlace, "an empty message"),
        Err(_) => {}
    }
}

/// Holds the motions of a state to being finite.
pub fn demand_finite_state(what: &str, state: &State, outcome: &mut Outcome) {
    outcome.demand_finite(&format!("time of the {what}"), [&state.time]);
    for motion in &state.motions {
        let numbers = motion.pose.position.iter().chain(motion.pose.orientation.coords.iter());
        outcome.demand_finite(
            what,
            numbers.chain(motion.velocity.iter()).chain(motion.angular_velocity_body.iter()),
        );
    }
}
