//! Bow plating around a hawse pipe with a rounded lip, on the port side.
//!
//! Axes: x forward, y to port, z up; the origin is the mouth, where the pipe's axis meets the outer face of the
//! plating. With the flare φ, the entrance β, the pipe's angle α and heading γ:
//!
//!   N = cos φ (sin β, cos β, 0) − sin φ ẑ            outer normal of the plating at the mouth
//!   a = −cos α (sin γ, cos γ, 0) + sin α ẑ           the pipe's axis, inboard and up
//!
//! Plating of the radius of curvature R in its horizontal section is a circular cylinder of radius R/cos φ whose
//! rulings run up the slope (Meusnier).
//!
//! The lip is what a ball of radius ρ leaves that rolls inside the steel along bore and plating. With the bore's
//! radius r and e(θ) ⟂ a, its centre is c(θ) = (r + ρ) e(θ) + s(θ) a, where s follows in closed form from c being at
//! the depth ρ. The ball touches the bore along −e and the plating along its normal; the arc between both is in the
//! plane across the path of the centre, so that the lip is tangent to bore and plating whatever the angle between
//! them. The steel has the same thickness t everywhere: its inner face is the outer one moved inwards, with fillets
//! of radius ρ − t, or a sharp corner where that is not above zero. The pipe's inboard end is rounded by t/2.
//!
//! The mesh is a closed profile carried around the pipe's axis (`loft.rs`): a solid with one hole.

mod ball;
mod counts;
mod form;
mod plate;
#[cfg(test)]
mod tests;

use super::range::{Result, positive, within};
use form::Form;
use plate::Plate;
use rattleback_geom::{GeomError, TriMesh, Vec3};
use std::f64::consts::FRAC_PI_2;

/// Bow plating with a hawse pipe; lengths in metres, angles in radians.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hull {
    /// Inclination of the plating from the vertical, outwards going up.
    pub flare: f64,
    /// Angle of the plating's horizontal tangent against the centreline, closing towards the bow.
    pub entrance: f64,
    /// Radius of curvature of the plating's horizontal section at the mouth; none for plane plating.
    pub section_radius: Option<f64>,
    /// Inner diameter of the pipe.
    pub pipe_diameter: f64,
    /// Angle of the pipe's axis above the horizontal, going inboard from the mouth.
    pub pipe_angle: f64,
    /// Angle by which the pipe, seen from above, runs aft of straight inboard; none for square to the plating, which is
    /// the entrance.
    pub pipe_heading: Option<f64>,
    /// From the mouth to the pipe's inboard end, along the axis.
    pub pipe_length: f64,
    /// Radius of the ball that rounds the mouth.
    pub lip_radius: f64,
    /// From the mouth to the ends of the plating forward and aft, along it.
    pub half_width: f64,
    /// From the mouth to its upper and lower ends, along it.
    pub half_height: f64,
    /// Thickness of plating and pipe.
    pub thickness: f64,
    /// The largest distance of the mesh from the surface it stands for.
    pub chord: f64,
}

/// The most that the pipe may lean away from the plating's normal; beyond it the mouth is a slit.
const MAX_OBLIQUE: f64 = 75.0 / 180.0 * std::f64::consts::PI;

impl Hull {
    /// Plane plating of the flare 25° and the entrance 30° around a pipe of the given inner diameter D that climbs at
    /// 50°: a lip of D/4, a pipe of 6 D, plating to 5 D forward and aft and to 6 D up and down, D/10 thick, a chord
    /// error of D/200.
    pub fn new(pipe_diameter: f64) -> Self {
        let of_diameter = |factor: f64| factor * pipe_diameter;
        Self {
            flare: 25_f64.to_radians(),
            entrance: 30_f64.to_radians(),
            section_radius: None,
            pipe_diameter,
            pipe_angle: 50_f64.to_radians(),
            pipe_heading: None,
            pipe_length: of_diameter(6.0),
            lip_radius: of_diameter(0.25),
            half_width: of_diameter(5.0),
            half_height: of_diameter(6.0),
            thickness: of_diameter(0.1),
            chord: of_diameter(0.005),
        }
    }

    /// The solid's border: closed, turned outwards, with one hole.
    pub fn mesh(&self) -> Result<TriMesh> {
        self.check()?;
        Form::new(self).mesh()
    }

    /// Outer unit normal of the plating at the mouth.
    pub fn outward(&self) -> Vec3 {
        let ((sf, cf), (se, ce)) = (self.flare.sin_cos(), self.entrance.sin_cos());
        Vec3::new(cf * se, cf * ce, -sf)
    }

    /// Unit vector along the pipe's axis, inboard and up from the mouth.
    pub fn pipe_axis(&self) -> Vec3 {
        let (sa, ca) = self.pipe_angle.sin_cos();
        let (sh, ch) = self.pipe_heading.unwrap_or(self.entrance).sin_cos();
        Vec3::new(-ca * sh, -ca * ch, sa)
    }

    /// Where the pipe's axis meets the outer face of the plating: the origin.
    pub fn mouth(&self) -> Vec3 {
        Vec3::zeros()
    }

    /// Where the pipe's axis leaves the pipe inboard.
    pub fn inboard_end(&self) -> Vec3 {
        self.pipe_axis() * self.pipe_length
    }

    fn plate(&self) -> Plate {
        let (se, ce) = self.entrance.sin_cos();
        let (aft, outward) = (Vec3::new(-ce, se, 0.0), self.outward());
        let radius = self.section_radius.map(|radius| radius / self.flare.cos());
        Plate { aft, up: outward.cross(&aft), outward, radius }
    }

    fn check(&self) -> Result<()> {
        let angle = |field, value: f64, low: f64, high: f64| {
            let allowed = format!("from {low}° to {high}°");
            within(field, value, low.to_radians(), high.to_radians(), &allowed)
        };
        angle("flare", self.flare, -45.0, 75.0)?;
        angle("entrance", self.entrance, -90.0, 90.0)?;
        angle("pipe_angle", self.pipe_angle, -30.0, 90.0)?;
        angle("pipe_heading", self.pipe_heading.unwrap_or(0.0), -90.0, 90.0)?;
        for (field, value) in [
            ("section_radius", self.section_radius.unwrap_or(1.0)),
            ("pipe_diameter", self.pipe_diameter),
            ("pipe_length", self.pipe_length),
            ("lip_radius", self.lip_radius),
            ("half_width", self.half_width),
            ("half_height", self.half_height),
            ("thickness", self.thickness),
            ("chord", self.chord),
        ] {
            positive(field, value)?;
        }
        let oblique = self.obliquity();
        if !(oblique <= MAX_OBLIQUE) {
            return Err(GeomError::Inconsistent {
                field: "pipe_angle".to_owned(),
                found: format!("a pipe {:.1}° off the plating's normal", oblique.to_degrees()),
                allowed: format!("such that it is {:.0}° at most", MAX_OBLIQUE.to_degrees()),
            });
        }
        let Some(radius) = self.plate().radius else { return Ok(()) };
        let widest = (FRAC_PI_2 * radius).min(f64::MAX);
        within("half_width", self.half_width, 0.0, widest, "at most a quarter of the plating's circle")?;
        let deepest = self.lip_radius.max(self.thickness);
        let allowed = "such that the plating's radius is above lip radius and thickness";
        within("section_radius", radius, deepest * (1.0 + 1e-6), f64::MAX, allowed).map(|_| ())
    }

    /// The angle between the pipe's axis and the plating's normal.
    fn obliquity(&self) -> f64 {
        (-self.outward().dot(&self.pipe_axis())).clamp(-1.0, 1.0).acos()
    }
}
