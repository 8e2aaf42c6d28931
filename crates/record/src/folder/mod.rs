//! The result folder: what a run writes, how it goes on after a break, and how it is read.
//!
//! | file in the folder | what | here |
//! |---|---|---|
//! | `run.json` | the manifest; as tables | `manifest.rs`; `summary.rs` |
//! | `scene.toml` | the scene as run | `place.rs` |
//! | `states.csv`, `contacts.csv`, `events.csv`, `energies.csv`, `joints.csv` | the sheets: their columns; written; read | `columns.rs`; `sheet_writer.rs`, `rows.rs`; `sheet_reader.rs`, `result_folder.rs`, in parts `time_index.rs` |
//! | the same as `.parquet`, once the run has ended | made from the CSV | `parquet_file.rs` |
//! | `checkpoint.json` | all that it takes to go on | `checkpoint.rs`, `stored.rs`, `stored_health.rs` |
//! | `.lock` | locked while a process writes | `place.rs` |
//!
//! Files in JSON and Parquet appear whole; CSV grows by whole lines, and what is there is never written again but by a
//! run that is taken up from its checkpoint, which repeats it bit for bit.

mod checkpoint;
mod columns;
mod date;
mod manifest;
mod number;
mod ongoing;
mod parquet_file;
mod peak;
mod place;
mod recorder;
mod result_folder;
mod rows;
mod sheet_reader;
mod sheet_writer;
mod stored;
mod stored_health;
mod summary;
mod time_index;

pub use columns::{Column, Kind, Sheet};
pub use manifest::{About, Balance, ColumnSummary, FileSummary, Manifest, RunOutcome, SheetSummary, Status};
pub use place::claim_folder;
pub use recorder::Recorder;
pub use result_folder::{ColumnData, Columns, ResultFolder};
pub use stored_health::HealthSummary;
pub use time_index::{TimeIndex, TimedRows};
