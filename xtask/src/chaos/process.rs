//! The command as a process that can be waited for and signalled.

use super::disk::{Disk, Namespaces};
use super::{CHECKPOINT, Case};
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A process that takes longer than this hangs.
const LONGEST: Duration = Duration::from_secs(300);

/// The program, and the folder in which it is called.
pub struct Program {
    path: PathBuf,
    folder: PathBuf,
    namespaces: Option<Namespaces>,
}

/// How a process ended.
pub struct Ended {
    /// Its exit code; none where a signal killed it.
    pub code: Option<i32>,
    /// What it said on standard error.
    pub said: String,
}

impl fmt::Display for Ended {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.code {
            Some(code) => write!(formatter, "exit {code}: {}", self.said.trim_end()),
            None => write!(formatter, "killed: {}", self.said.trim_end()),
        }
    }
}

impl Ended {
    /// Whether it failed with one of these codes and said why.
    pub fn is_refusal(&self, codes: &[i32]) -> bool {
        self.code.is_some_and(|code| codes.contains(&code)) && self.said.starts_with("error: ")
    }
}

/// A process under way.
pub struct Process(Result<Child, String>);

impl Program {
    pub fn new(path: &Path, folder: &Path) -> Result<Self, String> {
        std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let path = path.canonicalize().map_err(|e| format!("{}: {e}", path.display()))?;
        Ok(Self { path, folder: folder.to_owned(), namespaces: Namespaces::find() })
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether disks can be made that are full or read-only.
    pub fn has_disks(&self) -> bool {
        self.namespaces.is_some()
    }

    /// Begins a run of a case into a folder.
    pub fn run(&self, case: &Case, folder: &Path) -> Process {
        self.begin(&self.run_arguments(case, folder), Disk::Roomy)
    }

    /// Takes up the run in a folder.
    pub fn resume(&self, folder: &Path) -> Process {
        self.begin(&Self::resume_arguments(folder), Disk::Roomy)
    }

    /// Either of them, on a disk.
    pub fn go_on(&self, case: &Case, folder: &Path, begun: bool, disk: Disk<'_>) -> Process {
        let arguments = if begun { Self::resume_arguments(folder) } else { self.run_arguments(case, folder) };
        self.begin(&arguments, disk)
    }

    fn run_arguments(&self, case: &Case, folder: &Path) -> Vec<String> {
        let mut arguments = vec!["run".to_owned(), case.scene.to_owned(), "-o".to_owned()];
        arguments.push(folder.display().to_string());
        arguments.extend(case.options.iter().chain(&CHECKPOINT).map(|&text| text.to_owned()));
        arguments.extend(["--no-report", "--quiet"].map(str::to_owned));
        arguments
    }

    fn resume_arguments(folder: &Path) -> Vec<String> {
        let mut arguments = vec!["resume".to_owned(), folder.display().to_string()];
        arguments.extend(CHECKPOINT.map(str::to_owned));
        arguments.extend(["--no-report", "--quiet"].map(str::to_owned));
        arguments
    }

    fn begin(&self, arguments: &[String], disk: Disk<'_>) -> Process {
        let spawned = disk.command(&self.path, self.namespaces).and_then(|mut command| {
            command.args(arguments).current_dir(&self.folder);
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
            command.spawn().map_err(|e| format!("{}: {e}", self.path.display()))
        });
        Process(spawned)
    }
}

impl Process {
    /// Waits until it ends by itself.
    pub fn wait(self) -> Result<Ended, String> {
        let mut child = self.0?;
        let begun = Instant::now();
        while child.try_wait().map_err(|e| e.to_string())?.is_none() {
            if begun.elapsed() > LONGEST {
                child.kill().map_err(|e| e.to_string())?;
                return Err(format!("process {} hangs", child.id()));
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        ended(child)
    }

    /// Lets it go on for a while and sends it a signal so many times, if it has not ended by then; says how it ended.
    pub fn signal_after(self, delay: Duration, signal: Signal, times: u64) -> Result<Ended, String> {
        let mut child = self.0?;
        let begun = Instant::now();
        while begun.elapsed() < delay && child.try_wait().map_err(|e| e.to_string())?.is_none() {
            std::thread::sleep(Duration::from_micros(500).min(delay));
        }
        if child.try_wait().map_err(|e| e.to_string())?.is_some() {
            return ended(child);
        }
        match signal {
            Signal::Kill => child.kill().map_err(|e| e.to_string())?,
            Signal::Terminate | Signal::Interrupt => {
                let word = if signal == Signal::Terminate { "-TERM" } else { "-INT" };
                let id = child.id().to_string();
                for _ in 0..times {
                    // Two that come together count as one.
                    std::thread::sleep(Duration::from_millis(1));
                    let status = Command::new("kill").args([word, &id]).stderr(Stdio::null()).status();
                    status.map_err(|e| format!("kill: {e}"))?;
                }
            }
        }
        Process(Ok(child)).wait()
    }
}

fn ended(child: Child) -> Result<Ended, String> {
    let output = child.wait_with_output().map_err(|e| e.to_string())?;
    Ok(Ended { code: output.status.code(), said: String::from_utf8_lossy(&output.stderr).into_owned() })
}

/// What a process is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    Kill,
    Terminate,
    Interrupt,
}
