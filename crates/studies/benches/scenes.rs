//! How fast every scene of the studies runs against the clock, and how much energy the numbers lose on the way.
//!
//! `simulated` and `wall` are seconds, `sim/wall` their ratio: above one is faster than the world. The wall time is
//! that of the steps alone; building the model and measuring energies are not in it. `steps` are those accepted; of a
//! fixed step that had to be cut in half, one. `drift` is the greatest distance of the total energy from its start,
//! dissipated energy and the work of drives included; `of turnover` is its share of the energy turned over, which is
//! the difference between the greatest and the least kinetic energy seen.
//!
//! `cargo bench -p rattleback-studies --bench scenes -- [NAME...]` runs the scenes whose names contain one of the
//! words, or all of them. Times are compared within one run on a quiet machine only.

use rattleback_contact::law::normal::Rule as Restitution;
use rattleback_dynamics::mechanism::{Settings, Step};
use rattleback_dynamics::{Energy, ManyBodies, Mechanism, Method, Scheme, Simulation};
use rattleback_scene::Scene as File;
use rattleback_studies::mechanism::four_bars;
use rattleback_studies::{Case, Result, StudyError, Variation, marques, roemer_box};
use std::time::{Duration, Instant};

/// The step of a heap in s, for which the stiffness of its grains is made.
const HEAP_STEP: f64 = 1e-4;
/// Steps of a heap between two looks at its energy.
const LOOK: usize = 10;
/// An incline on which a sphere rolls, in rad: far below the angle of slip, atan(7/2 · 0.5).
const INCLINE: f64 = 0.3;

/// What is seen on the way.
struct Watch {
    start: f64,
    drift: f64,
    kinetic: [f64; 2],
    steps: usize,
    /// Time spent with looking.
    aside: Duration,
}

impl Watch {
    fn new(total: f64, kinetic: f64) -> Self {
        Self { start: total, drift: 0.0, kinetic: [kinetic; 2], steps: 0, aside: Duration::ZERO }
    }

    fn look(&mut self, total: f64, kinetic: f64) {
        self.drift = self.drift.max((total - self.start).abs());
        self.kinetic = [self.kinetic[0].min(kinetic), self.kinetic[1].max(kinetic)];
    }
}

/// A scene that was run.
struct Run {
    method: String,
    simulated: f64,
    wall: Duration,
    watch: Watch,
}

/// Free bodies with adaptive steps.
fn free(case: Result<File>) -> Result<Run> {
    let case = case?;
    let Scheme::Free { method, accuracy } = case.scheme else {
        return Err(StudyError::Unexpected { case: "of free bodies", expected: "free bodies" });
    };
    let mut simulation = Simulation::new(&case.model, case.state.clone(), method, accuracy)?;
    let energy = Energy::of(&case.model, simulation.state())?;
    let mut watch = Watch::new(energy.total(), energy.kinetic);
    let begin = Instant::now();
    simulation.advance(case.duration, &mut |now| {
        let aside = Instant::now();
        let energy = Energy::of(&case.model, now.state)?;
        watch.look(energy.total(), energy.kinetic);
        watch.aside += aside.elapsed();
        Ok(())
    })?;
    let wall = begin.elapsed() - watch.aside;
    watch.steps = simulation.statistics().steps;
    let name = match method {
        Method::Explicit => "Dormand-Prince 8",
        Method::Stiff => "Radau 5, 9",
    };
    let method = format!("{name}, {:.0e}", accuracy.relative);
    Ok(Run { method, simulated: case.duration, wall, watch })
}

/// The heap with `count`³ grains.
fn heap(count: usize) -> Result<File> {
    let (number, width) = (count as i64, -0.25 * count as f64);
    Variation::of("heap")?
        .set("bodies.1.copies.count", vec![number; 3])?
        .set("bodies.0.parts.2.shape.offset", width)?
        .set("bodies.0.parts.4.shape.offset", width)?
        .scene()
}

/// `count`³ grains with fixed steps.
fn grains(count: usize, duration: f64) -> Result<Run> {
    let File { model, state, .. } = heap(count)?;
    let mut many = ManyBodies::new(&model, state)?;
    let energy = Energy::of(&model, many.state())?;
    let mut watch = Watch::new(energy.total(), energy.kinetic);
    let mut wall = Duration::ZERO;
    let steps = (duration / HEAP_STEP).round() as usize;
    while watch.steps < steps {
        let begin = Instant::now();
        for _ in 0..LOOK.min(steps - watch.steps) {
            many.step(HEAP_STEP)?;
            watch.steps += 1;
        }
        wall += begin.elapsed();
        let energy = Energy::of(&model, many.state())?;
        watch.look(energy.total(), energy.kinetic);
    }
    let threads = rayon::current_num_threads();
    let method = format!("splitting, h = {HEAP_STEP}, {threads} threads");
    Ok(Run { method, simulated: many.state().time, wall, watch })
}

/// A mechanism by the trapezoidal rule.
fn jointed(scene: Result<File>, duration: f64, step: Step) -> Result<Run> {
    let File { model, mut state, .. } = scene?;
    let mut mechanism = Mechanism::new(&model, Settings { step, ..Settings::default() })?;
    mechanism.assemble(&mut state)?;
    let energy = mechanism.energy(&state)?;
    let mut watch = Watch::new(energy.total(), energy.kinetic);
    let begin = Instant::now();
    mechanism.advance(&mut state, duration, &mut |mechanism, state| {
        let aside = Instant::now();
        let energy = mechanism.energy(state)?;
        watch.look(energy.total(), energy.kinetic);
        watch.steps += 1;
        watch.aside += aside.elapsed();
        Ok(())
    })?;
    let wall = begin.elapsed() - watch.aside;
    let method = match step {
        Step::Fixed(h) => format!("trapezoidal, h = {h}"),
        Step::Adaptive { tolerance, .. } => format!("trapezoidal, adaptive {tolerance:.0e}"),
    };
    Ok(Run { method, simulated: duration, wall, watch })
}

/// Half a period of Newton's cradle: one way down, the impacts, one way up.
fn balls(count: usize) -> Result<Run> {
    jointed(
        marques::cradle(count, 1.0, marques::Law::Exact),
        0.75,
        Step::Adaptive { tolerance: 1e-10, first: 1e-4, longest: 2e-3 },
    )
}

type Scene = (&'static str, fn() -> Result<Run>);

const SCENES: [Scene; 14] = [
    ("bouncing ball", || free(marques::ball(Restitution::Exact, 0.8))),
    ("rolling sphere", || free(marques::rolling_sphere(INCLINE))),
    ("tumbling ellipsoid", || free(marques::tumbling_ellipsoid())),
    ("Römer's box", || free(Case::scene_of(roemer_box::CASE))),
    ("cradle of 2", || balls(2)),
    ("cradle of 5", || balls(5)),
    ("heap of 125", || grains(5, 0.5)),
    ("heap of 1000", || grains(10, 0.3)),
    ("pendulum", || jointed(Case::scene_of("pendulum"), 10.0, Step::Fixed(0.01))),
    ("four-bar, 2 loops", || jointed(four_bars(2), 10.0, Step::Fixed(0.01))),
    ("four-bar, 40 loops", || jointed(four_bars(40), 10.0, Step::Fixed(0.0025))),
    ("Bricard", || jointed(Case::scene_of("bricard"), 10.0, Step::Fixed(0.01))),
    ("flyball governor", || jointed(Case::scene_of("flyball"), 10.0, Step::Fixed(0.01))),
    ("Andrews' squeezer", || jointed(Case::scene_of("squeezer"), 0.03, Step::Fixed(1e-5))),
];

fn print(name: &str, run: &Run) {
    let (wall, watch) = (run.wall.as_secs_f64(), &run.watch);
    let turnover = watch.kinetic[1] - watch.kinetic[0];
    println!(
        "{name:<19} {:<36} {:>9.3} {wall:>9.4} {:>9.3} {:>7} {:>9.1e} {:>11.1e}",
        run.method,
        run.simulated,
        run.simulated / wall,
        watch.steps,
        watch.drift,
        watch.drift / turnover,
    );
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // Cargo says `--bench` where it measures; where it tests, there is nothing to do.
    if !arguments.iter().any(|a| a == "--bench") || arguments.iter().any(|a| a == "--test") {
        return Ok(());
    }
    let words: Vec<String> =
        arguments.iter().filter(|a| !a.starts_with("--")).map(|a| a.to_lowercase()).collect();
    println!(
        "{:<19} {:<36} {:>9} {:>9} {:>9} {:>7} {:>9} {:>11}",
        "scene", "method", "simulated", "wall", "sim/wall", "steps", "drift, J", "of turnover"
    );
    for (name, run) in SCENES {
        let lower = name.to_lowercase();
        if words.is_empty() || words.iter().any(|word| lower.contains(word)) {
            print(name, &run().map_err(|error| format!("{name}: {error}"))?);
        }
    }
    Ok(())
}
