//! What is wrong with the triangles of a file, and what can be set right without guessing at the shape.
//!
//! | fault | what is done |
//! |---|---|
//! | vertices at the same place | joined; where rims are left, those within a millionth of the size are joined too |
//! | triangles without area | dropped; one whose corners lie in a row splits the neighbour across its longest side (`flat.rs`) |
//! | the same triangle again | dropped |
//! | loose pieces with a rim, of less than a hundredth of the area | dropped |
//! | triangles turned against their neighbours | turned, the fewer of each part |
//! | parts inside out | turned |
//! | parts without volume, or in solid material | dropped |
//! | parts that cross | kept |
//! | small closed parts | kept, and told |
//! | vertices where rings of triangles touch that share no edge | divided, one for each ring |
//! | holes | closed where that is asked for (`holes.rs`) |
//! | other holes, edges of more than two triangles, one-sided meshes | refused with all their places |
//!
//! A mesh without faults comes back bit by bit. What is done depends on the triangles and not on their order. That
//! triangles do not cut each other is not checked.

mod bow_ties;
mod finding;
mod flat;
mod holes;
pub(crate) mod orient;
mod rims;
mod weld;

pub use finding::Finding;

use super::{Topology, Tree, TriMesh};
use crate::error::{GeomError, Result, finite3};
use crate::{Aabb, Vec3};
use std::collections::HashSet;

/// Two vertices nearer than this share of the size may be one: single precision keeps seven digits.
const WELD: f64 = 1e-6;

/// A triangle lower than this share of the size has no area: its corners' rounding is as large.
const FLAT: f64 = 1e-14;

/// A piece with a rim that has less than this share of the whole area is no part of the solid.
const LOOSE: f64 = 0.01;

/// A closed part of less than this share of the largest part's volume is told.
const SMALL: f64 = 1e-3;

/// Vertices and triangles as a file has them, whether a mesh can be made of them or not.
#[derive(Debug, Clone, PartialEq)]
pub struct Facets {
    /// The vertices, in metres.
    pub vertices: Vec<Vec3>,
    /// Three vertex indices each.
    pub triangles: Vec<[u32; 3]>,
}

/// What is set right beyond what needs no guess.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RepairSettings {
    /// Closes holes by triangles over their rims.
    pub close_holes: bool,
}

/// A mesh and what was done to get it.
#[derive(Debug, Clone, PartialEq)]
pub struct Repaired {
    /// Closed, its faces turned outwards.
    pub mesh: TriMesh,
    /// What was found and done, in this order.
    pub findings: Vec<Finding>,
}

impl Facets {
    /// A mesh of them as they are; nothing is set right.
    pub fn into_mesh(self) -> Result<TriMesh> {
        TriMesh::new(self.vertices, self.triangles)
    }

    /// A closed mesh of them, set right where that needs no guess; the table above says what is done and refused.
    pub fn repaired(self) -> Result<Repaired> {
        self.repaired_with(&RepairSettings::default())
    }

    /// The same, and what the settings ask for.
    pub fn repaired_with(mut self, settings: &RepairSettings) -> Result<Repaired> {
        let mut findings = Vec::new();
        self.check()?;
        if let Some((mesh, topology)) = self.sound()? {
            return self.turn_parts(mesh, &topology, findings);
        }
        self.weld(0.0, &mut findings);
        self.drop_flat(&mut findings);
        self.drop_repeated(&mut findings);
        let has_rims = Topology::new(&self.mesh()?).faults().border_edges > 0;
        if has_rims && self.weld(WELD * diagonal(&self.vertices), &mut findings) {
            self.drop_flat(&mut findings);
            self.drop_repeated(&mut findings);
        }
        self.drop_loose(&mut findings)?;
        if settings.close_holes {
            self.close_holes(&mut findings)?;
        }
        let mesh = self.mesh()?;
        rims::refuse_faults(&mesh, &Topology::new(&mesh))?;
        self.turn_flipped(&mut findings)?;
        self.split_bow_ties(&mut findings)?;
        let mesh = self.mesh()?;
        let topology = Topology::closed(&mesh)?;
        self.turn_parts(mesh, &topology, findings)
    }

    /// A surface that may have rims, set right where that needs no guess, its triangles turned alike. Edges of more
    /// than two triangles are refused; vertices that belong together only by rounding are joined, as those of solids
    /// are.
    pub fn repaired_open(mut self) -> Result<Repaired> {
        let mut findings = Vec::new();
        self.check()?;
        self.weld(0.0, &mut findings);
        self.drop_flat(&mut findings);
        self.drop_repeated(&mut findings);
        if self.weld(WELD * diagonal(&self.vertices), &mut findings) {
            self.drop_flat(&mut findings);
            self.drop_repeated(&mut findings);
        }
        let mesh = self.mesh()?;
        rims::refuse_crowded(&mesh, &Topology::new(&mesh))?;
        self.turn_flipped(&mut findings)?;
        self.split_bow_ties(&mut findings)?;
        Ok(Repaired { mesh: self.into_mesh()?, findings })
    }

    fn mesh(&self) -> Result<TriMesh> {
        TriMesh::new(self.vertices.clone(), self.triangles.clone())
    }

    /// The mesh and how it hangs together, if it is closed as it is; most files are.
    fn sound(&self) -> Result<Option<(TriMesh, Topology)>> {
        let mesh = match self.mesh() {
            Err(GeomError::DegenerateTriangle { .. }) => return Ok(None),
            other => other?,
        };
        let topology = Topology::new(&mesh);
        Ok(topology.is_closed().then_some((mesh, topology)))
    }

    /// Refuses what nothing sets right: indices that point nowhere, coordinates that are no numbers.
    fn check(&self) -> Result<()> {
        let count = self.vertices.len();
        for (i, v) in self.vertices.iter().enumerate().filter(|(_, v)| !v.iter().all(|x| x.is_finite())) {
            finite3(&format!("vertices[{i}]"), v)?;
        }
        for (triangle, corners) in self.triangles.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|v| **v as usize >= count) {
                return Err(GeomError::VertexOutOfRange { triangle, vertex, count });
            }
        }
        Ok(())
    }

    /// Drops triangles of less than three different corners, and splits the neighbours of those whose corners lie in a
    /// row.
    fn drop_flat(&mut self, findings: &mut Vec<Finding>) {
        let lowest = FLAT * diagonal(&self.vertices);
        let (count, first) = flat::drop_flat(&self.vertices, &mut self.triangles, lowest);
        if count > 0 {
            findings.push(Finding::Degenerate { triangles: count, first });
        }
    }

    fn drop_repeated(&mut self, findings: &mut Vec<Finding>) {
        let before = self.triangles.len();
        let mut seen = HashSet::with_capacity(before);
        self.triangles.retain(|t| {
            let mut key = *t;
            key.sort_unstable();
            seen.insert(key)
        });
        if self.triangles.len() < before {
            findings.push(Finding::Repeated { triangles: before - self.triangles.len() });
        }
    }

    /// Joins vertices and says whether there were any to join.
    fn weld(&mut self, tolerance: f64, findings: &mut Vec<Finding>) -> bool {
        let gone = weld::weld(&mut self.vertices, &mut self.triangles, tolerance);
        if gone > 0 {
            findings.push(Finding::Welded { vertices: gone, tolerance });
        }
        gone > 0
    }

    fn drop_loose(&mut self, findings: &mut Vec<Finding>) -> Result<()> {
        let mesh = self.mesh()?;
        let topology = Topology::new(&mesh);
        let (loose, area) = rims::loose(&mesh, &topology, LOOSE);
        let of = topology.components();
        let pieces = loose.iter().filter(|l| **l).count();
        if pieces > 0 {
            let mut keep = of.iter().map(|c| !loose[*c as usize]);
            self.triangles.retain(|_| keep.next().unwrap_or(true));
            let triangles = of.len() - self.triangles.len();
            findings.push(Finding::Loose { pieces, triangles, share: area / mesh.area() });
            self.drop_unused();
            return self.drop_loose(findings);
        }
        Ok(())
    }

    fn close_holes(&mut self, findings: &mut Vec<Finding>) -> Result<()> {
        let mesh = self.mesh()?;
        let Some(closed) = holes::close(&mesh, &mut self.vertices, &mut self.triangles) else {
            return Ok(());
        };
        let holes::Closed { holes, edges, size, place, triangles } = closed;
        findings.push(Finding::Closed { holes, triangles, edges, size, place: place.into() });
        // Corners of a straight rim lie in a row.
        self.drop_flat(&mut Vec::new());
        Ok(())
    }

    fn split_bow_ties(&mut self, findings: &mut Vec<Finding>) -> Result<()> {
        let mesh = self.mesh()?;
        let count = bow_ties::split(&mesh, &mut self.vertices, &mut self.triangles);
        if count > 0 {
            findings.push(Finding::Divided { vertices: count });
        }
        Ok(())
    }

    fn drop_unused(&mut self) {
        let mut numbers = vec![u32::MAX; self.vertices.len()];
        for v in self.triangles.iter().flatten() {
            numbers[*v as usize] = 0;
        }
        let mut used = Vec::with_capacity(numbers.len());
        for (number, vertex) in numbers.iter_mut().zip(&self.vertices).filter(|(number, _)| **number == 0) {
            *number = used.len() as u32;
            used.push(*vertex);
        }
        self.vertices = used;
        for v in self.triangles.iter_mut().flatten() {
            *v = numbers[*v as usize];
        }
    }

    fn turn_flipped(&mut self, findings: &mut Vec<Finding>) -> Result<()> {
        let mesh = self.mesh()?;
        let flipped = orient::flipped(&mesh, &Topology::new(&mesh))?;
        let count = self.turn(&flipped);
        if count > 0 {
            findings.push(Finding::Flipped { triangles: count });
        }
        Ok(())
    }

    fn turn_parts(
        mut self,
        mesh: TriMesh,
        topology: &Topology,
        mut findings: Vec<Finding>,
    ) -> Result<Repaired> {
        let tree = (topology.component_count() > 1).then(|| Tree::new(&mesh));
        let parts = orient::parts(&mesh, topology, tree.as_ref())?;
        let of = topology.components();
        let idle = parts.iter().filter(|part| part.idle).count();
        if idle > 0 {
            let mut keep = of.iter().map(|c| !parts[*c as usize].idle);
            self.triangles.retain(|_| keep.next().unwrap_or(true));
            findings.push(Finding::Idle { parts: idle, triangles: of.len() - self.triangles.len() });
            self.drop_unused();
            let mesh = self.mesh()?;
            let topology = Topology::closed(&mesh)?;
            return self.turn_parts(mesh, &topology, findings);
        }
        let turned: Vec<bool> = of.iter().map(|c| parts[*c as usize].is_inside_out()).collect();
        let count = self.turn(&turned);
        if count > 0 {
            let parts = parts.iter().filter(|part| part.is_inside_out()).count();
            findings.push(Finding::InsideOut { parts, triangles: count });
        }
        let crossed = parts.iter().filter(|part| part.crossed).count();
        if crossed > 0 {
            findings.push(Finding::Crossing { parts: crossed });
        }
        findings.extend(small(&parts, of));
        let mesh = if count > 0 { self.into_mesh()? } else { mesh };
        Ok(Repaired { mesh, findings })
    }

    /// Turns the triangles that are marked and counts them.
    fn turn(&mut self, marked: &[bool]) -> usize {
        for (triangle, _) in self.triangles.iter_mut().zip(marked).filter(|(_, turn)| **turn) {
            triangle.swap(1, 2);
        }
        marked.iter().filter(|turn| **turn).count()
    }
}

/// Parts that are small beside the largest, if there are any.
fn small(parts: &[orient::Part], of: &[u32]) -> Option<Finding> {
    let volume = |component: &u32| parts[*component as usize].volume.abs();
    let largest = parts.iter().map(|part| part.volume.abs()).fold(0.0, f64::max);
    let triangles = of.iter().filter(|c| volume(c) < SMALL * largest).count();
    let small = parts.iter().map(|part| part.volume.abs()).filter(|volume| *volume < SMALL * largest);
    let (count, volume) = small.fold((0, 0.0), |(count, most), volume| (count + 1, f64::max(most, volume)));
    (count > 0).then_some(Finding::Small { parts: count, triangles, volume })
}

fn diagonal(points: &[Vec3]) -> f64 {
    let bounds = Aabb::of_points(points);
    (bounds.max - bounds.min).norm()
}

#[cfg(test)]
mod tests;
