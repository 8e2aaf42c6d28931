//! Thin and flat ellipsoids: what our query does where curvatures differ most.

use super::realisation;
use crate::draw::Drawn;
use crate::roemer::query::{Evidence, evidence};
use rattleback_record::Document;
use rattleback_record::{Axis, Figure, Series, Table};

/// Asks the engine about the pairs.
pub fn report(drawn: Drawn) -> Document {
    let found = evidence(drawn.samples, |index| realisation(drawn.seed, index));
    let mut report = Document::new("Thin and flat ellipsoids");
    report.text(format!(
        "{} pairs, seed {}: semi-axes 10^U(-3, 0) m, any orientation, centres closer than the sum of the longest semi-axes.",
        drawn.samples, drawn.seed
    ));
    report.table("Our query", table(&found));
    report.figure("iterations", figure(&found));
    report
}

fn table(found: &Evidence) -> Table {
    let mut table = Table::new(["quantity", "value"]);
    let mut row = |name: &str, value: u64| table.push([name.to_owned(), value.to_string()]);
    row("pairs", found.count);
    row("failures", found.failed);
    row("answers with NaN or infinity", found.not_finite);
    row("uncertified", found.uncertified());
    row("certified", found.certified);
    row("apart", found.separate);
    row("overlapping, proved global", found.global);
    row("overlapping, compared", found.compared);
    for (name, share) in [("iterations, median", 0.5), ("iterations, 99 %", 0.99), ("iterations, most", 1.0)]
    {
        row(name, found.iterations_within(share) as u64);
    }
    table
}

fn figure(found: &Evidence) -> Figure {
    let total = (found.count - found.failed).max(1) as f64;
    let mut sum = 0;
    let mut points = Vec::new();
    for (n, &count) in found.iterations.iter().enumerate().skip(1) {
        let before = 100.0 * sum as f64 / total;
        sum += count;
        points.extend([[n as f64, before], [n as f64, 100.0 * sum as f64 / total]]);
    }
    let most = found.iterations.len().max(10) as f64;
    Figure {
        title: "Answered within a number of iterations".to_owned(),
        x: Axis { label: "iterations".to_owned(), range: [1.0, most], logarithmic: true },
        y: Axis { label: "share of pairs in percent".to_owned(), range: [0.0, 105.0], logarithmic: false },
        series: vec![Series { name: "ours".to_owned(), points, dashed: false }],
    }
}
