//! Round bodies that roll, slide and bounce.

use super::trial::{ALL, G, Topic, WITH_EDGES};
use rattleback_dynamics::{BodyId, RunEvent};
use rattleback_geom::Vec3;

const SLOPE: f64 = 0.342_020_143_325_668_7;

/// Friction that grows with slip lets a rolling body creep by less than the transition, of some m/s, and a body that
/// sinks in by 0.2 mm has its axis nearer to the ground by half of it.
const CREEP: f64 = 5e-3;

#[test]
fn a_can_rolls_down_at_two_thirds_of_gravity_along_the_slope() {
    Topic::new("can", WITH_EDGES).check(|trial| {
        let start = trial.position("can");
        trial.end()?;
        let way = (trial.position("can") - start).dot(&Vec3::new((1.0 - SLOPE * SLOPE).sqrt(), 0.0, -SLOPE));
        trial.within("way down", way, 0.5 * (2.0 / 3.0) * G * SLOPE * 0.25, CREEP);
        let aside = trial.position("can").y;
        // Exactly touching, one end of the line may begin to press a step before the other and turn it by 0.2 mrad.
        trial.near("way aside", aside, 0.0, 1e-4);
        Ok(())
    });
}

#[test]
fn a_can_stands_and_its_floor_carries_its_weight() {
    Topic::new("can_standing", WITH_EDGES).check(|trial| {
        trial.end()?;
        let (weight, push) = (trial.body("can").mass * G, trial.push("floor", "can")?);
        trial.same("force of the floor", push, Vec3::z() * weight, 1e-2 * weight);
        let up = trial.motion("can").pose.vector_to_world(&Vec3::z()).z;
        trial.near("cosine of its lean", up, 1.0, 1e-9);
        let spin = trial.spin("can").norm();
        trial.near("angular velocity", spin, 0.0, 1e-6);
        Ok(())
    });
}

#[test]
fn a_capsule_rolls_down_as_its_inertia_says() {
    Topic::new("capsule_rolling", ALL).check(|trial| {
        let start = trial.position("capsule");
        trial.end()?;
        let body = trial.body("capsule");
        let share = body.inertia[(2, 2)] / (body.mass * 0.02 * 0.02);
        let way =
            (trial.position("capsule") - start).dot(&Vec3::new((1.0 - SLOPE * SLOPE).sqrt(), 0.0, -SLOPE));
        trial.within("way down", way, 0.5 * G * SLOPE / (1.0 + share) * 0.25, CREEP);
        Ok(())
    });
}

#[test]
fn a_ball_on_a_turntable_circles_at_two_sevenths_of_its_rate() {
    Topic::new("turntable", ALL).check(|trial| {
        trial.end()?;
        let v = trial.velocity("ball");
        trial.within("speed", v.xy().norm(), 0.5, CREEP);
        // Begins along y and turns by 20/7 rad.
        let turned = (-v.x).atan2(v.y);
        trial.within("angle turned by", turned, 20.0 / 7.0, CREEP);
        Ok(())
    });
}

#[test]
fn a_puck_stops_after_the_square_of_its_speed_over_twice_the_deceleration() {
    // The transition of 2 mm/s has no effect above some mm/s; the rest is crept.
    Topic::new("puck", WITH_EDGES).check(|trial| {
        let stop = 1.0 / (0.3 * G);
        trial.to(0.9 * stop)?;
        let v = trial.velocity("puck").x;
        trial.near("velocity at nine tenths of the time", v, 0.1, 2e-3);
        trial.end()?;
        let (x, v) = (trial.position("puck").x, trial.velocity("puck").norm());
        trial.within("way", x, 0.5 * stop, 5e-3);
        trial.near("last speed", v, 0.0, 1e-4);
        Ok(())
    });
}

#[test]
fn a_puck_ceases_to_slide_and_to_spin_at_once() {
    Topic::new("puck_spinning", WITH_EDGES).check(|trial| {
        let (mut slid, mut spun) = (0.0, 0.0);
        let puck = trial.index("puck");
        trial.watch(0.5, |state, _| {
            let motion = &state.motions[puck];
            if motion.velocity.norm() > 0.02 {
                slid = state.time;
            }
            if motion.angular_velocity_body.norm() > 0.6 {
                spun = state.time;
            }
        })?;
        trial.holds("slides longer than without spin", slid > 1.02 / (0.3 * G), slid);
        // Borne on its rim and with the inertia of a disc, spin falls faster than slip, by a logarithm.
        trial.within("end of spin", spun, slid, 0.06);
        Ok(())
    });
}

#[test]
fn a_marble_circles_in_a_paraboloid_at_one_height() {
    Topic::new("paraboloid_bowl", "rolling").check(|trial| {
        let start = trial.position("marble");
        let rate = (G * 0.8 / start.x).sqrt();
        trial.end()?;
        let x = trial.position("marble");
        trial.within("radius", x.xy().norm(), start.x, CREEP);
        trial.within("height", x.z, start.z, CREEP);
        let turned = x.y.atan2(x.x).rem_euclid(std::f64::consts::TAU);
        trial.within("angle", turned, rate * 0.5, CREEP);
        Ok(())
    });
}

#[test]
fn a_ball_with_backspin_comes_back() {
    Topic::new("backspin", ALL).check(|trial| {
        trial.end()?;
        let v = trial.velocity("ball").x;
        trial.near("velocity", v, (5.0 - 8.0) / 7.0, 3e-3);
        let spin = trial.spin("ball").y;
        trial.near("rolls: r ω", 0.05 * spin, v, 3e-3);
        Ok(())
    });
}

#[test]
fn a_rolling_ball_follows_the_one_that_it_hits() {
    Topic::new("billiard_follow", ALL).steps(2e-5, 1e-4).check(|trial| {
        trial.end()?;
        let [cue, object] = ["cue ball", "object ball"].map(|name| trial.velocity(name).x);
        trial.near("cue ball", cue, 1.4 * 2.0 / 7.0, 4e-3);
        trial.near("object ball", object, 1.4 * 5.0 / 7.0, 4e-3);
        Ok(())
    });
}

#[test]
fn a_ball_with_backspin_is_drawn_back_from_the_one_that_it_hits() {
    Topic::new("billiard_draw", ALL).steps(2e-5, 1e-4).check(|trial| {
        trial.end()?;
        let [cue, object] = ["cue ball", "object ball"].map(|name| trial.velocity(name).x);
        // On the first millimetre, 0.7 ms, friction of 0.4 takes 3 mm/s of the velocity and 7 mm/s of r ω.
        trial.near("cue ball", cue, -1.4 * 2.0 / 7.0, 5e-3);
        trial.near("object ball", object, 1.4 * 5.0 / 7.0, 5e-3);
        Ok(())
    });
}

#[test]
fn a_superball_reverses_its_slip_and_keeps_its_energy() {
    // What an impact does to slip is a key of `rolling`; the others have a law over time for it.
    let topic = Topic::new("superball", ALL);
    let reason = "slip is reversed by a coefficient of `rolling` alone";
    let others = ["explicit", "stiff", "many", "mechanism"];
    others.into_iter().fold(topic, |topic, engine| topic.leave_out(engine, reason)).check(|trial| {
        let before = trial.mechanical()?;
        trial.end()?;
        // From 1 m/s and no spin: v' = 3/7 v, r ω' = 10/7 v.
        let (v, spin) = (trial.velocity("ball").x, trial.spin("ball").y);
        trial.near("velocity", v, 3.0 / 7.0, 1e-6);
        trial.near("r ω", 0.02 * spin, 10.0 / 7.0, 1e-6);
        let after = trial.mechanical()?;
        trial.within("energy", after, before, 1e-9);
        Ok(())
    });
}

#[test]
fn a_ball_leaves_a_dome_at_two_thirds_of_the_cosine() {
    Topic::new("ball_on_ball", ALL).check(|trial| {
        let ball = BodyId(trial.index("ball"));
        let mut left = f64::NAN;
        trial.watch(0.6, |state, event| {
            if matches!(event, RunEvent::End(pair) if pair.b.body == ball) && state.time > 0.1 {
                let x = state.motions[ball.0].pose.position;
                left = x.z / x.norm();
            }
        })?;
        // The force vanishes there as 3 m g sin θ θ̇ t, and the gap opens 2 ms later by the 0.4 µm of the overlap.
        trial.near("cosine where it leaves", left, 2.0 / 3.0 * 0.2f64.cos(), 0.012);
        let other = trial.position("other ball");
        trial.near("way aside of the one on top", (other - Vec3::y()).xy().norm(), 0.0, 1e-9);
        Ok(())
    });
}

#[test]
fn an_ellipsoid_bounces_down_a_slope_without_loss() {
    Topic::new("bouncing_ellipsoid", ALL).steps(1e-5, 5e-5).check(|trial| {
        let normal = Vec3::new(SLOPE, 0.0, (1.0 - SLOPE * SLOPE).sqrt());
        let about = |trial: &super::trial::Trial<'_>| {
            let (body, motion) = (trial.body("ellipsoid"), trial.motion("ellipsoid"));
            let angular = motion.pose.vector_to_world(&(body.inertia * motion.angular_velocity_body));
            angular.dot(&normal)
        };
        let (before, turning) = (trial.mechanical()?, about(trial));
        trial.end()?;
        let (after, kinetic) = (trial.mechanical()?, trial.run.energy()?.kinetic);
        trial.near("energy", after, before, 2e-3 * kinetic);
        let along = trial.velocity("ellipsoid").dot(&Vec3::new(normal.z, 0.0, -normal.x));
        trial.near("velocity along the slope", along, G * SLOPE, 1e-6);
        let after = about(trial);
        trial.within("angular momentum about the normal", after, turning, 1e-6);
        Ok(())
    });
}

#[test]
fn a_grain_of_a_micrometre_rises_to_a_quarter() {
    Topic::new("grain", ALL).steps(1e-7, 1e-6).check(|trial| rises_to_a_quarter(trial, 1e-6, 5e-6));
}

#[test]
fn a_boulder_of_a_hundred_metres_rises_to_a_quarter() {
    Topic::new("boulder", ALL).steps(1e-3, 5e-3).check(|trial| rises_to_a_quarter(trial, 100.0, 50.0));
}

fn rises_to_a_quarter(
    trial: &mut super::trial::Trial<'_>,
    radius: f64,
    height: f64,
) -> rattleback_dynamics::Result<()> {
    let fall = (2.0 * height / G).sqrt();
    trial.to(1.4 * fall)?;
    let motion = trial.motion("ball");
    let top = motion.pose.position.z - radius + motion.velocity.z.powi(2) / (2.0 * G);
    // Gravity acts while they touch: an overlap of 2 % of the height makes 2 % of the energy.
    trial.within("height over that fallen from", top / height, 0.25, 0.05);
    Ok(())
}

#[test]
fn a_marble_rolls_through_a_dish_at_five_sevenths_of_gravity() {
    Topic::new("dish", "rolling").check(|trial| {
        let omega = (5.0 / 7.0 * G / (0.2 - 0.01)).sqrt();
        let half = std::f64::consts::PI / omega;
        trial.to(half)?;
        let motion = trial.motion("marble");
        // It swings by 3 mm, whose square over that of the radius changes the period by 1e-4.
        trial.near("back in the middle after half a period, in mm", motion.pose.position.x * 1e3, 0.0, 2e-2);
        trial.near("velocity there", motion.velocity.x, -0.02, 1e-5);
        Ok(())
    });
}

#[test]
fn a_carpet_slows_a_ball_down() {
    Topic::new("rolling_resistance", ALL).check(|trial| {
        trial.end()?;
        let v = trial.velocity("ball").x;
        trial.near("velocity", v, 1.0 - 5.0 / 7.0 * G * 0.1 * 0.5, 5e-3);
        Ok(())
    });
}
