//! Robots of other programs as scenes: small ones of our own in `robots/`, held to numbers derived by hand.

mod hostile;
mod joints;
mod masses;
mod motion;

use rattleback_scene::{Format, ImportOptions, ImportedScene, Scene, SceneError, Source, parse_scene};
use std::path::{Path, PathBuf};

/// The file of one of our robots.
fn robot(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/import/robots").join(name)
}

/// A robot as a scene, and that scene read.
fn import(name: &str, options: &ImportOptions) -> (ImportedScene, Scene) {
    let output = robot("scene.toml");
    let imported = Format::default().import_robot(&robot(name), &output, options).unwrap();
    let source = Source { path: output, text: imported.text.clone(), beside: imported.files.clone() };
    let scene = parse_scene(source).unwrap();
    (imported, scene)
}

/// A robot that is written out here.
fn import_text(name: &str, text: &str, options: &ImportOptions) -> Result<ImportedScene, SceneError> {
    let folder = std::env::temp_dir().join(format!("rattleback-import-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("robot.xml");
    std::fs::write(&path, text).unwrap();
    let imported = Format::default().import_robot(&path, &folder.join("scene.toml"), options);
    std::fs::remove_dir_all(&folder).unwrap();
    imported
}

/// Whether something is told of what is lost, at a line.
fn tells(imported: &ImportedScene, line: usize, what: &str) -> bool {
    imported.losses.iter().any(|loss| loss.line == line && loss.what.contains(what))
}
