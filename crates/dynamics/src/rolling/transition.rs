//! What happens at an event: the contact point goes on to another chart, a body rises or sits down, bodies bounce.

use super::frame::Frame;
use super::kinematics::{Meeting, velocities};
use super::modes::may_slip;
use super::scout::Found;
use super::seat::{Mode, Seat, atlas};
use super::watch::{FLAT, Watched};
use super::{Rolling, Told, report};
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
const MOST_BORDERS: usize = 64;

impl Rolling<'_> {
    /// Lets events take effect; `pairs` are those that the scouts have watched. Time goes on to `end` at most.
    pub(super) fn take_effect(
        &mut self,
        fired: &[Watched],
        pairs: Vec<PartPair>,
        end: f64,
    ) -> Result<Vec<Told>> {
        let mut told = Vec::new();
        let mut meetings = Vec::new();
        for event in fired {
            match *event {
                Watched::Border(body, side) => self.cross(body, side, end)?,
                Watched::LiftOff(body) | Watched::Conform(body) => told.push(self.rise(body)?),
                Watched::Slip(body) => {
                    self.slip(body)?;
                }
                Watched::Stick(body) => self.hold(body, self.sticking_mode(body))?,
                Watched::Spin(body) => self.set_mode(body, Mode::Rolling),
                Watched::Still(body) => self.hold(body, Mode::Spinless)?,
                Watched::Armed(_) | Watched::Grain => {}
                Watched::Meet(pair) => meetings.push(pairs[pair]),
            }
        }
        if !meetings.is_empty() {
            told.append(&mut self.meet(&meetings)?);
        }
        self.pressed = report::pressed(self.model, &self.state)?;
        if told.is_empty() {
            told.push(Told::Changed);
        }
        Ok(told)
    }

    /// Takes the contact point of a body over the border of a chart of its own (side 0) or of its carrier (side 1).
    fn cross(&mut self, body: usize, side: usize, end: f64) -> Result<()> {
        for _ in 0..MOST_BORDERS {
            let Some(seat) = self.seat(body) else { return Ok(()) };
            let part = [(BodyId(body), seat.part), seat.carrier][side];
            let assembly = self.assembly()?;
            let Some(touching) = &assembly.touching[body] else { return Ok(()) };
            let rates = touching.wandering.rates[side];
            let charts = atlas(self.model, part)?;
            let Some(next) = charts.onward(&seat.places[side], &rates)? else {
                let what = format!("part {} of body {}", part.1 + 1, self.model.body(part.0).name);
                let reason =
                    format!("its surface ends where the contact point comes at t = {}", self.state.time);
                return Err(DynamicsError::Invalid { what, reason });
            };
            let (other, old) = (touching.wandering.rates[1 - side], touching.axes);
            let mut places = seat.places;
            places[side] = next;
            let passed = self.time_over(part, &seat.places[side], &next, &rates)?;
            if passed > 0.0 {
                places[1 - side] = self.pass(body, &seat, 1 - side, &other, passed)?;
                let later = self.state.time + passed;
                self.state.time = if later < end { later } else { self.state.time };
            }
            let seat = self.seated(body, &seat, places, |frame: &Mat3| {
                let turned = frame.transpose() * old;
                let w = &seat.velocities;
                velocities(&(turned * Vec3::new(w[0], w[1], w[2])), &(turned * Vec3::new(w[3], w[4], 0.0)))
            })?;
            self.set_seat(body, Some(seat));
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
        let size = self.model.body(part.0).parts[part.1].shape.surface().bounds().extents().norm();
        let hops = way.norm() > HOP * size && velocity.norm() > 0.0;
        Ok(if hops { (way.dot(&velocity) / velocity.norm_squared()).max(0.0) } else { 0.0 })
    }

    /// Moves a body against its carrier for the time of a hop, and gives the place to which the point on one side
    /// comes. The others stand still meanwhile: they are late by 1e-8 of the time that a point takes along an edge.
    fn pass(&mut self, body: usize, seat: &Seat, side: usize, rates: &Vec2, time: f64) -> Result<Place> {
        let (own, carrier) = (self.state.motions[body], self.state.motions[seat.carrier.0.0]);
        let (twist, carried) = (own.twist(), carrier.twist());
        let velocity = twist.velocity - carried.at(&(own.pose.position - carrier.pose.position));
        let turn = UnitQuaternion::from_scaled_axis((twist.spin - carried.spin) * time);
        let pose = &mut self.state.motions[body].pose;
        *pose = Pose::new(pose.position + velocity * time, turn * pose.orientation);
        let charts = atlas(self.model, [(BodyId(body), seat.part), seat.carrier][side])?;
        let place = &seat.places[side];
        let place = Place { u: place.u + rates.x * time, v: place.v + rates.y * time, ..*place };
        let left = charts.inside(&place) <= 0.0;
        Ok(if left { charts.onward(&place, rates)?.unwrap_or(place) } else { place })
    }

    /// A seat at other places, with the angle at which the bodies are; `velocities` follow from the axes of the body's
    /// contact frame in the world.
    fn seated(
        &self,
        body: usize,
        seat: &Seat,
        places: [Place; 2],
        velocities: impl Fn(&Mat3) -> super::Velocities,
    ) -> Result<Seat> {
        let axes = |part: PartId, place: &Place| -> Result<Mat3> {
            let frame = Frame::new(&atlas(self.model, part)?.jet(place)?);
            let pose = self.state.motions[part.0.0].pose.compose(&self.model.body(part.0).parts[part.1].pose);
            Ok(pose.rotation() * frame.axes)
        };
        let own = axes((BodyId(body), seat.part), &places[0])?;
        let angle = Meeting::angle_between(&own, &axes(seat.carrier, &places[1])?);
        Ok(Seat { places, angle, velocities: velocities(&own), ..*seat })
    }

    /// Takes a body off its seat; it flies on with the motion it has.
    pub(super) fn rise(&mut self, body: usize) -> Result<Told> {
        let seat = self.state.seats.as_mut().and_then(|seats| seats[body].take());
        let Some(seat) = seat else { return Ok(Told::Changed) };
        let pair = seat.pair(BodyId(body));
        let memory = self.state.pairs.entry(pair);
        memory.contact = None;
        memory.ledger.close();
        self.pressed = report::pressed(self.model, &self.state)?;
        Ok(Told::LiftedOff(pair))
    }

    /// Finds the seats of the first state.
    pub(super) fn begin(&mut self) -> Result<()> {
        self.state.seats = Some(vec![None; self.model.bodies().len()]);
        for pair in self.lookout.pairs().to_vec() {
            let motions = self.state.motions.clone();
            let reach = self.settings.touching;
            let found = self.lookout.find(&pair, &motions, reach)?.into_iter().find(|found| {
                let rate = found.impact.gap_rate(&motions);
                found.gap.abs() <= reach && rate.abs() <= self.settings.settle
            });
            if let Some(found) = found {
                self.sit(&found)?;
            }
        }
        Ok(())
    }

    /// A seat at the given places with the velocities that the bodies have at a point.
    pub(super) fn moving(&self, body: usize, seat: &Seat, places: [Place; 2], point: &Vec3) -> Result<Seat> {
        let twist = |body: usize| self.state.motions[body].twist();
        let (own, other) = (twist(body), twist(seat.carrier.0.0));
        let arm = |body: usize| point - self.state.motions[body].pose.position;
        let slip = own.at(&arm(body)) - other.at(&arm(seat.carrier.0.0));
        let spin = own.spin - other.spin;
        self.seated(body, seat, places, |axes| velocities(&axes.tr_mul(&spin), &axes.tr_mul(&slip)))
    }

    /// Puts a body on a seat: its motion becomes that of the seat, and what this takes of its energy is booked.
    pub(super) fn place_on(&mut self, body: usize, seat: Seat) -> Result<()> {
        let kinetic = |motions: &[Motion], run: &Self| -> Result<f64> {
            Ok(crate::measure::kinetic_energy(run.model, motions)?
                + crate::measure::gravitational_energy(run.model, motions)?)
        };
        let before = kinetic(&self.state.motions, self)?;
        self.set_seat(body, Some(Seat { mode: Mode::Sliding, ..seat }));
        self.state.motions = self.assembly()?.motions;
        let lost = before - kinetic(&self.state.motions, self)?;
        self.state.pairs.entry(seat.pair(BodyId(body))).ledger.damped += lost;
        let slip = seat.velocities[3].hypot(seat.velocities[4]);
        let grip = self.model.pair(seat.pair(BodyId(body))).map(|pair| pair.law.grip());
        if grip.is_some_and(|grip| !may_slip(&grip) || (slip <= self.settings.stick && grip.sticking > 0.0)) {
            self.hold(body, self.sticking_mode(body))?;
        }
        Ok(())
    }

    /// The mode of a body that does not slip: without spin where the contact resists spinning and there is next to
    /// none.
    fn sticking_mode(&self, body: usize) -> Mode {
        let Some(seat) = self.seat(body) else { return Mode::Rolling };
        let resists = self
            .model
            .pair(seat.pair(BodyId(body)))
            .is_some_and(|p| p.law.grip().resistance.spinning() > 0.0);
        if resists && seat.velocities[2].abs() <= self.settings.still {
            Mode::Spinless
        } else {
            Mode::Rolling
        }
    }

    /// Puts a body on another at the place that was found, the gap closed; which of them is carried follows from who is
    /// free. None where that would close a loop, or the surfaces touch along a line.
    pub(super) fn sit(&mut self, found: &Found) -> Result<Option<PairId>> {
        let pair = found.impact.pair;
        let Some((body, own_first)) = self.free_side(&pair) else { return Ok(None) };
        let ((own, part), carrier) = if own_first { (pair.a, pair.b) } else { (pair.b, pair.a) };
        let places = if own_first { found.places } else { [found.places[1], found.places[0]] };
        let seat = Seat {
            part,
            carrier,
            places,
            angle: 0.0,
            velocities: super::Velocities::zeros(),
            mode: Mode::Sliding,
        };
        debug_assert_eq!(own.0, body);
        if self.meeting(body, &seat)?.pointedness() < 2.0 * FLAT {
            return Ok(None);
        }
        let speed = (-found.impact.gap_rate(&self.state.motions)).max(0.0);
        // The rest of the rebound is taken by an impulse: so no energy is gained.
        let brought = found.impact.part(self.model, &mut self.state.motions, 0.0);
        self.state.pairs.entry(pair.id()).ledger.damped -= brought;
        let seat = self.moving(body, &seat, places, &found.impact.point)?;
        self.place_on(body, seat)?;
        let memory = self.state.pairs.entry(pair.id());
        memory.contact = Some(ContactState { approach_speed: speed, bristle: Vec3::zeros() });
        memory.since = self.state.time;
        Ok(Some(pair.id()))
    }

    /// The contact frames of a seat.
    fn meeting(&self, body: usize, seat: &Seat) -> Result<Meeting> {
        let frame = |part: PartId, place: &Place| -> Result<Frame> {
            Ok(Frame::new(&atlas(self.model, part)?.jet(place)?))
        };
        let frames =
            [frame((BodyId(body), seat.part), &seat.places[0])?, frame(seat.carrier, &seat.places[1])?];
        Ok(Meeting { frames, angle: seat.angle })
    }

    /// The body of a pair that can be put on the other one, and whether it is the first.
    fn free_side(&self, pair: &PartPair) -> Option<(usize, bool)> {
        let seats = self.state.seats.as_deref()?;
        let root = |body: BodyId| self.model.body(body).is_free() && seats[body.0].is_none();
        // The one declared last sits on the one declared first, as a body on a table would be written.
        [(pair.b.0, pair.a.0, false), (pair.a.0, pair.b.0, true)]
            .into_iter()
            .find(|&(body, other, _)| root(body) && !carries(seats, body.0, other.0))
            .map(|(body, _, own_first)| (body.0, own_first))
    }
}

/// Whether `carrier` carries `body`, directly or through others.
fn carries(seats: &[Option<Seat>], carrier: usize, body: usize) -> bool {
    let mut below = Some(body);
    while let Some(now) = below {
        if now == carrier {
            return true;
        }
        below = seats[now].map(|seat| seat.carrier.0.0);
    }
    false
}
