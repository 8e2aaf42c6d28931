//! The report of a run: one page with pictures, figures, tables, the ledger and timings.
//!
//! | what | file |
//! |---|---|
//! | the page | `mod.rs` |
//! | curves by name | `curve.rs` |
//! | springs at recorded instants | `spring.rs` |
//! | figures over time | `figures.rs` |
//! | pictures at instants | `pictures.rs` |
//! | tables | `tables.rs` |

mod curve;
mod figures;
mod pictures;
mod spring;
mod tables;

pub use curve::{Curve, Sheets};
pub use figures::{figure, figure_over};
pub use spring::{Spring, motion_of};

use crate::error::{RecordError, Result};
use crate::folder::{ResultFolder, Sheet};
use crate::page::Page;
use crate::picture::{Camera, Look};
use crate::whole_file::WholeFile;
use rattleback_dynamics::Model;
use std::path::PathBuf;

/// A figure that a report is to have.
#[derive(Debug, Clone, PartialEq)]
pub struct Plot {
    /// The line above it.
    pub title: String,
    /// What its vertical axis shows, with the unit; from the columns unless it is given.
    pub label: Option<String>,
    /// Its curves.
    pub curves: Vec<Curve>,
}

/// What a report is about, beside what the folder knows.
#[derive(Debug, Clone)]
pub struct Report<'m> {
    /// The model that was run.
    pub model: &'m Model,
    /// What to see.
    pub description: String,
    /// Where the scene comes from.
    pub origin: String,
    /// How the bodies look, in the order of the model; those beyond the list as they come.
    pub looks: Vec<Look>,
    /// When pictures are made, in s; each shows the record nearest to it.
    pub instants: Vec<f64>,
    /// From where; so that all is seen unless it is given.
    pub camera: Option<Camera>,
    /// Figures beyond energy, forces and depths.
    pub plots: Vec<Plot>,
}

/// The name of the page in the folder.
pub const PAGE: &str = "report.html";

/// Endings of files that show a run in motion.
const MOTIONS: [&str; 7] = ["html", "gif", "apng", "mp4", "webm", "glb", "pvd"];

impl Report<'_> {
    /// Writes the page into the folder, with its pictures as files beside it; returns its path.
    pub fn write(&self, folder: &ResultFolder) -> Result<PathBuf> {
        let sheets = Sheets::read(folder)?;
        let manifest = folder.manifest();
        let mut page = Page::new(&manifest.title);
        if let Some(health) = &manifest.health {
            page.notice(&health.verdict, health.healthy);
        }
        for text in self.description.split("\n\n").filter(|text| !text.trim().is_empty()) {
            page.text(text);
        }
        if !self.origin.is_empty() {
            page.text(&format!("Source: {}", self.origin));
        }
        page.table("The run", &manifest.summary());
        for name in motions(folder)? {
            page.link(&format!("In motion: {name}"), &name);
        }
        page.section("Pictures");
        let pictures = self.pictures(&sheets)?;
        let files = pictures.iter().map(|picture| picture.image.to_png()).collect::<Result<Vec<_>>>()?;
        for (k, png) in files.iter().enumerate() {
            WholeFile::write(&folder.path().join(format!("picture-{}.png", k + 1)), png)?;
        }
        page.pictures(
            files.iter().zip(&pictures).map(|(png, picture)| (png.as_slice(), picture.caption.as_str())),
        );
        page.section("Figures");
        for plot in &self.plots {
            page.figure(&figure(&plot.title, plot.label.as_deref(), &plot.curves, &sheets)?.to_svg()?);
        }
        for figure in self.usual(&sheets, &folder.sheet(Sheet::Events)?)? {
            page.figure(&figure.to_svg()?);
        }
        page.section("Energy");
        page.table("Where the energy is, and where it went, in J", &tables::ledger(&sheets.energies)?);
        page.section("Contacts");
        tables::events(folder, &mut page)?;
        page.section("Records");
        page.table("Files of this folder", &manifest.contents());
        let path = folder.path().join(PAGE);
        WholeFile::write(&path, page.to_html().as_bytes())?;
        Ok(path)
    }
}

/// The files of a folder that show its run in motion, by their names.
fn motions(folder: &ResultFolder) -> Result<Vec<String>> {
    let failed = |source| RecordError::Read { path: folder.path().to_owned(), source };
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder.path()).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let ending = path.extension().map(|own| own.to_string_lossy().to_lowercase());
        let is_motion = ending.is_some_and(|own| MOTIONS.contains(&own.as_str()));
        if let Some(name) = path.file_name().and_then(|name| name.to_str())
            && is_motion
            && name != PAGE
        {
            names.push(name.to_owned());
        }
    }
    names.sort();
    Ok(names)
}
