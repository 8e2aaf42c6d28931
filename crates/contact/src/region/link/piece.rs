//! The centre curve of a link, cut at its six nodes: the four junctions of bars and bends and the two tips.
//!
//! Along the curve, from the lower junction at y > 0 upwards and around: the bar at +y, two quarters of the upper
//! bend, the bar at −y, two quarters of the lower bend. A quarter is c(φ) = centre + R(`from` cos φ + `to` sin φ), 0 ≤
//! φ ≤ π/2, with unit vectors `from` ⟂ `to`. Parameters are lengths along the piece from its start, in m.

use rattleback_geom::surface::Link;
use rattleback_geom::{Aabb, Pose, Vec3};
use std::f64::consts::FRAC_PI_2;

/// A piece of a link's centre curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Piece {
    /// A straight piece.
    Bar {
        /// Where it starts.
        start: Vec3,
        /// Unit vector along it.
        along: Vec3,
        /// Its length in m.
        length: f64,
    },
    /// A quarter of a circle.
    Quarter {
        /// The middle of the circle.
        centre: Vec3,
        /// Unit vector from the middle to the start.
        from: Vec3,
        /// Unit vector from the middle to the end, perpendicular to the other.
        to: Vec3,
        /// Radius of the circle in m.
        radius: f64,
    },
}

impl Piece {
    /// Its length in m.
    pub fn length(&self) -> f64 {
        match self {
            Self::Bar { length, .. } => *length,
            Self::Quarter { radius, .. } => radius * FRAC_PI_2,
        }
    }

    /// The point at a length from its start.
    pub fn point(&self, s: f64) -> Vec3 {
        match self {
            Self::Bar { start, along, .. } => start + along * s,
            Self::Quarter { centre, from, to, radius } => {
                let (sin, cos) = (s / radius).sin_cos();
                centre + (from * cos + to * sin) * *radius
            }
        }
    }

    /// The unit tangent at a length from its start.
    pub fn tangent(&self, s: f64) -> Vec3 {
        match self {
            Self::Bar { along, .. } => *along,
            Self::Quarter { from, to, radius, .. } => {
                let (sin, cos) = (s / radius).sin_cos();
                to * cos - from * sin
            }
        }
    }

    /// The parameter of its point nearest to `p`; of many the first.
    pub fn nearest(&self, p: &Vec3) -> f64 {
        match self {
            Self::Bar { start, along, length } => (p - start).dot(along).clamp(0.0, *length),
            Self::Quarter { centre, from, to, radius } => {
                let arm = p - centre;
                let (x, y) = (arm.dot(from), arm.dot(to));
                // Beyond the quarter the end on the point's side of the bisector is nearer.
                let angle = if x >= 0.0 && y >= 0.0 {
                    y.atan2(x)
                } else if x >= y {
                    0.0
                } else {
                    FRAC_PI_2
                };
                radius * angle
            }
        }
    }

    /// Its box.
    pub fn bounds(&self) -> Aabb {
        match self {
            Self::Bar { start, along, length } => Aabb::of_points([start, &(start + along * *length)]),
            Self::Quarter { centre, from, to, radius } => {
                // Along an axis with components a, b the greatest of a cos φ + b sin φ is √(a² + b²) where both are
                // positive.
                let most = |a: f64, b: f64| if a > 0.0 && b > 0.0 { a.hypot(b) } else { a.max(b) };
                let max = from.zip_map(to, most);
                let min = from.zip_map(to, |a, b| -most(-a, -b));
                Aabb { min: centre + min * *radius, max: centre + max * *radius }
            }
        }
    }
}

/// The centre curve of a link in some frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spine {
    pieces: [Piece; 6],
    /// Where each piece starts, as a length along the curve in m.
    starts: [f64; 6],
    count: usize,
    /// Length of the whole curve in m.
    pub(super) length: f64,
}

impl Spine {
    /// The curve of a link at a pose. Without straight parts it has four pieces.
    pub(super) fn new(link: &Link, pose: &Pose) -> Self {
        let (radius, h) = (link.bend_radius(), link.half_straight());
        let turn = pose.rotation();
        let (y, z) = (turn.column(1).into_owned(), turn.column(2).into_owned());
        let bar = |side: f64| Piece::Bar {
            start: pose.position + y * (side * radius) - z * (side * h),
            along: z * side,
            length: 2.0 * h,
        };
        let quarter = |end: f64, from: Vec3, to: Vec3| Piece::Quarter {
            centre: pose.position + z * (end * h),
            from,
            to,
            radius,
        };
        let all = [
            bar(1.0),
            quarter(1.0, y, z),
            quarter(1.0, z, -y),
            bar(-1.0),
            quarter(-1.0, -y, -z),
            quarter(-1.0, -z, y),
        ];
        let mut spine = Self { pieces: all, starts: [0.0; 6], count: 0, length: 0.0 };
        for piece in all {
            if piece.length() > 0.0 {
                spine.pieces[spine.count] = piece;
                spine.starts[spine.count] = spine.length;
                spine.length += piece.length();
                spine.count += 1;
            }
        }
        spine
    }

    /// The pieces, in order along the curve.
    pub(super) fn pieces(&self) -> &[Piece] {
        &self.pieces[..self.count]
    }

    /// The boxes of the pieces, fattened; as many as there are pieces, then empty ones.
    pub(super) fn boxes(&self, most: f64) -> [Aabb; 6] {
        let mut boxes = [Aabb::EMPTY; 6];
        for (aabb, piece) in boxes.iter_mut().zip(self.pieces()) {
            *aabb = piece.bounds().fattened(most);
        }
        boxes
    }

    /// How many nodes there are; node i is the start of piece i.
    pub(super) fn nodes(&self) -> usize {
        self.count
    }

    /// The point of node i.
    pub(super) fn node(&self, i: usize) -> Vec3 {
        self.pieces[i].point(0.0)
    }

    /// The piece that ends at node i.
    pub(super) fn before(&self, i: usize) -> usize {
        (i + self.count - 1) % self.count
    }

    /// Where along the curve a parameter of piece i is, in m.
    pub(super) fn place(&self, i: usize, s: f64) -> f64 {
        self.starts[i] + s
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pieces_of_a_link_make_its_closed_centre_curve() {
        let link = Link::new(0.02, 0.07, 0.11).unwrap();
        let pose = Pose::from_parts([0.3, -0.2, 0.5], [0.5, 0.5, -0.5, 0.5]).unwrap();
        let spine = Spine::new(&link, &pose);
        assert_eq!(spine.nodes(), 6);
        assert!((spine.length - link.centre_length()).abs() < 1e-15);
        for (i, piece) in spine.pieces().iter().enumerate() {
            let next = (i + 1) % 6;
            assert!((piece.point(piece.length()) - spine.node(next)).norm() < 1e-15);
            assert!((piece.tangent(piece.length()) - spine.pieces()[next].tangent(0.0)).norm() < 1e-15);
            let bounds = piece.bounds().fattened(1e-15);
            for k in 0..=20 {
                let s = piece.length() * f64::from(k) / 20.0;
                let p = piece.point(s);
                assert!(bounds.contains(&p) && (piece.nearest(&p) - s).abs() < 1e-14);
                let off = pose.point_to_local(&p);
                assert!(off.x.abs() < 1e-15);
                assert!(((off.y.hypot(off.z - off.z.clamp(-0.11, 0.11))) - 0.07).abs() < 1e-15);
            }
        }
        assert_eq!(Spine::new(&Link::new(0.02, 0.07, 0.0).unwrap(), &pose).nodes(), 4);
    }
}
