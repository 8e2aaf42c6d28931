//! What it costs to find the regions of a mesh, warm, on one thread.
//!
//! The mesh is a unit ball of 8·4ᵏ triangles, k = 4, 7, 8: 2 048, 131 072 and 524 288. It moves by a tenth of a
//! millimetre per question, a centimetre deep in a copy of itself, in a half-space, in a sphere or in an ellipsoid;
//! `apart` ones are a metre away.

use divan::Bencher;
use rattleback_contact::geom::surface::{Ellipsoid, Mesh, Plane, Shape, Sphere};
use rattleback_contact::geom::{GeomError, Pose, Vec3, tessellate};
use rattleback_contact::region::RegionFinder;

const ROUNDS: [usize; 3] = [4, 7, 8];

/// How deep the bodies are in each other, in m.
const DEPTH: f64 = 0.01;

fn ball(rounds: usize) -> Result<Shape, GeomError> {
    let directions = vec![Vec3::x(), -Vec3::x(), Vec3::y(), -Vec3::y(), Vec3::z(), -Vec3::z()];
    let triangles =
        vec![[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
    let middle = |a: &Vec3, b: &Vec3| (a + b).normalize();
    // The chord error is no limit.
    let mesh = tessellate::refine(directions, triangles, 1e9, rounds, middle, |u| *u)?;
    Ok(Mesh::new(mesh)?.into())
}

/// Asks for the regions of the ball against `other`, whose surface is `reach` away from its middle.
fn ask(bencher: Bencher, mesh: &Shape, other: &Shape, reach: f64) {
    let (mut finder, mut out, mut step) = (RegionFinder::new(), Vec::new(), 0);
    let way = Vec3::new(0.3, 0.5, 0.8).normalize();
    bencher.bench_local(|| {
        step = (step + 1) % 100;
        let pose = Pose::new(way * (1.0 + reach) + Vec3::x() * (1e-4 * f64::from(step)), Default::default());
        finder.find(mesh, &pose, other, &Pose::identity(), 0.0, &mut out).map(|()| out.len())
    });
}

fn with(rounds: usize, run: impl FnOnce(&Shape)) {
    run(&ball(rounds).expect("a closed mesh"));
}

#[divan::bench(args = ROUNDS)]
fn mesh(bencher: Bencher, rounds: usize) {
    with(rounds, |ball| ask(bencher, ball, ball, 1.0 - DEPTH));
}

#[divan::bench(args = ROUNDS)]
fn mesh_apart(bencher: Bencher, rounds: usize) {
    with(rounds, |ball| ask(bencher, ball, ball, 2.0));
}

#[divan::bench(args = ROUNDS)]
fn plane(bencher: Bencher, rounds: usize) {
    let plane = Plane::new([0.3, 0.5, 0.8], 0.0).expect("a normal").into();
    with(rounds, |ball| ask(bencher, ball, &plane, -DEPTH));
}

#[divan::bench(args = ROUNDS)]
fn sphere(bencher: Bencher, rounds: usize) {
    let sphere = Sphere::new(0.3).expect("a radius").into();
    with(rounds, |ball| ask(bencher, ball, &sphere, 0.3 - DEPTH));
}

#[divan::bench(args = ROUNDS)]
fn ellipsoid(bencher: Bencher, rounds: usize) {
    let ellipsoid = Ellipsoid::new([0.3, 0.2, 0.25]).expect("semi-axes").into();
    with(rounds, |ball| ask(bencher, ball, &ellipsoid, 0.23 - DEPTH));
}

fn main() {
    divan::main();
}
