//! Places all over a surface, and all minima of a gap without any tree: every pair of places that is not too far apart
//! and faces each other is a start.

use rattleback_contact::geom::chart::{Atlas, Place};
use rattleback_contact::geom::{Pose, Vec2, Vec3};
use rattleback_contact::near::{Kind, Near, Side, refine};

/// A place with its point and outer normal.
pub struct Spot {
    pub place: Place,
    pub p: Vec3,
    pub n: Vec3,
}

/// About n²/2 spots in every cell.
pub fn spots(atlas: &dyn Atlas, n: usize) -> Vec<Spot> {
    let mut out = Vec::new();
    for cell in atlas.cells() {
        for i in 0..n {
            for j in 0..n - i {
                let (x, y) = ((i as f64 + 1.0 / 3.0) / n as f64, (j as f64 + 1.0 / 3.0) / n as f64);
                let [a, b, c] = cell.corners;
                let w: Vec2 = a * (1.0 - x - y) + b * x + c * y;
                let place = Place { chart: cell.chart, u: w.x, v: w.y };
                let jet = atlas.jet(&place).unwrap();
                out.push(Spot { place, p: jet.p, n: jet.normal().normalize() });
            }
        }
    }
    out
}

/// Adds a minimum that is not there yet.
pub fn add(found: &mut Vec<Near>, near: Option<Near>, reach: f64) {
    let Some(near) = near else { return };
    let known = |x: &Near| (0..2).all(|k| (x.points[k] - near.points[k]).norm() < 1e-5);
    if near.kind == Kind::Minimum && near.gap.abs() < reach && !found.iter().any(known) {
        found.push(near);
    }
}

/// All minima of the gap of two surfaces from all pairs of their spots.
pub fn minima(sides: [&Side<'_>; 2], poses: [&Pose; 2], spots: [&[Spot]; 2], reach: f64) -> Vec<Near> {
    let mut found = Vec::new();
    let across = poses[0].inverse().compose(poses[1]);
    for b in spots[1] {
        let (p, n) = (across.point_to_world(&b.p), across.vector_to_world(&b.n));
        for a in spots[0] {
            let way = p - a.p;
            let beside = (way - a.n * a.n.dot(&way)).norm();
            if way.norm() < reach + 0.15 && beside < 0.15 && a.n.dot(&n) < -0.9 {
                let end = refine(sides[0], poses[0], sides[1], poses[1], [a.place, b.place]).unwrap();
                add(&mut found, end, reach);
            }
        }
    }
    found.sort_by(|a, b| a.gap.total_cmp(&b.gap));
    found
}
