//! How far two meshes are apart that have no triangle in common: the nearest points of their surfaces, tree against
//! tree.
//!
//! Two triangles that do not meet are nearest at a corner of one and a point of the other, or on a side of each: six
//! distances of a point and a triangle, nine of two segments. Boxes of the trees give lower bounds: A's box is put
//! into a box along B's axes and the other way round, and the larger of the two distances is a lower bound of all that
//! they hold. What is farther than the nearest pair so far is left out, so that the answer is the least distance up to
//! rounding. Rounding may leave feet of all but parallel sides anywhere on them; so a pair of triangles, which are
//! convex, has a lower bound of its own, min n·x over that of B − max n·x over that of A with n from the nearest point
//! found on A to that on B. The least of these is told with the distance. The search begins with the triangles that
//! were nearest at the last question; what is found does not depend on them but for which of several equal pairs is
//! told.

use super::boxes::Placement;
use rattleback_geom::mesh::closest::on_triangle;
use rattleback_geom::surface::Mesh;
use rattleback_geom::{Aabb, Vec3};

/// The nearest points of two meshes, in B's frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nearest {
    pub distance: f64,
    /// No two points of the meshes are nearer than this, up to the rounding of their places.
    pub lower: f64,
    /// Of A and of B.
    pub points: [Vec3; 2],
    /// The triangles that they lie on.
    pub triangles: [u32; 2],
}

/// Finds nearest points, again and again.
#[derive(Debug, Clone, Default)]
pub(super) struct GapFinder {
    stack: Vec<(f64, u32, u32)>,
    last: Option<[u32; 2]>,
}

/// The question at hand.
struct GapQuery<'a> {
    meshes: [&'a Mesh; 2],
    placement: &'a Placement,
}

impl GapQuery<'_> {
    /// The corners of a triangle in B's frame.
    fn corners(&self, body: usize, triangle: u32) -> [Vec3; 3] {
        let corners = self.meshes[body].mesh().corners(triangle as usize);
        if body == 0 { corners.map(|v| self.placement.point(&v)) } else { corners }
    }

    fn bounds(&self, body: usize, node: u32) -> &Aabb {
        self.meshes[body].tree().nodes()[node as usize].bounds()
    }

    /// No points of two nodes are nearer than this.
    fn lower(&self, i: u32, j: u32) -> f64 {
        let (a, b) = (self.bounds(0, i), self.bounds(1, j));
        let r = &self.placement.rotation;
        let d = self.placement.point(&a.centre()) - b.centre();
        let (half_a, half_b) = (a.extents() * 0.5, b.extents() * 0.5);
        let beyond = |d: Vec3, reach: Vec3| (d.abs() - reach).map(|x| x.max(0.0)).norm();
        let r_abs = r.abs();
        let along_b = beyond(d, half_b + r_abs * half_a);
        let along_a = beyond(r.tr_mul(&d), half_a + r_abs.tr_mul(&half_b));
        (along_a.max(along_b) - self.placement.margin).max(0.0)
    }

    /// Both children of the larger box of two nodes, each with the other one; none where both are leaves.
    fn split(&self, i: u32, j: u32) -> Option<[(u32, u32); 2]> {
        let nodes =
            [(0, i), (1, j)].map(|(body, k): (usize, u32)| &self.meshes[body].tree().nodes()[k as usize]);
        let children = nodes.map(|node| node.children());
        let is_first = match children {
            [None, None] => return None,
            [Some(_), None] => true,
            [None, Some(_)] => false,
            _ => nodes[0].bounds().diagonal() >= nodes[1].bounds().diagonal(),
        };
        let [a, b] = children;
        match is_first {
            true => a.map(|both| both.map(|child| (child as u32, j))),
            false => b.map(|both| both.map(|child| (i, child as u32))),
        }
    }

    /// Takes the nearest points of two triangles if they are nearer than `best`, and their lower bound into `lower`.
    fn compare(&self, triangles: [u32; 2], best: &mut Option<Nearest>, (reach, lower): (f64, &mut f64)) {
        let (s, t) = (self.corners(0, triangles[0]), self.corners(1, triangles[1]));
        let mut least = [s[0], t[0]];
        let mut square = (t[0] - s[0]).norm_squared();
        let mut take = |points: [Vec3; 2]| {
            let own = (points[1] - points[0]).norm_squared();
            if own < square {
                (square, least) = (own, points);
            }
        };
        for k in 0..3 {
            take([s[k], on_triangle(&s[k], &t).point]);
            take([on_triangle(&t[k], &s).point, t[k]]);
            for l in 0..3 {
                take(of_segments([s[k], s[(k + 1) % 3]], [t[l], t[(l + 1) % 3]]));
            }
        }
        let distance = square.sqrt();
        let n = (least[1] - least[0]).try_normalize(f64::MIN_POSITIVE).unwrap_or_default();
        let heights = |corners: &[Vec3; 3]| corners.map(|x| n.dot(&(x - least[0])));
        let ([a, b, c], [d, e, f]) = (heights(&s), heights(&t));
        *lower = lower.min(d.min(e).min(f) - a.max(b).max(c));
        if distance <= reach && best.is_none_or(|best| distance < best.distance) {
            *best = Some(Nearest { distance, lower: 0.0, points: least, triangles });
        }
    }
}

impl GapFinder {
    /// The nearest points of two meshes that have none in common, if they are within `reach`.
    pub fn find(&mut self, meshes: [&Mesh; 2], placement: &Placement, reach: f64) -> Option<Nearest> {
        let query = GapQuery { meshes, placement };
        let (mut best, mut lower_bound) = (None, f64::INFINITY);
        let counts = meshes.map(|mesh| mesh.mesh().triangles().len());
        if let Some(last) = self.last.filter(|last| (0..2).all(|k| (last[k] as usize) < counts[k])) {
            query.compare(last, &mut best, (reach, &mut lower_bound));
        }
        self.stack.clear();
        self.stack.push((query.lower(0, 0), 0, 0));
        while let Some((lower, i, j)) = self.stack.pop() {
            let limit = best.map_or(reach, |best: Nearest| best.distance);
            if lower > limit || (lower == limit && best.is_some()) {
                continue;
            }
            match query.split(i, j) {
                Some(both) => {
                    let mut next = both.map(|(i, j)| (query.lower(i, j), i, j));
                    // The nearer one is looked at first.
                    if next[0].0 < next[1].0 {
                        next.swap(0, 1);
                    }
                    self.stack.extend(next);
                }
                None => {
                    let [ours, theirs] = [(0, i), (1, j)].map(|(body, k): (usize, u32)| {
                        let tree = meshes[body].tree();
                        &tree.order()[tree.nodes()[k as usize].range()]
                    });
                    for &t in ours {
                        for &u in theirs {
                            query.compare([t, u], &mut best, (reach, &mut lower_bound));
                        }
                    }
                }
            }
        }
        self.last = best.map_or(self.last, |best| Some(best.triangles));
        best.map(|best: Nearest| Nearest { lower: lower_bound.clamp(0.0, best.distance), ..best })
    }
}

/// The nearest points of two segments: the feet of the common normal where both lie on them; otherwise an end and the
/// point nearest to it, which the distances of corners and triangles have too.
fn of_segments([a, b]: [Vec3; 2], [c, d]: [Vec3; 2]) -> [Vec3; 2] {
    let (u, v, w) = (b - a, d - c, a - c);
    let (uu, uv, vv) = (u.norm_squared(), u.dot(&v), v.norm_squared());
    let (uw, vw) = (u.dot(&w), v.dot(&w));
    let determinant = uu * vv - uv * uv;
    // Lines that are parallel to rounding are nearest at an end.
    let s = if determinant > 0.0 { ((uv * vw - vv * uw) / determinant).clamp(0.0, 1.0) } else { 0.0 };
    let on_other = |s: f64| if vv > 0.0 { ((uv * s + vw) / vv).clamp(0.0, 1.0) } else { 0.0 };
    let t = on_other(s);
    let s = if uu > 0.0 { ((uv * t - uw) / uu).clamp(0.0, 1.0) } else { 0.0 };
    [a + u * s, c + v * on_other(s)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_are_nearest_on_their_common_normal_or_at_ends() {
        let at = |[x, y, z]: [f64; 3]| Vec3::new(x, y, z);
        let cross = of_segments(
            [at([-1.0, 0.0, 0.0]), at([1.0, 0.0, 0.0])],
            [at([0.25, -1.0, 0.5]), at([0.25, 1.0, 0.5])],
        );
        assert_eq!(cross, [at([0.25, 0.0, 0.0]), at([0.25, 0.0, 0.5])]);
        let apart = of_segments(
            [at([0.0, 0.0, 0.0]), at([1.0, 0.0, 0.0])],
            [at([2.0, 0.0, 1.0]), at([3.0, 0.0, 1.0])],
        );
        assert_eq!(apart, [at([1.0, 0.0, 0.0]), at([2.0, 0.0, 1.0])]);
        let point = of_segments([at([0.0; 3]); 2], [at([2.0, 0.0, 0.0]); 2]);
        assert_eq!(point, [at([0.0; 3]), at([2.0, 0.0, 0.0])]);
    }
}
