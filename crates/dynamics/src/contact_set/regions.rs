//! The regions of pairs that press on each other in several places, known again from step to step.
//!
//! A region has a place among those of its pair, which it keeps while it lasts, and a mark: where it was, in the frame
//! of the first part. The nearest of the regions found now is the one that was there, if it is not farther than a share
//! of the smaller part and its normal leans by less than 60°; pairs of regions are taken in the order of their
//! distances. New ones get the lowest places that are free.
//!
//! A region with a potential (`rattleback_contact::region::RegionPotential`) exerts the gradient of K sⁿ⁺¹/(n + 1),
//! whose friction is borne by four points that stand for its area, a quarter of the normal force each. Without a
//! potential a region with an area is borne by the points of `rattleback_contact::region::region_points`, of depths
//! δᵢ, each by the law of its share w = δⁿ/Σδᵢⁿ with the region's depth δ and the law's exponent n: together they push
//! as hard as the law says for δ, and what lies flat does not rock. On contact planes (`RegionLaw::ContactPlane`) it
//! is one force at the centroid.
//!
//! Where regions part or unite, or have a potential no longer, the energy of the pair is another one at the same
//! place: that is booked as a change of stiffness. As long as all of them have potentials and are as many as before,
//! nothing is.

use super::memory::ContactMemory;
use super::parts::Parts;
use crate::error::Result;
use crate::model::{PairId, PartPair};
use rattleback_contact::law::{ContactLaw, RegionLaw};
use rattleback_contact::region::{
    FrozenRegion, Region, RegionFinder, RegionPotential, has_regions, region_points, spread_points,
};
use rattleback_geom::{Pose, Vec3};

/// How far a region may have moved to be the same, in radii of the smaller part.
const STRAY: f64 = 0.5;
/// The least cosine between its normals.
const LEAN: f64 = 0.5;

/// A place where a pair presses, and its law.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RegionContact {
    pub(crate) region: Region,
    pub(crate) law: ContactLaw,
    /// The couple and the lever of its gap (`FrozenRegion`), in m.
    pub(crate) couple: [Vec3; 2],
    /// Whether its normal force is the gradient of a potential.
    pub(crate) has_potential: bool,
}

impl RegionContact {
    fn without_potential(region: Region, law: ContactLaw) -> Self {
        Self { region, law, couple: [Vec3::zeros(); 2], has_potential: false }
    }

    /// Holds it where the bodies are.
    pub(crate) fn freeze(&self, poses: [&Pose; 2]) -> FrozenRegion {
        FrozenRegion::with_couple(&self.region, self.couple, poses)
    }
}

/// A region's supports never have more than this many times their own weight: where they are much shallower than the
/// region they are near its border.
const MAX_SUPPORTS: f64 = 8.0;

/// A pair whose regions are looked for.
#[derive(Debug, Clone)]
pub(crate) struct RegionPair {
    pub(crate) pair: PartPair,
    finder: RegionFinder,
    /// The side whose part is the smaller one, and a radius about its origin that holds it, in m.
    smaller: (usize, f64),
    found: Vec<Region>,
    region_contacts: Vec<RegionContact>,
    places: Vec<usize>,
    links: Vec<(f64, usize, usize)>,
    changes: bool,
    /// Gap and gap rate when a step of fixed length began, in m and m/s, where the parts were apart and may meet in it.
    pub(crate) gap_before: Option<[f64; 2]>,
}

impl RegionPair {
    /// A pair, if its parts press on each other in regions.
    pub(crate) fn new(pair: &PartPair, contacts: &Parts) -> Option<Self> {
        let shapes = [pair.a, pair.b].map(|part| &contacts.collider(part).shape);
        if !has_regions(shapes[0], shapes[1]) {
            return None;
        }
        let radius = shapes.map(|shape| {
            let bounds = shape.surface().bounds();
            bounds.min.abs().sup(&bounds.max.abs()).norm()
        });
        let smaller = if radius[0] < radius[1] { (0, radius[0]) } else { (1, radius[1]) };
        Some(Self {
            pair: *pair,
            finder: match pair.law.regions() {
                RegionLaw::ContactPlane => RegionFinder::on_contact_planes(),
                RegionLaw::Energy | RegionLaw::Depth => RegionFinder::new(),
            },
            smaller,
            found: Vec::new(),
            region_contacts: Vec::new(),
            places: Vec::new(),
            links: Vec::new(),
            changes: false,
            gap_before: None,
        })
    }

    /// Finds all regions, and those that may close within `h` seconds; each with its place.
    pub(crate) fn look<'s>(
        &'s mut self,
        contacts: &Parts,
        memory: &ContactMemory,
        h: f64,
    ) -> Result<impl Iterator<Item = (usize, &'s RegionContact)> + use<'s>> {
        let reach = 2.0 * h * self.speed(contacts);
        let [a, b] = [self.pair.a, self.pair.b].map(|part| contacts.collider(part));
        self.finder.find(&a.shape, &a.pose, &b.shape, &b.pose, reach, &mut self.found)?;
        self.region_contacts.clear();
        for k in 0..self.found.len() {
            self.spread(contacts, k)?;
        }
        self.recognise(contacts, memory);
        self.changes = self.is_changed(memory);
        Ok(self.places.iter().copied().zip(&self.region_contacts))
    }

    /// Whether the energy of the pair is not the one potential that it was.
    pub(crate) fn changes(&self) -> bool {
        self.changes
    }

    fn is_changed(&self, memory: &ContactMemory) -> bool {
        let before = memory.regions(&self.pair.id()).iter().filter(|(_, known)| known.contact.is_some());
        let pressing = self.region_contacts.iter().filter(|contact| contact.region.depth > 0.0);
        let [old, new] = [before.clone().count(), pressing.clone().count()];
        (old > 0 && new > 0 && old != new)
            || before.clone().any(|(_, known)| !known.has_potential)
            || pressing.clone().any(|contact| !contact.has_potential)
    }

    /// Adds the spots of a region.
    fn spread(&mut self, contacts: &Parts, k: usize) -> Result<()> {
        let region = self.found[k];
        let law = self.pair.law;
        let [a, b] = [self.pair.a, self.pair.b].map(|part| contacts.collider(part));
        if let (Some(potential), RegionLaw::Energy) = (&region.potential, law.regions()) {
            self.press(&region, potential, &a.pose);
            return Ok(());
        }
        if law.regions() == RegionLaw::ContactPlane {
            self.region_contacts.push(RegionContact::without_potential(region, law));
            return Ok(());
        }
        let (points, count) = region_points(&region, (&a.shape, &a.pose), (&b.shape, &b.pose))?;
        let n = law.exponent();
        let sum: f64 = points.iter().flatten().map(|support| support.depth.powf(n)).sum();
        if count == 0 || !(sum * MAX_SUPPORTS > region.depth.powf(n)) {
            self.region_contacts.push(RegionContact::without_potential(region, law));
            return Ok(());
        }
        let law = law.of_share(region.depth.powf(n) / sum);
        for support in points.iter().flatten() {
            let region = Region { point: support.point, depth: support.depth, ..region };
            self.region_contacts.push(RegionContact::without_potential(region, law));
        }
        Ok(())
    }

    /// Adds the spots of a region with a potential.
    ///
    /// The normal forces of all have the same line at these poses, wherever their friction acts: that of the
    /// potential's gradient. As the bodies turn on, the gap of each grows by the lever y × n more, with Σy = 0 and the
    /// mean of y yᵀ 3/n times the area's second moments: together they resist with the potential's own 3 K sⁿ⁻¹⟨x²⟩,
    /// so that regions that are held for a step resist it within the step.
    fn press(&mut self, region: &Region, potential: &RegionPotential, pose: &Pose) {
        let stretch = potential.stretch();
        let (normal, moment) = (potential.force / stretch, potential.moment / stretch);
        let region = Region { normal, depth: potential.depth / stretch, ..*region };
        let wide = (3.0 / self.pair.law.exponent()).sqrt();
        let mut push = |point: Vec3, share: f64| {
            let aside = point - region.point;
            let couple = [moment - aside.cross(&normal), (aside * wide).cross(&normal)];
            let law = self.pair.law.of_potential(stretch, share);
            let region = Region { point, ..region };
            self.region_contacts.push(RegionContact { region, law, couple, has_potential: true });
        };
        if !(region.area > 0.0) {
            push(region.point, 1.0);
            return;
        }
        for point in spread_points(&region, pose) {
            push(point, 0.25);
        }
    }

    /// A bound on the speed at which the smaller part moves against the other, in m/s.
    pub(crate) fn speed(&self, contacts: &Parts) -> f64 {
        let (side, radius) = self.smaller;
        let parts = [self.pair.a, self.pair.b];
        let (own, other) = (contacts.twist(parts[side]), contacts.twist(parts[1 - side]));
        let arm =
            contacts.collider(parts[side]).pose.position - contacts.collider(parts[1 - side]).pose.position;
        (own.velocity - other.at(&arm)).norm()
            + (own.angular_velocity - other.angular_velocity).norm() * radius
    }

    fn recognise(&mut self, contacts: &Parts, memory: &ContactMemory) {
        let first = self.pair.id();
        let pose = &contacts.collider(self.pair.a).pose;
        self.links.clear();
        for &(PairId { region: place, .. }, known) in memory.regions(&first) {
            let (Some(region_point), Some(normal), Some(_)) =
                (known.region_point, known.normal, known.contact)
            else {
                continue;
            };
            let region_point = pose.point_to_world(&region_point);
            for (k, RegionContact { region, .. }) in self.region_contacts.iter().enumerate() {
                let far = (region.point - region_point).norm();
                if far <= STRAY * self.smaller.1 && normal.dot(&region.normal) >= LEAN {
                    self.links.push((far, place, k));
                }
            }
        }
        self.links.sort_unstable_by(|x, y| x.0.total_cmp(&y.0).then((x.1, x.2).cmp(&(y.1, y.2))));
        self.places.clear();
        self.places.resize(self.region_contacts.len(), usize::MAX);
        for &(_, place, k) in &self.links {
            if self.places[k] == usize::MAX && !self.places.contains(&place) {
                self.places[k] = place;
            }
        }
        let mut next = 0;
        for k in 0..self.places.len() {
            if self.places[k] == usize::MAX {
                while self.places.contains(&next) || is_taken(memory, PairId::new(first.a, first.b, next)) {
                    next += 1;
                }
                self.places[k] = next;
            }
        }
    }
}

/// Whether a contact goes on under that place: one that is not found any more still has to end there.
fn is_taken(memory: &ContactMemory, id: PairId) -> bool {
    memory.get(&id).is_some_and(|known| known.contact.is_some())
}

/// Where a region is remembered: its point in the frame of the first part.
pub(crate) fn region_point(contacts: &Parts, pair: &PartPair, point: &Vec3) -> Vec3 {
    contacts.collider(pair.a).pose.point_to_local(point)
}
