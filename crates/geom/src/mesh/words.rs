//! Words of a text, with the line they stand on.

use crate::error::{GeomError, Result};

pub(super) struct Words<'a> {
    rest: &'a str,
    line: usize,
}

impl<'a> Words<'a> {
    /// The words of a text whose first line has the given number.
    pub(super) fn new(text: &'a str, line: usize) -> Self {
        Self { rest: text, line }
    }

    pub(super) fn peek(&mut self) -> Option<&'a str> {
        let trimmed = self.rest.trim_start();
        let skipped = &self.rest[..self.rest.len() - trimmed.len()];
        self.line += skipped.matches('\n').count();
        self.rest = trimmed;
        trimmed.split_whitespace().next()
    }

    pub(super) fn take(&mut self) -> Option<&'a str> {
        let word = self.peek()?;
        self.rest = &self.rest[word.len()..];
        Some(word)
    }

    pub(super) fn skip_line(&mut self) {
        self.rest = self.rest.find('\n').map_or("", |end| &self.rest[end..]);
    }

    pub(super) fn expect(&mut self, keyword: &str) -> Result<()> {
        match self.take() {
            Some(word) if word.eq_ignore_ascii_case(keyword) => Ok(()),
            other => Err(self.error(other, keyword)),
        }
    }

    /// A number; one that is not used may be NaN.
    pub(super) fn number(&mut self, finite: bool) -> Result<f64> {
        let word = self.take();
        word.and_then(|w| w.parse().ok())
            .filter(|x: &f64| !finite || x.is_finite())
            .ok_or_else(|| self.error(word, "a finite number"))
    }

    pub(super) fn error(&self, word: Option<&str>, expected: &str) -> GeomError {
        let found = word.map_or("the end of the file".to_owned(), |w| format!("{w:?}"));
        GeomError::Parse { line: self.line, found, expected: expected.to_owned() }
    }
}
