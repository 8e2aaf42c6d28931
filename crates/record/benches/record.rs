//! What records cost: Römer's box over one second, alone, with its contacts looked up after every step, and with records.
//!
//! The ways run in turn, round by round; a ratio is the median of those of the rounds, so that other work on the machine
//! counts little. `records/contacts` is the recorder's own cost;
//! `records/alone` has the look-up in it, which a run that hands its contacts over does not need.
//!
//! `cargo bench -p rattleback-record --bench record -- [INTERVAL [ROUNDS]]`, the time between outputs in s.

#![allow(clippy::unwrap_used, reason = "a bench fails by panicking")]

use rattleback_dynamics::model::PairId;
use rattleback_dynamics::study::case::{Case, roemer_box};
use rattleback_dynamics::{Contacts, Energy, Model, Pressed, Simulation, State};
use rattleback_record::{About, Outcome, Recorder};
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

const DURATION: f64 = 1.0;

/// Presses all contacts of a state, in buffers that stay.
struct Look {
    contacts: Contacts,
    pressed: Vec<(PairId, Pressed)>,
}

impl Look {
    fn at(&mut self, model: &Model, state: &State) -> &[(PairId, Pressed)] {
        self.pressed.clear();
        if state.pairs.values().any(|pair| pair.contact.is_some()) {
            self.contacts.place_all(model, &state.motions);
            for (&id, memory) in &state.pairs {
                if let (Some(contact), Some(pair)) = (&memory.contact, model.pair(id)) {
                    self.pressed.push((id, self.contacts.press(&pair, contact, memory.normal).unwrap()));
                }
            }
        }
        &self.pressed
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Way {
    Alone,
    Contacts,
    Records,
}

/// Time of the run, without the Parquet files at its end, and how many steps it made.
fn run(case: &Case, interval: f64, way: Way, folder: &Path) -> (Duration, u64) {
    let about = About { end: DURATION, interval, ..About::default() };
    let mut recorder = (way == Way::Records).then(|| Recorder::create(folder, &case.model, about).unwrap());
    let mut look = Look { contacts: Contacts::new(&case.model, &case.state.motions), pressed: Vec::new() };
    let mut simulation =
        Simulation::new(&case.model, case.state.clone(), case.method, case.accuracy).unwrap();
    let mut steps = 0;
    let begin = Instant::now();
    for k in 1..=(DURATION / interval).round() as u64 {
        let mut observer = |state: &State, happening| {
            steps += 1;
            if way != Way::Alone {
                let pressed = black_box(look.at(&case.model, state));
                if let Some(recorder) = &mut recorder {
                    recorder.step(state, happening, pressed).unwrap();
                }
            }
            Ok(())
        };
        simulation.advance(interval * k as f64, &mut observer).unwrap();
        if let Some(recorder) = &mut recorder {
            let state = simulation.state();
            let energy = Energy::of(&case.model, state).unwrap();
            recorder.output(state, &energy, look.at(&case.model, state), &[]).unwrap();
        }
    }
    let time = begin.elapsed();
    if let Some(recorder) = recorder {
        recorder.finish(&Outcome::Finished).unwrap();
        std::fs::remove_dir_all(folder).unwrap();
    }
    (time, steps)
}

fn main() {
    let mut numbers = std::env::args().skip(1).filter_map(|word| word.parse::<f64>().ok());
    let (interval, rounds) = (numbers.next().unwrap_or(0.01), numbers.next().unwrap_or(15.0).max(1.0));
    let case = roemer_box().unwrap();
    let folder = std::env::temp_dir().join(format!("rattleback-bench-record-{}", std::process::id()));
    let mut times: Vec<[f64; 3]> = Vec::new();
    let mut steps = 0;
    for _ in 0..rounds as usize {
        times.push([Way::Alone, Way::Contacts, Way::Records].map(|way| {
            let (time, made) = run(&case, interval, way, &folder);
            steps = made;
            time.as_secs_f64()
        }));
    }
    println!("{steps} steps and happenings, an output every {interval} s, {rounds} rounds");
    for (name, way) in [("alone", 0), ("contacts", 1), ("records", 2)] {
        println!("{name:8} {:9.2} ms", 1e3 * median(times.iter().map(|times| times[way])));
    }
    let ratio = |over: usize| median(times.iter().map(|times| times[2] / times[over]));
    println!("records/contacts {:.3}   records/alone {:.3}   (asked: below 1.10)", ratio(1), ratio(0));
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
