//! Where smooth bodies touch, or how far apart they are.
//!
//! Conventions: the normal points from A to B; a negative gap is an overlap; points, normals and directions are in
//! world axes unless a name says otherwise (`p_wa`: a point of A in world axes).

pub mod broad;
mod error;
pub mod narrow;
pub mod proximity;

pub use error::{ContactError, Result};
pub use rattleback_geom as geom;
