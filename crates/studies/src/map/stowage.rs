//! The stowage map: how probable it is that an anchor jams.
//!
//! Every hull, heading, swing and sea is heaved through n stretches of the same sea (its waves have other phases in
//! each). Of these k jam; the share k/n is drawn, and for a hull as a whole Wilson's interval of 95 %,
//!
//! ```text
//! p = (k + z²/2)/(n + z²),  p ± z √(k(n − k)/n + z²/4)/(n + z²),  z = 1.96
//! ```
//!
//! (Wilson, J. Am. Stat. Assoc. 22 (1927)). It holds for independent runs: of a sea whose stretches do not matter, as
//! of a calm one, it is too narrow.

use super::{BuiltInStudy, Lattice, MapWatcher, check_parameters, lattice::short, rows_csv, statuses};
use crate::error::{Result, StudyError};
use rattleback_record::{Document, HeatMap, Panel, Table};
use rattleback_scene::Format;
use rattleback_sweep::{Row, RunStatus, StopRequest, Study, Sweep, SweepError, SweepWatcher};
use std::path::Path;
use std::sync::Arc;

/// The study file of the repository.
pub const STUDY: BuiltInStudy = BuiltInStudy {
    file: "stowage.toml",
    text: include_str!("../../../../scenes/studies/stowage.toml"),
    scene: ("bow.toml", include_str!("../../../../scenes/studies/bow.toml")),
};

/// The same on a smaller grid, for the gallery.
pub const SHORT: BuiltInStudy = BuiltInStudy {
    file: "stowage_short.toml",
    text: include_str!("../../../../scenes/studies/stowage_short.toml"),
    ..STUDY
};

/// The parameters that a study of the map varies.
pub const PARAMETERS: [&str; 5] = ["hull", "heading", "swing", "sea", "stretch"];
/// The ends of a manoeuvre, by the word with which the verdict on it begins.
const ENDS: [&str; 5] = ["Stowed", "Askew", "Jammed", "Hanging", "Swinging"];
const JAMMED: usize = 2;
const STOWED: usize = 0;
/// Of Wilson's interval.
const Z: f64 = 1.96;

struct Told<'w>(&'w dyn MapWatcher);

impl SweepWatcher for Told<'_> {
    fn row(&self, _: &Row, done: usize, runs: usize) {
        self.0.done(done, runs);
    }

    fn stop_request(&self) -> StopRequest {
        if self.0.goes_on() { StopRequest::GoOn } else { StopRequest::StopNow }
    }
}

/// Makes all runs in a folder, where those of an interrupted map are taken up, and draws the maps.
pub fn report(
    study: &Arc<Study>,
    folder: &Path,
    format: &Format,
    watcher: &dyn MapWatcher,
) -> Result<Document> {
    check_parameters(study, &PARAMETERS)?;
    let sweep = Sweep::open(Arc::clone(study), folder)?;
    match sweep.run(0, format, &Told(watcher)) {
        Err(SweepError::Stopped) => return Err(StudyError::Stopped),
        other => other?,
    }
    document(study, &sweep.rows()?)
}

/// How a run ended; none where it failed, was broken, or was no manoeuvre.
fn end(row: &Row) -> Option<usize> {
    let word = row.outcome.split(':').next()?;
    let found = ENDS.iter().position(|end| *end == word);
    found.filter(|_| row.status == RunStatus::Finished)
}

fn document(study: &Study, rows: &[Row]) -> Result<Document> {
    let lattice = Lattice::of(study)?;
    let ends: Vec<Option<usize>> = rows.iter().map(end).collect();
    let mut report = Document::new(&study.title);
    report.text(study.description.trim());
    report.text(format!(
        "{} runs, {} of every hull, heading, swing and sea. A run counts where it ended healthy; grey cells have none. An anchor \
         that hangs or swings at the end of its run was not yet at rest.",
        study.runs(),
        lattice.axis("stretch").len()
    ));
    report.table("How the runs ended", statuses(rows));
    report.table("What became of the anchors", verdicts(&lattice, &ends));
    for (name, title, wanted) in [
        ("jammed", "Share of anchors that jam", JAMMED),
        ("stowed", "Share of anchors that are stowed", STOWED),
    ] {
        report.map(name, map(&lattice, title, &ends, wanted));
    }
    let words = ends.iter().map(|end| end.map_or("", |k| ENDS[k]).to_lowercase()).collect();
    let csv = rows_csv(study, &lattice, rows, &[("outcome", words)]);
    report.file("runs.csv", csv.into_bytes(), "All runs with their parameters, as CSV");
    Ok(report)
}

fn verdicts(lattice: &Lattice, ends: &[Option<usize>]) -> Table {
    let head =
        ["hull", "runs", "stowed", "askew", "jammed", "hanging", "swinging", "no verdict", "jams, 95 %"];
    let mut table = Table::new(head);
    for hull in lattice.axis("hull") {
        let wanted = [("hull", hull)];
        let runs: Vec<Option<usize>> = lattice.runs_at(&wanted).map(|run| ends[run]).collect();
        let count = |k: usize| runs.iter().filter(|end| **end == Some(k)).count();
        let without = runs.iter().filter(|end| end.is_none()).count();
        let interval = wilson(count(JAMMED), runs.len() - without).map_or_else(
            || "unknown".to_owned(),
            |[low, high]| format!("{:.0} to {:.0} %", 100.0 * low, 100.0 * high),
        );
        let counts = (0..ENDS.len()).map(|k| count(k).to_string());
        let cells = [short(hull), runs.len().to_string()].into_iter().chain(counts);
        table.push(cells.chain([without.to_string(), interval]).collect::<Vec<String>>());
    }
    table
}

/// The ends of Wilson's interval for k of n; none of none.
fn wilson(k: usize, n: usize) -> Option<[f64; 2]> {
    let (k, n) = (k as f64, n as f64);
    let half = Z * (k * (n - k) / n + 0.25 * Z * Z).sqrt() / (n + Z * Z);
    let middle = (k + 0.5 * Z * Z) / (n + Z * Z);
    (n > 0.0).then(|| [(middle - half).max(0.0), (middle + half).min(1.0)])
}

fn map(lattice: &Lattice, title: &str, ends: &[Option<usize>], wanted: usize) -> HeatMap {
    let share = |runs: &mut dyn Iterator<Item = usize>| {
        let counted: Vec<usize> = runs.filter_map(|run| ends[run]).collect();
        // 0/0 is a cell without a value.
        counted.iter().filter(|end| **end == wanted).count() as f64 / counted.len() as f64
    };
    let mut panels = Vec::new();
    for sea in lattice.axis("sea") {
        for hull in lattice.axis("hull") {
            let others = [("sea", sea), ("hull", hull)];
            let cells = lattice.cells(["heading", "swing"], &others, share);
            panels.push(Panel { title: format!("hull {}, sea of {} m", short(hull), short(sea)), cells });
        }
    }
    HeatMap {
        title: title.to_owned(),
        x: lattice.steps("heading", "heading in degrees", 1_f64.to_radians()),
        y: lattice.steps("swing", "swing in m/s", 1.0),
        panels,
        range: [0.0, 1.0],
        label: "share of runs".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn the_interval_of_a_share_is_wilsons() {
        // Newcombe, Stat. Med. 17 (1998), Table I: 15 of 148 and 0 of 20.
        for ((k, n), [low, high]) in [((15, 148), [0.0624, 0.1605]), ((0, 20), [0.0, 0.1611])] {
            let found = wilson(k, n).unwrap();
            assert!((found[0] - low).abs() < 5e-5 && (found[1] - high).abs() < 5e-5, "{found:?}");
        }
        assert!(wilson(0, 0).is_none());
    }

    #[test]
    fn only_healthy_runs_with_a_verdict_count() {
        let row = |status, outcome: &str| Row { status, outcome: outcome.to_owned(), ..Row::default() };
        let jammed = "Jammed: at rest since t = 4.0 s, not far enough in.\nmore";
        assert_eq!(end(&row(RunStatus::Finished, jammed)), Some(JAMMED));
        assert_eq!(end(&row(RunStatus::Broken, jammed)), None);
        assert_eq!(end(&row(RunStatus::Failed, "")), None);
        assert_eq!(end(&row(RunStatus::Finished, "")), None);
    }
}
