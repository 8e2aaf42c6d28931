//! The distance of a piece of a centre curve from a triangle.
//!
//! min ∣c(s) − p∣² over the piece and the triangle. Dopico's programs (`super::dopico`) restrict the triangle to the
//! slab ∣p_z∣ ≤ h in place of the curve to its ends, so that a triangle beyond an end has no distance; here the curve
//! ends and the triangle is whole, which is the distance of the two. Of the conditions of Karush, Kuhn and Tucker all
//! active sets are solved, since they are few and each of them is simple; the least of their distances is the answer,
//! whatever the shape of the triangle:
//!
//! | curve | triangle | solved by |
//! |---|---|---|
//! | at an end | anywhere | the closest point of the triangle |
//! | inside | corner | the nearest parameter |
//! | inside | side | `super::side`: closed form for a bar, two convex equations in one unknown for a quarter |
//! | inside | face, d > 0 | c′·n = 0: φ = atan2(±n·to, ±n·from) on a quarter; never alone on a bar, which is parallel then |
//! | inside | face, d = 0 | n·(c − a) = 0: linear on a bar, cos(φ − φ_n) = −n·(centre − a)/(R∣n_across∣) on a quarter |
//!
//! Every candidate is a pair of points of curve and triangle, so that rounding can never make the distance too small.

use super::piece::Piece;
use super::side;
use rattleback_geom::Vec3;
use rattleback_geom::mesh::Feature;
use rattleback_geom::mesh::closest::on_triangle;

/// Nearest points of a piece of a centre curve and a triangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearest {
    /// Length along the piece from its start, in m.
    pub parameter: f64,
    /// The point of the curve.
    pub on_curve: Vec3,
    /// The point of the triangle.
    pub on_triangle: Vec3,
    /// What of the triangle it lies on.
    pub feature: Feature,
    /// Their distance in m.
    pub distance: f64,
}

/// The distance of a piece from a triangle, with the points where it is taken; NaN where a coordinate is.
pub fn piece_triangle(piece: &Piece, corners: &[Vec3; 3]) -> Nearest {
    let mut best = at(piece, corners, 0.0);
    let mut offer = |found: Nearest| {
        if found.distance < best.distance {
            best = found;
        }
    };
    offer(at(piece, corners, piece.length()));
    for s in over_face(piece, corners).into_iter().flatten() {
        offer(at(piece, corners, s));
    }
    for k in 0..3 {
        offer(at_corner(piece, corners, k));
        at_side(piece, corners, k).into_iter().flatten().for_each(&mut offer);
    }
    // Several candidates may be equally near to rounding; the one made for the feature has the most exact points.
    let most = best.distance * (1.0 + 4.0 * f64::EPSILON);
    let exact = match best.feature {
        Feature::Face => None,
        Feature::Side(k) => at_side(piece, corners, k).into_iter().flatten().find(|f| f.distance <= most),
        Feature::Corner(k) => Some(at_corner(piece, corners, k)).filter(|f| f.distance <= most),
    };
    exact.unwrap_or(best)
}

fn at_corner(piece: &Piece, corners: &[Vec3; 3], k: usize) -> Nearest {
    let (on_triangle, parameter) = (corners[k], piece.nearest(&corners[k]));
    let on_curve = piece.point(parameter);
    let distance = (on_curve - on_triangle).norm();
    Nearest { parameter, on_curve, on_triangle, feature: Feature::Corner(k), distance }
}

fn at_side(piece: &Piece, corners: &[Vec3; 3], k: usize) -> [Option<Nearest>; 2] {
    let (a, b) = (corners[k], corners[(k + 1) % 3]);
    side::minima(piece, &a, &b, f64::INFINITY).map(|pair| {
        let (parameter, t) = pair?;
        let (on_curve, on_triangle) = (piece.point(parameter), a + (b - a) * t);
        let distance = (on_curve - on_triangle).norm();
        Some(Nearest { parameter, on_curve, on_triangle, feature: Feature::Side(k), distance })
    })
}

/// The triangle's point nearest to the curve's point at `s`.
fn at(piece: &Piece, corners: &[Vec3; 3], s: f64) -> Nearest {
    let on_curve = piece.point(s);
    let found = on_triangle(&on_curve, corners);
    Nearest {
        parameter: s,
        on_curve,
        on_triangle: found.point,
        feature: found.feature,
        distance: found.distance,
    }
}

/// Parameters inside the piece where its height over the triangle's plane is stationary or zero.
fn over_face(piece: &Piece, [a, b, c]: &[Vec3; 3]) -> [Option<f64>; 4] {
    let area = (b - a).cross(&(c - a));
    let n = area / area.amax();
    let [first, second] = side::crossings(piece, a, &n);
    let [low, high] = match piece {
        Piece::Bar { .. } => [None; 2],
        Piece::Quarter { from, to, radius, .. } => [1.0, -1.0].map(|sign| {
            let (x, y) = (sign * n.dot(from), sign * n.dot(to));
            (x > 0.0 && y > 0.0).then(|| radius * y.atan2(x))
        }),
    };
    [first, second, low, high]
}
