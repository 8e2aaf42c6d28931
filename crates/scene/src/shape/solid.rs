//! Solids of plane profiles: extruded, or revolved about z. Their meshes are closed; those of round bodies say how far
//! they are from them.

use super::{metres, refuse};
use crate::read::{Length, Place, Reader, entry};
use rattleback_geom::mesh::Profile;
use rattleback_geom::surface::{Mesh, Shape};
use rattleback_geom::{Brief, GeomError};

entry! {
    /// A plane polygon along z, its origin in the middle of its height.
    pub struct ExtrusionSpec {
        /// The corners (x, y) of a polygon that neither crosses nor touches itself, in either sense; it may be concave.
        profile: Vec<[Length; 2]>,
        /// Its length along z.
        height: Length,
    }
}
entry! {
    /// A plane polygon turned about z, as a mesh.
    pub struct RevolutionSpec {
        /// The corners (r, z) of a polygon that neither crosses nor touches itself, in either sense, at radii of zero
        /// or above.
        profile: Vec<[Length; 2]>,
        /// How many flat parts stand for a full turn.
        segments: usize = 64,
    }
}
entry! {
    /// A tube along z, open at both ends, its origin in its middle, as a mesh.
    pub struct TubeSpec {
        /// Outer radius.
        radius: Length,
        /// Radius of the bore.
        inner_radius: Length,
        /// Its length along z.
        height: Length,
        /// How many flat parts stand for a full turn.
        segments: usize = 64,
    }
}
entry! {
    /// A cup about z, open above, its origin in the middle of its height, as a mesh.
    pub struct CupSpec {
        /// Outer radius.
        radius: Length,
        /// Inner radius.
        inner_radius: Length,
        /// Over all, along z.
        height: Length,
        /// Of its bottom.
        thickness: Length,
        /// How many flat parts stand for a full turn.
        segments: usize = 64,
    }
}

impl ExtrusionSpec {
    pub(super) fn lower(&self, reader: &mut Reader) -> Option<Shape> {
        let corners: Vec<[f64; 2]> = self.profile.iter().map(|corner| metres(*corner)).collect();
        let built =
            Profile::new(&corners).and_then(|profile| profile.extruded(self.height.0)).and_then(Mesh::new);
        built.map(Shape::from).map_err(|error| refuse(&error, &self.place, "profile", reader)).ok()
    }
}

impl RevolutionSpec {
    pub(super) fn lower(&self, remarks: &mut Vec<String>, reader: &mut Reader) -> Option<Shape> {
        let corners: Vec<[f64; 2]> = self.profile.iter().map(|corner| metres(*corner)).collect();
        round("revolution", &corners, self.segments, &self.place, remarks, reader)
    }
}

impl TubeSpec {
    pub(super) fn lower(&self, remarks: &mut Vec<String>, reader: &mut Reader) -> Option<Shape> {
        let ([radius, inner, height], half) =
            (metres([self.radius, self.inner_radius, self.height]), 0.5 * self.height.0);
        check([("radius", radius), ("inner_radius", inner), ("height", height)], &self.place, reader)?;
        thinner("inner_radius", inner, ("radius", radius), &self.place, reader)?;
        let corners = [[inner, -half], [radius, -half], [radius, half], [inner, half]];
        round("tube", &corners, self.segments, &self.place, remarks, reader)
    }
}

impl CupSpec {
    pub(super) fn lower(&self, remarks: &mut Vec<String>, reader: &mut Reader) -> Option<Shape> {
        let [radius, inner, height, bottom] =
            metres([self.radius, self.inner_radius, self.height, self.thickness]);
        let lengths =
            [("radius", radius), ("inner_radius", inner), ("height", height), ("thickness", bottom)];
        check(lengths, &self.place, reader)?;
        thinner("inner_radius", inner, ("radius", radius), &self.place, reader)?;
        thinner("thickness", bottom, ("height", height), &self.place, reader)?;
        let half = 0.5 * height;
        let floor = bottom - half;
        let corners =
            [[0.0, -half], [radius, -half], [radius, half], [inner, half], [inner, floor], [0.0, floor]];
        round("cup", &corners, self.segments, &self.place, remarks, reader)
    }
}

/// Refuses lengths that are none.
fn check<const N: usize>(lengths: [(&str, f64); N], place: &Place, reader: &mut Reader) -> Option<()> {
    let mut is_right = true;
    for (key, value) in lengths.into_iter().filter(|(_, value)| !(*value >= 1e-20 && *value <= 1e20)) {
        reader.wrong(
            place,
            key,
            format!("found {}; expected a length between 1e-20 and 1e20 m", Brief(value)),
        );
        is_right = false;
    }
    is_right.then_some(())
}

/// Refuses a length that is not below another one.
fn thinner(
    key: &str,
    value: f64,
    (other, limit): (&str, f64),
    place: &Place,
    reader: &mut Reader,
) -> Option<()> {
    if value < limit {
        return Some(());
    }
    reader.wrong(
        place,
        key,
        format!("found {}; expected a length below `{other}`, which is {}", Brief(value), Brief(limit)),
    );
    None
}

/// The mesh of a body of revolution, with the moments of the round body and a remark on how far it is from it.
fn round(
    what: &str,
    corners: &[[f64; 2]],
    segments: usize,
    place: &Place,
    remarks: &mut Vec<String>,
    reader: &mut Reader,
) -> Option<Shape> {
    let built = || -> Result<(Shape, f64), GeomError> {
        let profile = Profile::new(corners)?;
        let (mesh, moments) = profile.revolved(segments)?;
        Ok((Mesh::with_moments(mesh, moments)?.into(), profile.chord_error(segments)))
    };
    let (shape, chord) = built().map_err(|error| refuse(&error, place, "profile", reader)).ok()?;
    remarks.push(format!(
        "{what}: a mesh of {segments} segments, at most {chord:.3e} m from the round body, whose mass and inertia it has"
    ));
    Some(shape)
}
