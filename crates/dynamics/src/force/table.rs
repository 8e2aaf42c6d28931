//! A force at a point of a body and a torque on it, given over time, in world axes or in the body's own.
//!
//! At every instant it is the constant force of `constant.rs` with F(t) and T(t) in place of F and T; what lies between
//! and beyond the times of the table is said by its [`Track`]. Nothing is stored: the source of the force supplies
//! and takes all the power, `Load::dissipated` = −(f·v + τ·ω).
//!
//! | symbol | field | unit |
//! |---|---|---|
//! | F, T | `values`, components 0–2 and 3–5 | N, N m |
//! | s | `point`, body frame | m |

use super::constant::{Axes, Constant};
use super::refuse_missing;
use crate::body::Motion;
use crate::error::{Result, finite};
use crate::load::Load;
use crate::model::{BodyId, BodyModel};
use crate::track::Track;
use rattleback_geom::Vec3;

/// A force and a torque over time.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// The body.
    pub body: BodyId,
    /// Where the force acts, in the body's frame.
    pub point: Vec3,
    /// Force and torque over time.
    pub values: Track<6>,
    /// The axes in which they are given.
    pub axes: Axes,
}

impl Table {
    pub(super) fn load(&self, time: f64, motions: &[Motion], tangent: bool) -> Load {
        let value = self.values.at(time).value;
        let now = Constant {
            body: self.body,
            point: self.point,
            force: value.fixed_rows::<3>(0).into(),
            torque: value.fixed_rows::<3>(3).into(),
            axes: self.axes,
        };
        let load = now.load(motions, tangent);
        let power = motions[self.body.0].power(load.on(0));
        Load { stored: 0.0, dissipated: -power, ..load }
    }

    pub(super) fn check(&self, bodies: &[BodyModel]) -> Result<()> {
        let what = "a force by table";
        refuse_missing(what, self.body, bodies)?;
        for (k, x) in self.point.iter().enumerate() {
            finite(&format!("point[{k}] of {what} on body {}", bodies[self.body.0].name), *x)?;
        }
        Ok(())
    }
}
