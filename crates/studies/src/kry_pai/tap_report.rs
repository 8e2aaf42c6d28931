//! The rattleback on surfaces of less friction, and tapped at one end: section 4.2.1.

use super::stone::{self, SPIN, Tap};
use crate::Result;
use rattleback_record::{Axis, Document, Figure, Series, Table};

/// Friction coefficients.
const FRICTION: [f64; 6] = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2];
/// How long the stone is followed, in s.
const FOLLOWED: f64 = 20.0;
/// Impulses of taps at the end of the stone, in N s, downwards.
const TAPS: [f64; 3] = [0.01, 0.02, 0.04];

pub(super) fn add(report: &mut Document) -> Result<()> {
    let mut table = Table::new([
        "friction coefficient",
        "turns back at s",
        "slid for s",
        "lost to friction, %",
        "spin at the end, rad/s",
    ]);
    for coefficient in FRICTION {
        let found = stone::spin_on(coefficient, SPIN, FOLLOWED)?;
        let times: Vec<String> = found.reversals.iter().map(|time| format!("{time:.2}")).collect();
        table.push([
            coefficient.to_string(),
            if times.is_empty() { "never".to_owned() } else { times.join(", ") },
            format!("{:.2}", found.slid),
            format!("{:.1}", 100.0 * (1.0 - found.energies[1] / found.energies[0])),
            found.spins.last().map_or("-".to_owned(), |[_, spin]| format!("{spin:.3}")),
        ]);
    }
    report.table(format!("The rattleback with sliding friction, spun at {SPIN} rad/s, {FOLLOWED} s"), table);
    let mut table = Table::new([
        "impulse, N s",
        "tapped at",
        "rocks at first, rad/s",
        "spins at most, rad/s",
        "which way",
    ]);
    let mut series = Vec::new();
    let mut clockwise = true;
    for impulse in TAPS {
        let Tap { rocks, spun } = stone::tap(impulse, FOLLOWED)?;
        let most = spun
            .spins
            .iter()
            .map(|[_, spin]| *spin)
            .fold(0.0, |most: f64, s| if s.abs() > most.abs() { s } else { most });
        clockwise &= most < 0.0;
        table.push([
            impulse.to_string(),
            "one end".to_owned(),
            format!("{rocks:.3}"),
            format!("{:.3}", most.abs()),
            if most < 0.0 { "clockwise" } else { "counter-clockwise" }.to_owned(),
        ]);
        series.push(Series { name: format!("tapped with {impulse} N s"), points: spun.spins, dashed: false });
    }
    report.table("The rattleback at rest, tapped downwards at one end", table);
    if clockwise {
        report.text("Tapped at an end it rocks, and the rocking turns it clockwise, the way in which it does not turn back.");
    }
    let spins = series.iter().flat_map(|series| series.points.iter().map(|[_, spin]| *spin));
    let figure = Figure {
        title: "A rattleback tapped at one end".to_owned(),
        x: Axis { label: "time in s".to_owned(), range: [0.0, FOLLOWED], logarithmic: false },
        y: Axis::spanning(spins, "spin about the vertical in rad/s"),
        series,
    };
    report.figure("tapped", figure);
    Ok(())
}
