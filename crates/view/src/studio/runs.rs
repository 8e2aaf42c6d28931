//! The runs of the studio: each a process of its own, `PROGRAM run SCENE -o FOLDER --attended`, so that what it leaves is
//! what the command leaves. Its standard input is held open; when that is closed, by a stop, by the studio's end or by its
//! death, the run stores a checkpoint at its next output and ends.

use crate::feed::Feed;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Runs at once, and runs of one studio.
const AT_ONCE: usize = 4;
const ALL: usize = 1000;
/// Characters of what a run complains about.
const WORDS: usize = 4000;

#[derive(Debug)]
pub(super) struct Runs {
    program: PathBuf,
    folder: PathBuf,
    open: fn(&Path) -> Result<Feed, String>,
    runs: Mutex<Vec<Run>>,
    ended: Arc<AtomicBool>,
}

#[derive(Debug)]
struct Run {
    name: String,
    folder: PathBuf,
    child: Option<Child>,
    /// Closing it stops the run.
    input: Option<ChildStdin>,
    words: Arc<Mutex<String>>,
    feed: Option<Arc<Feed>>,
}

impl Runs {
    pub(super) fn new(program: PathBuf, folder: PathBuf, open: fn(&Path) -> Result<Feed, String>) -> Self {
        Self { program, folder, open, runs: Mutex::new(Vec::new()), ended: Arc::new(AtomicBool::new(false)) }
    }

    fn runs(&self) -> MutexGuard<'_, Vec<Run>> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a run of a scene, a file or the name of a built-in one.
    pub(super) fn start(&self, scene: &Path, name: &str) -> Result<Value, String> {
        let mut runs = self.runs();
        make_room(&mut runs)?;
        let folder = free_folder(&self.folder.join("results"), name);
        let arguments =
            ["run".into(), scene.as_os_str().to_owned(), "-o".into(), folder.clone().into_os_string()];
        let (child, input, words) = self.spawn(&arguments)?;
        runs.push(Run {
            name: name.to_owned(),
            folder,
            child: Some(child),
            input: Some(input),
            words,
            feed: None,
        });
        Ok(json!({"run": runs.len() - 1}))
    }

    /// Stops a run at its next output.
    pub(super) fn stop(&self, number: usize) -> Result<Value, String> {
        let mut runs = self.runs();
        let run = runs.get_mut(number).ok_or("there is no such run")?;
        run.input = None;
        Ok(json!({"run": number}))
    }

    /// Goes on with a run that was stopped.
    pub(super) fn resume(&self, number: usize) -> Result<Value, String> {
        let mut runs = self.runs();
        make_room(&mut runs)?;
        let run = runs.get_mut(number).ok_or("there is no such run")?;
        if run.child.is_some() {
            return Err("it is running".to_owned());
        }
        let arguments = ["resume".into(), run.folder.clone().into_os_string()];
        let (child, input, words) = self.spawn(&arguments)?;
        (run.child, run.input, run.words) = (Some(child), Some(input), words);
        Ok(json!({"run": number}))
    }

    fn spawn(
        &self,
        arguments: &[std::ffi::OsString],
    ) -> Result<(Child, ChildStdin, Arc<Mutex<String>>), String> {
        if self.ended.load(Ordering::SeqCst) {
            return Err("the studio ends".to_owned());
        }
        let mut child = Command::new(&self.program)
            .args(arguments)
            .args(["--attended", "--quiet"])
            .current_dir(&self.folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{}: {error}", self.program.display()))?;
        let input = child.stdin.take().ok_or("the run takes no input")?;
        let words = Arc::new(Mutex::new(String::new()));
        if let Some(mut errors) = child.stderr.take() {
            let words = words.clone();
            let listen = move || {
                let mut room = [0; 1024];
                while let Ok(read @ 1..) = std::io::Read::read(&mut errors, &mut room) {
                    let mut words = words.lock().unwrap_or_else(PoisonError::into_inner);
                    if words.len() < WORDS {
                        *words += &String::from_utf8_lossy(&room[..read]);
                    }
                }
            };
            std::thread::Builder::new()
                .name("words".to_owned())
                .spawn(listen)
                .map_err(|error| format!("no thread to listen to the run: {error}"))?;
        }
        Ok((child, input, words))
    }

    /// All runs, the latest first.
    pub(super) fn list(&self) -> Value {
        let mut runs = self.runs();
        runs.iter_mut().for_each(look);
        let told = |(number, run): (usize, &Run)| {
            let manifest = rattleback_record::Manifest::read(&run.folder).ok();
            let words = run.words.lock().unwrap_or_else(PoisonError::into_inner).clone();
            let verdict = std::fs::read_to_string(run.folder.join("verdict.txt")).ok();
            json!({
                "run": number,
                "name": run.name,
                "folder": run.folder.display().to_string(),
                "alive": run.child.is_some(),
                "stopping": run.child.is_some() && run.input.is_none(),
                "state": manifest.as_ref().map(|m| json!(m.status)),
                "reached": manifest.as_ref().map(|m| m.reached_s),
                "end": manifest.as_ref().map(|m| m.end_s),
                "health": manifest.as_ref().and_then(|m| m.health.as_ref()).map(|h| &h.verdict),
                "verdict": verdict,
                "words": words,
            })
        };
        runs.iter().enumerate().rev().map(told).collect()
    }

    /// A run to be shown, followed from now on.
    pub(super) fn feed(&self, number: usize) -> Result<Arc<Feed>, String> {
        let mut runs = self.runs();
        let run = runs.get_mut(number).ok_or("there is no such run")?;
        if let Some(feed) = &run.feed {
            return Ok(feed.clone());
        }
        let feed = Arc::new((self.open)(&run.folder)?);
        let (followed, ended) = (feed.clone(), self.ended.clone());
        let follow = move || followed.keep_following(|| ended.load(Ordering::SeqCst));
        std::thread::Builder::new()
            .name("follow".to_owned())
            .spawn(follow)
            .map_err(|error| format!("no thread to follow the run: {error}"))?;
        run.feed = Some(feed.clone());
        Ok(feed)
    }

    /// Stops all runs and waits for them.
    pub(super) fn end(&self) {
        self.ended.store(true, Ordering::SeqCst);
        let mut runs = self.runs();
        runs.iter_mut().for_each(|run| run.input = None);
        for run in runs.iter_mut() {
            if let Some(mut child) = run.child.take() {
                // A process that cannot be waited for has ended.
                let _ = child.wait();
            }
        }
    }
}

/// Sees whether a run has ended.
fn look(run: &mut Run) {
    let ended = run.child.as_mut().is_some_and(|child| !matches!(child.try_wait(), Ok(None)));
    if ended {
        run.child = None;
        run.input = None;
    }
}

fn make_room(runs: &mut [Run]) -> Result<(), String> {
    runs.iter_mut().for_each(look);
    if runs.iter().filter(|run| run.child.is_some()).count() >= AT_ONCE {
        return Err(format!("{AT_ONCE} runs are going on; stop one, or wait"));
    }
    if runs.len() >= ALL {
        return Err(format!("this studio has seen {ALL} runs; start it anew"));
    }
    Ok(())
}

/// A folder for results that is not there yet.
fn free_folder(results: &Path, name: &str) -> PathBuf {
    let first = results.join(name);
    if !first.exists() {
        return first;
    }
    let mut numbered = (2..).map(|k: u64| results.join(format!("{name}-{k}")));
    numbered.find(|folder| !folder.exists()).unwrap_or(first)
}
