//! Which way the faces along a contour look that has no direction of its own.

use super::contour::Contours;
use super::enclosed::EnclosureQuery;
use rattleback_geom::Vec3;

/// The direction from A to B in which the triangles along contours face each other: the mean over their length, or over
/// their number where they have none. Where they cancel, as those of a rod through a plate, from A's middle to B's.
pub(super) fn facing<'a>(
    questions: &[EnclosureQuery<'_>; 2],
    contours: &Contours,
    segments: impl Iterator<Item = &'a u32>,
) -> Vec3 {
    let (mut by_length, mut by_number, mut length, mut number) = (Vec3::zeros(), Vec3::zeros(), 0.0, 0.0);
    for &s in segments {
        let mut sum = Vec3::zeros();
        for (question, sign) in questions.iter().zip([1.0, -1.0]) {
            let t = contours.segments[s as usize].triangles[question.body];
            let [a, b, c] =
                question.meshes[question.body].mesh().triangles()[t as usize].map(|v| question.vertex(v));
            let normal = (b - a).cross(&(c - a));
            sum += normal.try_normalize(f64::MIN_POSITIVE).unwrap_or_default() * sign;
        }
        let [p, q] = contours.points(s);
        let weight = (q - p).norm();
        by_length += sum * weight;
        by_number += sum;
        length += weight;
        number += 1.0;
    }
    let (sum, weight) = if length > 0.0 { (by_length, length) } else { (by_number, number) };
    // What is left of normals that cancel is rounding.
    if sum.norm() > 1e-9 * weight {
        return sum;
    }
    let [a, b] = questions[0].meshes.map(|mesh| mesh.tree().bounds().centre());
    b - questions[0].placement.point(&a)
}
