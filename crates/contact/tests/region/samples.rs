//! Bodies for the tests.

use rattleback_contact::geom::nalgebra::{Quaternion, UnitQuaternion};
use rattleback_contact::geom::surface::Mesh;
use rattleback_contact::geom::{Pose, TriMesh, Vec3};
use std::collections::HashMap;
use std::f64::consts::TAU;
use std::sync::Arc;

/// The state of a stream.
pub struct Random(pub u64);

impl Random {
    pub fn unit(&mut self) -> f64 {
        rattleback_random::unit(&mut self.0)
    }

    pub fn point(&mut self, half: f64) -> Vec3 {
        Vec3::from_fn(|_, _| half * (2.0 * self.unit() - 1.0))
    }

    pub fn turn(&mut self) -> UnitQuaternion<f64> {
        let [w, x, y, z] = [(); 4].map(|()| 2.0 * self.unit() - 1.0);
        UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z))
    }

    pub fn pose(&mut self, half: f64) -> Pose {
        let position = self.point(half);
        Pose::new(position, self.turn())
    }
}

pub fn body(mesh: TriMesh) -> Arc<Mesh> {
    Arc::new(Mesh::new(mesh).unwrap())
}

/// An icosahedron split `level` times, its vertices on the unit sphere and then mapped.
pub fn icosphere(level: usize, map: impl Fn(&Vec3) -> Vec3) -> TriMesh {
    let g = (1.0 + 5f64.sqrt()) / 2.0;
    let mut vertices: Vec<Vec3> = [
        [-1.0, g, 0.0],
        [1.0, g, 0.0],
        [-1.0, -g, 0.0],
        [1.0, -g, 0.0],
        [0.0, -1.0, g],
        [0.0, 1.0, g],
        [0.0, -1.0, -g],
        [0.0, 1.0, -g],
        [g, 0.0, -1.0],
        [g, 0.0, 1.0],
        [-g, 0.0, -1.0],
        [-g, 0.0, 1.0],
    ]
    .iter()
    .map(|v| Vec3::from(*v).normalize())
    .collect();
    let mut triangles: Vec<[u32; 3]> = vec![
        [0, 11, 5],
        [0, 5, 1],
        [0, 1, 7],
        [0, 7, 10],
        [0, 10, 11],
        [1, 5, 9],
        [5, 11, 4],
        [11, 10, 2],
        [10, 7, 6],
        [7, 1, 8],
        [3, 9, 4],
        [3, 4, 2],
        [3, 2, 6],
        [3, 6, 8],
        [3, 8, 9],
        [4, 9, 5],
        [2, 4, 11],
        [6, 2, 10],
        [8, 6, 7],
        [9, 8, 1],
    ];
    for _ in 0..level {
        let mut middles = HashMap::new();
        let mut middle = |a: u32, b: u32| {
            *middles.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                vertices.push((vertices[a as usize] + vertices[b as usize]).normalize());
                vertices.len() as u32 - 1
            })
        };
        let split: Vec<[u32; 3]> = triangles
            .iter()
            .flat_map(|&[a, b, c]| {
                let (x, y, z) = (middle(a, b), middle(b, c), middle(c, a));
                [[a, x, z], [x, b, y], [z, y, c], [x, y, z]]
            })
            .collect();
        triangles = split;
    }
    TriMesh::new(vertices.iter().map(map).collect(), triangles).unwrap()
}

pub fn sphere(level: usize, radius: f64) -> Arc<Mesh> {
    body(icosphere(level, |v| v * radius))
}

/// A box about the origin with `cells` cells along each axis, faces outwards.
pub fn cuboid(half: [f64; 3], cells: [usize; 3]) -> TriMesh {
    let mut ids = HashMap::new();
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    let mut id = |at: [usize; 3]| {
        *ids.entry(at).or_insert_with(|| {
            vertices.push(Vec3::from_fn(|i, _| half[i] * (2.0 * at[i] as f64 / cells[i] as f64 - 1.0)));
            vertices.len() as u32 - 1
        })
    };
    for axis in 0..3 {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        for end in [0, cells[axis]] {
            for i in 0..cells[u] {
                for j in 0..cells[v] {
                    let corners = [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[x, y]| {
                        let mut at = [0; 3];
                        at[axis] = end;
                        at[u] = i + x;
                        at[v] = j + y;
                        id(at)
                    });
                    let [a, b, c, d] = corners;
                    if end == 0 {
                        triangles.extend([[a, c, b], [a, d, c]]);
                    } else {
                        triangles.extend([[a, b, c], [a, c, d]]);
                    }
                }
            }
        }
    }
    TriMesh::new(vertices, triangles).unwrap()
}

pub fn cube(half: f64) -> Arc<Mesh> {
    body(cuboid([half; 3], [1; 3]))
}

/// A torus about z.
pub fn torus(big: f64, small: f64, nu: usize, nv: usize) -> TriMesh {
    let point = |i: usize, j: usize| {
        let (u, v) = (TAU * i as f64 / nu as f64, TAU * j as f64 / nv as f64);
        let ring = big + small * v.cos();
        Vec3::new(ring * u.cos(), ring * u.sin(), small * v.sin())
    };
    let vertices = (0..nv).flat_map(|j| (0..nu).map(move |i| point(i, j))).collect();
    let id = |i: usize, j: usize| ((j % nv) * nu + i % nu) as u32;
    let mut triangles = Vec::new();
    for j in 0..nv {
        for i in 0..nu {
            let [a, b, c, d] = [id(i, j), id(i + 1, j), id(i + 1, j + 1), id(i, j + 1)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    TriMesh::new(vertices, triangles).unwrap()
}

/// A sphere with dents.
pub fn bumpy(level: usize) -> TriMesh {
    icosphere(level, |u| u * (1.0 + 0.25 * (3.0 * u.x).sin() * (4.0 * u.y).cos() + 0.15 * (5.0 * u.z).sin()))
}

/// Several meshes as one.
pub fn joined(parts: &[TriMesh]) -> TriMesh {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for part in parts {
        let first = vertices.len() as u32;
        vertices.extend_from_slice(part.vertices());
        triangles.extend(part.triangles().iter().map(|t| t.map(|v| v + first)));
    }
    TriMesh::new(vertices, triangles).unwrap()
}

pub fn mapped(mesh: &TriMesh, f: impl Fn(&Vec3) -> Vec3) -> TriMesh {
    TriMesh::new(mesh.vertices().iter().map(f).collect(), mesh.triangles().to_vec()).unwrap()
}

/// The same surface turned inside out.
pub fn inverted(mesh: &TriMesh) -> TriMesh {
    let turned = mesh.triangles().iter().map(|&[a, b, c]| [a, c, b]).collect();
    TriMesh::new(mesh.vertices().to_vec(), turned).unwrap()
}
