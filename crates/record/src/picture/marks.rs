//! Marks laid over a picture, never hidden: points of contact, joints, forces as arrows, vectors, ellipses and lines
//! of their own size.

use super::camera::Projector;
use super::ground::round_length;
use super::image::Image;
use super::strokes::{PAPER, disc, draw_arrow, polygon, polyline};
use crate::error::Result;
use rattleback_dynamics::{Model, State, active_contacts};
use rattleback_geom::Vec3;
use std::f64::consts::TAU;

const INK: [u8; 3] = [32, 32, 36];
const FORCE: [u8; 3] = [200, 30, 20];
/// Corners of an ellipse, and how much of its colour covers what it lies on.
const CORNERS: usize = 40;
const OPACITY: f64 = 0.85;
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

/// A flat ellipse.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spot {
    /// Its middle, in m.
    pub at: Vec3,
    /// Its semi-axes, drawn as long as they are, in m.
    pub semi_axes: [Vec3; 2],
    /// Red, green, blue.
    pub colour: [u8; 3],
}

/// A line through points.
#[derive(Debug, Clone, PartialEq)]
pub struct Trace {
    /// The points, in m.
    pub points: Vec<Vec3>,
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
    /// Ellipses, under all other marks.
    pub spots: Vec<Spot>,
    /// Lines.
    pub traces: Vec<Trace>,
}

impl Spot {
    /// A corner of the polygon that stands for it.
    fn point(&self, k: usize) -> Vec3 {
        let (sin, cos) = (TAU * k as f64 / CORNERS as f64).sin_cos();
        self.at + self.semi_axes[0] * cos + self.semi_axes[1] * sin
    }
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
        for spot in &self.spots {
            let corners: Option<Vec<_>> = (0..CORNERS).map(|k| projector.pixel(&spot.point(k))).collect();
            if let Some(corners) = corners {
                polygon(image, &corners, spot.colour, OPACITY);
            }
        }
        for trace in &self.traces {
            let places: Vec<_> = trace.points.iter().map(|p| projector.pixel(p)).collect();
            polyline(image, &places, unit, trace.colour);
        }
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
pub fn round_up(value: f64) -> f64 {
    let below = round_length(value);
    // The next one is at most two and a half times as large.
    if below >= value * (1.0 - 1e-12) { below } else { round_length(2.5 * below * (1.0 + 1e-12)) }
}

/// A round number in few digits.
pub fn number(x: f64) -> String {
    if (1e-3..1e6).contains(&x.abs()) {
        let text = format!("{x:.6}");
        return text.trim_end_matches('0').trim_end_matches('.').to_owned();
    }
    format!("{x:.0e}")
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
}
