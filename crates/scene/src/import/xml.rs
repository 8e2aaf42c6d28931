//! Elements of an XML file that know where they stand.
//!
//! What a file can do to its reader is bounded: document types, and with them entities, are refused; elements and their
//! depth are counted.

use super::log::{Log, Spot};
use crate::error::Result;
use crate::read::{Complaint, Source};
use roxmltree::{Document, Node, ParsingOptions};
use std::path::Path;

/// The most nodes of a file, text and comments among them: some hundred megabytes while it is read.
const MAX_NODES: u32 = 1_000_000;
/// The deepest nesting: readers follow it with their own stack, and no mechanism is that long a chain.
const MAX_DEPTH: usize = 300;

/// The largest number in SI units that is taken: products of several stay finite, and nothing that moves is larger.
pub(super) const LARGEST: f64 = 1e12;

/// An attribute and where its value stands.
#[derive(Debug, Clone)]
pub(super) struct Attribute {
    pub(super) name: String,
    pub(super) value: String,
    pub(super) spot: Spot,
}

/// An element with what it holds.
#[derive(Debug, Clone)]
pub(super) struct Element {
    pub(super) tag: String,
    pub(super) attributes: Vec<Attribute>,
    pub(super) children: Vec<Element>,
    /// Where its tag stands.
    pub(super) spot: Spot,
}

/// Reads a file to its root element.
pub(super) fn read(path: &Path, log: &mut Log) -> Result<Option<Element>> {
    let file = log.open(Source::read(path)?);
    let text = passable(log.text(file), file, log);
    let options = ParsingOptions { nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    let document = match Document::parse_with_options(&text, options) {
        Ok(document) => document,
        Err(error) => {
            log.refuse_at(file, parse_error(&text, &error));
            return Ok(None);
        }
    };
    Ok(element(document.root_element(), file, 0, log))
}

/// The text without what other programs pass over and XML does not have, each character in its place: a declaration
/// after blank lines, zero bytes at the end.
fn passable(text: String, file: usize, log: &mut Log) -> String {
    let begin = text.len() - text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']).len();
    let declared =
        text[begin..].starts_with("<?xml") && !text[..begin].trim_start_matches('\u{feff}').is_empty();
    let end = text.trim_end_matches(['\0', ' ', '\t', '\r', '\n']).len();
    let mut blank: Vec<(usize, usize)> = Vec::new();
    if let Some(length) = text[begin..].find("?>").filter(|_| declared) {
        let span = begin..begin + length + 2;
        blank.push((span.start, span.end));
        log.lose(
            &Spot { file, span },
            "an XML declaration that is not at the start of the file: passed over",
        );
    }
    if text[end..].contains('\0') {
        blank.push((end, text.len()));
        log.lose(&Spot { file, span: end..text.len() }, "zero bytes after the end: passed over");
    }
    if blank.is_empty() {
        return text;
    }
    let is_blank = |at: usize| blank.iter().any(|(from, to)| (*from..*to).contains(&at));
    // One space per byte keeps the places.
    let space = |(at, c): (usize, char)| {
        if is_blank(at) && c != '\n' { " ".repeat(c.len_utf8()) } else { c.to_string() }
    };
    text.char_indices().map(space).collect()
}

/// What is no XML, where it stands.
fn parse_error(text: &str, error: &roxmltree::Error) -> Complaint {
    let at = error.pos();
    let line =
        text.split_inclusive('\n').take(at.row.saturating_sub(1) as usize).map(str::len).sum::<usize>();
    let within: usize = text
        .get(line..)
        .unwrap_or_default()
        .chars()
        .take(at.col.saturating_sub(1) as usize)
        .map(char::len_utf8)
        .sum();
    let start = line + within;
    let message = match error {
        roxmltree::Error::DtdDetected => {
            "found a document type; expected none: entities are not taken in".to_owned()
        }
        roxmltree::Error::NodesLimitReached => format!("found more than {MAX_NODES} nodes; expected fewer"),
        // The place is told by itself.
        other => other.to_string().rsplit_once(" at ").map_or(other.to_string(), |(said, _)| said.to_owned()),
    };
    Complaint { span: start..start + 1, key: String::new(), message, help: None }
}

fn element(node: Node<'_, '_>, file: usize, depth: usize, log: &mut Log) -> Option<Element> {
    let range = node.range();
    // The tag alone: `<link name="a">`.
    let inner = node.first_child().map_or(range.end, |child| child.range().start).min(range.end);
    let spot = Spot { file, span: range.start..inner.max(range.start + 1) };
    if depth > MAX_DEPTH {
        log.refuse(&spot, format!("found elements in each other more than {MAX_DEPTH} deep; expected fewer"));
        return None;
    }
    let attributes = node.attributes().map(|attribute| Attribute {
        name: attribute.name().to_owned(),
        value: attribute.value().to_owned(),
        spot: Spot { file, span: attribute.range_value() },
    });
    let tag = match node.tag_name().namespace() {
        Some(space) if space.contains("xacro") => format!("xacro:{}", node.tag_name().name()),
        _ => node.tag_name().name().to_owned(),
    };
    let attributes = attributes.collect();
    let mut children = Vec::new();
    for child in node.children().filter(Node::is_element) {
        children.push(element(child, file, depth + 1, log)?);
    }
    Some(Element { tag, attributes, children, spot })
}

impl Element {
    /// The attribute of that name.
    pub(super) fn get(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    /// The value of an attribute.
    pub(super) fn value(&self, name: &str) -> Option<&str> {
        self.get(name).map(|attribute| attribute.value.as_str())
    }

    /// The children of that tag.
    pub(super) fn all<'e>(&'e self, tag: &'e str) -> impl Iterator<Item = &'e Element> + 'e {
        self.children.iter().filter(move |child| child.tag == tag)
    }

    /// The first child of that tag.
    pub(super) fn child(&self, tag: &str) -> Option<&Element> {
        self.children.iter().find(|child| child.tag == tag)
    }

    /// What it is called in messages: `joint "hip"`, or its tag alone.
    pub(super) fn title(&self) -> String {
        match self.value("name") {
            Some(name) => format!("{} \"{name}\"", self.tag),
            None => self.tag.clone(),
        }
    }

    /// A value that must be there.
    pub(super) fn needed<'e>(&'e self, name: &str, log: &mut Log) -> Option<&'e Attribute> {
        let found = self.get(name);
        if found.is_none() {
            log.refuse(&self.spot, format!("missing attribute `{name}` of {}", self.title()));
        }
        found
    }
}

impl Attribute {
    /// Its numbers, none beyond [`LARGEST`], as many as `least` to `most`.
    pub(super) fn numbers(&self, least: usize, most: usize, log: &mut Log) -> Option<Vec<f64>> {
        let expected = match (least, most) {
            (1, 1) => "a number".to_owned(),
            (a, b) if a == b => format!("{a} numbers"),
            (a, b) => format!("{a} to {b} numbers"),
        };
        let mut numbers = Vec::new();
        for word in self.value.split_whitespace() {
            match word.parse::<f64>() {
                Ok(x) if x.abs() <= LARGEST => numbers.push(x),
                _ => {
                    log.refuse(
                        &self.spot,
                        format!(
                            "`{}`: found \"{word}\"; expected {expected}, of {LARGEST:e} at most",
                            self.name
                        ),
                    );
                    return None;
                }
            }
        }
        if !(least..=most).contains(&numbers.len()) {
            let count = numbers.len();
            log.refuse(&self.spot, format!("`{}`: found {count} numbers; expected {expected}", self.name));
            return None;
        }
        Some(numbers)
    }

    /// Its one number.
    pub(super) fn number(&self, log: &mut Log) -> Option<f64> {
        self.numbers(1, 1, log).map(|numbers| numbers[0])
    }

    /// Its one number, a bound: what is beyond [`LARGEST`] stands for none, and is that.
    pub(super) fn bound(&self, log: &mut Log) -> Option<f64> {
        match self.value.trim().parse::<f64>() {
            Ok(x) if x.abs() > LARGEST => Some(LARGEST.copysign(x)),
            _ => self.number(log),
        }
    }

    /// Its three numbers.
    pub(super) fn triple(&self, log: &mut Log) -> Option<[f64; 3]> {
        self.numbers(3, 3, log).map(|n| [n[0], n[1], n[2]])
    }
}
