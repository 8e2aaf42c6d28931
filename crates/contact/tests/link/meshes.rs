//! Bodies to lay links on.

use rattleback_contact::geom::Pose;
use rattleback_contact::geom::surface::Mesh;
use rattleback_contact::geom::surface::{Link, Shape};
use rattleback_contact::geom::{TriMesh, Vec3};
use rattleback_contact::region::{Region, RegionFinder};
use std::f64::consts::TAU;
use std::sync::Arc;

/// A common link of 60 mm bar: 360 mm long, 216 mm wide; r = 30, R = 78, h = 72 mm.
pub fn link() -> Link {
    Link::from_outer(0.06, 0.36, 0.216).unwrap()
}

pub fn shape(mesh: TriMesh) -> Shape {
    Shape::Mesh(Arc::new(Mesh::new(mesh).unwrap()))
}

/// The regions of a link and a body at rest, the link being A.
pub fn regions(body: &Shape, pose: &Pose, reach: f64) -> Vec<Region> {
    let mut out = Vec::new();
    let link = Shape::Link(link());
    RegionFinder::new().find(&link, pose, body, &Pose::identity(), reach, &mut out).unwrap();
    out
}

/// A grid of `nu` × `nv` cells over the unit square closed in both directions.
pub fn closed_grid(nu: usize, nv: usize, f: impl Fn(f64, f64) -> Vec3) -> TriMesh {
    let mut vertices = Vec::new();
    for j in 0..nv {
        for i in 0..nu {
            vertices.push(f(i as f64 / nu as f64, j as f64 / nv as f64));
        }
    }
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

/// A torus about z.
pub fn torus(big: f64, small: f64, nu: usize, nv: usize) -> TriMesh {
    closed_grid(nu, nv, |u, v| {
        let ring = big + small * (TAU * v).cos();
        Vec3::new(ring * (TAU * u).cos(), ring * (TAU * u).sin(), small * (TAU * v).sin())
    })
}

/// A pipe about z: inner radius `inner`, outer radius `outer`, from −half to half, with `n` flat walls around.
pub fn pipe(inner: f64, outer: f64, half: f64, n: usize) -> TriMesh {
    closed_grid(n, 4, |u, v| {
        let k = (4.0 * v).round() as usize;
        let rho = if k < 2 { outer } else { inner };
        let z = if k == 1 || k == 2 { half } else { -half };
        Vec3::new(rho * (TAU * u).cos(), rho * (TAU * u).sin(), z)
    })
}

/// A prism: a closed polygon in x and z, counter-clockwise as seen from −y and seen
/// whole from its first corner, drawn from y = −half to half in `n` parts.
pub fn prism(polygon: &[[f64; 2]], half: f64, n: usize) -> TriMesh {
    let count = polygon.len();
    let mut vertices = Vec::new();
    for j in 0..=n {
        let y = half * (2.0 * j as f64 / n as f64 - 1.0);
        vertices.extend(polygon.iter().map(|[x, z]| Vec3::new(*x, y, *z)));
    }
    let id = |i: usize, j: usize| (j * count + i % count) as u32;
    let mut triangles = Vec::new();
    for j in 0..n {
        for i in 0..count {
            let [a, b, c, d] = [id(i, j), id(i + 1, j), id(i + 1, j + 1), id(i, j + 1)];
            triangles.extend([[a, c, b], [a, d, c]]);
        }
    }
    for i in 1..count as u32 - 1 {
        triangles.push([0, i, i + 1]);
        let top = (n * count) as u32;
        triangles.push([top, top + i + 1, top + i]);
    }
    TriMesh::new(vertices, triangles).unwrap()
}

/// A slab whose top z = 0 is cut into `n` × `m` cells, shaken in the plane by `shake` of a cell where that keeps it
/// flat.
pub fn slab(half: f64, n: usize, m: usize, mut shake: impl FnMut() -> f64) -> TriMesh {
    let mut vertices = Vec::new();
    for j in 0..=m {
        for i in 0..=n {
            let inner = i > 0 && i < n && j > 0 && j < m;
            let (du, dv) = if inner { (shake(), shake()) } else { (0.0, 0.0) };
            let u = 2.0 * (i as f64 + du) / n as f64 - 1.0;
            let v = 2.0 * (j as f64 + dv) / m as f64 - 1.0;
            vertices.push(Vec3::new(half * u, half * v, 0.0));
        }
    }
    let id = |i: usize, j: usize| (j * (n + 1) + i) as u32;
    let mut triangles = Vec::new();
    for j in 0..m {
        for i in 0..n {
            let [a, b, c, d] = [id(i, j), id(i + 1, j), id(i + 1, j + 1), id(i, j + 1)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    // The rim, closed by an apex below.
    let mut rim: Vec<u32> = (0..n).map(|i| id(i, 0)).collect();
    rim.extend((0..m).map(|j| id(n, j)));
    rim.extend((0..n).map(|i| id(n - i, m)));
    rim.extend((0..m).map(|j| id(0, m - j)));
    let apex = vertices.len() as u32;
    vertices.push(Vec3::new(0.0, 0.0, -half));
    for k in 0..rim.len() {
        triangles.push([rim[(k + 1) % rim.len()], rim[k], apex]);
    }
    TriMesh::new(vertices, triangles).unwrap()
}

/// A box of half sides `half`.
pub fn cuboid(half: [f64; 3]) -> TriMesh {
    let [x, y, z] = half;
    prism(&[[-x, -z], [x, -z], [x, z], [-x, z]], y, 1)
}
