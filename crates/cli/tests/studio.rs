//! `view` and `studio`: called as a user does, over their addresses and in a browser.

#[path = "../../view/tests/browser/mod.rs"]
#[allow(dead_code, reason = "shared with the tests of the viewer, which use more of it")]
mod browser;

use crate::command::{command, folder, rattleback, text};
use browser::Browser;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

const SCENE: &str = r#"# A comment that stays.
title = "A ball"
gravity = [0, 0, -9.81]

[materials.rubber]
density = "1100 kg/m^3"

[[bodies]]
name = "floor"
fixed = true
shape = { type = "plane", normal = [0, 0, 1] }
material = "rubber"

[[bodies]]
name = "ball"
position = [0, 0, "12 cm"]
shape = { type = "sphere", radius = "5 cm" }
material = "rubber"

[[contacts]]
stiffness = "1e5 N/m^1.5"
normal = { law = "exact", restitution = 0.7 }

[run]
duration = "0.5 s"
"#;

/// A verb that serves a page.
struct Served {
    child: Child,
    url: String,
}

impl Served {
    fn new(folder: &Path, arguments: &[&str]) -> Self {
        let mut child = command(folder, arguments).arg("--json").stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let address = lines.map_while(Result::ok).find(|line| line.contains("\"address\"")).unwrap();
        let url = address.split('"').nth(3).unwrap().to_owned();
        Self { child, url }
    }

    /// Asks for something; returns the status and the body.
    fn ask(&self, path: &str, body: Option<&Value>) -> (u16, Vec<u8>) {
        let rest = self.url.strip_prefix("http://").unwrap();
        let (host, token) = rest.split_once('/').unwrap();
        let mut stream = TcpStream::connect(host).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let body = body.map(Value::to_string).unwrap_or_default();
        let method = if body.is_empty() { "GET" } else { "POST" };
        let head = format!(
            "{method} /{token}{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let at = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
        let status = text(&answer[9..12]).parse().unwrap();
        (status, answer[at + 4..].to_vec())
    }

    fn get(&self, path: &str) -> Value {
        let (status, body) = self.ask(path, None);
        assert_eq!(status, 200, "{path}: {}", String::from_utf8_lossy(&body));
        serde_json::from_slice(&body).unwrap()
    }

    fn post(&self, path: &str, body: Value) -> (u16, Value) {
        let (status, body) = self.ask(path, Some(&body));
        (status, serde_json::from_slice(&body).unwrap())
    }

    fn wait_for(&self, what: &str, is_so: impl Fn(&Value) -> bool) -> Value {
        let begun = Instant::now();
        loop {
            let told = self.get(what);
            if is_so(&told) {
                return told;
            }
            assert!(begun.elapsed() < Duration::from_secs(120), "{told}");
            std::thread::sleep(Duration::from_millis(30));
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The sheets and the scene of two folders are the same, byte for byte.
fn assert_same(a: &Path, b: &Path) {
    for name in ["states.csv", "contacts.csv", "energies.csv", "events.csv", "scene.toml", "states.parquet"] {
        let [one, other] = [a, b].map(|folder| std::fs::read(folder.join(name)).unwrap());
        assert!(one == other, "{name} differs");
    }
}

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
    let begun = Instant::now();
    while served.ask("view/1/api/status", None).0 != 200 {
        assert!(begun.elapsed() < Duration::from_secs(60));
    }
    served.wait_for("view/1/api/status", |status| {
        status["recorded"].as_u64().is_some_and(|frames| frames > 20)
    });
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

#[test]
fn a_studio_that_dies_leaves_runs_that_can_go_on() {
    let folder = folder("studio_dies");
    // Some hours of computing.
    let long = SCENE.replace("0.7", "1.0").replace("\"0.5 s\"", "\"9000 s\"\n\n[output]\nevery = \"1 ms\"");
    std::fs::write(folder.join("long.toml"), &long).unwrap();
    let mut served = Served::new(&folder, &["studio", "long.toml"]);
    assert_eq!(served.post("api/run", json!({"text": long, "name": "long"})).0, 200);
    let begun = Instant::now();
    while served.ask("view/0/api/status", None).0 != 200 {
        assert!(begun.elapsed() < Duration::from_secs(60));
    }
    served.wait_for("view/0/api/status", |status| {
        status["recorded"].as_u64().is_some_and(|frames| frames > 20)
    });
    served.child.kill().unwrap();
    served.child.wait().unwrap();
    let begun = Instant::now();
    loop {
        let manifest: Value =
            serde_json::from_slice(&std::fs::read(folder.join("results/long/run.json")).unwrap()).unwrap();
        if manifest["status"] == "stopped" {
            break;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "{manifest}");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(folder.join("results/long/checkpoint.json").is_file());
}

#[test]
fn the_studio_writes_nothing_but_its_own_scenes() {
    let folder = folder("studio_hostile");
    std::fs::write(folder.join("mine.toml"), "mine").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.join("mine.toml"), folder.join("link.toml")).unwrap();
    let served = Served::new(&folder, &["studio"]);
    for name in ["mine", "link", "../out", "a/b", "", "a.b", "é", "C:x"] {
        for path in ["api/save", "api/run"] {
            let (status, told) = served.post(path, json!({"text": SCENE, "name": name}));
            assert_eq!(status, 400, "{path} {name}: {told}");
        }
    }
    assert_eq!(std::fs::read_to_string(folder.join("mine.toml")).unwrap(), "mine");
    assert!(!folder.parent().unwrap().join("out.toml").exists());
    assert_eq!(served.post("api/save", json!({"text": "a", "name": "new"})).0, 200);
    assert_eq!(served.post("api/save", json!({"text": "b", "name": "new"})).0, 200);
    assert_eq!(std::fs::read_to_string(folder.join("new.toml")).unwrap(), "b");
    for (path, body) in
        [("api/stop", json!({"run": 9})), ("api/resume", json!({})), ("api/edit", json!({"text": "a"}))]
    {
        assert_eq!(served.post(path, body).0, 400, "{path}");
    }
    assert_eq!(served.ask("view/7/api/about", None).0, 400);
    assert_eq!(served.ask("view/preview/../../etc/passwd", None).0, 400);
}

#[test]
fn mistakes_are_told_at_their_place_and_forms_and_texts_follow_each_other() {
    let folder = folder("studio_page");
    std::fs::write(folder.join("ball.toml"), SCENE).unwrap();
    let served = Served::new(&folder, &["studio", "ball.toml"]);
    let wrong = SCENE.replace("\"5 cm\"", "\"5 kg\"");
    let (_, told) = served.post("api/check", json!({"text": wrong, "name": "ball"}));
    let complaint = &told["complaints"][0];
    assert_eq!(
        (complaint["line"].as_u64(), complaint["key"].as_str()),
        (Some(17), Some("bodies[1].shape.radius"))
    );
    let Some(mut browser) = Browser::launch(1440, 900) else { return };
    browser.open(&served.url);
    browser.wait_for("document.documentElement.dataset.ready && studio.viewer('preview')?.frame");
    assert_eq!(browser.evaluate("studio.viewer('preview').about.bodies.length"), 2);
    // A mistake is typed.
    let set = |text: &str| {
        format!(
            "(() => {{ const t = document.getElementById('text'); t.value = {}; t.dispatchEvent(new Event('input')); }})()",
            json!(text)
        )
    };
    browser.evaluate(&set(&wrong));
    browser.wait_for("studio.complaints.length === 1");
    assert_eq!(browser.evaluate("document.querySelector('#marks u').textContent"), "\"5 kg\"");
    assert_eq!(browser.evaluate("document.getElementById('run').disabled"), true);
    browser.evaluate(&set(SCENE));
    browser.wait_for("studio.complaints.length === 0 && studio.checked.valid");
    // The form changes the text, and the picture follows.
    browser.click_on("#mode-form");
    browser.evaluate(
        "(() => { studio.form.open = new Set(['bodies', 'bodies[1]', 'bodies[1].shape']); studio.form.show(studio.checked.tree, []); \
         const i = document.querySelector('[data-path=\"bodies[1].shape.radius\"] input'); i.value = '7 cm'; \
         i.dispatchEvent(new Event('change')); })()",
    );
    browser.wait_for("document.getElementById('text').value.includes('radius = \"7 cm\"')");
    let after = browser.evaluate("document.getElementById('text').value");
    assert_eq!(after.as_str().unwrap(), SCENE.replace("\"5 cm\"", "\"7 cm\""));
    // It is run and watched.
    browser.wait_for("studio.checked.valid");
    browser.click_on("#run");
    browser.wait_for("studio.viewer(0)?.player?.status.state === 'finished'");
    browser.wait_for("studio.viewer(0).frame");
    assert_eq!(browser.evaluate("studio.viewer(0).player.status.frames"), 501);
    assert_eq!(
        browser.complaints().iter().filter(|text| !text.contains("400")).count(),
        0,
        "{:?}",
        browser.complaints()
    );
    for url in browser.requests() {
        assert!(url.starts_with(&served.url) || url == "about:blank", "{url}");
    }
}
