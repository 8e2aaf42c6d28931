//! What the equations on a plane keep, and a sphere in closed form.

use super::*;
use crate::rolling::reference::{GRAVITY, state_at, states_at, times};

/// An egg with its mass centre and its inertia askew.
fn egg(gravity: Vec3) -> Solid {
    let inertia = Mat3::new(3e-3, 2e-4, -1e-4, 2e-4, 4e-3, 3e-4, -1e-4, 3e-4, 5e-3);
    let hull = Hull::Ellipsoid(Vec3::new(0.12, 0.09, 0.07));
    Solid { hull, centre: Vec3::new(0.01, -0.005, 0.015), mass: 1.3, inertia, gravity }
}

fn ball(radius: f64, share: f64, gravity: Vec3) -> Solid {
    let hull = Hull::Ellipsoid(Vec3::repeat(radius));
    let inertia = Mat3::identity() * (share * radius * radius);
    Solid { hull, centre: Vec3::zeros(), mass: 1.0, inertia, gravity }
}

fn askew() -> UnitQuaternion<f64> {
    UnitQuaternion::from_scaled_axis(Vec3::new(0.4, -0.7, 0.3))
}

fn down() -> Vec3 {
    Vec3::new(0.0, 0.0, -GRAVITY)
}

#[test]
fn rolling_keeps_the_energy_and_the_contact_at_rest() {
    for gravity in [down(), Vec3::new(0.3, -0.2, -9.5)] {
        let mut rolling = Rolling(egg(gravity));
        let y = rolling.0.rolling(&askew(), &Vec3::new(1.0, -2.0, 3.0));
        let energy = rolling.0.energy(&y);
        for state in states_at(&mut rolling, &y, &times(20, 10.0)) {
            assert!((rolling.0.energy(&state) - energy).abs() < 1e-11 * energy.abs().max(1.0));
            let [coarse, fine] = [2e-5, 1e-5].map(|delta| contact_velocity(&mut rolling, &state, delta));
            // What differences leave falls with the square of their step.
            assert!(((fine * 4.0 - coarse) / 3.0).norm() < 1e-9);
        }
    }
}

/// The velocity of the body's point that is the contact in the state `y`, from where it is just before and just after.
fn contact_velocity(rolling: &mut Rolling, y: &[f64], delta: f64) -> Vec3 {
    let solid = rolling.0;
    let point = orientation(y).inverse_transform_vector(&(solid.contact(y) - solid.mass_centre(y)));
    let [before, after] = [-delta, delta].map(|t| {
        let state = state_at(rolling, y, t);
        solid.mass_centre(&state) + orientation(&state) * point
    });
    (after - before) / (2.0 * delta)
}

/// The mass centre's acceleration from three states of a motion.
fn acceleration(solid: &Solid, equations: &mut dyn Equations, y: &[f64]) -> Vec3 {
    let delta = 1e-4;
    let [before, after] = [-delta, delta].map(|t| solid.velocity(&state_at(equations, y, t)));
    (after - before) / (2.0 * delta)
}

#[test]
fn forces_are_those_that_move_the_mass_centre() {
    let solid = egg(Vec3::new(0.3, -0.2, -9.5));
    let y = solid.rolling(&askew(), &Vec3::new(1.0, -2.0, 3.0));
    let expected = (acceleration(&solid, &mut Rolling(solid), &y) - solid.gravity) * solid.mass;
    assert!((Rolling(solid).force(&y) - expected).norm() < 1e-4, "{expected}");
    for friction in [0.0, 0.3] {
        let y = solid.sliding(&askew(), &Vec3::new(1.0, -2.0, 3.0), [0.4, 0.7]);
        let mut sliding = Sliding(solid, friction);
        let expected = (acceleration(&solid, &mut sliding, &y) - solid.gravity) * solid.mass;
        let force = sliding.force(&y);
        assert!((force - expected).norm() < 1e-4, "{expected} {force}");
        assert!((force.xy().norm() - friction * force.z).abs() < 1e-13);
        assert!(force.xy().dot(&solid.slip(&y).xy()) <= 0.0);
    }
}

#[test]
fn sliding_without_friction_keeps_energy_velocity_and_spin_about_the_vertical() {
    let mut ice = Sliding(egg(down()), 0.0);
    let y = ice.0.sliding(&askew(), &Vec3::new(0.5, -1.0, 2.0), [0.1, 0.2]);
    let vertical = |y: &[f64]| (orientation(y) * (egg(down()).inertia * angular_velocity(y))).z;
    for state in states_at(&mut ice, &y, &times(20, 10.0)) {
        assert!((ice.0.energy(&state) - ice.0.energy(&y)).abs() < 1e-11);
        assert!((vertical(&state) - vertical(&y)).abs() < 1e-12);
        assert!((ice.0.velocity(&state) - ice.0.velocity(&y)).xy().norm() < 1e-14);
    }
}

#[test]
fn friction_takes_what_the_body_loses() {
    let sliding = Sliding(egg(down()), 0.2);
    let y = sliding.0.sliding(&askew(), &Vec3::new(0.5, -1.0, 2.0), [3.0, 1.0]);
    let lost = |state: &[f64]| sliding.0.energy(&y) - sliding.0.energy(state);
    let state = state_at(&mut sliding.clone(), &y, 0.8);
    assert!(state[11] > 0.5 && (state[11] - lost(&state)).abs() < 1e-11, "{} {}", state[11], lost(&state));
}

#[test]
fn a_ball_of_any_inertia_rolls_down_an_incline_by_the_closed_form() {
    for share in [0.0001, 0.4, 2.0 / 3.0] {
        let angle = 0.3_f64;
        let gravity = Vec3::new(angle.sin(), 0.0, -angle.cos()) * GRAVITY;
        let mut rolling = Rolling(ball(0.05, share, gravity));
        let y = rolling.0.rolling(&askew(), &Vec3::zeros());
        let state = state_at(&mut rolling, &y, 2.0);
        let pull = crate::rolling::reference::closed_forms::incline(GRAVITY, angle, share);
        assert!((state[7] - 0.5 * pull * 4.0).abs() < 1e-11 && state[8].abs() < 1e-12);
        assert!((rolling.force(&state).z - GRAVITY * angle.cos()).abs() < 1e-10);
    }
}
