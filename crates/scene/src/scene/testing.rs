//! What the tests of joints, forces and courses share: three bodies, and texts read and lowered.

use super::frames::Frames;
use crate::read::{Field, Reader, SourceValue};
use rattleback_dynamics::BodyId;
use rattleback_dynamics::joint::{Joint, JointFrame, JointKind};
use rattleback_geom::nalgebra::{Matrix3, Rotation3, UnitQuaternion};
use rattleback_geom::{Pose, Vec3};

/// Where "ball" stands at the start.
pub(super) fn ball() -> Pose {
    Pose::from_position(0.3, -0.2, 0.7).rotated(Vec3::new(1.0, 2.0, -0.5), 0.8).expect("an axis")
}

/// Where "wheel" stands at the start.
pub(super) fn wheel() -> Pose {
    Pose::from_position(-1.0, 0.5, 0.25).rotated(Vec3::new(0.0, 1.0, 1.0), -1.1).expect("an axis")
}

/// The mass centre of "wheel" in its own frame.
pub(super) const CENTRE: Vec3 = Vec3::new(0.1, 0.02, -0.03);

/// "frame" in the world's axes, "ball" with its mass centre at its origin, "wheel" with another.
pub(super) fn frames() -> Frames {
    let mut frames = Frames::default();
    frames.push("frame", Vec3::zeros(), Pose::identity());
    frames.push("ball", Vec3::zeros(), ball());
    frames.push("wheel", CENTRE, wheel());
    frames
}

/// Reads a text and lowers what it says; the error is the sentences of all complaints, each with its place:
/// "line:column sentence".
pub(super) fn lowered<T: Field, L>(
    text: &str,
    lower: impl FnOnce(&T, &Frames, &mut Reader) -> Option<L>,
) -> Result<L, Vec<String>> {
    let (node, complaints) = SourceValue::from_toml(text);
    let mut reader = Reader::with(complaints);
    let found = T::read(&node, &mut reader).and_then(|spec| lower(&spec, &frames(), &mut reader));
    let content = reader.is_content();
    let source = crate::read::Source { path: "scene.toml".into(), text: text.to_owned(), beside: Vec::new() };
    let said: Vec<String> = reader
        .into_complaints()
        .iter()
        .map(|complaint| {
            let (line, column) = source.place(complaint.span.start);
            format!("{line}:{column} {}", complaint.sentence())
        })
        .collect();
    match found {
        Some(found) if content => Ok(found),
        _ => Err(said),
    }
}

/// Checks that a mistake is told in one sentence: what the text says, with `from` replaced by `to`, is refused with
/// `said`.
pub(super) fn refused<T: Field, L: std::fmt::Debug>(
    text: &str,
    (from, to): (&str, &str),
    said: &str,
    lower: impl FnOnce(&T, &Frames, &mut Reader) -> Option<L>,
) {
    assert!(text.contains(from), "{from} is not in {text}");
    let text = text.replacen(from, to, 1);
    let complaints = lowered(&text, lower).expect_err(&text);
    assert_eq!(complaints, [said], "{text}");
}

/// The frame at `point` of the world with its z axis along `z`, as a pose in a body that stands at `body`.
fn frame(body: &Pose, point: Vec3, z: Vec3) -> Pose {
    let z = z.normalize();
    let other = if z.x.abs() < 0.7 { Vec3::x() } else { Vec3::y() };
    let x = other.cross(&z).normalize();
    let r = Matrix3::from_columns(&[x, z.cross(&x), z]);
    let turn = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(r));
    body.inverse().compose(&Pose::new(point, turn))
}

/// A joint at `point` of the world about `z`, which is not zero, between bodies that stand at the poses given.
pub(super) fn joint(
    name: &str,
    kind: JointKind,
    a: (BodyId, &Pose),
    b: (BodyId, &Pose),
    point: Vec3,
    z: Vec3,
) -> Joint {
    Joint {
        name: name.to_owned(),
        kind,
        a: JointFrame { body: a.0, pose: frame(a.1, point, z) },
        b: JointFrame { body: b.0, pose: frame(b.1, point, z) },
    }
}
