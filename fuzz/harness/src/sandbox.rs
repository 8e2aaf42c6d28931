//! A folder of its own in which inputs stand while they are read.

use crate::corpus::{Corpus, Template};
use crate::finding::Finding;
use crate::input::{Input, Target};
use crate::panics::caught;
use crate::target;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

pub use crate::target::record_run;

/// What became of an input.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Outcome {
    /// Whether it was understood; if not, it was refused.
    pub accepted: bool,
    /// Whether it is a scene that was run for a step at least.
    pub moved: bool,
    /// What must not have happened.
    pub findings: Vec<Finding>,
}

/// The folder, with the meshes that scenes and shapes name.
#[derive(Debug)]
pub struct Sandbox {
    folder: PathBuf,
    templates: Vec<Template>,
    /// Whether it is removed at the end.
    temporary: bool,
}

/// Where files are quickest to write: what is in memory only, where there is such a place.
pub fn quick_folder() -> PathBuf {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() }
}

impl Sandbox {
    /// A sandbox in a folder, which is made.
    pub fn new(folder: &Path, corpus: &Corpus) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        for (name, bytes) in &corpus.meshes {
            fs::write(folder.join(name), bytes)?;
        }
        target::describe_meshes(folder)?;
        Ok(Self { folder: folder.to_owned(), templates: corpus.folders.clone(), temporary: false })
    }

    /// A sandbox that is removed when it is dropped.
    pub fn temporary() -> Result<Self, String> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = quick_folder().join(format!("rattleback-fuzz-{}-{number}", std::process::id()));
        let corpus = Corpus::load(&folder.join("templates"))?;
        let mut sandbox = Self::new(&folder, &corpus).map_err(|e| format!("{}: {e}", folder.display()))?;
        sandbox.temporary = true;
        Ok(sandbox)
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Does with an input what the command does.
    pub fn run(&self, input: &Input) -> Outcome {
        let path = self.folder.join(&input.name);
        if let Err(error) = self.place(input, &path) {
            // The disk is at fault, not what is examined.
            panic!("{}: {error}", path.display());
        }
        let mut outcome = Outcome::default();
        let ended = caught(|| match input.target {
            Target::Scene => target::scene(&path, &mut outcome),
            Target::Shape => target::shape(&path, &mut outcome),
            Target::Pair => target::pairs(&path, &mut outcome),
            Target::Mesh => target::mesh(&path, &mut outcome),
            Target::Gait => target::gait(&path, &mut outcome),
            Target::Robot => target::robot(&path, &mut outcome),
            Target::Folder => target::folder(path.parent().unwrap_or(&self.folder), &mut outcome),
        });
        outcome.findings.extend(ended.err());
        outcome
    }

    /// Writes the file, and around it what belongs to it.
    fn place(&self, input: &Input, path: &Path) -> io::Result<()> {
        if let (Target::Folder, Some((name, _))) = (input.target, input.name.split_once('/')) {
            let folder = self.folder.join(name);
            if folder.exists() {
                fs::remove_dir_all(&folder)?;
            }
            fs::create_dir(&folder)?;
            for (file, bytes) in self.templates.iter().filter(|t| t.name == name).flat_map(|t| &t.files) {
                fs::write(folder.join(file), bytes)?;
            }
        }
        fs::write(path, &input.bytes)
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        if self.temporary {
            // What is left behind is in a folder for what may be lost.
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}
