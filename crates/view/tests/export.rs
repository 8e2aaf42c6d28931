//! Files to send, read back by others' readers where there are some, and the page opened from disk.

use super::browser::Browser;
use super::sample::{BALLS, BOXES, Folder, PENDULUM, feed, recorded};
use rattleback_view::{Export, Feed, FilmMarks, FilmOptions, ViewError, export};
use serde_json::Value;
use std::path::Path;

pub const SMALL: FilmOptions =
    FilmOptions { rate: 20.0, speed: 0.5, size: [160, 100], marks: FilmMarks::USUAL };

pub fn shown(folder: &Folder) -> Feed {
    let path = folder.join("run");
    recorded(BALLS, &path);
    feed(BALLS, &path)
}

pub fn written(feed: &Feed, path: &Path) -> Export {
    export(feed, path, &SMALL).unwrap()
}

#[test]
fn a_page_opens_from_disk_without_a_server() {
    let folder = Folder::new();
    let feed = shown(&folder);
    let path = folder.join("page.html");
    assert_eq!(written(&feed, &path).instants, 101);
    let Some(mut browser) = Browser::launch(1200, 800) else { return };
    let offline =
        serde_json::json!({"offline": true, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0});
    browser.call("Network.emulateNetworkConditions", offline);
    let url = format!("file://{}", path.display());
    browser.open(&url);
    browser.wait_for("document.documentElement.dataset.ready");
    browser.wait_for("rattleback.plot.data");
    browser.evaluate("rattleback.player.seek(0.25)");
    browser.wait_for("rattleback.frame.number === 50");
    // Curves of bodies, of energies and of contacts are those of the run.
    let names = ["ball.z_m", "energy.kinetic_J", "floor|egg.normal_force_N"];
    let told = browser.evaluate(&format!(
        "rattleback.source.series({names:?}, 0, 4000, 1).then((s) => s.values.map((v) => [...v]))"
    ));
    let bytes = feed.series_bytes(&names, 0, 4000, 1).unwrap();
    let numbers: Vec<f64> = bytes[8..].chunks(8).map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect();
    for c in 0..names.len() {
        for k in 0..101 {
            let (found, expected) = (told[c][k].as_f64().unwrap(), numbers[(c + 1) * 101 + k]);
            // Forces come from frames in single precision.
            assert!(
                (found - expected).abs() <= 1e-6 * expected.abs().max(1e-3),
                "{} {k}: {found} {expected}",
                names[c]
            );
        }
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
    for asked in browser.requests() {
        assert!(asked == url || asked.starts_with("data:") || asked.starts_with("blob:"), "{asked}");
    }
}

#[test]
fn a_page_from_disk_has_contours_of_regions_and_forces_of_springs() {
    let folder = Folder::new();
    let Some(mut browser) = Browser::launch(800, 600) else { return };
    for (name, text) in [("boxes", BOXES), ("pendulum", PENDULUM)] {
        let run = folder.join(name);
        recorded(text, &run);
        let feed = feed(text, &run);
        let path = folder.join(&format!("{name}.html"));
        written(&feed, &path);
        browser.open(&format!("file://{}", path.display()));
        browser.wait_for("document.documentElement.dataset.ready && rattleback.plot");
        if name == "boxes" {
            let last = feed.frames() - 1;
            let told = browser.evaluate(&format!(
                "rattleback.source.contours({last}).then((all) => all.map(({{ body, points }}) => [body, ...points]))"
            ));
            let bytes = feed.contour_bytes(last).unwrap();
            let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
            let count = word(0) as usize;
            assert!(count > 1 && told.as_array().unwrap().len() == count);
            let mut at = 4 + 8 * count;
            for line in 0..count {
                assert_eq!(told[line][0].as_u64(), Some(u64::from(word(4 + 8 * line))));
                let numbers = 3 * word(8 + 8 * line) as usize;
                for k in 0..numbers {
                    let own = f32::from_bits(word(at + 4 * k));
                    assert_eq!(told[line][k + 1].as_f64(), Some(f64::from(own)));
                }
                at += 4 * numbers;
            }
            // They are drawn.
            browser.evaluate(&format!(
                "rattleback.show.contours = true, rattleback.player.seek(rattleback.player.timeOf({last}))"
            ));
            browser.wait_for(&format!(
                "rattleback.contours.number === {last} && rattleback.contours.lines.length > 1"
            ));
        } else {
            let told = browser.evaluate(
                "rattleback.source.series(['spring 1.tension_N', 'spring 1.length_m'], 0, 51, 1).then((s) => s.values.map((v) => [...v]))",
            );
            for k in 0..51 {
                let [tension, length] = [0, 1].map(|c| told[c][k].as_f64().unwrap());
                assert!((tension - 20.0 * (length - 0.4)).abs() < 1e-9, "{k}: {tension} {length}");
            }
        }
        assert_eq!(browser.complaints(), Vec::<String>::new());
        browser.forget();
    }
}

#[test]
fn what_is_there_is_not_overwritten_and_unknown_endings_are_told() {
    let folder = Folder::new();
    let feed = shown(&folder);
    std::fs::write(folder.join("page.html"), "mine").unwrap();
    let error = export(&feed, &folder.join("page.html"), &SMALL).unwrap_err();
    assert!(error.to_string().contains("not overwritten"), "{error}");
    assert_eq!(std::fs::read_to_string(folder.join("page.html")).unwrap(), "mine");
    let error = export(&feed, &folder.join("motion.avi"), &SMALL).unwrap_err();
    assert!(
        matches!(error, ViewError::Export { .. }) && error.to_string().contains(".html, .gif"),
        "{error}"
    );
    for (options, word) in [
        (FilmOptions { rate: 0.0, ..SMALL }, "0 pictures per second"),
        (FilmOptions { speed: f64::NAN, ..SMALL }, "a speed of NaN"),
        (FilmOptions { speed: 1e-9, ..SMALL }, "a greater speed has fewer"),
        (FilmOptions { size: [0, 10], ..SMALL }, "0 × 10 pixels"),
    ] {
        let error = export(&feed, &folder.join("motion.apng"), &options).unwrap_err();
        assert!(error.to_string().contains(word), "{error}");
        assert!(!folder.join("motion.apng").exists());
    }
}

/// The JSON and the binary chunk of a binary glTF file.
fn chunks(bytes: &[u8]) -> (Value, Vec<u8>) {
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!((&bytes[..4], number(4), number(8)), (b"glTF".as_slice(), 2, bytes.len()));
    let length = number(12);
    assert_eq!(&bytes[16..20], b"JSON");
    let document = serde_json::from_slice(&bytes[20..20 + length]).unwrap();
    assert_eq!(&bytes[24 + length..28 + length], b"BIN\0");
    assert_eq!(number(20 + length), bytes.len() - 28 - length);
    (document, bytes[28 + length..].to_vec())
}

#[test]
fn gltf_has_the_motion_of_every_body_that_moves() {
    let folder = Folder::new();
    let feed = shown(&folder);
    let path = folder.join("scene.glb");
    written(&feed, &path);
    let (document, binary) = chunks(&std::fs::read(&path).unwrap());
    let floats = |accessor: usize| -> Vec<f32> {
        let view = document["accessors"][accessor]["bufferView"].as_u64().unwrap() as usize;
        let view = &document["bufferViews"][view];
        let (begin, length) =
            (view["byteOffset"].as_u64().unwrap() as usize, view["byteLength"].as_u64().unwrap() as usize);
        binary[begin..begin + length].chunks(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect()
    };
    let names: Vec<&str> = (1..4).map(|k| document["nodes"][k]["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["floor", "ball", "egg"]);
    let animation = &document["animations"][0];
    let bytes = feed.series_bytes(&["ball.z_m"], 0, 4000, 1).unwrap();
    let heights: Vec<f64> =
        bytes[8 + 8 * 101..].chunks(8).map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect();
    let channels = animation["channels"].as_array().unwrap();
    let is_ball =
        |channel: &&Value| channel["target"]["node"] == 2 && channel["target"]["path"] == "translation";
    let sampler = channels.iter().find(is_ball).unwrap()["sampler"].as_u64().unwrap() as usize;
    let sampler = &animation["samplers"][sampler];
    let times = floats(sampler["input"].as_u64().unwrap() as usize);
    let places = floats(sampler["output"].as_u64().unwrap() as usize);
    assert_eq!((times.len(), places.len()), (101, 303));
    for k in 0..101 {
        assert_eq!(places[3 * k + 2], heights[k] as f32);
        assert!((times[k] - 0.005 * k as f32).abs() < 1e-6);
    }
    // The floor stands still.
    assert!(channels.iter().all(|channel| channel["target"]["node"] != 1));
    for channel in channels.iter().filter(|channel| channel["target"]["path"] == "rotation") {
        let sampler = &animation["samplers"][channel["sampler"].as_u64().unwrap() as usize];
        let turns = floats(sampler["output"].as_u64().unwrap() as usize);
        for pair in turns.chunks(4).collect::<Vec<_>>().windows(2) {
            let dot: f32 = pair[0].iter().zip(pair[1]).map(|(a, b)| a * b).sum();
            assert!(dot > 0.9, "{pair:?}");
        }
    }
}

/// The Khronos validator, an npm package, in a folder of its own; none, with a word on it, where it cannot be had.
fn validator(folder: &Folder) -> Option<std::path::PathBuf> {
    let place = folder.join("validator");
    std::fs::create_dir(&place).unwrap();
    let installed = std::process::Command::new("npm")
        .args(["install", "--silent", "--no-audit", "--no-fund", "--prefix"])
        .arg(&place)
        .arg("gltf-validator@^2.0.0-dev")
        .output();
    match installed {
        Ok(output) if output.status.success() => Some(place),
        Ok(output) => {
            eprintln!(
                "skipped: npm has no gltf-validator: {}",
                String::from_utf8_lossy(&output.stderr).trim()
            );
            None
        }
        Err(error) => {
            eprintln!("skipped: no npm in the path: {error}");
            None
        }
    }
}

#[test]
fn gltf_passes_the_khronos_validator() {
    let folder = Folder::new();
    let Some(place) = validator(&folder) else { return };
    let script = place.join("check.js");
    let text = "const v = require('gltf-validator'); const fs = require('fs');\n\
        v.validateBytes(new Uint8Array(fs.readFileSync(process.argv[2]))).then((r) => console.log(JSON.stringify(r)));\n";
    std::fs::write(&script, text).unwrap();
    for (name, text) in [("balls", BALLS), ("boxes", BOXES), ("pendulum", PENDULUM)] {
        let run = folder.join(name);
        recorded(text, &run);
        let file = folder.join(&format!("{name}.glb"));
        written(&feed(text, &run), &file);
        let checked = std::process::Command::new("node").arg(&script).arg(&file).output().unwrap();
        let report: Value = serde_json::from_slice(&checked.stdout).unwrap();
        let counts = ["numErrors", "numWarnings", "numInfos"].map(|key| report["issues"][key].as_u64());
        assert_eq!(counts, [Some(0); 3], "{name}: {}", report["issues"]["messages"]);
        let info = &report["info"];
        let vertices = info["totalVertexCount"].as_u64().unwrap();
        assert!(info["animationCount"] == 1 && vertices >= 48, "{name}: {info}");
    }
}

#[test]
fn a_collection_for_paraview_names_files_with_surfaces_and_contacts() {
    let folder = Folder::new();
    let feed = shown(&folder);
    let path = folder.join("paraview.pvd");
    assert_eq!(written(&feed, &path).instants, 101);
    let text = std::fs::read_to_string(&path).unwrap();
    let files: Vec<&str> =
        text.split("file=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert_eq!(files.len(), 202);
    let mut touching = 0;
    for file in files {
        let content = std::fs::read_to_string(folder.join(file)).unwrap();
        assert!(content.starts_with("<?xml") && content.ends_with("</VTKFile>\n"));
        if file.contains("contacts") {
            assert!(content.contains("Name=\"force_N\" NumberOfComponents=\"3\""));
            touching += usize::from(!content.contains("NumberOfPoints=\"0\""));
        } else {
            assert!(content.contains("Name=\"body\""));
        }
    }
    assert!(touching > 10, "{touching}");
}
