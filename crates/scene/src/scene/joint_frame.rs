//! Where joints and forces hold two bodies: frames at a point of the world as it is at the start, or given on each
//! body.
//!
//! With `point` and `axis` one frame of the world becomes the frame on both bodies, so that every angle and distance
//! between them is zero at the start. Its z is along `axis`. Its x is the part of `x_axis` across z; without `x_axis`
//! it is X × z with the world's X, or Y × z where z is within 45° of X.
//!
//! With `a` and `b` each frame is given in its body's own frame, and angles and distances are what they are.

use super::frames::Frames;
use crate::orientation::Orientation;
use crate::read::{At, Length, Place, Reader, entry, triple};
use crate::shape::placed;
use rattleback_dynamics::BodyId;
use rattleback_dynamics::joint::JointFrame;
use rattleback_geom::nalgebra::{Matrix3, Rotation3, UnitQuaternion};
use rattleback_geom::{Pose, Vec3};

entry! {
    /// A frame on a body, in the body's own frame.
    pub struct FrameSpec {
        /// Its origin.
        position: [Length; 3] = [Length(0.0); 3],
        /// How it is turned.
        orientation: Orientation = Orientation::default(),
    }
}

/// The frames of A and B, and whether they coincide at the start by construction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct JointFrames {
    pub(crate) a: JointFrame,
    pub(crate) b: JointFrame,
    /// The frame on B as seen from that on A, at the start.
    pub(crate) apart: Pose,
}

/// Beyond this part of z along X, that is within about 45° of it, Y is farther away.
const ALONG_X: f64 = 0.7;

/// The least sine of the angle between axes that span a plane, and the largest cosine between those that are
/// orthogonal: axes rounded to six digits are accepted.
const ROUNDED: f64 = 1e-5;

impl FrameSpec {
    /// The frame in its body's own frame.
    pub(crate) fn pose(&self, reader: &mut Reader) -> Option<Pose> {
        placed(self.position, self.orientation, &self.place, reader)
    }
}

impl JointFrames {
    /// Both at a frame of the world as it is at the start.
    pub(crate) fn together(bodies: [BodyId; 2], frame: &Pose, frames: &Frames) -> Self {
        let [a, b] = bodies.map(|body| JointFrame { body, pose: frames.of_world(body, frame) });
        Self { a, b, apart: Pose::identity() }
    }

    /// Each in its body's own frame.
    pub(crate) fn each(bodies: [BodyId; 2], poses: [Pose; 2], frames: &Frames) -> Self {
        let [a, b] =
            [0, 1].map(|k| JointFrame { body: bodies[k], pose: frames.in_model(bodies[k], &poses[k]) });
        let [from, to] = [0, 1].map(|k| frames.in_world(bodies[k], &poses[k]));
        Self { a, b, apart: from.inverse().compose(&to) }
    }
}

/// Two different bodies by their names.
pub(crate) fn two(names: &[At<String>; 2], frames: &Frames, reader: &mut Reader) -> Option<[BodyId; 2]> {
    let [a, b] = names.each_ref().map(|name| frames.find(name, reader));
    let (a, b) = (a?, b?);
    differ(&names[1], b, &[a], reader)?;
    Some([a, b])
}

/// Complains where a body is one of the others.
pub(crate) fn differ(name: &At<String>, body: BodyId, others: &[BodyId], reader: &mut Reader) -> Option<()> {
    if others.contains(&body) {
        reader.refuse_at(name, format!("found \"{}\" again; expected another body", name.value));
        return None;
    }
    Some(())
}

/// Frames by `a` and `b`, both of which must be there where one is.
pub(crate) fn given(
    [a, b]: [Option<&FrameSpec>; 2],
    place: &Place,
    reader: &mut Reader,
) -> Option<[Pose; 2]> {
    let poses = [a, b].map(|frame| frame.map(|frame| frame.pose(reader)));
    for (key, frame) in [("a", a), ("b", b)] {
        if frame.is_none() {
            reader.wrong(place, "", format!("missing key `{key}`"));
        }
    }
    let [a, b] = poses.map(Option::flatten);
    Some([a?, b?])
}

/// A direction of length one.
pub(crate) fn direction(place: &Place, field: &str, v: [f64; 3], reader: &mut Reader) -> Option<Vec3> {
    let v = Vec3::from(triple(place, field, v, reader)?);
    let largest = v.amax();
    if largest == 0.0 {
        reader.wrong(place, field, "found a vector of length zero; expected a direction");
        return None;
    }
    Some((v / largest).normalize())
}

/// The axes with z along `axis` and x across it, along `x_axis` if there is one.
pub(crate) fn about(
    place: &Place,
    axis: [f64; 3],
    x_axis: Option<[f64; 3]>,
    reader: &mut Reader,
) -> Option<UnitQuaternion<f64>> {
    let z = direction(place, "axis", axis, reader);
    let across = match x_axis {
        Some(x) => direction(place, "x_axis", x, reader).map(Some),
        None => Some(None),
    };
    let (z, across) = (z?, across?);
    let Some(x) = across else { return Some(around(z)) };
    let part = x - z * z.dot(&x);
    if part.norm() < ROUNDED {
        reader.wrong(place, "x_axis", "found a vector along `axis`; expected one across it");
        return None;
    }
    Some(axes(part.normalize(), z))
}

/// The axes with z along a given vector.
pub(crate) fn along(
    place: &Place,
    field: &str,
    axis: [f64; 3],
    reader: &mut Reader,
) -> Option<UnitQuaternion<f64>> {
    direction(place, field, axis, reader).map(around)
}

/// The axes with z given.
fn around(z: Vec3) -> UnitQuaternion<f64> {
    let other = if z.x.abs() < ALONG_X { Vec3::x() } else { Vec3::y() };
    axes(other.cross(&z).normalize(), z)
}

/// The axes with x and y along two given axes, which must be orthogonal.
pub(crate) fn crossed(
    place: &Place,
    pair: [[f64; 3]; 2],
    reader: &mut Reader,
) -> Option<UnitQuaternion<f64>> {
    let [x, y] = [0, 1].map(|k| direction(place, &format!("axes[{k}]"), pair[k], reader));
    let (x, y) = (x?, y?);
    if x.dot(&y).abs() > ROUNDED {
        let angle = x.dot(&y).clamp(-1.0, 1.0).acos().to_degrees();
        reader.wrong(
            place,
            "axes",
            format!("found axes at {angle:.4}° to each other; expected a right angle"),
        );
        return None;
    }
    Some(axes(x, x.cross(&y).normalize()))
}

/// The axes with x and z given, orthogonal and of length one.
fn axes(x: Vec3, z: Vec3) -> UnitQuaternion<f64> {
    let r = Matrix3::from_columns(&[x, z.cross(&x), z]);
    UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(r))
}
