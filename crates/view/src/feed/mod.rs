//! What is shown of a run: its bodies, frames, curves and events, as far as the result folder has them, or the start of
//! a scene that has not been run.
//!
//! | what | file |
//! |---|---|
//! | the folder, followed as it grows | `mod.rs` |
//! | bodies, camera and columns, told once | `about.rs` |
//! | triangles | `geometry.rs` |
//! | borders of charts, contours of regions | `outlines.rs` |
//! | slip and principal directions at a contact | `touch.rs` |
//! | poses and contacts of a range of frames | `frames.rs` |
//! | columns over time | `series.rs` |
//! | contacts from beginning to end | `events.rs` |
//!
//! A frame is an instant of the states, by its number from zero.

mod about;
mod events;
mod frames;
mod geometry;
mod outlines;
mod series;
mod touch;

pub(crate) use frames::{Contact, Frame};

use crate::error::{Result, ViewError};
use rattleback_dynamics::Motion;
use rattleback_geom::{Pose, Vec3};
use rattleback_record::picture::{Camera, Drawing, Look, Stage};
use rattleback_record::{Manifest, Sheet, Status, TimeIndex};
use rattleback_scene::Scene;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, RwLock, RwLockReadGuard};
use std::time::{Duration, Instant};

/// Bytes of a sheet that are looked at before the first answer, so that a usual run is known as a whole from the start.
const FIRST_LOOK: usize = 1 << 24;
/// Bytes of a sheet that are looked at in one go later on, while others wait.
const LOOK: usize = 1 << 22;
/// The time between two looks at a folder that has nothing new.
const PAUSE: Duration = Duration::from_millis(150);
/// Triangles of all different surfaces beyond which they are coarser, and those of all parts of a file to send.
pub(crate) const TRIANGLES: usize = 300_000;
/// Instants that a camera is chosen by.
const LOOKS: u64 = 20;
/// Bodies of a broken run are lost from sight at so many times the distance that the camera has at its beginning.
const STRAYED: f64 = 20.0;
/// The camera is chosen for a picture of this width over height.
const ASPECT: f64 = 1.6;
/// The sheets that are read by time.
const TIMED: [Sheet; 6] =
    [Sheet::States, Sheet::Contacts, Sheet::Energies, Sheet::Joints, Sheet::Windlasses, Sheet::Rolling];

/// What is shown.
#[derive(Debug)]
pub struct Subject {
    /// The scene as it was run, or as it is to be run.
    pub scene: Scene,
    /// The result folder; none for a scene that has not been run.
    pub folder: Option<PathBuf>,
}

/// A run as it is shown.
#[derive(Debug)]
pub struct Feed {
    scene: Scene,
    folder: Option<PathBuf>,
    stage: Stage,
    drawing: Drawing,
    bodies: HashMap<String, usize>,
    /// Subtracted from positions before they are rounded to single precision.
    origin: Vec3,
    camera: Camera,
    indices: RwLock<Vec<TimeIndex>>,
    manifest: Mutex<Option<(Instant, Manifest)>>,
}

impl Feed {
    /// Opens what is to be shown.
    pub fn open(subject: Subject) -> Result<Self> {
        let Subject { scene, folder } = subject;
        let mut stage = Stage::new(&scene.model)?;
        for (i, look) in scene.looks.iter().enumerate().take(scene.model.bodies().len()) {
            let look = Look { colour: look.colour, hidden: look.hidden };
            stage.set_look(rattleback_dynamics::BodyId(i), look)?;
        }
        let mut indices = Vec::new();
        if let Some(folder) = &folder {
            indices = TIMED.map(|sheet| TimeIndex::new(folder, sheet)).into();
            for index in &mut indices {
                index.extend(FIRST_LOOK)?;
            }
        }
        let names = scene.model.bodies().iter().enumerate();
        let mut feed = Self {
            bodies: names.map(|(k, body)| (body.name.clone(), k)).collect(),
            drawing: stage.drawing(TRIANGLES),
            origin: Vec3::zeros(),
            camera: Camera { eye: Vec3::x(), target: Vec3::zeros(), up: Vec3::z(), field_of_view: 0.56 },
            indices: RwLock::new(indices),
            manifest: Mutex::new(None),
            scene,
            folder,
            stage,
        };
        if let Some(folder) = &feed.folder {
            // The manifest says at once whether this is a result folder.
            let manifest = Manifest::read(folder)?;
            feed.manifest = Mutex::new(Some((Instant::now(), manifest)));
        }
        feed.camera = feed.choose_camera()?;
        feed.origin = feed.choose_origin();
        Ok(feed)
    }

    /// The scene.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The result folder.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// The number of frames so far. A run that has not written its first one is shown where it begins.
    pub fn frames(&self) -> u64 {
        self.recorded().max(1)
    }

    /// Frames that the folder has.
    pub(crate) fn recorded(&self) -> u64 {
        self.indices().first().map_or(0, TimeIndex::instants)
    }

    /// Looks at what has been written meanwhile; says whether there may be more.
    pub fn follow(&self) -> Result<bool> {
        let count = self.indices().len();
        let mut more = false;
        for k in 0..count {
            // Others read between two looks.
            let mut indices = self.indices.write().unwrap_or_else(std::sync::PoisonError::into_inner);
            more |= indices[k].extend(LOOK)?;
        }
        Ok(more)
    }

    /// Follows the folder until `stopped` says so. A file that cannot be read now may be readable at the next look.
    pub fn keep_following(&self, stopped: impl Fn() -> bool) {
        while !stopped() {
            if !self.follow().unwrap_or(false) {
                std::thread::sleep(PAUSE);
            }
        }
    }

    /// The manifest, read again where it is older than a pause.
    pub(crate) fn manifest(&self) -> Result<Option<Manifest>> {
        let Some(folder) = &self.folder else { return Ok(None) };
        let mut kept = lock(&self.manifest);
        if kept.as_ref().is_none_or(|(read, _)| read.elapsed() > PAUSE) {
            *kept = Some((Instant::now(), Manifest::read(folder)?));
        }
        Ok(kept.as_ref().map(|(_, manifest)| manifest.clone()))
    }

    /// Whether the run may still write.
    pub fn is_running(&self) -> Result<bool> {
        Ok(self.manifest()?.is_some_and(|manifest| manifest.status == Status::Running))
    }

    pub(crate) fn stage(&self) -> &Stage {
        &self.stage
    }

    pub(crate) fn drawing(&self) -> &Drawing {
        &self.drawing
    }

    pub(crate) fn camera(&self) -> Camera {
        self.camera
    }

    pub(crate) fn indices(&self) -> RwLockReadGuard<'_, Vec<TimeIndex>> {
        self.indices.read().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn choose_camera(&self) -> Result<Camera> {
        let scene = &self.scene;
        if let Some(camera) = scene.output.camera {
            let up = camera.up.unwrap_or_else(|| self.stage.up());
            let (eye, target, field_of_view) = (camera.eye, camera.target, camera.field_of_view);
            return Ok(Camera { eye, target, up, field_of_view });
        }
        let mut instants = Vec::new();
        let known = self.frames();
        for k in (0..known).step_by(known.div_ceil(LOOKS) as usize).chain([known - 1]) {
            // The last one may be about to be written.
            if let Some(frame) = self.frame(k, false)? {
                instants.push(frame.motions());
            }
        }
        let first = instants.first().unwrap_or(&scene.state.motions);
        let begin = self.stage.camera_to_floors(first, ASPECT)?;
        if known < 2 {
            // Where it is going is not known yet: most things fall.
            return Ok(begin);
        }
        let whole = self.stage.camera(instants.iter().map(Vec::as_slice), ASPECT)?;
        let distance = |camera: &Camera| (camera.eye - camera.target).norm();
        let status = self.manifest()?.map(|manifest| manifest.status);
        let is_under_way = matches!(status, Some(Status::Running | Status::Stopped));
        // What flies off in a broken run is not worth being seen from so far away that nothing else is.
        let strays = status == Some(Status::Broken) && distance(&whole) > STRAYED * distance(&begin);
        Ok(if strays || is_under_way && distance(&begin) > distance(&whole) { begin } else { whole })
    }

    /// A round place near the bodies, zero unless they are far from there.
    fn choose_origin(&self) -> Vec3 {
        let target = self.camera.target;
        let size = (self.camera.eye - target).norm();
        // Single precision has seven digits: a thousandth of a pixel stays visible within a hundred sizes.
        if target.norm() < 100.0 * size { Vec3::zeros() } else { target.map(f64::round) }
    }
}

/// A lock whose holder cannot leave half a change behind.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// The pose of numbers in a file.
fn pose(numbers: [f64; 7]) -> Result<Pose> {
    let [x, y, z, w, i, j, k] = numbers;
    Pose::from_parts([x, y, z], [w, i, j, k]).map_err(|error| ViewError::Request {
        what: "pose",
        found: format!("{numbers:?}"),
        expected: error.to_string(),
    })
}

impl Frame {
    /// The motions as far as pictures need them.
    pub(crate) fn motions(&self) -> Vec<Motion> {
        self.poses.iter().map(|pose| Motion::at_rest(*pose)).collect()
    }
}
