//! Chains and anchors: their energy balance.

use super::records::Records;
use super::{BOOKS, Comparison};
use rattleback_record::Result;

/// A chain that comes to rest, an anchor that is heaved.
pub fn books(records: &Records<'_>) -> Result<Comparison> {
    let mut comparison = Comparison::new("");
    let span = |column: &str| records.energy(column).map(|[first, last]| (last - first).abs());
    let turned = span("mechanical_J")?.max(span("dissipated_J")?);
    let drift = records.drift();
    comparison.row(
        "greatest error of the energy ledger, share of the energy turned over",
        "0",
        Some(format!("{:.1e}", drift / turned)),
        BOOKS,
    );
    Ok(comparison)
}
