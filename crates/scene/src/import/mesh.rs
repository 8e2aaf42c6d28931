//! The mesh files of a robot: found, read once, and written anew where a scene cannot say how they are scaled.

use super::part_shape::PartShape;
use crate::error::SceneError;
use crate::mesh_file;
use crate::read::Reader;
use rattleback_geom::mesh::obj;
use rattleback_geom::surface::Mesh;
use rattleback_geom::{Moments, TriMesh, Vec3};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The largest mesh file that is read, in bytes: some million triangles.
const MAX_BYTES: u64 = 100 << 20;

/// A mesh that can be used: how a scene names it, and its moments.
#[derive(Debug, Clone)]
pub(super) struct Usable {
    pub(super) shape: PartShape,
    pub(super) moments: Moments,
}

/// The meshes that were asked for.
#[derive(Debug, Default)]
pub(super) struct Meshes {
    /// The folder, beside the scene, of meshes that are written anew.
    folder: String,
    read: BTreeMap<PathBuf, Result<Arc<TriMesh>, String>>,
    used: BTreeMap<(PathBuf, [u64; 3]), Usable>,
    /// Meshes that are written anew: names within the scene's folder, and what they say.
    pub(super) written: Vec<(PathBuf, String)>,
}

impl Meshes {
    pub(super) fn new(folder: String) -> Self {
        Self { folder, ..Self::default() }
    }

    /// The mesh of a file with factors on its coordinates, or why it cannot be used.
    pub(super) fn find(&mut self, path: &Path, scale: [f64; 3]) -> Result<Usable, String> {
        let key = (path.to_owned(), scale.map(f64::to_bits));
        if let Some(found) = self.used.get(&key) {
            return Ok(found.clone());
        }
        let mesh = self.read.entry(path.to_owned()).or_insert_with(|| read(path).map(Arc::new)).clone()?;
        if scale.contains(&0.0) {
            return Err("is scaled to nothing".to_owned());
        }
        let [x, y, z] = scale;
        let scaled = scaled(&mesh, scale)?;
        let usable = if x == y && y == z && x > 0.0 {
            PartShape::Mesh { file: path.to_owned(), scale: x }
        } else {
            PartShape::Mesh { file: self.write(path, &scaled)?, scale: 1.0 }
        };
        let usable = Usable { shape: usable, moments: scaled.moments() };
        self.used.insert(key, usable.clone());
        Ok(usable)
    }

    /// Writes a mesh anew, under a name of its own.
    fn write(&mut self, path: &Path, mesh: &TriMesh) -> Result<PathBuf, String> {
        let stem = path.file_stem().map_or("mesh".to_owned(), |stem| stem.to_string_lossy().into_owned());
        let named = |k: usize| Path::new(&self.folder).join(format!("{stem}_{k}.obj"));
        let name = (1..).map(named).find(|name| self.written.iter().all(|(other, _)| other != name));
        let mut bytes = Vec::new();
        obj::write(mesh, &mut bytes).map_err(|error| error.to_string())?;
        let text = String::from_utf8(bytes).map_err(|error| error.to_string())?;
        let name = name.ok_or("has no name left")?;
        self.written.push((name.clone(), text));
        Ok(name)
    }
}

/// The mesh with factors on its coordinates, its faces turned outwards.
fn scaled(mesh: &TriMesh, scale: [f64; 3]) -> Result<TriMesh, String> {
    let vertices = mesh.vertices().iter().map(|v| v.component_mul(&Vec3::from(scale))).collect();
    let mirrored = scale.iter().product::<f64>() < 0.0;
    let turned = |[a, b, c]: &[u32; 3]| if mirrored { [*a, *c, *b] } else { [*a, *b, *c] };
    TriMesh::new(vertices, mesh.triangles().iter().map(turned).collect()).map_err(|error| error.to_string())
}

/// A closed mesh of a file, or why there is none.
fn read(path: &Path) -> Result<TriMesh, String> {
    let metadata = std::fs::metadata(path).map_err(|error| format!("cannot be read: {error}"))?;
    if metadata.len() > MAX_BYTES {
        return Err(format!("has {} bytes; at most {MAX_BYTES} are read", metadata.len()));
    }
    // As the scene will read it.
    let file = match mesh_file::read(path, &mut Reader::default()) {
        Ok(file) => file,
        Err(SceneError::Format { .. }) => {
            return Err(format!("is of no format that is read: {}", mesh_file::ENDINGS));
        }
        Err(SceneError::Mesh { source, .. }) => return Err(format!("cannot be read: {source}")),
        Err(error) => return Err(format!("cannot be read: {error}")),
    };
    let repaired = file.facets.repaired().map_err(|error| format!("bounds no solid: {error}"))?;
    // What a scene asks of a mesh besides.
    Mesh::new(repaired.mesh.clone()).map_err(|error| format!("bounds no solid: {error}"))?;
    Ok(repaired.mesh)
}
