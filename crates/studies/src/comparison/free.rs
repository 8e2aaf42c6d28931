//! Free bodies: the box of Römer et al., the heap, the rattleback.

use super::records::{Records, passages};
use super::{BOOKS, Comparison, LEDGER};
use rattleback_record::Result;
use std::collections::BTreeSet;

const PAPER: &str = "the paper, section 6";
const KNOWN: &str = "what such stones are known for";

/// The error of the energy balance as a share of an energy.
fn books(comparison: &mut Comparison, records: &Records<'_>, scale: f64) {
    let drift = records.at_end(format!("{:.1e}", records.drift() / scale));
    comparison.row(LEDGER, "0", drift, BOOKS);
}

/// The most contacts at one record.
fn crowd(records: &Records<'_>) -> Result<usize> {
    let times = records.sheets.contacts.numbers("time_s")?;
    Ok(times.chunk_by(|a, b| a == b).map(<[f64]>::len).max().unwrap_or(0))
}

/// Römer et al., section 6.
pub fn roemer_box(records: &Records<'_>) -> Result<Comparison> {
    let mut comparison = Comparison::new(
        "Fig. 9 of the paper shows snapshots at 0, 1, 2, 3 and 4 s and the total energy, a curve without printed numbers; the \
         figure and the pictures of the run's own report are to be compared with it by eye.",
    );
    let events = &records.events;
    let (a, b) = (events.text("body_a")?, events.text("body_b")?);
    let planes: BTreeSet<u64> = events
        .numbers("part_a")?
        .iter()
        .zip(&a)
        .filter(|(_, a)| **a == "box")
        .map(|(k, _)| *k as u64)
        .collect();
    let between = a.iter().zip(&b).filter(|(a, b)| **a == "I" && **b == "II").count();
    let mut count = |what: &str, reference: &str, found: usize| {
        comparison.row(what, reference, records.at_end(found.to_string()), PAPER);
    };
    count("contacts in 4 s", "multiple", events.rows());
    count("of them between the two objects", "multiple", between);
    count("planes touched, of five", "all", planes.len());
    count("most contacts at one record", "several", crowd(records)?);
    let [start, end] = records.energy("mechanical_J")?;
    let mechanical = records.sheets.energies.numbers("mechanical_J")?;
    let rise = mechanical.windows(2).fold(0.0f64, |most, pair| most.max(pair[1] - pair[0])) / start;
    comparison.row(
        "greatest rise of the mechanical energy between records, share of its start",
        "none",
        records.at_end(format!("{rise:.1e}")),
        PAPER,
    );
    let left = records.at_end(format!("{:.4}", end / start));
    comparison.row("mechanical energy left at 4 s, share of its start", "a curve", left, "the paper, Fig. 9");
    books(&mut comparison, records, start);
    Ok(comparison)
}

/// A heap of grains.
pub fn heap(records: &Records<'_>) -> Result<Comparison> {
    let mut comparison =
        Comparison::new("Of no paper: the books must close, and the grains must come to rest.");
    let [start, _] = records.energy("mechanical_J")?;
    books(&mut comparison, records, start);
    let kinetic = records.sheets.energies.numbers("kinetic_J")?;
    let most = kinetic.iter().copied().fold(0.0, f64::max);
    let left = records.energy("kinetic_J")?[1] / most;
    let left = records.at_end(format!("{left:.1e}"));
    comparison.row("kinetic energy at 1 s, share of the greatest", "small", left, "rest");
    let last = records.sheets.energies.numbers("time_s")?.last().copied();
    let touching =
        records.sheets.contacts.numbers("time_s")?.iter().filter(|time| Some(**time) == last).count();
    comparison.row("contacts at 1 s", "-", records.at_end(touching.to_string()), "-");
    Ok(comparison)
}

/// The rattleback.
pub fn demonstration(records: &Records<'_>) -> Result<Comparison> {
    let mut comparison = Comparison::new("");
    let spin = records.body("rattleback", "wz_rad_per_s")?;
    let reversed = passages(&spin).first().map(|time| format!("{time:.2}"));
    comparison.row("the spin changes its sign at, s", "it does", reversed, KNOWN);
    let first = spin.first().map_or(f64::NAN, |point| point[1]);
    let back = spin.iter().fold(f64::NEG_INFINITY, |most, point| most.max(-point[1] / first));
    let back = records.at_end(format!("{back:.3}"));
    comparison.row("fastest turn back, share of the first spin", "above 0", back, KNOWN);
    let [start, end] = records.energy("mechanical_J")?;
    let left = records.at_end(format!("{:.4}", end / start));
    comparison.row("mechanical energy left at the end, share of its start", "below 1", left, BOOKS);
    books(&mut comparison, records, start);
    Ok(comparison)
}
