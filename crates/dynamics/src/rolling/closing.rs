//! Rigid contacts that close loops of the tree, or join two trees: what they make of the vector and of the
//! accelerations.
//!
//! Their bodies are placed by the tree; their coordinates follow. With p_A, p_B the points at places on both surfaces,
//! n_A, n_B the outer normals there, d = p_A − p_B and m = n_A + n_B in the axes x, y of A's frame, Newton's steps to
//! the places with a common normal are those of `kinematics.rs` for a slip d and a turn J ω = −m,
//!
//!   (K_A + K̃_B) a = −m − K̃_B d,   b = a + d
//!
//! and the gap is g = n_A·(p_B − p_A). An approach w_z along n_A closes it: bodies are moved against each other by
//! w_z = g with the least Σ δ·I δ over all bodies (multipliers with displacements in the place of accelerations,
//! nothing held in the tree), until all gaps are rounding. Then the velocities lose what contacts hold, in the same
//! norm, which is the kinetic energy of the difference. So every vector stands for the one that closes all loops next
//! to it, P(y), and y′ = f(P(y)) is integrated: the order of the integrator is kept, gaps do not drift, and what lies
//! between the ends of steps has closed gaps as well. Before the next segment y is P(y).

use super::assembly::{Assembly, ContactKinematics};
use super::kinematics::{ContactFrames, Velocities, velocities};
use super::loop_slip::Jump;
use super::modes::shared_lever;
use super::multipliers::{Closed, ClosingJoint, SOLVED, solve_closed};
use super::rigid_contact::{Mode, RigidContact};
use super::tree::{ArticulatedBody, Attachment, Vec6, join, split};
use crate::error::{DynamicsError, Result};
use crate::flight::{self, BODY};
use crate::model::BodyId;
use crate::state::State;
use rattleback_geom::nalgebra::{SVector, UnitQuaternion};
use rattleback_geom::{Pose, Vec3};

/// Newton's steps to a common normal at most: more than lead there from a start as far off as bodies are moved
/// together.
const MAX_STEPS: usize = 40;
/// Rounds of closing gaps at most; they converge as Newton's method does.
const MAX_ROUNDS: usize = 20;
/// A step that is a smaller share than this of the bodies' size ends the way: a few roundings.
const EXACT: f64 = 8.0 * f64::EPSILON;
/// From here on a step that is not half as long as the one before it is rounding.
const SMALL: f64 = 1e-9;
/// The share of the bodies' size that a gap may keep: many roundings, as of bodies far from the origin.
const CLOSED: f64 = 1e-13;

/// What a mode holds at zero, or the velocities (v_x, v_y, ω_z) to which a contact jumps: which ones, and at what.
fn held(mode: Mode, to: Option<Vec3>) -> Vec<(usize, f64)> {
    match to {
        None => (0..5).filter(|&k| mode.held()[k]).map(|k| (k, 0.0)).collect(),
        Some(to) if mode == Mode::Spinless => vec![(2, to.z), (3, to.x), (4, to.y)],
        Some(to) => vec![(3, to.x), (4, to.y)],
    }
}

impl Assembly<'_> {
    /// Closes the gaps of the contacts that close loops and takes what they hold from the velocities.
    pub(super) fn close_loops(&mut self) -> Result<()> {
        self.close_gaps()?;
        self.hold_velocities()
    }

    fn close_gaps(&mut self) -> Result<()> {
        let mut last = f64::INFINITY;
        for round in 0..=MAX_ROUNDS {
            let (mut gaps, mut worst) = (Vec::new(), 0.0f64);
            for number in self.layout.closing() {
                let (gap, size) = self.find_points(number)?;
                worst = worst.max(gap.abs() / size);
                gaps.push(gap);
            }
            if worst <= EXACT || (worst < CLOSED && worst >= 0.5 * last) {
                return Ok(());
            }
            if round == MAX_ROUNDS || !(worst < 4.0 * last) {
                break;
            }
            last = worst;
            let mut nodes = self.ideal_nodes();
            let joint = |(number, gap): (usize, &f64)| {
                let held = [false, false, false, false, false, true];
                ClosingJoint { held, wanted: [0.0, 0.0, 0.0, 0.0, 0.0, *gap], ..self.ideal_joint(number) }
            };
            let joints: Vec<ClosingJoint> = self.layout.closing().zip(&gaps).map(joint).collect();
            if solve_closed(&mut nodes, &self.layout.order, &joints).is_none() {
                break;
            }
            self.displace(&nodes);
            self.place_tree()?;
        }
        let (what, reason) = ("rigid contacts".to_owned(), "their loops do not close".to_owned());
        Err(DynamicsError::Invalid { what, reason })
    }

    fn hold_velocities(&mut self) -> Result<()> {
        self.jump(&[]).map(|_| ())
    }

    /// Stops what contacts hold and lets some of them jump to velocities that they do not hold; the share of this that
    /// cannot be had.
    pub(super) fn jump(&mut self, jumps: &[Jump]) -> Result<f64> {
        for number in self.layout.closing() {
            self.take_velocities(number);
        }
        let to = |number: usize| jumps.iter().find(|jump| jump.0 == number).map(|jump| jump.1);
        let mut nodes = self.ideal_nodes();
        for (body, node) in nodes.iter_mut().enumerate() {
            self.stop(body, to(body), &mut node.hold);
        }
        let joints: Vec<ClosingJoint> =
            self.layout.closing().map(|number| self.stopped(number, to(number))).collect();
        let Some(Closed { unmet, .. }) = solve_closed(&mut nodes, &self.layout.order, &joints) else {
            let (what, reason) = ("rigid contacts".to_owned(), "their velocities have no answer".to_owned());
            return Err(DynamicsError::Invalid { what, reason });
        };
        self.add_jumps(&nodes, to);
        self.place_tree()?;
        for number in self.layout.closing() {
            self.take_velocities(number);
            let (Some(contact), Some(touching)) =
                (&self.layout.rigid_contacts[number], &mut self.touching[number])
            else {
                continue;
            };
            for k in (0..5).filter(|&k| contact.mode.held()[k] && to(number).is_none()) {
                touching.velocities[k] = 0.0;
            }
            touching.point_rates = touching.contact_frames.point_rates(&touching.velocities);
        }
        Ok(unmet)
    }

    /// Adds the jumps of all velocities to the vector.
    fn add_jumps(&mut self, nodes: &[ArticulatedBody], to: impl Fn(usize) -> Option<Vec3>) {
        for (body, node) in nodes.iter().enumerate() {
            let Some(at) = self.layout.at[body] else { continue };
            if let Some(contact) = &self.layout.rigid_contacts[body] {
                let w = &mut self.y[at + 5..at + 10];
                w.iter_mut().zip(node.rates.iter()).for_each(|(w, jump)| *w += jump);
                for (k, wanted) in held(contact.mode, to(body)) {
                    w[k] = wanted;
                }
            } else {
                let (angular, linear) = split(&node.acceleration);
                let y = &mut self.y[at..at + BODY];
                let mut motion = flight::unpack(y);
                motion.velocity += linear;
                motion.angular_velocity_body += motion.pose.vector_to_local(&angular);
                flight::pack(&motion, y);
            }
        }
    }

    /// Makes a contact of the tree one whose velocities are what it holds, or jump.
    fn stop(&self, body: usize, to: Option<Vec3>, hold: &mut Attachment) {
        let (Attachment::Contact(joint), Some(contact), Some(touching)) =
            (hold, &self.layout.rigid_contacts[body], &self.touching[body])
        else {
            return;
        };
        for (k, wanted) in held(contact.mode, to) {
            joint.drift += joint.directions.column(k) * (wanted - touching.velocities[k]);
            joint.directions.column_mut(k).fill(0.0);
            joint.held[k] = true;
        }
        joint.tests = joint.directions;
    }

    /// Moves all bodies by displacements.
    fn displace(&mut self, nodes: &[ArticulatedBody]) {
        for (body, node) in nodes.iter().enumerate() {
            let Some(at) = self.layout.at[body] else { continue };
            if let (Some(_), Some(touching)) = (&self.layout.rigid_contacts[body], &self.touching[body]) {
                let point_rates = touching.contact_frames.point_rates(&node.rates);
                let [own, other] = &point_rates.rates;
                let moved = [own.x, own.y, other.x, other.y, point_rates.angle_rate];
                self.y[at..at + 5].iter_mut().zip(moved).for_each(|(q, moved)| *q += moved);
            } else {
                let (angular, linear) = split(&node.acceleration);
                let y = &mut self.y[at..at + BODY];
                let mut motion = flight::unpack(y);
                let turn = UnitQuaternion::from_scaled_axis(angular);
                motion.pose = Pose::new(motion.pose.position + linear, turn * motion.pose.orientation);
                flight::pack(&motion, y);
            }
        }
    }

    /// Finds the places of a closing contact between its bodies as they are placed; the gap and the bodies' size.
    fn find_points(&mut self, number: usize) -> Result<(f64, f64)> {
        let owner = self.layout.owner(number);
        let (Some(mut contact), Some(at)) =
            (self.layout.rigid_contact(&self.y, number), self.layout.at[number])
        else {
            unreachable!("a closing contact has places")
        };
        let parts = contact.parts(owner);
        let poses = parts.map(|part| self.motions[part.body.0].pose);
        let mut last = f64::INFINITY;
        for _ in 0..MAX_STEPS {
            let frames =
                [self.frame(parts[0], &contact.places[0])?, self.frame(parts[1], &contact.places[1])?];
            let points = [0, 1].map(|side| poses[side].point_to_world(&frames[side].point));
            let [axes, other] = [0, 1].map(|side: usize| poses[side].rotation() * frames[side].axes);
            let contact_frames = ContactFrames { frames, angle: ContactFrames::angle_between(&axes, &other) };
            let offset = axes.tr_mul(&(points[0] - points[1]));
            let tilt = axes.tr_mul(&(axes.column(2) + other.column(2)));
            let step = contact_frames.point_rates(&Velocities::new(-tilt.y, tilt.x, 0.0, offset.x, offset.y));
            let length = step.over_a.norm() + step.over_b.norm();
            let size = points[0].norm().max((points[0] - poses[0].position).norm());
            if length <= EXACT * size || (length <= SMALL * size && length >= 0.5 * last) {
                let arms = [0, 1].map(|side| points[1] - poses[side].position);
                self.touching[number] = Some(ContactKinematics {
                    contact_frames,
                    axes,
                    point: points[1],
                    arms,
                    point_rates: step,
                    velocities: Velocities::zeros(),
                    wrench: [Vec3::zeros(); 2],
                });
                return Ok((-offset.z, size));
            }
            last = length;
            for (side, rates) in step.rates.iter().enumerate() {
                contact.places[side].u += rates.x;
                contact.places[side].v += rates.y;
                self.y[at + 2 * side] = contact.places[side].u;
                self.y[at + 2 * side + 1] = contact.places[side].v;
            }
        }
        let what = format!("contact of body {}", self.model.body(owner).name);
        Err(DynamicsError::Invalid { what, reason: "its surfaces have no common normal nearby".to_owned() })
    }

    /// The velocities of a closing contact from its bodies' motions.
    fn take_velocities(&mut self, number: usize) {
        let Some(contact) = &self.layout.rigid_contacts[number] else { return };
        let twists = contact.parts(self.layout.owner(number)).map(|part| self.motions[part.body.0].twist());
        let Some(touching) = &mut self.touching[number] else { return };
        let slip = twists[0].at(&touching.arms[0]) - twists[1].at(&touching.arms[1]);
        let angular = twists[0].angular_velocity - twists[1].angular_velocity;
        touching.velocities = velocities(&touching.axes.tr_mul(&angular), &touching.axes.tr_mul(&slip));
    }

    /// w_z of a closing contact: how fast A's material comes towards B's.
    pub(super) fn approach(&self, number: usize) -> f64 {
        let (Some(contact), Some(touching)) = (&self.layout.rigid_contacts[number], &self.touching[number])
        else {
            return 0.0;
        };
        let twists = contact.parts(self.layout.owner(number)).map(|part| self.motions[part.body.0].twist());
        let slip = twists[0].at(&touching.arms[0]) - twists[1].at(&touching.arms[1]);
        touching.axes.column(2).dot(&slip)
    }

    /// The bodies as nodes of the tree that are displaced or jump: without friction, nothing held.
    fn ideal_nodes(&self) -> Vec<ArticulatedBody> {
        let mut nodes = self.resting_nodes();
        for (body, node) in nodes.iter_mut().enumerate() {
            let (Attachment::Contact(joint), Some(contact)) =
                (&mut node.hold, &self.layout.rigid_contacts[body])
            else {
                continue;
            };
            *joint = self.joint(body, &RigidContact { mode: Mode::Sliding, ..*contact });
            joint.drift = Vec6::zeros();
            joint.given = SVector::zeros();
            joint.tests = joint.directions;
        }
        nodes
    }

    /// A closing contact without friction whose velocities become what it holds, or jump.
    fn stopped(&self, number: usize, to: Option<Vec3>) -> ClosingJoint {
        let mut joint = self.ideal_joint(number);
        if let (Some(contact), Some(touching)) = (&self.layout.rigid_contacts[number], &self.touching[number])
        {
            for (k, wanted) in held(contact.mode, to) {
                joint.held[k] = true;
                joint.wanted[k] = wanted - touching.velocities[k];
            }
        }
        joint.wanted[5] = -self.approach(number);
        joint
    }

    /// Lets a contact slide, with the friction `push` per normal force as long as it has no slip: along x and y, and
    /// the torque about the normal.
    pub(super) fn release(&mut self, number: usize, push: Vec3) {
        if let Some(contact) = &mut self.layout.rigid_contacts[number] {
            contact.mode = Mode::Sliding;
            self.first_friction[number] = Some(push);
        }
    }

    /// The acceleration with which the surfaces of a closing contact approach each other while bodies move as in
    /// another assembly, and the sum of the terms that make it up.
    pub(super) fn approach_rate(&self, number: usize, other: &Self) -> [f64; 2] {
        let joint = self.closing_joint(number);
        let acceleration = |body: usize| other.nodes[body].acceleration;
        let terms = [0, 1].map(|side: usize| {
            let (direction, a) = (&joint.directions[side][5], acceleration(joint.bodies[side]));
            direction.iter().zip(a.iter()).map(|(x, y)| (x * y).abs()).sum::<f64>()
        });
        [joint.rate(5, acceleration), terms[0] + terms[1] + joint.drift[5].abs()]
    }

    /// The rates of (v_x, v_y, ω_z).
    pub(super) fn slip_rates(&self, number: usize) -> [f64; 3] {
        if number < self.nodes.len() {
            return [3, 4, 2].map(|k| self.nodes[number].rates[k]);
        }
        let joint = self.closing_joint(number);
        [3, 4, 2].map(|k| joint.rate(k, |body| self.nodes[body].acceleration))
    }

    /// The rate at which the slip of a contact grows, in m/s².
    pub(super) fn slip_growth(&self, number: usize) -> f64 {
        let Some(touching) = &self.touching[number] else { return 0.0 };
        let w = &touching.velocities;
        let lever = self.rigid_friction(number).map_or(0.0, shared_lever);
        let slip = touching.slip_with_spin(lever);
        if slip == 0.0 {
            return 0.0;
        }
        let [x, y, turn] = self.slip_rates(number);
        (x * w[3] + y * w[4] + turn * w[2] * lever * lever) / slip
    }

    /// A closing contact as it acts on displacements and jumps.
    fn ideal_joint(&self, number: usize) -> ClosingJoint {
        let Some((contact, touching)) =
            self.layout.rigid_contacts[number].as_ref().zip(self.touching[number].as_ref())
        else {
            unreachable!("a closing contact has been placed before")
        };
        let directions = [0, 1].map(|side| {
            let (sign, arm) = ([1.0, -1.0][side], &touching.arms[side]);
            [0, 1, 2, 3, 4, 5].map(|k| {
                let axis: Vec3 = touching.axes.column(k % 3) * sign;
                if k < 3 { join(&axis, &Vec3::zeros()) } else { join(&arm.cross(&axis), &axis) }
            })
        });
        let [a, b, c, d, e] = contact.mode.held();
        ClosingJoint {
            bodies: contact.parts(self.layout.owner(number)).map(|part| part.body.0),
            directions,
            drift: [0.0; 6],
            held: [a, b, c, d, e, true],
            share: SVector::zeros(),
            given: SVector::zeros(),
            wanted: [0.0; 6],
        }
    }

    /// A closing contact as it acts on accelerations.
    fn closing_joint(&self, number: usize) -> ClosingJoint {
        let mut joint = self.ideal_joint(number);
        if let (Some(contact), Some(touching)) = (&self.layout.rigid_contacts[number], &self.touching[number])
        {
            let drift = self.drift(touching, joint.bodies);
            joint.drift = joint.directions[0].map(|direction| direction.dot(&drift));
            (joint.share, joint.given) = self.friction(number, touching, contact.mode);
        }
        joint
    }

    /// Solves for all accelerations and wrenches; false where there is no answer.
    pub(super) fn solve_loops(&mut self) -> bool {
        let joints: Vec<ClosingJoint> =
            self.layout.closing().map(|number| self.closing_joint(number)).collect();
        let Some(Closed { components, unmet }) = solve_closed(&mut self.nodes, &self.layout.order, &joints)
        else {
            return false;
        };
        for (number, c) in self.layout.closing().zip(&components) {
            if let Some(touching) = &mut self.touching[number] {
                touching.wrench = [Vec3::new(c[0], c[1], c[2]), Vec3::new(c[3], c[4], c[5])];
            }
        }
        unmet < SOLVED
    }

    /// A rigid contact as it has been placed.
    pub(super) fn placed(&self, number: usize) -> Option<RigidContact> {
        let contact = self.layout.rigid_contact(&self.y, number)?;
        let touching = self.touching[number].as_ref()?;
        let closing = self.layout.closing().contains(&number);
        let (angle, velocities) = (touching.contact_frames.angle, touching.velocities);
        Some(if closing { RigidContact { angle, velocities, ..contact } } else { contact })
    }

    /// Writes motions, rigid contacts and energies back.
    pub(super) fn unpack(&self, state: &mut State) {
        self.write_contacts(state);
        for number in 0..self.layout.rigid_contacts.len() {
            if let Some(contact) = &self.layout.rigid_contacts[number] {
                let memory = state.pairs.entry(contact.pair(self.layout.owner(number)));
                memory.ledger.friction_loss += self.layout.friction_loss(&self.y, number);
            }
        }
        state.dissipated += self.layout.dissipated(&self.y);
    }

    /// Writes motions and rigid contacts back.
    pub(super) fn write_contacts(&self, state: &mut State) {
        let bodies = self.layout.order.len();
        state.motions.clone_from(&self.motions);
        state.rigid_contacts =
            Some((0..bodies).map(|body| self.layout.rigid_contact(&self.y, body)).collect());
        for (closing, number) in state.closing_contacts.iter_mut().zip(self.layout.closing()) {
            if let Some(contact) = self.placed(number) {
                closing.contact = contact;
                debug_assert_eq!(closing.body, BodyId(self.layout.owner(number).0));
            }
        }
    }
}
