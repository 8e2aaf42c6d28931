//! Result folders: compared, copied, removed.

use std::collections::BTreeSet;
use std::path::Path;

/// The lines of the manifest that say when and how fast.
const OF_THE_CLOCK: [&str; 3] = ["\"started\":", "\"wall_s\":", "\"speed\":"];

/// Removes a folder, if it is there.
pub fn remove(folder: &Path) -> Result<(), String> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(told(folder, &error)),
        _ => Ok(()),
    }
}

/// The names of the files in a folder.
pub fn names(folder: &Path) -> Result<BTreeSet<String>, String> {
    let entries = std::fs::read_dir(folder).map_err(|e| told(folder, &e))?;
    entries
        .map(|entry| Ok(entry.map_err(|e| told(folder, &e))?.file_name().to_string_lossy().into_owned()))
        .collect()
}

/// The size of the longest file.
pub fn longest(folder: &Path) -> Result<u64, String> {
    let mut sizes = names(folder)?.into_iter().map(|name| size(&folder.join(name)));
    sizes.try_fold(0, |most, size| Ok(most.max(size?)))
}

/// The room that the files of a folder take, in blocks of 1024 bytes; a file has whole pages of four.
pub fn blocks(folder: &Path) -> Result<u64, String> {
    let sizes = names(folder)?.into_iter().map(|name| size(&folder.join(name)));
    sizes.map(|size| Ok(4 * size?.div_ceil(4096))).sum()
}

/// Whether two folders have the same files with the same bytes.
pub fn same(one: &Path, other: &Path) -> Result<bool, String> {
    let (files, others) = (names(one)?, names(other)?);
    let equal = |name: &String| {
        let [a, b] = [one, other].map(|folder| std::fs::read(folder.join(name)));
        matches!((a, b), (Ok(a), Ok(b)) if a == b)
    };
    Ok(files == others && files.iter().all(equal))
}

/// Copies all files of a folder into another one, which is made anew.
pub fn copy(from: &Path, to: &Path) -> Result<(), String> {
    remove(to)?;
    std::fs::create_dir_all(to).map_err(|e| told(to, &e))?;
    for name in names(from)? {
        std::fs::copy(from.join(&name), to.join(&name)).map_err(|e| told(to, &e))?;
    }
    Ok(())
}

/// What two folders of finished runs differ in; the checkpoint is that of some moment.
pub fn differences(expected: &Path, found: &Path) -> Result<Vec<String>, String> {
    let compared = |name: &String| name != "checkpoint.json";
    let (wanted, there) = (names(expected)?, names(found)?);
    let mut differences = Vec::new();
    for name in wanted.union(&there).filter(|name| compared(name)) {
        match (wanted.contains(name), there.contains(name)) {
            (true, false) => differences.push(format!("{name} is missing")),
            (false, _) => differences.push(format!("{name} is left over")),
            (true, true) => {
                let [a, b] = [expected, found].map(|folder| content(&folder.join(name)));
                if a? != b? {
                    differences.push(format!("{name} differs"));
                }
            }
        }
    }
    Ok(differences)
}

/// What must be the same of a file.
fn content(path: &Path) -> Result<Vec<u8>, String> {
    let bytes = std::fs::read(path).map_err(|e| told(path, &e))?;
    if !path.ends_with("run.json") {
        return Ok(bytes);
    }
    let text = String::from_utf8_lossy(&bytes);
    let timeless = |line: &&str| !OF_THE_CLOCK.iter().any(|key| line.trim_start().starts_with(key));
    Ok(text.lines().filter(timeless).collect::<Vec<_>>().join("\n").into_bytes())
}

fn size(path: &Path) -> Result<u64, String> {
    std::fs::metadata(path).map(|file| file.len()).map_err(|e| told(path, &e))
}

fn told(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}
