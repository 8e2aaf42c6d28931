//! Robots of other programs as scenes: URDF and MJCF.
//!
//! | stage | file |
//! |---|---|
//! | the file as elements that know their place | `xml.rs`, what is wrong and what is lost `log.rs` |
//! | its reader | `urdf.rs` with `package.rs`, `mjcf/mod.rs`; meshes `mesh.rs` |
//! | a robot, whichever the format | `robot.rs`, `part_shape.rs` |
//! | bodies that move and have mass, joints that a scene has | `tree.rs`, `joints.rs` |
//! | the scene's text | `write.rs`, `write_joint.rs`, `write_action.rs`, `write_contact.rs`, `toml.rs` |
//! | what the first instant of that scene shows: overlaps, the height of the ground | `start.rs` |
//!
//! The format is told by the root element. Whatever the scene does not have is told with its line; what would move
//! wrongly is refused. The text is read back before it is handed out: it is a scene, or there is none.
//!
//! A new format is a reader beside `urdf/mod.rs` that fills `robot.rs`; `crates/scene/tests/import/mod.rs` holds it to
//! numbers by hand and to damaged files.

mod joints;
mod log;
mod mesh;
mod mjcf;
mod package;
mod part_shape;
mod robot;
mod start;
mod toml;
mod tree;
mod urdf;
mod write;
mod write_action;
mod write_contact;
mod write_joint;
mod xml;

pub use log::Loss;

use crate::error::{Result, SceneError};
use crate::format::Format;
use crate::read::{Complaint, Source};
use log::Log;
use mesh::Meshes;
use robot::Robot;
use std::path::{Path, PathBuf};
use write::{Found, Scenery};

/// How a robot becomes a scene.
#[derive(Debug, Clone, Default)]
pub struct ImportOptions {
    /// Folders of packages that a URDF names.
    pub packages: Vec<(String, PathBuf)>,
    /// Whether the root of a URDF moves freely; it stands still otherwise.
    pub free: bool,
    /// Whether there is a half-space below the lowest point.
    pub ground: bool,
    /// Whether links of a URDF touch each other.
    pub self_contacts: bool,
    /// Whether joints for which a scene has none are divided by bodies of little mass.
    pub carriers: bool,
    /// Whether joints that nothing drives are held where they begin.
    pub hold: bool,
}

/// A robot as a scene.
#[derive(Debug, Clone)]
pub struct ImportedScene {
    /// The text of the scene.
    pub text: String,
    /// Files beside it: meshes that a scene could not scale as its source does.
    pub files: Vec<(PathBuf, String)>,
    /// What is not in it, or otherwise than in its source, in the order of the lines.
    pub losses: Vec<Loss>,
    /// How many bodies move.
    pub bodies: usize,
    /// How many joints there are.
    pub joints: usize,
}

/// The most bodies of a robot.
const MAX_BODIES: usize = 10_000;

impl Format {
    /// Reads a robot, URDF or MJCF, as the scene that will stand at `output`.
    pub fn import_robot(&self, path: &Path, output: &Path, options: &ImportOptions) -> Result<ImportedScene> {
        let mut log = Log::default();
        let output = std::path::absolute(output).unwrap_or_else(|_| output.to_owned());
        let stem =
            output.file_stem().map_or_else(|| "scene".to_owned(), |stem| stem.to_string_lossy().into_owned());
        let mut meshes = Meshes::new(format!("{stem}_meshes"));
        let Some(robot) = read(path, options, &mut meshes, &mut log)? else {
            return Err(log.into_error());
        };
        let folder = output.parent().unwrap_or(Path::new("")).to_owned();
        let scenery = Scenery::new(&robot, options, path, &folder);
        let mut found = Found::default();
        // Twice: what joints cannot do is known once they are written, what overlaps once they are read.
        let first = scenery.write(&[], &found, &mut log);
        let read_back = |text: &str, files: &[(PathBuf, String)]| {
            let source = Source { path: output.clone(), text: text.to_owned(), beside: files.to_vec() };
            self.parse_scene(source).map_err(|error| refused(path, &error))
        };
        let scene = read_back(&first, &meshes.written)?;
        start::look(&scenery, &scene, &mut found, &mut log)?;
        let losses = log.losses();
        let text = scenery.write(&losses, &found, &mut log);
        let scene = read_back(&text, &meshes.written)?;
        let bodies = scene.model.bodies().iter().filter(|body| body.is_free()).count();
        Ok(ImportedScene { text, files: meshes.written, losses, bodies, joints: scene.model.joints().len() })
    }
}

/// The robot of a file, ready to be written; none where something is wrong with it.
fn read(path: &Path, options: &ImportOptions, meshes: &mut Meshes, log: &mut Log) -> Result<Option<Robot>> {
    let Some(root) = xml::read(path, log)? else { return Ok(None) };
    let spot = root.spot.clone();
    let robot = match root.tag.as_str() {
        "robot" => urdf::read(&root, options, meshes, log),
        "mujoco" => mjcf::read(root, path, meshes, log),
        other => {
            log.refuse(
                &spot,
                format!("found the root <{other}>; expected <robot> of a URDF or <mujoco> of an MJCF file"),
            );
            return Ok(None);
        }
    };
    if robot.bodies.len() > MAX_BODIES {
        log.refuse(&spot, format!("found {} bodies; expected at most {MAX_BODIES}", robot.bodies.len()));
    }
    if !log.is_content() {
        return Ok(None);
    }
    let mut robot = tree::settle(robot, log);
    joints::carry(&mut robot, options.carriers, log);
    Ok(log.is_content().then_some(robot))
}

/// Numbers that no place of the source alone makes wrong, as a scene's reader sees them.
fn refused(path: &Path, error: &SceneError) -> SceneError {
    let reason = match error {
        SceneError::Refused { complaints, .. } => complaints.first().map(Complaint::sentence),
        _ => None,
    };
    SceneError::Start { path: path.to_owned(), reason: reason.unwrap_or_else(|| error.to_string()) }
}
