//! A run from its first output to its last, as the command shows it: remarks at the start, a bar, signals.

use crate::console::Console;
use crate::failure::Failure;
use crate::interrupt;
use crate::overlap;
use crate::progress::Progress;
use rattleback_dynamics::{Overlap, Run, State};
use rattleback_record::Recorder;
use rattleback_scene::Scene;
use rattleback_sweep::{self as sweep, Ended, Standing, StopRequest, Watcher};
use std::time::Duration;

/// Runs a scene from a state on, to its end or until the user stops it. Checkpoints are made after outputs, at the
/// given interval of wall time, and where the user stops it. With `outputs` it stops by itself
/// after so many of them.
pub fn drive(
    scene: &Scene,
    recorder: Recorder,
    state: State,
    checkpoint: Option<Duration>,
    outputs: Option<u64>,
    console: &Console,
) -> Result<Ended, Failure> {
    interrupt::listen();
    let progress = Progress::new(state.time, scene.duration, console);
    let mut shown = Shown { progress, console, outputs_left: outputs, end: scene.duration };
    let ended = sweep::drive(scene, recorder, state, checkpoint, &mut shown);
    shown.progress.end();
    Ok(ended?)
}

struct Shown<'c> {
    progress: Progress,
    console: &'c Console,
    /// Outputs after which the run is to stop, and its end, where it does so anyway.
    outputs_left: Option<u64>,
    end: f64,
}

impl Watcher for Shown<'_> {
    fn begins(&mut self, run: &Run<'_>, overlaps: &[Overlap]) {
        let model = run.model();
        let assembly = overlap::assembly_line(model, run.assembly());
        for line in assembly.into_iter().chain(overlap::lines(model, overlaps)) {
            self.console.remark(&line);
        }
    }

    fn steps(&mut self, standing: &Standing) {
        self.progress.show(standing);
    }

    fn outputs(&mut self, standing: &Standing) {
        if let Some(left) = self.outputs_left.as_mut().filter(|_| standing.time < self.end) {
            *left = left.saturating_sub(1);
        }
    }

    fn stop_request(&self) -> StopRequest {
        match (interrupt::stop_request(), self.outputs_left) {
            (StopRequest::GoOn, Some(0)) => StopRequest::StopSoon,
            (asked, _) => asked,
        }
    }
}
