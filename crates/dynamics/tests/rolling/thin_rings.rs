//! Rings whose tubes are up to thirty thousand times thinner than they are wide, on the floor.

use super::engine::{ground, law, on_floor, run, start};
use rattleback_dynamics::Energy;
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::surface::Torus;
use std::f64::consts::FRAC_PI_2;

const MAJOR: f64 = 0.2;

/// Lets a ring go that leans by `tilt`, `above` the floor, rolling at `speed`, and watches its lowest point.
fn stays_above_the_floor(ratio: f64, tilt: f64, above: f64, speed: f64, duration: f64) {
    let minor = MAJOR / ratio;
    let model = on_floor(ground(), Torus::new(MAJOR, minor).unwrap(), 1.5, law(0.5, 0.5));
    let height = MAJOR * tilt.sin() + minor + above;
    let mut state = start([0.0, 0.0, height], [0.0, speed, 0.0], [-speed / (MAJOR + minor), 0.0, 0.0]);
    state.motions[1].pose.orientation = UnitQuaternion::from_euler_angles(0.0, tilt, 0.0);
    let mut run = run(&model, state);
    let before = Energy::of(&model, run.state()).unwrap().total();
    run.advance(duration, &mut |now| {
        let pose = &now.state.motions[1].pose;
        let axis = pose.orientation * rattleback_geom::Vec3::z();
        let lowest = pose.position.z - MAJOR * axis.x.hypot(axis.y) - minor;
        // A ring at rest hops, and each hop may leave it deeper by what counts as touching, 1e-10 of its size.
        assert!(lowest > -1e-8, "R/r = {ratio}, {tilt} rad: {lowest:e} m at {} s", now.state.time);
        Ok(())
    })
    .unwrap();
    assert_eq!(run.state().time, duration);
    let after = Energy::of(&model, run.state()).unwrap().total();
    assert!((after - before).abs() < 1e-9, "R/r = {ratio}, {tilt} rad: {:e} J", after - before);
}

#[test]
fn thin_rings_that_are_dropped_do_not_fall_through_the_floor() {
    for ratio in [300.0, 3000.0, 30_000.0] {
        stays_above_the_floor(ratio, FRAC_PI_2, 0.05, 0.0, 0.3);
        stays_above_the_floor(ratio, 1.2, 0.05, 0.0, 0.5);
    }
    // Almost flat, it clatters from side to side.
    stays_above_the_floor(3000.0, 0.02, 0.02, 0.0, 0.2);
}

#[test]
fn thin_rings_roll_upright_and_leaning() {
    for ratio in [300.0, 3000.0, 30_000.0] {
        stays_above_the_floor(ratio, FRAC_PI_2, 0.0, 1.0, 0.5);
        stays_above_the_floor(ratio, 1.3, 0.0, 0.65, 0.5);
    }
}

#[test]
fn thin_rings_lie_flat_on_the_floor() {
    for ratio in [300.0, 3000.0] {
        stays_above_the_floor(ratio, 0.0, 0.0, 0.0, 0.05);
    }
}
