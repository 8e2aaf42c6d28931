//! The S-patch as a surface: an open sheet, measured over the triangles between the middle of its polygon and its
//! sides.
//!
//! Sector k of the regular n-gon is p = u Pₖ + v Pₖ₊₁ with u, v ≥ 0 and u + v ≤ 1, one face of [`Sectors`]; the sectors
//! share the lines from the middle to the corners. Contact points move on the patch's own chart, the whole polygon.

use super::{Faced, measure, no_normals, tessellation};
use crate::chart::polygon::Polygon;
use crate::chart::{Atlas, Cell, Place, check};
use crate::error::{GeomError, Result, direction};
use crate::patch::{SPatch, SPatchSurface};
use crate::subdivision::loop_surface::reparametrised;
use crate::surface::{ParametricJet, Surface, touch_point};
use crate::{Aabb, Curvature, Moments, TriMesh, Vec2, Vec3};

/// The sectors of a patch as faces.
#[derive(Debug)]
struct Sectors<'a>(&'a SPatch);

impl Sectors<'_> {
    /// Pₖ and Pₖ₊₁.
    fn corners(&self, k: usize) -> [Vec2; 2] {
        let corners = self.0.polygon();
        [corners[k], corners[(k + 1) % corners.len()]]
    }

    /// The point of the polygon at (u, v) of a sector.
    fn at(&self, k: usize, u: f64, v: f64) -> Vec2 {
        let [a, b] = self.corners(k);
        a * u + b * v
    }
}

impl Atlas for Sectors<'_> {
    fn chart_count(&self) -> usize {
        self.0.sides()
    }

    fn jet(&self, place: &Place) -> Result<ParametricJet> {
        check(place, self.chart_count())?;
        let [a, b] = self.corners(place.chart);
        let p = self.at(place.chart, place.u, place.v);
        Ok(reparametrised(&self.0.jet(p.x, p.y), &[[a.x, b.x], [a.y, b.y]]))
    }

    fn inside(&self, place: &Place) -> f64 {
        place.u.min(place.v).min(1.0 - place.u - place.v)
    }

    fn onward(&self, _place: &Place, _rates: &Vec2) -> Result<Option<Place>> {
        Ok(None)
    }

    fn locate(&self, point: &Vec3) -> Result<Place> {
        let place = self.0.locate(point)?;
        let p = Vec2::new(place.u, place.v);
        let parts = |k: usize| {
            let [a, b] = self.corners(k);
            let area = a.perp(&b);
            [p.perp(&b) / area, a.perp(&p) / area]
        };
        let within = |k: &usize| parts(*k)[0].min(parts(*k)[1]);
        let chart = (0..self.chart_count()).max_by(|j, k| within(j).total_cmp(&within(k))).unwrap_or(0);
        let [u, v] = parts(chart);
        Ok(Place { chart, u, v })
    }

    fn cells(&self) -> Vec<Cell> {
        Vec::new()
    }

    fn is_convex(&self) -> bool {
        false
    }
}

impl Faced for Sectors<'_> {
    const KIND: &'static str = "s-patch";

    fn polygon(&self) -> Polygon {
        Polygon::Triangle
    }

    fn across(&self, face: usize, side: usize) -> Option<[usize; 2]> {
        let n = self.0.sides();
        match side {
            0 => Some([(face + n - 1) % n, 2]),
            2 => Some([(face + 1) % n, 0]),
            _ => None,
        }
    }

    fn point_at(&self, face: usize, at: &Vec2) -> Result<Vec3> {
        let p = self.at(face, at.x, at.y);
        Ok(self.0.jet(p.x, p.y).p)
    }
}

/// The box around a patch.
pub(crate) fn bounds(patch: &SPatch) -> Result<Aabb> {
    super::bounds(&Sectors(patch))
}

impl Surface for SPatchSurface {
    fn kind(&self) -> &'static str {
        Sectors::KIND
    }

    fn as_atlas(&self) -> Option<&dyn Atlas> {
        Some(self.patch())
    }

    fn bounds(&self) -> Aabb {
        SPatchSurface::bounds(self)
    }

    fn curvature_at(&self, p: &Vec3) -> Result<Curvature> {
        super::curvature_at(&Sectors(self.patch()), p)
    }

    fn curvature_at_normal(&self, n: &Vec3) -> Result<Curvature> {
        direction("normal", n)?;
        Err(no_normals(&Sectors(self.patch())))
    }

    fn has_seam_at(&self, p: &Vec3, _n: &Vec3) -> bool {
        touch_point::has_chart_seam(self.patch(), p)
    }

    fn curvature_range(&self) -> Result<[f64; 2]> {
        super::extremes::curvature_range(&Sectors(self.patch()))
    }

    fn tessellate(&self, chord: f64) -> Result<TriMesh> {
        tessellation::mesh(&Sectors(self.patch()), chord)
    }

    fn area(&self) -> Result<f64> {
        measure::area(&Sectors(self.patch()))
    }

    fn moments(&self) -> Result<Moments> {
        let reason = "it encloses no solid, its sides are borders".to_owned();
        Err(GeomError::Undefined { surface: Sectors::KIND, quantity: "volume", reason })
    }
}
