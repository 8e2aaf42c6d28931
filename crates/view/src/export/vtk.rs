//! A run for ParaView: a collection (`.pvd`) of surfaces and contacts per instant, in a folder beside it (VTK XML
//! formats, PolyData, numbers in base64 after their length in bytes).
//!
//! Surfaces have the number of their body; contacts are points with normal, force, gap, normal
//! force, friction, slip, Hertz's ellipse and pressure, and the numbers of both bodies.

use super::{Export, chosen, remark_on, write_file};
use crate::error::{Result, ViewError};
use crate::feed::{Contact, Feed, Frame, TRIANGLES};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::fmt::Write;
use std::path::Path;

/// Instants at most: each has the triangles of all bodies.
const INSTANTS: u64 = 500;

/// Writes the collection.
pub(super) fn write(feed: &Feed, path: &Path) -> Result<Export> {
    let (frames, stride) = chosen(feed, INSTANTS);
    let folder = path.with_extension("");
    let failed = |source| ViewError::Write { path: folder.clone(), source };
    if folder.exists() {
        let reason = "exists already and is not overwritten".to_owned();
        return Err(ViewError::Export { path: folder, reason });
    }
    std::fs::create_dir_all(&folder).map_err(failed)?;
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut reader = feed.frame_reader(true);
    let mut sets = String::new();
    let mut instants = 0;
    for number in &frames {
        let Some(frame) = reader.read(*number)? else { break };
        for (part, kind, text) in [(0, "bodies", bodies(feed, &frame)), (1, "contacts", contacts(&frame))] {
            let file = format!("{kind}-{number:06}.vtp");
            write_file(&folder.join(&file), text.as_bytes())?;
            let (name, time) = (escape(&name), frame.time);
            let _ = writeln!(
                sets,
                "    <DataSet timestep=\"{time}\" part=\"{part}\" name=\"{kind}\" file=\"{name}/{file}\"/>"
            );
        }
        instants += 1;
    }
    let text = format!(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\" \
         header_type=\"UInt32\">\n  <Collection>\n{sets}  </Collection>\n</VTKFile>\n"
    );
    write_file(path, text.as_bytes())?;
    Ok(Export { path: path.to_owned(), instants, remark: remark_on(stride) })
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

/// Numbers as base64 after their length.
fn packed<const N: usize>(numbers: impl Iterator<Item = [u8; N]>) -> String {
    let mut bytes = vec![0; 4];
    bytes.extend(numbers.flatten());
    let length = (bytes.len() - 4) as u32;
    bytes[..4].copy_from_slice(&length.to_le_bytes());
    STANDARD.encode(bytes)
}

fn floats(name: &str, width: usize, numbers: impl Iterator<Item = f64>) -> String {
    let data = packed(numbers.map(|x| (x as f32).to_le_bytes()));
    format!(
        "<DataArray type=\"Float32\" Name=\"{name}\" NumberOfComponents=\"{width}\" format=\"binary\">{data}</DataArray>\n"
    )
}

fn integers(name: &str, numbers: impl Iterator<Item = i64>) -> String {
    let data = packed(numbers.map(i64::to_le_bytes));
    format!("<DataArray type=\"Int64\" Name=\"{name}\" format=\"binary\">{data}</DataArray>\n")
}

/// A file of points, with cells that are vertices or triangles.
fn file(counts: [usize; 3], points: &str, cells: &str, point_data: &str, cell_data: &str) -> String {
    let [points_count, vertices, triangles] = counts;
    let kind = if triangles > 0 { "Polys" } else { "Verts" };
    format!(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" \
         header_type=\"UInt32\">\n<PolyData>\n<Piece NumberOfPoints=\"{points_count}\" NumberOfVerts=\"{vertices}\" \
         NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"{triangles}\">\n<PointData>\n{point_data}</PointData>\n\
         <CellData>\n{cell_data}</CellData>\n<Points>\n{points}</Points>\n<{kind}>\n{cells}</{kind}>\n</Piece>\n\
         </PolyData>\n</VTKFile>\n"
    )
}

fn bodies(feed: &Feed, frame: &Frame) -> String {
    let drawing = feed.drawing();
    let (mut points, mut normals) = (Vec::new(), Vec::new());
    let (mut corners, mut owners) = (Vec::new(), Vec::new());
    for (part, mesh) in drawing.parts.iter().zip(drawing.meshes_within(TRIANGLES)) {
        let pose = &frame.poses[part.body.0];
        let mesh = &drawing.meshes[mesh];
        let first = points.len() / 3;
        for (p, n) in mesh.positions.iter().zip(&mesh.normals) {
            points.extend(pose.point_to_world(&part.point(p)).iter().copied());
            normals.extend(pose.vector_to_world(&part.normal(n)).iter().copied());
        }
        corners.extend(mesh.triangles.iter().flatten().map(|v| (first + *v as usize) as i64));
        owners.extend(std::iter::repeat_n(part.body.0 as i64, mesh.triangles.len()));
    }
    let triangles = owners.len();
    let cells = integers("connectivity", corners.into_iter())
        + &integers("offsets", (1..=triangles).map(|k| 3 * k as i64));
    file(
        [points.len() / 3, 0, triangles],
        &floats("points", 3, points.iter().copied()),
        &cells,
        &floats("normal", 3, normals.into_iter()),
        &integers("body", owners.into_iter()),
    )
}

/// A number or a vector of a contact.
type Pick<T> = fn(&Contact) -> T;

fn contacts(frame: &Frame) -> String {
    let all = &frame.contacts;
    let vectors = |pick: Pick<rattleback_geom::Vec3>| {
        all.iter().flat_map(move |contact| <[f64; 3]>::from(pick(contact)))
    };
    let mut data = floats("normal", 3, vectors(|c| c.normal));
    data += &floats("force_N", 3, vectors(|c| c.force));
    data += &floats("point_a_m", 3, vectors(|c| c.points[0]));
    data += &floats("point_b_m", 3, vectors(|c| c.points[1]));
    data += &floats("slip_velocity_m_per_s", 3, vectors(|c| c.slip_velocity));
    data += &floats("patch_direction", 3, vectors(|c| c.along));
    let numbers: [(&str, Pick<f64>); 7] = [
        ("gap_m", |c| c.gap),
        ("normal_force_N", |c| c.normal_force),
        ("friction_force_N", |c| c.friction_force),
        ("slip_m_per_s", |c| c.slip),
        ("patch_long_m", |c| c.patch[0]),
        ("patch_short_m", |c| c.patch[1]),
        ("pressure_Pa", |c| c.patch[2]),
    ];
    for (name, pick) in numbers {
        data += &floats(name, 1, all.iter().map(pick));
    }
    for (k, name) in ["body_a", "body_b"].into_iter().enumerate() {
        data += &integers(name, all.iter().map(|contact| contact.bodies[k] as i64));
    }
    let count = all.len();
    let cells = integers("connectivity", 0..count as i64) + &integers("offsets", 1..=count as i64);
    file([count, count, 0], &floats("points", 3, vectors(|c| c.force_point)), &cells, &data, "")
}
