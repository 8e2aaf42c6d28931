//! The files that mutation begins from: those of the repository, a few under `fuzz/seeds` that say in a small file what
//! the others do not, meshes that the program writes itself, and result folders of short runs.

use crate::input::{Input, Target};
use crate::sandbox::record_run;
use crate::target::short_walk;
use rattleback_gait::file::{write_storage, write_trc};
use rattleback_geom::mesh::{obj, stl};
use rattleback_geom::surface::{Ellipsoid, Surface};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A result folder as a run left it.
#[derive(Debug, Clone)]
pub struct Template {
    /// Its name.
    pub name: String,
    /// Its files: name and content.
    pub files: Vec<(String, Vec<u8>)>,
}

/// All of it.
#[derive(Debug, Default)]
pub struct Corpus {
    /// Scenes, in TOML.
    pub scenes: Vec<Vec<u8>>,
    /// Scenes that are wrong, each in its own way.
    pub broken: Vec<Vec<u8>>,
    /// Shapes, in TOML.
    pub shapes: Vec<Vec<u8>>,
    /// Pairs, one line each.
    pub pairs: Vec<Vec<u8>>,
    /// Meshes: name and content. Scenes and shapes name them.
    pub meshes: Vec<(String, Vec<u8>)>,
    /// Robots: name and content.
    pub robots: Vec<(String, Vec<u8>)>,
    /// Files of gait laboratories: name and content.
    pub gait: Vec<(String, Vec<u8>)>,
    /// Result folders.
    pub folders: Vec<Template>,
}

/// The robots of the tests.
const ROBOTS: &str = "crates/scene/tests/import/robots";

/// The root of the repository.
pub fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.ancestors().nth(2).unwrap_or(manifest).to_owned()
}

impl Corpus {
    /// Reads the corpus. Result folders are made by running scenes, into `templates` where they are not there yet: what
    /// they say of wall time is never twice the same, and whoever shares an input must share them.
    pub fn load(templates: &Path) -> Result<Self, String> {
        let root = root();
        let mut corpus = Self::default();
        for folder in ["scenes", "crates/cli/tests/broken", "fuzz/seeds"] {
            corpus.gather(&root.join(folder)).map_err(|e| format!("{folder}: {e}"))?;
        }
        corpus.gather_robots(&root.join(ROBOTS)).map_err(|e| format!("{ROBOTS}: {e}"))?;
        corpus.make_meshes().map_err(|e| format!("meshes: {e}"))?;
        corpus.make_gait(templates).map_err(|e| format!("gait: {e}"))?;
        for (name, text) in FOLDERS {
            let folder = templates.join(name);
            if !folder.exists() {
                let part = templates.join(format!(".{name}-{}", std::process::id()));
                record_run(text, &part).map_err(|e| format!("folder {name}: {e}"))?;
                // Another process may have been faster.
                if fs::rename(&part, &folder).is_err() {
                    fs::remove_dir_all(&part).map_err(|e| format!("{}: {e}", part.display()))?;
                }
            }
            let files = read_all(&folder).map_err(|e| format!("folder {name}: {e}"))?;
            corpus.folders.push(Template { name: name.to_owned(), files });
        }
        Ok(corpus)
    }

    fn gather(&mut self, folder: &Path) -> io::Result<()> {
        let mut entries: Vec<PathBuf> =
            fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
        // The order of a folder is the system's; that of inputs must not be.
        entries.sort();
        for path in entries {
            if path.is_dir() {
                self.gather(&path)?;
                continue;
            }
            let ending = path.extension().unwrap_or_default().to_string_lossy().into_owned();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let is_broken = path.parent().is_some_and(|folder| folder.ends_with("broken"));
            let is_shape = path.parent().is_some_and(|folder| folder.ends_with("shapes"));
            let is_gait = path.parent().is_some_and(|folder| folder.ends_with("seeds/gait"));
            match ending.as_str() {
                ending if is_gait => self.gait.push((format!("gait.{ending}"), fs::read(&path)?)),
                "toml" if is_shape => self.shapes.push(fs::read(&path)?),
                "toml" if is_broken => self.broken.push(fs::read(&path)?),
                "toml" => self.scenes.push(fs::read(&path)?),
                "jsonl" => self.pairs.extend(fs::read(&path)?.split(|&b| b == b'\n').map(<[u8]>::to_vec)),
                other if MESH_ENDINGS.contains(&other) => self.meshes.push((name, fs::read(&path)?)),
                _ => {}
            }
        }
        Ok(())
    }

    fn gather_robots(&mut self, folder: &Path) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let ending = path.extension().unwrap_or_default();
            if ending == "urdf" || ending == "xml" {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                self.robots.push((name, fs::read(&path)?));
            }
        }
        self.robots.sort();
        Ok(())
    }

    /// A coarse ellipsoid in every format of meshes that can be written.
    fn make_meshes(&mut self) -> Result<(), String> {
        let body = Ellipsoid::new([0.03, 0.02, 0.01]).map_err(|e| e.to_string())?;
        let mesh = body.tessellate(4e-3).map_err(|e| e.to_string())?;
        let mut written = [Vec::new(), Vec::new(), Vec::new()];
        let [binary, ascii, text] = &mut written;
        stl::write_binary(&mesh, binary)
            .and_then(|()| stl::write_ascii(&mesh, ascii))
            .and_then(|()| obj::write(&mesh, text))
            .map_err(|e| e.to_string())?;
        for (name, bytes) in ["binary.stl", "ascii.stl", "ellipsoid.obj"].into_iter().zip(written) {
            self.meshes.push((name.to_owned(), bytes));
        }
        Ok(())
    }

    /// A short walk of the engine's own: markers, forces, and the walk as a static trial has it.
    fn make_gait(&mut self, templates: &Path) -> Result<(), String> {
        let (walk, told) = (short_walk(), |e: rattleback_gait::GaitError| e.to_string());
        let folder = templates.join(format!(".gait-{}", std::process::id()));
        fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
        let [markers, still, forces] = ["walk.trc", "static.trc", "forces.mot"].map(|name| folder.join(name));
        write_trc(&walk.markers(&mut || 0.0).map_err(told)?, &markers).map_err(told)?;
        write_trc(&walk.standing(), &still).map_err(told)?;
        write_storage(&walk.forces().map_err(told)?, &forces).map_err(told)?;
        for path in [markers, still, forces] {
            let ending = path.extension().unwrap_or_default().to_string_lossy().into_owned();
            self.gait.push((format!("gait.{ending}"), fs::read(&path).map_err(|e| e.to_string())?));
        }
        fs::remove_dir_all(&folder).map_err(|e| e.to_string())
    }

    /// Every file of the corpus as an input, unchanged.
    pub fn inputs(&self) -> Vec<Input> {
        let mut inputs = Vec::new();
        inputs.extend(
            self.scenes
                .iter()
                .chain(&self.broken)
                .map(|text| Input::new(Target::Scene, "scene.toml", text.as_slice())),
        );
        inputs
            .extend(self.shapes.iter().map(|text| Input::new(Target::Shape, "shape.toml", text.as_slice())));
        inputs.extend(self.pairs.iter().map(|line| Input::new(Target::Pair, "pair.jsonl", line.as_slice())));
        inputs.extend(
            self.meshes
                .iter()
                .map(|(name, bytes)| Input::new(Target::Mesh, mesh_name(name), bytes.as_slice())),
        );
        inputs.extend(
            self.robots.iter().map(|(_, bytes)| Input::new(Target::Robot, "robot.xml", bytes.as_slice())),
        );
        inputs.extend(
            self.gait.iter().map(|(name, bytes)| Input::new(Target::Gait, name.as_str(), bytes.as_slice())),
        );
        for folder in &self.folders {
            inputs.extend(folder.files.iter().map(|(name, bytes)| {
                Input::new(Target::Folder, format!("{}/{name}", folder.name), bytes.as_slice())
            }));
        }
        inputs
    }
}

/// The endings of mesh files.
pub const MESH_ENDINGS: [&str; 7] = ["stl", "obj", "ply", "off", "3mf", "gltf", "glb"];

/// The name that a mutated mesh gets: descriptions of shapes name it.
pub fn mesh_name(original: &str) -> String {
    format!("mesh.{}", original.rsplit('.').next().unwrap_or_default())
}

fn read_all(folder: &Path) -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        files.push((path.file_name().unwrap_or_default().to_string_lossy().into_owned(), fs::read(&path)?));
    }
    files.sort();
    Ok(files)
}

/// So many of the result folders, from the first, are of runs that are taken up in a millisecond.
pub const LIGHT_FOLDERS: usize = 2;

/// The scenes whose runs make the result folders: what free bodies, mechanisms and bodies that roll store is not the
/// same.
const FOLDERS: [(&str, &str); 3] = [
    ("ball", include_str!("../../seeds/scenes/ball.toml")),
    ("pendulum", include_str!("../../seeds/scenes/pendulum.toml")),
    ("rolling", include_str!("../../seeds/scenes/rolling.toml")),
];
