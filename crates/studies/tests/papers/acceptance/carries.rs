//! What is held, gripped and borne.

use super::trial::{ALL, G, Topic, WITH_EDGES};
use rattleback_dynamics::{BodyId, RunEvent};
use rattleback_geom::Vec3;
use std::f64::consts::TAU;

#[test]
fn jaws_lift_what_friction_holds_and_let_slip_what_it_does_not() {
    let rigid = "bodies that do not yield cannot be squeezed";
    Topic::new("grip_and_lift", ALL).leave_out("rolling", rigid).check(|trial| {
        trial.end()?;
        let grip = 1e6 * 5e-4f64.powf(1.5);
        let light = trial.velocity("light").z;
        // It creeps where 55 % of the friction act: 0.6 of the transition of 1 mm/s.
        trial.near("speed of the light ball", light, 0.1, 1e-3);
        let heavy = trial.velocity("heavy").z;
        trial.within("speed of the heavy ball", heavy, (2.0 * 0.4 * grip / 1.2 - G) * 0.3, 5e-3);
        Ok(())
    });
}

#[test]
fn the_cage_of_a_bearing_goes_round_as_rolling_says() {
    let rigid = "bodies that do not yield cannot be held in three places";
    Topic::new("ball_bearing", ALL).leave_out("rolling", rigid).check(|trial| {
        let height = (0.03f64.powi(2) - 0.02 * 0.02).sqrt();
        let lever = 0.02 * height / 0.03;
        let rate = 5.0 * lever / (lever + 0.02);
        trial.end()?;
        for k in 1..=3u8 {
            let x = trial.position(&format!("ball {k}"));
            let turned = (x.y.atan2(x.x) - TAU / 3.0 * f64::from(k - 1)).rem_euclid(TAU);
            // Overlaps of 0.1 mm make levers of 15 mm shorter by 1 %.
            trial.within(&format!("angle of ball {k}"), turned, rate * 0.15, 0.015);
            trial.near(&format!("radius of ball {k}"), x.xy().norm(), 0.1, 2e-4);
        }
        Ok(())
    });
}

#[test]
fn a_groove_of_a_right_angle_carries_a_roller_by_half_of_root_two_on_each_side() {
    Topic::new("wedge", WITH_EDGES).check(|trial| {
        trial.end()?;
        let push = trial.body("roller").mass * G * 0.5f64.sqrt();
        for (side, sign) in [("left", 1.0), ("right", -1.0)] {
            let found = trial.push(side, "roller")?;
            let expected = Vec3::new(sign, 0.0, 1.0) * (0.5f64.sqrt() * push);
            trial.same(&format!("force of the {side} plane"), found, expected, 0.02 * push);
        }
        Ok(())
    });
}

#[test]
fn plates_push_on_a_ball_as_hard_as_it_is_pressed_together() {
    let rigid = "bodies that do not yield cannot be squeezed";
    Topic::new("sandwiched_ball", ALL).leave_out("rolling", rigid).check(|trial| {
        trial.end()?;
        let force = 1e6 * 5e-4f64.powf(1.5);
        for (plate, sign) in [("lower", 1.0), ("upper", -1.0)] {
            let found = trial.push(plate, "ball")?;
            trial.same(&format!("force of the {plate} plate"), found, Vec3::z() * sign * force, 1e-6);
        }
        Ok(())
    });
}

#[test]
fn a_ladder_leaves_the_wall_at_two_thirds_of_its_sine() {
    let rigid = "bodies that do not yield are not compared here";
    Topic::new("ladder", ALL).leave_out("rolling", rigid).check(|trial| {
        let (ladder, wall) = (trial.index("ladder"), BodyId(trial.index("wall")));
        let mut left = f64::NAN;
        trial.watch(0.5, |state, event| {
            if matches!(event, RunEvent::End(pair) if pair.a.body == wall) && state.time > 0.1 {
                let along = state.motions[ladder].pose.vector_to_world(&Vec3::z());
                left = along.z;
            }
        })?;
        // The force of the wall vanishes with the time that is left, and the overlap of 5 µm takes some ms to open.
        trial.near("sine where it leaves", left, 2.0 / 3.0 * 60f64.to_radians().sin(), 0.02);
        Ok(())
    });
}
