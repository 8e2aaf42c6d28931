//! glTF 2.0 files: scenes of nodes that place meshes, in JSON with buffers or as one binary file (`.glb`).
//!
//! Taken are the triangles of the scene that the file shows first (without scenes, of all nodes that no other has):
//! lists, strips and fans with positions of f32, with or without indices, under their nodes' maps. Lengths are in
//! metres; axes are taken as they are. Lines and points are counted. Looks, animations, skins and morphs are not used.
//! Sparse, quantised and compressed positions are refused by name. (Khronos, glTF 2.0 Specification, 3.5 to 3.7.)

mod buffers;
mod document;

use super::placement::Affine;
use buffers::Buffers;
use document::{Document, Node, Primitive};
use rattleback_geom::mesh::{Facets, PassedOver};
use rattleback_geom::nalgebra::{Quaternion, UnitQuaternion};
use rattleback_geom::{GeomError, Mat3, Vec3};

type Result<T> = std::result::Result<T, GeomError>;

/// Extensions that a file may require and that change no surface, by how they begin.
const HARMLESS: [&str; 5] =
    ["KHR_materials_", "KHR_texture_", "KHR_technique", "KHR_lights_", "EXT_texture_"];

/// Reads the triangles of a file; `beside` gives the bytes of files that stand beside it.
pub(super) fn read(
    bytes: &[u8],
    beside: impl FnMut(&str) -> std::io::Result<Vec<u8>>,
) -> Result<(Facets, PassedOver)> {
    let (json, binary) = if bytes.starts_with(b"glTF") { chunks(bytes)? } else { (bytes, None) };
    let document = Document::read(json)?;
    if let Some(other) = document.required().find(|name| !HARMLESS.iter().any(|h| name.starts_with(h))) {
        return Err(wrong("extensionsRequired", other, "extensions of looks alone"));
    }
    let buffers = Buffers::load(&document, binary, beside)?;
    let mut scene = Placed {
        document: &document,
        buffers,
        facets: Facets { vertices: Vec::new(), triangles: Vec::new() },
        passed_over: PassedOver::default(),
    };
    scene.place_nodes()?;
    Ok((scene.facets, scene.passed_over))
}

/// The JSON and the binary chunk of a `.glb` file.
fn chunks(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>)> {
    let cut = |byte, found: &str, expected: &str| {
        Err(GeomError::ParseBinary { byte, found: found.to_owned(), expected: expected.to_owned() })
    };
    let word = |at: usize| {
        let four = bytes.get(at..at + 4).and_then(|b| b.try_into().ok());
        four.map(u32::from_le_bytes)
    };
    if word(4) != Some(2) {
        let found = word(4).map_or("the end of the file".to_owned(), |version| format!("version {version}"));
        return cut(4, &found, "version 2");
    }
    let (mut at, mut found) = (12, [None, None]);
    while let (Some(length), Some(kind)) = (word(at), word(at + 4)) {
        let Some(chunk) = bytes.get(at + 8..at + 8 + length as usize) else {
            return cut(
                bytes.len(),
                "the end of the file",
                &format!("a chunk of {length} bytes from byte {}", at + 8),
            );
        };
        match &kind.to_le_bytes() {
            b"JSON" => found[0] = found[0].or(Some(chunk)),
            b"BIN\0" => found[1] = found[1].or(Some(chunk)),
            _ => {}
        }
        at += 8 + chunk.len();
    }
    match found {
        [Some(json), binary] => Ok((json, binary)),
        [None, _] => cut(12, "no chunk of JSON", "one"),
    }
}

fn wrong(field: &str, found: &str, allowed: &str) -> GeomError {
    GeomError::Inconsistent { field: field.to_owned(), found: found.to_owned(), allowed: allowed.to_owned() }
}

struct Placed<'a> {
    document: &'a Document,
    buffers: Buffers<'a>,
    facets: Facets,
    passed_over: PassedOver,
}

impl Placed<'_> {
    fn place_nodes(&mut self) -> Result<()> {
        let nodes = &self.document.nodes;
        let mut met = vec![false; nodes.len()];
        let mut left: Vec<(usize, Affine)> =
            self.document.roots()?.into_iter().rev().map(|node| (node, Affine::identity())).collect();
        while let Some((number, above)) = left.pop() {
            let field = format!("nodes[{number}]");
            let node = nodes.get(number).ok_or_else(|| wrong(&field, "missing", "in the file"))?;
            if std::mem::replace(&mut met[number], true) {
                return Err(wrong(&field, "reached twice", "the child of one node"));
            }
            let map = above.after(&local(node, &field)?);
            if let Some(mesh) = node.mesh {
                self.place_mesh(mesh, &map)?;
            }
            left.extend(node.children.iter().rev().map(|child| (*child, map)));
        }
        Ok(())
    }

    fn place_mesh(&mut self, number: usize, map: &Affine) -> Result<()> {
        let field = format!("meshes[{number}]");
        let document = self.document;
        let mesh = document.meshes.get(number).ok_or_else(|| wrong(&field, "missing", "in the file"))?;
        for (i, primitive) in mesh.primitives.iter().enumerate() {
            let field = format!("{field}.primitives[{i}]");
            match primitive.mode {
                0 => self.passed_over.points += 1,
                1..=3 => self.passed_over.lines += 1,
                4..=6 => {
                    let (vertices, triangles) = self.triangles(primitive, &field)?;
                    map.place(&vertices, &triangles, &mut self.facets)?;
                }
                other => return Err(wrong(&format!("{field}.mode"), &other.to_string(), "from 0 to 6")),
            }
        }
        Ok(())
    }

    fn triangles(&self, primitive: &Primitive, field: &str) -> Result<(Vec<Vec3>, Vec<[u32; 3]>)> {
        let Some(positions) = primitive.attributes.position else {
            return Err(wrong(field, "a primitive without POSITION", "one with it"));
        };
        let vertices = self.buffers.positions(positions)?;
        let indices = match primitive.indices {
            Some(accessor) => self.buffers.indices(accessor)?,
            None => (0..vertices.len() as u32).collect(),
        };
        if let Some(index) = indices.iter().find(|i| **i as usize >= vertices.len()) {
            let allowed = format!("one of the {} vertices", vertices.len());
            return Err(wrong(&format!("{field}.indices"), &format!("vertex {index}"), &allowed));
        }
        let triangles = match primitive.mode {
            5 => indices
                .windows(3)
                .enumerate()
                .map(|(k, t)| if k % 2 == 0 { [t[0], t[1], t[2]] } else { [t[0], t[2], t[1]] })
                .collect(),
            6 => indices.windows(2).skip(1).map(|pair| [indices[0], pair[0], pair[1]]).collect(),
            _ => indices.chunks_exact(3).map(|t| [t[0], t[1], t[2]]).collect(),
        };
        Ok((vertices, triangles))
    }
}

/// The map of a node: its matrix, or x ↦ T + R S x.
fn local(node: &Node, field: &str) -> Result<Affine> {
    let map = match node.matrix {
        Some(m) => Affine {
            linear: Mat3::from_columns(&[0, 4, 8].map(|k| Vec3::new(m[k], m[k + 1], m[k + 2]))),
            shift: Vec3::new(m[12], m[13], m[14]),
        },
        None => {
            let [x, y, z, w] = node.rotation;
            let turn = UnitQuaternion::try_new(Quaternion::new(w, x, y, z), 0.0)
                .ok_or_else(|| wrong(&format!("{field}.rotation"), "zero", "a quaternion of length one"))?;
            Affine {
                linear: turn.to_rotation_matrix().into_inner() * Mat3::from_diagonal(&Vec3::from(node.scale)),
                shift: Vec3::from(node.translation),
            }
        }
    };
    let is_finite = map.linear.iter().chain(map.shift.iter()).all(|x| x.is_finite());
    if is_finite { Ok(map) } else { Err(wrong(field, "a map that is not finite", "finite numbers")) }
}
