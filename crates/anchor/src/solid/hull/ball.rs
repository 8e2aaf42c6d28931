//! The ball that rolls inside the steel along pipe and plating, and the arcs that it leaves.

use rattleback_geom::{Vec2, Vec3};

/// The ball between pipe and plating at one angle around the axis.
#[derive(Clone, Copy)]
pub(super) struct Ball {
    pub(super) centre: Vec3,
    /// From the axis to the centre, of length one.
    pub(super) out: Vec3,
    /// How far inboard it is.
    pub(super) along: f64,
    /// The outer normal of the plating where it touches.
    pub(super) normal: Vec3,
    /// Where it touches the plating.
    pub(super) place: Vec2,
}

impl Ball {
    /// A point of the arc of the given radius from the pipe (share 0) to the plating (share 1).
    pub(super) fn arc(&self, radius: f64, share: f64) -> Vec3 {
        let start = -self.out;
        let cos = start.dot(&self.normal);
        let aside = self.normal - start * cos;
        let sine = aside.norm();
        let (s, c) = (share * sine.atan2(cos)).sin_cos();
        self.centre + (start * c + aside * (s / sine)) * radius
    }
}
