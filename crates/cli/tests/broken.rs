//! Broken scenes: each is refused with the message that stands beside it.
//!
//! `RATTLEBACK_BLESS=1 cargo test -p rattleback-cli --test tests broken` writes the messages anew; read them before
//! they are kept.

use crate::command::rattleback;
use std::path::Path;

#[test]
fn every_broken_scene_gets_its_message() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken");
    let mut scenes: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".toml"))
        .collect();
    scenes.sort();
    assert!(scenes.len() >= 20, "only {} broken scenes", scenes.len());
    let bless = std::env::var_os("RATTLEBACK_BLESS").is_some();
    let mut different = Vec::new();
    for scene in &scenes {
        let output = rattleback(&folder, &["check", scene]);
        assert_eq!(output.status.code(), Some(1), "{scene}");
        assert!(output.stdout.is_empty(), "{scene}");
        let said = String::from_utf8(output.stderr).unwrap();
        let kept = folder.join(scene.replace(".toml", ".txt"));
        if bless {
            std::fs::write(&kept, &said).unwrap();
        } else if std::fs::read_to_string(&kept).unwrap_or_default() != said {
            different.push(format!("{scene} now says:\n{said}"));
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}

#[test]
fn programs_get_line_and_column_of_every_mistake() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken");
    let output = rattleback(&folder, &["check", "--json", "everything_at_once.toml"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stderr.is_empty());
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(told[0]["valid"], false);
    let complaints = told[0]["complaints"].as_array().unwrap();
    assert!(complaints.len() >= 4, "{told}");
    let text = std::fs::read_to_string(folder.join("everything_at_once.toml")).unwrap();
    for complaint in complaints {
        let line = complaint["line"].as_u64().unwrap() as usize;
        assert!(line >= 1 && line <= text.lines().count());
        assert!(complaint["message"].as_str().unwrap().len() > 10);
    }
    let radius = complaints.iter().find(|c| c["key"] == "bodies[1].shape.radius").unwrap();
    let line = text.lines().nth(radius["line"].as_u64().unwrap() as usize - 1).unwrap();
    let column = radius["column"].as_u64().unwrap() as usize;
    assert!(line[column - 1..].starts_with("\"10 s\""), "{line}");
}
