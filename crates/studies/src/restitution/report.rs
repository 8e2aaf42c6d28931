//! Restitution asked for against restitution obtained, as Fig. 2 of Marques et al.

use super::Candidate;
use crate::Result;
use rattleback_record::Document;
use rattleback_record::{Axis, Figure, Series, Table};

/// Restitutions of the table, in hundredths; the figure has them all.
const TABLE: [u32; 11] = [5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100];

/// A law with what was obtained, and the greatest distance from its closed form.
struct Measured {
    candidate: Candidate,
    obtained: Vec<[f64; 2]>,
    error: f64,
}

/// Integrates impacts under every law.
pub fn report() -> Result<Document> {
    let all = Candidate::all().map(measure).collect::<Result<Vec<_>>>()?;
    let mut report = Document::new("Marques et al.: restitution asked for and obtained");
    report.text(
        "One central impact without gravity, integrated in time; exponent 3/2. The exact relation is \
         c(1 + e) = ln[(1 + c)/(1 - ce)], whatever stiffness, mass and speed; for the linear law \
         e = exp(-2z arccos z/sqrt(1 - z^2)) with the damping ratio z, and its damping is set for the restitution asked for.",
    );
    report.table("Restitution obtained for the restitution asked for", table(&all));
    let greatest = all.iter().fold(0.0f64, |most, m| most.max(m.error));
    report.table("Greatest distance from the exact relation, 0.05 to 1 in steps of 0.01", errors(&all));
    report.text(format!("Over all laws: {greatest:.1e}."));
    report.figure("restitution", figure(&all));
    Ok(report)
}

fn measure(candidate: Candidate) -> Result<Measured> {
    let (mut obtained, mut error) = (Vec::new(), 0.0f64);
    for percent in 5..=100 {
        let asked = f64::from(percent) / 100.0;
        let found = candidate.obtained(asked)?;
        error = error.max((found - candidate.predicted(asked)?).abs());
        obtained.push([asked, found]);
    }
    Ok(Measured { candidate, obtained, error })
}

fn table(all: &[Measured]) -> Table {
    let names = all.iter().map(|m| m.candidate.name().to_owned());
    let mut table = Table::new(["asked".to_owned()].into_iter().chain(names));
    for percent in TABLE {
        let row = |m: &Measured| format!("{:.6}", m.obtained[percent as usize - 5][1]);
        table.push([format!("{:.2}", f64::from(percent) / 100.0)].into_iter().chain(all.iter().map(row)));
    }
    table
}

fn errors(all: &[Measured]) -> Table {
    let mut table = Table::new(["law", "greatest distance"]);
    for m in all {
        table.push([m.candidate.name().to_owned(), format!("{:.1e}", m.error)]);
    }
    table
}

fn figure(all: &[Measured]) -> Figure {
    let axis = |label: &str| Axis { label: label.to_owned(), range: [0.0, 1.05], logarithmic: false };
    let series = all.iter().map(|m| Series {
        name: m.candidate.name().to_owned(),
        points: m.obtained.clone(),
        // On the diagonal, as the exact law before it.
        dashed: m.candidate == Candidate::Linear,
    });
    Figure {
        title: "Restitution obtained against restitution asked for".to_owned(),
        x: axis("restitution asked for"),
        y: axis("restitution obtained"),
        series: series.collect(),
    }
}
