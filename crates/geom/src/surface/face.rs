//! The points of a convex body that share one outer normal: a point, a generator, a cap, a rectangle, a polygon.
//!
//! Where a face has more than one point the support function has a kink: its gradient, the farthest point, jumps from
//! one end of the face to the other as the normal passes.

use crate::Vec3;
use std::sync::Arc;

/// All points with one outer normal.
#[derive(Debug, Clone, PartialEq)]
pub enum Face {
    /// One point.
    Point(Vec3),
    /// The points `centre` + s `half`, ∣s∣ ≤ 1.
    Segment {
        /// The middle.
        centre: Vec3,
        /// From the middle to one end.
        half: Vec3,
    },
    /// The points within `radius` of `centre` in the plane across `axis`.
    Disc {
        /// The middle.
        centre: Vec3,
        /// Of length one.
        axis: Vec3,
        /// In metres.
        radius: f64,
    },
    /// The points `centre` + s `half[0]` + t `half[1]`, ∣s∣ ≤ 1, ∣t∣ ≤ 1.
    Rectangle {
        /// The middle.
        centre: Vec3,
        /// From the middle to two sides, at right angles.
        half: [Vec3; 2],
    },
    /// A convex polygon.
    Polygon {
        /// A point in its middle.
        centre: Vec3,
        /// Of length one.
        axis: Vec3,
        /// Counter-clockwise about the axis.
        corners: Arc<[Vec3]>,
    },
}

impl Face {
    /// A point in the middle of the face.
    pub fn middle(&self) -> Vec3 {
        match *self {
            Self::Point(p)
            | Self::Segment { centre: p, .. }
            | Self::Disc { centre: p, .. }
            | Self::Rectangle { centre: p, .. }
            | Self::Polygon { centre: p, .. } => p,
        }
    }

    /// The point of the face that is nearest to `x`.
    pub fn nearest(&self, x: &Vec3) -> Vec3 {
        match *self {
            Self::Point(p) => p,
            Self::Segment { centre, half } => centre + along(&half, &(x - centre)),
            Self::Rectangle { centre, half: [u, v] } => {
                let arm = x - centre;
                centre + along(&u, &arm) + along(&v, &arm)
            }
            Self::Disc { centre, axis, radius } => {
                let arm = x - centre;
                let arm = arm - axis * axis.dot(&arm);
                let out = arm.norm();
                centre + if out > radius { arm * (radius / out) } else { arm }
            }
            Self::Polygon { centre, axis, ref corners } => {
                let foot = x - axis * axis.dot(&(x - centre));
                nearest_of_polygon(&foot, &axis, corners)
            }
        }
    }

    /// The same moved by `v`.
    pub fn moved(self, v: &Vec3) -> Self {
        match self {
            Self::Point(p) => Self::Point(p + v),
            Self::Segment { centre, half } => Self::Segment { centre: centre + v, half },
            Self::Disc { centre, axis, radius } => Self::Disc { centre: centre + v, axis, radius },
            Self::Rectangle { centre, half } => Self::Rectangle { centre: centre + v, half },
            Self::Polygon { centre, axis, corners } => {
                Self::Polygon { centre: centre + v, axis, corners: corners.iter().map(|c| c + v).collect() }
            }
        }
    }

    /// The same under a rotation.
    pub fn turned(self, turn: impl Fn(&Vec3) -> Vec3) -> Self {
        match self {
            Self::Point(p) => Self::Point(turn(&p)),
            Self::Segment { centre, half } => Self::Segment { centre: turn(&centre), half: turn(&half) },
            Self::Disc { centre, axis, radius } => {
                Self::Disc { centre: turn(&centre), axis: turn(&axis), radius }
            }
            Self::Rectangle { centre, half } => {
                Self::Rectangle { centre: turn(&centre), half: half.map(|h| turn(&h)) }
            }
            Self::Polygon { centre, axis, corners } => Self::Polygon {
                centre: turn(&centre),
                axis: turn(&axis),
                corners: corners.iter().map(turn).collect(),
            },
        }
    }
}

/// The point of a convex polygon that is nearest to a point of its plane: itself, or the nearest of its sides.
fn nearest_of_polygon(foot: &Vec3, axis: &Vec3, corners: &[Vec3]) -> Vec3 {
    let mut best: Option<(f64, Vec3)> = None;
    let mut is_inside = true;
    for (k, a) in corners.iter().enumerate() {
        let side = corners[(k + 1) % corners.len()] - a;
        is_inside &= axis.cross(&side).dot(&(foot - a)) >= 0.0;
        let s = ((foot - a).dot(&side) / side.norm_squared()).clamp(0.0, 1.0);
        let point = a + side * s;
        let far = (foot - point).norm_squared();
        if best.is_none_or(|(least, _)| far < least) {
            best = Some((far, point));
        }
    }
    best.filter(|_| !is_inside).map_or(*foot, |(_, point)| point)
}

/// The part of `arm` along `half`, no longer than it.
fn along(half: &Vec3, arm: &Vec3) -> Vec3 {
    half * (arm.dot(half) / half.norm_squared()).clamp(-1.0, 1.0)
}

/// About what a body can be turned and stay as it is; always through the origin of its frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Revolution {
    /// Any axis.
    All,
    /// This one, of length one.
    About(Vec3),
}

impl Revolution {
    /// Of an ellipsoid with these semi-axes.
    pub fn of_axes(a: &Vec3) -> Option<Self> {
        if a.x == a.y && a.y == a.z {
            return Some(Self::All);
        }
        let k = (0..3).find(|&k| a[(k + 1) % 3] == a[(k + 2) % 3])?;
        Some(Self::About(Vec3::ith(k, 1.0)))
    }

    /// Of the sum of two bodies: about an axis that is one of both, to rounding.
    pub fn of_sum(a: Self, b: Self) -> Option<Self> {
        match (a, b) {
            (Self::All, other) | (other, Self::All) => Some(other),
            (Self::About(x), Self::About(y)) => {
                (x.cross(&y).norm() <= 4.0 * f64::EPSILON).then_some(Self::About(x))
            }
        }
    }
}

/// Normals at which a support function has kinks, in the body's frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kink {
    /// The circle of unit normals n with n·axis = height, each of which has a straight generator: along the axis where
    /// the height is zero, inclined to it otherwise.
    Circle {
        /// Of length one.
        axis: Vec3,
        /// Zero on a cylinder; between −1 and 1 on a cone.
        height: f64,
    },
    /// One normal, that of a flat face; its opposite is another one.
    Normal(Vec3),
}
