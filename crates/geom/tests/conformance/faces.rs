//! Closed surfaces of faces.

use crate::patches::samples::octant;
use rattleback_geom::mesh::PolygonMesh;
use rattleback_geom::patch::PatchNet;
use rattleback_geom::subdivision::{CatmullClarkSurface, LoopSurface};
use rattleback_geom::{TriMesh, Vec3};
use std::f64::consts::TAU;

fn shake(k: usize) -> Vec3 {
    let k = k as f64;
    Vec3::new((3.1 * k).sin(), (1.7 * k + 1.0).sin(), (2.3 * k + 2.0).sin())
}

/// Loop's surface over two apices of valence five and a ring of valence four.
pub fn stone() -> LoopSurface {
    let corner = |k: usize| TAU * k as f64 / 5.0;
    let mut points = vec![Vec3::z(), -Vec3::z()];
    points.extend((0..5).map(|k| Vec3::new(corner(k).cos(), corner(k).sin(), 0.0)));
    points.iter_mut().enumerate().for_each(|(k, p)| *p += shake(k) * 0.1);
    let ring = |k: usize| (2 + k % 5) as u32;
    let faces = (0..5).flat_map(|k| [[0, ring(k), ring(k + 1)], [1, ring(k + 1), ring(k)]]).collect();
    LoopSurface::new(&TriMesh::new(points, faces).unwrap()).unwrap()
}

/// Catmull and Clark's surface over a shaken prism of five sides: vertices of valence three and five.
pub fn cushion() -> CatmullClarkSurface {
    let point = |k: usize| {
        let angle = TAU * (k % 5) as f64 / 5.0;
        Vec3::new(angle.cos(), angle.sin(), if k < 5 { -0.7 } else { 0.7 }) + shake(k) * 0.1
    };
    let mut faces: Vec<Vec<u32>> = vec![vec![4, 3, 2, 1, 0], vec![5, 6, 7, 8, 9]];
    faces.extend((0..5).map(|k| vec![k, (k + 1) % 5, 5 + (k + 1) % 5, 5 + k]));
    CatmullClarkSurface::new(&PolygonMesh::new((0..10).map(point).collect(), &faces).unwrap()).unwrap()
}

/// Catmull and Clark's surface over a torus of four faces at every vertex.
pub fn ring() -> CatmullClarkSurface {
    let (m, n) = (7, 6);
    let at = |i: usize, j: usize| ((i % m) * n + j % n) as u32;
    let (mut points, mut faces) = (Vec::new(), Vec::new());
    for i in 0..m {
        for j in 0..n {
            let (a, b) = (TAU * i as f64 / m as f64, TAU * j as f64 / n as f64);
            let rho = 1.0 + 0.4 * b.cos();
            points.push(Vec3::new(rho * a.cos(), rho * a.sin(), 0.4 * b.sin()) + shake(i * n + j) * 0.03);
            faces.push([at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
    }
    CatmullClarkSurface::new(&PolygonMesh::new(points, &faces).unwrap()).unwrap()
}

/// A sphere of eight rational patches.
pub fn globe() -> PatchNet {
    let octants = [false, true].into_iter().flat_map(|below| (0..4).map(move |k| octant(0.8, k, below)));
    PatchNet::new(octants.collect()).unwrap()
}
