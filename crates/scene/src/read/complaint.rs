//! What is wrong with a file, and how it is shown: the message, the place, and the line it is about.
//!
//! ```text
//! error: bodies[1].shape.radius: found "10 kg", a mass; expected a length, in m or with a unit such as "37.5 mm"
//!   --> ball.toml:12:10
//!    |
//! 12 | radius = "10 kg"
//!    |          ^^^^^^^
//! ```

use super::source_value::Span;
use crate::error::{Result, SceneError};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The most characters of a line that are shown.
const MAX_SHOWN: usize = 160;

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
#[derive(Debug, Clone, PartialEq, Eq, Default)]
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
        let bytes = std::fs::read(path);
        let bytes = bytes.map_err(|source| SceneError::Read { path: path.to_owned(), source })?;
        let source = |text: String| Self { path: path.to_owned(), text, beside: Vec::new() };
        String::from_utf8(bytes).map(source).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            let byte = error.as_bytes()[at];
            let complaint = Complaint {
                span: at..at + 1,
                key: String::new(),
                message: format!("found the byte 0x{byte:02x}; expected text in UTF-8"),
                help: None,
            };
            // Up to the byte at fault the places are those of the file.
            let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
            SceneError::Refused { file: source(text), complaints: vec![complaint] }
        })
    }

    /// The file that a byte is in, where it is and what it says, and the first byte of it. Places go on from the text
    /// through the files beside it, with one byte between two of them.
    fn file_at(&self, byte: usize) -> (PathBuf, &str, usize) {
        let mut begin = self.text.len() + 1;
        for (name, text) in &self.beside {
            if (begin..=begin + text.len()).contains(&byte) {
                let folder = self.path.parent().unwrap_or(Path::new(""));
                return (folder.join(name), text, begin);
            }
            begin += text.len() + 1;
        }
        (self.path.clone(), &self.text, 0)
    }

    /// Where a file beside it begins.
    pub(crate) fn begin_of(&self, name: &Path) -> Option<usize> {
        let mut begin = self.text.len() + 1;
        for (other, text) in &self.beside {
            if other == name {
                return Some(begin);
            }
            begin += text.len() + 1;
        }
        None
    }

    /// Its text and those beside it, as places count them.
    pub(crate) fn whole(&self) -> String {
        let texts = std::iter::once(&self.text).chain(self.beside.iter().map(|(_, text)| text));
        texts.map(String::as_str).collect::<Vec<_>>().join("\n")
    }

    /// Puts another text at a place of its text or of one beside it.
    pub(crate) fn replace(&mut self, place: Span, text: &str) {
        let mut begin = 0;
        for own in std::iter::once(&mut self.text).chain(self.beside.iter_mut().map(|(_, text)| text)) {
            if place.end <= begin + own.len() {
                own.replace_range(place.start - begin..place.end - begin, text);
                return;
            }
            begin += own.len() + 1;
        }
    }

    /// The file that a byte is in.
    pub fn path_at(&self, byte: usize) -> PathBuf {
        self.file_at(byte).0
    }

    /// Line and column of a byte in its file, both from one; columns count characters.
    pub fn place(&self, byte: usize) -> (usize, usize) {
        let (_, text, begin) = self.file_at(byte);
        let begun = text.get(..byte - begin).unwrap_or(text);
        let line = begun.matches('\n').count() + 1;
        let column = begun.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        (line, column)
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

    /// The message and the line that it is about.
    pub(crate) fn excerpt_of(&self, source: &Source) -> String {
        let mut text = format!("{}\n", self.message);
        self.excerpt(source, &mut text);
        text.trim_end().to_owned()
    }

    fn excerpt(&self, source: &Source, text: &mut String) {
        let (line, column) = source.place(self.span.start);
        let (path, whole, begin) = source.file_at(self.span.start);
        let (shown, skipped) = window(whole.lines().nth(line - 1).unwrap_or_default(), column);
        let rest = (shown.chars().count() + 1).saturating_sub(column - skipped);
        let within = whole.get(self.span.start - begin..self.span.end - begin).unwrap_or_default();
        let first = within.lines().next().unwrap_or_default().chars().count();
        let marks = "^".repeat(first.min(rest).max(1));
        let margin = " ".repeat(line.to_string().len());
        let before = " ".repeat(column - 1 - skipped);
        writeln!(text, "{margin}--> {}:{line}:{column}", path.display()).ok();
        writeln!(text, "{margin} |").ok();
        writeln!(text, "{line} | {shown}").ok();
        writeln!(text, "{margin} | {before}{marks}").ok();
    }
}

/// As much of a line as is shown about a column, and how many characters before it are left away. Characters that would
/// shift the marks below, or the cursor of a terminal, become blanks.
fn window(line: &str, column: usize) -> (String, usize) {
    let skipped = if column > MAX_SHOWN { column - MAX_SHOWN / 2 } else { 0 };
    let rest = line.chars().skip(skipped);
    let plain = rest.map(|c| if c.is_control() { ' ' } else { c });
    (plain.take(MAX_SHOWN).collect(), skipped)
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
    fn of_a_long_line_the_part_about_the_mistake_is_shown() {
        let text = format!("a = {}x", "[".repeat(5000));
        let source = Source { path: "deep.toml".into(), text, beside: Vec::new() };
        let complaint = Complaint { span: 5004..5005, key: String::new(), message: "no".into(), help: None };
        let shown = complaint.show(&source);
        let lines: Vec<&str> = shown.lines().collect();
        assert!(lines[1].ends_with("deep.toml:1:5005") && shown.len() < 500, "{shown}");
        assert_eq!(lines[3].find('x').map(|at| &lines[4][at..]), Some("^"), "{shown}");
    }

    #[test]
    fn a_place_beyond_the_end_is_no_panic() {
        let source = Source { path: "x".into(), text: "a = 1".into(), beside: Vec::new() };
        let complaint = Complaint { span: 5..90, key: String::new(), message: "cut".into(), help: None };
        assert!(complaint.show(&source).contains("x:1:6"));
    }
}
