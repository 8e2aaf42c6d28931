//! Vertices and polygons as a file has them.

use super::{Facets, PolygonMesh, ears};
use crate::Vec3;
use crate::error::{GeomError, Result};
use std::fmt;

/// Vertices and polygons as a file has them, whether a mesh can be made of them or not.
#[derive(Debug, Clone, PartialEq)]
pub struct Polygons {
    /// The vertices, in the file's unit.
    pub vertices: Vec<Vec3>,
    /// What the file holds beside them and a solid has no use for.
    pub passed_over: PassedOver,
    corners: Vec<u32>,
    /// Where the corners of each polygon begin, and where the last ones end.
    starts: Vec<usize>,
}

/// What of a file was passed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PassedOver {
    /// Lines, strips and loops of lines.
    pub lines: usize,
    /// Points that are elements of their own.
    pub points: usize,
    /// Faces of one or two corners.
    pub faces: usize,
}

impl PassedOver {
    /// Whether it is nothing.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl fmt::Display for PassedOver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            ("lines", self.lines),
            ("points", self.points),
            ("faces of fewer than three corners", self.faces),
        ];
        let said: Vec<String> = parts
            .iter()
            .filter(|(_, count)| *count > 0)
            .map(|(what, count)| format!("{what}: {count}"))
            .collect();
        write!(f, "{}; passed over", said.join(", "))
    }
}

impl Default for Polygons {
    fn default() -> Self {
        Self {
            vertices: Vec::new(),
            passed_over: PassedOver::default(),
            corners: Vec::new(),
            starts: vec![0],
        }
    }
}

impl Polygons {
    /// Adds a polygon; one of fewer than three corners is counted among what is passed over.
    pub fn push(&mut self, corners: &[u32]) {
        if corners.len() < 3 {
            self.passed_over.faces += 1;
        } else {
            self.corners.extend_from_slice(corners);
            self.starts.push(self.corners.len());
        }
    }

    /// How many polygons there are.
    pub fn face_count(&self) -> usize {
        self.starts.len() - 1
    }

    fn faces(&self) -> impl Iterator<Item = &[u32]> {
        self.starts.windows(2).map(|ends| &self.corners[ends[0]..ends[1]])
    }

    /// Their triangles; polygons are cut into such.
    pub fn into_facets(self) -> Result<Facets> {
        let mut triangles = Vec::with_capacity(self.corners.len().saturating_sub(2 * self.face_count()));
        for (i, face) in self.faces().enumerate() {
            if let Some(vertex) = face.iter().find(|v| **v as usize >= self.vertices.len()) {
                return Err(refused(
                    i,
                    format!("a face with vertex {vertex}"),
                    format!("one with the {} vertices of the file", self.vertices.len()),
                ));
            }
            if !ears::cut(&self.vertices, face, &mut triangles) {
                let found = format!("a face of {} corners that is not convex", face.len());
                return Err(refused(i, found, format!("one of at most {} corners", ears::MOST)));
            }
        }
        Ok(Facets { vertices: self.vertices, triangles })
    }

    /// A mesh of them as they are.
    pub fn into_mesh(self) -> Result<PolygonMesh> {
        let faces: Vec<&[u32]> = self.faces().collect();
        PolygonMesh::new(self.vertices.clone(), &faces)
    }
}

fn refused(face: usize, found: String, allowed: String) -> GeomError {
    GeomError::Inconsistent { field: format!("faces[{face}]"), found, allowed }
}
