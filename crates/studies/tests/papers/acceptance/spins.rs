//! Tops, discs and what flies.

use super::trial::{ALL, G, Topic, Trial};
use rattleback_dynamics::Result;
use rattleback_geom::Vec3;

fn axis(trial: &Trial<'_>, body: &str) -> Vec3 {
    trial.motion(body).pose.vector_to_world(&Vec3::z())
}

#[test]
fn a_fast_top_precesses_at_the_slow_root() {
    Topic::new("top", ALL).check(|trial| {
        let (i1, i3, moment, lean) = (5e-5, 8e-5, 0.1 * G * 0.04, 0.4f64.cos());
        let momentum = i3 * 200.0;
        let slow = (momentum - (momentum * momentum - 4.0 * i1 * lean * moment).sqrt()) / (2.0 * i1 * lean);
        trial.end()?;
        let e = axis(trial, "top");
        trial.near("angle of precession", e.y.atan2(e.x), slow * 0.5, 5e-3);
        trial.near("cosine of its lean", e.z, lean, 1e-3);
        let aside = trial.position("top").xy().norm();
        trial.near("way of its mass centre", aside, 0.0, 1e-8);
        Ok(())
    });
}

/// L·r, with r from the mass centre to where the top touches.
fn jellett(trial: &Trial<'_>) -> f64 {
    let (body, motion) = (trial.body("top"), trial.motion("top"));
    let angular = motion.pose.vector_to_world(&(body.inertia * motion.angular_velocity_body));
    angular.dot(&(0.005 * motion.pose.vector_to_world(&Vec3::z()) - 0.025 * Vec3::z()))
}

#[test]
fn a_tippe_top_keeps_jelletts_integral_and_turns_over() {
    Topic::new("tippe_top", ALL).check(|trial| {
        let before = jellett(trial);
        trial.end()?;
        let after = jellett(trial);
        // The force acts at half the depth, some micrometres above the lowest point.
        trial.within("Jellett's integral", after, before, 2e-3);
        let up = axis(trial, "top").z;
        trial.holds("the axis points down", up < -0.95, up);
        Ok(())
    });
}

#[test]
fn a_tippe_top_that_rolls_does_not_turn_over() {
    Topic::new("tippe_top_upright", ALL).steps(5e-6, 1e-4).check(|trial| {
        let before = jellett(trial);
        trial.to(0.1)?;
        let rolling = trial.mechanical()?;
        trial.end()?;
        let (up, after) = (axis(trial, "top").z, jellett(trial));
        trial.within("Jellett's integral", after, before, 2e-3);
        trial.holds("the axis points up", up > 0.995, up);
        // Creep below the transition of 0.1 mm/s against μ N at most.
        let lost = rolling - trial.mechanical()?;
        trial.near("energy lost while it rolls", lost, 0.0, 0.4 * 0.02 * G * 1e-4 * 0.15);
        Ok(())
    });
}

/// Spun about its own leaning axis, a contact in a point sticks; one over an area, whose friction slip and spin share,
/// does not.
#[test]
fn a_tippe_top_whose_spin_shares_the_friction_does_not_stick_and_turns_over() {
    Topic::new("tippe_top_spun", ALL).check(|trial| {
        let before = jellett(trial);
        trial.to(0.3)?;
        let up = axis(trial, "top").z;
        trial.holds("the axis points up at first", up > 0.95, up);
        trial.end()?;
        let up = axis(trial, "top").z;
        trial.holds("the axis points down", up < -0.99, up);
        // Spin is braked by μNρ at most, and that is all that changes Jellett's integral.
        let (lost, most) = (jellett(trial) - before, 0.4 * 0.02 * G * 2e-4 * 0.025 * 2.4);
        trial.holds("loss of Jellett's integral", (0.1 * most..=most).contains(&lost), lost);
        Ok(())
    });
}

/// A disc after a time: the angle by which its axis has gone round, its lean and where its mass centre is.
fn disc(trial: &mut Trial<'_>) -> Result<(f64, f64, Vec3)> {
    trial.end()?;
    let e = axis(trial, "disc");
    Ok((e.y.atan2(e.x).rem_euclid(std::f64::consts::TAU), e.z, trial.position("disc")))
}

#[test]
fn a_disc_rolls_in_a_circle() {
    Topic::new("rolling_disc", ALL).check(|trial| {
        let start = trial.position("disc");
        let (turned, lean, x) = disc(trial)?;
        trial.near("angle gone round", turned, 3.0, 1e-2);
        trial.near("cosine of the lean", lean, 1.25f64.cos(), 5e-3);
        trial.same("mass centre", x, Vec3::new(start.x * 3f64.cos(), start.x * 3f64.sin(), start.z), 5e-3);
        Ok(())
    });
}

#[test]
fn eulers_disc_rolls_around_a_mass_centre_at_rest() {
    Topic::new("eulers_disc", ALL).check(|trial| {
        let (m, a, rim, sine) = (0.5, 0.1, 0.01, 0.3f64.sin());
        let inertia = 0.00125 - 0.0025 * rim * sine / (a + rim * sine);
        let rate = (m * G * a / (sine * inertia)).sqrt();
        let start = trial.position("disc");
        let (turned, lean, x) = disc(trial)?;
        let expected = (rate * 0.5).rem_euclid(std::f64::consts::TAU);
        trial.near("angle gone round", turned, expected, 0.05);
        trial.near("cosine of the lean", lean, 0.3f64.cos(), 2e-3);
        trial.same("mass centre", x, start, 1e-3);
        Ok(())
    });
}

#[test]
fn a_rugby_balls_axis_goes_round_its_angular_momentum() {
    Topic::new("rugby_ball", ALL).steps(1e-4, 1e-3).check(|trial| {
        let (body, motion) = (trial.body("ball"), trial.motion("ball"));
        let angular = motion.pose.vector_to_world(&(body.inertia * motion.angular_velocity_body));
        let (start, kinetic) = (axis(trial, "ball"), trial.run.energy()?.kinetic);
        trial.end()?;
        let turn = rattleback_geom::nalgebra::Rotation3::from_scaled_axis(angular * (0.8 / 3.2e-3));
        let after = axis(trial, "ball");
        // Second order steps of 1 ms turn by 0.02 rad each: 1e-4 in 17 turns.
        trial.same("axis", after, turn * start, 2e-3);
        let flight = Vec3::new(8.0 * 0.8, 0.0, 1.0 + 5.0 * 0.8 - 0.5 * G * 0.64);
        let found = trial.position("ball");
        trial.same("position", found, flight, 1e-9);
        let fallen = trial.body("ball").mass * G * (flight.z - 1.0);
        let after = trial.run.energy()?.kinetic;
        trial.within("kinetic energy", after, kinetic - fallen, 1e-5);
        Ok(())
    });
}
