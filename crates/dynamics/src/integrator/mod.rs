//! Integrators of ordinary differential equations ẏ = f(t, y), y ∈ ℝⁿ, and what they agree on.
//!
//! ```
//! use rattleback_dynamics::Result;
//! use rattleback_dynamics::integrator::{Direction, Dop853, Equations, Event, AdvanceOutcome, Settings, Stepper,
//! Tolerance, advance};
//!
//! /// A stone in free fall: height and speed upwards.
//! struct Stone;
//!
//! impl Equations for Stone {
//!     fn dimension(&self) -> usize {
//!         2
//!     }
//!     fn rate(&mut self, _t: f64, y: &[f64], dy: &mut [f64]) -> Result<()> {
//!         (dy[0], dy[1]) = (y[1], -9.81);
//!         Ok(())
//!     }
//! }
//!
//! # fn main() -> Result<()> {
//! let mut stepper = Dop853::new(0.0, &[1.0, 0.0], Tolerance::new(1e-10, 1e-12)?, Settings::default())?;
//! let mut events = [Event::new(Direction::Falling, |_t, y: &[f64]| Ok(y[0]))];
//! let mut heights = Vec::new();
//! let outcome = advance(&mut stepper, &mut Stone, &mut events, 10.0, &mut |step| {
//!     let mut y = [0.0; 2];
//!     step.interpolate(step.end(), &mut y);
//!     heights.push(y[0]);
//!     Ok(())
//! })?;
//! let AdvanceOutcome::Event { index: 0, time } = outcome else { panic!("the stone did not land") };
//! assert!((time - (2.0 / 9.81_f64).sqrt()).abs() < 1e-14);
//! // The stepper stands at the event: bounce, and go on from there.
//! let bounced = [0.0, -0.5 * stepper.state()[1]];
//! stepper.restart(time, &bounced)?;
//! # Ok(())
//! # }
//! ```
//!
//! | file | content |
//! |---|---|
//! | `tolerance.rs` | the accuracy asked for, limits on steps |
//! | `difference.rs` | the Jacobian of equations that do not know their own |
//! | `progress.rs` | where a stepper stands: state, step length, counts; the first step |
//! | `dop853.rs`, `dop853_table.rs` | explicit, order 8: smooth motions that are not stiff |
//! | `rk4.rs` | explicit, order 4, steps of one length: what a paper used |
//! | `radau/mod.rs`, `radau_table.rs`, `collocation.rs`, `linear.rs` | implicit, orders 5 and 9: stiff motions |
//! | `splitting.rs`, `rotor.rs` | symplectic, order 2, fixed steps: many rigid bodies by their loads, no ẏ = f(t, y) |
//! | `event.rs`, `root.rs` | zeros of functions of the state |
//! | `advance.rs` | the driver: from event to event, from output to output |
//!
//! What holds for all that are a [`Stepper`]:
//!
//! - Time runs towards the limit given to [`Stepper::step`], forwards or backwards.
//! - A rate that is NaN or infinite in a trial makes the step smaller; at the start of a step it is an error. An error
//!   that [`Equations::rate`] returns ends the step at once. After an error the stepper stands where it stood.
//! - Steps do not allocate: all buffers are made with the stepper.
//! - The same input gives the same bits. Powers are roots and products, not calls to a platform's `pow`.

mod advance;
mod collocation;
mod difference;
mod dop853;
mod dop853_table;
mod event;
mod linear;
mod pairs;
mod progress;
mod radau;
mod radau_table;
mod rk4;
mod root;
mod rotor;
mod splitting;
mod tolerance;

use rattleback_geom::nalgebra::DMatrix;

use crate::Result;

pub(crate) use advance::advance_scanned;
pub(crate) use difference::jacobian as jacobian_by_differences;
pub(crate) use event::{Probe, SAMPLES, Scanner, Tracker, earliest, is_same, just_after};

pub use advance::{AdvanceOutcome, Step, advance};
pub use dop853::Dop853;
pub use event::{Direction, Event};
pub use radau::Radau;
pub use rk4::Rk4;
pub use splitting::{Loads, Splitting};
pub use tolerance::{Settings, Tolerance};

/// The right-hand side of ẏ = f(t, y).
pub trait Equations {
    /// n, the number of equations; it must not change.
    fn dimension(&self) -> usize;

    /// Writes f(t, y) to `dy`.
    ///
    /// Where f has no value, at a trial point beyond its domain, write NaN: the step is tried again, smaller. An error
    /// is for what a smaller step does not mend.
    fn rate(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<()>;

    /// Writes f(t, y) but for the sums of [`Equations::pattern`], which may be left as they are: an iteration whose
    /// motion has not converged yet does not need them.
    fn coupled_rate(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<()> {
        self.rate(t, y, dy)
    }

    /// The size below which component `component` counts as small, in its unit: the default [`Equations::jacobian`]
    /// does not shrink its differences with the component any further.
    fn magnitude(&self, _component: usize) -> f64 {
        1e-3
    }

    /// Writes ∂fᵢ/∂yⱼ to row i, column j of the n × n matrix `out`.
    ///
    /// The default takes forward differences, n + 1 evaluations of the rate, with
    /// δⱼ = √ε max(∣yⱼ∣, magnitude(j)), ε = 2⁻⁵². That balances truncation, ½ ∣∂²f∣ δ, and rounding, ε ∣f∣/δ, where the
    /// second derivative is of the order ∣f∣/magnitude². The difference is taken in the direction of fⱼ, where the
    /// solution is going: a bound that it keeps, such as yⱼ ≥ 0, is kept by the difference as well. Half of the digits
    /// are enough for an iteration that corrects itself; equations that know their derivatives save the evaluations.
    fn jacobian(&mut self, t: f64, y: &[f64], out: &mut DMatrix<f64>) -> Result<()> {
        difference::jacobian(self, t, y, out)
    }

    /// What is known of the Jacobian beforehand, for the linear systems of implicit methods.
    fn pattern(&self) -> Pattern {
        Pattern::default()
    }
}

/// Groups of components by what their rates depend on. The default is none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pattern {
    /// Groups of up to four components whose rates depend on their own group and on components that are in no group, as
    /// ẋ = v: their unknowns are eliminated first.
    pub positions: Vec<std::ops::Range<usize>>,
    /// How many of the last components are sums: nothing depends on them, and their rows of the Jacobian are left zero.
    pub sums: usize,
}

/// A one-step method with adaptive steps and dense output.
pub trait Stepper {
    /// Makes one accepted step towards `t_limit` and not past it; the last one ends on it exactly.
    ///
    /// Fails with [`OutOfRange`](crate::DynamicsError::OutOfRange) if the stepper stands on `t_limit` already.
    fn step(&mut self, equations: &mut dyn Equations, t_limit: f64) -> Result<()>;

    /// The time reached.
    fn time(&self) -> f64;

    /// The state at [`Stepper::time`].
    fn state(&self) -> &[f64];

    /// The time at which the last step began; the time itself after a (re)start.
    fn previous_time(&self) -> f64;

    /// Writes the state at `t` within the last step to `y`. At both ends it is exact; beyond them it extrapolates, for
    /// what that is worth.
    fn interpolate(&self, t: f64, y: &mut [f64]);

    /// Goes on from another place, after an event. The step length of the last step is the first to be tried, and is
    /// shortened at the usual price of rejected trials if the motion has become a rougher one.
    fn restart(&mut self, t: f64, y: &[f64]) -> Result<()>;

    /// Makes the last step again so that it ends at `t`, which lies within it, without a look at the error: enough for
    /// a value to be shown, not for a motion to go on from, since a step that ends where a force does has lost the
    /// order of the whole one. `false`, and the stepper stands where it stood, where the method has no way that is
    /// shorter than a step from the beginning.
    fn step_again(&mut self, _equations: &mut dyn Equations, _t: f64) -> Result<bool> {
        Ok(false)
    }

    /// Another one that stands where this one does.
    fn boxed(&self) -> Box<dyn Stepper>;

    /// The length of the next step as the error control wants it; none before the first step.
    fn proposal(&self) -> Option<f64>;

    /// Limits on the steps.
    fn settings(&self) -> &Settings;

    /// What has been spent since the stepper was made.
    fn statistics(&self) -> Statistics;
}

/// What a stepper has spent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statistics {
    /// Accepted steps.
    pub steps: usize,
    /// Trial steps that were thrown away.
    pub rejected: usize,
    /// Evaluations of the rate, without those in the default Jacobian.
    pub evaluations: usize,
    /// Evaluations of the Jacobian.
    pub jacobians: usize,
    /// Factorisations of the systems of one Newton iteration, the real and the complex one counted together.
    pub factorisations: usize,
}

impl std::ops::AddAssign for Statistics {
    fn add_assign(&mut self, other: Self) {
        self.steps += other.steps;
        self.rejected += other.rejected;
        self.evaluations += other.evaluations;
        self.jacobians += other.jacobians;
        self.factorisations += other.factorisations;
    }
}
