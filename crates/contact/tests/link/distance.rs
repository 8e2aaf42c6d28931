//! A piece of the centre curve against one triangle.

use super::reference::{closest, distance};
use crate::near::random::Random;
use rattleback_contact::geom::mesh::Feature;
use rattleback_contact::geom::surface::Link;
use rattleback_contact::geom::{Pose, Vec3};
use rattleback_contact::region::link::{Nearest, Piece, piece_triangle, pieces};

const LENGTH: f64 = 0.36;

fn link_pieces(random: &mut Random) -> Vec<Piece> {
    pieces(&Link::from_outer(0.06, LENGTH, 0.216).unwrap(), &random.pose(0.2))
}

/// A vector of the length `size`, at times along an axis or across the link.
fn vector(random: &mut Random, piece: &Piece, size: f64) -> Vec3 {
    let v = match random.between(0.0, 8.0) as usize {
        0 => piece.tangent(0.0),
        1 => piece.tangent(piece.length()),
        2 => piece.tangent(0.0).cross(&piece.tangent(piece.length())) + piece.tangent(0.0) * 1e-9,
        _ => random.vector(1.0),
    };
    v.normalize() * size
}

/// Triangles near a piece, from a hundredth of a link to a hundred links; needles among them.
fn triangle(random: &mut Random, piece: &Piece) -> [Vec3; 3] {
    let size = LENGTH * 10f64.powf(random.between(-2.0, 2.0));
    let u = vector(random, piece, size);
    let aspect = if random.between(0.0, 1.0) < 0.2 { 1e-3 } else { 1.0 };
    let mut v = vector(random, piece, size * aspect);
    while u.cross(&v).norm() < 1e-9 * u.norm() * v.norm() {
        v += random.vector(v.norm());
    }
    // A point of its plane, inside or about it, comes to lie near the curve.
    let (s, t) = (random.between(-0.2, 1.2), random.between(-0.2, 1.2));
    let off = match random.between(0.0, 4.0) as usize {
        0 => Vec3::zeros(),
        1 => u.cross(&v).normalize() * random.between(-0.1, 0.1),
        _ => random.vector(0.1),
    };
    let a = piece.point(random.between(0.0, piece.length())) + off - u * s - v * t;
    [a, a + u, a + v]
}

/// What must hold at a minimum: nothing on either side gives way. Returns the largest violation, as a length.
fn residual(piece: &Piece, corners: &[Vec3; 3], found: &Nearest) -> f64 {
    let arm = found.on_curve - found.on_triangle;
    let along = arm.dot(&piece.tangent(found.parameter));
    let along = if found.parameter <= 1e-14 {
        (-along).max(0.0)
    } else if found.parameter >= piece.length() - 1e-14 {
        along.max(0.0)
    } else {
        along.abs()
    };
    let best = closest(&found.on_curve, corners);
    along.max(found.distance - (found.on_curve - best).norm()).max((arm.norm() - found.distance).abs())
}

#[test]
fn distances_are_those_of_dense_sampling_for_triangles_of_all_sizes_and_shapes() {
    let mut random = Random(41);
    let mut features = [0; 3];
    for _ in 0..250 {
        for piece in link_pieces(&mut random) {
            let corners = triangle(&mut random, &piece);
            let found = piece_triangle(&piece, &corners);
            let reference = distance(&piece, &corners, 400);
            // The sampling can miss a narrow minimum, never undercut the least distance.
            assert!(
                found.distance < reference + 1e-10 * LENGTH,
                "{found:?} {reference} {piece:?} {corners:?}"
            );
            assert!(
                found.distance > reference - 1e-9 * LENGTH,
                "{found:?} {reference} {piece:?} {corners:?}"
            );
            let off = (found.on_curve - piece.point(found.parameter)).norm();
            let on = (found.on_triangle - closest(&found.on_triangle, &corners)).norm();
            assert!(off < 1e-13 && on < 1e-10, "{off} {on}");
            features[match found.feature {
                Feature::Face => 0,
                Feature::Side(_) => 1,
                Feature::Corner(_) => 2,
            }] += 1;
        }
    }
    assert!(features.iter().all(|count| *count > 100), "{features:?}");
}

#[test]
fn nothing_gives_way_at_the_nearest_points() {
    let mut random = Random(42);
    for _ in 0..3000 {
        for piece in link_pieces(&mut random) {
            let corners = triangle(&mut random, &piece);
            let found = piece_triangle(&piece, &corners);
            if found.distance > 1e-9 {
                let off = residual(&piece, &corners, &found);
                assert!(off < 1e-9 * (LENGTH + found.distance), "{off} {found:?} {piece:?} {corners:?}");
            }
        }
    }
}

fn bar() -> Piece {
    Piece::Bar { start: Vec3::new(-1.0, 0.0, 0.0), along: Vec3::x(), length: 2.0 }
}

fn quarter() -> Piece {
    Piece::Quarter { centre: Vec3::zeros(), from: Vec3::x(), to: Vec3::y(), radius: 1.0 }
}

fn corners(points: [[f64; 3]; 3]) -> [Vec3; 3] {
    points.map(Vec3::from)
}

#[test]
fn a_bar_is_as_far_from_parallel_crossing_and_coplanar_triangles_as_it_should_be() {
    let far = |points: [[f64; 3]; 3]| piece_triangle(&bar(), &corners(points)).distance;
    // Parallel to the plane, above, beside and beyond the triangle.
    assert_eq!(far([[-5.0, -5.0, -0.3], [5.0, -5.0, -0.3], [0.0, 9.0, -0.3]]), 0.3);
    assert_eq!(far([[-5.0, 0.4, 0.3], [5.0, 0.4, 0.3], [0.0, 9.0, 0.3]]), 0.5);
    assert_eq!(far([[1.3, 0.4, 0.0], [1.3, -0.4, 0.0], [3.0, 0.0, 0.0]]), 1.3 - 1.0);
    // Crossing, in the plane of the bar and at an angle; touching with a corner.
    assert!(far([[0.1, -1.0, 0.0], [0.2, 1.0, 0.0], [0.3, 1.0, 0.0]]) < 1e-16);
    assert!(far([[0.1, -1.0, -1.0], [0.2, 1.0, -0.5], [0.3, 0.3, 2.0]]) < 1e-15);
    assert_eq!(far([[0.5, 0.0, 0.0], [0.5, 1.0, 1.0], [0.7, 1.0, 1.0]]), 0.0);
    // A side nearly parallel to the bar that crosses it above.
    let tilted = far([[-1.0, -1e-8, 0.25], [1.0, 1e-8, 0.25], [0.0, 0.0, 5.0]]);
    assert!((tilted - 0.25).abs() < 1e-15, "{tilted}");
    let crossing = far([[-1.0, -1e-8, 0.0], [0.5, 0.5e-8, 0.0], [0.0, 1.0, 5.0]]);
    assert!(crossing < 1e-16, "{crossing}");
}

#[test]
fn a_quarter_is_as_far_from_special_triangles_as_it_should_be() {
    let far = |points: [[f64; 3]; 3]| piece_triangle(&quarter(), &corners(points)).distance;
    let diagonal = 0.5f64.sqrt();
    // A plane beside, parallel to the circle; one that cuts it; one through its axis.
    assert_eq!(far([[-9.0, -9.0, 0.2], [9.0, -9.0, 0.2], [0.0, 9.0, 0.2]]), 0.2);
    assert!(far([[2.0, -1.0, -2.0], [-1.0, 2.0, -2.0], [0.5, 0.5, 9.0]]) < 1e-15);
    assert!(far([[0.0, 0.0, -3.0], [0.0, 0.0, 3.0], [5.0, 5.0, 0.0]]) < 1e-15);
    // A wall outside that the quarter faces with its middle.
    let wall = far([[4.0, -1.0, -9.0], [-1.0, 4.0, -9.0], [1.5, 1.5, 9.0]]);
    assert!((wall - (3.0 * diagonal - 1.0)).abs() < 1e-15, "{wall}");
    // A side in the plane of the circle along a tangent, a chord, a radius; a side along the axis.
    let side = |a: [f64; 2], b: [f64; 2]| far([[a[0], a[1], 0.0], [b[0], b[1], 0.0], [5.0, 5.0, 40.0]]);
    let t = 2f64.sqrt();
    assert!(side([t, 0.0], [0.0, t]) < 1e-14);
    assert!(side([0.9, -0.5], [0.9, 0.9]) < 1e-15);
    assert!(side([0.1, 0.1], [3.0, 3.0]) < 1e-15);
    let short = far([[0.1, 0.1, 0.0], [0.6, 0.6, 0.0], [0.3, 0.3, 40.0]]);
    assert!((short - (1.0 - 0.6 / diagonal)).abs() < 1e-15, "{short}");
    assert!((far([[0.0, 0.0, -1.0], [0.0, 0.0, 1.0], [-1.0, -1.0, 0.0]]) - 1.0).abs() < 1e-15);
    // Behind the centre the ends are nearest.
    let behind = far([[-1.0, -1.0, -1.0], [-1.0, -1.0, 1.0], [-2.0, -1.0, 0.0]]);
    assert!((behind - 5f64.sqrt()).abs() < 1e-15, "{behind}");
}

#[test]
fn a_coordinate_that_is_no_number_gives_none() {
    for piece in [bar(), quarter()] {
        let broken = corners([[f64::NAN, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
        assert!(!(piece_triangle(&piece, &broken).distance < 1e9));
    }
}

#[test]
fn pieces_of_a_link_are_those_of_its_pose() {
    let link = Link::new(0.03, 0.078, 0.072).unwrap();
    let all = pieces(&link, &Pose::identity());
    assert_eq!(all.len(), 6);
    assert!((all[0].point(0.0) - Vec3::new(0.0, 0.078, -0.072)).norm() < 1e-16);
    assert!((all[2].point(0.0) - Vec3::new(0.0, 0.0, 0.15)).norm() < 1e-16);
}
