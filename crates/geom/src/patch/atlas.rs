//! Surfaces in patches by charts: one per patch, with the patch's own parameters.
//!
//! | surface | charts | its end |
//! |---|---|---|
//! | [`PatchNet`] | the unit squares of its patches | edges without neighbours |
//! | [`NurbsSurface`] | those of its Bézier patches, between the breaks | the ends of its domain, where it does not close |
//! | [`BezierPatch`] | one | its four edges |
//! | [`SPatch`] | one, its polygon | its sides |
//!
//! Patches that share an edge need not share the derivatives of their parametrisations, only the tangent plane. A
//! motion therefore goes on by its velocity in space, at a corner from patch to patch until it leads into one. Where
//! the normals on both sides of an edge differ the surface has a crease, and going over it is an error. Beyond its
//! border a patch is continued by its own function; that of a rational patch whose weights fall steeply towards the
//! border may come to an end there.
//!
//! At a pole, an edge that is one point, a patch ends [`CUT`] before the edge. A motion that gets there goes straight
//! on over the pole, from patch to patch about it; where the patches do not close about the pole the surface ends.

use super::net::{Edge, PatchNet, rates as rates_of};
use super::{BezierPatch, NurbsSurface, bound};
use crate::chart::cube::grid;
use crate::chart::over::{self, Arc};
use crate::chart::polygon::{CUT, ENTRY, MAX_HOPS, NEAR, Polygon, ROUNDING};
use crate::chart::{Atlas, Cell, Enclosure, Place, check, check_margin, check_rates, enclosure_from, locate};
use crate::error::{GeomError, Result};
use crate::surface::{Parametric, ParametricJet};
use crate::{Vec2, Vec3};

/// The sides of the unit square, counter-clockwise from the origin: side k runs from corner k to corner k + 1.
const SIDES: [Edge; 4] = [Edge::V0, Edge::U1, Edge::V1, Edge::U0];

/// Unit normals that differ by more make a crease: a thousand times what a tolerance of 1e-9 between edges leaves.
const CREASE: f64 = 1e-6;

const SQUARE: Polygon = Polygon::Square;

/// The place and the rates of a motion.
#[derive(Debug, Clone, Copy)]
struct Motion {
    place: Place,
    rates: Vec2,
    /// The side by which the patch was entered.
    entered: Option<usize>,
}

impl Motion {
    /// The sides nearer than `near` towards which the motion goes, the nearest first.
    fn leaving(&self, net: &PatchNet, near: f64) -> Vec<usize> {
        let at = Vec2::new(self.place.u, self.place.v);
        let mut found: Vec<(f64, usize)> = (0..4)
            .filter(|&k| Some(k) != self.entered && SQUARE.turn(k, &self.rates).y < 0.0)
            .map(|k| (SQUARE.local(k, &at).y - net.cut(self.place.chart, k), k))
            .filter(|&(height, k)| {
                let cut = net.cut(self.place.chart, k);
                height < if cut > 0.0 { near.min(cut) } else { near }
            })
            .collect();
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        found.into_iter().map(|(_, k)| k).collect()
    }
}

impl PatchNet {
    /// How far from a side a patch ends as a chart.
    fn cut(&self, patch: usize, side: usize) -> f64 {
        if self.is_pole(patch, SIDES[side]) { CUT } else { 0.0 }
    }

    /// The neighbour across a side and its side.
    fn beyond(&self, patch: usize, side: usize) -> Option<[usize; 2]> {
        let there = self.neighbour(patch, SIDES[side])?;
        Some([there.patch, SIDES.iter().position(|&e| e == there.edge)?])
    }

    fn at(&self, place: &Place) -> ParametricJet {
        Parametric::jet(&self.patches()[place.chart], place.u, place.v)
    }

    /// A motion over a side; none where the surface ends.
    fn cross(&self, motion: &Motion, side: usize) -> Result<Option<Motion>> {
        let Some([patch, entered]) = self.beyond(motion.place.chart, side) else { return Ok(None) };
        let at = SQUARE.local(side, &Vec2::new(motion.place.u, motion.place.v));
        let s = at.x.clamp(0.0, 1.0);
        let free = if SIDES[side].is_counter_clockwise() { s } else { 1.0 - s };
        let Some(place) = self.across(motion.place.chart, SIDES[side], free) else { return Ok(None) };
        let border = SQUARE.global(side, &Vec2::new(s, 0.0));
        let here = self.at(&Place { u: border.x, v: border.y, ..motion.place });
        let there = self.at(&place);
        let turn = (here.normal().normalize() - there.normal().normalize()).norm();
        let velocity = here.du * motion.rates.x + here.dv * motion.rates.y;
        match rates_of(&there, &velocity) {
            Some(rates) if turn <= CREASE => {
                let p = SQUARE.local(entered, &Vec2::new(place.u, place.v));
                let p = SQUARE.global(entered, &Vec2::new(p.x, ENTRY));
                let place = Place { u: p.x, v: p.y, ..place };
                Ok(Some(Motion { place, rates, entered: Some(entered) }))
            }
            _ => Err(GeomError::Undefined {
                surface: "net of patches",
                quantity: "way on",
                reason: format!(
                    "the normals of the patches {} and {patch} differ by {turn:e} at their common edge",
                    motion.place.chart
                ),
            }),
        }
    }

    /// Arcs about the pole of a patch, counter-clockwise from its own; none where they do not close.
    fn about_pole(&self, patch: usize, side: usize) -> Option<Vec<Arc>> {
        let mut arcs = Vec::new();
        let mut at = [patch, side];
        for _ in 0..=4 * self.patches().len() {
            let [chart, k] = at;
            let [from, to] = [1.0, 0.0].map(|s| SQUARE.global(k, &Vec2::new(s, CUT)));
            let away = Vec2::new(SQUARE.turn(k, &Vec2::x()).y, SQUARE.turn(k, &Vec2::y()).y);
            arcs.push(Arc { chart, from, to, away });
            // The side that ends at the pole's edge; the neighbour's pole is the side before the one that is entered.
            let [next, entered] = self.beyond(chart, (k + 3) % 4)?;
            at = [next, (entered + 3) % 4];
            if !self.is_pole(next, SIDES[at[1]]) {
                return None;
            }
            if at == [patch, side] {
                return Some(arcs);
            }
        }
        None
    }

    fn over_pole(&self, motion: &Motion, side: usize) -> Result<Option<Place>> {
        let place = &motion.place;
        let Some(arcs) = self.about_pole(place.chart, side) else { return Ok(None) };
        let corner = SQUARE.corner(side);
        let pole = self.at(&Place { u: corner.x, v: corner.y, ..*place }).p;
        let normal = self.at(place).normal().normalize();
        let near = |chart: usize, at: &Vec2| -> Result<[Vec3; 3]> {
            let jet = self.at(&Place { chart, u: at.x, v: at.y });
            Ok([jet.p - pole, jet.du, jet.dv])
        };
        over::straight(&arcs, &normal, place, &motion.rates, near).map(Some)
    }
}

/// What the control points prove over a cell.
fn enclosure_of(patch: &BezierPatch, cell: &Cell) -> Option<Enclosure> {
    let [a, b, c] = &cell.corners;
    let (low, high, middle) = (a.inf(b).inf(c), a.sup(b).sup(c), (a + b + c) / 3.0);
    let third = bound::third(patch, [low.x, high.x], [low.y, high.y])?;
    enclosure_from(&Parametric::jet(patch, middle.x, middle.y), cell, third)
}

impl Atlas for PatchNet {
    fn chart_count(&self) -> usize {
        self.patches().len()
    }

    fn jet(&self, place: &Place) -> Result<ParametricJet> {
        check(place, self.chart_count())?;
        check_margin(self.inside(place))?;
        Ok(self.at(place))
    }

    fn inside(&self, place: &Place) -> f64 {
        if place.chart >= self.chart_count() {
            return f64::NAN;
        }
        let at = Vec2::new(place.u, place.v);
        let height = |k: usize| SQUARE.local(k, &at).y - self.cut(place.chart, k);
        least((0..4).map(height))
    }

    /// Twice the distance from an edge that is a pole.
    fn grain(&self, place: &Place) -> f64 {
        let at = Vec2::new(place.u, place.v);
        let poles = (0..4).map(|k| (k, self.cut(place.chart, k))).filter(|(_, cut)| *cut > 0.0);
        poles.fold(1.0, |least: f64, (k, cut)| least.min(2.0 * SQUARE.local(k, &at).y.max(cut)))
    }

    fn onward(&self, place: &Place, rates: &Vec2) -> Result<Option<Place>> {
        check(place, self.chart_count())?;
        check_rates(rates)?;
        check_margin(self.inside(place))?;
        let mut motion = Motion { place: *place, rates: *rates, entered: None };
        let mut near = NEAR;
        for _ in 0..MAX_HOPS {
            let sides = motion.leaving(self, near);
            if sides.is_empty() {
                break;
            }
            let mut next = None;
            for &side in &sides {
                if self.is_pole(motion.place.chart, SIDES[side]) {
                    return self.over_pole(&motion, side);
                }
                next = self.cross(&motion, side)?;
                if next.is_some() {
                    break;
                }
            }
            let Some(next) = next else { return Ok(None) };
            motion = next;
            near = ROUNDING;
        }
        Ok(Some(motion.place))
    }

    fn locate(&self, point: &Vec3) -> Result<Place> {
        locate::search(self, point)
    }

    fn cells(&self) -> Vec<Cell> {
        let cells = |(chart, patch): (usize, &BezierPatch)| {
            let [v0, u1, v1, u0] = [0, 1, 2, 3].map(|k| self.cut(chart, k));
            grid(chart, [[u0, 1.0 - u1], [v0, 1.0 - v1]], patch.degree().map(|d| d.max(2)))
        };
        self.patches().iter().enumerate().flat_map(cells).collect()
    }

    fn enclosure(&self, cell: &Cell) -> Option<Enclosure> {
        enclosure_of(self.patches().get(cell.chart)?, cell)
    }

    /// Not that it is known to be.
    fn is_convex(&self) -> bool {
        false
    }
}

/// The least of some numbers; NaN where one of them is.
pub(super) fn least(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(f64::INFINITY, |a, b| if b < a || b.is_nan() { b } else { a })
}

impl Atlas for NurbsSurface {
    fn chart_count(&self) -> usize {
        self.net().chart_count()
    }

    fn jet(&self, place: &Place) -> Result<ParametricJet> {
        Atlas::jet(self.net(), place)
    }

    fn inside(&self, place: &Place) -> f64 {
        self.net().inside(place)
    }

    fn grain(&self, place: &Place) -> f64 {
        self.net().grain(place)
    }

    fn onward(&self, place: &Place, rates: &Vec2) -> Result<Option<Place>> {
        self.net().onward(place, rates)
    }

    fn locate(&self, point: &Vec3) -> Result<Place> {
        Atlas::locate(self.net(), point)
    }

    fn cells(&self) -> Vec<Cell> {
        self.net().cells()
    }

    fn enclosure(&self, cell: &Cell) -> Option<Enclosure> {
        self.net().enclosure(cell)
    }

    fn is_convex(&self) -> bool {
        false
    }
}

/// Where a surface of one chart goes on: where it is, unless it leaves by a side, at which it ends. Of each side the
/// height of the place over it and its rate are given.
pub(super) fn stay(place: &Place, sides: impl Iterator<Item = [f64; 2]>) -> Option<Place> {
    let mut sides = sides;
    (!sides.any(|[height, rate]| height < NEAR && rate < 0.0)).then_some(*place)
}

impl Atlas for BezierPatch {
    fn chart_count(&self) -> usize {
        1
    }

    fn jet(&self, place: &Place) -> Result<ParametricJet> {
        check(place, 1)?;
        check_margin(self.inside(place))?;
        Ok(Parametric::jet(self, place.u, place.v))
    }

    fn inside(&self, place: &Place) -> f64 {
        least([place.u, 1.0 - place.u, place.v, 1.0 - place.v].into_iter())
    }

    fn onward(&self, place: &Place, rates: &Vec2) -> Result<Option<Place>> {
        check(place, 1)?;
        check_rates(rates)?;
        check_margin(self.inside(place))?;
        let (at, k) = (Vec2::new(place.u, place.v), 0..4);
        Ok(stay(place, k.map(|k| [SQUARE.local(k, &at).y, SQUARE.turn(k, rates).y])))
    }

    fn locate(&self, point: &Vec3) -> Result<Place> {
        locate::search(self, point)
    }

    fn cells(&self) -> Vec<Cell> {
        grid(0, [[0.0, 1.0]; 2], self.degree().map(|d| d.max(2)))
    }

    fn enclosure(&self, cell: &Cell) -> Option<Enclosure> {
        enclosure_of(self, cell)
    }

    fn is_convex(&self) -> bool {
        false
    }
}
