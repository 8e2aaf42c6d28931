//! A stone whose underside is one bicubic Bézier patch, turned against its axes of inertia.
//!
//! The control points are evenly spaced over the length L and the width W; those on the border of the net are
//! elevated by e once for each border they are on. As B₀ + B₃ = ¼ + 3(t − ½)², the patch is a part of the elliptic
//! paraboloid z = z₀ + ½(ξ²/R₁ + η²/R₂), with R₁ = L²/6e along its length and R₂ = W²/6e across. The frame is at the
//! mass centre, h above the lowest point, along the principal axes of inertia. The outer normal ∂x/∂u × ∂x/∂v points
//! down.

use rattleback_dynamics::{Motion, Result};
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::patch::BezierPatch;
use rattleback_geom::{Pose, Vec3};

/// L, in m.
pub const LENGTH: f64 = 0.6;
/// W, in m.
pub const WIDTH: f64 = LENGTH / 3.0;
/// e, in m.
pub const ELEVATION: f64 = 0.09;
/// From the x axis to the length of the patch, in degrees.
pub const TURN: f64 = 10.0;
/// h, in m.
pub const HEIGHT: f64 = 0.03;
/// In kg.
pub const MASS: f64 = 1.0;
/// Principal moments of inertia about x, y and z, in kg m².
pub const INERTIA: [f64; 3] = [0.0080, 0.0387, 0.0440];
/// The tilt at the start about the short axis of the patch, in rad.
pub const TILT: f64 = 0.02;
/// The angular velocity at the start about the vertical, in rad/s.
pub const SPIN: f64 = 2.0;
/// Gravity, in m/s².
pub const GRAVITY: f64 = 9.81;

/// R₁ and R₂, in m.
pub fn radii() -> [f64; 2] {
    [LENGTH, WIDTH].map(|size| size * size / (6.0 * ELEVATION))
}

/// The underside.
pub fn patch() -> Result<BezierPatch> {
    let (sin, cos) = TURN.to_radians().sin_cos();
    let mut control = Vec::with_capacity(16);
    for i in 0..4 {
        for j in 0..4 {
            let [across, along] = [i, j].map(|k| f64::from(k) / 3.0 - 0.5);
            let (along, across) = (along * LENGTH, across * WIDTH);
            let borders = [i, j].iter().filter(|&&k| k == 0 || k == 3).count();
            // The patch is lowest at a quarter of both elevations.
            let z = ELEVATION * (borders as f64 - 0.5) - HEIGHT;
            control.push(Vec3::new(cos * along - sin * across, sin * along + cos * across, z));
        }
    }
    Ok(BezierPatch::new([3, 3], control)?)
}

/// The start on the plane z = 0, rolling, with the contact at the origin and an angular velocity about the vertical
/// in rad/s.
pub fn start(angular_velocity: f64) -> Motion {
    let turn = UnitQuaternion::from_axis_angle(&Vec3::z_axis(), TURN.to_radians());
    // Tilted about η, the paraboloid touches where its slope along ξ is tan TILT.
    let slope = TILT.tan();
    let along = radii()[0] * slope;
    let contact = turn * Vec3::new(along, 0.0, 0.5 * along * slope - HEIGHT);
    let orientation = UnitQuaternion::from_axis_angle(&(turn * Vec3::y_axis()), TILT);
    let arm = orientation * contact;
    let angular_velocity = Vec3::new(0.0, 0.0, angular_velocity);
    Motion {
        pose: Pose::new(-arm, orientation),
        velocity: arm.cross(&angular_velocity),
        angular_velocity_body: orientation.inverse_transform_vector(&angular_velocity),
    }
}
