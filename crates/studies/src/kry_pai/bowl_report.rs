//! Table II and Figs 7 to 9: the bowl on the table.

use super::bowl::{DURATION, Mark, STEPS, Throw, scene, settings, throw};
use crate::Result;
use rattleback_record::Document;
use rattleback_record::{Axis, Figure, Series, Table};

/// The limits in s of the trajectories in Fig. 7, of the histograms in Fig. 8, of the course in Fig. 9.
const TRAJECTORIES: [f64; 3] = [1e-3, 16e-3, 64e-3];
const HISTOGRAMS: [f64; 2] = [16e-3, 64e-3];
const COURSE: f64 = 64e-3;
/// Bars of a histogram.
const BARS: usize = 16;
/// What Fig. 9 shows, in s.
const FIRST: f64 = 1.0;
/// Width over height of a figure between its axes.
const SHAPE: f64 = 1.75;

/// The marks and what they are called in legends.
const MARKS: [(Mark, &str); 6] = [
    (Mark::Bounce, "bounces"),
    (Mark::Settle, "settles"),
    (Mark::Patch, "another patch"),
    (Mark::Slide, "begins to slide"),
    (Mark::Roll, "begins to roll"),
    (Mark::LiftOff, "lifts off"),
];

/// A motion under its limit, in s.
struct Thrown {
    longest: f64,
    throw: Throw,
}

impl Thrown {
    fn count(&self, mark: Mark) -> usize {
        self.throw.marks.iter().filter(|(what, ..)| *what == mark).count()
    }

    /// The limit in ms.
    fn limit(&self) -> String {
        // Rounded, as 1e-3 times 1e3 need not be one.
        ((1e9 * self.longest).round() / 1e6).to_string()
    }

    /// The lengths of steps in contact, in ms.
    fn steps(&self) -> impl Iterator<Item = f64> {
        self.throw.points.iter().filter_map(|point| point.step).map(|step| 1e3 * step)
    }
}

/// Whether a limit is the one of a figure or a table.
fn same(a: f64, b: f64) -> bool {
    (a / b - 1.0).abs() < 1e-9
}

pub(super) fn add(report: &mut Document, limits: &[f64]) -> Result<()> {
    let scene = scene()?;
    let of =
        |longest: &f64| Ok(Thrown { longest: *longest, throw: throw(&scene, settings(&scene, *longest)?)? });
    let all = limits.iter().map(of).collect::<Result<Vec<_>>>()?;
    report.table(
        format!("Table II: {DURATION} s of a bowl on a table, the paper's on a Xeon of 1.8 GHz"),
        speeds(&all),
    );
    report.table("What happened to the bowl", events(&all));
    report.table("The bowl's energy in J", energies(&all));
    report.text(
        "\"patches\" counts how often the contact went over to another patch of the bowl or of the table, \"missing\" is what \
         the sum of all energies strays by.",
    );
    let wanted = |longest: f64| all.iter().find(|thrown| same(thrown.longest, longest));
    let axes = plan(&all);
    for thrown in TRAJECTORIES.into_iter().filter_map(wanted) {
        report.figure(format!("fig-7-{}ms", thrown.limit()), trajectory(thrown, &axes));
    }
    let overlaid: Vec<&Thrown> = TRAJECTORIES.into_iter().filter_map(wanted).collect();
    report.figure("fig-7", overlay(&overlaid, &axes));
    for thrown in HISTOGRAMS.into_iter().filter_map(wanted) {
        report.figure(format!("fig-8-{}ms", thrown.limit()), histogram(thrown));
    }
    if let Some(thrown) = wanted(COURSE) {
        report.figure("fig-9", course(thrown));
    }
    Ok(())
}

fn speeds(all: &[Thrown]) -> Table {
    let columns =
        ["longest step in ms", "steps", "in contact", "computing time in s", "paper in s", "paper/ours"];
    let mut table = Table::new(columns.map(str::to_owned));
    for thrown in all {
        let paper = STEPS.iter().find(|(longest, _)| same(*longest, thrown.longest)).map(|(_, time)| *time);
        table.push([
            thrown.limit(),
            thrown.throw.points.len().to_string(),
            thrown.steps().count().to_string(),
            format!("{:.3}", thrown.throw.seconds),
            paper.map_or("-".to_owned(), |time| format!("{time:.3}")),
            paper.map_or("-".to_owned(), |time| format!("{:.1}", time / thrown.throw.seconds)),
        ]);
    }
    table
}

fn events(all: &[Thrown]) -> Table {
    let columns = [
        "longest step in ms",
        "bounces",
        "settles at s",
        "lift-offs",
        "patches",
        "slides",
        "rolls",
        "ends at x, y in m",
    ];
    let mut table = Table::new(columns.map(str::to_owned));
    for thrown in all {
        let settled = thrown.throw.marks.iter().rfind(|(what, ..)| *what == Mark::Settle);
        let end = thrown.throw.points.last().map(|point| point.position);
        table.push([
            thrown.limit(),
            thrown.count(Mark::Bounce).to_string(),
            settled.map_or("never".to_owned(), |(_, time, _)| format!("{time:.3}")),
            thrown.count(Mark::LiftOff).to_string(),
            thrown.count(Mark::Patch).to_string(),
            thrown.count(Mark::Slide).to_string(),
            thrown.count(Mark::Roll).to_string(),
            end.map_or("-".to_owned(), |p| format!("{:.4}, {:.4}", p.x, p.y)),
        ]);
    }
    table
}

fn energies(all: &[Thrown]) -> Table {
    let columns = [
        "longest step in ms",
        "at the start",
        "at the end",
        "lost in impacts",
        "lost to friction",
        "missing",
    ];
    let mut table = Table::new(columns.map(str::to_owned));
    for thrown in all {
        let [before, after] = &thrown.throw.energies;
        table.push([
            thrown.limit(),
            format!("{:.5}", before.mechanical()),
            format!("{:.5}", after.mechanical()),
            format!("{:.5}", after.contacts.damped),
            format!("{:.5}", after.contacts.friction_loss),
            format!("{:.1e}", thrown.throw.lost),
        ]);
    }
    table
}

/// Axes from above with the same scale on both, for all trajectories.
fn plan(all: &[Thrown]) -> [Axis; 2] {
    let points = || all.iter().flat_map(|thrown| &thrown.throw.points);
    let mut axes = [
        Axis::spanning(points().map(|p| p.position.x), "x of the mass centre in m"),
        Axis::spanning(points().map(|p| p.position.y), "y of the mass centre in m"),
    ];
    let middle = axes.each_ref().map(|axis| 0.5 * (axis.range[0] + axis.range[1]));
    let half = axes.each_ref().map(|axis| 0.5 * (axis.range[1] - axis.range[0]));
    let tall = half[1].max(half[0] / SHAPE);
    for (axis, (middle, half)) in axes.iter_mut().zip(middle.into_iter().zip([SHAPE * tall, tall])) {
        axis.range = [middle - half, middle + half];
    }
    axes
}

fn trajectory(thrown: &Thrown, [x, y]: &[Axis; 2]) -> Figure {
    let throw = &thrown.throw;
    let points = throw.points.iter().map(|point| [point.position.x, point.position.y]).collect();
    let mut series = vec![Series { name: "mass centre".to_owned(), points, dashed: false }];
    for (mark, name) in MARKS {
        let of_kind = throw.marks.iter().filter(|(what, ..)| *what == mark);
        let points: Vec<[f64; 2]> = of_kind.map(|(_, _, place)| [place.x, place.y]).collect();
        if !points.is_empty() {
            series.push(Series::marks(name, points));
        }
    }
    Figure {
        title: format!("Fig. 7: the bowl from above, steps up to {} ms", thrown.limit()),
        x: x.clone(),
        y: y.clone(),
        series,
    }
}

/// All trajectories in one, as in the paper, with where each settles.
fn overlay(all: &[&Thrown], [x, y]: &[Axis; 2]) -> Figure {
    let mut series = Vec::new();
    for thrown in all {
        let points = thrown.throw.points.iter().map(|point| [point.position.x, point.position.y]).collect();
        series.push(Series { name: format!("steps up to {} ms", thrown.limit()), points, dashed: false });
    }
    let settled =
        all.iter().flat_map(|thrown| &thrown.throw.marks).filter(|(what, ..)| *what == Mark::Settle);
    series.push(Series::marks("settles", settled.map(|(_, _, place)| [place.x, place.y])));
    Figure { title: "Fig. 7: the bowl from above".to_owned(), x: x.clone(), y: y.clone(), series }
}

fn histogram(thrown: &Thrown) -> Figure {
    let width = 1e3 * thrown.longest / BARS as f64;
    let mut counts = [0u32; BARS];
    for step in thrown.steps() {
        // The longest steps end the last bar.
        counts[((step / width) as usize).min(BARS - 1)] += 1;
    }
    let corners = |k: usize| {
        let (left, right, top) = (width * k as f64, width * (k + 1) as f64, f64::from(counts[k]));
        [[left, 0.0], [left, top], [right, top], [right, 0.0], [f64::NAN; 2]]
    };
    let points = (0..BARS).filter(|&k| counts[k] > 0).flat_map(corners).collect();
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    Figure {
        title: format!("Fig. 8: steps in contact, up to {} ms", thrown.limit()),
        x: Axis {
            label: "length of the step in ms".to_owned(),
            range: [0.0, 1.02e3 * thrown.longest],
            logarithmic: false,
        },
        y: Axis {
            label: "number of steps".to_owned(),
            range: [0.0, 1.05 * f64::from(most)],
            logarithmic: false,
        },
        series: vec![Series { name: format!("{} steps", thrown.steps().count()), points, dashed: false }],
    }
}

fn course(thrown: &Thrown) -> Figure {
    let throw = &thrown.throw;
    let points = throw.points.iter().map(|point| [point.time, point.position.x]);
    let steps = throw.points.iter().filter(|point| point.step.is_some());
    let steps = steps.map(|point| [point.time, point.position.x]);
    let shown = points.clone().filter(|[time, _]| *time <= FIRST).map(|[_, x]| x);
    let y = Axis::spanning(shown, "x of the mass centre in m");
    let [low, high] = y.range;
    let patches = throw.marks.iter().filter(|(what, ..)| *what == Mark::Patch);
    let upright = |time: f64| [[time, low], [time, high], [f64::NAN; 2]];
    let patches = patches.flat_map(|(_, time, _)| upright(*time)).collect();
    let turns = throw.marks.iter().filter(|(what, ..)| matches!(what, Mark::Settle | Mark::LiftOff));
    let turns = turns.flat_map(|(_, time, _)| upright(*time)).collect();
    let line = |name: &str, points: Vec<[f64; 2]>| Series { name: name.to_owned(), points, dashed: false };
    Figure {
        title: format!("Fig. 9: the first second, steps up to {} ms", thrown.limit()),
        x: Axis { label: "time in s".to_owned(), range: [0.0, FIRST], logarithmic: false },
        y,
        series: vec![
            line("mass centre", points.collect()),
            line("another patch", patches),
            line("contact gained or lost", turns),
            Series::marks("steps in contact", steps),
        ],
    }
}
