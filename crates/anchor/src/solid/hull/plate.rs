//! The outer face of the plating: a plane or a circular cylinder through the origin, and what is parallel to it inside.
//!
//! Coordinates on it are lengths: w aft along the horizontal tangent, h up the slope. With the unit vectors W, U and
//! the outer normal N = W × U at the origin, the point at depth δ is
//!
//!   plane      w W + h U − δ N
//!   cylinder   −R N + (R − δ)(sin(w/R) W + cos(w/R) N) + h U

use rattleback_geom::{Vec2, Vec3};

/// A plate that all depths are measured from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plate {
    /// W, aft.
    pub(super) aft: Vec3,
    /// U, up the slope.
    pub(super) up: Vec3,
    /// N at the origin.
    pub(super) outward: Vec3,
    /// R; none for a plane.
    pub(super) radius: Option<f64>,
}

impl Plate {
    /// The point at the given coordinates and depth.
    pub(super) fn at(&self, place: &Vec2, depth: f64) -> Vec3 {
        let straight = self.up * place.y;
        match self.radius {
            None => straight + self.aft * place.x - self.outward * depth,
            Some(radius) => straight + self.normal(place) * (radius - depth) - self.outward * radius,
        }
    }

    /// The outer normal at the given coordinates.
    pub(super) fn normal(&self, place: &Vec2) -> Vec3 {
        match self.radius {
            None => self.outward,
            Some(radius) => {
                let (sin, cos) = (place.x / radius).sin_cos();
                self.aft * sin + self.outward * cos
            }
        }
    }

    /// The coordinates of the point of the plate that is closest to `p`.
    pub(super) fn place(&self, p: &Vec3) -> Vec2 {
        let (along, out) = (p.dot(&self.aft), p.dot(&self.outward));
        let w = self.radius.map_or(along, |radius| radius * along.atan2(out + radius));
        Vec2::new(w, p.dot(&self.up))
    }

    /// Where the line `p` + s `direction`, which runs inwards at the origin, comes in through the face at the given
    /// depth and where it goes out again; none where it misses it.
    pub(super) fn crossings(&self, p: &Vec3, direction: &Vec3, depth: f64) -> Option<[f64; 2]> {
        let (x, y) = (p.dot(&self.aft), p.dot(&self.outward));
        let (dx, dy) = (direction.dot(&self.aft), direction.dot(&self.outward));
        match self.radius {
            None => Some([-(y + depth) / dy, f64::INFINITY]),
            Some(radius) => {
                let y = y + radius;
                let (a, b, c) =
                    (dx * dx + dy * dy, x * dx + y * dy, x * x + y * y - (radius - depth).powi(2));
                let root = (b * b - a * c).sqrt();
                // The root without cancellation first; b < 0 at the origin.
                root.is_finite().then(|| {
                    let q = if b <= 0.0 { -b + root } else { -b - root };
                    let [s, t] = [q / a, c / q];
                    [s.min(t), s.max(t)]
                })
            }
        }
    }
}
