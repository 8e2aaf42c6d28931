//! Algorithms I to IV: known answers, and the published success rates.

mod reference;

use rattleback_contact::narrow::roemer::{
    Algorithm, Outcome, Reason, Settings, SupportBody, solve, start_between_origins,
};
use rattleback_contact::study::roemer::{PAPER_TABLE_1, Study, attempt, realisation, run};
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
    let short = Settings { most_iterations: 2, ..Settings::default() };
    let start = start_between_origins(&a, &b).unwrap();
    let outcome = solve(Algorithm::III, &a, &b, &start, &short).unwrap();
    let Outcome::Failed { reason: Reason::IterationLimit, best } = outcome else { panic!("{outcome:?}") };
    assert_eq!(best.iterations, 2);
    let error = start_between_origins(&a, &a).unwrap_err().to_string();
    assert!(error.contains("must be a vector of non-zero length"), "{error}");
    let error = solve(Algorithm::II, &a, &b, &Vec3::new(f64::NAN, 0.0, 1.0), &short).unwrap_err().to_string();
    assert!(error.starts_with("start[0] = NaN"), "{error}");
}

#[test]
fn a_realisation_depends_on_seed_and_index_alone() {
    assert_eq!(realisation(3, 17), realisation(3, 17));
    assert_ne!(realisation(3, 17), realisation(3, 18));
    assert_ne!(realisation(3, 17), realisation(4, 17));
    let r = realisation(3, 17);
    assert!((r.random_normal.norm() - 1.0).abs() < 1e-15);
}

#[test]
fn success_rates_agree_with_table_1() {
    const COUNT: u64 = 2000;
    for (column, study) in [Study::A, Study::B].into_iter().enumerate() {
        for paper in PAPER_TABLE_1 {
            let solver = |r: &_, start: &_| attempt(paper.algorithm, r, start);
            let tally = run(study, 1, COUNT, solver, reference::gap).unwrap();
            let name = format!("study {study:?}, algorithm {:?}: {tally:?}", paper.algorithm);
            assert_eq!(tally.separate.count + tally.penetrating.count, COUNT);
            // The paper has about 2.2 % of realisations with penetration.
            assert!((25..65).contains(&tally.penetrating.count), "{name}");
            // Three standard deviations of a share of 2000 are 3.4 points at one half, 0.7 at 99 %. Algorithm I solves
            // more here than in the paper, which does not print its derivatives or its test for stopping.
            let allowed = if paper.algorithm == Algorithm::I { 13.0 } else { 3.4 };
            assert!((tally.separate.percent() - paper.separate[column]).abs() < allowed, "{name}");
            if matches!(paper.algorithm, Algorithm::III | Algorithm::IV) {
                assert!((tally.separate.percent() - paper.separate[column]).abs() < 0.8, "{name}");
                assert!(tally.penetrating.percent() > 88.0, "{name}");
            }
        }
    }
}

#[test]
fn the_fixed_point_iteration_takes_about_twice_the_steps_of_newton_and_counts_do_not_depend_on_the_split() {
    let tally = |algorithm, count| {
        run(Study::A, 2, count, |r: &_, start: &_| attempt(algorithm, r, start), reference::gap).unwrap()
    };
    let [two, three, four] = [Algorithm::II, Algorithm::III, Algorithm::IV].map(|a| tally(a, 1000));
    // Accuracy 1e-8, half of all realisations.
    let [two, three_at, four] = [&two, &three, &four].map(|t| t.iterations_for(2, 0.5).unwrap());
    assert!(three_at > 3 * two / 2 && three_at <= 3 * two && four <= two + 2, "{two} {three_at} {four}");
    assert_eq!(three.iterations_for(0, 1.1), None);
    assert_eq!(three, tally(Algorithm::III, 1000));
}
