//! Where the files are that a URDF names: `package://NAME/…`, `file://…`, or a path beside it.

use std::path::{Component, Path, PathBuf};

/// The folders of packages that the caller names.
pub(super) type Packages = [(String, PathBuf)];

/// The file behind a name, or where it was looked for.
pub(super) fn find(name: &str, beside: &Path, packages: &Packages) -> Result<PathBuf, String> {
    let folder = beside.parent().unwrap_or(Path::new(""));
    let (package, rest) = match name.split_once("://") {
        Some(("package" | "model", rest)) => {
            rest.split_once('/').map_or((Some(rest), ""), |(package, rest)| (Some(package), rest))
        }
        Some(("file", rest)) => (None, rest),
        Some((scheme, _)) => {
            return Err(format!("names the scheme \"{scheme}\"; expected package:// or file://"));
        }
        None => (None, name),
    };
    let Some(package) = package else {
        let path = folder.join(rest);
        return if path.is_file() { Ok(path) } else { Err(format!("is not at {}", path.display())) };
    };
    // Packages are told apart by their folders: one that the caller names, or one above the file that has that name or
    // holds what is sought.
    let given = packages.iter().filter(|(other, _)| other == package).map(|(_, folder)| folder.join(rest));
    let absolute = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let above = absolute.ancestors().flat_map(|folder| {
        let is_it = folder.file_name().is_some_and(|name| name == package);
        let itself = is_it.then(|| folder.join(rest));
        itself.into_iter().chain([folder.join(package).join(rest)])
    });
    let stripped = absolute.ancestors().map(|folder| folder.join(rest));
    let found =
        given.chain(above).chain(stripped.take(3)).map(|path| plain(&path)).find(|path| path.is_file());
    found.ok_or_else(|| {
        format!(
            "is not in a folder \"{package}\" above the file; --package {package}=FOLDER says where it is"
        )
    })
}

/// The path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if plain.file_name().is_some() => _ = plain.pop(),
            other => plain.push(other),
        }
    }
    plain
}

/// The path of a file as seen from a folder; both absolute.
pub(super) fn relative(file: &Path, folder: &Path) -> PathBuf {
    let (file, folder) = (plain(file), plain(folder));
    let common = file.components().zip(folder.components()).take_while(|(a, b)| a == b).count();
    if common == 0 {
        return file;
    }
    let up = folder.components().skip(common).map(|_| Component::ParentDir);
    up.chain(file.components().skip(common)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_between_folders_go_up_and_down() {
        let seen = |file: &str, folder: &str| relative(Path::new(file), Path::new(folder));
        assert_eq!(seen("/a/b/c.stl", "/a/b"), Path::new("c.stl"));
        assert_eq!(seen("/a/b/c.stl", "/a/d/e"), Path::new("../../b/c.stl"));
        assert_eq!(seen("/a/./b/../c.stl", "/a"), Path::new("c.stl"));
    }
}
