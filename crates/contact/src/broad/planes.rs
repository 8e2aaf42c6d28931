//! Half-spaces n·x ≤ d against the boxes of all bodies.
//!
//! The corner of a box that lies deepest along n takes the lesser product on each axis:
//! min n·x = Σ min(nᵢ minᵢ, nᵢ maxᵢ). The box is near if min n·x ≤ d + margin.
//!
//! There are few half-spaces and each of them is near to a whole layer of bodies, so every one is held against
//! every box; that is linear and needs no tree.

use super::bodies::{Bodies, unknown};
use super::{Filter, Kind};
use crate::Result;
use rattleback_geom::surface::Plane;
use rattleback_geom::{Aabb, Vec3};

#[derive(Debug, Clone)]
struct HalfSpace {
    id: u32,
    normal: Vec3,
    offset: f64,
    kind: Kind,
    filter: Filter,
}

/// The half-spaces, sorted by id.
#[derive(Debug, Clone, Default)]
pub(super) struct HalfSpaces {
    list: Vec<HalfSpace>,
}

impl HalfSpaces {
    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn holds(&self, id: u32) -> bool {
        self.find(id).is_ok()
    }

    fn find(&self, id: u32) -> std::result::Result<usize, usize> {
        self.list.binary_search_by_key(&id, |plane| plane.id)
    }

    pub fn put(&mut self, id: u32, plane: &Plane, kind: Kind, filter: Filter) {
        let plane = HalfSpace { id, normal: *plane.normal(), offset: plane.offset(), kind, filter };
        if let Err(place) = self.find(id) {
            self.list.insert(place, plane);
        }
    }

    pub fn update(&mut self, id: u32, plane: &Plane) -> Result<()> {
        let place = self.find(id).map_err(|_| unknown(id))?;
        self.list[place].normal = *plane.normal();
        self.list[place].offset = plane.offset();
        Ok(())
    }

    /// Whether there was one to remove.
    pub fn remove(&mut self, id: u32) -> bool {
        self.find(id).map(|place| self.list.remove(place)).is_ok()
    }

    /// One more than the greatest id.
    pub fn end(&self) -> usize {
        self.list.last().map_or(0, |plane| plane.id as usize + 1)
    }

    /// Calls `report` with all pairs of a half-space and a box.
    pub fn each_near(&self, bodies: &Bodies, margin: f64, mut report: impl FnMut(u32, u32)) {
        for plane in &self.list {
            for id in bodies.ids() {
                let role = &bodies.roles[id as usize];
                let moving = role.kind == Kind::Moving || plane.kind == Kind::Moving;
                if depth(plane, &bodies.boxes[id as usize]) <= margin
                    && moving
                    && role.filter.admits(&plane.filter)
                {
                    report(plane.id, id);
                }
            }
        }
    }
}

/// min n·x − d over the box.
#[inline]
fn depth(plane: &HalfSpace, aabb: &Aabb) -> f64 {
    let n = &plane.normal;
    let along = |i: usize| (n[i] * aabb.min[i]).min(n[i] * aabb.max[i]);
    along(0) + along(1) + along(2) - plane.offset
}
