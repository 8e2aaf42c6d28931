//! The capsule by thirteen charts: its side by an angle and a height, each end by the charts of a sphere.
//!
//! | chart | point | used |
//! |---|---|---|
//! | 0 | (r cos u, r sin u, v) | ∣v∣ ≤ l, u without end |
//! | 1 to 6 | l z + r d/∣d∣, d of the charts of a cube | n_z ≥ −10⁻⁷ |
//! | 7 to 12 | −l z + r d/∣d∣ | n_z ≤ 10⁻⁷ |
//!
//! The curvature along the axis jumps at ∣z∣ = l, where a capsule that lies on a plane has both of its points. An end
//! is used a little beyond, where its sphere is 5·10⁻¹⁵ r within the side: a place there belongs to the end under any
//! rounding, and one that rolls on over the side goes on there.

use super::round::{scaled_sphere, scaled_sphere_enclosure};
use super::{Atlas, Cell, Enclosure, Hull, Place, check, check_rates, cube, rest};
use crate::error::{GeomError, Result, finite3};
use crate::surface::{Capsule, ParametricJet};
use crate::{Vec2, Vec3};
use std::f64::consts::TAU;

/// How far beyond the seam an end is used, as a share of the radius.
const OVER: f64 = 1e-7;
/// Cells about the axis.
const CELLS: usize = 24;

/// Which end a chart is of, and the place in the charts of its sphere; none for the side.
fn end(place: &Place) -> Option<(f64, Place)> {
    let chart = place.chart.checked_sub(1)?;
    let sign = if chart < cube::CHARTS { 1.0 } else { -1.0 };
    Some((sign, Place { chart: chart % cube::CHARTS, ..*place }))
}

/// A place of the sphere of an end.
fn on_end(sign: f64, place: Place) -> Place {
    Place { chart: place.chart + if sign > 0.0 { 1 } else { 1 + cube::CHARTS }, ..place }
}

impl Capsule {
    /// The place of a point that is on the surface but for rounding.
    fn place_of(&self, point: &Vec3) -> Place {
        // Next to the seam the end is meant, whose border is beyond.
        if point.z.abs() < self.half_length() - 0.5 * OVER * self.radius() {
            return Place { chart: 0, u: point.y.atan2(point.x), v: point.z };
        }
        let sign = 1.0f64.copysign(point.z);
        on_end(sign, cube::place(&(point - Vec3::z() * (sign * self.half_length()))))
    }
}

impl Atlas for Capsule {
    fn chart_count(&self) -> usize {
        1 + 2 * cube::CHARTS
    }

    fn jet(&self, place: &Place) -> Result<ParametricJet> {
        check(place, self.chart_count())?;
        let r = self.radius();
        if let Some((sign, on_sphere)) = end(place) {
            let jet = scaled_sphere(&on_sphere, &Vec3::repeat(r))?;
            return Ok(ParametricJet { p: jet.p + Vec3::z() * (sign * self.half_length()), ..jet });
        }
        let ((sin, cos), zero) = (place.u.sin_cos(), Vec3::zeros());
        let (out, along) = (Vec3::new(r * cos, r * sin, 0.0), Vec3::new(-r * sin, r * cos, 0.0));
        Ok(ParametricJet {
            p: out + Vec3::z() * place.v,
            du: along,
            dv: Vec3::z(),
            duu: -out,
            duv: zero,
            dvv: zero,
            duuu: -along,
            duuv: zero,
            duvv: zero,
            dvvv: zero,
        })
    }

    fn inside(&self, place: &Place) -> f64 {
        if let Some((sign, on_sphere)) = end(place) {
            let height = sign * cube::direction(&on_sphere).normalize().z;
            let (border, seam) = (cube::inside(&on_sphere), 0.5 * (height + OVER));
            // Not f64::min, which would hide a NaN.
            return if border < seam || border.is_nan() { border } else { seam };
        }
        if place.u.is_nan() {
            return f64::NAN;
        }
        (self.half_length() - place.v.abs()) / (2.0 * (self.half_length() + self.radius()))
    }

    fn onward(&self, place: &Place, rates: &Vec2) -> Result<Option<Place>> {
        check(place, self.chart_count())?;
        check_rates(rates)?;
        super::check_margin(self.inside(place))?;
        let Some((sign, on_sphere)) = end(place) else {
            let direction = Vec3::new(place.u.cos(), place.u.sin(), 0.0);
            return Ok(Some(on_end(if place.v > 0.0 { 1.0 } else { -1.0 }, cube::place(&direction))));
        };
        let direction = cube::direction(&on_sphere).normalize();
        if sign * direction.z > -0.5 * OVER {
            return Ok(Some(on_end(sign, cube::place(&direction))));
        }
        let v = sign * self.half_length() + self.radius() * direction.z;
        let v = v.clamp(-self.half_length(), self.half_length());
        Ok(Some(Place { chart: 0, u: direction.y.atan2(direction.x), v }))
    }

    fn locate(&self, point: &Vec3) -> Result<Place> {
        finite3("point", point)?;
        let l = self.half_length();
        let arm = Vec3::new(point.x, point.y, point.z - point.z.clamp(-l, l));
        if arm == Vec3::zeros() {
            return Err(GeomError::Inconsistent {
                field: "point".to_owned(),
                found: format!("{:?}", point.as_slice()),
                allowed: "close to the surface: off the axis".to_owned(),
            });
        }
        Ok(self.place_of(point))
    }

    fn cells(&self) -> Vec<Cell> {
        let l = self.half_length();
        let mut cells = cube::grid(0, [[0.0, TAU], [-l, l]], [CELLS, 8]);
        for sign in [1.0, -1.0] {
            for cell in cube::cells() {
                let z = cell
                    .corners
                    .map(|w| sign * cube::direction(&Place { chart: cell.chart, u: w.x, v: w.y }).z);
                // Cells end on the seam, which is a line of the grid.
                if z.iter().all(|z| *z >= 0.0) {
                    let chart = on_end(sign, Place { chart: cell.chart, u: 0.0, v: 0.0 }).chart;
                    cells.push(Cell { chart, ..cell });
                }
            }
        }
        cells
    }

    /// Of the side x_uuu alone is not zero, of length r, and the normal turns with u.
    fn enclosure(&self, cell: &Cell) -> Option<Enclosure> {
        let r = self.radius();
        let at = |w: &Vec2| Place { chart: cell.chart, u: w.x, v: w.y };
        if let Some((_, on_sphere)) = end(&at(&cell.corners[0])) {
            return scaled_sphere_enclosure(&Vec3::repeat(r), &Cell { chart: on_sphere.chart, ..*cell });
        }
        let [a, b, c] = &cell.corners;
        let middle = (a.x + b.x + c.x) / 3.0;
        let angle = cell.corners.iter().map(|w| (w.x - middle).abs()).fold(0.0, f64::max);
        let axis = Vec3::new(middle.cos(), middle.sin(), 0.0);
        Some(Enclosure { hull: Hull::Taylor(rest([r, 0.0, 0.0, 0.0], cell)), axis, angle: angle + 1e-12 })
    }

    fn is_convex(&self) -> bool {
        true
    }
}
