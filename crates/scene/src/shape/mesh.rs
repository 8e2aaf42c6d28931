//! Shapes that come from a mesh file: the mesh itself, or a smooth body fitted to it.

use super::refuse;
use crate::error::{Result, SceneError};
use crate::mesh_file::{self, MeshFile};
use crate::read::{Length, Place, Reader, entry};
use rattleback_geom::mesh::RepairSettings;
use rattleback_geom::mesh::sheet::Sheet;
use rattleback_geom::potential::{Fit, FitSettings, Potential};
use rattleback_geom::surface::{Mesh, PotentialBody, Shape};
use rattleback_geom::{GeomError, TriMesh, Vec3};
use std::path::{Path, PathBuf};

entry! {
    /// A smooth convex body fitted to the vertices of a mesh file.
    pub struct FitSpec {
        /// STL, OBJ, PLY, OFF, 3MF, glTF or COLLADA, relative to this file.
        file: PathBuf,
        /// Multiplies all coordinates, for files in other units than metres.
        scale: f64 = 1.0,
        /// Degree of the spherical harmonics.
        degree: usize,
    }
}
entry! {
    /// A closed triangle mesh. Of a file with faults a remark says what was found and what is assumed of it; holes and
    /// what else bounds no solid is refused.
    pub struct MeshSpec {
        /// STL, OBJ, PLY, OFF, 3MF, glTF or COLLADA, relative to this file.
        file: PathBuf,
        /// Multiplies all coordinates, for files in other units than metres.
        scale: f64 = 1.0,
        /// Closes holes by triangles over their rims.
        close_holes: bool = false,
        /// Makes a solid of an open surface: a second sheet lies so far below the first, against its normals, and a
        /// skirt joins them along the rims.
        thickness: Option<Length>,
    }
}

/// A body of a file without units that is longer than this, in metres, was probably drawn in millimetres.
const LONG: f64 = 20.0;

impl FitSpec {
    pub(super) fn lower(
        &self,
        folder: &Path,
        remarks: &mut Vec<String>,
        reader: &mut Reader,
    ) -> Option<Shape> {
        let path = folder.join(&self.file);
        let file = told(mesh_file::read(&path, reader), &self.place, reader)?;
        remarks.extend(file.remarks);
        let settings = FitSettings { degree: self.degree, ..FitSettings::default() };
        let fitted = scaled(file.facets.vertices, self.scale).and_then(|points| {
            let fit = Fit::to_points(&points, &settings)?;
            remarks.push(format!(
                "fitted to the hull of {} vertices: largest error {:.3e} m, root mean square {:.3e} m",
                points.len(),
                fit.max_error,
                fit.rms_error
            ));
            PotentialBody::new(Potential::harmonics(fit.harmonics))
        });
        let body = fitted.map_err(|error| blame(&error, &path, &self.place, reader)).ok()?;
        let shape = Shape::from(body);
        hint_at_unit(&shape, &path, &self.place, file.has_unit, remarks);
        Some(shape)
    }
}

pub(super) fn scaled(points: Vec<Vec3>, factor: f64) -> std::result::Result<Vec<Vec3>, GeomError> {
    if factor.is_finite() && factor > 0.0 {
        return Ok(points.into_iter().map(|p| p * factor).collect());
    }
    let allowed = "a finite number above zero".to_owned();
    Err(GeomError::OutOfRange { field: "scale".to_owned(), value: factor, allowed })
}

impl MeshSpec {
    /// The mesh; its file is relative to `folder`, remarks say what was found wrong and set right.
    pub fn lower(&self, folder: &Path, remarks: &mut Vec<String>, reader: &mut Reader) -> Option<Shape> {
        self.solid(folder, remarks, reader).map(|(shape, _)| shape)
    }

    /// The same as the shape of a body, whose size is judged.
    pub(super) fn lower_body(
        &self,
        folder: &Path,
        remarks: &mut Vec<String>,
        reader: &mut Reader,
    ) -> Option<Shape> {
        let (shape, has_unit) = self.solid(folder, remarks, reader)?;
        hint_at_unit(&shape, &folder.join(&self.file), &self.place, has_unit, remarks);
        Some(shape)
    }

    /// The mesh, and whether its file has a unit.
    fn solid(&self, folder: &Path, remarks: &mut Vec<String>, reader: &mut Reader) -> Option<(Shape, bool)> {
        let path = folder.join(&self.file);
        let file = told(mesh_file::read(&path, reader), &self.place, reader)?;
        let has_unit = file.has_unit;
        let mesh = match self.thickness {
            None => set_right(file, &path, self.close_holes, remarks),
            Some(_) if self.close_holes => {
                let message = "found holes to be closed and a thickness; expected one of them";
                reader.wrong(&self.place, "thickness", message);
                return None;
            }
            Some(_) => set_alike(file, &path, remarks),
        };
        // A number that is wrong whatever the file holds, before what is wrong with the file.
        let scaled = if self.scale == 1.0 { mesh } else { mesh.and_then(|mesh| mesh.scaled(self.scale)) };
        let solid = match self.thickness {
            None => scaled.and_then(Mesh::new),
            Some(thickness) => scaled.and_then(|surface| thickened(&surface, thickness.0, &path, remarks)),
        };
        let solid = solid.map_err(|error| blame(&error, &path, &self.place, reader)).ok()?;
        Some((solid.into(), has_unit))
    }
}

/// The closed mesh of what a file holds; what had to be set right for it is remarked.
pub(super) fn set_right(
    file: MeshFile,
    path: &Path,
    close_holes: bool,
    remarks: &mut Vec<String>,
) -> std::result::Result<TriMesh, GeomError> {
    remarks.extend(file.remarks);
    let repaired = file.facets.repaired_with(&RepairSettings { close_holes })?;
    remarks.extend(repaired.findings.iter().map(|finding| format!("{}: {finding}", path.display())));
    Ok(repaired.mesh)
}

/// The surface of a file that may have rims, its triangles turned alike; what had to be set right for it is remarked.
fn set_alike(
    file: MeshFile,
    path: &Path,
    remarks: &mut Vec<String>,
) -> std::result::Result<TriMesh, GeomError> {
    remarks.extend(file.remarks);
    let repaired = file.facets.repaired_open()?;
    remarks.extend(repaired.findings.iter().map(|finding| format!("{}: {finding}", path.display())));
    Ok(repaired.mesh)
}

/// The solid of an open surface; where its second sheet meets the first one is remarked.
fn thickened(
    surface: &TriMesh,
    thickness: f64,
    path: &Path,
    remarks: &mut Vec<String>,
) -> std::result::Result<Mesh, GeomError> {
    let Sheet { mesh, met } = Sheet::new(surface, thickness)?;
    if met > 0 {
        remarks.push(format!(
            "{}: within the thickness the surface comes back to itself below {met} of its {} vertices; there the solid \
             cuts itself, and contacts are not to be relied upon",
            path.display(),
            surface.vertices().len()
        ));
    }
    Mesh::new(mesh)
}

/// Says how long a body is where its file was probably drawn in another unit and no scale was given.
pub(super) fn hint_at_unit(
    shape: &Shape,
    path: &Path,
    place: &Place,
    has_unit: bool,
    remarks: &mut Vec<String>,
) {
    if !has_unit && !place.has("scale") {
        remarks.extend(unit_hint(shape, path));
    }
}

/// The same for a file that no table names.
pub(super) fn unit_hint(shape: &Shape, path: &Path) -> Option<String> {
    let bounds = shape.surface().bounds();
    let longest = (bounds.max - bounds.min).max();
    let path = path.display();
    (longest > LONG)
        .then(|| format!("{path}: {longest:.4} m long; a file in millimetres needs `scale = 0.001`"))
}

/// What was read; why nothing was is told at the key `file`.
pub(super) fn told<T>(read: Result<T>, place: &Place, reader: &mut Reader) -> Option<T> {
    let message = match read {
        Ok(read) => return Some(read),
        Err(SceneError::Format { path }) => {
            format!(
                "{}: neither content nor ending says a known format; expected {}",
                path.display(),
                mesh_file::ENDINGS
            )
        }
        Err(error) => error.to_string(),
    };
    reader.wrong(place, "file", message);
    None
}

/// Tells what is wrong at the key that is to blame: a number of the table, or the file.
pub(super) fn blame(error: &GeomError, path: &Path, place: &Place, reader: &mut Reader) {
    let advice = match error {
        GeomError::OutOfRange { field, .. } | GeomError::Inconsistent { field, .. } if place.has(field) => {
            return refuse(error, place, "file", reader);
        }
        GeomError::NotClosed { edges: 0, .. } => {
            "\n    `close_holes = true` closes holes, `thickness` makes a solid of an open surface"
        }
        _ => "",
    };
    reader.wrong(place, "file", format!("{}: {error}{advice}", path.display()));
}
