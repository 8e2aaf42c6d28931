//! Links that lie on walls, edges and in grooves.

use super::meshes::{cuboid, link, pipe, prism, regions, shape, slab};
use crate::near::random::Random;
use rattleback_contact::ContactError;
use rattleback_contact::geom::nalgebra::UnitQuaternion;
use rattleback_contact::geom::surface::{Plane, Shape};
use rattleback_contact::geom::{Pose, Vec3};
use rattleback_contact::region::{Region, RegionFinder, has_regions};
use std::f64::consts::{FRAC_PI_2, TAU};

const RADIUS: f64 = 0.03;

/// The link's flat side down (x to z), its long axis at an angle in the plane, the middle at a height over z = 0.
fn flat(angle: f64, x: f64, y: f64, height: f64) -> Pose {
    let down = UnitQuaternion::from_axis_angle(&Vec3::y_axis(), -FRAC_PI_2);
    let turn = UnitQuaternion::from_axis_angle(&Vec3::z_axis(), angle);
    Pose::new(Vec3::new(x, y, height), turn * down)
}

fn pressing(all: &[Region]) -> Vec<Region> {
    all.iter().copied().filter(|region| region.depth > 0.0).collect()
}

fn floor() -> Shape {
    Plane::new([0.0, 0.0, 1.0], 0.0).unwrap().into()
}

#[test]
fn a_flat_link_is_carried_by_its_six_nodes_however_the_wall_is_cut() {
    let mut random = Random(7);
    for (n, m, shake) in [(1, 1, 0.0), (2, 3, 0.0), (8, 8, 0.3), (40, 40, 0.3), (90, 2, 0.2)] {
        let wall = shape(slab(1.0, n, m, || random.between(-shake, shake)));
        for turn in [0.0, 0.3, FRAC_PI_2, 2.1] {
            let pose = flat(turn, 0.013, -0.02, RADIUS - 1e-3);
            let found = regions(&wall, &pose, 0.01);
            assert_eq!(found.len(), 6, "{n} {m} {turn} {found:?}");
            for region in &found {
                assert!((region.depth - 1e-3).abs() < 1e-12, "{n} {m} {turn} {region:?}");
                assert!((region.normal + Vec3::z()).norm() < 1e-9 && region.area == 0.0);
                assert!((region.point.z + 0.5e-3).abs() < 1e-12);
            }
            let middle: Vec3 = found.iter().map(|region| region.point).sum::<Vec3>() / 6.0;
            assert!((middle - Vec3::new(0.013, -0.02, -0.5e-3)).norm() < 1e-12, "{middle}");
        }
    }
}

#[test]
fn a_tilted_link_presses_alike_on_a_half_space_and_on_a_slab() {
    let mut random = Random(8);
    let wall = shape(slab(2.0, 9, 7, || random.between(-0.3, 0.3)));
    for _ in 0..300 {
        let mut pose = random.pose(0.2);
        let lowest = link().farthest(&pose.vector_to_local(&-Vec3::z()));
        pose.position.z -= pose.point_to_world(&lowest).z + random.between(0.0, 5e-3);
        let (a, b) = (regions(&wall, &pose, 0.01), regions(&floor(), &pose, 0.01));
        assert_eq!(a.len(), b.len(), "{a:?} {b:?}");
        for (a, b) in a.iter().zip(&b) {
            assert!((a.depth - b.depth).abs() < 1e-9 && (a.point - b.point).norm() < 1e-9, "{a:?} {b:?}");
            assert!((a.normal - b.normal).norm() < 1e-9);
        }
        let deepest = b.iter().map(|region| region.depth).fold(f64::NEG_INFINITY, f64::max);
        let point = pose.point_to_world(&link().farthest(&pose.vector_to_local(&-Vec3::z())));
        assert!((deepest + point.z).abs() < 1e-12, "{deepest} {}", point.z);
    }
}

/// The roof with its ridge along y at z = 0.
fn roof(slope: f64) -> Shape {
    shape(prism(&[[-1.0, -slope], [0.0, -2.0], [1.0, -slope], [0.0, 0.0]], 1.0, 7))
}

#[test]
fn across_a_sharp_edge_a_bar_has_one_contact() {
    let roof = roof(1.0);
    for (turn, height) in [(0.0, RADIUS - 2e-3), (0.4, RADIUS - 1e-4), (-0.1, -1e-3)] {
        // The link on edge: its lower bar across the ridge, the other above.
        let on_edge = UnitQuaternion::from_axis_angle(&Vec3::y_axis(), FRAC_PI_2);
        let up = UnitQuaternion::from_axis_angle(&Vec3::x_axis(), FRAC_PI_2) * on_edge;
        let pose = Pose::new(
            Vec3::new(0.02, 0.011, height + 0.078),
            UnitQuaternion::from_axis_angle(&Vec3::z_axis(), turn) * up,
        );
        let found = pressing(&regions(&roof, &pose, 0.0));
        assert_eq!(found.len(), 1, "{turn} {height} {found:?}");
        assert!((found[0].depth - (RADIUS - height)).abs() < 1e-12, "{found:?}");
        assert!((found[0].normal + Vec3::z()).norm() < 1e-12 && found[0].point.x.abs() < 1e-12, "{found:?}");
    }
}

#[test]
fn a_bar_that_reaches_over_an_edge_is_carried_by_it_and_by_the_node_on_the_face() {
    let block = shape(cuboid([0.5, 0.5, 0.5]));
    // Along x and flat on the top, the outer bend and its junctions beyond the edge x = 0.5.
    let pose = flat(0.0, 0.5 - 0.02, 0.0, 0.5 + RADIUS - 1e-3);
    let found = pressing(&regions(&block, &pose, 0.0));
    assert_eq!(found.len(), 5, "{found:?}");
    let at_edge: Vec<_> = found.iter().filter(|region| (region.point.x - 0.5).abs() < 1e-9).collect();
    assert_eq!(at_edge.len(), 2, "{found:?}");
    assert!(found.iter().all(|region| (region.depth - 1e-3).abs() < 1e-12), "{found:?}");
}

#[test]
fn in_a_groove_both_walls_press() {
    let groove = shape(prism(&[[0.0, 0.0], [-1.0, 1.0], [-1.0, -0.5], [1.0, -0.5], [1.0, 1.0]], 1.0, 5));
    // A bar along the groove: its middle is √2 (r − δ) above the bottom line.
    let height = 2f64.sqrt() * (RADIUS - 1e-3);
    let up = UnitQuaternion::from_axis_angle(&Vec3::x_axis(), FRAC_PI_2);
    let pose = Pose::new(Vec3::new(0.0, 0.03, height + 0.078), up);
    let along = pose.vector_to_world(&Vec3::z());
    assert!((along.y.abs() - 1.0).abs() < 1e-12);
    let found = pressing(&regions(&groove, &pose, 0.0));
    let slanted = 0.5f64.sqrt();
    for wall in [Vec3::new(slanted, 0.0, -slanted), Vec3::new(-slanted, 0.0, -slanted)] {
        let on_wall: Vec<_> = found
            .iter()
            .filter(|r| (r.normal - wall).norm() < 1e-9 && (r.depth - 1e-3).abs() < 1e-9)
            .collect();
        assert_eq!(on_wall.len(), 2, "{found:?}");
        assert!(on_wall.iter().all(|r| r.point.x.abs() < RADIUS && r.point.z < RADIUS), "{found:?}");
    }
    assert_eq!(found.len(), 4, "{found:?}");
}

#[test]
fn inside_a_pipe_the_bends_press_on_its_walls() {
    let walls = 24;
    let pipe = shape(pipe(0.108 / (TAU / 48.0).cos(), 0.2, 2.0, walls));
    // Across the pipe the link is as wide as the walls are apart; in the middle it just touches them.
    let turn = UnitQuaternion::from_axis_angle(&Vec3::z_axis(), TAU / 48.0);
    let middle = regions(&pipe, &Pose::new(Vec3::zeros(), turn), 1e-3);
    assert!(middle.len() >= 4, "{middle:?}");
    assert!(middle.iter().all(|region| region.depth < 1e-12), "{middle:?}");
    let aside = turn * Vec3::new(0.0, 2e-3, 0.0);
    let found = pressing(&regions(&pipe, &Pose::new(aside, turn), 0.0));
    assert_eq!(found.len(), 2, "{found:?}");
    for region in &found {
        assert!((region.depth - 2e-3).abs() < 1e-9, "{region:?}");
        assert!((region.normal - turn * Vec3::y()).norm() < 1e-9, "{region:?}");
    }
}

#[test]
fn a_swallowed_link_is_pushed_out_the_shortest_way() {
    let block = shape(cuboid([2.0, 2.0, 0.5]));
    let found = regions(&block, &flat(0.5, 0.0, 0.0, 0.3), 0.0);
    assert_eq!(found.len(), 6, "{found:?}");
    for region in &found {
        assert!((region.depth - (RADIUS + 0.2)).abs() < 1e-12 && (region.normal + Vec3::z()).norm() < 1e-9);
    }
    assert!(regions(&block, &flat(0.5, 0.0, 0.0, 0.6), 0.0).is_empty());
}

#[test]
fn depth_goes_on_smoothly_as_the_centre_curve_passes_the_surface() {
    let (block, roof) = (shape(cuboid([2.0, 2.0, 0.5])), roof(0.5));
    let on_edge = UnitQuaternion::from_axis_angle(&Vec3::x_axis(), FRAC_PI_2)
        * UnitQuaternion::from_axis_angle(&Vec3::y_axis(), FRAC_PI_2);
    for k in -40..=40 {
        let height = 1e-3 * f64::from(k) * 0.5 + 1e-7;
        let lying = regions(&block, &flat(0.4, 0.0, 0.0, 0.5 + height), 0.0);
        assert_eq!(lying.len(), 6, "{height} {lying:?}");
        assert!(lying.iter().all(|region| (region.depth - (RADIUS - height)).abs() < 1e-12));
        let across = regions(&roof, &Pose::new(Vec3::new(0.0, 0.0, height + 0.078), on_edge), 0.0);
        let deepest = across.iter().map(|region| region.depth).fold(f64::NEG_INFINITY, f64::max);
        assert!((deepest - (RADIUS - height)).abs() < 1e-12, "{height} {across:?}");
    }
}

#[test]
fn the_order_asked_for_turns_normals_alone() {
    let (link, wall) = (Shape::Link(link()), shape(cuboid([1.0, 1.0, 0.5])));
    let pose = flat(0.2, 0.1, 0.2, 0.5 + RADIUS - 1e-3);
    for body in [wall, floor()] {
        assert!(has_regions(&link, &body) && has_regions(&body, &link));
        let (mut one, mut other) = (Vec::new(), Vec::new());
        let mut finder = RegionFinder::new();
        finder.find(&link, &pose, &body, &Pose::identity(), 0.0, &mut one).unwrap();
        finder.find(&body, &Pose::identity(), &link, &pose, 0.0, &mut other).unwrap();
        let swapped: Vec<_> = other.iter().map(|region| region.swapped()).collect();
        assert_eq!(one, swapped);
    }
}

#[test]
fn numbers_that_are_none_are_refused() {
    let (link, wall) = (Shape::Link(link()), shape(cuboid([1.0, 1.0, 0.5])));
    let mut finder = RegionFinder::new();
    let mut out = Vec::new();
    let broken = Pose::from_position(f64::NAN, 0.0, 0.0);
    let fine = Pose::identity();
    for (a, b, reach) in
        [(&broken, &fine, 0.0), (&fine, &broken, 0.0), (&fine, &fine, f64::NAN), (&fine, &fine, -1.0)]
    {
        for body in [&wall, &floor()] {
            let error = finder.find(&link, a, body, b, reach, &mut out).unwrap_err();
            assert!(matches!(error, ContactError::OutOfRange { .. }), "{error}");
        }
    }
}
