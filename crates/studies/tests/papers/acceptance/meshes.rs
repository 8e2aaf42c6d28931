//! Hulls, and profiles and grounds that are meshes.

use super::trial::{G, JOINTED, Topic};
use rattleback_geom::Vec3;

const REGIONS: &str = "many mechanism";

#[test]
fn dice_of_hulls_lie_on_their_faces_and_fall_from_their_corners() {
    Topic::new("hull_dice", REGIONS).steps(2e-5, 1e-4).check(|trial| {
        let r = 0.02_f64;
        // Edges of √(8/3) r and √2 r: volumes of a³/(6√2) and a³√2/3.
        let volumes = [("die of four", 8.0 / 27.0 * 3f64.sqrt()), ("die of eight", 4.0 / 3.0)];
        for (name, share) in volumes {
            let mass = trial.body(name).mass;
            trial.within(&format!("mass of the {name}"), mass, 1200.0 * share * r.powi(3), 1e-12);
        }
        let before = volumes.map(|(name, _)| trial.motion(name).pose);
        trial.end()?;
        for ((name, _), start) in volumes.iter().zip(before) {
            let (weight, push) = (trial.body(name).mass * G, trial.push("floor", name)?);
            trial.same(&format!("force on the {name}"), push, Vec3::z() * weight, 0.02 * weight);
            let turned = trial.motion(name).pose.orientation.angle_to(&start.orientation);
            trial.near(&format!("turn of the {name}"), turned, 0.0, 1e-4);
            let aside = (trial.position(name) - start.position).xy().norm();
            trial.near(&format!("way of the {name} aside"), aside, 0.0, 1e-5);
        }
        let height = trial.position("falling die").z;
        // Below the height on an edge it can but lie on a face in the end, or rock towards it.
        let has_fallen = height < r / 2f64.sqrt() && height > r / 3f64.sqrt() - 2e-4;
        trial.holds("the third die has fallen over an edge", has_fallen, height);
        Ok(())
    });
}

#[test]
fn a_marble_feels_no_borders_of_triangles() {
    Topic::new("marble_on_height_field", REGIONS).steps(2e-5, 1e-4).check(|trial| {
        let marble = trial.index("marble");
        let (start, v) = (trial.position("marble"), trial.velocity("marble"));
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        trial.watch(0.4, |state, _| {
            let z = state.motions[marble].pose.position.z;
            (low, high) = (low.min(z), high.max(z));
        })?;
        // A share of the depth of 4.7 µm.
        trial.near("heights from the lowest to the highest", high - low, 0.0, 5e-8);
        let end = trial.position("marble");
        trial.same("way", end - start, v * 0.4, 1e-4);
        let last = trial.velocity("marble");
        trial.within("speed", last.norm(), v.norm(), 1e-4);
        Ok(())
    });
}

#[test]
fn the_plates_of_a_gutter_bear_a_ball_at_their_slope() {
    Topic::new("ball_in_a_gutter", REGIONS).steps(2e-5, 2e-4).check(|trial| {
        trial.end()?;
        let (weight, push) = (trial.body("ball").mass * G, trial.push("gutter", "ball")?);
        trial.same("force of both plates", push, Vec3::z() * weight, 0.01 * weight);
        let depth = (weight / 2f64.sqrt() / 1e7).powf(2.0 / 3.0);
        let height = trial.position("ball").z;
        trial.near("height of its middle", height, 2f64.sqrt() * (0.02 - depth), 0.02 * depth);
        Ok(())
    });
}

#[test]
fn a_follower_is_as_high_as_the_highest_corner_of_its_cam() {
    const CORNERS: [[f64; 2]; 6] =
        [[-15e-3, -10e-3], [20e-3, -12e-3], [30e-3, 5e-3], [8e-3, 6e-3], [5e-3, 25e-3], [-12e-3, 22e-3]];
    Topic::new("cam_extruded", JOINTED).check(|trial| {
        for k in 1..=12 {
            let time = 0.05 * f64::from(k);
            trial.to(time)?;
            let (sin, cos) = (3.0 * time).sin_cos();
            let at = |k: usize| {
                let [x, y] = CORNERS[k % 6];
                [x * cos - y * sin, x * sin + y * cos]
            };
            let corner = (0..6).max_by(|&i, &j| at(i)[1].total_cmp(&at(j)[1])).unwrap();
            let highest = at(corner)[1];
            let height = trial.position("follower").z;
            // What of the edge has sunk in is a triangle whose sides go aside by r per depth. As spread as it is a slab of
            // s = c δ, c² = (r₂ − r₁)²/(2(r₁² + r₂² − r₁r₂)), and F = K sⁿ ds/dδ.
            let [r, q] = [corner + 5, corner + 1].map(|k| {
                let [across, up] = at(k);
                (across - at(corner)[0]) / (highest - up)
            });
            let share = ((q - r) * (q - r) / (2.0 * (r * r + q * q - r * q))).sqrt();
            // The spring is stretched by 25 mm at z = 0.
            let force = 500.0 * (0.025 + height) + 0.2 * G;
            let depth = (force / (1e7 * share.powf(2.5))).powf(2.0 / 3.0);
            trial.near(&format!("height at {time:.2} s"), height, highest - depth, 2e-5);
        }
        Ok(())
    });
}

#[test]
fn tubes_and_cones_swing_with_the_inertia_of_round_bodies() {
    Topic::new("tube_pendulum", JOINTED).check(|trial| {
        // About a line across the axis through the mass centre, per mass.
        let tube = (0.05_f64.powi(2) + 0.04_f64.powi(2)) / 4.0 + 0.2_f64.powi(2) / 12.0;
        let cone = 3.0 / 20.0 * 0.06_f64.powi(2) + 3.0 / 80.0 * 0.08_f64.powi(2);
        for (name, inertia) in [("tube", tube), ("cone", cone)] {
            let body = trial.body(name);
            trial.within(&format!("inertia of the {name}"), body.inertia[(1, 1)], body.mass * inertia, 1e-12);
        }
        trial.end()?;
        for (name, inertia) in [("tube", tube), ("cone", cone)] {
            let rate = (G * 0.3 / (inertia + 0.09)).sqrt();
            let angle = trial.position(name).x / 0.3;
            trial.near(&format!("angle of the {name}"), angle, 1e-3 * rate.cos(), 2e-8);
        }
        Ok(())
    });
}

#[test]
fn a_cup_bears_its_marbles_in_the_mean_and_keeps_them() {
    Topic::new("marbles_in_a_cup", REGIONS).steps(4e-5, 2e-4).check(|trial| {
        let (mut push, mut farthest) = (Vec3::zeros(), 0.0_f64);
        trial.to(0.15)?;
        let before: Vec3 = (0..4).map(|k| trial.velocity(&format!("marble {k}"))).sum();
        for step in 1..=200 {
            trial.to(0.15 + 5e-4 * f64::from(step))?;
            for k in 0..4 {
                let name = format!("marble {k}");
                push += trial.push("cup", &name)? / 200.0;
                farthest = farthest.max(trial.position(&name).xy().norm());
            }
        }
        let after: Vec3 = (0..4).map(|k| trial.velocity(&format!("marble {k}"))).sum();
        let mass = trial.body("marble 0").mass;
        let expected = Vec3::z() * (4.0 * mass * G) + (after - before) * (mass / 0.1);
        trial.same("mean force of the cup", push, expected, 0.1 * 4.0 * mass * G);
        trial.holds("all are a radius off the wall", farthest < 17.1e-3, farthest);
        Ok(())
    });
}

#[test]
fn prisms_of_triangles_come_back_with_the_restitution_that_is_asked_for() {
    Topic::new("mesh_rebound", REGIONS).check(|trial| {
        let before = trial.run.energy()?;
        trial.end()?;
        for (name, restitution) in [("lead", 0.3), ("wood", 0.6), ("rubber", 0.9)] {
            for (wall, sign) in [("below", 1.0), ("above", -1.0)] {
                let name = format!("{name} {wall}");
                let v = trial.velocity(&name).z * sign;
                trial.within(&format!("speed of {name}"), v, restitution, 5e-3);
                let spin = trial.spin(&name).norm();
                trial.near(&format!("angular velocity of {name}"), spin, 0.0, 1e-9);
            }
        }
        let after = trial.run.energy()?;
        trial.near("sum of all energies", after.total(), before.total(), 1e-2 * before.kinetic);
        Ok(())
    });
}
