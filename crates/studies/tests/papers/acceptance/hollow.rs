//! Bodies inside hollow spheres and cylinders.

use super::trial::{G, Topic, Trial, WITH_EDGES};
use rattleback_dynamics::Result;
use rattleback_geom::Vec3;

/// A swing of 0.05 rad from rest, at a time: its period is longer by 1/16 of the square.
fn swing(squared_rate: f64, time: f64) -> f64 {
    0.05 * (squared_rate.sqrt() * (1.0 - 0.05 * 0.05 / 16.0) * time).cos()
}

fn both_swing(trial: &mut Trial<'_>, rolling_along: Vec3) -> Result<()> {
    for k in 1..=5 {
        let time = 0.1 * f64::from(k);
        trial.to(time)?;
        for (name, along, share) in
            [("sliding ball", Vec3::x(), 1.0), ("rolling ball", rolling_along, 5.0 / 7.0)]
        {
            let p = trial.position(name);
            let angle = p.dot(&along).atan2(-p.z);
            trial.near(
                &format!("angle of the {name} at {time} s"),
                angle,
                swing(share * G / 0.18, time),
                2e-4,
            );
        }
    }
    Ok(())
}

#[test]
fn balls_swing_in_a_hollow_sphere_as_the_textbook_says() {
    Topic::new("hollow_sphere", WITH_EDGES).steps(2e-5, 2e-4).check(|trial| both_swing(trial, Vec3::y()));
}

#[test]
fn balls_swing_in_a_hollow_cylinder_as_the_textbook_says() {
    Topic::new("hollow_cylinder", WITH_EDGES).steps(2e-5, 2e-4).check(|trial| both_swing(trial, Vec3::x()));
}

#[test]
fn a_smooth_cup_bears_what_lies_in_it() {
    Topic::new("pills_in_a_smooth_cup", WITH_EDGES).steps(2e-5, 2e-4).check(|trial| {
        trial.end()?;
        let (mut push, mut weight, mut fastest) = (Vec3::zeros(), 0.0, 0.0_f64);
        for name in ["pill 0", "pill 1", "die 0", "die 1"] {
            push += trial.push("cup", name)?;
            weight += trial.body(name).mass * G;
            fastest = fastest.max(trial.velocity(name).norm());
        }
        trial.same("force of the cup", push, Vec3::z() * weight, 0.1 * weight);
        trial.near("greatest speed", fastest, 0.0, 2e-2);
        Ok(())
    });
}
