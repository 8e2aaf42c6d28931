//! Ellipsoids against the narrow phase.

use super::random::Random;
use rattleback_contact::geom::chart::Atlas;
use rattleback_contact::geom::surface::{Ellipsoid, Shape, Superellipsoid, Superquadric};
use rattleback_contact::geom::{Pose, Vec3};
use rattleback_contact::narrow::touch;
use rattleback_contact::near::{ChartTree, Kind, Near, Side, Workspace, distance_bound, near};
use rattleback_contact::{Start, Touch};

const AXES: [[f64; 3]; 4] = [[1.0, 1.0, 1.0], [0.5, 0.8, 1.2], [2.0, 0.6, 0.4], [0.3, 0.35, 1.5]];

/// B is moved along the normal of a first answer until the gap is as wanted.
fn placed(a: &Shape, b: &Shape, random: &mut Random, gap: f64) -> ([Pose; 2], Touch) {
    let (pose_a, mut pose_b) = (random.pose(3.0), random.pose(3.0));
    pose_b.position = pose_a.position + random.vector(1.0).normalize() * 5.0;
    let mut found = touch(a, &pose_a, b, &pose_b, Start::Cold).unwrap();
    for _ in 0..2 {
        pose_b.position -= found.normal * (found.gap - gap);
        found = touch(a, &pose_a, b, &pose_b, Start::Cold).unwrap();
    }
    ([pose_a, pose_b], found)
}

fn agrees(near: &Near, touch: &Touch, size: f64) {
    let close = |p: &Vec3, q: &Vec3| (p - q).norm() < 1e-12 * size;
    assert!((near.gap - touch.gap).abs() < 1e-12 * size, "{near:?} {touch:?}");
    assert!(
        close(&near.points[0], &touch.point_a) && close(&near.points[1], &touch.point_b),
        "{near:?} {touch:?}"
    );
    assert!((near.normal - touch.normal).norm() < 1e-12, "{near:?} {touch:?}");
}

#[test]
fn ellipsoids_are_as_near_as_the_narrow_phase_says() {
    let solids = AXES.map(|axes| Ellipsoid::new(axes).unwrap());
    let trees = solids.map(|solid| ChartTree::new(&solid).unwrap());
    let side = |k: usize| Side::Charted { tree: &trees[k], atlas: &solids[k] };
    let (mut random, mut work) = (Random(1), Workspace::new());
    for gap in [1.0, 0.1, 1e-3, 1e-9, 0.0, -1e-9, -1e-3, -0.03] {
        for k in 0..48 {
            let (i, j) = (k % 4, k / 4 % 4);
            let (a, b) = (Shape::from(solids[i]), Shape::from(solids[j]));
            let ([pose_a, pose_b], touch) = placed(&a, &b, &mut random, gap);
            let reach = gap.abs() * 1.5 + 1e-3;
            let found = near(&side(i), &pose_a, &side(j), &pose_b, reach, &mut work).unwrap();
            let off = |x: &Near| (x.gap - touch.gap).abs();
            let best = found.iter().min_by(|x, y| off(x).total_cmp(&off(y))).unwrap();
            assert_eq!(best.kind, Kind::Minimum);
            agrees(best, &touch, 3.0);
            assert!(gap < 0.0 || found.len() == 1, "{found:?}");
            let again = near(&side(i), &pose_a, &side(j), &pose_b, reach, &mut work).unwrap().to_vec();
            let fresh = &mut Workspace::new();
            assert_eq!(again, near(&side(i), &pose_a, &side(j), &pose_b, reach, fresh).unwrap());
            let bound = distance_bound(&side(i), &pose_a, &side(j), &pose_b, &mut work).unwrap();
            assert!(bound <= touch.gap.max(0.0) && bound >= 0.9 * touch.gap - 1e-8, "{bound} {}", touch.gap);
        }
    }
}

/// Third derivatives of these grow without bound, or their faces are all but flat: their hulls need none.
#[test]
fn superellipsoids_and_superquadrics_are_bounded_by_proof() {
    let ellipsoid = |axes, exponents| Superellipsoid::new(axes, exponents).unwrap();
    let quadric = |axes, exponents| Superquadric::new(axes, exponents).unwrap();
    let (a, b) = (ellipsoid([0.5, 0.8, 1.2], [2.5, 4.0]), ellipsoid([2.0, 0.6, 0.4], [8.0, 3.0]));
    let (c, d) = (quadric([0.6, 0.9, 0.5], [2.0, 3.0, 7.0]), quadric([1.0, 0.3, 0.7], [4.0, 2.2, 2.6]));
    let atlases: [&dyn Atlas; 4] = [&a, &b, &c, &d];
    let shapes = [Shape::from(a), b.into(), c.into(), d.into()];
    let trees = atlases.map(|atlas| ChartTree::new(atlas).unwrap());
    assert!(trees.iter().all(ChartTree::is_proved));
    let side = |k: usize| Side::Charted { tree: &trees[k], atlas: atlases[k] };
    let (mut random, mut work) = (Random(7), Workspace::new());
    for gap in [1.0, 0.1, 1e-3, 1e-6] {
        for k in 0..32 {
            let (i, j) = (k % 4, k / 4 % 4);
            let ([pose_a, pose_b], touch) = placed(&shapes[i], &shapes[j], &mut random, gap);
            let bound = distance_bound(&side(i), &pose_a, &side(j), &pose_b, &mut work).unwrap();
            let expected = touch.gap;
            assert!(bound <= expected + 1e-13, "{i} {j} {gap}: {bound} above {expected}");
            assert!(bound >= 0.9 * expected - 1e-8, "{i} {j} {gap}: {bound} for {expected}");
            let found = near(&side(i), &pose_a, &side(j), &pose_b, 1.5 * gap, &mut work).unwrap();
            let least = found.first().map(|near| near.gap);
            assert!(least.is_some_and(|x| (x - expected).abs() < 1e-9), "{i} {j}: {least:?} for {expected}");
        }
    }
}
