//! What a run or a query leaves behind, for people and for programs.

mod table;
mod whole_file;

pub use table::Table;
pub use whole_file::WholeFile;
