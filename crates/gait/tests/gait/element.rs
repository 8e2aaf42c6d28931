//! Bodies under the foot: the closed form of a superellipsoid on a plane along a motion, and derivatives against
//! differences.

use rattleback_gait::foot::{FootModel, FootTrack};
use rattleback_gait::synthetic::SyntheticWalk;
use rattleback_gait::trial::Side;
use rattleback_geom::surface::{Parametric, Superellipsoid};
use rattleback_geom::{Pose, Vec3};

fn stance() -> (SyntheticWalk, FootTrack) {
    let walk = SyntheticWalk { rate_hz: 50.0, ..SyntheticWalk::default() };
    let track = walk.track(Side::Right).unwrap().window(0.1, 0.9, 0.0);
    (walk, track)
}

#[test]
fn the_lowest_point_is_that_of_all_points_of_the_surface_along_the_whole_motion() {
    let (walk, track) = stance();
    for element in walk.foot.elements.iter().take(3) {
        let load = element.load(&track).unwrap();
        let surface = Superellipsoid::new(element.semi_axes, element.exponents).unwrap();
        let [x, y, z] = element.centre;
        for i in (0..track.poses.len()).step_by(5) {
            let pose = track.poses[i].compose(&Pose::from_position(x, y, z));
            let mut lowest = f64::INFINITY;
            for_each_point(&surface, &mut |p| lowest = lowest.min(pose.point_to_world(&p).y));
            let depth = track.floor - lowest;
            // The grid misses the lowest point by its spacing squared over the radius of curvature.
            assert!((load.depth[i] - depth).abs() < 2e-5 && load.depth[i] >= depth - 1e-12, "{i}");
            assert!((load.point[i].y - (track.floor - load.depth[i])).abs() < 1e-15);
        }
    }
}

fn for_each_point(surface: &Superellipsoid, tell: &mut dyn FnMut(Vec3)) {
    let ([u0, u1], [v0, v1]) = (surface.domain().u, surface.domain().v);
    let n = 400;
    for i in 0..=n {
        for j in 0..=n {
            let share = |k: usize, a: f64, b: f64| a + (b - a) * k as f64 / n as f64;
            tell(surface.point(share(i, u0, u1), share(j, v0, v1)));
        }
    }
}

#[test]
fn derivatives_by_all_parameters_agree_with_differences() {
    let (walk, track) = stance();
    let ground = Vec3::new(walk.belt, 0.0, 0.0);
    let values = walk.foot.values();
    let load = |values: &[f64]| walk.foot.with_values(values).load(&track, &ground).unwrap();
    let middle = load(&values);
    // Where a body just touches, the force has a kink.
    let depths: Vec<Vec<f64>> = walk.foot.elements.iter().map(|e| e.load(&track).unwrap().depth).collect();
    let is_smooth = |i: usize| depths.iter().all(|d| d[i].abs() > 1e-5);
    assert!((0..track.poses.len()).filter(|i| is_smooth(*i)).count() > 30);
    let mut greatest = 0.0f64;
    for k in 0..values.len() {
        let h = 1e-6 * values[k].abs().max(0.1);
        let mut moved = [values.clone(), values.clone()];
        moved[0][k] += h;
        moved[1][k] -= h;
        let [plus, minus] = moved.map(|v| load(&v));
        for i in (0..track.poses.len()).filter(|i| is_smooth(*i)) {
            let differences = [
                (plus.force[i].y - minus.force[i].y) / (2.0 * h),
                (plus.moments[i][0] - minus.moments[i][0]) / (2.0 * h),
                (plus.moments[i][1] - minus.moments[i][1]) / (2.0 * h),
            ];
            for (row, difference) in differences.into_iter().enumerate() {
                let exact = middle.by[i][row][k];
                greatest = greatest.max(exact.abs());
                let scale = exact.abs().max(1e-3 * walk.weight);
                assert!((exact - difference).abs() < 2e-5 * scale, "{k} {i} {row}: {exact} {difference}");
            }
        }
    }
    assert!(greatest > walk.weight);
}

#[test]
fn a_foot_scales_with_its_length() {
    let (small, large) = (FootModel::scaled(0.2), FootModel::scaled(0.25));
    for (a, b) in small.elements.iter().zip(&large.elements) {
        for k in 0..3 {
            assert!((b.centre[k] - 1.25 * a.centre[k]).abs() < 1e-15);
            assert!((b.semi_axes[k] - 1.25 * a.semi_axes[k]).abs() < 1e-15);
        }
    }
}
