//! Shapes: read, measured and cut into triangles as by `rattleback shape`.

use super::{FORMAT, demand_place};
use crate::finding::Fault;
use crate::sandbox::Outcome;
use rattleback_geom::Vec3;
use rattleback_geom::surface::Surface;
use std::path::Path;

/// Examines a file.
pub fn shape(path: &Path, outcome: &mut Outcome) {
    match FORMAT.read_shape(path) {
        Ok((shape, _)) => {
            outcome.accepted = true;
            measure(shape.surface(), outcome);
            integrate(shape.surface(), outcome);
        }
        Err(error) => demand_place(&error, path, outcome),
    }
}

/// Asks a surface what the command asks it. What a surface does not have is an error, which is an answer.
pub fn measure(surface: &dyn Surface, outcome: &mut Outcome) {
    let bounds = surface.bounds();
    let extent = bounds.diagonal();
    if bounds.min.iter().chain(bounds.max.iter()).any(|x| x.is_nan()) {
        outcome.find(Fault::NotFinite, format!("the bounds of a {} hold a NaN", surface.kind()));
    }
    if let Ok(range) = surface.curvature_range()
        && range.iter().any(|x| x.is_nan())
    {
        outcome.find(Fault::NotFinite, format!("the curvature of a {} is {range:?}", surface.kind()));
    }
    if bounds.is_bounded() && extent.is_finite() {
        // A chord of a twentieth: a few hundred triangles.
        let _ = surface.tessellate(0.05 * extent);
    }
    // Of bodies whose squares overflow or vanish the command asks nothing that it could not refuse.
    let sizes = bounds.max - bounds.min;
    if let (Some(support), true) = (surface.as_support(), sizes.iter().all(|x| (1e-100..1e100).contains(x))) {
        for n in [Vec3::x(), -Vec3::z(), Vec3::new(0.6, 0.0, 0.8), Vec3::new(-0.48, 0.6, 0.64)] {
            let point = support.support_point(&n);
            outcome.demand_finite(&format!("a support point of a {}", surface.kind()), point.iter());
        }
    }
}

/// Asks a surface for its area and its mass.
fn integrate(surface: &dyn Surface, outcome: &mut Outcome) {
    if let Ok(area) = surface.area() {
        outcome.demand_finite(&format!("the area of a {}", surface.kind()), [&area]);
    }
    if let Ok(mass) = surface.moments().and_then(|moments| moments.with_density(1000.0)) {
        let numbers =
            [&mass.mass, &mass.volume].into_iter().chain(mass.centroid.iter()).chain(mass.inertia.iter());
        outcome.demand_finite(&format!("the mass of a {}", surface.kind()), numbers);
    }
}
