//! Catmull and Clark's surfaces: one of every sort, their vertices, their sides.

use super::atlases::{Entry, rates};
use super::walk::Walker;
use crate::conformance::sample::Random;
use rattleback_geom::chart::{Atlas, Place};
use rattleback_geom::mesh::PolygonMesh;
use rattleback_geom::subdivision::CatmullClarkSurface;
use rattleback_geom::{Vec2, Vec3};
use std::f64::consts::TAU;

/// What a place may move by where it goes over an extraordinary vertex: a few times the cut of 1e-8 edges.
const JUMP: f64 = 5e-8;

const CORNERS: [Vec2; 4] =
    [Vec2::new(0.0, 0.0), Vec2::new(1.0, 0.0), Vec2::new(1.0, 1.0), Vec2::new(0.0, 1.0)];

/// Two apices of valence `n` over a zigzag of 2n vertices of valence three, shaken.
fn trapezohedron(n: usize, shake: f64) -> CatmullClarkSurface {
    let mut random = Random(n as u64);
    let mut points = vec![Vec3::z() * 1.2, -Vec3::z() * 1.2];
    points.extend((0..2 * n).map(|i| {
        let angle = TAU * i as f64 / (2 * n) as f64;
        Vec3::new(angle.cos(), angle.sin(), if i % 2 == 0 { 0.3 } else { -0.3 })
    }));
    points.iter_mut().for_each(|p| *p += random.point() * shake);
    let ring = |i: usize| (2 + i % (2 * n)) as u32;
    let faces: Vec<[u32; 4]> = (0..n)
        .flat_map(|k| {
            let (i, j) = (2 * k, 2 * k + 1);
            [[0, ring(i), ring(i + 1), ring(i + 2)], [1, ring(j + 2), ring(j + 1), ring(j)]]
        })
        .collect();
    CatmullClarkSurface::new(&PolygonMesh::new(points, &faces).unwrap()).unwrap()
}

/// A shaken torus of four quadrilaterals at every vertex; every fifth cut in two triangles where `cut`.
fn ring(cut: bool) -> CatmullClarkSurface {
    let (m, n) = (7, 6);
    let mut random = Random(6);
    let at = |i: usize, j: usize| ((i % m) * n + j % n) as u32;
    let (mut points, mut faces) = (Vec::new(), Vec::new());
    for i in 0..m {
        for j in 0..n {
            let (a, b) = (TAU * i as f64 / m as f64, TAU * j as f64 / n as f64);
            let rho = 1.0 + 0.4 * b.cos();
            points.push(Vec3::new(rho * a.cos(), rho * a.sin(), 0.4 * b.sin()) + random.point() * 0.05);
            let quad = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            if cut && (i * n + j) % 5 == 0 {
                faces.extend([vec![quad[0], quad[1], quad[2]], vec![quad[0], quad[2], quad[3]]]);
            } else {
                faces.push(quad.to_vec());
            }
        }
    }
    CatmullClarkSurface::new(&PolygonMesh::new(points, &faces).unwrap()).unwrap()
}

pub fn entries() -> Vec<Entry> {
    let mut list: Vec<Entry> = [3, 4, 5, 6, 7, 12]
        .map(|n| Entry::new(&format!("Catmull and Clark {n}"), trapezohedron(n, 0.12)))
        .into();
    list.push(Entry::new("Catmull and Clark regular torus", ring(false)));
    list.push(Entry::new("Catmull and Clark torus of triangles and squares", ring(true)));
    list
}

#[test]
fn extraordinary_vertices_are_passed_straight_whether_hit_or_missed() {
    for n in [3, 5, 7, 12] {
        let surface = trapezohedron(n, 0.05);
        let vertex = surface.limit(0, 0).unwrap();
        assert_eq!(vertex.valence, n);
        for (s, t) in [(0.12, 0.05), (0.04, 0.14), (0.15, 0.0), (0.0, 0.15), (0.08, 0.08)] {
            for miss in [0.0, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-6, 1e-5, 1e-4, 1e-3] {
                let start = Place { chart: 0, u: s, v: t };
                let aside = if s >= t { miss } else { -miss };
                let aim = [-s - aside, -t + aside];
                let near = (0..60).map(|k| 0.5f64.powi(k)).map(|r| Place {
                    u: s + (1.0 - r) * aim[0],
                    v: t + (1.0 - r) * aim[1],
                    ..start
                });
                let last = near.take_while(|p| surface.inside(p) >= 0.0).last().unwrap();
                let jet = Atlas::jet(&surface, &last).unwrap();
                let mut walker = Walker::new(&surface, last, &(jet.du * aim[0] + jet.dv * aim[1]));
                let into = walker.heading;
                for _ in 0..50 {
                    walker.step(0.0004).unwrap_or_else(|e| panic!("{n} {miss:e}: {e}"));
                }
                assert!(walker.longest_jump < JUMP, "{n} {miss:e}: {:e}", walker.longest_jump);
                let gone = Atlas::jet(&surface, &walker.place).unwrap().p - jet.p;
                let flat = gone - vertex.normal() * vertex.normal().dot(&gone);
                let straight = flat.normalize().dot(&into);
                assert!(straight > 0.98, "{n} ({s}, {t}) {miss:e}: {straight}");
            }
        }
    }
}

#[test]
fn regular_corners_are_passed_in_every_direction() {
    let surface = ring(false);
    for chart in 0..surface.face_count() {
        for corner in CORNERS {
            let place = Place { chart, u: corner.x, v: corner.y };
            let jet = Atlas::jet(&surface, &place).unwrap();
            for k in 0..24 {
                let (sin, cos) = (TAU * f64::from(k) / 24.0).sin_cos();
                let next = surface.onward(&place, &Vec2::new(cos, sin)).unwrap().unwrap();
                let there = Atlas::jet(&surface, &next).unwrap();
                assert!((jet.p - there.p).norm() < 1e-14);
                let r = rates(&there, &(jet.du * cos + jet.dv * sin));
                let ahead = Place { u: next.u + 1e-3 * r.x, v: next.v + 1e-3 * r.y, ..next };
                assert!(surface.inside(&ahead) >= -1e-12, "{place:?} {k} {next:?}");
            }
        }
    }
}

#[test]
fn tangent_planes_and_curvatures_go_on_across_every_side() {
    for surface in [ring(true), trapezohedron(3, 0.12), trapezohedron(5, 0.12), trapezohedron(12, 0.12)] {
        for chart in 0..surface.face_count() {
            for side in 0..4 {
                let (a, b) = (CORNERS[side], CORNERS[(side + 1) % 4]);
                let out = Vec2::new((b - a).y, -(b - a).x);
                for share in [1e-3, 0.1, 0.37, 0.5, 0.92, 0.999] {
                    let p = a + (b - a) * share;
                    let border = Place { chart, u: p.x, v: p.y };
                    let next = surface.onward(&border, &out).unwrap().unwrap();
                    assert!(next.chart != chart);
                    let here = Atlas::jet(&surface, &border).unwrap();
                    let there = Atlas::jet(&surface, &next).unwrap();
                    assert!((here.p - there.p).norm() < 1e-14);
                    let turn = (here.normal().normalize() - there.normal().normalize()).norm();
                    assert!(turn < 1e-11, "{border:?}: {turn:e}");
                    let (k, l) = (here.curvature().kappa, there.curvature().kappa);
                    let error = (k[0] - l[0]).abs() + (k[1] - l[1]).abs();
                    assert!(error < 1e-6 * (k[0].abs() + k[1].abs()), "{border:?} {k:?} {l:?}");
                }
            }
        }
    }
}

#[test]
fn a_vertex_without_derivatives_is_located_on_its_cut() {
    for n in [3, 5, 7, 12] {
        let surface = trapezohedron(n, 0.05);
        for (face, corner) in [(0, 0), (1, 0), (2, 1), (3, 2), (3, 3)] {
            let vertex = surface.limit(face, corner).unwrap().point;
            let found = surface.locate(&vertex).unwrap();
            let error = (Atlas::jet(&surface, &found).unwrap().p - vertex).norm();
            assert!(error < JUMP, "{n} {face} {corner}: {error:e}");
        }
    }
}
