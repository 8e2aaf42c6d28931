//! The S-patch as one chart, its polygon, at whose sides it ends.
//!
//! `inside` is the distance from the nearest side, in units in which the circumradius is one. Beyond a side the patch
//! is continued by its own function as far as about a quarter of the way to where the sides beside it meet: there the
//! denominator Σπⱼ tends to zero. Of many sides this is a narrow margin, hence the distance beyond a side is measured
//! by it.

use super::SPatch;
use super::atlas::{least, stay};
use super::spatch_bound::third;
use crate::chart::{
    Atlas, Cell, Enclosure, Hull, Place, check, check_margin, check_rates, enclosure_from, locate, rest,
};
use crate::error::Result;
use crate::surface::ParametricJet;
use crate::{Vec2, Vec3};
use std::f64::consts::PI;

/// Roundings of a point, in units of 2⁻⁵² of the farthest control point.
const ROUNDINGS: f64 = 64.0;

/// Rows of cells between the middle and a side.
const ROWS: usize = 3;

impl SPatch {
    /// How far beyond a side the sides beside it meet, one at most.
    fn reach(&self) -> f64 {
        let angle = PI / self.sides() as f64;
        // Beside a side of a triangle or a square the others do not meet beyond it.
        if self.sides() < 5 { 1.0 } else { (angle.sin() * (2.0 * angle).tan()).min(1.0) }
    }

    /// The height of a point of the polygon over side k.
    fn height(&self, k: usize, at: &Vec2) -> f64 {
        let (a, b) = (self.polygon()[k], self.polygon()[(k + 1) % self.sides()]);
        (b - a).perp(&(at - a)) / (b - a).norm()
    }
}

impl Atlas for SPatch {
    fn chart_count(&self) -> usize {
        1
    }

    fn jet(&self, place: &Place) -> Result<ParametricJet> {
        check(place, 1)?;
        check_margin(self.inside(place))?;
        Ok(SPatch::jet(self, place.u, place.v))
    }

    fn inside(&self, place: &Place) -> f64 {
        let height = least((0..self.sides()).map(|k| self.height(k, &Vec2::new(place.u, place.v))));
        if height < 0.0 { height / self.reach() } else { height }
    }

    fn onward(&self, place: &Place, rates: &Vec2) -> Result<Option<Place>> {
        check(place, 1)?;
        check_rates(rates)?;
        check_margin(self.inside(place))?;
        let at = Vec2::new(place.u, place.v);
        let side = |k: usize| [self.height(k, &at), self.height(k, &(at + rates)) - self.height(k, &at)];
        Ok(stay(place, (0..self.sides()).map(side)))
    }

    fn locate(&self, point: &Vec3) -> Result<Place> {
        locate::search(self, point)
    }

    fn cells(&self) -> Vec<Cell> {
        let mut cells = Vec::new();
        for k in 0..self.sides() {
            let (a, b) = (self.polygon()[k], self.polygon()[(k + 1) % self.sides()]);
            // Row i, place j of the triangle between the middle of the polygon and the side.
            let at = |i: usize, j: usize| (a * (i - j) as f64 + b * j as f64) / ROWS as f64;
            for i in 0..ROWS {
                for j in 0..=i {
                    cells.push(Cell { chart: 0, corners: [at(i, j), at(i + 1, j), at(i + 1, j + 1)] });
                    if j < i {
                        cells.push(Cell { chart: 0, corners: [at(i, j), at(i + 1, j + 1), at(i, j + 1)] });
                    }
                }
            }
        }
        cells
    }

    fn enclosure(&self, cell: &Cell) -> Option<Enclosure> {
        let [a, b, c] = &cell.corners;
        let middle = (a + b + c) / 3.0;
        let third = third(self, cell)?;
        let known = enclosure_from(&SPatch::jet(self, middle.x, middle.y), cell, third)?;
        // Points are sums of control points, which may be far from where the sum is.
        let size = self.control().iter().map(|p| p.norm()).fold(0.0, f64::max);
        Some(Enclosure { hull: Hull::Taylor(rest(third, cell) + ROUNDINGS * f64::EPSILON * size), ..known })
    }

    fn is_convex(&self) -> bool {
        false
    }
}
