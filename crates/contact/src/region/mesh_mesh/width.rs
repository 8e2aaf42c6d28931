//! How far the two parts of an overlap must move apart along the faces that bound it.
//!
//! Moving A against a unit vector n by w(n) = max n·x over A inside B − min n·x over B inside A parts the two. Along the
//! normal n of the contact plane that is the depth of the paper. But where a box lies on the rim of another the contour
//! climbs from the lower face to the upper one, the plane is tilted with it, and A and B are deepest at opposite ends: w(n) is twice
//! the overlap. So w is also taken along the face of each body that looks most along n, and the least of the three is the depth.
//! On fine meshes of smooth bodies the three agree to second order in the length of the edges.

use super::enclosed::Question;
use rattleback_geom::Vec3;

/// The cosine above which a face looks along the normal: faces farther away bound the overlap sideways.
const ALONG: f64 = 0.9;

/// The widths of one region along a face of A and one of B.
#[derive(Debug, Clone)]
pub(super) struct Widths {
    normal: Vec3,
    /// The unit normal of the face, from A to B, and its cosine with the normal.
    faces: [Option<(Vec3, f64)>; 2],
    /// The greatest n·x of A and the least of B along each face.
    reach: [[f64; 2]; 2],
}

impl Widths {
    pub fn new(normal: Vec3) -> Self {
        Self { normal, faces: [None; 2], reach: [[f64::NEG_INFINITY, f64::INFINITY]; 2] }
    }

    /// Looks whether a triangle is the face that looks most along the normal.
    pub fn face(&mut self, question: &Question<'_>, triangle: u32) {
        let body = question.body;
        let mesh = question.meshes[body].mesh();
        let [a, b, c] = mesh.triangles()[triangle as usize].map(|v| question.vertex(v));
        let area = (b - a).cross(&(c - a)) * if body == 0 { 1.0 } else { -1.0 };
        let Some(face) = area.try_normalize(f64::MIN_POSITIVE) else { return };
        let cosine = face.dot(&self.normal);
        let best = &mut self.faces[body];
        if cosine > best.map_or(ALONG, |(_, most)| most) {
            *best = Some((face, cosine));
        }
    }

    /// Takes a point of the part of a body inside the other.
    pub fn include(&mut self, body: usize, p: &Vec3) {
        for (face, reach) in self.faces.iter().zip(&mut self.reach) {
            if let Some((n, _)) = face {
                let height = n.dot(p);
                reach[body] = if body == 0 { reach[0].max(height) } else { reach[1].min(height) };
            }
        }
    }

    /// The least of the widths and `own`, that along the normal.
    pub fn least(&self, own: f64) -> f64 {
        let along =
            |k: usize| if self.faces[k].is_some() { self.reach[k][0] - self.reach[k][1] } else { own };
        own.min(along(0)).min(along(1))
    }
}
