//! What is wrong with the triangles of a file, and what can be set right without guessing at the shape.
//!
//! | fault | what is done |
//! |---|---|
//! | vertices at the same place | joined; where rims are left, those within a millionth of the size are joined too |
//! | triangles without area | dropped; one whose corners lie in a row splits the neighbour across its longest side |
//! | the same triangle again | dropped |
//! | loose pieces with a rim, of less than a hundredth of the area | dropped |
//! | triangles turned against their neighbours | turned, the fewer of each part |
//! | parts inside out | turned |
//! | small closed parts | kept, and told |
//! | holes, edges of more than two triangles, vertices where rings touch, one-sided meshes | refused by name |
//!
//! A mesh without faults comes back bit by bit. What is done depends on the triangles alone. That triangles do not cut each
//! other is not checked.

pub(crate) mod orient;
mod rims;
mod weld;

use super::{Topology, Tree, TriMesh};
use crate::error::{GeomError, Result, finite3};
use crate::{Aabb, Vec3};
use std::collections::HashSet;
use std::fmt;

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

/// A mesh and what was done to get it.
#[derive(Debug, Clone, PartialEq)]
pub struct Repaired {
    /// Closed, its faces turned outwards.
    pub mesh: TriMesh,
    /// What was found and done, in this order.
    pub findings: Vec<Finding>,
}

/// A fault of a mesh that does not keep it from being used, and what is assumed of it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Finding {
    /// Vertices that are one.
    Welded {
        /// How many have gone.
        vertices: usize,
        /// How far apart they could be, in metres; zero for the same place.
        tolerance: f64,
    },
    /// Triangles without area.
    Degenerate {
        /// How many.
        triangles: usize,
        /// The first of them, from zero.
        first: usize,
    },
    /// Triangles that are there already.
    Repeated {
        /// How many have gone.
        triangles: usize,
    },
    /// Loose pieces with a rim.
    Loose {
        /// How many pieces.
        pieces: usize,
        /// Their triangles.
        triangles: usize,
        /// Their area over that of the whole.
        share: f64,
    },
    /// Triangles turned against their neighbours.
    Flipped {
        /// How many were turned.
        triangles: usize,
    },
    /// Closed parts with their inner sides out.
    InsideOut {
        /// How many parts were turned.
        parts: usize,
        /// Their triangles.
        triangles: usize,
    },
    /// Small closed parts, which are kept.
    Small {
        /// How many.
        parts: usize,
        /// Their triangles.
        triangles: usize,
        /// The volume of the largest of them, in m³.
        volume: f64,
    },
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Welded { vertices, tolerance: 0.0 } => {
                write!(f, "{vertices} vertices lie where others do; taken for the same")
            }
            Self::Welded { vertices, tolerance } => {
                write!(f, "{vertices} vertices lie within {tolerance:.1e} m of others; taken for the same")
            }
            Self::Degenerate { triangles, first } => {
                write!(f, "{triangles} triangles have no area, number {first} first; dropped")
            }
            Self::Repeated { triangles } => write!(f, "{triangles} triangles are there twice; dropped"),
            Self::Loose { pieces, triangles, share } => write!(
                f,
                "{pieces} loose pieces of {triangles} triangles and {:.2} % of the area have rims; dropped",
                100.0 * share
            ),
            Self::Flipped { triangles } => {
                write!(f, "{triangles} triangles are turned against their neighbours; turned like them")
            }
            Self::InsideOut { parts, triangles } => {
                write!(f, "{parts} parts of {triangles} triangles are inside out; turned")
            }
            Self::Small { parts, triangles, volume } => write!(
                f,
                "{parts} parts of {triangles} triangles are small, the largest of {volume:.2e} m³; kept as parts of the body"
            ),
        }
    }
}

impl Facets {
    /// A mesh of them as they are; nothing is set right.
    pub fn into_mesh(self) -> Result<TriMesh> {
        TriMesh::new(self.vertices, self.triangles)
    }

    /// A closed mesh of them, set right where that needs no guess; the table above says what is done and refused.
    pub fn repaired(mut self) -> Result<Repaired> {
        let mut findings = Vec::new();
        self.check()?;
        // Most files are sound.
        let sound = match TriMesh::new(self.vertices.clone(), self.triangles.clone()) {
            Err(GeomError::DegenerateTriangle { .. }) => false,
            other => Topology::new(&other?).is_closed(),
        };
        if !sound {
            self.weld(0.0, &mut findings);
            self.drop_flat(&mut findings);
            self.drop_repeated(&mut findings);
            let size = diagonal(&self.vertices);
            let open = |facets: &Self| -> Result<bool> {
                let mesh = TriMesh::new(facets.vertices.clone(), facets.triangles.clone())?;
                Ok(Topology::new(&mesh).faults().border_edges > 0)
            };
            if open(&self)? && self.weld(WELD * size, &mut findings) {
                self.drop_flat(&mut findings);
                self.drop_repeated(&mut findings);
            }
            self.drop_loose(&mut findings)?;
            self.turn_flipped(&mut findings)?;
        }
        self.turn_parts(&mut findings)?;
        Ok(Repaired { mesh: self.into_mesh()?, findings })
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
        let (count, first) = weld::drop_flat(&self.vertices, &mut self.triangles, lowest);
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
        let mesh = TriMesh::new(self.vertices.clone(), self.triangles.clone())?;
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
        rims::refuse_holes(&mesh, &topology)
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
        let mesh = TriMesh::new(self.vertices.clone(), self.triangles.clone())?;
        let flipped = orient::flipped(&mesh, &Topology::new(&mesh))?;
        let count = self.turn(&flipped);
        if count > 0 {
            findings.push(Finding::Flipped { triangles: count });
        }
        Ok(())
    }

    fn turn_parts(&mut self, findings: &mut Vec<Finding>) -> Result<()> {
        let mesh = TriMesh::new(self.vertices.clone(), self.triangles.clone())?;
        let topology = Topology::closed(&mesh)?;
        let parts = orient::parts(&mesh, &topology, &Tree::new(&mesh))?;
        let of = topology.components();
        let turned: Vec<bool> = of.iter().map(|c| parts[*c as usize].is_inside_out()).collect();
        let count = self.turn(&turned);
        if count > 0 {
            let parts = parts.iter().filter(|part| part.is_inside_out()).count();
            findings.push(Finding::InsideOut { parts, triangles: count });
        }
        let largest = parts.iter().map(|part| part.volume.abs()).fold(0.0, f64::max);
        let is_small = |part: &&orient::Part| part.volume.abs() < SMALL * largest;
        let small: Vec<&orient::Part> = parts.iter().filter(is_small).collect();
        if !small.is_empty() {
            let triangles = of.iter().filter(|c| is_small(&&parts[**c as usize])).count();
            let volume = small.iter().map(|part| part.volume.abs()).fold(0.0, f64::max);
            findings.push(Finding::Small { parts: small.len(), triangles, volume });
        }
        Ok(())
    }

    /// Turns the triangles that are marked and counts them.
    fn turn(&mut self, marked: &[bool]) -> usize {
        for (triangle, _) in self.triangles.iter_mut().zip(marked).filter(|(_, turn)| **turn) {
            triangle.swap(1, 2);
        }
        marked.iter().filter(|turn| **turn).count()
    }
}

fn diagonal(points: &[Vec3]) -> f64 {
    let bounds = Aabb::of_points(points);
    (bounds.max - bounds.min).norm()
}

#[cfg(test)]
mod tests;
