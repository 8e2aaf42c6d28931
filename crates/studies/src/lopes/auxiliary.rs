//! Table 1 and Fig. 3: auxiliary vectors by the direction of a normal, and Fig. 5: the steps of the algorithm.

use rattleback_geom::Vec3;
use rattleback_record::{Axis, Document, Figure, Series, Table};

/// The four vectors of (18).
pub(super) fn vectors(n: &Vec3) -> [Vec3; 4] {
    [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]].map(|[x, y]| n + Vec3::new(x, y, 0.0) * n.norm())
}

/// The sines of the angles between n and the vectors; zero where they are collinear or vanish.
fn sines(n: &Vec3) -> [f64; 4] {
    vectors(n).map(|v| {
        let length = v.norm() * n.norm();
        if length > 0.0 { n.cross(&v).norm() / length } else { 0.0 }
    })
}

/// Adds the table and both figures.
pub(super) fn add(report: &mut Document) {
    let mut table = Table::new([
        "n_x",
        "n_y",
        "the paper's",
        "ours",
        "sine to v₁",
        "sine to v₂",
        "sine to v₃",
        "sine to v₄",
    ]);
    for (x, y) in [(1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0), (0, 0)] {
        let paper = match (x, y) {
            (0, 0) => "none",
            (0, _) | (_, 0) => "v₂ or v₄, and v₁ or v₃",
            _ if x == y => "v₂ or v₄",
            _ => "v₁ or v₃",
        };
        let ours = if x * y >= 0 { "v₂" } else { "v₁" };
        let n = Vec3::new(f64::from(x), f64::from(y), if x == 0 && y == 0 { 1.0 } else { 0.0 });
        let mut row = vec![x.to_string(), y.to_string(), paper.to_owned(), ours.to_owned()];
        row.extend(sines(&n).map(|sine| format!("{sine:.3}")));
        table.push(row);
    }
    report.table("Table 1: auxiliary vectors by the signs of the normal, n_z = 0 but for the last", table);
    report.figure("fig-3", figure());
    let mut steps = Table::new(["step of the paper", "ours"]);
    for [paper, ours] in STEPS {
        steps.push([paper, ours]);
    }
    report.table("Fig. 5: the steps of the contact algorithm", steps);
}

/// The flowchart, in words.
const STEPS: [[&str; 2]; 6] = [
    ["(i, ii) interval and initial conditions", "the scene: state, run.duration"],
    [
        "(iii) proximity queries",
        "broad phase of boxes; bounding spheres and the quartic of ellipsoids by name, proximity",
    ],
    [
        "(iv) Newton–Raphson for the points",
        "climb of f(n) with a certificate; lopes-householder and lopes-auxiliary by name",
    ],
    ["(v, vi) sign of d, force by the law", "contact law, loads about mass centres"],
    ["(vii) equations of motion", "the scene's solver"],
    ["(viii–x) time goes on, the points are the next guess", "the contact's own start, kept in the state"],
];

fn figure() -> Figure {
    let mut series: Vec<Series> =
        (1..=4).map(|l| Series { name: format!("v{l}"), points: Vec::new(), dashed: false }).collect();
    for degrees in 0..=360 {
        let (sin, cos) = f64::from(degrees).to_radians().sin_cos();
        for (series, sine) in series.iter_mut().zip(sines(&Vec3::new(cos, sin, 0.0))) {
            series.points.push([f64::from(degrees), sine]);
        }
    }
    Figure {
        title: "Fig. 3: sine of the angle between a normal in the plane and its auxiliary vectors".to_owned(),
        x: Axis { label: "direction of n in degrees".to_owned(), range: [0.0, 360.0], logarithmic: false },
        y: Axis { label: "sine".to_owned(), range: [0.0, 1.05], logarithmic: false },
        series,
    }
}
