//! A mesh against a half-space: every connected part of the solid below the plane is a region.
//!
//! In the mesh's frame the plane is n·x = d, and the height of a vertex is h = n·x − d, rounded once and taken as
//! exact; one of height zero counts as above. So a triangle is cut in no edge or in two, and contours close without a
//! special case. Triangles with a vertex below hang together across every edge that has an end below. What hangs
//! together is a part of the surface below the plane, with the area Σ a over its segments (see [`super::measure`]; the
//! normal is the plane's). A part of negative area is the wall of a cavity that the plane cuts: it belongs to the least
//! part around it. A part without contour is a component below as a whole, or, where its volume is negative, a cavity,
//! which is left out.
//!
//! The depth is the greatest −h, the point the centroid of the area at half the depth; the middle of the part's box
//! where there is no contour. Where nothing is below the plane the lowest vertex is told, if it is within `reach`.
//!
//! The cost is that of the triangles below the plane.

use super::Region;
use super::half_space::{Below, surrounds};
use super::measure::{mean, projected, turned};
use super::mesh_mesh::classes::Classes;
use super::potential::{Piece, RegionPotential};
use crate::error::Result;
use rattleback_geom::mesh::tree::MAX_DEPTH;
use rattleback_geom::surface::{Mesh, Plane};
use rattleback_geom::{Aabb, Mat3, Pose, Vec3};

/// A part of the surface below the plane.
#[derive(Debug, Clone)]
struct Part {
    root: u32,
    /// Where its segments stand.
    first: usize,
    end: usize,
    area: f64,
    lowest: f64,
    bounds: Aabb,
    /// Six times the volume, for a part that is closed.
    volume: f64,
    /// The part that it belongs to: its own, or for the wall of a cavity the one around it.
    owner: u32,
}

/// Finds the regions of meshes against half-spaces; holds nothing but buffers.
#[derive(Debug, Clone, Default)]
pub(super) struct MeshPlane {
    /// The question a triangle was met in last, and its place in `below`.
    stamps: Vec<(u32, u32)>,
    question: u32,
    below: Vec<u32>,
    classes: Classes,
    /// With their part and the order in which they were found.
    segments: Vec<([u32; 2], [Vec3; 2])>,
    parts: Vec<Part>,
    numbers: Vec<u32>,
    /// What lies below, for the potentials.
    pieces: Vec<(u32, Piece)>,
}

impl MeshPlane {
    /// Adds the regions of a mesh (A) against a half-space (B).
    pub fn find(
        &mut self,
        mesh: &Mesh,
        pose: &Pose,
        plane: &Plane,
        pose_plane: &Pose,
        reach: f64,
        out: &mut Vec<Region>,
    ) -> Result<()> {
        let n = pose.vector_to_local(&pose_plane.vector_to_world(plane.normal()));
        let on = pose.point_to_local(&pose_plane.point_to_world(&(plane.normal() * plane.offset())));
        let below = Below { mesh, n, d: n.dot(&on) };
        self.gather(&below);
        if self.below.is_empty() {
            let lowest = mesh.tree().farthest(mesh.mesh(), &-n)?;
            let h = below.height(lowest as u32);
            if h <= reach {
                let point = mesh.mesh().vertices()[lowest] - n * (0.5 * h);
                out.push(to_world(Region::at_point(point, -n, -h), pose));
            }
            return Ok(());
        }
        self.connect(&below);
        self.measure(&below);
        self.take_off_cavities(&below);
        self.gather_pieces(&below);
        for (number, part) in (0u32..).zip(&self.parts) {
            let own = self.segments[part.first..part.end].iter().map(|(_, s)| *s);
            let (area, middle, spread) = if part.first < part.end {
                let centre = mean(own.clone());
                let (area, offset, spread) = projected(own, &centre, &-n);
                (area, centre + offset, spread)
            } else if part.volume > 0.0 {
                let centre = part.bounds.centre();
                (0.0, centre - n * (n.dot(&centre) - below.d), Mat3::zeros())
            } else {
                continue;
            };
            let depth = -part.lowest;
            let pieces = &self.pieces[self.pieces.partition_point(|(of, _)| *of < number)..];
            let own = pieces.iter().take_while(|(of, _)| *of == number).map(|(_, piece)| *piece);
            // The contour stays in the plane, whose normal is the contact's: nothing comes from its motion.
            let potential = RegionPotential::new(&middle, &(-n * area), own, std::iter::empty());
            let point = middle - n * (0.5 * depth);
            let potential = potential.map(|potential| potential.moved(&(point - middle)));
            out.push(to_world(Region { point, normal: -n, depth, area, spread, potential }, pose));
        }
        Ok(())
    }

    /// Collects the triangles with a vertex below the plane.
    fn gather(&mut self, below: &Below<'_>) {
        let tree = below.mesh.tree();
        let triangles = below.mesh.mesh().triangles();
        self.stamps.resize(triangles.len(), (0, 0));
        if self.question == u32::MAX {
            self.stamps.fill((0, 0));
            self.question = 0;
        }
        self.question += 1;
        self.below.clear();
        let size = tree.bounds().min.abs().sup(&tree.bounds().max.abs()).norm() + below.d.abs();
        let margin = 16.0 * f64::EPSILON * size;
        let mut stack = [0u32; MAX_DEPTH + 1];
        let mut height = 1;
        while height > 0 {
            height -= 1;
            let node = &tree.nodes()[stack[height] as usize];
            let bounds = node.bounds();
            let least =
                below.n.dot(&bounds.centre()) - below.n.abs().dot(&(bounds.extents() * 0.5)) - below.d;
            if least > margin {
                continue;
            }
            if let Some(children) = node.children() {
                for child in children.into_iter().rev() {
                    stack[height] = child as u32;
                    height += 1;
                }
                continue;
            }
            for &t in &tree.order()[node.range()] {
                if triangles[t as usize].iter().any(|&v| below.height(v) < 0.0) {
                    self.stamps[t as usize] = (self.question, self.below.len() as u32);
                    self.below.push(t);
                }
            }
        }
    }

    /// Unites triangles across edges that have an end below the plane: both triangles of such an edge were gathered.
    fn connect(&mut self, below: &Below<'_>) {
        self.classes.reset(self.below.len());
        for (k, &t) in self.below.iter().enumerate() {
            let corners = below.mesh.mesh().triangles()[t as usize];
            let neighbours = below.mesh.topology().neighbours(t as usize);
            for (side, neighbour) in neighbours.into_iter().enumerate() {
                let ends = [corners[side], corners[(side + 1) % 3]];
                if let Some(neighbour) = neighbour
                    && ends.iter().any(|&v| below.height(v) < 0.0)
                {
                    self.classes.unite(k as u32, self.stamps[neighbour].1);
                }
            }
        }
    }

    /// Makes a part of every set of triangles.
    fn measure(&mut self, below: &Below<'_>) {
        self.parts.clear();
        self.segments.clear();
        self.numbers.clear();
        let mesh = below.mesh.mesh();
        for k in 0..self.below.len() as u32 {
            let root = self.classes.root(k);
            // The root is the least of its set, hence met first.
            if root == k {
                let (lowest, bounds) = (f64::INFINITY, Aabb::EMPTY);
                let (area, volume) = (0.0, 0.0);
                let owner = self.parts.len() as u32;
                self.parts.push(Part { root, first: 0, end: 0, area, lowest, bounds, volume, owner });
            }
            let number = if root == k { self.parts.len() as u32 - 1 } else { self.numbers[root as usize] };
            self.numbers.push(number);
            let part = &mut self.parts[number as usize];
            let corners = mesh.triangles()[self.below[k as usize] as usize];
            for v in corners {
                part.lowest = part.lowest.min(below.height(v));
                part.bounds = part.bounds.including(&mesh.vertices()[v as usize]);
            }
            let origin = mesh.corners(self.below[part.root as usize] as usize)[0];
            let [a, b, c] = corners.map(|v| mesh.vertices()[v as usize] - origin);
            part.volume += a.dot(&b.cross(&c));
            if let Some(segment) = below.segment(corners) {
                let [p, q] = segment.map(|p| p - origin);
                part.area -= 0.5 * below.n.dot(&p.cross(&q));
                self.segments.push(([number, k], segment));
            }
        }
        self.sort_segments();
    }

    /// The parts of triangles below the plane, with the numbers of their parts.
    fn gather_pieces(&mut self, below: &Below<'_>) {
        self.pieces.clear();
        for (&t, &number) in self.below.iter().zip(&self.numbers) {
            let part = &self.parts[number as usize];
            if part.first == part.end && part.owner == number {
                continue;
            }
            let corners = below.mesh.mesh().triangles()[t as usize];
            let [a, b, c] = corners.map(|v| below.mesh.mesh().vertices()[v as usize]);
            let Some(normal) = (b - a).cross(&(c - a)).try_normalize(f64::MIN_POSITIVE) else { continue };
            let (polygon, count) = below.clipped(corners);
            for k in 2..count {
                let corners = [polygon[0], polygon[k - 1], polygon[k]];
                self.pieces.push((part.owner, Piece { body: 0, normal, corners }));
            }
        }
        self.pieces.sort_by_key(|(number, _)| *number);
    }

    /// Puts the segments of every part together, in the order in which they were found.
    fn sort_segments(&mut self) {
        self.segments.sort_unstable_by_key(|(key, _)| *key);
        let mut first = 0;
        for (number, part) in (0u32..).zip(&mut self.parts) {
            let count = self.segments[first..].iter().take_while(|(key, _)| key[0] == number).count();
            (part.first, part.end) = (first, first + count);
            first += count;
        }
    }

    /// Gives the walls of cavities that the plane cuts to the parts around them.
    fn take_off_cavities(&mut self, below: &Below<'_>) {
        let mut moved = false;
        for k in 0..self.parts.len() {
            let Part { first, end, area, .. } = self.parts[k];
            if first == end || area >= 0.0 {
                continue;
            }
            let p = self.segments[first].1[0];
            let mut best: Option<usize> = None;
            for (j, part) in self.parts.iter().enumerate() {
                let own = &self.segments[part.first..part.end];
                if part.area > 0.0
                    && best.is_none_or(|b| part.area < self.parts[b].area)
                    && surrounds(own.iter().map(|(_, s)| s), &p, &below.n)
                {
                    best = Some(j);
                }
            }
            if let Some(j) = best {
                self.segments[first..end].iter_mut().for_each(|(key, _)| key[0] = j as u32);
                self.parts[j].lowest = self.parts[j].lowest.min(self.parts[k].lowest);
                // It is no part of its own any more, nor a closed one.
                self.parts[k].volume = 0.0;
                self.parts[k].owner = j as u32;
                moved = true;
            }
        }
        if moved {
            self.sort_segments();
        }
    }
}

fn to_world(region: Region, pose: &Pose) -> Region {
    let Region { point, normal, depth, area, spread, potential } = region;
    Region {
        point: pose.point_to_world(&point),
        normal: pose.vector_to_world(&normal),
        depth,
        area,
        spread: turned(&spread, pose),
        potential: potential.map(|own| own.turned(|x| pose.vector_to_world(x))),
    }
}
