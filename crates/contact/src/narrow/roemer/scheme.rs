//! The fixed-point schemes from which algorithm III is led, Römer Fig. 7.
//!
//! With P and Q the points of the normals n and −n and d = Q − P,
//!
//! | | next normal | error of n per step |
//! |---|---|---|
//! | 7a | d/∣d∣ | times −ρ/g |
//! | 7b | n + d/∣d∣, of length one (86) | times ½(1 − ρ/g) |
//! | 7c | algorithm III | `fixed_point` |
//!
//! g is the gap and ρ the sum of the bodies' radii of curvature in a principal direction: as n turns by δ, d changes by
//! −ρδ across n. Hence 7a is stable where ρ < g alone, and 7b where ρ < 3g.

use super::{Reading, Reason};
use rattleback_geom::Vec3;

/// A fixed-point scheme without memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// 7a: the next normal is along d.
    Connection,
    /// 7b: the next normal is half way between n and d.
    Mean,
}

impl Scheme {
    /// Both of them.
    pub const ALL: [Self; 2] = [Self::Connection, Self::Mean];

    /// The next normal. Points that coincide have no direction, and a normal opposite to it has no mean with it.
    pub(super) fn step(self, at: &Reading) -> Result<Vec3, Reason> {
        let along = at.d().try_normalize(0.0).ok_or(Reason::NotFinite)?;
        match self {
            Self::Connection => Ok(along),
            Self::Mean => (at.n + along).try_normalize(0.0).ok_or(Reason::NotFinite),
        }
    }
}
