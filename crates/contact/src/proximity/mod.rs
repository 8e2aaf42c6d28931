//! Cheap questions before the narrow phase: can these two bodies touch at all?
//!
//! | question | answer | holds for |
//! |---|---|---|
//! | [`world_box`] | the box along the world's axes | every bounded surface |
//! | [`BoundingSphere`] | a lower bound of the gap from centres and radii | every bounded surface |
//! | [`Obb`] | a lower bound of the gap from fifteen axes | every bounded surface |
//! | [`EllipsoidPencil`] | separate, touching or overlapping | two ellipsoids |
//!
//! [`Proximity`] is one of them by its name.
//!
//! "Separate" is certain up to rounding; spheres and boxes may fail to separate bodies that are apart, never the other
//! way round. Surfaces without bounds are refused: half-spaces have their own test in [`crate::broad`].

mod ellipsoids;
mod obb;
mod query;
mod sphere;
mod sturm;
mod world_box;

#[cfg(test)]
mod ellipsoids_tests;
#[cfg(test)]
pub(crate) mod sample;

pub use ellipsoids::{EllipsoidPencil, Relation};
pub use obb::{BoxSeparation, Obb};
pub use query::{Proximity, quartic_roots};
pub use sphere::BoundingSphere;
pub use world_box::world_box;

use crate::{ContactError, Result};
use rattleback_geom::surface::Surface;
use rattleback_geom::{Aabb, Pose};

/// The local box of a surface, refused where it is infinite, empty or NaN.
fn bounded(surface: &dyn Surface) -> Result<Aabb> {
    let bounds = surface.bounds();
    if bounds.is_bounded() {
        return Ok(bounds);
    }
    let extents = bounds.extents();
    let axis = (0..3).find(|&i| !(extents[i].is_finite() && extents[i] >= 0.0)).unwrap_or(0);
    Err(ContactError::OutOfRange {
        field: format!("{}: extent[{axis}] of the bounds", surface.kind()),
        value: extents[axis],
        allowed: "finite and at least zero",
    })
}

/// Refuses a pose with a NaN or an infinity in it.
fn finite_pose<'a>(field: &str, pose: &'a Pose) -> Result<&'a Pose> {
    let numbers = pose.position.iter().chain(pose.orientation.coords.iter());
    match numbers.copied().find(|x| !x.is_finite()) {
        None => Ok(pose),
        Some(value) => Err(ContactError::OutOfRange {
            field: field.to_owned(),
            value,
            allowed: "made of finite numbers",
        }),
    }
}
