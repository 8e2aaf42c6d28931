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
