//! Fig. 7: the fixed-point schemes that lead to algorithm III.
//!
//! `roemer-7a` and `roemer-7b` of `rattleback_contact::narrow::roemer` beside algorithm III; how errors grow there is
//! in its file `scheme.rs`.

use super::{Realisation, Study, attempt, is_solved, query, realisation};
use crate::Result;
use crate::draw::Drawn;
use rattleback_contact::narrow::Solution;
use rattleback_contact::narrow::roemer::{
    Algorithm, Scheme, Settings, SupportBody, solve_observed, solve_scheme,
};
use rattleback_geom::surface::Ellipsoid;
use rattleback_geom::{Pose, Vec3};
use rattleback_record::{Axis, Document, Figure, Series, Table};
use rayon::prelude::*;

/// Pairs at most: three schemes of up to a thousand iterations each.
const PAIRS: u64 = 2000;
/// The paper's bound on iterations.
const MOST: u32 = 1000;
/// An iteration has ended where the part of d across n is less, in m.
const ENDED: f64 = 1e-10;
/// Iterations of the figure.
const SHOWN: u32 = 60;

/// Runs a scheme from a normal; tells the part of d across n after every iteration, and returns the best normal on the
/// way.
pub fn iterate(
    scheme: Scheme,
    realisation: &Realisation,
    start: &Vec3,
    observe: &mut dyn FnMut(u32, f64),
) -> Result<Solution> {
    let bodies = [Ellipsoid::new(realisation.semi_axes_a)?, Ellipsoid::new(realisation.semi_axes_b)?];
    let [a, b] = [(&bodies[0], Pose::identity()), (&bodies[1], realisation.pose_b)]
        .map(|(surface, pose)| SupportBody { surface, pose });
    let settings = Settings { tolerance: ENDED, max_iterations: MOST };
    Ok(*solve_scheme(scheme, &a, &b, start, &settings, observe)?.best())
}

/// Adds the table over random pairs and the course of one.
pub(super) fn add(report: &mut Document, drawn: Drawn) -> Result<()> {
    let count = drawn.samples.min(PAIRS);
    let mut table = Table::new(["scheme", "solved of those apart, percent", "median of iterations of those"]);
    for (name, scheme) in
        [("7a", Some(Scheme::Connection)), ("7b", Some(Scheme::Mean)), ("7c, algorithm III", None)]
    {
        let one = |index: u64| -> Result<Option<(bool, u32)>> {
            let pair = realisation(drawn.seed, index);
            let gap = query::answer(&pair)?.gap;
            if gap < 0.0 {
                return Ok(None);
            }
            let start = pair.start(Study::A);
            let found = match scheme {
                Some(scheme) => Some(iterate(scheme, &pair, &start, &mut |_, _| {})?),
                None => attempt(Algorithm::III, &pair, &start)?.solution,
            };
            Ok(found.map(|found| (is_solved(&found, gap), found.iterations)))
        };
        let all: Result<Vec<Option<(bool, u32)>>> = (0..count).into_par_iter().map(one).collect();
        let apart: Vec<(bool, u32)> = all?.into_iter().flatten().collect();
        let mut needed: Vec<u32> = apart.iter().filter(|(solved, _)| *solved).map(|(_, n)| *n).collect();
        needed.sort_unstable();
        table.push([
            name.to_owned(),
            format!("{:.1}", 100.0 * needed.len() as f64 / apart.len().max(1) as f64),
            needed.get(needed.len() / 2).map_or("-".to_owned(), u32::to_string),
        ]);
    }
    report.table(
        format!("Fig. 7: fixed-point schemes from r/∣r∣, {count} realisations, {MOST} iterations"),
        table,
    );
    report.text(
        "With the gap g and the sum ρ of both radii of curvature, 7a multiplies an error of the normal by -ρ/g and 7b by \
         (1 - ρ/g)/2: the first is stable where ρ < g, the second where ρ < 3g.",
    );
    report.figure("fig-7", figure()?);
    Ok(())
}

/// The course of the schemes on a pair whose gap is about half of the sum of the radii of curvature.
fn figure() -> Result<Figure> {
    let pair = Realisation {
        semi_axes_a: [0.7, 0.6, 0.5],
        semi_axes_b: [0.6, 0.5, 0.55],
        pose_b: Pose::from_position(1.3, 1.1, 0.75),
        random_normal: Vec3::z(),
    };
    let start = pair.start(Study::A);
    let mut series = Vec::new();
    for (name, scheme) in [("7a: along d", Scheme::Connection), ("7b: mean of n and d", Scheme::Mean)] {
        let mut points = Vec::new();
        let mut keep = |n: u32, off: f64| {
            if n <= SHOWN {
                points.push([f64::from(n), off]);
            }
        };
        iterate(scheme, &pair, &start, &mut keep)?;
        series.push(Series { name: name.to_owned(), points, dashed: false });
    }
    let bodies = [Ellipsoid::new(pair.semi_axes_a)?, Ellipsoid::new(pair.semi_axes_b)?];
    let [a, b] = [(&bodies[0], Pose::identity()), (&bodies[1], pair.pose_b)]
        .map(|(surface, pose)| SupportBody { surface, pose });
    let mut points = Vec::new();
    let settings = Settings { tolerance: 1e-14, max_iterations: SHOWN };
    let mut keep = |n: u32, off: f64| points.push([f64::from(n), off.max(1e-17)]);
    solve_observed(Algorithm::III, &a, &b, &start, &settings, &mut keep)?;
    series.push(Series { name: "7c: algorithm III".to_owned(), points, dashed: false });
    Ok(Figure {
        title: "Fig. 7: the part of d across n over the iterations, one pair".to_owned(),
        x: Axis { label: "iterations".to_owned(), range: [0.0, f64::from(SHOWN)], logarithmic: false },
        y: Axis { label: "part of d across n in m".to_owned(), range: [1e-16, 10.0], logarithmic: true },
        series,
    })
}
