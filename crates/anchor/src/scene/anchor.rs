//! The anchor of a manoeuvre: made for a mass, or of meshes.

use crate::manoeuvre::AnchorParts;
use crate::solid::Anchor;
use rattleback_geom::surface::{Mesh, Shape};
use rattleback_scene::read::{Angle, Density, Length, Mass, Range, Reader, entry, number};
use rattleback_scene::{MeshSpec, refuse};
use std::path::Path;
use std::sync::Arc;

entry! {
    /// A stockless anchor: made for a `mass`, or of two meshes, `head` and `shank`, each with the pin along x through
    /// the origin and the shackle on z.
    pub struct ManoeuvreAnchorSpec {
        /// The mass of the whole anchor, for which its meshes are made.
        mass: Option<Mass>,
        /// The mesh of crown and flukes.
        head: Option<MeshSpec>,
        /// The mesh of the shank.
        shank: Option<MeshSpec>,
        /// From pin to shackle, where the meshes are given.
        shank_length: Option<Length>,
        /// How far the head turns about the pin to either side.
        tripping_angle: Angle = Angle(45_f64.to_radians()),
        /// Its density, steel by default.
        density: Density = Density(7850.0),
    }
}

impl ManoeuvreAnchorSpec {
    pub(super) fn lower(
        &self,
        folder: &Path,
        remarks: &mut Vec<String>,
        reader: &mut Reader,
    ) -> Option<AnchorParts> {
        let place = &self.place;
        let meshes = [("head", self.head.is_some()), ("shank", self.shank.is_some())];
        let meshes = meshes.into_iter().chain([("shank_length", self.shank_length.is_some())]);
        if let Some(mass) = self.mass {
            for (key, _) in meshes.filter(|(_, given)| *given) {
                let message = format!("found `{key}` beside `mass`, for which the meshes are made");
                reader.wrong(place, key, message);
            }
            let made = Anchor::with_density(mass.0, self.density.0)
                .and_then(|anchor| anchor.with_tripping_angle(self.tripping_angle.0))
                .map_err(|error| refuse(&error, place, "", reader))
                .ok()?;
            let parts = AnchorParts::from_anchor(&made);
            return parts.map_err(|error| reader.wrong(place, "", error.to_string())).ok();
        }
        let missing: Vec<&str> = meshes.filter(|(_, given)| !given).map(|(key, _)| key).collect();
        if !missing.is_empty() {
            let message = format!(
                "expected `mass`, or `head`, `shank` and `shank_length`: no {}",
                missing.join(", no ")
            );
            reader.wrong(place, "", message);
        }
        let density = number(place, "density", self.density.0, Range::Positive, reader);
        let angle = number(place, "tripping_angle", self.tripping_angle.0, Range::Positive, reader);
        let length = self.shank_length?;
        let length = number(place, "shank_length", length.0, Range::Positive, reader);
        let mut mesh = |spec: &Option<MeshSpec>| solid(spec.as_ref()?.lower(folder, remarks, reader)?);
        let [head, shank] = [mesh(&self.head), mesh(&self.shank)];
        Some(AnchorParts {
            head: head?,
            shank: shank?,
            shank_length: length?,
            tripping_angle: angle?,
            density: density?,
        })
    }
}

/// The mesh that a file was read as.
pub(super) fn solid(shape: Shape) -> Option<Arc<Mesh>> {
    match shape {
        Shape::Mesh(mesh) => Some(mesh),
        _ => None,
    }
}
