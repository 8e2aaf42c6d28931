//! The state: everything about a mechanism that changes and that changes what comes next. Plain data: it can be cloned,
//! stored and compared, and a run that goes on from a stored state goes on as if it had never stopped.

use crate::body::Motion;
use crate::contact_set::ContactMemory;
use crate::error::{DynamicsError, Result};
use crate::force::{self, WindlassState};
use crate::mechanism::RegionForce;
use crate::model::{Model, PairId, PartId};
use crate::rolling::{ClosingContact, ContactList, RigidContact};
use rattleback_contact::Ledger;

/// Where everything is and how it moves.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct State {
    /// The time in s.
    pub time: f64,
    /// The motion of each body, in the order of the model.
    pub motions: Vec<Motion>,
    /// What pairs of parts remember, those that have anything to remember.
    pub pairs: ContactMemory,
    /// The energies of pairs that are no longer remembered.
    pub ended_pairs: Ledger,
    /// The energy that applied forces and joints have dissipated and that motors and prescribed bodies have taken so
    /// far, in J.
    pub dissipated: f64,
    /// The step that an adaptive integrator tries next, in s; none where nothing is known.
    pub step: Option<f64>,
    /// The first step of an adaptive integrator after a contact that begins, as the last one promised it, in s: forces
    /// that grow from zero as δ^(3/2) want a shorter one than flights.
    #[serde(default)]
    pub begin_step: Option<f64>,
    /// What a mechanism remembers beyond motions, once it has been assembled. A caller that changes motions sets it to
    /// none and the next step assembles again.
    pub joints: Option<JointState>,
    /// The rigid contacts of bodies that are moved in contact coordinates, one entry per body, once they are known. A
    /// caller that changes motions sets them to none.
    pub rigid_contacts: Option<Vec<Option<RigidContact>>>,
    /// The rigid contacts that close loops, beside those.
    #[serde(default)]
    pub closing_contacts: Vec<ClosingContact>,
    /// What the windlasses remember, in the order of declaration; empty before the first step.
    pub windlasses: Vec<WindlassState>,
}

/// What a mechanism of joints remembers from step to step.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct JointState {
    /// Accelerations of all coordinates.
    pub accelerations: Vec<f64>,
    /// The auxiliary accelerations of the generalized-α rule; empty for the trapezoidal one.
    pub averaged: Vec<f64>,
    /// The multipliers of all constraint equations.
    pub multipliers: Vec<f64>,
    /// The relative coordinates, full turns included, in rad or m.
    pub relative: Vec<f64>,
    /// Their rates.
    pub relative_rates: Vec<f64>,
    /// The power that leaves the mechanism beside that of its contacts, in W: into forces, joints, motors and
    /// prescribed bodies.
    pub power: f64,
    /// The forces of the regions that the accelerations come from, whose work in the next step is booked with it.
    #[serde(default)]
    pub region_forces: Vec<RegionForce>,
}

impl JointState {
    /// Takes all from another one, in the buffers that are there.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.accelerations.clone_from(&other.accelerations);
        self.averaged.clone_from(&other.averaged);
        self.multipliers.clone_from(&other.multipliers);
        self.relative.clone_from(&other.relative);
        self.relative_rates.clone_from(&other.relative_rates);
        self.power = other.power;
        self.region_forces.clone_from(&other.region_forces);
    }
}

impl State {
    /// The state at time zero with the given motions, one per body, nothing touching yet.
    pub fn new(motions: Vec<Motion>) -> Self {
        Self {
            time: 0.0,
            motions,
            pairs: ContactMemory::default(),
            ended_pairs: Ledger::default(),
            dissipated: 0.0,
            step: None,
            begin_step: None,
            joints: None,
            rigid_contacts: None,
            closing_contacts: Vec::new(),
            windlasses: Vec::new(),
        }
    }

    /// Whether it fits a model and consists of numbers.
    pub fn check(&self, model: &Model) -> Result<()> {
        let (found, expected) = (self.motions.len(), model.bodies().len());
        if found != expected {
            return Err(DynamicsError::Dimension { field: "motions", found, expected });
        }
        if !self.pairs.list().windows(2).all(|two| two[0].0 < two[1].0) {
            let what = "memory of contacts".to_owned();
            return Err(DynamicsError::Invalid { what, reason: "its pairs are out of order".to_owned() });
        }
        let has = |PartId { body, index: part }: PartId| {
            model.bodies().get(body.0).is_some_and(|b| part < b.parts.len())
        };
        let known = |id: &PairId| {
            has(id.a) && has(id.b) && model.pair(*id).is_some_and(|pair| pair.id() == id.parts())
        };
        let pressed =
            self.joints.iter().flat_map(|joints| joints.region_forces.iter().map(|force| &force.id));
        if let Some(PairId { a, b, .. }) = self.pairs.keys().chain(pressed).find(|id| !known(id)) {
            let what =
                format!("part {} of body {} with part {} of body {}", a.index, a.body.0, b.index, b.body.0);
            let reason = "the state remembers a pair that the model does not have".to_owned();
            return Err(DynamicsError::Invalid { what, reason });
        }
        self.check_rigid_contacts(model)?;
        let (found, expected) = (self.windlasses.len(), force::count(model.forces()));
        if found != 0 && found != expected {
            return Err(DynamicsError::Dimension { field: "windlasses", found, expected });
        }
        for (motion, body) in self.motions.iter().zip(model.bodies()) {
            let orientation = motion.pose.orientation.coords;
            let sum = motion.pose.position.sum()
                + orientation.sum()
                + motion.velocity.sum()
                + motion.angular_velocity_body.sum();
            if !sum.is_finite() {
                let field = format!("motion of body {}", body.name);
                return Err(DynamicsError::OutOfRange { field, value: sum, allowed: "finite numbers" });
            }
        }
        Ok(())
    }

    /// Whether the rigid contacts are those of bodies that move, on parts that there are.
    fn check_rigid_contacts(&self, model: &Model) -> Result<()> {
        let Some(rigid_contacts) = &self.rigid_contacts else { return Ok(()) };
        let (found, expected) = (rigid_contacts.len(), model.bodies().len());
        if found != expected {
            return Err(DynamicsError::Dimension { field: "rigid contacts", found, expected });
        }
        for (_, owner, rigid_contact) in ContactList::of(self).iter() {
            let Some(body) = model.bodies().get(owner.0) else {
                let (found, expected) = (owner.0, expected);
                return Err(DynamicsError::Dimension { field: "body of a closing contact", found, expected });
            };
            let carrier = model.bodies().get(rigid_contact.carrier.body.0);
            let has = rigid_contact.part < body.parts.len()
                && carrier.is_some_and(|b| rigid_contact.carrier.index < b.parts.len());
            if !has || !body.is_free() || model.pair(rigid_contact.pair(owner)).is_none() {
                let what = format!("rigid contact of body {}", body.name);
                let reason = "the model has no such pair of parts that may touch".to_owned();
                return Err(DynamicsError::Invalid { what, reason });
            }
        }
        Ok(())
    }
}
