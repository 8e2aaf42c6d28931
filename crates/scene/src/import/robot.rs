//! A robot as both formats describe it: a tree of bodies, each moved against its parent by none, one or several joints
//! of one coordinate (or by a ball, a plane, or freely).
//!
//! The pose of a body in its parent, with the joints J₁ … Jₙ in the order in which they are passed from the parent on,
//! is P J₁(q₁ − q₁⁰) … Jₙ(qₙ − qₙ⁰): P the pose at the coordinates q⁰, in which the description is drawn, and each J a
//! turn about, or a slide along, an axis that is given in the body's own frame at q⁰.

use super::log::Spot;
use super::part_shape::PartShape;
use rattleback_geom::nalgebra::{Unit, UnitQuaternion};
use rattleback_geom::{Mat3, Pose, Vec3};

/// A robot.
#[derive(Debug, Clone)]
pub(super) struct Robot {
    pub(super) name: String,
    pub(super) gravity: Vec3,
    /// Parents before their children; the first is the root.
    pub(super) bodies: Vec<RobotBody>,
    pub(super) couplings: Vec<Coupling>,
    pub(super) closures: Vec<Closure>,
    /// Kinds of surface that parts refer to.
    pub(super) surfaces: Vec<SurfaceKind>,
    /// Pairs of bodies that never touch, with the reason.
    pub(super) excluded: Vec<([usize; 2], String)>,
    /// Whether what is joined to the root may touch it: the root is the world then, with its floors and walls.
    pub(super) world_touches: bool,
}

/// A body of the tree.
#[derive(Debug, Clone)]
pub(super) struct RobotBody {
    pub(super) name: String,
    pub(super) spot: Spot,
    /// None for the root, which stands in the world.
    pub(super) parent: Option<usize>,
    /// P above.
    pub(super) pose: Pose,
    pub(super) joints: Vec<RobotJoint>,
    pub(super) inertial: Option<Inertial>,
    pub(super) parts: Vec<RobotPart>,
    pub(super) colour: Option<[u8; 3]>,
    /// Names of what is fixed to it and has become part of it.
    pub(super) merged: Vec<String>,
    /// What is to be said of it beside.
    pub(super) remarks: Vec<String>,
}

/// Mass, centre in the body's frame, inertia about the centre in the body's axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Inertial {
    pub(super) mass: f64,
    pub(super) centre: Vec3,
    pub(super) inertia: Mat3,
}

/// A shape of a body, in the body's frame.
#[derive(Debug, Clone)]
pub(super) struct RobotPart {
    pub(super) shape: PartShape,
    pub(super) pose: Pose,
    /// The kind of its surface; none where nothing touches it.
    pub(super) surface: Option<usize>,
}

/// A kind of surface: what it may touch, and how rough it is.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SurfaceKind {
    pub(super) name: String,
    /// Two kinds touch where one's `kind` and the other's `touches` have a bit in common.
    pub(super) kind: u32,
    pub(super) touches: u32,
    pub(super) friction: f64,
}

/// What a joint allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Freedom {
    Hinge,
    Slide,
    Ball,
    /// Two slides and the turn about the axis.
    Plane,
    Free,
}

/// A joint between a body and its parent.
#[derive(Debug, Clone)]
pub(super) struct RobotJoint {
    pub(super) name: String,
    pub(super) spot: Spot,
    pub(super) freedom: Freedom,
    /// In the body's frame at q⁰.
    pub(super) point: Vec3,
    /// Of length one, in the body's frame at q⁰.
    pub(super) axis: Vec3,
    /// q⁰.
    pub(super) zero: f64,
    /// The coordinate at the start.
    pub(super) value: f64,
    pub(super) range: Option<[f64; 2]>,
    pub(super) damping: f64,
    pub(super) friction: f64,
    /// Stiffness, and the coordinate at rest.
    pub(super) spring: Option<[f64; 2]>,
    pub(super) armature: f64,
    /// What its drive can exert, and how fast it can be, as far as the description says.
    pub(super) greatest_effort: Option<f64>,
    pub(super) greatest_rate: Option<f64>,
    pub(super) drives: Vec<Drive>,
}

/// What drives a joint.
#[derive(Debug, Clone)]
pub(super) struct Drive {
    pub(super) name: String,
    pub(super) spot: Spot,
    pub(super) kind: DriveKind,
    /// The greatest torque or force.
    pub(super) limit: Option<f64>,
}

/// How a drive acts, with its signals at zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum DriveKind {
    /// A torque or force.
    Effort(f64),
    /// stiffness (target − q) − damping q̇.
    Position { stiffness: f64, damping: f64, target: f64 },
    /// damping (rate − q̇).
    Velocity { damping: f64, rate: f64 },
}

/// q of one joint = factor · q of another + offset; joints by body and place in its list.
#[derive(Debug, Clone)]
pub(super) struct Coupling {
    pub(super) name: String,
    pub(super) spot: Spot,
    pub(super) driven: (usize, usize),
    pub(super) by: (usize, usize),
    pub(super) factor: f64,
    pub(super) offset: f64,
}

/// Two bodies held together beside the tree.
#[derive(Debug, Clone)]
pub(super) struct Closure {
    pub(super) name: String,
    pub(super) bodies: [usize; 2],
    /// A point of the first body about which the other may turn; none where they are held as they stand.
    pub(super) point: Option<Vec3>,
}

impl RobotJoint {
    /// A joint on which nothing acts.
    pub(super) fn new(name: String, spot: Spot, freedom: Freedom) -> Self {
        Self {
            name,
            spot,
            freedom,
            point: Vec3::zeros(),
            axis: Vec3::z(),
            zero: 0.0,
            value: 0.0,
            range: None,
            damping: 0.0,
            friction: 0.0,
            spring: None,
            armature: 0.0,
            greatest_effort: None,
            greatest_rate: None,
            drives: Vec::new(),
        }
    }

    /// Whether it has one coordinate.
    pub(super) fn is_single(&self) -> bool {
        matches!(self.freedom, Freedom::Hinge | Freedom::Slide)
    }

    /// J(q − q⁰) for a coordinate q.
    pub(super) fn motion(&self, value: f64) -> Pose {
        let by = value - self.zero;
        match self.freedom {
            Freedom::Hinge => {
                let turn = UnitQuaternion::from_axis_angle(&Unit::new_unchecked(self.axis), by);
                Pose::new(self.point - turn * self.point, turn)
            }
            Freedom::Slide => Pose::new(self.axis * by, UnitQuaternion::identity()),
            Freedom::Ball | Freedom::Plane | Freedom::Free => Pose::identity(),
        }
    }

    /// The same joint in the frame of a body that is at `inner` in this one's body.
    pub(super) fn seen_from(mut self, inner: &Pose) -> Self {
        self.point = inner.point_to_local(&self.point);
        self.axis = inner.vector_to_local(&self.axis);
        self
    }

    /// Whether something depends on its coordinate.
    pub(super) fn is_acted_on(&self) -> bool {
        self.range.is_some()
            || self.damping != 0.0
            || self.friction != 0.0
            || self.spring.is_some()
            || !self.drives.is_empty()
    }
}

impl RobotBody {
    /// Its pose in its parent at the start.
    pub(super) fn start(&self) -> Pose {
        self.joints.iter().fold(self.pose, |pose, joint| pose.compose(&joint.motion(joint.value)))
    }
}

impl Robot {
    /// The poses of all bodies in the world at the start.
    pub(super) fn start(&self) -> Vec<Pose> {
        let mut poses: Vec<Pose> = Vec::with_capacity(self.bodies.len());
        for body in &self.bodies {
            let parent = body.parent.map_or_else(Pose::identity, |parent| poses[parent]);
            poses.push(parent.compose(&body.start()));
        }
        poses
    }

    /// Whether two kinds of surface touch.
    pub(super) fn touch(&self, a: usize, b: usize) -> bool {
        let (a, b) = (&self.surfaces[a], &self.surfaces[b]);
        a.kind & b.touches != 0 || b.kind & a.touches != 0
    }
}

impl Inertial {
    /// The same, in the frame in which its body is at `pose`.
    pub(super) fn moved(&self, pose: &Pose) -> Self {
        let r = pose.rotation();
        Self {
            mass: self.mass,
            centre: pose.point_to_world(&self.centre),
            inertia: r * self.inertia * r.transpose(),
        }
    }

    /// Both together: I = Σ Iₖ + mₖ (dₖ·dₖ 1 − dₖ dₖᵀ), dₖ from the common centre.
    pub(super) fn plus(&self, other: &Self) -> Self {
        let mass = self.mass + other.mass;
        if !(mass > 0.0) {
            return Self { mass, ..*self };
        }
        let centre = (self.centre * self.mass + other.centre * other.mass) / mass;
        let about = |one: &Self| one.inertia + one.mass * steiner(&(one.centre - centre));
        Self { mass, centre, inertia: about(self) + about(other) }
    }
}

/// d·d 1 − d dᵀ, the inertia of a unit mass at d.
pub(super) fn steiner(d: &Vec3) -> Mat3 {
    Mat3::identity() * d.norm_squared() - d * d.transpose()
}
