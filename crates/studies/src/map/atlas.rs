//! The rattleback atlas: reversals over the angle of inertia, friction and damping.
//!
//! A stone is spun about the vertical, ω(0) = ω₀. With h = |ω₀|/20 it turns one way while ω ≤ −h and the other way
//! while ω ≥ h; a reversal is a change from one to the other. Between −h and h it rattles: rocking makes its spin
//! swing about zero there, which is no reversal.

use super::{BuiltInStudy, Lattice, MapWatcher, check_parameters, lattice::short, rows_csv, statuses};
use crate::error::{Result, StudyError};
use rattleback_record::report::{Curve, Sheets};
use rattleback_record::{Document, HeatMap, Panel};
use rattleback_scene::{Format, Source};
use rattleback_sweep::{Row, RunOptions, RunStatus, StopRequest, Study, SweepError, Watcher, run_in_memory};
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The study file of the repository.
pub const STUDY: BuiltInStudy = BuiltInStudy {
    file: "atlas.toml",
    text: include_str!("../../../../scenes/studies/atlas.toml"),
    scene: ("stone.toml", include_str!("../../../../scenes/studies/stone.toml")),
};

/// The same on a smaller grid, for the gallery.
pub const SHORT: BuiltInStudy = BuiltInStudy {
    file: "atlas_short.toml",
    text: include_str!("../../../../scenes/studies/atlas_short.toml"),
    ..STUDY
};

/// The parameters that a study of the atlas varies.
pub const PARAMETERS: [&str; 3] = ["angle", "friction", "damping"];
/// The curve that is followed.
const CURVE: &str = "rattleback.wz_rad_per_s";
/// h over the angular velocity at the start.
const TURNS: f64 = 0.05;

/// What a stone did.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Spun {
    reversals: usize,
    /// When it first turned the other way, in s; NaN where it never did.
    first: f64,
    /// The largest angular velocity of the other sign over that at the start.
    returned: f64,
}

/// What a curve of the angular velocity over time says.
fn spun(points: &[[f64; 2]]) -> Option<Spun> {
    let start = points.first().map(|point| point[1]).filter(|spin| *spin != 0.0)?;
    let least = TURNS * start.abs();
    let mut way = start.signum();
    let mut spun = Spun { reversals: 0, first: f64::NAN, returned: 0.0 };
    for [time, spin] in points {
        spun.returned = spun.returned.max(-spin / start);
        if spin * way <= -least {
            way = -way;
            spun.reversals += 1;
            if spun.reversals == 1 {
                spun.first = *time;
            }
        }
    }
    Some(spun)
}

struct Ending<'w>(&'w dyn MapWatcher);

impl Watcher for Ending<'_> {
    fn stop_request(&self) -> StopRequest {
        if self.0.goes_on() { StopRequest::GoOn } else { StopRequest::StopNow }
    }
}

/// Makes a run and follows its curve; no motion where it failed.
fn follow(
    study: &Study,
    run: usize,
    format: &Format,
    watcher: &dyn MapWatcher,
) -> Result<(Row, Option<Spun>)> {
    let stone = || -> std::result::Result<(Row, Option<Spun>), SweepError> {
        let plan = study.sweepable();
        let source = Source { path: plan.path.clone(), text: plan.text.clone(), beside: plan.beside.clone() };
        let options = RunOptions { duration: plan.duration, every: plan.every, settle: false };
        let scene = options.apply(format.parse_scene_with(source.clone(), &study.settings(run)?)?)?;
        let ran = run_in_memory(&scene, &source, &options, &mut Ending(watcher))?;
        if ran.ended.stopped {
            return Err(SweepError::Stopped);
        }
        let manifest = ran.ended.manifest;
        let points = Curve::parse(CURVE, &scene.model)?.points(&Sheets::of(ran.sheets)?)?;
        let healthy = manifest.health.as_ref().is_none_or(|health| health.healthy);
        let status = if healthy { RunStatus::Finished } else { RunStatus::Broken };
        let verdict = manifest.health.map_or_else(String::new, |health| health.verdict);
        Ok((Row { run, status, verdict, steps: manifest.steps, ..Row::default() }, spun(&points)))
    };
    match stone() {
        Ok(found) => Ok(found),
        Err(SweepError::Stopped) => Err(StudyError::Stopped),
        // A run that fails is a cell without a value.
        Err(error) => {
            Ok((Row { run, status: RunStatus::Failed, verdict: error.to_string(), ..Row::default() }, None))
        }
    }
}

/// Makes all runs and draws the maps.
pub fn report(study: &Study, format: &Format, watcher: &dyn MapWatcher) -> Result<Document> {
    check_parameters(study, &PARAMETERS)?;
    let lattice = Lattice::of(study)?;
    let done = AtomicUsize::new(0);
    let one = |run: usize| {
        let found = follow(study, run, format, watcher)?;
        watcher.done(done.fetch_add(1, Ordering::Relaxed) + 1, study.runs());
        Ok(found)
    };
    let ran: Vec<(Row, Option<Spun>)> =
        (0..study.runs()).into_par_iter().with_max_len(1).map(one).collect::<Result<_>>()?;
    let (rows, spins): (Vec<Row>, Vec<Option<Spun>>) = ran.into_iter().unzip();
    // A motion whose health is broken is none.
    let sound = |run: usize| spins[run].filter(|_| rows[run].status == RunStatus::Finished);
    let mut report = Document::new(&study.title);
    report.text(study.description.trim());
    report.text(format!(
        "A stone turns one way or the other while it spins faster than a twentieth of its spin at the start; a reversal is a change \
         from one to the other. The grid has {} runs. Grey cells are runs that failed or, in the map of times, that have no reversal.",
        study.runs()
    ));
    report.table("How the runs ended", statuses(&rows));
    let number = |of: &dyn Fn(&Spun) -> f64| {
        (0..study.runs()).map(|run| sound(run).map_or(f64::NAN, |spun| of(&spun))).collect::<Vec<f64>>()
    };
    let reversals = number(&|spun| spun.reversals as f64);
    let first = number(&|spun| spun.first);
    let returned = number(&|spun| spun.returned);
    report.map("reversals", map(&lattice, "Reversals", "reversals", &reversals));
    report.map(
        "first",
        map(&lattice, "Time of the first reversal; grey where there is none", "time in s", &first),
    );
    let label = "share of the spin at the start";
    report.map("returned", map(&lattice, "The largest spin of the other sign", label, &returned));
    let texts = |values: &[f64]| values.iter().map(|value| format!("{value:?}")).collect::<Vec<_>>();
    let columns = [
        ("reversals", texts(&reversals)),
        ("first reversal in s", texts(&first)),
        ("largest spin of the other sign over that at the start", texts(&returned)),
    ];
    let csv = rows_csv(study, &lattice, &rows, &columns);
    report.file("runs.csv", csv.into_bytes(), "All runs with their parameters, as CSV");
    Ok(report)
}

fn map(lattice: &Lattice, title: &str, label: &str, values: &[f64]) -> HeatMap {
    let most = values.iter().copied().filter(|value| value.is_finite()).fold(0.0, f64::max);
    let one = |runs: &mut dyn Iterator<Item = usize>| runs.next().map_or(f64::NAN, |run| values[run]);
    let panel = |damping: &f64| Panel {
        title: format!("damping {} mm", short(1e3 * damping)),
        cells: lattice.cells(["friction", "angle"], &[("damping", *damping)], one),
    };
    HeatMap {
        title: title.to_owned(),
        x: lattice.steps("friction", "coefficient of friction", 1.0),
        y: lattice.steps("angle", "angle of inertia in degrees", 1_f64.to_radians()),
        panels: lattice.axis("damping").iter().map(panel).collect(),
        range: [0.0, if most > 0.0 { most } else { 1.0 }],
        label: label.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn of(spins: &[f64]) -> Spun {
        spun(&spins.iter().enumerate().map(|(k, spin)| [k as f64, *spin]).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn a_reversal_is_a_change_of_way_and_swings_about_zero_are_none() {
        let quiet = of(&[-5.0, -4.0, -0.2, 0.2, -0.2, 0.1, -2.0]);
        assert_eq!(quiet.reversals, 0);
        assert!(quiet.first.is_nan() && (quiet.returned - 0.04).abs() < 1e-12);
        let twice = of(&[-5.0, 0.2, 0.6, 4.0, 0.2, -0.2, -0.6, -3.0]);
        assert_eq!((twice.reversals, twice.first), (2, 2.0));
        assert!((twice.returned - 0.8).abs() < 1e-12);
        assert!(spun(&[[0.0, 0.0]]).is_none() && spun(&[]).is_none());
    }
}
