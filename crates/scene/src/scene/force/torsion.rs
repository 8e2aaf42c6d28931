//! Torsion springs about a common axis of two bodies. A joint has to hold the axes together.

use super::super::frames::Frames;
use super::super::joint_frame::{FrameSpec, JointFrames, about, given, two};
use crate::read::{Angle, At, Range, Reader, TurningDamping, TurningStiffness, entry, number};
use rattleback_dynamics::force::TorsionSpring;
use rattleback_geom::{Pose, Vec3};

entry! {
    /// A spring and a damper about a common axis of two bodies. Turns are not counted: half a turn from rest the torque
    /// jumps.
    pub struct TorsionForceSpec {
        /// The names of the bodies, A and B.
        bodies: [At<String>; 2],
        /// The axis in the world, at the start; the angle of B against A is zero there.
        axis: Option<[f64; 3]>,
        /// A frame on A, in the body's own frame, z along the axis; in place of `axis`, with `b`. Its position does not
        /// matter.
        a: Option<FrameSpec>,
        /// A frame on B, in the body's own frame, z along the axis. Its position does not matter.
        b: Option<FrameSpec>,
        /// The angle of B against A at rest; that at the start by default.
        angle: Option<Angle>,
        /// Torque per angle.
        stiffness: TurningStiffness,
        /// Torque per angular velocity.
        damping: TurningDamping = TurningDamping(0.0),
    }
}

impl TorsionForceSpec {
    pub(super) fn lower(&self, frames: &Frames, reader: &mut Reader) -> Option<TorsionSpring> {
        let place = &self.place;
        let rest = self.angle.map(|x| number(place, "angle", x.0, Range::Finite, reader));
        let stiffness = number(place, "stiffness", self.stiffness.0, Range::NotNegative, reader);
        let damping = number(place, "damping", self.damping.0, Range::NotNegative, reader);
        let joint_frames = self.joint_frames(frames, reader)?;
        let [w, _, _, z] = joint_frames.apart.wxyz();
        let angle = rest.unwrap_or_else(|| Some(2.0 * z.atan2(w)))?;
        Some(TorsionSpring {
            a: joint_frames.a,
            b: joint_frames.b,
            angle,
            stiffness: stiffness?,
            damping: damping?,
        })
    }

    fn joint_frames(&self, frames: &Frames, reader: &mut Reader) -> Option<JointFrames> {
        let both = [self.a.as_ref(), self.b.as_ref()];
        let framed = both.iter().any(Option::is_some);
        match (self.axis, framed) {
            (Some(axis), false) => {
                let turned = about(&self.place, axis, None, reader);
                let bodies = two(&self.bodies, frames, reader)?;
                Some(JointFrames::together(bodies, &Pose::new(Vec3::zeros(), turned?), frames))
            }
            (None, true) => {
                let poses = given(both, &self.place, reader);
                let bodies = two(&self.bodies, frames, reader)?;
                Some(JointFrames::each(bodies, poses?, frames))
            }
            (axis, _) => {
                let found = if axis.is_some() { "both" } else { "neither" };
                let message = format!("found {found}; expected `axis`, or the frames `a` and `b`");
                reader.wrong(&self.place, "axis", message);
                None
            }
        }
    }
}
