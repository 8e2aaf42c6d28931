//! A pair that was asked about a moment ago, whose normal n is known: the common normal next to it.
//!
//! A body has few points with the outer normal n: the one farthest along n, and of a ring the one farthest along n of the
//! opposite slice, on the inner side. Of both bodies' points those are taken that lie most nearly on one line along n, and Newton's
//! method goes on from there. What it finds is a pair of points, no proof: separate solids are proved as ever, overlapping ones
//! keep their branch.

use super::body::{Body, Kind};
use super::polish::{Common, polish};
use rattleback_geom::Vec3;

/// The points of a body that may have the outer normal n.
fn candidates(body: &Body<'_>, n: &Vec3) -> [Option<Vec3>; 2] {
    let outer = body.farthest(&body.whole(), n);
    let Kind::Stack(slices) = body.kind else { return [Some(outer), None] };
    if !slices.is_ring() {
        return [Some(outer), None];
    }
    let local = body.point_in_body(&outer);
    let opposite = slices.slice_at(&Vec3::new(-local.x, -local.y, local.z));
    [Some(outer), Some(body.farthest(&slices.part([opposite; 2]), n))]
}

/// The common normal next to a known one, if there is any.
pub(super) fn follow(bodies: &[Body<'_>; 2], n: &Vec3, size: f64) -> Option<Common> {
    let [a, b] = bodies;
    let mut best: Option<(f64, [Vec3; 2])> = None;
    for p in candidates(a, n).into_iter().flatten() {
        for q in candidates(b, &-n).into_iter().flatten() {
            let way = q - p;
            let across = (way - n * n.dot(&way)).norm();
            if best.is_none_or(|b| across < b.0) {
                best = Some((across, [p, q]));
            }
        }
    }
    let (_, [p, q]) = best?;
    let guess = Common { p, q, n: *n, gap: n.dot(&(q - p)), iterations: 0 };
    polish(bodies, &guess, size, ROOM * size)
}

/// Constraints with no more than this to spare at a guess count as active, in sizes.
const ROOM: f64 = 1e-6;
