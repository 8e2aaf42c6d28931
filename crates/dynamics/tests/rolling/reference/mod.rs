//! Reference motions: what a contact in reduced coordinates is compared to, in coordinates of another kind.
//!
//! | file | content |
//! |---|---|
//! | [`hull`] | the lowest point of an ellipsoid and of a torus as a function of the vertical in body axes |
//! | [`on_plane`] | a body that rolls or slides on a plane: quaternion, angular velocity and mass centre |
//! | [`rattleback`] | the stone of the literature, spun both ways |
//! | [`patch_stone`] | a stone whose underside is one Bézier patch |
//! | [`bezier_rattleback`] | the same as a paraboloid |
//! | [`disc`] | steady rolling of bodies of revolution in closed form |
//! | [`ball`] | a ball that rolls on planes, spheres and cylinders: its centre and its angular velocity |
//! | [`closed_forms`] | motions of balls in closed form or by quadrature |
//! | [`two_balls`] | a ball that rolls off another one, which is fixed or free on ice, by quadrature |
//!
//! World z is up along the normal of the plane; angular velocities are in body axes in [`on_plane`], where the inertia
//! is constant, and in world axes for balls, whose inertia is the same in all axes.

pub mod ball;
pub mod bezier_rattleback;
pub mod closed_forms;
pub mod disc;
pub mod hull;
pub mod on_plane;
pub mod patch_stone;
pub mod rattleback;
pub mod two_balls;

use rattleback_dynamics::integrator::{Dop853, Equations, Settings, Stepper, Tolerance, advance};

/// Gravity, in m/s².
pub const GRAVITY: f64 = 9.81;

/// A stepper at t = 0 that errs by little more than rounding.
pub fn stepper(y: &[f64]) -> Dop853 {
    Dop853::new(0.0, y, Tolerance::new(1e-13, 1e-14).unwrap(), Settings::default()).unwrap()
}

/// The states of a motion that begins with `y` at t = 0, at rising times.
pub fn states_at(equations: &mut dyn Equations, y: &[f64], times: &[f64]) -> Vec<Vec<f64>> {
    let mut stepper = stepper(y);
    times
        .iter()
        .map(|&t| {
            advance(&mut stepper, equations, &mut [], t, &mut |_| Ok(())).unwrap();
            stepper.state().to_vec()
        })
        .collect()
}

/// The state at the end of a motion that begins with `y` at t = 0.
pub fn state_at(equations: &mut dyn Equations, y: &[f64], t: f64) -> Vec<f64> {
    states_at(equations, y, &[t]).remove(0)
}

/// `count` equal intervals from zero to `end`, their ends.
pub fn times(count: usize, end: f64) -> Vec<f64> {
    (1..=count).map(|i| end * i as f64 / count as f64).collect()
}
