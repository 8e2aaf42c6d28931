//! Runs of the studio, over its address.

use super::{SCENE, Served, assert_same};
use crate::command::{folder, rattleback, text};
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};

#[test]
fn view_tells_its_address_and_shows_the_run_of_a_folder() {
    let folder = folder("view");
    std::fs::write(folder.join("ball.toml"), SCENE).unwrap();
    assert!(rattleback(&folder, &["run", "ball.toml", "--quiet", "--no-report"]).status.success());
    let served = Served::new(&folder, &["view", "results/ball"]);
    let about = served.get("api/about");
    assert_eq!((about["title"].as_str(), about["status"]["frames"].as_u64()), (Some("A ball"), Some(501)));
    assert_eq!(served.ask("api/frames?first=500", None).0, 200);
    // A second one takes another port.
    let other = Served::new(&folder, &["view", "results/ball"]);
    assert_ne!(served.url, other.url);
    assert_eq!(other.get("api/status")["state"], "finished");
}

#[test]
fn view_writes_files_to_send_and_refuses_folders_without_a_run() {
    let folder = folder("view_export");
    std::fs::write(folder.join("ball.toml"), SCENE).unwrap();
    assert!(rattleback(&folder, &["run", "ball.toml", "--quiet", "--no-report"]).status.success());
    let options =
        ["view", "results/ball", "--export", "page.html", "--export", "scene.glb", "--export", "m.gif"];
    let done = rattleback(&folder, &[options.as_slice(), &["--rate", "10", "--size", "120x80"]].concat());
    assert!(done.status.success(), "{}", text(&done.stderr));
    assert!(text(&done.stdout).contains("Written: page.html, 501 instants"), "{}", text(&done.stdout));
    for name in ["page.html", "scene.glb", "m.gif"] {
        assert!(folder.join(name).metadata().unwrap().len() > 1000, "{name}");
    }
    // The report links to what is beside it.
    assert!(rattleback(&folder, &["report", "results/ball", "--quiet"]).status.success());
    let report = || std::fs::read_to_string(folder.join("results/ball/report.html")).unwrap();
    assert!(!report().contains("<a href=\"motion.html\">"));
    let inside = rattleback(&folder, &["view", "results/ball", "--export", "results/ball/motion.html"]);
    assert!(inside.status.success(), "{}", text(&inside.stderr));
    assert!(report().contains("<a href=\"motion.html\">In motion: motion.html</a>"));
    let again = rattleback(&folder, &["view", "results/ball", "--export", "page.html"]);
    assert_eq!(again.status.code(), Some(1));
    assert!(text(&again.stderr).contains("not overwritten"));
    let empty = rattleback(&folder, &["view", "."]);
    assert_eq!(empty.status.code(), Some(1), "{}", text(&empty.stderr));
    let wrong = rattleback(&folder, &["view", "results/ball", "--export", "m.gif", "--size", "0x9"]);
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn a_run_of_the_studio_is_a_run_of_the_command_stopped_and_resumed_or_not() {
    let folder = folder("studio_run");
    std::fs::write(folder.join("ball.toml"), SCENE).unwrap();
    let served = Served::new(&folder, &["studio", "ball.toml"]);
    let opened = served.get("api/opened");
    assert_eq!((opened["name"].as_str(), opened["text"].as_str()), (Some("ball"), Some(SCENE)));
    let sent = json!({"text": SCENE, "name": "ball"});
    assert_eq!(served.post("api/run", sent.clone()), (200, json!({"run": 0})));
    served.wait_for("api/runs", |runs| runs[0]["alive"] == false);
    assert_eq!(served.get("view/0/api/status")["frames"], 501);
    assert!(
        rattleback(&folder, &["run", "ball.toml", "--quiet", "--no-report", "-o", "own"]).status.success()
    );
    assert_same(&folder.join("results/ball"), &folder.join("own"));
    // A longer one is stopped and goes on.
    let long = SCENE.replace("0.7", "1.0").replace("\"0.5 s\"", "\"60 s\"\n\n[output]\nevery = \"1 ms\"");
    let sent = json!({"text": long, "name": "long"});
    assert_eq!(served.post("api/run", sent).0, 200);
    served.wait_for_frames(1);
    assert_eq!(served.post("api/stop", json!({"run": 1})).0, 200);
    let stopped = served.wait_for("api/runs", |runs| runs[0]["alive"] == false);
    assert_eq!(stopped[0]["state"], "stopped", "{stopped}");
    assert_eq!(served.post("api/resume", json!({"run": 1})).0, 200);
    served.wait_for("api/runs", |runs| runs[0]["alive"] == false && runs[0]["state"] == "finished");
    assert!(
        rattleback(&folder, &["run", "long.toml", "--quiet", "--no-report", "-o", "other"]).status.success()
    );
    assert_same(&folder.join("results/long"), &folder.join("other"));
}

/// A scene of some hours of computing.
pub fn endless() -> String {
    SCENE.replace("0.7", "1.0").replace("\"0.5 s\"", "\"9000 s\"\n\n[output]\nevery = \"1 ms\"")
}

/// Waits until a run is stopped, with a checkpoint.
fn assert_stops(folder: &Path) {
    let begun = Instant::now();
    loop {
        let manifest: Value =
            serde_json::from_slice(&std::fs::read(folder.join("run.json")).unwrap()).unwrap();
        if manifest["status"] == "stopped" {
            break;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "{manifest}");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(folder.join("checkpoint.json").is_file());
}

#[test]
fn a_studio_that_dies_leaves_runs_that_can_go_on() {
    let folder = folder("studio_dies");
    let mut served = Served::new(&folder, &["studio"]);
    assert_eq!(served.post("api/run", json!({"text": endless(), "name": "long"})).0, 200);
    served.wait_for_frames(0);
    served.child.kill().unwrap();
    served.child.wait().unwrap();
    assert_stops(&folder.join("results/long"));
}

/// Whether this program was started to outlive its terminal, where the system tells.
#[cfg(unix)]
fn hang_ups_are_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 == 1)
}

#[cfg(unix)]
#[test]
fn a_terminal_that_is_closed_ends_the_runs_after_a_checkpoint() {
    if hang_ups_are_ignored() {
        eprintln!("skipped: hang-ups are ignored here, as nohup has it, and by what is started from here");
        return;
    }
    let folder = folder("studio_hangs_up");
    let mut served = Served::new(&folder, &["studio"]);
    assert_eq!(served.post("api/run", json!({"text": endless(), "name": "long"})).0, 200);
    served.wait_for_frames(0);
    // What the terminal sends to all of its foreground group.
    let group = format!("-{}", served.child.id());
    let sent = std::process::Command::new("kill").args(["-HUP", "--", &group]).status().unwrap();
    assert!(sent.success());
    served.child.wait().unwrap();
    assert_stops(&folder.join("results/long"));
}

#[test]
fn runs_that_wait_begin_as_others_end_and_can_be_called_off() {
    let folder = folder("studio_queue");
    let served = Served::new(&folder, &["studio"]);
    let ask = |text: &str, name: &str, label: u32| {
        let sent = json!({"text": text, "name": name, "waits": true, "label": {"cell": label}});
        assert_eq!(served.post("api/run", sent).0, 200);
    };
    // More than are allowed at once, of one name: each has a folder of its own.
    (0..6).for_each(|k| ask(SCENE, "ball", k));
    let done = served.wait_for("api/runs", |runs| {
        runs.as_array()
            .is_some_and(|list| list.len() == 6 && list.iter().all(|run| run["state"] == "finished"))
    });
    let folders: std::collections::BTreeSet<&str> =
        done.as_array().unwrap().iter().map(|run| run["folder"].as_str().unwrap()).collect();
    assert_eq!((folders.len(), done[5]["label"]["cell"].as_u64()), (6, Some(0)));
    // One that waits is called off: it leaves nothing.
    (0..5).for_each(|k| ask(&endless(), "long", k));
    let waiting = served.wait_for("api/runs", |runs| runs[0]["waiting"] == true && runs[4]["alive"] == true);
    let last = waiting[0]["run"].as_u64().unwrap();
    assert_eq!(served.post("api/stop", json!({"run": last})).0, 200);
    let after = served.get("api/runs");
    assert_eq!((&after[0]["waiting"], &after[0]["alive"]), (&json!(false), &json!(false)));
    assert!(!Path::new(after[0]["folder"].as_str().unwrap()).exists());
    for run in 6..10 {
        assert_eq!(served.post("api/stop", json!({"run": run})).0, 200);
    }
    served.wait_for("api/runs", |runs| {
        runs.as_array()
            .is_some_and(|list| list.iter().all(|run| run["alive"] == false && run["waiting"] == false))
    });
    // A studio that is started anew knows what is there.
    drop(served);
    let served = Served::new(&folder, &["studio"]);
    let known = served.get("api/runs");
    assert!(
        known.as_array().unwrap().iter().filter(|run| run["state"] == "finished").count() >= 6,
        "{known}"
    );
}

#[test]
fn a_manoeuvre_tells_its_verdict_in_words_and_in_numbers() {
    let folder = folder("studio_verdict");
    let served = Served::new(&folder, &["studio"]);
    let stow = served.get("api/example?name=stow");
    let (text, _) = stow["text"].as_str().unwrap().split_once("[output.pictures]").unwrap();
    let text = text.replace("\"14 s\"", "\"0.2 s\"");
    assert_eq!(served.post("api/run", json!({"text": text, "name": "short"})).0, 200);
    let done = served.wait_for("api/runs", |runs| runs[0]["alive"] == false);
    let verdict = std::fs::read_to_string(folder.join("results/short/verdict.txt")).unwrap();
    assert_eq!(done[0]["verdict"].as_str(), Some(verdict.as_str()));
    assert_eq!(done[0]["outcome"]["outcome"], "hanging", "{done}");
    // The pulls told are those recorded: the last one, and none recorded is greater than the greatest.
    let sheet = std::fs::read_to_string(folder.join("results/short/windlasses.csv")).unwrap();
    let column = sheet.lines().next().unwrap().split(',').position(|name| name == "pull_N").unwrap();
    let pulls: Vec<f64> =
        sheet.lines().skip(1).map(|row| row.split(',').nth(column).unwrap().parse().unwrap()).collect();
    let told = |key: &str| done[0]["outcome"][key].as_f64().unwrap();
    assert_eq!(told("pull_end_N"), *pulls.last().unwrap());
    let most = pulls.iter().copied().fold(0.0, f64::max);
    assert!(told("pull_most_N") >= most && most > 1000.0, "{most} {done}");
}
