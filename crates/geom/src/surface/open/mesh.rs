//! Triangles of a solid in layers: the curved part within the chord error, flat caps, one closed mesh.
//!
//! A vertex is (u, k): u the angle of the section, k the station along the meridian. From k = 0 to 1 the curved part
//! runs from end to end; a cap goes on from its rim to its middle, from k = 1 to 2 above, from 0 to −1 below. Each
//! end closes in a single vertex, whose angle is that of whatever it is paired with.

use super::layers::Layers;
use crate::error::{Result, positive};
use crate::{TriMesh, Vec3, tessellate};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Angles of the first mesh: quarters, so that the planes of symmetry hold edges.
const ANGLES: u32 = 4;

#[derive(Debug, Clone, Copy)]
struct Station {
    u: f64,
    k: f64,
}

impl Layers {
    pub(crate) fn tessellate(&self, chord: f64) -> Result<TriMesh> {
        let chord = positive("chord", chord)?;
        // A blunt corner beside the middle of an edge hides half its deviation from the test at the middle.
        let (chord, rounds) =
            if self.section == 2.0 && self.profile.exponent() == 2.0 { (chord, 2) } else { (0.5 * chord, 3) };
        let radii = self.end_radii();
        let first = if radii[0] > 0.0 { -1.0 } else { 0.0 };
        let last = if radii[1] > 0.0 { 2.0 } else { 1.0 };
        let (stations, triangles) = can(first, last);
        let closed = |k: f64| k == first || k == last;
        let middle = |p: &Station, q: &Station| {
            let u = match (closed(p.k), closed(q.k)) {
                (true, _) => q.u,
                (_, true) => p.u,
                _ if (p.u - q.u).abs() > PI => (0.5 * (p.u + q.u + TAU)).rem_euclid(TAU),
                _ => 0.5 * (p.u + q.u),
            };
            Station { u, k: 0.5 * (p.k + q.k) }
        };
        tessellate::refine(stations, triangles, chord, rounds, middle, |s| self.station(s, radii))
    }

    fn station(&self, s: &Station, radii: [f64; 2]) -> Vec3 {
        let [v0, v1] = self.v;
        let [a, b, c] = self.axes;
        let [xi, eta] = self.section_point(s.u);
        let (rho, z) = if s.k <= 0.0 {
            (radii[0] * (1.0 + s.k), self.z[0])
        } else if s.k >= 1.0 {
            (radii[1] * (2.0 - s.k), self.z[1])
        } else {
            let [rho, w] = self.profile.at(v0 + (v1 - v0) * s.k);
            (rho, c * w)
        };
        Vec3::new(a * rho * xi, b * rho * eta, z)
    }
}

/// The coarsest mesh: rings at the whole stations between the two closing vertices.
fn can(first: f64, last: f64) -> (Vec<Station>, Vec<[u32; 3]>) {
    let mut stations = vec![Station { u: 0.0, k: first }];
    let mut triangles = Vec::new();
    let mut k = first + 1.0;
    let mut rings = 0;
    // A bowl cut by one plane only has a single ring; with both ends closed by caps there are two.
    while k < last {
        stations.extend((0..ANGLES).map(|i| Station { u: FRAC_PI_2 * f64::from(i), k }));
        k += 1.0;
        rings += 1;
    }
    stations.push(Station { u: 0.0, k: last });
    let vertex = |ring: u32, i: u32| 1 + ring * ANGLES + i % ANGLES;
    let top = 1 + rings * ANGLES;
    for i in 0..ANGLES {
        triangles.push([0, vertex(0, i + 1), vertex(0, i)]);
        triangles.push([top, vertex(rings - 1, i), vertex(rings - 1, i + 1)]);
        for ring in 1..rings {
            let [a, b] = [vertex(ring - 1, i), vertex(ring - 1, i + 1)];
            let [c, d] = [vertex(ring, i), vertex(ring, i + 1)];
            triangles.push([a, b, d]);
            triangles.push([a, d, c]);
        }
    }
    (stations, triangles)
}
