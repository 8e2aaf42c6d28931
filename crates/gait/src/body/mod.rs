//! The whole body from markers: segments, centre of mass, and the ground force that moves it.
//!
//! Newton: the sum of all ground forces is F = m (a − g), a the acceleration of the centre of mass, g gravity. No
//! plate is needed, and on a treadmill the belt's uniform motion does not matter.
//!
//! | what | file |
//! |---|---|
//! | mass shares and centres of segments | `table.rs` |
//! | joint centres | `joint.rs` |
//! | segments of whatever markers there are | `segment.rs` |
//! | centre of mass, velocity, acceleration, force | `centre.rs` |

mod centre;
mod joint;
mod segment;
mod table;

pub use centre::{CentreOfMass, centre_of_mass};
pub use joint::{JointCentres, Places, joint_centres};
pub use segment::{Segment, WholeBody};
pub use table::{MassTable, SegmentKind};

/// Standard gravity, in m/s².
pub const GRAVITY: f64 = 9.806_65;

/// A mass that was given may differ by this share from what plates say before it is told.
const CONTRADICTS: f64 = 0.04;

/// Words where a mass that was given contradicts the plates, in kg.
pub fn contradiction(given: f64, plates: f64) -> Option<String> {
    ((given / plates - 1.0).abs() > CONTRADICTS).then(|| {
        format!("The mass that was given, {given} kg, contradicts the plates, which say {plates:.1} kg.")
    })
}
