//! Models that run with a recorder, and folders that vanish after the test.

use super::samples::free::{Free, bouncing_ball};
use rattleback_contact::law::ContactLaw;
use rattleback_contact::law::friction::Coulomb;
use rattleback_contact::law::normal::{Hysteresis, Rule};
use rattleback_contact::material::Stiffness;
use rattleback_dynamics::chain::{Chain, ChainFriction, LinkKind, LinkRun};
use rattleback_dynamics::force::{End, Force, Windlass};
use rattleback_dynamics::mechanism::{Settings, Step};
use rattleback_dynamics::{BodyModel, Instant, Model, Motion, Run, Scheme, State, active_contacts, rolling};
use rattleback_geom::surface::{Ellipsoid, Plane, Shape, Sphere};
use rattleback_geom::{Pose, Vec3};
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
        ..About::default()
    }
}

/// A ball on a floor so soft that an impact takes 8 ms: the one at 0.143 s lasts at an output.
pub fn soft_ball(restitution: f64) -> Free {
    let law = Hysteresis::new(Rule::Exact, restitution, 1.5).unwrap();
    bouncing_ball(law, Some(Stiffness::given(8e4).unwrap())).unwrap()
}

/// A run from one output to another: the first one is written only where nothing has been written yet.
pub trait Runner {
    fn model(&self) -> &Model;
    fn first(&self) -> State;
    fn scheme(&self) -> Scheme;

    /// Moves on to output `last`, written too; says where it came to. `each` sees every output.
    fn run(
        &self,
        recorder: &mut Recorder,
        state: State,
        last: u64,
        each: &mut dyn FnMut(&mut Recorder, &State),
    ) -> State {
        let mut run = Run::new(self.model(), state, &self.scheme()).unwrap();
        let mut output = |recorder: &mut Recorder, run: &mut Run<'_>| {
            let (energy, joints) = (run.energy().unwrap(), run.joint_readings().unwrap());
            let contacts = active_contacts(run.model(), run.state()).unwrap();
            recorder.output(run.state(), &energy, &contacts, &joints).unwrap();
            each(recorder, run.state());
        };
        if recorder.outputs() == 0 {
            output(recorder, &mut run);
        }
        while recorder.outputs() <= last {
            let end = INTERVAL * recorder.outputs() as f64;
            run.advance(end, &mut |seen: &Instant<'_>| {
                recorder.step(seen).unwrap();
                Ok(())
            })
            .unwrap();
            output(recorder, &mut run);
        }
        run.state().clone()
    }
}

impl Runner for Free {
    fn model(&self) -> &Model {
        &self.model
    }

    fn first(&self) -> State {
        self.state.clone()
    }

    fn scheme(&self) -> Scheme {
        Scheme::Free { method: self.method, accuracy: self.accuracy }
    }
}

/// A mechanism.
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

    fn scheme(&self) -> Scheme {
        let step = Step::Adaptive { tolerance: 1e-8, first: 1e-4, longest: 2e-3 };
        Scheme::Mechanism(Settings { step, ..Settings::default() })
    }
}

/// A short chain with friction below a windlass, swinging to and fro while it is hauled in, slipping at first.
pub fn hauled() -> Jointed {
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    let surface = builder.surface("steel");
    let hull = builder.body(BodyModel::fixed("hull"));
    let mut motions = vec![Motion::at_rest(Pose::identity())];
    let chain = Chain {
        meshes: Vec::new(),
        name: "chain".to_owned(),
        diameter: 0.02,
        density: 7850.0,
        links: vec![LinkRun { kind: LinkKind::Common, stud: true, count: 5 }],
        path: vec![Vec3::new(0.0, 0.0, -2.0), Vec3::new(0.24, 0.0, -2.32)],
        across: None,
        friction: Some(ChainFriction { coefficient: 0.3, rate: 0.1 }),
        from: None,
        to: None,
    };
    let links = chain.build(&mut builder, surface, &mut motions).unwrap().links;
    for motion in &mut motions[1..] {
        motion.velocity.z = -1.0;
    }
    builder.force(Force::Windlass(Windlass {
        a: End { body: hull, point: Vec3::zeros() },
        b: End { body: links[0], point: Vec3::new(0.0, 0.0, -0.04) },
        length: 2.0,
        speed: 0.5,
        start: 0.0,
        ramp: 0.05,
        shortest: 0.5,
        rigidity: 1e5,
        damping: 100.0,
        limit: 60.0,
        shoulder: 0.5,
        brake: 70.0,
        brake_at: None,
        brake_after_stall: Some(1.0),
    }));
    Jointed { model: builder.build().unwrap(), state: State::new(motions) }
}

/// Many bodies in fixed steps.
pub struct Many {
    pub model: Model,
    pub state: State,
}

impl Runner for Many {
    fn model(&self) -> &Model {
        &self.model
    }

    fn first(&self) -> State {
        self.state.clone()
    }

    fn scheme(&self) -> Scheme {
        Scheme::Many { step: 1e-4 }
    }
}

/// Rigid bodies in contact coordinates: an egg that rolls, a ball that rolls upon another, a ball that bounces, one
/// that flies.
pub struct Rigid {
    model: Model,
    state: State,
}

impl Rigid {
    pub fn new() -> Self {
        let normal = Hysteresis::new(Rule::Exact, 0.8, 1.5).unwrap();
        let law = ContactLaw::new(Stiffness::given(1e6).unwrap(), normal).unwrap();
        let mut builder = Model::builder();
        builder.gravity(Vec3::new(0.0, 0.0, -9.81));
        let wood = builder.surface("wood");
        builder.law(wood, wood, law.with_friction(Coulomb::new(0.6, 1e-3).unwrap()));
        let floor = Plane::new([0.0, 0.0, 1.0], 0.0).unwrap();
        builder.body(BodyModel::fixed("floor").with_part(floor, Pose::identity(), wood));
        let mut motions = vec![Motion::at_rest(Pose::identity())];
        let ball = |radius| Shape::from(Sphere::new(radius).unwrap());
        let egg = Shape::from(Ellipsoid::new([0.1, 0.06, 0.05]).unwrap());
        for (name, shape, position, velocity, angular_velocity) in [
            ("egg", egg, [-1.0, 0.0, 0.05], [0.0, 0.3, 0.0], [-6.0, 0.4, 0.5]),
            ("large", ball(0.1), [0.0, 0.0, 0.1], [0.0; 3], [0.0; 3]),
            ("small", ball(0.05), [0.003, 0.001, 0.249_97], [0.0; 3], [0.0; 3]),
            ("bouncing", ball(0.03), [1.0, 0.0, 0.08], [0.2, 0.0, 0.0], [0.0, 5.0, 0.0]),
            ("flying", ball(0.03), [2.0, 0.0, 0.1], [0.1, 0.0, 6.0], [1.0, 2.0, 3.0]),
        ] {
            builder.body(BodyModel::solid(name, shape, 700.0, wood).unwrap());
            let pose = Pose::from_position(position[0], position[1], position[2]);
            motions.push(Motion {
                pose,
                velocity: velocity.into(),
                angular_velocity_body: angular_velocity.into(),
            });
        }
        Self { model: builder.build().unwrap(), state: State::new(motions) }
    }
}

impl Runner for Rigid {
    fn model(&self) -> &Model {
        &self.model
    }

    fn first(&self) -> State {
        self.state.clone()
    }

    fn scheme(&self) -> Scheme {
        Scheme::Rolling(rolling::Settings::default())
    }
}

/// A whole record of a run, with its last state.
pub fn record(runner: &impl Runner, folder: &Folder, last: u64) -> State {
    let mut recorder = Recorder::create(folder.path(), runner.model(), about()).unwrap();
    let state = runner.run(&mut recorder, runner.first(), last, &mut |_, _| ());
    recorder.finish(&rattleback_record::RunOutcome::Finished).unwrap();
    state
}
