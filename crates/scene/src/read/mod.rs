//! How files are read: a tree with places, fields that read and describe themselves, complaints with line and column.
//!
//! 1. `source_value.rs` turns TOML into a tree in which every value knows where it stands; `json.rs` turns JSON into
//!    the same tree without places.
//! 2. A type that can stand in a file is a [`Field`] (`field.rs`): it reads itself from a node and says its JSON
//!    Schema. Tables are declared once, by the macros of `entry.rs`; from the same lines come the Rust type, its reader
//!    and its schema.
//! 3. Reading does not stop at the first mistake: the [`Reader`] collects [`Complaint`]s (`complaint.rs`), which are
//!    shown all at once with the lines they are about.
//! 4. Numbers with units are in `quantity.rs` and `unit.rs`, expressions of them, which may stand wherever numbers do,
//!    in `expression/mod.rs`.

mod complaint;
mod entry;
mod evaluation;
pub(crate) mod expression;
mod field;
mod json;
pub(crate) mod quantity;
mod range;
mod reader;
mod schema;
mod source_value;
mod toml_text;
pub(crate) mod unit;

pub use complaint::{Complaint, Source};
pub use entry::entry;
pub(crate) use entry::{choice, words};
pub use field::{At, Entry, Field, Named};
pub(crate) use json::without_place;
pub use quantity::*;
pub use range::{Range, number, triple};
pub use reader::{Fields, Place, Reader, Step};
pub(crate) use reader::{is_expression, nearest};
pub use schema::{Definitions, Property};
pub use serde_json::Value as Json;
pub use source_value::{Key, SourceValue, Span, Value};
pub(crate) use unit::parse as parse_unit;
