//! A half-space in the frame of a mesh that it cuts: heights, what is below, contours in its plane.

use rattleback_geom::Vec3;
use rattleback_geom::surface::Mesh;

/// The half-space in the mesh's frame.
pub(super) struct Below<'a> {
    pub mesh: &'a Mesh,
    pub n: Vec3,
    pub d: f64,
}

impl Below<'_> {
    pub fn height(&self, v: u32) -> f64 {
        self.n.dot(&self.mesh.mesh().vertices()[v as usize]) - self.d
    }

    /// Where an edge between heights of opposite sign meets the plane, the same from both sides.
    pub fn crossing(&self, v: u32, w: u32) -> Vec3 {
        let (v, w) = (v.min(w), v.max(w));
        let (p, q) = (self.mesh.mesh().vertices()[v as usize], self.mesh.mesh().vertices()[w as usize]);
        let (from, to) = (self.height(v), self.height(w));
        p + (q - p) * (from / (from - to))
    }

    /// The part of a triangle that is below: up to four corners.
    pub fn clipped(&self, corners: [u32; 3]) -> ([Vec3; 4], usize) {
        let mut found = ([Vec3::zeros(); 4], 0);
        let mut add = |p: Vec3| {
            found.0[found.1] = p;
            found.1 += 1;
        };
        for (k, &v) in corners.iter().enumerate() {
            let w = corners[(k + 1) % 3];
            let is_below = [v, w].map(|v| self.height(v) < 0.0);
            if is_below[0] {
                add(self.mesh.mesh().vertices()[v as usize]);
            }
            if is_below[0] != is_below[1] {
                add(self.crossing(v, w));
            }
        }
        found
    }

    /// The directed segment of a triangle that the plane cuts, with what is below on its left seen from outside.
    pub fn segment(&self, [a, b, c]: [u32; 3]) -> Option<[Vec3; 2]> {
        let (mut start, mut end) = (None, None);
        for (v, w) in [(a, b), (b, c), (c, a)] {
            match (self.height(v) < 0.0, self.height(w) < 0.0) {
                (true, false) => start = Some(self.crossing(v, w)),
                (false, true) => end = Some(self.crossing(v, w)),
                _ => {}
            }
        }
        Some([start?, end?])
    }
}

/// Whether closed contours wind around a point of their plane: the parity of the crossings of a ray.
pub(super) fn surrounds<'a>(segments: impl Iterator<Item = &'a [Vec3; 2]>, p: &Vec3, n: &Vec3) -> bool {
    let (t, u) = rattleback_geom::curvature::tangents(n);
    let mut odd = false;
    for [a, b] in segments {
        let (a, b) = (a - p, b - p);
        let (ya, yb) = (u.dot(&a), u.dot(&b));
        if (ya > 0.0) != (yb > 0.0) {
            odd ^= t.dot(&(a + (b - a) * (ya / (ya - yb)))) > 0.0;
        }
    }
    odd
}
