//! Friction in regions: a box on an incline sticks below the angle of friction, and slides by Coulomb's law above it.

use super::stage::{block, law, on_floor, settings};
use rattleback_dynamics::{Mechanism, Motion, State};
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::{Pose, Vec3};

/// The way that a box slides down an incline in a second, in m.
fn slides(angle: f64, friction: f64) -> f64 {
    let turn = UnitQuaternion::from_scaled_axis(Vec3::y() * angle);
    let pose = Pose::new(Vec3::zeros(), turn);
    let floor = block([8.0, 2.0, 0.2], 4);
    let (model, _, _) = on_floor(floor, pose, block([0.15, 0.15, 0.03], 2), law(1e8, Some(friction)));
    let start = turn * Vec3::new(-4.0, 0.0, 0.2299);
    let mut state =
        State::new(vec![Motion::at_rest(Pose::identity()), Motion::at_rest(Pose::new(start, turn))]);
    let mut mechanism = Mechanism::new(&model, settings(5e-4)).unwrap();
    mechanism.advance(&mut state, 1.0, &mut |_, _| Ok(())).unwrap();
    (turn.inverse() * (state.motions[1].pose.position - start)).x
}

#[test]
fn a_box_sticks_below_the_angle_of_friction_and_slides_above_it() {
    let angle = 0.35_f64;
    let way = slides(angle, 0.5);
    assert!(way.abs() < 2e-4, "it crept by {way} m");
    let way = slides(angle, 0.2);
    let expected = 0.5 * 9.81 * (angle.sin() - 0.2 * angle.cos());
    assert!((way / expected - 1.0).abs() < 0.01, "{way} for {expected}");
}
