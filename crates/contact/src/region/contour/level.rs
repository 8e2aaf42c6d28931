//! The lines F = 0 on a triangle, for bodies that need not be convex: the triangle is divided at the middle of its
//! longest side until it is small beside the body, and then F = 0 is taken to go straight through it. The ends of the
//! segments are zeros of F; a line that turns back within such a triangle is missed.

use super::Line;
use rattleback_geom::surface::Implicit;
use rattleback_geom::{Aabb, Vec3};

/// The sides of the smallest triangles in the least extent of the body, and in its diagonal at least.
const SIDE: f64 = 1.0 / 24.0;
const FINEST: f64 = 1.0 / 400.0;
/// Halvings to a zero: 2⁻⁴⁰ of a small side.
const HALVINGS: usize = 40;

/// Adds the lines on a triangle in the body's frame, within bounds.
pub(super) fn add(body: &dyn Implicit, bounds: &Aabb, corners: [Vec3; 3], lines: &mut Vec<Line>) {
    let diagonal = bounds.diagonal();
    let side = (SIDE * bounds.extents().min()).max(FINEST * diagonal);
    let is_finite = side.is_finite() && corners.iter().all(|p| p.sum().is_finite());
    if !is_finite || side <= 0.0 {
        return;
    }
    // Negative inside, and not beyond the planes that bound an open surface.
    let value = |p: &Vec3| body.value(p).max(body.beyond_bounds(p));
    let mut stack = vec![corners];
    while let Some(corners) = stack.pop() {
        if !bounds.overlaps(&Aabb::of_points(&corners)) {
            continue;
        }
        let lengths = [0, 1, 2].map(|k: usize| (corners[(k + 1) % 3] - corners[k]).norm());
        let longest = (0..3).fold(0, |best, k| if lengths[k] > lengths[best] { k } else { best });
        if lengths[longest] > side {
            let [i, j, k] = [longest, (longest + 1) % 3, (longest + 2) % 3].map(|k| corners[k]);
            let middle = i.lerp(&j, 0.5);
            stack.extend([[i, middle, k], [middle, j, k]]);
            continue;
        }
        let values = corners.each_ref().map(value);
        let mut ends = Vec::with_capacity(2);
        for k in 0..3 {
            let n = (k + 1) % 3;
            match (values[k] < 0.0, values[n] < 0.0) {
                (true, false) => ends.push(zero(&value, corners[k], corners[n])),
                (false, true) => ends.push(zero(&value, corners[n], corners[k])),
                _ => {}
            }
        }
        if ends.len() == 2 {
            lines.push(ends);
        }
    }
}

fn zero(value: &impl Fn(&Vec3) -> f64, mut inside: Vec3, mut outside: Vec3) -> Vec3 {
    for _ in 0..HALVINGS {
        let middle = inside.lerp(&outside, 0.5);
        if value(&middle) < 0.0 { inside = middle } else { outside = middle }
    }
    inside.lerp(&outside, 0.5)
}
