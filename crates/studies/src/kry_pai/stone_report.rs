//! Fig. 11: the rattleback made of one bicubic patch.

use super::stone::{Damping, SPIN, Spun, spin};
use crate::Result;
use rattleback_record::Document;
use rattleback_record::{Axis, Figure, Series, Table};

/// How long the stone is followed, in s.
const DURATION: f64 = 150.0;
/// Motions with their names: for ever, in the time given turning back twice, and once before it comes to rest.
const MOTIONS: [(&str, Damping); 3] = [
    ("without damping", Damping { rocking: 0.0, turning: 0.0 }),
    ("damped by 0.1 mN m s/rad", Damping { rocking: 1e-4, turning: 1e-4 }),
    ("damped by 2 mN m s/rad", Damping { rocking: 2e-3, turning: 2e-3 }),
];

pub(super) fn add(report: &mut Document) -> Result<()> {
    let columns = [
        "rattleback",
        "reversals",
        "at s",
        "energy left in percent",
        "spin at the end in rad/s",
        "missing in J",
    ];
    let mut table = Table::new(columns.map(str::to_owned));
    let mut series = Vec::new();
    for (name, damping) in MOTIONS {
        let found = spin(damping, SPIN, DURATION)?;
        table.push(row(name, &found));
        series.push(Series { name: name.to_owned(), points: found.spins, dashed: false });
    }
    report
        .table(format!("Fig. 11: the rattleback, spun at {SPIN} rad/s and followed for {DURATION} s"), table);
    report.text(
        "Damping is viscous, with the same constant against rocking and against turning about the vertical. The paper's stone \
         turns back after about eight seconds.",
    );
    report.figure("fig-11", figure(series));
    Ok(())
}

fn row(name: &str, found: &Spun) -> [String; 6] {
    let times: Vec<String> = found.reversals.iter().map(|time| format!("{time:.2}")).collect();
    let [before, after] = found.energies;
    [
        name.to_owned(),
        found.reversals.len().to_string(),
        if times.is_empty() { "-".to_owned() } else { times.join(", ") },
        format!("{:.3}", 100.0 * after / before),
        found.spins.last().map_or("-".to_owned(), |[_, spin]| format!("{spin:.4}")),
        format!("{:.1e}", found.lost),
    ]
}

fn figure(series: Vec<Series>) -> Figure {
    let spins = series.iter().flat_map(|series| series.points.iter().map(|[_, spin]| *spin));
    Figure {
        title: "Fig. 11: a rattleback turns back".to_owned(),
        x: Axis { label: "time in s".to_owned(), range: [0.0, DURATION], logarithmic: false },
        y: Axis::spanning(spins, "spin about the vertical in rad/s"),
        series,
    }
}
