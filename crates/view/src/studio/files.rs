//! Files of the studio's folder, by plain names: nothing else is read for a page, and nothing through links.

use std::path::{Path, PathBuf};

/// Bytes of a file that is sent at most.
const LARGEST: u64 = 64 << 20;
/// Files of a list at most.
const MANY: usize = 500;

/// The names of the plain files of a folder with one of the endings, in the order of letters.
pub(super) fn list(folder: &Path, endings: &[&str]) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let plain = entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let named = plain.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> =
        named.filter(|name| is_plain(name) && has_ending(name, endings)).take(MANY).collect();
    names.sort();
    names
}

/// The folders of a folder that hold a file of that name, in the order of letters; links are passed over.
pub(super) fn folders_with(folder: &Path, file: &str) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let folders = entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let named = folders.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> =
        named.filter(|name| is_plain(name) && find(&folder.join(name), file).is_ok()).take(MANY).collect();
    names.sort();
    names
}

/// A plain file of a folder by its name.
pub(super) fn find(folder: &Path, name: &str) -> Result<PathBuf, String> {
    let absent = || format!("there is no file \"{name}\"");
    if !is_plain(name) {
        return Err(absent());
    }
    let path = folder.join(name);
    match std::fs::symlink_metadata(&path) {
        Ok(found) if found.is_file() => Ok(path),
        _ => Err(absent()),
    }
}

/// The content of a file of one of the kinds.
pub(super) fn read(folder: &Path, name: &str, endings: &[&str]) -> Result<Vec<u8>, String> {
    let path = find(folder, name)?;
    if !has_ending(name, endings) {
        return Err(format!("\"{name}\" is no file of these kinds: {}", endings.join(", ")));
    }
    let size = path.metadata().map_err(|error| error.to_string())?.len();
    if size > LARGEST {
        return Err(format!("\"{name}\" has {size} bytes; {LARGEST} are sent at most"));
    }
    std::fs::read(&path).map_err(|error| format!("{name}: {error}"))
}

fn has_ending(name: &str, endings: &[&str]) -> bool {
    let own = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    endings.iter().any(|ending| own.eq_ignore_ascii_case(ending))
}

/// A name without a way in it, not hidden.
fn is_plain(name: &str) -> bool {
    let strange = |c: char| c.is_control() || matches!(c, '/' | '\\' | ':');
    !name.is_empty() && !name.starts_with('.') && !name.chars().any(strange)
}

/// A folder for results that is not there yet and that nobody else is to have.
pub(super) fn free_folder(results: &Path, name: &str, is_taken: impl Fn(&Path) -> bool) -> PathBuf {
    let numbered = (2..).map(|k: u64| results.join(format!("{name}-{k}")));
    let mut names = std::iter::once(results.join(name)).chain(numbered);
    names.find(|folder| !folder.exists() && !is_taken(folder)).unwrap_or_else(|| results.join(name))
}
