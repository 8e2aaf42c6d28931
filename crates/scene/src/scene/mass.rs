//! The mass of a body, from what its file gives.
//!
//! | given | taken |
//! |---|---|
//! | `mass` and `inertia` | as they are; the mass centre at the origin of the own frame unless `mass_centre` says otherwise |
//! | `mass` alone | the parts share it as if they had one density |
//! | neither | each part has the body's `density`, or that of its material |

use super::body::BodySpec;
use crate::read::{Density, Mass, Range, Reader};
use rattleback_dynamics::Body;
use rattleback_geom::surface::Shape;
use rattleback_geom::{Moments, Pose, Vec3};

/// A part as far as its weight is concerned.
pub(crate) struct Weighed<'s> {
    pub(crate) shape: &'s Shape,
    pub(crate) pose: Pose,
    pub(crate) density: Option<f64>,
}

impl BodySpec {
    /// Mass, inertia, and the mass centre in the own frame.
    pub(crate) fn weigh(&self, parts: &[Weighed<'_>], reader: &mut Reader) -> Option<(Body, Vec3)> {
        let centre = self.mass_centre.map(|centre| Vec3::from(centre.map(|x| x.0)));
        let place = &self.place;
        match (self.mass, self.inertia) {
            (Some(Mass(mass)), Some(inertia)) => {
                Some((Body { mass, inertia: inertia.0 }, centre.unwrap_or_else(Vec3::zeros)))
            }
            (None, Some(_)) => {
                reader.wrong(place, "inertia", "found `inertia` without `mass`");
                None
            }
            _ if centre.is_some() => {
                reader.wrong(place, "mass_centre", "found `mass_centre`, which belongs to a given `mass` and `inertia`; here it follows from the shapes");
                None
            }
            (mass, None) => self.weigh_shapes(parts, mass, reader),
        }
    }

    fn weigh_shapes(
        &self,
        parts: &[Weighed<'_>],
        mass: Option<Mass>,
        reader: &mut Reader,
    ) -> Option<(Body, Vec3)> {
        let place = &self.place;
        if parts.is_empty() {
            reader.wrong(
                place,
                "name",
                "a body without shapes needs `mass` and `inertia`, or `fixed = true`",
            );
            return None;
        }
        let mut sum = Moments::zero();
        let mut only = None;
        for (k, part) in parts.iter().enumerate() {
            let moments = match part.shape.surface().moments() {
                Ok(moments) => moments.moved(&part.pose),
                Err(error) => {
                    let message =
                        format!("its part {k} does not say its mass ({error}); give `mass` and `inertia`");
                    reader.wrong(place, "name", message);
                    return None;
                }
            };
            let density = match (mass, self.density.or(part.density.map(Density))) {
                (Some(_), _) => 1.0,
                // One of the material that is none is told there.
                (None, Some(Density(density))) if self.density.is_none() && !Range::Positive.has(density) => {
                    return None;
                }
                (None, Some(Density(density))) => density,
                (None, None) => {
                    let message =
                        "missing `mass`: neither the body nor the material of its part has a density";
                    reader.wrong(place, "name", message);
                    return None;
                }
            };
            only = (parts.len() == 1).then_some((moments, density));
            sum = sum.plus(&Moments {
                volume: density * moments.volume,
                first: density * moments.first,
                second: density * moments.second,
            });
        }
        let (moments, density) = only.unwrap_or((sum, 1.0));
        let density = match mass {
            Some(Mass(mass)) => mass / moments.volume,
            None => density,
        };
        match moments.with_density(density) {
            Ok(found) => Some((Body { mass: found.mass, inertia: found.inertia }, found.centroid)),
            Err(error) => {
                let field = if mass.is_some() { "mass" } else { "density" };
                reader.wrong(place, field, error.to_string());
                None
            }
        }
    }
}
