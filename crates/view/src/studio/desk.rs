//! The scenes of the studio: built in, opened, saved, checked and drawn.

use super::confine::Confines;
use super::{StudioOptions, check_name, edit, files};
use crate::error::{Result, ViewError};
use crate::feed::{Feed, Subject};
use rattleback_record::picture::Shot;
use rattleback_record::report::Curve;
use rattleback_scene::{BuiltIn, Complaint, Scene, SceneError, Source};
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Pixels of the gallery's pictures.
const PICTURE: [u32; 2] = [320, 200];

#[derive(Debug)]
pub(super) struct Desk {
    options: StudioOptions,
    confines: Confines,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    preview: Option<Arc<Feed>>,
    gallery: Option<Value>,
    pictures: HashMap<String, Vec<u8>>,
    /// Files that the studio may write: those it has opened or written itself.
    own: BTreeSet<PathBuf>,
    opened: Option<(String, String)>,
}

impl Desk {
    pub(super) fn new(options: StudioOptions) -> Result<Self> {
        let mut kept = Kept::default();
        if let Some(path) = &options.scene {
            if !path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml")) {
                let reason = "the studio edits scenes in TOML, files that end in .toml".to_owned();
                return Err(ViewError::Export { path: path.clone(), reason });
            }
            let text = std::fs::read_to_string(path)
                .map_err(|source| rattleback_record::RecordError::Read { path: path.clone(), source })?;
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            check_name(&name).map_err(|reason| ViewError::Export { path: path.clone(), reason })?;
            kept.own.insert(options.folder.join(format!("{name}.toml")));
            kept.opened = Some((name, text));
        }
        let confines = Confines::new(&options.folder, kept.opened.as_ref().map(|(_, text)| text.as_str()));
        Ok(Self { options, confines, kept: Mutex::new(kept) })
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, name: &str) -> std::result::Result<&'static BuiltIn, String> {
        let own = self.options.examples.iter().find(|example| example.name == name);
        own.copied().ok_or_else(|| format!("no built-in scene is named \"{name}\""))
    }

    /// The built-in scenes with what they show.
    pub(super) fn gallery(&self) -> Value {
        if let Some(known) = &self.kept().gallery {
            return known.clone();
        }
        let told = |example: &&'static BuiltIn| {
            let scene = self.options.format.parse_scene(example.source()).ok()?;
            let application = scene.application.is_some();
            let (title, description, duration) = (scene.title, scene.description, scene.duration);
            Some(json!({
                "name": example.name, "title": title, "description": description, "duration": duration,
                "application": application,
            }))
        };
        let list: Value = self.options.examples.iter().filter_map(told).collect();
        self.kept().gallery = Some(list.clone());
        list
    }

    /// A picture of a built-in scene as it begins.
    pub(super) fn picture(&self, name: &str) -> std::result::Result<Vec<u8>, String> {
        if let Some(known) = self.kept().pictures.get(name) {
            return Ok(known.clone());
        }
        let png = self.draw(self.find(name)?.source())?;
        self.kept().pictures.insert(name.to_owned(), png.clone());
        Ok(png)
    }

    /// A picture of a scene of the folder as it begins, drawn anew each time: the file may have changed.
    pub(super) fn scene_picture(&self, name: &str) -> std::result::Result<Vec<u8>, String> {
        let text = self.read(name)?;
        self.refuse_outside(&edit::tree(&text))?;
        self.draw(self.source(&text, name, None))
    }

    fn draw(&self, source: Source) -> std::result::Result<Vec<u8>, String> {
        let scene = self.options.format.parse_scene(source).map_err(|e| e.to_string())?;
        let motions = scene.state.motions.clone();
        let feed = Feed::open(Subject { scene, folder: None })?;
        let [width, height] = PICTURE;
        let shot = Shot { width, height, ..Shot::new(feed.camera()) };
        let drawn = feed.stage().draw(&motions, &shot).and_then(|picture| picture.image.to_png());
        drawn.map_err(|error| error.to_string())
    }

    /// The names of the scenes of the folder, without their endings.
    pub(super) fn scenes(&self) -> Value {
        let names = files::list(&self.options.folder, &["toml"]);
        let stems = names.iter().filter_map(|name| name.strip_suffix(".toml"));
        stems.filter(|name| check_name(name).is_ok()).collect()
    }

    /// Opens a scene of the folder, which may be saved from then on.
    pub(super) fn open(&self, name: &str) -> std::result::Result<Value, String> {
        let text = self.read(name)?;
        self.kept().own.insert(self.options.folder.join(format!("{name}.toml")));
        Ok(json!({"name": name, "text": text, "example": null}))
    }

    fn read(&self, name: &str) -> std::result::Result<String, String> {
        check_name(name)?;
        let bytes = files::read(&self.options.folder, &format!("{name}.toml"), &["toml"])?;
        String::from_utf8(bytes).map_err(|error| format!("{name}: {error}"))
    }

    /// Refuses trees that name files outside the folder.
    fn refuse_outside(&self, tree: &Value) -> std::result::Result<(), String> {
        match self.confines.outside(tree) {
            Some(file) => Err(format!("the file \"{file}\" is not in the studio's folder and is not read")),
            None => Ok(()),
        }
    }

    /// The text of a built-in scene.
    pub(super) fn example(&self, name: &str) -> std::result::Result<Value, String> {
        let example = self.find(name)?;
        Ok(json!({"name": example.name, "text": example.text, "example": example.name}))
    }

    /// The scene that was named when the studio was started, or the first built-in one.
    pub(super) fn opened(&self) -> Value {
        match &self.kept().opened {
            Some((name, text)) => json!({"name": name, "text": text, "example": null}),
            None => match self.options.examples.first() {
                Some(example) => json!({"name": example.name, "text": example.text, "example": example.name}),
                None => json!({"name": "scene", "text": "", "example": null}),
            },
        }
    }

    pub(super) fn schema(&self) -> Value {
        self.options.format.scene_schema()
    }

    fn source(&self, text: &str, name: &str, example: Option<&str>) -> Source {
        let beside = example.and_then(|name| self.find(name).ok()).map(BuiltIn::files).unwrap_or_default();
        let path = self.options.folder.join(format!("{name}.toml"));
        Source { path, text: text.to_owned(), beside }
    }

    /// All that is wrong with a text; a scene without mistakes is drawn as it begins.
    pub(super) fn check(&self, text: &str, name: &str, example: Option<&str>) -> Value {
        let tree = edit::tree(text);
        if let Err(reason) = self.refuse_outside(&tree) {
            return json!({"valid": false, "complaints": [whole_text(&reason)], "tree": tree});
        }
        let read = self.options.format.parse_scene(self.source(text, name, example)).and_then(|scene| {
            check_curves(&scene)?;
            Ok(scene)
        });
        match read {
            Err(error) => json!({"valid": false, "complaints": complaints(&error), "tree": tree}),
            Ok(scene) => {
                let told = json!({
                    "valid": true, "complaints": [], "tree": tree, "title": scene.title, "remarks": scene.remarks,
                    "choice": scene.choice, "bodies": scene.model.bodies().len(), "duration": scene.duration,
                    "names": scene.model.bodies().iter().map(|body| &body.name).collect::<Vec<_>>(),
                });
                match Feed::open(Subject { scene, folder: None }) {
                    Ok(feed) => self.kept().preview = Some(Arc::new(feed)),
                    Err(error) => {
                        let complaints = [whole_text(&error.to_string())];
                        return json!({"valid": false, "complaints": complaints, "tree": tree});
                    }
                }
                told
            }
        }
    }

    pub(super) fn preview(&self) -> Option<Arc<Feed>> {
        self.kept().preview.clone()
    }

    /// Saves a text under a name; returns the file.
    pub(super) fn save(
        &self,
        text: &str,
        name: &str,
        example: Option<&str>,
    ) -> std::result::Result<PathBuf, String> {
        check_name(name)?;
        let path = self.options.folder.join(format!("{name}.toml"));
        let mut kept = self.kept();
        self.may_write(&kept, &path)?;
        let source = self.source(text, name, example);
        for (beside, content) in &source.beside {
            let own = self.options.folder.join(beside);
            if std::fs::read_to_string(&own).is_ok_and(|old| old == *content) {
                continue;
            }
            self.may_write(&kept, &own)?;
            rattleback_record::WholeFile::write(&own, content.as_bytes()).map_err(|e| e.to_string())?;
            kept.own.insert(own);
        }
        rattleback_record::WholeFile::write(&path, text.as_bytes()).map_err(|e| e.to_string())?;
        kept.own.insert(path.clone());
        Ok(path)
    }

    /// Refuses to write over what the studio does not own, and through links.
    fn may_write(&self, kept: &Kept, path: &Path) -> std::result::Result<(), String> {
        let refused = |reason: &str| Err(format!("{}: {reason}", path.display()));
        match std::fs::symlink_metadata(path) {
            Ok(found) if found.is_symlink() => refused("is a link, which is not written through"),
            Ok(_) if !kept.own.contains(path) => {
                refused("exists already and is not overwritten; choose another name")
            }
            _ => Ok(()),
        }
    }

    /// What to give to `run`: the name of a built-in scene that was not changed, or the file into which the text was
    /// saved.
    pub(super) fn to_run(
        &self,
        text: &str,
        name: &str,
        example: Option<&str>,
    ) -> std::result::Result<PathBuf, String> {
        check_name(name)?;
        self.refuse_outside(&edit::tree(text))?;
        if let Some(own) = example.and_then(|name| self.find(name).ok())
            && own.text == text
            && own.name == name
        {
            return Ok(PathBuf::from(own.name));
        }
        self.save(text, name, example)
    }
}

/// Whether the curves that a scene asks for will be there.
fn check_curves(scene: &Scene) -> std::result::Result<(), SceneError> {
    let names = scene.output.plots.iter().flat_map(|plot| &plot.curves);
    let wrong = names.filter_map(|name| {
        Curve::parse(&name.value, &scene.model).err().map(|error| name.complaint(error.to_string()))
    });
    let complaints: Vec<Complaint> = wrong.collect();
    if complaints.is_empty() {
        Ok(())
    } else {
        Err(SceneError::Refused { file: scene.source.clone(), complaints })
    }
}

/// A complaint about the text as a whole.
fn whole_text(message: &str) -> Value {
    json!({"line": 1, "column": 1, "length": 0, "key": "", "message": message})
}

/// Every complaint with its place, from one; `length` counts characters of its line.
fn complaints(error: &SceneError) -> Value {
    let SceneError::Refused { file, complaints } = error else {
        return json!([whole_text(&error.to_string())]);
    };
    let each = |complaint: &Complaint| {
        let (line, column) = file.place(complaint.span.start);
        let within = file.text.get(complaint.span.clone()).unwrap_or_default();
        let length = within.lines().next().unwrap_or_default().chars().count();
        // What stands in another file is told without a place in this one.
        let elsewhere = file.path_at(complaint.span.start) != file.path;
        json!({
            "line": if elsewhere { 1 } else { line }, "column": if elsewhere { 1 } else { column }, "length": length,
            "key": complaint.key, "message": complaint.message, "help": complaint.help,
            "file": elsewhere.then(|| file.path_at(complaint.span.start).display().to_string()),
        })
    };
    complaints.iter().map(each).collect()
}
