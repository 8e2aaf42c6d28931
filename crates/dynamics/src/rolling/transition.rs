//! What happens at an event: the contact point goes on to another chart, a body rises or sits down, bodies bounce.

use super::frame::Frame;
use super::impact::{self, Impact, Law};
use super::kinematics::{Meeting, velocities};
use super::modes::may_slip;
use super::scout::Found;
use super::seat::{Mode, Seat, atlas};
use super::watch::{FLAT, Watched};
use super::{Rolling, Told, report};
use crate::body::Motion;
use crate::error::{DynamicsError, Result};
use crate::model::{BodyId, PairId, PartId, PartPair};
use crate::state::State;
use rattleback_contact::law::ContactState;
use rattleback_geom::chart::Place;
use rattleback_geom::{Mat3, Vec3};

/// Bodies that touch in several places and move no faster than this many speeds of settling are at rest.
const QUIET: f64 = 5.0;
/// Borders that a point may cross at one instant: more than meet in any corner.
const MOST_BORDERS: usize = 64;

impl Rolling<'_> {
    /// Lets events take effect; `pairs` are those that the scouts have watched.
    pub(super) fn take_effect(&mut self, fired: &[Watched], pairs: Vec<PartPair>) -> Result<Vec<Told>> {
        let mut told = Vec::new();
        let mut meetings = Vec::new();
        for event in fired {
            match *event {
                Watched::Border(body, side) => self.cross(body, side)?,
                Watched::LiftOff(body) | Watched::Conform(body) => told.push(self.rise(body)?),
                Watched::Slip(body) => {
                    self.slip(body)?;
                }
                Watched::Stick(body) => self.hold(body, Mode::Rolling)?,
                Watched::Spin(body) => self.set_mode(body, Mode::Rolling),
                Watched::Still(body) => self.hold(body, Mode::Spinless)?,
                Watched::Armed(_) => {}
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
    fn cross(&mut self, body: usize, side: usize) -> Result<()> {
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
            let mut places = seat.places;
            places[side] = next;
            let old = touching.axes;
            let seat = self.seated(body, &seat, places, |frame: &Mat3| {
                let turned = frame.transpose() * old;
                let w = &seat.velocities;
                velocities(&(turned * Vec3::new(w[0], w[1], w[2])), &(turned * Vec3::new(w[3], w[4], 0.0)))
            })?;
            let again = next == seat.places[side] && charts.inside(&next) < 0.0;
            self.set_seat(body, Some(seat));
            if !again {
                break;
            }
        }
        Ok(())
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
        let memory = self.state.pairs.entry(pair).or_default();
        memory.contact = None;
        memory.ledger.close();
        self.pressed = report::pressed(self.model, &self.state)?;
        Ok(Told::Rose(pair))
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

    /// Lets bodies bounce that meet, and seats those that part no faster than settling allows.
    fn meet(&mut self, pairs: &[PartPair]) -> Result<Vec<Told>> {
        let mut found = Vec::new();
        for pair in pairs {
            found.append(&mut self.touching(pair)?);
        }
        let seats = self.involved(pairs);
        let mut impacts: Vec<Impact> = Vec::new();
        for &body in &seats {
            impacts.extend(self.impact_of(body)?);
        }
        let old = impacts.len();
        impacts.extend(found.iter().map(|found| found.impact));
        let before = self.state.clone();
        let mut lost = vec![0.0; impacts.len()];
        let law = Law { tangential: self.settings.tangential_restitution, settle: self.settings.settle };
        impact::resolve(self.model, &mut self.state.motions, &impacts, &law, &mut lost)?;
        for (impact, lost) in impacts.iter().zip(&lost) {
            self.state.pairs.entry(impact.pair.id()).or_default().ledger.damped += lost;
        }
        let mut told = Vec::new();
        for (&body, impact) in seats.iter().zip(&impacts[..old]) {
            told.extend(self.keep_or_rise(body, impact)?);
        }
        let mut stuck = Vec::new();
        for found in &found {
            if found.impact.gap_rate(&self.state.motions) > self.settings.settle {
                told.push(bounced(&before, &found.impact));
            } else if let Some(pair) = self.sit(found)? {
                told.push(Told::Sat(pair));
            } else {
                stuck.push(found.impact);
                told.push(bounced(&before, &found.impact));
            }
        }
        if !stuck.is_empty() {
            told.append(&mut self.part(&stuck, pairs)?);
        }
        Ok(told)
    }

    /// Parts bodies that touch where they cannot sit, at the speed of settling; those at rest hop in place. The energy that
    /// this brings is booked.
    fn part(&mut self, stuck: &[Impact], pairs: &[PartPair]) -> Result<Vec<Told>> {
        let seats = self.involved(pairs);
        let mut impacts: Vec<Impact> = Vec::new();
        for &body in &seats {
            impacts.extend(self.impact_of(body)?);
        }
        let mut lost = vec![0.0; impacts.len()];
        for impact in stuck {
            let settle = self.settings.settle;
            let brought = match self.resting(impact) {
                Some(body) => impact.hop(self.model, &mut self.state.motions, body, settle),
                None => impact.part(self.model, &mut self.state.motions, settle),
            };
            self.state.pairs.entry(impact.pair.id()).or_default().ledger.damped -= brought;
        }
        let law = Law { tangential: 0.0, settle: f64::INFINITY };
        impact::resolve(self.model, &mut self.state.motions, &impacts, &law, &mut lost)?;
        let mut told = Vec::new();
        for ((&body, impact), lost) in seats.iter().zip(&impacts).zip(lost) {
            self.state.pairs.entry(impact.pair.id()).or_default().ledger.damped += lost;
            told.extend(self.keep_or_rise(body, impact)?);
        }
        Ok(told)
    }

    /// The body of an impact that flies and has come to rest against the other one, but for speeds of settling.
    fn resting(&self, impact: &Impact) -> Option<BodyId> {
        let (motions, pair) = (&self.state.motions, &impact.pair);
        let slow = QUIET * self.settings.settle;
        let turning = impact.turning(motions) * self.lookout.size(pair);
        let flies = |body: &BodyId| self.model.body(*body).is_free() && self.seat(body.0).is_none();
        let body = [pair.b.0, pair.a.0].into_iter().find(flies)?;
        (turning < slow && impact.velocity(motions).norm() < slow).then_some(body)
    }

    /// The places where a pair touches, but for that where it is seated.
    fn touching(&self, pair: &PartPair) -> Result<Vec<Found>> {
        let close = 2.0 * self.lookout.slop(pair);
        let mut found = self.lookout.find(pair, &self.state.motions, self.lookout.reach(pair))?;
        let mut seated = None;
        for body in [pair.a.0, pair.b.0] {
            if self.seat(body.0).is_some_and(|seat| seat.pair(body) == pair.id()) {
                seated = self.impact_of(body.0)?;
            }
        }
        found.retain(|found| {
            let other = |seat: &Impact| (seat.point - found.impact.point).norm() > self.lookout.same(pair);
            found.gap <= close && seated.as_ref().is_none_or(other)
        });
        Ok(found)
    }

    /// The bodies on seats that hang together with those of the given pairs.
    fn involved(&self, pairs: &[PartPair]) -> Vec<usize> {
        let seats = self.state.seats.as_deref().unwrap_or_default();
        let mut touched = vec![false; seats.len()];
        for pair in pairs {
            touched[pair.a.0.0] = true;
            touched[pair.b.0.0] = true;
        }
        loop {
            let mut grown = false;
            for (body, seat) in seats.iter().enumerate() {
                let Some(seat) = seat else { continue };
                let carrier = seat.carrier.0.0;
                let linked =
                    touched[body] || (touched[carrier] && self.model.body(BodyId(carrier)).is_free());
                if linked && !(touched[body] && touched[carrier]) {
                    touched[body] = true;
                    touched[carrier] |= self.model.body(BodyId(carrier)).is_free();
                    grown |= self.model.body(BodyId(carrier)).is_free();
                }
            }
            if !grown {
                break;
            }
        }
        (0..seats.len()).filter(|&body| seats[body].is_some() && touched[body]).collect()
    }

    /// The contact of a seat as a place where bodies may bounce.
    fn impact_of(&self, body: usize) -> Result<Option<Impact>> {
        let Some(seat) = self.seat(body) else { return Ok(None) };
        let assembly = self.assembly()?;
        let (Some(touching), Some(pair)) =
            (&assembly.touching[body], self.model.pair(seat.pair(BodyId(body))))
        else {
            return Ok(None);
        };
        let outward: Vec3 = touching.axes.column(2).into();
        let normal = if pair.a.0 == BodyId(body) { outward } else { -outward };
        Ok(Some(Impact { pair, point: touching.point, normal }))
    }

    /// After an impact elsewhere a seat is kept with the new motion, or left.
    fn keep_or_rise(&mut self, body: usize, impact: &Impact) -> Result<Option<Told>> {
        let Some(seat) = self.seat(body) else { return Ok(None) };
        if impact.gap_rate(&self.state.motions) > self.settings.settle {
            return self.rise(body).map(Some);
        }
        let kept = self.moving(body, &seat, seat.places, &impact.point)?;
        self.place_on(body, kept)?;
        Ok(None)
    }

    /// A seat at the given places with the velocities that the bodies have at a point.
    fn moving(&self, body: usize, seat: &Seat, places: [Place; 2], point: &Vec3) -> Result<Seat> {
        let twist = |body: usize| self.state.motions[body].twist();
        let (own, other) = (twist(body), twist(seat.carrier.0.0));
        let arm = |body: usize| point - self.state.motions[body].pose.position;
        let slip = own.at(&arm(body)) - other.at(&arm(seat.carrier.0.0));
        let spin = own.spin - other.spin;
        self.seated(body, seat, places, |axes| velocities(&axes.tr_mul(&spin), &axes.tr_mul(&slip)))
    }

    /// Puts a body on a seat: its motion becomes that of the seat, and what this takes of its energy is booked.
    fn place_on(&mut self, body: usize, seat: Seat) -> Result<()> {
        let kinetic = |motions: &[Motion], run: &Self| {
            crate::measure::kinetic_energy(run.model, motions)
                + crate::measure::gravitational_energy(run.model, motions)
        };
        let before = kinetic(&self.state.motions, self);
        let wanted = seat.mode;
        self.set_seat(body, Some(Seat { mode: Mode::Sliding, ..seat }));
        self.state.motions = self.assembly()?.motions;
        let lost = before - kinetic(&self.state.motions, self);
        self.state.pairs.entry(seat.pair(BodyId(body))).or_default().ledger.damped += lost;
        let slip = seat.velocities[3].hypot(seat.velocities[4]);
        let grip = self.model.pair(seat.pair(BodyId(body))).map(|pair| pair.law.grip());
        if grip.is_some_and(|grip| !may_slip(&grip) || (slip <= self.settings.stick && grip.sticking > 0.0)) {
            self.hold(body, if wanted == Mode::Sliding { Mode::Rolling } else { wanted })?;
        }
        Ok(())
    }

    /// Puts a body on another at the place that was found, the gap closed; which of them is carried follows from who is
    /// free. None where that would close a loop, or the surfaces touch along a line.
    fn sit(&mut self, found: &Found) -> Result<Option<PairId>> {
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
        let speed = (-found.impact.gap_rate(&self.state.motions)).max(0.0);
        let seat = self.moving(body, &seat, places, &found.impact.point)?;
        if self.meeting(body, &seat)?.pointedness() < 2.0 * FLAT {
            return Ok(None);
        }
        self.place_on(body, seat)?;
        let memory = self.state.pairs.entry(pair.id()).or_default();
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

/// A bounce, with the state in which the bodies touched.
fn bounced(before: &State, impact: &Impact) -> Told {
    let (mut touched, pair) = (before.clone(), impact.pair.id());
    let memory = touched.pairs.entry(pair).or_default();
    let approach_speed = (-impact.gap_rate(&before.motions)).max(0.0);
    memory.contact = Some(ContactState { approach_speed, bristle: Vec3::zeros() });
    memory.since = touched.time;
    Told::Bounced(Box::new(touched), pair)
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
