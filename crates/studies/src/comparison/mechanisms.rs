//! Mechanisms of libraries of problems. The scenes' fixed steps decide how close the numbers come.

use super::Comparison;
use super::records::{Records, passages, peak};
use crate::mechanism::{PENDULUM_END, SQUEEZER_END, four_bar_time};
use rattleback_record::Result;
use std::f64::consts::PI;

/// The library's bound on the energy's departure, in J.
const BOUND: &str = "below 0.1";
const LIBRARY: &str = "the library";
const FIGURE: &str = "the library's figure";

fn energy(comparison: &mut Comparison, records: &Records<'_>) {
    let drift = records.at_end(format!("{:.1e}", records.drift()));
    comparison.row("greatest departure of the energy in 10 s, J", BOUND, drift, LIBRARY);
}

/// IFToMM A01.
pub fn pendulum(records: &Records<'_>) -> Result<Comparison> {
    let mut comparison = Comparison::new("The distance goes with the square of the scene's step of 2.5 ms.");
    let mut apart = 0.0f64;
    for ((axis, column), reference) in [("x", "x_m"), ("y", "y_m")].into_iter().zip(PENDULUM_END) {
        let found = records.last("mass", column)?;
        apart = apart.hypot(found - reference);
        let found = records.at_end(format!("{found:.6}"));
        comparison.row(format!("{axis} at 10 s, m"), format!("{reference:.12}"), found, LIBRARY);
    }
    let apart = records.at_end(format!("{apart:.1e}"));
    comparison.row("distance from the library's place, m", "0", apart, LIBRARY);
    Ok(comparison)
}

/// IFToMM A02.
pub fn four_bar(records: &Records<'_>) -> Result<Comparison> {
    let mut comparison = Comparison::new("");
    energy(&mut comparison, records);
    let first = records.body("upright 0", "y_m")?;
    let flat = passages(&first);
    for (k, (turn, angle)) in
        [("a quarter turn", 0.5 * PI), ("three quarters", 1.5 * PI)].into_iter().enumerate()
    {
        comparison.row(
            format!("it lies flat, {turn} from its start, at s"),
            format!("{:.4}", four_bar_time(2, angle)),
            flat.get(k).map(|time| format!("{time:.4}")),
            "closed form, a quadrature",
        );
    }
    let last = records.body("upright 2", "y_m")?;
    let apart = first.iter().zip(&last).fold(0.0f64, |most, (a, b)| most.max((a[1] - b[1]).abs()));
    let apart = records.at_end(format!("{apart:.1e}"));
    comparison.row(
        "heights of the uprights' middles differ by at most, m",
        "0",
        apart,
        "closed form, parallel",
    );
    Ok(comparison)
}

/// IFToMM A04.
pub fn bricard(records: &Records<'_>) -> Result<Comparison> {
    let mut comparison = Comparison::new("");
    energy(&mut comparison, records);
    let mut squares = 0.0;
    for column in ["x_m", "y_m", "z_m"] {
        let course = records.body("rod 3", column)?;
        squares +=
            course.last().zip(course.first()).map_or(f64::NAN, |(end, start)| (end[1] - start[1]).powi(2));
    }
    let apart = records.at_end(format!("{:.1e}", f64::sqrt(squares)));
    comparison.row("the third rod's middle at 10 s from its start, m", "0", apart, FIGURE);
    Ok(comparison)
}

/// IFToMM A05.
pub fn flyball(records: &Records<'_>) -> Result<Comparison> {
    let mut comparison = Comparison::new("");
    let course = records.body("slider", "z_m")?;
    let turned: Vec<[f64; 2]> = course.iter().map(|[t, z]| [*t, -z]).collect();
    let mut row = |what: &str, reference: &str, found: f64| {
        comparison.row(what, reference, records.at_end(format!("{found:.4}")), FIGURE);
    };
    row("lowest place of the slider, m", "0.500", -peak(&turned));
    row("highest place of the slider, m", "0.744", peak(&course));
    row("its place at 10 s, m", "about 0.62", records.last("slider", "z_m")?);
    Ok(comparison)
}

/// Andrews' squeezer.
pub fn squeezer(records: &Records<'_>) -> Result<Comparison> {
    let mut comparison = Comparison::new("The distance goes with the square of the scene's step of 10 µs.");
    for (body, reference) in ["K1", "K7"].into_iter().zip(SQUEEZER_END) {
        let found = records.at_end(format!("{:.6}", angle(records, body)?));
        let what = format!("angle of {body} at 0.03 s, rad");
        comparison.row(what, format!("{reference:.12}"), found, "the test set");
    }
    Ok(comparison)
}

/// The angle of a plane body at the end, counted through all turns: between two records it turns by less than half a
/// turn.
fn angle(records: &Records<'_>, body: &str) -> Result<f64> {
    let (w, z) = (records.body(body, "qw")?, records.body(body, "qz")?);
    let mut total = f64::NAN;
    for (w, z) in w.iter().zip(&z) {
        let here = 2.0 * z[1].atan2(w[1]);
        total = if total.is_nan() { here } else { total + turn(here - total) };
    }
    Ok(total)
}

/// The same angle within half a turn of zero.
fn turn(angle: f64) -> f64 {
    angle - 2.0 * PI * (angle / (2.0 * PI)).round()
}
