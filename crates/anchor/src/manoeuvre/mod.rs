//! The anchor manoeuvre: a windlass heaves an anchor up through the hawse pipe of a bow.
//!
//! | what | file |
//! |---|---|
//! | bow and anchor, generated or from meshes | `parts.rs` |
//! | how the chain lies at the start | `lead.rs` |
//! | which manoeuvres can be | `check.rs` |
//! | the model and its first state | `build.rs` |
//! | what is watched on the way | `watch.rs` |
//! | stowed, jammed or swinging | `verdict.rs` |
//!
//! Axes: those of the bow, x forward, y to port, z up, the mouth of the pipe at the origin. The chain leads from the
//! windlass down the pipe, over the lip and straight down to the anchor, which hangs from its shackle; or outboard of
//! straight down by as much as it takes for the anchor to be clear of the hull.

mod build;
mod check;
mod lead;
mod parts;
mod verdict;
mod watch;

pub use build::Rig;
pub use parts::{AnchorParts, Bow};
pub use verdict::{Holding, ManoeuvreOutcome, Place, Verdict};
pub use watch::{Peak, Sample, Watch};

use rattleback_dynamics::chain::LinkKind;
use rattleback_dynamics::model::PrescribedMotion;
use rattleback_geom::surface::Mesh;
use std::sync::Arc;

/// A manoeuvre in a handful of numbers; lengths in m, angles in rad, forces in N.
#[derive(Debug, Clone)]
pub struct Manoeuvre {
    /// The bow.
    pub bow: Bow,
    /// The anchor.
    pub anchor: AnchorParts,
    /// The chain's bar diameter d.
    pub diameter: f64,
    /// How far below the lip the shackle hangs at the start, along the chain.
    pub depth: f64,
    /// How far the anchor is turned about the chain at the start: at zero its flukes lie side by side along the
    /// plating.
    pub heading: f64,
    /// How far the hanging chain leans forward at the start.
    pub lean: f64,
    /// The speed at which the anchor swings forward at the start, in m/s.
    pub swing_speed: f64,
    /// How far the head is turned about its pin at the start, the flukes towards the hull where above zero.
    pub tilt: f64,
    /// The speed at which the windlass heaves, in m/s.
    pub speed: f64,
    /// The pull at which it stalls.
    pub limit: f64,
    /// Coefficient of friction of chain and anchor on the hull while they slide, μ_k.
    pub friction: f64,
    /// The one that holds them, μ_s; that of sliding if not given.
    pub static_friction: Option<f64>,
    /// The viscous term of friction, μ_visc, in N s/m.
    pub viscous_friction: f64,
    /// The slip speed about which sticking turns into sliding, v_stick, in m/s.
    pub stick_speed: f64,
    /// By how much the penalty of the joints outweighs the inertia.
    pub penalty: f64,
    /// The links between the common ones and the anchor, the last one at the anchor.
    pub links: Vec<LinkKind>,
    /// The solids that stand for links of some kinds among them, as in [`Chain::meshes`].
    ///
    /// [`Chain::meshes`]: rattleback_dynamics::chain::Chain::meshes
    pub link_meshes: Vec<(LinkKind, Arc<Mesh>)>,
    /// Whether links touch the anchor, those beside its shackle apart.
    pub chain_on_anchor: bool,
    /// When the brake is put on, in s, whatever the windlass does; where it stalls otherwise.
    pub brake_at: Option<f64>,
    /// Coefficient of friction of links on each other.
    pub link_friction: f64,
    /// Contact stiffness K in N/m^1.5.
    pub stiffness: f64,
    /// Coefficient of restitution.
    pub restitution: f64,
    /// How the ship moves, as the motion of the mouth; at rest if not given.
    pub motion: Option<PrescribedMotion>,
}

impl Manoeuvre {
    /// An anchor heaved at 12 m/min from 3 m below the lip, with a windlass that stalls at five times the anchor's
    /// weight.
    pub fn new(bow: Bow, anchor: AnchorParts, diameter: f64) -> Self {
        let weight = 9.81 * anchor.mass();
        Self {
            bow,
            anchor,
            diameter,
            depth: 3.0,
            heading: 0.0,
            lean: 0.0,
            swing_speed: 0.0,
            tilt: 0.0,
            speed: 0.2,
            limit: 5.0 * weight,
            friction: 0.3,
            static_friction: None,
            viscous_friction: 0.0,
            stick_speed: 0.01,
            penalty: 1e6,
            links: vec![LinkKind::Enlarged, LinkKind::Swivel, LinkKind::End],
            link_meshes: Vec::new(),
            chain_on_anchor: false,
            brake_at: None,
            link_friction: 0.1,
            stiffness: 2e9,
            restitution: 0.1,
            motion: None,
        }
    }
}
