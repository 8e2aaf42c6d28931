//! Faces with a polygon of parameters each, triangles or squares, that share their sides: how a place goes from face to
//! face, round corners and over vertices without derivatives.
//!
//! Side k runs from corner k to corner k + 1, counter-clockwise. At corner k the parameters are c_k + s(c_{k+1} −
//! c_k) + t(c_{k−1} − c_k), so that t is the height over side k and s the one over side k − 1. A neighbour's side runs
//! the other way: (s, t) of side k are (1 − s, −t) of the neighbour's side, and the face's function is continued over
//! its neighbour in these parameters.
//!
//! At an extraordinary vertex, where the faces have no derivatives, each of them ends at the cut s + t = δ. A motion
//! that meets the cut goes straight on in the tangent plane of the vertex, on to where that line meets the cut of
//! another face (or of the same one, where it grazes). The cut is about [`CUT`] edges from the vertex in space: so far
//! apart at most, and twice that over the vertex, are the two places.

use super::over::{self, Arc};
use super::{Cell, Place, check, check_margin, check_rates};
use crate::error::Result;
use crate::{Vec2, Vec3};

/// The distance of a cut from its vertex in edges: what is left out is curved by less than its square, which is
/// rounding.
pub(crate) const CUT: f64 = 1e-8;

/// Faces round a corner that a place passes at most, before it stays where it is.
pub(crate) const MAX_HOPS: usize = 64;

/// A border closer than this is where a place is that is asked to go on: so far at most is it moved to get there.
pub(crate) const NEAR: f64 = 1e-9;
/// What the next borders must be closer than.
pub(crate) const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// How far within its new face a place begins: rounding, but enough for a motion along the side, towards which the
/// rates of both faces may point by their rounding, not to be sent to and fro.
pub(crate) const ENTRY: f64 = 2.0 * f64::EPSILON;

/// δ of a vertex about which the faces shrink by λ in space where they shrink by two in parameters: λ^n = `CUT`, δ =
/// 2⁻ⁿ.
pub(crate) fn cut_at(lambda: f64) -> f64 {
    CUT.powf(-std::f64::consts::LN_2 / lambda.ln())
}

/// The parameters of a face.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Polygon {
    /// u, v ≥ 0, u + v ≤ 1.
    Triangle,
    /// 0 ≤ u, v ≤ 1.
    Square,
}

impl Polygon {
    pub(crate) fn sides(self) -> usize {
        match self {
            Self::Triangle => 3,
            Self::Square => 4,
        }
    }

    /// Corner k, counted modulo the number of sides.
    pub(crate) fn corner(self, k: usize) -> Vec2 {
        let (u, v) = match (self, k % self.sides()) {
            (_, 0) => (0.0, 0.0),
            (_, 1) => (1.0, 0.0),
            (Self::Square, 2) => (1.0, 1.0),
            _ => (0.0, 1.0),
        };
        Vec2::new(u, v)
    }

    /// The vectors from corner k along the side that begins and the side that ends there; their cross product is one.
    fn spokes(self, k: usize) -> [Vec2; 2] {
        let at = self.corner(k);
        [self.corner(k + 1) - at, self.corner(k + self.sides() - 1) - at]
    }

    /// (s, t) of (u, v) at corner k.
    pub(crate) fn local(self, k: usize, p: &Vec2) -> Vec2 {
        self.turn(k, &(p - self.corner(k)))
    }

    /// (u, v) of (s, t) at corner k.
    pub(crate) fn global(self, k: usize, p: &Vec2) -> Vec2 {
        let [a, b] = self.spokes(k);
        self.corner(k) + a * p.x + b * p.y
    }

    /// Rates of (s, t) from those of (u, v).
    pub(crate) fn turn(self, k: usize, d: &Vec2) -> Vec2 {
        let [a, b] = self.spokes(k);
        Vec2::new(d.perp(&b), a.perp(d))
    }

    /// Rates of (u, v) from those of (s, t).
    fn turn_back(self, k: usize, d: &Vec2) -> Vec2 {
        let [a, b] = self.spokes(k);
        a * d.x + b * d.y
    }
}

/// A surface of faces of the same sort.
pub(crate) trait Faces {
    /// The parameters of every face.
    fn polygon(&self) -> Polygon;

    /// How many faces there are.
    fn count(&self) -> usize;

    /// The neighbour across a side and its side.
    fn across(&self, face: usize, side: usize) -> Option<[usize; 2]>;

    /// δ at a corner; zero where the faces about it have derivatives.
    fn cut(&self, face: usize, corner: usize) -> f64;

    /// The unit normal at a corner.
    fn normal(&self, face: usize, corner: usize) -> Vec3;

    /// The point at (u, v) of a face, relative to the limit point of the extraordinary corner close by, and its
    /// derivatives along u and v.
    fn near(&self, face: usize, at: &Vec2) -> Result<[Vec3; 3]>;
}

/// A side or the cut of a corner.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Border {
    Side(usize),
    Cut(usize),
}

/// See [`super::Atlas::inside`].
pub(crate) fn inside<F: Faces>(faces: &F, place: &Place) -> f64 {
    if place.chart >= faces.count() || place.u.is_nan() || place.v.is_nan() {
        return f64::NAN;
    }
    borders(faces, place).fold(f64::INFINITY, |least, (_, distance)| least.min(distance))
}

/// See [`super::Atlas::grain`]: twice the sum of the coordinates about an extraordinary corner.
pub(crate) fn grain<F: Faces>(faces: &F, place: &Place) -> f64 {
    let (polygon, at) = (faces.polygon(), Vec2::new(place.u, place.v));
    let corners = (0..polygon.sides()).map(|k| (k, faces.cut(place.chart, k))).filter(|(_, cut)| *cut > 0.0);
    corners.fold(1.0, |least: f64, (k, cut)| least.min(2.0 * polygon.local(k, &at).sum().max(cut)))
}

/// All borders of a place's face with the distance of the place from each; cuts come before sides.
fn borders<F: Faces>(faces: &F, place: &Place) -> impl Iterator<Item = (Border, f64)> {
    let (polygon, at) = (faces.polygon(), Vec2::new(place.u, place.v));
    let cuts = (0..polygon.sides()).filter_map(move |k| {
        let cut = faces.cut(place.chart, k);
        let local = polygon.local(k, &at);
        (cut > 0.0).then_some((Border::Cut(k), local.x + local.y - cut))
    });
    cuts.chain((0..polygon.sides()).map(move |k| (Border::Side(k), polygon.local(k, &at).y)))
}

/// See [`super::Atlas::onward`].
pub(crate) fn onward<F: Faces>(faces: &F, place: &Place, rates: &Vec2) -> Result<Option<Place>> {
    check(place, faces.count())?;
    check_rates(rates)?;
    check_margin(inside(faces, place))?;
    let polygon = faces.polygon();
    let (mut place, mut rates) = (*place, *rates);
    let mut near = NEAR;
    for _ in 0..MAX_HOPS {
        let Some(border) = left(faces, &place, &rates, near) else { break };
        let at = Vec2::new(place.u, place.v);
        match border {
            Border::Cut(k) => return hop(faces, k, &place, &rates).map(Some),
            Border::Side(k) => {
                let Some([face, side]) = faces.across(place.chart, k) else { return Ok(None) };
                let (p, d) = (polygon.local(k, &at), polygon.turn(k, &rates));
                let p = polygon.global(side, &Vec2::new(1.0 - p.x, (-p.y).max(ENTRY)));
                place = Place { chart: face, u: p.x, v: p.y };
                rates = polygon.turn_back(side, &-d);
            }
        }
        near = ROUNDING;
    }
    Ok(Some(place))
}

/// The border by which a motion leaves its face: of those nearer than `near` towards which it goes, the nearest. A cut
/// must be nearer than its vertex is from it, since a motion is put across the vertex there.
fn left<F: Faces>(faces: &F, place: &Place, rates: &Vec2, near: f64) -> Option<Border> {
    let polygon = faces.polygon();
    let mut found = (None, near);
    for (border, distance) in borders(faces, place) {
        let (rate, reach) = match border {
            Border::Side(k) => (polygon.turn(k, rates).y, near),
            Border::Cut(k) => (polygon.turn(k, rates).sum(), faces.cut(place.chart, k)),
        };
        if rate < 0.0 && distance < found.1.min(reach) {
            found = (Some(border), distance);
        }
    }
    found.0
}

/// Faces about a corner, counter-clockwise, each with its own number of the corner.
fn around<F: Faces>(faces: &F, face: usize, corner: usize) -> Vec<[usize; 2]> {
    let n = faces.polygon().sides();
    let mut found = vec![[face, corner]];
    let mut at = [face, corner];
    while let Some(next) = faces.across(at[0], (at[1] + n - 1) % n) {
        if next == found[0] || found.len() > 3 * faces.count() {
            break;
        }
        found.push(next);
        at = next;
    }
    found
}

/// Straight on over an extraordinary vertex.
fn hop<F: Faces>(faces: &F, corner: usize, place: &Place, rates: &Vec2) -> Result<Place> {
    let polygon = faces.polygon();
    let cut = faces.cut(place.chart, corner);
    let arcs: Vec<Arc> = around(faces, place.chart, corner)
        .into_iter()
        .map(|[chart, k]| Arc {
            chart,
            from: polygon.global(k, &Vec2::new(cut, 0.0)),
            to: polygon.global(k, &Vec2::new(0.0, cut)),
            away: Vec2::new(polygon.turn(k, &Vec2::x()).sum(), polygon.turn(k, &Vec2::y()).sum()),
        })
        .collect();
    over::straight(&arcs, &faces.normal(place.chart, corner), place, rates, |face, at| faces.near(face, at))
}

/// Cells over all faces, up to their cuts.
pub(crate) fn cells<F: Faces>(faces: &F) -> Vec<Cell> {
    let polygon = faces.polygon();
    let n = polygon.sides();
    let middle = (0..n).map(|k| polygon.corner(k)).sum::<Vec2>() / n as f64;
    let mut cells = Vec::new();
    for chart in 0..faces.count() {
        for k in 0..n {
            let at = |s: f64, t: f64| polygon.global(k, &Vec2::new(s, t));
            let cut = faces.cut(chart, k);
            let mut add = |corners: [Vec2; 3]| cells.push(Cell { chart, corners });
            // The quarter or third at the corner: to the middles of both sides and of the face.
            let [b, d] = [at(0.5, 0.0), at(0.0, 0.5)];
            if cut == 0.0 {
                add([at(0.0, 0.0), b, middle]);
                add([at(0.0, 0.0), middle, d]);
            } else {
                let [p, q] = [at(cut, 0.0), at(0.0, cut)];
                add([p, b, middle]);
                add([p, middle, q]);
                add([q, middle, d]);
            }
        }
    }
    cells
}
