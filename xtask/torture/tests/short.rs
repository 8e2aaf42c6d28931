//! A short run of the torture: a hundred pairs of every kind.

use xtask_torture::{Case, torture};

/// Where it is run by `cargo xtask torture 10000000` it is held to the same.
#[test]
fn no_certificate_is_false_and_no_separate_bodies_are_said_to_overlap() {
    let mut wrong: Vec<Case> = Vec::new();
    let tally = torture(6240, 1, None, |cases, _| {
        wrong.extend(cases.iter().filter(|case| case.is_false).cloned());
        Ok(())
    })
    .unwrap();
    assert_eq!(tally.all.pairs, 6240);
    let lines: String = wrong.iter().take(10).map(|case| format!("{}\n", case.line)).collect();
    assert!(tally.is_true(), "{}{lines}", tally.table());
}

#[test]
fn the_pairs_are_the_same_on_any_number_of_threads() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut lines = String::new();
        pool.install(|| {
            torture(1500, 9, Some("capsule"), |cases, _| {
                cases.iter().for_each(|case| lines += &case.line);
                Ok(())
            })
        })
        .map(|tally| (tally.all.separate, tally.all.overlap, lines))
        .unwrap()
    };
    assert_eq!(run(1), run(3));
}

#[test]
fn a_kind_that_is_not_there_is_refused_by_name() {
    let error = torture(10, 1, Some("teapot"), |_, _| Ok(())).unwrap_err();
    assert!(error.starts_with("KIND: found teapot; expected one of plane, sphere, "), "{error}");
}
