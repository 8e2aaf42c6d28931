//! What a search for the least distance ends with.

use super::polish::Common;
use rattleback_geom::Vec3;

/// What the search found.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nearest {
    pub common: Common,
    /// No two points are closer, in m.
    pub lower: f64,
    pub iterations: u32,
}

/// How the search ended.
#[derive(Debug, Clone, Copy)]
pub(super) enum SolidOutcome {
    Apart(Nearest),
    /// A point that both solids have, a direction from A to B, and the common normal there where it is known already.
    Overlap {
        x: Vec3,
        n: Vec3,
        common: Option<Common>,
        iterations: u32,
    },
}
