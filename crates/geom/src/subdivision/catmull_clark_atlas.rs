//! Catmull and Clark's surface by charts: one per face, with the parameters u, v from 0 to 1.
//!
//! A face ends at its sides, and at an extraordinary vertex of valence N at the cut where the parameters from that
//! corner sum to δ: there the first derivatives vanish or grow without bound. δ = 2⁻ⁿ with λⁿ = 1e-8, λ the subdominant
//! eigenvalue of `catmull_clark_matrix`, so that the cut is about 1e-8 edges from the vertex (δ = 6e-7 for N = 3, 4e-13
//! at most). A place that meets it goes straight on over the vertex, see `polygon`.
//!
//! Beyond its border a face is continued by the bicubic at the nearest point of the face; close to an extraordinary
//! vertex, whose bicubics are small, by the one whose distance from the vertex is how far the place is beyond the
//! border.

use super::CatmullClarkSurface;
use super::catmull_clark_matrix::eigenvalue;
use super::enclosure;
use crate::chart::polygon::{self, Faces, Polygon, cut_at};
use crate::chart::{Atlas, Cell, Enclosure, Place, check, check_margin, locate};
use crate::error::Result;
use crate::surface::{ParametricJet, faces};
use crate::{Vec2, Vec3};

/// δ of a vertex; zero where it is regular.
pub(super) fn cut(valence: usize) -> f64 {
    if valence == 4 { 0.0 } else { cut_at(eigenvalue(valence, 1)) }
}

impl CatmullClarkSurface {
    /// See [`faces::grading`]: the third eigenvalue is the one of the frequency two, where there is one, or 1/4.
    pub(crate) fn grading_at(&self, face: usize, corner: usize) -> f64 {
        match self.valence(4 * face + corner) {
            3 | 4 => 1.0,
            n => faces::grading(eigenvalue(n, 2).max(0.25)),
        }
    }
}

impl Faces for CatmullClarkSurface {
    fn polygon(&self) -> Polygon {
        Polygon::Square
    }

    fn count(&self) -> usize {
        self.face_count()
    }

    fn across(&self, face: usize, side: usize) -> Option<[usize; 2]> {
        CatmullClarkSurface::across(self, face, side).ok().map(|crossing| [crossing.face, crossing.side])
    }

    fn cut(&self, face: usize, corner: usize) -> f64 {
        self.cuts[4 * face + corner]
    }

    fn normal(&self, face: usize, corner: usize) -> Vec3 {
        self.limit_of(4 * face + corner).normal()
    }

    fn near(&self, face: usize, at: &Vec2) -> Result<[Vec3; 3]> {
        let jet = self.relative_jet(face, at.x, at.y)?.0;
        Ok([jet.p, jet.du, jet.dv])
    }
}

impl Atlas for CatmullClarkSurface {
    fn chart_count(&self) -> usize {
        self.face_count()
    }

    fn jet(&self, place: &Place) -> Result<ParametricJet> {
        check(place, self.face_count())?;
        check_margin(polygon::inside(self, place))?;
        let (mut jet, origin) = self.relative_jet(place.chart, place.u, place.v)?;
        jet.p += origin;
        Ok(jet)
    }

    fn inside(&self, place: &Place) -> f64 {
        polygon::inside(self, place)
    }

    fn grain(&self, place: &Place) -> f64 {
        polygon::grain(self, place)
    }

    fn onward(&self, place: &Place, rates: &Vec2) -> Result<Option<Place>> {
        polygon::onward(self, place, rates)
    }

    fn locate(&self, point: &Vec3) -> Result<Place> {
        locate::search(self, point)
    }

    fn cells(&self) -> Vec<Cell> {
        polygon::cells(self)
    }

    fn enclosure(&self, cell: &Cell) -> Option<Enclosure> {
        enclosure::enclosure(self, cell)
    }

    fn is_convex(&self) -> bool {
        false
    }
}
