//! Files of one shape.

use super::ShapeSpec;
use super::mesh::{set_right, unit_hint};
use crate::error::{Result, SceneError};
use crate::mesh_file::{self, ending};
use crate::read::{Complaint, Field, Reader, Source, SourceValue};
use rattleback_geom::surface::{Mesh, Shape};
use std::path::Path;

/// Reads a shape; with it come remarks on what was made of its description.
pub(crate) fn read(path: &Path, reader: &mut Reader) -> Result<(Shape, Vec<String>)> {
    let format = ending(path);
    if format != "toml" && format != "json" {
        return read_mesh(path, reader);
    }
    parse_source(Source::read(path)?, reader)
}

/// The shape of a text; the files that it names are looked for from its path.
pub(crate) fn parse_source(file: Source, reader: &mut Reader) -> Result<(Shape, Vec<String>)> {
    let folder = file.path.parent().unwrap_or(Path::new(""));
    parse(&file, folder, reader).map_err(|complaints| SceneError::Refused { file, complaints })
}

fn read_mesh(path: &Path, reader: &mut Reader) -> Result<(Shape, Vec<String>)> {
    let mut remarks = Vec::new();
    let file = mesh_file::read(path, reader)?;
    let has_unit = file.has_unit;
    let solid = set_right(file, path, false, &mut remarks).and_then(Mesh::new);
    let solid = Shape::from(solid.map_err(|source| SceneError::Mesh { path: path.to_owned(), source })?);
    if !has_unit {
        remarks.extend(unit_hint(&solid, path));
    }
    Ok((solid, remarks))
}

type Parsed = std::result::Result<(Shape, Vec<String>), Vec<Complaint>>;

fn parse(file: &Source, folder: &Path, reader: &mut Reader) -> Parsed {
    let (node, complaints) = SourceValue::from_source(file);
    // What a broken text seems to say is not judged.
    if !complaints.is_empty() {
        return Err(complaints);
    }
    let mut remarks = Vec::new();
    reader.set_text(file.text.as_str());
    let spec = ShapeSpec::read(&node, reader);
    let shape = spec.and_then(|spec| spec.lower(folder, &mut remarks, reader));
    match shape {
        Some(shape) if reader.is_content() => Ok((shape, remarks)),
        _ => Err(std::mem::take(reader).into_complaints()),
    }
}
