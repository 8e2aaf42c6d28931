//! The least depth of overlapping ellipsoids where the balls inside them do not prove it: climbs from other directions, then
//! the proof on the sphere of normals.

use super::ellipsoid_ellipsoid::{Climb, EllipsoidPair};
use crate::narrow::around;
use crate::narrow::coaxial::{ArcProver, Revolution, common_axis};
use crate::narrow::prove::{Claim, Proof, Prover};
use crate::narrow::relative::Relative;
use crate::narrow::touch::{Branch, ROUNDING, TOLERANCE};
use rattleback_geom::{Mat3, Vec3};

/// Most tops that a proof may be led to; ellipsoids have a handful.
const MOST_TOPS: u32 = 20;

/// The highest top and what is known of it; `axes` are the semi-axes of A and B.
#[cold]
#[inline(never)]
pub(super) fn least_depth(
    pair: &EllipsoidPair,
    axes: [&Vec3; 2],
    rel: &Relative,
    top: Climb,
) -> (Climb, Branch) {
    let mut top = look_around(pair, &rel.rotation, top);
    if pair.is_global(&top.at) {
        return (top, Branch::Global);
    }
    let support = |n: &Vec3| pair.difference(n);
    let (branch, spent) = match common_axis(axes.map(Revolution::of_axes), rel, pair.size) {
        Some(axis) => {
            let mut prover = ArcProver::new(axis, support);
            (prove(pair, &mut top, |claim| prover.advance(claim)), prover.spent)
        }
        None => {
            let [xx, yy, zz, xy, yz, zx] = pair.n;
            let n = Mat3::new(xx, xy, zx, xy, yy, yz, zx, yz, zz);
            let metric = Mat3::from_diagonal(&pair.m.into()) + n;
            let mut prover = Prover::new(&metric, Some(&pair.r.into()), support);
            (prove(pair, &mut top, |claim| prover.advance(claim)), prover.spent)
        }
    };
    top.iterations += spent;
    (top, branch)
}

/// Climbs from the best directions around as well and keeps the highest top.
fn look_around(pair: &EllipsoidPair, rotation: &Mat3, mut top: Climb) -> Climb {
    let (starts, count) = around::starts(rotation, Some(&pair.r.into()), |n| pair.height(&(*n).into()));
    for n in &starts[..count] {
        // A start beside a top leads to it again.
        if n.dot(&Vec3::from(top.at.normal)) <= 0.95 {
            let other = pair.climb(&(*n).into());
            let iterations = top.iterations + other.iterations;
            top = Climb { iterations, ..if other.at.f > top.at.f { other } else { top } };
        }
    }
    top
}

fn prove(pair: &EllipsoidPair, top: &mut Climb, mut advance: impl FnMut(&Claim) -> Proof) -> Branch {
    for _ in 0..MOST_TOPS {
        let (at, size) = (&top.at, pair.size + top.at.f.abs());
        let point = Vec3::from(at.p) - Vec3::from(pair.r) - Vec3::from(at.q);
        let claim =
            Claim { depth: -at.f, tolerance: 0.5 * TOLERANCE * size, slack: ROUNDING * size, size, point };
        match advance(&claim) {
            Proof::Holds => return Branch::Global,
            Proof::Open => return Branch::Compared,
            Proof::Better(n) => {
                let other = pair.climb(&n.into());
                let higher = other.at.f > at.f;
                let iterations = top.iterations + other.iterations;
                *top = Climb { iterations, ..if higher { other } else { *top } };
                if !higher || top.at.f > 0.0 {
                    return Branch::Compared;
                }
            }
        }
    }
    Branch::Compared
}
