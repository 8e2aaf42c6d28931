//! A process of the command itself, held by its standard input: when that is closed, by a stop, by the studio's end or
//! by its death, an attended process ends by itself. It stands in a process group of its own: what the terminal sends
//! to the studio, Ctrl-C or a hang-up, does not end it before it has stored what it has.

use std::ffi::OsString;
use std::io::Read;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes of what a process complains about, and of what it tells.
const WORDS: usize = 4000;
const TOLD: usize = 4 << 20;

/// What a process has said so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Heard {
    errors: Arc<Mutex<Vec<u8>>>,
    output: Arc<Mutex<Vec<u8>>>,
}

impl Heard {
    /// Its complaints.
    pub(super) fn words(&self) -> String {
        text(&self.errors)
    }

    /// What it told, where that is JSON.
    pub(super) fn told(&self) -> Option<serde_json::Value> {
        serde_json::from_str(&text(&self.output)).ok()
    }
}

fn text(bytes: &Mutex<Vec<u8>>) -> String {
    String::from_utf8_lossy(&bytes.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
}

#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    /// Closing it ends the process.
    input: Option<ChildStdin>,
    pub(super) heard: Heard,
}

impl Process {
    pub(super) fn spawn(program: &Path, arguments: &[OsString], folder: &Path) -> Result<Self, String> {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .args(["--attended", "--quiet", "--json"])
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| format!("{}: {error}", program.display()))?;
        let input = child.stdin.take();
        let heard = Heard::default();
        if let Some(errors) = child.stderr.take() {
            listen(errors, heard.errors.clone(), WORDS)?;
        }
        if let Some(output) = child.stdout.take() {
            listen(output, heard.output.clone(), TOLD)?;
        }
        Ok(Self { child, input, heard })
    }

    pub(super) fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// The exit code of a process that has ended by itself.
    pub(super) fn code(&mut self) -> Option<i32> {
        self.child.try_wait().ok().flatten().and_then(|status| status.code())
    }

    pub(super) fn is_ending(&self) -> bool {
        self.input.is_none()
    }

    /// Asks it to end.
    pub(super) fn ask_to_end(&mut self) {
        self.input = None;
    }

    /// Waits until it has ended. A process that cannot be waited for has ended.
    pub(super) fn wait(&mut self) {
        self.ask_to_end();
        let _ = self.child.wait();
    }
}

/// Keeps the first bytes of what comes; the rest is read too, or the process would wait.
fn listen(mut from: impl Read + Send + 'static, to: Arc<Mutex<Vec<u8>>>, most: usize) -> Result<(), String> {
    let listen = move || {
        let mut room = [0; 4096];
        while let Ok(read @ 1..) = from.read(&mut room) {
            let mut to = to.lock().unwrap_or_else(PoisonError::into_inner);
            let free = most.saturating_sub(to.len());
            to.extend_from_slice(&room[..read.min(free)]);
        }
    };
    std::thread::Builder::new()
        .name("listen".to_owned())
        .spawn(listen)
        .map(drop)
        .map_err(|error| format!("no thread to listen to the process: {error}"))
}
