//! Surfaces in pieces: patches of polynomials or rational functions, and how they fit together.
//!
//! | piece | what it is |
//! |---|---|
//! | [`BezierPatch`] | bidegree up to 9, polynomial or rational, on the unit square |
//! | [`NurbsSurface`] | knots, control points and weights; kept as its rational Bézier patches |
//! | [`SPatch`] | n-sided patch of Loop and DeRose on the regular n-gon; as a surface [`SPatchSurface`] |
//! | [`PatchNet`] | Bézier patches with their neighbours across the four edges |
//!
//! Each gives its point and all partial derivatives to third order as a
//! [`ParametricJet`](crate::surface::ParametricJet), from which curvature follows; all are surfaces by charts
//! ([`Atlas`](crate::chart::Atlas), in `atlas`). Parameters are taken as given, also beyond the domain, where the same
//! functions continue; a NaN among them gives NaN.

mod atlas;
mod bezier;
mod bound;
mod net;
mod nurbs;
mod spatch;
mod spatch_atlas;
mod spatch_bound;
mod spatch_surface;

pub use bezier::BezierPatch;
pub use net::{Edge, Neighbour, PatchNet, rates};
pub use nurbs::NurbsSurface;
pub use spatch::SPatch;
pub use spatch_surface::SPatchSurface;

/// The greatest degree of a patch in either direction, and the greatest depth of an S-patch.
pub const MAX_DEGREE: usize = 9;

/// The most sides an S-patch may have.
pub const MAX_SIDES: usize = 12;
