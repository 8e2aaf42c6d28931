//! A real browser, driven over the DevTools protocol: Chromium or Chrome without a window, found by `CHROME` or in the
//! path. Where there is none, tests that need one say so and pass.

use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tungstenite::{Message, WebSocket};

/// Says what is wrong with how a page looks.
const LOOKS: &str = include_str!("looks.js");
/// How long anything may take, on a slow machine with a renderer of its own.
const PATIENCE: Duration = Duration::from_secs(90);
/// What a page tells its user, and what it knows of its runs.
const TOLD: &str = "JSON.stringify([document.getElementById('said')?.textContent, globalThis.studio?.isStepping, \
                    globalThis.studio?.shown, globalThis.studio?.runs, \
                    globalThis.studio?.viewer?.(0)?.player?.status])";

/// A browser.
pub struct Browser {
    child: Child,
    profile: PathBuf,
    socket: WebSocket<TcpStream>,
    count: u64,
    session: String,
    /// Messages that came unasked.
    events: VecDeque<Value>,
}

fn find() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("CHROME") {
        return Some(path.into());
    }
    let folders = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    std::env::split_paths(&folders)
        .flat_map(|folder| names.map(|name| folder.join(name)))
        .find(|path| path.is_file())
}

impl Browser {
    /// A browser with an empty page of that size; none, with a word on it, where there is no browser.
    pub fn launch(width: u32, height: u32) -> Option<Self> {
        let Some(program) = find() else {
            eprintln!("skipped: no Chromium in the path, and CHROME does not name one");
            return None;
        };
        let profile = std::env::temp_dir().join(
            format!("rattleback-browser-{}-{width}-{:?}", std::process::id(), Instant::now())
                .replace([' ', '{', '}', ':'], ""),
        );
        std::fs::create_dir_all(&profile).unwrap();
        let mut child = Command::new(program)
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
            ])
            .args([
                "--disable-component-update",
                "--disable-sync",
                "--remote-debugging-port=0",
                "--hide-scrollbars",
            ])
            .args(["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"])
            .arg(format!("--window-size={width},{height}"))
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg("about:blank")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let address = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| line.strip_prefix("DevTools listening on ").map(str::to_owned))
            .expect("the browser says where it listens");
        // What it says later must be read, or it waits.
        std::thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
        let host = address.strip_prefix("ws://").unwrap().split('/').next().unwrap();
        let stream = TcpStream::connect(host).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let (socket, _) = tungstenite::client(address.as_str(), stream).unwrap();
        let mut browser =
            Self { child, profile, socket, count: 0, session: String::new(), events: VecDeque::new() };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let attached =
            browser.call("Target.attachToTarget", json!({"targetId": target["targetId"], "flatten": true}));
        browser.session = attached["sessionId"].as_str().unwrap().to_owned();
        for domain in ["Page", "Runtime", "Network", "Log"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser.resize(width, height);
        Some(browser)
    }

    /// Calls a method of the protocol.
    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.count += 1;
        let id = self.count;
        let mut request = json!({"id": id, "method": method, "params": parameters});
        if !self.session.is_empty() {
            request["sessionId"] = self.session.clone().into();
        }
        self.socket.send(Message::text(request.to_string())).unwrap();
        loop {
            let message = self.read();
            if message["id"] == id {
                assert!(message["error"].is_null(), "{method}: {}", message["error"]);
                return message["result"].clone();
            }
            self.events.push_back(message);
        }
    }

    fn read(&mut self) -> Value {
        loop {
            if let Message::Text(text) = self.socket.read().expect("the browser answers") {
                return serde_json::from_str(&text).unwrap();
            }
        }
    }

    pub fn resize(&mut self, width: u32, height: u32) {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600});
        self.call("Emulation.setDeviceMetricsOverride", size);
    }

    /// Opens an address.
    pub fn open(&mut self, url: &str) {
        self.call("Page.navigate", json!({"url": url}));
    }

    /// The value of an expression, awaited.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let asked = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let answer = self.call("Runtime.evaluate", asked);
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].clone()
    }

    /// Waits until an expression is true.
    pub fn wait_for(&mut self, expression: &str) {
        let begun = Instant::now();
        // What the expression needs may not be there yet.
        let asked =
            format!("(() => {{ try {{ return Boolean({expression}); }} catch {{ return false; }} }})()");
        while self.evaluate(&asked) != true {
            if begun.elapsed() > PATIENCE {
                let told = self.evaluate(TOLD);
                panic!("waited for {expression}; {told}; {:?}", self.complaints());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Clicks at a place of the page.
    pub fn click(&mut self, x: f64, y: f64) {
        for kind in ["mousePressed", "mouseReleased"] {
            let event =
                json!({"type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1});
            self.call("Input.dispatchMouseEvent", event);
        }
    }

    /// Clicks in the middle of what a selector finds.
    pub fn click_on(&mut self, selector: &str) {
        let [x, y] = self.middle(selector);
        self.click(x, y);
    }

    /// The middle of what a selector finds, after it was scrolled into view.
    pub fn middle(&mut self, selector: &str) -> [f64; 2] {
        let found = self.evaluate(&format!(
            "(() => {{ const e = document.querySelector({selector:?}); e.scrollIntoView({{block: 'nearest'}}); \
             const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; }})()"
        ));
        [found[0].as_f64().unwrap(), found[1].as_f64().unwrap()]
    }

    /// Presses a key, as text where it has some.
    pub fn press(&mut self, key: &str) {
        for kind in ["keyDown", "keyUp"] {
            let mut event = json!({"type": kind, "key": key});
            if kind == "keyDown" && key.chars().count() == 1 {
                event["text"] = key.into();
            }
            self.call("Input.dispatchKeyEvent", event);
        }
    }

    /// What is wrong with how the page looks, on a laptop and on a telephone, light and dark; `page` is what sets the
    /// scheme. With `RATTLEBACK_SCREENSHOTS` pictures of it are left in that folder.
    pub fn looks(&mut self, page: &str, what: &str) -> Vec<String> {
        let shots = std::env::var_os("RATTLEBACK_SCREENSHOTS").map(PathBuf::from);
        let mut told = Vec::new();
        for (width, height) in [(390, 844), (1440, 900)] {
            self.resize(width, height);
            for scheme in ["dark", "light"] {
                // What changes its colour slowly has done so.
                self.evaluate(&format!(
                    "{page}.setTheme('{scheme}'), document.getAnimations().forEach((own) => own.finish())"
                ));
                let found = self.evaluate(LOOKS);
                let found = found.as_array().into_iter().flatten().filter_map(Value::as_str);
                told.extend(
                    found.map(|sentence| format!("{what}, {width} × {height}, {scheme}: {sentence}")),
                );
                if let Some(shots) = &shots {
                    self.screenshot(&shots.join(format!("{what}-{width}-{scheme}.png").replace(' ', "-")));
                }
            }
        }
        told
    }

    /// A picture of what is seen, as PNG.
    pub fn screenshot(&mut self, path: &Path) {
        let picture = self.call("Page.captureScreenshot", json!({"format": "png"}));
        let bytes = decode_base64(picture["data"].as_str().unwrap());
        std::fs::write(path, bytes).unwrap();
    }

    /// Errors of the console and exceptions so far.
    pub fn complaints(&mut self) -> Vec<String> {
        self.evaluate("0");
        let is_error = |event: &&Value| match event["method"].as_str() {
            Some("Runtime.exceptionThrown") => true,
            Some("Runtime.consoleAPICalled") => event["params"]["type"] == "error",
            Some("Log.entryAdded") => event["params"]["entry"]["level"] == "error",
            _ => false,
        };
        self.events.iter().filter(is_error).map(|event| event["params"].to_string()).collect()
    }

    /// Forgets what was complained of and asked for so far.
    pub fn forget(&mut self) {
        self.events.clear();
    }

    /// The addresses that were asked for so far.
    pub fn requests(&mut self) -> Vec<String> {
        self.evaluate("0");
        let sent = self.events.iter().filter(|event| event["method"] == "Network.requestWillBeSent");
        sent.map(|event| event["params"]["request"]["url"].as_str().unwrap().to_owned()).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}

/// Bytes of base64 text.
pub fn decode_base64(text: &str) -> Vec<u8> {
    let value = |c: u8| match c {
        b'A'..=b'Z' => u32::from(c - b'A'),
        b'a'..=b'z' => u32::from(c - b'a') + 26,
        b'0'..=b'9' => u32::from(c - b'0') + 52,
        b'+' => 62,
        _ => 63,
    };
    let letters: Vec<u8> = text.bytes().filter(|c| *c != b'=').collect();
    let bytes = letters.chunks(4).flat_map(|four| {
        let sum = four.iter().enumerate().fold(0, |sum, (k, c)| sum | value(*c) << (18 - 6 * k));
        sum.to_be_bytes()[1..four.len()].to_vec()
    });
    bytes.collect()
}
