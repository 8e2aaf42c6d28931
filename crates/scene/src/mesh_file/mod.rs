//! Mesh files: which format one has, and what it holds.
//!
//! | format | recognised by | unit |
//! |---|---|---|
//! | PLY | the word `ply` | none |
//! | 3MF | a zip archive | named in the file |
//! | glTF | the word `glTF`, or JSON | metre |
//! | COLLADA | the element `COLLADA` | named in the file |
//! | OFF | its first word | none |
//! | STL | a length that fits the number of triangles, or the word `solid` | none |
//! | OBJ | statements of it | none |
//!
//! The content decides; where it says nothing, the ending of the name does.

mod collada;
mod gltf;
mod placement;
#[cfg(test)]
mod tests;
mod three_mf;
mod zip;

use crate::error::{Result, SceneError};
use crate::read::Reader;
use rattleback_geom::GeomError;
use rattleback_geom::mesh::{Facets, PolygonMesh, Polygons, obj, off, ply, stl};
use std::path::Path;

/// The endings of mesh files, for messages.
pub(crate) const ENDINGS: &str = ".stl, .obj, .ply, .off, .3mf, .gltf, .glb or .dae";

/// The endings of files that hold polygons.
pub(crate) const POLYGON_ENDINGS: &str = ".obj, .ply or .off";

/// The formats of mesh files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MeshFormat {
    Stl,
    Obj,
    Ply,
    Off,
    ThreeMf,
    Gltf,
    Collada,
}

impl MeshFormat {
    fn name(self) -> &'static str {
        match self {
            Self::Stl => "STL",
            Self::Obj => "OBJ",
            Self::Ply => "PLY",
            Self::Off => "OFF",
            Self::ThreeMf => "3MF",
            Self::Gltf => "glTF",
            Self::Collada => "COLLADA",
        }
    }

    fn of_ending(ending: &str) -> Option<Self> {
        Some(match ending {
            "stl" => Self::Stl,
            "obj" => Self::Obj,
            "ply" => Self::Ply,
            "off" => Self::Off,
            "3mf" => Self::ThreeMf,
            "gltf" | "glb" => Self::Gltf,
            "dae" => Self::Collada,
            _ => return None,
        })
    }

    fn of_content(bytes: &[u8]) -> Option<Self> {
        let starts = |word: &[u8]| bytes.starts_with(word);
        if starts(b"ply\n") || starts(b"ply\r") {
            return Some(Self::Ply);
        }
        if starts(b"PK\x03\x04") {
            return Some(Self::ThreeMf);
        }
        if starts(b"glTF") {
            return Some(Self::Gltf);
        }
        let count = bytes.get(80..84).and_then(|b| b.try_into().ok()).map(u32::from_le_bytes);
        if count.is_some_and(|n| bytes.len() as u64 == 84 + 50 * u64::from(n)) {
            return Some(Self::Stl);
        }
        // Names of makers in comments may be long; geometry begins before this.
        let head = String::from_utf8_lossy(&bytes[..bytes.len().min(1 << 16)]);
        if collada::is_header(&head) {
            return Some(Self::Collada);
        }
        let mut lines = head.trim_start_matches('\u{feff}').lines().map(str::trim);
        let word =
            lines.find(|line| !line.is_empty() && !line.starts_with('#'))?.split_whitespace().next()?;
        match word {
            "v" | "vn" | "vt" | "f" | "o" | "g" | "s" | "mtllib" | "usemtl" => Some(Self::Obj),
            _ if word.eq_ignore_ascii_case("solid") => Some(Self::Stl),
            _ if off::is_header(word) => Some(Self::Off),
            _ if word.starts_with('{') && head.contains("\"asset\"") => Some(Self::Gltf),
            _ => None,
        }
    }
}

/// The ending of a file's name, in small letters.
pub(crate) fn ending(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}

/// What a file holds.
pub(crate) struct MeshFile {
    /// Its triangles, in metres where the format has a unit.
    pub(crate) facets: Facets,
    /// Whether the format has a unit.
    pub(crate) has_unit: bool,
    /// What was passed over, in words that name the file.
    pub(crate) remarks: Vec<String>,
}

/// Reads the triangles of a file.
pub(crate) fn read(path: &Path, reader: &mut Reader) -> Result<MeshFile> {
    let (bytes, format, mut remarks) = open(path, reader)?;
    let wrong = |source| SceneError::Mesh { path: path.to_owned(), source };
    let (facets, passed_over) = match format {
        MeshFormat::Stl => (stl::read_facets(&bytes).map_err(wrong)?, Default::default()),
        MeshFormat::ThreeMf => three_mf::read(&bytes).map_err(wrong)?,
        MeshFormat::Collada => {
            let (facets, passed_over, remark) = collada::read(&bytes).map_err(wrong)?;
            remarks.extend(remark.map(|remark| format!("{}: {remark}", path.display())));
            (facets, passed_over)
        }
        MeshFormat::Gltf => {
            let folder = path.parent().unwrap_or(Path::new(""));
            gltf::read(&bytes, |name| reader.bytes(&folder.join(name))).map_err(wrong)?
        }
        MeshFormat::Obj | MeshFormat::Ply | MeshFormat::Off => {
            let polygons = polygons(format, &bytes).map_err(wrong)?;
            let passed_over = polygons.passed_over;
            (polygons.into_facets().map_err(wrong)?, passed_over)
        }
    };
    if !passed_over.is_empty() {
        remarks.push(format!("{}: {passed_over}", path.display()));
    }
    let has_unit = matches!(format, MeshFormat::ThreeMf | MeshFormat::Gltf | MeshFormat::Collada);
    Ok(MeshFile { facets, has_unit, remarks })
}

/// Reads the polygons of a file as they are; files that hold triangles only are refused.
pub(crate) fn read_polygons(
    path: &Path,
    remarks: &mut Vec<String>,
    reader: &mut Reader,
) -> Result<PolygonMesh> {
    let wrong = |source| SceneError::Mesh { path: path.to_owned(), source };
    let (bytes, format, said) = open(path, reader)?;
    remarks.extend(said);
    let polygons = polygons(format, &bytes).map_err(wrong)?;
    if !polygons.passed_over.is_empty() {
        remarks.push(format!("{}: {}", path.display(), polygons.passed_over));
    }
    polygons.into_mesh().map_err(wrong)
}

fn open(path: &Path, reader: &mut Reader) -> Result<(Vec<u8>, MeshFormat, Vec<String>)> {
    let bytes = reader.bytes(path).map_err(|source| SceneError::Read { path: path.to_owned(), source })?;
    let ending = ending(path);
    let (by_content, by_ending) = (MeshFormat::of_content(&bytes), MeshFormat::of_ending(&ending));
    let format = by_content.or(by_ending).ok_or_else(|| SceneError::Format { path: path.to_owned() })?;
    let mut remarks = Vec::new();
    if by_ending.is_some_and(|other| other != format) {
        remarks.push(format!("{}: holds {} and is read as such", path.display(), format.name()));
    }
    Ok((bytes, format, remarks))
}

fn polygons(format: MeshFormat, bytes: &[u8]) -> std::result::Result<Polygons, GeomError> {
    match format {
        MeshFormat::Obj => obj::read_polygons(bytes),
        MeshFormat::Ply => ply::read(bytes),
        MeshFormat::Off => off::read(bytes),
        _ => Err(GeomError::Inconsistent {
            field: "format".to_owned(),
            found: format!("{}, which holds triangles only", format.name()),
            allowed: format!("one that holds polygons: {POLYGON_ENDINGS}"),
        }),
    }
}
