use super::random::Random;
use rattleback_contact::geom::Pose;
use rattleback_contact::{Collider, contact};

#[test]
fn swapping_the_bodies_swaps_the_answer() {
    let mut random = Random(21);
    for k in 0..400 {
        let (a, b) = random.pair(if k % 2 == 0 { 1.0 } else { 0.6 }, |r| {
            if k % 4 < 2 { r.ellipsoid(0.1) } else { r.superellipsoid(1.3, 4.0) }
        });
        let (ab, ba) = (contact(&a, &b).unwrap(), contact(&b, &a).unwrap());
        let scale = ab.touch.gap.abs().max(1.0);
        assert!(
            (ab.touch.gap - ba.touch.gap).abs() < 1e-13 * scale,
            "{k}: {} {}",
            ab.touch.gap,
            ba.touch.gap
        );
        // Two branches of equal depth may be exchanged.
        if (ab.touch.normal + ba.touch.normal).norm() < 1e-3 {
            assert!((ab.touch.point_a - ba.touch.point_b).norm() < 1e-9, "{k}");
        }
    }
}

#[test]
fn a_rigid_motion_of_both_moves_the_answer_with_them() {
    let mut random = Random(22);
    for k in 0..400 {
        let (a, b) =
            random.pair(1.0, |r| if k % 2 == 0 { r.ellipsoid(0.1) } else { r.superellipsoid(1.3, 4.0) });
        let motion = Pose::new(random.vector(), random.rotation());
        let moved = |c: &Collider| Collider { shape: c.shape.clone(), pose: motion.compose(&c.pose) };
        let (here, there) = (contact(&a, &b).unwrap(), contact(&moved(&a), &moved(&b)).unwrap());
        assert!(
            (here.touch.gap - there.touch.gap).abs() < 1e-13 * 4.0,
            "{k}: {} {}",
            here.touch.gap,
            there.touch.gap
        );
        if here.touch.gap > 0.0 {
            let n = motion.vector_to_world(&here.touch.normal);
            assert!((n - there.touch.normal).norm() < 1e-9, "{k}");
            for i in 0..2 {
                let (x, y) =
                    (here.curvature.unwrap().relative.kappa[i], there.curvature.unwrap().relative.kappa[i]);
                assert!((x - y).abs() < 1e-6 * here.curvature.unwrap().relative.kappa[0], "{k}: {x} {y}");
            }
        }
    }
}
