//! Bodies that meet: who takes part, how they bounce, and who stays together afterwards.

use super::impact::{self, Impact, Law};
use super::scout::{Found, seated};
use super::{Rolling, Told};
use crate::error::Result;
use crate::model::{BodyId, PartPair};
use crate::state::State;
use rattleback_contact::law::ContactState;
use rattleback_geom::Vec3;

/// Bodies that touch in several places and move no faster than this many speeds of settling are at rest.
const QUIET: f64 = 5.0;

impl Rolling<'_> {
    /// Lets bodies bounce that meet, and seats those that part no faster than settling allows.
    pub(super) fn meet(&mut self, pairs: &[PartPair]) -> Result<Vec<Told>> {
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
            self.state.pairs.entry(impact.pair.id()).ledger.damped += lost;
        }
        let mut told = Vec::new();
        for (&body, impact) in seats.iter().zip(&impacts[..old]) {
            told.extend(self.keep_or_rise(body, impact)?);
        }
        let mut stuck = Vec::new();
        let mut bounces: Vec<&Impact> = Vec::new();
        for found in &found {
            if found.impact.gap_rate(&self.state.motions) > self.settings.settle {
                bounces.push(&found.impact);
            } else if let Some(pair) = self.sit(found)? {
                told.push(Told::Landed(pair));
            } else {
                stuck.push(found.impact);
                bounces.push(&found.impact);
            }
        }
        // A pair that bounces in several places bounces once, and not at all while it sits in another.
        bounces.dedup_by_key(|impact| impact.pair.id());
        bounces.retain(|impact| !seated(self.seats(), &impact.pair));
        told.extend(bounces.into_iter().map(|impact| bounced(&before, impact)));
        if !stuck.is_empty() {
            told.append(&mut self.part(&stuck, pairs)?);
        }
        Ok(told)
    }

    /// Parts bodies that touch where they cannot sit, at the speed of settling; those at rest hop in place. The energy
    /// that this brings is booked.
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
            self.state.pairs.entry(impact.pair.id()).ledger.damped -= brought;
        }
        let law = Law { tangential: 0.0, settle: f64::INFINITY };
        impact::resolve(self.model, &mut self.state.motions, &impacts, &law, &mut lost)?;
        let mut told = Vec::new();
        for ((&body, impact), lost) in seats.iter().zip(&impacts).zip(lost) {
            self.state.pairs.entry(impact.pair.id()).ledger.damped += lost;
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
}

/// A bounce, with the state in which the bodies touched.
fn bounced(before: &State, impact: &Impact) -> Told {
    let (mut touched, pair) = (before.clone(), impact.pair.id());
    let memory = touched.pairs.entry(pair);
    let approach_speed = (-impact.gap_rate(&before.motions)).max(0.0);
    memory.contact = Some(ContactState { approach_speed, bristle: Vec3::zeros() });
    memory.since = touched.time;
    Told::Bounced(Box::new(touched), pair)
}
