//! Many pairs in one call.
//!
//! Every pair is computed from its own inputs alone and written to its own place, so that the results do not depend on
//! the number of threads. Nothing is allocated inside.

use crate::contact::{Collider, Contact, contact_from};
use crate::error::{ContactError, Result};
use crate::narrow::{Start, Touch, touch};
use rayon::prelude::*;

/// Pairs handed to a thread at a time: enough that the handing out costs nothing, few enough to balance.
const CHUNK: usize = 256;

/// A pair of colliders by their indices, and where to start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ColliderPair {
    /// Index of A.
    pub a: usize,
    /// Index of B.
    pub b: usize,
    /// Where the iteration begins.
    pub start: Start,
}

impl ColliderPair {
    /// A pair with a cold start.
    pub fn new(a: usize, b: usize) -> Self {
        Self { a, b, start: Start::Cold }
    }
}

/// The touches of many pairs, in their order, on the threads of the current rayon pool.
pub fn touches(colliders: &[Collider], pairs: &[ColliderPair]) -> Vec<Result<Touch>> {
    each(colliders, pairs, |a, b, start| touch(&a.shape, &a.pose, &b.shape, &b.pose, start))
}

/// The contacts of many pairs, in their order, on the threads of the current rayon pool.
pub fn contacts(colliders: &[Collider], pairs: &[ColliderPair]) -> Vec<Result<Contact>> {
    each(colliders, pairs, contact_from)
}

fn each<T: Send>(
    colliders: &[Collider],
    pairs: &[ColliderPair],
    query: impl Fn(&Collider, &Collider, Start) -> Result<T> + Sync + Send,
) -> Vec<Result<T>> {
    let find = |index: usize, field: &str| {
        colliders.get(index).ok_or_else(|| ContactError::OutOfRange {
            field: field.to_owned(),
            value: index as f64,
            allowed: "an index into the colliders",
        })
    };
    let one = |pair: &ColliderPair| query(find(pair.a, "pair.a")?, find(pair.b, "pair.b")?, pair.start);
    pairs.par_iter().with_min_len(CHUNK).map(one).collect()
}
