//! The surfaces that bound overlaps: of every triangle the part that lies inside the other mesh, as triangles with a
//! corner in common, and the contours with the faces that meet there.
//!
//! The part of a triangle that a contour passes is bounded by the segments in it, with the inside on their left seen
//! from outside A and on their right seen from outside B, and by the parts of its sides between crossings along which
//! the winding number is positive. With any point o of its plane its area is the sum of those of the triangles from o
//! to each of them; o is the start of one of its segments, near all of them.

use super::classes::Classes;
use super::contour::edge_of;
use super::enclosed::{Enclosed, EnclosureQuery};
use crate::region::potential::{Border, Piece};
use rattleback_geom::Vec3;

/// What bounds the overlaps, each part with the region it belongs to.
#[derive(Debug, Clone, Default)]
pub(super) struct Surfaces {
    pub pieces: Vec<(u32, Piece)>,
    pub borders: Vec<(u32, Border)>,
    /// Triangles that a contour passes, with a point of their planes.
    points: Vec<(u32, u32)>,
}

/// The outward unit normal of a triangle in B's frame; none where it has no area.
fn normal(question: &EnclosureQuery<'_>, triangle: u32) -> Option<Vec3> {
    let [a, b, c] = question.corners(triangle);
    (b - a).cross(&(c - a)).try_normalize(f64::MIN_POSITIVE)
}

impl Surfaces {
    pub fn clear(&mut self) {
        self.pieces.clear();
        self.borders.clear();
    }

    /// Takes what both meshes have inside each other. `number` says to which region an element belongs.
    pub fn gather(
        &mut self,
        questions: &[EnclosureQuery<'_>; 2],
        enclosed: &[Enclosed; 2],
        bases: [u32; 2],
        elements: &mut Classes,
        number: impl Fn(u32) -> Option<u32>,
    ) {
        self.clear();
        let mut region = |element: u32| number(elements.root(element));
        self.along_contours(questions, &mut region);
        for body in 0..2 {
            self.at_segments(&questions[body], &mut region);
            self.along_sides(&questions[body], &enclosed[body], bases[body], &mut region);
            for &(element, t) in &enclosed[body].triangles {
                if let (Some(region), Some(normal)) = (region(element), normal(&questions[body], t)) {
                    let corners = questions[body].corners(t);
                    self.pieces.push((region, Piece { body: body as u8, normal, corners }));
                }
            }
        }
        // The sums do not depend on the order in which floods met the triangles.
        self.pieces.sort_by_key(|(region, piece)| (*region, piece.body));
        self.borders.sort_by_key(|(region, _)| *region);
    }

    fn along_contours(
        &mut self,
        questions: &[EnclosureQuery<'_>; 2],
        region: &mut impl FnMut(u32) -> Option<u32>,
    ) {
        let contours = questions[0].contours;
        for (number, own) in (0u32..).zip(&contours.loops) {
            let Some(region) = region(number) else { continue };
            for &s in &contours.order[own.clone()] {
                let triangles = contours.segments[s as usize].triangles;
                let normals = [0, 1].map(|body: usize| normal(&questions[body], triangles[body]));
                if let [Some(a), Some(b)] = normals {
                    self.borders.push((region, Border { ends: contours.points(s), normals: [a, b] }));
                }
            }
        }
    }

    /// The triangles from a point of each face to the segments in it, and these points.
    fn at_segments(&mut self, q: &EnclosureQuery<'_>, region: &mut impl FnMut(u32) -> Option<u32>) {
        self.points.clear();
        let own = (0u32..).zip(&q.contours.segments);
        self.points.extend(own.map(|(s, segment)| (segment.triangles[q.body], s)));
        self.points.sort_unstable();
        let mut normal_here = None;
        for k in 0..self.points.len() {
            let (t, s) = self.points[k];
            if k == 0 || self.points[k - 1].0 != t {
                normal_here = normal(q, t);
            }
            let contour = q.contours.crossings[q.contours.segments[s as usize].start as usize].contour;
            let (Some(normal), Some(region)) = (normal_here, region(contour)) else { continue };
            let [from, to] = q.contours.points(s);
            let [from, to] = if q.body == 0 { [from, to] } else { [to, from] };
            let corners = [self.point(q, t), from, to];
            self.pieces.push((region, Piece { body: q.body as u8, normal, corners }));
        }
    }

    /// The point of a triangle's plane.
    fn point(&self, q: &EnclosureQuery<'_>, t: u32) -> Vec3 {
        let k = self.points.partition_point(|(other, _)| *other < t);
        q.contours.points(self.points[k].1)[0]
    }

    /// The same to the parts of sides that lie inside.
    fn along_sides(
        &mut self,
        q: &EnclosureQuery<'_>,
        enclosed: &Enclosed,
        base: u32,
        region: &mut impl FnMut(u32) -> Option<u32>,
    ) {
        for &t in &enclosed.cut {
            let (Some(normal), origin) = (normal(q, t), self.point(q, t)) else { continue };
            for side in 0..3 {
                let edge = edge_of(q.mesh(), t, side);
                let is_forward = q.mesh().triangles()[t as usize][side as usize] == edge[0];
                let mut tell = |element: u32, [from, to]: [Vec3; 2]| {
                    let [from, to] = if is_forward { [from, to] } else { [to, from] };
                    if let Some(region) = region(element) {
                        let corners = [origin, from, to];
                        self.pieces.push((region, Piece { body: q.body as u8, normal, corners }));
                    }
                };
                enclosed.inside_of_edge(q, edge, base, &mut tell);
            }
        }
    }
}
