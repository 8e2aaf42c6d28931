//! The broad phase of a model: which pairs of parts can touch while every body moves by no more than it is expected to.
//!
//! Each part that can touch anything has a box, or is a half-space; the few other parts without bounds are near
//! everything. A body whose points may move by r metres has its boxes grown by r on all sides, so that a pair whose
//! boxes share no point cannot touch before one of the two has gone farther. A half-space that may turn by the angle φ
//! moves by φD besides, D the distance from its body to the farthest of the others. The list is a function of poses and
//! reaches alone: it does not depend on what was asked before. A gap of two features changes no faster than the points
//! of their bodies move: where a pair has many features, those that cannot close are left out. Where the model asks for
//! bounding spheres or for the quartic of ellipsoids, pairs that these part by more than both bodies may move are left
//! out.

use super::parts::Parts;
use crate::body::Motion;
use crate::error::Result;
use crate::model::{BodyId, Mobility, Model, PairId, PartId, PartPair};
use rattleback_contact::broad::{Broad, Filter, Kind};
use rattleback_contact::near_features;
use rattleback_contact::proximity::{BoundingSphere, Proximity};
use rattleback_geom::surface::{Plane, Shape};

/// How far a body may move: a bound on the way of its points, those of parts without bounds aside, in m, and the angle
/// by which it may turn, in rad.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct MotionBound {
    pub(crate) way: f64,
    pub(crate) turn: f64,
}

impl MotionBound {
    /// Of a body of the given radius in `h` seconds with the velocities that it has.
    pub(crate) fn of(motion: &Motion, radius: f64, h: f64) -> Self {
        let turn = motion.angular_velocity_body.norm() * h;
        Self { way: motion.velocity.norm() * h + turn * radius, turn }
    }
}

/// The broad phase and the pairs that it found last.
#[derive(Debug, Clone)]
pub(crate) struct NearPairs {
    broad: Broad,
    /// The parts by their number in the broad phase.
    parts: Vec<PartId>,
    /// Those of bodies that are not fixed, and for every part whether it is one of them.
    moving: Vec<u32>,
    moves: Vec<bool>,
    /// Those without bounds that are no half-spaces.
    unbounded: Vec<u32>,
    /// What the broad phase said last, and the pairs of it that have a law.
    raw: Vec<(u32, u32)>,
    /// How many of them are of parts without bounds.
    with_unbounded: usize,
    pairs: Vec<PartPair>,
    /// The list before it was made last, and the features of a pair that are near.
    before: Vec<PartPair>,
    places: Vec<usize>,
    /// Whether there are pairs of which only some features are listed, or none.
    is_filtered: bool,
    /// What is asked besides, and the bounding spheres of the parts in their own axes.
    proximity: Proximity,
    spheres: Vec<Option<BoundingSphere>>,
}

/// Features are listed from a little farther than they can go, as a share of the distance of the bodies: rounding must
/// not lose one that touches.
const CLOSE: f64 = 1e-6;

impl NearPairs {
    /// All parts of a model where they are.
    pub(crate) fn new(model: &Model, placed: &Parts) -> Result<Self> {
        let mut near = Self {
            broad: Broad::new(0.0)?,
            parts: Vec::new(),
            moving: Vec::new(),
            moves: Vec::new(),
            unbounded: Vec::new(),
            raw: Vec::new(),
            with_unbounded: 0,
            pairs: Vec::new(),
            before: Vec::new(),
            places: Vec::new(),
            is_filtered: false,
            proximity: model.proximity(),
            spheres: Vec::new(),
        };
        for (i, body) in model.bodies().iter().enumerate() {
            let kind = if body.mobility == Mobility::Fixed { Kind::Static } else { Kind::Moving };
            for (k, part) in body.parts.iter().enumerate() {
                if !model.has_law(part.surface) {
                    continue;
                }
                let (number, part) = (near.parts.len() as u32, PartId::new(BodyId(i), k));
                let bounds = placed.collider(part).bounds();
                match plane(placed, part, 0.0)? {
                    Some(plane) => near.broad.insert_plane(number, &plane, kind, Filter::default())?,
                    None if bounds.is_bounded() => near.broad.insert(number, &bounds, kind)?,
                    None => near.unbounded.push(number),
                }
                if near.proximity != Proximity::Boxes {
                    let sphere = |shape: &Shape| BoundingSphere::new(shape.surface());
                    let shape = &placed.collider(part).shape;
                    near.spheres.push(if bounds.is_bounded() { Some(sphere(shape)?) } else { None });
                }
                near.parts.push(part);
                near.moves.push(kind == Kind::Moving);
                if kind == Kind::Moving {
                    near.moving.push(number);
                }
            }
        }
        Ok(near)
    }

    /// Whether no part can touch any other.
    pub(crate) fn is_empty(&self) -> bool {
        self.moving.is_empty()
    }

    /// The pairs that can touch while each body moves no farther than its reach, in declared order, and whether the
    /// list is another one than the last.
    pub(crate) fn find(
        &mut self,
        model: &Model,
        placed: &Parts,
        reach: impl Fn(BodyId) -> MotionBound,
    ) -> Result<(&[PartPair], bool)> {
        for &number in &self.moving {
            let part = self.parts[number as usize];
            let MotionBound { way, turn } = reach(part.body);
            if let Shape::Plane(_) = placed.collider(part).shape {
                let turned = if turn > 0.0 { turn * self.extent(placed, part) } else { 0.0 };
                if let Some(plane) = plane(placed, part, way + turned)? {
                    self.broad.update_plane(number, &plane)?;
                }
            } else if self.unbounded.binary_search(&number).is_err() {
                self.broad.update(number, &placed.collider(part).bounds().fattened(way))?;
            }
        }
        let raw = self.broad.pairs();
        let is_same = self.raw.len() >= raw.len() && self.raw[..raw.len()] == *raw;
        // Before the first list there are none of the pairs that parts without bounds bring.
        let has_all = self.with_unbounded > 0 || self.unbounded.is_empty();
        let is_same = has_all && is_same && self.raw.len() == raw.len() + self.with_unbounded;
        if is_same && !self.is_filtered {
            return Ok((&self.pairs, false));
        }
        if !is_same {
            self.raw.clear();
            self.raw.extend_from_slice(raw);
            for &one in &self.unbounded {
                for other in 0..self.parts.len() as u32 {
                    let moves = self.moves[one as usize] || self.moves[other as usize];
                    // Of two without bounds the later one brings the pair.
                    if other != one && moves && !(other > one && self.unbounded.contains(&other)) {
                        self.raw.push((one.min(other), one.max(other)));
                    }
                }
            }
            self.with_unbounded = self.raw.len() - raw.len();
        }
        std::mem::swap(&mut self.pairs, &mut self.before);
        self.list(model, placed, reach)?;
        Ok((&self.pairs, !is_same || self.pairs != self.before))
    }

    /// Lists the contacts of the pairs that are near: of pairs with many features, those that can close.
    fn list(&mut self, model: &Model, placed: &Parts, reach: impl Fn(BodyId) -> MotionBound) -> Result<()> {
        self.pairs.clear();
        self.is_filtered = false;
        for &(i, j) in &self.raw {
            let spheres = [i, j].map(|number| self.spheres.get(number as usize).and_then(Option::as_ref));
            let (i, j) = (self.parts[i as usize], self.parts[j as usize]);
            let Some(pair) = model.pair(PairId::new(i, j, 0)) else { continue };
            let count = model.feature_count(&pair);
            if let [Some(one), Some(other)] = spheres {
                // The list depends on where the bodies are, and not on their boxes alone.
                self.is_filtered = true;
                let (a, b) = (placed.collider(i), placed.collider(j));
                let way = reach(i.body).way + reach(j.body).way;
                let way = way + CLOSE * (a.pose.position - b.pose.position).norm();
                if self.proximity.separation_with([a, b], [one, other])? > way {
                    continue;
                }
            }
            if count == 1 {
                self.pairs.push(pair);
                continue;
            }
            let (a, b) = (placed.collider(pair.a), placed.collider(pair.b));
            self.places.clear();
            let way = reach(pair.a.body).way + reach(pair.b.body).way;
            let way = way + CLOSE * (a.pose.position - b.pose.position).norm();
            self.is_filtered |= near_features(a, b, count, way, &mut self.places)?;
            self.pairs.extend(self.places.iter().map(|&place| PartPair { feature: Some(place), ..pair }));
        }
        if self.with_unbounded > 0 {
            self.pairs.sort_unstable_by_key(PartPair::id);
        }
        Ok(())
    }

    /// The distance from a part's origin to the farthest point of all bounded parts.
    fn extent(&self, placed: &Parts, part: PartId) -> f64 {
        let from = placed.collider(part).pose.position;
        let far = |&other: &PartId| {
            let bounds = placed.collider(other).bounds();
            (bounds.centre() - from).norm() + 0.5 * bounds.extents().norm()
        };
        self.parts.iter().map(far).filter(|far| far.is_finite()).fold(0.0, f64::max)
    }

    /// Gives fixed bodies their places, where they were not yet known.
    pub(crate) fn place_fixed(&mut self, placed: &Parts) -> Result<()> {
        for (number, &part) in self.parts.iter().enumerate() {
            if !self.moves[number] && self.unbounded.binary_search(&(number as u32)).is_err() {
                match plane(placed, part, 0.0)? {
                    Some(plane) => self.broad.update_plane(number as u32, &plane)?,
                    None => self.broad.update(number as u32, &placed.collider(part).bounds())?,
                }
            }
        }
        Ok(())
    }

    /// The pairs that were found last.
    pub(crate) fn pairs(&self) -> &[PartPair] {
        &self.pairs
    }
}

/// A half-space in world axes, moved outwards by `reach`, if the part is one.
fn plane(placed: &Parts, part: PartId, reach: f64) -> Result<Option<Plane>> {
    let collider = placed.collider(part);
    let Shape::Plane(plane) = &collider.shape else { return Ok(None) };
    let normal = collider.pose.vector_to_world(plane.normal());
    let offset = plane.offset() + normal.dot(&collider.pose.position) + reach;
    Ok(Some(Plane::new(normal.into(), offset)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::BodyModel;
    use rattleback_geom::surface::{Ellipsoid, Sphere};
    use rattleback_geom::{Pose, Vec3};

    /// How many pairs are listed of two bodies, each of which may move by `way`.
    fn listed(proximity: Proximity, shapes: [Shape; 2], poses: [Pose; 2], way: f64) -> usize {
        let mut builder = Model::builder();
        let law = rattleback_contact::law::stiffness(1e5).unwrap();
        let surface = builder.surface_with("wood", law);
        for (k, (shape, pose)) in shapes.into_iter().zip(poses).enumerate() {
            builder.body(BodyModel::solid(format!("body {k}"), shape, 1.0, surface).unwrap().at(pose));
        }
        builder.proximity(proximity);
        let model = builder.build().unwrap();
        let placed = Parts::new(&model, &model.initial_state().motions);
        let mut near = NearPairs::new(&model, &placed).unwrap();
        let reach = |_| MotionBound { way, turn: 0.0 };
        let (first, _) = near.find(&model, &placed, reach).unwrap();
        let first = first.len();
        // Asked again, the list is the same.
        assert_eq!(near.find(&model, &placed, reach).unwrap().0.len(), first);
        first
    }

    #[test]
    fn spheres_and_the_quartic_leave_out_pairs_that_boxes_keep() {
        let balls = || [0, 1].map(|_| Shape::from(Sphere::new(1.0).unwrap()));
        let aside = [Pose::identity(), Pose::from_position(1.5, 1.5, 1.5)];
        // Rods side by side across the axes: balls about them share points, the rods do not.
        let rods = || [0, 1].map(|_| Shape::from(Ellipsoid::new([2.0, 0.1, 0.1]).unwrap()));
        let turned = Pose::identity().rotated(Vec3::new(0.0, 0.0, 1.0), 0.7).unwrap();
        let beside = [turned, Pose { position: Vec3::new(-0.258, 0.306, 0.0), ..turned }];
        for (proximity, expected) in
            [(Proximity::Boxes, [1, 1]), (Proximity::Spheres, [0, 1]), (Proximity::Quartic, [0, 0])]
        {
            let found = [listed(proximity, balls(), aside, 0.0), listed(proximity, rods(), beside, 0.0)];
            assert_eq!(found, expected, "{proximity:?}");
            // Bodies that may move so far are listed by all.
            let found = [listed(proximity, balls(), aside, 0.5), listed(proximity, rods(), beside, 0.5)];
            assert_eq!(found, [1, 1], "{proximity:?}");
        }
    }
}
