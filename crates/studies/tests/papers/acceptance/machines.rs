//! Bodies with joints.

use super::trial::{G, JOINTED, Topic};
use rattleback_geom::Vec3;

#[test]
fn a_flat_follower_is_as_high_as_the_cams_support_function() {
    Topic::new("cam", JOINTED).check(|trial| {
        let mut worst = 0.0f64;
        for k in 1..=8 {
            trial.to(0.1 * f64::from(k))?;
            let angle = 0.3 + 2.0 * 0.1 * f64::from(k);
            let height = 0.01 + 0.01 * angle.cos().abs() + 0.02 * angle.sin().abs();
            let off = trial.position("follower").z - height;
            worst = if off.abs() > worst.abs() { off } else { worst };
        }
        // It sinks in by (F/K)^(2/3), F = 40 N at most.
        trial.near("farthest from the support function", worst, -1.5e-4, 1.5e-4);
        Ok(())
    });
}

#[test]
fn a_crank_comes_back_from_its_stop_as_fast_as_it_came() {
    Topic::new("crank_with_stop", JOINTED).check(|trial| {
        let root = (1e-2f64 / 100.0).sqrt();
        let into = std::f64::consts::FRAC_PI_2 * root;
        trial.to(0.2 + into)?;
        let turn = trial.run.joint_readings()?[0].turn.map_or(f64::NAN, |turn| turn.value);
        trial.near("deepest turn", turn, 1.0 + 5.0 * root, 1e-4);
        trial.end()?;
        let back = trial.spin("crank").z;
        // Steps of 0.1 ms begin and end the stop a hundredth of its time late: second order there.
        trial.near("rate back", back, -5.0, 5e-3);
        let turn = trial.run.joint_readings()?[0].turn.map_or(f64::NAN, |turn| turn.value);
        trial.near("turn at the end", turn, 1.0 - 5.0 * (0.4 - 0.2 - 2.0 * into), 5e-3);
        Ok(())
    });
}

/// The complete elliptic integral K(k) by the arithmetic-geometric mean.
pub(super) fn complete_elliptic(k: f64) -> f64 {
    let (mut a, mut b) = (1.0, (1.0 - k * k).sqrt());
    for _ in 0..8 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    std::f64::consts::FRAC_PI_2 / a
}

#[test]
fn a_brick_of_triangles_swings_at_the_period_of_the_elliptic_integral() {
    Topic::new("mesh_pendulum", JOINTED).check(|trial| {
        let (m, l) = (2000.0 * 0.1 * 0.05 * 0.3, 0.5);
        // About y through the middle: (0.1² + 0.3²)/12.
        let inertia = m * (0.01 + 0.09) / 12.0 + m * l * l;
        let mass = trial.body("brick").mass;
        trial.within("mass", mass, m, 1e-12);
        let quarter = (inertia / (m * G * l)).sqrt() * complete_elliptic(0.5f64.sqrt());
        trial.to(quarter)?;
        let x = trial.position("brick").x;
        trial.near("lowest after a quarter: x", x, 0.0, 1e-4);
        trial.to(4.0 * quarter)?;
        let x = trial.position("brick");
        // Steps of 1 ms are wrong by 1e-6 of the period, and it is at rest there.
        trial.same("back after a period", x, Vec3::new(-0.5, 0.0, 0.0), 1e-4);
        Ok(())
    });
}

#[test]
fn a_chain_over_a_drum_holds_a_ratio_of_two_and_a_third() {
    Topic::new("chain_over_drum_holds", JOINTED).check(|trial| {
        let start = trial.position("heavy").z;
        trial.end()?;
        let (sunk, v) = (start - trial.position("heavy").z, trial.velocity("heavy").norm());
        // It creeps below the transition of 0.5 mm/s, and settles into the contacts at first.
        trial.near("way of the heavy weight", sunk, 0.0, 5e-4);
        trial.near("speed", v, 0.0, 2e-3);
        Ok(())
    });
}

#[test]
fn a_chain_over_a_drum_slips_as_eulers_formula_says() {
    Topic::new("chain_over_drum_slips", JOINTED).check(|trial| {
        let bend = 0.3 * 11.25f64.to_radians().tan();
        let ratio = ((1.0 + bend) / (1.0 - bend)).powi(8);
        // From where the beads have settled in, and before they have moved on by a tenth of their distance.
        trial.to(0.02)?;
        let first = -trial.velocity("heavy").z;
        trial.to(0.08)?;
        let last = -trial.velocity("heavy").z;
        // The beads weigh 9 g in all, and those that move on bend the chain a little less.
        trial.within("acceleration", (last - first) / 0.06, G * (3.2 - ratio) / (3.2 + ratio), 0.1);
        Ok(())
    });
}

#[test]
fn a_rotor_in_gimbals_keeps_its_axis() {
    Topic::new("gimbals", JOINTED).check(|trial| {
        trial.end()?;
        let axis = trial.motion("rotor").pose.vector_to_world(&Vec3::y());
        // The rings of 1e-5 kg m² turn at some rad/s, the rotor has 0.15 kg m²/s.
        trial.same("axis", axis, Vec3::y(), 1e-3);
        let frame = trial.motion("frame").pose.orientation.angle();
        trial.near("the frame has turned by", frame, 0.8, 1e-9);
        Ok(())
    });
}

#[test]
fn a_cart_has_the_mass_of_its_rolling_wheels_twice() {
    Topic::new("cart", JOINTED).check(|trial| {
        trial.end()?;
        let mass = 2.0 + 4.0 * 0.2 + 4.0 * 4e-4 / (0.05 * 0.05);
        let (x, v) = (trial.position("cart"), trial.velocity("cart").x);
        trial.within("speed", v, 5.0 / mass * 0.5, 5e-3);
        trial.within("way", x.x, 0.5 * 5.0 / mass * 0.25, 5e-3);
        trial.near("way aside", x.y, 0.0, 1e-6);
        Ok(())
    });
}
