//! What a scene's records say beside what a paper, a closed form or a published solution says.
//!
//! | scenes | file |
//! |---|---|
//! | ball, cradles, sphere and ellipsoid of Marques et al. | `marques.rs` |
//! | mechanisms of libraries of problems | `mechanisms.rs` |
//! | box, heap, demonstration | `free.rs` |
//! | bodies that roll | `rolling.rs` |
//! | chains | `chains.rs` |
//! | numbers from records | `records.rs` |

pub(crate) mod chains;
pub(crate) mod free;
pub(crate) mod marques;
pub(crate) mod mechanisms;
mod records;
pub(crate) mod rolling;

pub use records::Records;

use rattleback_record::{Result, Table};

/// What a row about the energy balance is called, and where its reference comes from.
const LEDGER: &str = "greatest error of the energy ledger, share of the energy at the start";
const BOOKS: &str = "closed books";
/// What stands for a number that a run was too short for.
const MISSING: &str = "not reached";

/// Sets the numbers of a case beside those of its source.
pub type Compare = fn(&Records<'_>) -> Result<Comparison>;

/// Numbers beside their references.
#[derive(Debug, Default)]
pub struct Comparison {
    rows: Vec<[String; 4]>,
    /// What is to be compared by eye, or to be known about the numbers.
    pub remark: &'static str,
}

impl Comparison {
    fn new(remark: &'static str) -> Self {
        Self { rows: Vec::new(), remark }
    }

    /// Adds a number; one that was not reached is none.
    fn row(
        &mut self,
        what: impl Into<String>,
        reference: impl Into<String>,
        ours: Option<String>,
        origin: &str,
    ) {
        let ours = ours.unwrap_or_else(|| MISSING.to_owned());
        self.rows.push([what.into(), reference.into(), ours, origin.to_owned()]);
    }

    /// The numbers side by side.
    pub fn table(&self) -> Table {
        let mut table = Table::new(["quantity", "reference", "ours", "the reference is"]);
        for row in &self.rows {
            table.push(row.clone());
        }
        table
    }
}
