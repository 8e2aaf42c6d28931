//! Files to send: a page, films, pictures, glTF and VTK.
//!
//! | ending | what | file |
//! |---|---|---|
//! | `.html` | the page with its data in it | `page.rs`, its curves `page_curves.rs` |
//! | `.gif`, `.apng` | a film of the project's own renderer, with marks | `film.rs`, `film_marks.rs` |
//! | `.png` | its frames, each a file | `film.rs` |
//! | `.mp4`, `.webm` | a film, made by ffmpeg | `film.rs` |
//! | `.glb` | animated glTF 2.0 | `gltf.rs` |
//! | `.pvd` | a collection of VTK files, for ParaView | `vtk.rs` |

mod film;
mod film_marks;
mod gltf;
mod page;
mod page_curves;
mod vtk;

pub use film::FilmOptions;
pub use film_marks::{FilmMark, FilmMarks};

use crate::error::{Result, ViewError};
use crate::feed::Feed;
use std::path::{Path, PathBuf};

/// The endings of files that can be made.
pub const ENDINGS: [&str; 8] = ["html", "gif", "apng", "png", "mp4", "webm", "glb", "pvd"];
/// Frames of a page, a glTF file or a collection at most; of a longer run they have every so many.
const FRAMES: u64 = 2000;

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export {
    /// The file to open.
    pub path: PathBuf,
    /// Instants in it.
    pub instants: u64,
    /// What its reader should know.
    pub remark: Option<String>,
}

/// Writes a file of the kind that its ending says. What is there already is not overwritten.
pub fn export(feed: &Feed, path: &Path, options: &FilmOptions) -> Result<Export> {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    if path.exists() {
        let reason = "exists already and is not overwritten".to_owned();
        return Err(ViewError::Export { path: path.to_owned(), reason });
    }
    while feed.follow()? {}
    if feed.recorded() == 0 {
        return Err(ViewError::Empty { path: feed.folder().unwrap_or(path).to_owned() });
    }
    match ending.as_str() {
        "html" => page::write(feed, path),
        "gif" => film::gif(feed, path, options),
        "apng" => film::apng(feed, path, options),
        "png" => film::pictures(feed, path, options),
        "mp4" | "webm" => film::video(feed, path, options),
        "glb" => gltf::write(feed, path),
        "pvd" => vtk::write(feed, path),
        _ => {
            let reason = format!("the ending must be one of .{}", ENDINGS.join(", ."));
            Err(ViewError::Export { path: path.to_owned(), reason })
        }
    }
}

/// Every so many of the frames, so that there are at most [`FRAMES`], and their stride; the last one is among them.
fn chosen(feed: &Feed, most: u64) -> (Vec<u64>, u64) {
    let recorded = feed.recorded();
    let stride = recorded.div_ceil(most.clamp(1, FRAMES)).max(1);
    let mut frames: Vec<u64> = (0..recorded).step_by(stride as usize).collect();
    if frames.last() != Some(&(recorded - 1)) {
        frames.push(recorded - 1);
    }
    (frames, stride)
}

fn write_file(path: &Path, bytes: &[u8]) -> Result<()> {
    Ok(rattleback_record::WholeFile::write(path, bytes)?)
}

fn remark_on(stride: u64) -> Option<String> {
    (stride > 1).then(|| format!("It has one of {stride} records."))
}
