//! An S-patch as a surface of its own, with the box around it.

use super::SPatch;
use crate::Aabb;
use crate::error::Result;
use crate::surface::faces;

/// An open sheet: one S-patch.
#[derive(Debug, Clone, PartialEq)]
pub struct SPatchSurface {
    patch: SPatch,
    bounds: Aabb,
}

impl SPatchSurface {
    /// The sheet of a patch.
    pub fn new(patch: SPatch) -> Result<Self> {
        let bounds = faces::spatch_bounds(&patch)?;
        Ok(Self { patch, bounds })
    }

    /// The patch.
    pub fn patch(&self) -> &SPatch {
        &self.patch
    }

    /// The box around the patch.
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }
}
