//! Closed control meshes of polygons for tests: every valence from three to twelve, one of twenty, genus zero and one.

use crate::Vec3;
use crate::mesh::PolygonMesh;
use crate::mesh::samples::{Random, torus_point};
use std::f64::consts::TAU;

/// The cube of half side one.
pub(super) fn cube() -> PolygonMesh {
    let sign = |bit: usize| if bit == 0 { -1.0 } else { 1.0 };
    let points = (0..8).map(|i| Vec3::new(sign(i & 1), sign(i >> 1 & 1), sign(i >> 2))).collect();
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    PolygonMesh::new(points, &faces).unwrap()
}

/// Two apices of valence `n` over a zigzag of 2n vertices of valence three, shaken: all quadrilaterals.
pub(super) fn trapezohedron(n: usize) -> PolygonMesh {
    let mut random = Random(n as u64);
    let angle = |i: usize| TAU * i as f64 / (2 * n) as f64;
    let height = |i: usize| if i.is_multiple_of(2) { 0.3 } else { -0.3 };
    let mut points = vec![Vec3::z() * 1.2, -Vec3::z() * 1.2];
    points.extend((0..2 * n).map(|i| Vec3::new(angle(i).cos(), angle(i).sin(), height(i))));
    for p in &mut points {
        *p += random.point(0.15);
    }
    let ring = |i: usize| (2 + i % (2 * n)) as u32;
    let faces: Vec<[u32; 4]> = (0..n)
        .flat_map(|k| {
            let (i, j) = (2 * k, 2 * k + 1);
            [[0, ring(i), ring(i + 1), ring(i + 2)], [1, ring(j + 2), ring(j + 1), ring(j)]]
        })
        .collect();
    PolygonMesh::new(points, &faces).unwrap()
}

/// A shaken prism: two n-gons and n quadrilaterals.
pub(super) fn prism(n: usize) -> PolygonMesh {
    let mut random = Random(100 + n as u64);
    let vertex = |i: usize| {
        let angle = TAU * (i % n) as f64 / n as f64;
        Vec3::new(angle.cos(), angle.sin(), if i < n { -0.8 } else { 0.8 })
    };
    let points = (0..2 * n).map(|i| vertex(i) + random.point(0.1)).collect();
    let bottom = |i: usize| (i % n) as u32;
    let top = |i: usize| (n + i % n) as u32;
    let mut faces: Vec<Vec<u32>> = vec![(0..n).rev().map(bottom).collect(), (0..n).map(top).collect()];
    faces.extend((0..n).map(|i| vec![bottom(i), bottom(i + 1), top(i + 1), top(i)]));
    PolygonMesh::new(points, &faces).unwrap()
}

/// A shaken torus of quadrilaterals; `cut` makes triangles of some and poke others with a vertex in the middle.
pub(super) fn torus(nu: usize, nv: usize, cut: bool) -> PolygonMesh {
    let mut random = Random(7);
    let mut points: Vec<Vec3> = Vec::new();
    for j in 0..nv {
        for i in 0..nu {
            let [u, v] = [i as f64 / nu as f64, j as f64 / nv as f64].map(|x| TAU * x);
            points.push(torus_point(1.0, 0.4, u, v) + random.point(0.04));
        }
    }
    let id = |i: usize, j: usize| ((j % nv) * nu + i % nu) as u32;
    let mut faces: Vec<Vec<u32>> = Vec::new();
    for j in 0..nv {
        for i in 0..nu {
            let quad = [id(i, j), id(i + 1, j), id(i + 1, j + 1), id(i, j + 1)];
            match if cut { random.0 % 4 } else { 3 } {
                0 => faces.extend([vec![quad[0], quad[1], quad[2]], vec![quad[0], quad[2], quad[3]]]),
                1 => {
                    let middle = points.len() as u32;
                    let mean = quad.iter().map(|&v| points[v as usize]).sum::<Vec3>() / 4.0;
                    points.push(mean + random.point(0.04));
                    faces.extend((0..4).map(|k| vec![quad[k], quad[(k + 1) % 4], middle]));
                }
                _ => faces.push(quad.to_vec()),
            }
            random.unit();
        }
    }
    PolygonMesh::new(points, &faces).unwrap()
}

/// One of each sort.
pub(super) fn meshes() -> Vec<PolygonMesh> {
    let mut all: Vec<PolygonMesh> = (3..=12).map(trapezohedron).collect();
    all.extend([
        cube(),
        prism(3),
        prism(5),
        prism(8),
        torus(6, 5, false),
        torus(6, 5, true),
        trapezohedron(20),
    ]);
    all
}

/// The mesh with every vertex mapped.
pub(super) fn mapped(mesh: &PolygonMesh, f: impl Fn(&Vec3) -> Vec3) -> PolygonMesh {
    let faces: Vec<&[u32]> = mesh.faces().collect();
    PolygonMesh::new(mesh.vertices().iter().map(f).collect(), &faces).unwrap()
}
