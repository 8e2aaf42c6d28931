//! Contact laws: from overlap to force. Written once for every shape: a law sees numbers and returns the force with its
//! partial derivatives.
//!
//! | question | answered by |
//! |---|---|
//! | how hard do they push | `normal/mod.rs`, with the stiffness of `crate::material` |
//! | friction force | `friction/mod.rs` |
//! | what resists rolling and spinning | `resistance.rs` |
//! | where does it act | `Application` |
//! | what do overlaps in several regions exert | `RegionLaw` |
//! | what does the contact remember | `ContactState` |
//! | what is it for bodies that do not yield | `rigid_friction.rs` |
//! | how is it written down in one line | `compose.rs` |
//!
//! `ContactLaw` holds one of each; `crate::ContactForce` is what they make of a contact.

mod compose;
mod estimate;
pub mod friction;
pub mod normal;
mod resistance;
mod rigid_friction;

pub use compose::{hertz, spring, stiffness};
pub use estimate::{ContactEstimate, Pressed};
pub use resistance::{Resistance, ResistanceTorque};
pub use rigid_friction::RigidFriction;

use crate::error::{Result, check, positive};
use crate::material::{Material, Stiffness};
use friction::FrictionLaw;
use normal::NormalLaw;
use rattleback_geom::Vec3;

/// Where the force acts on the line between the touching points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Application {
    /// Halfway.
    HalfDepth,
    /// Nearer to the stiffer body, which yields less: Marques (46), by the Young's moduli of A and B.
    ByStiffness([f64; 2]),
}

impl Application {
    /// Shared by the stiffness of two materials.
    pub fn by_stiffness(a: &Material, b: &Material) -> Self {
        Self::ByStiffness([a.young(), b.young()])
    }

    /// The share σ of the way from A's point to B's.
    #[inline]
    pub fn share(&self) -> f64 {
        match *self {
            Self::HalfDepth => 0.5,
            Self::ByStiffness([a, b]) => b / (a + b),
        }
    }
}

/// What the overlap of two meshes, of boxes with true edges, or of a mesh and a half-space exerts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RegionLaw {
    /// The gradient of an energy of its thickness, where it has one; elsewhere as by `Depth`.
    #[default]
    Energy,
    /// K δⁿ of the depth δ along a normal, at four points that stand for its area: K is then the stiffness of corners
    /// and edges as well, and the force has no energy.
    Depth,
    /// One force at the centroid of the contour along the normal of the plane fitted to it, (20) to (28) of Dopico et
    /// al., K δⁿ of the greatest indentation δ of either body beyond that plane.
    ContactPlane,
}

/// What a contact remembers: set when it begins, kept while it lasts.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ContactState {
    /// The speed at which the bodies met, in m/s; the law's least speed where they met slower.
    pub approach_speed: f64,
    /// The bristle's stretch in world axes, in m.
    pub bristle: Vec3,
}

/// The laws of a contact between two materials.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactLaw {
    /// Where K comes from.
    pub(crate) stiffness: Stiffness,
    /// The normal law.
    pub(crate) normal: NormalLaw,
    /// The friction law.
    pub(crate) friction: FrictionLaw,
    /// Rolling and spinning resistance.
    pub(crate) resistance: Resistance,
    /// Where the force acts.
    pub(crate) application: Application,
    /// The least approach speed.
    pub(crate) least_speed: f64,
    /// What overlaps in regions exert.
    pub(crate) regions: RegionLaw,
}

impl ContactLaw {
    /// Bodies that meet slower than this, in m/s, are damped as if they met at it: the hysteresis laws divide by the
    /// approach speed.
    pub const LEAST_SPEED: f64 = 1e-3;

    /// A stiffness and a normal law; no friction, no resistance, the force at half depth.
    pub fn new(stiffness: Stiffness, normal: impl Into<NormalLaw>) -> Result<Self> {
        let normal = normal.into();
        if stiffness.is_hertz() {
            let n = normal.exponent();
            check("exponent", n, "1.5 where the stiffness is Hertz's", n == Stiffness::HERTZ_EXPONENT)?;
        }
        Ok(Self {
            stiffness,
            normal,
            friction: FrictionLaw::None,
            resistance: Resistance::NONE,
            application: Application::HalfDepth,
            least_speed: Self::LEAST_SPEED,
            regions: RegionLaw::Energy,
        })
    }

    /// The same with friction.
    #[must_use]
    pub fn with_friction(self, friction: impl Into<FrictionLaw>) -> Self {
        Self { friction: friction.into(), ..self }
    }

    /// The same with rolling and spinning resistance.
    #[must_use]
    pub fn with_resistance(self, resistance: Resistance) -> Self {
        Self { resistance, ..self }
    }

    /// The same with another place where the force acts.
    pub fn with_application(self, application: Application) -> Result<Self> {
        if let Application::ByStiffness([a, b]) = application {
            positive("young of A", a)?;
            positive("young of B", b)?;
        }
        Ok(Self { application, ..self })
    }

    /// The same with another least approach speed, in m/s.
    pub fn with_least_speed(self, least_speed: f64) -> Result<Self> {
        Ok(Self { least_speed: positive("least_speed", least_speed)?, ..self })
    }

    /// The same with other forces of contact regions.
    #[must_use]
    pub fn with_regions(self, regions: RegionLaw) -> Self {
        Self { regions, ..self }
    }

    /// What overlaps in regions exert.
    pub fn regions(&self) -> RegionLaw {
        self.regions
    }

    /// The share σ of the way from A's point to B's at which the force acts.
    #[inline]
    pub fn share(&self) -> f64 {
        self.application.share()
    }

    /// Whether its friction has a bristle in the contact's state.
    #[inline]
    pub fn has_bristle(&self) -> bool {
        matches!(self.friction, FrictionLaw::Bristle(_))
    }

    /// Whether it asks for the curvatures where the bodies touch.
    #[inline]
    pub fn asks_for_curvature(&self) -> bool {
        self.stiffness.is_hertz()
    }

    /// Whether it asks how the contact's normal and curvatures change: for a bristle that the tangent plane carries
    /// along, and for a stiffness that follows the curvatures.
    #[inline]
    pub fn asks_for_rates(&self) -> bool {
        self.has_bristle() || self.asks_for_curvature()
    }

    /// The law of a place that bears the given share of a contact: elastic forces and those of a bristle are so much
    /// smaller.
    #[must_use]
    pub fn of_share(self, share: f64) -> Self {
        Self { stiffness: self.stiffness.of_share(share), friction: self.friction.of_share(share), ..self }
    }

    /// The law of a place that bears the given share of a region with a potential K sⁿ⁺¹/(n + 1), whose depth s grows
    /// by `stretch` times the approach of the bodies: as a law of the depth s/stretch it is so much stiffer that it
    /// stores the same. Friction does not know of the stretch.
    #[must_use]
    pub fn of_potential(self, stretch: f64, share: f64) -> Self {
        let stiffness = self.stiffness.of_share(share * stretch.powf(self.exponent() + 1.0));
        Self { stiffness, friction: self.friction.of_share(share), ..self }
    }

    /// The exponent n of the normal law's elastic part.
    pub fn exponent(&self) -> f64 {
        self.normal.exponent()
    }

    /// The state of a contact that begins while the gap changes at `gap_rate` m/s.
    pub fn begin(&self, gap_rate: f64) -> Result<ContactState> {
        check("gap_rate", gap_rate, "finite", true)?;
        Ok(ContactState { approach_speed: (-gap_rate).max(self.least_speed), bristle: Vec3::zeros() })
    }
}
