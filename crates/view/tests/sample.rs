//! Runs to look at, in folders that vanish after the test, and a server that shows them.

use rattleback_dynamics::{Run, active_contacts};
use rattleback_record::{About, Recorder, RunOutcome};
use rattleback_scene::{Scene, Source, parse_scene};
use rattleback_view::{Feed, Handler, Server, StopHandle, Subject, Viewer};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::JoinHandle;

/// Two balls above a floor, one of which bounces.
pub const BALLS: &str = r#"
title = "Two balls"
gravity = [0, 0, -9.81]

[materials.rubber]
density = "1100 kg/m^3"

[[bodies]]
name = "floor"
fixed = true
shape = { type = "plane", normal = [0, 0, 1] }
material = "rubber"

[[bodies]]
name = "ball"
position = [0, 0, "12 cm"]
velocity = [0.1, 0, 0]
shape = { type = "sphere", radius = "5 cm" }
material = "rubber"

[[bodies]]
name = "egg"
position = [0.3, 0, "5 cm"]
shape = { type = "ellipsoid", semi_axes = [0.05, 0.04, 0.05] }
material = "rubber"

[[contacts]]
stiffness = "1e5 N/m^1.5"
normal = { law = "exact", restitution = 0.7 }
friction = { law = "coulomb", coefficient = 0.3, transition = "1 mm/s" }

[run]
duration = "0.5 s"

[output]
every = "5 ms"
"#;

/// A box on a floor and a smaller one on top of it, both with true edges.
pub const BOXES: &str = r#"
title = "Two boxes"
gravity = [0, 0, -9.81]

[materials.wood]
density = "700 kg/m^3"

[[bodies]]
name = "floor"
fixed = true
shape = { type = "plane", normal = [0, 0, 1] }
material = "wood"

[[bodies]]
name = "lower"
position = [0, 0, "20 mm"]
shape = { type = "box", size = ["100 mm", "100 mm", "40 mm"] }
material = "wood"

[[bodies]]
name = "upper"
position = ["10 mm", 0, "60 mm"]
shape = { type = "box", size = ["60 mm", "60 mm", "40 mm"] }
material = "wood"

[[contacts]]
stiffness = "1e6 N/m^1.5"
normal = { law = "hunt-crossley", restitution = 0.3 }
friction = { law = "coulomb", coefficient = 0.3, transition = "1 mm/s" }

[solver]
type = "mechanism"
step = "0.5 ms"

[run]
duration = "0.2 s"

[output]
every = "20 ms"
"#;

/// A pendulum on a hinge, held by a spring.
pub const PENDULUM: &str = r#"
title = "Pendulum"
gravity = [0, 0, -9.81]

[[bodies]]
name = "world"
fixed = true

[[bodies]]
name = "bob"
mass = "1 kg"
inertia = [0.01, 0.01, 0.01]
position = ["0.5 m", 0, 0]
parts = [{ shape = { type = "sphere", radius = "50 mm" } }]

[[joints]]
name = "hinge"
type = "revolute"
bodies = ["world", "bob"]
point = [0, 0, 0]
axis = [0, 1, 0]

[[forces]]
type = "spring"
bodies = ["world", "bob"]
points = [[0.5, 0, 0.6], [0, 0, 0]]
stiffness = "20 N/m"
length = "0.4 m"

[solver]
type = "mechanism"
step = "1 ms"

[run]
duration = "0.5 s"

[output]
every = "10 ms"
"#;

/// A folder of a test's own.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("rattleback-view-{}-{count}", std::process::id()));
        std::fs::create_dir(&path).unwrap();
        Self(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub fn scene(text: &str) -> Scene {
    let source = Source { path: "scene.toml".into(), text: text.to_owned(), beside: Vec::new() };
    parse_scene(source).unwrap()
}

/// A run that can be stopped on its way.
pub struct Recording {
    scene: Scene,
    recorder: Option<Recorder>,
}

impl Recording {
    pub fn new(text: &str, folder: &Path) -> Self {
        let scene = scene(text);
        let about = About {
            title: scene.title.clone(),
            scene: scene.text.clone(),
            begin: 0.0,
            end: scene.duration,
            interval: scene.output.every,
            ..About::default()
        };
        let recorder = Recorder::create(folder, &scene.model, about).unwrap();
        Self { scene, recorder: Some(recorder) }
    }

    /// Runs the scene from its start; before each output `each` sees how many there are.
    pub fn run(&mut self, mut each: impl FnMut(u64)) {
        let recorder = self.recorder.as_mut().unwrap();
        let mut run = Run::new(&self.scene.model, self.scene.state.clone(), &self.scene.scheme).unwrap();
        let outputs = (self.scene.duration / self.scene.output.every).round() as u64;
        for k in 0..=outputs {
            each(k);
            if k > 0 {
                run.advance(k as f64 * self.scene.output.every, &mut |seen| {
                    recorder.step(seen).unwrap();
                    Ok(())
                })
                .unwrap();
            }
            let (energy, joints) = (run.energy().unwrap(), run.joint_readings().unwrap());
            let contacts = active_contacts(run.model(), run.state()).unwrap();
            recorder.output(run.state(), &energy, &contacts, &joints).unwrap();
        }
        self.recorder.take().unwrap().finish(&RunOutcome::Finished).unwrap();
    }
}

/// A run of a scene, to its end.
pub fn recorded(text: &str, folder: &Path) {
    Recording::new(text, folder).run(|_| ());
}

pub fn feed(text: &str, folder: &Path) -> Feed {
    Feed::open(Subject { scene: scene(text), folder: Some(folder.to_owned()) }).unwrap()
}

/// A server in a thread of its own.
pub struct Serving {
    pub url: String,
    stop: StopHandle,
    thread: Option<JoinHandle<()>>,
}

impl Serving {
    pub fn new(feed: Arc<Feed>) -> Self {
        let server = Server::bind(None, None).unwrap();
        let (url, stop) = (server.url(), server.stop_handle());
        let handler: Arc<dyn Handler> = Arc::new(Viewer::new(feed));
        let thread = std::thread::spawn(move || server.serve(&handler));
        Self { url, stop, thread: Some(thread) }
    }

    /// The host with its port.
    pub fn host(&self) -> &str {
        self.url.strip_prefix("http://").unwrap().split('/').next().unwrap()
    }

    pub fn token(&self) -> &str {
        self.url.split('/').nth(3).unwrap()
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.stop.stop();
        let _ = self.thread.take().map(JoinHandle::join);
    }
}
