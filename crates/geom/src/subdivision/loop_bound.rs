//! What is proved of Loop's surface: third derivatives of its quartics, and its step about a vertex for `vertex`.
//!
//! Third derivatives of a quartic are linear: over a triangle none is longer than the longest at its corners. Both the
//! quartic's own triangle and the cell bound them where both overlap.

use super::LoopSurface;
use super::box_spline;
use super::enclosure::Pieces;
use super::loop_matrix::{self, Part};
use super::loop_surface::{GRADIENTS, reparametrised};
use super::vertex::{self, Fan, Scheme, Vertex};
use crate::Vec3;
use crate::chart::Cell;
use crate::surface::ParametricJet;
use std::collections::BTreeMap;
use std::f64::consts::TAU;

/// Levels about a vertex that a cell may reach over.
const LEVELS: usize = 6;

/// The deepest level about a vertex at which quartics are asked for.
const DEEPEST: f64 = 48.0;

/// Roundings of Taylor coefficients and of the borders of levels, in units of 2⁻⁵².
const ROUNDINGS: f64 = 4096.0;

/// By how much of its distance a cell may reach into a level: rounding, whose share [`ROUNDINGS`] covers.
const TOUCH: f64 = 8.0 * f64::EPSILON;

/// A quartic: its triangle of the refined net, what chooses it, its own corners, its size in parameters of the face.
struct Quartic {
    triangle: usize,
    choice: [f64; 2],
    corners: [[f64; 2]; 3],
    size: f64,
}

fn thirds(jet: &ParametricJet) -> [f64; 4] {
    [jet.duuu, jet.duuv, jet.duvv, jet.dvvv].map(|x| x.norm())
}

/// The greatest values of some lists.
fn greatest(all: impl Iterator<Item = [f64; 4]>) -> [f64; 4] {
    all.fold([0.0; 4], |most, x| std::array::from_fn(|k| f64::max(most[k], x[k])))
}

/// The least and the greatest of three numbers.
pub(super) fn ends(x: [f64; 3]) -> [f64; 2] {
    [x[0].min(x[1]).min(x[2]), x[0].max(x[1]).max(x[2])]
}

/// The parameters (s, t) of a triangle of the refined net, from barycentric coordinates of the face, and their
/// derivatives.
fn seen(k: usize, b: &[f64; 3]) -> [f64; 2] {
    if k == 3 { [1.0 - 2.0 * b[0], 1.0 - 2.0 * b[1]] } else { [2.0 * b[(k + 1) % 3], 2.0 * b[(k + 2) % 3]] }
}

fn gradient(k: usize) -> [[f64; 2]; 2] {
    let scaled = |i: usize, factor: f64| GRADIENTS[i % 3].map(|x| factor * x);
    if k == 3 { [scaled(0, -2.0), scaled(1, -2.0)] } else { [scaled(k + 1, 2.0), scaled(k + 2, 2.0)] }
}

/// The quartics about an extraordinary vertex that a cell with the corners `at` may overlap; none where they are too
/// many.
fn about_vertex(triangle: usize, at: &[[f64; 2]; 3]) -> Option<Vec<Quartic>> {
    let (s, t) = (ends(at.map(|x| x[0])), ends(at.map(|x| x[1])));
    let r = ends(at.map(|x| x[0] + x[1]));
    let [from, to] = [r[1].min(1.0), r[0]].map(|r| (-r.log2()).floor().max(0.0));
    if !(to <= DEEPEST && to - from < LEVELS as f64) {
        return None;
    }
    let mut out = Vec::new();
    for level in from as i32..=to as i32 + 1 {
        let h = 0.5f64.powi(level);
        let mut add = |corners: [[f64; 2]; 3]| {
            let corners = corners.map(|x| x.map(|x| x * h));
            let choice = [0, 1].map(|k| (corners[0][k] + corners[1][k] + corners[2][k]) / 3.0);
            out.push(Quartic { triangle, choice, corners, size: 0.25 * h });
        };
        if r[1] <= 0.5 * h * (1.0 + TOUCH) || r[0] >= h * (1.0 - TOUCH) {
            continue;
        }
        if s[1] >= 0.5 * h {
            add([[0.5, 0.0], [1.0, 0.0], [0.5, 0.5]]);
        }
        if t[1] >= 0.5 * h {
            add([[0.0, 0.5], [0.5, 0.5], [0.0, 1.0]]);
        }
        if s[0] <= 0.5 * h && t[0] <= 0.5 * h {
            add([[0.5, 0.0], [0.5, 0.5], [0.0, 0.5]]);
        }
    }
    Some(out)
}

impl LoopSurface {
    /// Bounds of the third derivatives of one quartic along u and v.
    fn third_of(&self, quartic: &Quartic, at: &[[f64; 2]; 3]) -> [f64; 4] {
        let gradient = gradient(quartic.triangle % 4);
        let ([a, b, c], [d, e, f]) = (quartic.corners, *at);
        let jets = self.pieces.jets(quartic.triangle, quartic.choice, [a, b, c, d, e, f]);
        let jets = jets.map(|jet| reparametrised(&jet, &gradient));
        let (own, cell) = jets.split_at(3);
        let [own_most, cell_most] = [own, cell].map(|jets| greatest(jets.iter().map(thirds)));
        let h = quartic.size;
        let size = |j: &ParametricJet| {
            let second = j.duu.norm() + j.duv.norm() + j.dvv.norm();
            j.p.norm() + (j.du.norm() + j.dv.norm()) * h + second * h * h
        };
        let rounding = ROUNDINGS * f64::EPSILON * own.iter().map(size).fold(0.0, f64::max) / h.powi(3);
        std::array::from_fn(|k| own_most[k].min(cell_most[k]) + rounding)
    }

    /// The fans of all extraordinary corners.
    fn fans(&self) -> &BTreeMap<usize, Fan> {
        self.fans.get_or_init(|| {
            let mut vertices = BTreeMap::new();
            let extraordinary = (0..4 * self.face_count())
                .filter_map(|triangle| self.pieces.extraordinary(triangle).map(|n| (triangle, n)));
            let fan = |(triangle, n): (usize, usize)| {
                let vertex = vertices.entry(n).or_insert_with(|| Vertex::new::<Loop>(n)).as_ref()?;
                let points: Vec<Vec3> = self.net.surroundings(triangle).collect();
                Some((triangle, vertex::fan::<Loop>(n, vertex, &points)?))
            };
            extraordinary.filter_map(fan).collect()
        })
    }
}

impl Pieces for LoopSurface {
    fn third(&self, cell: &Cell) -> Option<[f64; 4]> {
        let b = cell.corners.map(|w| [1.0 - w.x - w.y, w.x, w.y]);
        let range = |k: usize| ends(b.map(|b| b[k]));
        let mut most = [0.0; 4];
        for k in 0..4 {
            let overlaps = if k == 3 { (0..3).all(|k| range(k)[0] <= 0.5) } else { range(k)[1] >= 0.5 };
            if !overlaps {
                continue;
            }
            let (triangle, at) = (4 * cell.chart + k, b.map(|b| seen(k, &b)));
            let quartics = match self.pieces.extraordinary(triangle) {
                Some(_) => about_vertex(triangle, &at)?,
                None => {
                    let corners = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
                    vec![Quartic { triangle, choice: [1.0 / 3.0; 2], corners, size: 0.5 }]
                }
            };
            most = greatest(quartics.iter().map(|q| self.third_of(q, &at)).chain([most]));
        }
        Some(most)
    }

    fn fan(&self, face: usize, corner: usize) -> Option<&Fan> {
        self.fans().get(&(4 * face + corner))
    }
}

/// Loop's scheme about a vertex.
pub(super) struct Loop;

impl Scheme for Loop {
    /// Bézier points are means of control points, and a derivative of a quartic is a mean of four times their
    /// differences.
    const SLOPE: f64 = 8.0;

    fn counts(n: usize) -> [usize; 2] {
        [n + 6, n + 12]
    }

    fn ring(n: usize) -> usize {
        n
    }

    fn refine(n: usize, points: &[Vec3], out: &mut [Vec3]) {
        loop_matrix::refine(n, points, out);
    }

    fn limit_point(p: &Vec3, ring: &[Vec3]) -> Vec3 {
        loop_matrix::limit_point(p, ring)
    }

    fn limit_tangents(p: &Vec3, ring: &[Vec3]) -> [Vec3; 2] {
        loop_matrix::limit_tangents(p, ring)
    }

    fn lambda(n: usize) -> f64 {
        0.375 + 0.25 * (TAU / n as f64).cos()
    }

    fn normals(n: usize, refined: &[Vec3], tell: &mut dyn FnMut(&Vec3)) {
        for part in Part::ALL {
            box_spline::normals(&part.pick(n, refined)).iter().for_each(&mut *tell);
        }
    }
}
