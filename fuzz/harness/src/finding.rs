//! What must not happen, whatever the input.

use std::fmt;

/// The sort of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fault {
    /// The code gave up.
    Panic,
    /// An answer without an error that holds a NaN or an infinity.
    NotFinite,
    /// An error that does not say where in the text it is.
    NoPlace,
    /// More computing time than an input of this size deserves.
    Hang,
    /// More memory than that.
    Memory,
    /// The process ended: a stack that overflowed, an abort, memory that was refused.
    Death,
}

impl Fault {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Panic => "panic",
            Self::NotFinite => "not-finite",
            Self::NoPlace => "no-place",
            Self::Hang => "hang",
            Self::Memory => "memory",
            Self::Death => "death",
        }
    }

    /// The fault that a word stands for.
    pub fn from_word(word: &str) -> Option<Self> {
        let all = [Self::Panic, Self::NotFinite, Self::NoPlace, Self::Hang, Self::Memory, Self::Death];
        all.into_iter().find(|fault| fault.word() == word)
    }
}

/// Something that must not happen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Its sort.
    pub fault: Fault,
    /// Where it happened or what was said, on one line.
    pub message: String,
}

impl Finding {
    /// A finding; line breaks of the message become spaces.
    pub fn new(fault: Fault, message: impl Into<String>) -> Self {
        let message: String = message.into();
        Self { fault, message: message.split_whitespace().collect::<Vec<_>>().join(" ") }
    }

    /// What findings of one cause have in common: numbers and quoted words are left out, and a panic is known by its
    /// place.
    pub fn signature(&self) -> String {
        let told = match (self.fault, self.message.split_once(": ")) {
            (Fault::Panic, Some((place, _))) => place.to_owned(),
            _ => unquoted(&self.message),
        };
        let short: String = told.chars().filter(|c| !c.is_ascii_digit()).take(120).collect();
        match self.fault {
            // The line of a panic is what tells it from others in the same file.
            Fault::Panic => format!("{} {told}", self.fault.word()),
            _ => format!("{} {short}", self.fault.word()),
        }
    }
}

/// A text without what stands between quotes.
fn unquoted(text: &str) -> String {
    text.split(['"', '`']).step_by(2).collect()
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.fault.word(), self.message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_of_one_cause_have_one_signature() {
        let panic = |message: &str| Finding::new(Fault::Panic, message).signature();
        assert_eq!(panic("src/a.rs:3:4: index 7 of 3"), panic("src/a.rs:3:4: index 9 of 3"));
        assert_ne!(panic("src/a.rs:3:4: index 7 of 3"), panic("src/a.rs:5:4: index 7 of 3"));
        let place = |message: &str| Finding::new(Fault::NoPlace, message).signature();
        assert_eq!(place("found \"a\", 3 of 4"), place("found \"bcd\", 13\nof 4"));
        assert_ne!(place("found \"a\", 3 of 4"), place("missing \"a\", 3 of 4"));
    }
}
