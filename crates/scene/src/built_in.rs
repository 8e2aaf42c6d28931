//! Scene files that are built into a program.

use crate::read::Source;
use std::path::PathBuf;

/// A scene file in the program's own text.
#[derive(Debug, Clone, Copy)]
pub struct BuiltIn {
    /// Its name.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
    /// The files that it names, and what they say.
    pub beside: &'static [(&'static str, &'static str)],
}

impl BuiltIn {
    /// The files that it names, and what they say.
    pub fn files(&self) -> Vec<(PathBuf, String)> {
        self.beside.iter().map(|(name, text)| (PathBuf::from(name), (*text).to_owned())).collect()
    }

    /// Its text as a file of its name.
    pub fn source(&self) -> Source {
        let path = PathBuf::from(format!("{}.toml", self.name));
        Source { path, text: self.text.to_owned(), beside: self.files() }
    }
}
