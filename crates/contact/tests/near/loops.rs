//! Loop surfaces that are not convex, over planes and against each other.

use super::brute::{add, minima, spots};
use super::meshes::{board, bowl, pebble};
use super::random::Random;
use rattleback_contact::geom::chart::Atlas;
use rattleback_contact::geom::subdivision::LoopSurface;
use rattleback_contact::geom::surface::Plane;
use rattleback_contact::geom::{Pose, Vec3};
use rattleback_contact::near::{ChartTree, Near, Side, Workspace, distance_bound, near, refine};

fn same(found: &[Near], expected: &[Near]) {
    let gaps = |all: &[Near]| all.iter().map(|near| (near.gap, near.kind)).collect::<Vec<_>>();
    for near in expected {
        let is = |x: &&Near| (0..2).all(|k| (x.points[k] - near.points[k]).norm() < 1e-5);
        assert!(found.iter().any(|x| is(&x)), "{near:?} is missing\n{:?}\n{:?}", gaps(found), gaps(expected));
    }
    assert_eq!(found.len(), expected.len(), "{:?}\n{:?}", gaps(found), gaps(expected));
}

/// A common normal to `tolerance`, checked on the surfaces themselves.
fn holds(near: &Near, atlas: &dyn Atlas, pose: &Pose, side: usize, tolerance: f64) {
    let jet = atlas.jet(&near.places[side]).unwrap();
    let sign = if side == 0 { 1.0 } else { -1.0 };
    let n = pose.vector_to_world(&jet.normal().normalize()) * sign;
    assert!((pose.point_to_world(&jet.p) - near.points[side]).norm() < tolerance, "{near:?}");
    assert!((n - near.normal).norm() < tolerance, "{near:?}");
    let way = near.points[1] - near.points[0];
    assert!((way - near.normal * near.gap).norm() < tolerance, "{near:?}");
}

#[test]
fn a_bowl_over_a_plane_has_every_lowest_place_that_a_fine_grid_has() {
    let plane = Plane::new([0.0, 0.0, 1.0], 0.0).unwrap();
    let (mut random, mut work) = (Random(2), Workspace::new());
    let mut several = 0;
    for surface in [bowl(), pebble(1), pebble(2), board()] {
        let tree = ChartTree::new(&surface).unwrap();
        assert!(tree.is_proved(), "{} leaves", tree.leaf_count());
        let (a, b) = (Side::Charted { tree: &tree, atlas: &surface }, Side::Plane(&plane));
        let grid = spots(&surface, 3);
        for _ in 0..30 {
            let mut pose = random.pose(1.0);
            pose.position.z = 1.0;
            let mut expected = Vec::new();
            for spot in &grid {
                if pose.vector_to_world(&spot.n).z < -0.95 {
                    let end = refine(&a, &pose, &b, &Pose::identity(), [spot.place; 2]).unwrap();
                    add(&mut expected, end, 10.0);
                }
            }
            let found = near(&a, &pose, &b, &Pose::identity(), 10.0, &mut work).unwrap().to_vec();
            same(&found, &expected);
            several += usize::from(found.len() > 1);
            let lowest = grid.iter().map(|s| pose.point_to_world(&s.p).z).fold(f64::INFINITY, f64::min);
            assert!(found[0].gap <= lowest && found[0].gap > lowest - 0.05, "{} {lowest}", found[0].gap);
            let bound = distance_bound(&a, &pose, &b, &Pose::identity(), &mut work).unwrap();
            assert!(bound <= found[0].gap.max(0.0) && bound >= 0.9 * found[0].gap, "{bound} {found:?}");
            for near in &found {
                holds(near, &surface, &pose, 0, 1e-11);
            }
        }
    }
    assert!(several >= 15, "{several}");
}

#[test]
fn loop_surfaces_are_near_each_other_wherever_all_pairs_of_places_lead() {
    let surfaces: [LoopSurface; 3] = [bowl(), pebble(3), board()];
    let trees = surfaces.each_ref().map(|s| ChartTree::new(s).unwrap());
    assert!(trees.iter().all(ChartTree::is_proved));
    let grids = surfaces.each_ref().map(|s| spots(s, 1));
    let (mut random, mut work) = (Random(4), Workspace::new());
    let mut several = 0;
    for k in 0..32 {
        let [mut i, mut j] = [0, 1].map(|_| random.between(0.0, 3.0) as usize);
        let side = |k: usize| Side::Charted { tree: &trees[k], atlas: &surfaces[k] };
        let (mut pose_a, mut pose_b, reach) = (random.pose(0.5), random.pose(0.5), 0.12);
        pose_b.position = random.vector(1.0).normalize() * 6.0;
        if k % 2 == 0 {
            // A bowl is stacked askew in another one, or a board is laid on a bowl.
            (i, j, pose_a) = (0, k % 4, Pose::identity());
            let most = if j == 0 { 0.6 } else { 0.1 };
            let turn = Pose::identity().rotated(random.vector(1.0), random.between(0.02, most)).unwrap();
            pose_b = Pose::new(random.vector(0.1) + Vec3::z() * 2.0, turn.orientation);
        }
        // Moved together from afar until the gap is somewhere about zero.
        let way = (pose_a.position - pose_b.position).normalize();
        for _ in 0..40 {
            let apart = distance_bound(&side(i), &pose_a, &side(j), &pose_b, &mut work).unwrap();
            pose_b.position += way * apart;
            if apart < 1e-2 {
                break;
            }
        }
        pose_b.position += way * random.between(-0.04, 0.04);
        let grid = [&grids[i][..], &grids[j][..]];
        let expected = minima([&side(i), &side(j)], [&pose_a, &pose_b], grid, reach);
        let found = near(&side(i), &pose_a, &side(j), &pose_b, reach, &mut work).unwrap().to_vec();
        same(&found, &expected);
        for near in &found {
            holds(near, &surfaces[i], &pose_a, 0, 1e-11);
            holds(near, &surfaces[j], &pose_b, 1, 1e-11);
        }
        let swapped = near(&side(j), &pose_b, &side(i), &pose_a, reach, &mut work).unwrap();
        assert_eq!(swapped.len(), found.len());
        for (x, y) in found.iter().zip(swapped) {
            assert!((x.gap - y.gap).abs() < 1e-12 && (x.normal + y.normal).norm() < 1e-9);
        }
        several += usize::from(found.len() > 1);
    }
    assert!(several >= 2, "{several}");
}
