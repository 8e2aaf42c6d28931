//! Boxes that slide, stay and tip over.

use super::trial::{G, Topic, Trial, WITH_EDGES};
use rattleback_geom::Vec3;

const SLOPE: f64 = 0.342_020_143_325_668_7;

/// The cosine of the angle by which a body has turned away from where it began.
fn turned(trial: &Trial<'_>, name: &str, upright: Vec3) -> f64 {
    trial.motion(name).pose.vector_to_world(&Vec3::z()).dot(&upright)
}

#[test]
fn a_block_stays_below_the_angle_of_friction_and_slides_above() {
    Topic::new("blocks_on_slope", WITH_EDGES).check(|trial| {
        let cosine = (1.0 - SLOPE * SLOPE).sqrt();
        let down = Vec3::new(cosine, 0.0, -SLOPE);
        trial.end()?;
        let [rough, smooth] = ["rough block", "smooth block"].map(|name| trial.velocity(name).dot(&down));
        // Friction of 0.73 of the most is that of a creep of 0.93 transitions of 0.5 mm/s.
        trial.near("speed of the rough block", rough, 0.0, 1e-3);
        trial.within("speed of the smooth block", smooth, G * (SLOPE - 0.2 * cosine) * 0.5, 5e-3);
        Ok(())
    });
}

#[test]
fn a_box_tips_over_where_its_middle_is_beyond_its_edge() {
    Topic::new("boxes_tipping", WITH_EDGES).check(|trial| {
        let upright = Vec3::new(SLOPE, 0.0, (1.0 - SLOPE * SLOPE).sqrt());
        trial.end()?;
        let (wide, narrow) = (turned(trial, "wide", upright), turned(trial, "narrow", upright));
        trial.near("cosine of the turn of the wide one", wide, 1.0, 1e-5);
        // ½ I α²: from rest α = (g h sin 20° − g b cos 20°)/2 over (b² + h²)/3 grows by itself.
        trial.holds("the narrow one has turned by more than 10°", narrow < 0.985, narrow);
        Ok(())
    });
}

#[test]
fn a_box_pushed_above_its_middle_tips_over() {
    Topic::new("boxes_pushed", WITH_EDGES).check(|trial| {
        trial.end()?;
        let mass = trial.body("at the middle").mass;
        for name in ["at the middle", "at the top"] {
            let v = trial.velocity(name).x;
            trial.within(&format!("speed of the one pushed {name}"), v, 8.0 / mass * 0.3, 1e-6);
        }
        let (slid, tipped) =
            (turned(trial, "at the middle", Vec3::z()), turned(trial, "at the top", Vec3::z()));
        trial.near("cosine of the turn of the one at the middle", slid, 1.0, 1e-6);
        trial.holds("the one pushed at the top turns over", tipped < 0.98, tipped);
        Ok(())
    });
}

#[test]
fn a_parcel_slips_until_it_has_the_speed_of_its_belt() {
    Topic::new("conveyor", WITH_EDGES).check(|trial| {
        let slip = 1.0 / (0.4 * G);
        trial.to(0.5 * slip)?;
        let v = trial.velocity("parcel").x;
        trial.near("speed at half of the time", v, 0.5, 2e-3);
        trial.end()?;
        let (x, v) = (trial.position("parcel").x, trial.velocity("parcel").x);
        trial.near("last speed", v, 1.0, 1e-3);
        trial.near("way behind the belt", 0.5 - x, 0.5 * slip, 1e-3);
        Ok(())
    });
}

#[test]
fn a_shaken_table_takes_along_what_friction_can_accelerate() {
    Topic::new("shaken_table", WITH_EDGES).check(|trial| {
        let (mut apart, mut hardest) = (0.0f64, 0.0f64);
        let [rough, smooth] = ["rough block", "smooth block"].map(|name| trial.index(name));
        let table = trial.index("table");
        let start = trial.position("rough block").x - trial.position("table").x;
        let (mut before, mut time) = (trial.velocity("smooth block").x, 0.0);
        trial.watch(0.5, |state, _| {
            let x = |k: usize| state.motions[k].pose.position.x;
            apart = apart.max((x(rough) - x(table) - start).abs());
            if state.time > time + 1e-3 {
                let v = state.motions[smooth].velocity.x;
                hardest = hardest.max((v - before).abs() / (state.time - time));
                (before, time) = (v, state.time);
            }
        })?;
        // Creep of some transitions of 1 mm/s, to and fro.
        trial.near("way of the rough block on the table", apart, 0.0, 5e-4);
        trial.holds("the smooth one is accelerated by no more than μ g", hardest < 0.1 * G * 1.05, hardest);
        Ok(())
    });
}

#[test]
fn a_plate_rests_on_three_balls_by_the_law_of_the_lever() {
    Topic::new("plate_on_balls", WITH_EDGES).check(|trial| {
        trial.end()?;
        for (k, share) in [(1, 0.25), (2, 0.25), (3, 0.5)] {
            let name = format!("ball {k}");
            let push = trial.push(&name, "plate")?;
            trial.within(&format!("force of {name}"), push.z, share * 1.2 * G, 0.02);
        }
        let spin = trial.spin("plate").norm();
        trial.near("angular velocity", spin, 0.0, 1e-2);
        Ok(())
    });
}

#[test]
fn dominoes_fall_in_their_order_and_the_table_bears_them_all() {
    Topic::new("dominoes", "many mechanism").steps(2e-5, 2.5e-4).check(|trial| {
        let names = [1, 2, 3, 4].map(|k| format!("domino {k}"));
        let places = names.each_ref().map(|name| trial.index(name));
        // When each leans by 10°: beyond the 9.5° at which its mass centre stands above its edge.
        let mut fallen = [f64::INFINITY; 4];
        trial.watch(0.7, |state, _| {
            for (when, place) in fallen.iter_mut().zip(places) {
                let up = state.motions[place].pose.vector_to_world(&Vec3::z()).z;
                if up < 10f64.to_radians().cos() {
                    *when = when.min(state.time);
                }
            }
        })?;
        let in_order = fallen.windows(2).all(|two| two[0] < two[1]) && fallen[3] < 0.5;
        trial.holds("they fall in their order, the last at", in_order, fallen[3]);
        let (mut weight, mut push) = (0.0, Vec3::zeros());
        for (k, name) in names.iter().enumerate() {
            weight += trial.body(name).mass * G;
            push += trial.push("table", name)?;
            let lean = trial.motion(name).pose.vector_to_world(&Vec3::z()).x.asin().to_degrees();
            let fine = if k < 3 { (60.0..80.0).contains(&lean) } else { lean > 89.0 };
            trial.holds(&format!("lean of {name} in degrees"), fine, lean);
        }
        trial.same("force of the table", push, Vec3::z() * weight, 0.02 * weight);
        let height = trial.position("domino 4").z;
        trial.near("height of the one that lies", height, 4e-3, 5e-5);
        Ok(())
    });
}
