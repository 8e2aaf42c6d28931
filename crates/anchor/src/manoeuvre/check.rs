//! Which manoeuvres can be.

use super::Manoeuvre;
use rattleback_dynamics::chain::{LinkKind, MAX_LINKS};
use rattleback_dynamics::{DynamicsError, Result};
use rattleback_geom::surface::Surface;

impl Manoeuvre {
    /// Refuses numbers out of range, by the names of their fields.
    pub(super) fn check(&self) -> Result<()> {
        positive("diameter of the chain", self.diameter)?;
        positive("speed of the windlass", self.speed)?;
        positive("limit of the windlass", self.limit)?;
        positive("stick_speed", self.stick_speed)?;
        positive("penalty", self.penalty)?;
        demand(!self.links.is_empty(), "links", 0.0, "at least one link at the anchor")?;
        self.check_link_meshes()?;
        for (field, value) in [("heading", self.heading), ("swing_speed", self.swing_speed)] {
            finite(field, value)?;
        }
        demand(self.lean.abs() <= 1.0, "lean", self.lean, "within ±1 rad")?;
        let most = self.anchor.tripping_angle;
        demand(self.tilt.abs() <= most, "tilt", self.tilt, "within the tripping angle")?;
        demand(self.depth >= 12.0 * self.diameter, "depth", self.depth, "at least 12 bar diameters")?;
        // The lead through the pipe and the last links are some tens of them.
        let most = 0.9 * MAX_LINKS as f64 * LinkKind::Common.form(self.diameter, false)?.pitch();
        demand(
            self.depth <= most,
            "depth",
            self.depth,
            "at most 36 000 bar diameters, which are 9 000 links",
        )?;
        if self.bow.axis.dot(&self.bow.outward) > -0.2 {
            return Err(DynamicsError::Invalid {
                what: "the bow".to_owned(),
                reason: "its pipe does not lead inboard from the plating".to_owned(),
            });
        }
        Ok(())
    }

    /// Refuses meshes of links that are not there, that stand for a kind twice, or that do not reach about both of the
    /// points where neighbours touch their link.
    fn check_link_meshes(&self) -> Result<()> {
        for (k, (kind, mesh)) in self.link_meshes.iter().enumerate() {
            let refuse =
                |reason: String| Err(DynamicsError::Invalid { what: format!("link_meshes[{k}]"), reason });
            if !self.links.contains(kind) {
                return refuse("none of `links` is of its kind".to_owned());
            }
            if self.link_meshes[..k].iter().any(|(other, _)| other == kind) {
                return refuse("another mesh stands for its kind already".to_owned());
            }
            let half = 0.5 * kind.form(self.diameter, false)?.pitch();
            let most = half + 4.0 * self.diameter;
            let bounds = mesh.bounds();
            for end in [-bounds.min.z, bounds.max.z] {
                if !(half..=most).contains(&end) {
                    return refuse(format!(
                        "it ends {end:.6} m from its origin along z; from {half:.6} m, where neighbours touch the link, to \
                         {most:.6} m is allowed: is its `scale` right, and does it lie along z?"
                    ));
                }
            }
        }
        Ok(())
    }
}

/// Refuses what `allowed` does not describe, by the name of its field.
fn demand(holds: bool, field: &str, value: f64, allowed: &'static str) -> Result<()> {
    if holds && value.is_finite() {
        return Ok(());
    }
    Err(DynamicsError::OutOfRange { field: field.to_owned(), value, allowed })
}

/// Any number.
fn finite(field: &str, value: f64) -> Result<()> {
    demand(true, field, value, "finite")
}

/// A number above zero.
fn positive(field: &str, value: f64) -> Result<()> {
    demand(value > 0.0, field, value, "above zero and finite")
}
