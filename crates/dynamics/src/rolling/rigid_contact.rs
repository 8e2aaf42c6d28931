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
}

impl RigidContact {
    /// The pair that touches, if the body is `body`.
    pub fn pair(&self, body: BodyId) -> PairId {
        let own = PartId::new(body, self.part);
        PairId::new(own.min(self.carrier), own.max(self.carrier), 0)
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
