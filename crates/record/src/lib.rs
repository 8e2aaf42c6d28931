//! What a run or a query leaves behind, for people and for programs.

mod document;
mod error;
mod figure;
mod folder;
mod lettering;
mod page;
pub mod picture;
mod png;
pub mod report;
mod table;
mod whole_file;

pub use document::Document;
pub use error::{RecordError, Result};
pub use figure::{Axis, Figure, HeatMap, Panel, Series, Steps};
pub use folder::{
    About, Balance, Column, ColumnData, ColumnSummary, Columns, FileSummary, HealthSummary, Kind, Manifest,
    Recorder, ResultFolder, RunOutcome, Sheet, SheetSummary, Status, TimeIndex, TimedRows, claim_folder,
};
pub use page::Page;
pub use table::Table;
pub use whole_file::WholeFile;
