//! Several bodies at once: what is kept, and what carries what.

use super::trial::{ALL, G, Topic, WITH_EDGES};
use rattleback_geom::Vec3;

#[test]
fn a_break_keeps_momentum_energy_and_symmetry() {
    let reason = "impacts at one instant are taken one after the other, on one side first";
    Topic::new("pool_break", ALL).leave_out("rolling", reason).steps(1e-5, 1e-4).check(|trial| {
        let (mass, before) = (trial.body("cue ball").mass, trial.mechanical()?);
        trial.end()?;
        let names: Vec<String> = (1..=15).map(|k| format!("ball {k}")).collect();
        let all = names.iter().map(String::as_str).chain(["cue ball"]);
        let momentum: Vec3 = all.map(|name| mass * trial.velocity(name)).sum();
        trial.same("momentum", momentum, Vec3::x() * mass * 5.0, 1e-9 * mass);
        let after = trial.mechanical()?;
        trial.within("energy", after, before, 1e-3);
        // Rows are numbered from one side to the other: 2 and 3, 4 and 6, …
        let mut askew = 0.0f64;
        for row in 1..5usize {
            let first = row * (row + 1) / 2;
            for k in 0..=row {
                let (one, other) =
                    (trial.velocity(&names[first + k]), trial.velocity(&names[first + row - k]));
                askew = askew.max((one - Vec3::new(other.x, -other.y, other.z)).norm());
            }
        }
        // Rounding, which every impact multiplies.
        trial.near("difference of mirror images", askew, 0.0, 1e-3);
        let moved = names.iter().filter(|name| trial.velocity(name).norm() > 0.1).count();
        trial.holds("balls that have been moved", moved >= 9, moved as f64);
        Ok(())
    });
}

#[test]
fn what_the_first_ball_brings_the_last_one_takes_along() {
    Topic::new("newtons_cradle", ALL).steps(2e-6, 1e-5).check(|trial| {
        trial.end()?;
        // The balls are apart while others touch: contacts of 0.9 ms and 1 mm between them.
        for k in 1..=4 {
            let v = trial.velocity(&format!("ball {k}")).x;
            trial.near(&format!("velocity of ball {k}"), v, 0.0, 2e-3);
        }
        let v = trial.velocity("ball 5").x;
        trial.near("velocity of ball 5", v, 1.0, 2e-3);
        Ok(())
    });
}

#[test]
fn every_box_of_a_stack_carries_those_above() {
    Topic::new("stack_of_boxes", "many mechanism").steps(1e-4, 2e-3).check(|trial| {
        trial.end()?;
        let mut below = "floor".to_owned();
        for k in 0..10 {
            let name = format!("box {k}");
            let push = trial.push(&below, &name)?;
            let weight = f64::from(10 - k) * G;
            trial.same(&format!("force on {name}"), push, Vec3::z() * weight, 0.04 * 10.0 * G);
            below = name;
        }
        let top = trial.position("box 9");
        trial.near("way of the highest aside", top.xy().norm(), 0.0, 1e-4);
        Ok(())
    });
}

#[test]
fn the_floor_of_a_cup_carries_all_pills() {
    let rigid = "bodies that do not yield are not compared here";
    Topic::new("pills_in_a_cup", ALL).leave_out("rolling", rigid).check(|trial| {
        trial.end()?;
        let (mut floor, mut walls) = (Vec3::zeros(), Vec3::zeros());
        for k in 0..4 {
            let name = format!("pill {k}");
            floor += trial.push("floor", &name)?;
            walls += trial.push("walls", &name)?;
        }
        let weight = 4.0 * trial.body("pill 0").mass * G;
        trial.within("force of floor and walls upwards", floor.z + walls.z, weight, 0.1);
        let across = (floor + walls).xy().norm();
        trial.near("force across", across, 0.0, 0.1 * weight);
        let highest = (0..4).map(|k| trial.position(&format!("pill {k}")).z).fold(0.0, f64::max);
        trial.holds("all lie below the height of three pills", highest < 0.024, highest);
        Ok(())
    });
}

#[test]
fn a_hopper_runs_out() {
    Topic::new("hopper", WITH_EDGES).steps(5e-5, 2e-4).check(|trial| {
        trial.end()?;
        let out = (0..6).filter(|k| trial.position(&format!("ball {k}")).z < -0.1).count();
        trial.near("balls that are out", out as f64, 6.0, 0.0);
        Ok(())
    });
}
