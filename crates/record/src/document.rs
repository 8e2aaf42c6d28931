//! Texts, tables, figures and pictures in order: text for the terminal, JSON for programs, figures and a page for a
//! folder.

use crate::{Figure, HeatMap, Page, RecordError, Result, Table, WholeFile};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// What is to be told, in order.
#[derive(Debug)]
pub struct Document {
    title: String,
    parts: Vec<Part>,
}

#[derive(Debug)]
enum Part {
    Text(String),
    Table { heading: String, table: Table },
    Figure { name: String, figure: Figure },
    Map { name: String, map: HeatMap },
    Picture { name: String, png: Vec<u8>, caption: String },
    File { name: String, bytes: Vec<u8>, text: String },
}

impl Part {
    /// The name of a figure, map, picture or file, or the heading of a table.
    fn name(&self) -> Option<&str> {
        match self {
            Self::Text(_) => None,
            Self::Table { heading: name, .. }
            | Self::Figure { name, .. }
            | Self::Map { name, .. }
            | Self::Picture { name, .. }
            | Self::File { name, .. } => Some(name),
        }
    }
}

/// A name with a hyphen for whatever is no letter and no digit.
fn anchor(name: &str) -> String {
    name.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect()
}

impl Document {
    /// A document without parts.
    pub fn new(title: &str) -> Self {
        Self { title: title.to_owned(), parts: Vec::new() }
    }

    /// Adds a paragraph.
    pub fn text(&mut self, text: impl Into<String>) {
        self.parts.push(Part::Text(text.into()));
    }

    /// Adds a table.
    pub fn table(&mut self, heading: impl Into<String>, table: Table) {
        self.parts.push(Part::Table { heading: heading.into(), table });
    }

    /// Adds a figure; `name` is that of its file, without its ending.
    pub fn figure(&mut self, name: impl Into<String>, figure: Figure) {
        self.parts.push(Part::Figure { name: name.into(), figure });
    }

    /// Adds a map; `name` is that of its file, without its ending.
    pub fn map(&mut self, name: impl Into<String>, map: HeatMap) {
        self.parts.push(Part::Map { name: name.into(), map });
    }

    /// Adds a picture, a PNG file; `name` is that of its file, without its ending.
    pub fn picture(&mut self, name: impl Into<String>, png: Vec<u8>, caption: impl Into<String>) {
        self.parts.push(Part::Picture { name: name.into(), png, caption: caption.into() });
    }

    /// Adds a file of data, to which `text` leads; `name` is its path in the folder.
    pub fn file(&mut self, name: impl Into<String>, bytes: Vec<u8>, text: impl Into<String>) {
        self.parts.push(Part::File { name: name.into(), bytes, text: text.into() });
    }

    /// Its title.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The texts in order.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            Part::Text(words) => Some(words.as_str()),
            _ => None,
        })
    }

    /// The tables in order, each with its heading.
    pub fn tables(&self) -> impl Iterator<Item = (&str, &Table)> {
        self.parts.iter().filter_map(|part| match part {
            Part::Table { heading, table } => Some((heading.as_str(), table)),
            _ => None,
        })
    }

    /// The figure of that name.
    pub fn find_figure(&self, wanted: &str) -> Option<&Figure> {
        self.parts.iter().find_map(|part| match part {
            Part::Figure { name, figure } if name == wanted => Some(figure),
            _ => None,
        })
    }

    /// The map of that name.
    pub fn find_map(&self, wanted: &str) -> Option<&HeatMap> {
        self.parts.iter().find_map(|part| match part {
            Part::Map { name, map } if name == wanted => Some(map),
            _ => None,
        })
    }

    /// What leads to a part on the page, `#` and this: to the figure, map, picture or file of that name, or to the
    /// first table whose heading begins with it; none where there is no such part.
    pub fn anchor(&self, wanted: &str) -> Option<String> {
        let is_wanted = |part: &&Part| match part {
            Part::Table { heading, .. } => heading.starts_with(wanted),
            other => other.name() == Some(wanted),
        };
        self.parts.iter().find(is_wanted)?.name().map(anchor)
    }

    /// Text and tables, for a terminal.
    pub fn as_text(&self) -> String {
        let mut text = format!("{}\n", self.title);
        for part in &self.parts {
            match part {
                Part::Text(words) => text += &format!("\n{words}\n"),
                Part::Table { heading, table } => text += &format!("\n{heading}\n\n{table}"),
                Part::Figure { .. } | Part::Map { .. } | Part::Picture { .. } | Part::File { .. } => {}
            }
        }
        text
    }

    /// Title, texts and tables, for programs.
    pub fn as_json(&self) -> Value {
        let part = |part: &Part| match part {
            Part::Text(words) => Some(json!({"text": words})),
            Part::Table { heading, table } => {
                Some(json!({"heading": heading, "columns": table.columns(), "rows": table.rows()}))
            }
            Part::Figure { .. } | Part::Map { .. } | Part::Picture { .. } | Part::File { .. } => None,
        };
        json!({"title": self.title, "parts": self.parts.iter().filter_map(part).collect::<Vec<_>>()})
    }

    /// Writes every figure as SVG, every picture as PNG, every file of data and the page `index.html` into the folder;
    /// returns the page's path.
    pub fn write(&self, folder: &Path) -> Result<PathBuf> {
        std::fs::create_dir_all(folder)
            .map_err(|source| RecordError::Write { path: folder.to_owned(), source })?;
        let mut page = Page::new(&self.title);
        for part in &self.parts {
            if let Some(name) = part.name() {
                page.anchor(&anchor(name));
            }
            match part {
                Part::Text(words) => page.text(words),
                Part::Table { heading, table } => page.table(heading, table),
                Part::Figure { name, figure } => {
                    let svg = figure.to_svg()?;
                    WholeFile::write(&folder.join(format!("{name}.svg")), svg.as_bytes())?;
                    page.figure(&svg);
                }
                Part::Map { name, map } => {
                    let svg = map.to_svg()?;
                    WholeFile::write(&folder.join(format!("{name}.svg")), svg.as_bytes())?;
                    page.figure(&svg);
                }
                Part::Picture { name, png, caption } => {
                    WholeFile::write(&folder.join(format!("{name}.png")), png)?;
                    page.picture(png, caption);
                }
                Part::File { name, bytes, text } => {
                    let path = folder.join(name);
                    if let Some(parent) = path.parent() {
                        let failed = |source| RecordError::Write { path: parent.to_owned(), source };
                        std::fs::create_dir_all(parent).map_err(failed)?;
                    }
                    WholeFile::write(&path, bytes)?;
                    page.link(text, name);
                }
            }
        }
        let path = folder.join("index.html");
        WholeFile::write(&path, page.to_html().as_bytes())?;
        Ok(path)
    }
}
