//! The search for new contacts: the gaps of all pairs of parts that may touch.
//!
//! Convex bodies are asked about by the narrow phase, which knows how deep they overlap; others by trees over their
//! charts (`rattleback_contact::near`), made once. Convex bodies of which one rests on the other are not watched: they
//! touch nowhere else. But capsules may lie on their sides (`ends.rs`).
//!
//! A pair meets where its gap falls by [`SLOP`] times its size below zero, or below what it is at first if it overlaps
//! already: so bodies that have just parted, whose gap is zero but for rounding, have a sign. Trees are asked for gaps
//! up to a reach, a share of the size of the smaller part; bodies in flight go no farther in one segment than their
//! distance and half of the reach allow.

use super::assembly::Assembly;
use super::ends::End;
use super::impact::Impact;
use super::rigid_contact::{ContactList, atlas};
use crate::body::Motion;
use crate::contact_set::Parts;
use crate::error::Result;
use crate::model::{Model, PartId, PartPair};
use rattleback_contact::Touch;
use rattleback_contact::near::{ChartTree, Kind, Side, Workspace, near, refine};
use rattleback_geom::chart::Place;
use rattleback_geom::surface::Shape;
use rattleback_geom::{Pose, Vec3};
use std::collections::BTreeMap;

/// An overlap that counts as touching, as a share of the size of the smaller part.
const SLOP: f64 = 1e-10;
/// How far trees are asked, as a share of the size of the smaller part: less than walls are thick.
const REACH: f64 = 0.02;
/// The share of the time in which a gap cannot close that is trusted: bodies may become faster.
const SAFETY: f64 = 0.5;
/// Two places closer than this share of the size are one.
const SAME: f64 = 1e-6;

/// A place where two parts touch or come nearest.
#[derive(Debug, Clone, Copy)]
pub struct NearPlace {
    /// Point and normal.
    pub impact: Impact,
    /// The places on A and B.
    pub places: [Place; 2],
    /// The gap, in m.
    pub gap: f64,
}

/// All pairs that may touch, and the trees of those parts that need one.
#[derive(Debug)]
pub struct PairTrees<'m> {
    pub(super) model: &'m Model,
    pairs: Vec<PartPair>,
    trees: BTreeMap<PartId, ChartTree>,
    sizes: BTreeMap<PartId, f64>,
}

impl<'m> PairTrees<'m> {
    /// Makes the trees of a model; an error where a part has no charts.
    pub fn new(model: &'m Model) -> Result<Self> {
        let pairs = model.all_pairs();
        let (mut trees, mut sizes) = (BTreeMap::new(), BTreeMap::new());
        for part in pairs.iter().flat_map(|pair| [pair.a, pair.b]) {
            if sizes.contains_key(&part) {
                continue;
            }
            let charts = atlas(model, part)?;
            let is_plane = matches!(shape(model, part), Shape::Plane(_));
            sizes.insert(part, shape(model, part).surface().bounds().extents().max());
            if !is_plane {
                trees.insert(part, ChartTree::new(charts)?);
            }
        }
        Ok(Self { model, pairs, trees, sizes })
    }

    /// All pairs.
    pub fn pairs(&self) -> &[PartPair] {
        &self.pairs
    }

    fn side(&self, part: PartId) -> Result<Side<'_>> {
        Ok(match (shape(self.model, part), self.trees.get(&part)) {
            (_, Some(tree)) => Side::Charted { tree, atlas: atlas(self.model, part)? },
            (Shape::Plane(plane), None) => Side::Plane(plane),
            (_, None) => unreachable!("every part that is not a plane has a tree"),
        })
    }

    /// Whether the narrow phase answers for a pair.
    pub(super) fn is_convex(&self, pair: &PartPair) -> bool {
        [pair.a, pair.b].into_iter().all(|part| {
            let shape = shape(self.model, part);
            matches!(shape, Shape::Plane(_)) || shape.surface().as_support().is_some()
        })
    }

    /// The size of the smaller part of a pair.
    pub fn size(&self, pair: &PartPair) -> f64 {
        let of = |part| self.sizes.get(part).copied().unwrap_or(f64::INFINITY);
        of(&pair.a).min(of(&pair.b))
    }

    pub(super) fn poses(&self, pair: &PartPair, motions: &[Motion]) -> [Pose; 2] {
        [pair.a, pair.b].map(|PartId { body, index: part }| {
            motions[body.0].pose.compose(&self.model.body(body).parts[part].pose)
        })
    }

    /// All places where the parts of a pair come nearest, closer than `reach`.
    pub fn find(&self, pair: &PartPair, motions: &[Motion], reach: f64) -> Result<Vec<NearPlace>> {
        let [pose_a, pose_b] = self.poses(pair, motions);
        if self.is_convex(pair) {
            let parts = Parts::new(self.model, motions);
            let (ends, same) = (self.ends(pair, &parts, [&pose_a, &pose_b])?, self.same(pair));
            let least = ends.iter().map(|end| end.touch.gap).fold(f64::INFINITY, f64::min);
            let nearest = parts.touch(pair, None)?;
            let mut found: Vec<NearPlace> = Vec::new();
            for end in ends.iter().filter(|end| end.faces) {
                let place = self.common_normal(pair, [&pose_a, &pose_b], &end.touch, Some(end))?;
                let other = |known: &NearPlace| (known.impact.point - place.impact.point).norm() > same;
                if found.iter().all(other) {
                    found.push(place);
                }
            }
            if found.is_empty() || nearest.gap < least - same {
                found.push(self.common_normal(pair, [&pose_a, &pose_b], &nearest, None)?);
            }
            return Ok(found);
        }
        let (side_a, side_b) = (self.side(pair.a)?, self.side(pair.b)?);
        let mut work = Workspace::new();
        let all = near(&side_a, &pose_a, &side_b, &pose_b, reach, &mut work)?;
        let mut found = Vec::new();
        for near in all {
            let mut places = near.places;
            for (k, (part, pose)) in [(pair.a, &pose_a), (pair.b, &pose_b)].into_iter().enumerate() {
                if let Shape::Plane(_) = shape(self.model, part) {
                    places[k] = atlas(self.model, part)?.locate(&pose.point_to_local(&near.points[k]))?;
                }
            }
            let point = (near.points[0] + near.points[1]) * 0.5;
            found.push(NearPlace {
                impact: Impact { pair: *pair, point, normal: near.normal },
                places,
                gap: near.gap,
            });
        }
        Ok(found)
    }

    /// The places of two convex parts where they touch; of an end of a capsule on that end.
    fn common_normal(
        &self,
        pair: &PartPair,
        [pose_a, pose_b]: [&Pose; 2],
        touch: &Touch,
        end: Option<&End>,
    ) -> Result<NearPlace> {
        let place = |part: PartId, pose: &Pose, point: &Vec3| -> Result<Place> {
            let local = pose.point_to_local(point);
            let of_end = end.filter(|end| end.part == part).map_or(local, |end| end.beyond(&local));
            Ok(atlas(self.model, part)?.locate(&of_end)?)
        };
        let start = [place(pair.a, pose_a, &touch.point_a)?, place(pair.b, pose_b, &touch.point_b)?];
        let (side_a, side_b) = (self.side(pair.a)?, self.side(pair.b)?);
        // Newton's last steps make the normals opposite to rounding.
        let places = refine(&side_a, pose_a, &side_b, pose_b, start)?.map_or(start, |near| near.places);
        let places =
            [self.settled(pair.a, &places[0], &start[0]), self.settled(pair.b, &places[1], &start[1])];
        let point = (touch.point_a + touch.point_b) * 0.5;
        Ok(NearPlace { impact: Impact { pair: *pair, point, normal: touch.normal }, places, gap: touch.gap })
    }

    /// The refined place, except on a plane, whose own chart is exact.
    fn settled(&self, part: PartId, refined: &Place, located: &Place) -> Place {
        if matches!(shape(self.model, part), Shape::Plane(_)) { *located } else { *refined }
    }

    /// How far a pair is looked for.
    pub fn reach(&self, pair: &PartPair) -> f64 {
        REACH * self.size(pair)
    }

    /// An overlap that counts as touching.
    pub fn slop(&self, pair: &PartPair) -> f64 {
        SLOP * self.size(pair)
    }

    /// Two places closer than this are one.
    pub fn same(&self, pair: &PartPair) -> f64 {
        SAME * self.size(pair)
    }

    /// For how long, in s, no pair of bodies in flight can go through another unseen.
    pub fn horizon(&self, rigid_contacts: ContactList<'_>, motions: &[Motion]) -> f64 {
        let watched = self
            .pairs
            .iter()
            .filter(|pair| !self.is_convex(pair) && !has_rigid_contact(rigid_contacts, pair));
        let time = |pair| self.time(pair, motions, self.apart(pair, motions).max(0.5 * self.reach(pair)));
        watched.map(time).fold(f64::INFINITY, f64::min)
    }

    /// The time, in s, that the parts of a pair need at least to come closer by `distance`.
    fn time(&self, pair: &PartPair, motions: &[Motion], distance: f64) -> f64 {
        let (speed, gravity) = (self.speed(pair, motions), self.model.gravity().norm());
        // The distance is not covered before s t + g t² = d.
        2.0 * distance / (speed + (speed * speed + 4.0 * gravity * distance).sqrt())
    }

    /// A lower bound of the distance of two parts, from the spheres around them; not positive where these overlap.
    fn apart(&self, pair: &PartPair, motions: &[Motion]) -> f64 {
        let poses = self.poses(pair, motions);
        let ball = |part: &PartId, pose: &Pose| {
            let (centre, radius) = self.trees.get(part)?.sphere();
            Some((pose.point_to_world(&centre), radius))
        };
        match (ball(&pair.a, &poses[0]), ball(&pair.b, &poses[1])) {
            (Some((p, r)), Some((q, s))) => (q - p).norm() - r - s,
            (Some(ball), None) => self.above(pair.b, &poses[1], ball),
            (None, Some(ball)) => self.above(pair.a, &poses[0], ball),
            (None, None) => 0.0,
        }
    }

    /// How far a ball is above a plane.
    fn above(&self, plane: PartId, pose: &Pose, (centre, radius): (Vec3, f64)) -> f64 {
        let Shape::Plane(plane) = shape(self.model, plane) else { return 0.0 };
        plane.normal().dot(&pose.point_to_local(&centre)) - plane.offset() - radius
    }

    /// A bound on the speed of any point of one part against any of the other.
    fn speed(&self, pair: &PartPair, motions: &[Motion]) -> f64 {
        let of = |part: PartId| {
            let motion = &motions[part.body.0];
            let arm = self.model.body(part.body).parts[part.index].pose.position.norm();
            let radius = self.sizes.get(&part).copied().filter(|size| size.is_finite()).unwrap_or(0.0);
            motion.angular_velocity_body.norm() * (arm + radius)
        };
        (motions[pair.a.body.0].velocity - motions[pair.b.body.0].velocity).norm() + of(pair.a) + of(pair.b)
    }
}

/// Whether a pair has a rigid contact.
pub fn has_rigid_contact(rigid_contacts: ContactList<'_>, pair: &PartPair) -> bool {
    rigid_contacts.of_parts(pair.id()).next().is_some()
}

pub(super) fn shape(model: &Model, PartId { body, index: part }: PartId) -> &Shape {
    &model.body(body).parts[part].shape
}

/// The pairs that are watched in a segment.
#[derive(Debug)]
pub struct GapScan<'m> {
    pair_trees: &'m PairTrees<'m>,
    pairs: Vec<PartPair>,
    contacts: Parts,
    work: Workspace,
    /// For each pair: when it was last asked about, its gap then, and until when it cannot close.
    known: Vec<Option<KnownGap>>,
    /// For each pair the overlap at which it meets, once its first gap is known.
    levels: Vec<Option<f64>>,
}

#[derive(Debug, Clone, Copy)]
struct KnownGap {
    time: f64,
    gap: f64,
    clear: f64,
}

impl<'m> GapScan<'m> {
    /// The pairs to be watched while bodies have the contacts `rigid_contacts`.
    pub fn new(pair_trees: &'m PairTrees<'m>, rigid_contacts: ContactList<'_>, motions: &[Motion]) -> Self {
        let worth =
            |pair: &&PartPair| !has_rigid_contact(rigid_contacts, pair) || !pair_trees.touches_once(pair);
        let pairs: Vec<PartPair> = pair_trees.pairs.iter().filter(worth).copied().collect();
        let (known, levels) = (vec![None; pairs.len()], vec![None; pairs.len()]);
        let contacts = Parts::new(pair_trees.model, motions);
        Self { pair_trees, pairs, contacts, work: Workspace::new(), known, levels }
    }

    /// The pairs.
    pub fn pairs(&self) -> &[PartPair] {
        &self.pairs
    }

    /// The gap of a pair where it has no rigid contact already, no more than the reach, plus the overlap at which it
    /// meets.
    ///
    /// A pair that overlaps when it is first asked about, because it has just bounced in another place, meets when it
    /// overlaps by that much more: it has a sign, and no place of it sinks in unseen.
    pub fn gap(&mut self, pair: usize, time: f64, assembly: &Assembly<'_>) -> Result<f64> {
        let gap = self.left(pair, time, assembly)?;
        let slop = self.pair_trees.slop(&self.pairs[pair]);
        let level = *self.levels[pair].get_or_insert(slop - gap.min(0.0));
        Ok(gap + level)
    }

    /// A gap cannot close faster than its bodies move: until then there is no new query, and the gap is what is left of
    /// it at the least.
    fn left(&mut self, pair: usize, time: f64, assembly: &Assembly<'_>) -> Result<f64> {
        if let Some(known) = self.known[pair].filter(|known| (known.time..known.clear).contains(&time)) {
            return Ok(known.gap * (1.0 - 0.5 * (time - known.time) / (known.clear - known.time)));
        }
        let gap = self.least(pair, assembly)?;
        let (pair_trees, watched) = (self.pair_trees, &self.pairs[pair]);
        let clear = time + SAFETY * pair_trees.time(watched, &assembly.motions, gap.max(0.0));
        self.known[pair] = Some(KnownGap { time, gap, clear });
        Ok(gap)
    }

    /// The least gap of a pair where it has no rigid contact already; by trees no more than the reach.
    fn least(&mut self, pair: usize, assembly: &Assembly<'_>) -> Result<f64> {
        let (pair_trees, watched) = (self.pair_trees, &self.pairs[pair]);
        if pair_trees.is_convex(watched) {
            for body in [watched.a.body, watched.b.body] {
                self.contacts.place(pair_trees.model, body, &assembly.motions[body.0]);
            }
            return self.least_of_convex(pair, assembly);
        }
        let reach = pair_trees.reach(watched);
        if pair_trees.apart(watched, &assembly.motions) > reach {
            return Ok(reach);
        }
        let [pose_a, pose_b] = pair_trees.poses(watched, &assembly.motions);
        let (side_a, side_b) = (pair_trees.side(watched.a)?, pair_trees.side(watched.b)?);
        let (known, same) = (rigid_contact_points(assembly, watched), pair_trees.same(watched));
        let all = near(&side_a, &pose_a, &side_b, &pose_b, reach, &mut self.work)?;
        let other = |point: &Vec3| known.iter().all(|known| (point - known).norm() > same);
        let minima = all.iter().filter(|near| near.kind != Kind::Saddle && other(&near.points[0]));
        Ok(minima.map(|near| near.gap).fold(reach, f64::min))
    }

    /// The least gap of two convex parts; of capsules where an end has no rigid contact already.
    fn least_of_convex(&self, pair: usize, assembly: &Assembly<'_>) -> Result<f64> {
        let (pair_trees, pair) = (self.pair_trees, &self.pairs[pair]);
        let known = rigid_contact_points(assembly, pair);
        if known.is_empty() {
            return Ok(self.contacts.touch(pair, None)?.gap);
        }
        let same = pair_trees.same(pair);
        let [pose_a, pose_b] = pair_trees.poses(pair, &assembly.motions);
        let ends = pair_trees.ends(pair, &self.contacts, [&pose_a, &pose_b])?;
        let other = |end: &&End| known.iter().all(|point| (end.touch.point_a - point).norm() > same);
        let gaps = ends.iter().filter(other).map(|end| end.touch.gap);
        Ok(gaps.fold(pair_trees.reach(pair), f64::min))
    }
}

/// The points of a pair's rigid contacts.
fn rigid_contact_points(assembly: &Assembly<'_>, pair: &PartPair) -> Vec<Vec3> {
    let layout = &assembly.layout;
    let of_pair = |number: &usize| {
        let contact = layout.rigid_contacts[*number].as_ref();
        contact.is_some_and(|contact| contact.pair(layout.owner(*number)).parts() == pair.id().parts())
    };
    let all = (0..layout.rigid_contacts.len()).filter(of_pair);
    all.filter_map(|number| Some(assembly.touching[number].as_ref()?.point)).collect()
}
