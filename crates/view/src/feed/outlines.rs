//! Lines on bodies: the borders of charts and patches, and the contours of regions in which meshes and links press.
//!
//! As bytes, little-endian: u32 lines; per line u32 body (2³² − 1 for the world's frame), u32 points; then 3 × f32 per
//! point, line after line, in the frame of the body. Those in the world's frame are relative to the origin that
//! `about.rs` tells.

use super::Feed;
use super::frames::Frame;
use crate::error::Result;
use rattleback_contact::region::contours;
use rattleback_geom::chart::{Atlas, Place};
use rattleback_geom::{Vec2, Vec3};
use std::collections::{BTreeSet, HashMap};

/// Steps along a side of a cell.
const STEPS: usize = 8;
/// Lines of an answer at most.
const LINES: usize = 20_000;
/// Stands for the world's frame.
const WORLD: u32 = u32::MAX;

type Line = (u32, Vec<Vec3>);
/// The side of a cell: its chart and the bits of both ends, in order.
type SideKey = (usize, [[u64; 2]; 2]);

impl Feed {
    /// The borders of the charts of all surfaces that have any, in the frames of their bodies.
    pub fn chart_bytes(&self) -> Vec<u8> {
        let mut lines: Vec<Line> = Vec::new();
        for (k, body) in self.scene.model.bodies().iter().enumerate() {
            for part in &body.parts {
                let Some(atlas) = part.shape.surface().as_atlas() else { continue };
                for line in borders(atlas) {
                    let placed = line.iter().map(|p| part.pose.point_to_world(p)).collect();
                    lines.push((k as u32, placed));
                }
            }
        }
        packed(&lines)
    }

    /// The contours of all regions in which bodies press at a frame, in the world's frame.
    pub fn contour_bytes(&self, number: u64) -> Result<Vec<u8>> {
        Ok(self.frame(number, true)?.map_or_else(|| packed(&[]), |frame| self.contour_bytes_of(&frame)))
    }

    /// The contours at a frame that has been read.
    pub(crate) fn contour_bytes_of(&self, frame: &Frame) -> Vec<u8> {
        let placed = |line: Vec<Vec3>| (WORLD, line.iter().map(|point| point - self.origin).collect());
        packed(&self.contour_lines(frame).into_iter().map(placed).collect::<Vec<_>>())
    }

    /// The same as points of the scene.
    pub(crate) fn contour_lines(&self, frame: &Frame) -> Vec<Vec<Vec3>> {
        let pairs: BTreeSet<[usize; 4]> = frame
            .contacts
            .iter()
            .map(|contact| {
                let ([a, b], [i, j]) = (contact.bodies, contact.parts.map(|part| part as usize));
                [a, i, b, j]
            })
            .collect();
        let part = |body: usize, part: usize| {
            let own = self.scene.model.bodies().get(body)?.parts.get(part)?;
            Some((&own.shape, frame.poses[body].compose(&own.pose)))
        };
        let mut lines = Vec::new();
        for [a, i, b, j] in pairs {
            if let (Some((a, pose_a)), Some((b, pose_b))) = (part(a, i), part(b, j)) {
                // What cannot be told is not drawn.
                lines.extend(contours(a, &pose_a, b, &pose_b).unwrap_or_default());
            }
        }
        lines
    }
}

/// The sides of cells that bound their chart: those that no other cell of the chart shares.
fn borders(atlas: &dyn Atlas) -> Vec<Vec<Vec3>> {
    let bits = |w: &Vec2| [w.x.to_bits(), w.y.to_bits()];
    let mut sides: HashMap<SideKey, (usize, [Vec2; 2])> = HashMap::new();
    for cell in atlas.cells() {
        for k in 0..3 {
            let ends = [cell.corners[k], cell.corners[(k + 1) % 3]];
            let mut key = ends.each_ref().map(bits);
            key.sort_unstable();
            sides.entry((cell.chart, key)).or_insert((0, ends)).0 += 1;
        }
    }
    let mut single: Vec<_> = sides.into_iter().filter(|(_, (count, _))| *count == 1).collect();
    single.sort_unstable_by_key(|(key, _)| *key);
    let line = |chart: usize, [a, b]: [Vec2; 2]| -> Vec<Vec3> {
        let place = |k: usize| {
            let w = a.lerp(&b, k as f64 / STEPS as f64);
            atlas.jet(&Place { chart, u: w.x, v: w.y }).ok().map(|jet| jet.p)
        };
        (0..=STEPS).filter_map(place).collect()
    };
    single
        .into_iter()
        .map(|((chart, _), (_, ends))| line(chart, ends))
        .filter(|line| line.len() > 1)
        .collect()
}

fn packed(lines: &[Line]) -> Vec<u8> {
    let lines = &lines[..lines.len().min(LINES)];
    let mut bytes = (lines.len() as u32).to_le_bytes().to_vec();
    for (body, points) in lines {
        bytes.extend_from_slice(&body.to_le_bytes());
        bytes.extend_from_slice(&(points.len() as u32).to_le_bytes());
    }
    for point in lines.iter().flat_map(|(_, points)| points) {
        point.iter().for_each(|x| bytes.extend_from_slice(&(*x as f32).to_le_bytes()));
    }
    bytes
}
