//! What happens at an event: the contact point goes on to another chart, a body lifts off or lands, bodies bounce.

use super::events::{FLAT, RollingEvent};
use super::frame::Frame;
use super::gap_scan::NearPlace;
use super::kinematics::{ContactFrames, velocities};
use super::modes::{may_slip, shared_lever};
use super::rigid_contact::{Mode, RigidContact, atlas};
use super::{ContactChange, Rolling, report};
use crate::body::Motion;
use crate::error::{DynamicsError, Result};
use crate::model::{BodyId, PairId, PartId, PartPair};
use rattleback_contact::law::ContactState;
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
        for event in fired {
            match *event {
                RollingEvent::Border(body, side) => self.cross(body, side, end)?,
                RollingEvent::LiftOff(body) | RollingEvent::Conform(body) => {
                    contact_changes.push(self.lift_off(body)?)
                }
                RollingEvent::Slip(body) => {
                    self.slip(body)?;
                }
                RollingEvent::Stick(body) => self.hold(body, self.sticking_mode(body))?,
                RollingEvent::Spin(body) => self.set_mode(body, Mode::Rolling),
                RollingEvent::Still(body) => self.hold(body, Mode::Spinless)?,
                RollingEvent::Armed(_) | RollingEvent::Grain => {}
                RollingEvent::Meet(pair) => meetings.push(pairs[pair]),
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

    /// Takes the contact point of a body over the border of a chart of its own (side 0) or of its carrier (side 1).
    fn cross(&mut self, body: usize, side: usize, end: f64) -> Result<()> {
        for _ in 0..MAX_BORDERS {
            let Some(rigid_contact) = self.rigid_contact(body) else { return Ok(()) };
            let part = [PartId::new(BodyId(body), rigid_contact.part), rigid_contact.carrier][side];
            let assembly = self.assembly()?;
            let Some(touching) = &assembly.touching[body] else { return Ok(()) };
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
            if passed > 0.0 {
                places[1 - side] = self.pass(body, &rigid_contact, 1 - side, &other, passed)?;
                let later = self.state.time + passed;
                self.state.time = if later < end { later } else { self.state.time };
            }
            let rigid_contact = self.rigid_contact_at(body, &rigid_contact, places, |frame: &Mat3| {
                let turned = frame.transpose() * old;
                let w = &rigid_contact.velocities;
                velocities(&(turned * Vec3::new(w[0], w[1], w[2])), &(turned * Vec3::new(w[3], w[4], 0.0)))
            })?;
            self.set_rigid_contact(body, Some(rigid_contact));
            if charts.inside(&next) >= 0.0 {
                break;
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
    fn rigid_contact_at(
        &self,
        body: usize,
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
        let own = axes(PartId::new(BodyId(body), rigid_contact.part), &places[0])?;
        let angle = ContactFrames::angle_between(&own, &axes(rigid_contact.carrier, &places[1])?);
        Ok(RigidContact { places, angle, velocities: velocities(&own), ..*rigid_contact })
    }

    /// Ends the rigid contact of a body, which flies on with the motion it has.
    pub(super) fn lift_off(&mut self, body: usize) -> Result<ContactChange> {
        let rigid_contact =
            self.state.rigid_contacts.as_mut().and_then(|rigid_contacts| rigid_contacts[body].take());
        let Some(rigid_contact) = rigid_contact else { return Ok(ContactChange::Changed) };
        let pair = rigid_contact.pair(BodyId(body));
        let memory = self.state.pairs.entry(pair);
        memory.contact = None;
        memory.ledger.close();
        self.active_contacts = report::active_contacts(self.model, &self.state)?;
        Ok(ContactChange::LiftedOff(pair))
    }

    /// Finds the rigid contacts of the first state.
    pub(super) fn begin(&mut self) -> Result<()> {
        self.state.rigid_contacts = Some(vec![None; self.model.bodies().len()]);
        for pair in self.pair_trees.pairs().to_vec() {
            let motions = self.state.motions.clone();
            let reach = self.settings.touching;
            let found = self.pair_trees.find(&pair, &motions, reach)?.into_iter().find(|found| {
                let rate = found.impact.gap_rate(&motions);
                found.gap.abs() <= reach && rate.abs() <= self.settings.settle
            });
            if let Some(found) = found {
                self.attach(&found)?;
            }
        }
        Ok(())
    }

    /// A rigid contact at the given places with the velocities that the bodies have at a point.
    pub(super) fn moving(
        &self,
        body: usize,
        rigid_contact: &RigidContact,
        places: [Place; 2],
        point: &Vec3,
    ) -> Result<RigidContact> {
        let twist = |body: usize| self.state.motions[body].twist();
        let (own, other) = (twist(body), twist(rigid_contact.carrier.body.0));
        let arm = |body: usize| point - self.state.motions[body].pose.position;
        let slip = own.at(&arm(body)) - other.at(&arm(rigid_contact.carrier.body.0));
        let angular_velocity = own.angular_velocity - other.angular_velocity;
        self.rigid_contact_at(body, rigid_contact, places, |axes| {
            velocities(&axes.tr_mul(&angular_velocity), &axes.tr_mul(&slip))
        })
    }

    /// Gives a body a rigid contact: its motion becomes that of the contact; the energy lost is booked.
    pub(super) fn place_on(&mut self, body: usize, rigid_contact: RigidContact) -> Result<()> {
        let kinetic = |motions: &[Motion], run: &Self| -> Result<f64> {
            Ok(crate::measure::kinetic_energy(run.model, motions)?
                + crate::measure::gravitational_energy(run.model, motions)?)
        };
        let before = kinetic(&self.state.motions, self)?;
        self.set_rigid_contact(body, Some(RigidContact { mode: Mode::Sliding, ..rigid_contact }));
        self.state.motions = self.assembly()?.motions;
        let lost = before - kinetic(&self.state.motions, self)?;
        self.state.pairs.entry(rigid_contact.pair(BodyId(body))).ledger.damped += lost;
        let rigid_friction =
            self.model.pair(rigid_contact.pair(BodyId(body))).map(|pair| pair.law.rigid_friction());
        if rigid_friction.is_some_and(|rigid_friction| {
            let w = &rigid_contact.velocities;
            let slip = w[3].hypot(w[4]).hypot(shared_lever(&rigid_friction) * w[2]);
            !may_slip(&rigid_friction) || (slip <= self.settings.stick && rigid_friction.sticking > 0.0)
        }) {
            self.hold(body, self.sticking_mode(body))?;
        }
        Ok(())
    }

    /// The mode of a body that does not slip: without spin where slip and spin share the friction, or where the contact
    /// resists spinning and there is next to none.
    fn sticking_mode(&self, body: usize) -> Mode {
        let Some(rigid_contact) = self.rigid_contact(body) else { return Mode::Rolling };
        let Some(law) =
            self.model.pair(rigid_contact.pair(BodyId(body))).map(|pair| pair.law.rigid_friction())
        else {
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

    /// Puts a body on another at the place that was found, the gap closed; which of them is carried follows from who is
    /// free. None where that would close a loop, or the surfaces touch along a line.
    pub(super) fn attach(&mut self, found: &NearPlace) -> Result<Option<PairId>> {
        let pair = found.impact.pair;
        let Some((body, own_first)) = self.free_side(&pair) else { return Ok(None) };
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
        };
        debug_assert_eq!(own.0, body);
        if self.contact_frames(body, &rigid_contact)?.pointedness() < 2.0 * FLAT {
            return Ok(None);
        }
        let speed = (-found.impact.gap_rate(&self.state.motions)).max(0.0);
        // The rest of the rebound is taken by an impulse: so no energy is gained.
        let brought = found.impact.separate(self.model, &mut self.state.motions, 0.0);
        self.state.pairs.entry(pair.id()).ledger.damped -= brought;
        let rigid_contact = self.moving(body, &rigid_contact, places, &found.impact.point)?;
        self.place_on(body, rigid_contact)?;
        let memory = self.state.pairs.entry(pair.id());
        memory.contact = Some(ContactState { approach_speed: speed, bristle: Vec3::zeros() });
        memory.start_time = self.state.time;
        Ok(Some(pair.id()))
    }

    /// The contact frames of a seat.
    fn contact_frames(&self, body: usize, rigid_contact: &RigidContact) -> Result<ContactFrames> {
        let frame = |part: PartId, place: &Place| -> Result<Frame> {
            Ok(Frame::new(&atlas(self.model, part)?.jet(place)?))
        };
        let frames = [
            frame(PartId::new(BodyId(body), rigid_contact.part), &rigid_contact.places[0])?,
            frame(rigid_contact.carrier, &rigid_contact.places[1])?,
        ];
        Ok(ContactFrames { frames, angle: rigid_contact.angle })
    }

    /// The body of a pair that can be put on the other one, and whether it is the first.
    fn free_side(&self, pair: &PartPair) -> Option<(usize, bool)> {
        let rigid_contacts = self.state.rigid_contacts.as_deref()?;
        let root = |body: BodyId| self.model.body(body).is_free() && rigid_contacts[body.0].is_none();
        // The one declared last rests on the one declared first, as a body on a table would be written.
        [(pair.b.body, pair.a.body, false), (pair.a.body, pair.b.body, true)]
            .into_iter()
            .find(|&(body, other, _)| root(body) && !carries(rigid_contacts, body.0, other.0))
            .map(|(body, _, own_first)| (body.0, own_first))
    }
}

/// Whether `carrier` carries `body`, directly or through others.
fn carries(rigid_contacts: &[Option<RigidContact>], carrier: usize, body: usize) -> bool {
    let mut below = Some(body);
    while let Some(now) = below {
        if now == carrier {
            return true;
        }
        below = rigid_contacts[now].map(|rigid_contact| rigid_contact.carrier.body.0);
    }
    false
}
