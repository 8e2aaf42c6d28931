//! What lies between a point and a light that is far away.
//!
//! A map holds, over a plane across the light, the height of the surface nearest to it. A point is lit where nothing in
//! the map is higher. The light is a disc, not a point: the share of it that is seen is estimated from many places of
//! the map around the point, within a radius that grows with the distance of what is in the way (Fernando,
//! "Percentage-closer soft shadows", SIGGRAPH 2005). Heights around the point are compared with those of its own
//! tangent plane there, so that a surface that leans does not shade itself.

use super::lamps::Caster;
use super::raster::{Facet, largest, scan};
use rattleback_geom::curvature::tangents;
use rattleback_geom::{Aabb, Vec3};
use std::f64::consts::PI;

/// The tangent of the light's angular radius.
const PENUMBRA: f64 = 0.06;
/// Radii of the filter in texels.
const SHARPEST: f64 = 1.6;
const SOFTEST: f64 = 24.0;
/// Steepest slope of the tangent plane that is believed.
const STEEPEST: f64 = 4.0;
/// Places of the map that are asked for what is in the way, and for how much of it.
const PROBES: usize = 24;
const TAPS: usize = 48;
/// Maps of no more texels along a side are not worth dividing among threads.
const SMALL: usize = 512;
/// From how far away what is in the way no longer dims the sky, in texels.
const SKY_REACH: f64 = 60.0;
/// How far above a point a surface must be to stand in its way, in texels: what a chord error and rounding ask for.
const BIAS: f64 = 1.2;

/// The heights seen from a light.
#[derive(Debug)]
pub(super) struct ShadowMap {
    /// Right, up and towards the light.
    axes: [Vec3; 3],
    corner: [f64; 2],
    /// Size of a texel in m.
    texel: f64,
    size: [usize; 2],
    heights: Vec<f32>,
    /// Where around a point is looked for what is in the way, and how much of it; in radii.
    probes: Vec<[f64; 2]>,
    taps: Vec<[f64; 2]>,
}

impl ShadowMap {
    /// The map of triangles in world axes, `pixels` texels along its longer side.
    pub(super) fn new(towards: &Vec3, pieces: &[Caster<'_>], pixels: usize) -> Self {
        let (x, y) = tangents(towards);
        let axes = [x, y, *towards];
        let seen = |p: &Vec3| Vec3::new(p.dot(&axes[0]), p.dot(&axes[1]), p.dot(&axes[2]));
        let turned: Vec<Vec<Vec3>> =
            pieces.iter().map(|(points, _)| points.iter().map(seen).collect()).collect();
        let bounds = Aabb::of_points(turned.iter().flatten());
        let extent = bounds.extents();
        let side = extent.x.max(extent.y);
        if !(side > 0.0 && side.is_finite()) {
            let (probes, taps) = (Vec::new(), Vec::new());
            return Self {
                axes,
                corner: [0.0; 2],
                texel: 1.0,
                size: [0; 2],
                heights: Vec::new(),
                probes,
                taps,
            };
        }
        let texel = side / (pixels as f64 - 4.0);
        let corner = [bounds.min.x - 2.0 * texel, bounds.min.y - 2.0 * texel];
        let size = [extent.x, extent.y].map(|e| ((e / texel).ceil() as usize + 4).min(pixels));
        let corners = turned.iter().zip(pieces).flat_map(|(points, (_, triangles))| {
            triangles.iter().map(move |t| {
                t.map(|v| points[v as usize])
                    .map(|p| [(p.x - corner[0]) / texel, (p.y - corner[1]) / texel, p.z])
            })
        });
        let heights = if pixels > SMALL {
            let facets: Vec<Facet> =
                corners.map(|corners| Facet { corners, piece: 0, triangle: 0 }).collect();
            largest(&facets, size[0], size[1])
        } else {
            let mut heights = vec![f32::NEG_INFINITY; size[0] * size[1]];
            for corners in corners {
                scan(&corners, [size[0], 0, size[1]], |at, z| heights[at] = heights[at].max(z as f32));
            }
            heights
        };
        Self { axes, corner, texel, size, heights, probes: spiral(PROBES), taps: spiral(TAPS) }
    }

    fn height(&self, x: f64, y: f64) -> f64 {
        if !(x >= 0.0 && y >= 0.0 && x < self.size[0] as f64 && y < self.size[1] as f64) {
            return f64::NEG_INFINITY;
        }
        f64::from(self.heights[y as usize * self.size[0] + x as usize])
    }

    /// The share of the light that a point of a surface sees: zero to one.
    pub(super) fn light(&self, p: &Vec3, n: &Vec3) -> f64 {
        if self.heights.is_empty() {
            return 1.0;
        }
        let [x, y, z] = std::array::from_fn(|k| p.dot(&self.axes[k]));
        let [x, y] = [(x - self.corner[0]) / self.texel, (y - self.corner[1]) / self.texel];
        let reach = SOFTEST + 1.0;
        if x < -reach || y < -reach || x > self.size[0] as f64 + reach || y > self.size[1] as f64 + reach {
            return 1.0;
        }
        let facing = n.dot(&self.axes[2]).max(1e-6);
        let slope = [0, 1].map(|k| (-n.dot(&self.axes[k]) / facing).clamp(-STEEPEST, STEEPEST) * self.texel);
        let bias = BIAS * self.texel * (1.0 + slope[0].abs().max(slope[1].abs()) / self.texel);
        let above =
            |dx: f64, dy: f64| self.height(x + dx, y + dy) - (z + slope[0] * dx + slope[1] * dy + bias);
        // The mean height of what is in the way.
        let (mut sum, mut count) = (0.0, 0.0);
        for [dx, dy] in &self.probes {
            let over = above(dx * SOFTEST, dy * SOFTEST);
            if over > 0.0 {
                sum += over;
                count += 1.0;
            }
        }
        if count == 0.0 {
            return 1.0;
        }
        if count == self.probes.len() as f64 {
            return 0.0;
        }
        let radius = (sum / count * PENUMBRA / self.texel).clamp(SHARPEST, SOFTEST);
        // A soft step over the bias hides the texels.
        let lit = |[dx, dy]: &[f64; 2]| (1.0 - above(dx * radius, dy * radius) / bias).clamp(0.0, 1.0);
        self.taps.iter().map(lit).sum::<f64>() / self.taps.len() as f64
    }

    /// How well a point sees this direction of the sky: what is far away does not count, so that the sky's few
    /// directions do not cast shadows of their own.
    pub(super) fn sky(&self, p: &Vec3, n: &Vec3) -> f64 {
        if self.heights.is_empty() {
            return 1.0;
        }
        let p = p + n * self.texel;
        let [x, y, z] = std::array::from_fn(|k| p.dot(&self.axes[k]));
        let [x, y] = [(x - self.corner[0]) / self.texel - 0.5, (y - self.corner[1]) / self.texel - 0.5];
        let [w, h] = self.size;
        if !(x >= 0.0 && y >= 0.0 && x < w as f64 - 1.0 && y < h as f64 - 1.0) {
            // The outermost texels are empty.
            return 1.0;
        }
        let (left, top) = (x as usize, y as usize);
        let first = top * w + left;
        let lit = |at: usize| {
            let over = (f64::from(self.heights[at]) - z) / self.texel;
            if over <= 0.0 { 1.0 } else { (1.0 - over.min(1.0) + over / SKY_REACH).min(1.0) }
        };
        let between = |a: f64, b: f64, s: f64| a + s * (b - a);
        let row = |at: usize| between(lit(at), lit(at + 1), x - left as f64);
        between(row(first), row(first + w), y - top as f64)
    }
}

/// Points spread evenly over the unit disc (Vogel 1979).
fn spiral(count: usize) -> Vec<[f64; 2]> {
    let golden = PI * (3.0 - 5f64.sqrt());
    let point = |k: usize| {
        let (sin, cos) = (golden * k as f64).sin_cos();
        let r = ((k as f64 + 0.5) / count as f64).sqrt();
        [r * cos, r * sin]
    };
    (0..count).map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plate_shades_what_is_under_it_and_neither_itself_nor_what_is_beside_it() {
        let points = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[x, y]| Vec3::new(x, y, 1.0));
        let towards = Vec3::new(0.3, 0.1, 1.0).normalize();
        let map = ShadowMap::new(&towards, &[(points.to_vec(), &[[0, 1, 2], [0, 2, 3]])], 512);
        let up = Vec3::z();
        let shift = -towards / towards.z;
        for (x, y, lit) in [(0.0, 0.0, 0.0), (0.8, -0.8, 0.0), (1.3, 0.0, 1.0), (0.0, 5.0, 1.0)] {
            let below = Vec3::new(x, y, 1.0) + shift;
            assert_eq!(map.light(&below, &up), lit, "{x} {y}");
        }
        assert_eq!(map.light(&Vec3::new(0.2, 0.3, 1.0), &up), 1.0);
        // What is near dims the sky, what is far away does not.
        let [near, far] = [0.05, 0.9].map(|down| map.sky(&(Vec3::new(0.2, 0.3, 1.0) - towards * down), &up));
        assert!(near < 0.3 && far == 1.0, "{near} {far}");
        let edge = map.light(&(Vec3::new(1.0, 0.0, 1.0) + shift), &up);
        assert!(edge > 0.3 && edge < 0.7, "{edge}");
    }

    #[test]
    fn without_anything_in_the_way_all_is_lit() {
        assert_eq!(ShadowMap::new(&Vec3::z(), &[], 64).light(&Vec3::zeros(), &Vec3::z()), 1.0);
    }
}
