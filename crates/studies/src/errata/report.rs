//! The sheet of errata, one table per paper.

use super::{CASES, Erratum, TOLERANCE};
use crate::Result;
use crate::paper::Paper;
use rattleback_record::{Axis, Document, Figure, Series, Table};

/// What contradicts itself and has no formula to check.
const WORDS: [(Paper, &str); 3] = [
    (
        Paper::Lopes,
        "Section 8 says that superellipsoids took less than 4.10 s; Table 6 has 1.24, 1.97 and 1.39 s.",
    ),
    (
        Paper::Marques,
        "The captions of Figs 4 and 5 have each other's restitution: by the text Figs 3 and 5 are of restitution 1, Figs \
         4 and 6 of 0.5.",
    ),
    (
        Paper::Roemer,
        "(95) has δ̇_j on its left where δ̇_II is meant; Table C.3 as it came to us has no initial position of object II, \
         and Table 2 no numbers.",
    ),
];

/// Measures every erratum.
pub fn report() -> Result<Document> {
    let mut report = Document::new("Errata of the five papers");
    report.text(format!(
        "What is printed, what is right, and how far each is from a truth that needs neither formula, in parts of its \
         size, over {CASES} random cases: the median of the printed one, the greatest of the right one. Wrong are the \
         cases in which the printed one is off by more than {TOLERANCE:.0e}; where it gives no number it is infinitely \
         far off. Printed is what the papers' texts say as they came to us, through the recognition of letters."
    ));
    let mut points = [Vec::new(), Vec::new()];
    let mut failed = Vec::new();
    for paper in Paper::ALL {
        let mut table =
            Table::new(["where", "printed", "right", "compared", "wrong", "printed off by", "right off by"]);
        for erratum in Erratum::all().filter(|erratum| erratum.paper == paper) {
            let measured = erratum.measure()?;
            let number = (points[0].len() + 1) as f64;
            for (points, off) in points.iter_mut().zip([measured.printed, measured.right]) {
                points.push([number, off.clamp(1e-17, 1e3)]);
            }
            if !measured.holds() {
                failed.push(format!("{paper:?} {}", erratum.equation));
            }
            let shown =
                |off: f64| if off.is_finite() { format!("{off:.1e}") } else { "no number".to_owned() };
            table.push([
                erratum.equation.to_owned(),
                erratum.printed.to_owned(),
                erratum.right.to_owned(),
                erratum.measured.to_owned(),
                measured.wrong.to_string(),
                shown(measured.printed),
                shown(measured.right),
            ]);
        }
        report.table(paper.title(), table);
        for (_, words) in WORDS.iter().filter(|(of, _)| *of == paper) {
            report.text(*words);
        }
    }
    report.text(match failed.as_slice() {
        [] => {
            format!("{} errata; every check tells the printed formula from the right one.", points[0].len())
        }
        failed => format!("Checks that do not tell the two apart: {}.", failed.join(", ")),
    });
    report.figure("errata", figure(points));
    Ok(report)
}

/// How far off both formulas of every entry are.
fn figure([printed, right]: [Vec<[f64; 2]>; 2]) -> Figure {
    let count = printed.len() as f64;
    Figure {
        title: "How far the printed and the right formulas are from the truth".to_owned(),
        x: Axis {
            label: "erratum, in the order of the tables".to_owned(),
            range: [0.0, count + 1.0],
            logarithmic: false,
        },
        y: Axis {
            label: "defect, no number drawn as 1000".to_owned(),
            range: [1e-17, 1e4],
            logarithmic: true,
        },
        series: vec![Series::marks("printed", printed), Series::marks("right", right)],
    }
}
