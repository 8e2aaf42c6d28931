//! How rigid contacts begin: which body is put on which, what closes a loop instead, and what the motion becomes.

use super::Rolling;
use super::events::FLAT;
use super::frame::Frame;
use super::gap_scan::NearPlace;
use super::kinematics::{ContactFrames, velocities};
use super::modes::{may_slip, shared_lever};
use super::rigid_contact::{ClosingContact, Mode, RigidContact, atlas};
use super::transition::carries;
use crate::error::Result;
use crate::measure;
use crate::model::{BodyId, PairId, PartId, PartPair};
use rattleback_contact::law::ContactState;
use rattleback_geom::Vec3;
use rattleback_geom::chart::Place;

impl Rolling<'_> {
    /// Finds the rigid contacts of the first state.
    pub(super) fn begin(&mut self) -> Result<()> {
        self.state.rigid_contacts = Some(vec![None; self.model.bodies().len()]);
        self.state.closing_contacts.clear();
        for pair in self.pair_trees.pairs().to_vec() {
            let motions = self.state.motions.clone();
            let reach = self.settings.touching;
            for found in self.pair_trees.find(&pair, &motions, reach)? {
                let rate = found.impact.gap_rate(&motions);
                if found.gap.abs() <= reach && rate.abs() <= self.settings.settle {
                    self.attach(&found)?;
                }
            }
        }
        Ok(())
    }

    /// A rigid contact at the given places with the velocities that the bodies have at a point.
    pub(super) fn moving(
        &self,
        owner: BodyId,
        rigid_contact: &RigidContact,
        places: [Place; 2],
        point: &Vec3,
    ) -> Result<RigidContact> {
        let twist = |body: usize| self.state.motions[body].twist();
        let (own, other) = (twist(owner.0), twist(rigid_contact.carrier.body.0));
        let arm = |body: usize| point - self.state.motions[body].pose.position;
        let slip = own.at(&arm(owner.0)) - other.at(&arm(rigid_contact.carrier.body.0));
        let angular_velocity = own.angular_velocity - other.angular_velocity;
        self.rigid_contact_at(owner, rigid_contact, places, |axes| {
            velocities(&axes.tr_mul(&angular_velocity), &axes.tr_mul(&slip))
        })
    }

    /// Gives a contact that is there its velocities: motions become those that all contacts allow; the energy lost is
    /// booked. What slips too slowly is held.
    pub(super) fn place_on(&mut self, number: usize, rigid_contact: RigidContact) -> Result<()> {
        let mechanical = |run: &Self| -> Result<f64> {
            let motions = &run.state.motions;
            Ok(measure::kinetic_energy(run.model, motions)?
                + measure::gravitational_energy(run.model, motions)?)
        };
        let before = mechanical(self)?;
        self.set_rigid_contact(number, Some(RigidContact { mode: Mode::Sliding, ..rigid_contact }));
        self.settle()?;
        let lost = before - mechanical(self)?;
        let pair = rigid_contact.pair(self.owner(number));
        self.state.pairs.entry(pair).ledger.damped += lost;
        let rigid_friction = self.model.pair(pair).map(|pair| pair.law.rigid_friction());
        let Some(rigid_contact) = self.rigid_contact(number) else { return Ok(()) };
        if rigid_friction.is_some_and(|rigid_friction| {
            let w = &rigid_contact.velocities;
            let slip = w[3].hypot(w[4]).hypot(shared_lever(&rigid_friction) * w[2]);
            !may_slip(&rigid_friction) || (slip <= self.settings.stick && rigid_friction.sticking > 0.0)
        }) {
            self.hold(number, self.sticking_mode(number))?;
        }
        Ok(())
    }

    /// The mode of a contact that does not slip: without spin where slip and spin share the friction, or where the
    /// contact resists spinning and there is next to none.
    pub(super) fn sticking_mode(&self, number: usize) -> Mode {
        let Some(rigid_contact) = self.rigid_contact(number) else { return Mode::Rolling };
        let pair = rigid_contact.pair(self.owner(number));
        let Some(law) = self.model.pair(pair).map(|pair| pair.law.rigid_friction()) else {
            return Mode::Rolling;
        };
        if shared_lever(&law) > 0.0 {
            return Mode::Spinless;
        }
        let resists = law.resistance.spinning() > 0.0;
        if resists && rigid_contact.velocities[2].abs() <= self.settings.still {
            Mode::Spinless
        } else {
            Mode::Rolling
        }
    }

    /// Makes a rigid contact of the place that was found, the gap closed. A body that hangs on nothing yet is put on
    /// the other one; else the contact closes a loop or joins two trees. None where the surfaces touch along a line, or
    /// a loop cannot be closed.
    pub(super) fn attach(&mut self, found: &NearPlace) -> Result<Option<PairId>> {
        let pair = found.impact.pair;
        let side = self.free_side(&pair);
        let own_first = side.unwrap_or(!self.model.body(pair.b.body).is_free());
        let (PartId { body: own, index: part }, carrier) =
            if own_first { (pair.a, pair.b) } else { (pair.b, pair.a) };
        let places = if own_first { found.places } else { [found.places[1], found.places[0]] };
        let rigid_contact = RigidContact {
            part,
            carrier,
            places,
            angle: 0.0,
            velocities: super::Velocities::zeros(),
            mode: Mode::Sliding,
            region: self.rigid_contacts().free_region(pair.id()),
        };
        if self.contact_frames(own, &rigid_contact)?.pointedness() < 2.0 * FLAT {
            return Ok(None);
        }
        let speed = (-found.impact.gap_rate(&self.state.motions)).max(0.0);
        let id = rigid_contact.pair(own);
        if side.is_some() {
            let before = self.state.clone();
            // The rest of the rebound is taken by an impulse: so no energy is gained.
            let brought = found.impact.separate(self.model, &mut self.state.motions, 0.0);
            self.state.pairs.entry(pair.id()).ledger.damped -= brought;
            let rigid_contact = self.moving(own, &rigid_contact, places, &found.impact.point)?;
            if let Err(error) = self.place_on(own.0, rigid_contact) {
                // With loops elsewhere it may not fit.
                if before.closing_contacts.is_empty() {
                    return Err(error);
                }
                self.state = before;
                return Ok(None);
            }
        } else if !self.close(own, rigid_contact, &found.impact.point)? {
            return Ok(None);
        }
        let memory = self.state.pairs.entry(id);
        memory.contact = Some(ContactState { approach_speed: speed, bristle: Vec3::zeros() });
        memory.start_time = self.state.time;
        Ok(Some(id))
    }

    /// Adds a contact that closes a loop; false where it does not fit the others.
    fn close(&mut self, owner: BodyId, rigid_contact: RigidContact, point: &Vec3) -> Result<bool> {
        let rigid_contact = self.moving(owner, &rigid_contact, rigid_contact.places, point)?;
        if self.contact_frames(owner, &rigid_contact)?.pointedness() < 2.0 * FLAT {
            return Ok(false);
        }
        let before = self.state.clone();
        let number = before.motions.len() + before.closing_contacts.len();
        self.state.closing_contacts.push(ClosingContact { body: owner, contact: rigid_contact });
        let placed = self.place_on(number, rigid_contact);
        if placed.is_err() {
            self.state = before;
        }
        Ok(placed.is_ok())
    }

    /// The contact frames of a seat.
    fn contact_frames(&self, owner: BodyId, rigid_contact: &RigidContact) -> Result<ContactFrames> {
        let [own, other] = rigid_contact.parts(owner);
        let frame = |part: PartId, place: &Place| -> Result<Frame> {
            Ok(Frame::new(&atlas(self.model, part)?.jet(place)?))
        };
        let frames = [frame(own, &rigid_contact.places[0])?, frame(other, &rigid_contact.places[1])?];
        Ok(ContactFrames { frames, angle: rigid_contact.angle })
    }

    /// Whether the body of a pair that can be put on the other one is the first; none where neither can.
    fn free_side(&self, pair: &PartPair) -> Option<bool> {
        let rigid_contacts = self.state.rigid_contacts.as_deref()?;
        let root = |body: BodyId| self.model.body(body).is_free() && rigid_contacts[body.0].is_none();
        // The one declared last rests on the one declared first, as a body on a table would be written.
        [(pair.b.body, pair.a.body, false), (pair.a.body, pair.b.body, true)]
            .into_iter()
            .find(|&(body, other, _)| root(body) && !carries(rigid_contacts, body.0, other.0))
            .map(|(_, _, own_first)| own_first)
    }
}
