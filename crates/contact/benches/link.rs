//! What it costs to ask where a chain link presses on a mesh, on one thread.
//!
//! A link of 60 mm bar and a torus of 0.5 m and 0.2 m radius, tessellated to about a thousand, ten thousand and a
//! hundred thousand triangles. `far` is beyond the mesh's box, `clear` in the middle of the ring, `near` 5 mm above
//! the top of the tube, `lying` on it.

use divan::{Bencher, black_box};
use rattleback_contact::geom::surface::{Link, Mesh, Plane, Shape, Surface, Torus};
use rattleback_contact::geom::{GeomError, Pose, Vec3};
use rattleback_contact::region::RegionFinder;
use std::sync::Arc;

const CASES: [&str; 4] = ["far", "clear", "near", "lying"];
/// Chord errors in m for the three meshes.
const CHORDS: [f64; 3] = [1e-2, 1e-3, 1e-4];
const RADIUS: f64 = 0.03;

fn height(case: &str) -> f64 {
    if case == "near" { 0.2 + RADIUS + 5e-3 } else { 0.2 + RADIUS - 1e-3 }
}

/// Flat, its x along z; at the top of the tube for the cases that need one.
fn pose(case: &str) -> Result<Pose, GeomError> {
    let (x, z) = match case {
        "far" => (3.0, 0.0),
        "clear" => (0.0, 0.0),
        _ => (0.5, height(case)),
    };
    Pose::from_position(x, 0.02, z).rotated(Vec3::y(), -std::f64::consts::FRAC_PI_2)
}

fn ask(bencher: Bencher, link: &Shape, pose: &Pose, body: &Shape) {
    let mut finder = RegionFinder::new();
    let mut out = Vec::new();
    bencher.bench_local(|| {
        let found = finder.find(black_box(link), black_box(pose), body, &Pose::identity(), 0.0, &mut out);
        (found.is_ok(), out.len())
    });
}

fn link() -> Result<Shape, GeomError> {
    Ok(Link::from_outer(0.06, 0.36, 0.216)?.into())
}

#[divan::bench(args = CASES, consts = [0, 1, 2])]
fn mesh<const FINENESS: usize>(bencher: Bencher, case: &str) {
    let made = Torus::new(0.5, 0.2).and_then(|t| t.tessellate(CHORDS[FINENESS])).and_then(Mesh::new);
    if let (Ok(mesh), Ok(link), Ok(pose)) = (made, link(), pose(case)) {
        ask(bencher, &link, &pose, &Shape::Mesh(Arc::new(mesh)));
    }
}

#[divan::bench]
fn half_space(bencher: Bencher) {
    if let (Ok(plane), Ok(link), Ok(pose)) = (Plane::new([0.0, 0.0, 1.0], 0.2), link(), pose("lying")) {
        ask(bencher, &link, &pose, &plane.into());
    }
}

fn main() {
    divan::main();
}
