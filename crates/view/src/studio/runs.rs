//! The runs of the studio: each a process of its own, `PROGRAM run SCENE -o FOLDER --attended`, so that what it leaves
//! is what the command leaves. Many can be asked for at once: as many as there are cores go on, the others wait.
//! Results that were there when the studio was started are listed with them.

use super::files;
use super::process::{Heard, Process};
use crate::feed::Feed;
use rattleback_record::Manifest;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Runs at once, and runs of one studio.
const AT_ONCE: usize = 4;
const ALL: usize = 1000;
/// Results from before that are listed, the latest.
const EARLIER: usize = 100;
/// Between two looks whether a run that waits can begin.
const PAUSE: Duration = Duration::from_millis(100);
/// What has a run stop after one output.
const ONE_STEP: [&str; 2] = ["--outputs", "1"];

#[derive(Debug)]
pub(super) struct Runs {
    shared: Arc<Shared>,
    open: fn(&Path) -> Result<Feed, String>,
}

#[derive(Debug)]
struct Shared {
    program: PathBuf,
    folder: PathBuf,
    runs: Mutex<Vec<Run>>,
    ended: Arc<AtomicBool>,
    /// Whether a thread begins what waits; changed by who holds the runs alone.
    is_queued: AtomicBool,
}

#[derive(Debug)]
struct Run {
    name: String,
    folder: PathBuf,
    stage: Stage,
    heard: Heard,
    feed: Option<Arc<Feed>>,
    /// What the page wants to know it by.
    label: Value,
    /// What is told of it, once nothing changes any more.
    told: Option<Value>,
}

#[derive(Debug)]
enum Stage {
    /// To be begun with these arguments.
    Waiting(Vec<OsString>),
    Going(Process),
    Over,
}

/// A run that is asked for.
#[derive(Debug)]
pub(super) struct Wanted<'a> {
    /// A file, or the name of a built-in scene.
    pub scene: &'a Path,
    pub name: &'a str,
    /// Whether it may wait for others to end.
    pub waits: bool,
    /// Whether it stops after its first output step.
    pub steps: bool,
    pub label: Value,
}

impl Runs {
    pub(super) fn new(program: PathBuf, folder: PathBuf, open: fn(&Path) -> Result<Feed, String>) -> Self {
        let runs = Mutex::new(earlier(&folder.join("results")));
        Self {
            shared: Arc::new(Shared {
                program,
                folder,
                runs,
                ended: Arc::default(),
                is_queued: AtomicBool::new(false),
            }),
            open,
        }
    }

    /// Starts a run of a scene, or has it wait.
    pub(super) fn start(&self, wanted: Wanted<'_>) -> Result<Value, String> {
        let mut runs = self.shared.runs();
        make_room(&mut runs, wanted.waits)?;
        let results = self.shared.folder.join("results");
        let is_taken = |folder: &Path| runs.iter().any(|run| run.folder == folder);
        let folder = files::free_folder(&results, wanted.name, is_taken);
        let mut arguments = vec![
            "run".into(),
            wanted.scene.as_os_str().to_owned(),
            "-o".into(),
            folder.clone().into_os_string(),
        ];
        arguments.extend(wanted.steps.then_some(ONE_STEP).into_iter().flatten().map(OsString::from));
        let (stage, heard) = if wanted.waits {
            (Stage::Waiting(arguments), Heard::default())
        } else {
            let process = self.shared.spawn(&arguments)?;
            let heard = process.heard.clone();
            (Stage::Going(process), heard)
        };
        let name = wanted.name.to_owned();
        runs.push(Run { name, folder, stage, heard, feed: None, label: wanted.label, told: None });
        if wanted.waits && !self.shared.is_queued.swap(true, Ordering::SeqCst) {
            self.begin_waiting()?;
        }
        Ok(json!({"run": runs.len() - 1}))
    }

    /// Begins those that wait, one after the other, as others end.
    fn begin_waiting(&self) -> Result<(), String> {
        let shared = self.shared.clone();
        let work = move || {
            while shared.begin_next() {
                std::thread::sleep(PAUSE);
            }
        };
        std::thread::Builder::new()
            .name("queue".to_owned())
            .spawn(work)
            .map(drop)
            .map_err(|error| format!("no thread for runs that wait: {error}"))
    }

    /// Stops a run at its next output; one that waits is not begun.
    pub(super) fn stop(&self, number: usize) -> Result<Value, String> {
        let mut runs = self.shared.runs();
        let run = runs.get_mut(number).ok_or("there is no such run")?;
        match &mut run.stage {
            Stage::Waiting(_) => run.stage = Stage::Over,
            Stage::Going(process) => process.ask_to_end(),
            Stage::Over => {}
        }
        Ok(json!({"run": number}))
    }

    /// Goes on with a run that was stopped, to its end or by one output.
    pub(super) fn resume(&self, number: usize, steps: bool) -> Result<Value, String> {
        let mut runs = self.shared.runs();
        make_room(&mut runs, false)?;
        let run = runs.get_mut(number).ok_or("there is no such run")?;
        if !matches!(run.stage, Stage::Over) {
            return Err("it is running".to_owned());
        }
        let mut arguments: Vec<OsString> = vec!["resume".into(), run.folder.clone().into_os_string()];
        arguments.extend(steps.then_some(ONE_STEP).into_iter().flatten().map(OsString::from));
        let process = self.shared.spawn(&arguments)?;
        (run.heard, run.told) = (process.heard.clone(), None);
        run.stage = Stage::Going(process);
        Ok(json!({"run": number}))
    }

    /// All runs, the latest first.
    pub(super) fn list(&self) -> Value {
        let mut runs = self.shared.runs();
        runs.iter_mut().for_each(look);
        runs.iter_mut().enumerate().map(|(number, run)| run.tell(number)).rev().collect()
    }

    /// The text of the scene that was run.
    pub(super) fn scene(&self, number: usize) -> Result<String, String> {
        let runs = self.shared.runs();
        let run = runs.get(number).ok_or("there is no such run")?;
        let text = files::read(&run.folder, "scene.toml", &["toml"])?;
        String::from_utf8(text).map_err(|error| error.to_string())
    }

    /// A run to be shown, followed from now on.
    pub(super) fn feed(&self, number: usize) -> Result<Arc<Feed>, String> {
        let mut runs = self.shared.runs();
        let run = runs.get_mut(number).ok_or("there is no such run")?;
        if let Some(feed) = &run.feed {
            return Ok(feed.clone());
        }
        let feed = Arc::new((self.open)(&run.folder)?);
        let (followed, ended) = (feed.clone(), self.shared.ended.clone());
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
        self.shared.ended.store(true, Ordering::SeqCst);
        let mut runs = self.shared.runs();
        for run in runs.iter_mut() {
            if let Stage::Going(process) = &mut run.stage {
                process.ask_to_end();
            }
        }
        for run in runs.iter_mut() {
            if let Stage::Going(process) = &mut run.stage {
                process.wait();
            }
            run.stage = Stage::Over;
        }
    }
}

impl Shared {
    fn runs(&self) -> MutexGuard<'_, Vec<Run>> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn spawn(&self, arguments: &[OsString]) -> Result<Process, String> {
        if self.ended.load(Ordering::SeqCst) {
            return Err("the studio ends".to_owned());
        }
        Process::spawn(&self.program, arguments, &self.folder)
    }

    /// Begins the first run that waits where there is room; says whether any waits still.
    fn begin_next(&self) -> bool {
        let mut runs = self.runs();
        runs.iter_mut().for_each(look);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let mut room = cores.min(AT_ONCE).saturating_sub(going(&runs));
        for run in runs.iter_mut() {
            let Stage::Waiting(arguments) = &run.stage else { continue };
            if room == 0 || self.ended.load(Ordering::SeqCst) {
                break;
            }
            room -= 1;
            // A run that cannot be begun is over; why is told where others are begun by hand.
            run.stage = self.spawn(arguments).map_or(Stage::Over, |process| {
                run.heard = process.heard.clone();
                Stage::Going(process)
            });
        }
        let goes_on = !self.ended.load(Ordering::SeqCst)
            && runs.iter().any(|run| matches!(run.stage, Stage::Waiting(_)));
        self.is_queued.store(goes_on, Ordering::SeqCst);
        goes_on
    }
}

impl Run {
    fn tell(&mut self, number: usize) -> Value {
        if let Some(told) = &self.told {
            return told.clone();
        }
        let is_over = matches!(self.stage, Stage::Over);
        let manifest = Manifest::read(&self.folder).ok();
        let reached = match is_over {
            true => manifest.as_ref().map(|m| m.reached_s),
            false => last_time(&self.folder),
        };
        let verdict = std::fs::read_to_string(self.folder.join("verdict.txt")).ok();
        let said = if is_over { self.heard.told() } else { None };
        let told = json!({
            "run": number,
            "name": self.name,
            "folder": self.folder.display().to_string(),
            "alive": matches!(self.stage, Stage::Going(_)),
            "waiting": matches!(self.stage, Stage::Waiting(_)),
            "stopping": matches!(&self.stage, Stage::Going(process) if process.is_ending()),
            "state": manifest.as_ref().map(|m| json!(m.status)),
            "reached": reached,
            "end": manifest.as_ref().map(|m| m.end_s),
            "wall": manifest.as_ref().map(|m| m.wall_s),
            "health": manifest.as_ref().and_then(|m| m.health.as_ref()).map(|h| &h.verdict),
            "verdict": verdict.filter(|_| is_over),
            "outcome": said.map_or(Value::Null, |mut said| said["verdict"].take()),
            "words": self.heard.words(),
            "label": self.label,
        });
        self.told = is_over.then(|| told.clone());
        told
    }
}

/// The results that are there, those of links passed over.
fn earlier(results: &Path) -> Vec<Run> {
    let time = |name: &String| results.join(name).join("run.json").metadata().and_then(|m| m.modified()).ok();
    let mut names = files::folders_with(results, "run.json");
    names.sort_by_key(time);
    let from = names.len().saturating_sub(EARLIER);
    let run = |name: String| Run {
        folder: results.join(&name),
        name,
        stage: Stage::Over,
        heard: Heard::default(),
        feed: None,
        label: Value::Null,
        told: None,
    };
    names.drain(from..).map(run).collect()
}

/// Sees whether a run has ended.
fn look(run: &mut Run) {
    if let Stage::Going(process) = &mut run.stage
        && !process.is_alive()
    {
        run.stage = Stage::Over;
    }
}

fn going(runs: &[Run]) -> usize {
    runs.iter().filter(|run| matches!(run.stage, Stage::Going(_))).count()
}

fn make_room(runs: &mut [Run], waits: bool) -> Result<(), String> {
    runs.iter_mut().for_each(look);
    if !waits && going(runs) >= AT_ONCE {
        return Err(format!("{AT_ONCE} runs are going on; stop one, or wait"));
    }
    if runs.len() >= ALL {
        return Err(format!("this studio has seen {ALL} runs; start it anew"));
    }
    Ok(())
}

/// The time of the last whole row of the energies, of which there is one per output.
fn last_time(folder: &Path) -> Option<f64> {
    const TAIL: u64 = 4096;
    let mut file = std::fs::File::open(folder.join("energies.csv")).ok()?;
    let length = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL))).ok()?;
    let mut tail = Vec::new();
    file.take(TAIL).read_to_end(&mut tail).ok()?;
    let text = String::from_utf8_lossy(&tail);
    let whole = &text[..text.rfind('\n')?];
    whole.rsplit('\n').next()?.split(',').next()?.parse().ok()
}
