//! A run as animated glTF 2.0, in one binary file (Khronos, glTF 2.0 specification, 3.6 to 3.11, and 4 for the file).
//!
//! A node per body carries the motion, its children the meshes; all hang from a root that turns what is up to y, as the
//! format has it. Colours are materials. Half-spaces are squares. Rods, springs and contacts are left out: their
//! lengths and numbers change from frame to frame.

use super::{Export, chosen, remark_on, write_file};
use crate::error::Result;
use crate::feed::{Feed, TRIANGLES};
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::{Pose, Vec3};
use rattleback_record::picture::{DrawnMesh, DrawnPlane};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// Numbers of components and targets of buffers, as the format counts them.
const FLOAT: u32 = 5126;
const UNSIGNED: u32 = 5125;
const VERTICES: u32 = 34962;
const INDICES: u32 = 34963;

/// Writes the file.
pub(super) fn write(feed: &Feed, path: &Path) -> Result<Export> {
    let (frames, stride) = chosen(feed, u64::MAX);
    let (times, poses) = motions(feed, &frames)?;
    let bytes = assemble(feed, &times, &poses);
    write_file(path, &bytes)?;
    Ok(Export { path: path.to_owned(), instants: times.len() as u64, remark: remark_on(stride) })
}

/// The times, and the poses of each body.
fn motions(feed: &Feed, frames: &[u64]) -> Result<(Vec<f64>, Vec<Vec<Pose>>)> {
    let mut reader = feed.frame_reader(false);
    let mut times = Vec::with_capacity(frames.len());
    let mut poses = vec![Vec::with_capacity(frames.len()); feed.scene().model.bodies().len()];
    for number in frames {
        let Some(frame) = reader.read(*number)? else { break };
        times.push(frame.time);
        for (own, pose) in poses.iter_mut().zip(frame.poses) {
            own.push(pose);
        }
    }
    Ok((times, poses))
}

/// The binary buffer and what describes its parts.
#[derive(Default)]
struct Buffer {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Buffer {
    /// Adds numbers of `width` components; returns the accessor.
    fn floats(&mut self, numbers: &[f32], width: usize, target: Option<u32>, bounded: bool) -> usize {
        let bytes: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
        let kind = ["SCALAR", "VEC2", "VEC3", "VEC4"][width - 1];
        let mut accessor = json!({"componentType": FLOAT, "count": numbers.len() / width, "type": kind});
        if bounded {
            let end = |k: usize, pick: fn(f32, f32) -> f32| {
                numbers.iter().skip(k).step_by(width).copied().reduce(pick).unwrap_or(0.0)
            };
            accessor["min"] = (0..width).map(|k| end(k, f32::min)).collect();
            accessor["max"] = (0..width).map(|k| end(k, f32::max)).collect();
        }
        self.push(&bytes, accessor, target)
    }

    fn push(&mut self, bytes: &[u8], mut accessor: Value, target: Option<u32>) -> usize {
        let mut view = json!({"buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len()});
        if let Some(target) = target {
            view["target"] = target.into();
        }
        self.bytes.extend_from_slice(bytes);
        accessor["bufferView"] = self.views.len().into();
        self.views.push(view);
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    /// The accessors of a mesh: positions, normals, indices.
    fn mesh(&mut self, mesh: &DrawnMesh) -> [usize; 3] {
        let positions = self.floats(mesh.positions.as_flattened(), 3, Some(VERTICES), true);
        // Single precision leaves normals a little off one.
        let unit = |n: &[f32; 3]| {
            let length = n.iter().map(|x| x * x).sum::<f32>().sqrt();
            if length > 0.0 { n.map(|x| x / length) } else { [0.0, 0.0, 1.0] }
        };
        let normals: Vec<f32> = mesh.normals.iter().flat_map(unit).collect();
        let normals = self.floats(&normals, 3, Some(VERTICES), false);
        let indices: Vec<u8> = mesh.triangles.iter().flatten().flat_map(|v| v.to_le_bytes()).collect();
        let accessor =
            json!({"componentType": UNSIGNED, "count": 3 * mesh.triangles.len(), "type": "SCALAR"});
        [positions, normals, self.push(&indices, accessor, Some(INDICES))]
    }
}

fn assemble(feed: &Feed, times: &[f64], poses: &[Vec<Pose>]) -> Vec<u8> {
    let drawing = feed.drawing();
    let mut buffer = Buffer::default();
    let mut materials: Vec<Value> = Vec::new();
    let mut meshes: Vec<Value> = Vec::new();
    let mut known: BTreeMap<(usize, [u8; 3]), usize> = BTreeMap::new();
    let mut geometry: BTreeMap<usize, [usize; 3]> = BTreeMap::new();
    // Nodes: the root, one per body, then those of parts.
    let bodies = feed.scene().model.bodies();
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); bodies.len()];
    let mut parts: Vec<Value> = Vec::new();
    let first_part = 1 + bodies.len();
    for (part, level) in drawing.parts.iter().zip(drawing.meshes_within(TRIANGLES)) {
        let mesh = *known.entry((level, part.colour)).or_insert_with(|| {
            materials.push(material(part.colour));
            let accessors = *geometry.entry(level).or_insert_with(|| buffer.mesh(&drawing.meshes[level]));
            meshes.push(primitive(accessors, materials.len() - 1));
            meshes.len() - 1
        });
        children[part.body.0].push(first_part + parts.len());
        let (translation, rotation) = placed(&part.pose);
        let mut node = json!({"mesh": mesh, "translation": translation, "rotation": rotation});
        if part.scale != Vec3::repeat(1.0) {
            node["scale"] = json!([part.scale.x as f32, part.scale.y as f32, part.scale.z as f32]);
        }
        parts.push(node);
    }
    let reach = (feed.camera().eye - feed.camera().target).norm();
    for plane in &drawing.planes {
        let square = square(plane, reach);
        let accessors = buffer.mesh(&square);
        materials.push(material(plane.colour));
        meshes.push(primitive(accessors, materials.len() - 1));
        children[plane.body.0].push(first_part + parts.len());
        parts.push(json!({"mesh": meshes.len() - 1}));
    }
    let mut nodes = vec![root(feed, bodies.len())];
    for (k, body) in bodies.iter().enumerate() {
        let mut node = json!({"name": body.name});
        if let Some(pose) = poses[k].first() {
            let (translation, rotation) = placed(pose);
            node["translation"] = json!(translation);
            node["rotation"] = json!(rotation);
        }
        if !children[k].is_empty() {
            node["children"] = json!(children[k]);
        }
        nodes.push(node);
    }
    nodes.extend(parts);
    let animation = animate(&mut buffer, times, poses);
    let generator = concat!("Rattleback ", env!("CARGO_PKG_VERSION"));
    let mut document = json!({
        "asset": {"version": "2.0", "generator": generator},
        "scene": 0,
        "scenes": [{"name": feed.scene().title, "nodes": [0]}],
        "nodes": nodes,
        "accessors": buffer.accessors,
        "bufferViews": buffer.views,
        "buffers": [{"byteLength": buffer.bytes.len()}],
    });
    // Lists may not be empty.
    for (key, list) in [("meshes", meshes), ("materials", materials)] {
        if !list.is_empty() {
            document[key] = list.into();
        }
    }
    if let Some(animation) = animation {
        document["animations"] = json!([animation]);
    }
    container(&document, buffer.bytes)
}

/// The node that turns what is up to y.
fn root(feed: &Feed, bodies: usize) -> Value {
    let up = feed.stage().up();
    let turn = UnitQuaternion::rotation_between(&up, &Vec3::y())
        .unwrap_or_else(|| UnitQuaternion::from_axis_angle(&Vec3::x_axis(), std::f64::consts::PI));
    let [x, y, z, w] = [turn.i, turn.j, turn.k, turn.w];
    let mut node = json!({"name": feed.scene().title, "rotation": [x as f32, y as f32, z as f32, w as f32]});
    if bodies > 0 {
        node["children"] = json!((1..=bodies).collect::<Vec<_>>());
    }
    node
}

/// Position and quaternion x, y, z, w as the format has them.
fn placed(pose: &Pose) -> ([f32; 3], [f32; 4]) {
    let [w, x, y, z] = pose.wxyz();
    let p = pose.position;
    ([p.x as f32, p.y as f32, p.z as f32], [x as f32, y as f32, z as f32, w as f32])
}

fn material(colour: [u8; 3]) -> Value {
    // Bytes hold compressed light (IEC 61966-2-1), the format amounts of it.
    let light = colour.map(|byte| {
        let s = f64::from(byte) / 255.0;
        if s <= 0.04045 { s / 12.92 } else { ((s + 0.055) / 1.055).powf(2.4) }
    });
    json!({"pbrMetallicRoughness": {
        "baseColorFactor": [light[0], light[1], light[2], 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.6,
    }})
}

fn primitive([positions, normals, indices]: [usize; 3], material: usize) -> Value {
    let attributes = json!({"POSITION": positions, "NORMAL": normals});
    json!({"primitives": [{"attributes": attributes, "indices": indices, "material": material}]})
}

/// A square of a half-space's surface, in the body's frame.
fn square(plane: &DrawnPlane, side: f64) -> DrawnMesh {
    let (x, y) = rattleback_geom::curvature::tangents(&plane.normal);
    let corner = |[i, j]: [f64; 2]| {
        let p = plane.normal * plane.offset + (x * i + y * j) * (0.5 * side);
        [p.x as f32, p.y as f32, p.z as f32]
    };
    let n = plane.normal;
    let mut triangles = vec![[0, 1, 2], [0, 2, 3]];
    if x.cross(&y).dot(&n) < 0.0 {
        triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
    }
    DrawnMesh {
        positions: [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(corner).to_vec(),
        normals: vec![[n.x as f32, n.y as f32, n.z as f32]; 4],
        triangles,
        ..DrawnMesh::default()
    }
}

/// The motions of bodies that move; none where nothing does.
fn animate(buffer: &mut Buffer, times: &[f64], poses: &[Vec<Pose>]) -> Option<Value> {
    let moves = |own: &&(usize, &Vec<Pose>)| own.1.iter().any(|pose| *pose != own.1[0]);
    let all: Vec<_> = poses.iter().enumerate().collect();
    let moving: Vec<_> = all.iter().filter(moves).collect();
    if moving.is_empty() || times.len() < 2 {
        return None;
    }
    // Times of the format begin at zero and grow; instants that single precision cannot tell apart are one.
    let mut kept: Vec<usize> = vec![0];
    let seconds = |k: usize| (times[k] - times[0]) as f32;
    for k in 1..times.len() {
        if kept.last().is_some_and(|last| seconds(k) > seconds(*last)) {
            kept.push(k);
        }
    }
    let input: Vec<f32> = kept.iter().map(|k| seconds(*k)).collect();
    let input = buffer.floats(&input, 1, None, true);
    let (mut samplers, mut channels) = (Vec::new(), Vec::new());
    for (body, own) in moving {
        let mut last = [0.0, 0.0, 0.0, 1.0];
        let (mut positions, mut rotations) = (Vec::new(), Vec::new());
        for k in &kept {
            let (translation, mut rotation) = placed(&own[*k]);
            // Readers go the short way between two quaternions of one sign.
            if rotation.iter().zip(last).map(|(a, b)| a * b).sum::<f32>() < 0.0 {
                rotation = rotation.map(|x| -x);
            }
            last = rotation;
            positions.extend(translation);
            rotations.extend(rotation);
        }
        for (path, numbers, width) in [("translation", &positions, 3), ("rotation", &rotations, 4)] {
            let output = buffer.floats(numbers, width, None, false);
            samplers.push(json!({"input": input, "output": output, "interpolation": "LINEAR"}));
            channels.push(json!({"sampler": samplers.len() - 1, "target": {"node": 1 + body, "path": path}}));
        }
    }
    Some(json!({"name": "motion", "samplers": samplers, "channels": channels}))
}

/// The binary file: a header and two chunks, each padded to a multiple of four.
fn container(document: &Value, mut binary: Vec<u8>) -> Vec<u8> {
    let mut text = document.to_string().into_bytes();
    while !text.len().is_multiple_of(4) {
        text.push(b' ');
    }
    while !binary.len().is_multiple_of(4) {
        binary.push(0);
    }
    let total = 12 + 8 + text.len() + 8 + binary.len();
    let mut bytes = b"glTF".to_vec();
    for number in [2, total as u32, text.len() as u32] {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    bytes.extend_from_slice(b"JSON");
    bytes.extend_from_slice(&text);
    bytes.extend_from_slice(&(binary.len() as u32).to_le_bytes());
    bytes.extend_from_slice(b"BIN\0");
    bytes.extend_from_slice(&binary);
    bytes
}
