//! Parameters of a foot from the force of one stance.
//!
//! | what | file |
//! |---|---|
//! | nonlinear least squares within bounds | `levenberg.rs` |
//! | what is compared, under perturbed poses, with priors; covariance and sensitivities | `identify.rs` |
//! | by how much the foot must move to produce the measured force | `reverse.rs` |

mod identify;
mod levenberg;
mod reverse;

pub use identify::{
    FittedFoot, ForceSample, IdentifySettings, Sensitivity, StanceData, Watch, fit_errors, identify,
    identify_watched, misfits, sensitivity,
};
pub use levenberg::{LeastSquares, Solution, solve};
pub use reverse::{Correction, correct_pose};
