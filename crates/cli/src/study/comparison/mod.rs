//! What a scene's records say beside what a paper, a closed form or a published solution says.
//!
//! | scenes | file |
//! |---|---|
//! | ball, cradles, sphere and ellipsoid of Marques et al. | `marques.rs` |
//! | mechanisms of libraries of problems | `mechanisms.rs` |
//! | box, heap, demonstration | `free.rs` |
//! | bodies that roll | `rolling.rs` |
//! | chains, anchors | `chains.rs` |
//! | numbers from records | `records.rs` |

mod chains;
mod free;
mod marques;
mod mechanisms;
mod records;
mod rolling;

pub use records::Records;

use rattleback_record::{Result, Table};

/// What a row about the books is called, and where its reference comes from.
const LEDGER: &str = "greatest error of the energy ledger, share of the energy at the start";
const BOOKS: &str = "closed books";
/// What stands for a number that a run was too short for.
const MISSING: &str = "not reached";

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

/// The comparison of a built-in scene; none for scenes that have nothing to be compared with.
pub fn of(name: &str, records: &Records<'_>) -> Result<Option<Comparison>> {
    let compare = match name {
        "demonstration" => free::demonstration,
        "heap" => free::heap,
        "roemer_box" => free::roemer_box,
        "marques_ball" => marques::ball,
        "marques_cradle" => marques::cradle,
        "marques_cradle_damped" => marques::cradle_damped,
        "marques_cradle_two" => marques::cradle_two,
        "marques_cradle_two_damped" => marques::cradle_two_damped,
        "marques_rolling_sphere" => marques::rolling_sphere,
        "marques_ellipsoid" => marques::ellipsoid,
        "pendulum" => mechanisms::pendulum,
        "four_bar" => mechanisms::four_bar,
        "bricard" => mechanisms::bricard,
        "flyball" => mechanisms::flyball,
        "squeezer" => mechanisms::squeezer,
        "rattleback" => free::demonstration,
        "patch" => rolling::patch,
        "bowl" => rolling::bowl,
        "incline" => rolling::incline,
        "ring" => rolling::ring,
        "stack" => rolling::stack,
        "hanging_chain" | "stow" | "jam" => chains::books,
        _ => return Ok(None),
    };
    compare(records).map(Some)
}
