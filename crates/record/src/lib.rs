//! What a run or a query leaves behind, for people and for programs.

mod table;

pub use table::Table;
