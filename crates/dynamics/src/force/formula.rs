//! A force at a point of a body and a torque on it, by formulas of time, in world axes or in the body's own.
//!
//! At every instant it is the constant force of `constant.rs` with F(t) and T(t) in place of F and T. Nothing is
//! stored: the source of the force supplies and takes all the power, `Load::dissipated` = −(f·v + τ·ω).

use super::constant::{Axes, Constant};
use super::refuse_missing;
use crate::body::Motion;
use crate::error::{Result, finite};
use crate::formula::Formula;
use crate::load::Load;
use crate::model::{BodyId, BodyModel};
use rattleback_geom::Vec3;

/// A force and a torque by formulas of time.
#[derive(Debug, Clone, PartialEq)]
pub struct FormulaForce {
    /// The body.
    pub body: BodyId,
    /// Where the force acts, in the body's frame.
    pub point: Vec3,
    /// F, in N.
    pub force: [Formula; 3],
    /// T, in N m.
    pub torque: [Formula; 3],
    /// The axes in which they are given.
    pub axes: Axes,
}

impl FormulaForce {
    pub(super) fn load(&self, time: f64, motions: &[Motion], tangent: bool) -> Load {
        let at = |formulas: &[Formula; 3]| Vec3::from(formulas.each_ref().map(|formula| formula.at(time)[0]));
        let now = Constant {
            body: self.body,
            point: self.point,
            force: at(&self.force),
            torque: at(&self.torque),
            axes: self.axes,
        };
        let load = now.load(motions, tangent);
        let power = motions[self.body.0].power(load.on(0));
        Load { stored: 0.0, dissipated: -power, ..load }
    }

    /// The first of many times from zero to `end` at which a formula is not finite.
    pub fn first_not_finite(&self, end: f64) -> Option<f64> {
        let each = self.force.iter().chain(&self.torque);
        each.filter_map(|formula| formula.first_not_finite(end)).min_by(f64::total_cmp)
    }

    pub(super) fn check(&self, bodies: &[BodyModel]) -> Result<()> {
        let what = "a force by formulas";
        refuse_missing(what, self.body, bodies)?;
        for (k, x) in self.point.iter().enumerate() {
            finite(&format!("point[{k}] of {what} on body {}", bodies[self.body.0].name), *x)?;
        }
        Ok(())
    }
}
