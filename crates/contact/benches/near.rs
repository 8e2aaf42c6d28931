//! What it costs to find all near places of two surfaces by charts, and to bound their distance, on one thread.
//!
//! A bowl (a Loop surface of 120 faces) stands askew on a table, a plane or a flat Loop surface, a millimetre above it
//! or as deep in it; a ring leans on an ellipsoid. Bodies are about a metre wide. `flying` ones are about a metre
//! apart.

use divan::{Bencher, black_box};
use rattleback_contact::geom::chart::Atlas;
use rattleback_contact::geom::subdivision::LoopSurface;
use rattleback_contact::geom::surface::{Ellipsoid, Plane, Torus};
use rattleback_contact::geom::{GeomError, Pose, TriMesh, Vec3};
use rattleback_contact::near::{ChartTree, Side, Workspace, distance_bound, near};
use std::f64::consts::TAU;

const CASES: [&str; 5] =
    ["bowl_plane", "bowl_table", "bowl_table_overlap", "ring_ellipsoid", "bowl_table_flying"];

fn turned(profile: &[[f64; 2]], n: usize) -> Result<LoopSurface, GeomError> {
    let last = profile.len() - 1;
    let mut points = vec![Vec3::new(0.0, 0.0, profile[0][1]), Vec3::new(0.0, 0.0, profile[last][1])];
    for [rho, z] in &profile[1..last] {
        points.extend(
            (0..n).map(|i| TAU * i as f64 / n as f64).map(|a| Vec3::new(rho * a.cos(), rho * a.sin(), *z)),
        );
    }
    let at = |ring: usize, i: usize| (2 + ring * n + i % n) as u32;
    let mut triangles = Vec::new();
    for i in 0..n {
        triangles.extend([[0, at(0, i + 1), at(0, i)], [1, at(last - 2, i), at(last - 2, i + 1)]]);
        for ring in 0..last - 2 {
            triangles.push([at(ring, i), at(ring, i + 1), at(ring + 1, i)]);
            triangles.push([at(ring, i + 1), at(ring + 1, i + 1), at(ring + 1, i)]);
        }
    }
    LoopSurface::new(&TriMesh::new(points, triangles)?)
}

fn bowl() -> Result<LoopSurface, GeomError> {
    let outside = [[0.0, -0.5], [0.4, -0.5], [0.8, -0.3], [1.0, 0.1], [1.05, 0.4]];
    let inside = [[0.85, 0.4], [0.7, 0.0], [0.4, -0.2], [0.0, -0.25]];
    turned(&[&outside[..], &inside[..]].concat(), 8)
}

struct Case {
    a: Box<dyn Atlas>,
    /// None is the plane z = 0.
    b: Option<Box<dyn Atlas>>,
    /// The gap that A is given.
    gap: f64,
}

fn case(name: &str) -> Result<Case, GeomError> {
    let table = || turned(&[[0.0, -0.2], [1.0, -0.2], [2.0, -0.2], [2.0, 0.0], [1.0, 0.0], [0.0, 0.0]], 6);
    Ok(match name {
        "bowl_plane" => Case { a: Box::new(bowl()?), b: None, gap: 1e-3 },
        "bowl_table" => Case { a: Box::new(bowl()?), b: Some(Box::new(table()?)), gap: 1e-3 },
        "bowl_table_overlap" => Case { a: Box::new(bowl()?), b: Some(Box::new(table()?)), gap: -1e-3 },
        "bowl_table_flying" => Case { a: Box::new(bowl()?), b: Some(Box::new(table()?)), gap: 1.0 },
        _ => Case {
            a: Box::new(Torus::new(0.5, 0.1)?),
            b: Some(Box::new(Ellipsoid::new([0.4, 0.3, 0.5])?)),
            gap: 1e-3,
        },
    })
}

/// Calls `ask` with the sides of a case, brought to its gap.
fn with(name: &str, ask: impl FnOnce([Side<'_>; 2], [Pose; 2], f64)) {
    let case = case(name).expect("shapes within what the surfaces accept");
    let plane = Plane::new([0.0, 0.0, 1.0], 0.0).expect("a normal of length one");
    let tree_a = ChartTree::new(case.a.as_ref()).expect("closed surfaces have trees");
    let tree_b = case.b.as_ref().map(|b| ChartTree::new(b.as_ref()).expect("closed surfaces have trees"));
    let a = Side::Charted { tree: &tree_a, atlas: case.a.as_ref() };
    let b = match (&tree_b, &case.b) {
        (Some(tree), Some(atlas)) => Side::Charted { tree, atlas: atlas.as_ref() },
        _ => Side::Plane(&plane),
    };
    let work = &mut Workspace::new();
    let table = Pose::identity();
    let mut pose =
        Pose::from_position(0.05, 0.02, 3.0).rotated(Vec3::new(1.0, 0.3, 0.2), 0.3).expect("an axis");
    for _ in 0..60 {
        pose.position.z -= distance_bound(&a, &pose, &b, &table, work).expect("a bound") - 1e-6;
    }
    pose.position.z += case.gap;
    ask([a, b], [pose, table], case.gap);
}

#[divan::bench(args = CASES)]
fn all_near(bencher: Bencher, name: &str) {
    with(name, |[a, b], [pose_a, pose_b], gap| {
        let mut work = Workspace::new();
        let reach = 2.0 * gap.abs();
        bencher.bench_local(|| near(black_box(&a), &pose_a, &b, &pose_b, reach, &mut work).map(<[_]>::len));
    });
}

#[divan::bench(args = CASES)]
fn bound(bencher: Bencher, name: &str) {
    with(name, |[a, b], [pose_a, pose_b], _| {
        let mut work = Workspace::new();
        bencher.bench_local(|| distance_bound(black_box(&a), &pose_a, &b, &pose_b, &mut work));
    });
}

#[divan::bench]
fn tree_of_a_bowl(bencher: Bencher) {
    let surface = bowl().expect("a closed control mesh");
    bencher.bench_local(|| ChartTree::new(black_box(&surface)).map(|tree| tree.leaf_count()));
}

fn main() {
    divan::main();
}
