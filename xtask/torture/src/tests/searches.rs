//! The search against depths in closed form.

use crate::body::Body;
use crate::couple::Couple;
use crate::placement::Placed;
use crate::search::{DEEP, PLAIN, greatest, outside};
use crate::vector::{Quaternion, Vector, times};
use std::f64::consts::FRAC_1_SQRT_2;

const UPRIGHT: Quaternion = [1.0, 0.0, 0.0, 0.0];

fn found(a: &Body, b: &Body, r: Vector, turn: Quaternion) -> f64 {
    let [a, b] = [Placed::new(a, [0.0; 3], UPRIGHT), Placed::new(b, r, turn)];
    let couple = Couple::new(&a, &b);
    let plain = greatest(&couple, &[], PLAIN).0;
    let deep = greatest(&couple, &[], DEEP).0;
    assert!((plain - deep).abs() < 1e-12, "{plain} {deep}");
    plain
}

#[test]
fn the_least_depth_of_known_pairs_is_found() {
    let ball = |radius: f64| Body::Sphere { radius };
    assert!((found(&ball(1.0), &ball(2.0), [0.3, 0.4, 0.0], UPRIGHT) + 2.5).abs() < 1e-12);
    // Crossed cylinders part along the common perpendicular of their axes.
    let rod = Body::Cylinder { radius: 0.1, half_length: 5.0 };
    let across = [FRAC_1_SQRT_2, FRAC_1_SQRT_2, 0.0, 0.0];
    assert!((found(&rod, &rod, [0.15, 0.3, -0.2], across) + 0.05).abs() < 1e-12);
    // Flat discs part along their axis.
    let disc = Body::Cylinder { radius: 3.0, half_length: 0.01 };
    assert!((found(&disc, &disc, [0.7, -0.2, 0.005], UPRIGHT) + 0.015).abs() < 1e-12);
    // A ball in a capsule parts across it.
    let capsule = Body::Capsule { radius: 0.5, half_length: 10.0 };
    assert!((found(&capsule, &ball(0.2), [0.1, 0.0, 3.0], UPRIGHT) + 0.6).abs() < 1e-12);
}

#[test]
fn separate_bodies_are_seen_to_be_separate() {
    let a = Body::Cylinder { radius: 0.5, half_length: 0.5 };
    let b = Body::Superellipsoid { axes: [0.3, 0.6, 0.4], exponents: [1.1, 50.0] };
    let gap = found(&a, &b, [0.5, 0.3, 1.0], [0.6, 0.0, 0.8, 0.0]);
    assert!((gap - 0.204).abs() < 5e-4, "{gap}");
}

#[test]
fn a_point_outside_is_seen_by_as_much_as_it_is_outside() {
    let bodies = [
        Body::Ellipsoid { axes: [1.0, 0.001, 0.3] },
        Body::Superellipsoid { axes: [1.0, 0.5, 0.3], exponents: [50.0, 1.1] },
        Body::Superquadric { axes: [0.01, 0.5, 0.3], exponents: [1.1, 42.0, 6.9] },
        Body::Cylinder { radius: 0.2, half_length: 0.9 },
        Body::Capsule { radius: 0.2, half_length: 0.9 },
    ];
    for body in bodies {
        let placed = Placed::new(&body, [0.0; 3], [0.6, 0.0, 0.8, 0.0]);
        for n in [[0.6, 0.48, 0.64], [-0.48, 0.8, 0.36]] {
            let x = placed.point(&n);
            assert!(outside(&placed, &x, &n, 1e-12).abs() < 1e-13, "{body:?}");
            let beyond = [0, 1, 2].map(|i| x[i] + 1e-6 * n[i]);
            let by = outside(&placed, &beyond, &times(-1.0, &n), 1e-12);
            // Another normal may be nearer to the displaced point's own; it is never farther out than it was moved.
            assert!(by > 0.5e-6 && by < 1.000001e-6, "{body:?}: {by}");
        }
    }
}
