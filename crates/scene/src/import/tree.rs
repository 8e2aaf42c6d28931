//! From the tree that a description draws to one whose every body moves and has mass.
//!
//! 1. What is fixed to a body becomes part of it: masses, centres and inertias are combined.
//! 2. A body that moves without mass has no motion of its own. Where it carries one body, both joints are that body's;
//!    where it carries none, its joint is taken as fixed.
//! 3. Inertias that no body has are set right, and told.
//! 4. Joints begin within their limits, those that follow others where these say.
//! 5. The inertia of a rotor counts against the joint's rate alone: ½ a q̇². On a hinge whose other side stands still
//!    that is a turning body's; elsewhere it is none that a body could have, and is told.

use super::log::Log;
use super::robot::{Freedom, Inertial, Robot, RobotBody};
use rattleback_geom::nalgebra::SymmetricEigen;
use rattleback_geom::{Mat3, Pose, Vec3};

/// Where bodies went: by their first numbers, the body that has them and their pose in it.
struct Moved {
    bodies: Vec<Option<RobotBody>>,
    to: Vec<(usize, Pose)>,
    /// How many joints stand before a body's own; none where they are gone.
    joints_before: Vec<Option<usize>>,
}

/// Sets a robot right.
pub(super) fn settle(robot: Robot, log: &mut Log) -> Robot {
    let mut robot = without_massless(without_fixed(robot), log);
    for body in robot.bodies.iter_mut().filter(|body| !body.joints.is_empty()) {
        set_right_inertia(body, log);
    }
    begin_within_limits(&mut robot, log);
    add_rotors(&mut robot, log);
    robot
}

impl Moved {
    fn new(bodies: Vec<RobotBody>) -> Self {
        let to = (0..bodies.len()).map(|k| (k, Pose::identity())).collect();
        Self {
            joints_before: vec![Some(0); bodies.len()],
            bodies: bodies.into_iter().map(Some).collect(),
            to,
        }
    }

    /// Makes a body part of another.
    fn merge(&mut self, k: usize, holder: usize, pose: &Pose) {
        let Some(body) = self.bodies[k].take() else { return };
        for (to, at) in &mut self.to {
            if *to == k {
                (*to, *at) = (holder, pose.compose(at));
            }
        }
        self.joints_before[k] = None;
        for child in self.bodies.iter_mut().flatten().filter(|child| child.parent == Some(k)) {
            (child.parent, child.pose) = (Some(holder), pose.compose(&child.pose));
        }
        let Some(whole) = &mut self.bodies[holder] else { return };
        let added = body.inertial.map(|inertial| inertial.moved(pose));
        whole.inertial = match (whole.inertial, added) {
            (Some(one), Some(other)) => Some(one.plus(&other)),
            (one, other) => one.or(other),
        };
        whole.colour = whole.colour.or(body.colour);
        whole.parts.extend(body.parts.into_iter().map(|mut part| {
            part.pose = pose.compose(&part.pose);
            part
        }));
        // Merged from the last on: the order is that of the source.
        whole.merged.splice(0..0, std::iter::once(body.name).chain(body.merged));
    }

    /// The robot of what is left, everything that refers to bodies with it.
    fn finish(self, robot: Robot) -> Robot {
        let mut number = vec![0; self.bodies.len()];
        for (new, old) in (0..self.bodies.len()).filter(|k| self.bodies[*k].is_some()).enumerate() {
            number[old] = new;
        }
        let joint = |(body, joint): (usize, usize)| {
            Some((number[self.to[body].0], self.joints_before[body]? + joint))
        };
        let couplings = robot.couplings.into_iter().filter_map(|mut coupling| {
            (coupling.driven, coupling.by) = (joint(coupling.driven)?, joint(coupling.by)?);
            Some(coupling)
        });
        let closures = robot.closures.into_iter().map(|mut closure| {
            let (_, pose) = self.to[closure.bodies[0]];
            closure.point = closure.point.map(|point| pose.point_to_world(&point));
            closure.bodies = closure.bodies.map(|body| number[self.to[body].0]);
            closure
        });
        let (couplings, closures) = (couplings.collect(), closures.collect());
        let excluded = robot
            .excluded
            .into_iter()
            .map(|(pair, reason)| (pair.map(|body| number[self.to[body].0]), reason));
        let excluded = excluded.filter(|([a, b], _)| a != b).collect();
        let bodies = self.bodies.into_iter().flatten().map(|mut body| {
            body.parent = body.parent.map(|parent| number[parent]);
            body
        });
        Robot { bodies: bodies.collect(), couplings, closures, excluded, ..robot }
    }
}

fn without_fixed(mut robot: Robot) -> Robot {
    let mut moved = Moved::new(std::mem::take(&mut robot.bodies));
    // Children come after their parents: from the last on, whole branches are merged.
    for k in (0..moved.bodies.len()).rev() {
        let Some(body) = &moved.bodies[k] else { continue };
        if let (Some(parent), true) = (body.parent, body.joints.is_empty()) {
            let pose = body.pose;
            moved.merge(k, parent, &pose);
        }
    }
    moved.finish(robot)
}

fn without_massless(mut robot: Robot, log: &mut Log) -> Robot {
    let mut moved = Moved::new(std::mem::take(&mut robot.bodies));
    for k in (0..moved.bodies.len()).rev() {
        let Some(body) = &moved.bodies[k] else { continue };
        if body.joints.is_empty() || body.inertial.is_some_and(|inertial| inertial.mass > 0.0) {
            continue;
        }
        let (name, spot, pose, parent) = (body.name.clone(), body.spot.clone(), body.pose, body.parent);
        let carried: Vec<usize> = (0..moved.bodies.len())
            .filter(|c| moved.bodies[*c].as_ref().is_some_and(|body| body.parent == Some(k)))
            .collect();
        match (carried.as_slice(), parent) {
            ([], Some(parent)) => {
                log.lose(
                    &spot,
                    format!("body \"{name}\" has no mass and carries nothing: its joint is taken as fixed"),
                );
                moved.merge(k, parent, &pose);
            }
            ([child], _) if !body.joints.iter().any(|joint| joint.freedom == Freedom::Free) => {
                carry_on(&mut moved, k, *child, log);
            }
            _ => {
                let message = format!("body \"{name}\" moves and has no mass; expected a mass above zero");
                log.refuse(&spot, message);
            }
        }
    }
    moved.finish(robot)
}

/// Hands the joints of a body without mass to the one that it carries.
fn carry_on(moved: &mut Moved, k: usize, child: usize, log: &mut Log) {
    let (Some(body), Some(mut carried)) = (moved.bodies[k].take(), moved.bodies[child].take()) else {
        return;
    };
    if !body.parts.is_empty() {
        let message = format!(
            "the shapes of \"{}\", which has no mass and carries \"{}\", are left out",
            body.name, carried.name
        );
        log.lose(&body.spot, message);
    }
    moved.to[k] = (child, carried.pose.inverse());
    let before = body.joints.len();
    let mut joints: Vec<_> = body.joints.into_iter().map(|joint| joint.seen_from(&carried.pose)).collect();
    joints.append(&mut carried.joints);
    (carried.joints, carried.parent, carried.pose) = (joints, body.parent, body.pose.compose(&carried.pose));
    for (held, first) in moved.joints_before.iter_mut().enumerate() {
        if held != k && moved.to[held].0 == child {
            *first = first.map(|first| first + before);
        }
    }
    moved.bodies[child] = Some(carried);
}

/// The density in kg/m³ of the ball that a mass without inertia is taken for: that of water.
const BALL_DENSITY: f64 = 1000.0;

/// A radius of gyration in m below which a body is a point: moments that computations left of nothing.
const POINT: f64 = 1e-6;

/// Moments of a body are above zero and none is above the sum of the others.
fn set_right_inertia(body: &mut RobotBody, log: &mut Log) {
    let Some(Inertial { mass, inertia, .. }) = body.inertial else { return };
    let skew = 0.5 * (inertia + inertia.transpose());
    let SymmetricEigen { eigenvalues, eigenvectors } = SymmetricEigen::new(skew);
    let largest = eigenvalues.max();
    let mut set =
        |inertia: Mat3| body.inertial = body.inertial.map(|inertial| Inertial { inertia, ..inertial });
    if !(largest > mass * POINT * POINT) {
        let radius = (3.0 * mass / (4.0 * std::f64::consts::PI * BALL_DENSITY)).cbrt();
        let moment = 0.4 * mass * radius * radius;
        set(Mat3::from_diagonal_element(moment));
        let message = format!(
            "body \"{}\" has mass and no inertia; it is given that of a ball of water, {moment:.3e} kg m²",
            body.name
        );
        log.lose(&body.spot, message);
        return;
    }
    let mut order = [0, 1, 2];
    order.sort_by(|a, b| eigenvalues[*a].total_cmp(&eigenvalues[*b]));
    let [a, b, c] = order;
    // Rounded to six digits a plate's moments may fail by as much; they are set right without a word.
    let (rounded, margin) = (1e-5 * largest, 1e-9 * largest);
    let mut moments: Vec3 = eigenvalues;
    moments[a] = moments[a].max(margin);
    moments[b] = moments[b].max(margin);
    let lacking = moments[c] - moments[a] - moments[b];
    // The model takes a plate that rounding put just beyond.
    if lacking > 0.5 * margin {
        moments[a] += 0.5 * lacking;
        moments[b] += 0.5 * lacking;
    }
    if moments == eigenvalues {
        set(skew);
        return;
    }
    set(symmetric(eigenvectors * Mat3::from_diagonal(&moments) * eigenvectors.transpose()));
    if (moments - eigenvalues).amax() > rounded {
        let said = |m: Vec3| format!("{:.4e}, {:.4e}, {:.4e}", m[a], m[b], m[c]);
        let message = format!(
            "no body has the principal moments {} kg m² of \"{}\": taken as {}",
            said(eigenvalues),
            body.name,
            said(moments)
        );
        log.lose(&body.spot, message);
    }
}

/// The symmetric part, so that rounding leaves no other.
fn symmetric(m: Mat3) -> Mat3 {
    0.5 * (m + m.transpose())
}

fn begin_within_limits(robot: &mut Robot, log: &mut Log) {
    for body in &mut robot.bodies {
        for joint in &mut body.joints {
            let Some([lower, upper]) = joint.range.filter(|_| joint.is_single()) else { continue };
            let within = joint.value.clamp(lower, upper);
            if within != joint.value {
                let message = format!(
                    "joint \"{}\" would begin at {}, beyond its limits: begins at {within}",
                    joint.name, joint.value
                );
                log.lose(&joint.spot, message);
                joint.value = within;
            }
        }
    }
    // One may follow another that follows a third; chains longer than their number go in circles.
    for _ in 0..robot.couplings.len() {
        for coupling in &robot.couplings {
            let by = robot.bodies[coupling.by.0].joints[coupling.by.1].value;
            robot.bodies[coupling.driven.0].joints[coupling.driven.1].value =
                coupling.factor * by + coupling.offset;
        }
    }
}

fn add_rotors(robot: &mut Robot, log: &mut Log) {
    let stands: Vec<bool> =
        robot.bodies.iter().map(|body| body.parent.is_none() && body.joints.is_empty()).collect();
    for body in &mut robot.bodies {
        let on_ground = body.parent.is_some_and(|parent| stands[parent]) && body.joints.len() == 1;
        for joint in &mut body.joints {
            if joint.armature == 0.0 {
                continue;
            }
            if on_ground && joint.freedom == Freedom::Hinge {
                // The body turns about the axis alone: what is added about the others never counts.
                if let Some(inertial) = &mut body.inertial {
                    inertial.inertia += Mat3::from_diagonal_element(joint.armature);
                }
                body.remarks
                    .push(format!("inertia with {} of the rotor of joint {}", joint.armature, joint.name));
            } else {
                log.lose(
                    &joint.spot,
                    format!("joint \"{}\": the rotor's inertia {} is left out", joint.name, joint.armature),
                );
            }
        }
    }
}
