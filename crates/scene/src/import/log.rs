//! What is to be said of a file while it is read: what is wrong with it, and what of it is lost.

use crate::error::SceneError;
use crate::read::{Complaint, Source, Span};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// A place in one of the files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) file: usize,
    pub(super) span: Span,
}

/// Something of a robot's description that the scene does not have, or has in another way.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Loss {
    /// The file that says it.
    pub file: PathBuf,
    /// Its line, from one.
    pub line: usize,
    /// What it is, and what became of it.
    pub what: String,
}

impl std::fmt::Display for Loss {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = self
            .file
            .file_name()
            .map_or_else(|| self.file.display().to_string(), |name| name.to_string_lossy().into_owned());
        write!(f, "{name}:{}: {}", self.line, self.what)
    }
}

/// The files that were read, and what is to be said of them.
#[derive(Debug, Default)]
pub(super) struct Log {
    files: Vec<Source>,
    /// Where the lines of each file begin.
    lines: Vec<Vec<usize>>,
    complaints: Vec<(usize, Complaint)>,
    losses: BTreeSet<Loss>,
}

/// Complaints that are kept; after so many a file is not what it is taken for.
const MAX_COMPLAINTS: usize = 100;

impl Log {
    /// Takes in a file.
    pub(super) fn open(&mut self, source: Source) -> usize {
        let ends = source.text.match_indices('\n').map(|(at, _)| at + 1);
        self.lines.push(std::iter::once(0).chain(ends).collect());
        self.files.push(source);
        self.files.len() - 1
    }

    /// The text of a file.
    pub(super) fn text(&self, file: usize) -> String {
        self.files[file].text.clone()
    }

    /// The path of a file.
    pub(super) fn path(&self, file: usize) -> &std::path::Path {
        &self.files[file].path
    }

    /// The line of a place, from one.
    fn line(&self, spot: &Spot) -> usize {
        self.lines[spot.file].partition_point(|begin| *begin <= spot.span.start).max(1)
    }

    /// Tells what is wrong.
    pub(super) fn refuse(&mut self, spot: &Spot, message: impl Into<String>) {
        let complaint =
            Complaint { span: spot.span.clone(), key: String::new(), message: message.into(), help: None };
        self.refuse_at(spot.file, complaint);
    }

    /// Tells what is wrong, and what may help.
    pub(super) fn refuse_with_help(&mut self, spot: &Spot, message: impl Into<String>, help: &str) {
        let help = Some(help.to_owned());
        self.refuse_at(
            spot.file,
            Complaint { span: spot.span.clone(), key: String::new(), message: message.into(), help },
        );
    }

    pub(super) fn refuse_at(&mut self, file: usize, complaint: Complaint) {
        if self.complaints.len() < MAX_COMPLAINTS {
            self.complaints.push((file, complaint));
        }
    }

    /// Tells what is lost.
    pub(super) fn lose(&mut self, spot: &Spot, what: impl Into<String>) {
        let loss =
            Loss { file: self.files[spot.file].path.clone(), line: self.line(spot), what: what.into() };
        self.losses.insert(loss);
    }

    /// Whether nothing is wrong so far.
    pub(super) fn is_content(&self) -> bool {
        self.complaints.is_empty()
    }

    /// What was lost so far, in the order of files and lines.
    pub(super) fn losses(&self) -> Vec<Loss> {
        self.losses.iter().cloned().collect()
    }

    /// What is wrong, all of it that stands in the file of the first mistake.
    pub(super) fn into_error(mut self) -> SceneError {
        let first = self.complaints.first().map_or(0, |(file, _)| *file);
        let complaints = self.complaints.into_iter().filter(|(file, _)| *file == first);
        let complaints = complaints.map(|(_, complaint)| complaint).collect();
        SceneError::Refused { file: self.files.swap_remove(first), complaints }
    }
}
