//! Meshes for tests: a grid over a rectangle of parameters, and bodies made of it.

use crate::{TriMesh, Vec3};
use std::f64::consts::TAU;

/// The state of a stream.
pub(crate) struct Random(pub u64);

impl Random {
    pub(crate) fn unit(&mut self) -> f64 {
        rattleback_random::unit(&mut self.0)
    }

    /// A point in the cube of half side `half`.
    pub(crate) fn point(&mut self, half: f64) -> Vec3 {
        Vec3::from_fn(|_, _| half * (2.0 * self.unit() - 1.0))
    }
}

/// A grid of `nu` × `nv` cells over the unit square, closed in the directions that `wrap` names.
pub(crate) fn grid(nu: usize, nv: usize, wrap: [bool; 2], f: impl Fn(f64, f64) -> Vec3) -> TriMesh {
    let columns = if wrap[0] { nu } else { nu + 1 };
    let rows = if wrap[1] { nv } else { nv + 1 };
    let mut vertices = Vec::new();
    for j in 0..rows {
        for i in 0..columns {
            vertices.push(f(i as f64 / nu as f64, j as f64 / nv as f64));
        }
    }
    let id = |i: usize, j: usize| ((j % rows) * columns + i % columns) as u32;
    let mut triangles = Vec::new();
    for j in 0..nv {
        for i in 0..nu {
            let [a, b, c, d] = [id(i, j), id(i + 1, j), id(i + 1, j + 1), id(i, j + 1)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    TriMesh::new(vertices, triangles).unwrap()
}

/// The point of a torus about z at the angles `u` (around the axis) and `v` (around the tube).
pub(crate) fn torus_point(big: f64, small: f64, u: f64, v: f64) -> Vec3 {
    let ring = big + small * v.cos();
    Vec3::new(ring * u.cos(), ring * u.sin(), small * v.sin())
}

/// A torus about z.
pub(crate) fn torus(big: f64, small: f64, nu: usize, nv: usize) -> TriMesh {
    grid(nu, nv, [true, true], |u, v| torus_point(big, small, TAU * u, TAU * v))
}

/// The cube of half side `half` about the origin, two triangles a face.
pub(crate) fn cube(half: f64) -> TriMesh {
    let vertices = (0..8)
        .map(|i| Vec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64) * (2.0 * half))
        .map(|v| v.add_scalar(-half))
        .collect();
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    TriMesh::new(vertices, triangles).unwrap()
}

/// A star-shaped body with dents: an octahedron split `rounds` times.
pub(crate) fn lumpy(rounds: usize) -> TriMesh {
    let radius = |u: &Vec3| 1.0 + 0.3 * (3.0 * u.x).sin() * (4.0 * u.y).cos() + 0.2 * (5.0 * u.z).sin();
    let directions = [Vec3::x(), -Vec3::x(), Vec3::y(), -Vec3::y(), Vec3::z(), -Vec3::z()];
    let triangles =
        vec![[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
    // The chord error is no limit.
    let middle = |a: &Vec3, b: &Vec3| (a + b).normalize();
    crate::tessellate::refine(directions.to_vec(), triangles, 1e9, rounds, middle, |u| u * radius(u)).unwrap()
}

/// Triangles at random places, meeting nowhere by intent; `size` is their half extent.
pub(crate) fn soup(count: usize, size: f64, random: &mut Random) -> TriMesh {
    let mut vertices = Vec::new();
    for _ in 0..count {
        let centre = random.point(1.0);
        vertices.extend((0..3).map(|_| centre + random.point(size)));
    }
    let triangles = (0..count as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    TriMesh::new(vertices, triangles).unwrap()
}

/// The mesh with every vertex mapped.
pub(crate) fn mapped(mesh: &TriMesh, f: impl Fn(&Vec3) -> Vec3) -> TriMesh {
    TriMesh::new(mesh.vertices().iter().map(f).collect(), mesh.triangles().to_vec()).unwrap()
}
