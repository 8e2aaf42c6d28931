//! The examples of shapes and manoeuvres against the schemas that editors have.

use rattleback_anchor::{APPLICATION, ManoeuvreScene};
use rattleback_scene::Format;
use serde_json::Value as Json;
use std::path::{Path, PathBuf};

const FORMAT: Format = Format::new(&[APPLICATION]);

/// The TOML files of a folder under `scenes`, with what they say.
fn examples(folder: &str) -> Vec<(PathBuf, toml::Table)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(folder);
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let tables = paths.filter(|path| path.extension().is_some_and(|ending| ending == "toml"));
    tables.map(|path| (path.clone(), std::fs::read_to_string(path).unwrap().parse().unwrap())).collect()
}

#[test]
fn the_schema_of_shapes_knows_every_key_of_the_examples() {
    let schema = FORMAT.shape_schema();
    let kinds = schema["$defs"]["ShapeSpec"]["anyOf"].as_array().unwrap();
    let mut ships = 0;
    for (path, example) in examples("shapes") {
        let word = example["type"].as_str().unwrap();
        let table = kinds.iter().find(|kind| kind["properties"]["type"]["const"] == word).unwrap();
        for key in example.keys() {
            assert!(table["properties"].get(key).is_some(), "{}: {key}", path.display());
        }
        ships += usize::from(APPLICATION.shapes.iter().any(|shape| shape.word == word));
        FORMAT.read_shape(&path).unwrap();
    }
    assert_eq!(ships, 3);
}

#[test]
fn the_schema_of_scenes_knows_every_key_of_the_manoeuvres() {
    let schema = FORMAT.scene_schema();
    let properties = |name: &str| schema["$defs"][name]["properties"].clone();
    let known = |keys: &toml::Table, properties: &Json, path: &Path| {
        for key in keys.keys() {
            assert!(properties.get(key).is_some(), "{}: {key}", path.display());
        }
    };
    let all = examples("anchor");
    assert_eq!(all.len(), APPLICATION.scenes.len());
    for (path, scene) in all {
        let manoeuvre = scene["manoeuvre"].as_table().unwrap();
        known(&scene, &properties("SceneSpec"), &path);
        known(manoeuvre, &properties("ManoeuvreSpec"), &path);
        known(manoeuvre["hull"].as_table().unwrap(), &properties("HullSpec"), &path);
        assert!(ManoeuvreScene::of(&FORMAT.read_scene(&path).unwrap()).is_some());
    }
}
