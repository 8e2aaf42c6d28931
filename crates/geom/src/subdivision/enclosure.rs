//! What is proved of a subdivision surface over a cell.
//!
//! Away from extraordinary vertices the surface is twice continuously differentiable and its third derivatives are
//! bounded piece by piece: Taylor's rest and the cone of normals follow (`chart`). A cell that reaches to a vertex is
//! cut into bands between distances from it that halve; the points of each are held so, and what is left at last by
//! `vertex`, as are all normals. All points together are in a flat box along the surface. Where normals are not shown
//! to be in a cone, the cone holds all directions; faces at a vertex of which nothing is proved have no enclosure.

use super::vertex::Fan;
use crate::chart::polygon::Faces;
use crate::chart::{Atlas, Cell, Enclosure, Hull, Place, arms, enclosure_from, rest};
use crate::curvature::tangents;
use crate::{Vec2, Vec3};
use std::f64::consts::PI;

/// A cell reaches to a vertex where its farthest point is so many times as far as its nearest.
const REACHES: f64 = 8.0;

/// The same for a cell that is near a vertex, whose normals the cone of the vertex may hold where its own is not shown.
const NEIGHBOUR: f64 = 1.5;

/// Bands about a vertex: control points of what is left are twice as far as its own points.
const BANDS: usize = 4;

/// How often a cell is split into four for the cone of its normals: each time what the proof adds falls to a quarter.
const SPLITS: usize = 2;

/// Roundings of points, in units of 2⁻⁵².
const ROUNDINGS: f64 = 64.0;

/// A surface of faces that are made of polynomials, but about vertices.
pub(super) trait Pieces: Faces + Atlas {
    /// Bounds of the lengths of ∂³x/∂u³, ∂³x/∂u²∂v, ∂³x/∂u∂v² and ∂³x/∂v³ over a cell; none where it is too close to a
    /// vertex.
    fn third(&self, cell: &Cell) -> Option<[f64; 4]>;

    /// What is proved about an extraordinary corner: level l is within 2⁻ˡ⁻¹ of it in parameters of the face.
    fn fan(&self, face: usize, corner: usize) -> Option<&Fan>;
}

/// See [`Atlas::enclosure`].
pub(super) fn enclosure<S: Pieces>(surface: &S, cell: &Cell) -> Option<Enclosure> {
    if cell.chart >= surface.count() {
        return None;
    }
    // How many times as far as its nearest point a cell's farthest is from a corner.
    let spread = |k: usize| {
        let r = distances(surface, cell, k);
        r[0].max(r[1]).max(r[2]) / r[0].min(r[1]).min(r[2]).max(f64::MIN_POSITIVE)
    };
    let corners = (0..surface.polygon().sides()).filter(|k| surface.cut(cell.chart, *k) > 0.0);
    // What is not proved about a vertex is not proved in its faces: their parts would come down to it in vain.
    if corners.clone().any(|k| surface.fan(cell.chart, k).is_none()) {
        return None;
    }
    let nearest = corners.map(|k| (spread(k), k)).max_by(|a, b| a.0.total_cmp(&b.0));
    let at_corner = |least: f64| {
        let (_, corner) = nearest.filter(|(spread, _)| *spread > least)?;
        at_vertex(surface, cell, corner)
    };
    at_corner(REACHES).or_else(|| away(surface, cell)).or_else(|| at_corner(NEIGHBOUR))
}

/// The enclosure of a cell away from vertices.
fn away<S: Pieces>(surface: &S, cell: &Cell) -> Option<Enclosure> {
    let third = surface.third(cell)?;
    let axis = surface.jet(&middle(cell)).ok()?.normal().try_normalize(0.0)?;
    let angle = turn(surface, cell, third, &axis, SPLITS)?.min(PI);
    Some(Enclosure { hull: Hull::Taylor(rest(third, cell)), axis, angle })
}

/// The angle of a cone about an axis that holds the normals of a cell, from those of its parts.
fn turn<S: Pieces>(surface: &S, cell: &Cell, third: [f64; 4], axis: &Vec3, splits: usize) -> Option<f64> {
    if splits == 0 {
        let known = enclosure_from(&surface.jet(&middle(cell)).ok()?, cell, third)?;
        return Some(axis.angle(&known.axis) + known.angle);
    }
    let [a, b, c] = cell.corners;
    let (ab, bc, ca) = ((a + b) * 0.5, (b + c) * 0.5, (c + a) * 0.5);
    let mut most: f64 = 0.0;
    for corners in [[a, ab, ca], [ab, b, bc], [ca, bc, c], [bc, ca, ab]] {
        most = most.max(turn(surface, &Cell { corners, ..*cell }, third, axis, splits - 1)?);
    }
    Some(most)
}

/// Twice s + t of a cell's corners, seen from a corner of the face.
fn distances<S: Pieces>(surface: &S, cell: &Cell, corner: usize) -> [f64; 3] {
    cell.corners.map(|w| 2.0 * surface.polygon().local(corner, &w).sum())
}

fn middle(cell: &Cell) -> Place {
    let [a, b, c] = &cell.corners;
    let w = (a + b + c) / 3.0;
    Place { chart: cell.chart, u: w.x, v: w.y }
}

/// What holds parts of a cell: points with a radius each, within whose hull they are.
struct HullPoints {
    points: Vec<(Vec3, f64)>,
}

impl HullPoints {
    /// Adds a cell away from vertices; the cone of its normals, all directions where none is shown.
    fn add<S: Pieces>(&mut self, surface: &S, cell: &Cell) -> Option<(Vec3, f64)> {
        let (jet, third) = (surface.jet(&middle(cell)).ok()?, surface.third(cell)?);
        let (w, radius) = (arms(cell), rest(third, cell));
        for i in 0..3 {
            for j in i..3 {
                let (a, b) = (&w[i], &w[j]);
                let first = jet.du * (a.x + b.x) + jet.dv * (a.y + b.y);
                let second =
                    jet.duu * (a.x * b.x) + jet.duv * (a.x * b.y + a.y * b.x) + jet.dvv * (a.y * b.y);
                self.points.push((jet.p + (first + second) * 0.5, radius));
            }
        }
        let known = enclosure_from(&jet, cell, third);
        Some(known.map_or((Vec3::z(), PI), |known| (known.axis, known.angle)))
    }

    /// A rectangle across the axis, its first side along a direction, and half of the height over and under it that all
    /// points need.
    fn flat_box(&self, axis: &Vec3, along: &Vec3) -> Hull {
        let across = (along - axis * axis.dot(along)).try_normalize(0.0);
        let e = across.unwrap_or_else(|| tangents(axis).0);
        let axes = [e, axis.cross(&e), *axis];
        let ends = axes.map(|e| {
            let low = self.points.iter().map(|(p, r)| e.dot(p) - r).fold(f64::INFINITY, f64::min);
            let high = self.points.iter().map(|(p, r)| e.dot(p) + r).fold(f64::NEG_INFINITY, f64::max);
            [low, high]
        });
        let height = 0.5 * (ends[2][0] + ends[2][1]);
        let at = |i: usize, j: usize| axes[0] * ends[0][i] + axes[1] * ends[1][j] + axes[2] * height;
        let corners = [at(0, 0), at(1, 0), at(1, 1), at(0, 1)];
        let size = corners.iter().map(|p| p.norm()).fold(0.0, f64::max);
        let slack = 0.5 * (ends[2][1] - ends[2][0]) + ROUNDINGS * f64::EPSILON * size;
        let [a, b, c, d] = corners;
        Hull::Points { control: [a, b, c, d, a, c], slack }
    }
}

/// The enclosure of a cell that reaches to an extraordinary corner.
fn at_vertex<S: Pieces>(surface: &S, cell: &Cell, corner: usize) -> Option<Enclosure> {
    let far = distances(surface, cell, corner).into_iter().fold(0.0, f64::max);
    let first = (-far.log2()).floor().max(0.0) as usize;
    let fan = surface.fan(cell.chart, corner)?;
    let mut held = HullPoints { points: vec![(fan.centre, fan.radius(first + BANDS))] };
    let mut angle = fan.angle(first);
    let distance = |w: &Vec2| 2.0 * surface.polygon().local(corner, w).sum();
    let mut left = cell.corners.to_vec();
    // What is beyond the faces about the vertex, then the bands.
    for level in first..=first + BANDS {
        let near = 0.5f64.powi(level as i32);
        let band = beyond(&left, |w| distance(w) - near);
        left = beyond(&left, |w| near - distance(w));
        for k in 2..band.len() {
            let corners = [band[0], band[k - 1], band[k]];
            let (n, turn) = held.add(surface, &Cell { corners, ..*cell })?;
            if level == 0 {
                angle = angle.max(fan.axis.angle(&n) + turn);
            }
        }
    }
    let along = surface.jet(&middle(cell)).ok()?.p - fan.centre;
    Some(Enclosure { hull: held.flat_box(&fan.axis, &along), axis: fan.axis, angle: angle.min(PI) })
}

/// The part of a convex polygon where a linear function is not negative.
fn beyond(polygon: &[Vec2], f: impl Fn(&Vec2) -> f64) -> Vec<Vec2> {
    let mut out = Vec::with_capacity(polygon.len() + 1);
    for (k, a) in polygon.iter().enumerate() {
        let b = &polygon[(k + 1) % polygon.len()];
        let (x, y) = (f(a), f(b));
        if x >= 0.0 {
            out.push(*a);
        }
        if (x < 0.0) != (y < 0.0) && x != 0.0 && y != 0.0 {
            out.push(a + (b - a) * (x / (x - y)));
        }
    }
    out
}
