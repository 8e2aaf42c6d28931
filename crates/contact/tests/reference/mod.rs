//! The true signed gap of a realisation.

use rattleback_contact::Result;
use rattleback_contact::narrow::{Start, touch};
use rattleback_contact::study::roemer::Realisation;
use rattleback_geom::Pose;
use rattleback_geom::surface::{Ellipsoid, Shape};

/// In m; under overlap the least translation over all directions, with a minus.
pub fn gap(r: &Realisation) -> Result<f64> {
    let shape = |axes| Ellipsoid::new(axes).map(Shape::Ellipsoid);
    let (a, b) = (shape(r.semi_axes_a)?, shape(r.semi_axes_b)?);
    Ok(touch(&a, &Pose::identity(), &b, &r.pose_b, Start::Cold)?.gap)
}
