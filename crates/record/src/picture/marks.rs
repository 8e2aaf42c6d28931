//! Marks laid over a picture, never hidden: points of contact, joints, forces as arrows, and vectors of their own length.

use super::camera::Projector;
use super::ground::round_length;
use super::image::Image;
use crate::error::Result;
use rattleback_dynamics::{Model, State, active_contacts};
use rattleback_geom::Vec3;

const INK: [u8; 3] = [32, 32, 36];
const PAPER: [u8; 3] = [255; 3];
const FORCE: [u8; 3] = [200, 30, 20];
/// The longest arrow where no scale is given, in distances of the camera's target.
const LONGEST: f64 = 0.16;

/// A force that acts at a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arrow {
    /// Where it acts, in m.
    pub at: Vec3,
    /// The force in N.
    pub force: Vec3,
}

/// A vector of a given colour, drawn as long as it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Vector {
    /// Where it begins, in m.
    pub at: Vec3,
    /// From there to its tip, in m.
    pub vector: Vec3,
    /// Red, green, blue.
    pub colour: [u8; 3],
}

/// What is marked in a picture.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Marks {
    /// Points, drawn as small discs.
    pub points: Vec<Vec3>,
    /// Forces, drawn as arrows from the points where they act.
    pub forces: Vec<Arrow>,
    /// Metres of arrow per newton; chosen to suit the longest arrow where none is given.
    pub scale: Option<f64>,
    /// Whether joints are drawn, as small rings.
    pub joints: bool,
    /// Vectors in metres, drawn as arrows.
    pub vectors: Vec<Vector>,
}

impl Marks {
    /// The points and forces of all contacts of a state: the force on the body declared later, or on the other one if
    /// forces do not move that.
    pub fn of_contacts(model: &Model, state: &State) -> Result<Self> {
        let mut marks = Self::default();
        for (id, found) in active_contacts(model, state)? {
            let at = found.force.point;
            marks.points.push(at);
            let sign = if model.bodies()[id.b.body.0].is_free() { 1.0 } else { -1.0 };
            marks.forces.push(Arrow { at, force: found.force.force * sign });
        }
        Ok(marks)
    }

    /// Metres of arrow per newton in a picture taken from `distance`; none where there is no arrow.
    pub fn scale_at(&self, distance: f64) -> Option<f64> {
        let most = self.forces.iter().map(|arrow| arrow.force.norm()).fold(0.0, f64::max);
        if !(most > 0.0 && most.is_finite()) {
            return None;
        }
        self.scale.or_else(|| {
            let wanted = LONGEST * distance;
            // Round numbers on both sides of "this many newtons are this long".
            Some(round_length(wanted) / (round_up(most * round_length(wanted) / wanted)))
        })
    }

    /// What the arrows mean, in words.
    pub(super) fn legend(&self, distance: f64) -> Option<String> {
        let scale = self.scale_at(distance)?;
        let length = round_length(LONGEST * distance);
        Some(format!("arrows: {} m for {} N", number(length), number(length / scale)))
    }

    pub(super) fn draw(&self, image: &mut Image, projector: &Projector, joints: &[Vec3]) {
        let unit = (f64::from(image.width.max(image.height)) / 1280.0).max(0.5);
        if self.joints {
            for at in joints.iter().filter_map(|p| projector.pixel(p)) {
                disc(image, at, 6.0 * unit, PAPER);
                disc(image, at, 4.6 * unit, INK);
                disc(image, at, 2.6 * unit, PAPER);
            }
        }
        // Many arrows are thinner, so that something is seen between them.
        let unit = if self.forces.len() > 60 { 0.65 * unit } else { unit };
        if let Some(scale) = self.scale_at(projector.distance) {
            for arrow in &self.forces {
                let ends = [arrow.at, arrow.at + arrow.force * scale].map(|p| projector.pixel(&p));
                if let [Some(from), Some(to)] = ends {
                    draw_arrow(image, [from, to], unit, FORCE);
                }
            }
        }
        for vector in &self.vectors {
            let ends = [vector.at, vector.at + vector.vector].map(|p| projector.pixel(&p));
            if let [Some(from), Some(to)] = ends {
                draw_arrow(image, [from, to], unit, vector.colour);
            }
        }
        for at in self.points.iter().filter_map(|p| projector.pixel(p)) {
            disc(image, at, 5.0 * unit, PAPER);
            disc(image, at, 3.6 * unit, INK);
        }
    }
}

/// The least of 1, 2, 5 × 10ᵏ that is no less.
fn round_up(value: f64) -> f64 {
    let below = round_length(value);
    // The next one is at most two and a half times as large.
    if below >= value * (1.0 - 1e-12) { below } else { round_length(2.5 * below * (1.0 + 1e-12)) }
}

/// A round number in few digits.
pub(super) fn number(x: f64) -> String {
    if (1e-3..1e6).contains(&x.abs()) {
        let text = format!("{x:.6}");
        return text.trim_end_matches('0').trim_end_matches('.').to_owned();
    }
    format!("{x:.0e}")
}

fn draw_arrow(image: &mut Image, [from, to]: [[f64; 2]; 2], unit: f64, colour: [u8; 3]) {
    let d = [to[0] - from[0], to[1] - from[1]];
    let length = d[0].hypot(d[1]);
    if !(length > 1e-9) {
        return;
    }
    let along = [d[0] / length, d[1] / length];
    let head = (13.0 * unit).min(0.6 * length);
    let neck = [to[0] - along[0] * head, to[1] - along[1] * head];
    let half = 0.42 * head;
    let side = |s: f64| [neck[0] - along[1] * half * s, neck[1] + along[0] * half * s];
    let tip = [to, side(1.0), side(-1.0)];
    for (grow, colour) in [(1.3 * unit, PAPER), (0.0, colour)] {
        cover(image, [from, to], half + 2.0 * unit + grow, colour, |p| {
            let shaft = to_segment(p, from, neck) - 2.0 * unit;
            shaft.min(to_triangle(p, &tip)) - grow
        });
    }
}

fn disc(image: &mut Image, at: [f64; 2], radius: f64, colour: [u8; 3]) {
    cover(image, [at, at], radius, colour, |p| (p[0] - at[0]).hypot(p[1] - at[1]) - radius);
}

/// Lays a colour over all pixels nearer to a box around two points than `margin`, as far as the signed distance in
/// pixels says that they are inside.
fn cover(
    image: &mut Image,
    [a, b]: [[f64; 2]; 2],
    margin: f64,
    colour: [u8; 3],
    distance: impl Fn([f64; 2]) -> f64,
) {
    let size = [image.width, image.height];
    let range = |k: usize| {
        let low = (a[k].min(b[k]) - margin - 1.0).max(0.0);
        let high = (a[k].max(b[k]) + margin + 1.0).min(f64::from(size[k]));
        low as u32..high.max(0.0) as u32
    };
    for y in range(1) {
        for x in range(0) {
            let share = (0.5 - distance([f64::from(x) + 0.5, f64::from(y) + 0.5])).clamp(0.0, 1.0);
            if share > 0.0 {
                image.blend(x, y, colour, share);
            }
        }
    }
}

fn to_segment(p: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    let (ab, ap) = ([b[0] - a[0], b[1] - a[1]], [p[0] - a[0], p[1] - a[1]]);
    let square = ab[0] * ab[0] + ab[1] * ab[1];
    let s = if square > 0.0 { ((ap[0] * ab[0] + ap[1] * ab[1]) / square).clamp(0.0, 1.0) } else { 0.0 };
    (ap[0] - s * ab[0]).hypot(ap[1] - s * ab[1])
}

/// The signed distance of a triangle, negative inside.
fn to_triangle(p: [f64; 2], corners: &[[f64; 2]; 3]) -> f64 {
    let mut nearest = f64::INFINITY;
    let mut signs = [false; 3];
    for k in 0..3 {
        let (a, b) = (corners[k], corners[(k + 1) % 3]);
        nearest = nearest.min(to_segment(p, a, b));
        signs[k] = (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0.0;
    }
    if signs[0] == signs[1] && signs[1] == signs[2] { -nearest } else { nearest }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn arrows_have_a_round_scale_and_the_longest_is_not_too_long() {
        for most in [1.0, 3.3, 4.9, 7777.0, 2.1e-5, 5.0] {
            for distance in [0.3, 1.0, 47.0] {
                let arrow = Arrow { at: Vec3::zeros(), force: Vec3::new(0.0, 0.0, most) };
                let marks = Marks { forces: vec![arrow], ..Marks::default() };
                let length = marks.scale_at(distance).unwrap() * most;
                assert!(length <= LONGEST * distance * 1.001, "{length} for {most} N at {distance} m");
                assert!(length >= 0.3 * LONGEST * distance, "{length} for {most} N at {distance} m");
            }
        }
        assert_eq!(Marks::default().legend(1.0), None);
    }

    #[test]
    fn an_arrow_points_where_its_force_does_and_its_head_is_at_the_end() {
        let mut image = Image::filled(200, 100, [0; 3]).unwrap();
        draw_arrow(&mut image, [[20.0, 50.0], [180.0, 50.0]], 1.0, FORCE);
        let height = |x: u32| (0..100).filter(|y| image.pixel(x, *y) == FORCE).count();
        assert!(
            height(100) >= 3 && height(100) <= 5 && height(169) >= 2 * height(100),
            "{} {}",
            height(100),
            height(169)
        );
        assert_eq!((height(10), height(190)), (0, 0));
        assert_eq!(image.pixel(100, 50), FORCE);
        assert_eq!(image.pixel(100, 10), [0; 3]);
    }

    #[test]
    fn marks_far_outside_the_picture_do_no_harm() {
        let mut image = Image::filled(20, 10, [0; 3]).unwrap();
        disc(&mut image, [1e30, -1e30], 5.0, INK);
        draw_arrow(&mut image, [[-1e6, 5.0], [1e6, 5.0]], 1.0, FORCE);
        assert_eq!(image.pixel(10, 5), FORCE);
    }
}
