//! What ends a segment: the functions of the state at whose zeros something changes.
//!
//! | event | function that falls to zero |
//! |---|---|
//! | the point reaches the border of a chart | `Atlas::inside` |
//! | the surface changes over a smaller or larger share of its chart | `Atlas::grain`, a quarter or four times that at first |
//! | the body lifts off | N |
//! | rolling turns into sliding | μ_s N − |f_t|; where slip and spin share the friction, √(f_t² + (τ_z/ρ)²) in place of |f_t| |
//! | sliding turns into rolling | |v| − the speed at which slip sticks; where they share it, √(v² + ρ²ω_z²) in place of |v| |
//! | spin is taken up | b_s N − |τ_z| |
//! | spin is held | |ω_z| − the rate at which spin sticks |
//! | the surfaces cease to touch in one point | least against largest relative curvature, less [`FLAT`] |
//! | others meet | their gap |
//!
//! Thresholds have hysteresis: slip that begins below the speed at which it sticks is held again when it falls to half
//! of what it was, until it has grown to twice that speed; so is spin.

use super::assembly::{Assembly, ContactKinematics};
use super::gap_scan::GapScan;
use super::layout::Layout;
use super::modes::{friction_left, holding_force, may_slip, shared_lever};
use super::rigid_contact::{Mode, RigidContact, atlas};
use crate::error::Result;
use crate::integrator::{Direction, Event};
use crate::model::{Model, PartId};
use rattleback_geom::chart::Atlas;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// What may happen; contacts by their numbers, which for contacts of the tree are their bodies'.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RollingEvent {
    /// The point of a body's contact reaches the border of a chart of the body (side 0) or of its carrier (side 1).
    Border(usize, usize),
    /// The point has come so much closer to, or away from, a point without derivatives that the accuracy of its
    /// parameters is chosen anew.
    Grain,
    /// A body lifts off.
    LiftOff(usize),
    /// A body begins to slip.
    Slip(usize),
    /// A body ceases to slip.
    Stick(usize),
    /// A body begins to spin about the normal.
    Spin(usize),
    /// A body ceases to spin about the normal.
    Still(usize),
    /// The slip or the spin of a body has grown to where it may stick again.
    Armed(usize),
    /// The surfaces of a body and its carrier cease to touch in a single point.
    Conform(usize),
    /// A pair of parts meets.
    Meet(usize),
}

impl RollingEvent {
    /// The number of the contact that it is of.
    pub fn contact(self) -> Option<usize> {
        match self {
            Self::Grain | Self::Meet(_) => None,
            Self::Border(number, _)
            | Self::LiftOff(number)
            | Self::Slip(number)
            | Self::Stick(number)
            | Self::Spin(number)
            | Self::Still(number)
            | Self::Armed(number)
            | Self::Conform(number) => Some(number),
        }
    }
}

/// The bodies at the last place that an event asked for.
#[derive(Debug)]
pub struct Probe<'a> {
    assembly: Assembly<'a>,
    /// That place, where the bodies are placed at one.
    time: Option<f64>,
    vector: Vec<f64>,
}

impl<'a> Probe<'a> {
    /// Nothing has been asked for yet.
    pub fn new(assembly: Assembly<'a>) -> Self {
        Self { assembly, time: None, vector: Vec::new() }
    }

    /// The bodies at a time and a vector.
    pub fn at(&mut self, t: f64, y: &[f64]) -> Result<&Assembly<'a>> {
        if self.time != Some(t) || self.vector != y {
            self.time = None;
            self.assembly.evaluate(t, y)?;
            self.time = Some(t);
            self.vector.clear();
            self.vector.extend_from_slice(y);
        }
        Ok(&self.assembly)
    }
}

/// Surfaces whose least relative curvature is a smaller share of the greatest than this touch along a line.
pub const FLAT: f64 = 2e-7;

/// How far beyond its border a chart is left, as `Atlas::inside` measures it: a few roundings of parameters, so that a
/// point that begins on the border has a sign and is not lost beyond it.
pub const ON_BORDER: f64 = 16.0 * f64::EPSILON;

/// Speeds at which motion sticks.
#[derive(Debug, Clone, Copy)]
pub struct Thresholds {
    /// Of slip, in m/s.
    pub slip: f64,
    /// Of spin about the normal, in rad/s.
    pub spin: f64,
}

/// All events of a segment, and what each of them is.
pub fn events<'e>(
    model: &'e Model,
    layout: &'e Layout,
    probe: &'e RefCell<Probe<'e>>,
    gap_scan: &'e RefCell<GapScan<'e>>,
    thresholds: &Thresholds,
    slip_groups: &'e BTreeMap<usize, Vec<usize>>,
) -> Result<(Vec<RollingEvent>, Vec<Event<'e>>)> {
    let mut list = EventList { probe, slip_groups, event_kinds: Vec::new(), events: Vec::new() };
    for (number, rigid_contact) in layout.rigid_contacts.iter().enumerate() {
        if let Some(rigid_contact) = rigid_contact {
            list.borders(model, number, rigid_contact.parts(layout.owner(number)), rigid_contact)?;
            list.contact(number, rigid_contact, thresholds);
        }
    }
    for pair in 0..gap_scan.borrow().pairs().len() {
        list.event_kinds.push(RollingEvent::Meet(pair));
        list.events.push(Event::new(Direction::Falling, move |t, y: &[f64]| {
            let mut probe = probe.borrow_mut();
            gap_scan.borrow_mut().gap(pair, t, probe.at(t, y)?)
        }));
    }
    Ok((list.event_kinds, list.events))
}

/// A rigid contact as the vector has it, where loops are closed.
fn placed(probe: &mut Probe<'_>, t: f64, y: &[f64], number: usize) -> Result<Option<RigidContact>> {
    if probe.assembly.layout.closes() {
        return Ok(probe.at(t, y)?.placed(number));
    }
    Ok(probe.assembly.layout.rigid_contact(y, number))
}

struct EventList<'e> {
    probe: &'e RefCell<Probe<'e>>,
    slip_groups: &'e BTreeMap<usize, Vec<usize>>,
    event_kinds: Vec<RollingEvent>,
    events: Vec<Event<'e>>,
}

impl<'e> EventList<'e> {
    fn push(&mut self, kind: RollingEvent, function: impl Fn(&Assembly<'e>) -> f64 + 'e) {
        let probe = self.probe;
        self.event_kinds.push(kind);
        self.events.push(Event::new(Direction::Falling, move |t, y: &[f64]| {
            Ok(function(probe.borrow_mut().at(t, y)?))
        }));
    }

    /// A speed that sticks at a threshold, or while it has not grown beyond it at half of what it is now.
    fn sticking(
        &mut self,
        kind: RollingEvent,
        threshold: f64,
        now: f64,
        speed: impl Fn(&Assembly<'e>) -> f64 + Copy + 'e,
    ) {
        let armed = now > 1.5 * threshold;
        let least = if armed { threshold } else { threshold.min(0.5 * now) };
        self.push(kind, move |a| speed(a) - least);
        if let (false, RollingEvent::Stick(body) | RollingEvent::Still(body)) = (armed, kind) {
            self.push(RollingEvent::Armed(body), move |a| 2.0 * threshold - speed(a));
        }
    }

    fn borders(
        &mut self,
        model: &'e Model,
        body: usize,
        parts: [PartId; 2],
        rigid_contact: &'e RigidContact,
    ) -> Result<()> {
        for (side, part) in parts.into_iter().enumerate() {
            let atlas = atlas(model, part)?;
            if atlas.inside(&rigid_contact.places[side]) == f64::INFINITY {
                continue;
            }
            let probe = self.probe;
            self.event_kinds.push(RollingEvent::Border(body, side));
            self.events.push(Event::new(Direction::Falling, move |t, y: &[f64]| {
                let rigid_contact = placed(&mut probe.borrow_mut(), t, y, body)?;
                Ok(rigid_contact.map_or(f64::INFINITY, |rigid_contact| {
                    atlas.inside(&rigid_contact.places[side]) + ON_BORDER
                }))
            }));
            let begun = atlas.grain(&rigid_contact.places[side]);
            let finer = 0.25 * begun;
            self.grain(atlas, [body, side], move |grain| grain - finer);
            if begun < 1.0 {
                let coarser = (4.0 * begun).min(1.0);
                self.grain(atlas, [body, side], move |grain| coarser - grain);
            }
        }
        Ok(())
    }

    fn grain(&mut self, atlas: &'e dyn Atlas, [body, side]: [usize; 2], function: impl Fn(f64) -> f64 + 'e) {
        let probe = self.probe;
        self.event_kinds.push(RollingEvent::Grain);
        self.events.push(Event::new(Direction::Falling, move |t, y: &[f64]| {
            let rigid_contact = placed(&mut probe.borrow_mut(), t, y, body)?;
            Ok(rigid_contact
                .map_or(f64::INFINITY, |rigid_contact| function(atlas.grain(&rigid_contact.places[side]))))
        }));
    }

    fn contact(&mut self, body: usize, rigid_contact: &RigidContact, thresholds: &Thresholds) {
        let rigid_friction = self.probe.borrow().assembly.rigid_friction(body).copied();
        let on = move |assembly: &Assembly<'e>, f: fn(&super::assembly::ContactKinematics) -> f64| {
            assembly.touching[body].as_ref().map_or(f64::INFINITY, f)
        };
        self.push(RollingEvent::LiftOff(body), move |a| on(a, |t| t.normal_force()));
        self.push(RollingEvent::Conform(body), move |a| on(a, |t| t.contact_frames.pointedness()) - FLAT);
        let Some(rigid_friction) = rigid_friction else { return };
        let spinning = rigid_friction.resistance.spinning();
        let lever = shared_lever(&rigid_friction);
        let w = &rigid_contact.velocities;
        let slip = w[3].hypot(w[4]).hypot(lever * w[2]);
        if rigid_contact.mode == Mode::Sliding {
            if rigid_friction.sticking > 0.0 {
                self.sticking(RollingEvent::Stick(body), thresholds.slip, slip, move |a| {
                    a.touching[body].as_ref().map_or(f64::INFINITY, |t| t.slip_with_spin(lever))
                });
            }
            return;
        }
        let sticking = rigid_friction.sticking;
        if may_slip(&rigid_friction) {
            match self.slip_groups.get(&body).cloned() {
                Some(group) => self.push(RollingEvent::Slip(body), move |a| friction_left(a, &group)),
                None => self.push(RollingEvent::Slip(body), move |a| {
                    let left =
                        |t| sticking * ContactKinematics::normal_force(t) - holding_force(t, &rigid_friction);
                    a.touching[body].as_ref().map_or(1.0, left)
                }),
            }
        }
        if lever > 0.0 {
            return;
        }
        if rigid_contact.mode == Mode::Spinless {
            self.push(RollingEvent::Spin(body), move |a| {
                a.touching[body].as_ref().map_or(1.0, |t| spinning * t.normal_force() - t.wrench[0].z.abs())
            });
        } else if spinning > 0.0 {
            let spin = rigid_contact.velocities[2].abs();
            self.sticking(RollingEvent::Still(body), thresholds.spin, spin, move |a| {
                on(a, |t| t.velocities[2].abs())
            });
        }
    }
}
