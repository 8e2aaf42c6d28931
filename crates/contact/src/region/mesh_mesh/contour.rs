//! Contours: the segments of all pairs of triangles, put in order.
//!
//! A segment runs from one crossing to the next; a crossing is an edge of one mesh on a triangle of the other. The
//! segments on both sides of the edge share it, one ends and one starts there (see [`super::pair`]), so that sorting
//! the ends by their crossing links them. Every contour starts at its least pair of triangles, and contours are in the
//! order of these.

use super::boxes::Placement;
use super::pair::{Corners, End, meeting};
use rattleback_geom::surface::Mesh;
use rattleback_geom::{TriMesh, Vec3};
use std::ops::Range;

/// An edge of one mesh on a triangle of the other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Crossing {
    /// Whose edge it is, 0 for A, 1 for B.
    pub body: u8,
    /// The edge's vertices, the lower index first.
    pub edge: [u32; 2],
    /// Whether the edge, in this order, leaves the other body here.
    pub leaves: bool,
    /// Where along the edge, from 0 to 1.
    pub at: f64,
    /// The point in B's frame.
    pub point: Vec3,
    /// The contour it lies on.
    pub contour: u32,
    /// The segment that starts here.
    next: u32,
}

/// What two triangles have in common.
#[derive(Debug, Clone, Copy)]
pub(super) struct Segment {
    /// One of A, one of B.
    pub triangles: [u32; 2],
    ends: [End; 2],
    /// The crossing where it starts.
    pub start: u32,
    /// The crossing where it ends.
    pub end: u32,
}

/// Whose edge, its vertices, the other's triangle.
type Key = [u32; 4];

/// All contours of two bodies.
#[derive(Debug, Clone, Default)]
pub(super) struct Contours {
    /// In rising order of the triangles.
    pub segments: Vec<Segment>,
    /// In rising order of body, edge and triangle.
    pub crossings: Vec<Crossing>,
    /// The segments along the contours, one after the other.
    pub order: Vec<u32>,
    /// Where the contours stand in `order`.
    pub loops: Vec<Range<usize>>,
    ends: Vec<(Key, u32, bool)>,
}

impl Contours {
    pub fn clear(&mut self) {
        self.segments.clear();
        self.crossings.clear();
        self.order.clear();
        self.loops.clear();
    }

    /// Adds the segment of two triangles.
    pub fn add(&mut self, triangles: [u32; 2], ends: [End; 2]) {
        self.segments.push(Segment { triangles, ends, start: u32::MAX, end: u32::MAX });
    }

    /// Puts the segments that were added in order.
    pub fn link(&mut self, meshes: [&Mesh; 2], placement: &Placement) {
        self.segments.sort_unstable_by_key(|s| s.triangles);
        self.ends.clear();
        for (k, segment) in self.segments.iter().enumerate() {
            for (end, is_end) in segment.ends.iter().zip([false, true]) {
                let body = end.body as usize;
                let edge = edge_of(meshes[body].mesh(), segment.triangles[body], end.side);
                let key = [body as u32, edge[0], edge[1], segment.triangles[1 - body]];
                self.ends.push((key, k as u32, is_end));
            }
        }
        self.ends.sort_unstable();
        for k in (0..self.ends.len()).step_by(2) {
            // The segment that starts at a crossing stands before the one that ends there, or after: both ways occur.
            let both = [self.ends[k], self.ends[(k + 1).min(self.ends.len() - 1)]];
            debug_assert!(
                both[0].0 == both[1].0 && both[0].2 != both[1].2,
                "a contour of closed meshes is closed"
            );
            let number = self.crossings.len() as u32;
            let mut next = 0;
            for (_, segment, is_end) in both {
                if is_end {
                    self.segments[segment as usize].end = number;
                } else {
                    self.segments[segment as usize].start = number;
                    next = segment;
                }
            }
            let crossing = self.crossing(both[0].0, next, meshes, placement);
            self.crossings.push(crossing);
        }
        self.follow();
    }

    fn crossing(&self, key: Key, next: u32, meshes: [&Mesh; 2], placement: &Placement) -> Crossing {
        let [body, low, high, triangle] = key;
        let place = |of: usize, p: &Vec3| if of == 0 { placement.point(p) } else { *p };
        let (own, other) = (body as usize, 1 - body as usize);
        let vertices = meshes[own].mesh().vertices();
        let (p, q) = (place(own, &vertices[low as usize]), place(own, &vertices[high as usize]));
        let corners: Corners = meshes[other].mesh().corners(triangle as usize).map(|v| place(other, &v));
        let at = meeting(&p, &q, &corners);
        // The segment that starts here tells how its own side of the edge goes through the triangle.
        let start = self.segments[next as usize].ends[0];
        let side = meshes[own].mesh().triangles()[self.segments[next as usize].triangles[own] as usize];
        let leaves = start.rises == (side[start.side as usize] == low);
        Crossing {
            body: body as u8,
            edge: [low, high],
            leaves,
            at,
            point: p + (q - p) * at,
            contour: 0,
            next,
        }
    }

    /// Walks along every contour once.
    fn follow(&mut self) {
        for first in 0..self.segments.len() as u32 {
            if self.segments[first as usize].start == u32::MAX
                || self.crossings[self.segments[first as usize].start as usize].contour != 0
            {
                continue;
            }
            let begin = self.order.len();
            let number = self.loops.len() as u32 + 1;
            let mut segment = first;
            loop {
                let Segment { start, end, .. } = self.segments[segment as usize];
                self.crossings[start as usize].contour = number;
                self.order.push(segment);
                segment = self.crossings[end as usize].next;
                if segment == first {
                    break;
                }
            }
            self.loops.push(begin..self.order.len());
        }
        // Counted from one while walking, so that zero stood for none.
        for crossing in &mut self.crossings {
            crossing.contour -= 1;
        }
    }

    /// The start and the end of a segment, in B's frame.
    pub fn points(&self, segment: u32) -> [Vec3; 2] {
        let Segment { start, end, .. } = self.segments[segment as usize];
        [self.crossings[start as usize].point, self.crossings[end as usize].point]
    }
}

/// The vertices of a side of a triangle, the lower index first.
pub(super) fn edge_of(mesh: &TriMesh, triangle: u32, side: u8) -> [u32; 2] {
    let corners = mesh.triangles()[triangle as usize];
    let (p, q) = (corners[side as usize], corners[(side as usize + 1) % 3]);
    [p.min(q), p.max(q)]
}
