//! The rattleback of Kry and Pai (2002), section 4.2.1 and Figs 10 and 11: one bicubic Bézier patch.
//!
//! The paper says that it is longest 10 degrees off the x axis, a third as wide as long, curved by elevating the outer
//! control points, with an inertia that is not aligned with its planes of symmetry, and that it rocks with a period of about
//! half a second just before it turns back, after about eight seconds. It gives no numbers. Here:
//!
//! - The control points are evenly spaced over the length L and the width W; those on the border of the net are elevated by
//!   e once for each border they are on. As B₀ + B₃ = ¼ + 3(t − ½)², the patch is a part of the elliptic paraboloid
//!   z = z₀ + ½(ξ²/R₁ + η²/R₂), with R₁ = L²/6e along its length and R₂ = W²/6e across.
//! - The frame is at the mass centre, h above the lowest point, along the principal axes of inertia: the patch is turned
//!   against them. Its outer normal ∂x/∂u × ∂x/∂v points down, as v runs along the length and u across.
//! - Rocking about the short axis is a pendulum: (2πf)² = g (R₁ − h)/(I/m + h²). A stone as small as a toy would need its
//!   mass beyond its ends to rock at 2 Hz; with L = 0.6 m the radius of gyration is 0.197 m, little more than the 0.173 m of
//!   a rod.
//! - It begins tilted by 0.02 rad about its short axis, spinning counter-clockwise at 2 rad/s as in Fig. 11, and turns back
//!   after 8.6 seconds; clockwise it goes on. The contact stays within 0.12 m of the middle along the length and 0.02 m
//!   across; a friction coefficient of 0.2 is enough.

use crate::body::{Body, Motion};
use crate::error::Result;
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::patch::BezierPatch;
use rattleback_geom::{Mat3, Pose, Vec3};

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

/// Mass and inertia.
pub fn body() -> Body {
    Body { mass: MASS, inertia: Mat3::from_diagonal(&INERTIA.into()) }
}

/// The start on the plane z = 0, rolling, with the contact at the origin and an angular velocity about the vertical in rad/s.
pub fn start(spin: f64) -> Motion {
    let turn = UnitQuaternion::from_axis_angle(&Vec3::z_axis(), TURN.to_radians());
    // Tilted about η, the paraboloid touches where its slope along ξ is tan TILT.
    let slope = TILT.tan();
    let along = radii()[0] * slope;
    let contact = turn * Vec3::new(along, 0.0, 0.5 * along * slope - HEIGHT);
    let orientation = UnitQuaternion::from_axis_angle(&(turn * Vec3::y_axis()), TILT);
    let arm = orientation * contact;
    let spin = Vec3::new(0.0, 0.0, spin);
    Motion {
        pose: Pose::new(-arm, orientation),
        velocity: arm.cross(&spin),
        spin: orientation.inverse_transform_vector(&spin),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rattleback_geom::Curvature;
    use rattleback_geom::surface::Parametric;
    use std::f64::consts::TAU;

    #[test]
    fn the_patch_is_the_paraboloid_that_it_says() {
        let (patch, [length, width]) = (patch().unwrap(), radii());
        let (sin, cos) = TURN.to_radians().sin_cos();
        for (u, v) in [(0.5, 0.5), (0.1, 0.8), (1.0, 0.0)] {
            let p = patch.jet(u, v).p;
            let (along, across) = (cos * p.x + sin * p.y, cos * p.y - sin * p.x);
            assert!((along - LENGTH * (v - 0.5)).abs() < 1e-15 && (across - WIDTH * (u - 0.5)).abs() < 1e-15);
            let z = 0.5 * (along * along / length + across * across / width) - HEIGHT;
            assert!((p.z - z).abs() < 1e-15);
        }
    }

    #[test]
    fn it_stands_on_its_lowest_point_and_is_turned_by_ten_degrees() {
        let jet = patch().unwrap().jet(0.5, 0.5);
        let n = jet.du.cross(&jet.dv).normalize();
        assert!((n + Vec3::z()).norm() < 1e-15 && (jet.p - Vec3::new(0.0, 0.0, -HEIGHT)).norm() < 1e-15);
        let curvature = Curvature::from_parametric([&jet.du, &jet.dv], [&jet.duu, &jet.duv, &jet.dvv], &n);
        let [length, width] = radii();
        assert!((curvature.kappa[0] * width - 1.0).abs() < 1e-12);
        assert!((curvature.kappa[1] * length - 1.0).abs() < 1e-12);
        let along = curvature.direction[1];
        assert!((along.y / along.x - TURN.to_radians().tan()).abs() < 1e-12);
        // It stands stably: the mass centre is below both centres of curvature.
        assert!(HEIGHT < width && HEIGHT < length);
    }

    #[test]
    fn it_begins_on_the_plane_with_the_contact_at_rest() {
        let (motion, patch) = (start(SPIN), patch().unwrap());
        let v = 0.5 + radii()[0] * TILT.tan() / LENGTH;
        let jet = patch.jet(0.5, v);
        let normal = motion.pose.orientation * jet.du.cross(&jet.dv).normalize();
        assert!((normal + Vec3::z()).norm() < 1e-15);
        let arm = motion.pose.orientation * jet.p;
        assert!((motion.pose.position + arm).norm() < 1e-15);
        let spin = motion.pose.orientation * motion.spin;
        assert!((spin - Vec3::new(0.0, 0.0, SPIN)).norm() < 1e-15);
        assert!((motion.velocity + spin.cross(&arm)).norm() < 1e-15);
    }

    #[test]
    fn it_rocks_twice_a_second() {
        let square = GRAVITY * (radii()[0] - HEIGHT) / (INERTIA[1] / MASS + HEIGHT * HEIGHT);
        assert!((square.sqrt() / TAU - 2.0).abs() < 0.02);
        // Moments of a real body: none exceeds the sum of the others.
        let moments = body().inertia.diagonal();
        assert!(moments.max() <= 0.5 * moments.sum());
    }
}
