//! All loads on the bodies of a model at an instant: the one place where they are gathered.

use crate::body::Motion;
use crate::error::Result;
use crate::load::Load;
use crate::model::Model;

/// Replaces `out` by the loads of all applied forces, in the order of declaration; with their derivatives if `tangent`.
/// Gravity is not among them: it is a constant acceleration that every formulation adds itself.
pub fn collect(
    model: &Model,
    time: f64,
    motions: &[Motion],
    tangent: bool,
    out: &mut Vec<Load>,
) -> Result<()> {
    out.clear();
    for force in model.forces() {
        out.push(force.load(time, motions, tangent)?);
    }
    Ok(())
}
