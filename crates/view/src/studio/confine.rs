//! What the text of a scene may read: files of the studio's folder, and those that the scene which the studio was
//! started with names itself. A page that has come into wrong hands thereby learns of no other file, not even that it
//! is there.

use super::edit;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Files that include others, one within the other, at most.
const DEEPEST: usize = 16;

/// The files that a scene may read.
#[derive(Debug)]
pub(super) struct Confines {
    folder: PathBuf,
    named: BTreeSet<PathBuf>,
}

impl Confines {
    /// Those of a folder and of a scene in it.
    pub(super) fn new(folder: &Path, scene: Option<&str>) -> Self {
        let mut named = BTreeSet::new();
        if let Some(text) = scene {
            collect(&edit::tree(text), folder, 0, &mut named);
        }
        Self { folder: whole(folder), named }
    }

    /// The first file of a tree that may not be read, as the tree names it.
    pub(super) fn outside(&self, tree: &Value) -> Option<String> {
        self.seek(tree, &self.folder, 0)
    }

    fn seek(&self, tree: &Value, folder: &Path, depth: usize) -> Option<String> {
        for (name, is_scene) in files(tree) {
            let path = whole(&folder.join(&name));
            if !path.starts_with(&self.folder) && !self.named.contains(&path) {
                return Some(name);
            }
            if is_scene && depth < DEEPEST {
                let found = self.seek(&included(&path), path.parent().unwrap_or(folder), depth + 1);
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }
}

fn collect(tree: &Value, folder: &Path, depth: usize, named: &mut BTreeSet<PathBuf>) {
    for (name, is_scene) in files(tree) {
        let path = whole(&folder.join(&name));
        if named.insert(path.clone()) && is_scene && depth < DEEPEST {
            collect(&included(&path), path.parent().unwrap_or(folder), depth + 1, named);
        }
    }
}

/// What an included file says.
fn included(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    match path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json")) {
        true => serde_json::from_str(&text).unwrap_or_default(),
        false => edit::tree(&text),
    }
}

/// The files that a tree names: at `include`, which are scenes, and at `file`, wherever it stands.
fn files(tree: &Value) -> Vec<(String, bool)> {
    let mut found = Vec::new();
    let includes = match &tree["include"] {
        Value::Array(list) => list.as_slice(),
        one => std::slice::from_ref(one),
    };
    found.extend(includes.iter().filter_map(Value::as_str).map(|name| (name.to_owned(), true)));
    let mut rest = vec![tree];
    while let Some(value) = rest.pop() {
        match value {
            Value::Object(map) => {
                found.extend(map.get("file").and_then(Value::as_str).map(|name| (name.to_owned(), false)));
                rest.extend(map.values());
            }
            Value::Array(list) => rest.extend(list),
            _ => {}
        }
    }
    found
}

/// A path without links and `..`, as far as it is there.
fn whole(path: &Path) -> PathBuf {
    if let Ok(known) = path.canonicalize() {
        return known;
    }
    match (path.parent(), path.components().next_back()) {
        (Some(parent), Some(std::path::Component::Normal(name))) => whole(parent).join(name),
        (Some(parent), Some(std::path::Component::ParentDir)) => {
            let above = whole(parent);
            above.parent().unwrap_or(&above).to_owned()
        }
        (Some(parent), _) => whole(parent),
        (None, _) => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn files_outside_the_folder_are_found_wherever_they_are_named() {
        let folder = std::env::temp_dir().join(format!("rattleback-confine-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("in")).unwrap();
        std::fs::write(folder.join("in/deep.toml"), "include = \"../../secret.toml\"").unwrap();
        let confines = Confines::new(&folder, None);
        let outside = |text: &str| confines.outside(&edit::tree(text));
        assert_eq!(outside("a = 1\n[[bodies]]\nshape = { type = \"mesh\", file = \"in/a.stl\" }"), None);
        assert_eq!(outside("include = [\"in/none.toml\"]"), None);
        for (text, name) in [
            ("include = \"/etc/passwd\"", "/etc/passwd"),
            ("include = [\"in/../../x.toml\"]", "in/../../x.toml"),
            ("[[bodies]]\nparts = [{ shape = { file = \"../a.stl\" } }]", "../a.stl"),
            ("include = [\"in/deep.toml\"]", "../../secret.toml"),
        ] {
            assert_eq!(outside(text).as_deref(), Some(name), "{text}");
        }
        #[cfg(unix)]
        {
            let _ = std::os::unix::fs::symlink("/etc", folder.join("link"));
            assert_eq!(outside("include = \"link/passwd\"").as_deref(), Some("link/passwd"));
        }
        // What the scene of the start names is allowed, and nothing beside it.
        let confines = Confines::new(&folder, Some("include = \"../beside.toml\""));
        assert_eq!(confines.outside(&edit::tree("include = \"../beside.toml\"")), None);
        assert!(confines.outside(&edit::tree("include = \"../other.toml\"")).is_some());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
