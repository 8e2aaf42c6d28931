//! What fixed classical Runge–Kutta steps do to the bowl and to the rattleback, beside our own steps of the same length
//! at most: section 4.2, "a maximum step size of 128 ms", and section 4.2.1, steps of 10, 50 and 100 ms.

use super::bowl::{self, DURATION, Mark, Throw};
use super::stone::{self, Damping, SPIN, Spun};
use crate::Result;
use rattleback_dynamics::rolling::Settings;
use rattleback_record::{Axis, Document, Figure, Series, Table};

/// Steps of the bowl, in s; with those of the finest the paper lets slip stick at 2.5 mm/s, with the others at 5 mm/s.
const BOWL: [f64; 4] = [1e-3, 16e-3, 64e-3, 128e-3];
/// Steps of the rattleback, in s, and how long it is followed, in s.
const STONE: [f64; 3] = [10e-3, 50e-3, 100e-3];
const FOLLOWED: f64 = 20.0;
/// Half the breadth of the table, in m: farther out the bowl has left it.
const TABLE: f64 = 0.2;

/// How the bowl ends.
fn ending(throw: &Throw) -> String {
    let Some(end) = throw.points.last().map(|point| point.position) else { return "-".to_owned() };
    let over = end.x.abs() > TABLE || end.y.abs() > TABLE || end.z < 0.0;
    let rolls = throw.marks.iter().rev().find(|(mark, ..)| matches!(mark, Mark::Roll | Mark::Slide));
    let way = match rolls {
        Some((Mark::Roll, ..)) => "rolling",
        Some(_) => "sliding",
        None => "in the air",
    };
    let place = format!("({:.3}, {:.3}) m", end.x, end.y);
    if over { format!("off the table, at {place}") } else { format!("on the table, {way}, at {place}") }
}

fn bowl_row(way: &str, step: f64, thrown: Result<Throw>) -> [String; 6] {
    let label = [way.to_owned(), format!("{:.0}", 1e3 * step)];
    let cells = match thrown {
        Ok(throw) => {
            let count = |mark| throw.marks.iter().filter(|(what, ..)| *what == mark).count();
            [
                count(Mark::Bounce).to_string(),
                count(Mark::Roll).to_string(),
                ending(&throw),
                format!("{:.1e}", throw.lost),
            ]
        }
        Err(error) => ["-".to_owned(), "-".to_owned(), format!("it stops: {error}"), "-".to_owned()],
    };
    let [a, b] = label;
    let [c, d, e, f] = cells;
    [a, b, c, d, e, f]
}

/// The greatest angular velocity that it reaches the other way, in rad/s; zero where it never turns back.
fn back(found: &Spun) -> f64 {
    if found.reversals.is_empty() {
        return 0.0;
    }
    found.spins.iter().map(|[_, spin]| -spin).fold(0.0, f64::max)
}

fn stone_row(way: &str, step: f64, found: &Result<Spun>) -> [String; 7] {
    let label = [way.to_owned(), format!("{:.0}", 1e3 * step)];
    let cells = match found {
        Ok(found) => [
            found.reversals.first().map_or("never".to_owned(), |time| format!("{time:.2}")),
            format!("{:.2}", back(found)),
            found.spins.last().map_or("-".to_owned(), |[_, spin]| format!("{spin:.2}")),
            format!("{:.0}", 100.0 * found.energies[1] / found.energies[0]),
            format!("{:.1e}", found.lost),
        ],
        Err(error) => [format!("it stops: {error}"), "-".into(), "-".into(), "-".into(), "-".into()],
    };
    let [a, b] = label;
    let [c, d, e, f, g] = cells;
    [a, b, c, d, e, f, g]
}

pub(super) fn add(report: &mut Document) -> Result<()> {
    report.text(
        "The paper integrates by classical Runge-Kutta steps without a look at their error. Below such steps stand beside ours of \
         the same length at most, which are shortened where the error asks for it; events are found in both.",
    );
    add_bowl(report)?;
    add_stone(report)
}

fn add_bowl(report: &mut Document) -> Result<()> {
    let scene = bowl::scene()?;
    let columns = ["steps", "in ms", "bounces", "begins to roll", "after 3 s", "energy strays by, J"];
    let mut table = Table::new(columns);
    for step in BOWL {
        let file = bowl::settings(&scene, step)?;
        let stick = if step < 2e-3 { 2.5e-3 } else { 5e-3 };
        let fixed = Settings { fixed_step: Some(step), stick, ..file };
        table.push(bowl_row("fixed RK4", step, bowl::throw(&scene, fixed)));
        table.push(bowl_row("ours, up to", step, bowl::throw(&scene, file)));
    }
    report.table(format!("The bowl under fixed steps, {DURATION} s"), table);
    report.text(
        "With steps of 128 ms the paper's bowl never slips slowly enough to stick, wobbles and slides off the table. Ours is \
         thrown in another way, and in both ways of stepping the instant at which slip sticks is found within the step, not \
         asked for at its end.",
    );
    Ok(())
}

fn add_stone(report: &mut Document) -> Result<()> {
    let columns = [
        "steps",
        "in ms",
        "turns back at s",
        "then spins at, rad/s",
        "at the end, rad/s",
        "energy left, %",
        "energy strays by, J",
    ];
    let mut table = Table::new(columns);
    let mut series = Vec::new();
    for step in STONE {
        let fixed = Settings { fixed_step: Some(step), ..Settings::default() };
        let found = stone::spin_with(Damping::default(), SPIN, FOLLOWED, fixed);
        table.push(stone_row("fixed RK4", step, &found));
        if let Ok(found) = found {
            series.push(Series {
                name: format!("fixed steps of {:.0} ms", 1e3 * step),
                points: found.spins,
                dashed: false,
            });
        }
        let ours = Settings { longest_step: step, ..Settings::default() };
        table.push(stone_row(
            "ours, up to",
            step,
            &stone::spin_with(Damping::default(), SPIN, FOLLOWED, ours),
        ));
    }
    report.table(format!("The rattleback under fixed steps, {FOLLOWED} s"), table);
    report.text(
        "The paper's stone turns back convincingly with steps below 50 ms, loses most of its energy while it turns back at about \
         50 ms, and goes on without turning back at 100 ms.",
    );
    let spins = series.iter().flat_map(|series| series.points.iter().map(|[_, spin]| *spin));
    let figure = Figure {
        title: "The rattleback under fixed Runge-Kutta steps".to_owned(),
        x: Axis { label: "time in s".to_owned(), range: [0.0, FOLLOWED], logarithmic: false },
        y: Axis::spanning(spins, "spin about the vertical in rad/s"),
        series,
    };
    report.figure("fixed-steps", figure);
    Ok(())
}
