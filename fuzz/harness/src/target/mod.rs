//! What is done with an input, and what must hold of the answer: one file per target.
//!
//! A target says in the [`Outcome`] whether the input was accepted and what must not have happened. It reads the file
//! from the disk, as the command does.

mod folder;
mod gait;
mod mesh;
mod pair;
mod robot;
mod scene;
mod shape;

pub use folder::{folder, record_run};
pub use gait::gait;
pub(crate) use gait::short_walk;
pub use mesh::{describe_meshes, mesh};
pub use pair::pairs;
pub use robot::robot;
pub use scene::scene;
pub use shape::shape;

use crate::finding::{Fault, Finding};
use crate::sandbox::Outcome;
use rattleback_scene::{Format, SceneError};
use std::path::Path;

/// The files that the command reads.
pub(crate) const FORMAT: Format = Format::new(&[rattleback_anchor::APPLICATION]);

impl Outcome {
    fn find(&mut self, fault: Fault, message: impl Into<String>) {
        self.findings.push(Finding::new(fault, message));
    }

    /// Holds numbers of an answer to being finite.
    fn demand_finite<'n>(&mut self, what: &str, numbers: impl IntoIterator<Item = &'n f64>) {
        if let Some(x) = numbers.into_iter().find(|x| !x.is_finite()) {
            self.find(Fault::NotFinite, format!("{what} holds {x}"));
        }
    }
}

/// Holds what is said of a refused file to naming the file, and of a text the line or the key.
fn demand_place(error: &SceneError, file: &Path, outcome: &mut Outcome) {
    let said = error.to_string();
    let names_file = said.contains(&*file.to_string_lossy());
    let placed = match error {
        SceneError::Refused { file, complaints } => {
            let json = file.path.extension().is_some_and(|ending| ending == "json");
            !complaints.is_empty()
                && complaints.iter().all(|complaint| {
                    // A tree of JSON knows keys only, and what is at the top has none; a file without text has no line.
                    let line = complaint.span != (0..0) || file.text.is_empty();
                    (line || json) && !complaint.message.is_empty()
                })
        }
        SceneError::Pair { message, .. } => !message.is_empty(),
        _ => true,
    };
    if !placed || !(names_file || matches!(error, SceneError::Pair { .. })) {
        outcome.find(Fault::NoPlace, said);
    }
}
