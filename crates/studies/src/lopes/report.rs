//! The page of Lopes et al.

use super::{Case, Run, STEPS, Shape, auxiliary, cases, plate, run, snapshots, solutions};
use crate::Result;
use rattleback_contact::narrow::lopes::TangentFrame;
use rattleback_record::Document;
use rattleback_record::{Axis, Figure, Series, Table};
use std::time::Instant;

const FRAMES: [(TangentFrame, &str); 2] =
    [(TangentFrame::Householder, "Householder"), (TangentFrame::Auxiliary, "auxiliary")];

/// A case run with both frames, each with its seconds.
struct Measured {
    case: Case,
    runs: [(Run, f64); 2],
}

/// Runs all cases with both frames.
pub fn report() -> Result<Document> {
    let mut measured = Vec::new();
    for case in cases() {
        let timed = |frame| {
            let begun = Instant::now();
            run(&case, frame).map(|run| (run, begun.elapsed().as_secs_f64()))
        };
        let runs = [timed(FRAMES[0].0)?, timed(FRAMES[1].0)?];
        measured.push(Measured { case, runs });
    }
    let mut report = Document::new("Lopes et al. 2010: iterations of the common-normal method");
    report.text(format!(
        "{STEPS} steps, tolerance 1e-6 m, each step started from the last one. The paper gives no placements and no \
         rates; those chosen here are in crates/studies/src/lopes/mod.rs, and the totals depend on them: the turns per \
         step were chosen with the paper's totals in view, so that a total near the paper's shows that its figures are \
         within reach, and no more. The paper's times are of a laptop of 2010."
    ));
    for (number, bodies) in [(5, "ellipsoids"), (6, "superellipsoids")] {
        let of_table: Vec<&Measured> = measured.iter().filter(|m| m.case.table == number).collect();
        report.table(format!("Table {number}: {bodies}"), table(&of_table));
        for m in of_table {
            report.figure(format!("table-{number}-pair-{}", m.case.pair), figure(m));
        }
    }
    report.text(
        "Restarts: steps whose warm start did not converge, so that half way between the centres was tried. Averted: \
         solutions on sides that do not face each other. Unsolved: no start converged within 100 iterations. Table 6 of \
         the paper has no figures for auxiliary vectors. Pair 3 of Table 6 is unsolved with them: their tangents grow as ‖n‖² \
         and ‖n‖³, half way between the centres, where the gradient is large, the residual is 2e4 and not 14 as with the \
         Householder frame, the first step of 10 m leads away, and the iterates grow without bound. From 0.3 m beside the \
         solution they take 7 iterations.",
    );
    let runs: Vec<Run> = measured.iter().map(|m| m.runs[0].0.clone()).collect();
    snapshots::add(&mut report, &runs)?;
    solutions::add(&mut report)?;
    snapshots::add_states(&mut report)?;
    snapshots::add_families(&mut report)?;
    plate::add(&mut report)?;
    auxiliary::add(&mut report);
    snapshots::add_scheme(&mut report)?;
    Ok(report)
}

fn table(measured: &[&Measured]) -> Table {
    let mut table = Table::new([
        "pair",
        "bodies (i) and (j)",
        "frame",
        "total",
        "paper",
        "per step",
        "paper",
        "seconds",
        "paper",
        "restarts",
        "averted",
        "unsolved",
    ]);
    for Measured { case, runs } in measured {
        for (k, (run, seconds)) in runs.iter().enumerate() {
            let (frame, name) = FRAMES[k];
            let paper = case.paper_total(frame);
            let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
            let unsolved = run.solutions.iter().filter(|s| s.is_none()).count();
            table.push([
                case.pair.to_string(),
                format!("{}, {}", described(&case.i), described(&case.j)),
                name.to_owned(),
                run.total().to_string(),
                or_dash(paper.map(|n| n.to_string())),
                format!("{:.2}", run.per_step()),
                or_dash(paper.map(|n| format!("{:.2}", f64::from(n) / f64::from(STEPS)))),
                format!("{seconds:.4}"),
                or_dash(case.paper_seconds[k].map(|s| format!("{s:.2}"))),
                run.restarts.to_string(),
                run.averted.to_string(),
                unsolved.to_string(),
            ]);
        }
    }
    table
}

fn described(shape: &Shape) -> String {
    let [a, b, c] = shape.semi_axes;
    let exponent = if shape.exponent == 2.0 { String::new() } else { format!(" γ {}", shape.exponent) };
    format!("{a}×{b}×{c}{exponent}")
}

/// Iterations at every step that was solved, with the paper's mean.
fn figure(Measured { case, runs }: &Measured) -> Figure {
    let mut series = Vec::new();
    for ((run, _), (frame, name)) in runs.iter().zip(FRAMES) {
        let steps = run.iterations.iter().zip(&run.solutions).enumerate();
        let solved = steps.filter(|(_, (_, solution))| solution.is_some());
        let points: Vec<_> = solved.map(|(k, (&n, _))| [k as f64, f64::from(n)]).collect();
        let unsolved = run.iterations.len() - points.len();
        let remark = if unsolved == 0 { String::new() } else { format!(", {unsolved} steps unsolved") };
        series.push(Series { name: format!("{name}{remark}"), points, dashed: false });
        if let Some(total) = case.paper_total(frame) {
            let mean = f64::from(total) / f64::from(STEPS);
            let points = vec![[0.0, mean], [f64::from(STEPS), mean]];
            series.push(Series { name: format!("paper's mean, {name}"), points, dashed: true });
        }
    }
    // A little more than the largest, so that no curve lies on the frame.
    let most = series.iter().flat_map(|s| &s.points).map(|p| p[1]).fold(8.0, f64::max);
    let axis = |label: &str, high| Axis { label: label.to_owned(), range: [0.0, high], logarithmic: false };
    Figure {
        title: format!("Table {}, pair {}: Newton iterations per step", case.table, case.pair),
        x: axis("step", f64::from(STEPS)),
        y: axis("iterations", 1.1 * most),
        series,
    }
}
