//! What happens at an event: the contact point goes on to another chart, a body lifts off or lands, bodies bounce.

use super::events::{ON_BORDER, RollingEvent};
use super::frame::Frame;
use super::kinematics::{ContactFrames, velocities};
use super::rigid_contact::{ClosingContact, Mode, RigidContact, atlas};
use super::{ContactChange, Rolling, report};
use crate::error::{DynamicsError, Result};
use crate::model::{BodyId, PartId, PartPair};
use rattleback_geom::chart::Place;
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::{Mat3, Pose, Vec2, Vec3};

/// A point that moves by more than this share of its body as it goes on has hopped over a vertex, by 1e-8 of an edge or
/// so; over a border it stays where it is but for rounding.
const HOP: f64 = 1e-13;

/// Borders that a point may cross at one instant: more than meet in any corner.
const MAX_BORDERS: usize = 64;

impl Rolling<'_> {
    /// Lets events take effect; `pairs` are those that the scouts have watched. Time goes on to `end` at most.
    pub(super) fn take_effect(
        &mut self,
        fired: &[RollingEvent],
        pairs: Vec<PartPair>,
        end: f64,
    ) -> Result<Vec<ContactChange>> {
        let mut contact_changes = Vec::new();
        let mut meetings = Vec::new();
        // Numbers change as contacts end.
        let named = fired.iter().map(|event| (*event, event.contact().and_then(|number| self.name(number))));
        for (event, name) in named.collect::<Vec<_>>() {
            if let RollingEvent::Meet(pair) = event {
                meetings.push(pairs[pair]);
            }
            let Some(number) = name.and_then(|name| self.rigid_contacts().number(name)) else { continue };
            match event {
                RollingEvent::Border(_, side) => self.cross(number, side, end)?,
                RollingEvent::LiftOff(_) | RollingEvent::Conform(_) => {
                    contact_changes.push(self.lift_off(number)?)
                }
                RollingEvent::Slip(_) => {
                    self.slip(number)?;
                }
                RollingEvent::Stick(_) => self.hold(number, self.sticking_mode(number))?,
                RollingEvent::Spin(_) => self.set_mode(number, Mode::Rolling),
                RollingEvent::Still(_) => self.hold(number, Mode::Spinless)?,
                RollingEvent::Armed(_) | RollingEvent::Grain | RollingEvent::Meet(_) => {}
            }
        }
        if !meetings.is_empty() {
            contact_changes.append(&mut self.meet(&meetings)?);
        }
        self.active_contacts = report::active_contacts(self.model, &self.state)?;
        if contact_changes.is_empty() {
            contact_changes.push(ContactChange::Changed);
        }
        Ok(contact_changes)
    }

    /// Takes the point of a contact over the border of a chart of its body (side 0) or of its carrier (side 1).
    fn cross(&mut self, number: usize, side: usize, end: f64) -> Result<()> {
        for _ in 0..MAX_BORDERS {
            let Some(rigid_contact) = self.rigid_contact(number) else { return Ok(()) };
            let owner = self.owner(number);
            let part = rigid_contact.parts(owner)[side];
            let assembly = self.assembly()?;
            let Some(touching) = &assembly.touching[number] else { return Ok(()) };
            let rates = touching.point_rates.rates[side];
            let charts = atlas(self.model, part)?;
            let Some(next) = charts.onward(&rigid_contact.places[side], &rates)? else {
                let what = format!("part {} of body {}", part.index + 1, self.model.body(part.body).name);
                let reason =
                    format!("its surface ends where the contact point comes at t = {}", self.state.time);
                return Err(DynamicsError::Invalid { what, reason });
            };
            let (other, old) = (touching.point_rates.rates[1 - side], touching.axes);
            let mut places = rigid_contact.places;
            places[side] = next;
            let passed = self.time_over(part, &rigid_contact.places[side], &next, &rates)?;
            // What closes a loop has its other point from the bodies as the tree places them.
            if passed > 0.0 && number == owner.0 {
                places[1 - side] = self.pass(owner.0, &rigid_contact, 1 - side, &other, passed)?;
                let later = self.state.time + passed;
                self.state.time = if later < end { later } else { self.state.time };
            }
            let rigid_contact = self.rigid_contact_at(owner, &rigid_contact, places, |frame: &Mat3| {
                let turned = frame.transpose() * old;
                let w = &rigid_contact.velocities;
                velocities(&(turned * Vec3::new(w[0], w[1], w[2])), &(turned * Vec3::new(w[3], w[4], 0.0)))
            })?;
            self.set_rigid_contact(number, Some(rigid_contact));
            if charts.inside(&next) >= 0.0 {
                break;
            }
        }
        Ok(())
    }

    /// Takes the points of all contacts of a system with loops that are beyond a border over it: closing a loop moves
    /// points by rounding after the event.
    pub(super) fn cross_borders(&mut self, end: f64) -> Result<()> {
        if self.state.closing_contacts.is_empty() {
            return Ok(());
        }
        let numbers: Vec<usize> = self.rigid_contacts().iter().map(|(number, ..)| number).collect();
        for (number, side) in numbers.into_iter().flat_map(|number| [(number, 0), (number, 1)]) {
            let Some(contact) = self.rigid_contact(number) else { continue };
            let part = contact.parts(self.owner(number))[side];
            if atlas(self.model, part)?.inside(&contact.places[side]) + ON_BORDER < 0.0 {
                self.cross(number, side, end)?;
            }
        }
        Ok(())
    }

    /// How long, in s, a point takes to the next place of its surface: nothing over a border, the way over a vertex or
    /// a pole about which there are no derivatives.
    fn time_over(&self, part: PartId, from: &Place, to: &Place, rates: &Vec2) -> Result<f64> {
        let charts = atlas(self.model, part)?;
        let (from, to) = (charts.jet(from)?, charts.jet(to)?);
        let (way, velocity) = (to.p - from.p, from.du * rates.x + from.dv * rates.y);
        let size = self.model.body(part.body).parts[part.index].shape.surface().bounds().extents().norm();
        let hops = way.norm() > HOP * size && velocity.norm() > 0.0;
        Ok(if hops { (way.dot(&velocity) / velocity.norm_squared()).max(0.0) } else { 0.0 })
    }

    /// Moves a body against its carrier for the time of a hop, and gives the place to which the point on one side
    /// comes. The others stand still meanwhile: they are late by 1e-8 of the time that a point takes along an edge.
    fn pass(
        &mut self,
        body: usize,
        rigid_contact: &RigidContact,
        side: usize,
        rates: &Vec2,
        time: f64,
    ) -> Result<Place> {
        let (own, carrier) = (self.state.motions[body], self.state.motions[rigid_contact.carrier.body.0]);
        let (twist, carried) = (own.twist(), carrier.twist());
        let velocity = twist.velocity - carried.at(&(own.pose.position - carrier.pose.position));
        let turn =
            UnitQuaternion::from_scaled_axis((twist.angular_velocity - carried.angular_velocity) * time);
        let pose = &mut self.state.motions[body].pose;
        *pose = Pose::new(pose.position + velocity * time, turn * pose.orientation);
        let charts =
            atlas(self.model, [PartId::new(BodyId(body), rigid_contact.part), rigid_contact.carrier][side])?;
        let place = &rigid_contact.places[side];
        let place = Place { u: place.u + rates.x * time, v: place.v + rates.y * time, ..*place };
        let left = charts.inside(&place) <= 0.0;
        Ok(if left { charts.onward(&place, rates)?.unwrap_or(place) } else { place })
    }

    /// A rigid contact at other places, with the angle at which the bodies are; `velocities` follow from the axes of
    /// the body's contact frame in the world.
    pub(super) fn rigid_contact_at(
        &self,
        body: BodyId,
        rigid_contact: &RigidContact,
        places: [Place; 2],
        velocities: impl Fn(&Mat3) -> super::Velocities,
    ) -> Result<RigidContact> {
        let axes = |part: PartId, place: &Place| -> Result<Mat3> {
            let frame = Frame::new(&atlas(self.model, part)?.jet(place)?);
            let pose = self.state.motions[part.body.0]
                .pose
                .compose(&self.model.body(part.body).parts[part.index].pose);
            Ok(pose.rotation() * frame.axes)
        };
        let own = axes(PartId::new(body, rigid_contact.part), &places[0])?;
        let angle = ContactFrames::angle_between(&own, &axes(rigid_contact.carrier, &places[1])?);
        Ok(RigidContact { places, angle, velocities: velocities(&own), ..*rigid_contact })
    }

    /// Ends a rigid contact; the bodies go on with the motions they have. Where another contact of the body is at hand,
    /// it becomes that of the tree.
    pub(super) fn lift_off(&mut self, number: usize) -> Result<ContactChange> {
        let (Some(rigid_contact), owner) = (self.rigid_contact(number), self.owner(number)) else {
            return Ok(ContactChange::Changed);
        };
        self.set_rigid_contact(number, None);
        if number == owner.0 {
            self.promote(owner);
        }
        let pair = rigid_contact.pair(owner);
        let memory = self.state.pairs.entry(pair);
        memory.contact = None;
        memory.ledger.close();
        self.active_contacts = report::active_contacts(self.model, &self.state)?;
        Ok(ContactChange::LiftedOff(pair))
    }

    /// Makes a closing contact that of the tree for a body that has none.
    fn promote(&mut self, body: BodyId) {
        let Some(tree) = self.state.rigid_contacts.as_deref() else { return };
        let turned = |closing: &ClosingContact| {
            let other = closing.contact.carrier.body;
            let candidate = if closing.body == body {
                *closing
            } else if other == body {
                closing.reversed()
            } else {
                return None;
            };
            (!carries(tree, body.0, candidate.contact.carrier.body.0)).then_some(candidate)
        };
        let all = self.state.closing_contacts.iter().enumerate();
        let Some((k, found)) = all.into_iter().find_map(|(k, closing)| Some((k, turned(closing)?))) else {
            return;
        };
        self.state.closing_contacts.remove(k);
        self.set_rigid_contact(body.0, Some(found.contact));
    }
}

/// Whether `carrier` carries `body`, directly or through others.
pub(super) fn carries(rigid_contacts: &[Option<RigidContact>], carrier: usize, body: usize) -> bool {
    let mut below = Some(body);
    while let Some(now) = below {
        if now == carrier {
            return true;
        }
        below = rigid_contacts[now].map(|rigid_contact| rigid_contact.carrier.body.0);
    }
    false
}
