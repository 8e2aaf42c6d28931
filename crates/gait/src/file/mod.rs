//! Files of gait laboratories: `.trc` (markers), `.mot` and `.sto` (forces, angles), read in the dialects that
//! programs write, and written so that they read back to the same bits.
//!
//! | what | file |
//! |---|---|
//! | markers | `trc.rs` |
//! | tables of numbers with `endheader`, of OpenSim and SIMM | `storage.rs` |
//! | lines and cells of both, what counts as missing | `table.rs` |
//!
//! A reader gathers what it could set right as remarks and everything that it could not as complaints with line and
//! column. A missing value is NaN.

mod storage;
mod table;
mod trc;

pub(crate) use storage::load_labels;
pub use storage::{Storage, parse_storage, read_storage, write_storage};
pub use table::MAX_BYTES;
pub use trc::{Trc, parse_trc, read_trc, write_trc};
