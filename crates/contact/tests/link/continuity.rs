//! Depths along smooth motions.

use super::meshes::{cuboid, link, regions, shape, torus};
use crate::near::random::Random;
use rattleback_contact::geom::nalgebra::UnitQuaternion;
use rattleback_contact::geom::surface::{Mesh, Shape};
use rattleback_contact::geom::{Pose, Vec3};
use rattleback_contact::region::link::pieces;

/// A smooth motion about a body: sums of sines for place and turn.
struct Motion {
    place: [[Vec3; 2]; 2],
    turn: [Vec3; 2],
}

impl Motion {
    fn new(random: &mut Random, size: f64) -> Self {
        let mut pair = |most: f64| [random.vector(most), random.vector(most)];
        Self { place: [pair(size), pair(0.3 * size)], turn: pair(2.0) }
    }

    fn at(&self, t: f64) -> Pose {
        let mut place = Vec3::zeros();
        for (k, [a, b]) in self.place.iter().enumerate() {
            let rate = 1.0 + 1.7 * k as f64;
            place += a * (rate * t).cos() + b * (rate * t).sin();
        }
        let turn = self.turn[0] * (0.9 * t).cos() + self.turn[1] * (1.3 * t).sin();
        Pose::new(place, UnitQuaternion::from_scaled_axis(turn))
    }
}

/// No point of a link moves farther than this between two poses.
fn moved(a: &Pose, b: &Pose) -> f64 {
    let turn = (a.orientation.inverse() * b.orientation).angle();
    (a.position - b.position).norm() + turn * 0.18
}

/// The least signed distance of the curve, by samples.
fn least(mesh: &Mesh, pose: &Pose) -> f64 {
    let mut least = f64::INFINITY;
    for piece in pieces(&link(), pose) {
        for k in 0..30 {
            let p = piece.point(piece.length() * f64::from(k) / 30.0);
            least = least.min(mesh.signed_distance(&p).unwrap());
        }
    }
    least
}

#[test]
fn the_deepest_depth_changes_no_faster_than_the_link_moves() {
    let mut random = Random(11);
    for body in [shape(torus(0.5, 0.2, 60, 30)), shape(cuboid([0.4, 0.3, 0.2]))] {
        let Shape::Mesh(mesh) = &body else { unreachable!() };
        let mut steps = 0;
        for _ in 0..6 {
            let motion = Motion::new(&mut random, 0.6);
            let mut last: Option<(Pose, f64)> = None;
            for k in 0..3000 {
                let pose = motion.at(2e-3 * f64::from(k));
                // While the curve is outside: within, the way out may jump from face to face.
                if least(mesh, &pose) < 2e-3 {
                    last = None;
                    continue;
                }
                let found = regions(&body, &pose, 0.02);
                let deepest = found.iter().map(|region| region.depth).fold(-0.02, f64::max);
                if let Some((before, depth)) = last {
                    let most = moved(&before, &pose) + 1e-9;
                    assert!((deepest - depth).abs() <= most, "{k}: {depth} {deepest} {most} {pose:?}");
                    steps += usize::from(deepest > -0.02);
                }
                last = Some((pose, deepest));
            }
        }
        assert!(steps > 500, "{steps}");
    }
}

/// The depths at which a link presses on a body, in total.
fn total(body: &Shape, pose: &Pose) -> f64 {
    regions(body, pose, 0.02).iter().map(|region| region.depth.max(0.0)).sum()
}

#[test]
fn the_sum_of_depths_has_no_jump_as_a_contact_wanders_from_bar_to_bend() {
    let block = shape(cuboid([0.4, 0.9, 0.2]));
    let step = 2e-5;
    // On its side the link slides along its length over the edge z = 0.2 of a block, tilted over it.
    let on_edge = UnitQuaternion::from_axis_angle(&Vec3::x_axis(), std::f64::consts::FRAC_PI_2)
        * UnitQuaternion::from_axis_angle(&Vec3::y_axis(), std::f64::consts::FRAC_PI_2);
    for tilt in [0.2, 0.5] {
        let turn = UnitQuaternion::from_axis_angle(&Vec3::y_axis(), tilt) * on_edge;
        let along = turn * Vec3::z();
        let along = along * along.x.signum();
        let mut last = None;
        let mut most: f64 = 0.0;
        let mut least = f64::INFINITY;
        for k in 0..9000 {
            let slide = -0.09 + step * f64::from(k);
            let up = Vec3::new(tilt.sin(), 0.0, tilt.cos());
            let pose = Pose::new(Vec3::new(0.4, 0.0, 0.2) + along * slide + up * (0.078 + 0.025), turn);
            let sum = total(&block, &pose);
            if let Some(before) = last {
                let jump: f64 = sum - before;
                most = most.max(jump.abs());
            }
            least = least.min(sum);
            last = Some(sum);
        }
        // Contacts of 5 mm fade over a diameter of 60 mm: they change far less than the link moves.
        assert!(most < 2.0 * step, "{tilt}: {most}");
        assert!(least > 0.0, "{tilt}: {least}");
    }
}

/// The largest change of the total from step to step, and the largest total.
fn largest_change(body: &Shape, poses: impl Iterator<Item = Pose>) -> (f64, f64) {
    let (mut last, mut change, mut most) = (None, 0f64, 0f64);
    for pose in poses {
        let sum = total(body, &pose);
        change = change.max((sum - last.unwrap_or(sum)).abs());
        most = most.max(sum);
        last = Some(sum);
    }
    (change, most)
}

/// Flat on its side, its long axis along x.
fn lying() -> UnitQuaternion<f64> {
    UnitQuaternion::from_axis_angle(&Vec3::y_axis(), -std::f64::consts::FRAC_PI_2)
}

#[test]
fn a_link_that_rocks_on_a_face_and_its_edge_is_not_dropped_and_caught_again() {
    let block = shape(cuboid([0.5, 0.5, 0.5]));
    for overhang in [0.02, 0.05, 0.1] {
        let step = 1e-6;
        let poses = (-2000..2000).map(|k| {
            let turn = UnitQuaternion::from_axis_angle(&Vec3::y_axis(), step * f64::from(k) + 3e-7);
            Pose::new(Vec3::new(0.5 - overhang, 0.01, 0.5 + 0.03 - 2e-3), turn * lying())
        });
        let (change, most) = largest_change(&block, poses);
        // Six places at most, none farther than 0.18 m from the axis about which the link turns.
        assert!(change < 6.0 * 0.2 * step && most > 0.009, "{overhang}: {change} {most}");
    }
}

#[test]
fn a_link_that_slides_over_an_edge_hands_its_depths_on() {
    let block = shape(cuboid([0.5, 0.5, 0.5]));
    let step = 1e-5;
    let poses =
        (0..40_000).map(|k| Pose::new(Vec3::new(0.2 + step * f64::from(k), 0.01, 0.5 + 0.028), lying()));
    let (change, most) = largest_change(&block, poses);
    // Where the tip has passed the edge by x, the bend crosses it at two places √(8Rx) apart: steep, but no jump of 2
    // mm.
    assert!(change < 2e-3 * (8.0 * 0.078 * step).sqrt() / 0.06 * 2.0 && most > 0.0119, "{change} {most}");
}

#[test]
fn a_bar_that_rolls_over_coarse_facets_goes_from_one_to_the_next_without_a_jump() {
    // A drum of 24 sides about y; the link stands on it, its lower bar across.
    let sides: Vec<[f64; 2]> =
        (0..24).map(|k| 15f64.to_radians() * f64::from(k)).map(|a| [a.cos(), a.sin()]).collect();
    let drum = shape(super::meshes::prism(&sides, 0.5, 3));
    let on_edge = UnitQuaternion::from_axis_angle(&Vec3::x_axis(), std::f64::consts::FRAC_PI_2)
        * UnitQuaternion::from_axis_angle(&Vec3::y_axis(), std::f64::consts::FRAC_PI_2);
    let step = 2e-5;
    let poses = (-15_000..15_000).map(|k| {
        let turn = UnitQuaternion::from_axis_angle(&Vec3::y_axis(), step * f64::from(k) + 1e-8);
        Pose::new(turn * Vec3::new(0.0, 0.0, 1.0 + 0.078 + 0.022), turn * on_edge)
    });
    let (change, most) = largest_change(&drum, poses);
    assert!(change < 10.0 * step && most > 5e-3, "{change} {most}");
}
