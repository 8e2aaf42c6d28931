//! Joints between two bodies, and what acts on them.
//!
//! Where a joint is: `point` (and `axis`) in the world as it is at the start, or the frames `a` and `b`, each in its
//! body's own frame; see `anchor.rs`. What acts on its coordinates: `action/mod.rs`.
//!
//! | type | where | own keys | coordinates |
//! |---|---|---|---|
//! | `fixed` | as the bodies stand, or `a`, `b` | | |
//! | `spherical` | `point` | | |
//! | `revolute` | `point`, `axis` | | turn |
//! | `universal` | `point`, `axes`: the first fixed in A, the second in B | | turn, second_turn |
//! | `cylindrical` | `point`, `axis` | | turn, slide |
//! | `prismatic` | `point`, `axis` | | slide |
//! | `planar` | `point`, `axis` across the plane | | |
//! | `distance` | `points`, each in its body's own frame | `length` | |
//! | `screw` | `point`, `axis` | `pitch` | turn, slide |
//! | `gear` | `axes` | `carrier`, `ratio`, `phase` | |
//! | `point_on_surface` | `point` of A, or `a` | `part` of B | |

mod gear;
mod lower;
#[cfg(test)]
mod mistakes;
#[cfg(test)]
mod tests;

use super::action::{
    Actions, JointBearingSpec, JointDamperSpec, JointEffortSpec, JointFrictionSpec, JointLimitsSpec,
    JointSpringSpec, MotorSpec, Several,
};
use super::joint_frame::FrameSpec;
use crate::read::{Angle, At, Length, choice, entry};
use lower::Located;

/// A joint's table: what every joint has, and its own keys.
macro_rules! joint {
    ($(#[doc = $doc:literal])+ $name:ident { $($own:tt)* }) => {
        entry! {
            $(#[doc = $doc])+
            pub struct $name {
                /// Its name, for results and messages.
                name: At<String>,
                /// The names of its bodies, A and B.
                bodies: [At<String>; 2],
                $($own)*
            }
        }
    };
}

/// A joint with a frame on each body: at a point, or by `a` and `b`.
macro_rules! framed {
    ($(#[doc = $doc:literal])+ $name:ident { $($own:tt)* }) => {
        joint! {
            $(#[doc = $doc])+
            $name {
                /// Where it is in the world, at the start.
                point: Option<[Length; 3]>,
                /// The frame on A, in the body's own frame, in place of a point; wants `b`.
                a: Option<FrameSpec>,
                /// The frame on B, in the body's own frame, in place of a point; wants `a`.
                b: Option<FrameSpec>,
                $($own)*
            }
        }
    };
}

/// A framed joint whose frames have z along an axis.
macro_rules! axial {
    ($(#[doc = $doc:literal])+ $name:ident { $($own:tt)* }) => {
        framed! {
            $(#[doc = $doc])+
            $name {
                /// Its axis in the world, at the start; wants `point`.
                axis: Option<[f64; 3]>,
                /// From where angles are counted, in the world at the start: its part across the axis.
                x_axis: Option<[f64; 3]>,
                $($own)*
            }
        }

        impl $name {
            fn located(&self) -> Located<'_> {
                Located {
                    point: self.point,
                    axis: self.axis,
                    x_axis: self.x_axis,
                    given: [self.a.as_ref(), self.b.as_ref()],
                    place: &self.place,
                }
            }
        }
    };
}

/// A joint on whose coordinates something may act.
macro_rules! acted {
    ($kind:ident $(#[doc = $doc:literal])+ $name:ident { $($own:tt)* }) => {
        $kind! {
            $(#[doc = $doc])+
            $name {
                $($own)*
                /// A motor, or a list of them.
                motor: Several<MotorSpec>,
                /// A spring, or a list of them.
                spring: Several<JointSpringSpec>,
                /// A damper, or a list of them.
                damper: Several<JointDamperSpec>,
                /// Friction, or a list for several coordinates.
                friction: Several<JointFrictionSpec>,
                /// Friction in its bearing, which grows with the force in the joint, or a list for several coordinates.
                bearing: Several<JointBearingSpec>,
                /// The ends of its range, or a list for several coordinates.
                limits: Several<JointLimitsSpec>,
                /// A constant torque or force, or a list of them.
                effort: Several<JointEffortSpec>,
            }
        }

        impl $name {
            fn actions(&self) -> Actions<'_> {
                Actions {
                    motor: &self.motor,
                    spring: &self.spring,
                    damper: &self.damper,
                    friction: &self.friction,
                    bearing: &self.bearing,
                    limits: &self.limits,
                    effort: &self.effort,
                }
            }
        }
    };
}

joint! {
    /// Keeps two bodies as they stand at the start, or brings two frames together.
    FixedJointSpec {
        /// The frame on A, in the body's own frame; wants `b`.
        a: Option<FrameSpec>,
        /// The frame on B, in the body's own frame; wants `a`.
        b: Option<FrameSpec>,
    }
}
framed! {
    /// A ball joint: turning about a common point.
    SphericalJointSpec {}
}
acted! {
    axial
    /// A hinge: turning about a common axis.
    RevoluteJointSpec {}
}
acted! {
    framed
    /// A cross: turning about an axis of A and an axis of B, which stay orthogonal.
    UniversalJointSpec {
        /// The axis fixed in A and the axis fixed in B, at a right angle, in the world at the start; wants `point`.
        axes: Option<[[f64; 3]; 2]>,
    }
}
acted! {
    axial
    /// Turning about and sliding along a common axis.
    CylindricalJointSpec {}
}
acted! {
    axial
    /// Sliding along a common axis.
    PrismaticJointSpec {}
}
axial! {
    /// Sliding in a plane of A and turning about its normal, the axis.
    PlanarJointSpec {}
}
joint! {
    /// A rod with two ball joints: keeps two points at a distance.
    DistanceJointSpec {
        /// The points of A and B, each in its body's own frame.
        points: [[Length; 3]; 2],
        /// The distance; that at the start by default.
        length: Option<Length>,
    }
}
acted! {
    axial
    /// Turning about a common axis and advancing along it.
    ScrewJointSpec {
        /// The advance per turn; negative for a left-handed screw.
        pitch: Length,
    }
}
joint! {
    /// Two wheels A and B that turn against a carrier in a fixed ratio. Each wheel needs its own joint on the carrier.
    GearJointSpec {
        /// The name of the body that carries both wheels.
        carrier: At<String>,
        /// The axes of A and B in the world, at the start; both angles are zero there.
        axes: Option<[[f64; 3]; 2]>,
        /// The frame on A, in the body's own frame, z along its axis; in place of `axes`, with `b` and
        /// `carrier_frames`.
        a: Option<FrameSpec>,
        /// The frame on B, in the body's own frame, z along its axis.
        b: Option<FrameSpec>,
        /// Frames on the carrier, in its own frame, from whose x axes the angles of A and B are counted.
        carrier_frames: Option<[FrameSpec; 2]>,
        /// Teeth of B over teeth of A; negative where one wheel runs inside the other.
        ratio: f64,
        /// The constant angle of A plus ratio times the angle of B.
        phase: Angle = Angle(0.0),
    }
}
joint! {
    /// A point of A moves on the surface of a part of B.
    PointOnSurfaceJointSpec {
        /// The point of A in the world, at the start.
        point: Option<[Length; 3]>,
        /// A frame on A, in the body's own frame, whose origin is the point; in place of `point`.
        a: Option<FrameSpec>,
        /// The number of the part of B, from zero.
        part: usize = 0,
    }
}

choice! {
    /// A joint by its type.
    pub enum JointSpec by "type" {
        "fixed" => Fixed(FixedJointSpec),
        "spherical" => Spherical(SphericalJointSpec),
        "revolute" => Revolute(RevoluteJointSpec),
        "universal" => Universal(UniversalJointSpec),
        "cylindrical" => Cylindrical(CylindricalJointSpec),
        "prismatic" => Prismatic(PrismaticJointSpec),
        "planar" => Planar(PlanarJointSpec),
        "distance" => Distance(DistanceJointSpec),
        "screw" => Screw(ScrewJointSpec),
        "gear" => Gear(GearJointSpec),
        "point_on_surface" => PointOnSurface(PointOnSurfaceJointSpec),
    }
}
