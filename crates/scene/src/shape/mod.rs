//! Shapes as they are written down.
//!
//! In TOML `type = "ellipsoid"` with `semi_axes = [0.3, 0.2, 0.1]`, in JSON the same keys. Lengths are in metres or
//! carry their unit. `spec.rs` has the tables of the shapes that a few numbers describe, `sum.rs` Minkowski sums,
//! `mesh.rs` what comes from a mesh file, `hull.rs` hulls of points, `solid.rs` profiles extruded and revolved,
//! `ground.rs` height fields, `smooth.rs` surfaces of control points, `potential.rs` spline potentials, `file.rs`
//! reads a file of one shape. A new shape is a table, a line of [`ShapeSpec`] and one of its `lower`; applications
//! bring their own.

mod file;
mod ground;
mod hull;
mod mesh;
mod potential;
mod smooth;
mod solid;
mod spec;
mod sum;
#[cfg(test)]
mod tests;

use crate::application::AppliedShape;
use crate::orientation::Orientation;
use crate::read::{Definitions, Json, Length, Place, Reader, SourceValue, choice, triple};
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::potential::{Harmonics, Potential};
use rattleback_geom::surface::{
    Capsule, Cavity, Cuboid, Cylinder, Ellipsoid, Frustum, HalfTorus, Link, Plane, PotentialBody, Quadric,
    Shape, Sphere, Superellipsoid, Superhyperboloid, Superquadric, Torus,
};
use rattleback_geom::{Brief, GeomError, Pose, Vec3};
use std::path::{Path, PathBuf};

pub(crate) use file::{parse_source, read};
use ground::HeightFieldSpec;
use hull::ConvexHullSpec;
use mesh::FitSpec;
pub use mesh::MeshSpec;
use potential::{SplineShapeSpec, SuperovoidSpec};
use smooth::{BezierSpec, CatmullClarkSpec, LoopSpec, NurbsSpec, SPatchSpec};
use solid::{CupSpec, ExtrusionSpec, RevolutionSpec, TubeSpec};
use spec::*;
use sum::SumSpec;

choice! {
    /// A shape by its type and that type's own keys.
    pub enum ShapeSpec by "type" {
        "plane" => Plane(PlaneSpec),
        "sphere" => Sphere(SphereSpec),
        "ellipsoid" => Ellipsoid(EllipsoidSpec),
        "superellipsoid" => Superellipsoid(SuperellipsoidSpec),
        "superquadric" => Superquadric(SuperquadricSpec),
        "box" => Box(BoxSpec),
        "cylinder" => Cylinder(CylinderSpec),
        "cone" => Cone(ConeSpec),
        "frustum" => Frustum(FrustumSpec),
        "capsule" => Capsule(CapsuleSpec),
        "torus" => Torus(TorusSpec),
        "half_torus" => HalfTorus(HalfTorusSpec),
        "link" => Link(LinkSpec),
        "hyperboloid_one_sheet" => HyperboloidOneSheet(HyperboloidOneSheetSpec),
        "hyperboloid_two_sheets" => HyperboloidTwoSheets(HyperboloidTwoSheetsSpec),
        "elliptic_paraboloid" => EllipticParaboloid(EllipticParaboloidSpec),
        "hyperbolic_paraboloid" => HyperbolicParaboloid(HyperbolicParaboloidSpec),
        "superhyperboloid_one_sheet" => SuperhyperboloidOneSheet(SuperhyperboloidOneSheetSpec),
        "superhyperboloid_two_sheets" => SuperhyperboloidTwoSheets(SuperhyperboloidTwoSheetsSpec),
        "harmonics" => Harmonics(HarmonicsSpec),
        "spline" => Spline(SplineShapeSpec),
        "superovoid" => Superovoid(SuperovoidSpec),
        "sum" => Sum(SumSpec),
        "fit" => Fit(FitSpec),
        "mesh" => Mesh(MeshSpec),
        "convex_hull" => ConvexHull(ConvexHullSpec),
        "extrusion" => Extrusion(ExtrusionSpec),
        "revolution" => Revolution(RevolutionSpec),
        "tube" => Tube(TubeSpec),
        "cup" => Cup(CupSpec),
        "height_field" => HeightField(HeightFieldSpec),
        "loop" => Loop(LoopSpec),
        "catmull-clark" => CatmullClark(CatmullClarkSpec),
        "bezier" => Bezier(BezierSpec),
        "nurbs" => Nurbs(NurbsSpec),
        "s-patch" => SPatch(SPatchSpec),
    }
    else Applied(AppliedShape)
}

impl AppliedShape {
    /// The types that applications add.
    fn words(reader: &Reader) -> impl Iterator<Item = &'static str> {
        reader.applications().iter().flat_map(|application| application.shapes).map(|shape| shape.word)
    }

    fn read_tagged(node: &SourceValue, tag: &str, word: &str, reader: &mut Reader) -> Option<Self> {
        let mut shapes = reader.applications().iter().flat_map(|application| application.shapes);
        (shapes.find(|shape| shape.word == word)?.read)(node, tag, reader).map(Self)
    }

    fn schemas(definitions: &mut Definitions, tag: &str) -> Vec<Json> {
        let shapes = definitions.applications().iter().flat_map(|application| application.shapes);
        shapes.map(|shape| (shape.schema)(definitions, tag, shape.word)).collect()
    }
}

type Built = Result<Shape, GeomError>;

impl ShapeSpec {
    /// Builds the shape; files that it names are relative to `folder`. What its author should know of the result is
    /// added to `remarks`; what the geometry refuses is told to the reader, and there is no shape then.
    pub(crate) fn lower(
        &self,
        folder: &Path,
        remarks: &mut Vec<String>,
        reader: &mut Reader,
    ) -> Option<Shape> {
        let (built, place) = match self {
            Self::Plane(s) => (Plane::new(s.normal, s.offset.0).map(Shape::from), &s.place),
            Self::Sphere(s) if s.inside => (Cavity::sphere(s.radius.0).map(Shape::from), &s.place),
            Self::Sphere(s) => (Sphere::new(s.radius.0).map(Shape::from), &s.place),
            Self::Ellipsoid(s) => (Ellipsoid::new(metres(s.semi_axes)).map(Shape::from), &s.place),
            Self::Superellipsoid(s) => return s.lower(reader),
            Self::Superquadric(s) => {
                (Superquadric::new(metres(s.semi_axes), s.exponents).map(Shape::from), &s.place)
            }
            Self::Box(s) => (Cuboid::new(metres(s.size), s.rounding.0).map(Shape::from), &s.place),
            Self::Cylinder(s) => return s.lower(reader),
            Self::Cone(s) => (Frustum::cone(s.radius.0, s.height.0).map(Shape::from), &s.place),
            Self::Frustum(s) => (Frustum::new(metres(s.radii), s.height.0).map(Shape::from), &s.place),
            Self::Capsule(s) => (Capsule::new(s.radius.0, s.half_length.0).map(Shape::from), &s.place),
            Self::Torus(s) => (Torus::new(s.major_radius.0, s.minor_radius.0).map(Shape::from), &s.place),
            Self::HalfTorus(s) => {
                (HalfTorus::new(s.major_radius.0, s.minor_radius.0).map(Shape::from), &s.place)
            }
            Self::Link(s) => {
                (Link::from_outer(s.bar_diameter.0, s.length.0, s.width.0).map(Shape::from), &s.place)
            }
            Self::HyperboloidOneSheet(s) => (s.build(), &s.place),
            Self::HyperboloidTwoSheets(s) => (s.build(), &s.place),
            Self::EllipticParaboloid(s) => (s.build(), &s.place),
            Self::HyperbolicParaboloid(s) => (s.build(), &s.place),
            Self::SuperhyperboloidOneSheet(s) => (s.build(), &s.place),
            Self::SuperhyperboloidTwoSheets(s) => (s.build(), &s.place),
            Self::Harmonics(s) => return s.lower(reader),
            Self::Spline(s) => return s.lower(reader),
            Self::Superovoid(s) => return s.lower(remarks, reader),
            Self::Sum(s) => return s.lower(folder, remarks, reader),
            Self::Fit(s) => return s.lower(folder, remarks, reader),
            Self::Mesh(s) => return s.lower_body(folder, remarks, reader),
            Self::ConvexHull(s) => return s.lower(folder, remarks, reader),
            Self::Extrusion(s) => return s.lower(reader),
            Self::Revolution(s) => return s.lower(remarks, reader),
            Self::Tube(s) => return s.lower(remarks, reader),
            Self::Cup(s) => return s.lower(remarks, reader),
            Self::HeightField(s) => return s.lower(folder, reader),
            Self::Loop(s) => return s.lower(folder, remarks, reader),
            Self::CatmullClark(s) => return s.lower(folder, remarks, reader),
            Self::Bezier(s) => return s.lower(reader),
            Self::Nurbs(s) => return s.lower(reader),
            Self::SPatch(s) => return s.lower(reader),
            Self::Applied(s) => return s.0.lower(remarks, reader),
        };
        accepted(built, place, reader)
    }

    /// The files that it names, as they are written: relative to the folder of the description.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        match self {
            Self::Sum(s) => s.parts.iter().flat_map(|part| part.shape.files()).collect(),
            Self::Fit(s) => vec![s.file.clone()],
            Self::Mesh(s) => vec![s.file.clone()],
            Self::ConvexHull(s) => s.file.iter().cloned().collect(),
            Self::HeightField(s) => s.file.iter().cloned().collect(),
            Self::Loop(s) => vec![s.file.clone()],
            Self::CatmullClark(s) => vec![s.file.clone()],
            _ => Vec::new(),
        }
    }
}

impl HyperboloidOneSheetSpec {
    fn build(&self) -> Built {
        Ok(Quadric::hyperboloid_one_sheet(metres(self.axes), self.half_height.0)?.into())
    }
}

impl HyperboloidTwoSheetsSpec {
    fn build(&self) -> Built {
        Ok(Quadric::hyperboloid_two_sheets(metres(self.axes), self.sheet.into(), self.height.0)?.into())
    }
}

impl EllipticParaboloidSpec {
    fn build(&self) -> Built {
        Ok(Quadric::elliptic_paraboloid(metres(self.axes), self.height.0)?.into())
    }
}

impl HyperbolicParaboloidSpec {
    fn build(&self) -> Built {
        let (axes, widths) = (metres(self.axes), metres(self.half_widths));
        Ok(Quadric::hyperbolic_paraboloid(axes, widths, self.ceiling.0)?.into())
    }
}

impl SuperhyperboloidOneSheetSpec {
    fn build(&self) -> Built {
        Ok(Superhyperboloid::one_sheet(metres(self.axes), self.exponents, self.half_height.0)?.into())
    }
}

impl SuperhyperboloidTwoSheetsSpec {
    fn build(&self) -> Built {
        let (axes, sheet) = (metres(self.axes), self.sheet.into());
        Ok(Superhyperboloid::two_sheets(axes, self.exponents, sheet, self.height.0)?.into())
    }
}

impl SuperellipsoidSpec {
    fn lower(&self, reader: &mut Reader) -> Option<Shape> {
        let axes = metres(self.semi_axes);
        let built = match (self.exponents, self.barr_exponents) {
            (Some(exponents), None) => Superellipsoid::new(axes, exponents),
            (None, Some(barr)) => Superellipsoid::from_barr(axes, barr).map_err(|error| in_barr(error, barr)),
            (Some(_), Some(_)) => {
                let message = "the exponents are given twice; expected `exponents` or `barr_exponents`";
                reader.wrong(&self.place, "barr_exponents", message);
                return None;
            }
            (None, None) => {
                reader.wrong(&self.place, "", "missing key `exponents`, or `barr_exponents` in its place");
                return None;
            }
        };
        accepted(built.map(Shape::from), &self.place, reader)
    }
}

/// What is wrong with δ or ε in the words of the one who wrote 2/δ and 2/ε.
fn in_barr(error: GeomError, barr: [f64; 2]) -> GeomError {
    let index = match &error {
        GeomError::OutOfRange { field, .. } => {
            ["exponents[0]", "exponents[1]"].iter().position(|e| e == field)
        }
        _ => None,
    };
    match (error, index) {
        (GeomError::OutOfRange { value, allowed, .. }, Some(i)) => GeomError::Inconsistent {
            field: format!("barr_exponents[{i}]"),
            found: format!("{}, which is the exponent {value}", barr[i]),
            allowed: format!("an exponent 2/{} {allowed}", barr[i]),
        },
        (error, _) => error,
    }
}

impl CylinderSpec {
    fn lower(&self, reader: &mut Reader) -> Option<Shape> {
        let built = match self.half_length {
            half_length if self.inside => {
                Cavity::cylinder(self.radius.0, half_length.map(|l| l.0)).map(Shape::from)
            }
            Some(half_length) => Cylinder::new(self.radius.0, half_length.0).map(Shape::from),
            None => {
                reader.wrong(&self.place, "", "missing key `half_length`");
                return None;
            }
        };
        accepted(built, &self.place, reader)
    }
}

impl HarmonicsSpec {
    fn lower(&self, reader: &mut Reader) -> Option<Shape> {
        let coefficients: Vec<f64> = self.coefficients.iter().map(|c| c.0).collect();
        let degree = coefficients.len().isqrt().saturating_sub(1);
        let body = Harmonics::new(degree, &coefficients)
            .and_then(|harmonics| PotentialBody::new(Potential::harmonics(harmonics)));
        match body {
            Ok(body) => Some(body.into()),
            // They alone are what the degree and the convexity follow from.
            Err(error) => {
                refuse(&error, &self.place, "coefficients", reader);
                None
            }
        }
    }
}

/// Lengths as plain numbers, in m.
fn metres<const N: usize>(lengths: [Length; N]) -> [f64; N] {
    lengths.map(|length| length.0)
}

fn accepted(built: Built, place: &Place, reader: &mut Reader) -> Option<Shape> {
    // Bounding planes have no key of their own: where one is wrong, the height that it follows from is.
    let cut = ["height", "half_height", "ceiling"].into_iter().find(|key| place.has(key)).unwrap_or("");
    built.map_err(|error| refuse(&error, place, cut, reader)).ok()
}

/// Tells what the geometry refuses at the key that it names; where the table has no such key, at `otherwise`, or at the
/// table itself if that is empty.
pub fn refuse(error: &GeomError, place: &Place, otherwise: &str, reader: &mut Reader) {
    let named = match error {
        GeomError::OutOfRange { field, value, allowed } => Some((field, Brief(*value).to_string(), allowed)),
        GeomError::Inconsistent { field, found, allowed } => Some((field, found.clone(), allowed)),
        _ => None,
    };
    match named {
        Some((field, found, allowed)) if place.has(field.split('[').next().unwrap_or_default()) => {
            reader.wrong(place, field, format!("found {found}; expected {allowed}"));
        }
        _ => reader.wrong(place, otherwise, error.to_string()),
    }
}

/// A placement, whose table has the keys `position` and `orientation`.
pub(crate) fn placed(
    position: [Length; 3],
    orientation: Orientation,
    place: &Place,
    reader: &mut Reader,
) -> Option<Pose> {
    let position = triple(place, "position", metres(position), reader)?;
    let orientation: UnitQuaternion<f64> = orientation.0;
    Some(Pose { position: Vec3::from(position), orientation })
}
