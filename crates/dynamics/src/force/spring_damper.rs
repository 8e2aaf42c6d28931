//! A spring and a damper side by side, between a point of body A and a point of body B.
//!
//!   T = k (L − L₀) + c L̇,   U = ½k (L − L₀)²,   dissipated power c L̇²
//!
//! A rope (`never_pushes`) is slack while L ≤ L₀: T = 0, U = 0. Beyond, T = max(0, k (L − L₀) + c L̇): where the damper
//! would push harder than the spring pulls, the rope follows freely and the spring's energy is lost at the rate −k (L −
//! L₀) L̇. A damped rope that becomes taut at speed takes up the tension c L̇ at once.
//!
//! | symbol | field | unit |
//! |---|---|---|
//! | L, L̇ | distance of the points and its rate, positive apart | m, m/s |
//! | L₀ | `length` | m |
//! | k | `stiffness` | N/m |
//! | c | `damping` | N s/m |
//! | T | tension, positive where it pulls | N |
//!
//! Where both points coincide, the direction is undefined and no force acts (`line.rs`): for L₀ > 0 a point of unstable
//! equilibrium at best, which stores ½k L₀².

use super::coordinate::Tension;
use super::line::{End, Line, check_ends};
use crate::body::Motion;
use crate::error::{Result, not_negative};
use crate::load::Load;
use crate::model::BodyModel;

/// A spring with a damper between two points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpringDamper {
    /// The point of A.
    pub a: End,
    /// The point of B.
    pub b: End,
    /// The length at which the spring is at rest.
    pub length: f64,
    /// The spring's stiffness.
    pub stiffness: f64,
    /// The damper's constant.
    pub damping: f64,
    /// Whether it is a rope, which pulls only.
    pub never_pushes: bool,
}

impl SpringDamper {
    pub(super) fn load(&self, motions: &[Motion], tangent: bool) -> Load {
        let line = Line::new([&self.a, &self.b], motions);
        let stretch = line.length - self.length;
        let slack = self.never_pushes && stretch <= 0.0;
        let elastic = if slack { 0.0 } else { self.stiffness * stretch };
        let pull = elastic + self.damping * line.rate;
        let tension = if slack || (self.never_pushes && pull <= 0.0) {
            Tension::SLACK
        } else {
            Tension { value: pull, by_coordinate: self.stiffness, by_rate: self.damping }
        };
        let collapsed = if self.length == 0.0 { self.stiffness } else { 0.0 };
        // What the line takes from the bodies, less what the spring keeps; the rate is zero where there is no
        // direction.
        let dissipated = (tension.value - elastic) * line.rate;
        line.load(tension, collapsed, tangent, 0.5 * elastic * stretch, dissipated)
    }

    pub(super) fn check(&self, bodies: &[BodyModel]) -> Result<()> {
        let what = "a spring with damper";
        check_ends(what, [&self.a, &self.b], bodies)?;
        not_negative(&format!("length of {what}"), self.length)?;
        not_negative(&format!("stiffness of {what}"), self.stiffness)?;
        not_negative(&format!("damping of {what}"), self.damping)
    }
}
