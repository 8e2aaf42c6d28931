//! Closed control meshes for tests: every valence from three to twelve, one of forty, genus zero and one.

use crate::mesh::samples::{Random, torus};
use crate::{TriMesh, Vec3};
use std::f64::consts::TAU;

/// Two apices over a ring of `n` vertices, shaken: the apices have valence `n`, the ring has four.
pub(super) fn bipyramid(n: usize) -> TriMesh {
    let mut random = Random(n as u64);
    let angle = |i: usize| TAU * i as f64 / n as f64;
    let mut points = vec![Vec3::z(), -Vec3::z()];
    points.extend((0..n).map(|i| Vec3::new(angle(i).cos(), angle(i).sin(), 0.0)));
    for p in &mut points {
        *p += random.point(0.2);
    }
    let ring = |i: usize| (2 + i % n) as u32;
    let triangles = (0..n).flat_map(|i| [[0, ring(i), ring(i + 1)], [1, ring(i + 1), ring(i)]]).collect();
    TriMesh::new(points, triangles).unwrap()
}

/// The icosahedron of side two.
pub(super) fn icosahedron() -> TriMesh {
    let g = 0.5 * (1.0 + 5f64.sqrt());
    let mut points = Vec::new();
    for k in 0..3 {
        for (a, b) in [(1.0, g), (-1.0, g), (1.0, -g), (-1.0, -g)] {
            let mut p = Vec3::zeros();
            (p[(k + 1) % 3], p[(k + 2) % 3]) = (a, b);
            points.push(p);
        }
    }
    let is_edge = |i: usize, j: usize| ((points[i] - points[j]).norm() - 2.0).abs() < 1e-9;
    let mut triangles = Vec::new();
    for i in 0..12 {
        for j in i + 1..12 {
            for k in j + 1..12 {
                if is_edge(i, j) && is_edge(j, k) && is_edge(i, k) {
                    let outward = points[i].dot(&points[j].cross(&points[k])) > 0.0;
                    let [j, k] = if outward { [j, k] } else { [k, j] };
                    triangles.push([i as u32, j as u32, k as u32]);
                }
            }
        }
    }
    TriMesh::new(points, triangles).unwrap()
}

/// A shaken torus with new vertices in some triangles: valences three and six to nine, genus one.
pub(super) fn poked_torus() -> TriMesh {
    let base = torus(1.0, 0.4, 7, 5);
    let mut random = Random(7);
    let mut points: Vec<Vec3> = base.vertices().iter().map(|p| p + random.point(0.05)).collect();
    let mut triangles = Vec::new();
    for (t, &[a, b, c]) in base.triangles().iter().enumerate() {
        if t % 7 == 0 {
            let middle = points.len() as u32;
            let corners = [a, b, c].map(|v| points[v as usize]);
            points.push((corners[0] + corners[1] + corners[2]) / 3.0 + random.point(0.05));
            triangles.extend([[a, b, middle], [b, c, middle], [c, a, middle]]);
        } else {
            triangles.push([a, b, c]);
        }
    }
    TriMesh::new(points, triangles).unwrap()
}

/// One of each sort.
pub(super) fn meshes() -> Vec<TriMesh> {
    let mut all: Vec<TriMesh> = (3..=12).map(bipyramid).collect();
    all.extend([icosahedron(), poked_torus(), bipyramid(40)]);
    all
}
