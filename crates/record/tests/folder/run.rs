//! Models that run with a recorder, and folders that vanish after the test.

use rattleback_contact::law::normal::{Hysteresis, Rule};
use rattleback_contact::material::Stiffness;
use rattleback_dynamics::mechanism::{Settings, Step};
use rattleback_dynamics::model::PairId;
use rattleback_dynamics::study::case::{Case, bouncing_ball};
use rattleback_dynamics::{Contacts, Energy, Happening, Mechanism, Model, Pressed, Simulation, State};
use rattleback_record::{About, Recorder};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Time between outputs in s.
pub const INTERVAL: f64 = 0.01;

/// A folder of a test's own.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("rattleback-folder-{}-{count}", std::process::id()));
        std::fs::create_dir(&path).unwrap();
        Self(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.join(name)).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub fn about() -> About {
    About {
        title: "a test".to_owned(),
        scene: "title = \"a test\"\n".to_owned(),
        options: [("threads".to_owned(), "2".to_owned())].into(),
        begin: 0.0,
        end: 0.5,
        interval: INTERVAL,
    }
}

/// The ball of the studies on a floor so soft that an impact takes 8 ms: the one at 0.143 s lasts at an output.
pub fn soft_ball(restitution: f64) -> Case {
    let law = Hysteresis::new(Rule::Exact, restitution, 1.5).unwrap();
    bouncing_ball(law, Some(Stiffness::given(8e4).unwrap())).unwrap()
}

/// The contacts of a state with their forces.
pub fn pressed(model: &Model, state: &State) -> Vec<(PairId, Pressed)> {
    let contacts = Contacts::new(model, &state.motions);
    let press = |(&id, memory): (&PairId, &rattleback_dynamics::PairState)| {
        let found = contacts.press(&model.pair(id)?, memory.contact.as_ref()?, memory.normal);
        Some((id, found.unwrap()))
    };
    state.pairs.iter().filter_map(press).collect()
}

/// A run from one output to another: the first one is written only where nothing has been written yet.
pub trait Runner {
    fn model(&self) -> &Model;
    fn first(&self) -> State;
    /// Moves on to output `last`, written too; says where it came to. `each` sees every output.
    fn run(
        &self,
        recorder: &mut Recorder,
        state: State,
        last: u64,
        each: &mut dyn FnMut(&mut Recorder, &State),
    ) -> State;
}

impl Runner for Case {
    fn model(&self) -> &Model {
        &self.model
    }

    fn first(&self) -> State {
        self.state.clone()
    }

    fn run(
        &self,
        recorder: &mut Recorder,
        state: State,
        last: u64,
        each: &mut dyn FnMut(&mut Recorder, &State),
    ) -> State {
        let model = &self.model;
        let mut simulation = Simulation::new(model, state, self.method, self.accuracy).unwrap();
        let mut output = |recorder: &mut Recorder, state: &State| {
            let energy = Energy::of(model, state).unwrap();
            recorder.output(state, &energy, &pressed(model, state), &[]).unwrap();
            each(recorder, state);
        };
        if recorder.outputs() == 0 {
            output(recorder, simulation.state());
        }
        while recorder.outputs() <= last {
            let end = INTERVAL * recorder.outputs() as f64;
            simulation
                .advance(end, &mut |state, happening| {
                    recorder.step(state, happening, &pressed(model, state)).unwrap();
                    Ok(())
                })
                .unwrap();
            output(recorder, simulation.state());
        }
        simulation.state().clone()
    }
}

/// A mechanism, which tells of steps only.
pub struct Jointed {
    pub model: Model,
    pub state: State,
}

impl Runner for Jointed {
    fn model(&self) -> &Model {
        &self.model
    }

    fn first(&self) -> State {
        self.state.clone()
    }

    fn run(
        &self,
        recorder: &mut Recorder,
        mut state: State,
        last: u64,
        each: &mut dyn FnMut(&mut Recorder, &State),
    ) -> State {
        let step = Step::Adaptive { tolerance: 1e-8, first: 1e-4, longest: 2e-3 };
        let mut mechanism = Mechanism::new(&self.model, Settings { step, ..Settings::default() }).unwrap();
        if state.joints.is_none() {
            mechanism.assemble(&mut state).unwrap();
        }
        let mut output = |mechanism: &mut Mechanism, recorder: &mut Recorder, state: &State| {
            let energy = mechanism.energy(state).unwrap();
            let reactions = mechanism.reactions(state).unwrap();
            recorder.output(state, &energy, &pressed(&self.model, state), &reactions).unwrap();
            each(recorder, state);
        };
        if recorder.outputs() == 0 {
            output(&mut mechanism, recorder, &state);
        }
        while recorder.outputs() <= last {
            let end = INTERVAL * recorder.outputs() as f64;
            mechanism
                .advance(&mut state, end, &mut |_, state| {
                    recorder.step(state, Happening::Step, &pressed(&self.model, state)).unwrap();
                    Ok(())
                })
                .unwrap();
            output(&mut mechanism, recorder, &state);
        }
        state
    }
}

/// A whole record of a run, with its last state.
pub fn record(runner: &impl Runner, folder: &Folder, last: u64) -> State {
    let mut recorder = Recorder::create(folder.path(), runner.model(), about()).unwrap();
    let state = runner.run(&mut recorder, runner.first(), last, &mut |_, _| ());
    recorder.finish(&rattleback_record::Outcome::Finished).unwrap();
    state
}
