//! One of every sort of atlas, and random places of them.

use crate::conformance::sample::Random;
use crate::patches::samples::{octant, random_patch, torus};
use rattleback_geom::chart::{Atlas, Place};
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::patch::{BezierPatch, NurbsSurface, PatchNet, SPatch};
use rattleback_geom::potential::{Harmonics, Potential};
use rattleback_geom::subdivision::LoopSurface;
use rattleback_geom::surface::{
    Ellipsoid, ParametricJet, Plane, PotentialBody, Sphere, Superellipsoid, Superquadric, Surface, Torus,
};
use rattleback_geom::{TriMesh, Vec2, Vec3};
use std::f64::consts::TAU;

/// An atlas with what the tests must know of it.
pub struct Entry {
    pub name: String,
    pub atlas: Box<dyn Atlas>,
    /// Coordinates closer to zero than this share of the greatest are left out where third derivatives are compared.
    pub margin: f64,
    /// Whether curvatures go on across borders.
    pub curved: bool,
    /// Whether the surface has no end.
    pub closed: bool,
}

impl Entry {
    pub fn new(name: &str, atlas: impl Atlas + 'static) -> Self {
        Self { name: name.to_owned(), atlas: Box::new(atlas), margin: 0.0, curved: true, closed: true }
    }

    fn margin(mut self, margin: f64) -> Self {
        self.margin = margin;
        self
    }

    pub fn is_regular(&self, p: &Vec3) -> bool {
        p.iter().all(|x| x.abs() >= self.margin * p.amax())
    }
}

/// Two apices of valence `n` over a ring, shaken.
pub fn bipyramid(n: usize, shake: f64) -> TriMesh {
    let mut random = Random(n as u64);
    let mut points = vec![Vec3::z(), -Vec3::z()];
    points.extend((0..n).map(|i| TAU * i as f64 / n as f64).map(|a| Vec3::new(a.cos(), a.sin(), 0.0)));
    points.iter_mut().for_each(|p| *p += random.point() * shake);
    let ring = |i: usize| (2 + i % n) as u32;
    let triangles = (0..n).flat_map(|i| [[0, ring(i), ring(i + 1)], [1, ring(i + 1), ring(i)]]).collect();
    TriMesh::new(points, triangles).unwrap()
}

/// A torus of six triangles at every vertex, shaken; every third triangle of a row poked where `poked`.
pub fn ring_mesh(poked: bool) -> TriMesh {
    let (m, n) = (9, 6);
    let mut random = Random(5);
    let mut points = Vec::new();
    for i in 0..m {
        for j in 0..n {
            let (a, b) = (TAU * i as f64 / m as f64, TAU * j as f64 / n as f64);
            let rho = 1.0 + 0.4 * b.cos();
            points.push(Vec3::new(rho * a.cos(), rho * a.sin(), 0.4 * b.sin()) + random.point() * 0.05);
        }
    }
    let at = |i: usize, j: usize| ((i % m) * n + j % n) as u32;
    let mut triangles = Vec::new();
    for i in 0..m {
        for j in 0..n {
            for [a, b, c] in
                [[at(i, j), at(i + 1, j), at(i + 1, j + 1)], [at(i, j), at(i + 1, j + 1), at(i, j + 1)]]
            {
                if poked && triangles.len() % 7 == 0 {
                    let middle = points.len() as u32;
                    points.push((points[a as usize] + points[b as usize] + points[c as usize]) / 3.0);
                    triangles.extend([[a, b, middle], [b, c, middle], [c, a, middle]]);
                } else {
                    triangles.push([a, b, c]);
                }
            }
        }
    }
    TriMesh::new(points, triangles).unwrap()
}

fn potentials() -> Vec<Entry> {
    let mut coefficients = [0.0; 16];
    coefficients[..9].copy_from_slice(&[2.0, 0.05, 0.1, -0.1, 0.03, -0.02, 0.12, 0.02, 0.05]);
    coefficients[12] = 0.02;
    let pebble = Potential::harmonics(Harmonics::new(3, &coefficients).unwrap());
    let turn = UnitQuaternion::from_euler_angles(0.3, -0.5, 0.8);
    let sum = Potential::ellipsoid([0.5, 0.3, 0.2]).unwrap().sum(&Potential::ball(0.2).unwrap());
    let sum = sum.rotated(&turn).unwrap().translated(&Vec3::new(0.1, 0.05, -0.02)).unwrap();
    vec![
        Entry::new("pebble", PotentialBody::new(pebble).unwrap()),
        Entry::new("sum of potentials", PotentialBody::new(sum).unwrap()),
    ]
}

pub fn all() -> Vec<Entry> {
    let superellipsoid = |a, e| Superellipsoid::new(a, e).unwrap();
    let mut list = vec![
        Entry::new("plane", Plane::new([0.3, -0.5, 0.8], 0.2).unwrap()),
        Entry::new("torus", Torus::new(0.8, 0.3).unwrap()),
        Entry::new("sphere", Sphere::new(0.7).unwrap()),
        Entry::new("ellipsoid", Ellipsoid::new([1.0, 0.6, 0.3]).unwrap()),
        Entry::new("needle", Ellipsoid::new([1.0, 0.1, 0.05]).unwrap()),
        Entry::new("superellipsoid 2, 2", superellipsoid([0.8, 0.5, 0.6], [2.0, 2.0])),
        Entry::new("superellipsoid 3, 4", superellipsoid([0.8, 0.5, 0.6], [3.0, 4.0])).margin(0.05),
        Entry::new("superellipsoid 2.5, 2.5", superellipsoid([1.0, 1.0, 2.0], [2.5, 2.5])).margin(0.05),
        Entry::new("superellipsoid 6, 2", superellipsoid([0.8, 0.5, 0.6], [6.0, 2.0])).margin(0.1),
        Entry::new("superellipsoid 2, 5", superellipsoid([0.8, 0.5, 0.6], [2.0, 5.0])).margin(0.1),
    ];
    let superquadric = |e| Superquadric::new([0.4, 0.6, 0.5], e).unwrap();
    list.push(Entry::new("superquadric 2, 3, 4", superquadric([2.0, 3.0, 4.0])).margin(0.05));
    list.extend(potentials());
    for n in [3, 4, 5, 6, 7, 12] {
        list.push(Entry::new(&format!("Loop {n}"), LoopSurface::new(&bipyramid(n, 0.15)).unwrap()));
    }
    list.push(Entry::new("Loop regular torus", LoopSurface::new(&ring_mesh(false)).unwrap()));
    list.push(Entry::new("Loop poked torus", LoopSurface::new(&ring_mesh(true)).unwrap()));
    list.extend(super::quads::entries());
    list.extend(patches());
    list
}

/// Bilinear quadrilaterals of a plane about a vertex of any valence, shaken.
pub fn fan(n: usize) -> PatchNet {
    let mut random = Random(n as u64);
    let mut shaken = |radius: f64, k: f64| {
        let angle = TAU * k / n as f64;
        let p = random.point() * 0.1;
        Vec3::new(radius * angle.cos() + p.x, radius * angle.sin() + p.y, 0.0)
    };
    let ring: Vec<[Vec3; 2]> = (0..n).map(|k| [shaken(1.0, k as f64), shaken(1.5, k as f64 + 0.5)]).collect();
    let patch = |k: usize| {
        BezierPatch::new([1, 1], vec![Vec3::zeros(), ring[(k + 1) % n][0], ring[k][0], ring[k][1]]).unwrap()
    };
    PatchNet::new((0..n).map(|k| reversed(&patch(k))).collect()).unwrap()
}

/// A bilinear patch with u and v exchanged.
fn reversed(patch: &BezierPatch) -> BezierPatch {
    let [a, b, c, d] = <[Vec3; 4]>::try_from(patch.control().to_vec()).unwrap();
    BezierPatch::new([1, 1], vec![a, c, b, d]).unwrap()
}

fn patches() -> Vec<Entry> {
    let mut random = Random(9);
    let octants = [false, true].into_iter().flat_map(|below| (0..4).map(move |k| octant(0.8, k, below)));
    let mut open = vec![
        Entry::new("Bézier patch", random_patch([3, 3], true, &mut random)),
        Entry::new("planar fan", fan(5)),
    ];
    for n in [3, 5, 6, 12] {
        let patch = SPatch::from_fn(n, 3, |i| {
            let corner = |k: usize| TAU * k as f64 / n as f64;
            let mut p = shift(i);
            for (k, &share) in i.iter().enumerate() {
                p += Vec3::new(corner(k).cos(), corner(k).sin(), 0.0) * (share as f64 / 3.0);
            }
            p
        });
        open.push(Entry::new(&format!("S-patch {n}"), patch.unwrap()));
    }
    open.iter_mut().for_each(|e| e.closed = false);
    let mut list = vec![
        Entry::new("octants", PatchNet::new(octants.collect()).unwrap()),
        Entry::new("net of a torus", PatchNet::new(torus(1.3, 0.4).patches().to_vec()).unwrap()),
        Entry::new("NURBS torus", torus(1.3, 0.4)),
        Entry::new("periodic B-spline", periodic_torus()),
    ];
    list.extend(open);
    list
}

/// A bicubic torus over unclamped knots, whose ends meet by repeated control points.
fn periodic_torus() -> NurbsSurface {
    let (m, n) = (8, 6);
    let knots = |count: usize| (0..count + 7).map(|k| k as f64).collect();
    let mut control = Vec::new();
    for i in 0..m + 3 {
        for j in 0..n + 3 {
            let mut random = Random((i % m * n + j % n) as u64);
            let (a, b) = (TAU * i as f64 / m as f64, TAU * j as f64 / n as f64);
            let rho = 1.0 + 0.5 * b.cos();
            control.push(Vec3::new(rho * a.cos(), rho * a.sin(), 0.5 * b.sin()) + random.point() * 0.03);
        }
    }
    NurbsSurface::new([3, 3], [knots(m), knots(n)], &control, None).unwrap()
}

/// A shift that depends on the index of a control point, small enough for the patch not to fold.
fn shift(index: &[usize]) -> Vec3 {
    let seed = index.iter().fold(0, |sum, &i| 7 * sum + i as u64);
    Random(seed).point() * (0.3 / index.len() as f64)
}

/// A random place of a cell; of a square about the origin where there are none.
pub fn place(atlas: &dyn Atlas, random: &mut Random) -> Place {
    let cells = atlas.cells();
    if cells.is_empty() {
        return Place { chart: 0, u: random.within(-3.0, 3.0), v: random.within(-3.0, 3.0) };
    }
    let cell = cells[(random.unit() * cells.len() as f64) as usize];
    let (mut a, mut b) = (random.unit(), random.unit());
    if a + b > 1.0 {
        (a, b) = (1.0 - a, 1.0 - b);
    }
    let [o, p, q] = cell.corners;
    let at = o + (p - o) * a + (q - o) * b;
    Place { chart: cell.chart, u: at.x, v: at.y }
}

/// The place on the way from `from` at which `inside` is `level`; none where there is none.
pub fn along(atlas: &dyn Atlas, from: &Place, way: &Vec2, level: f64) -> Option<Place> {
    let at = |share: f64| Place { u: from.u + share * way.x, v: from.v + share * way.y, ..*from };
    let (mut low, mut high) = (0.0, 5.0 / way.norm());
    if !(atlas.inside(&at(high)) < level && atlas.inside(from) > level) {
        return None;
    }
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if atlas.inside(&at(middle)) >= level { low = middle } else { high = middle }
    }
    Some(at(low))
}

pub fn way(random: &mut Random) -> Vec2 {
    let angle = random.within(0.0, TAU);
    Vec2::new(angle.cos(), angle.sin())
}

/// The rates at which a point moves with the tangential part of a velocity.
pub fn rates(jet: &ParametricJet, w: &Vec3) -> Vec2 {
    let n = jet.normal();
    Vec2::new(n.dot(&w.cross(&jet.dv)), n.dot(&jet.du.cross(w))) / n.norm_squared()
}

#[test]
fn surfaces_offer_their_atlas_and_those_with_edges_none() {
    use rattleback_geom::surface::{Capsule, Cylinder};
    assert!(Sphere::new(1.0).unwrap().as_atlas().is_some());
    assert!(Torus::new(1.0, 0.5).unwrap().as_atlas().is_some());
    assert!(Plane::new([0.0, 0.0, 1.0], 0.0).unwrap().as_atlas().is_some());
    assert!(Superellipsoid::new([1.0; 3], [2.0, 4.0]).unwrap().as_atlas().is_some());
    assert!(Superellipsoid::new([1.0; 3], [1.9, 4.0]).unwrap().as_atlas().is_none());
    assert!(Superquadric::new([1.0; 3], [2.0, 3.0, 1.5]).unwrap().as_atlas().is_none());
    assert!(Cylinder::new(1.0, 1.0).unwrap().as_atlas().is_none());
    assert!(Capsule::new(1.0, 1.0).unwrap().as_atlas().is_some());
}
