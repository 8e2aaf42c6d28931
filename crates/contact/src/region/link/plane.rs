//! Link against half-space, in closed form.
//!
//! Over the half-space n·x ≤ d the centre curve has the height n·c − d. Its minima are at nodes, or inside the quarter
//! whose outward direction of the bend is −n: φ = atan2(−n·to, −n·from).

use super::super::Region;
use super::choice::{Candidate, Limits, choose};
use super::piece::{Piece, Spine};
use rattleback_geom::surface::{Link, Plane};
use rattleback_geom::{Pose, Vec3};

/// A bend has no lowest point of its own on a wall to which it is parallel within this sine: rounding would choose it.
pub(super) const TILT: f64 = 1e-6;

/// The parameter of the point inside a piece that lies farthest against the unit vector `n`, if it is none of the ends.
pub(super) fn lowest(piece: &Piece, n: &Vec3) -> Option<f64> {
    match piece {
        Piece::Bar { .. } => None,
        Piece::Quarter { from, to, radius, .. } => {
            let (x, y) = (-n.dot(from), -n.dot(to));
            (x > 0.0 && y > 0.0 && x.hypot(y) > TILT).then(|| radius * y.atan2(x))
        }
    }
}

/// The regions of the link A and the half-space B, in the frame of B.
pub(super) fn find(
    link: &Link,
    pose: &Pose,
    plane: &Plane,
    reach: f64,
    found: &mut Vec<Candidate>,
    out: &mut Vec<Region>,
) {
    let (n, r) = (*plane.normal(), link.bar_radius());
    let height = |c: &Vec3| n.dot(c) - plane.offset();
    let extent = 0.5 * link.length();
    if height(&pose.position) > extent + reach {
        return;
    }
    let spine = Spine::new(link, pose);
    let limits = Limits::new(r, reach, &spine);
    let mut offer = |place: f64, node: Option<usize>, on_curve: Vec3| {
        let gap = height(&on_curve);
        if gap <= limits.most() {
            found.push(Candidate::new(place, node, gap, n, [on_curve, on_curve - n * gap]));
        }
    };
    for (i, piece) in spine.pieces().iter().enumerate() {
        offer(spine.place(i, 0.0), Some(i), piece.point(0.0));
        if let Some(s) = lowest(piece, &n) {
            offer(spine.place(i, s), None, piece.point(s));
        }
    }
    choose(found, &limits, out);
}
