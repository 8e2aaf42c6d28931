//! The distance of a point c from a cylinder of radius r about z from −h to h, and what bounds it beside a place of a
//! curve, for the walk of `walk`. With c at ρ from the axis and at the height z:
//!
//! - beside the side, ρ > r and ∣z∣ ≤ h: the cylinder lies in the tube about its axis, whose distance is the same at c;
//! - beyond a cap, ∣z∣ > h and ρ ≤ r: it lies behind the cap's plane, whose distance along a curve with c″ = −k e/R is
//!   convex where m·e ≤ 0, m the plane's normal; e turns by 1/R per length;
//! - beside a rim, ρ > r and ∣z∣ > h: the nearest point lies on the rim, as long as c moves by less than ρ − r and ∣z∣
//!   − h.

use super::body::Body;
use super::tube::{CurvePoint, Tube};
use rattleback_geom::Vec3;

/// A cylinder as the other body of a walk.
pub(super) struct Can<'a, 'b> {
    pub body: &'a Body<'b>,
    pub radius: f64,
    pub half_length: f64,
}

/// What bounds the distance beside a place.
pub(super) enum Beside<'a, 'b> {
    /// A plane with this normal.
    Plane(Vec3),
    /// A tube, as long as the place moves by no more than the length.
    Tube(Tube<'a, 'b>, f64),
}

impl<'a, 'b> Can<'a, 'b> {
    /// The distance of a point and the normal at the cylinder's point nearest to it; none inside.
    pub fn nearest(&self, c: &Vec3) -> Option<(f64, Vec3)> {
        let (local, out, up) = self.beyond(c);
        let rho = local.x.hypot(local.y);
        let out = if rho > 0.0 { out.max(0.0) } else { 0.0 };
        let up = up.max(0.0);
        let distance = out.hypot(up);
        let share = if rho > 0.0 { out / rho } else { 0.0 };
        let m = Vec3::new(local.x * share, local.y * share, up.copysign(local.z));
        (distance > 0.0).then(|| (distance, self.body.rotation * (m / distance)))
    }

    /// A point in the body's frame, and how far it is beyond the side and beyond the nearer cap.
    fn beyond(&self, c: &Vec3) -> (Vec3, f64, f64) {
        let local = self.body.point_in_body(c);
        (local, local.x.hypot(local.y) - self.radius, local.z.abs() - self.half_length)
    }

    /// What bounds the distance beside a point outside.
    pub fn beside(&self, c: &Vec3) -> Option<Beside<'a, 'b>> {
        let (local, out, up) = self.beyond(c);
        let height = self.half_length.copysign(local.z);
        match (out > 0.0, up > 0.0) {
            (true, true) => Some(Beside::Tube(Tube::rim(self.body, height, self.radius), out.min(up))),
            (true, false) => {
                let axis = Tube::about_axis(self.body, self.half_length + self.body.size, self.radius);
                Some(Beside::Tube(axis, f64::INFINITY))
            }
            (false, true) => Some(Beside::Plane(self.body.rotation * Vec3::new(0.0, 0.0, height.signum()))),
            (false, false) => None,
        }
    }
}

/// Whether the distance from a plane with the normal m is convex along a curve within a.
pub(super) fn rises_from_plane(tube: &Tube<'_, '_>, at: &CurvePoint, m: &Vec3, a: f64) -> bool {
    m.dot(&at.e) + a / tube.bend().0 <= 0.0
}
