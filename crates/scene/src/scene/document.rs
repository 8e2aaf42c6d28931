//! The tree of a scene: its file, TOML or JSON, and those that it includes.
//!
//! `include` lists files, relative to the file that says so. Each is read once; one that includes itself, by whatever
//! way, is refused. Tables of the same key are merged and lists of bodies, joints and so on appended, those of included
//! files before the file's own. Whatever is said twice is a mistake that names both places.
//!
//! Places in included files go on after those of the including text ([`Source::beside`]).

use crate::error::{Result, SceneError};
use crate::read::{Complaint, Key, Source, SourceValue, Span, Value};
use std::path::{Component, Path, PathBuf};

/// The key that names other files.
const INCLUDE: &str = "include";
/// Lists that are appended.
const LISTS: [&str; 7] = ["bodies", "chains", "joints", "forces", "contacts", "exclude_contacts", "repeat"];
/// Tables whose keys are merged.
const TABLES: [&str; 6] = ["parameters", "materials", "shapes", "solver", "run", "output"];

/// A scene's tree, and where it comes from.
pub(super) struct Document {
    /// The file, and beside it those that it includes.
    pub(super) source: Source,
    pub(super) tree: SourceValue,
    /// The files that it includes, relative to its folder.
    pub(super) included: Vec<PathBuf>,
}

impl Document {
    /// Reads the files that a scene includes, and puts them together.
    pub(super) fn load(source: Source) -> Result<Self> {
        let folder = source.path.parent().unwrap_or(Path::new("")).to_owned();
        let mut loading = Loading { source, folder, included: Vec::new(), complaints: Vec::new() };
        let own = loading.source.path.file_name().map(PathBuf::from).unwrap_or_default();
        let text = loading.source.text.clone();
        let tree = loading.file(&own, &text, 0, &mut Vec::new());
        let Loading { source, included, complaints, .. } = loading;
        match tree? {
            Some(tree) if complaints.is_empty() => Ok(Self { source, tree, included }),
            _ => Err(SceneError::Refused { file: source, complaints }),
        }
    }

    /// The whole scene as one TOML file.
    pub(super) fn text(&self) -> String {
        if self.included.is_empty() && !is_json(&self.source.path) {
            return self.source.text.clone();
        }
        self.tree.to_toml()
    }
}

fn is_json(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"))
}

/// Files under way.
struct Loading {
    source: Source,
    folder: PathBuf,
    included: Vec<PathBuf>,
    complaints: Vec<Complaint>,
}

impl Loading {
    /// The tree of a file and of all that it includes; `begin` is its first place. Nothing where its syntax is wrong,
    /// which brings everything after it into disorder.
    fn file(
        &mut self,
        name: &Path,
        text: &str,
        begin: usize,
        way: &mut Vec<PathBuf>,
    ) -> Result<Option<SourceValue>> {
        let (mut tree, mut complaints) = match is_json(name) {
            true => match SourceValue::from_json(text) {
                Ok(tree) => (Some(tree), Vec::new()),
                Err(complaint) => (None, vec![complaint]),
            },
            false => {
                let (tree, complaints) = SourceValue::from_toml(text);
                (Some(tree), complaints)
            }
        };
        for complaint in &mut complaints {
            complaint.span = complaint.span.start + begin..complaint.span.end + begin;
        }
        if !complaints.is_empty() {
            self.complaints.extend(complaints);
            return Ok(None);
        }
        let folder = name.parent().unwrap_or(Path::new("")).to_owned();
        if let Some(tree) = &mut tree {
            shift(tree, begin, &folder);
        }
        let Some((_, list)) = tree.as_mut().and_then(take_include) else { return Ok(tree) };
        let mut merged = SourceValue { span: 0..1, turn: 0, value: Value::Table(Vec::new()) };
        way.push(name.to_owned());
        for (path, span) in self.listed(&list) {
            if let Some(other) = self.include(&normal(&folder.join(path)), &span, way)? {
                self.merge(&mut merged, other);
            }
        }
        way.pop();
        if let Some(tree) = tree {
            merged.span = tree.span.clone();
            self.merge(&mut merged, tree);
        }
        Ok(Some(merged))
    }

    /// The files that are named at `include`.
    fn listed(&mut self, node: &SourceValue) -> Vec<(PathBuf, Span)> {
        let one = [node.clone()];
        let list = if let Value::List(list) = &node.value { list.as_slice() } else { &one };
        let mut found = Vec::new();
        for node in list {
            match &node.value {
                Value::Text(text) if !text.is_empty() => found.push((PathBuf::from(text), node.span.clone())),
                _ => {
                    let message = format!("found {}; expected the name of a file", node.words());
                    self.refuse(node.span.clone(), message);
                }
            }
        }
        found
    }

    /// The tree of an included file; nothing where it is wrong or was included before.
    fn include(&mut self, name: &Path, span: &Span, way: &mut Vec<PathBuf>) -> Result<Option<SourceValue>> {
        if let Some(first) = way.iter().position(|other| other == name) {
            let circle = way[first..].iter().map(PathBuf::as_path).chain([name]);
            let circle: Vec<String> = circle.map(|path| path.display().to_string()).collect();
            self.refuse(span.clone(), format!("it includes itself: {}", circle.join(" → ")));
            return Ok(None);
        }
        if self.included.iter().any(|other| other == name) {
            return Ok(None);
        }
        self.included.push(name.to_owned());
        let begin = match self.source.begin_of(name) {
            Some(begin) => begin,
            None => {
                let read = match Source::read(&self.folder.join(name)) {
                    Ok(read) => read,
                    Err(SceneError::Read { source, .. }) => {
                        let message = format!("the file \"{}\" cannot be read: {source}", name.display());
                        self.refuse(span.clone(), message);
                        return Ok(None);
                    }
                    Err(error) => return Err(error),
                };
                self.source.beside.push((name.to_owned(), read.text));
                self.source.begin_of(name).unwrap_or_default()
            }
        };
        let text = self.source.beside.iter().find(|(other, _)| other == name).map(|(_, text)| text.clone());
        self.file(name, &text.unwrap_or_default(), begin, way)
    }

    fn refuse(&mut self, span: Span, message: String) {
        self.complaints.push(Complaint { span, key: INCLUDE.to_owned(), message, help: None });
    }

    /// Adds the keys of a tree to another one.
    fn merge(&mut self, merged: &mut SourceValue, other: SourceValue) {
        let (Value::Table(entries), Value::Table(more)) = (&mut merged.value, other.value) else { return };
        for (key, node) in more {
            let Some((first, own)) = entries.iter_mut().find(|(own, _)| own.name == key.name) else {
                entries.push((key, node));
                continue;
            };
            match (&mut own.value, node.value) {
                (Value::List(list), Value::List(more)) if LISTS.contains(&key.name.as_str()) => {
                    list.extend(more);
                }
                (Value::Table(table), Value::Table(more)) if TABLES.contains(&key.name.as_str()) => {
                    for (inner, node) in more {
                        match table.iter().find(|(own, _)| own.name == inner.name) {
                            Some((first, _)) => self.twice(&format!("{}.", key.name), first, &inner),
                            None => table.push((inner, node)),
                        }
                    }
                }
                _ => self.twice("", first, &key),
            }
        }
    }

    /// Complains of a key that two files have.
    fn twice(&mut self, table: &str, first: &Key, second: &Key) {
        let (line, column) = self.source.place(first.span.start);
        let path = self.source.path_at(first.span.start);
        let name = format!("{table}{}", second.name);
        let message = format!("`{name}` is said already, at {}:{line}:{column}", path.display());
        self.complaints.push(Complaint { span: second.span.clone(), key: name, message, help: None });
    }
}

/// Takes the files that a tree includes out of it.
fn take_include(tree: &mut SourceValue) -> Option<(Key, SourceValue)> {
    let Value::Table(entries) = &mut tree.value else { return None };
    let place = entries.iter().position(|(key, _)| key.name == INCLUDE)?;
    Some(entries.remove(place))
}

/// Moves the places of a tree, and has the files that it names looked for from the folder that it is in.
fn shift(node: &mut SourceValue, begin: usize, folder: &Path) {
    node.span = node.span.start + begin..node.span.end + begin;
    match &mut node.value {
        Value::Table(entries) => {
            for (key, node) in entries {
                key.span = key.span.start + begin..key.span.end + begin;
                shift(node, begin, folder);
                if let ("file", Value::Text(path), true) =
                    (key.name.as_str(), &mut node.value, folder != Path::new(""))
                {
                    *path = folder.join(&*path).display().to_string();
                }
            }
        }
        Value::List(list) => list.iter_mut().for_each(|node| shift(node, begin, folder)),
        _ => {}
    }
}

/// A path without detours, so that one file has one name.
fn normal(path: &Path) -> PathBuf {
    let mut found = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(found.components().next_back(), Some(Component::Normal(_))) => {
                found.pop();
            }
            part => found.push(part),
        }
    }
    found
}
