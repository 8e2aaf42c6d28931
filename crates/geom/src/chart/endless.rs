//! Surfaces that one chart covers without a border: the plane by two lengths, the torus by two angles that may grow for
//! ever.

use super::cube::grid;
use super::{Atlas, Cell, Enclosure, Hull, Place, check, check_rates, rest};
use crate::curvature::tangents;
use crate::error::{GeomError, Result, finite3};
use crate::surface::{Parametric, ParametricJet, Plane, Torus};
use crate::{Vec2, Vec3};
use std::f64::consts::TAU;

/// Cells about the axis and about the tube of a torus: 15° each.
const TORUS_CELLS: [usize; 2] = [24, 24];

/// A place goes on where it is: there is no border.
fn stay(place: &Place, rates: &Vec2) -> Result<Option<Place>> {
    check(place, 1)?;
    check_rates(rates)?;
    Ok(Some(*place))
}

/// Infinite, but for places that are none.
fn endless(place: &Place) -> f64 {
    if place.u.is_nan() || place.v.is_nan() { f64::NAN } else { f64::INFINITY }
}

impl Atlas for Plane {
    fn chart_count(&self) -> usize {
        1
    }

    fn jet(&self, place: &Place) -> Result<ParametricJet> {
        check(place, 1)?;
        Ok(Parametric::jet(self, place.u, place.v))
    }

    fn inside(&self, place: &Place) -> f64 {
        endless(place)
    }

    fn onward(&self, place: &Place, rates: &Vec2) -> Result<Option<Place>> {
        stay(place, rates)
    }

    fn locate(&self, point: &Vec3) -> Result<Place> {
        finite3("point", point)?;
        let (t, b) = tangents(self.normal());
        Ok(Place { chart: 0, u: t.dot(point), v: b.dot(point) })
    }

    fn cells(&self) -> Vec<Cell> {
        Vec::new()
    }

    fn is_convex(&self) -> bool {
        true
    }
}

impl Atlas for Torus {
    fn chart_count(&self) -> usize {
        1
    }

    fn jet(&self, place: &Place) -> Result<ParametricJet> {
        check(place, 1)?;
        Ok(Parametric::jet(self, place.u, place.v))
    }

    fn inside(&self, place: &Place) -> f64 {
        endless(place)
    }

    fn onward(&self, place: &Place, rates: &Vec2) -> Result<Option<Place>> {
        stay(place, rates)
    }

    fn locate(&self, point: &Vec3) -> Result<Place> {
        finite3("point", point)?;
        let out = point.x.hypot(point.y) - self.major_radius();
        if (point.x == 0.0 && point.y == 0.0) || (out == 0.0 && point.z == 0.0) {
            return Err(GeomError::Inconsistent {
                field: "point".to_owned(),
                found: format!("{:?}", point.as_slice()),
                allowed: "close to the surface: off the axis and off the tube's centre line".to_owned(),
            });
        }
        Ok(Place { chart: 0, u: point.y.atan2(point.x), v: point.z.atan2(out) })
    }

    fn cells(&self) -> Vec<Cell> {
        grid(0, [[0.0, TAU]; 2], TORUS_CELLS)
    }

    /// x_uuu = −ρ θ, x_uuv = r sin v e, x_uvv = −r cos v θ, x_vvv = r (e sin v − z cos v). n = e cos v + z sin v moves
    /// by no more than √(δu² + δv²), which is largest at a corner.
    fn enclosure(&self, cell: &Cell) -> Option<Enclosure> {
        let r = self.minor_radius();
        let [a, b, c] = &cell.corners;
        let middle = (a + b + c) / 3.0;
        let angle = cell.corners.iter().map(|w| (w - middle).norm()).fold(0.0, f64::max);
        let ((su, cu), (sv, cv)) = (middle.x.sin_cos(), middle.y.sin_cos());
        let axis = Vec3::new(cu * cv, su * cv, sv);
        let rest = rest([self.major_radius() + r, r, r, r], cell);
        Some(Enclosure { hull: Hull::Taylor(rest), axis, angle: angle + 1e-12 })
    }

    fn is_convex(&self) -> bool {
        false
    }
}
