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
        let (shown, skipped) = window(source.line(line), column);
        let rest = (shown.chars().count() + 1).saturating_sub(column - skipped);
        let within = source.text.get(self.span.clone()).unwrap_or_default();
        let first = within.lines().next().unwrap_or_default().chars().count();
        let marks = "^".repeat(first.min(rest).max(1));
        let margin = " ".repeat(line.to_string().len());
        let before = " ".repeat(column - 1 - skipped);
        writeln!(text, "{margin}--> {}:{line}:{column}", source.path.display()).ok();
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
