//! Which parts of one mesh lie inside the other, and which contours bound the same part.
//!
//! Along an edge the winding number of the other mesh falls by one at every crossing through which the edge leaves it.
//! So the vertices of all triangles that a contour passes know their winding numbers up to a constant for those that
//! hang together, and one question ([`super::inside`]) settles it. From the sides of these triangles that no crossing
//! lies on and whose vertices are inside, a flood over neighbours finds the triangles that lie inside as a whole; what
//! lies outside is never looked at. Contours, vertices and floods that hang together inside are united.
//!
//! A hole, a contour within one triangle that has the inside around it, hangs together with the nearest segment in this
//! triangle of a contour that is none, or with the triangle's corners where there is none.

use super::boxes::Placement;
use super::classes::{Classes, Levels};
use super::contour::{Contours, Crossing, edge_of};
use super::inside::winding;
use rattleback_geom::surface::Mesh;
use rattleback_geom::{TriMesh, Vec3};

/// Stands in the slot of a triangle that a contour passes.
const CUT: u32 = u32::MAX;

/// What is known of one mesh.
#[derive(Debug, Clone, Default)]
pub(super) struct Enclosed {
    /// The question a triangle was met in last, and the flood that met it.
    stamps: Vec<(u32, u32)>,
    question: u32,
    /// The triangles that a contour passes.
    pub cut: Vec<u32>,
    /// Their vertices in rising order.
    pub corners: Vec<u32>,
    /// The other mesh winds so often around each of them.
    pub windings: Vec<Option<i32>>,
    levels: Levels,
    /// The crossings on this mesh's edges, in the order of edges and along them.
    crossings: Vec<u32>,
    /// Triangles that are inside as a whole, with the element they belong to.
    pub triangles: Vec<(u32, u32)>,
    stack: Vec<u32>,
}

/// The question at hand.
pub(super) struct EnclosureQuery<'a> {
    /// Whose parts are looked for, 0 for A, 1 for B.
    pub body: usize,
    pub meshes: [&'a Mesh; 2],
    pub placement: &'a Placement,
    pub contours: &'a Contours,
}

impl EnclosureQuery<'_> {
    pub fn mesh(&self) -> &TriMesh {
        self.meshes[self.body].mesh()
    }

    /// A vertex of the mesh in B's frame.
    pub fn vertex(&self, v: u32) -> Vec3 {
        let p = &self.mesh().vertices()[v as usize];
        if self.body == 0 { self.placement.point(p) } else { *p }
    }

    /// The corners of a triangle in B's frame.
    pub fn corners(&self, triangle: u32) -> [Vec3; 3] {
        self.mesh().triangles()[triangle as usize].map(|v| self.vertex(v))
    }

    fn crossing(&self, k: u32) -> &Crossing {
        &self.contours.crossings[k as usize]
    }
}

impl Enclosed {
    /// Collects what the contours pass.
    pub fn gather(&mut self, q: &EnclosureQuery<'_>) {
        self.stamps.resize(q.mesh().triangles().len(), (0, 0));
        if self.question == u32::MAX {
            self.stamps.fill((0, 0));
            self.question = 0;
        }
        self.question += 1;
        self.cut.clear();
        self.corners.clear();
        self.crossings.clear();
        self.triangles.clear();
        for segment in &q.contours.segments {
            let t = segment.triangles[q.body];
            let stamp = &mut self.stamps[t as usize];
            if stamp.0 != self.question {
                *stamp = (self.question, CUT);
                self.cut.push(t);
                self.corners.extend(q.mesh().triangles()[t as usize]);
            }
        }
        self.corners.sort_unstable();
        self.corners.dedup();
        let own = (0u32..).zip(&q.contours.crossings).filter(|(_, c)| usize::from(c.body) == q.body);
        self.crossings.extend(own.map(|(k, _)| k));
        self.crossings.sort_unstable_by(|&i, &j| {
            let (c, d) = (q.crossing(i), q.crossing(j));
            c.edge.cmp(&d.edge).then(c.at.total_cmp(&d.at)).then(i.cmp(&j))
        });
    }

    fn corner(&self, v: u32) -> usize {
        self.corners.partition_point(|&c| c < v)
    }

    /// The crossings on an edge, along it.
    fn on_edge(&self, q: &EnclosureQuery<'_>, edge: [u32; 2]) -> &[u32] {
        let from = self.crossings.partition_point(|&k| q.crossing(k).edge < edge);
        let count = self.crossings[from..].iter().take_while(|&&k| q.crossing(k).edge == edge).count();
        &self.crossings[from..from + count]
    }

    /// Finds the winding numbers of all corners.
    pub fn wind(&mut self, q: &EnclosureQuery<'_>) {
        self.levels.reset(self.corners.len());
        for k in 0..self.cut.len() {
            for side in 0..3 {
                let edge = edge_of(q.mesh(), self.cut[k], side);
                let steps = self.on_edge(q, edge).iter().map(|&c| if q.crossing(c).leaves { -1 } else { 1 });
                let step = steps.sum();
                let [low, high] = edge.map(|v| self.corner(v));
                self.levels.relate(low, high, step);
            }
        }
        self.windings.clear();
        self.windings.resize(self.corners.len(), None);
        let other = 1 - q.body;
        for i in 0..self.corners.len() {
            let (root, above) = self.levels.root(i);
            let base = *self.windings[root].get_or_insert_with(|| {
                winding(&q.vertex(self.corners[root]), other, q.meshes[other], q.placement)
            });
            self.windings[i] = Some(base + above);
        }
    }

    fn is_inside(&self, corner: usize) -> bool {
        self.windings[corner].is_some_and(|w| w > 0)
    }

    /// Unites what hangs together inside; the elements are the contours, from `base` on the corners, then the floods.
    pub fn unite(&mut self, q: &EnclosureQuery<'_>, base: u32, elements: &mut Classes) {
        for k in 0..self.cut.len() {
            let t = self.cut[k];
            for side in 0..3 {
                let edge = edge_of(q.mesh(), t, side);
                let [low, high] = edge.map(|v| self.corner(v));
                let crossings = self.on_edge(q, edge);
                let is_whole = crossings.is_empty();
                let mut level = self.windings[low].unwrap_or(0);
                let mut last = base + low as u32;
                for &c in crossings {
                    let crossing = q.crossing(c);
                    if level > 0 {
                        elements.unite(last, crossing.contour);
                    }
                    level += if crossing.leaves { -1 } else { 1 };
                    last = crossing.contour;
                }
                if level > 0 {
                    elements.unite(last, base + high as u32);
                    let across = q.meshes[q.body].topology().neighbours(t as usize)[side as usize];
                    if let Some(neighbour) = across.filter(|_| is_whole) {
                        self.flood(q, neighbour as u32, base + low as u32, elements);
                    }
                }
            }
        }
        self.unite_holes(q, base, elements);
    }

    /// Tells the parts of an edge that lie inside, along it, each with an element it hangs together with; `base` as in
    /// [`Enclosed::unite`]. The edge is one of a triangle that a contour passes.
    pub fn inside_of_edge(
        &self,
        q: &EnclosureQuery<'_>,
        edge: [u32; 2],
        base: u32,
        tell: &mut impl FnMut(u32, [Vec3; 2]),
    ) {
        let low = self.corner(edge[0]);
        let mut level = self.windings[low].unwrap_or(0);
        let (mut last, mut from) = (base + low as u32, q.vertex(edge[0]));
        for &c in self.on_edge(q, edge) {
            let crossing = q.crossing(c);
            if level > 0 {
                tell(crossing.contour, [from, crossing.point]);
            }
            level += if crossing.leaves { -1 } else { 1 };
            (last, from) = (crossing.contour, crossing.point);
        }
        if level > 0 {
            tell(last, [from, q.vertex(edge[1])]);
        }
    }

    /// Floods from a triangle that lies inside as a whole, unless it is cut, and unites the flood with `element`.
    fn flood(&mut self, q: &EnclosureQuery<'_>, seed: u32, element: u32, elements: &mut Classes) {
        let (question, slot) = self.stamps[seed as usize];
        if question == self.question {
            if slot != CUT {
                elements.unite(slot, element);
            }
            return;
        }
        let own = elements.push();
        elements.unite(own, element);
        self.stamps[seed as usize] = (self.question, own);
        self.stack.push(seed);
        while let Some(t) = self.stack.pop() {
            self.triangles.push((own, t));
            for neighbour in q.meshes[q.body].topology().neighbours(t as usize).into_iter().flatten() {
                if self.stamps[neighbour].0 != self.question {
                    self.stamps[neighbour] = (self.question, own);
                    self.stack.push(neighbour as u32);
                }
            }
        }
    }

    fn unite_holes(&mut self, q: &EnclosureQuery<'_>, base: u32, elements: &mut Classes) {
        for k in 0..q.contours.loops.len() {
            let Some((triangle, true)) = self.within_one(q, k) else { continue };
            let p = q.contours.points(q.contours.order[q.contours.loops[k].start])[0];
            let mut best: Option<(f64, u32)> = None;
            for (number, own) in (0u32..).zip(&q.contours.loops) {
                if self.within_one(q, number as usize).is_some_and(|(_, is_hole)| is_hole) {
                    continue;
                }
                for &s in &q.contours.order[own.clone()] {
                    let distance = distance(&p, q.contours.points(s));
                    let is_here = q.contours.segments[s as usize].triangles[q.body] == triangle;
                    if is_here && best.is_none_or(|(least, _)| distance < least) {
                        best = Some((distance, number));
                    }
                }
            }
            let corner = self.corner(q.mesh().triangles()[triangle as usize][0]);
            match best {
                Some((_, contour)) => elements.unite(contour, k as u32),
                None if self.is_inside(corner) => elements.unite(base + corner as u32, k as u32),
                None => {}
            }
        }
    }

    /// The triangle that a contour lies in as a whole, and whether it has the inside around it.
    fn within_one(&self, q: &EnclosureQuery<'_>, contour: usize) -> Option<(u32, bool)> {
        let own = &q.contours.order[q.contours.loops[contour].clone()];
        let triangle = q.contours.segments[own[0] as usize].triangles[q.body];
        let is_within = |s: &u32| q.contours.segments[*s as usize].triangles[q.body] == triangle;
        if !own.iter().all(is_within) {
            return None;
        }
        let corners = q.mesh().triangles()[triangle as usize].map(|v| q.vertex(v));
        let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
        let around =
            own.iter().map(|&s| q.contours.points(s)).map(|[a, b]| (a - corners[0]).cross(&(b - corners[0])));
        // Contours turn about A's normals with the inside on their left, about B's with the inside on their right.
        let turned = around.sum::<Vec3>().dot(&normal);
        Some((triangle, if q.body == 0 { turned < 0.0 } else { turned > 0.0 }))
    }
}

fn distance(p: &Vec3, [a, b]: [Vec3; 2]) -> f64 {
    let along = b - a;
    let length = along.norm_squared();
    let s = if length > 0.0 { ((p - a).dot(&along) / length).clamp(0.0, 1.0) } else { 0.0 };
    (a + along * s - p).norm()
}
