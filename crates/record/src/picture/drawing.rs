//! What a stage draws, for other renderers: the same triangles, colours, planes and lines as in its own pictures.

use super::fittings::Finish;
use super::soup::Soup;
use super::stage::Stage;
use super::{colour, ground};
use rattleback_dynamics::BodyId;
use rattleback_geom::{Pose, Vec3};
use std::collections::HashMap;
use std::sync::Arc;

/// Triangles with a normal at every vertex; vertices at an edge of the surface are there once per side of it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DrawnMesh {
    /// The vertices in m.
    pub positions: Vec<[f32; 3]>,
    /// The outer unit normals there.
    pub normals: Vec<[f32; 3]>,
    /// The triangles, by three vertices each, counter-clockwise from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// A mesh on a body.
#[derive(Debug, Clone, PartialEq)]
pub struct DrawnPart {
    /// Which of the meshes.
    pub mesh: usize,
    /// The body.
    pub body: BodyId,
    /// Where it is in the body's frame.
    pub pose: Pose,
    /// Red, green, blue.
    pub colour: [u8; 3],
    /// Whether octants in the mesh's own axes have two tones, so that rotation is seen.
    pub patterned: bool,
    /// Whether it is seen from its outer side alone, as the walls of a hollow carrier are.
    pub one_sided: bool,
}

/// A half-space normal·x ≤ offset on a body.
#[derive(Debug, Clone, PartialEq)]
pub struct DrawnPlane {
    /// The body.
    pub body: BodyId,
    /// The outer unit normal in the body's frame.
    pub normal: Vec3,
    /// The distance along it of the surface from the origin of the body's frame, in m.
    pub offset: f64,
    /// Red, green, blue.
    pub colour: [u8; 3],
}

/// A line between points of two bodies: a rod, a rope or, coiled, a spring.
#[derive(Debug, Clone, PartialEq)]
pub struct DrawnLine {
    /// The bodies, and the points in their frames in m.
    pub ends: [(BodyId, Vec3); 2],
    /// Whether it is a spring.
    pub coiled: bool,
}

/// Everything that is drawn of a model.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Drawing {
    /// The meshes; equal shapes share one.
    pub meshes: Vec<DrawnMesh>,
    /// Where they are.
    pub parts: Vec<DrawnPart>,
    /// Half-spaces.
    pub planes: Vec<DrawnPlane>,
    /// Lines.
    pub lines: Vec<DrawnLine>,
    /// The radius of sticks and the scale of lines, in m.
    pub radius: f64,
}

impl Stage {
    /// All that is drawn. Where the parts have more than `most` triangles in all, each has some twelve times the chord
    /// error, less than a hundredth of the body.
    pub fn drawing(&self, most: usize) -> Drawing {
        let fittings: Vec<_> = self.shown().collect();
        let total: usize = fittings.iter().map(|fitting| fitting.soup.triangles.len()).sum();
        let mut drawing = Drawing { radius: self.radius, ..Drawing::default() };
        let mut known: HashMap<*const Soup, usize> = HashMap::new();
        for fitting in fittings {
            let soup = if total > most { &fitting.coarse } else { &fitting.soup };
            let mesh = *known.entry(Arc::as_ptr(soup)).or_insert_with(|| {
                drawing.meshes.push(of_soup(soup));
                drawing.meshes.len() - 1
            });
            drawing.parts.push(DrawnPart {
                mesh,
                body: BodyId(fitting.body),
                pose: fitting.pose,
                colour: match fitting.finish {
                    Finish::Dark => colour::neutral().map(|byte| byte / 2),
                    Finish::Plain | Finish::Patterned | Finish::Wall => self.colour(fitting.body),
                },
                patterned: matches!(fitting.finish, Finish::Patterned | Finish::Wall),
                one_sided: fitting.finish == Finish::Wall,
            });
        }
        let planes = self.planes.iter().filter(|(body, _, _)| !self.looks[*body].hidden);
        drawing.planes = planes
            .map(|(body, plane, pose)| {
                let normal = pose.vector_to_world(plane.normal());
                let offset = plane.offset() + normal.dot(&pose.position);
                let colour = self.looks[*body].colour.unwrap_or(super::stage::FLOOR);
                DrawnPlane { body: BodyId(*body), normal, offset, colour }
            })
            .collect();
        let lines = self.lines.iter().filter(|line| !self.is_hanging(line));
        drawing.lines = lines.map(|line| DrawnLine { ends: line.ends, coiled: line.coiled }).collect();
        drawing
    }

    /// The colour of a body, as given or as it comes.
    pub fn colour_of(&self, body: BodyId) -> Option<[u8; 3]> {
        (body.0 < self.looks.len()).then(|| self.colour(body.0))
    }
}

/// The greatest of 1, 2, 5 × 10ᵏ that is no more than a length: the side of squares and the steps of scales.
pub fn round_length(length: f64) -> f64 {
    ground::round_length(length)
}

/// Corners with equal points and normals become one vertex.
fn of_soup(soup: &Soup) -> DrawnMesh {
    let mut mesh = DrawnMesh::default();
    let mut known: HashMap<(u32, [u32; 3]), u32> = HashMap::with_capacity(soup.points.len());
    for (triangle, normals) in soup.triangles.iter().zip(&soup.normals) {
        let corners = [0, 1, 2].map(|k| {
            let normal = [normals[k].x as f32, normals[k].y as f32, normals[k].z as f32];
            *known.entry((triangle[k], normal.map(f32::to_bits))).or_insert_with(|| {
                let p = soup.points[triangle[k] as usize];
                mesh.positions.push([p.x as f32, p.y as f32, p.z as f32]);
                mesh.normals.push(normal);
                mesh.positions.len() as u32 - 1
            })
        });
        mesh.triangles.push(corners);
    }
    mesh
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::picture::Look;
    use rattleback_dynamics::{BodyModel, Model};
    use rattleback_geom::surface::{Cylinder, Plane, Sphere};

    #[test]
    fn equal_shapes_share_a_mesh_and_hidden_bodies_are_left_out() {
        let mut builder = Model::builder();
        let surface = builder.surface("any");
        for name in ["a", "b", "c"] {
            let part = BodyModel::fixed(name).with_part(Sphere::new(0.1).unwrap(), Pose::identity(), surface);
            builder.body(part);
        }
        let turned = Pose::from_position(0.0, 0.0, 2.0);
        let floor = Plane::new([0.0, 0.0, 1.0], 0.5).unwrap();
        builder.body(BodyModel::fixed("floor").with_part(floor, turned, surface));
        let mut stage = Stage::new(&builder.build().unwrap()).unwrap();
        stage.set_look(BodyId(1), Look { colour: None, hidden: true }).unwrap();
        let drawing = stage.drawing(usize::MAX);
        assert_eq!((drawing.meshes.len(), drawing.parts.len()), (1, 2));
        assert_eq!(drawing.parts.iter().map(|part| part.body.0).collect::<Vec<_>>(), [0, 2]);
        for (p, n) in drawing.meshes[0].positions.iter().zip(&drawing.meshes[0].normals) {
            assert!((0..3).all(|k| (p[k] - 0.1 * n[k]).abs() < 1e-6), "{p:?} {n:?}");
        }
        assert!((drawing.planes[0].offset - 2.5).abs() < 1e-12);
        assert!(stage.drawing(10).meshes[0].triangles.len() < drawing.meshes[0].triangles.len());
    }

    #[test]
    fn vertices_at_an_edge_are_there_once_per_side() {
        let soup = Soup::of_shape(&Cylinder::new(0.1, 0.2).unwrap().into(), 1.0).unwrap();
        let mesh = of_soup(&soup);
        assert!(mesh.positions.len() > soup.points.len() && mesh.positions.len() < 3 * soup.triangles.len());
        assert_eq!(mesh.triangles.len(), soup.triangles.len());
    }
}
