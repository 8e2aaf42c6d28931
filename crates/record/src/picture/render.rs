//! From bodies in place to pixels: samples, groups of samples, light.
//!
//! Three by three samples per pixel say what is seen there; each thing seen is shaded once, where one of its own
//! samples is, and counts by its samples. Where the corners of a pixel see the same of the ground, its samples do.
//! Bands of rows are independent of each other.

use super::camera::Projector;
use super::colour::{Light, to_bytes, to_light};
use super::ground::{Ground, Hit};
use super::image::Image;
use super::lamps::Lamps;
use super::raster::{Facet, bins, scan};
use super::soup::Soup;
use crate::error::Result;
use rattleback_geom::{Pose, Vec3};
use rayon::prelude::*;

/// Samples per pixel and side, and rows of pixels in a band.
const FINE: usize = 3;
const ROWS: usize = 8;
/// The strength of highlights on bodies.
const HIGHLIGHT: f64 = 0.16;
/// How much darker every other octant of a body is.
const OCTANTS: f64 = 0.2;
/// The background at the top and at the bottom of the picture.
const TOP: [u8; 3] = [222, 230, 240];
const BOTTOM: [u8; 3] = [250, 250, 249];

/// Triangles of one colour in place.
#[derive(Debug)]
pub(super) struct Piece<'a> {
    pub(super) soup: &'a Soup,
    /// Fewer triangles of the same, to dim the sky.
    pub(super) coarse: &'a Soup,
    pub(super) pose: Pose,
    pub(super) colour: Light,
    /// Whether octants in the soup's own axes differ.
    pub(super) patterned: bool,
    /// Whether triangles are seen from their outer side alone, and cast no shadow.
    pub(super) one_sided: bool,
}

/// All that is in a picture.
#[derive(Debug)]
pub(super) struct Scene<'a> {
    pub(super) projector: Projector,
    pub(super) pieces: Vec<Piece<'a>>,
    pub(super) ground: Ground,
    pub(super) up: Vec3,
}

/// What is seen at a sample.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Visible {
    Nothing,
    Piece(u32),
    Patch(usize),
}

/// A place where something is seen: the pixel, one over the depth, the facet.
#[derive(Clone, Copy)]
struct VisibleSample {
    seen: Visible,
    at: [f64; 2],
    inverse: f64,
    facet: u32,
}

impl VisibleSample {
    fn of_ground(hit: &Hit, at: [f64; 2]) -> Self {
        Self { seen: Visible::Patch(hit.patch), at, inverse: 1.0 / hit.depth, facet: u32::MAX }
    }
}

/// The samples of a band of rows: one over the depth, and the facet.
struct Band<'a> {
    /// The first row.
    top: usize,
    /// Samples in a row.
    wide: usize,
    nearest: &'a [(f32, u32)],
    facets: &'a [Facet],
    /// The patches that the corners of pixels see, and how many corners there are in a row.
    patches: &'a [Option<usize>],
    corners: usize,
}

impl Band<'_> {
    /// The patch that all corners of a pixel see; none where they see different ones.
    fn patch(&self, [x, y]: [usize; 2]) -> Option<Option<usize>> {
        let first = y * self.corners + x;
        let all = [first, first + 1, first + self.corners, first + self.corners + 1];
        let [a, b, c, d] = all.map(|at| self.patches[at]);
        (a == b && a == c && a == d).then_some(a)
    }
}

impl Scene<'_> {
    /// The picture.
    pub(super) fn paint(&self, width: u32, height: u32) -> Result<Image> {
        let mut image = Image::filled(width, height, [0; 3])?;
        let world: Vec<Vec<Vec3>> =
            self.pieces.par_iter().map(|piece| piece.soup.placed(&piece.pose)).collect();
        let lamps = self.lamps();
        let facets = self.facets(&world);
        let wide = width as usize * FINE;
        let bins = bins(&facets, height as usize * FINE, ROWS * FINE);
        let bands = image.pixels.par_chunks_mut(3 * width as usize * ROWS);
        bands.zip(&bins).enumerate().for_each(|(k, (band, bin))| {
            let rows = band.len() / (3 * width as usize);
            let mut nearest = vec![(0f32, u32::MAX); wide * rows * FINE];
            for &i in bin {
                scan(&facets[i as usize].corners, [wide, k * ROWS * FINE, rows * FINE], |at, value| {
                    if value as f32 > nearest[at].0 {
                        nearest[at] = (value as f32, i);
                    }
                });
            }
            let corners = width as usize + 1;
            let patches: Vec<_> = (0..corners * (rows + 1))
                .map(|n| self.patch_at([(n % corners) as f64, (k * ROWS + n / corners) as f64]))
                .collect();
            let samples =
                Band { top: k * ROWS, wide, nearest: &nearest, facets: &facets, patches: &patches, corners };
            for (y, row) in band.chunks_exact_mut(3 * width as usize).enumerate() {
                let background = background(k * ROWS + y, height);
                for (x, pixel) in row.chunks_exact_mut(3).enumerate() {
                    let light = self.pixel([x, y], &samples, &lamps, &background);
                    pixel.copy_from_slice(&to_bytes(&light));
                }
            }
        });
        Ok(image)
    }

    fn lamps(&self) -> Lamps {
        let cast = |few: bool| -> Vec<_> {
            let solid = self.pieces.iter().filter(|piece| !piece.one_sided);
            let soups = solid.map(|piece| (if few { piece.coarse } else { piece.soup }, &piece.pose));
            soups.map(|(soup, pose)| (soup.placed(pose), soup.triangles.as_slice())).collect()
        };
        Lamps::new(&self.projector, &self.up, &cast(false), &cast(true))
    }

    fn patch_at(&self, at: [f64; 2]) -> Option<usize> {
        if self.ground.is_empty() {
            return None;
        }
        self.ground.hit(&self.projector.ray(at)).map(|hit| hit.patch)
    }

    /// The triangles as the camera sees them, cut at the nearest depth.
    fn facets(&self, world: &[Vec<Vec3>]) -> Vec<Facet> {
        let of_piece = |(k, (points, piece)): (usize, (&Vec<Vec3>, &Piece<'_>))| {
            let views: Vec<Vec3> = points.iter().map(|p| self.projector.view(p)).collect();
            let mut facets = Vec::new();
            let is_seen = |triangle: &[u32; 3]| {
                let [a, b, c] = triangle.map(|v| points[v as usize]);
                !piece.one_sided || (b - a).cross(&(c - a)).dot(&(self.projector.eye - a)) > 0.0
            };
            let seen = piece.soup.triangles.iter().enumerate().filter(|(_, triangle)| is_seen(triangle));
            for (t, triangle) in seen {
                let cut = in_front(triangle.map(|v| views[v as usize]), self.projector.near);
                for j in 2..cut.len() {
                    let corner = |v: &Vec3| {
                        let [x, y] = self.projector.pixel_of_view(v);
                        [x * FINE as f64, y * FINE as f64, 1.0 / v.z]
                    };
                    let corners = [&cut[0], &cut[j - 1], &cut[j]].map(corner);
                    facets.push(Facet { corners, piece: k as u32, triangle: t as u32 });
                }
            }
            facets
        };
        world.par_iter().zip(&self.pieces).enumerate().map(of_piece).collect::<Vec<_>>().concat()
    }

    /// The light of a pixel of a band.
    fn pixel(&self, [x, y]: [usize; 2], band: &Band<'_>, lamps: &Lamps, background: &Light) -> Light {
        let Band { top, wide, nearest, facets, .. } = band;
        let place = |s: usize| (x * FINE + s % FINE, y * FINE + s / FINE);
        let at = |(i, j): (usize, usize)| {
            [(i as f64 + 0.5) / FINE as f64, *top as f64 + (j as f64 + 0.5) / FINE as f64]
        };
        let nearest = |(i, j): (usize, usize)| nearest[j * wide + i];
        let patch = band.patch([x, y]);
        let is_ground = (0..FINE * FINE).all(|s| nearest(place(s)).1 == u32::MAX);
        if let (true, Some(patch)) = (is_ground, patch) {
            let middle = at(place(FINE * FINE / 2));
            let hit = patch.and_then(|k| self.ground.hit_of(k, &self.projector.ray(middle)));
            let Some(hit) = hit else { return *background };
            return self.shade(&VisibleSample::of_ground(&hit, middle), facets, lamps, background);
        }
        let hit = |at: [f64; 2]| match patch {
            Some(patch) => self.ground.hit_of(patch?, &self.projector.ray(at)),
            None => self.ground.hit(&self.projector.ray(at)),
        };
        let spots: [VisibleSample; FINE * FINE] = std::array::from_fn(|s| {
            let (at, (inverse, facet)) = (at(place(s)), nearest(place(s)));
            match hit(at) {
                Some(hit) if hit.depth * f64::from(inverse) < 1.0 => VisibleSample::of_ground(&hit, at),
                _ => {
                    let seen =
                        facets.get(facet as usize).map_or(Visible::Nothing, |f| Visible::Piece(f.piece));
                    VisibleSample { seen, at, inverse: f64::from(inverse), facet }
                }
            }
        });
        let mut sum = Light::zeros();
        for k in 0..spots.len() {
            let own = spots[k].seen;
            if spots[..k].iter().any(|s| s.seen == own) {
                continue;
            }
            let group = || spots.iter().filter(|s| s.seen == own);
            let count = group().count() as f64;
            let mean = group().fold([0.0; 2], |m, s| [m[0] + s.at[0] / count, m[1] + s.at[1] / count]);
            let off = |s: &VisibleSample| (s.at[0] - mean[0]).powi(2) + (s.at[1] - mean[1]).powi(2);
            let middle = group().fold(spots[k], |best, s| if off(s) < off(&best) { *s } else { best });
            sum += self.shade(&middle, facets, lamps, background) * count;
        }
        sum / spots.len() as f64
    }

    fn shade(&self, spot: &VisibleSample, facets: &[Facet], lamps: &Lamps, background: &Light) -> Light {
        let ray = self.projector.ray(spot.at);
        let p = self.projector.eye + ray / spot.inverse;
        let pixel = 1.0 / (spot.inverse * self.projector.focal);
        let view = -ray.normalize();
        match spot.seen {
            Visible::Nothing => *background,
            Visible::Patch(patch) => {
                let n = self.ground.patch(patch).normal;
                let hit = Hit { patch, depth: 1.0 / spot.inverse };
                let presence = self.ground.presence(&hit, &p);
                if presence == 0.0 {
                    return *background;
                }
                // A pixel covers more of a plane that leans away.
                let colour = self.ground.colour(&hit, &p, pixel / n.dot(&view).max(0.05).sqrt());
                let lit = lamps.lit(&p, &n, &view, &colour, None);
                lit * presence + background * (1.0 - presence)
            }
            Visible::Piece(k) => {
                let piece = &self.pieces[k as usize];
                let triangle = facets[spot.facet as usize].triangle as usize;
                let q = piece.pose.point_to_local(&p);
                let mut n = piece.pose.vector_to_world(&piece.soup.normal_at(triangle, &q));
                if n.dot(&view) < -0.2 {
                    n = -n;
                }
                let octant = if piece.patterned {
                    let smooth = |x: f64| (x / (0.7 * pixel)).clamp(-1.0, 1.0);
                    0.5 - 0.5 * smooth(q.x) * smooth(q.y) * smooth(q.z)
                } else {
                    0.0
                };
                lamps.lit(&p, &n, &view, &(piece.colour * (1.0 - OCTANTS * octant)), Some(HIGHLIGHT))
            }
        }
    }
}

/// The background of a row.
fn background(y: usize, height: u32) -> Light {
    let s = (y as f64 + 0.5) / f64::from(height);
    to_light(TOP) * (1.0 - s) + to_light(BOTTOM) * s
}

/// The part of a triangle in view coordinates that is farther than `near`: none, or a convex polygon.
fn in_front(corners: [Vec3; 3], near: f64) -> Vec<Vec3> {
    let mut cut = Vec::with_capacity(4);
    for k in 0..3 {
        let (a, b) = (corners[k], corners[(k + 1) % 3]);
        if a.z > near {
            cut.push(a);
        }
        if (a.z > near) != (b.z > near) {
            cut.push(a + (b - a) * ((near - a.z) / (b.z - a.z)));
        }
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_triangle_that_reaches_behind_the_camera_is_cut() {
        let corners =
            |z: [f64; 3]| [Vec3::new(0.0, 0.0, z[0]), Vec3::new(1.0, 0.0, z[1]), Vec3::new(0.0, 1.0, z[2])];
        for (z, count) in
            [([1.0, 2.0, 3.0], 3), ([1.0, -1.0, 1.0], 4), ([-1.0, 2.0, -3.0], 3), ([-1.0; 3], 0)]
        {
            let cut = in_front(corners(z), 0.5);
            assert_eq!(cut.len(), count);
            assert!(cut.iter().all(|v| v.z >= 0.5 - 1e-12));
        }
    }
}
