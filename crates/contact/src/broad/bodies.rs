//! What the broad phase knows of each body, in arrays indexed by its id.

use super::{Filter, Kind};
use crate::{ContactError, Result};
use rattleback_geom::{Aabb, Vec3};

/// What decides which bodies meet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Role {
    pub kind: Kind,
    pub filter: Filter,
}

/// The arrays; a place without a body has an empty box.
#[derive(Debug, Clone, Default)]
pub(super) struct Bodies {
    /// As last given.
    pub boxes: Vec<Aabb>,
    /// Contains the given box grown by half the margin.
    pub fat: Vec<Aabb>,
    pub roles: Vec<Role>,
    /// Whether the fattened box is newer than the tree; small enough to stay in the cache while all candidates pass.
    pub touched: Vec<bool>,
    live: usize,
}

impl Bodies {
    pub fn live(&self) -> usize {
        self.live
    }

    /// The ids in use.
    pub fn ids(&self) -> impl Iterator<Item = u32> {
        (0u32..).zip(&self.boxes).filter(|(_, aabb)| **aabb != Aabb::EMPTY).map(|(id, _)| id)
    }

    /// Refuses an id without a body.
    pub fn present(&self, id: u32) -> Result<()> {
        match self.boxes.get(id as usize) {
            Some(aabb) if *aabb != Aabb::EMPTY => Ok(()),
            _ => Err(unknown(id)),
        }
    }

    pub fn put(&mut self, id: u32, aabb: &Aabb, role: Role) {
        let place = id as usize;
        if place >= self.boxes.len() {
            let vacant = Role { kind: Kind::Static, filter: Filter { group: 0, mask: 0 } };
            self.boxes.resize(place + 1, Aabb::EMPTY);
            self.fat.resize(place + 1, Aabb::EMPTY);
            self.roles.resize(place + 1, vacant);
            self.touched.resize(place + 1, false);
        }
        // `touched` stays: a body removed since the last call for pairs is still in the list of touched ones.
        self.boxes[place] = *aabb;
        self.roles[place] = role;
        self.live += 1;
    }

    pub fn remove(&mut self, id: u32) {
        self.boxes[id as usize] = Aabb::EMPTY;
        self.live -= 1;
    }

    /// Whether the two can be a pair at all.
    #[inline]
    pub fn meet(&self, i: u32, j: u32) -> bool {
        let (a, b) = (&self.roles[i as usize], &self.roles[j as usize]);
        (a.kind == Kind::Moving || b.kind == Kind::Moving) && a.filter.admits(&b.filter)
    }
}

/// An id that nothing was inserted under.
pub(super) fn unknown(id: u32) -> ContactError {
    let allowed = "the id of a body that was inserted";
    ContactError::OutOfRange { field: "id".to_owned(), value: f64::from(id), allowed }
}

/// Refuses a box with NaN, an infinity or a negative extent.
#[inline]
pub(super) fn check(id: u32, aabb: &Aabb) -> Result<()> {
    if aabb.is_bounded() { Ok(()) } else { Err(wrong_box(id, aabb)) }
}

/// Refuses a displacement with NaN or an infinity.
#[inline]
pub(super) fn check_ahead(id: u32, ahead: &Vec3) -> Result<()> {
    match (0..3).find(|&i| !ahead[i].is_finite()) {
        None => Ok(()),
        Some(i) => Err(ContactError::OutOfRange {
            field: format!("body {id}: ahead[{i}]"),
            value: ahead[i],
            allowed: "finite",
        }),
    }
}

#[cold]
fn wrong_box(id: u32, aabb: &Aabb) -> ContactError {
    for i in 0..3 {
        for (name, corner) in [("min", &aabb.min), ("max", &aabb.max)] {
            if !corner[i].is_finite() {
                let field = format!("body {id}: {name}[{i}]");
                return ContactError::OutOfRange { field, value: corner[i], allowed: "finite" };
            }
        }
    }
    let extents = aabb.extents();
    let i = (0..3).find(|&i| !(extents[i].is_finite() && extents[i] >= 0.0)).unwrap_or(0);
    let field = format!("body {id}: extent[{i}]");
    ContactError::OutOfRange { field, value: extents[i], allowed: "finite and at least zero" }
}
