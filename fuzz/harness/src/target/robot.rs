//! Robots: imported as by `rattleback import`, which reads the scene that it wrote.

use super::{FORMAT, demand_place};
use crate::sandbox::Outcome;
use rattleback_scene::ImportOptions;
use std::path::Path;

/// Examines a file.
pub fn robot(path: &Path, outcome: &mut Outcome) {
    let options = ImportOptions {
        ground: true,
        self_contacts: true,
        carriers: true,
        hold: true,
        ..ImportOptions::default()
    };
    match FORMAT.import_robot(path, &path.with_file_name("imported.toml"), &options) {
        Ok(_) => outcome.accepted = true,
        Err(error) => demand_place(&error, path, outcome),
    }
}
