//! Files that include others: what stands in the other's root stands in place of `include`.

use super::super::log::Log;
use super::super::xml::{self, Element};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The root with all files taken in, each of them once.
pub(super) fn expand(mut root: Element, main: &Path, log: &mut Log) -> Element {
    let folder = main.parent().unwrap_or(Path::new("")).to_owned();
    let mut taken = BTreeSet::from([main.canonicalize().unwrap_or_else(|_| main.to_owned())]);
    expand_children(&mut root, &folder, &mut taken, 0, log);
    root
}

/// Includes within includes, and elements within elements of all of them.
const MAX_DEPTH: usize = 600;

fn expand_children(
    element: &mut Element,
    folder: &Path,
    taken: &mut BTreeSet<PathBuf>,
    depth: usize,
    log: &mut Log,
) {
    let mut children = Vec::with_capacity(element.children.len());
    for mut child in std::mem::take(&mut element.children) {
        if depth > MAX_DEPTH {
            log.refuse(&child.spot, "found files in each other too deep; expected fewer");
            return;
        }
        if child.tag != "include" {
            expand_children(&mut child, folder, taken, depth + 1, log);
            children.push(child);
            continue;
        }
        let Some(file) = child.needed("file", log) else { continue };
        let beside = log.path(file.spot.file).parent().unwrap_or(Path::new("")).join(&file.value);
        let path = Some(folder.join(&file.value)).filter(|path| path.is_file()).unwrap_or(beside);
        let known = path.canonicalize().unwrap_or_else(|_| path.clone());
        if !taken.insert(known) {
            log.refuse(&file.spot, format!("found \"{}\" again; a file is included once", file.value));
            continue;
        }
        match xml::read(&path, log) {
            Ok(Some(mut root)) => {
                expand_children(&mut root, folder, taken, depth + 1, log);
                children.append(&mut root.children);
            }
            Ok(None) => {}
            Err(error) => log.refuse(&file.spot, error.to_string()),
        }
    }
    element.children = children;
}
