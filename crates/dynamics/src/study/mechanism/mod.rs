//! Published mechanisms, each as a model and its first state.
//!
//! | file | mechanism | what it tries |
//! |---|---|---|
//! | `pendulum.rs` | simple pendulum, IFToMM A01 | accuracy over many swings |
//! | `four_bar.rs` | a row of four-bars, IFToMM A02 | a singular position; many bodies |
//! | `bricard.rs` | Bricard's mechanism, IFToMM A04 | redundant constraints |
//! | `flyball.rs` | flyball governor, IFToMM A05 | stiffness |
//! | `squeezer.rs` | Andrews' squeezer | high speed, against a published solution |
//! | `build.rs` | what they are built from | – |
//!
//! The IFToMM library of computational benchmark problems is defined in M. González, D. Dopico, U. Lugrís, J. Cuadrado,
//! Multibody Syst. Dyn. 16 (2006) 179–190, and was implemented again by L. Tagliapietra, M. Vivian, E. Ceseracciu,
//! M. Reggiani (Multi-Body Systems Benchmark in OpenSim, 2015). Body 0 is the ground in all of them.

pub mod bricard;
pub mod build;
pub mod flyball;
pub mod four_bar;
pub mod pendulum;
pub mod squeezer;

/// Gravity of the IFToMM library, in m/s².
pub const GRAVITY: f64 = 9.81;
