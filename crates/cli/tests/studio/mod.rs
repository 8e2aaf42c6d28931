//! `view` and `studio`: called as a user does, over their addresses and in a browser.

#[path = "../../../view/tests/browser/mod.rs"]
#[allow(dead_code, reason = "shared with the tests of the viewer, which use more of it")]
mod browser;
mod hostile;
mod page;
mod runs;

use crate::command::{command, text};
use serde_json::Value;
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
        let mut command = command(folder, arguments);
        // As a shell starts it: in a process group of its own.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.arg("--json").stdout(Stdio::piped()).spawn().unwrap();
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

    /// Waits until a run has recorded some frames.
    fn wait_for_frames(&self, run: usize) {
        let begun = Instant::now();
        while self.ask(&format!("view/{run}/api/status"), None).0 != 200 {
            assert!(begun.elapsed() < Duration::from_secs(60));
        }
        self.wait_for(&format!("view/{run}/api/status"), |status| {
            status["recorded"].as_u64().is_some_and(|frames| frames > 20)
        });
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
