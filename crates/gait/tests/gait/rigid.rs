use rattleback_gait::rigid::{Template, fit_pose};
use rattleback_geom::{Pose, Vec3};
use rattleback_random::{stream, unit};

fn cluster() -> Template {
    let points =
        [[0.0, 0.07, 0.0], [0.14, 0.08, -0.04], [0.14, 0.06, 0.06], [0.23, 0.04, 0.07], [0.23, 0.05, -0.04]];
    let names = (0..points.len()).map(|i| format!("m{i}")).collect();
    Template::new(names, points.into_iter().map(Vec3::from).collect(), 5e-4).unwrap()
}

fn pose() -> Pose {
    Pose::from_position(0.4, 0.1, -0.2).rotated(Vec3::new(1.0, 2.0, -0.5), 2.1).unwrap()
}

fn seen(template: &Template, pose: &Pose) -> Vec<Option<Vec3>> {
    template.points.iter().map(|p| Some(pose.point_to_world(p))).collect()
}

fn distance(a: &Pose, b: &Pose) -> (f64, f64) {
    ((a.position - b.position).norm(), a.orientation.angle_to(&b.orientation))
}

#[test]
fn exact_points_give_the_exact_pose() {
    let template = cluster();
    let fit = fit_pose(&template, &seen(&template, &pose())).unwrap();
    let (away, turned) = distance(&fit.pose, &pose());
    assert!(away < 1e-14 && turned < 1e-7, "{away} {turned}");
    assert!(fit.rejected.iter().all(|r| !r));
}

#[test]
fn a_marker_that_dips_by_fifteen_millimetres_is_rejected_and_changes_nothing() {
    let template = cluster();
    for k in 0..5 {
        let mut points = seen(&template, &pose());
        if let Some(point) = &mut points[k] {
            point.y -= 0.015;
        }
        let fit = fit_pose(&template, &points).unwrap();
        assert_eq!(fit.rejected.iter().position(|r| *r), Some(k));
        let (away, turned) = distance(&fit.pose, &pose());
        assert!(away < 1e-12 && turned < 1e-7, "{k}: {away} {turned}");
        assert!((fit.residuals[k].unwrap() - 0.015).abs() < 1e-9);
    }
}

#[test]
fn the_covariance_is_that_of_many_noisy_fits() {
    let template = cluster();
    let mut random = stream(3, 0);
    let mut normal = || (0..12).map(|_| unit(&mut random)).sum::<f64>() - 6.0;
    let (mut sum, mut told, rounds) = ([0.0; 6], [0.0; 6], 2000);
    for _ in 0..rounds {
        let points: Vec<Option<Vec3>> = seen(&template, &pose())
            .into_iter()
            .map(|p| p.map(|p| p + Vec3::new(normal(), normal(), normal()) * template.noise))
            .collect();
        let fit = fit_pose(&template, &points).unwrap();
        let turn = (fit.pose.orientation * pose().orientation.inverse()).scaled_axis();
        let shift = fit.pose.position - pose().position;
        for i in 0..3 {
            sum[i] += shift[i] * shift[i] / f64::from(rounds);
            sum[i + 3] += turn[i] * turn[i] / f64::from(rounds);
            told[i] = fit.covariance[(i, i)] * (template.noise / fit.sigma).powi(2);
            told[i + 3] = fit.covariance[(i + 3, i + 3)] * (template.noise / fit.sigma).powi(2);
        }
    }
    for i in 0..6 {
        let ratio = sum[i] / told[i];
        assert!((0.85..1.2).contains(&ratio), "{i}: {ratio}");
    }
}

#[test]
fn three_markers_are_fitted_without_rejection_and_fewer_or_those_on_a_line_are_not() {
    let template = cluster();
    let mut points = seen(&template, &pose());
    points[1] = None;
    points[3] = None;
    let fit = fit_pose(&template, &points).unwrap();
    assert!(distance(&fit.pose, &pose()).0 < 1e-12 && fit.residuals[1].is_none());
    points[0] = None;
    assert!(fit_pose(&template, &points).is_none());
    let line = (0..4).map(|i| Vec3::repeat(f64::from(i))).collect();
    assert!(Template::new(vec![String::new(); 4], line, 1e-3).is_err());
    assert!(Template::new(vec![String::new(); 3], template.points[..3].to_vec(), f64::NAN).is_err());
}

#[test]
fn points_that_no_camera_sees_count_as_missing() {
    let template = cluster();
    for bad in [f64::NAN, f64::INFINITY, 1e300, -1e7] {
        let mut points = seen(&template, &pose());
        points[2] = Some(Vec3::new(0.0, bad, 0.0));
        let fit = fit_pose(&template, &points).unwrap();
        assert!(distance(&fit.pose, &pose()).0 < 1e-12 && fit.residuals[2].is_none(), "{bad}");
        let far = vec![Vec3::repeat(bad), Vec3::x(), Vec3::y()];
        assert!(Template::new(vec![String::new(); 3], far, 1e-3).is_err(), "{bad}");
    }
}

#[test]
fn the_mean_shape_of_a_motion_is_the_template() {
    let template = cluster();
    let frames: Vec<Vec<Option<Vec3>>> = (0..40)
        .map(|i| {
            let turn = Pose::from_position(0.1 * f64::from(i), 0.0, 0.0);
            seen(&template, &turn.rotated(Vec3::new(0.3, 1.0, 0.2), 0.15 * f64::from(i)).unwrap())
        })
        .collect();
    let found = Template::from_motion(template.names.clone(), &frames, 1e-3).unwrap();
    for i in 0..5 {
        for k in 0..i {
            let length = |t: &Template| (t.points[i] - t.points[k]).norm();
            assert!((length(&found) - length(&template)).abs() < 1e-9);
        }
    }
}

#[test]
fn a_rotation_by_half_a_turn_and_a_flat_cluster_are_no_trouble() {
    let points = [[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.1, 0.0, 0.1], [0.0, 0.0, 0.1]].map(Vec3::from);
    let template = Template::new(vec![String::new(); 4], points.to_vec(), 1e-3).unwrap();
    for axis in [Vec3::x(), Vec3::y(), Vec3::z()] {
        let pose = Pose::from_position(1.0, 2.0, 3.0).rotated(axis, std::f64::consts::PI).unwrap();
        let fit = fit_pose(&template, &seen(&template, &pose)).unwrap();
        let (away, turned) = distance(&fit.pose, &pose);
        assert!(away < 1e-13 && turned < 1e-7, "{away} {turned}");
    }
}
