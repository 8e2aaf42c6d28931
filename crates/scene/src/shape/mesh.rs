//! Shapes that come from a mesh file: the mesh itself, or a smooth body fitted to it.

use super::refuse;
use crate::error::{Result, SceneError};
use crate::read::{Place, Reader, entry};
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
    /// A closed triangle mesh.
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
    pub(super) fn lower(&self, folder: &Path, reader: &mut Reader) -> Option<Shape> {
        let path = folder.join(&self.file);
        let mesh = named(&path, &self.place, reader)?;
        // A number that is wrong whatever the file holds, before what is wrong with the file.
        let scaled = if self.scale == 1.0 { Ok(mesh) } else { mesh.scaled(self.scale) };
        scaled
            .and_then(Mesh::new)
            .map_err(|error| blame(&error, &path, &self.place, reader))
            .map(Shape::from)
            .ok()
    }
}

/// The mesh of a file that a table names at its key `file`.
pub(super) fn named(path: &Path, place: &Place, reader: &mut Reader) -> Option<TriMesh> {
    let message = match read_mesh(path, reader) {
        Ok(mesh) => return Some(mesh),
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

/// Reads a mesh from `.stl` or `.obj`.
pub(super) fn read_mesh(path: &Path, reader: &Reader) -> Result<TriMesh> {
    let read = |source| SceneError::Read { path: path.to_owned(), source };
    let parsed = match super::file::ending(path).as_str() {
        "stl" => mesh::stl::read(&reader.bytes(path).map_err(read)?),
        "obj" => mesh::obj::read(&reader.text(path).map_err(read)?),
        _ => return Err(SceneError::Format { path: path.to_owned() }),
    };
    parsed.map_err(|source| SceneError::Mesh { path: path.to_owned(), source })
}
