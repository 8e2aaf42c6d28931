//! What a person reads: tables, words and figures of a fit and of a prediction.
//!
//! | what | file |
//! |---|---|
//! | the fitted foot | `fit.rs` |
//! | forces against plates | `prediction.rs` |
//! | what the data cannot support, in words | `words.rs` |
//! | the foot through a stance | `picture.rs` |
//! | the dropped foot and the driven leg | `forward.rs` |
//! | maps of correlations and of the error about the fit | `maps.rs` |
//! | the file of forces for other programs | `motion.rs` |

mod fit;
mod forward;
mod maps;
mod motion;
mod picture;
mod prediction;
mod words;

pub use fit::fit_document;
pub use forward::{add_drop, leg_document};
pub use motion::force_table;
pub use prediction::{Comparison, compare, prediction_document};

use rattleback_record::{Axis, Figure, Series};

fn series(name: impl Into<String>, points: Vec<[f64; 2]>, dashed: bool) -> Series {
    Series { name: name.into(), points, dashed }
}

/// A figure whose axes have room for all of it.
fn figure(title: impl Into<String>, x: &str, y: &str, series: Vec<Series>) -> Figure {
    let along = |k: usize| series.iter().flat_map(move |s| s.points.iter().map(move |p| p[k]));
    let (x, y) = (Axis::spanning(along(0), x), Axis::spanning(along(1), y));
    Figure { title: title.into(), x, y, series }
}

/// A share as per cent.
fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}
