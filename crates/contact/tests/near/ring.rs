//! A torus with spheres, ellipsoids and planes about and through its hole, against brute force.

use super::random::Random;
use rattleback_contact::Start;
use rattleback_contact::geom::patch::{BezierPatch, PatchNet};
use rattleback_contact::geom::surface::{Ellipsoid, Parametric, Plane, Shape, Sphere, Torus};
use rattleback_contact::geom::{Pose, Vec3};
use rattleback_contact::narrow::touch;
use rattleback_contact::near::{ChartTree, Kind, Near, Side, Workspace, distance_bound, near};
use std::f64::consts::{FRAC_PI_2, TAU};

const RADIUS: f64 = 0.25;

/// All local minima of f over two angles: a grid, then ever smaller steps downhill.
fn minima(f: impl Fn(f64, f64) -> f64, n: usize) -> Vec<(f64, f64, f64)> {
    let step = TAU / n as f64;
    let grid: Vec<f64> = (0..n * n).map(|k| f((k % n) as f64 * step, (k / n) as f64 * step)).collect();
    let mut found: Vec<(f64, f64, f64)> = Vec::new();
    for k in 0..n * n {
        let around = |x: usize, y: usize| grid[(k % n + n + x - 1) % n + (k / n + n + y - 1) % n * n];
        if !(0..9).all(|m| around(m % 3, m / 3) >= grid[k]) {
            continue;
        }
        let (mut u, mut v, mut h, mut least) = ((k % n) as f64 * step, (k / n) as f64 * step, step, grid[k]);
        while h > 1e-9 {
            let ways = (0..9).map(|m| (u + h * (m % 3) as f64 - h, v + h * (m / 3) as f64 - h));
            let (best, x, y) = ways.map(|(x, y)| (f(x, y), x, y)).min_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
            if best < least {
                (least, u, v) = (best, x, y);
            } else {
                h *= 0.5;
            }
        }
        let apart = |a: f64, b: f64| ((a - b + 0.5 * TAU).rem_euclid(TAU) - 0.5 * TAU).abs();
        if !found.iter().any(|x| apart(x.1, u) < 1e-3 && apart(x.2, v) < 1e-3) {
            found.push((least, u, v));
        }
    }
    found
}

fn same(found: &[Near], expected: &[f64], tolerance: f64) {
    let gaps: Vec<f64> = found.iter().map(|near| near.gap).collect();
    assert_eq!(gaps.len(), expected.len(), "{gaps:?} {expected:?}");
    for (gap, expected) in gaps.iter().zip(expected) {
        assert!((gap - expected).abs() < tolerance, "{gaps:?} {expected:?}");
    }
}

#[test]
fn two_rings_are_near_each_other_wherever_their_centre_lines_are() {
    let radii = [0.25, 0.15];
    let rings = [Torus::new(1.0, radii[0]).unwrap(), Torus::new(0.7, radii[1]).unwrap()];
    let trees = rings.each_ref().map(|ring| ChartTree::new(ring).unwrap());
    let side = |k: usize| Side::Charted { tree: &trees[k], atlas: &rings[k] };
    let (mut random, mut work) = (Random(3), Workspace::new());
    let (mut several, mut overlaps) = (0, 0);
    for _ in 0..200 {
        let (pose_a, pose) = (random.pose(1.0), random.pose(1.2));
        let pose_b = pose_a.compose(&pose);
        let line = |k: usize, angle: f64| Vec3::new(angle.cos(), angle.sin(), 0.0) * [1.0, 0.7][k];
        let between = |u: f64, v: f64| (line(0, u) - pose.point_to_world(&line(1, v))).norm();
        let gaps: Vec<f64> = minima(between, 60).iter().map(|x| x.0 - radii[0] - radii[1]).collect();
        // Deep in each other, every direction is one of escape.
        if gaps.iter().any(|&gap| gap < -0.1) {
            continue;
        }
        let reach = 0.4;
        let mut expected: Vec<f64> = gaps.into_iter().filter(|&gap| gap < reach).collect();
        expected.sort_by(f64::total_cmp);
        same(near(&side(0), &pose_a, &side(1), &pose_b, reach, &mut work).unwrap(), &expected, 1e-12);
        several += usize::from(expected.len() > 1);
        overlaps += usize::from(expected.iter().any(|&gap| gap < 0.0));
        same(near(&side(1), &pose_b, &side(0), &pose_a, reach, &mut work).unwrap(), &expected, 1e-12);
        let bound = distance_bound(&side(0), &pose_a, &side(1), &pose_b, &mut work).unwrap();
        let least = expected.first().map_or(reach, |gap| gap.max(0.0));
        assert!(expected.is_empty() || bound <= least && bound >= 0.9 * least - 1e-8, "{bound} {least}");
    }
    assert!(several > 20 && overlaps > 10, "{several} {overlaps}");
}

#[test]
fn an_ellipsoid_through_the_hole_is_near_the_ring_in_several_places() {
    let (torus, axes) = (Torus::new(1.0, RADIUS).unwrap(), [0.7, 0.5, 1.6]);
    let egg = Ellipsoid::new(axes).unwrap();
    let solid = Shape::from(egg);
    let (tree, egg_tree) = (ChartTree::new(&torus).unwrap(), ChartTree::new(&egg).unwrap());
    let (a, b) =
        (Side::Charted { tree: &tree, atlas: &torus }, Side::Charted { tree: &egg_tree, atlas: &egg });
    let (mut random, mut work) = (Random(5), Workspace::new());
    let dot = 1e-3;
    let point = Shape::from(Sphere::new(dot).unwrap());
    let mut counts = [0; 8];
    for _ in 0..20 {
        let mut pose = random.pose(0.04);
        pose.orientation = Pose::identity().rotated(random.vector(1.0), 0.15).unwrap().orientation;
        let distance = |u: f64, v: f64| {
            let at = Pose::new(torus.point(u, v), Pose::identity().orientation);
            touch(&point, &at, &solid, &pose, Start::Cold).unwrap().gap + dot
        };
        let expected = minima(distance, 60);
        let mut gaps: Vec<f64> = expected.iter().map(|x| x.0).filter(|&gap| gap < 0.6).collect();
        gaps.sort_by(f64::total_cmp);
        let found = near(&a, &Pose::identity(), &b, &pose, 0.6, &mut work).unwrap();
        same(found, &gaps, 1e-11);
        counts[gaps.len()] += 1;
        let least = gaps[0];
        let bound = distance_bound(&a, &Pose::identity(), &b, &pose, &mut work).unwrap();
        assert!(bound <= least.max(0.0) && bound >= 0.9 * least - 1e-9, "{bound} {least}");
    }
    assert!(counts[2..].iter().sum::<i32>() > 10, "{counts:?}");
}

#[test]
fn a_torus_has_one_lowest_place_over_a_plane_unless_it_lies_flat() {
    let torus = Torus::new(1.0, RADIUS).unwrap();
    let tree = ChartTree::new(&torus).unwrap();
    let plane = Plane::new([0.1, -0.2, 1.0], 0.3).unwrap();
    let (a, b) = (Side::Charted { tree: &tree, atlas: &torus }, Side::Plane(&plane));
    let (mut random, mut work) = (Random(11), Workspace::new());
    for _ in 0..200 {
        let (pose_a, pose_b) = (random.pose(1.0), random.pose(1.0));
        let n = pose_b.vector_to_world(plane.normal());
        let axis = pose_a.vector_to_world(&Vec3::z());
        let height = n.dot(&(pose_a.position - pose_b.position)) - 0.3 - axis.cross(&n).norm() - RADIUS;
        let found = near(&a, &pose_a, &b, &pose_b, 10.0, &mut work).unwrap();
        same(found, &[height], 1e-13);
        let [p, q] = found[0].points;
        assert!((q - p - found[0].normal * height).norm() < 1e-13 && (found[0].normal + n).norm() < 1e-13);
        let (at, foot) = (found[0].places[0], found[0].places[1]);
        assert!((pose_a.point_to_world(&torus.point(at.u, at.v)) - p).norm() < 1e-14);
        assert!((pose_b.point_to_world(&plane.point(foot.u, foot.v)) - q).norm() < 1e-13);
        let swapped = near(&b, &pose_b, &a, &pose_a, 10.0, &mut work).unwrap();
        same(swapped, &[height], 1e-13);
        assert!((swapped[0].normal - n).norm() < 1e-13 && (swapped[0].points[0] - q).norm() < 1e-13);
        let bound = distance_bound(&b, &pose_b, &a, &pose_a, &mut work).unwrap();
        assert!(bound <= height.max(0.0) && bound >= 0.9 * height, "{bound} {height}");
    }
}

#[test]
fn a_torus_that_lies_flat_touches_along_its_ring() {
    let torus = Torus::new(1.0, RADIUS).unwrap();
    let tree = ChartTree::new(&torus).unwrap();
    let plane = Plane::new([0.0, 0.0, 1.0], 0.0).unwrap();
    let (a, b) = (Side::Charted { tree: &tree, atlas: &torus }, Side::Plane(&plane));
    let mut work = Workspace::new();
    for gap in [0.1, 0.0, -0.02] {
        let pose = Pose::from_position(0.3, -0.2, RADIUS + gap);
        let found = near(&a, &pose, &b, &Pose::identity(), 0.2, &mut work).unwrap();
        assert!(!found.is_empty(), "{gap}");
        for near in found {
            assert_eq!(near.kind, Kind::Flat, "{near:?}");
            assert!((near.gap - gap).abs() < 1e-13 && (near.normal + Vec3::z()).norm() < 1e-13, "{near:?}");
            let ring = (near.points[0] - pose.position).xy().norm();
            assert!((ring - 1.0).abs() < 1e-12 && near.residual < 1e-12, "{near:?}");
        }
        let bound = distance_bound(&a, &pose, &b, &Pose::identity(), &mut work).unwrap();
        assert!(bound <= gap.max(0.0) && bound >= 0.9 * gap, "{bound} {gap}");
        // Tilted by little it touches in one place, which is a minimum.
        let tilted = pose.rotated(Vec3::new(1.0, 2.0, 0.0), 1e-3).unwrap();
        let found = near(&a, &tilted, &b, &Pose::identity(), 0.2, &mut work).unwrap();
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].kind, Kind::Minimum);
        let lowest = tilted.position.z - tilted.vector_to_world(&Vec3::z()).xy().norm() - RADIUS;
        assert!((found[0].gap - lowest).abs() < 1e-13, "{found:?} {lowest}");
    }
}

#[test]
fn rings_however_thin_meet_the_floor_where_they_are_lowest() {
    let floor = Plane::new([0.0, 0.0, 1.0], 0.0).unwrap();
    let (mut random, mut work) = (Random(5), Workspace::new());
    for ratio in [3.0, 100.0, 300.0, 1000.0, 10_000.0] {
        let ring = Torus::new(1.0, 1.0 / ratio).unwrap();
        let tree = ChartTree::new(&ring).unwrap();
        let (a, b) = (Side::Charted { tree: &tree, atlas: &ring }, Side::Plane(&floor));
        for k in 0..40 {
            let mut pose = random.pose(1.0);
            let axis = pose.vector_to_world(&Vec3::z());
            let lowest = -axis.x.hypot(axis.y) - 1.0 / ratio;
            let gap = if k % 2 == 0 { 0.3 / ratio } else { -0.3 / ratio };
            pose.position.z = gap - lowest;
            let bound = distance_bound(&a, &pose, &b, &Pose::identity(), &mut work).unwrap();
            assert!(bound <= gap.max(0.0) && bound >= 0.9 * gap - 1e-8, "{ratio}: {bound} for {gap}");
            let found = near(&a, &pose, &b, &Pose::identity(), 1.0 / ratio, &mut work).unwrap();
            let least = found.first().map(|near| near.gap);
            assert!(least.is_some_and(|x| (x - gap).abs() < 1e-11), "{ratio}: {least:?} for {gap}");
        }
    }
}

#[test]
fn thin_rings_that_lie_almost_flat_meet_the_floor_where_they_are_lowest() {
    let floor = Plane::new([0.0, 0.0, 1.0], 0.0).unwrap();
    let (mut random, mut work) = (Random(6), Workspace::new());
    let mut wrong = Vec::new();
    for ratio in [3.0, 30.0, 300.0, 3000.0, 30_000.0] {
        let ring = Torus::new(1.0, 1.0 / ratio).unwrap();
        let tree = ChartTree::new(&ring).unwrap();
        let (a, b) = (Side::Charted { tree: &tree, atlas: &ring }, Side::Plane(&floor));
        for k in 0..200 {
            let tilt = 10f64.powf(-0.05 * f64::from(k));
            let around = random.between(0.0, 6.3);
            let pose = Pose::identity().rotated(Vec3::new(around.cos(), around.sin(), 0.0), tilt).unwrap();
            let axis = pose.vector_to_world(&Vec3::z());
            let gap = if k % 2 == 0 { 0.3 / ratio } else { -0.3 / ratio };
            let mut pose = pose.rotated(Vec3::z(), random.between(0.0, 6.3)).unwrap();
            pose.position.z = gap + axis.x.hypot(axis.y) + 1.0 / ratio;
            let found = near(&a, &pose, &b, &Pose::identity(), 1.0 / ratio, &mut work).unwrap();
            let least = found.first().map(|near| near.gap);
            if !least.is_some_and(|x| (x - gap).abs() < 1e-11) {
                wrong.push((ratio, tilt, gap, least));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong: {wrong:?}", wrong.len());
}

/// A ring of sixteen rational patches, exactly.
fn rational_ring(major: f64, minor: f64) -> PatchNet {
    // Control points and weights of a quarter of the unit circle.
    let quarter = |k: usize| {
        [0.0, 0.5, 1.0].map(|t| {
            let (sin, cos) = ((k as f64 + t) * FRAC_PI_2).sin_cos();
            let (far, weight) = if t == 0.5 { (2f64.sqrt(), 0.5f64.sqrt()) } else { (1.0, 1.0) };
            ([far * cos, far * sin], weight)
        })
    };
    let patch = |i: usize, j: usize| {
        let (mut control, mut weights) = (Vec::new(), Vec::new());
        for ([x, y], w) in quarter(i) {
            for ([e, z], v) in quarter(j) {
                let rho = major + minor * e;
                control.push(Vec3::new(rho * x, rho * y, minor * z));
                weights.push(w * v);
            }
        }
        BezierPatch::rational([2, 2], control, weights).unwrap()
    };
    PatchNet::new((0..16).map(|k| patch(k / 4, k % 4)).collect()).unwrap()
}

#[test]
fn a_ring_of_rational_patches_is_bounded_by_proof() {
    let floor = Plane::new([0.0, 0.0, 1.0], 0.0).unwrap();
    let ring = rational_ring(1.0, 0.25);
    let tree = ChartTree::new(&ring).unwrap();
    assert!(tree.is_proved(), "{} leaves", tree.leaf_count());
    assert!(tree.leaf_count() < 6000, "{}", tree.leaf_count());
    let (a, b) = (Side::Charted { tree: &tree, atlas: &ring }, Side::Plane(&floor));
    let (mut random, mut work) = (Random(11), Workspace::new());
    for gap in [0.3, 1e-2, 1e-4] {
        for _ in 0..10 {
            let mut pose = random.pose(1.0);
            let axis = pose.vector_to_world(&Vec3::z());
            pose.position.z = gap + axis.x.hypot(axis.y) + 0.25;
            let bound = distance_bound(&a, &pose, &b, &Pose::identity(), &mut work).unwrap();
            assert!(bound <= gap + 1e-13 && bound >= 0.9 * gap, "{bound} for {gap}");
        }
    }
}

/// Crossing surfaces have no common normal where they cross, and a ball in a tube is far from its wall on all sides.
#[test]
fn bodies_that_overlap_or_lie_in_each_other_have_no_distance() {
    let ring = Torus::new(1.0, 0.25).unwrap();
    let egg = Ellipsoid::new([0.4, 0.2, 0.1]).unwrap();
    let ball = Sphere::new(0.05).unwrap();
    let trees =
        [ChartTree::new(&ring).unwrap(), ChartTree::new(&egg).unwrap(), ChartTree::new(&ball).unwrap()];
    assert!(trees.iter().all(ChartTree::is_proved));
    let side = |k: usize| {
        let atlas: &dyn rattleback_contact::geom::chart::Atlas = match k {
            0 => &ring,
            1 => &egg,
            _ => &ball,
        };
        Side::Charted { tree: &trees[k], atlas }
    };
    let shapes = [Shape::from(ring), egg.into(), ball.into()];
    let (mut random, mut work) = (Random(9), Workspace::new());
    let mut overlaps = 0;
    for k in 0..400 {
        let (i, j) = ([0, 0, 1, 0][k % 4], [1, 2, 2, 0][k % 4]);
        let (pose_a, mut pose_b) = (Pose::identity(), random.pose(0.6));
        if k % 8 == 1 {
            // Within the tube.
            pose_b.position = Vec3::new(0.6, 0.8, 0.0) + pose_b.position * 0.2;
        }
        let gap = touch(&shapes[i], &pose_a, &shapes[j], &pose_b, Start::Cold).unwrap().gap;
        let bound = distance_bound(&side(i), &pose_a, &side(j), &pose_b, &mut work).unwrap();
        assert!(bound <= gap.max(0.0) * (1.0 + 1e-12), "{i} {j} {k}: {bound} for {gap}");
        assert!(bound >= 0.9 * gap - 1e-8, "{i} {j} {k}: {bound} for {gap}");
        overlaps += usize::from(gap < 0.0);
    }
    assert!(overlaps > 100, "{overlaps}");
}
