//! Where a surface touches another one, and how it bends on from there, by the view that knows.

use super::{Implicit, ON_SEAM, Support};
use crate::chart::{Atlas, Place};
use crate::curvature::BendingRate;
use crate::{Curvature, Mat3, Vec2, Vec3};

/// Shape operators on both sides of a border that differ by more than this share of their size jump there: those of
/// patches that go on smoothly agree to the rounding of their control points.
const JUMP: f64 = 1e-6;

/// Where a surface touches another one, in its own frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TouchPoint {
    /// The point.
    pub point: Vec3,
    /// The outer unit normal.
    pub normal: Vec3,
    /// What [`super::Surface::curvature_at_touch`] says of them.
    pub curvature: Curvature,
}

impl TouchPoint {
    /// The rate of the radii of a body with a support function, while the normal changes by `dn`.
    pub fn radii_rate(&self, support: &(impl Support + ?Sized), dn: &Vec3) -> BendingRate {
        BendingRate::Radii(self.curvature.entries(&support.support_third(&self.normal, dn)))
    }

    /// The rate of the shape operator from the third derivatives of F.
    pub fn implicit_rate(&self, f: &(impl Implicit + ?Sized), dp: &Vec3, dn: &Vec3) -> Option<BendingRate> {
        let along = f.hessian_rate(&self.point, dp)?;
        let (_, gradient, hessian) = f.second_order(&self.point);
        let rate = self.curvature.implicit_rate([&gradient, dp, dn], [&hessian, &along]);
        rate.is_finite().then_some(rate)
    }

    /// The rate of the shape operator from the third derivatives of a chart; none on the border of a chart, across
    /// which they may jump.
    pub fn charted_rate(&self, atlas: &dyn Atlas, dp: &Vec3, dn: &Vec3) -> Option<BendingRate> {
        let place = atlas.locate(&self.point).ok()?;
        if !(atlas.inside(&place) > ON_SEAM) {
            return None;
        }
        let rate = self.curvature.parametric_rate(&atlas.jet(&place).ok()?, [&self.normal, dp, dn]);
        rate.is_finite().then_some(rate)
    }
}

/// Whether the curvature of a surface by charts jumps at its point p, or the surface ends there.
pub(crate) fn has_chart_seam(atlas: &dyn Atlas, p: &Vec3) -> bool {
    let Ok(place) = atlas.locate(p) else { return true };
    if atlas.inside(&place) > ON_SEAM {
        return false;
    }
    let shape = |place: &Place| -> Option<Mat3> {
        let found = atlas.jet(place).ok()?.curvature().shape_operator();
        found.iter().all(|x| x.is_finite()).then_some(found)
    };
    let Some(here) = shape(&place) else { return true };
    // Whichever sides the place lies on, some of these directions lead over each of them.
    let ways = [[1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1]];
    ways.iter().any(|&[u, v]| {
        let beyond = atlas.onward(&place, &Vec2::new(f64::from(u), f64::from(v)));
        let there = beyond.ok().flatten().and_then(|next| shape(&next));
        there.is_none_or(|there| !((there - here).norm() <= JUMP * here.norm().max(there.norm())))
    })
}
