//! Where a body touches a plane, as a function of the plane's normal γ in body axes.
//!
//! The lowest point p of a convex surface has the outer normal −γ. With A² = diag(a²) and the axis k = z of the torus:
//!
//! | hull | p(γ) from the hull's centre | ṗ |
//! |---|---|---|
//! | ellipsoid | −A²γ/h, h = √(γ·A²γ) | −A²γ̇/h + A²γ (γ·A²γ̇)/h³ |
//! | torus | −R d − r γ, d = γ⊥/∣γ⊥∣, γ⊥ = γ − (γ·k)k | −R (γ̇⊥ − d (d·γ̇⊥))/∣γ⊥∣ − r γ̇ |
//! | paraboloid z = ½(x²/R₁ + y²/R₂) | (R₁g₁, R₂g₂, ½(R₁g₁² + R₂g₂²)), g = −γ/γ_z | (R₁ġ₁, R₂ġ₂, R₁g₁ġ₁ + R₂g₂ġ₂) |
//!
//! The paraboloid is open above; its place is that of its lowest point, g is its slope there. Lengths are in m. A torus
//! that lies flat, γ = ±k, has no single lowest point: NaN.

use rattleback_geom::Vec3;

/// The surface of a rolling body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Hull {
    /// By its semi-axes along the axes of the body.
    Ellipsoid(Vec3),
    /// About the body's z axis.
    Torus {
        /// R, the radius of the circle in the middle of the tube.
        major: f64,
        /// r, the radius of the tube.
        minor: f64,
    },
    /// By its radii of curvature R₁ along x and R₂ along y at its vertex.
    Paraboloid([f64; 2]),
}

impl Hull {
    /// p and ṗ for the normal γ and its rate in body axes.
    pub fn lowest(&self, normal: &Vec3, rate: &Vec3) -> (Vec3, Vec3) {
        match *self {
            Self::Ellipsoid(axes) => {
                let squares = axes.component_mul(&axes);
                let (at, along) = (squares.component_mul(normal), squares.component_mul(rate));
                let height = normal.dot(&at).sqrt();
                (-at / height, at * (normal.dot(&along) / height.powi(3)) - along / height)
            }
            Self::Torus { major, minor } => {
                let flat = |v: &Vec3| Vec3::new(v.x, v.y, 0.0);
                let size = flat(normal).norm();
                let (d, turn) = (flat(normal) / size, flat(rate));
                let swing = (turn - d * d.dot(&turn)) / size;
                (-d * major - normal * minor, -swing * major - rate * minor)
            }
            Self::Paraboloid([first, second]) => {
                let slope = -normal / normal.z;
                let change = -(rate + slope * rate.z) / normal.z;
                let arm = Vec3::new(first * slope.x, second * slope.y, 0.0);
                let height = 0.5 * arm.dot(&slope);
                let turn = Vec3::new(first * change.x, second * change.y, arm.dot(&change));
                (arm + Vec3::z() * height, turn)
            }
        }
    }
}

#[test]
fn the_lowest_point_is_lowest_and_its_rate_is_its_derivative() {
    for hull in [
        Hull::Ellipsoid(Vec3::new(0.5, 0.3, 0.2)),
        Hull::Torus { major: 0.4, minor: 0.1 },
        Hull::Paraboloid([0.5, 0.1]),
    ] {
        let normal = Vec3::new(0.3, -0.5, 0.8).normalize();
        let angular_velocity = Vec3::new(1.0, 2.0, -0.7);
        let (p, rate) = hull.lowest(&normal, &normal.cross(&angular_velocity));
        assert!(rate.dot(&normal).abs() < 1e-15);
        let mut differences = Vec3::zeros();
        let delta = 1e-5;
        for sign in [1.0, -1.0] {
            let turn = rattleback_geom::nalgebra::UnitQuaternion::from_scaled_axis(
                -angular_velocity * (sign * delta),
            );
            let moved = hull.lowest(&(turn * normal), &Vec3::zeros()).0;
            assert!(moved.dot(&normal) > p.dot(&normal));
            differences += moved * (sign / (2.0 * delta));
        }
        assert!((differences - rate).norm() < 1e-9, "{differences} {rate}");
    }
}
