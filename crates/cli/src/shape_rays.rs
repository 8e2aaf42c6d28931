//! Points of quadrics and superquadrics by rays from their centre: the angle-centre form, Lopes (29, 30) and (35, 36).

use crate::failure::Failure;
use rattleback_geom::Vec3;
use rattleback_geom::surface::{Implicit, Shape};
use std::f64::consts::{PI, TAU};
use std::fmt::Write;

/// The most directions along either angle.
const MOST: usize = 10_000;

/// Reads `AZIMUTHSxZENITHS`.
pub fn grid(text: &str) -> Result<[usize; 2], String> {
    let sides = text.split_once('x').and_then(|(m, n)| Some([m.parse().ok()?, n.parse().ok()?]));
    match sides {
        Some([m, n]) if (2..=MOST).contains(&m) && (2..=MOST).contains(&n) => Ok([m, n]),
        _ => Err(format!("expected two numbers from 2 to {MOST}, as 72x36")),
    }
}

/// Azimuth φ, zenith angle θ, radius and point of every ray that meets the surface, as CSV, and how many there are.
/// Zenith angles are in the middle of equal steps, so that no ray is along an axis by accident.
pub fn table(shape: &Shape, [azimuths, zeniths]: [usize; 2]) -> Result<(String, usize), Failure> {
    let refused = || {
        Failure::input(format!(
            "a {} has no angle-centre form; ellipsoids, superellipsoids, superquadrics, hyperboloids, paraboloids and \
             superhyperboloids have",
            shape.surface().kind()
        ))
    };
    if point(shape, 0.3, 0.4).is_none() && point(shape, 0.3, 1.4).is_none() {
        return Err(refused());
    }
    let mut text = "phi_rad,theta_rad,radius_m,x_m,y_m,z_m\n".to_owned();
    let mut count = 0;
    for i in 0..azimuths {
        for j in 0..zeniths {
            let phi = TAU * i as f64 / azimuths as f64;
            let theta = PI * (j as f64 + 0.5) / zeniths as f64;
            let Some(p) = point(shape, phi, theta) else { continue };
            count += 1;
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{phi},{theta},{},{},{},{}", p.norm(), p.x, p.y, p.z);
        }
    }
    Ok((text, count))
}

/// The point of the surface in the direction of azimuth φ and zenith angle θ; none where the ray misses it.
fn point(shape: &Shape, phi: f64, theta: f64) -> Option<Vec3> {
    let closed = |surface: &dyn Implicit| {
        let ((sf, cf), (st, ct)) = (phi.sin_cos(), theta.sin_cos());
        crossing(surface, &Vec3::new(st * cf, st * sf, ct))
    };
    match shape {
        Shape::Quadric(quadric) => quadric.angle_centre(phi, theta),
        Shape::Superhyperboloid(surface) => surface.angle_centre(phi, theta),
        Shape::Sphere(surface) => closed(surface),
        Shape::Ellipsoid(surface) => closed(surface),
        Shape::Superellipsoid(surface) => closed(surface),
        Shape::Superquadric(surface) => closed(surface),
        _ => None,
    }
}

/// Where a ray from the centre of a closed surface leaves it: the function is negative inside and grows along the ray.
fn crossing(surface: &dyn Implicit, ray: &Vec3) -> Option<Vec3> {
    let mut outside = 1.0;
    while surface.value(&(ray * outside)) <= 0.0 {
        outside *= 2.0;
        if outside > 1e20 {
            return None;
        }
    }
    let mut inside = 0.0;
    // Halving to the last bit.
    loop {
        let middle = 0.5 * (inside + outside);
        if middle == inside || middle == outside {
            return Some(ray * middle);
        }
        if surface.value(&(ray * middle)) <= 0.0 { inside = middle } else { outside = middle }
    }
}
