//! What a jet by charts costs, which the motion of a contact point asks for at every evaluation of its rates: bodies
//! over their directions, patches, and Loop surfaces on regular faces and at extraordinary vertices, by the steps
//! towards the vertex.

use divan::{Bencher, black_box};
use rattleback_geom::chart::{Atlas, Place};
use rattleback_geom::patch::BezierPatch;
use rattleback_geom::potential::{Harmonics, Potential};
use rattleback_geom::subdivision::LoopSurface;
use rattleback_geom::surface::{Ellipsoid, PotentialBody, Sphere, Superellipsoid, Torus};
use rattleback_geom::{TriMesh, Vec3};
use std::f64::consts::TAU;

const BODIES: [&str; 7] = ["sphere", "ellipsoid", "superellipsoid", "torus", "harmonics", "bicubic", "loop"];

/// Two apices of valence `n` over a ring.
fn bipyramid(n: usize) -> Option<LoopSurface> {
    let mut points = vec![Vec3::z(), -Vec3::z()];
    points.extend((0..n).map(|i| TAU * i as f64 / n as f64).map(|a| Vec3::new(a.cos(), a.sin(), 0.0)));
    let ring = |i: usize| (2 + i % n) as u32;
    let triangles = (0..n).flat_map(|i| [[0, ring(i), ring(i + 1)], [1, ring(i + 1), ring(i)]]).collect();
    LoopSurface::new(&TriMesh::new(points, triangles).ok()?).ok()
}

fn body(kind: &str) -> Option<Box<dyn Atlas>> {
    let axes = [0.5, 0.7, 0.6];
    let mut coefficients = vec![0.0; 25];
    (coefficients[0], coefficients[6], coefficients[20]) = (2.0, 0.1, 0.01);
    let control = (0..16).map(|k| Vec3::new(f64::from(k / 4), f64::from(k % 4), f64::from(k % 3)));
    Some(match kind {
        "sphere" => Box::new(Sphere::new(0.7).ok()?),
        "ellipsoid" => Box::new(Ellipsoid::new(axes).ok()?),
        "superellipsoid" => Box::new(Superellipsoid::new(axes, [3.0, 4.5]).ok()?),
        "torus" => Box::new(Torus::new(0.8, 0.3).ok()?),
        "harmonics" => {
            Box::new(PotentialBody::new(Potential::harmonics(Harmonics::new(4, &coefficients).ok()?)).ok()?)
        }
        "bicubic" => Box::new(BezierPatch::new([3, 3], control.collect()).ok()?),
        "loop" => Box::new(bipyramid(5)?),
        _ => return None,
    })
}

#[divan::bench(args = BODIES)]
fn jet(bencher: Bencher, kind: &str) {
    let Some(atlas) = body(kind) else { return };
    let place = Place { chart: 0, u: 0.31, v: 0.23 };
    bencher.bench_local(|| black_box(atlas.jet(black_box(&place))));
}

/// The middle of a face, all of whose corners but the apex are extraordinary, is regular.
#[divan::bench]
fn loop_regular(bencher: Bencher) {
    let Some(surface) = bipyramid(6) else { return };
    bencher.bench_local(|| black_box(surface.jet(black_box(0), black_box(0.2), black_box(0.1))));
}

#[divan::bench(args = [1, 2, 3, 4, 6, 10, 20, 40])]
fn loop_extraordinary(bencher: Bencher, depth: i32) {
    let Some(surface) = bipyramid(5) else { return };
    let r = 0.7 * 0.5f64.powi(depth);
    bencher.bench_local(|| black_box(surface.jet(black_box(0), black_box(0.6 * r), black_box(0.4 * r))));
}

fn main() {
    divan::main();
}
