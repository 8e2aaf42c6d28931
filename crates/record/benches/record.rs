//! What records cost: two ellipsoids in a box over four seconds and a heap of 125 grains, alone and with all records,
//! Parquet at the end included.
//!
//! Both ways run in turn, round by round; a ratio is the median of those of the rounds, so that other work on the
//! machine counts little.
//!
//! `cargo bench -p rattleback-record --bench record -- [ROUNDS]`

#![allow(clippy::unwrap_used, reason = "a bench fails by panicking")]

#[path = "../../dynamics/tests/samples/mod.rs"]
mod samples;

use rattleback_dynamics::{Instant as Seen, Model, Run, Scheme, State, active_contacts};
use rattleback_record::{About, Recorder, RunOutcome};
use samples::free::ellipsoids_in_a_box;
use samples::heap::{heap, soft};
use std::path::Path;
use std::time::Instant;

struct Scene {
    name: &'static str,
    model: Model,
    state: State,
    scheme: Scheme,
    duration: f64,
    interval: f64,
}

/// Time of the run in s.
fn run(scene: &Scene, folder: Option<&Path>) -> f64 {
    let about = About { end: scene.duration, interval: scene.interval, ..About::default() };
    let begin = Instant::now();
    let mut recorder = folder.map(|folder| Recorder::create(folder, &scene.model, about).unwrap());
    let mut run = Run::new(&scene.model, scene.state.clone(), &scene.scheme).unwrap();
    for k in 1..=(scene.duration / scene.interval).round() as u64 {
        run.advance(scene.interval * k as f64, &mut |seen: &Seen<'_>| {
            if let Some(recorder) = &mut recorder {
                recorder.step(seen).unwrap();
            }
            Ok(())
        })
        .unwrap();
        if let Some(recorder) = &mut recorder {
            let (energy, contacts) =
                (run.energy().unwrap(), active_contacts(run.model(), run.state()).unwrap());
            recorder.output(run.state(), &energy, &contacts, &[]).unwrap();
        }
    }
    if let Some(recorder) = recorder {
        recorder.finish(&RunOutcome::Finished).unwrap();
    }
    let time = begin.elapsed().as_secs_f64();
    if let Some(folder) = folder {
        std::fs::remove_dir_all(folder).unwrap();
    }
    time
}

fn main() {
    let rounds = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(9usize);
    let folder = std::env::temp_dir().join(format!("rattleback-bench-record-{}", std::process::id()));
    let case = ellipsoids_in_a_box().unwrap();
    let (model, state) = heap(5, soft().unwrap()).unwrap();
    let scenes = [
        Scene {
            name: "box",
            model: case.model,
            state: case.state,
            scheme: Scheme::Free { method: case.method, accuracy: case.accuracy },
            duration: 4.0,
            interval: 0.01,
        },
        Scene {
            name: "heap",
            model,
            state,
            scheme: Scheme::Many { step: 1e-4 },
            duration: 0.2,
            interval: 0.01,
        },
    ];
    println!("scene    alone in s   with records   ratio (asked: below 1.10)");
    for scene in &scenes {
        let times: Vec<[f64; 2]> =
            (0..rounds.max(1)).map(|_| [run(scene, None), run(scene, Some(&folder))]).collect();
        let [alone, with] = [0, 1].map(|k| median(times.iter().map(|times| times[k])));
        let ratio = median(times.iter().map(|times| times[1] / times[0]));
        println!("{:8} {alone:10.3} {with:14.3}   {ratio:.3}", scene.name);
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
