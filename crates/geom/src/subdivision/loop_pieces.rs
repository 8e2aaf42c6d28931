//! The quartics of a Loop surface, made once: one for each regular triangle of the refined net, and for a triangle at
//! an extraordinary vertex the three beside that vertex for the first [`STORED`] steps towards it. Deeper steps are
//! taken when they are asked for.
//!
//! A quartic is 360 bytes; a face all of whose corners are extraordinary takes 10 kB, a regular one 1.4 kB.

use super::box_spline::{self, POINTS, Quartic};
use super::loop_matrix::{Corner, Part};
use super::mesh::ControlNet;
use crate::Vec3;
use crate::surface::ParametricJet;

/// Steps towards an extraordinary vertex whose quartics are kept: all but 1/64 of the triangle.
const STORED: usize = 3;

/// A triangle of the refined net.
#[derive(Debug, Clone)]
enum Piece {
    /// A quartic, by its index.
    Regular(usize),
    /// Quartics of the parts of each step, from an index; the vertex's valence; the corner after the last step kept.
    Extraordinary { first: usize, valence: usize, corner: Corner },
}

/// The quartics of all triangles.
#[derive(Debug, Clone)]
pub(super) struct Pieces {
    quartics: Vec<Quartic>,
    pieces: Vec<Piece>,
}

/// Parameters of a triangle of the refined net. Those of `choice` lie within the triangle and choose the quartic; (s,
/// t), at which it is evaluated, may lie beyond.
#[derive(Debug, Clone, Copy)]
pub(super) struct TriangleParameters {
    pub(super) triangle: usize,
    pub(super) s: f64,
    pub(super) t: f64,
    pub(super) choice: [f64; 2],
}

impl Pieces {
    pub(super) fn new(net: &ControlNet) -> Self {
        let mut quartics = Vec::new();
        let mut pieces = Vec::with_capacity(net.triangles.len());
        for triangle in 0..net.triangles.len() {
            let first = quartics.len();
            let points: Vec<Vec3> = net.surroundings(triangle).collect();
            if let Ok(control) = <&[Vec3; POINTS]>::try_from(points.as_slice()) {
                quartics.push(Quartic::new(control));
                pieces.push(Piece::Regular(first));
                continue;
            }
            let valence = points.len() - 6;
            let mut corner = Corner::new(points);
            for _ in 0..STORED {
                quartics.extend(Part::ALL.map(|part| Quartic::new(&corner.part_after(0, part))));
                corner.descend();
            }
            pieces.push(Piece::Extraordinary { first, valence, corner });
        }
        Self { quartics, pieces }
    }

    /// The valence of the extraordinary vertex at a triangle's first corner; none where it is regular.
    pub(super) fn extraordinary(&self, triangle: usize) -> Option<usize> {
        match &self.pieces[triangle] {
            Piece::Regular(_) => None,
            Piece::Extraordinary { valence, .. } => Some(*valence),
        }
    }

    /// The limit point of an extraordinary vertex, to which the jets of its triangle are relative; otherwise zero.
    pub(super) fn origin(&self, triangle: usize) -> Vec3 {
        match &self.pieces[triangle] {
            Piece::Regular(_) => Vec3::zeros(),
            Piece::Extraordinary { corner, .. } => corner.limit(),
        }
    }

    /// The jet along s and t, relative to [`Self::origin`]; the choice must not be an extraordinary vertex.
    pub(super) fn jet(&self, spot: &TriangleParameters) -> ParametricJet {
        let [jet] = self.jets(spot.triangle, spot.choice, [[spot.s, spot.t]]);
        jet
    }

    /// Jets of one quartic, the chosen one.
    pub(super) fn jets<const N: usize>(
        &self,
        triangle: usize,
        choice: [f64; 2],
        at: [[f64; 2]; N],
    ) -> [ParametricJet; N] {
        match &self.pieces[triangle] {
            Piece::Regular(k) => at.map(|[s, t]| self.quartics[*k].jet(s, t)),
            Piece::Extraordinary { first, corner, .. } => self.extraordinary_jets(*first, corner, choice, at),
        }
    }

    fn extraordinary_jets<const N: usize>(
        &self,
        first: usize,
        corner: &Corner,
        [mut a, mut b]: [f64; 2],
        at: [[f64; 2]; N],
    ) -> [ParametricJet; N] {
        let mut depth = 0;
        while a + b <= 0.5 {
            (a, b) = (2.0 * a, 2.0 * b);
            depth += 1;
        }
        let magnify = 2f64.powi(depth as i32);
        let (part, sign) = match (a >= 0.5, b >= 0.5) {
            (true, _) => (Part::AtB, 1.0),
            (_, true) => (Part::AtC, 1.0),
            _ => (Part::Middle, -1.0),
        };
        let local = at.map(|[s, t]| {
            let (s, t) = (2.0 * (s * magnify), 2.0 * (t * magnify));
            match part {
                Part::AtB => [s - 1.0, t],
                Part::AtC => [s, t - 1.0],
                Part::Middle => [1.0 - s, 1.0 - t],
            }
        });
        let jets = match self.quartics.get(first + 3 * depth + part as usize).filter(|_| depth < STORED) {
            Some(quartic) => local.map(|[s, t]| quartic.jet(s, t)),
            None => {
                let control = corner.part_after(depth - STORED, part);
                local.map(|[s, t]| box_spline::jet(&control, s, t))
            }
        };
        jets.map(|jet| scaled(jet, depth as i32, sign))
    }
}

/// A derivative of order m goes as (±2^(depth + 1))^m, and the control points are magnified by 2 per step.
fn scaled(mut jet: ParametricJet, depth: i32, sign: f64) -> ParametricJet {
    let scale = sign * 2f64.powi(depth + 1);
    let mut factor = 0.5f64.powi(depth);
    jet.p *= factor;
    factor *= scale;
    for d in [&mut jet.du, &mut jet.dv] {
        *d *= factor;
    }
    factor *= scale;
    for d in [&mut jet.duu, &mut jet.duv, &mut jet.dvv] {
        *d *= factor;
    }
    factor *= scale;
    for d in [&mut jet.duuu, &mut jet.duuv, &mut jet.duvv, &mut jet.dvvv] {
        *d *= factor;
    }
    jet
}
