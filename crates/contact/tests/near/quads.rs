//! Catmull and Clark's surfaces over planes and against other surfaces.

use super::brute::{add, minima, spots};
use super::random::Random;
use rattleback_contact::geom::chart::Atlas;
use rattleback_contact::geom::mesh::PolygonMesh;
use rattleback_contact::geom::subdivision::CatmullClarkSurface;
use rattleback_contact::geom::surface::{Ellipsoid, Plane};
use rattleback_contact::geom::{Pose, Vec3};
use rattleback_contact::near::{ChartTree, Near, Side, Workspace, distance_bound, near, refine};

/// A table with its legs up: a box of n by n by one quadrilaterals whose corner cells are drawn out, shaken.
fn stool(shake: f64) -> CatmullClarkSurface {
    let (n, mut random) = (3usize, Random(8));
    let m = n + 1;
    let at = |layer: usize, i: usize, j: usize| (layer * m * m + i * m + j) as u32;
    let mut points = Vec::new();
    for layer in 0..2 {
        for i in 0..m {
            for j in 0..m {
                let leg = layer == 1 && (i == 0 || i == n) && (j == 0 || j == n);
                let z = if leg { 0.9 } else { 0.3 * layer as f64 };
                let p = Vec3::new(2.0 * i as f64 / n as f64 - 1.0, 2.0 * j as f64 / n as f64 - 1.0, z);
                points.push(p + random.vector(shake));
            }
        }
    }
    let mut faces: Vec<[u32; 4]> = Vec::new();
    for i in 0..n {
        for j in 0..n {
            faces.push([at(0, i, j), at(0, i, j + 1), at(0, i + 1, j + 1), at(0, i + 1, j)]);
            faces.push([at(1, i, j), at(1, i + 1, j), at(1, i + 1, j + 1), at(1, i, j + 1)]);
        }
        faces.push([at(0, i, 0), at(0, i + 1, 0), at(1, i + 1, 0), at(1, i, 0)]);
        faces.push([at(0, i + 1, n), at(0, i, n), at(1, i, n), at(1, i + 1, n)]);
        faces.push([at(0, 0, i + 1), at(0, 0, i), at(1, 0, i), at(1, 0, i + 1)]);
        faces.push([at(0, n, i), at(0, n, i + 1), at(1, n, i + 1), at(1, n, i)]);
    }
    CatmullClarkSurface::new(&PolygonMesh::new(points, &faces).unwrap()).unwrap()
}

fn same(found: &[Near], expected: &[Near]) {
    let gaps = |all: &[Near]| all.iter().map(|near| (near.gap, near.kind)).collect::<Vec<_>>();
    for near in expected {
        let is = |x: &&Near| (0..2).all(|k| (x.points[k] - near.points[k]).norm() < 1e-5);
        assert!(found.iter().any(|x| is(&x)), "{near:?} is missing\n{:?}\n{:?}", gaps(found), gaps(expected));
    }
    assert_eq!(found.len(), expected.len(), "{:?}\n{:?}", gaps(found), gaps(expected));
}

fn holds(near: &Near, atlas: &dyn Atlas, pose: &Pose) {
    let jet = atlas.jet(&near.places[0]).unwrap();
    let n = pose.vector_to_world(&jet.normal().normalize());
    assert!((pose.point_to_world(&jet.p) - near.points[0]).norm() < 1e-11, "{near:?}");
    assert!((n - near.normal).norm() < 1e-11, "{near:?}");
    assert!((near.points[1] - near.points[0] - near.normal * near.gap).norm() < 1e-11, "{near:?}");
}

#[test]
fn a_stool_upside_down_stands_on_four_places_and_a_tilted_one_on_fewer() {
    let plane = Plane::new([0.0, 0.0, 1.0], 0.0).unwrap();
    let (mut random, mut work) = (Random(2), Workspace::new());
    let surface = stool(0.03);
    let tree = ChartTree::new(&surface).unwrap();
    assert!(tree.is_proved(), "{} leaves", tree.leaf_count());
    let (a, b) = (Side::Charted { tree: &tree, atlas: &surface }, Side::Plane(&plane));
    let grid = spots(&surface, 3);
    let mut counts = [0; 8];
    for k in 0..40 {
        let mut pose = random.pose(1.0);
        pose.position.z = 1.5;
        if k % 2 == 0 {
            let turned = Pose::identity().rotated(Vec3::x(), std::f64::consts::PI).unwrap();
            pose.orientation =
                turned.rotated(random.vector(1.0), random.between(0.0, 0.3)).unwrap().orientation;
        }
        let mut expected = Vec::new();
        for spot in &grid {
            if pose.vector_to_world(&spot.n).z < -0.9 {
                let end = refine(&a, &pose, &b, &Pose::identity(), [spot.place; 2]).unwrap();
                add(&mut expected, end, 10.0);
            }
        }
        let found = near(&a, &pose, &b, &Pose::identity(), 10.0, &mut work).unwrap().to_vec();
        same(&found, &expected);
        counts[found.len()] += 1;
        let bound = distance_bound(&a, &pose, &b, &Pose::identity(), &mut work).unwrap();
        assert!(bound <= found[0].gap.max(0.0) && bound >= 0.9 * found[0].gap, "{bound} {found:?}");
        found.iter().for_each(|near| holds(near, &surface, &pose));
    }
    assert!(counts[4] > 5 && counts[1] + counts[2] > 5, "{counts:?}");
}

#[test]
fn a_plate_is_near_a_stool_wherever_all_pairs_of_places_lead() {
    let (surface, plate) = (stool(0.03), Ellipsoid::new([1.3, 1.2, 0.25]).unwrap());
    let trees = [ChartTree::new(&surface).unwrap(), ChartTree::new(&plate).unwrap()];
    assert!(trees.iter().all(ChartTree::is_proved));
    let a = Side::Charted { tree: &trees[0], atlas: &surface };
    let b = Side::Charted { tree: &trees[1], atlas: &plate };
    let grids = [spots(&surface, 1), spots(&plate, 8)];
    let (mut random, mut work) = (Random(4), Workspace::new());
    let mut several = 0;
    for _ in 0..24 {
        // Let down on the legs until it nearly touches.
        let level = Pose::new(random.vector(0.1) + Vec3::z() * 3.0, Pose::identity().orientation);
        let mut pose = level.rotated(random.vector(1.0), random.between(0.0, 0.1)).unwrap();
        for _ in 0..60 {
            let apart = distance_bound(&a, &Pose::identity(), &b, &pose, &mut work).unwrap();
            pose.position.z -= apart;
            if apart < 1e-2 {
                break;
            }
        }
        pose.position.z -= random.between(-0.03, 0.03);
        let reach = 0.12;
        let expected = minima([&a, &b], [&Pose::identity(), &pose], [&grids[0], &grids[1]], reach);
        let found = near(&a, &Pose::identity(), &b, &pose, reach, &mut work).unwrap().to_vec();
        same(&found, &expected);
        found.iter().for_each(|near| holds(near, &surface, &Pose::identity()));
        let swapped = near(&b, &pose, &a, &Pose::identity(), reach, &mut work).unwrap();
        assert_eq!(swapped.len(), found.len());
        for (x, y) in found.iter().zip(swapped) {
            assert!((x.gap - y.gap).abs() < 1e-12 && (x.normal + y.normal).norm() < 1e-9);
        }
        several += usize::from(found.len() > 1);
    }
    assert!(several >= 2, "{several}");
}
