//! Meshes of polygons: control meshes of smooth surfaces.
//!
//! The corners of all faces are kept one after the other. Half-edge h runs from corner h to the next corner of its
//! face; its twin runs the other way along the face across. A mesh is closed when every half-edge has one twin and
//! the faces at every vertex form one ring.

use crate::Vec3;
use crate::error::{GeomError, Result, finite3, positive};
use std::collections::HashMap;

/// Half-edges are numbered by u32, also after two refinements, each of which makes four of one.
const MAX_CORNERS: usize = (u32::MAX / 16) as usize;

/// Faces of three or more corners over shared vertices, counter-clockwise seen from outside.
#[derive(Debug, Clone, PartialEq)]
pub struct PolygonMesh {
    vertices: Vec<Vec3>,
    corners: Vec<u32>,
    /// Where the corners of each face begin, and where the last ones end.
    starts: Vec<u32>,
}

impl PolygonMesh {
    /// A mesh from its parts; indices, coordinates and faces are checked, whether it is closed is not.
    pub fn new(vertices: Vec<Vec3>, faces: &[impl AsRef<[u32]>]) -> Result<Self> {
        if faces.is_empty() {
            return Err(GeomError::EmptyMesh { found: format!("{} vertices, no face", vertices.len()) });
        }
        for (i, v) in vertices.iter().enumerate().filter(|(_, v)| !v.iter().all(|x| x.is_finite())) {
            finite3(&format!("vertices[{i}]"), v)?;
        }
        let (mut corners, mut starts) = (Vec::new(), vec![0]);
        for (f, face) in faces.iter().map(AsRef::as_ref).enumerate() {
            check_face(f, face, vertices.len())?;
            corners.extend_from_slice(face);
            if corners.len() >= MAX_CORNERS {
                let (field, value) = ("corners".to_owned(), corners.len() as f64);
                return Err(GeomError::OutOfRange { field, value, allowed: format!("below {MAX_CORNERS}") });
            }
            starts.push(corners.len() as u32);
        }
        Ok(Self { vertices, corners, starts })
    }

    /// The same mesh with all coordinates multiplied by `factor`, for files in other units than metres.
    pub fn scaled(&self, factor: f64) -> Result<Self> {
        positive("scale", factor)?;
        let vertices: Vec<Vec3> = self.vertices.iter().map(|v| v * factor).collect();
        Self::new(vertices, &self.faces().collect::<Vec<_>>())
    }

    /// The vertices, in metres.
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// How many faces there are.
    pub fn face_count(&self) -> usize {
        self.starts.len() - 1
    }

    /// The vertices of a face, counter-clockwise.
    pub fn face(&self, face: usize) -> &[u32] {
        &self.corners[self.starts[face] as usize..self.starts[face + 1] as usize]
    }

    /// All faces in their order.
    pub fn faces(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        (0..self.face_count()).map(|f| self.face(f))
    }

    /// The vertices of all half-edges, face by face.
    pub(crate) fn corners(&self) -> &[u32] {
        &self.corners
    }

    /// The twin of every half-edge of a closed mesh. Borders, edges of more than two faces, faces that are turned
    /// inside out or there twice, and vertices of several rings or of fewer than three faces are refused.
    pub fn twins(&self) -> Result<Vec<u32>> {
        self.check_twice()?;
        let next = self.next();
        let mut halves: HashMap<[u32; 2], u32> = HashMap::with_capacity(self.corners.len());
        let end = |h: usize| self.corners[next[h] as usize];
        for (h, &start) in self.corners.iter().enumerate() {
            if halves.insert([start, end(h)], h as u32).is_some() {
                let edge = [start.min(end(h)), start.max(end(h))];
                return Err(GeomError::NonManifoldEdge { edge, found: self.crowd(edge, &next) });
            }
        }
        let mut twins = Vec::with_capacity(self.corners.len());
        for (h, &start) in self.corners.iter().enumerate() {
            match halves.get(&[end(h), start]) {
                Some(&twin) => twins.push(twin),
                None => {
                    let edge = [start.min(end(h)), start.max(end(h))];
                    return Err(GeomError::NonManifoldEdge { edge, found: "a border: one face".to_owned() });
                }
            }
        }
        self.check_rings(&next, &twins)?;
        Ok(twins)
    }

    /// The half-edge after each in its face.
    pub(crate) fn next(&self) -> Vec<u32> {
        let mut next: Vec<u32> = (1..=self.corners.len() as u32).collect();
        for ends in self.starts.windows(2) {
            next[ends[1] as usize - 1] = ends[0];
        }
        next
    }

    /// What is wrong at an edge that two half-edges follow in the same direction.
    fn crowd(&self, edge: [u32; 2], next: &[u32]) -> String {
        let is_along = |h: usize| {
            let ends = [self.corners[h], self.corners[next[h] as usize]];
            ends == edge || ends == [edge[1], edge[0]]
        };
        match (0..self.corners.len()).filter(|&h| is_along(h)).count() {
            2 => "run along by both its faces in the same direction".to_owned(),
            count => format!("shared by {count} faces"),
        }
    }

    fn check_twice(&self) -> Result<()> {
        let mut seen: HashMap<Vec<u32>, usize> = HashMap::with_capacity(self.face_count());
        for (f, face) in self.faces().enumerate() {
            let mut turned = face.to_vec();
            let first = (0..face.len()).fold(0, |m, k| if face[k] < face[m] { k } else { m });
            turned.rotate_left(first);
            if let Some(other) = seen.insert(turned, f) {
                return Err(GeomError::Inconsistent {
                    field: format!("faces[{f}]"),
                    found: format!("{face:?}, the same as faces[{other}]"),
                    allowed: "there once".to_owned(),
                });
            }
        }
        Ok(())
    }

    fn check_rings(&self, next: &[u32], twins: &[u32]) -> Result<()> {
        let mut met = vec![false; self.vertices.len()];
        let mut seen = vec![false; twins.len()];
        for h in 0..twins.len() {
            let vertex = self.corners[h] as usize;
            if seen[h] {
                continue;
            }
            let wrong = |found: String, allowed: &str| {
                let (field, allowed) = (format!("vertices[{vertex}]"), allowed.to_owned());
                Err(GeomError::Inconsistent { field, found, allowed })
            };
            if std::mem::replace(&mut met[vertex], true) {
                let found = "the meeting point of rings of faces that share no edge".to_owned();
                return wrong(found, "surrounded by one closed ring of faces");
            }
            let (mut g, mut valence) = (h, 0);
            while !seen[g] {
                seen[g] = true;
                valence += 1;
                g = next[twins[g] as usize] as usize;
            }
            if valence < 3 {
                let found = format!("a vertex of {valence} faces");
                return wrong(found, "surrounded by three faces or more");
            }
        }
        Ok(())
    }
}

fn check_face(f: usize, face: &[u32], count: usize) -> Result<()> {
    let wrong = |allowed: String| {
        Err(GeomError::Inconsistent { field: format!("faces[{f}]"), found: format!("{face:?}"), allowed })
    };
    if face.len() < 3 {
        return wrong("of three corners or more".to_owned());
    }
    if face.iter().any(|&v| v as usize >= count) {
        return wrong(format!("of the {count} vertices of the mesh"));
    }
    let mut sorted = face.to_vec();
    sorted.sort_unstable();
    if sorted.windows(2).any(|w| w[0] == w[1]) {
        return wrong("of corners each of which is there once".to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(n: usize) -> Vec<Vec3> {
        (0..n).map(|i| Vec3::new(i as f64, (i * i) as f64, 1.0)).collect()
    }

    fn twins(faces: &[&[u32]]) -> Result<Vec<u32>> {
        PolygonMesh::new(points(9), faces)?.twins()
    }

    const PYRAMID: [&[u32]; 5] = [&[3, 2, 1, 0], &[0, 1, 4], &[1, 2, 4], &[2, 3, 4], &[3, 0, 4]];

    #[test]
    fn twins_run_the_other_way() {
        let mesh = PolygonMesh::new(points(5), &PYRAMID).unwrap();
        let (twins, next) = (mesh.twins().unwrap(), mesh.next());
        assert_eq!((mesh.face_count(), twins.len()), (5, 16));
        for h in 0..16 {
            let twin = twins[h] as usize;
            assert_eq!(twins[twin] as usize, h);
            assert_eq!(mesh.corners()[h], mesh.corners()[next[twin] as usize]);
        }
    }

    #[test]
    fn what_bounds_no_solid_is_refused_by_name() {
        let said = |faces: &[&[u32]]| twins(faces).unwrap_err().to_string();
        assert!(
            said(&PYRAMID[..4]).starts_with("edge [0, 4] is a border: one face")
                || said(&PYRAMID[..4]).starts_with("edge [0, 3] is a border")
        );
        let flipped = [PYRAMID[0], &[1, 0, 4], PYRAMID[2], PYRAMID[3], PYRAMID[4]];
        assert!(said(&flipped).contains("in the same direction"), "{}", said(&flipped));
        let thick = [PYRAMID[0], PYRAMID[1], PYRAMID[2], PYRAMID[3], PYRAMID[4], &[0, 1, 5]];
        assert!(said(&thick).starts_with("edge [0, 1] is shared by 3 faces"), "{}", said(&thick));
        let twice = [PYRAMID[0], PYRAMID[1], PYRAMID[2], PYRAMID[3], PYRAMID[4], &[4, 0, 1]];
        assert!(said(&twice).starts_with("faces[5] = [4, 0, 1], the same as faces[1]"), "{}", said(&twice));
        assert!(said(&[&[0, 1, 2], &[2, 1, 0]]).starts_with("vertices[0] = a vertex of 2 faces"));
        let tied: Vec<Vec<u32>> = PYRAMID
            .iter()
            .map(|f| f.to_vec())
            .chain(PYRAMID.iter().map(|f| f.iter().map(|&v| if v == 4 { 4 } else { v + 5 }).collect()))
            .collect();
        let error = PolygonMesh::new(points(9), &tied).unwrap().twins().unwrap_err().to_string();
        assert!(error.starts_with("vertices[4] = the meeting point of rings"), "{error}");
    }

    #[test]
    fn faces_and_points_that_make_no_sense_are_refused() {
        let said = |n: usize, faces: &[&[u32]]| PolygonMesh::new(points(n), faces).unwrap_err().to_string();
        assert_eq!(said(3, &[&[0, 1]]), "faces[0] = [0, 1]: must be of three corners or more");
        assert_eq!(
            said(3, &[&[0, 1, 2], &[0, 1, 7]]),
            "faces[1] = [0, 1, 7]: must be of the 3 vertices of the mesh"
        );
        assert!(said(3, &[&[0, 1, 0]]).ends_with("each of which is there once"));
        assert!(said(3, &[]).starts_with("mesh is empty: 3 vertices, no face"));
        let mut bad = points(3);
        bad[1].y = f64::NAN;
        let error = PolygonMesh::new(bad, &[[0, 1, 2]]).unwrap_err().to_string();
        assert!(error.starts_with("vertices[1][1] = NaN"), "{error}");
        let mesh = PolygonMesh::new(points(3), &[[0, 1, 2]]).unwrap();
        assert_eq!(mesh.scaled(2.0).unwrap().vertices()[2], Vec3::new(4.0, 8.0, 2.0));
        assert!(mesh.scaled(0.0).is_err());
    }
}
