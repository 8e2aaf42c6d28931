//! Impacts and swings of free bodies.

use super::trial::{ALL, G, JOINTED, Topic, Trial, WITH_EDGES};
use rattleback_geom::Vec3;

#[test]
fn a_rod_that_hits_with_its_end_gets_the_impulse_of_its_lever() {
    let rigid = "bodies that do not yield are not compared here";
    Topic::new("falling_rod", ALL).leave_out("rolling", rigid).steps(1e-6, 5e-6).check(|trial| {
        trial.end()?;
        let (inertia, lever) = (1.4e-2, 0.2 * 0.5f64.sqrt());
        let impulse = 1.6 * 2.0 / (1.0 + lever * lever / inertia);
        let (v, w) = (trial.velocity("rod").z, trial.spin("rod").y);
        // It turns by some mrad while it touches, for some tenths of a millisecond.
        trial.near("velocity", v, impulse - 2.0, 1e-2);
        trial.within("angular velocity", w.abs(), impulse * lever / inertia, 1e-2);
        Ok(())
    });
}

#[test]
fn an_oblique_impact_acts_along_the_line_of_centres() {
    Topic::new("oblique_impact", ALL).steps(1e-6, 5e-6).check(|trial| {
        trial.end()?;
        // From the light to the heavy ball where they touch: 5 cm aside of 10 cm.
        let line = Vec3::new(0.75f64.sqrt(), -0.5, 0.0);
        let impulse = 1.7 * (2.0 * line.x) / (1.0 + 1.0 / 3.0);
        let (light, heavy) = (trial.velocity("light"), trial.velocity("heavy"));
        trial.same("light ball", light, Vec3::x() * 2.0 - line * impulse, 5e-3);
        trial.same("heavy ball", heavy, line * (impulse / 3.0), 5e-3);
        Ok(())
    });
}

#[test]
fn a_pendulum_rises_from_a_wall_to_the_square_of_the_restitution() {
    Topic::new("pendulum_and_wall", JOINTED).check(|trial| {
        let mut highest = f64::NEG_INFINITY;
        let ball = trial.index("ball");
        trial.to(0.5)?;
        trial.watch(0.8, |state, _| highest = highest.max(state.motions[ball].pose.position.z))?;
        // Only the ball's own turning, a thousandth of its energy, is not seen by the law.
        trial.within("height over the lowest point", highest + 0.5, 0.64 * 0.25, 0.02);
        Ok(())
    });
}

#[test]
fn a_tossed_coin_keeps_its_angular_momentum_until_it_lands() {
    Topic::new("coin_toss", WITH_EDGES).steps(1e-5, 1e-4).check(|trial| {
        let body = trial.body("coin");
        // In g mm²/s.
        let angular = |trial: &Trial<'_>| {
            let motion = trial.motion("coin");
            motion.pose.vector_to_world(&(body.inertia * motion.angular_velocity_body)) * 1e9
        };
        let (before, energy) = (angular(trial), trial.mechanical()?);
        trial.to(0.15)?;
        let after = angular(trial);
        trial.same("angular momentum in flight", after, before, 1e-4 * before.norm());
        let flying = trial.mechanical()?;
        trial.within("energy in flight", flying, energy, 1e-4);
        trial.end()?;
        let (height, landed) = (trial.position("coin").z * 1e3, trial.mechanical()?);
        trial.holds("lies, leans or stands: its height in mm", (0.99..12.1).contains(&height), height);
        trial.holds("has lost more than half of its energy", landed < 0.5 * energy, landed / energy);
        Ok(())
    });
}

#[test]
fn two_balls_on_a_spring_swing_at_their_reduced_mass() {
    Topic::new("spring_pair", ALL).steps(1e-4, 1e-3).check(|trial| {
        let omega = (300.0f64 * (1.0 + 1.0 / 3.0)).sqrt();
        trial.end()?;
        let [light, heavy] = ["light", "heavy"].map(|name| trial.position(name).x);
        // Steps of 1 ms of second order are late by (ω h)²/24 of ω t.
        trial.near("distance", heavy - light, 0.2 + 0.02 * omega.cos(), 1e-4);
        trial.near("mass centre", (light + 3.0 * heavy) / 4.0, (-0.11 + 3.0 * 0.11) / 4.0, 1e-10);
        Ok(())
    });
}

#[test]
fn a_rope_stretches_until_the_jump_is_taken_up() {
    Topic::new("bungee", ALL).steps(1e-4, 1e-3).check(|trial| {
        let mut lowest = 0.0f64;
        let jumper = trial.index("jumper");
        for k in 1..=140u8 {
            trial.to(0.01 * f64::from(k))?;
            lowest = lowest.min(trial.run.state().motions[jumper].pose.position.z);
        }
        // k x² / 2 = m g (L + x)
        let weight = 5.0 * G;
        let stretch = (weight + (weight * weight + 2.0 * 200.0 * weight * 2.0).sqrt()) / 200.0;
        // Seen every 10 ms, at a curvature of 25 m/s² there.
        trial.near("lowest point", lowest, -2.0 - stretch, 1e-3);
        Ok(())
    });
}

#[test]
fn a_racket_turns_over_at_the_period_of_its_elliptic_functions() {
    Topic::new("tennis_racket", ALL).steps(1e-4, 1e-3).check(|trial| {
        let (i, start) = ([1e-3, 2e-3, 3e-3], Vec3::new(1.5, 0.0, 9.0));
        let energy: f64 = (0..3).map(|k| i[k] * start[k] * start[k]).sum();
        let momentum: f64 = (0..3).map(|k| (i[k] * start[k]).powi(2)).sum();
        // L² > 2E I₂: the angular velocity turns about the axis of I₃ as (cn, sn, dn) of p t.
        let p = ((i[2] - i[1]) * (momentum - energy * i[0]) / (i[0] * i[1] * i[2])).sqrt();
        let k = ((i[1] - i[0]) * (energy * i[2] - momentum) / ((i[2] - i[1]) * (momentum - energy * i[0])))
            .sqrt();
        let period = 4.0 * super::machines::complete_elliptic(k) / p;
        trial.to(period)?;
        let found = trial.motion("racket").angular_velocity_body;
        trial.same("angular velocity after a period", found, start, 1e-2);
        trial.to(0.5 * period + period)?;
        let found = trial.motion("racket").angular_velocity_body;
        trial.same("after one and a half", found, Vec3::new(-1.5, 0.0, 9.0), 1e-2);
        Ok(())
    });
}
