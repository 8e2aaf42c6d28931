//! Half-spaces: endless in the model, patches with a faded rim and a chequered pattern in the picture.
//!
//! A ray that enters a half-space never leaves it, so that at most one of them is seen at a point of the picture: the
//! first one whose front the camera sees. Half-spaces with the camera inside are left away, and what would be seen
//! through them is shown. A patch ends where it enters another half-space: five planes look like a box without its
//! front.

use super::colour::Light;
use rattleback_geom::curvature::tangents;
use rattleback_geom::surface::Plane;
use rattleback_geom::{Pose, Vec3};

/// A floor's normal is at least so much along what is up; others are walls, and their patches so much smaller.
const LEVEL: f64 = 0.8;
const WALL: f64 = 0.6;
/// From this share of a patch's radius on it fades.
const FADE: f64 = 0.45;
/// Squares along a patch's radius, at least.
const SQUARES: f64 = 12.0;
/// How much darker every other square is.
const CONTRAST: f64 = 0.1;

/// A patch of the surface of a half-space.
#[derive(Debug, Clone)]
pub(super) struct Patch {
    pub(super) normal: Vec3,
    offset: f64,
    along: [Vec3; 2],
    colour: Light,
    middle: Vec3,
    radius: f64,
}

/// All patches of a picture.
#[derive(Debug, Clone)]
pub(super) struct Ground {
    patches: Vec<Patch>,
    eye: Vec3,
    radius: f64,
    /// The side of a square in m.
    pub(super) square: f64,
}

/// Where a ray meets a patch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hit {
    pub(super) patch: usize,
    pub(super) depth: f64,
}

impl Ground {
    /// Patches of `radius`, less for walls, around the feet of `centre`, seen from `eye`.
    pub(super) fn new(
        planes: &[(Plane, Pose, Light)],
        centre: &Vec3,
        radius: f64,
        eye: &Vec3,
        up: &Vec3,
    ) -> Self {
        let patch = |(plane, pose, colour): &(Plane, Pose, Light)| {
            let normal = pose.vector_to_world(plane.normal());
            let offset = plane.offset() + normal.dot(&pose.position);
            // Squares are fixed to the plane's own frame, lengthwise along its x axis where that is possible.
            let x = pose.vector_to_world(&Vec3::x());
            let level = x - normal * normal.dot(&x);
            let first = if level.norm() > 0.3 { level.normalize() } else { tangents(&normal).0 };
            let middle = centre + normal * (offset - normal.dot(centre));
            let radius = if normal.dot(up) > LEVEL { radius } else { WALL * radius };
            Patch { normal, offset, along: [first, normal.cross(&first)], colour: *colour, middle, radius }
        };
        let patches = planes.iter().map(patch).collect();
        Self { patches, eye: *eye, radius, square: round_length(radius / SQUARES) }
    }

    pub(super) fn patch(&self, k: usize) -> &Patch {
        &self.patches[k]
    }

    pub(super) fn is_empty(&self) -> bool {
        self.patches.is_empty()
    }

    /// The first patch along a ray of depth one.
    pub(super) fn hit(&self, ray: &Vec3) -> Option<Hit> {
        let mut nearest: Option<Hit> = None;
        for k in 0..self.patches.len() {
            let Some(hit) = self.hit_of(k, ray) else { continue };
            let is_nearer = nearest.is_none_or(|other| hit.depth < other.depth);
            if is_nearer && !self.is_buried(k, &(self.eye + ray * hit.depth)) {
                nearest = Some(hit);
            }
        }
        nearest
    }

    /// Where a ray of depth one meets the front of a half-space, buried or not.
    pub(super) fn hit_of(&self, patch: usize, ray: &Vec3) -> Option<Hit> {
        let Patch { normal, offset, .. } = &self.patches[patch];
        let (above, falling) = (normal.dot(&self.eye) - offset, -normal.dot(ray));
        (above > 0.0 && falling > 0.0).then(|| Hit { patch, depth: above / falling })
    }

    /// Whether a point of a patch lies inside another half-space.
    fn is_buried(&self, own: usize, p: &Vec3) -> bool {
        let rounding = 1e-9 * self.radius;
        let inside = |patch: &Patch| patch.normal.dot(p) < patch.offset - rounding;
        self.patches.iter().enumerate().any(|(k, patch)| k != own && inside(patch))
    }

    /// How much of the patch is left at a point: one in the middle, zero beyond the rim.
    pub(super) fn presence(&self, hit: &Hit, p: &Vec3) -> f64 {
        let patch = &self.patches[hit.patch];
        let s = (p - patch.middle).norm() / patch.radius;
        let t = ((s - FADE) / (1.0 - FADE)).clamp(0.0, 1.0);
        1.0 - t * t * (3.0 - 2.0 * t)
    }

    /// The colour at a point, averaged over a pixel of the size `pixel` there.
    pub(super) fn colour(&self, hit: &Hit, p: &Vec3, pixel: f64) -> Light {
        let patch = &self.patches[hit.patch];
        let width = (pixel / self.square).max(1e-6);
        // The mean of a square wave over the pixel, along both sides: the difference of its integral, a triangular
        // wave.
        let wave = |s: f64| {
            // The part after the point: a cast is quicker than to round down.
            let part = 0.5 * s - (0.5 * s) as i64 as f64;
            2.0 * ((if part < 0.0 { part + 1.0 } else { part }) - 0.5).abs()
        };
        let mean = |axis: &Vec3| {
            let s = p.dot(axis) / self.square;
            ((wave(s - 0.5 * width) - wave(s + 0.5 * width)) / width).clamp(-1.0, 1.0)
        };
        patch.colour * (1.0 - CONTRAST * (0.5 + 0.5 * mean(&patch.along[0]) * mean(&patch.along[1])))
    }
}

/// The longest of 1, 2, 5 × 10ᵏ that is no longer.
pub(super) fn round_length(length: f64) -> f64 {
    let power = 10f64.powf(length.log10().floor());
    let factor = [5.0, 2.0].into_iter().find(|f| f * power <= length).unwrap_or(1.0);
    factor * power
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn ground(planes: &[([f64; 3], f64)], eye: [f64; 3]) -> Ground {
        let grey = Light::repeat(0.5);
        let planes: Vec<_> =
            planes.iter().map(|(n, d)| (Plane::new(*n, *d).unwrap(), Pose::identity(), grey)).collect();
        Ground::new(&planes, &Vec3::zeros(), 10.0, &eye.into(), &Vec3::z())
    }

    #[test]
    fn a_floor_is_seen_below_the_horizon_from_above_and_not_at_all_from_below() {
        let above = ground(&[([0.0, 0.0, 1.0], 0.0)], [0.0, 0.0, 2.0]);
        let hit = above.hit(&Vec3::new(1.0, 0.0, -0.5)).unwrap();
        assert_eq!((hit.patch, hit.depth), (0, 4.0));
        assert!(above.hit(&Vec3::new(1.0, 0.0, 0.001)).is_none());
        let below = ground(&[([0.0, 0.0, 1.0], 0.0)], [0.0, 0.0, -2.0]);
        assert!(below.hit(&Vec3::new(1.0, 0.0, 0.5)).is_none());
    }

    #[test]
    fn a_floor_ends_at_a_wall_that_the_camera_looks_through() {
        // The wall is solid where x < −1; the camera stands in it.
        let planes = [([0.0, 0.0, 1.0], 0.0), ([1.0, 0.0, 0.0], -1.0)];
        let room = ground(&planes, [-5.0, 0.0, 4.0]);
        assert!(room.hit(&Vec3::new(1.0, 0.0, -2.0)).is_none());
        assert_eq!(room.hit(&Vec3::new(1.0, 0.0, -0.8)).unwrap().patch, 0);
    }

    #[test]
    fn squares_have_round_sides_and_blur_into_their_mean_far_away() {
        assert_eq!(
            [0.9, 1.0, 4.9, 0.023, 700.0].map(|x| (round_length(x) * 1e3).round() / 1e3),
            [0.5, 1.0, 2.0, 0.02, 500.0]
        );
        let floor = ground(&[([0.0, 0.0, 1.0], 0.0)], [0.0, 0.0, 2.0]);
        let hit = Hit { patch: 0, depth: 1.0 };
        let at = |x: f64, y: f64, pixel: f64| floor.colour(&hit, &Vec3::new(x, y, 0.0), pixel).x;
        let (one, other) = (at(0.25, 0.25, 1e-3), at(0.75, 0.25, 1e-3));
        assert!((one - other).abs() > 0.04, "{one} {other}");
        assert!((at(0.25, 0.25, 50.0) - 0.5 * (one + other)).abs() < 1e-3);
    }
}
