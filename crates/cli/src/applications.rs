//! What the command knows beyond the core: a line for each application.

use rattleback_scene::{Application, Format};

/// The applications.
const APPLICATIONS: &[Application] = &[rattleback_anchor::APPLICATION];

/// The files that the command reads.
pub const FORMAT: Format = Format::new(APPLICATIONS);
