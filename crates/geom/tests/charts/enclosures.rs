//! What is proved of cells, held against points and normals all over them.

use super::atlases::{Entry, all};
use crate::conformance::sample::Random;
use rattleback_geom::chart::{Atlas, Cell, Enclosure, Hull, Place};
use rattleback_geom::{Vec2, Vec3};

/// Rows of points over a cell.
const ROWS: i32 = 12;

fn at(cell: &Cell, [x, y, z]: [f64; 3]) -> Place {
    let [a, b, c] = &cell.corners;
    let w: Vec2 = a * x + b * y + c * z;
    Place { chart: cell.chart, u: w.x, v: w.y }
}

/// Points all over a cell, and at a millionth of it from its corners.
fn spots(cell: &Cell) -> Vec<Place> {
    let mut out = Vec::new();
    for i in 0..=ROWS {
        for j in 0..=ROWS - i {
            let (x, y) = (f64::from(i) / f64::from(ROWS), f64::from(j) / f64::from(ROWS));
            out.push(at(cell, [1.0 - x - y, x, y]));
        }
    }
    for small in [1e-2, 1e-4, 1e-6] {
        for k in 0..3 {
            let mut b = [small; 3];
            b[k] = 1.0 - 2.0 * small;
            out.push(at(cell, b));
        }
    }
    out
}

/// By how much the point is beyond the hull.
fn beyond(atlas: &dyn Atlas, cell: &Cell, hull: &Hull, p: &Vec3, place: &Place) -> f64 {
    match hull {
        Hull::Taylor(rest) => {
            let [a, b, c] = &cell.corners;
            let middle = (a + b + c) / 3.0;
            let o = atlas.jet(&Place { chart: cell.chart, u: middle.x, v: middle.y }).unwrap();
            let d = Vec2::new(place.u, place.v) - middle;
            let second = o.duu * (d.x * d.x) + o.duv * (2.0 * d.x * d.y) + o.dvv * (d.y * d.y);
            (p - o.p - o.du * d.x - o.dv * d.y - second * 0.5).norm() - rest
        }
        Hull::Points { control, slack } => {
            let mut random = Random(9);
            let middle = control.iter().sum::<Vec3>() / 6.0;
            let normal = (control[1] - control[0]).cross(&(control[2] - control[0]));
            let mut ways: Vec<Vec3> = (0..12).map(|_| random.point()).collect();
            ways.extend([normal, -normal, p - middle, control[1] - control[0], control[0] - control[1]]);
            ways.extend([normal.cross(&(control[1] - control[0])), (control[1] - control[0]).cross(&normal)]);
            let over = |e: Vec3| {
                let e = e.normalize();
                e.dot(p) - control.iter().map(|x| e.dot(x)).fold(f64::NEG_INFINITY, f64::max) - slack
            };
            ways.into_iter().filter(|e| e.norm() > 0.0).map(over).fold(f64::NEG_INFINITY, f64::max)
        }
    }
}

fn check(entry: &Entry, cell: &Cell, known: &Enclosure) {
    let atlas = entry.atlas.as_ref();
    for place in spots(cell) {
        let Ok(jet) = atlas.jet(&place) else { continue };
        let size = jet.p.norm() + 1e-3;
        let over = beyond(atlas, cell, &known.hull, &jet.p, &place);
        assert!(over <= 64.0 * f64::EPSILON * size, "{} {cell:?} {place:?}: {over:e} beyond", entry.name);
        let n = jet.normal().normalize();
        let turn = known.axis.cross(&n).norm().atan2(known.axis.dot(&n));
        assert!(turn <= known.angle + 1e-12, "{} {cell:?} {place:?}: {turn} of {}", entry.name, known.angle);
    }
}

#[test]
fn cells_of_all_sizes_hold_their_points_and_normals() {
    let mut random = Random(15);
    for entry in all() {
        let cells = entry.atlas.cells();
        let (mut tried, mut proved) = (0, 0);
        for trial in 0..if cells.is_empty() { 0 } else { 150 } {
            let cell = &cells[(trial * 7919) % cells.len()];
            // Towards a corner, which may be an extraordinary vertex, or somewhere within.
            let centre = match trial % 4 {
                3 => {
                    let b = [random.unit() + 0.01, random.unit() + 0.01, 0.5];
                    let sum = b[0] + b[1] + b[2];
                    let place = at(cell, b.map(|x| x / sum));
                    Vec2::new(place.u, place.v)
                }
                k => cell.corners[k],
            };
            let shrink = 0.5f64.powi((trial / 4) as i32 % 20);
            let cell = Cell { corners: cell.corners.map(|w| centre + (w - centre) * shrink), ..*cell };
            let known = entry.atlas.enclosure(&cell);
            if shrink < 0.01 {
                (tried, proved) = (tried + 1, proved + usize::from(known.is_some_and(|e| e.angle < 1.0)));
            }
            if let Some(known) = known {
                check(&entry, &cell, &known);
            }
        }
        // Octants have poles.
        let exempt = entry.name == "octants";
        assert!(exempt || 10 * proved >= 9 * tried, "{}: {proved} of {tried} small cells", entry.name);
    }
}
