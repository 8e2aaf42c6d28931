//! Bodies by spline potentials: values of the support function at normals, and superovoids.

use super::{metres, refuse};
use crate::read::{Angle, Length, Place, Reader, entry};
use rattleback_geom::potential::{Potential, SphericalSpline, Superovoid};
use rattleback_geom::surface::{PotentialBody, Shape};
use rattleback_geom::{GeomError, Vec3};

entry! {
    /// A strictly convex body by its support function at some normals: a spline through them, or control values with
    /// weights.
    pub struct SplineShapeSpec {
        /// Directions of outer normals, 4 to 2000.
        normals: Vec<[f64; 3]>,
        /// The distance of the tangent plane with each normal from the origin.
        values: Vec<Length>,
        /// The angle beyond which a value has no influence, up to a right angle; three spacings of the normals unless
        /// it is given.
        reach: Option<Angle>,
        /// One above zero for each normal: the rational form, in which values are control values.
        weights: Option<Vec<f64>>,
    }
}
entry! {
    /// A superellipsoid whose sections taper along z, by a series of harmonics fitted to its support function.
    pub struct SuperovoidSpec {
        /// a, b and c.
        semi_axes: [Length; 3],
        /// delta joins x and y, epsilon joins z; from 1.5 to 10.
        exponents: [f64; 2] = [2.0; 2],
        /// By how much of itself each axis of the section is longer at z = c and shorter at z = -c.
        taper: [f64; 2],
        /// The degree of the series, up to 32.
        degree: usize = 12,
    }
}

impl SplineShapeSpec {
    pub(super) fn lower(&self, reader: &mut Reader) -> Option<Shape> {
        let normals: Vec<Vec3> = self.normals.iter().map(|n| Vec3::from(*n)).collect();
        let values: Vec<f64> = self.values.iter().map(|value| value.0).collect();
        let reach =
            self.reach.as_ref().map_or_else(|| SphericalSpline::reach_of(normals.len()), |reach| reach.0);
        let spline = match &self.weights {
            Some(weights) => SphericalSpline::rational(&normals, &values, weights, reach),
            None => SphericalSpline::interpolate(&normals, &values, reach),
        };
        told(spline.and_then(body), &self.place, "values", reader)
    }
}

impl SuperovoidSpec {
    pub(super) fn lower(&self, remarks: &mut Vec<String>, reader: &mut Reader) -> Option<Shape> {
        let ovoid = Superovoid::new(metres(self.semi_axes), self.exponents, self.taper);
        let built = ovoid.and_then(|ovoid| ovoid.fit(self.degree)).and_then(|fit| {
            remarks.push(format!(
                "fitted to the support function by harmonics of degree {}: largest error {:.3e} m, root mean square {:.3e} m",
                self.degree, fit.max_error, fit.rms_error
            ));
            PotentialBody::new(Potential::harmonics(fit.harmonics)).map(Shape::from)
        });
        told(built, &self.place, "taper", reader)
    }
}

fn body(spline: SphericalSpline) -> Result<Shape, GeomError> {
    PotentialBody::new(Potential::spline(spline)).map(Shape::from)
}

fn told(
    built: Result<Shape, GeomError>,
    place: &Place,
    otherwise: &str,
    reader: &mut Reader,
) -> Option<Shape> {
    built.map_err(|error| refuse(&error, place, otherwise, reader)).ok()
}
