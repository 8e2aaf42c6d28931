//! The contacts of a model at an instant: its parts placed in the world, queries between them, and the forces.
//!
//! A workspace: it holds nothing that is not in the model or the state, only the parts at the poses last given.

use crate::body::Motion;
use crate::error::Result;
use crate::model::{BodyId, Model, PartPair};
use rattleback_contact::law::ContactState;
use rattleback_contact::narrow::touch;
use rattleback_contact::{
    Collider, Contact, ContactForce, Kinematics, Rates, Start, Touch, Twist, contact_from, rates,
};
use rattleback_geom::Vec3;

/// The parts of a model, placed.
#[derive(Debug, Clone)]
pub struct Contacts {
    /// Per body, per part.
    parts: Vec<Vec<Placed>>,
}

#[derive(Debug, Clone)]
struct Placed {
    collider: Collider,
    twist: Twist,
}

/// A contact with its force.
#[derive(Debug, Clone, Copy)]
pub struct Pressed {
    /// The query's answer.
    pub contact: Contact,
    /// How the bodies move against each other.
    pub kinematics: Kinematics,
    /// How the contact changes.
    pub rates: Rates,
    /// The force.
    pub force: ContactForce,
}

impl Pressed {
    /// Force and torque about the point `origin` on A (side 0) or B (side 1), in world axes.
    pub fn wrench(&self, side: usize, origin: &Vec3) -> [Vec3; 2] {
        let sign = if side == 0 { -1.0 } else { 1.0 };
        let arm = self.force.point - origin;
        [self.force.force * sign, (arm.cross(&self.force.force) + self.force.torque) * sign]
    }
}

impl Contacts {
    /// The parts of a model at the given motions.
    pub fn new(model: &Model, motions: &[Motion]) -> Self {
        let placed = |(body, motion): (&crate::model::BodyModel, &Motion)| {
            let part = |part: &crate::model::Part| {
                let (pose, twist) = motion.of_frame(&part.pose);
                Placed { collider: Collider { shape: part.shape.clone(), pose }, twist }
            };
            body.parts.iter().map(part).collect()
        };
        Self { parts: model.bodies().iter().zip(motions).map(placed).collect() }
    }

    /// Moves the parts of a body.
    pub fn place(&mut self, model: &Model, body: BodyId, motion: &Motion) {
        for (placed, part) in self.parts[body.0].iter_mut().zip(&model.body(body).parts) {
            (placed.collider.pose, placed.twist) = motion.of_frame(&part.pose);
        }
    }

    /// Where the parts of a pair touch or come nearest.
    pub fn touch(&self, pair: &PartPair, normal: Option<Vec3>) -> Result<Touch> {
        let (a, b) = (self.part(pair.a), self.part(pair.b));
        let (a, b) = (&a.collider, &b.collider);
        Ok(touch(&a.shape, &a.pose, &b.shape, &b.pose, start(normal))?)
    }

    /// The contact of a pair and how its parts move against each other.
    pub fn contact(&self, pair: &PartPair, normal: Option<Vec3>) -> Result<(Contact, Kinematics)> {
        let (a, b) = (self.part(pair.a), self.part(pair.b));
        let contact = contact_from(&a.collider, &b.collider, start(normal))?;
        let twist = [&a.twist, &b.twist];
        let kinematics = Kinematics::new(&a.collider, &b.collider, &contact, twist, pair.law.share());
        Ok((contact, kinematics))
    }

    /// The contact of a pair with its force.
    pub fn press(&self, pair: &PartPair, state: &ContactState, normal: Option<Vec3>) -> Result<Pressed> {
        let (contact, kinematics) = self.contact(pair, normal)?;
        let force = pair.law.force(&contact, &kinematics, state)?;
        let (a, b) = (self.part(pair.a), self.part(pair.b));
        let rates = rates(&a.collider, &b.collider, &contact, [&a.twist, &b.twist])?;
        Ok(Pressed { contact, kinematics, rates, force })
    }

    fn part(&self, (body, part): (BodyId, usize)) -> &Placed {
        &self.parts[body.0][part]
    }
}

fn start(normal: Option<Vec3>) -> Start {
    normal.map_or(Start::Cold, Start::Warm)
}
