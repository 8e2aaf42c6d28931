//! Shapes that come from a mesh file: the mesh itself, or a smooth body fitted to it.

use super::refuse;
use crate::error::{Result, SceneError};
use crate::read::{Place, Reader, entry};
use rattleback_geom::mesh::Facets;
use rattleback_geom::potential::{Fit, FitSettings, Potential};
use rattleback_geom::surface::{Mesh, PotentialBody, Shape};
use rattleback_geom::{GeomError, TriMesh, mesh};
use std::path::{Path, PathBuf};

entry! {
    /// A smooth convex body fitted to the vertices of a mesh file.
    pub struct FitSpec {
        /// STL or OBJ, relative to this file.
        file: PathBuf,
        /// Degree of the spherical harmonics.
        degree: usize,
    }
}
entry! {
    /// A closed triangle mesh. Of a file with faults a remark says what was found and what is assumed of it; holes and
    /// what else bounds no solid is refused.
    pub struct MeshSpec {
        /// STL or OBJ, relative to this file.
        file: PathBuf,
        /// Multiplies all coordinates, for files in other units than metres.
        scale: f64 = 1.0,
    }
}

impl FitSpec {
    pub(super) fn lower(
        &self,
        folder: &Path,
        remarks: &mut Vec<String>,
        reader: &mut Reader,
    ) -> Option<Shape> {
        let path = folder.join(&self.file);
        let mesh = named(&path, &self.place, reader)?;
        let settings = FitSettings { degree: self.degree, ..FitSettings::default() };
        let fitted = Fit::to_mesh(&mesh, &settings).and_then(|fit| {
            remarks.push(format!(
                "fitted to the hull of {} vertices: largest error {:.3e} m, root mean square {:.3e} m",
                mesh.vertices().len(),
                fit.max_error,
                fit.rms_error
            ));
            PotentialBody::new(Potential::harmonics(fit.harmonics))
        });
        fitted.map_err(|error| blame(&error, &path, &self.place, reader)).map(Shape::from).ok()
    }
}

impl MeshSpec {
    /// The mesh; its file is relative to `folder`, remarks say what was found wrong and set right.
    pub fn lower(&self, folder: &Path, remarks: &mut Vec<String>, reader: &mut Reader) -> Option<Shape> {
        let path = folder.join(&self.file);
        let facets = told(read_facets(&path, reader), &self.place, reader)?;
        let solid = set_right(facets, &path, remarks);
        // A number that is wrong whatever the file holds, before what is wrong with the file.
        let scaled = if self.scale == 1.0 { solid } else { solid.and_then(|mesh| mesh.scaled(self.scale)) };
        scaled
            .and_then(Mesh::new)
            .map_err(|error| blame(&error, &path, &self.place, reader))
            .map(Shape::from)
            .ok()
    }
}

/// The closed mesh of what a file holds; what had to be set right for it is remarked.
pub(super) fn set_right(
    facets: Facets,
    path: &Path,
    remarks: &mut Vec<String>,
) -> std::result::Result<TriMesh, GeomError> {
    let repaired = facets.repaired()?;
    remarks.extend(repaired.findings.iter().map(|finding| format!("{}: {finding}", path.display())));
    Ok(repaired.mesh)
}

/// The mesh of a file that a table names at its key `file`.
pub(super) fn named(path: &Path, place: &Place, reader: &mut Reader) -> Option<TriMesh> {
    let mesh = read_facets(path, reader).and_then(|facets| {
        facets.into_mesh().map_err(|source| SceneError::Mesh { path: path.to_owned(), source })
    });
    told(mesh, place, reader)
}

/// What was read; why nothing was is told at the key `file`.
fn told<T>(read: Result<T>, place: &Place, reader: &mut Reader) -> Option<T> {
    let message = match read {
        Ok(read) => return Some(read),
        Err(SceneError::Format { path }) => {
            format!("{}: the ending says no known format; expected .stl or .obj", path.display())
        }
        Err(error) => error.to_string(),
    };
    reader.wrong(place, "file", message);
    None
}

/// Tells what is wrong at the key that is to blame: a number of the table, or the file.
pub(super) fn blame(error: &GeomError, path: &Path, place: &Place, reader: &mut Reader) {
    match error {
        GeomError::OutOfRange { field, .. } if place.has(field) => refuse(error, place, "file", reader),
        _ => reader.wrong(place, "file", format!("{}: {error}", path.display())),
    }
}

/// Reads the triangles of an `.stl` or `.obj` file.
pub(super) fn read_facets(path: &Path, reader: &mut Reader) -> Result<Facets> {
    let read = |source| SceneError::Read { path: path.to_owned(), source };
    let parsed = match super::file::ending(path).as_str() {
        "stl" => mesh::stl::read_facets(&reader.bytes(path).map_err(read)?),
        "obj" => mesh::obj::read_facets(&reader.text(path).map_err(read)?),
        _ => return Err(SceneError::Format { path: path.to_owned() }),
    };
    parsed.map_err(|source| SceneError::Mesh { path: path.to_owned(), source })
}
