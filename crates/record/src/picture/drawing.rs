//! What a stage draws, for other renderers: the same triangles, colours, planes and lines as in its own pictures.

use super::fittings::{Finish, Fitting};
use super::soup::Soup;
use super::stage::Stage;
use super::{ball, colour, ground};
use rattleback_dynamics::BodyId;
use rattleback_geom::surface::Shape;
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
    /// The mean curvatures ½(κ₁ + κ₂) of the surface at the vertices in 1/m; NaN at edges, empty where there are none.
    pub curvatures: Vec<f32>,
    /// How far the triangles may be from the surface, in m.
    pub chord: f64,
    /// The mesh of the same surface with fewer triangles, among the meshes of the drawing.
    pub coarser: Option<usize>,
    /// Whether it is the unit ball, which parts stretch into spheres and ellipsoids.
    pub is_ball: bool,
}

/// A mesh on a body.
#[derive(Debug, Clone, PartialEq)]
pub struct DrawnPart {
    /// Which of the meshes, the finest one of the surface.
    pub mesh: usize,
    /// The body.
    pub body: BodyId,
    /// Where it is in the body's frame.
    pub pose: Pose,
    /// By how much the mesh is stretched along its own axes, before it is placed.
    pub scale: Vec3,
    /// Red, green, blue.
    pub colour: [u8; 3],
    /// Whether octants in the mesh's own axes have two tones, so that rotation is seen.
    pub patterned: bool,
    /// Whether it is seen from its outer side alone, as the walls of a hollow carrier are.
    pub one_sided: bool,
}

impl DrawnPart {
    /// A point of the mesh in the body's frame.
    pub fn point(&self, p: &[f32; 3]) -> Vec3 {
        self.pose.point_to_world(&vector(p).component_mul(&self.scale))
    }

    /// A normal of the mesh in the body's axes.
    pub fn normal(&self, n: &[f32; 3]) -> Vec3 {
        let stretched = vector(n).component_div(&self.scale);
        self.pose.vector_to_world(&stretched.try_normalize(0.0).unwrap_or_else(Vec3::z))
    }
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
    /// What curves of it are called by, such as `spring 1` or `joint rod`.
    pub owner: String,
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

impl Drawing {
    /// The mesh of each part, all one level coarser as long as they have more than `most` triangles in all.
    pub fn meshes_within(&self, most: usize) -> Vec<usize> {
        let mut chosen: Vec<usize> = self.parts.iter().map(|part| part.mesh).collect();
        loop {
            let total: usize = chosen.iter().map(|mesh| self.meshes[*mesh].triangles.len()).sum();
            let is_coarsest = chosen.iter().all(|mesh| self.meshes[*mesh].coarser.is_none());
            if total <= most || is_coarsest {
                return chosen;
            }
            for mesh in &mut chosen {
                *mesh = self.meshes[*mesh].coarser.unwrap_or(*mesh);
            }
        }
    }

    /// Adds meshes of one surface, the finest first; returns the place of that one.
    fn push_levels(&mut self, levels: impl IntoIterator<Item = DrawnMesh>) -> usize {
        let first = self.meshes.len();
        for level in levels {
            let last = self.meshes.len();
            match self.meshes[first..].last_mut() {
                // What has no fewer triangles is no coarser.
                Some(finer) if finer.triangles.len() <= level.triangles.len() => continue,
                Some(finer) => finer.coarser = Some(last),
                None => {}
            }
            self.meshes.push(level);
        }
        first
    }
}

impl Stage {
    /// All that is drawn, every surface in several levels. Where the finest ones of all different surfaces have more
    /// than `most` triangles, they are left out; the next ones have some twelve times the chord error, less than a
    /// hundredth of the body.
    pub fn drawing(&self, most: usize) -> Drawing {
        let fittings: Vec<_> = self.shown().collect();
        let mut different: HashMap<*const Soup, usize> = HashMap::new();
        for fitting in fittings.iter().filter(|fitting| semi_axes(fitting).is_none()) {
            different.insert(Arc::as_ptr(&fitting.soup), fitting.soup.triangles.len());
        }
        let is_fine = different.values().sum::<usize>() <= most;
        let mut drawing = Drawing { radius: self.radius, ..Drawing::default() };
        let mut known: HashMap<*const Soup, usize> = HashMap::new();
        let mut balls = None;
        for fitting in fittings {
            let stretch = semi_axes(fitting);
            let mesh = match (stretch, balls) {
                (Some(_), Some(first)) => first,
                (Some(_), None) => {
                    let first = drawing.push_levels(ball::levels());
                    balls = Some(first);
                    first
                }
                (None, _) => *known.entry(Arc::as_ptr(&fitting.soup)).or_insert_with(|| {
                    let fine = is_fine.then_some(&fitting.soup);
                    let shape = fitting.shape.as_ref();
                    drawing.push_levels(
                        fine.into_iter().chain([&fitting.coarse]).map(|soup| of_soup(soup, shape)),
                    )
                }),
            };
            drawing.parts.push(DrawnPart {
                mesh,
                body: BodyId(fitting.body),
                pose: fitting.pose,
                scale: stretch.unwrap_or_else(|| Vec3::repeat(1.0)),
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
        drawing.lines = lines
            .map(|line| DrawnLine { ends: line.ends, coiled: line.coiled, owner: line.owner.clone() })
            .collect();
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

/// The semi-axes of a sphere or an ellipsoid.
fn semi_axes(fitting: &Fitting) -> Option<Vec3> {
    match fitting.shape.as_ref()? {
        Shape::Sphere(sphere) => Some(Vec3::repeat(sphere.radius())),
        Shape::Ellipsoid(ellipsoid) => Some(*ellipsoid.semi_axes()),
        _ => None,
    }
}

fn vector(v: &[f32; 3]) -> Vec3 {
    Vec3::new(v[0].into(), v[1].into(), v[2].into())
}

/// Corners with equal points and normals become one vertex.
fn of_soup(soup: &Soup, shape: Option<&Shape>) -> DrawnMesh {
    let mut mesh = DrawnMesh { chord: soup.chord, ..DrawnMesh::default() };
    // A mesh has no curvature but at its edges.
    let shape = shape.filter(|shape| !matches!(shape, Shape::Mesh(_)));
    let mut known: HashMap<(u32, [u32; 3]), u32> = HashMap::with_capacity(soup.points.len());
    for (triangle, normals) in soup.triangles.iter().zip(&soup.normals) {
        let corners = [0, 1, 2].map(|k| {
            let normal = [normals[k].x as f32, normals[k].y as f32, normals[k].z as f32];
            *known.entry((triangle[k], normal.map(f32::to_bits))).or_insert_with(|| {
                let p = soup.points[triangle[k] as usize];
                mesh.positions.push([p.x as f32, p.y as f32, p.z as f32]);
                mesh.normals.push(normal);
                if let Some(shape) = shape {
                    mesh.curvatures.push(mean_curvature(shape, &p, &normals[k]));
                }
                mesh.positions.len() as u32 - 1
            })
        });
        mesh.triangles.push(corners);
    }
    mesh
}

/// NaN where the surface has an edge or tells none.
fn mean_curvature(shape: &Shape, p: &Vec3, n: &Vec3) -> f32 {
    let mean = shape.surface().curvature_at_touch(p, n).map_or(f64::NAN, |curvature| curvature.mean());
    if mean.is_finite() { mean as f32 } else { f32::NAN }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::picture::Look;
    use rattleback_dynamics::{BodyModel, Model};
    use rattleback_geom::surface::{Cylinder, Ellipsoid, Plane, Sphere, Torus};

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
        assert_eq!(drawing.parts.iter().map(|part| part.body.0).collect::<Vec<_>>(), [0, 2]);
        assert!(drawing.parts.iter().all(|part| part.mesh == 0 && part.scale == Vec3::repeat(0.1)));
        // Levels of one ball, each with fewer triangles and a larger error.
        assert_eq!(drawing.meshes.len(), 7);
        for (k, pair) in drawing.meshes.windows(2).enumerate() {
            assert_eq!(pair[0].coarser, Some(k + 1));
            assert!(pair[1].triangles.len() < pair[0].triangles.len() && pair[1].chord > pair[0].chord);
        }
        assert!(drawing.meshes[6].triangles.len() < 60);
        for (p, n) in drawing.meshes[0].positions.iter().zip(&drawing.meshes[0].normals) {
            assert!((0..3).all(|k| (p[k] - n[k]).abs() < 1e-6), "{p:?} {n:?}");
        }
        assert!((drawing.planes[0].offset - 2.5).abs() < 1e-12);
        assert_eq!(drawing.meshes_within(usize::MAX), [0, 0]);
        assert_eq!(drawing.meshes_within(0), [6, 6]);
    }

    #[test]
    fn stretched_balls_are_ellipsoids_and_other_surfaces_tell_their_curvature() {
        let axes = [0.3, 0.2, 0.1];
        let mut builder = Model::builder();
        let surface = builder.surface("any");
        let turned = Pose::from_position(0.0, 0.0, 2.0);
        let egg = Ellipsoid::new(axes).unwrap();
        builder.body(BodyModel::fixed("egg").with_part(egg, turned, surface));
        let ring = Torus::new(0.5, 0.1).unwrap();
        builder.body(BodyModel::fixed("ring").with_part(ring, Pose::identity(), surface));
        let drawing = Stage::new(&builder.build().unwrap()).unwrap().drawing(usize::MAX);
        let part = &drawing.parts[0];
        let mesh = &drawing.meshes[part.mesh];
        assert!(mesh.is_ball && mesh.curvatures.is_empty());
        for (p, n) in mesh.positions.iter().zip(&mesh.normals) {
            let x = part.point(p) - turned.position;
            let gradient = Vec3::from_fn(|k, _| x[k] / (axes[k] * axes[k]));
            let value: f64 = (0..3).map(|k| (x[k] / axes[k]).powi(2)).sum();
            assert!((value - 1.0).abs() < 1e-5, "{value}");
            assert!((gradient.normalize() - part.normal(n)).norm() < 1e-4, "{p:?} {n:?}");
        }
        // ½(1/r + cos φ/(R + r cos φ)) on the ring, whose outer equator is at R + r = 0.6.
        let ring = &drawing.meshes[drawing.parts[1].mesh];
        assert_eq!(ring.curvatures.len(), ring.positions.len());
        for (p, found) in ring.positions.iter().zip(&ring.curvatures) {
            let out = f64::from(p[0]).hypot(p[1].into());
            let expected = 0.5 * (10.0 + (out - 0.5) / 0.1 / out);
            assert!((f64::from(*found) - expected).abs() < 1e-3 * expected, "{p:?}: {found} {expected}");
        }
    }

    #[test]
    fn vertices_at_an_edge_are_there_once_per_side() {
        let soup = Soup::of_shape(&Cylinder::new(0.1, 0.2).unwrap().into(), 1.0).unwrap();
        let mesh = of_soup(&soup, None);
        assert!(mesh.positions.len() > soup.points.len() && mesh.positions.len() < 3 * soup.triangles.len());
        assert_eq!(mesh.triangles.len(), soup.triangles.len());
    }
}
