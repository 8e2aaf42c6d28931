//! One of every kind of surface with charts, and places on them.

use rattleback_geom::chart::{Atlas, Place};
use rattleback_geom::mesh::PolygonMesh;
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::patch::{BezierPatch, NurbsSurface, PatchNet, SPatch};
use rattleback_geom::potential::Potential;
use rattleback_geom::subdivision::{CatmullClarkSurface, LoopSurface};
use rattleback_geom::surface::{
    Ellipsoid, Plane, PotentialBody, Sphere, Superellipsoid, Superquadric, Torus,
};
use rattleback_geom::{TriMesh, Vec3};
use std::f64::consts::TAU;

/// A body and a place on it.
pub struct On {
    pub name: &'static str,
    pub atlas: Box<dyn Atlas>,
    place: Place,
}

fn on(name: &'static str, atlas: impl Atlas + 'static, chart: usize, u: f64, v: f64) -> On {
    On { name, atlas: Box::new(atlas), place: Place { chart, u, v } }
}

impl On {
    /// The place moved by some parameters.
    pub fn at(&self, du: f64, dv: f64) -> Place {
        Place { u: self.place.u + du, v: self.place.v + dv, ..self.place }
    }
}

/// Waves that leave no symmetry.
fn shake(k: f64) -> Vec3 {
    Vec3::new((3.1 * k).sin(), (1.7 * k + 1.0).sin(), (2.3 * k + 2.0).sin())
}

/// Two apices of valence five over a ring of vertices of valence four.
pub fn bipyramid() -> TriMesh {
    let n = 5;
    let corner = |k: usize| TAU * k as f64 / n as f64;
    let mut points = vec![Vec3::z(), -Vec3::z()];
    points.extend((0..n).map(|k| Vec3::new(corner(k).cos(), corner(k).sin(), 0.0)));
    points.iter_mut().enumerate().for_each(|(k, p)| *p += shake(k as f64) * 0.1);
    let ring = |k: usize| (2 + k % n) as u32;
    let faces = (0..n).flat_map(|k| [[0, ring(k), ring(k + 1)], [1, ring(k + 1), ring(k)]]).collect();
    TriMesh::new(points, faces).unwrap()
}

/// The vertices of a torus and its quadrilaterals, four at every vertex.
fn ring() -> (Vec<Vec3>, Vec<[u32; 4]>) {
    let (m, n) = (7, 6);
    let at = |i: usize, j: usize| ((i % m) * n + j % n) as u32;
    let (mut points, mut faces) = (Vec::new(), Vec::new());
    for i in 0..m {
        for j in 0..n {
            let (a, b) = (TAU * i as f64 / m as f64, TAU * j as f64 / n as f64);
            let rho = 1.0 + 0.4 * b.cos();
            points.push(
                Vec3::new(rho * a.cos(), rho * a.sin(), 0.4 * b.sin()) + shake((i * n + j) as f64) * 0.05,
            );
            faces.push([at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
    }
    (points, faces)
}

/// Loop's surface over a torus of six triangles at every vertex.
fn regular_loop() -> LoopSurface {
    let (points, faces) = ring();
    let triangles = faces.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    LoopSurface::new(&TriMesh::new(points, triangles).unwrap()).unwrap()
}

fn regular_quads() -> CatmullClarkSurface {
    let (points, faces) = ring();
    CatmullClarkSurface::new(&PolygonMesh::new(points, &faces).unwrap()).unwrap()
}

/// Catmull and Clark's surface over a shaken cube: three faces at every vertex.
pub fn box_of_quads() -> CatmullClarkSurface {
    let sign = |bit: usize| if bit == 0 { -1.0 } else { 1.0 };
    let corner = |i: usize| Vec3::new(sign(i & 1), sign(i >> 1 & 1), sign(i >> 2)) + shake(i as f64) * 0.1;
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    CatmullClarkSurface::new(&PolygonMesh::new((0..8).map(corner).collect(), &faces).unwrap()).unwrap()
}

/// Control points over a square of n by n, u first, that bulge upwards.
fn bulge(n: usize) -> Vec<Vec3> {
    let along = |i: usize| i as f64 / (n - 1) as f64;
    let point = |i: usize, j: usize| {
        let (x, y) = (along(i), along(j));
        Vec3::new(x, y, x * (1.0 - x) + 1.5 * y * (1.0 - y)) + shake((i * n + j) as f64) * 0.03
    };
    (0..n * n).map(|k| point(k / n, k % n)).collect()
}

fn rational_net() -> PatchNet {
    let weights = (0..16).map(|k| 1.0 + 0.2 * shake(k as f64).x).collect();
    PatchNet::new(vec![BezierPatch::rational([3, 3], bulge(4), weights).unwrap()]).unwrap()
}

fn nurbs() -> NurbsSurface {
    let knots = vec![0.0, 0.0, 0.0, 0.0, 0.4, 1.0, 1.0, 1.0, 1.0];
    let weights: Vec<f64> = (0..25).map(|k| 1.0 + 0.1 * shake(k as f64).y).collect();
    NurbsSurface::new([3, 3], [knots.clone(), knots], &bulge(5), Some(&weights)).unwrap()
}

fn five_sided() -> SPatch {
    let corner = |k: usize| Vec3::new((TAU * k as f64 / 5.0).cos(), (TAU * k as f64 / 5.0).sin(), 0.0);
    SPatch::from_fn(5, 3, |index| {
        let flat: Vec3 = index.iter().enumerate().map(|(k, &share)| corner(k) * (share as f64 / 3.0)).sum();
        let seed = index.iter().fold(0, |sum, &i| 4 * sum + i);
        flat + Vec3::z() * (0.8 * (1.0 - flat.norm_squared())) + shake(seed as f64) * 0.02
    })
    .unwrap()
}

/// The sum of a turned ellipsoid and a ball.
pub fn rounded() -> PotentialBody {
    let turn = UnitQuaternion::from_euler_angles(0.3, -0.5, 0.8);
    let egg = Potential::ellipsoid([0.3, 0.2, 0.15]).unwrap().rotated(&turn).unwrap();
    PotentialBody::new(egg.sum(&Potential::ball(0.1).unwrap())).unwrap()
}

/// Contacts of every kind of surface, most of them on both sides.
pub fn contacts() -> Vec<[On; 2]> {
    let egg = |chart, u, v| on("ellipsoid", Ellipsoid::new([0.3, 0.2, 0.1]).unwrap(), chart, u, v);
    let dice = |chart, u, v| {
        on("superellipsoid", Superellipsoid::new([0.2, 0.3, 0.25], [2.5, 3.5]).unwrap(), chart, u, v)
    };
    let torus = |u, v| on("torus", Torus::new(0.4, 0.1).unwrap(), 0, u, v);
    let floor = |u, v| on("plane", Plane::new([0.3, -0.2, 0.9], 0.1).unwrap(), 0, u, v);
    let ball = |chart, u, v| on("sphere", Sphere::new(0.5).unwrap(), chart, u, v);
    let brick = |chart, u, v| {
        on("superquadric", Superquadric::new([0.3, 0.2, 0.25], [2.5, 3.0, 3.5]).unwrap(), chart, u, v)
    };
    let stone = |chart, u, v| on("potential body", rounded(), chart, u, v);
    let pebble = |face, u, v| on("Loop at valence five", LoopSurface::new(&bipyramid()).unwrap(), face, u, v);
    let smooth = |face, u, v| on("Loop", regular_loop(), face, u, v);
    let cushion = |face, u, v| on("Catmull and Clark at valence three", box_of_quads(), face, u, v);
    let quads = |face, u, v| on("Catmull and Clark", regular_quads(), face, u, v);
    let net = |u, v| on("net of patches", rational_net(), 0, u, v);
    let sheet = |patch, u, v| on("NURBS", nurbs(), patch, u, v);
    let star = |u, v| on("S-patch", five_sided(), 0, u, v);
    vec![
        [egg(4, 0.3, -0.2), floor(0.4, 0.7)],
        [egg(0, 0.1, 0.5), torus(0.7, 0.4)],
        [dice(2, 0.4, 0.3), egg(1, -0.3, 0.2)],
        [torus(2.0, 0.3), ball(3, 0.3, 0.3)],
        [floor(0.1, -0.3), dice(5, -0.4, 0.35)],
        [brick(1, 0.3, -0.4), floor(-0.2, 0.1)],
        [stone(2, -0.3, 0.2), brick(5, 0.35, 0.3)],
        [floor(0.3, 0.2), stone(4, 0.4, -0.1)],
        [pebble(0, 0.13, 0.21), floor(0.2, 0.3)],
        [pebble(3, 0.31, 0.17), smooth(11, 0.3, 0.4)],
        [smooth(20, 0.22, 0.37), egg(3, 0.2, 0.1)],
        [cushion(0, 0.13, 0.19), floor(0.1, 0.6)],
        [quads(8, 0.3, 0.6), cushion(3, 0.6, 0.35)],
        [pebble(6, 0.4, 0.12), quads(17, 0.7, 0.2)],
        [net(0.3, 0.6), floor(0.5, 0.1)],
        [sheet(0, 0.7, 0.3), net(0.6, 0.4)],
        [star(0.2, -0.1), sheet(3, 0.4, 0.3)],
        [floor(0.0, 0.4), star(-0.3, 0.2)],
        [stone(0, 0.1, 0.3), sheet(1, 0.3, 0.5)],
        [star(0.1, 0.3), pebble(9, 0.2, 0.33)],
    ]
}
