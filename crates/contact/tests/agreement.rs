//! Every solver of this crate that can handle two ellipsoids gives the gap that Newton on the sphere gives.

use crate::ellipsoids::Ellipsoids;
use rattleback_contact::narrow::lopes::globalised::{self, SearchOutcome};
use rattleback_contact::narrow::lopes::{self, ImplicitBody, Start, TangentFrame};
use rattleback_contact::narrow::parametric::{self, ParametricBody};
use rattleback_contact::narrow::roemer::{self, Algorithm, SupportBody};
use rattleback_geom::Pose;
use rattleback_geom::surface::{Ellipsoid, Support, Surface};

const COUNT: u64 = 120;

#[test]
fn all_solvers_agree_on_separate_ellipsoids_where_they_converge() {
    let (mut separate, mut newton, mut normals) = (0, 0, 0);
    for index in 0..COUNT {
        let r = Ellipsoids::drawn(23, index);
        let truth = r.gap().unwrap();
        // Thin bodies are the subject of the studies; here the solvers themselves are compared.
        if truth < 0.0 || r.aspect() > 10.0 {
            continue;
        }
        separate += 1;
        let (e, f) = (Ellipsoid::new(r.semi_axes_a).unwrap(), Ellipsoid::new(r.semi_axes_b).unwrap());
        let agrees = |gap: f64, who: &str| {
            assert!((gap - truth).abs() < 1e-8, "{who}, {index}: {gap} against {}", truth);
        };
        let start = r.pose_b.position.normalize();
        let (a, b) = (ImplicitBody::new(&e, Pose::identity()), ImplicitBody::new(&f, r.pose_b));
        let points = Start::Points {
            a: e.support_point(&start),
            b: r.pose_b.point_to_world(&f.support_point(&-r.pose_b.vector_to_local(&start))),
        };
        for frame in [TangentFrame::Householder, TangentFrame::Auxiliary] {
            let settings = lopes::Settings { frame, tolerance: 1e-10, max_iterations: 100 };
            // Newton may end on an averted or an overlapping pair of sides; a facing one at a distance is the only one.
            if let Ok(found) = lopes::solve(&a, &b, points, &settings)
                && found.facing
                && found.solution.gap > 0.0
            {
                newton += 1;
                agrees(found.solution.gap, "lopes::solve");
            }
        }
        let boxes = [&e.bounds(), &f.bounds()];
        let SearchOutcome::Found(found) = globalised::search(&a, &b, boxes, &Default::default()).unwrap()
        else {
            panic!("closed surfaces have no bounds")
        };
        agrees(found.gap, "lopes::globalised");
        let (a, b) = (
            SupportBody { surface: &e, pose: Pose::identity() },
            SupportBody { surface: &f, pose: r.pose_b },
        );
        for algorithm in [Algorithm::II, Algorithm::III, Algorithm::IV] {
            let outcome = roemer::solve(algorithm, &a, &b, &start, &Default::default()).unwrap();
            if let Ok(found) = outcome.into_result()
                && found.gap > 0.0
            {
                normals += 1;
                agrees(found.gap, "roemer");
            }
        }
        let (a, b) =
            (ParametricBody::of(&e, Pose::identity()).unwrap(), ParametricBody::of(&f, r.pose_b).unwrap());
        agrees(parametric::search(&a, &b, &Default::default()).unwrap().solution.gap, "parametric");
    }
    assert!(separate > COUNT / 2, "{separate}");
    assert!(newton > separate, "Newton converged {newton} times of {}", 2 * separate);
    assert!(
        normals > 27 * separate / 10,
        "algorithms II to IV converged {normals} times of {}",
        3 * separate
    );
}
