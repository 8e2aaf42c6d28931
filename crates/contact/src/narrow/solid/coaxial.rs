//! A ring about the axis of a body of revolution: as near all the way round, so that no arc but a single slice has a
//! bound that closes.
//!
//! The ring is the union of its slices D(s), turned copies of D(s₀) about z; the other body B is the same after every
//! turn about z. A turn keeps distances, so that dist(D(s), B) = dist(D(s₀), B) for every s, and the distance of the
//! bodies is that of one slice and B.
//!
//! Numbers are never quite coaxial. To turn B by the angle θ between both axes and to move it by the distance d of its
//! centre from the ring's axis, moves none of its points by more than θ ρ + d, ρ its radius about its centre: the
//! distance changes by no more, and lower bounds give so much. Up to [`BESIDE`] of the size pairs count as coaxial.

use super::body::{Body, Kind};
use crate::narrow::touch::TOLERANCE;
use rattleback_geom::Vec3;
use rattleback_geom::surface::Part;
use rattleback_geom::surface::{Revolution, Support};

/// What is parallel, or on an axis, to this share of the size counts as such: a tenth of what a certificate allows.
const BESIDE: f64 = 0.1 * TOLERANCE;

/// The parts of two bodies that are as near to each other as the whole bodies, but for `beside`, in m.
pub(super) struct Parts {
    pub parts: [Part; 2],
    pub beside: f64,
}

impl Parts {
    /// Whole bodies, or one slice of a ring about the axis of the other.
    pub fn of(bodies: &[Body<'_>; 2], size: f64) -> Self {
        let mut parts = [bodies[0].whole(), bodies[1].whole()];
        for (ring, other) in [(0, 1), (1, 0)] {
            if let Some((slice, beside)) = slice(&bodies[ring], &bodies[other])
                && beside <= BESIDE * size
            {
                parts[ring] = slice;
                return Self { parts, beside };
            }
        }
        Self { parts, beside: 0.0 }
    }
}

/// A slice of a ring, and how far the other body, one of revolution, is from being coaxial with it, in m.
fn slice(ring: &Body<'_>, other: &Body<'_>) -> Option<(Part, f64)> {
    let Kind::Stack(slices) = ring.kind else { return None };
    if !slices.is_ring() {
        return None;
    }
    let revolution = match other.kind {
        Kind::Stack(s) => s.is_round().then(|| Revolution::About(Vec3::z())),
        Kind::Convex(_) => other.shape.surface().as_support().and_then(Support::revolution),
    };
    let centre = ring.point_in_body(&other.origin);
    let turn = match revolution? {
        Revolution::All => 0.0,
        Revolution::About(axis) => {
            let axis = ring.rotation.tr_mul(&(other.rotation * axis));
            axis.x.hypot(axis.y).atan2(axis.z.abs())
        }
    };
    let bounds = &other.bounds;
    let radius = bounds.min.abs().sup(&bounds.max.abs()).norm();
    let [low, high] = slices.range();
    let middle = 0.5 * (low + high);
    Some((slices.part([middle, middle]), centre.x.hypot(centre.y) + turn * radius))
}
