//! A trial: markers and force plates in SI units and in the axes x forward, y up, z to the right.
//!
//! | what | file |
//! |---|---|
//! | which files belong together | `files.rs` |
//! | true times from rounded ones | `grid.rs` |
//! | up and forward, found in the data | `axes.rs` |
//! | force plates from the columns of a table | `plate.rs` |
//! | what a marker is, by its name | `role.rs`, `alias.rs` |
//! | contradictions that are refused | `consistency.rs` |
//! | units, missing values, all of it together | `read.rs` |

mod alias;
mod axes;
mod consistency;
mod files;
mod grid;
mod plate;
mod read;
mod role;

pub use axes::Axes;
pub use files::TrialFiles;
pub use plate::{LOADED_N, Plate};
pub(crate) use role::name_without_side;
pub use role::{Landmark, Role, Side, role_of};

use crate::Result;
use rattleback_geom::Vec3;

/// A marker along a trial.
#[derive(Debug, Clone, PartialEq)]
pub struct Marker {
    /// Its name in the file.
    pub name: String,
    /// What it is, where its name says so.
    pub role: Option<Role>,
    /// Its place in each frame, in m; none where it is missing.
    pub positions: Vec<Option<Vec3>>,
}

/// A marker in the static trial.
#[derive(Debug, Clone, PartialEq)]
pub struct StandingMarker {
    /// Its name in the file.
    pub name: String,
    /// What it is, where its name says so.
    pub role: Option<Role>,
    /// The median of its places, in m.
    pub position: Vec3,
}

/// Which of the two times of a file holds.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Timing {
    /// The rate that the header tells, in Hz.
    pub header_hz: Option<f64>,
    /// The rate of the column of times, in Hz.
    pub column_hz: f64,
    /// The largest difference between the column and the true times, in s.
    pub rounding_s: f64,
    /// How many frames the column leaves out.
    pub dropped: usize,
}

/// Markers and plates of one walk.
#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    /// Frames per second.
    pub rate_hz: f64,
    /// The times of the frames, in s: from the rate, where the column is that rate rounded.
    pub times: Vec<f64>,
    /// What is known of the times.
    pub timing: Timing,
    /// The markers.
    pub markers: Vec<Marker>,
    /// The force plates, each with its own rate.
    pub plates: Vec<Plate>,
    /// The markers of the static trial.
    pub standing: Option<Vec<StandingMarker>>,
    /// From the file's axes and units to those of here.
    pub axes: Axes,
    /// What was set right on the way.
    pub remarks: Vec<String>,
}

impl Trial {
    /// Reads a trial.
    pub fn read(files: &TrialFiles) -> Result<Self> {
        read::read(files)
    }

    /// The height of the ground on the plates, in m: the median of the centres of pressure.
    pub fn plate_height(&self) -> Option<f64> {
        let centres =
            |plate: &Plate| (0..plate.force.len()).filter_map(|i| plate.centre(i)).collect::<Vec<_>>();
        let mut heights: Vec<f64> = self.plates.iter().flat_map(centres).map(|c| c.y).collect();
        heights.sort_by(f64::total_cmp);
        heights.get(heights.len() / 2).copied()
    }

    /// The first marker with a role.
    pub fn marker(&self, landmark: Landmark, side: Side) -> Option<&Marker> {
        let role = Some(Role { landmark, side });
        self.markers.iter().find(|m| m.role == role)
    }

    /// All markers with a role.
    pub fn markers_of(&self, landmark: Landmark, side: Side) -> impl Iterator<Item = &Marker> {
        let role = Some(Role { landmark, side });
        self.markers.iter().filter(move |m| m.role == role)
    }

    /// A marker of the static trial with a role.
    pub fn standing(&self, landmark: Landmark, side: Side) -> Option<Vec3> {
        let role = Some(Role { landmark, side });
        self.standing.as_ref()?.iter().find(|m| m.role == role).map(|m| m.position)
    }

    /// A marker of the static trial by its name.
    pub fn standing_named(&self, name: &str) -> Option<Vec3> {
        self.standing.as_ref()?.iter().find(|m| m.name == name).map(|m| m.position)
    }
}
