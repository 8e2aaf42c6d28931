//! Light: a key light with soft shadows, light from the sky where the sky is seen, light from below, a discreet
//! highlight.

use super::camera::Projector;
use super::colour::Light;
use super::shadow::ShadowMap;
use rattleback_geom::Vec3;
use rattleback_geom::curvature::tangents;
use rayon::prelude::*;
use std::f64::consts::PI;

/// Texels along the maps of the key light and of the sky's directions, and how many of these there are.
const KEY_TEXELS: usize = 2048;
const SKY_TEXELS: usize = 160;
const SKY: usize = 20;
/// Amounts of light.
const KEY: f64 = 0.78;
const FROM_SKY: f64 = 0.5;
const FROM_BELOW: f64 = 0.26;
/// The share of the key light that planes get whichever way they are turned.
const LEAST: f64 = 0.3;
/// How narrow highlights are.
const SHININESS: f64 = 48.0;

/// Points in the world and the triangles over them.
pub(super) type Caster<'a> = (Vec<Vec3>, &'a [[u32; 3]]);

/// The lights of a picture with all that stands in their way.
#[derive(Debug)]
pub(super) struct Lamps {
    up: Vec3,
    towards: Vec3,
    key: ShadowMap,
    sky: Vec<(Vec3, ShadowMap)>,
}

impl Lamps {
    /// The key light comes from above, behind the camera and to its left; few triangles will do to dim the sky.
    pub(super) fn new(projector: &Projector, up: &Vec3, all: &[Caster<'_>], few: &[Caster<'_>]) -> Self {
        let level = |v: &Vec3| (v - up * up.dot(v)).try_normalize(1e-3).unwrap_or_default();
        let towards = (up * 1.25 - level(&projector.right) * 0.55 + level(&projector.back) * 0.5).normalize();
        // Evenly over the upper half of the sphere, from a little above the horizon on.
        let golden = PI * (3.0 - 5f64.sqrt());
        let (x, y) = tangents(up);
        let direction = |k: usize| {
            let z = 0.15 + 0.85 * (k as f64 + 0.5) / SKY as f64;
            let (sin, cos) = (golden * k as f64).sin_cos();
            up * z + (x * cos + y * sin) * (1.0 - z * z).sqrt()
        };
        let of_sky = |k: usize| (direction(k), ShadowMap::new(&direction(k), few, SKY_TEXELS));
        Self {
            up: *up,
            towards,
            key: ShadowMap::new(&towards, all, KEY_TEXELS),
            sky: (0..SKY).into_par_iter().map(of_sky).collect(),
        }
    }

    /// The light that a point of a surface sends to the eye; without a highlight the surface is that of a plane, which
    /// is lit a little where it is turned away too.
    pub(super) fn lit(
        &self,
        p: &Vec3,
        n: &Vec3,
        view: &Vec3,
        colour: &Light,
        highlight: Option<f64>,
    ) -> Light {
        let facing = n.dot(&self.towards);
        let key = if facing > 0.0 { KEY * self.key.light(p, n) } else { 0.0 };
        let (mut seen, mut all) = (0.0, 1e-12);
        for (d, map) in &self.sky {
            let weight = n.dot(d);
            if weight > 0.0 {
                all += weight;
                seen += weight * map.sky(p, n);
            }
        }
        let open = if all > 1e-9 { seen / all } else { 1.0 };
        let height = 0.5 + 0.5 * n.dot(&self.up);
        let sky = Light::new(0.96, 0.99, 1.05) * (FROM_SKY * height * open);
        let below = Light::new(1.03, 1.0, 0.96) * (FROM_BELOW * (1.0 - height) * (0.4 + 0.6 * open));
        let half = (self.towards + view).normalize();
        let shine = highlight.unwrap_or(0.0) * key * n.dot(&half).max(0.0).powf(SHININESS);
        let direct = if highlight.is_none() {
            KEY * LEAST * open + (1.0 - LEAST) * key * facing.max(0.0)
        } else {
            key * facing.max(0.0)
        };
        let light = Light::new(1.02, 1.0, 0.97) * direct + sky + below;
        (colour.component_mul(&light)).add_scalar(shine).map(|x| x.min(1.0))
    }
}
