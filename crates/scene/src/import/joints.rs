//! From joints of one coordinate each to the joints of a scene.
//!
//! | joints of a body | the scene's joint |
//! |---|---|
//! | one hinge, slide, ball, plane | revolute, prismatic, spherical, planar |
//! | two hinges at a right angle whose axes meet | universal: the first axis is the parent's, the second the body's |
//! | a hinge and a slide along its axis | cylindrical |
//! | two slides and a hinge across both | planar, which has no coordinates to act on |
//! | three hinges whose axes meet | spherical, which has no coordinates to act on |
//! | three slides and three hinges or a ball; free | none |
//!
//! What else there is has no joint of its own. A carrier between two of the joints makes it two joints: it takes over a
//! small share of the body's mass, which makes the motion wrong by as much, and is asked for.

use super::log::Log;
use super::robot::{Freedom, Inertial, Robot, RobotBody, RobotJoint};
use rattleback_geom::nalgebra::{Rotation3, UnitQuaternion};
use rattleback_geom::{Mat3, Pose, Vec3};

/// The share of a body's mass and inertia that a carrier takes over: small enough not to be seen in four digits of the
/// motion, large enough for the equations.
const CARRIED: f64 = 1e-4;
/// How far axes may miss each other in m, and the cosine of a right angle: the six digits of most files.
const MISSED: f64 = 1e-6;
const SQUARE: f64 = 5e-6;

/// A joint as a scene has it.
#[derive(Debug, Clone)]
pub(super) struct Held {
    pub(super) kind: &'static str,
    /// In the body's frame at q⁰: z along the axis; x and y along those of a universal joint.
    pub(super) frame: Pose,
    /// The word of each joint's coordinate, where there are several; none where the joint has none.
    pub(super) coordinates: Vec<Option<&'static str>>,
}

/// How a body is held.
#[derive(Debug, Clone)]
pub(super) enum Holding {
    Fixed,
    Free,
    Joint(Held),
}

/// How the joints of a body hold it; none where no joint of a scene does it.
pub(super) fn holding(joints: &[RobotJoint]) -> Option<Holding> {
    let of = |freedom: Freedom| joints.iter().filter(move |joint| joint.freedom == freedom);
    let hinges: Vec<&RobotJoint> = of(Freedom::Hinge).collect();
    let slides: Vec<&RobotJoint> = of(Freedom::Slide).collect();
    let others = joints.len() - hinges.len() - slides.len();
    let joint = |kind, point: Vec3, orientation, coordinates| {
        Some(Holding::Joint(Held { kind, frame: Pose::new(point, orientation), coordinates }))
    };
    match (slides.as_slice(), hinges.as_slice(), others) {
        ([], [], 0) => Some(Holding::Fixed),
        ([], [hinge], 0) => joint("revolute", hinge.point, along(&hinge.axis), vec![Some("")]),
        ([slide], [], 0) => joint("prismatic", slide.point, along(&slide.axis), vec![Some("")]),
        ([], [one, other], 0) => {
            let point = meeting(one, other)?;
            let square = one.axis.dot(&other.axis).abs() < SQUARE;
            let turned = axes(&one.axis, &one.axis.cross(&other.axis).normalize());
            square.then_some(())?;
            joint("universal", point, turned, vec![Some("turn"), Some("second_turn")])
        }
        ([slide], [hinge], 0) => {
            (slide.axis.cross(&hinge.axis).norm() < SQUARE).then_some(())?;
            // The slide is counted along the hinge's axis.
            (slide.axis.dot(&hinge.axis) > 0.0).then_some(())?;
            let word =
                |joint: &RobotJoint| Some(if joint.freedom == Freedom::Hinge { "turn" } else { "slide" });
            joint("cylindrical", hinge.point, along(&hinge.axis), joints.iter().map(word).collect())
        }
        ([one, other], [hinge], 0) => {
            let across = |slide: &RobotJoint| slide.axis.dot(&hinge.axis).abs() < SQUARE;
            (across(one) && across(other) && one.axis.cross(&other.axis).norm() > 0.01).then_some(())?;
            joint("planar", hinge.point, along(&hinge.axis), vec![None; 3])
        }
        ([], [a, b, c], 0) => {
            let point = meeting(a, b)?;
            let missed = (point - c.point).cross(&c.axis).norm();
            let independent = a.axis.cross(&b.axis).dot(&c.axis).abs() > 0.01;
            (missed < MISSED && independent).then_some(())?;
            joint("spherical", point, UnitQuaternion::identity(), vec![None; 3])
        }
        ([a, b, c], [d, e, f], 0) => {
            let independent = |a: &RobotJoint, b: &RobotJoint, c: &RobotJoint| {
                a.axis.cross(&b.axis).dot(&c.axis).abs() > 0.01
            };
            (independent(a, b, c) && independent(d, e, f)).then_some(Holding::Free)
        }
        ([a, b, c], [], 1) => {
            let independent = a.axis.cross(&b.axis).dot(&c.axis).abs() > 0.01;
            (independent && of(Freedom::Ball).count() == 1).then_some(Holding::Free)
        }
        ([], [], 1) => match joints[0].freedom {
            Freedom::Free => Some(Holding::Free),
            Freedom::Ball => joint("spherical", joints[0].point, UnitQuaternion::identity(), vec![None]),
            _ => joint("planar", joints[0].point, along(&joints[0].axis), vec![None]),
        },
        _ => None,
    }
}

/// Where the axes of two hinges meet, if they do.
fn meeting(one: &RobotJoint, other: &RobotJoint) -> Option<Vec3> {
    // The common normal n = a × b; the axes are |d·n|/|n| apart.
    let (d, n) = (other.point - one.point, one.axis.cross(&other.axis));
    let square = n.norm_squared();
    if square < 1e-6 || d.dot(&n).abs() > MISSED * square.sqrt() {
        return None;
    }
    Some(one.point + one.axis * (d.cross(&other.axis).dot(&n) / square))
}

/// Axes with z given.
fn along(z: &Vec3) -> UnitQuaternion<f64> {
    let other = if z.x.abs() < 0.7 { Vec3::x() } else { Vec3::y() };
    axes(&other.cross(z).normalize(), z)
}

/// Axes with x and z given.
fn axes(x: &Vec3, z: &Vec3) -> UnitQuaternion<f64> {
    let matrix = Mat3::from_columns(&[*x, z.cross(x), *z]);
    UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(matrix))
}

/// Whether all that acts on joints of a body finds its coordinate.
fn keeps_all(joints: &[RobotJoint]) -> bool {
    match holding(joints) {
        Some(Holding::Joint(held)) => held
            .coordinates
            .iter()
            .zip(joints)
            .all(|(coordinate, joint)| coordinate.is_some() || !joint.is_acted_on()),
        Some(Holding::Free) => !joints.iter().any(RobotJoint::is_acted_on),
        Some(Holding::Fixed) => true,
        None => false,
    }
}

/// Puts carriers between joints that no joint of a scene is for; complains of them where none are asked for.
pub(super) fn carry(robot: &mut Robot, carriers: bool, log: &mut Log) {
    if !carriers {
        for body in robot.bodies.iter().filter(|body| holding(&body.joints).is_none()) {
            let names: Vec<String> = body.joints.iter().map(|joint| format!("\"{}\"", joint.name)).collect();
            let message =
                format!("a scene has no joint for {} of body \"{}\" together", names.join(", "), body.name);
            log.refuse_with_help(
                &body.spot,
                message,
                "--carriers puts bodies of a ten-thousandth of its mass between them",
            );
        }
        return;
    }
    let mut k = 0;
    while k < robot.bodies.len() {
        let joints = &robot.bodies[k].joints;
        let taken = (1..=joints.len()).rev().find(|n| keeps_all(&joints[..*n]));
        match taken {
            Some(n) if n < joints.len() => insert_carrier(robot, k, n, log),
            _ => {}
        }
        k += 1;
    }
}

/// Puts a carrier above body `k` that has its first `n` joints; the body follows it in the list.
fn insert_carrier(robot: &mut Robot, k: usize, n: usize, log: &mut Log) {
    let body = &mut robot.bodies[k];
    let Some(whole) = body.inertial else { return };
    let share =
        |part: f64| Some(Inertial { mass: part * whole.mass, inertia: part * whole.inertia, ..whole });
    let rest = body.joints.split_off(n);
    let carrier = RobotBody {
        name: format!("{} carrier {}", body.name, rest.len()),
        spot: body.spot.clone(),
        parent: body.parent,
        pose: body.pose,
        joints: std::mem::replace(&mut body.joints, rest),
        inertial: share(CARRIED),
        parts: Vec::new(),
        colour: None,
        merged: Vec::new(),
        remarks: Vec::new(),
    };
    (body.parent, body.pose, body.inertial) = (Some(k), Pose::identity(), share(1.0 - CARRIED));
    let message = format!(
        "body \"{}\" has \"{}\", of {CARRIED} of its mass, between its joints",
        body.name, carrier.name
    );
    log.lose(&carrier.spot, message);
    let after = |body: usize| if body >= k { body + 1 } else { body };
    // Joints before the n-th are the carrier's.
    let joint = |(body, joint): (usize, usize)| match body == k {
        true if joint < n => (k, joint),
        true => (k + 1, joint - n),
        false => (after(body), joint),
    };
    for (other, body) in robot.bodies.iter_mut().enumerate() {
        if other != k {
            body.parent = body.parent.map(after);
        }
    }
    for coupling in &mut robot.couplings {
        (coupling.driven, coupling.by) = (joint(coupling.driven), joint(coupling.by));
    }
    for closure in &mut robot.closures {
        closure.bodies = closure.bodies.map(after);
    }
    for (pair, _) in &mut robot.excluded {
        *pair = pair.map(after);
    }
    robot.bodies.insert(k, carrier);
}
