//! Which files belong together: from the walk's markers to its forces and to the static trial, by their names.

use crate::error::{GaitError, Result};
use std::path::{Path, PathBuf};

/// The files of a trial.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TrialFiles {
    /// The walk's markers, `.trc`.
    pub markers: PathBuf,
    /// The markers of a static trial, `.trc`.
    pub still: Option<PathBuf>,
    /// The force plates, `.mot` or `.sto`.
    pub forces: Option<PathBuf>,
    /// Roles of markers, `.toml`: `right_heel = "RCAL"`.
    pub names: Option<PathBuf>,
    /// Joint angles by inverse kinematics, `.mot` or `.sto`.
    pub angles: Option<PathBuf>,
}

/// Words in the names of files of forces.
const FORCES: &[&str] = &["grf", "force", "ground", "reaction", "plate", "kinetics"];
/// Words in the names of files of joint angles.
const ANGLES: &[&str] = &["ik", "kinematics", "angles", "coordinates"];
/// How words in the names of static trials begin.
const STILL: &[&str] = &["static", "cal", "stand", "still", "neutral"];

impl TrialFiles {
    /// The files beside the walk's markers. For `walk1.trc`: tables whose name begins with `walk1` and says forces
    /// (`walk1_grf.mot`), or is `walk1.mot`; those that say joint angles (`walk1_ik.mot`); the marker file in the
    /// folder whose name says static, the one that shares most with the walk's name where there are several.
    pub fn find(markers: &Path) -> Result<Self> {
        let mut files = Self { markers: markers.to_owned(), ..Self::default() };
        let folder = markers.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let failed = |e: std::io::Error| GaitError::Read { path: folder.to_owned(), reason: e.to_string() };
        let stem = lower_stem(markers);
        let mut forces: Vec<(bool, usize, PathBuf)> = Vec::new();
        let mut angles: Vec<(usize, PathBuf)> = Vec::new();
        let mut still: Vec<(usize, PathBuf)> = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            let ending = path.extension().map_or_else(String::new, |e| e.to_string_lossy().to_lowercase());
            let name = lower_stem(&path);
            if ending == "trc" && name != stem && is_still(&name) {
                let shared = name.chars().zip(stem.chars()).take_while(|(a, b)| a == b).count();
                still.push((shared, path));
            } else if (ending == "mot" || ending == "sto")
                && let Some(rest) = name.strip_prefix(&stem)
                && !rest.starts_with(|c: char| c.is_ascii_digit())
            {
                if rest.is_empty() || FORCES.iter().any(|word| rest.contains(word)) {
                    forces.push((rest.is_empty(), rest.len(), path));
                } else if rest.split(|c: char| !c.is_alphabetic()).any(|word| ANGLES.contains(&word)) {
                    angles.push((rest.len(), path));
                }
            }
        }
        forces.sort();
        angles.sort();
        still.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        files.forces = forces.into_iter().next().map(|(_, _, path)| path);
        files.angles = angles.into_iter().next().map(|(_, path)| path);
        files.still = still.into_iter().next().map(|(_, path)| path);
        Ok(files)
    }
}

fn is_still(name: &str) -> bool {
    let mut words = name.split(|c: char| !c.is_alphabetic());
    words.any(|word| STILL.iter().any(|begin| word.starts_with(begin)) || word.ends_with("static"))
}

fn lower_stem(path: &Path) -> String {
    path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().to_lowercase())
}
