//! The page as one file: opened from disk, it needs no server and asks nothing of anybody.

use super::{Export, chosen, remark_on, write_file};
use crate::error::Result;
use crate::feed::Feed;
use crate::page::bundle;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rattleback_record::{Kind, Sheet};
use serde_json::json;
use std::collections::HashMap;
use std::path::Path;

/// Bytes of poses at most, and numbers of curves.
const POSES: u64 = 16 << 20;
const NUMBERS: usize = 3 << 20;

/// Writes the page.
pub(super) fn write(feed: &Feed, path: &Path) -> Result<Export> {
    let bodies = feed.scene().model.bodies().len() as u64;
    let (frames, stride) = chosen(feed, POSES / (28 * bodies.max(1)));
    let poses = feed.chosen_bytes(&frames)?;
    let (names, series) = curves(feed, &frames)?;
    let mut about = feed.about()?;
    about["every"] = stride.into();
    about["curves"] = json!(names);
    about["folder"] = serde_json::Value::Null;
    let status = &mut about["status"];
    status["frames"] = frames.len().into();
    status["state"] = if status["state"] == "running" { json!("stopped") } else { status["state"].clone() };
    status["interval"] = json!(status["interval"].as_f64().unwrap_or(0.0) * stride as f64);
    let text = bundle(&[
        ("about", about.to_string()),
        ("events", feed.events()?.to_string()),
        ("geometry", STANDARD.encode(feed.geometry_bytes())),
        ("charts", STANDARD.encode(feed.chart_bytes())),
        ("frames", STANDARD.encode(poses)),
        ("curves", json!(names).to_string()),
        ("series", STANDARD.encode(series)),
    ]);
    write_file(path, text.as_bytes())?;
    Ok(Export { path: path.to_owned(), instants: frames.len() as u64, remark: remark_on(stride) })
}

/// The curves of all energies, joints and bodies that there is room for, in one pass over the sheets: their names, and
/// the bytes of `feed/series.rs`.
fn curves(feed: &Feed, frames: &[u64]) -> Result<(Vec<String>, Vec<u8>)> {
    let model = &feed.scene().model;
    let floats = |sheet: Sheet| {
        let columns = sheet.columns().iter().enumerate();
        columns.filter(|(k, column)| *k > 0 && column.kind == Kind::Float).map(|(k, column)| (k, column.name))
    };
    // Owners of rows by sheet, and the place of their first curve.
    let mut owners: HashMap<(Sheet, &str), usize> = HashMap::new();
    let mut names = Vec::new();
    let wanted = std::iter::once((Sheet::Energies, ""))
        .chain(model.joints().iter().map(|joint| (Sheet::Joints, joint.name.as_str())))
        .chain(
            model
                .bodies()
                .iter()
                .filter(|body| body.is_free())
                .map(|body| (Sheet::States, body.name.as_str())),
        );
    for (sheet, owner) in wanted {
        let count = floats(sheet).count();
        if (names.len() + count) * frames.len() > NUMBERS {
            break;
        }
        owners.insert((sheet, owner), names.len());
        let prefix = match sheet {
            Sheet::Energies => "energy".to_owned(),
            Sheet::Joints => format!("joint {owner}"),
            _ => owner.to_owned(),
        };
        names.extend(floats(sheet).map(|(_, column)| format!("{prefix}.{column}")));
    }
    let mut values = vec![vec![f64::NAN; frames.len()]; names.len()];
    let mut times = Vec::with_capacity(frames.len());
    let indices = feed.indices();
    for &frame in frames {
        let place = times.len();
        let Some(time) =
            feed.index_of(&indices, Sheet::States).rows_from(frame)?.and_then(|rows| rows.time())
        else {
            break;
        };
        for sheet in [Sheet::Energies, Sheet::Joints, Sheet::States] {
            let Some(mut rows) = feed.index_of(&indices, sheet).rows_from_time(time)? else { continue };
            while rows.time() == Some(time) {
                let owner = if sheet == Sheet::Energies { "" } else { rows.cell(1) };
                if let Some(&first) = owners.get(&(sheet, owner)) {
                    for (curve, (column, _)) in floats(sheet).enumerate() {
                        values[first + curve][place] = rows.number(column)?;
                    }
                }
                rows.advance()?;
            }
        }
        times.push(time);
    }
    let mut bytes = (times.len() as u32).to_le_bytes().to_vec();
    bytes.extend_from_slice(&(names.len() as u32).to_le_bytes());
    for number in times.iter().chain(values.iter().flat_map(|curve| &curve[..times.len()])) {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    Ok((names, bytes))
}
