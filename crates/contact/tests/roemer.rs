//! Algorithms I to IV: known answers.

use rattleback_contact::narrow::roemer::{
    Algorithm, AlgorithmOutcome, Reason, Settings, SupportBody, solve, start_between_origins,
};
use rattleback_geom::surface::{Ellipsoid, Sphere};
use rattleback_geom::{Pose, Vec3};

#[test]
fn all_four_find_the_gap_of_spheres_from_a_start_beside_it() {
    let (big, small) = (Sphere::new(1.0).unwrap(), Sphere::new(0.5).unwrap());
    let a = SupportBody {
        surface: &big,
        pose: Pose::from_position(1.0, 0.0, 0.0).rotated(Vec3::y(), 0.4).unwrap(),
    };
    for (length, gap) in [(3.0, 1.5), (1.5, 0.0), (1.3, -0.2)] {
        let r = Vec3::new(2.0, 1.0, 2.0) / 3.0;
        let b = SupportBody {
            surface: &small,
            pose: Pose::new(a.pose.position + r * length, Pose::identity().orientation),
        };
        let start = start_between_origins(&a, &b).unwrap() + Vec3::new(0.1, -0.05, 0.0);
        for algorithm in Algorithm::ALL {
            // Where spheres touch, or nearly, the squared distance of algorithm I is no guide to the normal.
            if algorithm == Algorithm::I && gap < 0.1 {
                continue;
            }
            let found =
                solve(algorithm, &a, &b, &start, &Settings::default()).unwrap().into_result().unwrap();
            assert!((found.gap - gap).abs() < 1e-11, "{algorithm:?}: {found:?}");
            assert!((found.normal - r).norm() < 1e-10, "{algorithm:?}: {found:?}");
        }
    }
}

#[test]
fn the_bound_on_iterations_is_kept_and_a_missing_direction_is_refused() {
    let e = Ellipsoid::new([1.0, 0.3, 0.6]).unwrap();
    let a = SupportBody { surface: &e, pose: Pose::identity() };
    let b = SupportBody {
        surface: &e,
        pose: Pose::from_position(1.5, 1.0, 1.2).rotated(Vec3::x(), 1.0).unwrap(),
    };
    let short = Settings { max_iterations: 2, ..Settings::default() };
    let start = start_between_origins(&a, &b).unwrap();
    let outcome = solve(Algorithm::III, &a, &b, &start, &short).unwrap();
    let AlgorithmOutcome::Failed { reason: Reason::IterationLimit, best } = outcome else {
        panic!("{outcome:?}")
    };
    assert_eq!(best.iterations, 2);
    let error = start_between_origins(&a, &a).unwrap_err().to_string();
    assert!(error.contains("must be a vector of non-zero length"), "{error}");
    let error = solve(Algorithm::II, &a, &b, &Vec3::new(f64::NAN, 0.0, 1.0), &short).unwrap_err().to_string();
    assert!(error.starts_with("start[0] = NaN"), "{error}");
}
