//! Linkages, gears and pendulums.

use super::trial::{G, JOINTED, Topic};
use rattleback_geom::Vec3;

#[test]
fn a_double_pendulum_swings_in_its_slow_mode() {
    Topic::new("double_pendulum", JOINTED).check(|trial| {
        let omega = (G / 0.5 * (2.0 - 2f64.sqrt())).sqrt();
        trial.end()?;
        let [upper, lower] = ["upper", "lower"].map(|name| trial.position(name).x);
        // Steps of 2 ms are late by 1e-5 of the 6.8 rad; the mode is that of small swings to 1e-6.
        trial.near("upper mass in mm", upper * 1e3, 0.5 * (omega * 2.0).cos(), 1e-3);
        trial.near("lower mass in mm", lower * 1e3, 0.5 * (1.0 + 2f64.sqrt()) * (omega * 2.0).cos(), 2e-3);
        Ok(())
    });
}

#[test]
fn a_slider_is_where_the_crank_puts_it() {
    Topic::new("slider_crank", JOINTED).check(|trial| {
        trial.end()?;
        let (sine, cosine) = 5f64.sin_cos();
        let x = trial.position("slider").x;
        trial.near("slider", x, 0.05 * cosine + (0.15f64.powi(2) - (0.05 * sine).powi(2)).sqrt(), 1e-9);
        let v = trial.velocity("slider").x;
        let slope = -0.05 * sine - 0.05f64.powi(2) * sine * cosine / (x - 0.05 * cosine);
        trial.near("its velocity", v, 10.0 * slope, 1e-6);
        Ok(())
    });
}

#[test]
fn the_rocker_of_a_four_bar_is_where_two_circles_meet() {
    Topic::new("four_bar", JOINTED).check(|trial| {
        trial.end()?;
        let (sine, cosine) = (std::f64::consts::FRAC_PI_2 + 4.0).sin_cos();
        let pin = Vec3::new(0.1 * cosine, 0.1 * sine, 0.0);
        let apart = pin - Vec3::new(0.3, 0.0, 0.0);
        let angle = apart.y.atan2(apart.x) - (0.5 * apart.norm() / 0.25).acos();
        let end = Vec3::new(0.3 + 0.25 * angle.cos(), 0.25 * angle.sin(), 0.0);
        let found = trial.position("rocker");
        // The places in the file are rounded to 1e-12.
        trial.same("end of the rocker", found, end, 1e-9);
        Ok(())
    });
}

#[test]
fn the_plane_of_a_pendulum_does_not_turn_with_its_platform() {
    Topic::new("foucault", JOINTED).check(|trial| {
        let mut aside = 0.0f64;
        let bob = trial.index("bob");
        trial.watch(2.2, |state, _| aside = aside.max(state.motions[bob].pose.position.y.abs()))?;
        trial.near("farthest aside", aside, 0.0, 1e-9);
        // A swing of 0.2 rad takes 2π √(l/g) (1 + φ²/16), at rest at its end.
        trial.to(2.2)?;
        let period = std::f64::consts::TAU / G.sqrt() * (1.0 + 0.04 / 16.0);
        let x = trial.position("bob").x;
        trial.near("place", x, 0.2f64.sin() * (std::f64::consts::TAU * 2.2 / period).cos(), 1e-3);
        Ok(())
    });
}

#[test]
fn a_gyroscope_precesses_about_its_stand() {
    Topic::new("gyroscope", JOINTED).check(|trial| {
        let (i1, spin, moment, cosine) = (2.3e-3, 1e-3 * 150.0, 0.5 * G * 0.06, 0.5f64.cos());
        let slow = (spin - (spin * spin - 4.0 * i1 * cosine * moment).sqrt()) / (2.0 * i1 * cosine);
        trial.end()?;
        let x = trial.position("rotor");
        // Steps of 0.5 ms turn the rotor by 0.075 rad each.
        trial.near("angle of precession", x.y.atan2(x.x), slow * 0.6, 5e-3);
        trial.near("height", x.z, 0.06 * cosine, 2e-4);
        Ok(())
    });
}

#[test]
fn a_gear_adds_the_inertia_of_the_other_wheel_by_the_square_of_the_ratio() {
    Topic::new("gear_pair", JOINTED).check(|trial| {
        trial.end()?;
        let rate = 0.1 / (1e-3 + 8e-3 / 4.0) * 0.5;
        let [small, large] = ["small", "large"].map(|name| trial.spin(name).z);
        // Steps of 1 ms turn the wheels by up to 0.017 rad, and natural coordinates by (ω h)²/12 less.
        trial.within("small wheel", small, rate, 5e-5);
        trial.within("large wheel", large, -0.5 * rate, 5e-5);
        Ok(())
    });
}

#[test]
fn a_screw_lifts_what_its_torque_can() {
    Topic::new("screw_press", JOINTED).check(|trial| {
        trial.end()?;
        let lead = 0.02 / std::f64::consts::TAU;
        let rate = (0.2 - 2.0 * G * lead) / (1e-3 + 2.0 * lead * lead) * 0.5;
        let (w, z) = (trial.spin("screw").z, trial.position("screw").z);
        // Steps of 1 ms turn the screw by up to 0.067 rad, and natural coordinates by (ω h)²/12 less, twice.
        trial.within("angular velocity", w, rate, 1e-3);
        trial.within("height", z, 0.5 * rate * 0.5 * lead, 1e-3);
        Ok(())
    });
}

#[test]
fn a_universal_joint_turns_unevenly() {
    Topic::new("universal_joint", JOINTED).check(|trial| {
        trial.end()?;
        // The fork of the driver is along (cos φ, sin φ, 0), that of the other shaft along -sin ψ x + cos ψ (0, cos β,
        // sin β); they are orthogonal: tan ψ = tan φ cos β.
        let (cosine, tangent) = (30f64.to_radians().cos(), 5f64.tan());
        let rate = 10.0 * cosine * (1.0 + tangent * tangent) / (1.0 + (cosine * tangent).powi(2));
        let found = trial.spin("driven").norm();
        trial.within("rate of the driven shaft", found, rate, 1e-4);
        Ok(())
    });
}

#[test]
fn a_bead_leaves_a_turning_rod_as_the_hyperbolic_cosine() {
    Topic::new("bead_on_rod", JOINTED).check(|trial| {
        trial.end()?;
        let out = trial.position("bead").norm();
        // Steps of 1 ms are wrong by (Ω h)²/12 of Ω t.
        trial.within("distance", out, 0.1 * 2.4f64.cosh(), 1e-4);
        Ok(())
    });
}
