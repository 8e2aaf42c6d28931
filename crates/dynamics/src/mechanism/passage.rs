//! Thin bodies that meet within a step: where they overlap first.
//!
//! Meshes of thicknesses a and b, their least extents, that pass through each other do so on a way of a + b. A step in
//! which they go farther than a quarter of that may end beyond the overlap, or where it is deeper from the other side.
//! There the way is looked at in n = ⌈4 way/(a + b)⌉ places, of which the first with an overlap gives the regions:
//! seen from the side that the bodies come from, and held to the end of the step as any others.

use crate::contact_set::Parts;
use crate::model::PartPair;
use rattleback_geom::surface::Shape;

/// The most places of a step that are looked at: bodies that go sixteen times their thickness in a step are told
/// before the run, and have a step that resolves nothing.
const MAX_PLACES: usize = 64;

/// How many places of a step of `h` seconds are to be looked at, 1 where its end is enough.
pub(super) fn places(parts: &Parts, pair: &PartPair, speed: f64, h: f64) -> usize {
    let shapes = [pair.a, pair.b].map(|part| &parts.collider(part).shape);
    if !shapes.iter().all(|shape| shape.mesh().is_some() || matches!(shape, Shape::Cuboid(_))) {
        return 1;
    }
    let [a, b] = shapes.map(|shape| shape.surface().bounds().extents().min());
    let count = 4.0 * speed * h / (a + b);
    if count.is_finite() { (count.ceil() as usize).clamp(1, MAX_PLACES) } else { 1 }
}
