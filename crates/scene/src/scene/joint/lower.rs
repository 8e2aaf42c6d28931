//! From what a file says of a joint to the engine's joint and what acts on it.

use super::super::action::{Actions, Coordinates};
use super::super::frames::Frames;
use super::super::joint_frame::{FrameSpec, JointFrames, about, crossed, given, two};
use super::{
    DistanceJointSpec, FixedJointSpec, JointSpec, PointOnSurfaceJointSpec, SphericalJointSpec,
    UniversalJointSpec,
};
use crate::read::{At, Length, Place, Range, Reader, number, triple};
use rattleback_dynamics::BodyId;
use rattleback_dynamics::joint::{Action, Freedom, Joint, JointKind};
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::{Pose, Vec3};

const TURN: &[Freedom] = &[Freedom::Turn];
const SLIDE: &[Freedom] = &[Freedom::Slide];
const TURNS: &[Freedom] = &[Freedom::Turn, Freedom::SecondTurn];
const BOTH: &[Freedom] = &[Freedom::Turn, Freedom::Slide];

/// Where a joint with an axis is.
pub(super) struct Located<'s> {
    pub(super) point: Option<[Length; 3]>,
    pub(super) axis: Option<[f64; 3]>,
    pub(super) x_axis: Option<[f64; 3]>,
    pub(super) given: [Option<&'s FrameSpec>; 2],
    pub(super) place: &'s Place,
}

/// What a joint comes to: its kind and its frames.
pub(super) type Made = Option<(JointKind, JointFrames)>;

impl JointSpec {
    /// Its name.
    pub fn name(&self) -> &At<String> {
        self.common().0
    }

    fn common(&self) -> (&At<String>, &[At<String>; 2]) {
        match self {
            Self::Fixed(s) => (&s.name, &s.bodies),
            Self::Spherical(s) => (&s.name, &s.bodies),
            Self::Revolute(s) => (&s.name, &s.bodies),
            Self::Universal(s) => (&s.name, &s.bodies),
            Self::Cylindrical(s) => (&s.name, &s.bodies),
            Self::Prismatic(s) => (&s.name, &s.bodies),
            Self::Planar(s) => (&s.name, &s.bodies),
            Self::Distance(s) => (&s.name, &s.bodies),
            Self::Screw(s) => (&s.name, &s.bodies),
            Self::Gear(s) => (&s.name, &s.bodies),
            Self::PointOnSurface(s) => (&s.name, &s.bodies),
        }
    }

    /// What acts on it, its type, and the coordinates on which it can.
    fn acting(&self) -> Option<(Actions<'_>, &'static str, &'static [Freedom])> {
        match self {
            Self::Revolute(s) => Some((s.actions(), "revolute", TURN)),
            Self::Universal(s) => Some((s.actions(), "universal", TURNS)),
            Self::Cylindrical(s) => Some((s.actions(), "cylindrical", BOTH)),
            Self::Prismatic(s) => Some((s.actions(), "prismatic", SLIDE)),
            Self::Screw(s) => Some((s.actions(), "screw", BOTH)),
            _ => None,
        }
    }

    /// The joint and what acts on its coordinates.
    pub(crate) fn lower(
        &self,
        frames: &Frames,
        reader: &mut Reader,
    ) -> Option<(Joint, Vec<(Freedom, Action)>)> {
        let (name, bodies) = self.common();
        let bodies = two(bodies, frames, reader)?;
        let (kind, joint_frames) = self.made(bodies, frames, reader)?;
        let actions = match self.acting() {
            Some((actions, kind, freedoms)) => {
                actions.lower(&Coordinates { kind, freedoms, joint_frames: &joint_frames }, reader)?
            }
            None => Vec::new(),
        };
        Some((Joint { name: name.value.clone(), kind, a: joint_frames.a, b: joint_frames.b }, actions))
    }

    fn made(&self, bodies: [BodyId; 2], frames: &Frames, reader: &mut Reader) -> Made {
        let axial = |located: Located<'_>, kind: JointKind, reader: &mut Reader| {
            located.joint_frames(bodies, frames, reader).map(|joint_frames| (kind, joint_frames))
        };
        match self {
            Self::Fixed(s) => s.made(bodies, frames, reader),
            Self::Spherical(s) => s.made(bodies, frames, reader),
            Self::Revolute(s) => axial(s.located(), JointKind::Revolute, reader),
            Self::Universal(s) => s.made(bodies, frames, reader),
            Self::Cylindrical(s) => axial(s.located(), JointKind::Cylindrical, reader),
            Self::Prismatic(s) => axial(s.located(), JointKind::Prismatic, reader),
            Self::Planar(s) => axial(s.located(), JointKind::Planar, reader),
            Self::Distance(s) => s.made(bodies, frames, reader),
            Self::Screw(s) => {
                let pitch = number(&s.place, "pitch", s.pitch.0, Range::Finite, reader);
                let made = axial(s.located(), JointKind::Screw { pitch: s.pitch.0 }, reader);
                pitch.and(made)
            }
            Self::Gear(s) => s.made(bodies, frames, reader),
            Self::PointOnSurface(s) => s.made(bodies, frames, reader),
        }
    }
}

/// Whether frames are given by `a` and `b`, which no other way of saying it may join; complains where nothing is said.
pub(super) fn by_frames(
    given: [Option<&FrameSpec>; 2],
    others: &[&str],
    needed: &str,
    place: &Place,
    reader: &mut Reader,
) -> Option<bool> {
    let frames = given.iter().any(Option::is_some);
    let other = others.iter().find(|key| place.has(key));
    match (frames, other) {
        (true, Some(key)) => {
            reader.wrong(
                place,
                key,
                format!("found `{key}` beside frames; expected {needed} or frames, not both"),
            );
            None
        }
        (false, None) => {
            reader.wrong(place, "", format!("found no place; expected {needed}, or the frames `a` and `b`"));
            None
        }
        _ => Some(frames),
    }
}

/// A point of the world; complains where it is missing.
fn at(point: Option<[Length; 3]>, place: &Place, reader: &mut Reader) -> Option<Vec3> {
    let Some(point) = point else {
        reader.wrong(place, "", "missing key `point`");
        return None;
    };
    triple(place, "point", point.map(|x| x.0), reader).map(Vec3::from)
}

impl Located<'_> {
    fn joint_frames(&self, bodies: [BodyId; 2], frames: &Frames, reader: &mut Reader) -> Option<JointFrames> {
        let Self { point, axis, x_axis, given: both, place } = *self;
        if by_frames(both, &["point", "axis", "x_axis"], "`point` and `axis`", place, reader)? {
            return Some(JointFrames::each(bodies, given(both, place, reader)?, frames));
        }
        let point = at(point, place, reader);
        let Some(axis) = axis else {
            reader.wrong(place, "", "missing key `axis`");
            return None;
        };
        let turned = about(place, axis, x_axis, reader);
        Some(JointFrames::together(bodies, &Pose::new(point?, turned?), frames))
    }
}

impl FixedJointSpec {
    /// Without frames both meet at the origin of B, as the bodies stand.
    fn made(&self, bodies: [BodyId; 2], frames: &Frames, reader: &mut Reader) -> Made {
        let both = [self.a.as_ref(), self.b.as_ref()];
        let joint_frames = if both.iter().any(Option::is_some) {
            JointFrames::each(bodies, given(both, &self.place, reader)?, frames)
        } else {
            JointFrames::together(bodies, &frames.in_world(bodies[1], &Pose::identity()), frames)
        };
        Some((JointKind::Fixed, joint_frames))
    }
}

impl SphericalJointSpec {
    fn made(&self, bodies: [BodyId; 2], frames: &Frames, reader: &mut Reader) -> Made {
        let (both, place) = ([self.a.as_ref(), self.b.as_ref()], &self.place);
        let joint_frames = if by_frames(both, &["point"], "`point`", place, reader)? {
            JointFrames::each(bodies, given(both, place, reader)?, frames)
        } else {
            let point = at(self.point, place, reader)?;
            JointFrames::together(bodies, &Pose::new(point, UnitQuaternion::identity()), frames)
        };
        Some((JointKind::Spherical, joint_frames))
    }
}

impl UniversalJointSpec {
    fn made(&self, bodies: [BodyId; 2], frames: &Frames, reader: &mut Reader) -> Made {
        let (both, place) = ([self.a.as_ref(), self.b.as_ref()], &self.place);
        let joint_frames = if by_frames(both, &["point", "axes"], "`point` and `axes`", place, reader)? {
            JointFrames::each(bodies, given(both, place, reader)?, frames)
        } else {
            let point = at(self.point, place, reader);
            let Some(axes) = self.axes else {
                reader.wrong(place, "", "missing key `axes`");
                return None;
            };
            let turned = crossed(place, axes, reader);
            JointFrames::together(bodies, &Pose::new(point?, turned?), frames)
        };
        Some((JointKind::Universal, joint_frames))
    }
}

impl DistanceJointSpec {
    fn made(&self, bodies: [BodyId; 2], frames: &Frames, reader: &mut Reader) -> Made {
        let points = [0, 1].map(|k| {
            let point = self.points[k].map(|x| x.0);
            triple(&self.place, &format!("points[{k}]"), point, reader)
        });
        let given = self.length.map(|x| number(&self.place, "length", x.0, Range::Positive, reader));
        let [a, b] = points;
        let poses = [a?, b?].map(|[x, y, z]| Pose::from_position(x, y, z));
        let joint_frames = JointFrames::each(bodies, poses, frames);
        let length = match given {
            Some(length) => length?,
            None => {
                let length = joint_frames.apart.position.norm();
                if !(length > 0.0) {
                    let message =
                        "found points that coincide at the start; expected a `length`, or points apart";
                    reader.wrong(&self.place, "points", message);
                    return None;
                }
                length
            }
        };
        Some((JointKind::Distance { length }, joint_frames))
    }
}

impl PointOnSurfaceJointSpec {
    /// The frame on B does not matter; it is where the point is at the start.
    fn made(&self, bodies: [BodyId; 2], frames: &Frames, reader: &mut Reader) -> Made {
        let place = &self.place;
        let world = match (&self.a, self.point) {
            (Some(_), Some(_)) => {
                reader.wrong(place, "a", "found `a` beside `point`; expected one of them");
                return None;
            }
            (Some(frame), None) => frames.in_world(bodies[0], &frame.pose(reader)?),
            (None, point) => Pose::new(at(point, place, reader)?, UnitQuaternion::identity()),
        };
        let mut joint_frames = JointFrames::together(bodies, &world, frames);
        if let Some(frame) = &self.a {
            joint_frames.a.pose = frames.in_model(bodies[0], &frame.pose(reader)?);
        }
        Some((JointKind::PointOnSurface { part: self.part }, joint_frames))
    }
}
