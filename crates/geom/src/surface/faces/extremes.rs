//! The greatest value of a function over all faces: samples on a grid, and on rings that draw near the vertices without
//! derivatives, then a compass search from the best ones.
//!
//! Curvature is in general unbounded at an extraordinary vertex; it is taken up to the cut where the charts end.

use super::Faced;
use crate::chart::Place;
use crate::error::Result;
use crate::{Aabb, Vec2, Vec3};

/// Intervals of the grid along each side of a face.
const GRID: usize = 8;

/// How many of the best samples are followed: hills of nearly the same height.
const HILLS: usize = 4;

/// The compass stops at this step of the parameters, which fixes a smooth extremum to rounding.
const FINEST: f64 = 1e-9;

/// Bound on compass moves: thirty halvings and as many strides again between them as a curved ridge may need.
const MOVES: usize = 400;

/// Places all over the surface, with rings about the vertices without derivatives where `rings` asks for them.
fn samples<F: Faced>(surface: &F, rings: bool) -> Vec<Place> {
    let polygon = surface.polygon();
    let mut places = Vec::new();
    for chart in 0..surface.chart_count() {
        let mut add = |at: &Vec2| {
            let place = Place { chart, u: at.x, v: at.y };
            if surface.inside(&place) >= 0.0 {
                places.push(place);
            }
        };
        for j in 0..=GRID {
            for i in 0..=GRID {
                add(&(Vec2::new(i as f64, j as f64) / GRID as f64));
            }
        }
        for k in 0..polygon.sides() {
            let cut = surface.cut(chart, k);
            let mut reach = 0.5 / GRID as f64;
            while rings && cut > 0.0 && reach >= cut {
                for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
                    add(&polygon.global(k, &Vec2::new(reach * (1.0 - share), reach * share)));
                }
                reach *= 0.5;
            }
        }
    }
    places
}

/// The greatest of `f`, whose values at places are known; those that are NaN count for nothing.
fn greatest<F: Faced>(
    surface: &F,
    known: impl Iterator<Item = (Place, f64)>,
    f: impl Fn(&Place) -> Result<f64>,
) -> Result<f64> {
    let mut values: Vec<(Place, f64)> = known.filter(|(_, value)| !value.is_nan()).collect();
    values.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut best = f64::NEG_INFINITY;
    for &(place, value) in values.iter().take(HILLS) {
        best = best.max(climb(surface, place, value, &f)?);
    }
    Ok(best)
}

fn climb<F: Faced>(
    surface: &F,
    mut place: Place,
    mut value: f64,
    f: &impl Fn(&Place) -> Result<f64>,
) -> Result<f64> {
    let mut step = 0.5 / GRID as f64;
    for _ in 0..MOVES {
        if step < FINEST {
            break;
        }
        let from = place;
        let mut moved = false;
        for (x, y) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)] {
            let next = Place { u: from.u + step * f64::from(x), v: from.v + step * f64::from(y), ..from };
            if surface.inside(&next) < 0.0 {
                continue;
            }
            let candidate = f(&next)?;
            if candidate > value {
                (place, value, moved) = (next, candidate, true);
            }
        }
        if !moved {
            step *= 0.5;
        }
    }
    Ok(value)
}

/// The box around a surface.
pub(crate) fn bounds<F: Faced>(surface: &F) -> Result<Aabb> {
    if surface.chart_count() == 0 {
        return Ok(Aabb::EMPTY);
    }
    let point = |place: &Place| surface.point_at(place.chart, &Vec2::new(place.u, place.v));
    let places = samples(surface, false);
    let points = places.iter().map(point).collect::<Result<Vec<Vec3>>>()?;
    // Vertices that the charts leave out come first.
    let polygon = surface.polygon();
    let mut aabb = Aabb::EMPTY;
    for face in 0..surface.chart_count() {
        for k in 0..polygon.sides() {
            aabb = aabb.including(&surface.point_at(face, &polygon.corner(k))?);
        }
    }
    for k in 0..3 {
        for sign in [1.0, -1.0] {
            let known = places.iter().zip(&points).map(|(place, p)| (*place, sign * p[k]));
            let reach = sign * greatest(surface, known, |place| Ok(sign * point(place)?[k]))?;
            aabb.min[k] = aabb.min[k].min(reach);
            aabb.max[k] = aabb.max[k].max(reach);
        }
    }
    Ok(aabb)
}

/// The least and the greatest principal curvature.
pub(super) fn curvature_range<F: Faced>(surface: &F) -> Result<[f64; 2]> {
    let kappa = |place: &Place| surface.jet(place).map(|jet| jet.curvature().kappa);
    let places = samples(surface, true);
    let known = places.iter().map(kappa).collect::<Result<Vec<[f64; 2]>>>()?;
    let pairs = || places.iter().copied().zip(&known);
    let least = greatest(surface, pairs().map(|(place, k)| (place, -k[1])), |place| Ok(-kappa(place)?[1]))?;
    let most = greatest(surface, pairs().map(|(place, k)| (place, k[0])), |place| Ok(kappa(place)?[0]))?;
    Ok([-least, most])
}
