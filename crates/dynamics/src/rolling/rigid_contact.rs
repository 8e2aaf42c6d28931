//! A rigid contact: a body that touches another, in contact coordinates. What is held of its five velocities is its
//! mode.
//!
//! | mode | held at zero | what friction does |
//! |---|---|---|
//! | sliding | nothing | μ_k N against the slip; without friction nothing |
//! | rolling | slip | whatever it takes, up to μ_s N |
//! | spinless | slip and spin about the normal | the same, and a torque up to b_s N |

use super::kinematics::Velocities;
use crate::error::{DynamicsError, Result};
use crate::model::{BodyId, Model, PairId, PartId};
use crate::state::State;
use rattleback_geom::chart::{Atlas, Place};

/// How a body moves on another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// It slips, with or without friction.
    Sliding,
    /// It rolls, and may spin about the normal.
    Rolling,
    /// It rolls and does not spin about the normal.
    Spinless,
}

impl Mode {
    /// The word for it in records.
    pub fn word(self) -> &'static str {
        match self {
            Self::Sliding => "sliding",
            Self::Rolling => "rolling",
            Self::Spinless => "spinless",
        }
    }

    /// Which of (ω_x, ω_y, ω_z, v_x, v_y) are held at zero.
    pub fn held(self) -> [bool; 5] {
        let rolls = self != Self::Sliding;
        [false, false, self == Self::Spinless, rolls, rolls]
    }
}

/// A body that touches another, which carries it.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct RigidContact {
    /// The part of the body itself that touches.
    pub part: usize,
    /// The part that it touches.
    pub carrier: PartId,
    /// Where: on the body itself, on its carrier.
    pub places: [Place; 2],
    /// ψ, the angle between the contact frames.
    pub angle: f64,
    /// The body's motion against its carrier.
    pub velocities: Velocities,
    /// What is held.
    pub mode: Mode,
    /// Its number among the contacts of the same two parts.
    #[serde(default)]
    pub region: usize,
}

impl RigidContact {
    /// The pair that touches, if the body is `body`.
    pub fn pair(&self, body: BodyId) -> PairId {
        let own = PartId::new(body, self.part);
        PairId::new(own.min(self.carrier), own.max(self.carrier), self.region)
    }

    /// The parts that touch, if the body is `body`: its own one, its carrier's.
    pub fn parts(&self, body: BodyId) -> [PartId; 2] {
        [PartId::new(body, self.part), self.carrier]
    }
}

/// A rigid contact beside those of the tree: it closes a loop, or joins two trees. Its places, angle and velocities
/// follow from the bodies' motions; they are kept to go on from (`closing.rs`).
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ClosingContact {
    /// The body that touches, which moves; the other one is the contact's carrier.
    pub body: BodyId,
    /// Its contact with the other one.
    pub contact: RigidContact,
}

impl ClosingContact {
    /// The same contact with the carrier in the place of the body. F_B = F_A R, and of B against A all velocities are
    /// opposite, in the axes of F_B: w′ = −R w.
    pub fn reversed(&self) -> Self {
        let RigidContact { part, carrier, places: [own, other], angle, velocities: w, .. } = self.contact;
        let (sin, cos) = angle.sin_cos();
        let turned = |x: f64, y: f64| [-(cos * x - sin * y), sin * x + cos * y];
        let ([wx, wy], [vx, vy]) = (turned(w[0], w[1]), turned(w[3], w[4]));
        let contact = RigidContact {
            part: carrier.index,
            carrier: PartId::new(self.body, part),
            places: [other, own],
            velocities: Velocities::new(wx, wy, w[2], vx, vy),
            ..self.contact
        };
        Self { body: carrier.body, contact }
    }
}

/// All rigid contacts of a state: those of the tree by their bodies, then those that close loops.
#[derive(Debug, Clone, Copy)]
pub struct ContactList<'a> {
    /// One entry per body.
    pub tree: &'a [Option<RigidContact>],
    /// The others.
    pub closing: &'a [ClosingContact],
}

impl<'a> ContactList<'a> {
    /// The contacts of a state; none before they are known.
    pub fn of(state: &'a State) -> Self {
        Self { tree: state.rigid_contacts.as_deref().unwrap_or_default(), closing: &state.closing_contacts }
    }

    /// Each contact with its number and the body that it is a contact of. Numbers of closing contacts follow those of
    /// the bodies.
    pub fn iter(self) -> impl Iterator<Item = (usize, BodyId, &'a RigidContact)> {
        let tree = self.tree.iter().enumerate();
        let tree = tree.filter_map(|(body, contact)| Some((body, BodyId(body), contact.as_ref()?)));
        let first = self.tree.len();
        let closing = self.closing.iter().enumerate();
        tree.chain(closing.map(move |(k, closing)| (first + k, closing.body, &closing.contact)))
    }

    /// A contact by its number, with its body.
    pub fn get(self, number: usize) -> Option<(BodyId, &'a RigidContact)> {
        match self.tree.get(number) {
            Some(contact) => Some((BodyId(number), contact.as_ref()?)),
            None => {
                self.closing.get(number - self.tree.len()).map(|closing| (closing.body, &closing.contact))
            }
        }
    }

    /// A contact by its number, as one that closes a loop.
    pub fn closing_form(self, number: usize) -> Option<ClosingContact> {
        self.get(number).map(|(body, contact)| ClosingContact { body, contact: *contact })
    }

    /// The number of the contact with a name.
    pub fn number(self, pair: PairId) -> Option<usize> {
        self.iter().find(|(_, body, contact)| contact.pair(*body) == pair).map(|(number, ..)| number)
    }

    /// The contacts of two parts with their numbers.
    pub fn of_parts(self, pair: PairId) -> impl Iterator<Item = (usize, BodyId, &'a RigidContact)> {
        self.iter().filter(move |(_, body, contact)| contact.pair(*body).parts() == pair.parts())
    }

    /// A number for another contact of two parts.
    pub fn free_region(self, pair: PairId) -> usize {
        let taken = |region: usize| self.of_parts(pair).any(|(.., contact)| contact.region == region);
        (0..).find(|&region| !taken(region)).unwrap_or_default()
    }
}

/// The charts of a part's surface.
pub fn atlas(model: &Model, PartId { body, index: part }: PartId) -> Result<&dyn Atlas> {
    let body = model.body(body);
    let surface = body.parts[part].shape.surface();
    surface.as_atlas().ok_or_else(|| DynamicsError::Invalid {
        what: format!("part {} of body {}", part + 1, body.name),
        reason: format!(
            "a {} has edges or no charts: nothing can roll on it in contact coordinates",
            surface.kind()
        ),
    })
}
