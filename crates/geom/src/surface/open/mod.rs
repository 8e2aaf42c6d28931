//! What the open surfaces share: the planes that bound them, and the solids that these planes leave.
//!
//! | file | holds |
//! |---|---|
//! | `plane.rs` | a bounding half-space, and the box that several of them leave |
//! | `profile.rs` | the meridian (ρ, z/c) as a function of one parameter |
//! | `layers.rs` | solids whose sections across z are one curve, scaled: chart, bounds, farthest point |
//! | `measure.rs` | their area and moments |
//! | `mesh.rs` | their triangles |
//! | `cap.rs` | the flat faces, where they bear a body |
//! | `saddle.rs` | the hyperbolic paraboloid in its box |
//! | `edge.rs` | curvature where planes cut the curved part |
//! | `search.rs` | the least and the greatest curvature over a rectangle of parameters |

mod cap;
pub(super) mod edge;
pub(super) mod layers;
mod measure;
mod mesh;
pub(super) mod plane;
pub(super) mod profile;
pub(super) mod saddle;
pub(super) mod search;
#[cfg(test)]
pub(super) mod testing;

pub use cap::Cap;
pub(super) use layers::Layers;
pub use plane::BoundingPlane;
pub use profile::Sheet;
pub(super) use saddle::Saddle;
