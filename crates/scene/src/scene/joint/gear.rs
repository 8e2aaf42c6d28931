//! Gears: three bodies, and the frames from which the angles of both wheels are counted.

use super::super::frames::Frames;
use super::super::joint_frame::{JointFrames, along, differ, given};
use super::GearJointSpec;
use super::lower::{Made, by_frames};
use crate::read::{Range, Reader, number};
use rattleback_dynamics::BodyId;
use rattleback_dynamics::joint::{Gear, JointKind};
use rattleback_geom::Pose;

impl GearJointSpec {
    pub(super) fn made(&self, bodies: [BodyId; 2], frames: &Frames, reader: &mut Reader) -> Made {
        let place = &self.place;
        let ratio = number(place, "ratio", self.ratio, Range::NotZero, reader);
        let phase = number(place, "phase", self.phase.0, Range::Finite, reader);
        let carrier = frames.find(&self.carrier, reader)?;
        differ(&self.carrier, carrier, &bodies, reader)?;
        let both = [self.a.as_ref(), self.b.as_ref()];
        let (joint_frames, on_carrier) = if by_frames(both, &["axes"], "`axes`", place, reader)? {
            let wheels = given(both, place, reader);
            let Some([one, other]) = &self.carrier_frames else {
                reader.wrong(place, "", "missing key `carrier_frames`");
                return None;
            };
            let [one, other] = [one, other].map(|frame| frame.pose(reader));
            let on_carrier = [one?, other?].map(|pose| frames.in_model(carrier, &pose));
            (JointFrames::each(bodies, wheels?, frames), on_carrier)
        } else {
            if self.carrier_frames.is_some() {
                reader.wrong(
                    place,
                    "carrier_frames",
                    "found frames on the carrier beside `axes`; expected `a` and `b`",
                );
                return None;
            }
            self.at_axes(bodies, carrier, frames, reader)?
        };
        let gear = Gear { carrier, frames: on_carrier, ratio: ratio?, phase: phase? };
        Some((JointKind::Gear(gear), joint_frames))
    }

    /// Frames about the axes, which coincide with those on the carrier at the start; their origins, which do not
    /// matter, are those of the wheels.
    fn at_axes(
        &self,
        bodies: [BodyId; 2],
        carrier: BodyId,
        frames: &Frames,
        reader: &mut Reader,
    ) -> Option<(JointFrames, [Pose; 2])> {
        let axes = self.axes?;
        let turned = [0, 1].map(|k| along(&self.place, &format!("axes[{k}]"), axes[k], reader));
        let [one, other] = turned;
        let turned = [one?, other?];
        let world = [0, 1].map(|k| {
            let origin = frames.in_world(bodies[k], &Pose::identity()).position;
            Pose::new(origin, turned[k])
        });
        let joint_frames = JointFrames {
            a: JointFrames::together([bodies[0], carrier], &world[0], frames).a,
            b: JointFrames::together([bodies[1], carrier], &world[1], frames).a,
            apart: world[0].inverse().compose(&world[1]),
        };
        Some((joint_frames, world.map(|pose| frames.of_world(carrier, &pose))))
    }
}
