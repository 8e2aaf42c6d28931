//! A proximity query by its name: step (iii) of Lopes' algorithm, before the normal is sought.

use super::{BoundingSphere, EllipsoidPencil, world_box};
use crate::contact::Collider;
use crate::error::{ContactError, Result};
use rattleback_geom::surface::{Ellipsoid, Shape};
use rattleback_geom::{Aabb, Vec3};
use std::str::FromStr;

/// By how much of itself the factor of [`EllipsoidPencil::scale`] may be too large by rounding, for ellipsoids up to
/// 1:1000.
const SCALE_ERROR: f64 = 1e-11;

/// What is asked of a pair before its normal is sought.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Proximity {
    /// Boxes along the world's axes.
    #[default]
    Boxes,
    /// Bounding spheres.
    Spheres,
    /// The characteristic quartic of two ellipsoids; bounding spheres where a body is no ellipsoid.
    Quartic,
}

impl Proximity {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Boxes, Self::Spheres, Self::Quartic];

    /// The name by which it is asked for.
    pub fn name(self) -> &'static str {
        match self {
            Self::Boxes => "boxes",
            Self::Spheres => "spheres",
            Self::Quartic => "quartic",
        }
    }

    /// A lower bound of the gap in m, above zero where the query separates the bodies; none where it has none to give,
    /// as of bodies without bounds.
    pub fn separation(self, a: &Collider, b: &Collider) -> Result<Option<f64>> {
        let bounded = |body: &Collider| body.shape.surface().bounds().is_bounded();
        if !(bounded(a) && bounded(b)) {
            return Ok(None);
        }
        if self == Self::Boxes {
            let [one, other] = [a, b].map(|body| world_box(body.shape.surface(), &body.pose));
            return Ok(Some(box_distance(&one?, &other?)));
        }
        let sphere = |body: &Collider| BoundingSphere::new(body.shape.surface());
        self.separation_with([a, b], [&sphere(a)?, &sphere(b)?]).map(Some)
    }

    /// The same where the bounding spheres of both are known in their own axes.
    pub fn separation_with(self, [a, b]: [&Collider; 2], spheres: [&BoundingSphere; 2]) -> Result<f64> {
        let [one, other] = [spheres[0].placed(&a.pose)?, spheres[1].placed(&b.pose)?];
        let separation = one.separation(&other);
        if self != Self::Quartic {
            return Ok(separation);
        }
        let (Some(e), Some(f)) = (ellipsoid(&a.shape), ellipsoid(&b.shape)) else { return Ok(separation) };
        let scale = EllipsoidPencil::new(&e, &a.pose, &f, &b.pose)?.scale()?;
        // Ellipsoids that touch when scaled by μ are at least (μ − 1) times the sum of their least semi-axes apart.
        let apart = (scale * (1.0 - SCALE_ERROR) - 1.0) * (e.semi_axes().min() + f.semi_axes().min());
        Ok(separation.max(apart))
    }
}

/// A body that is an ellipsoid, or a ball.
fn ellipsoid(shape: &Shape) -> Option<Ellipsoid> {
    match shape {
        Shape::Ellipsoid(ellipsoid) => Some(*ellipsoid),
        Shape::Sphere(sphere) => Ellipsoid::new([sphere.radius(); 3]).ok(),
        _ => None,
    }
}

/// The positive roots of the characteristic quartic of two colliders, two where they are apart; none unless both are
/// ellipsoids or balls.
pub fn quartic_roots(a: &Collider, b: &Collider) -> Result<Option<usize>> {
    let (Some(e), Some(f)) = (ellipsoid(&a.shape), ellipsoid(&b.shape)) else { return Ok(None) };
    Ok(Some(EllipsoidPencil::new(&e, &a.pose, &f, &b.pose)?.positive_roots()))
}

/// The distance of two boxes; below zero where they share points, by how much along the axis where it is least.
fn box_distance(one: &Aabb, other: &Aabb) -> f64 {
    let apart = Vec3::from_fn(|i, _| (other.min[i] - one.max[i]).max(one.min[i] - other.max[i]));
    if apart.max() <= 0.0 { apart.max() } else { apart.map(|x| x.max(0.0)).norm() }
}

impl FromStr for Proximity {
    type Err = ContactError;

    fn from_str(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|query| query.name() == name).ok_or_else(|| {
            ContactError::UnknownProximity {
                name: name.to_owned(),
                known: Self::ALL.map(Self::name).join(", "),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::contact::contact;
    use crate::proximity::sample::Random;
    use rattleback_geom::surface::{Plane, Superellipsoid};
    use rattleback_geom::{Pose, surface::Sphere};

    #[test]
    fn every_query_bounds_the_gap_from_below_and_each_separates_what_the_one_before_does_not() {
        let mut random = Random(5);
        let mut separated = [0; 3];
        for _ in 0..300 {
            let mut axes = || [random.within(0.1, 1.0), random.within(0.1, 1.0), random.within(0.1, 1.0)];
            let (one, other) = (Ellipsoid::new(axes()).unwrap(), Ellipsoid::new(axes()).unwrap());
            let a = Collider::new(one, Pose::identity().rotated(random.direction(), 1.0).unwrap());
            let turned = Pose::identity().rotated(random.direction(), 2.0).unwrap();
            let b = Collider::new(other, Pose { position: random.direction() * 1.5, ..turned });
            let gap = contact(&a, &b).unwrap().touch.gap;
            for (count, query) in separated.iter_mut().zip(Proximity::ALL) {
                let bound = query.separation(&a, &b).unwrap().unwrap();
                // Where spheres and boxes share points their bound is no depth.
                assert!(bound <= gap.max(0.0) + 1e-12, "{query:?}: {bound} above {gap}");
                *count += usize::from(bound > 0.0);
            }
            let roots = quartic_roots(&a, &b).unwrap();
            assert_eq!(roots == Some(2), gap > 0.0, "{roots:?} {gap}");
        }
        let [boxes, spheres, quartic] = separated;
        assert!(spheres < boxes && boxes < quartic, "{separated:?}");
    }

    #[test]
    fn bodies_without_bounds_have_no_answer_and_names_are_known() {
        let plane = Collider::new(Plane::ground(), Pose::identity());
        let ball = Collider::new(Sphere::new(1.0).unwrap(), Pose::from_position(0.0, 0.0, 5.0));
        let body = Collider::new(Superellipsoid::new([1.0, 0.5, 0.2], [4.0, 3.0]).unwrap(), Pose::identity());
        for query in Proximity::ALL {
            assert_eq!(query.separation(&plane, &ball).unwrap(), None);
            assert!(query.separation(&body, &ball).unwrap().unwrap() > 2.0);
            assert_eq!(query.name().parse::<Proximity>().unwrap(), query);
        }
        assert_eq!(quartic_roots(&body, &ball).unwrap(), None);
        let error = "cones".parse::<Proximity>().unwrap_err().to_string();
        assert_eq!(error, "no proximity query is called cones; there are boxes, spheres, quartic");
    }
}
