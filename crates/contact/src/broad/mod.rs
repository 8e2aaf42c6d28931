//! The broad phase: which of many moving bodies can be near each other?
//!
//! Every body has an id, its place in the order of declaration, and either a box along the axes or a half-space.
//! [`Broad::pairs`] reports the pairs of ids (i, j), i < j, sorted, for which
//!
//! - the two given boxes, each grown by half the margin on every side, share a point; or
//! - the least n·x over the given box is at most d + margin, for a half-space n·x ≤ d;
//! - and not both are static, each one's mask admits the other's group, and not both are half-spaces.
//!
//! So everything closer than the margin is reported, and the answer is a function of what was last given for each
//! body: it does not depend on the order of insertions and updates, on bodies that were removed, or on threads.
//!
//! How: a tree of fattened boxes finds candidates, pairs of fattened boxes that overlap. A body whose grown
//! box stays inside its fattened box keeps its candidates; one that leaves it is put back into the tree and asks again.
//! Each call then tests the given boxes of the candidates. When many bodies left, the tree is built anew.

mod bodies;
mod filter;
mod join;
mod planes;
mod sorted;
mod tree;

#[cfg(test)]
mod tests;

pub use filter::{Filter, Kind};

use crate::{ContactError, Result};
use bodies::{Bodies, Role};
use join::Join;
use planes::HalfSpaces;
use rattleback_geom::surface::Plane;
use rattleback_geom::{Aabb, Vec3};
use sorted::SortedPairs;
use tree::Tree;

/// Ids are indices into arrays: this bounds the memory that one mistaken id can ask for.
const MAX_BODIES: u32 = 1 << 24;

/// By how much boxes are fattened beyond the margin, in shares of the box's mean extent. `benches/broad.rs` (motion of
/// 1 % of a diameter per step): 0.05 takes twice the time, for the bodies that leave; 0.2 a little less, because there
/// none leaves, at the price of more candidates in a denser packing.
const SLACK: f64 = 0.1;

/// The tree is built anew if this share of the bodies left their fattened boxes since the last call; putting them back
/// one by one costs about as much. It is also built anew when as many boxes were put back as there are bodies, for
/// the sake of its shape and of the order of the candidates.
const REBUILD: f64 = 0.25;

/// The boxes and half-spaces of all bodies, and their pairs.
#[derive(Debug, Clone)]
pub struct Broad {
    margin: f64,
    bodies: Bodies,
    planes: HalfSpaces,
    tree: Tree,
    /// Pairs whose fattened boxes overlap, those of touched bodies out of date.
    /// In the order of the tree, so that a pass over them meets the same bodies again and again while they are cached.
    candidates: Vec<(u32, u32)>,
    /// Bodies to put back into the tree.
    touched: Vec<u32>,
    pairs: SortedPairs,
    /// Bodies and their fattened boxes in the order of the tree's leaves, when it is built.
    order: Vec<u32>,
    ordered: Vec<Aabb>,
}

impl Broad {
    /// An empty broad phase that reports what may be closer than `margin` metres.
    pub fn new(margin: f64) -> Result<Self> {
        if !(margin >= 0.0 && margin.is_finite()) {
            let field = "margin".to_owned();
            return Err(ContactError::OutOfRange {
                field,
                value: margin,
                allowed: "finite and at least zero",
            });
        }
        Ok(Self {
            margin,
            bodies: Bodies::default(),
            planes: HalfSpaces::default(),
            tree: Tree::default(),
            candidates: Vec::new(),
            touched: Vec::new(),
            pairs: SortedPairs::default(),
            order: Vec::new(),
            ordered: Vec::new(),
        })
    }

    /// The margin in m.
    pub fn margin(&self) -> f64 {
        self.margin
    }

    /// How many bodies there are, half-spaces included.
    pub fn len(&self) -> usize {
        self.bodies.live() + self.planes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds the body `id` with the box `aabb`.
    pub fn insert(&mut self, id: u32, aabb: &Aabb, kind: Kind) -> Result<()> {
        self.insert_filtered(id, aabb, kind, Filter::default())
    }

    /// Adds the body `id` with the box `aabb` and a filter.
    pub fn insert_filtered(&mut self, id: u32, aabb: &Aabb, kind: Kind, filter: Filter) -> Result<()> {
        self.vacant(id)?;
        bodies::check(id, aabb)?;
        self.bodies.put(id, aabb, Role { kind, filter });
        self.refatten(id, &Vec3::zeros());
        Ok(())
    }

    /// Adds the half-space `plane`, in world axes.
    pub fn insert_plane(&mut self, id: u32, plane: &Plane, kind: Kind, filter: Filter) -> Result<()> {
        self.vacant(id)?;
        self.planes.put(id, plane, kind, filter);
        Ok(())
    }

    /// Gives the body `id` a new box.
    pub fn update(&mut self, id: u32, aabb: &Aabb) -> Result<()> {
        self.update_moving(id, aabb, &Vec3::zeros())
    }

    /// Gives the body `id` a new box and says by how much, in m, it is expected to move in the next steps: its
    /// fattened box reaches that far ahead. The pairs do not depend on it, only the time to find them.
    pub fn update_moving(&mut self, id: u32, aabb: &Aabb, ahead: &Vec3) -> Result<()> {
        self.bodies.present(id)?;
        bodies::check(id, aabb)?;
        bodies::check_ahead(id, ahead)?;
        self.bodies.boxes[id as usize] = *aabb;
        let fat = &self.bodies.fat[id as usize];
        if !fat.encloses(&aabb.fattened(0.5 * self.margin)) || self.too_fat(id, ahead) {
            self.refatten(id, ahead);
        }
        Ok(())
    }

    /// Gives the half-space `id` a new place, in world axes.
    pub fn update_plane(&mut self, id: u32, plane: &Plane) -> Result<()> {
        self.planes.update(id, plane)
    }

    /// Removes the body or half-space `id`.
    pub fn remove(&mut self, id: u32) -> Result<()> {
        if self.planes.remove(id) {
            return Ok(());
        }
        self.bodies.present(id)?;
        self.touch(id);
        self.bodies.remove(id);
        Ok(())
    }

    /// The pairs, sorted.
    pub fn pairs(&mut self) -> &[(u32, u32)] {
        self.pairs_where(|_, _| true)
    }

    /// The pairs that `admit` says yes to, sorted; it is asked for i < j, in no particular order.
    pub fn pairs_where(&mut self, mut admit: impl FnMut(u32, u32) -> bool) -> &[(u32, u32)] {
        self.renew_candidates();
        let Self { bodies, planes, candidates, pairs, .. } = self;
        pairs.clear();
        let mut offer = |i: u32, j: u32| {
            if admit(i.min(j), i.max(j)) {
                pairs.push(i, j);
            }
        };
        let half = 0.5 * self.margin;
        for &(i, j) in candidates.iter() {
            if near(&bodies.boxes[i as usize], &bodies.boxes[j as usize], half) {
                offer(i, j);
            }
        }
        planes.each_near(bodies, self.margin, &mut offer);
        pairs.sort(bodies.boxes.len().max(planes.end()))
    }

    fn vacant(&self, id: u32) -> Result<()> {
        let allowed = if id >= MAX_BODIES {
            "below 16777216"
        } else if self.bodies.present(id).is_ok() || self.planes.holds(id) {
            "an id that is not in use"
        } else {
            return Ok(());
        };
        Err(ContactError::OutOfRange { field: "id".to_owned(), value: f64::from(id), allowed })
    }

    /// A fresh fattened box for the last given one.
    fn fattened(&self, id: u32, ahead: &Vec3) -> Aabb {
        let aabb = &self.bodies.boxes[id as usize];
        let fat = aabb.fattened(0.5 * self.margin + SLACK * aabb.extents().sum() / 3.0);
        Aabb { min: fat.min + ahead.inf(&Vec3::zeros()), max: fat.max + ahead.sup(&Vec3::zeros()) }
    }

    /// Whether the body stopped or shrank, so that its fattened box now costs more than it saves.
    fn too_fat(&self, id: u32, ahead: &Vec3) -> bool {
        self.bodies.fat[id as usize].half_area() > 4.0 * self.fattened(id, ahead).half_area()
    }

    fn refatten(&mut self, id: u32, ahead: &Vec3) {
        self.bodies.fat[id as usize] = self.fattened(id, ahead);
        self.touch(id);
    }

    fn touch(&mut self, id: u32) {
        if !self.bodies.touched[id as usize] {
            self.bodies.touched[id as usize] = true;
            self.touched.push(id);
        }
    }

    /// Brings the tree and the candidates up to date.
    fn renew_candidates(&mut self) {
        if self.touched.is_empty() {
            return;
        }
        let changes = self.tree.changes() + self.touched.len();
        if self.touched.len() as f64 > REBUILD * self.bodies.live() as f64 || changes > self.bodies.live() {
            self.find_all();
        } else {
            self.find_touched();
        }
        for id in self.touched.drain(..) {
            self.bodies.touched[id as usize] = false;
        }
    }

    /// Builds the tree anew and finds all candidates.
    fn find_all(&mut self) {
        let Self { bodies, tree, candidates, order, ordered, .. } = self;
        tree.build(bodies);
        order.clear();
        order.extend(tree.order());
        ordered.clear();
        ordered.extend(order.iter().map(|&id| bodies.fat[id as usize]));
        candidates.clear();
        Join { tree, ids: order, boxes: ordered }.each_overlap(|i, j| {
            if bodies.meet(i, j) {
                candidates.push((i, j));
            }
        });
    }

    /// Puts the touched bodies back and finds their candidates.
    fn find_touched(&mut self) {
        let Self { bodies, tree, candidates, touched, .. } = self;
        // In the order of the tree's memory: bodies that are near each other then walk through the same nodes.
        touched.sort_unstable_by_key(|&id| (tree.leaf(id), id));
        for &id in touched.iter() {
            if bodies.present(id).is_ok() {
                tree.put(id, &bodies.fat[id as usize]);
            } else {
                tree.remove(id);
            }
        }
        let is_touched = |id: u32| bodies.touched[id as usize];
        candidates.retain(|&(i, j)| !(is_touched(i) | is_touched(j)));
        for &id in touched.iter().filter(|&&id| bodies.present(id).is_ok()) {
            tree.each_over(&bodies.fat[id as usize], |other| {
                // Two touched bodies find each other twice.
                let once = other > id || !is_touched(other);
                if other != id && once && bodies.meet(id, other) {
                    candidates.push((id, other));
                }
            });
        }
    }
}

/// Whether boxes grown by `half` share a point.
#[inline]
fn near(a: &Aabb, b: &Aabb, half: f64) -> bool {
    let over = |i: usize| (a.min[i] - half <= b.max[i] + half) & (b.min[i] - half <= a.max[i] + half);
    over(0) & over(1) & over(2)
}
