//! Control meshes of Loop surfaces that are not convex, with vertices of many valences.

use super::random::Random;
use rattleback_contact::geom::subdivision::LoopSurface;
use rattleback_contact::geom::{TriMesh, Vec3};
use std::f64::consts::TAU;

/// A closed surface about the z axis from a profile (ρ, z) that begins and ends on the axis: apices of valence `n`, the
/// other vertices have six but for those beside the apices.
fn turned(profile: &[[f64; 2]], n: usize) -> LoopSurface {
    let last = profile.len() - 1;
    let mut points = vec![Vec3::new(0.0, 0.0, profile[0][1]), Vec3::new(0.0, 0.0, profile[last][1])];
    for (k, [rho, z]) in profile[1..last].iter().enumerate() {
        for i in 0..n {
            let angle = TAU * (i as f64 + 0.5 * k as f64) / n as f64;
            points.push(Vec3::new(rho * angle.cos(), rho * angle.sin(), *z));
        }
    }
    let at = |ring: usize, i: usize| (2 + ring * n + i % n) as u32;
    let mut triangles = Vec::new();
    for i in 0..n {
        triangles.push([0, at(0, i + 1), at(0, i)]);
        triangles.push([1, at(last - 2, i), at(last - 2, i + 1)]);
        for ring in 0..last - 2 {
            triangles.push([at(ring, i), at(ring, i + 1), at(ring + 1, i)]);
            triangles.push([at(ring, i + 1), at(ring + 1, i + 1), at(ring + 1, i)]);
        }
    }
    LoopSurface::new(&TriMesh::new(points, triangles).unwrap()).unwrap()
}

/// A bowl about as wide as two, open above.
pub fn bowl() -> LoopSurface {
    let outside = [[0.0, -0.5], [0.4, -0.5], [0.8, -0.3], [1.0, 0.1], [1.05, 0.4]];
    let inside = [[0.9, 0.4], [0.8, 0.1], [0.6, -0.15], [0.3, -0.3], [0.0, -0.3]];
    turned(&[outside, inside].concat(), 10)
}

/// A body with bumps in all directions, shaken: nothing about it is symmetric.
pub fn pebble(seed: u64) -> LoopSurface {
    let mut random = Random(seed);
    let profile = [[0.0, -1.0], [0.7, -0.8], [0.6, -0.2], [1.1, 0.1], [0.6, 0.5], [0.5, 0.9], [0.0, 1.0]];
    let shaken: Vec<[f64; 2]> = profile
        .iter()
        .map(|&[rho, z]| [rho * random.between(0.8, 1.2), z + random.between(-0.05, 0.05)])
        .collect();
    turned(&shaken, 5 + seed as usize % 4)
}

/// A thick board with rounded corners.
pub fn board() -> LoopSurface {
    turned(&[[0.0, -0.15], [0.7, -0.15], [1.4, -0.15], [1.4, 0.15], [0.7, 0.15], [0.0, 0.15]], 4)
}
