//! The shapes that descriptions of robots have.

use rattleback_geom::surface::{Capsule, Cuboid, Cylinder, Ellipsoid, Shape, Sphere};
use rattleback_geom::{GeomError, Moments};
use std::path::PathBuf;

/// What shapes there are.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum PartShape {
    /// Lengths along the axes.
    Box([f64; 3]),
    Sphere {
        radius: f64,
    },
    Ellipsoid([f64; 3]),
    Cylinder {
        radius: f64,
        half_length: f64,
    },
    Capsule {
        radius: f64,
        half_length: f64,
    },
    /// The half-space below the plane z = 0.
    Plane,
    /// A mesh file with the factor on its coordinates.
    Mesh {
        file: PathBuf,
        scale: f64,
    },
}

impl PartShape {
    /// Its moments about its own origin, none of a plane; that of a mesh is known to its file. An error where the
    /// engine has no such shape.
    pub(super) fn moments(&self) -> Result<Moments, GeomError> {
        let shape: Shape = match *self {
            Self::Sphere { radius } => Sphere::new(radius)?.into(),
            Self::Capsule { radius, half_length } => Capsule::new(radius, half_length)?.into(),
            Self::Cylinder { radius, half_length } => Cylinder::new(radius, half_length)?.into(),
            Self::Ellipsoid(axes) => Ellipsoid::new(axes)?.into(),
            Self::Box(size) => Cuboid::new(size, 0.0)?.into(),
            Self::Plane | Self::Mesh { .. } => return Ok(Moments::zero()),
        };
        shape.surface().moments()
    }
}
