//! The equations of motion of free bodies (Newton and Euler) and of their contacts' inner state:
//!
//!   ẋ = v,   q̇ = ½ q ∘ (0, ω),   m v̇ = f + m g,   I ω̇ = Rᵀτ − ω × Iω
//!
//! with f, τ the sum of all loads in world axes, ω and I in body axes. The bristle follows its law, and the powers
//! damped, lost to friction and given back by the elastic force are integrated beside the motion, so that the ledger is
//! as exact as the motion itself. With S the energy that the indentation δ stores and F = ∂S/∂δ, what a stiffness
//! brings that follows curvatures or weights is ΔS − ∫F δ̇ dt: nobody has to know how fast those change.
//!
//! Only pairs that are in contact exert forces here; contacts begin and end at events, between which the list is fixed.

use super::jacobian;
use super::layout::Layout;
use crate::body::Motion;
use crate::contact_set::{LastNormal, Parts, wrench};
use crate::error::{DynamicsError, Result};
use crate::flight::{self, BODY, vector};
use crate::force;
use crate::integrator::{self, Equations, Pattern};
use crate::model::{BodyId, Model};
use crate::state::State;
use rattleback_contact::law::ContactState;
use rattleback_geom::nalgebra::DMatrix;
use rattleback_geom::{Mat3, Vec3};

/// The right-hand side for one segment between events.
#[derive(Debug)]
pub struct FreeEquations<'a> {
    pub(super) model: &'a Model,
    pub(super) layout: Layout,
    /// All bodies; the free ones are overwritten at each evaluation.
    pub(super) motions: Vec<Motion>,
    pub(super) contacts: Parts,
    /// Per pair in contact: its state, and the normal of the last evaluation.
    pub(super) active_contacts: Vec<(ContactState, LastNormal)>,
    /// Per body: force and torque.
    wrench: Vec<[Vec3; 2]>,
    /// Per free body: I⁻¹.
    pub(super) inverse: Vec<Mat3>,
    /// Why the last evaluation that failed did so.
    complaint: Option<DynamicsError>,
}

impl<'a> FreeEquations<'a> {
    pub fn new(model: &'a Model, state: &State, layout: Layout) -> Self {
        let contacts = Parts::new(model, &state.motions);
        let active_contacts = layout.active_contacts.iter().filter_map(|pair| {
            let memory = state.pairs.get(&pair.id())?;
            let normal = LastNormal::new(&contacts, pair, memory.normal);
            memory.contact.map(|contact| (contact, normal))
        });
        // The builder has made sure that every free body's inertia is positive definite.
        let inverse =
            |&body: &BodyId| model.body(body).body.inertia.try_inverse().unwrap_or_else(Mat3::identity);
        Self {
            model,
            motions: state.motions.clone(),
            active_contacts: active_contacts.collect(),
            contacts,
            wrench: vec![[Vec3::zeros(); 2]; model.bodies().len()],
            inverse: layout.free.iter().map(inverse).collect(),
            complaint: None,
            layout,
        }
    }

    /// What a query or a law complained of, where the integrator found no step small enough.
    pub fn complaint(&mut self) -> Option<DynamicsError> {
        self.complaint.take()
    }

    /// Forces of the contacts, and the rates of their inner state; those of the energies if `whole`.
    fn apply_law(&mut self, y: &[f64], dy: &mut [f64], whole: bool) -> Result<()> {
        for (k, pair) in self.layout.active_contacts.iter().enumerate() {
            let (state, normal) = &mut self.active_contacts[k];
            if let Some(at) = self.layout.bristles[k] {
                state.bristle = vector(y, at);
            }
            // How the contact changes is asked for by bristles alone.
            let start = normal.at(&self.contacts, pair);
            let (touch, kinematics, force) = match self.layout.bristles[k] {
                Some(at) => {
                    let found = self.contacts.apply_law(pair, state, start)?;
                    dy[at..at + 3].copy_from_slice(found.bristle_rate.as_slice());
                    (found.touch, found.kinematics, found.force)
                }
                None => self.contacts.force_without_rates(pair, state, start)?,
            };
            normal.set(&self.contacts, pair, touch.normal);
            if whole {
                let at = self.layout.ledger_start(k);
                // −F δ̇, the damping being the rest of the normal force.
                let given_back = match pair.has_changing_stiffness() {
                    true => force.normal * kinematics.gap_rate + force.damped,
                    false => 0.0,
                };
                dy[at..at + 3].copy_from_slice(&[force.damped, force.friction_loss, given_back]);
            }
            for (side, body) in [pair.a.body, pair.b.body].into_iter().enumerate() {
                push(&mut self.wrench[body.0], wrench(&force, side, &self.motions[body.0].pose.position));
            }
        }
        Ok(())
    }

    /// Places all bodies as the vector and the time say.
    fn place(&mut self, t: f64, y: &[f64]) {
        self.model.prescribe(t, &mut self.motions);
        for (k, &body) in self.layout.free.iter().enumerate() {
            self.motions[body.0] = self.layout.motion(y, k);
        }
        for &body in &self.layout.moved {
            self.contacts.place(self.model, body, &self.motions[body.0]);
        }
    }

    fn try_rate(&mut self, t: f64, y: &[f64], dy: &mut [f64], whole: bool) -> Result<()> {
        self.place(t, y);
        self.wrench.fill([Vec3::zeros(); 2]);
        let forces = self.model.forces();
        let mut dissipated = force::add_loads(forces, t, &self.motions, &mut self.wrench)?;
        self.apply_law(y, dy, whole)?;
        // Whatever moves a prescribed body takes the work that is done on it.
        for &body in &self.layout.moved {
            dissipated += self.model.body(body).taken(&self.motions[body.0], self.wrench[body.0]);
        }
        for (k, &id) in self.layout.free.iter().enumerate() {
            let (m, body) = (&self.motions[id.0], &self.model.body(id).body);
            let [force, torque] = self.wrench[id.0];
            let w = m.angular_velocity_body;
            let angular_velocity =
                self.inverse[k] * (m.pose.vector_to_local(&torque) - w.cross(&(body.inertia * w)));
            let acceleration = force / body.mass + self.model.gravity();
            let at = BODY * k..BODY * (k + 1);
            flight::rates(&y[at.clone()], m, &acceleration, &angular_velocity, &mut dy[at]);
        }
        dy[self.layout.ledger_start(self.layout.active_contacts.len())] = dissipated;
        Ok(())
    }

    /// Beyond the domain of the queries the rate is NaN, and the integrator tries a smaller step; what they complained
    /// of is kept for the case that no step is small enough.
    fn rate_or_nan(&mut self, t: f64, y: &[f64], dy: &mut [f64], whole: bool) {
        if !y.iter().all(|x| x.is_finite()) {
            dy.fill(f64::NAN);
        } else if let Err(error) = self.try_rate(t, y, dy, whole) {
            self.complaint = Some(error);
            dy.fill(f64::NAN);
        }
    }
}

fn push(sum: &mut [Vec3; 2], [force, torque]: [Vec3; 2]) {
    sum[0] += force;
    sum[1] += torque;
}

impl Equations for FreeEquations<'_> {
    fn dimension(&self) -> usize {
        self.layout.dimension()
    }

    fn rate(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<()> {
        self.rate_or_nan(t, y, dy, true);
        Ok(())
    }

    fn coupled_rate(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<()> {
        self.rate_or_nan(t, y, dy, false);
        Ok(())
    }

    fn jacobian(&mut self, t: f64, y: &[f64], out: &mut DMatrix<f64>) -> Result<()> {
        // The rates of bristles have no exact derivatives here.
        if self.layout.bristles.iter().any(Option::is_some) {
            return integrator::jacobian_by_differences(self, t, y, out);
        }
        self.place(t, y);
        jacobian::fill(self, t, y, out)
    }

    fn pattern(&self) -> Pattern {
        self.layout.pattern()
    }
}
