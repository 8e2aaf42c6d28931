//! Minkowski sums: the support functions of convex bodies added up.

use super::{ShapeSpec, placed, refuse};
use crate::orientation::Orientation;
use crate::read::{Length, Reader, entry};
use rattleback_geom::potential::Potential;
use rattleback_geom::surface::{PotentialBody, Shape};
use rattleback_geom::{GeomError, Mat3, Vec3};
use std::path::Path;
use std::sync::Arc;

entry! {
    /// The Minkowski sum of convex bodies, each placed and scaled, grown by an offset.
    pub struct SumSpec {
        /// The bodies.
        parts: Vec<SummandSpec>,
        /// Added all around; negative to shrink.
        offset: Length = Length(0.0),
    }
}
entry! {
    /// A convex body inside a sum.
    pub struct SummandSpec {
        /// The body.
        shape: ShapeSpec,
        /// Where it is.
        position: [Length; 3] = [Length(0.0); 3],
        /// How it is turned.
        orientation: Orientation = Orientation::default(),
        /// Stretches along its own axes.
        scale: [f64; 3] = [1.0; 3],
    }
}

impl SumSpec {
    pub(super) fn lower(
        &self,
        folder: &Path,
        remarks: &mut Vec<String>,
        reader: &mut Reader,
    ) -> Option<Shape> {
        if self.parts.is_empty() {
            reader.wrong(&self.place, "parts", "found an empty list; expected at least one convex body");
            return None;
        }
        // All of them first, so that what is wrong with any is told.
        let parts: Vec<Option<Potential>> =
            self.parts.iter().map(|part| part.lower(folder, remarks, reader)).collect();
        let parts: Vec<Potential> = parts.into_iter().collect::<Option<_>>()?;
        let sum = parts.into_iter().reduce(|sum, part| sum.sum(&part))?;
        sum.offset(self.offset.0)
            .and_then(PotentialBody::new)
            .map_err(|error| refuse(&error, &self.place, "", reader))
            .map(Shape::from)
            .ok()
    }
}

impl SummandSpec {
    fn lower(&self, folder: &Path, remarks: &mut Vec<String>, reader: &mut Reader) -> Option<Potential> {
        let shape = self.shape.lower(folder, remarks, reader);
        let pose = placed(self.position, self.orientation, &self.place, reader);
        let (shape, pose) = (shape?, pose?);
        let potential =
            potential_of(&shape).map_err(|error| refuse(&error, &self.place, "shape", reader)).ok()?;
        potential
            .transformed(&Mat3::from_diagonal(&Vec3::from(self.scale)))
            .and_then(|stretched| stretched.rotated(&pose.orientation))
            .and_then(|turned| turned.translated(&pose.position))
            // Position and orientation are sound by now.
            .map_err(|error| refuse(&error, &self.place, "scale", reader))
            .ok()
    }
}

/// The generating potential of a convex shape.
fn potential_of(shape: &Shape) -> Result<Potential, GeomError> {
    match shape {
        Shape::Sphere(s) => Potential::ball(s.radius()),
        Shape::Ellipsoid(s) => Potential::ellipsoid((*s.semi_axes()).into()),
        Shape::Potential(s) => Ok(s.potential().clone()),
        Shape::Superellipsoid(s) => Potential::from_support(Arc::new(*s), 0.0),
        Shape::Superquadric(s) => Potential::from_support(Arc::new(*s), 0.0),
        Shape::Capsule(s) => Potential::from_support(Arc::new(*s), s.radius()),
        Shape::Cuboid(s) => Potential::from_support(Arc::new(s.clone()), s.rounding()),
        Shape::ConvexHull(s) => Potential::from_support(s.clone(), s.rounding()),
        Shape::Cylinder(s) => Potential::from_support(Arc::new(*s), 0.0),
        Shape::Frustum(s) => Potential::from_support(Arc::new(*s), 0.0),
        other => Err(GeomError::Inconsistent {
            field: "shape".to_owned(),
            found: format!("a {}", other.surface().kind()),
            allowed: "a convex body with a support function".to_owned(),
        }),
    }
}
