//! Reading: where in the tree it stands, and what it has to complain of.

use super::complaint::Complaint;
use super::expression::Scope;
use super::field::{At, Field};
use super::source_value::{SourceValue, Span, Value};
use crate::application::Application;
use rattleback_geom::Fingerprint;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

/// The most names that a complaint lists.
const MAX_LISTED: usize = 50;

/// Collects complaints while a tree is read.
#[derive(Debug, Default)]
pub struct Reader {
    path: Vec<Step>,
    pub(super) complaints: Vec<Complaint>,
    /// Files that are not looked for on the disk.
    beside: Vec<(PathBuf, String)>,
    /// The files that were read, by which a run knows them again.
    read: BTreeMap<PathBuf, Fingerprint>,
    /// What adds keys and shapes.
    applications: &'static [Application],
    /// Keys that applications add to the table at the top.
    top: Vec<&'static str>,
    /// The text that places are in; empty where they are not known.
    pub(super) text: String,
    /// What the names in expressions stand for.
    pub(super) scope: Scope,
    /// The places that loops repeat.
    pub(super) repeated: BTreeSet<(usize, usize)>,
}

/// A step into the tree; its words are put together only where something is wrong.
#[derive(Debug, Clone)]
pub enum Step {
    /// To the value of a key.
    Key(Cow<'static, str>),
    /// To an entry of a list, from zero.
    Index(usize),
}

/// Where a table and its keys stand, for what turns out to be wrong later.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Place {
    key: String,
    span: Span,
    /// The values of its keys.
    values: Vec<(&'static str, Span)>,
}

impl Reader {
    /// With complaints that are there already.
    #[cfg(test)]
    pub(crate) fn with(complaints: Vec<Complaint>) -> Self {
        Self { complaints, ..Self::default() }
    }

    /// With applications, and the files that came with a text, by the paths at which they will be asked for.
    pub fn new(applications: &'static [Application], beside: Vec<(PathBuf, String)>) -> Self {
        Self { applications, beside, ..Self::default() }
    }

    /// Takes the applications' keys for keys of the table at the top.
    pub(crate) fn with_top_keys(mut self) -> Self {
        self.top = self.applications.iter().map(|application| application.key).collect();
        self
    }

    /// What adds keys and shapes.
    pub fn applications(&self) -> &'static [Application] {
        self.applications
    }

    /// What a file says that the text names.
    pub fn text(&mut self, path: &Path) -> io::Result<String> {
        String::from_utf8(self.bytes(path)?).map_err(|error| {
            let begun = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = begun.iter().filter(|&&byte| byte == b'\n').count() + 1;
            io::Error::new(io::ErrorKind::InvalidData, format!("line {line} is not UTF-8"))
        })
    }

    /// The bytes of a file that the text names.
    pub fn bytes(&mut self, path: &Path) -> io::Result<Vec<u8>> {
        let bytes = match self.beside.iter().find(|(other, _)| other == path) {
            Some((_, text)) => text.clone().into_bytes(),
            None => std::fs::read(path)?,
        };
        self.read.insert(path.to_owned(), Fingerprint::of(&bytes));
        Ok(bytes)
    }

    /// The files that were read so far, as they are called from the given folder, and their fingerprints.
    pub fn files_read(&self, folder: &Path) -> BTreeMap<String, String> {
        let name = |path: &Path| path.strip_prefix(folder).unwrap_or(path).display().to_string();
        self.read.iter().map(|(path, fingerprint)| (name(path), fingerprint.to_string())).collect()
    }

    /// Reads a part of the tree under its name.
    pub fn within<T>(&mut self, step: Step, read: impl FnOnce(&mut Self) -> T) -> T {
        self.enter(step);
        let found = read(self);
        self.leave();
        found
    }

    /// What does not depend on the type that is read is compiled once.
    #[inline(never)]
    fn enter(&mut self, step: Step) {
        self.path.push(step);
    }

    #[inline(never)]
    fn leave(&mut self) {
        self.path.pop();
    }

    /// The key at which reading stands.
    pub fn key(&self) -> String {
        let mut key = String::new();
        for step in &self.path {
            match step {
                Step::Key(name) if key.is_empty() => key.push_str(name),
                Step::Key(name) => key.extend([".", name]),
                Step::Index(i) => {
                    write!(key, "[{i}]").ok();
                }
            }
        }
        key
    }

    /// Complains of what stands at a place.
    pub fn refuse(&mut self, span: &Span, message: impl Into<String>) {
        self.complain(span, message, None);
    }

    /// The same, with what may help.
    pub fn complain(&mut self, span: &Span, message: impl Into<String>, help: Option<String>) {
        let key = self.key();
        self.complaints.push(Complaint { span: span.clone(), key, message: message.into(), help });
    }

    /// Complains of a value that is not what is expected.
    pub fn expected(&mut self, node: &SourceValue, what: &str) {
        self.refuse(&node.span, format!("found {}; expected {what}", node.words()));
    }

    fn missing(&mut self, node: &SourceValue, name: &str) {
        self.refuse(&node.span, format!("missing key `{name}`"));
    }

    /// Complains of what was read and turned out to be wrong: at the value of `field` if the table has it, else at the
    /// table.
    pub fn wrong(&mut self, place: &Place, field: &str, message: impl Into<String>) {
        let (key, span) = place.of(field);
        self.complaints.push(Complaint { span, key, message: message.into(), help: None });
    }

    /// The place of a name among those that are known; `kind` says what they name.
    pub fn find(&mut self, name: &At<String>, kind: &str, known: &[&str]) -> Option<usize> {
        let found = known.iter().position(|other| *other == name.value);
        if found.is_none() {
            let help = nearest(&name.value, known).map(|near| format!("did you mean \"{near}\"?"));
            let expected = match known {
                [] => "there is none".to_owned(),
                [first, .., last] if known.len() > MAX_LISTED => {
                    format!("expected one of {} names from `{first}` to `{last}`", known.len())
                }
                _ => format!("expected {}", listed(known)),
            };
            let message = format!("no {kind} is named \"{}\"; {expected}", name.value);
            let (key, span) = (name.key.clone(), name.span.clone());
            self.complaints.push(Complaint { span, key, message, help });
        }
        found
    }

    /// All complaints, in the order of the file.
    pub fn into_complaints(mut self) -> Vec<Complaint> {
        // What is wrong in every turn of a loop is told of the first; turns differ in their numbers.
        let mut told = BTreeSet::new();
        self.complaints.retain(|complaint| {
            let place = (complaint.span.start, complaint.span.end);
            let words: String = complaint.message.chars().filter(|c| !c.is_ascii_digit()).collect();
            !self.repeated.contains(&place) || told.insert((place, words))
        });
        self.complaints.sort_by_key(|complaint| complaint.span.start);
        self.complaints
    }

    /// Complains of a value that was read with its place.
    pub fn refuse_at<T>(&mut self, at: &At<T>, message: String) {
        self.complaints.push(at.complaint(message));
    }

    /// How many complaints there are.
    pub(crate) fn count(&self) -> usize {
        self.complaints.len()
    }

    /// Whether there is none.
    pub fn is_content(&self) -> bool {
        self.complaints.is_empty()
    }
}

impl Place {
    /// Key and place of the value of `field`, or of the table where it has none. `field` may have an index, which is
    /// kept.
    pub fn of(&self, field: &str) -> (String, Span) {
        let name = field.split('[').next().unwrap_or_default();
        let joined = |name: &str| {
            if self.key.is_empty() { name.to_owned() } else { format!("{}.{name}", self.key) }
        };
        match self.values.iter().find(|(key, _)| *key == name) {
            Some((_, span)) => (joined(field), span.clone()),
            None => (self.key.clone(), self.span.clone()),
        }
    }

    /// Whether the file says anything about `field`.
    pub fn has(&self, field: &str) -> bool {
        self.values.iter().any(|(key, _)| *key == field)
    }
}

/// The entries of a table.
pub struct Fields<'n> {
    node: &'n SourceValue,
    known: &'static [&'static str],
}

impl<'n> Fields<'n> {
    /// The entries of a node, which must be a table of the given keys, and perhaps of a tag that was read before.
    pub fn of(
        node: &'n SourceValue,
        known: &'static [&'static str],
        tag: &str,
        reader: &mut Reader,
    ) -> Option<Self> {
        let Value::Table(entries) = &node.value else {
            reader.expected(node, &format!("a table with {}", listed(known)));
            return None;
        };
        let more = if reader.path.is_empty() { reader.top.clone() } else { Vec::new() };
        for (key, _) in entries {
            let name = key.name.as_str();
            if !known.contains(&name) && !more.contains(&name) && name != tag {
                let all = [known, &more].concat();
                let help = half_of(name, known)
                    .or_else(|| nearest(&key.name, &all).map(|near| format!("did you mean `{near}`?")));
                let message = format!("unknown key `{}`; expected {}", key.name, listed(&all));
                reader.complain(&key.span, message, help);
            }
        }
        Some(Self { node, known })
    }

    /// The word that tells which table it is.
    pub fn tag<'w>(
        node: &SourceValue,
        tag: &'static str,
        words: &[&'w str],
        reader: &mut Reader,
    ) -> Option<&'w str> {
        match (&node.value, node.get(tag)) {
            (Value::Table(_), Some(word)) => {
                reader.within(Step::Key(tag.into()), |reader| Self::word(word, words, reader))
            }
            (Value::Table(_), None) => {
                reader.refuse(&node.span, format!("missing key `{tag}`; expected {}", listed(words)));
                None
            }
            _ => {
                reader.expected(node, &format!("a table with the key `{tag}`"));
                None
            }
        }
    }

    /// One of the given words.
    pub fn word<'w>(node: &SourceValue, words: &[&'w str], reader: &mut Reader) -> Option<&'w str> {
        let Value::Text(text) = &node.value else {
            reader.expected(node, &listed(words));
            return None;
        };
        let found = words.iter().find(|word| *word == text).copied();
        if found.is_none() {
            let help = nearest(text, words).map(|near| format!("did you mean \"{near}\"?"));
            reader.complain(&node.span, format!("found {}; expected {}", node.words(), listed(words)), help);
        }
        found
    }

    /// Reads the value of a key, or takes `default` where it is absent.
    pub fn take<T: Field>(
        &self,
        name: &'static str,
        default: Option<fn() -> T>,
        reader: &mut Reader,
    ) -> Option<T> {
        match self.node.get(name) {
            Some(node) => reader.within(Step::Key(name.into()), |reader| T::read(node, reader)),
            None => {
                let value = default.map(|default| default()).or_else(T::absent);
                if value.is_none() {
                    reader.missing(self.node, name);
                }
                value
            }
        }
    }

    /// Where the table and its values stand.
    pub fn place(&self, reader: &Reader) -> Place {
        let mut values = Vec::with_capacity(self.known.len());
        values.extend(self.known.iter().filter_map(|name| Some((*name, self.node.get(name)?.span.clone()))));
        Place { key: reader.key(), span: self.node.span.clone(), values }
    }
}

/// Whether text is an expression: it begins with `=`.
pub(crate) fn is_expression(text: &str) -> bool {
    text.trim_start().starts_with('=')
}

/// `a`, `b` or `c`.
pub(super) fn listed(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.as_slice() {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// Words that other programs have for what files call otherwise.
const SYNONYMS: [(&str, &str); 15] = [
    ("cube", "box"),
    ("cuboid", "box"),
    ("block", "box"),
    ("brick", "box"),
    ("ball", "sphere"),
    ("halfspace", "plane"),
    ("half_space", "plane"),
    ("ground", "plane"),
    ("floor", "plane"),
    ("pill", "capsule"),
    ("ring", "torus"),
    ("donut", "torus"),
    ("pipe", "tube"),
    ("terrain", "height_field"),
    ("heightfield", "height_field"),
];

/// What is said of half lengths where whole ones are asked for.
fn half_of(found: &str, known: &[&str]) -> Option<String> {
    let is_half = ["half_extents", "half_sizes", "half_size", "half_lengths", "semi_axes"].contains(&found);
    (is_half && known.contains(&"size")).then(|| "`size` is the whole lengths, twice these".to_owned())
}

/// The name that a slip of the pen, or a word of another program, may have meant.
pub fn nearest<'a>(found: &str, known: &[&'a str]) -> Option<&'a str> {
    let lower = found.to_lowercase();
    // One of what there may be several of: `body` for `bodies`.
    let plural = lower.strip_suffix('y').map(|stem| format!("{stem}ies"));
    if let Some(name) = plural.and_then(|plural| known.iter().find(|name| **name == plural)) {
        return Some(name);
    }
    // Other words for the same thing, where the file has the one that is known.
    let same = SYNONYMS.iter().find(|(other, name)| *other == lower && known.contains(name));
    if let Some(name) = same.and_then(|(_, name)| known.iter().find(|known| *known == name)) {
        return Some(name);
    }
    // Letters put in, taken out, exchanged or swapped with their neighbour.
    let far = |name: &&'a str| (strsim::osa_distance(&lower, &name.to_lowercase()), *name);
    let (steps, name) = known.iter().map(far).min()?;
    // A third of the letters, and one of the shortest words.
    (steps <= (found.chars().count() / 3).max(1)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_pen_is_recognised_and_another_word_is_not() {
        let known = ["radius", "semi_axes", "type"];
        assert_eq!(nearest("radus", &known), Some("radius"));
        assert_eq!(nearest("semiaxes", &known), Some("semi_axes"));
        assert_eq!(nearest("tpye", &known), Some("type"));
        assert_eq!(nearest("colour", &known), None);
        assert_eq!(half_of("half_extents", &known), None);
        assert!(half_of("half_extents", &["size", "rounding"]).is_some_and(|said| said.contains("twice")));
        assert_eq!(nearest("body", &["bodies", "joints"]), Some("bodies"));
        assert_eq!(nearest("Cube", &["tube", "box"]), Some("box"));
        assert_eq!(nearest("cube", &["tube", "sphere"]), Some("tube"));
    }
}
