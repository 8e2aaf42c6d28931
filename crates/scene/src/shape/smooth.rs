//! Smooth surfaces of control points: subdivision surfaces of mesh files, Bézier patches, NURBS and S-patches.

use super::mesh::{blame, hint_at_unit, set_right, told};
use super::refuse;
use crate::mesh_file;
use crate::read::{Length, Place, Reader, entry};
use rattleback_geom::patch::{BezierPatch, NurbsSurface, PatchNet, SPatch, SPatchSurface};
use rattleback_geom::subdivision::{CatmullClarkSurface, LoopSurface};
use rattleback_geom::surface::Shape;
use rattleback_geom::{GeomError, Vec3};
use std::path::{Path, PathBuf};

entry! {
    /// Loop's subdivision surface over a closed mesh of triangles.
    pub struct LoopSpec {
        /// The control mesh, STL, OBJ, PLY, OFF, 3MF, glTF or COLLADA, relative to this file.
        file: PathBuf,
        /// Multiplies all coordinates, for files in other units than metres.
        scale: f64 = 1.0,
        /// Closes holes by triangles over their rims.
        close_holes: bool = false,
    }
}
entry! {
    /// Catmull and Clark's subdivision surface over a closed mesh of polygons.
    pub struct CatmullClarkSpec {
        /// The control mesh, OBJ, PLY or OFF, relative to this file.
        file: PathBuf,
        /// Multiplies all coordinates, for files in other units than metres.
        scale: f64 = 1.0,
    }
}
entry! {
    /// A Bézier patch over the unit square.
    pub struct BezierSpec {
        /// Degrees p and q along u and v, from 1 to 9.
        degree: [usize; 2],
        /// (p + 1)(q + 1) points, those along v together.
        control: Vec<[Length; 3]>,
        /// One above zero for each control point, in their order; all are one where there are none.
        weights: Option<Vec<f64>>,
    }
}
entry! {
    /// A B-spline or NURBS surface.
    pub struct NurbsSpec {
        /// Degrees along u and v, from 1 to 9.
        degree: [usize; 2],
        /// Knots along u and along v, not decreasing: as many as control points and the degree and one.
        knots: [Vec<f64>; 2],
        /// The control points, those along v together.
        control: Vec<[Length; 3]>,
        /// One above zero for each control point, in their order; all are one where there are none.
        weights: Option<Vec<f64>>,
    }
}
entry! {
    /// An S-patch of Loop and DeRose over a regular polygon: a patch of any number of sides.
    pub struct SPatchSpec {
        /// The number of sides n, from 3 to 12.
        sides: usize,
        /// The depth d, the degree of its border curves, from 1 to 9.
        depth: usize,
        /// One point for every (i1, ..., in) with the sum d: i1 falls from d, then i2, and so on.
        control: Vec<[Length; 3]>,
    }
}

impl LoopSpec {
    pub(super) fn lower(
        &self,
        folder: &Path,
        remarks: &mut Vec<String>,
        reader: &mut Reader,
    ) -> Option<Shape> {
        let path = folder.join(&self.file);
        let file = told(mesh_file::read(&path, reader), &self.place, reader)?;
        let has_unit = file.has_unit;
        let mesh = set_right(file, &path, self.close_holes, remarks);
        let scaled = if self.scale == 1.0 { mesh } else { mesh.and_then(|mesh| mesh.scaled(self.scale)) };
        let built = scaled.and_then(|mesh| LoopSurface::new(&mesh));
        let built = built.map_err(|error| blame(&error, &path, &self.place, reader)).ok()?;
        let shape = Shape::from(built);
        hint_at_unit(&shape, &path, &self.place, has_unit, remarks);
        Some(shape)
    }
}

impl CatmullClarkSpec {
    pub(super) fn lower(
        &self,
        folder: &Path,
        remarks: &mut Vec<String>,
        reader: &mut Reader,
    ) -> Option<Shape> {
        let path = folder.join(&self.file);
        let mesh = told(mesh_file::read_polygons(&path, remarks, reader), &self.place, reader)?;
        let scaled = if self.scale == 1.0 { Ok(mesh) } else { mesh.scaled(self.scale) };
        let built = scaled.and_then(|mesh| CatmullClarkSurface::new(&mesh));
        let built = built.map_err(|error| blame(&error, &path, &self.place, reader)).ok()?;
        let shape = Shape::from(built);
        hint_at_unit(&shape, &path, &self.place, false, remarks);
        Some(shape)
    }
}

fn points(control: &[[Length; 3]]) -> Vec<Vec3> {
    control.iter().map(|p| Vec3::from(super::metres(*p))).collect()
}

impl BezierSpec {
    pub(super) fn lower(&self, reader: &mut Reader) -> Option<Shape> {
        let control = points(&self.control);
        let patch = match &self.weights {
            None => BezierPatch::new(self.degree, control),
            Some(weights) => BezierPatch::rational(self.degree, control, weights.clone()),
        };
        let built = patch.and_then(|patch| PatchNet::new(vec![patch])).map(Shape::from);
        taken(built, &self.place, reader)
    }
}

impl NurbsSpec {
    pub(super) fn lower(&self, reader: &mut Reader) -> Option<Shape> {
        let control = points(&self.control);
        let built = NurbsSurface::new(self.degree, self.knots.clone(), &control, self.weights.as_deref());
        taken(built.map(Shape::from), &self.place, reader)
    }
}

impl SPatchSpec {
    pub(super) fn lower(&self, reader: &mut Reader) -> Option<Shape> {
        let patch = SPatch::new(self.sides, self.depth, points(&self.control));
        let built = patch.and_then(SPatchSurface::new).map(Shape::from);
        taken(built, &self.place, reader)
    }
}

fn taken(built: Result<Shape, GeomError>, place: &Place, reader: &mut Reader) -> Option<Shape> {
    built.map_err(|error| refuse(&error, place, "control", reader)).ok()
}
