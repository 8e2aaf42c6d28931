//! The triangles of all bodies as bytes.
//!
//! | bytes, little-endian | what |
//! |---|---|
//! | u32 | length of the JSON that follows, padded by blanks to a multiple of four |
//! | JSON | `meshes`: vertices, triangles, chord error in m, the next coarser one, whether curvatures follow, whether it is the unit ball; `parts`: the finest mesh, body, pose, scale, colour, pattern; `planes`; `lines`, each with the name of its curves; `radius` |
//! | per mesh 3 × f32 per vertex | positions in m |
//! | per mesh 3 × f32 per vertex | normals |
//! | per mesh 3 × u32 per triangle | vertices |
//! | per mesh f32 per vertex, where they follow | mean curvatures in 1/m, NaN at edges |

use super::Feed;
use rattleback_geom::Vec3;
use rattleback_record::picture::Drawing;
use serde_json::{Value, json};

impl Feed {
    /// The triangles.
    pub fn geometry_bytes(&self) -> Vec<u8> {
        let drawing = self.drawing();
        let mut text = describe(drawing).to_string();
        while !text.len().is_multiple_of(4) {
            text.push(' ');
        }
        let mut bytes = (text.len() as u32).to_le_bytes().to_vec();
        bytes.extend_from_slice(text.as_bytes());
        for mesh in &drawing.meshes {
            for vector in mesh.positions.iter().chain(&mesh.normals) {
                vector.iter().for_each(|x| bytes.extend_from_slice(&x.to_le_bytes()));
            }
            for vertex in mesh.triangles.iter().flatten() {
                bytes.extend_from_slice(&vertex.to_le_bytes());
            }
            mesh.curvatures.iter().for_each(|x| bytes.extend_from_slice(&x.to_le_bytes()));
        }
        bytes
    }
}

fn describe(drawing: &Drawing) -> Value {
    let array = |v: &Vec3| [v.x, v.y, v.z];
    let meshes: Vec<Value> = drawing
        .meshes
        .iter()
        .map(|mesh| {
            let (vertices, triangles) = (mesh.positions.len(), mesh.triangles.len());
            json!([vertices, triangles, mesh.chord, mesh.coarser, !mesh.curvatures.is_empty(), mesh.is_ball])
        })
        .collect();
    let parts: Vec<Value> = drawing
        .parts
        .iter()
        .map(|part| {
            json!({
                "mesh": part.mesh,
                "body": part.body.0,
                "position": array(&part.pose.position),
                "quaternion": part.pose.wxyz(),
                "scale": array(&part.scale),
                "colour": part.colour,
                "patterned": part.patterned,
                "oneSided": part.one_sided,
            })
        })
        .collect();
    let planes: Vec<Value> = drawing
        .planes
        .iter()
        .map(|plane| {
            json!({
                "body": plane.body.0,
                "normal": array(&plane.normal),
                "offset": plane.offset,
                "colour": plane.colour,
            })
        })
        .collect();
    let lines: Vec<Value> = drawing
        .lines
        .iter()
        .map(|line| {
            let ends =
                line.ends.each_ref().map(|(body, point)| json!({"body": body.0, "point": array(point)}));
            json!({"ends": ends, "coiled": line.coiled, "owner": line.owner})
        })
        .collect();
    json!({"meshes": meshes, "parts": parts, "planes": planes, "lines": lines, "radius": drawing.radius})
}
