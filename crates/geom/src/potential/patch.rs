//! Pieces of the sphere of normals that a proof splits.
//!
//! Triangles in general; for a potential of revolution the arcs of one meridian, since its radii of curvature are those
//! of the meridian all around.

use super::Potential;
use super::expression::Expression;
use crate::Vec3;
use crate::curvature::tangents;

/// A spherical triangle, or an arc of a great circle, by its corners.
#[derive(Debug, Clone, Copy)]
pub(super) enum Patch {
    Triangle([Vec3; 3]),
    Arc([Vec3; 2]),
}

impl Patch {
    /// The unit normal in its middle.
    pub fn middle(&self) -> Vec3 {
        match self {
            Self::Triangle([a, b, c]) => (a + b + c).normalize(),
            Self::Arc([a, b]) => (a + b).normalize(),
        }
    }

    /// The angle of a cap about `middle` that holds the patch. A cap smaller than a half-sphere that holds the corners
    /// does.
    pub fn angle(&self, middle: &Vec3) -> f64 {
        let corners = match self {
            Self::Triangle(corners) => &corners[..],
            Self::Arc(corners) => &corners[..],
        };
        // From half the chord, which keeps its digits for small patches.
        corners.iter().fold(0.0, |angle, c| angle.max(2.0 * (0.5 * (c - middle).norm()).min(1.0).asin()))
    }

    /// The patches that make it up: four triangles through the middles of the sides, or two arcs.
    pub fn split(&self) -> impl Iterator<Item = Self> + use<> {
        let middle = |a: &Vec3, b: &Vec3| (a + b).normalize();
        let (parts, count) = match self {
            Self::Triangle([a, b, c]) => {
                let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
                let t = Self::Triangle;
                ([t([*a, ab, ca]), t([ab, *b, bc]), t([ca, bc, *c]), t([ab, bc, ca])], 4)
            }
            Self::Arc([a, b]) => {
                let m = middle(a, b);
                let (first, last) = (Self::Arc([*a, m]), Self::Arc([m, *b]));
                ([first, last, first, last], 2)
            }
        };
        parts.into_iter().take(count)
    }

    /// Patches that cover every normal of a potential: two arcs of a meridian for one of revolution, the faces of the
    /// octahedron for any other.
    pub fn cover(potential: &Potential) -> Vec<Self> {
        if let Symmetry::About(axis) = potential.symmetry() {
            let (side, _) = tangents(&axis);
            return vec![Self::Arc([axis, side]), Self::Arc([side, -axis])];
        }
        (0..8)
            .map(|k| {
                let sign = |bit: i32| if k & bit == 0 { 1.0 } else { -1.0 };
                Self::Triangle([Vec3::x() * sign(1), Vec3::y() * sign(2), Vec3::z() * sign(4)])
            })
            .collect()
    }
}

/// The rotations that leave the radii of curvature as they are.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Symmetry {
    Every,
    About(Vec3),
    None,
}

impl Potential {
    /// What can be read off the tree; exact, so that a proof may rest on it.
    fn symmetry(&self) -> Symmetry {
        match &*self.0 {
            Expression::Ball { .. } | Expression::Point(_) => Symmetry::Every,
            Expression::Ellipsoid(e) => {
                let a = e.semi_axes();
                match [a.y == a.z, a.z == a.x, a.x == a.y] {
                    [true, true, true] => Symmetry::Every,
                    [true, false, false] => Symmetry::About(Vec3::x()),
                    [false, true, false] => Symmetry::About(Vec3::y()),
                    [false, false, true] => Symmetry::About(Vec3::z()),
                    _ => Symmetry::None,
                }
            }
            Expression::Harmonics(s) => {
                let zonal = (2..=s.degree()).all(|l| {
                    let part = &s.coefficients()[l * l..(l + 1) * (l + 1)];
                    part.iter().enumerate().all(|(k, c)| k == l || *c == 0.0)
                });
                if zonal { Symmetry::About(Vec3::z()) } else { Symmetry::None }
            }
            Expression::Opaque(_) | Expression::Spline(_) => Symmetry::None,
            Expression::Sum(a, b) => match (a.symmetry(), b.symmetry()) {
                (Symmetry::Every, other) | (other, Symmetry::Every) => other,
                (Symmetry::About(a), Symmetry::About(b)) if a == b || a == -b => Symmetry::About(a),
                _ => Symmetry::None,
            },
            Expression::Linear(l) => match (l.inner.symmetry(), l.similarity) {
                (Symmetry::About(axis), Some(_)) => Symmetry::About((l.m * axis).normalize()),
                (Symmetry::Every, Some(_)) => Symmetry::Every,
                _ => Symmetry::None,
            },
        }
    }
}
