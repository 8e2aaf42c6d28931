//! Figures over time.

use super::Report;
use super::curve::{Curve, Sheets};
use super::tables::nothing;
use crate::error::Result;
use crate::figure::{Axis, Figure, Series};
use crate::folder::Columns;
use std::collections::BTreeSet;

/// A figure with more pairs is not readable.
const PAIRS: usize = 8;

/// A figure of curves; where no label is given it says what all of them show.
pub fn figure(title: &str, label: Option<&str>, curves: &[Curve], sheets: &Sheets) -> Result<Figure> {
    let mut series = Vec::new();
    for curve in curves {
        series.push(Series { name: curve.name.clone(), points: curve.points(sheets)?, dashed: false });
    }
    let label = label.map_or_else(|| common(curves), str::to_owned);
    Ok(drawn(title, label, series))
}

/// Curves over another one in place of time, at the instants that both have.
pub fn figure_over(
    title: &str,
    label: Option<&str>,
    curves: &[Curve],
    over: &Curve,
    sheets: &Sheets,
) -> Result<Figure> {
    let along = over.points(sheets)?;
    let mut series = Vec::new();
    for curve in curves {
        // Both are in the order of time; where one has no number, the line is broken.
        let mut places = along.iter().filter(|[time, _]| !time.is_nan()).peekable();
        let mut points = Vec::new();
        for [time, value] in curve.points(sheets)? {
            while places.next_if(|[earlier, _]| *earlier < time).is_some() {}
            points.push(match places.peek() {
                Some([same, x]) if *same == time => [*x, value],
                _ => [f64::NAN; 2],
            });
        }
        series.push(Series { name: curve.name.clone(), points, dashed: false });
    }
    let label = label.map_or_else(|| common(curves), str::to_owned);
    let mut figure = drawn(title, label, series);
    figure.x.label = format!("{}, {}", over.name, common(std::slice::from_ref(over)));
    Ok(figure)
}

fn drawn(title: &str, label: String, series: Vec<Series>) -> Figure {
    let values =
        |k: usize| series.iter().flat_map(move |series| series.points.iter().map(move |point| point[k]));
    Figure {
        title: title.to_owned(),
        x: Axis { range: span(values(0)), label: "time in s".to_owned(), logarithmic: false },
        y: Axis::spanning(values(1), label),
        series,
    }
}

/// From the first to the last.
fn span(values: impl Iterator<Item = f64>) -> [f64; 2] {
    let [low, high] =
        values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)]);
    if low < high { [low, high] } else { [0.0, 1.0] }
}

/// What all curves show, with the unit if they have one in common.
fn common(curves: &[Curve]) -> String {
    let quantities: BTreeSet<&str> = curves.iter().map(Curve::quantity).collect();
    let units: BTreeSet<&str> = curves.iter().map(Curve::unit).collect();
    let quantity = if quantities.len() == 1 { quantities.into_iter().collect() } else { String::new() };
    let unit = if units.len() == 1 { units.into_iter().collect() } else { String::new() };
    match (quantity.replace('_', " "), unit) {
        (quantity, unit) if unit.is_empty() => quantity,
        (quantity, unit) if quantity.is_empty() => format!("in {unit}"),
        (quantity, unit) => format!("{quantity} in {unit}"),
    }
}

impl Report<'_> {
    /// The figures that every report has: energies, forces, depths.
    pub(super) fn usual(&self, sheets: &Sheets, events: &Columns) -> Result<Vec<Figure>> {
        let times = sheets.energies.numbers("time_s")?;
        let energy = |name: &str, column: &str| -> Result<Series> {
            let values = sheets.energies.numbers(column)?;
            let points = times.iter().zip(values).map(|(t, v)| [*t, *v]).collect();
            Ok(Series { name: name.to_owned(), points, dashed: false })
        };
        let nothing = nothing(&sheets.energies)?;
        let mut curves = Vec::new();
        for (name, column) in [
            ("kinetic", "kinetic_J"),
            ("potential", "potential_J"),
            ("applied", "applied_J"),
            ("stored", "stored_J"),
            ("mechanical", "mechanical_J"),
            ("damped", "damped_J"),
            ("lost to friction", "friction_J"),
            ("dissipated", "dissipated_J"),
            ("total", "total_J"),
        ] {
            let series = energy(name, column)?;
            // What is never there needs no curve.
            if series.points.iter().any(|point| point[1].abs() > nothing) {
                curves.push(series);
            }
        }
        let mut figures = vec![drawn("Energy", "energy in J".to_owned(), curves)];
        let mut total = energy("total", "total_J")?;
        if let Some(start) = total.points.first().map(|point| point[1]) {
            for point in &mut total.points {
                point[1] -= start;
            }
            let name = "Total energy against its start: what the numbers lose";
            figures.push(drawn(name, "energy in J".to_owned(), vec![total]));
        }
        if let Some(windlasses) = &sheets.windlasses {
            let mut pulls = Vec::new();
            for number in windlasses.distinct("windlass")?.iter().take(PAIRS) {
                let points = windlasses.series("windlass", number, "pull_N")?;
                pulls.push(Series { name: format!("windlass {number}"), points, dashed: false });
            }
            figures.push(drawn("Pull of windlasses", "force in N".to_owned(), pulls));
        }
        if let Some(rolling) = &sheets.rolling {
            figures.extend(slips(rolling)?);
        }
        let pairs = pairs(&sheets.contacts)?;
        if (1..=PAIRS).contains(&pairs.len()) {
            for (title, column, label) in [
                ("Normal forces at the records", "normal_force_N", "force in N"),
                ("Gaps of touching bodies at the records", "gap_m", "gap in m"),
            ] {
                let mut series = Vec::new();
                for [a, b] in &pairs {
                    let points = Curve::parse(&format!("{a}|{b}.{column}"), self.model)?.points(sheets)?;
                    series.push(Series { name: both(a, b), points, dashed: false });
                }
                // Rigid bodies that touch have no gap.
                if series.iter().flat_map(|series| &series.points).any(|point| point[1].abs() > 0.0) {
                    figures.push(drawn(title, label.to_owned(), series));
                }
            }
        } else if !pairs.is_empty() {
            figures.push(count(sheets)?);
        }
        if let Some(mut figure) = peaks(events)? {
            figure.x.range = span(times.iter().copied());
            figures.push(figure);
        }
        Ok(figures)
    }
}

/// The name of a pair.
fn both(a: &str, b: &str) -> String {
    format!("{a} and {b}")
}

/// The greatest force of each contact, as a line that rises to it.
fn peaks(events: &Columns) -> Result<Option<Figure>> {
    // A bounce of rigid bodies has no force, and that of a contact that lasts is drawn over time.
    if !events.numbers("deepest_overlap_m")?.iter().any(|overlap| *overlap > 0.0) {
        return Ok(None);
    }
    let (times, forces) = (events.numbers("peak_time_s")?, events.numbers("peak_force_N")?);
    let (a, b) = (events.text("body_a")?, events.text("body_b")?);
    let mut series = Vec::new();
    for pair in pairs(events)? {
        let rows = (0..events.rows()).filter(|&row| [a[row], b[row]] == pair && forces[row].is_finite());
        let points =
            rows.flat_map(|row| [[times[row], 0.0], [times[row], forces[row]], [times[row], f64::NAN]]);
        series.push(Series { name: both(&pair[0], &pair[1]), points: points.collect(), dashed: false });
    }
    let any = (1..=PAIRS).contains(&series.len()) && series.iter().any(|series| !series.points.is_empty());
    Ok(any.then(|| drawn("Greatest normal force of each contact", "force in N".to_owned(), series)))
}

/// The pairs of bodies in a sheet, in the order of their first rows.
fn pairs(sheet: &Columns) -> Result<Vec<[String; 2]>> {
    let (a, b) = (sheet.text("body_a")?, sheet.text("body_b")?);
    let mut seen = BTreeSet::new();
    let each = a.into_iter().zip(b).filter(|pair| seen.insert(*pair));
    Ok(each.map(|(a, b)| [a.to_owned(), b.to_owned()]).collect())
}

/// How many contacts there are at each record.
fn count(sheets: &Sheets) -> Result<Figure> {
    let mut times = sheets.contacts.numbers("time_s")?.iter().peekable();
    let mut points = Vec::new();
    for &time in sheets.energies.numbers("time_s")? {
        let mut here = 0u32;
        while times.next_if(|other| **other <= time).is_some() {
            here += 1;
        }
        points.push([time, f64::from(here)]);
    }
    let series = Series { name: "contacts".to_owned(), points, dashed: false };
    Ok(drawn("Contacts at the records", "number".to_owned(), vec![series]))
}
/// The slip of bodies that are moved in contact coordinates: zero while they roll, broken while they fly.
fn slips(rolling: &Columns) -> Result<Option<Figure>> {
    let mut curves = Vec::new();
    for body in rolling.distinct("body")?.iter().take(PAIRS) {
        let (x, y) = (
            rolling.series("body", body, "slip_x_m_per_s")?,
            rolling.series("body", body, "slip_y_m_per_s")?,
        );
        let points = x.iter().zip(&y).map(|(x, y)| [x[0], x[1].hypot(y[1])]).collect();
        curves.push(Series { name: body.clone(), points, dashed: false });
    }
    let slips = |series: &Series| series.points.iter().any(|point| point[1] > 0.0);
    Ok(curves
        .iter()
        .any(slips)
        .then(|| drawn("Slip where bodies touch; zero while they roll", "speed in m/s".to_owned(), curves)))
}
