//! Bodies that never touch each other, whatever their surfaces: single pairs, and groups of bodies such as the links of
//! a chain, which take one entry per body.

use super::BodyId;
use std::collections::{BTreeMap, BTreeSet};

/// Pairs of bodies that never touch.
#[derive(Debug, Clone, Default)]
pub(super) struct ExcludedPairs {
    /// The lower number first.
    pairs: BTreeSet<(BodyId, BodyId)>,
    /// The group of a body, if it has one.
    groups: BTreeMap<BodyId, usize>,
    count: usize,
}

impl ExcludedPairs {
    pub(super) fn insert(&mut self, one: BodyId, other: BodyId) {
        self.pairs.insert((one.min(other), one.max(other)));
    }

    /// Keeps all bodies of a list from each other.
    pub(super) fn insert_all(&mut self, bodies: &[BodyId]) {
        if bodies.iter().any(|body| self.groups.contains_key(body)) {
            // A body has one group; what else it keeps apart from is told in pairs.
            for (k, &one) in bodies.iter().enumerate() {
                bodies[k + 1..].iter().for_each(|&other| self.insert(one, other));
            }
            return;
        }
        self.groups.extend(bodies.iter().map(|&body| (body, self.count)));
        self.count += 1;
    }

    pub(super) fn has(&self, one: BodyId, other: BodyId) -> bool {
        self.are_grouped(one, other) || self.pairs.contains(&(one.min(other), one.max(other)))
    }

    fn are_grouped(&self, one: BodyId, other: BodyId) -> bool {
        match (self.groups.get(&one), self.groups.get(&other)) {
            (Some(a), Some(b)) => a == b,
            _ => false,
        }
    }

    /// Every body that is kept apart from another, some of them several times.
    pub(super) fn bodies(&self) -> impl Iterator<Item = BodyId> {
        self.pairs.iter().flat_map(|&(a, b)| [a, b]).chain(self.groups.keys().copied())
    }

    /// The group of a body, if it has one.
    pub(super) fn group(&self, body: BodyId) -> Option<usize> {
        self.groups.get(&body).copied()
    }

    /// The bodies that single pairs name.
    pub(super) fn paired(&self) -> BTreeSet<BodyId> {
        self.pairs.iter().flat_map(|&(a, b)| [a, b]).collect()
    }

    /// The pairs that are in no group together.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (BodyId, BodyId)> {
        self.pairs.iter().copied().filter(|&(a, b)| a != b && !self.are_grouped(a, b))
    }

    /// The bodies of each group.
    pub(super) fn groups(&self) -> Vec<Vec<BodyId>> {
        let mut groups = vec![Vec::new(); self.count];
        for (&body, &group) in &self.groups {
            groups[group].push(body);
        }
        groups
    }
}
