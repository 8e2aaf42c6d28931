//! The faces that pairs turn to each other, kept so that the points of a pair share them.
//!
//! Two bodies that lie on each other with flat faces touch at up to nine points (`contact/src/flat`), all of which come
//! from one intersection of outlines. An evaluation asks for the points one after the other: the answer of a pair is
//! kept with the poses that it belongs to, and found again by them, bit by bit, so that it never matters what was asked
//! before. A pair has one of [`SLOTS`] places by its parts; two pairs of the same place take turns.

use crate::model::{PartId, PartPair};
use rattleback_contact::{Collider, SharedFaces};
use rattleback_geom::Pose;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Pairs that are kept at once; a pair's own answer is some kilobytes.
const SLOTS: usize = 64;

/// The answers kept.
#[derive(Debug, Default)]
pub(super) struct FaceCache {
    slots: Vec<Mutex<Option<Slot>>>,
}

/// The answer of a pair at its poses; no faces where it has none that lie on each other.
#[derive(Debug)]
pub(super) struct Slot {
    parts: [PartId; 2],
    poses: [Pose; 2],
    pub(super) faces: Option<SharedFaces>,
}

impl Clone for FaceCache {
    /// What is kept belongs to the original alone; it is found anew when it is asked for.
    fn clone(&self) -> Self {
        Self::new()
    }
}

fn is_same(one: &Pose, other: &Pose) -> bool {
    let numbers = |pose: &Pose| {
        let (x, q) = (pose.position, pose.orientation.coords);
        [x.x, x.y, x.z, q.x, q.y, q.z, q.w].map(f64::to_bits)
    };
    numbers(one) == numbers(other)
}

impl FaceCache {
    pub(super) fn new() -> Self {
        Self { slots: (0..SLOTS).map(|_| Mutex::new(None)).collect() }
    }

    /// The place of a pair, with its answer at the poses of its parts.
    pub(super) fn slot(&self, pair: &PartPair, a: &Collider, b: &Collider) -> MutexGuard<'_, Option<Slot>> {
        let number = |part: PartId| part.body.0.wrapping_mul(7).wrapping_add(part.index);
        let place = number(pair.a).wrapping_mul(31).wrapping_add(number(pair.b)) % SLOTS;
        // A thread that ended while it had the place left a whole answer or the one before.
        let mut slot = self.slots[place].lock().unwrap_or_else(PoisonError::into_inner);
        let (parts, poses) = ([pair.a, pair.b], [a.pose, b.pose]);
        let is_known = slot.as_ref().is_some_and(|known| {
            known.parts == parts && known.poses.iter().zip(&poses).all(|(one, other)| is_same(one, other))
        });
        if !is_known {
            *slot = Some(Slot { parts, poses, faces: SharedFaces::new(a, b) });
        }
        slot
    }
}
