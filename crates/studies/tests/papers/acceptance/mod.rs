//! Scenes of everyday mechanics in `scenes/acceptance`, each in every engine that supports it, beside a closed form or
//! a conserved quantity.

mod boxes;
mod carries;
mod hollow;
mod impacts;
mod linkages;
mod machines;
mod many_bodies;
mod meshes;
mod rolls;
mod spins;
mod trial;

use std::path::Path;

#[test]
fn every_scene_of_the_folder_has_its_expectation() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files =
        |folder: &str| std::fs::read_dir(here.join(folder)).unwrap().map(|entry| entry.unwrap().path());
    let sources: String =
        files("tests/papers/acceptance").map(|path| std::fs::read_to_string(path).unwrap()).collect();
    let scenes =
        files("../../scenes/acceptance").filter(|path| path.extension().is_some_and(|e| e == "toml"));
    for scene in scenes {
        let topic = format!("Topic::new(\"{}\"", scene.file_stem().unwrap().to_str().unwrap());
        assert!(sources.contains(&topic), "{}", scene.display());
    }
}
