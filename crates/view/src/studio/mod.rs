//! The studio: scenes written, drawn, run and compared.
//!
//! | what | file |
//! |---|---|
//! | which request gets what | `mod.rs` |
//! | scenes: built in, opened, saved, checked, edited by their keys | `desk.rs`, `edit.rs` |
//! | which files a scene may read | `confine.rs` |
//! | runs: started, queued, stopped, taken up again | `runs.rs` |
//! | other verbs of the command on files of the folder | `tools.rs` |
//! | processes; files by their names | `process.rs`, `files.rs` |
//!
//! | path | answer |
//! |---|---|
//! | `` | the page; its parts by their names |
//! | `view/preview/…`, `view/RUN/…` | the viewer of the scene as it begins, or of a run |
//! | `api/gallery`, `api/picture?example=`, `api/example?name=`, `api/opened`, `api/schema`, `api/runs` | what there is |
//! | `api/scenes`, `api/open?name=`, `api/picture?scene=`, `api/files`, `api/file?name=` | the studio's folder |
//! | `api/check`, `api/edit`, `api/save` | the text of a scene, sent with it |
//! | `api/run`, `api/stop`, `api/resume`, `api/step`, `api/scene?run=` | a run |
//! | `api/tools`, `api/task`, `api/tasks`, `api/told?task=`, `api/left?task=&name=`, `api/end` | other verbs |
//!
//! Scenes are saved into one folder, by names of letters, digits, `-` and `_`; what the studio has not opened or
//! written itself it does not overwrite. Results go to `results/` in the same folder.

mod confine;
mod desk;
mod edit;
mod files;
mod process;
mod runs;
mod tools;

pub use tools::{Tool, ToolOption, ToolOptionKind};

use crate::error::ViewError;
use crate::feed::Feed;
use crate::page::{self, Mode};
use crate::server::{Handler, Request, Response};
use crate::viewer;
use desk::Desk;
use rattleback_scene::{BuiltIn, Format};
use runs::{Runs, Wanted};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tools::Tools;

const BYTES: &str = "application/octet-stream";

/// What the studio needs of the command that starts it.
#[derive(Debug, Clone)]
pub struct StudioOptions {
    /// The program that runs scenes: `PROGRAM run SCENE -o FOLDER --attended`.
    pub program: PathBuf,
    /// The files that it reads.
    pub format: Format,
    /// The scenes that are built into it.
    pub examples: Vec<&'static BuiltIn>,
    /// Where scenes are saved and results go.
    pub folder: PathBuf,
    /// The scene that is opened first.
    pub scene: Option<PathBuf>,
    /// Opens a result folder.
    pub open: fn(&Path) -> std::result::Result<Feed, String>,
    /// Other verbs that the page offers.
    pub tools: &'static [Tool],
}

/// The studio.
#[derive(Debug)]
pub struct Studio {
    desk: Desk,
    runs: Runs,
    tools: Tools,
}

/// What a page sends.
#[derive(Debug, Deserialize)]
struct Sent {
    #[serde(default)]
    text: String,
    /// The name of the scene's file, without its ending.
    #[serde(default)]
    name: String,
    /// The built-in scene that the text comes from.
    #[serde(default)]
    example: Option<String>,
    #[serde(default)]
    run: Option<usize>,
    /// Changes, one after the other.
    #[serde(default)]
    edits: Vec<edit::Edit>,
    /// Whether a run may wait for others, and what the page knows it by.
    #[serde(default)]
    waits: bool,
    /// Whether a run stops after its first output step.
    #[serde(default)]
    steps: bool,
    #[serde(default)]
    label: Value,
    #[serde(default)]
    tool: String,
    #[serde(default)]
    input: String,
    #[serde(default)]
    options: Map<String, Value>,
    #[serde(default)]
    task: Option<usize>,
}

/// Bytes of a label at most.
const LABEL: usize = 1000;

impl Studio {
    /// A studio; the scene that is opened first must be readable.
    pub fn new(options: StudioOptions) -> crate::error::Result<Self> {
        let runs = Runs::new(options.program.clone(), options.folder.clone(), options.open);
        let tools = Tools::new(options.program.clone(), options.folder.clone(), options.tools);
        Ok(Self { desk: Desk::new(options)?, runs, tools })
    }

    /// Ends all runs at their next outputs, after checkpoints, and all other work, and waits for them.
    pub fn end(&self) {
        self.runs.end();
        self.tools.end();
    }

    fn get(&self, request: &Request) -> Result<Response, String> {
        if let Some(rest) = request.path.strip_prefix("view/") {
            let (which, path) = rest.split_once('/').ok_or("there is no such view")?;
            let feed = self.feed(which)?;
            return Ok(match path.strip_prefix("api/") {
                Some(what) => {
                    viewer::answer(&feed, what, request).unwrap_or_else(|error| viewer::refusal(&error))
                }
                None => page::serve(path, Mode::View),
            });
        }
        let key = |key: &str| request.query(key).ok_or_else(|| format!("{key} is missing"));
        let number = |key: &str| {
            let number = request.count(key).and_then(|number| usize::try_from(number).ok());
            number.ok_or_else(|| format!("{key} is missing"))
        };
        Ok(match request.path.strip_prefix("api/") {
            Some("gallery") => Response::json(&self.desk.gallery()),
            Some("picture") => self.picture(request)?,
            Some("scenes") => Response::json(&self.desk.scenes()),
            Some("open") => Response::json(&self.desk.open(key("name")?)?),
            Some("files") => Response::json(&json!(files::list(self.tools.folder(), tools::KINDS))),
            Some("file") => {
                Response::new(BYTES, files::read(self.tools.folder(), key("name")?, tools::KINDS)?)
            }
            Some("scene") => {
                let text = self.runs.scene(number("run")?)?;
                Response::json(&json!({"tree": edit::tree(&text), "text": text}))
            }
            Some("tools") => Response::json(&self.tools.list()),
            Some("tasks") => Response::json(&self.tools.tasks_told()),
            Some("told") => Response::json(&self.tools.told(number("task")?)?),
            Some("left") => {
                let name = key("name")?;
                let kind = if name.ends_with(".png") { "image/png" } else { BYTES };
                Response::new(kind, self.tools.file(number("task")?, name)?)
            }
            Some("example") => Response::json(&self.desk.example(key("name")?)?),
            Some("opened") => Response::json(&self.desk.opened()),
            Some("schema") => Response::json(&self.desk.schema()),
            Some("runs") => Response::json(&self.runs.list()),
            Some(_) => Response::not_found(),
            None => page::serve(&request.path, Mode::Studio),
        })
    }

    /// A picture of a scene; of a file that is none, the icon.
    fn picture(&self, request: &Request) -> Result<Response, String> {
        let drawn = match (request.query("example"), request.query("scene")) {
            (Some(name), _) => self.desk.picture(name)?,
            (None, Some(name)) => match self.desk.scene_picture(name) {
                Ok(drawn) => drawn,
                Err(_) => return Ok(page::serve("icon.svg", Mode::Studio)),
            },
            (None, None) => return Err("example is missing".to_owned()),
        };
        Ok(Response::new("image/png", drawn))
    }

    fn feed(&self, which: &str) -> Result<Arc<Feed>, String> {
        match which {
            "preview" => self.desk.preview().ok_or_else(|| "no scene has been drawn yet".to_owned()),
            number => {
                let number = number.parse().map_err(|_| "there is no such view".to_owned())?;
                self.runs.feed(number)
            }
        }
    }

    fn post(&self, request: &Request) -> Result<Response, String> {
        let sent: Sent = serde_json::from_slice(&request.body).map_err(|error| error.to_string())?;
        let number = || sent.run.ok_or_else(|| "run is missing".to_owned());
        Ok(match request.path.as_str() {
            "api/check" => Response::json(&self.desk.check(&sent.text, &sent.name, sent.example.as_deref())),
            "api/edit" => {
                if sent.edits.is_empty() {
                    return Err("edits are missing".to_owned());
                }
                let text = sent.edits.iter().try_fold(sent.text.clone(), |text, edit| edit.apply(&text))?;
                Response::json(&json!({"text": text}))
            }
            "api/save" => {
                let path = self.desk.save(&sent.text, &sent.name, sent.example.as_deref())?;
                Response::json(&json!({"file": path.display().to_string()}))
            }
            "api/run" => {
                let scene = self.desk.to_run(&sent.text, &sent.name, sent.example.as_deref())?;
                if sent.label.to_string().len() > LABEL {
                    return Err("the label is too long".to_owned());
                }
                let Sent { waits, steps, .. } = sent;
                let wanted =
                    Wanted { scene: &scene, name: &sent.name, waits, steps, label: sent.label.clone() };
                Response::json(&self.runs.start(wanted)?)
            }
            "api/stop" => Response::json(&self.runs.stop(number()?)?),
            "api/resume" => Response::json(&self.runs.resume(number()?, false)?),
            "api/step" => Response::json(&self.runs.resume(number()?, true)?),
            "api/task" => Response::json(&self.tools.start(&sent.tool, &sent.input, &sent.options)?),
            "api/end" => Response::json(&self.tools.stop(sent.task.ok_or("task is missing")?)?),
            _ => Response::not_found(),
        })
    }
}

impl Handler for Studio {
    fn respond(&self, request: &Request) -> Response {
        let answer = if request.method == "POST" { self.post(request) } else { self.get(request) };
        answer.unwrap_or_else(|reason| Response::refused(400, reason))
    }
}

/// A name that is safe as that of a file.
fn check_name(name: &str) -> Result<(), String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if name.is_empty() || name.len() > 64 || !name.chars().all(is_plain) {
        return Err(format!("found the name \"{name}\"; expected letters, digits, - and _, 64 at most"));
    }
    Ok(())
}

impl From<ViewError> for String {
    fn from(error: ViewError) -> Self {
        error.to_string()
    }
}
