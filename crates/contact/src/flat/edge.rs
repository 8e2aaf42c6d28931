//! Straight edges of boxes and hulls on faces of the other body.
//!
//! With e the unit direction of an edge of a core, x₁ and x₂ its ends, n₁ and n₂ the outer normals of its two faces, r
//! the rounding, and N the outer normal of a face of the other body: ν is the unit vector across e that is nearest to
//! −N, and the line that touches ends at x_i + r ν. It bears at these ends, or where the face ends, with the weight
//!
//!   E = S(∣e·N∣) (1 − S(φ₁)) (1 − S(φ₂)) S(ρ/δ),   φ_i the angle between n_i and ν
//!
//! with the ramps of `mod.rs`, where ν is between n₁ and n₂, and zero elsewhere: on the way there one of the φ_i is
//! zero. The angle θ between that face and N is no less than φ_i, so that W ≤ S(θ) ≤ S(φ_i), and W + E ≤ 1.
//!
//! Two edges of a face that is tilted about neither of them have weights at once, E₁ and E₂: the corner between them is
//! lowest, and the nearest point. So the one that has more counts, with E₁ − E₂. Other edges would be lowest along
//! normals that differ by more than a tilt: as of faces (`lying.rs`), what one of them shares is no wider than the
//! other is deep.

use super::clearance::way_of_turn;
use super::dual::{Dual, Frame, Vector};
use super::faces::{self, FACING, Facing, Outline, Place};
use super::lying::lies;
use super::{LYING, TILTED};
use crate::manifold::{core_counts, core_edge, core_rounding};
use rattleback_geom::surface::{CoreEdge, Shape};
use rattleback_geom::{Pose, Vec3};

/// How many edges a body has that may lie on a face.
fn count(shape: &Shape) -> usize {
    match shape {
        Shape::Cuboid(_) | Shape::ConvexHull(_) => core_counts(shape).map_or(0, |[_, edges]| edges),
        _ => 0,
    }
}

fn edge(shape: &Shape, place: usize) -> Option<CoreEdge> {
    core_edge(shape, place).filter(|edge| edge.length > 0.0)
}

/// Whether an edge of one of two bodies can lie on a face of the other.
pub(super) fn can_meet(a: &Shape, b: &Shape) -> bool {
    count(a) > 0 && faces::face_count(b) > 0 || count(b) > 0 && faces::face_count(a) > 0
}

/// The line of an edge that touches a face, and (1 − S(φ₁))(1 − S(φ₂)).
pub(super) fn facing<const N: usize>(
    frame: &Frame<'_, N>,
    shape: &Shape,
    place: usize,
    towards: &Vector<N>,
) -> Option<(Facing<N>, Dual<N>)> {
    let CoreEdge { start, along, length, faces, .. } = edge(shape, place)?;
    let direction = frame.vector(&along);
    let across = *towards - direction.scaled(direction.dot(towards));
    if !(across.dot(&across).value > f64::MIN_POSITIVE) {
        return None;
    }
    let normal = across.normalized();
    let round = core_rounding(shape);
    let ends = [start, start + along * length].map(|x| frame.point(&x) + normal * round);
    let one = Dual::constant(1.0);
    let bears = faces.iter().fold(one, |bears, face| {
        let face = frame.vector(face);
        let sin = face.cross(&normal);
        if face.dot(&normal).value > 0.0 { bears * (one - lies(sin.dot(&sin))) } else { bears }
    });
    let origin = (ends[0] + ends[1]) * 0.5;
    Some((Facing { normal, origin, round, is_spot: false, outline: Outline::Ends(ends) }, bears))
}

/// The edges that may lie on faces, those farthest out along the normal first, and how far the bodies have to move at
/// least before another one may.
pub(super) struct Candidates {
    pub bearing: Vec<[Place; 2]>,
    pub clearance: f64,
}

/// The sine of the angle that ν is short of being between two normals by more than a tilt that counts as lying: with c
/// the direction of n₁ × n₂, ν is beyond n₁ by (n₁ × ν)·c and beyond n₂ by (ν × n₂)·c.
fn short_of_between(normals: &[Vec3; 2], nu: &Vec3) -> f64 {
    let [one, other] = normals;
    let turn = one.cross(other);
    let sign = turn / turn.norm();
    let beyond = |sin: f64, cos: f64| if cos > 0.0 { sin } else { 1f64.copysign(sin) };
    let first = beyond(one.cross(nu).dot(&sign), one.dot(nu));
    let second = beyond(nu.cross(other).dot(&sign), other.dot(nu));
    LYING - first.min(second)
}

/// Those of two bodies of which the smaller one has bounds with a diagonal of `size` metres.
pub(super) fn candidates(bodies: [(&Shape, &Pose); 2], size: f64) -> Candidates {
    let from = bodies[0].1.position;
    let mut bearing: Vec<(f64, [Place; 2])> = Vec::new();
    // Those that are not looked at are inclined by more.
    let mut clearance = way_of_turn(FACING, size);
    for own in 0..2 {
        let ((shape, pose), (other, _)) = (bodies[own], bodies[1 - own]);
        if count(shape) == 0 {
            continue;
        }
        let placed = faces::placed(bodies[1 - own], &from);
        for place in 0..if faces::face_count(other) > 0 { count(shape) } else { 0 } {
            let Some(CoreEdge { start, along, length, faces: normals, .. }) = edge(shape, place) else {
                continue;
            };
            let e = pose.vector_to_world(&along);
            let normals = normals.map(|n| pose.vector_to_world(&n));
            let middle = pose.position - from + pose.vector_to_world(&(start + along * (0.5 * length)));
            for (face, normal, at) in &placed {
                let sin = e.dot(normal);
                let nu = e * sin - normal;
                let cos = nu.norm();
                if !(cos > FACING) {
                    continue;
                }
                // ν turns by no more than 1/cos ≤ 2 times the bodies do.
                let short = 0.5 * short_of_between(&normals, &(nu / cos));
                if short < 0.0 && sin.abs() < TILTED {
                    let mut places = [Place::Edge(place), Place::Face(*face)];
                    places.rotate_left(own);
                    bearing.push((normal.dot(&(middle - at)), places));
                } else {
                    clearance = clearance.min(way_of_turn(sin.abs().max(TILTED + short), size));
                }
            }
        }
    }
    bearing.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    Candidates { bearing: bearing.into_iter().map(|(_, places)| places).collect(), clearance }
}
