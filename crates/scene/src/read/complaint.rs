//! What is wrong with a file, and how it is shown: the message, the place, and the line it is about.
//!
//! ```text
//! error: bodies[1].shape.radius: found "10 kg", a mass; expected a length, in m or with a unit such as "37.5 mm"
//!   --> ball.toml:12:10
//!    |
//! 12 | radius = "10 kg"
//!    |          ^^^^^^^
//! ```

use super::node::Span;
use crate::error::{Result, SceneError};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// A mistake in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complaint {
    /// Where it stands, in bytes; empty at zero where that is not known.
    pub span: Span,
    /// The key, as `bodies[1].shape.radius`; empty where there is none.
    pub key: String,
    /// What was found and what was expected.
    pub message: String,
    /// What may help.
    pub help: Option<String>,
}

/// A file and its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Where it was read.
    pub path: PathBuf,
    /// What it says.
    pub text: String,
    /// Files that it names and that are not looked for on the disk: their names as they stand in it, and what they say.
    pub beside: Vec<(PathBuf, String)>,
}

impl Source {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path);
        let text = text.map_err(|source| SceneError::Read { path: path.to_owned(), source })?;
        Ok(Self { path: path.to_owned(), text, beside: Vec::new() })
    }

    /// Line and column of a byte, both from one; columns count characters.
    pub fn place(&self, byte: usize) -> (usize, usize) {
        let begun = self.text.get(..byte).unwrap_or(&self.text);
        let line = begun.matches('\n').count() + 1;
        let column = begun.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        (line, column)
    }

    fn line(&self, number: usize) -> &str {
        self.text.lines().nth(number - 1).unwrap_or_default()
    }
}

impl Complaint {
    /// Key and message in one line.
    pub fn sentence(&self) -> String {
        if self.key.is_empty() { self.message.clone() } else { format!("{}: {}", self.key, self.message) }
    }

    /// The complaint with the line it is about.
    pub fn show(&self, source: &Source) -> String {
        let mut text = format!("error: {}\n", self.sentence());
        if self.span == (0..0) {
            writeln!(text, "  --> {}", source.path.display()).ok();
        } else {
            self.excerpt(source, &mut text);
        }
        if let Some(help) = &self.help {
            writeln!(text, "   = help: {help}").ok();
        }
        text
    }

    fn excerpt(&self, source: &Source, text: &mut String) {
        let (line, column) = source.place(self.span.start);
        // Tabs would shift the marks below.
        let shown = source.line(line).replace('\t', " ");
        let rest = shown.chars().count().saturating_sub(column - 1);
        let within = source.text.get(self.span.clone()).unwrap_or_default();
        let first = within.lines().next().unwrap_or_default().chars().count();
        let marks = "^".repeat(first.min(rest).max(1));
        let margin = " ".repeat(line.to_string().len());
        let before = " ".repeat(column - 1);
        writeln!(text, "{margin}--> {}:{line}:{column}", source.path.display()).ok();
        writeln!(text, "{margin} |").ok();
        writeln!(text, "{line} | {shown}").ok();
        writeln!(text, "{margin} | {before}{marks}").ok();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_marks_stand_below_what_is_wrong_whatever_the_letters_before_it() {
        let text = "title = \"Römer\"\nradius = \"10 kg\"  # ü\n".to_owned();
        let at = text.find("\"10").expect("there");
        let source = Source { path: "ball.toml".into(), text, beside: Vec::new() };
        let complaint = Complaint {
            span: at..at + 7,
            key: "radius".into(),
            message: "no".into(),
            help: Some("yes".into()),
        };
        let expected = "error: radius: no\n --> ball.toml:2:10\n  |\n2 | radius = \"10 kg\"  # ü\n  |          ^^^^^^^\n   = help: yes\n";
        assert_eq!(complaint.show(&source), expected);
    }

    #[test]
    fn a_place_beyond_the_end_is_no_panic() {
        let source = Source { path: "x".into(), text: "a = 1".into(), beside: Vec::new() };
        let complaint = Complaint { span: 5..90, key: String::new(), message: "cut".into(), help: None };
        assert!(complaint.show(&source).contains("x:1:6"));
    }
}
