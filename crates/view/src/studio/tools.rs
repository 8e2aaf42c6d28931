//! Other verbs of the command, as the command lists them: each works on a file of the studio's folder as a process of
//! its own, tells JSON, and may leave a folder of files.

use super::files;
use super::process::Process;
use serde_json::{Map, Value, json};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Tasks at once, and of one studio.
const AT_ONCE: usize = 2;
const ALL: usize = 200;
/// Kinds of files that the page may have.
pub(super) const KINDS: &[&str] =
    &["trc", "mot", "sto", "json", "toml", "png", "stl", "obj", "ply", "off", "3mf", "gltf", "glb", "dae"];

/// A verb that works on a file.
#[derive(Debug, Clone, Copy)]
pub struct Tool {
    /// What it is called, and the verb: `gait check` is `PROGRAM gait check FILE --attended --quiet --json`.
    pub name: &'static str,
    /// What it does.
    pub meaning: &'static str,
    /// The ending of the files that it works on.
    pub ending: &'static str,
    /// Whether it leaves a folder, named by `-o`.
    pub writes: bool,
    /// What can be said beside the file.
    pub options: &'static [ToolOption],
}

/// An option of a tool.
#[derive(Debug, Clone, Copy)]
pub struct ToolOption {
    /// Its name, without the dashes.
    pub name: &'static str,
    /// What it says.
    pub meaning: &'static str,
    /// What its value is.
    pub kind: ToolOptionKind,
}

/// What the value of an option is.
#[derive(Debug, Clone, Copy)]
pub enum ToolOptionKind {
    /// A number.
    Number,
    /// Two numbers with a comma.
    Interval,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A file of that name in a folder of results, which is named.
    Result(&'static str),
    /// A file of the studio's folder with one of these endings.
    File(&'static [&'static str]),
}

#[derive(Debug)]
pub(super) struct Tools {
    program: PathBuf,
    folder: PathBuf,
    tools: &'static [Tool],
    tasks: Mutex<Vec<Task>>,
}

#[derive(Debug)]
struct Task {
    tool: &'static Tool,
    input: String,
    folder: Option<PathBuf>,
    process: Process,
}

impl Tools {
    pub(super) fn new(program: PathBuf, folder: PathBuf, tools: &'static [Tool]) -> Self {
        Self { program, folder, tools, tasks: Mutex::default() }
    }

    fn tasks(&self) -> MutexGuard<'_, Vec<Task>> {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn results(&self) -> PathBuf {
        self.folder.join("results")
    }

    /// The tools, and the files that they can work on.
    pub(super) fn list(&self) -> Value {
        let kind = |kind: ToolOptionKind| match kind {
            ToolOptionKind::Number => json!({"type": "number"}),
            ToolOptionKind::Interval => json!({"type": "interval"}),
            ToolOptionKind::Choice(words) => json!({"type": "choice", "choices": words}),
            ToolOptionKind::Result(file) => {
                json!({"type": "choice", "choices": files::folders_with(&self.results(), file)})
            }
            ToolOptionKind::File(endings) => {
                json!({"type": "choice", "choices": files::list(&self.folder, endings)})
            }
        };
        let option = |option: &ToolOption| {
            let mut told = kind(option.kind);
            (told["name"], told["meaning"]) = (option.name.into(), option.meaning.into());
            told
        };
        let tool = |tool: &Tool| {
            let options: Vec<Value> = tool.options.iter().map(option).collect();
            json!({
                "name": tool.name, "meaning": tool.meaning, "options": options,
                "files": files::list(&self.folder, &[tool.ending]),
            })
        };
        self.tools.iter().map(tool).collect()
    }

    /// Starts a tool on a file.
    pub(super) fn start(&self, name: &str, input: &str, given: &Map<String, Value>) -> Result<Value, String> {
        let tool = self.tools.iter().find(|tool| tool.name == name).ok_or("there is no such tool")?;
        let file = files::find(&self.folder, input)?;
        if !file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(tool.ending)) {
            return Err(format!("\"{input}\" does not end in .{}", tool.ending));
        }
        let mut tasks = self.tasks();
        let alive = tasks.iter_mut().filter_map(|task| task.process.is_alive().then_some(())).count();
        if alive >= AT_ONCE || tasks.len() >= ALL {
            return Err(format!(
                "{alive} tasks are going on, {} were seen; wait, or start anew",
                tasks.len()
            ));
        }
        let mut arguments: Vec<OsString> = tool.name.split(' ').map(OsString::from).collect();
        arguments.push(file.clone().into_os_string());
        for (key, value) in given {
            arguments.push(self.option(tool, key, value)?);
        }
        let folder = tool.writes.then(|| {
            let stem = file.file_stem().unwrap_or_default().to_string_lossy();
            let name = format!("{stem}-{}", tool.name.replace(' ', "-"));
            let is_taken = |folder: &Path| tasks.iter().any(|task| task.folder.as_deref() == Some(folder));
            files::free_folder(&self.results(), &name, is_taken)
        });
        if let Some(folder) = &folder {
            arguments.extend(["-o".into(), folder.clone().into_os_string()]);
        }
        let process = Process::spawn(&self.program, &arguments, &self.folder)?;
        tasks.push(Task { tool, input: input.to_owned(), folder, process });
        Ok(json!({"task": tasks.len() - 1}))
    }

    /// An option with its value, which is of the kind that the tool says.
    fn option(&self, tool: &Tool, key: &str, value: &Value) -> Result<OsString, String> {
        let option = tool.options.iter().find(|option| option.name == key);
        let option = option.ok_or_else(|| format!("{}: there is no option \"{key}\"", tool.name))?;
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            _ => return Err(format!("{key}: expected a text or a number")),
        };
        let is_number = |text: &str| text.trim().parse().is_ok_and(f64::is_finite);
        let told: OsString = match option.kind {
            ToolOptionKind::Number if is_number(&text) => text.into(),
            ToolOptionKind::Interval if text.split(',').count() == 2 && text.split(',').all(is_number) => {
                text.into()
            }
            ToolOptionKind::Choice(words) if words.contains(&text.as_str()) => text.into(),
            ToolOptionKind::Result(file) if files::folders_with(&self.results(), file).contains(&text) => {
                self.results().join(text).join(file).into()
            }
            ToolOptionKind::File(endings) if files::list(&self.folder, endings).contains(&text) => {
                self.folder.join(text).into()
            }
            _ => return Err(format!("{key}: \"{text}\" is none of its values")),
        };
        // A value that begins with a dash would be taken for another option.
        let mut joined = OsString::from(format!("--{key}="));
        joined.push(told);
        Ok(joined)
    }

    /// All tasks, the latest first; what they told comes with each one by itself.
    pub(super) fn tasks_told(&self) -> Value {
        let mut tasks = self.tasks();
        let told = |(number, task): (usize, &mut Task)| {
            let alive = task.process.is_alive();
            let files = task.folder.as_ref().map(|folder| files::list(folder, KINDS)).unwrap_or_default();
            json!({
                "task": number, "tool": task.tool.name, "input": task.input, "alive": alive,
                "code": task.process.code(), "words": task.process.heard.words(), "files": files,
                "folder": task.folder.as_ref().map(|folder| folder.display().to_string()),
            })
        };
        tasks.iter_mut().enumerate().map(told).rev().collect()
    }

    /// What a task told.
    pub(super) fn told(&self, number: usize) -> Result<Value, String> {
        let tasks = self.tasks();
        let task = tasks.get(number).ok_or("there is no such task")?;
        task.process.heard.told().ok_or_else(|| "it has told nothing yet".to_owned())
    }

    /// A file that a task left.
    pub(super) fn file(&self, number: usize, name: &str) -> Result<Vec<u8>, String> {
        let tasks = self.tasks();
        let task = tasks.get(number).ok_or("there is no such task")?;
        files::read(task.folder.as_deref().ok_or("it leaves no files")?, name, KINDS)
    }

    /// Ends a task; what it would have left is not there.
    pub(super) fn stop(&self, number: usize) -> Result<Value, String> {
        let mut tasks = self.tasks();
        tasks.get_mut(number).ok_or("there is no such task")?.process.ask_to_end();
        Ok(json!({"task": number}))
    }

    /// Ends all tasks.
    pub(super) fn end(&self) {
        self.tasks().iter_mut().for_each(|task| task.process.wait());
    }

    /// The folder in which the files are.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }
}
