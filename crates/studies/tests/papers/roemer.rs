//! Algorithms I to IV have the published success rates.

use rattleback_contact::narrow::roemer::Algorithm;
use rattleback_studies::roemer::query;
use rattleback_studies::roemer::{PAPER_TABLE_1, Realisation, Study, attempt, realisation, run};

/// The true signed gap, in m.
fn gap(realisation: &Realisation) -> rattleback_contact::Result<f64> {
    query::answer(realisation).map(|touch| touch.gap)
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
            let tally = run(study, 1, COUNT, solver, gap).unwrap();
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
        run(Study::A, 2, count, |r: &_, start: &_| attempt(algorithm, r, start), gap).unwrap()
    };
    let [two, three, four] = [Algorithm::II, Algorithm::III, Algorithm::IV].map(|a| tally(a, 1000));
    // Accuracy 1e-8, half of all realisations.
    let [two, three_at, four] = [&two, &three, &four].map(|t| t.iterations_for(2, 0.5).unwrap());
    assert!(three_at > 3 * two / 2 && three_at <= 3 * two && four <= two + 2, "{two} {three_at} {four}");
    assert_eq!(three.iterations_for(0, 1.1), None);
    assert_eq!(three, tally(Algorithm::III, 1000));
}

#[test]
fn proximity_queries_before_the_normal_change_no_motion() {
    let mut ends = Vec::new();
    for proximity in ["boxes", "spheres", "quartic"] {
        let scene = rattleback_studies::Variation::of("roemer_box").unwrap();
        let scene = scene.add("", "proximity", proximity).unwrap().scene().unwrap();
        let mut run =
            rattleback_dynamics::Run::new(&scene.model, scene.state.clone(), &scene.scheme).unwrap();
        let mut contacts = 0;
        run.advance(0.8, &mut |now| {
            contacts += usize::from(matches!(now.event, rattleback_dynamics::RunEvent::Begin(_)));
            Ok(())
        })
        .unwrap();
        let places: Vec<_> = run.state().motions.iter().map(|motion| motion.pose.position).collect();
        ends.push((contacts, places));
    }
    assert!(ends[0].0 > 2, "{}", ends[0].0);
    for (contacts, places) in &ends[1..] {
        assert_eq!(*contacts, ends[0].0);
        for (a, b) in places.iter().zip(&ends[0].1) {
            assert!((a - b).norm() < 1e-6, "{a} {b}");
        }
    }
}
