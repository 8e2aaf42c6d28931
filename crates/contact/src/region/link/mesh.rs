//! Link against mesh: the places where the centre curve comes near the surface.
//!
//! A place is a pair of a point c of the curve and a point p of the mesh between which the distance has a local
//! minimum over both. By what p lies on:
//!
//! | p | c inside a piece | c at a node |
//! |---|---|---|
//! | face | the point of a bend that is lowest over the face, with its foot in the face | the foot in the face |
//! | side | `super::side`, on convex sides, c − p leaning into neither face | closest in its triangle, c − p leaning into no face |
//! | corner | nearest to the corner, c − p leaning into no face of the ring, and the surface falls along the curve | the same |
//!
//! A bar that lies flat on a face has no place inside: its nodes and the convex sides over which it reaches carry it.
//! Above such a side a bar that leans into the face by the angle ε has a place too, of the normal of the face and of
//! the share 1 − ε/θ of its depth, θ being the angle between both faces; so that a bar that rocks on a face, or rolls
//! from facet to facet, is not dropped and caught again. On sides and corners c − p is turned outwards by the normals
//! there, on faces the height has a sign, so that depth goes on smoothly as the surface passes the curve: gap = ∣c −
//! p∣ outside, −∣c − p∣ inside, depth = r − gap. Whether c is inside is then asked of the mesh itself. A node inside
//! the solid is told with the closest point of the whole mesh, at any depth.

use super::Known;
use super::choice::{Candidate, Limits};
use super::feature::{Peak, Ridge, foot};
use super::gather::Hit;
use super::node::Nearest;
use super::piece::{Piece, Spine};
use super::plane::lowest;
use super::side;
use crate::error::Result;
use rattleback_geom::surface::Mesh;
use rattleback_geom::{Aabb, Vec3};

/// Below this share of the bar's radius the vector between curve and mesh has lost its direction, and the normals
/// there give it.
const TOUCHING: f64 = 1e-9;

/// A question about one link and one mesh, in the frame of the mesh.
pub(super) struct LinkMeshQuery<'a> {
    pub(super) mesh: &'a Mesh,
    pub(super) spine: &'a Spine,
    pub(super) limits: &'a Limits,
    /// The boxes of the pieces with all that may be near them.
    pub(super) boxes: &'a [Aabb],
}

/// A triangle of the mesh with what all pieces ask of it.
pub(super) struct Face {
    pub(super) triangle: usize,
    pub(super) corners: [Vec3; 3],
    pub(super) normal: Vec3,
    /// The triangles across its sides.
    neighbours: [Option<usize>; 3],
}

impl Face {
    /// Whether it is this triangle that answers for its side k: the other one does where that has a lower number.
    pub(super) fn owns(&self, k: usize) -> bool {
        self.neighbours[k].is_some_and(|other| self.triangle < other)
    }
}

impl LinkMeshQuery<'_> {
    /// Adds all places near the gathered triangles, and nodes inside the solid, to `found`.
    pub(super) fn ask(&self, hits: &[Hit], known: &mut Known, found: &mut Vec<Candidate>) -> Result<()> {
        let mut nearest = [Nearest::NOTHING; 6];
        let mut met = 0u8;
        for &(triangle, mask) in hits {
            met |= mask;
            let triangle = triangle as usize;
            let face = Face {
                triangle,
                corners: self.mesh.mesh().corners(triangle),
                normal: self.mesh.mesh().normal(triangle),
                neighbours: self.mesh.topology().neighbours(triangle),
            };
            for (i, piece) in self.spine.pieces().iter().enumerate() {
                if mask >> i & 1 == 1 {
                    self.inside_piece(i, piece, &face, found)?;
                }
                if (mask >> i | mask >> self.spine.before(i)) & 1 == 1 {
                    self.at_node(i, &face, &mut nearest[i], found);
                }
            }
        }
        self.nodes_inside(met, &nearest, known, found)
    }

    fn inside_piece(&self, i: usize, piece: &Piece, face: &Face, found: &mut Vec<Candidate>) -> Result<()> {
        if self.is_beyond(piece, face) {
            return Ok(());
        }
        if let Some(s) = lowest(piece, &face.normal) {
            let on_curve = piece.point(s);
            if let Some((gap, on_body)) = foot(&on_curve, &face.corners, &face.normal) {
                let place = self.spine.place(i, s);
                self.offer(Candidate::new(place, None, gap, face.normal, [on_curve, on_body]), found)?;
            }
        }
        for k in 0..3 {
            if face.owns(k) {
                self.over_side(i, piece, face, k, found)?;
            }
            self.over_corner(i, piece, face, k, found)?;
        }
        Ok(())
    }

    /// Whether a piece lies wholly farther from the plane of a face than what is told.
    fn is_beyond(&self, piece: &Piece, face: &Face) -> bool {
        let height = |p: &Vec3| (p - face.corners[0]).dot(&face.normal);
        let [low, high] = match piece {
            Piece::Bar { start, along, length } => {
                let (a, b) = (height(start), height(&(start + along * *length)));
                [a.min(b), a.max(b)]
            }
            Piece::Quarter { centre, radius, .. } => {
                let middle = height(centre);
                [middle - radius, middle + radius]
            }
        };
        low > self.limits.most() || high < -self.limits.most()
    }

    fn over_side(
        &self,
        i: usize,
        piece: &Piece,
        face: &Face,
        k: usize,
        found: &mut Vec<Candidate>,
    ) -> Result<()> {
        let (a, b) = (face.corners[k], face.corners[(k + 1) % 3]);
        if !self.boxes[i].overlaps(&Aabb::of_points([&a, &b])) {
            return Ok(());
        }
        let Some(ridge) = Ridge::new(self.mesh, face.triangle, k).filter(Ridge::is_convex) else {
            return Ok(());
        };
        for (s, t) in side::minima(piece, &a, &b, self.limits.most()).into_iter().flatten() {
            let (on_curve, on_body) = (piece.point(s), a + (b - a) * t);
            // Perpendicular to curve and side, even where they meet.
            let across = piece.tangent(s).cross(&(b - a));
            let arm = self.arm(&(on_curve - on_body), &across, &ridge.outward);
            let outward = if arm.dot(&ridge.outward) < 0.0 { -arm } else { arm };
            if ridge.stands(&outward) {
                let gap = (on_curve - on_body).dot(&outward);
                let place = self.spine.place(i, s);
                self.offer(Candidate::new(place, None, gap, outward, [on_curve, on_body]), found)?;
            }
        }
        self.up_to_side(i, piece, [&a, &b], &ridge, found)
    }

    /// Where a piece that lies on a face, or nearly so, ends to do so: above its side.
    fn up_to_side(
        &self,
        i: usize,
        piece: &Piece,
        [a, b]: [&Vec3; 2],
        ridge: &Ridge,
        found: &mut Vec<Candidate>,
    ) -> Result<()> {
        let side = b - a;
        for m in 0..2 {
            for s in side::crossings(piece, a, &ridge.into[m]).into_iter().flatten() {
                let on_curve = piece.point(s);
                let t = (on_curve - a).dot(&side) / side.norm_squared();
                let across = piece.tangent(s).cross(&side);
                let Some(w) = across.try_normalize(TOUCHING * side.norm()).filter(|_| t > 0.0 && t < 1.0)
                else {
                    continue;
                };
                let upright = if w.dot(&ridge.outward) < 0.0 { -w } else { w };
                if let Some(share) = ridge.carries(m, &upright) {
                    let (on_body, outward) = (a + side * t, ridge.normals[m]);
                    let gap = (on_curve - on_body).dot(&outward);
                    let place = self.spine.place(i, s);
                    let candidate = Candidate::new(place, None, gap, outward, [on_curve, on_body]);
                    self.offer(candidate.keeping(share), found)?;
                }
            }
        }
        Ok(())
    }

    fn over_corner(
        &self,
        i: usize,
        piece: &Piece,
        face: &Face,
        k: usize,
        found: &mut Vec<Candidate>,
    ) -> Result<()> {
        let (on_body, s) = (face.corners[k], piece.nearest(&face.corners[k]));
        let on_curve = piece.point(s);
        let arm = on_curve - on_body;
        if !(s > 0.0 && s < piece.length() && arm.norm_squared() <= self.limits.most().powi(2)) {
            return Ok(());
        }
        let peak = Peak::new(self.mesh, face.triangle, k);
        let arm = self.arm(&arm, &face.normal, &face.normal);
        // Outside the solid the arm stands on the corner, inside it the other way round.
        for outward in [arm, -arm] {
            if peak.stands(&outward)
                && outward.dot(&peak.outward()) > 0.0
                && peak.falls(&outward, &piece.tangent(s))
            {
                let gap = (on_curve - on_body).dot(&outward);
                let place = self.spine.place(i, s);
                self.offer(Candidate::new(place, None, gap, outward, [on_curve, on_body]), found)?;
            }
        }
        Ok(())
    }

    /// The unit vector along `arm`; where that is too short to have a direction, along one of the others.
    pub(super) fn arm(&self, arm: &Vec3, second: &Vec3, third: &Vec3) -> Vec3 {
        let least = TOUCHING * self.limits.radius;
        arm.try_normalize(least)
            .or_else(|| second.try_normalize(TOUCHING * second.amax()))
            .or_else(|| third.try_normalize(0.0))
            .unwrap_or_else(Vec3::x)
    }

    /// Adds a place inside a piece, unless the surface is there on the far side of the solid only.
    fn offer(&self, candidate: Candidate, found: &mut Vec<Candidate>) -> Result<()> {
        if !(candidate.gap.abs() <= self.limits.most()) {
            return Ok(());
        }
        let slack = TOUCHING * self.limits.radius;
        if candidate.gap < -slack && self.mesh.signed_distance(&candidate.on_curve)? > slack {
            return Ok(());
        }
        found.push(candidate);
        Ok(())
    }
}
