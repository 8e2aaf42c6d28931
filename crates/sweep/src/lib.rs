//! Scenes run from start to end, once or many times.
//!
//! | what | file |
//! |---|---|
//! | one run, recorded into a folder or in memory, watched and stopped | `session.rs` |
//! | what is made of a run: a curve at its end, its maximum or minimum | `output.rs` |
//! | how outputs change with the parameters of a scene | `sensitivity.rs` |
//! | a study: the file that says what is varied and how | `study/` |
//! | a sweep: all runs of a study, on all threads, to one row each | `sweep.rs` |
//! | the log that survives whatever ends the program, and the table of it | `log.rs`, `table.rs` |
//!
//! | new | file | and it must pass |
//! |---|---|---|
//! | design of a study | `study/` | another hand's points; `crates/cli/tests/sweep.rs` |

mod error;
mod log;
mod output;
mod sensitivity;
mod session;
mod study;
mod sweep;
mod table;

pub use error::{Result, SweepError};
pub use log::{Cell, Header, Log, Row, RunStatus};
pub use output::RunOutput;
pub use sensitivity::{Derivative, Sensitivity};
pub use session::{
    Ended, InMemory, RunOptions, Standing, StopRequest, VERDICT, Watcher, drive, record, run_in_memory,
};
pub use study::{Design, ParameterSpec, Study, StudySpec, Sweepable, study_schema};
pub use sweep::{Sweep, SweepWatcher};
pub use table::write_table;
