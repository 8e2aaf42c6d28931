//! Regions of two meshes, with their contours and the triangles they enclose.

use super::classes::Classes;
use super::contact_plane::ContactPlane;
use super::enclosed::{Enclosed, EnclosureQuery};
use super::facing::facing;
use super::surface::Surfaces;
use super::width::{Depth, Extent};
use crate::region::measure::{measure, turned};
use crate::region::{Region, RegionPotential};
use rattleback_geom::{Mat3, Pose, Vec3};
use std::ops::Range;

/// A point of a contour, in world axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContourPoint {
    /// The point.
    pub point: Vec3,
    /// The triangles of A and B in which the contour runs from here to the next point.
    pub triangles: [u32; 2],
}

/// A connected overlap of two meshes, in world axes.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshRegion {
    /// A point of the contact plane: the mean of the contours. The middle of the overlap where there are none.
    pub centre: Vec3,
    /// The unit normal from A to B: the plane's, or that of a face where the plane is tilted by a rim.
    pub normal: Vec3,
    /// The centroid of the projected area, in the plane.
    pub centroid: Vec3,
    /// The area that the contours enclose on the plane, in m².
    pub area: f64,
    /// The second moments of that area about its centroid, per area, in m².
    pub spread: Mat3,
    /// How far A rises above the plane plus how far B sinks below it, in m; less where a face parts them sooner.
    pub depth: f64,
    /// The point of A inside B that is farthest along the normal.
    pub deepest_a: Vec3,
    /// The point of B inside A that is farthest against it.
    pub deepest_b: Vec3,
    /// Whether one body, or one component of it, lies inside the other as a whole; there are no contours then.
    pub is_nested: bool,
    /// The potential of the overlap, with the moment about `centre`; none where it has no normal.
    pub potential: Option<RegionPotential>,
    /// The plane, the centroid and the indentation as Dopico et al. print them, where they were asked for and the
    /// contours have an area.
    pub contact_plane: Option<ContactPlane>,
    loops: Range<usize>,
    enclosed: [Range<usize>; 2],
}

impl MeshRegion {
    /// What the engine needs of it: as Dopico et al. have it, where that was asked for and is there.
    pub fn region(&self) -> Region {
        if let Some(ContactPlane { normal, centroid, depth }) = self.contact_plane {
            let Self { area, spread, .. } = *self;
            return Region { point: centroid, normal, depth, area, spread, potential: None };
        }
        let heights = [self.deepest_a, self.deepest_b].map(|p| self.normal.dot(&(p - self.centroid)));
        let point = self.centroid + self.normal * (0.5 * (heights[0] + heights[1]));
        let potential = self.potential.map(|potential| potential.moved(&(point - self.centre)));
        let Self { normal, depth, area, spread, .. } = *self;
        Region { point, normal, depth, area, spread, potential }
    }
}

/// All regions, with what they refer to.
#[derive(Debug, Clone, Default)]
pub(super) struct Regions {
    all: Vec<MeshRegion>,
    points: Vec<ContourPoint>,
    loops: Vec<Range<usize>>,
    enclosed: [Vec<u32>; 2],
    extents: Vec<Extent>,
    /// The area vectors.
    vectors: Vec<Vec3>,
    surfaces: Surfaces,
    /// Whether contact planes are asked for.
    pub on_contact_planes: bool,
    /// The region of each root element.
    numbers: Vec<u32>,
    /// Contours by region; triangles by region.
    sorted: Vec<(u32, u32)>,
}

/// Stands for no region.
const NONE: u32 = u32::MAX;

impl Regions {
    pub fn clear(&mut self) {
        self.all.clear();
        self.points.clear();
        self.loops.clear();
        self.extents.clear();
        self.vectors.clear();
        self.enclosed.iter_mut().for_each(Vec::clear);
    }

    pub fn all(&self) -> &[MeshRegion] {
        &self.all
    }

    pub fn contours<'a>(&'a self, region: &MeshRegion) -> impl Iterator<Item = &'a [ContourPoint]> {
        self.loops[region.loops.clone()].iter().map(|own| &self.points[own.clone()])
    }

    pub fn enclosed(&self, region: &MeshRegion, body: usize) -> &[u32] {
        &self.enclosed[body][region.enclosed[body].clone()]
    }

    /// Makes a region of every set of elements that has contours.
    pub fn measure(
        &mut self,
        questions: &[EnclosureQuery<'_>; 2],
        enclosed: &[Enclosed; 2],
        bases: [u32; 2],
        elements: &mut Classes,
    ) {
        let contours = questions[0].contours;
        // Contours are the first elements: the root of a set that has any is the first of them.
        self.numbers.clear();
        self.numbers.resize(contours.loops.len(), NONE);
        self.sorted.clear();
        let mut count = 0;
        for own in 0..contours.loops.len() as u32 {
            let number = &mut self.numbers[elements.root(own) as usize];
            if *number == NONE {
                *number = count;
                count += 1;
            }
            self.sorted.push((*number, own));
        }
        self.sorted.sort_unstable();
        let mut from = 0;
        while from < self.sorted.len() {
            let number = self.sorted[from].0;
            let to = from + self.sorted[from..].iter().take_while(|(n, _)| *n == number).count();
            self.measure_one(questions, from..to);
            from = to;
        }
        for body in 0..2 {
            self.look_inside(&questions[body], &enclosed[body], bases[body], elements);
        }
        for (region, extent) in self.all.iter_mut().zip(&self.extents) {
            let Depth { normal, depth, deepest } = extent.depth();
            (region.normal, region.depth) = (normal, depth);
            [region.deepest_a, region.deepest_b] = deepest;
            if let (Some(plane), Some(depth)) = (&mut region.contact_plane, extent.indentation()) {
                plane.depth = depth;
            }
        }
        if self.on_contact_planes {
            return;
        }
        self.find_potentials(questions, enclosed, bases, elements);
    }

    /// Finds the potentials of all regions with contours.
    fn find_potentials(
        &mut self,
        questions: &[EnclosureQuery<'_>; 2],
        enclosed: &[Enclosed; 2],
        bases: [u32; 2],
        elements: &mut Classes,
    ) {
        let Self { all, vectors, surfaces, numbers, .. } = self;
        let number = |root: u32| numbers.get(root as usize).copied().filter(|number| *number != NONE);
        surfaces.gather(questions, enclosed, bases, elements, number);
        let (mut pieces, mut borders) = (&surfaces.pieces[..], &surfaces.borders[..]);
        for ((number, region), vector) in (0u32..).zip(all).zip(vectors) {
            let own = pieces.partition_point(|(of, _)| *of <= number);
            let along = borders.partition_point(|(of, _)| *of <= number);
            let both = (&pieces[..own], &borders[..along]);
            (pieces, borders) = (&pieces[own..], &borders[along..]);
            let (own, along) =
                (both.0.iter().map(|(_, piece)| *piece), both.1.iter().map(|(_, border)| *border));
            region.potential = RegionPotential::new(&region.centre, vector, own, along);
        }
    }

    /// The plane of the contours that stand in a range of `sorted`.
    fn measure_one(&mut self, questions: &[EnclosureQuery<'_>; 2], range: Range<usize>) {
        let contours = questions[0].contours;
        let first = self.loops.len();
        for k in range.clone() {
            let own = &contours.order[contours.loops[self.sorted[k].1 as usize].clone()];
            let begin = self.points.len();
            self.points.extend(own.iter().map(|&s| ContourPoint {
                point: contours.points(s)[0],
                triangles: contours.segments[s as usize].triangles,
            }));
            self.loops.push(begin..self.points.len());
        }
        let sorted = &self.sorted;
        let own = range.flat_map(|k| &contours.order[contours.loops[sorted[k].1 as usize].clone()]);
        let segments = own.clone().map(|&s| contours.points(s));
        let found = measure(segments, || facing(questions, contours, own.clone()));
        let mut extent = Extent::new(found.normal, questions[0].placement);
        for point in &self.points[self.loops[first].start..] {
            for (question, t) in questions.iter().zip(point.triangles) {
                extent.face(question, t);
            }
        }
        let mut contact_plane = None;
        if self.on_contact_planes {
            let points = |own: &Range<usize>| self.points[own.clone()].iter().map(|at| at.point);
            contact_plane = ContactPlane::fit(self.loops[first..].iter().map(points), &found.normal);
        }
        if let Some(ContactPlane { normal, centroid, .. }) = &contact_plane {
            extent.measure_beyond(*normal, centroid, questions[0].placement);
        }
        for point in &self.points[self.loops[first].start..] {
            extent.include_point(&point.point);
        }
        self.extents.push(extent);
        self.vectors.push(found.vector);
        self.all.push(MeshRegion {
            centre: found.centre,
            normal: found.normal,
            centroid: found.centre + found.offset,
            area: found.area,
            spread: found.spread,
            depth: 0.0,
            deepest_a: found.centre,
            deepest_b: found.centre,
            is_nested: false,
            potential: None,
            contact_plane,
            loops: first..self.loops.len(),
            enclosed: [0..0, 0..0],
        });
    }

    /// Takes the vertices and triangles of one mesh that lie inside the other to their regions.
    fn look_inside(
        &mut self,
        question: &EnclosureQuery<'_>,
        enclosed: &Enclosed,
        base: u32,
        elements: &mut Classes,
    ) {
        let body = question.body;
        let loops = self.numbers.len() as u32;
        let mesh = question.meshes[body].mesh();
        let (vertices, triangles) = (mesh.vertices(), mesh.triangles());
        for (k, &v) in enclosed.corners.iter().enumerate() {
            if enclosed.windings[k].is_some_and(|w| w > 0) {
                let root = elements.root(base + k as u32);
                if root < loops {
                    let extent = &mut self.extents[self.numbers[root as usize] as usize];
                    extent.include_vertex(question, &vertices[v as usize]);
                }
            }
        }
        self.sorted.clear();
        for &(element, t) in &enclosed.triangles {
            let root = elements.root(element);
            if root < loops {
                self.sorted.push((self.numbers[root as usize], t));
            }
        }
        // Floods come one after the other: where there is one region they are in order.
        if !self.sorted.is_sorted_by_key(|(number, _)| *number) {
            self.sorted.sort_unstable();
        }
        let mut k = 0;
        for ((number, region), extent) in (0u32..).zip(&mut self.all).zip(&mut self.extents) {
            let begin = self.enclosed[body].len();
            while k < self.sorted.len() && self.sorted[k].0 == number {
                let t = self.sorted[k].1;
                self.enclosed[body].push(t);
                for v in triangles[t as usize] {
                    extent.include_vertex(question, &vertices[v as usize]);
                }
                k += 1;
            }
            region.enclosed[body] = begin..self.enclosed[body].len();
        }
    }

    /// Adds a region without contours.
    pub fn add_nested(&mut self, region: Region) {
        let Region { point, normal, depth, area, spread, .. } = region;
        self.all.push(MeshRegion {
            centre: point,
            normal,
            centroid: point,
            area,
            spread,
            depth,
            deepest_a: point + normal * (0.5 * depth),
            deepest_b: point - normal * (0.5 * depth),
            is_nested: true,
            potential: None,
            contact_plane: None,
            loops: 0..0,
            enclosed: [0..0, 0..0],
        });
    }

    /// Takes everything from B's frame to the world.
    pub fn place(&mut self, pose: &Pose) {
        for region in &mut self.all {
            region.normal = pose.vector_to_world(&region.normal);
            region.spread = turned(&region.spread, pose);
            region.potential = region.potential.map(|own| own.turned(|x| pose.vector_to_world(x)));
            region.contact_plane = region.contact_plane.map(|plane| plane.placed(pose));
            for p in [&mut region.centre, &mut region.centroid, &mut region.deepest_a, &mut region.deepest_b]
            {
                *p = pose.point_to_world(p);
            }
        }
        for p in &mut self.points {
            p.point = pose.point_to_world(&p.point);
        }
    }
}
