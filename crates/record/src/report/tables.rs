//! Tables of a report.

use crate::error::Result;
use crate::folder::{Columns, ResultFolder, Sheet};
use crate::page::Page;
use crate::table::Table;

/// Rows of the ledger.
const LEDGER: usize = 9;
/// Events that are listed; the sheet has all of them.
const EVENTS: usize = 40;
/// What is told of an event beside the bodies.
const EVENT_COLUMNS: [(&str, &str); 7] = [
    ("begins at s", "start_s"),
    ("ends at s", "end_s"),
    ("approach in m/s", "approach_speed_m_per_s"),
    ("peak force in N", "peak_force_N"),
    ("deepest in m", "deepest_overlap_m"),
    ("damped in J", "damped_J"),
    ("lost to friction in J", "friction_J"),
];

/// Energies that are rounding errors of zero beside the greatest one, as a share of it.
const ROUNDING: f64 = 1e-13;

/// What counts as no energy, in J.
pub(super) fn nothing(energies: &Columns) -> Result<f64> {
    let mut greatest = 0.0_f64;
    for name in ["kinetic_J", "potential_J", "total_J"] {
        greatest = energies.numbers(name)?.iter().fold(greatest, |sum, value| sum.max(value.abs()));
    }
    Ok(ROUNDING * greatest)
}

/// The energies at some instants.
pub(super) fn ledger(energies: &Columns) -> Result<Table> {
    let nothing = nothing(energies)?;
    let mut columns = Vec::new();
    for name in energies.names() {
        // What is never there needs no column.
        if name == "time_s" || energies.numbers(name)?.iter().any(|value| value.abs() > nothing) {
            columns.push(name);
        }
    }
    let mut table = Table::new(columns.iter().map(|name| heading(name)));
    let rows = energies.rows();
    let count = LEDGER.min(rows);
    for k in 0..count {
        let row = if count > 1 { k * (rows - 1) / (count - 1) } else { 0 };
        let mut cells = Vec::new();
        for name in &columns {
            let value = energies.numbers(name)?[row];
            cells.push(if *name == "time_s" { format!("{value:.4}") } else { number(value) });
        }
        table.push(cells);
    }
    Ok(table)
}

/// A column's name without its unit.
fn heading(name: &str) -> String {
    match name {
        "time_s" => "t in s".to_owned(),
        name => name.trim_end_matches("_J").replace('_', " "),
    }
}

/// Six digits.
fn number(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 {
        "0".to_owned()
    } else if (1e-3..1e6).contains(&size) {
        format!("{x:.*}", (5 - size.log10().floor() as i32).clamp(0, 8) as usize)
    } else {
        format!("{x:.4e}")
    }
}

/// The contacts from beginning to end.
pub(super) fn events(folder: &ResultFolder, page: &mut Page) -> Result<()> {
    let events = folder.sheet(Sheet::Events)?;
    if events.rows() == 0 {
        page.text("No contact began.");
        return Ok(());
    }
    let mut columns = Vec::new();
    for (heading, name) in EVENT_COLUMNS {
        // What no contact has, such as the overlap of rigid bodies, needs no column.
        let instant = ["start_s", "end_s"].contains(&name);
        if instant || events.numbers(name)?.iter().any(|value| value.abs() > 0.0) {
            columns.push((heading, name));
        }
    }
    let headings = ["A", "B"].into_iter().chain(columns.iter().map(|(heading, _)| *heading));
    let mut table = Table::new(headings);
    let (a, b) = (events.text("body_a")?, events.text("body_b")?);
    for row in 0..events.rows().min(EVENTS) {
        let mut cells = vec![a[row].to_owned(), b[row].to_owned()];
        for (_, name) in &columns {
            let value = events.numbers(name)?[row];
            cells.push(if value.is_nan() { "-".to_owned() } else { number(value) });
        }
        table.push(cells);
    }
    let heading = match events.rows() {
        n if n > EVENTS => {
            format!("The first {EVENTS} of {n} contacts, in the order of their ends; events.csv has all")
        }
        n => format!("{n} contacts, in the order of their ends"),
    };
    page.table(&heading, &table);
    Ok(())
}
