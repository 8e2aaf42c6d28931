//! Smooth-surface contact in multibody dynamics.

pub use rattleback_contact as contact;
pub use rattleback_geom as geom;
