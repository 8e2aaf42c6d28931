//! Files of one shape.

use super::ShapeSpec;
use super::mesh::{read_facets, set_right};
use crate::error::{Result, SceneError};
use crate::read::{Complaint, Field, Reader, Source, SourceValue};
use rattleback_geom::surface::{Mesh, Shape};
use std::path::Path;

/// Reads a shape; with it come remarks on what was made of its description.
pub(crate) fn read(path: &Path, reader: &mut Reader) -> Result<(Shape, Vec<String>)> {
    let format = ending(path);
    match format.as_str() {
        "toml" | "json" => {}
        "stl" | "obj" => {
            let mut remarks = Vec::new();
            let mesh = set_right(read_facets(path, reader)?, path, &mut remarks);
            let solid = mesh.and_then(Mesh::new);
            let solid = solid.map_err(|source| SceneError::Mesh { path: path.to_owned(), source })?;
            return Ok((solid.into(), remarks));
        }
        _ => return Err(SceneError::Format { path: path.to_owned() }),
    }
    let file = Source::read(path)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    parse(&file.text, format == "json", folder, reader)
        .map_err(|complaints| SceneError::Refused { file, complaints })
}

type Parsed = std::result::Result<(Shape, Vec<String>), Vec<Complaint>>;

fn parse(text: &str, json: bool, folder: &Path, reader: &mut Reader) -> Parsed {
    let (node, complaints) = if json {
        (SourceValue::from_json(text).map_err(|complaint| vec![complaint])?, Vec::new())
    } else {
        SourceValue::from_toml(text)
    };
    // What a broken text seems to say is not judged.
    if !complaints.is_empty() {
        return Err(complaints);
    }
    let mut remarks = Vec::new();
    reader.set_text(text);
    let spec = ShapeSpec::read(&node, reader);
    let shape = spec.and_then(|spec| spec.lower(folder, &mut remarks, reader));
    match shape {
        Some(shape) if reader.is_content() => Ok((shape, remarks)),
        _ => Err(std::mem::take(reader).into_complaints()),
    }
}

/// The ending of a file's name, in small letters.
pub(super) fn ending(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}
