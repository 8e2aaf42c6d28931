//! The equations of motion of bodies on rigid contacts, in flight, fixed or prescribed.
//!
//! Per evaluation: bodies are placed from their carriers outwards, the loads are summed up, the accelerations follow
//! from the tree (`tree.rs`). With F the axes of A's contact frame in the world, P the point, r_A = P − x_A and r_B = P
//! − x_B, Ω_F the angular velocity of F, v the slip and a, b the velocities of P over both surfaces, all in world axes,
//!
//!   ω_A = ω_B + F w_ω,   v_A = v_B + ω_B × r_B + v − ω_A × r_A,   Ω_F = ω_A + F W_A(ṡ, ṫ)
//!
//!   ω̇_A = ω̇_B + F ẇ_ω + Ω_F × F w_ω
//!   v̇_A = v̇_B + ω̇_B × r_B + ω_B × (ω_B × r_B + b) + F v̇ + Ω_F × v − ω̇_A × r_A − ω_A × (ω_A × r_A + a)
//!
//! Velocities, not rates of parameters, are integrated: the equations know no third derivatives and stay regular where
//! a parametrisation becomes tight. (Kry and Pai integrate q̇ instead; `matrix_rate` in `kinematics.rs` is for that,
//! and a test holds the one to the other.)
//!
//! The contact exerts the wrench (τ, f) on A at P; in the axes of F, N = −f_z. For each velocity that is not held its
//! component is d N + k: d = −μ_k v/|v| for the slip and the resistance's torques for the spin, k = −c v the viscous
//! part. Contacts that close loops: `closing.rs`.

use super::frame::Frame;
use super::kinematics::{ContactFrames, ContactPointRates, Velocities};
use super::layout::{CLOSING_SIZE, CONTACT_SIZE, Layout};
use super::rigid_contact::{RigidContact, atlas};
use super::tree::{ArticulatedBody, Attachment, Vec6, join, solve, split};
use crate::body::Motion;
use crate::error::{DynamicsError, Result};
use crate::flight::{self, BODY};
use crate::force;
use crate::integrator::Equations;
use crate::model::{BodyId, Mobility, Model, PartId};
use rattleback_contact::law::RigidFriction;
use rattleback_geom::chart::Place;
use rattleback_geom::nalgebra::{SMatrix, UnitQuaternion, Vector2};
use rattleback_geom::{Mat3, Vec3};

/// A contact between a body and its carrier at an instant.
#[derive(Debug, Clone, Copy)]
pub struct ContactKinematics {
    /// Frames and angle.
    pub contact_frames: ContactFrames,
    /// The axes of A's contact frame in the world.
    pub axes: Mat3,
    /// P in the world.
    pub point: Vec3,
    /// r_A and r_B.
    pub arms: [Vec3; 2],
    /// The rates of the contact point.
    pub point_rates: ContactPointRates,
    /// w.
    pub velocities: Velocities,
    /// The wrench on A at P in the axes of F: torque, force.
    pub wrench: [Vec3; 2],
}

impl ContactKinematics {
    /// N.
    pub fn normal_force(&self) -> f64 {
        -self.wrench[1].z
    }

    /// The friction force in the axes x, y.
    pub fn friction(&self) -> Vector2<f64> {
        self.wrench[1].xy()
    }

    /// The speed of the slip.
    pub fn slip(&self) -> f64 {
        self.velocities[3].hypot(self.velocities[4])
    }

    /// √(v² + ρ²ω²) of the slip and the spin about the normal, with a lever ρ in m: the speed that friction sees where
    /// both share it.
    pub fn slip_with_spin(&self, lever: f64) -> f64 {
        self.slip().hypot(lever * self.velocities[2])
    }

    /// The power that the contact takes.
    pub fn friction_loss(&self) -> f64 {
        let [torque, force] = &self.wrench;
        let w = &self.velocities;
        -(torque.x * w[0] + torque.y * w[1] + torque.z * w[2] + force.x * w[3] + force.y * w[4])
    }
}

/// All bodies of a model at an instant.
#[derive(Debug)]
pub struct Assembly<'a> {
    pub(super) model: &'a Model,
    pub(super) layout: Layout,
    /// The vector, with loops closed.
    pub(super) y: Vec<f64>,
    rigid_frictions: Vec<Option<RigidFriction>>,
    /// The friction per normal force of contacts that slide but have no slip yet.
    pub(super) first_friction: Vec<Option<Vec3>>,
    pub(super) motions: Vec<Motion>,
    pub(super) touching: Vec<Option<ContactKinematics>>,
    loads: Vec<[Vec3; 2]>,
    pub(super) nodes: Vec<ArticulatedBody>,
    dissipated: f64,
    complaint: Option<DynamicsError>,
}

impl<'a> Assembly<'a> {
    /// The bodies of a model on the rigid contacts of a layout; `motions` has those of the bodies that do not move.
    pub fn new(model: &'a Model, layout: Layout, motions: Vec<Motion>) -> Self {
        let count = motions.len();
        let rigid_friction = |(number, rigid_contact): (usize, &Option<RigidContact>)| {
            let rigid_contact = rigid_contact.as_ref()?;
            model.pair(rigid_contact.pair(layout.owner(number))).map(|pair| pair.law.rigid_friction())
        };
        Self {
            model,
            rigid_frictions: layout.rigid_contacts.iter().enumerate().map(rigid_friction).collect(),
            touching: vec![None; layout.rigid_contacts.len()],
            first_friction: vec![None; layout.rigid_contacts.len()],
            layout,
            y: Vec::new(),
            motions,
            loads: vec![[Vec3::zeros(); 2]; count],
            nodes: vec![ArticulatedBody::at_rest(); count],
            dissipated: 0.0,
            complaint: None,
        }
    }

    /// Why the last evaluation that failed did so.
    pub fn complaint(&mut self) -> Option<DynamicsError> {
        self.complaint.take()
    }

    /// The friction of a rigid contact.
    pub fn rigid_friction(&self, number: usize) -> Option<&RigidFriction> {
        self.rigid_frictions[number].as_ref()
    }

    /// Places all bodies as the time and the vector say, loops closed.
    pub fn place(&mut self, time: f64, y: &[f64]) -> Result<()> {
        self.y.clear();
        self.y.extend_from_slice(y);
        self.model.prescribe(time, &mut self.motions);
        self.place_tree()?;
        if self.layout.closes() { self.close_loops() } else { Ok(()) }
    }

    /// Places all bodies as the tree of the vector says.
    pub(super) fn place_tree(&mut self) -> Result<()> {
        let y = std::mem::take(&mut self.y);
        let placed = self.place_along(&y);
        self.y = y;
        placed
    }

    fn place_along(&mut self, y: &[f64]) -> Result<()> {
        for k in 0..self.layout.order.len() {
            let body = self.layout.order[k];
            match (&self.layout.rigid_contacts[body], self.layout.at[body]) {
                (Some(rigid_contact), Some(at)) => {
                    let rigid_contact = RigidContact { velocities: velocities(y, at), ..*rigid_contact };
                    let place = |side: usize| {
                        let [u, v] = [y[at + 2 * side], y[at + 2 * side + 1]];
                        Place { chart: rigid_contact.places[side].chart, u, v }
                    };
                    let rigid_contact =
                        RigidContact { places: [place(0), place(1)], angle: y[at + 4], ..rigid_contact };
                    self.attach(body, &rigid_contact)?;
                }
                (None, Some(at)) => self.motions[body] = flight::unpack(&y[at..at + BODY]),
                _ => {}
            }
        }
        Ok(())
    }

    /// Places a body on its carrier, which is placed already.
    fn attach(&mut self, body: usize, rigid_contact: &RigidContact) -> Result<()> {
        let own = self.frame(PartId::new(BodyId(body), rigid_contact.part), &rigid_contact.places[0])?;
        let other = self.frame(rigid_contact.carrier, &rigid_contact.places[1])?;
        let contact_frames = ContactFrames { frames: [own, other], angle: rigid_contact.angle };
        let carrier = self.motions[rigid_contact.carrier.body.0];
        let pose = carrier.pose.compose(&contact_frames.pose());
        let axes = pose.rotation() * own.axes;
        let point = carrier.pose.point_to_world(&other.point);
        let arms = [point - pose.position, point - carrier.pose.position];
        let w = &rigid_contact.velocities;
        let carried = carrier.twist();
        let angular_velocity = carried.angular_velocity + axes * Vec3::new(w[0], w[1], w[2]);
        let velocity =
            carried.at(&arms[1]) + axes * Vec3::new(w[3], w[4], 0.0) - angular_velocity.cross(&arms[0]);
        self.motions[body] =
            Motion { pose, velocity, angular_velocity_body: pose.vector_to_local(&angular_velocity) };
        self.touching[body] = Some(ContactKinematics {
            point_rates: contact_frames.point_rates(w),
            contact_frames,
            axes,
            point,
            arms,
            velocities: *w,
            wrench: [Vec3::zeros(); 2],
        });
        Ok(())
    }

    /// The contact frame of a part at a place, in the axes of its body.
    pub(super) fn frame(&self, part: PartId, place: &Place) -> Result<Frame> {
        let frame = Frame::new(&atlas(self.model, part)?.jet(place)?);
        let pose = &self.model.body(part.body).parts[part.index].pose;
        if pose.orientation == UnitQuaternion::identity() {
            return Ok(Frame { point: pose.position + frame.point, ..frame });
        }
        Ok(Frame { point: pose.point_to_world(&frame.point), axes: pose.rotation() * frame.axes, ..frame })
    }

    /// Places all bodies and finds their accelerations and the forces of their contacts.
    pub fn evaluate(&mut self, time: f64, y: &[f64]) -> Result<()> {
        self.place(time, y)?;
        self.loads.fill([Vec3::zeros(); 2]);
        self.dissipated = force::add_loads(self.model.forces(), time, &self.motions, &mut self.loads)?;
        let mut nodes = std::mem::take(&mut self.nodes);
        for (body, node) in nodes.iter_mut().enumerate() {
            // What is fixed stays as it is.
            let known = matches!(node.hold, Attachment::Given(_));
            if !known || !matches!(self.model.bodies()[body].mobility, Mobility::Fixed) {
                self.renew_node(body, time, node);
            }
        }
        self.nodes = nodes;
        let solved = if self.layout.closes() {
            self.solve_loops()
        } else {
            solve(&mut self.nodes, &self.layout.order)
        };
        if !solved {
            let what = "friction".to_owned();
            let reason = format!("it jams a contact at t = {time}: its equations have no answer");
            return Err(DynamicsError::Invalid { what, reason });
        }
        for body in 0..self.nodes.len() {
            self.apply_law(body);
        }
        self.book_prescribed();
        Ok(())
    }

    /// How much of a body's freedom friction leaves it: the determinant of its contact's equations against that of an
    /// ideal contact. Where it is not positive, friction would wedge the body: sliding has no answer (Painlevé).
    pub(super) fn freedom(&self, body: usize) -> f64 {
        let node = &self.nodes[body];
        let Attachment::Contact(joint) = &node.hold else { return 1.0 };
        let of = |tests: &SMatrix<f64, 6, 5>| {
            let mut d = tests.tr_mul(&(node.inertia * joint.directions));
            for k in (0..5).filter(|&k| joint.held[k]) {
                d[(k, k)] = 1.0;
            }
            d.determinant()
        };
        of(&joint.tests) / of(&joint.directions)
    }

    /// The bodies as nodes of the tree without loads, as impulses find them; those whose motion is given do not jump.
    pub(super) fn resting_nodes(&self) -> Vec<ArticulatedBody> {
        let rest = |body: usize| {
            let mut node = ArticulatedBody::at_rest();
            self.renew_node(body, 0.0, &mut node);
            node.bias = Vec6::zeros();
            if let Attachment::Given(jump) = &mut node.hold {
                *jump = Vec6::zeros();
            }
            node
        };
        (0..self.nodes.len()).map(rest).collect()
    }

    /// Makes a node that of a body, in its place: it is long, and would be copied.
    fn renew_node(&self, body: usize, time: f64, node: &mut ArticulatedBody) {
        let (model, motion) = (self.model.body(BodyId(body)), &self.motions[body]);
        node.hold = match (&model.mobility, &self.layout.rigid_contacts[body]) {
            (Mobility::Fixed, _) => Attachment::Given(Vec6::zeros()),
            (Mobility::Prescribed(prescribed), _) => {
                let now = prescribed.at(time);
                Attachment::Given(join(
                    &motion.pose.vector_to_world(&now.angular_acceleration_body),
                    &now.acceleration,
                ))
            }
            (Mobility::Free, Some(rigid_contact)) => Attachment::Contact(self.joint(body, rigid_contact)),
            (Mobility::Free, None) => Attachment::Free,
        };
        if matches!(node.hold, Attachment::Given(_)) {
            return node.set_body(0.0, &Mat3::zeros(), Vec6::zeros());
        }
        let (r, properties) = (motion.pose.rotation(), &model.body);
        let [load, torque] = &self.loads[body];
        let gyroscopic =
            r * motion.angular_velocity_body.cross(&(properties.inertia * motion.angular_velocity_body));
        let bias = join(&(gyroscopic - torque), &(-load - self.model.gravity() * properties.mass));
        node.set_body(properties.mass, &(r * properties.inertia * r.transpose()), bias);
    }

    /// Takes the force of a body's contact from the tree.
    fn apply_law(&mut self, body: usize) {
        if let (Some(_), Some(touching)) = (&self.layout.rigid_contacts[body], &mut self.touching[body]) {
            let (torque, force) = split(&self.nodes[body].wrench);
            let at_point = torque - touching.arms[0].cross(&force);
            touching.wrench = [touching.axes.tr_mul(&at_point), touching.axes.tr_mul(&force)];
        }
    }

    /// Whatever moves a prescribed body takes the work that is done on it.
    fn book_prescribed(&mut self) {
        for (body, rigid_contact) in self.layout.rigid_contacts.iter().enumerate() {
            let (Some(rigid_contact), Some(touching)) = (rigid_contact, &self.touching[body]) else {
                continue;
            };
            let [torque, force] = touching.wrench.map(|v| -(touching.axes * v));
            let load = &mut self.loads[rigid_contact.carrier.body.0];
            load[0] += force;
            load[1] += torque + touching.arms[1].cross(&force);
        }
        for (body, model) in self.model.bodies().iter().enumerate() {
            self.dissipated += model.taken(&self.motions[body], self.loads[body]);
        }
    }

    fn try_rate(&mut self, time: f64, y: &[f64], dy: &mut [f64]) -> Result<()> {
        self.evaluate(time, y)?;
        for (body, at) in self.layout.at.iter().enumerate() {
            let Some(at) = *at else { continue };
            if body >= self.nodes.len() {
                if let Some(touching) = &self.touching[body] {
                    let [own, other] = &touching.point_rates.rates;
                    let rates = [own.x, own.y, other.x, other.y, touching.friction_loss()];
                    dy[at..at + CLOSING_SIZE].copy_from_slice(&rates);
                }
                continue;
            }
            let (node, motion) = (&self.nodes[body], &self.motions[body]);
            if let (Some(_), Some(touching)) = (&self.layout.rigid_contacts[body], &self.touching[body]) {
                let [own, other] = &touching.point_rates.rates;
                let dy = &mut dy[at..at + CONTACT_SIZE];
                dy[..5].copy_from_slice(&[own.x, own.y, other.x, other.y, touching.point_rates.angle_rate]);
                dy[5..10].copy_from_slice(node.rates.as_slice());
                dy[10] = touching.friction_loss();
            } else {
                let (angular, linear) = split(&node.acceleration);
                let angular_acceleration_body = motion.pose.vector_to_local(&angular);
                let here = at..at + BODY;
                flight::rates(
                    &self.y[here.clone()],
                    motion,
                    &linear,
                    &angular_acceleration_body,
                    &mut dy[here],
                );
            }
        }
        dy[self.layout.dimension() - 1] = self.dissipated;
        Ok(())
    }
}

/// w, from where a rigid contact lies in the vector.
fn velocities(y: &[f64], at: usize) -> Velocities {
    Velocities::from_column_slice(&y[at + 5..at + 10])
}

impl Equations for Assembly<'_> {
    fn dimension(&self) -> usize {
        self.layout.dimension()
    }

    fn rate(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<()> {
        // Beyond the border of a chart the integrator tries a smaller step.
        if !y.iter().all(|x| x.is_finite()) {
            dy.fill(f64::NAN);
        } else if let Err(error) = self.try_rate(t, y, dy) {
            self.complaint = Some(error);
            dy.fill(f64::NAN);
        }
        Ok(())
    }
}
