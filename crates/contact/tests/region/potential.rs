//! The potential of overlaps: closed forms of its depth, its derivative against differences, its independence of the
//! frame.

use super::samples::{Random, body, cuboid};
use rattleback_contact::geom::nalgebra::UnitQuaternion;
use rattleback_contact::geom::surface::{Mesh, Plane, Shape};
use rattleback_contact::geom::{Pose, TriMesh, Vec3};
use rattleback_contact::region::{Region, RegionFinder};
use std::sync::Arc;

fn solid(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> Arc<Mesh> {
    body(TriMesh::new(vertices.iter().map(|v| Vec3::from(*v)).collect(), triangles.to_vec()).unwrap())
}

fn tetrahedron(size: f64) -> Arc<Mesh> {
    let s = size;
    solid(&[[s, s, s], [s, -s, -s], [-s, s, -s], [-s, -s, s]], &[[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]])
}

fn octahedron(size: f64) -> Arc<Mesh> {
    let s = size;
    let tips = [[s, 0.0, 0.0], [-s, 0.0, 0.0], [0.0, s, 0.0], [0.0, -s, 0.0], [0.0, 0.0, s], [0.0, 0.0, -s]];
    let faces = [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
    solid(&tips, &faces)
}

/// A prism over an L of two arms, `size` from end to end.
fn l_prism(size: f64) -> Arc<Mesh> {
    let outline = [[-1.0, -1.0], [1.0, -1.0], [1.0, -0.2], [-0.2, -0.2], [-0.2, 1.0], [-1.0, 1.0]];
    let at = |z: f64| outline.map(|[x, y]| [0.5 * size * x, 0.5 * size * y, z * size]);
    let mut triangles = Vec::new();
    for [a, b, c] in [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]] {
        triangles.extend([[a + 6, b + 6, c + 6], [a, c, b]]);
    }
    for k in 0..6 {
        let next = (k + 1) % 6;
        triangles.extend([[k, next, next + 6], [k, next + 6, k + 6]]);
    }
    solid(&[at(-0.25), at(0.25)].concat(), &triangles)
}

fn shapes() -> Vec<Shape> {
    let cube = body(cuboid([0.8; 3], [1; 3]));
    [tetrahedron(0.8), cube, octahedron(1.0), l_prism(2.0)].map(Shape::Mesh).into()
}

fn find(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Vec<Region> {
    let mut found = Vec::new();
    RegionFinder::new().find(a, pose_a, b, pose_b, 0.0, &mut found).unwrap();
    found
}

fn depth(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Option<f64> {
    match find(a, pose_a, b, pose_b)[..] {
        [Region { potential: Some(potential), .. }] => Some(potential.depth),
        _ => None,
    }
}

/// A pose after a motion along `direction` or a turn about `centre`.
fn moved(pose: &Pose, centre: &Vec3, axis: usize, h: f64) -> Pose {
    let along = Vec3::from_fn(|i, _| if i == axis % 3 { h } else { 0.0 });
    if axis < 3 {
        return Pose::new(pose.position + along, pose.orientation);
    }
    let turn = UnitQuaternion::from_scaled_axis(along);
    Pose::new(centre + turn * (pose.position - centre), turn * pose.orientation)
}

/// The derivative by a motion of A, by differences of fourth order.
fn difference(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, centre: &Vec3, axis: usize) -> Option<f64> {
    let h = 1e-5;
    let at = |k: f64| depth(a, &moved(pose_a, centre, axis, k * h), b, pose_b);
    Some((8.0 * (at(1.0)? - at(-1.0)?) - (at(2.0)? - at(-2.0)?)) / (12.0 * h))
}

#[test]
fn force_and_moment_are_the_derivatives_of_the_depth() {
    let mut random = Random(51);
    let shapes = shapes();
    let plane: Shape = Plane::new([0.0, 0.0, 1.0], 0.0).unwrap().into();
    let (mut count, mut corners) = (0, 0);
    for round in 0..600 {
        let a = &shapes[round % 4];
        let b = if round % 5 == 0 { &plane } else { &shapes[(round / 4) % 4] };
        let (pose_a, pose_b) = (random.pose(0.9), random.pose(0.9));
        let found = find(a, &pose_a, b, &pose_b);
        let [region] = found[..] else { continue };
        let Some(potential) = region.potential else { continue };
        for axis in 0..6 {
            let Some(want) = difference(a, &pose_a, b, &pose_b, &region.point, axis) else { continue };
            let is = if axis < 3 { potential.force[axis] } else { potential.moment[axis - 3] };
            count += 1;
            // The contour has corners that pass over edges: there the derivative of its direction jumps.
            if (is - want).abs() > 1e-5 {
                corners += 1;
                assert!((is - want).abs() < 0.5, "round {round}, axis {axis}: {is} {want}");
            }
        }
    }
    assert!(count > 1200 && corners * 500 < count, "{corners} of {count}");
}

#[test]
fn slabs_wedges_and_corners_have_the_depths_of_closed_forms() {
    let plane: Shape = Plane::new([0.0, 0.0, 1.0], 0.0).unwrap().into();
    let floor = Shape::Mesh(body(cuboid([3.0, 3.0, 1.0], [2, 2, 1])));
    let block = Shape::Mesh(body(cuboid([0.5, 0.4, 0.3], [2, 1, 1])));
    let tip = Shape::Mesh(octahedron(1.0));
    let edge = UnitQuaternion::from_scaled_axis(Vec3::y() * std::f64::consts::FRAC_PI_4);
    // Half of the diagonal of the sides of 1 and 0.6, turned by 45°.
    let reach = 0.8 * 0.5_f64.sqrt();
    let delta = 1e-4;
    let cases = [
        ("slab", &block, UnitQuaternion::identity(), 0.3, delta),
        ("wedge", &block, edge, reach, delta * (2.0_f64 / 3.0).sqrt()),
        ("corner", &tip, UnitQuaternion::identity(), 1.0, delta * 3.0 / 20.0_f64.sqrt()),
    ];
    for (other, top) in [(&plane, 0.0), (&floor, 1.0)] {
        for (name, a, turn, height, want) in &cases {
            let pose = Pose::new(Vec3::new(0.01, 0.02, top + height - delta), *turn);
            let found = find(a, &pose, other, &Pose::identity());
            let [Region { potential: Some(potential), .. }] = found[..] else { panic!("{name}") };
            assert!((potential.depth / want - 1.0).abs() < 1e-6, "{name}: {} {want}", potential.depth);
            // They are pressed down, straight, and the line of the force goes through the middle.
            let stretch = want / delta;
            assert!((potential.force + Vec3::z() * stretch).norm() < 1e-6, "{name}: {}", potential.force);
            assert!((potential.depth / potential.stretch() - delta).abs() < 1e-9, "{name}");
        }
    }
}

/// What turns a box that lies flat back: three quarters of Winkler's foundation per n, 3 K δⁿ⁻¹ ⟨x²⟩.
#[test]
fn a_slab_that_is_tilted_is_turned_back() {
    let plane: Shape = Plane::new([0.0, 0.0, 1.0], 0.0).unwrap().into();
    let block = Shape::Mesh(body(cuboid([0.5, 0.4, 0.3], [1; 3])));
    let (delta, tilt) = (1e-3, 1e-5);
    let pose = Pose::new(Vec3::z() * (0.3 - delta), UnitQuaternion::from_scaled_axis(Vec3::y() * tilt));
    let [Region { potential: Some(potential), .. }] = find(&block, &pose, &plane, &Pose::identity())[..]
    else {
        panic!("no potential")
    };
    let want = 3.0 * tilt * (0.5 * 0.5 / 3.0) / delta;
    assert!((potential.moment.y / want - 1.0).abs() < 1e-2, "{} {want}", potential.moment.y);
}

#[test]
fn both_bodies_have_the_same_potential_wherever_they_are() {
    let mut random = Random(52);
    let shapes = shapes();
    let mut count = 0;
    for round in 0..200 {
        let (a, b) = (&shapes[round % 4], &shapes[(round / 4) % 4]);
        let (pose_a, pose_b) = (random.pose(0.9), random.pose(0.9));
        let found = find(a, &pose_a, b, &pose_b);
        let [Region { potential: Some(own), point, .. }] = found[..] else { continue };
        let Some(swapped) = find(b, &pose_b, a, &pose_a).first().copied() else { panic!("round {round}") };
        let other = swapped.potential.unwrap();
        assert!((own.depth - other.depth).abs() < 1e-12, "{} {}", own.depth, other.depth);
        assert!((own.force + other.force).norm() < 1e-9, "round {round}: {} {}", own.force, other.force);
        let about = |moment: Vec3, force: &Vec3, from: Vec3| moment + (from - point).cross(force);
        let moment = about(other.moment, &other.force, swapped.point);
        assert!((own.moment + moment).norm() < 1e-9, "round {round}: {} {moment}", own.moment);
        count += 1;
        let far = random.pose(50.0);
        let [Region { potential: Some(there), .. }] =
            find(a, &far.compose(&pose_a), b, &far.compose(&pose_b))[..]
        else {
            panic!("round {round}")
        };
        assert!((there.depth - own.depth).abs() < 1e-10);
        assert!((far.vector_to_world(&own.force) - there.force).norm() < 1e-8);
    }
    assert!(count > 50, "{count}");
}

/// A rod through a plate is pressed nowhere.
#[test]
fn an_overlap_without_a_normal_has_no_potential() {
    let plate = Shape::Mesh(body(cuboid([1.0, 1.0, 0.05], [2, 2, 1])));
    let rod = Shape::Mesh(body(cuboid([0.1, 0.1, 1.0], [1; 3])));
    let pose = Pose::from_position(0.03, 0.02, 0.1);
    let found = find(&rod, &pose, &plate, &Pose::identity());
    assert!(found.len() == 1 && found[0].potential.is_none());
}
