//! Gait: an application of the engine that knows feet.
//!
//! | what | module |
//! |---|---|
//! | files of laboratories, in all their dialects | [`mod@file`] |
//! | markers and force plates in SI units and the laboratory's axes | [`trial`] |
//! | filters, splines, gaps | [`signal`] |
//! | the pose of a cluster of markers, robustly, with its covariance | [`rigid`] |
//! | feet: tracks, flat frames, the ground's speed | [`feet`] |
//! | stances from kinematics | [`stance`] |
//! | the foot: its motion, the bodies under it, their force | [`foot`] |
//! | parameters of a foot from a measured stance | [`fit`] |
//! | ground forces from markers, two modes and a baseline | [`predict`] |
//! | forward dynamics: a leg driven by measured joint angles, a foot that is dropped | [`forward`] |
//! | a walk of the engine's own, known exactly | [`synthetic`] |
//! | tables, words and figures of them | [`report`] |
//! | segments, joint centres, centre of mass, the whole body's ground force | [`body`] |
//! | what a laboratory should know before it trusts a trial | [`doctor`] |
//! | all of it from files to a document, as the command and the Python package ask for it | [`task`] |
//!
//! Axes: x forward (the walking direction, on a treadmill too), y up, z to the right. SI units.
//!
//! | new | file | and it must pass |
//! |---|---|---|
//! | dialect of marker or force files | `file/`; names of markers in `trial/alias.rs` | `tests/gait/files.rs`: the same numbers, damaged files with their places |
//! | body under a foot, way to share out a force, baseline | `foot/`, `predict/` | `tests/gait/predict.rs`: errors on the measured trial; `tests/gait/recovery.rs`: the engine's own walk comes back |
//! | scene of a foot or a leg | `forward/` | `tests/gait/forward.rs`: angles followed, loops that enclose what the ledger damps |
//! | check of trials | `doctor/` | `tests/gait/variants.rs`: the same answer in other axes, units and names |
//! | task, for the command and Python | `task/` | `crates/cli/tests/gait.rs`, `crates/py/tests/test_applications.py` |

pub mod body;
pub mod doctor;
mod error;
pub mod feet;
pub mod file;
pub mod fit;
pub mod foot;
pub mod forward;
pub mod predict;
pub mod report;
pub mod rigid;
pub mod signal;
pub mod stance;
pub mod synthetic;
pub mod task;
pub mod trial;

pub use error::{Complaint, GaitError, MAX_COMPLAINTS, Result};
pub use trial::{Marker, Plate, Trial, TrialFiles};
