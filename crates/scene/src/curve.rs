//! Plane curves as they are written down: `type = "ellipse"` with `semi_axes = [0.3, 0.2]`. Lengths are in metres or
//! carry their unit, angles in radians or carry theirs.
//!
//! A new curve is a table, a line of [`CurveSpec`] and one of its `lower`.

use crate::read::{Angle, Length, Place, Reader, choice, entry};
use rattleback_geom::curve::{Curve, Ellipse, Offset, Placed, Pose2, SplinePotential, Sum, Superellipse};
use rattleback_geom::{GeomError, Vec2};
use std::sync::Arc;

entry! {
    /// An ellipse about the origin.
    pub struct EllipseSpec {
        /// Along x and y.
        semi_axes: [Length; 2],
    }
}
entry! {
    /// |x/a|^n + |y/b|^n = 1.
    pub struct SuperellipseSpec {
        /// Along x and y.
        semi_axes: [Length; 2],
        /// n, above one.
        exponent: f64,
    }
}
entry! {
    /// A generating potential by its values at some normals: a periodic cubic spline.
    pub struct SplineSpec {
        /// The angles of outer normals, increasing within one turn: four or more.
        angles: Vec<Angle>,
        /// The distance of the tangent with each normal from the centre.
        values: Vec<Length>,
        /// What the potential is measured from.
        centre: [Length; 2] = [Length(0.0); 2],
    }
}
entry! {
    /// The spline potential that is nearest to points of a convex curve.
    pub struct CurveFitSpec {
        /// The points, in any order.
        points: Vec<[Length; 2]>,
        /// Spacings of the spline, from 4 to 512 and no more than there are points.
        knots: usize,
    }
}
entry! {
    /// The curve at a distance from another: outside where it is positive.
    pub struct OffsetSpec {
        /// The other.
        curve: Box<CurveSpec>,
        /// The distance.
        distance: Length,
    }
}
entry! {
    /// A curve turned and moved.
    pub struct PlacedSpec {
        /// The curve.
        curve: Box<CurveSpec>,
        /// By how much it is turned.
        angle: Angle = Angle(0.0),
        /// By how much it is moved afterwards.
        position: [Length; 2] = [Length(0.0); 2],
    }
}
entry! {
    /// The Minkowski sum of curves.
    pub struct CurveSumSpec {
        /// The curves.
        curves: Vec<CurveSpec>,
    }
}

choice! {
    /// A plane curve by its type and that type's own keys.
    pub enum CurveSpec by "type" {
        "ellipse" => Ellipse(EllipseSpec),
        "superellipse" => Superellipse(SuperellipseSpec),
        "spline" => Spline(SplineSpec),
        "fit" => Fit(CurveFitSpec),
        "offset" => Offset(OffsetSpec),
        "placed" => Placed(PlacedSpec),
        "sum" => Sum(CurveSumSpec),
    }
}

/// A curve that was read.
#[derive(Debug, Clone)]
pub struct ReadCurve {
    /// The curve.
    pub curve: Arc<dyn Curve>,
    /// What its author should know of it, such as the error of a fit.
    pub remarks: Vec<String>,
}

impl CurveSpec {
    /// The curve.
    pub(crate) fn lower(&self, remarks: &mut Vec<String>, reader: &mut Reader) -> Option<Arc<dyn Curve>> {
        let (place, made) = match self {
            Self::Ellipse(spec) => (&spec.place, Ellipse::new(spec.semi_axes.map(|x| x.0)).map(made)),
            Self::Superellipse(spec) => {
                (&spec.place, Superellipse::new(spec.semi_axes.map(|x| x.0), spec.exponent).map(made))
            }
            Self::Spline(spec) => {
                let angles: Vec<f64> = spec.angles.iter().map(|angle| angle.0).collect();
                let values: Vec<f64> = spec.values.iter().map(|value| value.0).collect();
                let spline = SplinePotential::interpolate(&angles, &values);
                let centre = Vec2::from(spec.centre.map(|x| x.0));
                (&spec.place, spline.and_then(|spline| spline.with_centre(centre)).map(made))
            }
            Self::Fit(spec) => {
                let points: Vec<Vec2> = spec.points.iter().map(|p| p.map(|x| x.0).into()).collect();
                let fit = SplinePotential::fit(&points, spec.knots).map(|fit| {
                    remarks.push(format!(
                        "the fit is {:e} m from the points at most, {:e} m in the root mean square, after {} turns",
                        fit.max_error, fit.rms_error, fit.turns
                    ));
                    made(fit.curve)
                });
                (&spec.place, fit)
            }
            Self::Offset(spec) => {
                let base = spec.curve.lower(remarks, reader)?;
                (&spec.place, Offset::new(base, spec.distance.0).map(made))
            }
            Self::Placed(spec) => {
                let base = spec.curve.lower(remarks, reader)?;
                let pose = Pose2::new(spec.angle.0, spec.position.map(|x| x.0).into());
                (&spec.place, pose.map(|pose| made(Placed::new(base, pose))))
            }
            Self::Sum(spec) => {
                // All of them first, so that what is wrong with any is told.
                let parts: Vec<_> = spec.curves.iter().map(|curve| curve.lower(remarks, reader)).collect();
                let parts: Vec<Arc<dyn Curve>> = parts.into_iter().collect::<Option<_>>()?;
                let Some(sum) = parts.into_iter().reduce(|one, other| made(Sum::new(one, other))) else {
                    reader.wrong(&spec.place, "curves", "found an empty list; expected at least one curve");
                    return None;
                };
                (&spec.place, Ok(sum))
            }
        };
        made.map_err(|error| refuse(&error, place, reader)).ok()
    }
}

fn made(curve: impl Curve + 'static) -> Arc<dyn Curve> {
    Arc::new(curve)
}

/// Puts an error of the geometry where its field stands.
fn refuse(error: &GeomError, place: &Place, reader: &mut Reader) {
    crate::shape::refuse(error, place, "", reader);
}
