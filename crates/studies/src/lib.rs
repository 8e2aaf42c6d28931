//! Published cases and studies: what papers and libraries of problems print, beside what the engine finds.
//!
//! A case is a scene file under `scenes/` and a line in the index of [`case`](mod@case), which may name the numbers
//! of its source (`comparison/`). A study runs cases, or draws its own, and makes a
//! [`Document`](rattleback_record::Document); nothing here prints.
//!
//! | study | source | module |
//! |---|---|---|
//! | `lopes` | Lopes et al. 2010, Tables 5 and 6 | [`lopes`] |
//! | `roemer` | Römer et al., Tables 1 and 2 | [`roemer`] |
//! | `box` | Römer et al., section 6 | [`roemer_box`] |
//! | `restitution` | Marques et al., Fig. 2 | [`restitution`] |
//! | `marques` | Marques et al., section 3 | [`marques`] |
//! | `kry-pai` | Kry and Pai 2002, Tables I and II, Figs 7 to 9 and 11 | [`kry_pai`] |
//! | `dopico` | Dopico et al., sections 4 and 5, Figs 1 to 5 | [`dopico`] |
//! | `errata` | all five papers | [`mod@errata`] |
//! | `thin` | none | [`thin`] |
//! | `benchmark` | none | [`benchmark`] |
//! | `atlas`, `stowage` | none | [`map`] |
//!
//! [`mechanism`] has the numbers of libraries of mechanisms.
//!
//! | new | file | and it must pass |
//! |---|---|---|
//! | error of a paper | `errata/` | a check that the printed one fails and the right one holds; `book/src/errata.md` anew |
//! | set of the benchmark | `benchmark/set.rs` | its truth closes: `benchmark/truth.rs` |
//! | map | its study file in `scenes/studies/`, its file in `map/` | `crates/cli/tests/study.rs` |

pub mod benchmark;
pub mod case;
pub mod comparison;
pub mod dopico;
mod draw;
pub mod errata;
mod error;
pub mod kry_pai;
pub mod lopes;
pub mod map;
pub mod marques;
pub mod mechanism;
pub mod paper;
pub mod restitution;
pub mod roemer;
pub mod roemer_box;
mod still;
pub mod study;
pub mod thin;
mod variation;

pub use case::Case;
pub use error::{Result, StudyError};
pub use study::Study;
pub use variation::Variation;
