//! The report of a study: text for the terminal, figures and a page for a folder.

use rattleback_record::{Figure, Page, RecordError, Result, Table, WholeFile};
use std::io::Write;
use std::path::{Path, PathBuf};

/// What a study has to say, in order.
pub struct Report {
    title: String,
    parts: Vec<Part>,
}

enum Part {
    Text(String),
    Table { heading: String, table: Table },
    Figure { name: String, figure: Figure },
}

impl Report {
    pub fn new(title: &str) -> Self {
        Self { title: title.to_owned(), parts: Vec::new() }
    }

    pub fn text(&mut self, text: impl Into<String>) {
        self.parts.push(Part::Text(text.into()));
    }

    pub fn table(&mut self, heading: impl Into<String>, table: Table) {
        self.parts.push(Part::Table { heading: heading.into(), table });
    }

    /// `name` is that of the figure's file, without its ending.
    pub fn figure(&mut self, name: impl Into<String>, figure: Figure) {
        self.parts.push(Part::Figure { name: name.into(), figure });
    }

    /// Text and tables, for a terminal.
    pub fn as_text(&self) -> String {
        let mut text = format!("{}\n", self.title);
        for part in &self.parts {
            match part {
                Part::Text(words) => text += &format!("\n{words}\n"),
                Part::Table { heading, table } => text += &format!("\n{heading}\n\n{table}"),
                Part::Figure { .. } => {}
            }
        }
        text
    }

    /// Writes every figure as SVG and the page `index.html` into the folder; returns the page's path.
    pub fn write(&self, folder: &Path) -> Result<PathBuf> {
        std::fs::create_dir_all(folder)
            .map_err(|source| RecordError::Write { path: folder.to_owned(), source })?;
        let mut page = Page::new(&self.title);
        for part in &self.parts {
            match part {
                Part::Text(words) => page.text(words),
                Part::Table { heading, table } => page.table(heading, table),
                Part::Figure { name, figure } => {
                    let svg = figure.to_svg()?;
                    save(&folder.join(format!("{name}.svg")), &svg)?;
                    page.figure(&svg);
                }
            }
        }
        let path = folder.join("index.html");
        save(&path, &page.to_html())?;
        Ok(path)
    }
}

fn save(path: &Path, text: &str) -> Result<()> {
    let write = || {
        let mut file = WholeFile::create(path)?;
        file.write_all(text.as_bytes())?;
        file.finish()
    };
    write().map_err(|source| RecordError::Write { path: path.to_owned(), source })
}
