//! The page as one file: opened from disk, it needs no server and asks nothing of anybody.

use super::page_curves::curves;
use super::{Export, chosen, remark_on, write_file};
use crate::error::Result;
use crate::feed::Feed;
use crate::page::bundle;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use std::path::Path;

/// Bytes of poses at most, and of contours.
const POSES: u64 = 16 << 20;
const CONTOURS: usize = 12 << 20;

/// Writes the page.
pub(super) fn write(feed: &Feed, path: &Path) -> Result<Export> {
    let bodies = feed.scene().model.bodies().len() as u64;
    let (frames, stride) = chosen(feed, POSES / (28 * bodies.max(1)));
    let poses = feed.chosen_bytes(&frames)?;
    let (names, series) = curves(feed, &frames)?;
    let (contours, contour_stride) = contours(feed, &frames)?;
    let mut about = feed.about()?;
    about["every"] = stride.into();
    about["contourEvery"] = contour_stride.into();
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
        ("contours", STANDARD.encode(contours)),
        ("frames", STANDARD.encode(poses)),
        ("curves", json!(names).to_string()),
        ("series", STANDARD.encode(series)),
    ]);
    write_file(path, text.as_bytes())?;
    Ok(Export { path: path.to_owned(), instants: frames.len() as u64, remark: remark_on(stride) })
}

/// The contours of regions at every so many of the frames, as many as there is room for, and that number. Per frame u32
/// bytes, then those of `feed/outlines.rs`, to the next multiple of four.
fn contours(feed: &Feed, frames: &[u64]) -> Result<(Vec<u8>, usize)> {
    let mut told: Vec<Vec<u8>> = Vec::new();
    let (mut every, mut bytes) = (1, 0);
    let mut reader = feed.frame_reader(true);
    for (place, &number) in frames.iter().enumerate() {
        if place % every > 0 {
            continue;
        }
        let Some(frame) = reader.read(number)? else { break };
        told.push(feed.contour_bytes_of(&frame));
        bytes += told[told.len() - 1].len();
        while bytes > CONTOURS && told.len() > 1 {
            every *= 2;
            told = told.into_iter().step_by(2).collect();
            bytes = told.iter().map(Vec::len).sum();
        }
    }
    let mut packed = Vec::with_capacity(bytes + 4 * told.len());
    for lines in told {
        packed.extend_from_slice(&(lines.len() as u32).to_le_bytes());
        packed.extend_from_slice(&lines);
    }
    Ok((packed, every))
}
